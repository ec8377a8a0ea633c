/* The step of an incompressible fluid (dfsph.h). A meta-particle feels the pressure of its members
 * in this system and the outside forces on all its members, and has the mass of the whole group,
 * also in the problems that pressure solves. */
#include "base/blocks.h"
#include "systems/confine_fluid.h"
#include "systems/dfsph/dfsph_parts.h"

#include <string.h>

/* ---- the length of the step ---- */

struct limits {
    const struct particles *particles;
    size_t first;
};

static double largest_speed2(size_t begin, size_t end, const void *context)
{
    const struct limits *limits = context;
    const struct vec3 *velocity = limits->particles->velocity + limits->first;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        largest = fmax(largest, vec3_norm2(velocity[i]));
    return largest;
}

static double largest_acceleration2(size_t begin, size_t end, const void *context)
{
    const struct limits *limits = context;
    const struct particles *p = limits->particles;
    double largest = 0.0;
    for (size_t i = limits->first + begin; i < limits->first + end; i++)
        if (p->state[i] == PARTICLE_FREE)
            largest = fmax(largest, vec3_norm2(p->force[i]) / (p->mass[i] * p->mass[i]));
    return largest;
}

/* The fastest particle, m/s, and the largest acceleration by forces from outside, m/s^2. */
struct pace {
    double speed, acceleration;
};

static struct pace pace_of(const struct system *system, const struct particles *p)
{
    const struct limits limits = {p, system->first};
    return (struct pace){sqrt(blocks_max(system->n, largest_speed2, &limits)),
                         sqrt(blocks_max(system->n, largest_acceleration2, &limits))};
}

/* A step is linear in what moves: nobody may pass 0.4 of a diameter in it (Bender and Koschier
 * 2017), and forces from outside may not make it so. */
enum status dfsph_limit(struct system *system, const struct particles *p, double *dt,
                        struct error *error)
{
    const struct dfsph *fluid = (const struct dfsph *)system;
    const double d = 2.0 * fluid->pressure.settings.radius;
    struct pace pace = pace_of(system, p);
    (void)error;
    *dt = (double)INFINITY;
    if (pace.speed > 0.0)
        *dt = fmin(*dt, 0.4 * d / pace.speed);
    if (pace.acceleration > 0.0)
        *dt = fmin(*dt, 0.25 * sqrt(d / pace.acceleration));
    return STATUS_OK;
}

/* ---- before all stages ---- */

/* How far upstream of free fluid particles take part, in supports: free particles see compressions
 * one support away, which depend on particles one support farther. */
static const double seen_upstream = 2.0;

/* A fluid that is this much too dense in the mean does not fit into its walls. */
static const double most_crowded = 0.1;

enum status dfsph_prepare(struct system *system, const struct particles *p, double dt,
                          struct error *error)
{
    struct dfsph *fluid = (struct dfsph *)system;
    struct pressure *pressure = &fluid->pressure;
    fluid->dt = dt;
    fluid->velocity_products = fluid->displacement_products = fluid->viscosity_products = 0;
    if (fluid->shared)
        return STATUS_OK;
    enum status status = pressure_find(pressure, p, seen_upstream * pressure->support, error);
    if (status)
        return status;
    for (size_t i = 0; i < system->n; i++)
        fluid->p[i] = (float)((double)fluid->kept[i] * dt);
    wall_memory_begin(&fluid->at_walls, dt);
    fluid->crowding = pressure_crowding(pressure, p);
    if (fluid->crowding.sum > most_crowded * fluid->crowding.n)
        return error_set(error, STATUS_FAILED,
                         "the fluid is %.3g %% too dense in the mean: it does not fit in the room "
                         "that its walls leave, or pressure.most_iterations, %u, ends solves too "
                         "early; less fluid, a larger room or more iterations would be right",
                         100.0 * fluid->crowding.sum / fluid->crowding.n,
                         (unsigned)pressure->settings.keys.most_iterations);
    return STATUS_OK;
}

/* ---- a stage ---- */

