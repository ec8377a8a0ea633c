#include "sph/pressure_parts.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "sph/sph_kernel.h"
#include "sph/sph_sums.h"

#include <stdlib.h>

void pressure_free(struct pressure *pressure)
{
    sph_neighbors_free(&pressure->neighbors);
    wall_points_free(&pressure->points);
    pressure_walls_free(&pressure->walls);
    free(pressure->limit);
    free(pressure->place);
    free(pressure->speed);
    free(pressure->compression);
    free(pressure->inverse_diagonal);
    free(pressure->p);
    free(pressure->slope_of_p);
    free(pressure->image);
    free(pressure->p_before);
    free(pressure->slope_before);
    free(pressure->works);
    free(pressure->joined);
    free(pressure->member);
    free(pressure->member_push);
    free(pressure->slot_of);
    free(pressure->member_of);
    *pressure = (struct pressure){0};
}

static enum status create_arrays(struct pressure *p, size_t particles, struct error *error)
{
    static const char what[] = "pressures";
    const size_t n = particles + p->walls.most;
    if (sph_neighbors_create(&p->neighbors, particles, error) ||
        array_create(&p->limit, particles, sizeof *p->limit, what, error) ||
        array_create(&p->speed, particles, sizeof *p->speed, what, error) ||
        array_create(&p->place, n, sizeof *p->place, what, error) ||
        array_create(&p->compression, n, sizeof *p->compression, what, error) ||
        array_create(&p->inverse_diagonal, n, sizeof *p->inverse_diagonal, what, error) ||
        array_create(&p->p, n, sizeof *p->p, what, error) ||
        array_create(&p->slope_of_p, n, sizeof *p->slope_of_p, what, error) ||
        array_create(&p->image, n, sizeof *p->image, what, error) ||
        array_create(&p->p_before, n, sizeof *p->p_before, what, error) ||
        array_create(&p->slope_before, n, sizeof *p->slope_before, what, error) ||
        array_create(&p->works, n, sizeof *p->works, what, error))
        return STATUS_FAILED;
    for (size_t i = 0; i < particles; i++)
        p->limit[i] = 1.0f;
    return STATUS_OK;
}

enum status pressure_create(struct pressure *pressure, const struct pressure_settings *settings,
                            const struct walls *walls, size_t first, size_t n, struct error *error)
{
    double kernel, compression, spacing = 2.0 * settings->radius, h = 2.0 * spacing;
    sph_sum_lattice(h, spacing, &kernel, &compression);
    *pressure = (struct pressure){.settings = *settings,
                                  .first = first,
                                  .n = n,
                                  .support = h,
                                  .volume = spacing * spacing * spacing,
                                  .own = 1.0 - kernel / compression,
                                  .scale = 1.0 / compression,
                                  .slope = 20.0 / (h * compression)};
    enum status status = walls ? pressure_walls_create(pressure, walls, error) : STATUS_OK;
    if (!status)
        status = create_arrays(pressure, n, error);
    if (status)
        pressure_free(pressure);
    return status;
}

/* ---- compression ---- */

struct finding {
    struct sph_visitor visitor; /* must be first */
    struct pressure *pressure;
    const struct vec3 *position; /* by index - first */
};

/* The sum of w (1 - q)^3 x/h over points of walls. */
static struct vec3 push_of_walls(const struct pressure *pressure, struct vec3 position,
                                 const struct sph_found *found)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    const double h = pressure->support, per_slope = h / 20.0;
    for (size_t k = 0; k < found->walls.n; k++) {
        struct vec3 x = sph_from_wall(&pressure->points, found->walls.point[k], position);
        double slope = per_slope * sph_wendland_slope(h, vec3_norm(x));
        sum = vec3_axpy(sum, pressure->points.weight[found->walls.point[k]] * slope, x);
    }
    return sum;
}

static void find_compression(const struct sph_visitor *visitor, const struct sph_found *found)
{
    const struct finding *finding = (const struct finding *)visitor;
    struct pressure *pressure = finding->pressure;
    const struct sph_neighbors *neighbors = &pressure->neighbors;
    size_t s = found->slot, i = neighbors->grid.point[s];
    double sum = sph_sum_found(found);
    if (found->walls.near) {
        sph_add_walls(&pressure->points, pressure->support, finding->position[i],
                      found->walls.point, found->walls.n, &sum);
        found->walls.near->force = push_of_walls(pressure, finding->position[i], found);
    }
    pressure->compression[s] =
        (float)(pressure->own + pressure->scale * sum - (double)pressure->limit[i]);
    pressure->place[s] =
        (struct pressure_place){neighbors->x[s], neighbors->y[s], neighbors->z[s], 0.0f};
}

enum status pressure_find(struct pressure *pressure, const struct particles *p, double margin,
                          struct error *error)
{
    const size_t first = pressure->first;
    const struct finding finding = {{.visit = find_compression}, pressure, p->position + first};
    enum status status = sph_neighbors_find(
        &pressure->neighbors, pressure->n, p->position + first, p->state + first, pressure->support,
        margin, pressure->points.n > 0 ? &pressure->points.grid : NULL, &finding.visitor, error);
    return status ? status : pressure_walls_find(pressure, p->position + first, error);
}

