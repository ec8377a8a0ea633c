#include "diffuse/diffuse.h"

#include "base/memory.h"
#include "diffuse/diffuse_parts.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum status diffuse_reserve(struct diffuse *d, size_t n, struct error *error)
{
    const size_t room = array_room(d->room, n);
    if (n <= d->room)
        return STATUS_OK;
    if (array_grow(&d->position, d->room, room, sizeof *d->position, "diffuse", error) ||
        array_grow(&d->velocity, d->room, room, sizeof *d->velocity, "diffuse", error) ||
        array_grow(&d->birth, d->room, room, sizeof *d->birth, "diffuse", error) ||
        array_grow(&d->source, d->room, room, sizeof *d->source, "diffuse", error) ||
        array_grow(&d->middle, d->room, room, sizeof *d->middle, "diffuse", error) ||
        array_grow(&d->first, d->room, room, sizeof *d->first, "diffuse", error))
        return STATUS_FAILED;
    d->room = room;
    return STATUS_OK;
}

/* Room for all that are ever there, so that steps need no more. */
static enum status reserve_all(struct diffuse *d, struct error *error)
{
    double most = 0.0;
    for (size_t k = 0; k < d->scene->n_diffuse; k++)
        most += diffuse_most(&d->scene->diffuse[k], d->scene->time.end);
    return diffuse_reserve(d, (size_t)most, error);
}

enum status diffuse_create(struct diffuse *d, const struct scene *scene, const struct particles *p,
                           bool fresh, struct error *error)
{
    *d = (struct diffuse){.scene = scene};
    if (scene->n_diffuse == 0)
        return STATUS_OK;
    enum status status = diffuse_open(d, error);
    if (!status)
        status = fluid_around_create(&d->around, scene, p, error);
    if (!status && scene_some_fluid_leaves(scene))
        status = array_create(&d->leaves, p->n, sizeof *d->leaves, "fluids", error);
    if (!status)
        status = reserve_all(d, error);
    return status || !fresh ? status : diffuse_fill(d, error);
}

void diffuse_free(struct diffuse *d)
{
    for (size_t k = 0; k < d->n_regions; k++)
        placed_solid_free(&d->region[k]);
    for (size_t k = 0; d->thread && k < d->n_threads; k++)
        fluid_near_free(&d->thread[k].near);
    free(d->region);
    free(d->thread);
    fluid_around_free(&d->around);
    cell_grid_free(&d->cubes);
    cell_grid_free(&d->seen);
    free(d->leaves);
    free(d->middle);
    free(d->first);
    free(d->position);
    free(d->velocity);
    free(d->birth);
    free(d->source);
    *d = (struct diffuse){0};
}

double diffuse_memory(const struct scene *scene)
{
    static const double each = 240.0; /* measured: the list, and that of a frame in memory */
    double most = 0.0;
    for (size_t k = 0; k < scene->n_diffuse; k++)
        most += diffuse_most(&scene->diffuse[k], scene->time.end);
    return each * most;
}

/* Where there is no fluid: free fall, exact for any steps, or the velocity of the wind. */
static struct vec3 without_fluid(const struct diffuse *d, size_t k, double dt)
{
    const struct vec3 v = d->velocity[k], g = d->scene->gravity, x = d->position[k];
    if (d->scene->diffuse[d->source[k]].alone == DIFFUSE_DRIFTS) {
        d->velocity[k] = d->scene->air.wind;
        return vec3_axpy(x, dt, d->velocity[k]);
    }
    d->velocity[k] = vec3_axpy(v, dt, g);
    return vec3_axpy(vec3_axpy(x, dt, v), 0.5 * dt * dt, g);
}

static double middle_of_cube(double x, double edge)
{
    return (floor(x / edge) + 0.5) * edge;
}

/* Sorts all by cubes as large as the support, and lists where in this order each cube begins: those
 * in one look at the same particles of fluid. Where cubes are depends on nothing, so that no
 * particle's way depends on others in the list. Cells of half their edge keep the middles of
 * different cubes apart, whatever the rounding. */
static enum status sort_by_cubes(struct diffuse *d, struct error *error)
{
    const double edge = d->around.support;
    d->n_cubes = 0;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < d->n; k++)
        d->middle[k] =
            vec3(middle_of_cube(d->position[k].x, edge), middle_of_cube(d->position[k].y, edge),
                 middle_of_cube(d->position[k].z, edge));
    if (cell_grid_sort(&d->cubes, d->n, NULL, d->middle, 0.5 * edge, error))
        return STATUS_FAILED;
    for (size_t s = 0; s < d->n; s = cell_grid_run(&d->cubes, d->middle, s, d->n))
        d->first[d->n_cubes++] = (uint32_t)s;
    return STATUS_OK;
}

