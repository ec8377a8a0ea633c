#include "sph/viscous.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "sph/viscous_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 10000 };

static const double TOLERANCE = 1e-4;

enum status viscous_create(struct viscous *v, size_t n, const struct sph_neighbors *neighbors,
                           struct error *error)
{
    *v = (struct viscous){.n = n, .n_parts = neighbors->n_parts};
    if (array_create_large(&v->slot, &v->slot_memory, n, sizeof *v->slot, "viscosity", error) ||
        array_create(&v->inverse_root, n, sizeof *v->inverse_root, "viscosity", error) ||
        array_create(&v->counts, n, sizeof *v->counts, "viscosity", error) ||
        array_create(&v->diagonal, n, sizeof *v->diagonal, "viscosity", error) ||
        array_create(&v->force, n, 3 * sizeof *v->force, "viscosity", error) ||
        array_create(&v->change, n, 3 * sizeof *v->change, "viscosity", error) ||
        array_create(&v->slot_of, n, sizeof *v->slot_of, "viscosity", error) ||
        array_create(&v->part, v->n_parts, sizeof *v->part, "viscosity", error) ||
        cg_workspace_create(&v->work, n, 3, error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void viscous_free(struct viscous *v)
{
    free(v->slot_memory);
    free(v->inverse_root);
    free(v->counts);
    free(v->diagonal);
    free(v->force);
    free(v->change);
    free(v->slot_of);
    for (size_t t = 0; v->part && t < v->n_parts; t++)
        free(v->part[t].block);
    free(v->part);
    cg_workspace_free(&v->work);
    *v = (struct viscous){0};
}

/* A solve at hand. */
struct solve {
    struct viscous *v;
    const struct viscous_problem *problem;
    double dt;
    const struct vec3 *velocity; /* v*, m/s */
};

static size_t slots_of(const struct solve *solve)
{
    return solve->problem->neighbors->grid.n;
}

static size_t particle_in(const struct solve *solve, size_t s)
{
    return solve->problem->first + solve->problem->neighbors->grid.point[s];
}

/* ---- groups ---- */

/* The slot of a particle, UINT32_MAX if it has none. */
static uint32_t slot_of(const struct solve *solve, uint32_t i)
{
    size_t first = solve->problem->first;
    return i < first || i >= first + solve->v->n ? UINT32_MAX : solve->v->slot_of[i - first];
}

/* Of each group, the first member in the lists has the unknown, which others mirror. */
static void mark_mirrors(const struct solve *solve)
{
    const struct groups *groups = solve->problem->groups;
    struct viscous *v = solve->v;
    if (groups->n_groups == 0)
        return;
    memset(v->slot_of, 0xff, v->n * sizeof *v->slot_of);
    for (size_t s = 0; s < slots_of(solve); s++)
        v->slot_of[solve->problem->neighbors->grid.point[s]] = (uint32_t)s;
    for (size_t g = 0; g < groups->n_groups; g++) {
        bool first = true;
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t s = slot_of(solve, groups->member[k]);
            if (s == UINT32_MAX)
                continue;
            v->counts[s] = first && v->counts[s];
            first = false;
        }
    }
}

/* Gives each member of a group the sum over all members of `width` values, at most 6 (n x width).
 */
static void sum_groups(const struct solve *solve, double *value, size_t width)
{
    const struct groups *groups = solve->problem->groups;
    for (size_t g = 0; g < groups->n_groups; g++) {
        double sum[6] = {0.0};
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t s = slot_of(solve, groups->member[k]);
            for (size_t c = 0; s != UINT32_MAX && c < width; c++)
                sum[c] += value[width * s + c];
        }
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t s = slot_of(solve, groups->member[k]);
            if (s != UINT32_MAX)
                memcpy(value + width * s, sum, width * sizeof *sum);
        }
    }
}

/* ---- the linear problem, in the variables y = sqrt(m) (v - v*) ---- */

