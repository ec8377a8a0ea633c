#include "systems/bond_verlet.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "systems/bond_network_parts.h"

#include <stdint.h>
#include <stdlib.h>

/* Of the longest stable step, for the terms that a linear analysis leaves out. */
static const double safety = 0.9;

/* A bound on the square of the largest frequency, whatever the positions and groups, 1/s^2. A
 * bond's stiffness is at most k/L in any direction, and (u_i - u_j)^2 <= 2 u_i^2 + 2 u_j^2, so that
 * u.K u <= sum_i 2 u_i^2 sum_j k/L: Gershgorin's row sums. Groups restrict u, supports and broken
 * bonds take from it. Exact for a chain of equal springs; in a solid, where a third of the bonds
 * counts in each direction, it gives a step about 1/sqrt(3) of the longest. */
static double largest_frequency2(const struct bond_network *net)
{
    double largest = 0.0;
    for (size_t i = 0; i < net->system.n; i++) {
        double sum = 0.0;
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
            sum += net->kinds[net->kind[e]].stiffness / net->rest_length[e];
        largest = fmax(largest, 2.0 * sum / net->mass[i]);
    }
    return largest;
}

static double longest_damping(const struct bond_network *net)
{
    double longest = 0.0;
    for (size_t k = 0; k < net->n_kinds; k++)
        longest = fmax(longest, net->kinds[k].damping);
    return longest;
}

/* 2/omega (sqrt(1 + zeta^2) - zeta) with zeta = omega tau / 2, the share of critical damping at the
 * largest frequency (Belytschko, Liu and Moran, Nonlinear Finite Elements, Section 6.2). */
static double longest_step(const struct bond_network *net, double damping)
{
    double omega2 = largest_frequency2(net), zeta = 0.5 * damping * sqrt(omega2);
    if (omega2 == 0.0)
        return (double)INFINITY;
    return safety * 2.0 / sqrt(omega2) * (sqrt(1.0 + zeta * zeta) - zeta);
}

void bond_verlet_free(struct bond_verlet *verlet)
{
    if (!verlet)
        return;
    free(verlet->position_memory);
    free(verlet->velocity_memory);
    free(verlet->force);
    free(verlet->energy);
    free(verlet->force_before);
    free(verlet->drag);
    free(verlet->drag_before);
    free(verlet);
}

/* calloc knows only the alignment of the basic types. */
static enum status create_lanes(lanes **array, void **memory, size_t n, struct error *error)
{
    if (array_create(memory, n + 1, sizeof **array, "positions of bonds", error))
        return STATUS_FAILED;
    uintptr_t address = (uintptr_t)*memory, past = address % _Alignof(lanes);
    *array = (lanes *)(void *)((char *)*memory + (past ? _Alignof(lanes) - past : 0));
    return STATUS_OK;
}

enum status bond_verlet_create(struct bond_network *net, struct error *error)
{
    size_t n = net->system.n;
    if (array_create(&net->verlet, 1, sizeof *net->verlet, "bond forces", error))
        return STATUS_FAILED;
    struct bond_verlet *v = net->verlet;
    double damping = longest_damping(net);
    v->damped = damping > 0.0;
    v->longest_step = longest_step(net, damping);
    if (create_lanes(&v->position, &v->position_memory, n, error) ||
        array_create(&v->force, n, sizeof *v->force, "bond forces", error) ||
        array_create(&v->energy, n, sizeof *v->energy, "bond energies", error) ||
        array_create(&net->stretch, n, sizeof *net->stretch, "bond strains", error) ||
        (!net->compression &&
         array_create(&net->compression, n, sizeof *net->compression, "bond strains", error)) ||
        array_create(&v->force_before, n, sizeof *v->force_before, "bond forces", error))
        return STATUS_FAILED;
    if (v->damped &&
        (create_lanes(&v->velocity, &v->velocity_memory, n, error) ||
         array_create(&v->drag, n, sizeof *v->drag, "bond forces", error) ||
         array_create(&v->drag_before, n, sizeof *v->drag_before, "bond forces", error)))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status bond_verlet_limit(struct system *system, const struct particles *p, double *dt,
                              struct error *error)
{
    (void)p;
    (void)error;
    *dt = ((const struct bond_network *)system)->verlet->longest_step;
    return STATUS_OK;
}

static void set_lanes(size_t n, const struct vec3 *value, lanes *to)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        to[i] = (lanes){value[i].x, value[i].y, value[i].z, 0.0};
}

struct comparison {
    const lanes *kept;
    const struct vec3 *now;
};

static double differing_in_block(size_t begin, size_t end, const void *context)
{
    const struct comparison *c = context;
    size_t differing = 0;
    for (size_t i = begin; i < end; i++)
        differing += c->kept[i][0] != c->now[i].x || c->kept[i][1] != c->now[i].y ||
                     c->kept[i][2] != c->now[i].z;
    return (double)differing;
}

static void evaluate(struct bond_network *net)
{
    bond_rows_evaluate(net);
    net->verlet->valid = true;
    net->verlet->changes = net->system.changes;
}

/* Forces, energies and strains for the positions and bonds of now. */
static void evaluate_here(struct bond_network *net, const struct particles *p)
{
    struct bond_verlet *verlet = net->verlet;
    const struct vec3 *x = p->position + net->system.first;
    const struct comparison context = {verlet->position, x};
    if (verlet->valid && verlet->changes == net->system.changes &&
        blocks_sum(net->system.n, differing_in_block, &context) == 0.0)
        return;
    set_lanes(net->system.n, x, verlet->position);
    evaluate(net);
}

