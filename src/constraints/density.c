#include "constraints/density_parts.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- an iteration ---- */

static lanes add_kernels(const struct density *d, const struct place *own, const struct place *from,
                         const uint32_t *entry, size_t n, bool weighted)
{
    lanes sum = lanes_all(0.0);
    for (size_t k = 0; k < n; k += DENSITY_LANES) {
        const struct four_near near = look_at_four(own, 1.0 / d->support, from, entry + k);
        const lanes kernels = four_kernels(&near);
        sum += weighted ? near.value * kernels : kernels;
    }
    return sum;
}

double density_error(const struct density *d, size_t s)
{
    const struct near_row *row = &d->row[s];
    const struct place *own = &d->place[s];
    const size_t fluids = row->n[NEAR_FLUID] + row->n[NEAR_INFLOW];
    const size_t solids = row->n[NEAR_SOLID] + row->n[NEAR_HELD];
    double sum = 1.0 + lanes_sum(add_kernels(d, own, d->place, row->entry, fluids, false));
    if (solids > 0)
        sum += d->solid_weight *
               lanes_sum(add_kernels(d, own, d->place, row->entry + fluids, solids, false));
    if (row->n[NEAR_WALL] > 0)
        sum += lanes_sum(
            add_kernels(d, own, d->wall, row->entry + fluids + solids, row->n[NEAR_WALL], true));
    return sum / d->lattice.kernel - 1.0;
}

/* a unless it is smaller or no number, without the call that fmax() is. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

void density_fill(struct density *d, const struct vec3 *at)
{
    const size_t n = d->grid.n;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (size_t s = 0; s < n; s++) {
            const struct vec3 x = at[d->grid.point[s]];
            d->place[s] = (struct place){x.x, x.y, x.z, 0.0};
        }
#pragma omp for schedule(static)
        for (size_t s = 0; s < n; s++)
            d->excess[s] = d->kind[s] <= NEAR_INFLOW ? larger(density_error(d, s), 0.0) : 0.0;
#pragma omp for schedule(static)
        for (size_t s = 0; s < n; s++)
            d->place[s].value = d->excess[s];
    }
}

/* The sum of (constant + factor value) slope x over n entries, where x points from these to the
 * slot, in supports. */
static struct vec3 add_pushes(const struct density *d, const struct place *own,
                              const struct place *from, const uint32_t *entry, size_t n,
                              double constant, double factor)
{
    const lanes both = lanes_all(constant), each = lanes_all(factor);
    lanes x = lanes_all(0.0), y = x, z = x;
    for (size_t k = 0; k < n; k += DENSITY_LANES) {
        const struct four_near near = look_at_four(own, 1.0 / d->support, from, entry + k);
        const lanes push = (both + each * near.value) * four_slopes(&near);
        x += push * near.x;
        y += push * near.y;
        z += push * near.z;
    }
    return vec3(lanes_sum(x), lanes_sum(y), lanes_sum(z));
}

enum {
    SUPPORT_X,
    SUPPORT_Y,
    SUPPORT_Z,
    SUPPORT_WORK,
    INFLOW_X,
    INFLOW_Y,
    INFLOW_Z,
    INFLOW_WORK,
    N_SUMS
};

struct pushing {
    const struct density *d;
    const struct candidates *candidates;
    struct corrections *corrections;
};

/* Adds an impulse, and its work at the velocity of what causes it. */
static void add_outer(double *sum, struct vec3 impulse, struct vec3 velocity)
{
    sum[0] += impulse.x;
    sum[1] += impulse.y;
    sum[2] += impulse.z;
    sum[3] += vec3_dot(impulse, velocity);
}

/* What neighbors of a kind that no correction moves ask of slot s, one by one because each has a
 * velocity; `rate` makes an impulse of it. */
static struct vec3 add_held(const struct pushing *p, size_t s, enum near_kind kind, double rate,
                            double *sum)
{
    const struct density *d = p->d;
    const struct near_row *row = &d->row[s];
    const uint32_t *entry = near_entries(row, kind);
    const bool fluid = kind == NEAR_INFLOW;
    const double own = d->excess[s] * (fluid ? 1.0 : d->solid_weight);
    struct vec3 all = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < row->n[kind]; k++) {
        const struct place *at = &d->place[entry[k]], *here = &d->place[s];
        const struct vec3 x =
            vec3_scale(1.0 / d->support, vec3(here->x - at->x, here->y - at->y, here->z - at->z));
        const double left = fmax(1.0 - vec3_norm(x), 0.0);
        if (entry[k] == d->grid.n)
            break;
        const double push = (own + (fluid ? at->value : 0.0)) * 20.0 * left * left * left;
        all = vec3_axpy(all, push, x);
        add_outer(sum, vec3_scale(rate * push, x),
                  p->candidates->velocity[d->grid.point[entry[k]]]);
    }
    return all;
}