static void fill_slots(const struct solve *solve)
{
    const struct viscous_problem *p = solve->problem;
    const struct sph_neighbors *neighbors = p->neighbors;
    struct viscous *v = solve->v;
#pragma omp parallel for schedule(static) if (neighbors->grid.n > ONE_THREAD)
    for (size_t s = 0; s < neighbors->grid.n; s++) {
        size_t i = particle_in(solve, s);
        v->slot[s] = (struct viscous_slot){.x = neighbors->x[s],
                                           .y = neighbors->y[s],
                                           .z = neighbors->z[s],
                                           .fluidity = (float)(1.0 / viscosity_of(p, i)->fluid),
                                           .solid = (float)(2.0 * viscosity_of(p, i)->wall)};
        v->inverse_root[s] = p->groups->fixed[i] ? 0.0 : 1.0 / sqrt(p->groups->mass[i]);
        v->counts[s] = !p->groups->fixed[i];
    }
}

/* Sets the velocities of the slots to those at the start, if `all`, plus a change. */
static void set_velocities(const struct solve *solve, bool all, const double *change)
{
    struct viscous *v = solve->v;
    size_t slots = slots_of(solve);
#pragma omp parallel for schedule(static) if (slots > ONE_THREAD)
    for (size_t s = 0; s < slots; s++) {
        struct vec3 u = all ? solve->velocity[particle_in(solve, s)] : vec3(0.0, 0.0, 0.0);
        if (change)
            u = vec3_axpy(u, v->inverse_root[s],
                          vec3(change[3 * s], change[3 * s + 1], change[3 * s + 2]));
        v->slot[s].vx = (float)u.x;
        v->slot[s].vy = (float)u.y;
        v->slot[s].vz = (float)u.z;
    }
}

/* y = x + dt M^-1/2 C M^-1/2 x */
static void apply(void *context, const double *x, double *y)
{
    const struct solve *solve = context;
    const struct viscous *v = solve->v;
    size_t slots = slots_of(solve);
    set_velocities(solve, false, x);
    viscous_forces(solve->v, solve->problem, y, NULL);
    sum_groups(solve, y, 3);
#pragma omp parallel for schedule(static) if (slots > ONE_THREAD)
    for (size_t s = 0; s < slots; s++)
        for (size_t k = 3 * s; k < 3 * s + 3; k++)
            y[k] = v->inverse_root[s] > 0.0 ? x[k] - solve->dt * v->inverse_root[s] * y[k] : 0.0;
}

static void precondition(void *context, const double *r, double *z)
{
    const struct solve *solve = context;
    size_t slots = slots_of(solve);
#pragma omp parallel for schedule(static) if (slots > ONE_THREAD)
    for (size_t s = 0; s < slots; s++) {
        struct vec3 out =
            sym3_mul(solve->v->diagonal[s], vec3(r[3 * s], r[3 * s + 1], r[3 * s + 2]));
        z[3 * s] = out.x;
        z[3 * s + 1] = out.y;
        z[3 * s + 2] = out.z;
    }
}

static double largest_rate(size_t begin, size_t end, const void *context)
{
    const struct viscous *v = context;
    double largest = 0.0;
    for (size_t s = begin; s < end; s++) {
        const struct sym3 *c = &v->diagonal[s];
        double rate = v->inverse_root[s] * v->inverse_root[s] * (c->xx + c->yy + c->zz);
        largest = rate > largest ? rate : largest;
    }
    return largest;
}

/* Turns forces into the right side, and blocks of C into inverse blocks of the matrix. */
static void scale(const struct solve *solve)
{
    struct viscous *v = solve->v;
    size_t slots = slots_of(solve);
#pragma omp parallel for schedule(static) if (slots > ONE_THREAD)
    for (size_t s = 0; s < slots; s++) {
        double root = v->inverse_root[s], by = solve->dt * root * root;
        struct sym3 c = v->diagonal[s];
        for (size_t k = 3 * s; k < 3 * s + 3; k++)
            v->force[k] *= solve->dt * root;
        v->diagonal[s] = sym3_inverse((struct sym3){1.0 + by * c.xx, by * c.xy, by * c.xz,
                                                    1.0 + by * c.yy, by * c.yz, 1.0 + by * c.zz});
    }
}