enum status bond_verlet_prepare(struct system *system, const struct particles *p, double dt,
                                struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    struct bond_verlet *verlet = net->verlet;
    (void)dt;
    (void)error;
    evaluate_here(net, p);
    struct vec3 *past = verlet->force_before;
    verlet->force_before = verlet->force;
    verlet->force = past;
    verlet->valid = false;
    return STATUS_OK;
}

/* to = from + dt (own + drag + outside) / m of groups; what is held keeps its velocity. */
struct kick {
    const struct bond_network *net;
    const struct particles *particles;
    const struct groups *groups;
    double dt;
    const struct vec3 *own, *drag; /* the network's forces, N; drag may be NULL (n) */
    const struct vec3 *from;       /* m/s (n) */
    struct vec3 *to;               /* another array (n) */
};

static inline struct vec3 own_force(const struct kick *kick, size_t i)
{
    return kick->drag ? vec3_add(kick->own[i], kick->drag[i]) : kick->own[i];
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
    double share = kick->dt / kick->groups->mass[member[0]];
    for (size_t k = 0; k < n; k++)
        if (member[k] >= first && member[k] < end)
            kick->to[member[k] - first] = vec3_axpy(kick->from[member[k] - first], share, force);
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

/* x + dt mean, as the step will move the particles. */
static void look_ahead(const struct bond_network *net, const struct particles *p, double dt,
                       const struct vec3 *mean)
{
    const struct vec3 *x = p->position + net->system.first;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++) {
        struct vec3 ahead = vec3_axpy(x[i], dt, mean[i]);
        net->verlet->position[i] = (lanes){ahead.x, ahead.y, ahead.z, 0.0};
    }
}

enum status bond_verlet_integrate(struct system *system, const struct particles *p,
                                  const struct groups *groups, double dt, struct motion *motion,
                                  struct solve_report *report, struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    struct bond_verlet *verlet = net->verlet;
    (void)error;
    struct vec3 *before = motion->before + system->first;
    struct vec3 *mean = motion->own_mean + system->first;
    struct vec3 *after = motion->own_after + system->first;
    struct kick kick = {.net = net, .particles = p, .groups = groups};

    kick.own = verlet->force_before;
    kick.from = before;
    if (verlet->damped) {
        kick.drag = verlet->drag_before;
        set_lanes(system->n, p->position + system->first, verlet->position);
        set_lanes(system->n, before, verlet->velocity);
        bond_rows_damp(net, verlet->drag_before);
        kick.dt = dt;
        kick.to = after; /* v* */
        give(&kick);
        set_lanes(system->n, after, verlet->velocity);
    }
    kick.dt = 0.5 * dt;
    kick.to = mean;
    give(&kick);

    look_ahead(net, p, dt, mean);
    evaluate(net);
    if (verlet->damped) {
        bond_rows_damp(net, verlet->drag);
        kick.drag = verlet->drag;
    }
    kick.own = verlet->force;
    kick.from = mean;
    kick.to = after;
    give(&kick);
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
    return vec3_add(verlet->force_before[i], verlet->force[i]);
}

static struct vec3 drag_sum(const struct bond_verlet *verlet, size_t i)
{
    return verlet->damped ? vec3_add(verlet->drag_before[i], verlet->drag[i]) : vec3(0, 0, 0);
}

enum { ELASTIC_POWER, DRAG_POWER, N_POWERS };

static void add_powers(size_t begin, size_t end, const void *context, double *sum)
{
    const struct account_context *c = context;
    for (size_t i = begin; i < end; i++) {
        sum[ELASTIC_POWER] += vec3_dot(c->mean[i], elastic_sum(c->verlet, i));
        sum[DRAG_POWER] += vec3_dot(c->mean[i], drag_sum(c->verlet, i));
    }
}

/* The forces are those of the bonds themselves, so what the ledger calls linearization is the
 * difference between their work by the rule of the trapezoid and the change of their energy. */
void bond_verlet_account(struct system *system, const struct particles *p,
                         const struct groups *groups, double dt, const struct motion *motion,
                         struct work_report *report)
{
    const struct bond_verlet *verlet = ((const struct bond_network *)system)->verlet;
    const struct account_context context = {verlet, motion->mean + system->first};
    double power[N_POWERS];
    (void)p;
    blocks_sums(system->n, N_POWERS, add_powers, &context, power);
    *report = (struct work_report){.damping = -0.5 * dt * power[DRAG_POWER],
                                   .linear_elastic = 0.5 * dt * power[ELASTIC_POWER]};
    for (size_t i = 0; i < system->n; i++) {
        struct vec3 force = vec3_add(elastic_sum(verlet, i), drag_sum(verlet, i));
        if (groups->fixed[system->first + i])
            report->on_supports = vec3_axpy(report->on_supports, 0.5 * dt, force);
    }
}

enum status bond_verlet_finish(struct system *system, const struct particles *p, double *released,
                               struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    if (net->strength)
        evaluate_here(net, p);
    return bond_network_finish(system, p, released, error);
}

static double energy_of_block(size_t begin, size_t end, const void *context)
{
    const double *energy = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += energy[i];
    return sum;
}

double bond_verlet_energy(const struct system *system, const struct particles *p)
{
    /* what is kept is no part of the state */
    struct bond_network *net = (struct bond_network *)(uintptr_t)system;
    evaluate_here(net, p);
    return blocks_sum(system->n, energy_of_block, net->verlet->energy);
}
