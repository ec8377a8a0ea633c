#include "systems/bonds/bond_verlet.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <stdlib.h>

/* The fraction of the longest stable step that is used, because a linear analysis leaves terms out.
 */
static const double safety = 0.9;

/* A bound on the square of the largest frequency, whatever the positions and groups, 1/s^2. A
 * bond's stiffness is at most k/L in any direction, and (u_i - u_j)^2 <= 2 u_i^2 + 2 u_j^2, so that
 * u.K u <= sum_i 2 u_i^2 sum_j k/L (Gershgorin's row sums). Groups restrict u, and supports and
 * broken bonds reduce the sum, so that the bound still holds. It is exact for a chain of equal
 * springs; in a solid, where a third of the bonds counts in each direction, the step is about
 * 1/sqrt(3) of the longest stable one. */
static enum status largest_frequency2(const struct bond_network *net, double *largest,
                                      struct error *error)
{
    double *sum;
    if (array_create(&sum, net->system.n, sizeof *sum, "bond stiffnesses", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            double rate = bond_stiffness(net, e) / net->rest_length[e];
            sum[i] += rate;
            sum[net->neighbor[e]] += rate;
        }
    *largest = 0.0;
    for (size_t i = 0; i < net->system.n; i++)
        *largest = fmax(*largest, 2.0 * sum[i] / net->mass[i]);
    free(sum);
    return STATUS_OK;
}

static double longest_damping(const struct bond_network *net)
{
    double longest = 0.0;
    for (size_t k = 0; k < net->n_kinds; k++)
        longest = fmax(longest, net->kinds[k].damping);
    return longest;
}

/* 2/omega (sqrt(1 + zeta^2) - zeta), where zeta = omega tau / 2 is the damping ratio at the largest
 * frequency (Belytschko, Liu and Moran, Nonlinear Finite Elements, Section 6.2). */
static double longest_step(double omega2, double damping)
{
    double zeta = 0.5 * damping * sqrt(omega2);
    if (omega2 == 0.0)
        return (double)INFINITY;
    return safety * 2.0 / sqrt(omega2) * (sqrt(1.0 + zeta * zeta) - zeta);
}

enum status bond_verlet_limit(struct system *system, const struct particles *p, double *dt,
                              struct error *error)
{
    (void)p;
    (void)error;
    *dt = ((const struct bond_verlet *)system)->longest_step;
    return STATUS_OK;
}

enum status bond_verlet_prepare(struct system *system, const struct particles *p, double dt,
                                struct error *error)
{
    struct bond_verlet *verlet = (struct bond_verlet *)system;
    struct bond_network *net = &verlet->net;
    (void)dt;
    bond_evaluate_at(net, p->position + system->first);
    struct vec3 *past = verlet->force_before;
    verlet->force_before = net->evaluation.force;
    net->evaluation.force = past;
    net->evaluation.valid = false;
    return bond_walls_find(&net->walls, p, error);
}

/* to = from + dt (own + damping force + outside) / m for every group; a fixed group keeps its
 * velocity. */
struct kick {
    const struct bond_network *net;
    const struct particles *particles;
    const struct groups *groups;
    double dt;
    const struct vec3 *own,
        *damping_force;      /* the network's forces, N; damping force may be NULL (n) */
    const struct vec3 *from; /* m/s (n) */
    struct vec3 *to;         /* another array (n) */
};

static inline struct vec3 own_force(const struct kick *kick, size_t i)
{
    return kick->damping_force ? vec3_add(kick->own[i], kick->damping_force[i]) : kick->own[i];
}

static void kick_alone(const struct kick *kick)
{
    size_t first = kick->net->system.first;
    const uint8_t *fixed = kick->groups->fixed + first;
    const double *mass = kick->groups->mass + first;
    const struct vec3 *outside = kick->particles->force + first;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < kick->net->system.n; i++)
        kick->to[i] = fixed[i] ? kick->from[i]
                               : vec3_axpy(kick->from[i], kick->dt / mass[i],
                                           vec3_add(own_force(kick, i), outside[i]));
}

