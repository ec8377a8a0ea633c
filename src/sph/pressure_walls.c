/* Points of walls that have a pressure: those before which there is room for a fluid. They are
 * unknowns as particles are that do not obey forces, of the volume w V of their part of a cell, and
 * are listed behind the particles. The row of a point is taken times w:
 *
 *     c_w = w s (sum_i V W_wi - what a fluid at rest before the walls adds)
 *     (J v)_w = w s sum_i V v_i . grad_i W_iw
 *
 * which leaves A symmetric. Without them a layer of particles lies against a wall that pushes with
 * that layer's pressure alone: it stands 0.2 d too near, with 1.8 times its pressure. */
#include "base/memory.h"
#include "sph/pressure_parts.h"
#include "sph/sph_kernel.h"
#include "sph/sph_sums.h"

#include <stdlib.h>
#include <string.h>

/* Points with less room, of the sum of the lattice, have no pressure: nothing at rest pushes them,
 * at a depth of 0.9 d below a plane, and behind edges. */
static const double least_room = 0.05;

enum status pressure_walls_create(struct pressure *pressure, const struct walls *walls,
                                  struct error *error)
{
    static const char what[] = "pressures of walls";
    struct pressure_walls *w = &pressure->walls;
    const struct wall_points *points = &pressure->points;
    double kernel, compression, spacing = 0.5 * pressure->support;
    if (wall_points_create(&pressure->points, walls, spacing, pressure->support, error) ||
        array_create(&w->room, points->n, sizeof *w->room, what, error) ||
        wall_points_find_room(points, walls, spacing, pressure->support, w->room, error) ||
        array_create(&w->number, points->n, sizeof *w->number, what, error))
        return STATUS_FAILED;
    sph_sum_lattice(pressure->support, spacing, &kernel, &compression);
    for (size_t k = 0; k < points->n; k++) {
        if (w->room[k] < least_room * kernel)
            w->room[k] = 0.0;
        w->most += w->room[k] > 0.0;
    }
    if (array_create(&w->point, w->most, sizeof *w->point, what, error) ||
        array_create(&w->row, w->most, sizeof *w->row, what, error) ||
        array_create(&w->of_point, w->most + 1, sizeof *w->of_point, what, error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void pressure_walls_free(struct pressure_walls *w)
{
    free(w->room);
    free(w->number);
    free(w->point);
    free(w->row);
    free(w->of_point);
    free(w->beside);
    free(w->of_beside);
    free(w->to_particle);
    free(w->to_point);
}

/* ---- who is near whom ---- */

/* Numbers the points of which `number` says how many particles are beside them. */
static void number_points(struct pressure *pressure)
{
    struct pressure_walls *w = &pressure->walls;
    size_t sum = 0, row = 0;
    w->n = 0;
    for (size_t k = 0; k < pressure->points.n; k++) {
        uint32_t pairs = w->number[k];
        if (pairs > 0) {
            w->of_point[w->n] = sum;
            w->point[w->n] = (uint32_t)k;
            w->row[w->n] = (uint32_t)row;
            w->number[k] = (uint32_t)w->n++;
            sum += pairs;
        }
        row += w->room[k] > 0.0;
    }
    w->of_point[w->n] = sum;
}

/* Lists the particles beside points with pressure, and how many of these each is beside; numbers
 * the points. */
static enum status list_beside(struct pressure *pressure, struct error *error)
{
    struct pressure_walls *w = &pressure->walls;
    size_t most = 0;
    for (size_t t = 0; t < pressure->neighbors.n_parts; t++)
        most += pressure->neighbors.part[t].walls.n;
    if (array_reserve(&w->beside, &w->beside_capacity, most, sizeof *w->beside, "walls", error) ||
        array_reserve(&w->of_beside, &w->of_beside_capacity, most + 1, sizeof *w->of_beside,
                      "walls", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < pressure->points.n; k++)
        w->number[k] = 0;
    w->n_beside = w->n_pairs = 0;
    for (size_t t = 0; t < pressure->neighbors.n_parts; t++) {
        const struct sph_beside *walls = &pressure->neighbors.part[t].walls;
        const uint32_t *point = walls->points.slot;
        for (size_t k = 0; k < walls->n; point += walls->near[k++].n_points) {
            size_t before = w->n_pairs;
            for (size_t l = 0; l < walls->near[k].n_points; l++)
                if (w->room[point[l]] > 0.0) {
                    w->number[point[l]]++;
                    w->n_pairs++;
                }
            if (w->n_pairs == before)
                continue;
            w->of_beside[w->n_beside] = before;
            w->beside[w->n_beside++] = walls->near[k].slot;
        }
    }
    w->of_beside[w->n_beside] = w->n_pairs;
    number_points(pressure);
    return STATUS_OK;
}

/* Lists the pairs from both ends: of each particle in the order of its list, of each point in the
 * order of slots. */
static void list_pairs(struct pressure *pressure)
{
    struct pressure_walls *w = &pressure->walls;
    size_t pair = 0;
    for (size_t t = 0; t < pressure->neighbors.n_parts; t++) {
        const struct sph_beside *walls = &pressure->neighbors.part[t].walls;
        const uint32_t *point = walls->points.slot;
        for (size_t k = 0; k < walls->n; point += walls->near[k++].n_points)
            for (size_t l = 0; l < walls->near[k].n_points; l++) {
                if (w->room[point[l]] == 0.0)
                    continue;
                uint32_t number = w->number[point[l]];
                w->to_point[pair++].other = number;
                w->to_particle[w->of_point[number]++].other = walls->near[k].slot;
            }
    }
    for (size_t k = w->n; k > 0; k--)
        w->of_point[k] = w->of_point[k - 1];
    w->of_point[0] = 0;
}

struct seen_walls {
    const struct pressure *pressure;
    const struct vec3 *position; /* by index - first */
};

/* From the point of this number to the particle in this slot, m. */
static struct vec3 away(const struct seen_walls *seen, uint32_t number, uint32_t slot)
{
    const struct pressure *pressure = seen->pressure;
    uint32_t i = pressure->neighbors.grid.point[slot];
    return sph_from_wall(&pressure->points, pressure->walls.point[number], seen->position[i]);
}

static void set_pair(const struct seen_walls *seen, uint32_t number, struct vec3 x,
                     struct wall_pair *pair)
{
    const struct pressure *pressure = seen->pressure;
    const double h = pressure->support;
    double slope = pressure->points.weight[pressure->walls.point[number]] * h / 20.0 *
                   sph_wendland_slope(h, vec3_norm(x));
    pair->x = (float)(slope * x.x);
    pair->y = (float)(slope * x.y);
    pair->z = (float)(slope * x.z);
}

static void find_point(const struct seen_walls *seen, size_t number, struct pressure *pressure)
{
    struct pressure_walls *w = &pressure->walls;
    const uint32_t k = w->point[number];
    double sum = -w->room[k];
    for (size_t l = w->of_point[number]; l < w->of_point[number + 1]; l++) {
        struct vec3 x = away(seen, (uint32_t)number, w->to_particle[l].other);
        set_pair(seen, (uint32_t)number, x, &w->to_particle[l]);
        sum += sph_wendland(pressure->support, vec3_norm(x));
    }
    pressure->compression[pressure->neighbors.grid.n + number] =
        (float)(pressure->points.weight[k] * pressure->scale * sum);
}

enum status pressure_walls_find(struct pressure *pressure, const struct vec3 *position,
                                struct error *error)
{
    struct pressure_walls *w = &pressure->walls;
    const struct seen_walls seen = {pressure, position};
    if (w->most == 0)
        return STATUS_OK;
    if (list_beside(pressure, error) ||
        array_reserve(&w->to_particle, &w->to_particle_capacity, w->n_pairs, sizeof *w->to_particle,
                      "walls", error) ||
        array_reserve(&w->to_point, &w->to_point_capacity, w->n_pairs, sizeof *w->to_point, "walls",
                      error))
        return STATUS_FAILED;
    list_pairs(pressure);
#pragma omp parallel for schedule(static) if (w->n_beside > ONE_THREAD)
    for (size_t b = 0; b < w->n_beside; b++)
        for (size_t l = w->of_beside[b]; l < w->of_beside[b + 1]; l++) {
            uint32_t number = w->to_point[l].other;
            set_pair(&seen, number, away(&seen, number, w->beside[b]), &w->to_point[l]);
        }
#pragma omp parallel for schedule(static) if (w->n > ONE_THREAD)
    for (size_t k = 0; k < w->n; k++)
        find_point(&seen, k, pressure);
    return STATUS_OK;
}

/* ---- parts of the operators ---- */

void pressure_walls_diagonal(struct pressure *pressure)
{
    const struct pressure_walls *w = &pressure->walls;
    const double factor = pressure->volume * pressure->slope * pressure->slope;
    float *image = pressure->image + pressure->neighbors.grid.n;
#pragma omp parallel for schedule(static) if (w->n > ONE_THREAD)
    for (size_t k = 0; k < w->n; k++) {
        double sum = 0.0;
        for (size_t l = w->of_point[k]; l < w->of_point[k + 1]; l++) {
            const struct wall_pair *u = &w->to_particle[l];
            double length2 = (double)(u->x * u->x + u->y * u->y + u->z * u->z);
            sum += length2 * (double)pressure->speed[u->other].inverse_mass;
        }
        image[k] = (float)(factor * sum);
    }
}

/* The sum of p times the pairs of the particle of this number. */
static struct vec3 push_of(const struct pressure *pressure, size_t b)
{
    const struct pressure_walls *w = &pressure->walls;
    const struct pressure_place *place = pressure->place + pressure->neighbors.grid.n;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t l = w->of_beside[b]; l < w->of_beside[b + 1]; l++) {
        const struct wall_pair *u = &w->to_point[l];
        sum = vec3_axpy(sum, (double)place[u->other].p,
                        vec3((double)u->x, (double)u->y, (double)u->z));
    }
    return sum;
}

void pressure_walls_push(struct pressure *pressure)
{
    const struct pressure_walls *w = &pressure->walls;
#pragma omp parallel for schedule(static) if (w->n_beside > ONE_THREAD)
    for (size_t b = 0; b < w->n_beside; b++) {
        struct pressure_speed *speed = &pressure->speed[w->beside[b]];
        double per_mass = -pressure->volume * pressure->slope * (double)speed->inverse_mass;
        struct vec3 sum = push_of(pressure, b);
        speed->x += (float)(per_mass * sum.x);
        speed->y += (float)(per_mass * sum.y);
        speed->z += (float)(per_mass * sum.z);
    }
}

void pressure_walls_push_exactly(struct pressure *pressure, const struct pressure_moved *moved)
{
    const struct pressure_walls *w = &pressure->walls;
#pragma omp parallel for schedule(static) if (w->n_beside > ONE_THREAD)
    for (size_t b = 0; b < w->n_beside; b++)
        pressure_give(pressure, moved, w->beside[b],
                      vec3_scale(pressure->volume * pressure->slope, push_of(pressure, b)));
}

void pressure_walls_rate(struct pressure *pressure)
{
    const struct pressure_walls *w = &pressure->walls;
    float *image = pressure->image + pressure->neighbors.grid.n;
#pragma omp parallel for schedule(static) if (w->n > ONE_THREAD)
    for (size_t k = 0; k < w->n; k++) {
        double sum = 0.0;
        for (size_t l = w->of_point[k]; l < w->of_point[k + 1]; l++) {
            const struct wall_pair *u = &w->to_particle[l];
            const struct pressure_speed *v = &pressure->speed[u->other];
            sum += (double)(v->x * u->x + v->y * u->y + v->z * u->z);
        }
        image[k] = (float)(-pressure->slope * sum);
    }
}

/* ---- what is kept ---- */

void pressure_walls_take(struct pressure *pressure, const float *guess)
{
    const struct pressure_walls *w = &pressure->walls;
    const size_t n = pressure->neighbors.grid.n;
    for (size_t k = 0; k < w->n; k++)
        pressure->p[n + k] =
            guess && pressure->inverse_diagonal[n + k] > 0.0f ? guess[w->row[k]] : 0.0f;
}

void pressure_walls_give(const struct pressure *pressure, float *of_walls)
{
    const struct pressure_walls *w = &pressure->walls;
    memset(of_walls, 0, w->most * sizeof *of_walls);
    for (size_t k = 0; k < w->n; k++)
        of_walls[w->row[k]] = pressure->p[pressure->neighbors.grid.n + k];
}

/* One thread sums, because particles near walls are few; the order is that of slots, which does not
 * depend on the number of threads. */
struct vec3 pressure_walls_impulse(const struct pressure *pressure, const bool *of)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    const struct sph_neighbors *neighbors = &pressure->neighbors;
    const struct pressure_walls *w = &pressure->walls;
    for (size_t t = 0; t < neighbors->n_parts; t++)
        for (size_t k = 0; k < neighbors->part[t].walls.n; k++) {
            const struct sph_near *near = &neighbors->part[t].walls.near[k];
            if (!of || of[neighbors->grid.point[near->slot]])
                sum = vec3_axpy(sum, (double)pressure->p[near->slot], near->force);
        }
    for (size_t b = 0; b < w->n_beside; b++)
        if (!of || of[neighbors->grid.point[w->beside[b]]])
            sum = vec3_add(sum, push_of(pressure, b));
    return vec3_scale(pressure->volume * pressure->slope, sum);
}

/* ---- between steps ---- */

enum status wall_memory_create(struct wall_memory *memory, const struct pressure *pressure,
                               struct error *error)
{
    static const char what[] = "pressures of walls";
    memory->n = pressure->walls.most;
    if (array_create(&memory->last, memory->n, sizeof *memory->last, what, error) ||
        array_create(&memory->now, memory->n, sizeof *memory->now, what, error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void wall_memory_free(struct wall_memory *memory)
{
    free(memory->last);
    free(memory->now);
}

void wall_memory_begin(struct wall_memory *memory, double dt)
{
    for (size_t k = 0; k < memory->n; k++)
        memory->now[k] = (float)((double)memory->last[k] * dt);
}

void wall_memory_end(struct wall_memory *memory, double dt)
{
    for (size_t k = 0; k < memory->n; k++)
        memory->last[k] = (float)((double)memory->now[k] / dt);
}

enum status wall_memory_list(const struct wall_memory *memory, size_t *rows, void **data,
                             struct error *error)
{
    float *list;
    *rows = memory->n;
    if (array_create(&list, memory->n, sizeof *list, "pressures of walls", error))
        return STATUS_FAILED;
    memcpy(list, memory->last, memory->n * sizeof *list);
    *data = list;
    return STATUS_OK;
}

void wall_memory_give(struct wall_memory *memory, const void *data)
{
    memcpy(memory->last, data, memory->n * sizeof *memory->last);
}