/* Fills the velocities of own particles: `base`, of all particles, and what outside forces add. */
static void push_from_outside(const struct system *system, const struct particles *p,
                              const struct groups *groups, double dt, const struct vec3 *base,
                              struct vec3 *velocity)
{
    const size_t first = system->first, end = first + system->n;
#pragma omp parallel for schedule(static) if (system->n > ONE_THREAD)
    for (size_t i = first; i < end; i++)
        velocity[i] =
            groups->fixed[i] ? base[i] : vec3_axpy(base[i], dt / groups->mass[i], p->force[i]);
    for (size_t g = 0; g < groups->n_groups; g++) {
        const uint32_t *member = groups->member + groups->start[g];
        size_t n = groups->start[g + 1] - groups->start[g];
        struct vec3 force = vec3(0.0, 0.0, 0.0);
        if (groups->fixed[member[0]])
            continue;
        for (size_t k = 0; k < n; k++)
            force = vec3_add(force, p->force[member[k]]);
        for (size_t k = 0; k < n; k++)
            if (member[k] >= first && member[k] < end)
                velocity[member[k]] =
                    vec3_axpy(base[member[k]], dt / groups->mass[member[0]], force);
    }
}

static double horizon_of(const struct dfsph *fluid, const struct particles *p)
{
    struct pace pace = pace_of(&fluid->system, p);
    return pressure_horizon(fluid->pressure.settings.radius,
                            pace.speed + fluid->dt * pace.acceleration, pace.acceleration);
}

static void solve_for_velocity(struct dfsph *fluid, const struct particles *p,
                               struct vec3 *velocity)
{
    const struct pressure_problem problem = {.aim = PRESSURE_VELOCITY,
                                             .dt = fluid->dt,
                                             .horizon = horizon_of(fluid, p),
                                             .velocity = velocity,
                                             .p = fluid->p,
                                             .of_walls = fluid->at_walls.now,
                                             .impulse = fluid->impulse};
    fluid->velocity = pressure_solve(&fluid->pressure, &problem);
    fluid->velocity_products += fluid->velocity.products;
    fluid->of_walls = vec3_add(fluid->of_walls, fluid->velocity.walls);
}

static void solve_for_density(struct dfsph *fluid, struct vec3 *velocity, bool moves)
{
    const struct pressure_problem problem = {.aim = PRESSURE_DENSITY,
                                             .dt = fluid->dt,
                                             .velocity = velocity,
                                             .impulse = moves ? NULL : fluid->impulse};
    fluid->repair = pressure_solve(&fluid->pressure, &problem);
    fluid->displacement_products += fluid->repair.products;
    if (!moves)
        fluid->of_walls = vec3_add(fluid->of_walls, fluid->repair.walls);
}

/* The velocities that viscosity brakes: of a fluid that sticks to walls, those that it would have
 * under the pressure of the last step. Without pressure a fluid at rest falls along its walls, by
 * dt g in a step, and hangs on them by viscosity. */
static const struct vec3 *find_flow(struct dfsph *fluid, const struct particles *p,
                                    struct vec3 *velocity, struct vec3 *flow)
{
    if (!fluid->planes.points)
        return velocity;
    const struct pressure_problem problem = {.aim = PRESSURE_VELOCITY,
                                             .dt = fluid->dt,
                                             .horizon = horizon_of(fluid, p),
                                             .velocity = flow,
                                             .p = fluid->p,
                                             .of_walls = fluid->at_walls.now};
    const size_t first = fluid->system.first;
    blocks_copy(flow + first, velocity + first, fluid->system.n * sizeof *flow);
    fluid->velocity_products += pressure_foresee(&fluid->pressure, &problem);
    return flow;
}

/* Lets viscosity act on the velocities over the step, as it brakes the flow. */
static enum status brake(struct dfsph *fluid, const struct particles *p,
                         const struct groups *groups, const struct vec3 *flow,
                         struct vec3 *velocity, struct error *error)
{
    const struct viscous_problem problem = {.neighbors = &fluid->pressure.neighbors,
                                            .first = fluid->system.first,
                                            .support = fluid->pressure.support,
                                            .position = p->position,
                                            .kind = &fluid->kind,
                                            .groups = groups,
                                            .walls = fluid->planes.points ? &fluid->planes : NULL};
    enum status status = viscous_solve(&fluid->viscous, &problem, fluid->dt, flow, velocity,
                                       fluid->drag, &fluid->viscosity, error);
    fluid->viscosity_products += fluid->viscosity.iterations;
    fluid->of_walls = vec3_add(fluid->of_walls, fluid->viscosity.walls);
    return status;
}