static void kick_group(const struct kick *kick, const uint32_t *member, size_t n)
{
    size_t first = kick->net->system.first, end = first + kick->net->system.n;
    struct vec3 force = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < n; k++) {
        force = vec3_add(force, kick->particles->force[member[k]]);
        if (member[k] >= first && member[k] < end)
            force = vec3_add(force, own_force(kick, member[k] - first));
    }
    double factor = kick->dt / kick->groups->mass[member[0]];
    for (size_t k = 0; k < n; k++)
        if (member[k] >= first && member[k] < end)
            kick->to[member[k] - first] = vec3_axpy(kick->from[member[k] - first], factor, force);
}

static void give(const struct kick *kick)
{
    const struct groups *groups = kick->groups;
    kick_alone(kick);
    for (size_t g = 0; g < groups->n_groups; g++) {
        const uint32_t *member = groups->member + groups->start[g];
        if (!groups->fixed[member[0]])
            kick_group(kick, member, groups->start[g + 1] - groups->start[g]);
    }
}

/* Removes from the velocities that the kick gave the components along directions that walls hold,
 * and adds the change of momentum to the impulse of the walls. */
static void hold(struct bond_walls *walls, const struct kick *kick)
{
    const double *mass = kick->groups->mass + kick->net->system.first;
    for (size_t k = 0; k < walls->n_holds; k++) {
        struct wall_hold *hold = &walls->hold[k];
        hold->impulse = vec3_axpy(hold->impulse, -mass[hold->leader], kick->to[hold->leader]);
    }
    bond_walls_project(walls, kick->to);
    for (size_t k = 0; k < walls->n_holds; k++) {
        struct wall_hold *hold = &walls->hold[k];
        hold->impulse = vec3_axpy(hold->impulse, mass[hold->leader], kick->to[hold->leader]);
    }
}

/* Holds the particles that touch a wall and approach it by the velocities that the kick gave. */
static void choose_held(struct bond_walls *walls, const struct kick *kick)
{
    bond_walls_release(walls);
    bond_walls_hold(walls, kick->groups, kick->to);
    bond_walls_gather(walls, kick->groups, kick->particles);
}

/* Sets the positions at which the bonds are evaluated next: x + dt velocity. */
static void place(struct bond_network *net, const struct particles *p, double dt,
                  const struct vec3 *velocity)
{
    const struct vec3 *x = p->position + net->system.first;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++) {
        struct vec3 next = vec3_axpy(x[i], dt, velocity[i]);
        net->evaluation.position[i] = (lanes){next.x, next.y, next.z, 0.0};
    }
}

enum status bond_verlet_integrate(struct system *system, const struct particles *p,
                                  const struct groups *groups, double dt, struct motion *motion,
                                  struct solve_report *report, struct error *error)
{
    struct bond_verlet *verlet = (struct bond_verlet *)system;
    struct bond_network *net = &verlet->net;
    (void)error;
    struct vec3 *before = motion->before + system->first;
    struct vec3 *mean = motion->own_mean + system->first;
    struct vec3 *after = motion->own_after + system->first;
    struct kick kick = {.net = net, .particles = p, .groups = groups};

    kick.own = verlet->force_before;
    kick.from = before;
    if (net->damped) {
        kick.damping_force = verlet->damping_force_before;
        place(net, p, 0.0, before); /* an earlier stage evaluated the bonds at its x' */
        bond_damping_forces(net, before, verlet->damping_force_before);
        kick.dt = dt;
        kick.to = after; /* v* */
        give(&kick);
    }
    kick.dt = 0.5 * dt;
    kick.to = mean;
    give(&kick);
    choose_held(&net->walls, &kick);
    hold(&net->walls, &kick);

    place(net, p, dt, mean);
    bond_evaluate(net);
    if (net->damped) {
        bond_damping_forces(net, after, verlet->damping_force);
        kick.damping_force = verlet->damping_force;
    }
    kick.own = net->evaluation.force;
    kick.from = mean;
    kick.to = after;
    give(&kick);
    hold(&net->walls, &kick);
    *report = (struct solve_report){0};
    return STATUS_OK;
}