/* Moves those at slots begin..end-1, at most CHUNK, all of one cube. They are far apart in memory:
 * all are fetched before the first is moved, so that the processor waits once for all of them. */
enum { CHUNK = 64 };
static void move_chunk(struct diffuse *d, size_t begin, size_t end, double dt,
                       const struct fluid_near *near)
{
    struct vec3 place[CHUNK], velocity[CHUNK];
    bool any[CHUNK];
    const uint32_t *at = d->cubes.point + begin;
    const size_t n = end - begin;
    for (size_t s = 0; s < n; s++)
        place[s] = d->position[at[s]];
    for (size_t s = 0; s < n; s++)
        any[s] = fluid_near_velocity(near, place[s], &velocity[s]);
    for (size_t s = 0; s < n; s++) {
        if (any[s])
            d->velocity[at[s]] = velocity[s];
        d->position[at[s]] =
            any[s] ? vec3_axpy(place[s], dt, velocity[s]) : without_fluid(d, at[s], dt);
    }
}

static void move_cube(struct diffuse *d, size_t cube, double dt, struct diffuse_thread *thread)
{
    const size_t begin = d->first[cube];
    const size_t end = cube + 1 < d->n_cubes ? d->first[cube + 1] : d->n;
    const double within = 0.5 * sqrt(3.0) * (1.0 + 1e-9) * d->around.support;
    enum status status = fluid_near_find(&thread->near, &d->around,
                                         d->middle[d->cubes.point[begin]], within, &thread->error);
    if (status)
        thread->status = status;
    for (size_t s = begin; s < end && !status; s += CHUNK)
        move_chunk(d, s, s + CHUNK < end ? s + CHUNK : end, dt, &thread->near);
}

enum status diffuse_prepare_threads(struct diffuse *d, struct error *error)
{
    const size_t n = (size_t)omp_get_max_threads();
    if (n > d->n_threads &&
        array_grow(&d->thread, d->n_threads, n, sizeof *d->thread, "diffuse", error))
        return STATUS_FAILED;
    for (size_t t = d->n_threads; t < n; t++)
        d->thread[t] = (struct diffuse_thread){0};
    d->n_threads = n > d->n_threads ? n : d->n_threads;
    for (size_t t = 0; t < d->n_threads; t++)
        d->thread[t].status = STATUS_OK;
    return STATUS_OK;
}

enum status diffuse_threads_status(const struct diffuse *d, struct error *error)
{
    for (size_t t = 0; t < d->n_threads; t++)
        if (d->thread[t].status) {
            *error = d->thread[t].error;
            return d->thread[t].status;
        }
    return STATUS_OK;
}

static enum status move_all(struct diffuse *d, double dt, struct error *error)
{
    if (diffuse_prepare_threads(d, error) || sort_by_cubes(d, error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(dynamic, 32)
    for (size_t c = 0; c < d->n_cubes; c++)
        move_cube(d, c, dt, &d->thread[omp_get_thread_num()]);
    return diffuse_threads_status(d, error);
}

static bool is_over(const struct diffuse *d, size_t k, const struct diffuse_step *step)
{
    if (step->end - d->birth[k] >= d->scene->diffuse[d->source[k]].lifetime)
        return true;
    for (size_t o = 0; o < step->n_outlets; o++)
        if (placed_solid_holds(&step->outlet[o], d->position[k]))
            return true;
    return false;
}

/* The others keep their order. */
static void take_away(struct diffuse *d, const struct diffuse_step *step)
{
    size_t n = 0;
    for (size_t k = 0; k < d->n; k++) {
        if (is_over(d, k, step))
            continue;
        if (n < k) {
            d->position[n] = d->position[k];
            d->velocity[n] = d->velocity[k];
            d->birth[n] = d->birth[k];
            d->source[n] = d->source[k];
        }
        n++;
    }
    d->n = n;
}

enum status diffuse_move(struct diffuse *d, const struct diffuse_step *step, struct error *error)
{
    if (d->scene == NULL || d->scene->n_diffuse == 0)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (d->n > 0)
        status = fluid_around_find(&d->around, step->particles, step->mean, error);
    if (!status)
        status = move_all(d, step->end - step->start, error);
    if (status)
        return status;
    take_away(d, step);
    return diffuse_emit(d, step->start, step->end, error);
}