struct counted {
    const struct pressure *pressure;
    const uint8_t *state; /* by index - first */
};

enum { SUM, NUMBER, N_SUMS };

static void add_compressions(size_t begin, size_t end, const void *context, double *sum)
{
    const struct counted *counted = context;
    const struct pressure *pressure = counted->pressure;
    for (size_t s = begin; s < end; s++) {
        if (!particle_is_here(counted->state[pressure->neighbors.grid.point[s]]))
            continue;
        double c = (double)pressure->compression[s];
        sum[SUM] += c > 0.0 ? c : 0.0;
        sum[NUMBER] += 1.0;
    }
}

static double largest_compression(size_t begin, size_t end, const void *context)
{
    const struct counted *counted = context;
    const struct pressure *pressure = counted->pressure;
    double largest = 0.0;
    for (size_t s = begin; s < end; s++)
        if (particle_is_here(counted->state[pressure->neighbors.grid.point[s]]) &&
            (double)pressure->compression[s] > largest)
            largest = (double)pressure->compression[s];
    return largest;
}

struct pressure_crowding pressure_crowding(const struct pressure *pressure,
                                           const struct particles *p)
{
    const struct counted counted = {pressure, p->state + pressure->first};
    size_t n = pressure->neighbors.grid.n;
    double sum[N_SUMS], worst = blocks_max(n, largest_compression, &counted);
    blocks_sums(n, N_SUMS, add_compressions, &counted, sum);
    return (struct pressure_crowding){worst > 0.0 ? worst : 0.0, sum[SUM], sum[NUMBER]};
}

double pressure_horizon(double radius, double fastest, double acceleration)
{
    double d = 2.0 * radius, horizon = (double)INFINITY;
    if (fastest > 0.0)
        horizon = d / fastest;
    if (acceleration > 0.0 && sqrt(d / acceleration) < horizon)
        horizon = sqrt(d / acceleration);
    return horizon;
}

/* ---- masses ---- */

static bool is_own(const struct pressure *pressure, uint32_t i)
{
    return i >= pressure->first && i < pressure->first + pressure->n;
}

static enum status reserve_members(struct pressure *p, const struct groups *groups,
                                   struct error *error)
{
    static const char what[] = "groups in the pressure solve";
    size_t members = groups_members(groups);
    if (array_reserve(&p->joined, &p->joined_capacity, groups->n_groups + 1, sizeof *p->joined,
                      what, error) ||
        array_reserve(&p->member, &p->member_capacity, members, sizeof *p->member, what, error) ||
        array_reserve(&p->member_push, &p->push_capacity, members, sizeof *p->member_push, what,
                      error) ||
        array_reserve(&p->slot_of, &p->slot_capacity, p->n, sizeof *p->slot_of, what, error) ||
        array_reserve(&p->member_of, &p->place_capacity, p->n, sizeof *p->member_of, what, error))
        return STATUS_FAILED;
    return STATUS_OK;
}

/* Lists the groups with several members that take part, by slot. */
static enum status list_groups(struct pressure *p, const struct groups *groups, struct error *error)
{
    const struct cell_grid *grid = &p->neighbors.grid;
    p->n_joined = p->n_members = 0;
    if (groups->n_groups == 0)
        return STATUS_OK;
    if (reserve_members(p, groups, error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++)
        p->slot_of[i] = PRESSURE_NOBODY;
    for (size_t s = 0; s < grid->n; s++) {
        p->slot_of[grid->point[s]] = (uint32_t)s;
        p->member_of[s] = PRESSURE_NOBODY;
    }
    for (size_t g = 0; g < groups->n_groups; g++) {
        size_t begin = p->n_members;
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            uint32_t s = is_own(p, i) ? p->slot_of[i - p->first] : PRESSURE_NOBODY;
            if (s != PRESSURE_NOBODY)
                p->member[p->n_members++] = s;
        }
        if (p->n_members - begin < 2) {
            p->n_members = begin;
            continue;
        }
        for (size_t k = begin; k < p->n_members; k++)
            p->member_of[p->member[k]] = (uint32_t)k;
        p->joined[p->n_joined++] = begin;
    }
    p->joined[p->n_joined] = p->n_members;
    return STATUS_OK;
}

enum status pressure_join(struct pressure *pressure, const struct groups *groups,
                          struct error *error)
{
    const struct cell_grid *grid = &pressure->neighbors.grid;
    size_t n = grid->n;
    if (list_groups(pressure, groups, error))
        return STATUS_FAILED;
    pressure->groups = groups;
#pragma omp parallel for schedule(static) if (n > ONE_THREAD)
    for (size_t s = 0; s < n; s++) {
        size_t i = pressure->first + grid->point[s];
        pressure->speed[s].inverse_mass = groups->fixed[i] ? 0.0f : (float)(1.0 / groups->mass[i]);
    }
    pressure_find_diagonal(pressure);
    return STATUS_OK;
}