/* The way of the fluid's particle in slot s, over its weight and over the denominator. */
static struct vec3 push_fluid(const struct pushing *p, size_t s, double rate, double *sum)
{
    const struct density *d = p->d;
    const struct near_row *row = &d->row[s];
    const struct place *own = &d->place[s];
    const double excess = d->excess[s];
    struct vec3 all = add_pushes(d, own, d->place, row->entry, row->n[NEAR_FLUID], excess, 1.0);
    if (row->n[NEAR_INFLOW] > 0)
        all = vec3_add(all, add_held(p, s, NEAR_INFLOW, rate, sum + INFLOW_X));
    if (excess == 0.0)
        return all;
    if (row->n[NEAR_SOLID] > 0)
        all = vec3_add(all, add_pushes(d, own, d->place, near_entries(row, NEAR_SOLID),
                                       row->n[NEAR_SOLID], d->solid_weight * excess, 0.0));
    if (row->n[NEAR_HELD] > 0)
        all = vec3_add(all, add_held(p, s, NEAR_HELD, rate, sum + SUPPORT_X));
    if (row->n[NEAR_WALL] > 0) {
        struct vec3 wall = add_pushes(d, own, d->wall, near_entries(row, NEAR_WALL),
                                      row->n[NEAR_WALL], 0.0, excess);
        add_outer(sum + SUPPORT_X, vec3_scale(rate, wall), vec3(0.0, 0.0, 0.0));
        all = vec3_add(all, wall);
    }
    return all;
}

static void push(size_t begin, size_t end, const void *context, double *sum)
{
    const struct pushing *p = context;
    const struct density *d = p->d;
    const double per_dt = 1.0 / (d->denominator * p->candidates->dt);
    for (size_t s = begin; s < end; s++) {
        const size_t i = d->grid.point[s];
        const struct near_row *row = &d->row[s];
        struct vec3 way = vec3(0.0, 0.0, 0.0);
        if (d->kind[s] == NEAR_FLUID)
            way = push_fluid(p, s, per_dt, sum);
        else if (d->kind[s] == NEAR_SOLID && row->n[NEAR_FLUID] > 0)
            way = add_pushes(d, &d->place[s], d->place, row->entry, row->n[NEAR_FLUID], 0.0,
                             d->solid_weight);
        p->corrections->shift[i] = vec3_scale(p->candidates->weight[i] / d->denominator, way);
        p->corrections->violation[i] = 0.5 * d->support * d->excess[s];
    }
}

static void density_solve(struct constraint *constraint, const struct candidates *candidates,
                          struct corrections *corrections)
{
    struct density *d = (struct density *)constraint;
    const struct pushing pushing = {d, candidates, corrections};
    double sum[N_SUMS];
    density_fill(d, candidates->at);
    corrections_clear(corrections, candidates->n);
    blocks_sums(d->grid.n, N_SUMS, push, &pushing, sum);
    corrections->support = vec3(sum[SUPPORT_X], sum[SUPPORT_Y], sum[SUPPORT_Z]);
    corrections->support_work = sum[SUPPORT_WORK];
    corrections->inflow = vec3(sum[INFLOW_X], sum[INFLOW_Y], sum[INFLOW_Z]);
    corrections->inflow_work = sum[INFLOW_WORK];
}

/* ---- its life ---- */

static void density_free(struct constraint *constraint)
{
    struct density *d = (struct density *)constraint;
    for (size_t t = 0; d->part && t < d->n_parts; t++)
        density_part_free(&d->part[t]);
    free(d->part);
    for (size_t k = 0; k < sizeof d->memory / sizeof d->memory[0]; k++)
        free(d->memory[k]);
    wall_points_free(&d->points);
    cell_grid_free(&d->grid);
    density_gas_free(d->gas);
    free(d->flows);
    free(d->stick);
    free(d->cohesion);
    free(d->fluid);
    free(d->present);
    free(d->kind);
    free(d->excess);
    free(d);
}

static const struct constraint_class density_class = {
    .name = "density",
    .find = density_find,
    .solve = density_solve,
    .change = {[CHANGE_VISCOUS] = density_drag},
    .free = density_free,
};

/* ... with gas, or a fluid that coheres, among the fluids. */
static const struct constraint_class driven_class = {
    .name = "density",
    .find = density_find,
    .solve = density_solve,
    .change = {[CHANGE_COHESIVE] = density_cohere,
               [CHANGE_VISCOUS] = density_drag,
               [CHANGE_VORTICAL] = density_drive,
               [CHANGE_AIR] = density_resist},
    .free = density_free,
};