/* The step with one change of the velocity, and a displacement. */
static enum status move_apart(struct dfsph *fluid, const struct particles *p,
                              const struct groups *groups, struct motion *motion,
                              struct error *error)
{
    struct vec3 *after = motion->own_after, *mean = motion->own_mean;
    const size_t first = fluid->system.first, bytes = fluid->system.n * sizeof *after;
    enum status status = STATUS_OK;
    push_from_outside(&fluid->system, p, groups, fluid->dt, motion->before, after);
    if (fluid->is_viscous)
        status = brake(fluid, p, groups, find_flow(fluid, p, after, mean), after, error);
    if (!status && !fluid->shared)
        solve_for_velocity(fluid, p, after);
    blocks_copy(mean + first, after + first, bytes);
    if (!status && !fluid->shared)
        solve_for_density(fluid, mean, true);
    return status;
}

/* The step of Bender and Koschier, with two changes of the velocity. */
static enum status push_apart(struct dfsph *fluid, const struct particles *p,
                              const struct groups *groups, struct motion *motion,
                              struct error *error)
{
    struct vec3 *after = motion->own_after, *mean = motion->own_mean;
    const size_t first = fluid->system.first, bytes = fluid->system.n * sizeof *after;
    blocks_copy(mean + first, motion->before + first, bytes);
    solve_for_velocity(fluid, p, mean);
    enum status status = STATUS_OK;
    push_from_outside(&fluid->system, p, groups, fluid->dt, mean, after);
    if (fluid->is_viscous)
        status = brake(fluid, p, groups, after, after, error);
    if (!status)
        solve_for_density(fluid, after, false);
    blocks_copy(mean + first, after + first, bytes);
    return status;
}

enum status dfsph_integrate(struct system *system, const struct particles *p,
                            const struct groups *groups, double dt, struct motion *motion,
                            struct solve_report *report, struct error *error)
{
    struct dfsph *fluid = (struct dfsph *)system;
    const bool moves = fluid->pressure.settings.keys.correction == CORRECTION_BY_DISPLACEMENT;
    (void)dt; /* as in prepare */
    enum status status = fluid->shared ? STATUS_OK : pressure_join(&fluid->pressure, groups, error);
    if (status)
        return status;
    memset(fluid->impulse, 0, system->n * sizeof *fluid->impulse);
    fluid->of_walls = vec3(0.0, 0.0, 0.0);
    status = moves || fluid->shared ? move_apart(fluid, p, groups, motion, error)
                                    : push_apart(fluid, p, groups, motion, error);
    *report =
        (struct solve_report){.iterations = fluid->velocity.products + fluid->repair.products +
                                            fluid->viscosity.iterations,
                              .residual = fluid->viscosity.residual};
    return status;
}

/* ---- after it ---- */

void dfsph_confine(struct system *system, const struct particles *p, double dt, struct vec3 *mean,
                   struct vec3 *velocity, struct confine_report *report)
{
    struct dfsph *fluid = (struct dfsph *)system;
    const struct confined_fluid confined = {fluid->walls, fluid->pressure.settings.radius,
                                            system->first, system->n,
                                            fluid->shared ? NULL : &fluid->pressure.neighbors};
    if (fluid->walls)
        confine_fluid(&confined, p, dt, mean, velocity, report);
}

enum status dfsph_finish(struct system *system, const struct particles *p,
                         struct term_value term[MOST_TERMS], struct error *error)
{
    struct dfsph *fluid = (struct dfsph *)system;
    (void)p;
    (void)term;
    (void)error;
    for (size_t i = 0; i < system->n && !fluid->shared; i++)
        fluid->kept[i] = (float)((double)fluid->p[i] / fluid->dt);
    wall_memory_end(&fluid->at_walls, fluid->dt);
    return STATUS_OK;
}