/* ---- where the energy went ---- */

struct account_context {
    const struct bond_verlet *verlet;
    const struct vec3 *mean;
};

/* Twice the mean of the forces at both ends of the step. */
static struct vec3 elastic_sum(const struct bond_verlet *verlet, size_t i)
{
    return vec3_add(verlet->force_before[i], verlet->net.evaluation.force[i]);
}

static struct vec3 damping_sum(const struct bond_verlet *verlet, size_t i)
{
    return verlet->net.damped ? vec3_add(verlet->damping_force_before[i], verlet->damping_force[i])
                              : vec3(0, 0, 0);
}

enum { ELASTIC_POWER, DAMPING_POWER, N_POWERS };

static void add_powers(size_t begin, size_t end, const void *context, double *sum)
{
    const struct account_context *c = context;
    for (size_t i = begin; i < end; i++) {
        sum[ELASTIC_POWER] += vec3_dot(c->mean[i], elastic_sum(c->verlet, i));
        sum[DAMPING_POWER] += vec3_dot(c->mean[i], damping_sum(c->verlet, i));
    }
}

/* The forces are those of the bonds, not linearized. What the ledger calls linearization is here
 * the difference between their work by the trapezoidal rule and the change of their energy. */
void bond_verlet_account(struct system *system, const struct particles *p,
                         const struct groups *groups, double dt, const struct motion *motion,
                         struct work_report *report)
{
    const struct bond_verlet *verlet = (const struct bond_verlet *)system;
    const struct account_context context = {verlet, motion->mean + system->first};
    double power[N_POWERS];
    (void)p;
    blocks_sums(system->n, N_POWERS, add_powers, &context, power);
    *report = (struct work_report){.damping = -0.5 * dt * power[DAMPING_POWER],
                                   .linear_elastic = 0.5 * dt * power[ELASTIC_POWER]};
    for (size_t i = 0; i < system->n; i++) {
        struct vec3 force = vec3_add(elastic_sum(verlet, i), damping_sum(verlet, i));
        if (groups->fixed[system->first + i])
            report_on_support(report, vec3_scale(0.5 * dt, force), context.mean[i]);
    }
    bond_walls_account(&verlet->net.walls, context.mean, report);
}

/* ---- creation and release ---- */

void bond_verlet_free(struct system *system)
{
    struct bond_verlet *verlet = (struct bond_verlet *)system;
    free(verlet->force_before);
    free(verlet->damping_force);
    free(verlet->damping_force_before);
    bond_network_release(&verlet->net);
    free(verlet);
}

static enum status create_arrays(struct bond_verlet *verlet, struct error *error)
{
    size_t n = verlet->net.system.n;
    if (array_create(&verlet->force_before, n, sizeof(struct vec3), "bond forces", error))
        return STATUS_FAILED;
    if (verlet->net.damped &&
        (array_create(&verlet->damping_force, n, sizeof(struct vec3), "bond forces", error) ||
         array_create(&verlet->damping_force_before, n, sizeof(struct vec3), "bond forces", error)))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status bond_verlet_create(struct system **system, const struct system_class *class,
                               const struct system_setting *setting, struct error *error)
{
    struct bond_verlet *verlet;
    double omega2 = 0.0;
    *system = NULL;
    if (array_create(&verlet, 1, sizeof *verlet, "bond network", error))
        return STATUS_FAILED;
    enum status status = bond_network_init(&verlet->net, class, setting, error);
    if (!status)
        status = largest_frequency2(&verlet->net, &omega2, error);
    if (!status)
        status = create_arrays(verlet, error);
    if (status) {
        bond_verlet_free(&verlet->net.system);
        return status;
    }
    verlet->longest_step = longest_step(omega2, longest_damping(&verlet->net));
    *system = &verlet->net.system;
    return STATUS_OK;
}