/* The smallest mass of particles that are not fixed: of fluids, and of what they may touch. */
static double smallest_mass(const struct particles *p)
{
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < p->n; i++)
        if (p->state[i] != PARTICLE_FIXED)
            smallest = fmin(smallest, p->mass[i]);
    return smallest;
}

static enum status create_walls(struct density *d, const struct density_fluid *fluid,
                                struct error *error)
{
    enum status status = STATUS_OK;
    if (fluid->walls)
        status =
            wall_points_create(&d->points, fluid->walls, fluid->spacing, fluid->support, error);
    const size_t n = d->points.n;
    if (!status)
        status =
            array_create_large(&d->wall, &d->memory[0], n + 1, sizeof *d->wall, "walls", error);
    if (status)
        return status;
    const struct cell_grid *grid = &d->points.grid;
    for (size_t k = 0; k < n; k++)
        d->wall[k] = (struct place){grid->x[k], grid->y[k], grid->z[k], d->points.weight[k]};
    d->wall[n] = (struct place){DENSITY_FAR, DENSITY_FAR, DENSITY_FAR, 0.0};
    return STATUS_OK;
}

static enum status create_arrays(struct density *d, struct error *error)
{
    const size_t n = d->n;
    if (array_create(&d->part, d->n_parts, sizeof *d->part, "fluids", error) ||
        array_create(&d->flows, n, sizeof *d->flows, "fluids", error) ||
        array_create(&d->stick, n, sizeof *d->stick, "fluids", error) ||
        array_create(&d->cohesion, n, sizeof *d->cohesion, "fluids", error) ||
        array_create(&d->fluid, n, sizeof *d->fluid, "fluids", error) ||
        array_create(&d->present, n, sizeof *d->present, "fluids", error) ||
        array_create(&d->kind, n, sizeof *d->kind, "fluids", error) ||
        array_create(&d->excess, n, sizeof *d->excess, "fluids", error) ||
        array_create_large(&d->place, &d->memory[1], n + 1, sizeof *d->place, "fluids", error) ||
        array_create_large(&d->row, &d->memory[2], n, sizeof *d->row, "fluids", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

static enum status create(struct constraint_set *set, const struct particles *particles,
                          const struct density_fluid *fluid, struct error *error)
{
    static const double of_largest = 0.55; /* density_lattice.c */
    struct density *d;
    if (array_create(&d, 1, sizeof *d, "fluids", error))
        return STATUS_FAILED;
    d->constraint.class = &density_class;
    set->group[CONSTRAINT_DENSITY] = &d->constraint;
    d->n = particles->n;
    d->state = particles->state;
    d->support = fluid->support;
    d->solid_weight = set->solid_weight;
    d->n_parts = (size_t)omp_get_max_threads();
    d->lattice = density_lattice(fluid->spacing / fluid->support);
    /* w / S_0 / D, where D has 1 / (S_0 h)^2, and the gradient is slope x / h */
    d->denominator = of_largest * d->lattice.largest * d->lattice.gradients /
                     (smallest_mass(particles) * d->lattice.kernel * d->support);
    enum status status = create_arrays(d, error);
    return status ? status : create_walls(d, fluid, error);
}

enum status density_add(struct constraint_set *set, const struct particles *particles,
                        const struct density_fluid *fluid, struct error *error)
{
    if (!set->group[CONSTRAINT_DENSITY]) {
        enum status status = create(set, particles, fluid, error);
        if (status)
            return status;
    }
    struct density *d = (struct density *)set->group[CONSTRAINT_DENSITY];
    d->viscous |= fluid->viscosity > 0.0;
    d->coheres |= fluid->cohesion > 0.0;
    d->n_fluids++;
    for (size_t i = fluid->first; i < fluid->first + fluid->n; i++) {
        d->flows[i] = true;
        d->stick[i] = fluid->viscosity * particles->mass[i];
        d->cohesion[i] = fluid->cohesion;
        d->fluid[i] = d->n_fluids;
    }
    if (fluid->cohesion > 0.0)
        d->constraint.class = &driven_class;
    const struct gas_setting *gas = &fluid->gas;
    if (gas->buoyancy == 0.0 && gas->drag == 0.0 && gas->baroclinity == 0.0)
        return STATUS_OK;
    d->constraint.class = &driven_class;
    return density_gas_add(d, set, particles, fluid, error);
}

struct compression density_compression(const struct constraint *density)
{
    return ((const struct density *)density)->compression;
}