/* Finds v->change. With L the largest eigenvalue of dt M^-1 C, the right side is at most 1 + L
 * times the change; the residual, which the last evaluation of forces adds to the velocities, is
 * held below TOLERANCE times the change. x . C x <= 2 sum x_i . C_ii x_i bounds L. */
static enum status find_change(struct solve *solve, struct viscous_report *report,
                               struct error *error)
{
    struct viscous *v = solve->v;
    size_t slots = slots_of(solve);
    set_velocities(solve, true, NULL);
    viscous_forces(v, solve->problem, v->force, v->diagonal);
    sum_groups(solve, v->force, 3);
    sum_groups(solve, &v->diagonal[0].xx, 6);
    double largest = 2.0 * solve->dt * blocks_max(slots, largest_rate, v);
    scale(solve);
    memset(v->change, 0, 3 * slots * sizeof *v->change);
    const struct linear_operator matrix = {.n = slots,
                                           .width = 3,
                                           .context = solve,
                                           .apply = apply,
                                           .precondition = precondition,
                                           .mask = v->counts};
    struct cg_report cg;
    enum status status = cg_solve(&matrix, v->force, v->change, TOLERANCE / (1.0 + largest),
                                  MOST_ITERATIONS, &v->work, &cg, error);
    *report = (struct viscous_report){.iterations = cg.iterations, .residual = cg.residual};
    return status;
}

/* The work of forces in slots in a second. */
static double power_of_block(size_t begin, size_t end, const void *context)
{
    const struct viscous *v = context;
    double sum = 0.0;
    for (size_t s = begin; s < end; s++) {
        const struct viscous_slot *slot = &v->slot[s];
        sum += v->force[3 * s] * (double)slot->vx + v->force[3 * s + 1] * (double)slot->vy +
               v->force[3 * s + 2] * (double)slot->vz;
    }
    return sum;
}

/* Evaluates the forces once more, and lets them act. */
static void take_change(const struct solve *solve, struct vec3 *velocity, struct vec3 *impulse,
                        struct viscous_report *report)
{
    struct viscous *v = solve->v;
    size_t slots = slots_of(solve);
    set_velocities(solve, true, v->change);
    viscous_forces(v, solve->problem, v->force, NULL);
    report->taken = -solve->dt * blocks_sum(slots, power_of_block, v);
    report->walls = vec3_scale(solve->dt, viscous_wall_force(v, solve->problem->neighbors));
    memset(impulse, 0, v->n * sizeof *impulse);
    for (size_t s = 0; s < slots; s++)
        impulse[solve->problem->neighbors->grid.point[s]] =
            vec3_scale(solve->dt, vec3(v->force[3 * s], v->force[3 * s + 1], v->force[3 * s + 2]));
    sum_groups(solve, v->force, 3);
#pragma omp parallel for schedule(static) if (slots > ONE_THREAD)
    for (size_t s = 0; s < slots; s++) {
        double by = solve->dt * v->inverse_root[s] * v->inverse_root[s];
        struct vec3 *u = &velocity[particle_in(solve, s)];
        *u = vec3_axpy(*u, by, vec3(v->force[3 * s], v->force[3 * s + 1], v->force[3 * s + 2]));
    }
}

enum status viscous_solve(struct viscous *v, const struct viscous_problem *problem, double dt,
                          const struct vec3 *flow, struct vec3 *velocity, struct vec3 *impulse,
                          struct viscous_report *report, struct error *error)
{
    struct solve solve = {v, problem, dt, flow};
    *report = (struct viscous_report){0};
    fill_slots(&solve);
    mark_mirrors(&solve);
    enum status status = viscous_find_walls(v, problem, error);
    if (!status)
        status = find_change(&solve, report, error);
    if (!status)
        take_change(&solve, velocity, impulse, report);
    return status;
}
