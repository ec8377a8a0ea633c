#include "systems/sph/sph_solids.h"

#include "base/memory.h"
#include "sph/sph_kernel.h"
#include "systems/sph/sph_parts.h"

#include <stdlib.h>

/* Neighbors at rest that are farther apart than this times their distance at rest are neighbors no
 * more: a crack is between them, and fluid may come into it. */
static const double TORN = 1.5;

/* ---- creating ---- */

static bool is_solid(const struct system_setting *setting, size_t i)
{
    return !scene_material_of(setting->scene, setting->particles->body[i])->model->flows;
}

static size_t count_solids(const struct system_setting *setting)
{
    size_t n = 0;
    for (size_t i = 0; i < setting->particles->n; i++)
        n += is_solid(setting, i);
    return n;
}

static enum status create_arrays(struct sph_solids *solids, size_t n, struct error *error)
{
    if (array_create(&solids->particle, n, sizeof *solids->particle, "solids", error) ||
        array_create(&solids->weight, n, sizeof *solids->weight, "solids", error) ||
        array_create(&solids->start, n + 1, sizeof *solids->start, "solids", error) ||
        array_create(&solids->place, n, sizeof *solids->place, "solids", error) ||
        array_create(&solids->force, n, sizeof *solids->force, "solids", error) ||
        array_create(&solids->near, n, sizeof *solids->near, "solids", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

/* Adds the neighbors at rest of the k-th particle, which is one of the body in the grid; its
 * particles follow each other from the one numbered `first` on. */
static enum status add_rest_pairs(struct sph *sph, const struct cell_grid *grid,
                                  const struct vec3 *rest, size_t k, size_t first,
                                  struct slot_list *found, struct error *error)
{
    struct sph_solids *solids = &sph->solids;
    struct vec3 x = rest[solids->particle[k]];
    size_t n = solids->start[k];
    found->n = 0;
    if (cell_grid_append(grid, x, sph->support, found, error) ||
        array_reserve(&solids->rest, &solids->rest_capacity, n + found->n, sizeof *solids->rest,
                      "solids", error))
        return STATUS_FAILED;
    for (size_t s = 0; s < found->n; s++) {
        size_t other = first + grid->point[found->slot[s]];
        if (other != k)
            solids->rest[n++] = (struct sph_rest_pair){
                (uint32_t)other, (float)vec3_norm2(vec3_sub(x, rest[solids->particle[other]]))};
    }
    solids->start[k + 1] = n;
    return STATUS_OK;
}

/* The same for the particles begin..end-1, those of a body. */
static enum status add_body(struct sph *sph, const struct vec3 *rest, size_t begin, size_t end,
                            struct error *error)
{
    struct cell_grid grid = {0};
    struct slot_list found = {0};
    enum status status = cell_grid_build(&grid, end - begin, NULL,
                                         rest + sph->solids.particle[begin], sph->support, error);
    for (size_t k = begin; k < end && !status; k++)
        status = add_rest_pairs(sph, &grid, rest, k, begin, &found, error);
    cell_grid_free(&grid);
    free(found.slot);
    return status;
}

static enum status add_bodies(struct sph *sph, const struct system_setting *setting,
                              struct error *error)
{
    const struct sph_solids *solids = &sph->solids;
    const uint32_t *body = setting->particles->body;
    enum status status = STATUS_OK;
    for (size_t k = 0, end; k < solids->n && !status; k = end) {
        for (end = k + 1; end < solids->n; end++)
            if (body[solids->particle[end]] != body[solids->particle[k]])
                break;
        status = add_body(sph, setting->rest, k, end, error);
    }
    return status;
}

enum status sph_solids_create(struct sph *sph, const struct system_setting *setting,
                              struct error *error)
{
    struct sph_solids *solids = &sph->solids;
    const struct particles *p = setting->particles;
    size_t n = count_solids(setting);
    if (n == 0)
        return STATUS_OK;
    if (create_arrays(solids, n, error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++) {
        if (!is_solid(setting, i))
            continue;
        double ratio = p->radius[i] / sph->fluid.radius;
        solids->particle[solids->n] = (uint32_t)i;
        solids->weight[solids->n++] = ratio * ratio * ratio;
    }
    sph->system.pushes_others = true;
    return add_bodies(sph, setting, error);
}

void sph_solids_free(struct sph_solids *solids)
{
    free(solids->particle);
    free(solids->weight);
    free(solids->start);
    free(solids->rest);
    free(solids->near);
    free(solids->place);
    free(solids->force);
    free(solids->points.point);
    cell_grid_free(&solids->grid);
}

/* ---- which are near ---- */

struct box {
    struct vec3 low, high; /* m */
};

static struct box box_of_fluid(const struct sph *sph, const struct particles *p)
{
    struct box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = sph->system.first; i < sph->system.first + sph->system.n; i++) {
        struct vec3 x = p->position[i];
        if (!particle_is_here(p->state[i]))
            continue;
        box.low = vec3(fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z));
        box.high = vec3(fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z));
    }
    double h = sph->support;
    box.low = vec3_sub(box.low, vec3(h, h, h));
    box.high = vec3_add(box.high, vec3(h, h, h));
    return box;
}

static bool is_in(const struct box *box, struct vec3 x)
{
    return x.x >= box->low.x && x.y >= box->low.y && x.z >= box->low.z && x.x <= box->high.x &&
           x.y <= box->high.y && x.z <= box->high.z;
}

/* What the particle's neighbors at rest count in its density, as far as it still has them. */
static double rest_density(const struct sph *sph, const struct particles *p, size_t k)
{
    const struct sph_solids *solids = &sph->solids;
    struct vec3 x = p->position[solids->particle[k]];
    double sum = 0.0;
    for (size_t n = solids->start[k]; n < solids->start[k + 1]; n++) {
        const struct sph_rest_pair *pair = &solids->rest[n];
        double rest2 = (double)pair->distance2;
        struct vec3 apart = vec3_sub(p->position[solids->particle[pair->other]], x);
        if (vec3_norm2(apart) < TORN * TORN * rest2)
            sum += solids->weight[pair->other] * sph_wendland(sph->support, sqrt(rest2));
    }
    return sph_points_rest(sph, solids->weight[k], sum);
}

static void fill_points(struct sph *sph, const struct particles *p)
{
    struct sph_solids *solids = &sph->solids;
    struct sph_points *points = &solids->points;
#pragma omp parallel for schedule(static) if (solids->n_near > ONE_THREAD)
    for (size_t s = 0; s < solids->n_near; s++) {
        uint32_t k = solids->near[solids->grid.point[s]];
        points->point[s] =
            (struct sph_point){.weight = solids->weight[k], .rest = rest_density(sph, p, k)};
        solids->force[s] = vec3(0.0, 0.0, 0.0);
    }
}

enum status sph_solids_find(struct sph *sph, const struct particles *p, struct error *error)
{
    struct sph_solids *solids = &sph->solids;
    struct sph_points *points = &solids->points;
    points->grid = NULL;
    solids->n_near = 0;
    if (solids->n == 0)
        return STATUS_OK;
    const struct box box = box_of_fluid(sph, p);
    for (size_t k = 0; k < solids->n; k++)
        if (is_in(&box, p->position[solids->particle[k]])) {
            solids->place[solids->n_near] = p->position[solids->particle[k]];
            solids->near[solids->n_near++] = (uint32_t)k;
        }
    if (solids->n_near == 0)
        return STATUS_OK;
    if (cell_grid_build(&solids->grid, solids->n_near, NULL, solids->place, sph->support, error) ||
        array_reserve(&points->point, &points->capacity, solids->n_near, sizeof *points->point,
                      "solids in a fluid", error))
        return STATUS_FAILED;
    points->grid = &solids->grid;
    points->solids = true;
    fill_points(sph, p);
    return STATUS_OK;
}

/* ---- forces ---- */

static uint32_t particle_of(const struct sph_solids *solids, uint32_t slot)
{
    return solids->particle[solids->near[solids->grid.point[slot]]];
}

/* One thread adds the reactions, in the order of slots. Each is exactly what its slot got. */
static void find_reactions(struct sph *sph, const struct particles *p)
{
    const struct sph_solids *solids = &sph->solids;
    for (size_t t = 0; t < sph->neighbors.n_parts; t++) {
        const struct sph_beside *list = &sph->neighbors.part[t].solids;
        const uint32_t *point = list->points.slot;
        for (size_t k = 0; k < list->n; k++) {
            size_t slot = list->near[k].slot;
            struct vec3 x = p->position[sph->system.first + sph->neighbors.grid.point[slot]];
            double pressure = sph_slot_pressure(sph, slot);
            for (size_t n = 0; n < list->near[k].n_points; n++, point++)
                solids->force[*point] =
                    vec3_sub(solids->force[*point],
                             sph_points_force(sph, &solids->points, *point, x, pressure));
        }
    }
}

static void push_back(const struct sph_solids *solids, const struct particles *p)
{
    for (uint32_t s = 0; s < solids->n_near; s++) {
        uint32_t i = particle_of(solids, s);
        p->force[i] = vec3_add(p->force[i], solids->force[s]);
        p->reaction[i] = vec3_add(p->reaction[i], solids->force[s]);
    }
}

double sph_solids_press(struct sph *sph, const struct particles *p)
{
    struct sph_points *points = &sph->solids.points;
    if (!points->grid)
        return 0.0;
    sph_points_sum(sph, p, points);
    double densest = sph_points_press(sph, p, points);
    find_reactions(sph, p);
    push_back(&sph->solids, p);
    return densest;
}

double sph_solids_shorten(const struct sph *sph, const struct particles *p)
{
    const struct sph_solids *solids = &sph->solids;
    double lightest = sph->rest_density;
    for (size_t k = 0; solids->points.grid && k < solids->n_near; k++) {
        uint32_t i = solids->particle[solids->near[k]];
        double s = 2.0 * p->radius[i];
        if (p->state[i] == PARTICLE_FREE)
            lightest = fmin(lightest, p->mass[i] / (s * s * s));
    }
    return sqrt(0.5 * (1.0 + sph->rest_density / lightest));
}

void sph_solids_account(const struct sph *sph, const struct groups *groups, double dt,
                        const struct motion *motion, struct work_report *report)
{
    const struct sph_solids *solids = &sph->solids;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double work = 0.0;
    for (uint32_t s = 0; solids->points.grid && s < solids->n_near; s++) {
        uint32_t i = particle_of(solids, s);
        struct vec3 impulse = vec3_scale(dt, solids->force[s]);
        sum = vec3_add(sum, impulse);
        work += vec3_dot(motion->mean[i], impulse);
        if (groups->fixed[i])
            report_on_support(report, impulse, motion->mean[i]);
    }
    report->term[SPH_PRESSURE_WORK].value -= work;
    report->term[SPH_IMPULSE].value = sum.x;
    report->term[SPH_IMPULSE + 1].value = sum.y;
    report->term[SPH_IMPULSE + 2].value = sum.z;
}
