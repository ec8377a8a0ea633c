/* The implicit step of the bond network, in one linear solve for the change of velocity:
 *
 *     (M - dt gamma C - dt^2 gamma kappa K) dv
 *         = dt (f(x^n) + f_out) + dt C v + dt^2 gamma K (v + dt eta a)
 *
 * with K and C the (negative semidefinite) derivatives of the forces. Backward Euler has gamma =
 * kappa = 1, eta = 0; Newmark's method has kappa = beta/gamma, eta = 1/2 - beta/gamma. A
 * meta-particle is one unknown: the matrix and the right side are summed over its members, P^T A P
 * with P from groups to particles. */
#include "systems/bond_network_parts.h"

#include <string.h>

/* Below this many, loops of a few operations per particle are faster on one thread. */
enum { MANY_PARTICLES = 8192 };

static void zero_where_held(const struct bond_network *net, struct vec3 *value)
{
    const uint8_t *fixed = net->groups->fixed + net->system.first;
#pragma omp parallel for schedule(static) if (net->system.n > MANY_PARTICLES)
    for (size_t i = 0; i < net->system.n; i++)
        if (fixed[i])
            value[i] = vec3(0.0, 0.0, 0.0);
}

void bond_network_gather_groups(const struct bond_network *net, struct vec3 *value)
{
    const struct groups *groups = net->groups;
    size_t first = net->system.first, end = first + net->system.n;
    for (size_t g = 0; g < groups->n_groups; g++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i >= first && i < end)
                sum = vec3_add(sum, value[i - first]);
        }
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i >= first && i < end)
                value[i - first] = groups->fixed[i] ? vec3(0.0, 0.0, 0.0) : sum;
        }
    }
}

/* Four doubles at once: three of a vector and, beside them, whatever follows in memory; for a
 * bond's block that is t. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

/* sum_j B_ij (x_i - x_j); nearly all the time of a step is spent here. Reads one double beyond the
 * vectors, for which the solver's vectors have room; that lane of the result is dropped. */
static inline struct vec3 bond_row(const struct bond_network *net, const struct vec3 *x, size_t i)
{
    four xi = *(const four *)&x[i], sum = {0.0, 0.0, 0.0, 0.0};
    for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
        four block = *(const four *)&net->block[e];
        four d = xi - *(const four *)&x[net->neighbor[e]];
        four product = block * d;
        double along = product[0] + product[1] + product[2];
        sum += along * block + block[3] * d;
    }
    return vec3(sum[0], sum[1], sum[2]);
}

/* Rows of particles, y_i = m_i x_i + sum_j B_ij (x_i - x_j). What is held has no row. */
static void apply_rows(const struct bond_network *net, const struct vec3 *x, struct vec3 *y)
{
    const uint8_t *fixed = net->groups->fixed + net->system.first;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++)
        y[i] =
            fixed[i] ? vec3(0.0, 0.0, 0.0) : vec3_axpy(bond_row(net, x, i), net->inertia[i], x[i]);
}

void bond_network_apply(void *network, const struct vec3 *x, struct vec3 *y)
{
    const struct bond_network *net = network;
    apply_rows(net, x, y);
    bond_network_gather_groups(net, y);
}

/* The first member of group g in this system, which speaks for the group; n if there is none. */
static size_t speaker(const struct bond_network *net, size_t g)
{
    const struct groups *groups = net->groups;
    size_t first = net->system.first, end = first + net->system.n;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        if (groups->member[k] >= first && groups->member[k] < end)
            return groups->member[k] - first;
    return net->system.n;
}

/* One entry stands for each group. Groups that do not move are no unknowns. */
static void choose_unknowns(struct bond_network *net)
{
    const struct groups *groups = net->groups;
    size_t first = net->system.first, end = first + net->system.n;
    for (size_t i = 0; i < net->system.n; i++)
        net->weight[i] = !groups->fixed[first + i];
    for (size_t g = 0; g < groups->n_groups; g++) {
        size_t one = speaker(net, g);
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i >= first && i < end && i - first != one)
                net->weight[i - first] = 0;
        }
    }
}

/* The members in other systems count with their mass, at the entry that stands for the group. */
static void add_foreign_mass(struct bond_network *net, const struct particles *p)
{
    const struct groups *groups = net->groups;
    size_t first = net->system.first, end = first + net->system.n;
    memcpy(net->inertia, net->mass, net->system.n * sizeof *net->inertia);
    for (size_t g = 0; g < groups->n_groups; g++) {
        size_t one = speaker(net, g);
        for (size_t k = groups->start[g]; k < groups->start[g + 1] && one < net->system.n; k++) {
            uint32_t i = groups->member[k];
            if (i < first || i >= end)
                net->inertia[one] += p->mass[i];
        }
    }
}

/* ... and with the outside forces on them. */
static void add_foreign_impulses(const struct bond_network *net, const struct particles *p,
                                 double dt, struct vec3 *impulse)
{
    const struct groups *groups = net->groups;
    size_t first = net->system.first, end = first + net->system.n;
    for (size_t g = 0; g < groups->n_groups; g++) {
        size_t one = speaker(net, g);
        for (size_t k = groups->start[g]; k < groups->start[g + 1] && one < net->system.n; k++) {
            uint32_t i = groups->member[k];
            if (i < first || i >= end)
                impulse[one] = vec3_axpy(impulse[one], dt, p->force[i]);
        }
    }
}

static void sum_over_groups(const struct bond_network *net, const struct particles *p, double dt,
                            struct vec3 *impulse)
{
    add_foreign_impulses(net, p, dt, impulse);
    bond_network_gather_groups(net, impulse);
    zero_where_held(net, impulse);
}

/* dt (f + f_out) + dt C v + dt^2 gamma K w: the impulses of a step in which the velocity stays v
 * and the displacement is dt w. */
static void impulses_on_groups(struct bond_network *net, const struct particles *p, double dt,
                               const struct vec3 *v, const struct vec3 *w, struct vec3 *out)
{
    struct vec3 *damping = net->work.image;
    bond_network_impulses(net, p, dt, v, v, w, out, damping);
    const struct vec3 *outside = p->force + net->system.first;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++)
        out[i] = vec3_axpy(vec3_add(out[i], damping[i]), dt, outside[i]);
    sum_over_groups(net, p, dt, out);
}

/* The same for w = v and kappa = gamma: damping and stiffness then enter the right side in the
 * proportion in which the matrix holds them, dt C + dt^2 gamma K = -B / gamma. */
static void proportional_impulses(struct bond_network *net, const struct particles *p, double dt,
                                  const struct vec3 *before, struct vec3 *out)
{
    struct vec3 *v = net->work.direction; /* has the room that bond_row wants */
    memcpy(v, before, net->system.n * sizeof *v);
    const struct vec3 *outside = p->force + net->system.first;
    double share = -1.0 / net->scheme.gamma;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++)
        out[i] = vec3_axpy(vec3_scale(dt, vec3_add(net->elastic_force[i], outside[i])), share,
                           bond_row(net, v, i));
    sum_over_groups(net, p, dt, out);
}

/* a = (f + f_out + C v) / m of the meta-particles at x^n; zero for schemes that do not use it. */
static void initial_acceleration(struct bond_network *net, const struct particles *p,
                                 const struct vec3 *v, double dt)
{
    size_t n = net->system.n;
    struct vec3 *a = net->acceleration, *still = net->work.z;
    for (size_t i = 0; i < n; i++)
        a[i] = still[i] = vec3(0.0, 0.0, 0.0);
    if (net->scheme.eta == 0.0)
        return;
    impulses_on_groups(net, p, dt, v, still, a);
    const double *mass = net->groups->mass + net->system.first;
    for (size_t i = 0; i < n; i++)
        a[i] = vec3_scale(1.0 / (dt * mass[i]), a[i]);
}

static void right_side(struct bond_network *net, const struct particles *p, double dt,
                       const struct vec3 *v)
{
    const struct scheme scheme = net->scheme;
    struct vec3 *w = net->work.direction;
    initial_acceleration(net, p, v, dt);
    if (scheme.kappa == scheme.gamma && scheme.eta == 0.0) {
        proportional_impulses(net, p, dt, v, net->right_side);
        return;
    }
    for (size_t i = 0; i < net->system.n; i++)
        w[i] = vec3_axpy(v[i], dt * scheme.eta, net->acceleration[i]);
    impulses_on_groups(net, p, dt, v, w, net->right_side);
}

/* The first guess: that every meta-particle ends with its members' mean expected velocity. Expected
 * is what the last step ended with before splitting, and as much change again: lasting contacts
 * merge the same particles anew, and splitting undone by merging leaves no trace there. */
static void first_guess(const struct bond_network *net, const struct particles *p,
                        const struct vec3 *before, struct vec3 *dv)
{
    const struct groups *groups = net->groups;
    size_t first = net->system.first, end = first + net->system.n;
    for (size_t i = 0; i < net->system.n; i++)
        dv[i] = vec3_sub(net->system.expected[i], before[i]);
    for (size_t g = 0; g < groups->n_groups; g++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        double mass = 0.0;
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i < first || i >= end)
                continue;
            sum = vec3_axpy(sum, p->mass[i], dv[i - first]);
            mass += p->mass[i];
        }
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i >= first && i < end)
                dv[i - first] = vec3_scale(1.0 / mass, sum);
        }
    }
    zero_where_held(net, dv);
}

static uint32_t find_component(uint32_t *component, uint32_t body)
{
    while (component[body] != body)
        body = component[body] = component[component[body]];
    return body;
}

/* Bodies that share a group move together; `component_mass` of a set held by a support is 0. */
static void tie_bodies(struct bond_network *net, const struct particles *p)
{
    const struct groups *groups = net->groups;
    size_t first = net->system.first, end = first + net->system.n;
    for (uint32_t b = 0; b < net->n_bodies; b++)
        net->component[b] = b;
    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t tied = UINT32_MAX;
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            if (i < first || i >= end)
                continue;
            uint32_t root = find_component(net->component, net->body[i - first]);
            if (tied != UINT32_MAX)
                net->component[root] = find_component(net->component, tied);
            tied = root;
        }
    }
    for (uint32_t b = 0; b < net->n_bodies; b++) {
        net->component[b] = find_component(net->component, b);
        net->component_mass[b] = 0.0;
        net->component_sum[b] = vec3(0.0, 0.0, 0.0);
    }
    for (size_t i = 0; i < net->system.n; i++)
        if (net->weight[i])
            net->component_mass[net->component[net->body[i]]] += groups->mass[first + i];
    for (size_t i = 0; i < net->system.n; i++)
        if (groups->fixed[first + i] || p->state[first + i])
            net->component_mass[net->component[net->body[i]]] = 0.0;
}

/* The solver leaves a residual, and its sum over a set of bodies held by nothing is momentum that
 * came from nowhere. A common translation of such a set stretches no bond, so the Galerkin equation
 * for it is exact: dv += (sum of residuals) / (sum of masses) takes the error away. */
static void correct_momentum(struct bond_network *net, const struct particles *p, struct vec3 *dv)
{
    tie_bodies(net, p);
    struct vec3 *r = net->work.residual;
    for (size_t i = 0; i < net->system.n; i++)
        if (net->weight[i]) {
            struct vec3 *sum = &net->component_sum[net->component[net->body[i]]];
            *sum = vec3_add(*sum, r[i]);
        }
    const double *mass = net->groups->mass + net->system.first;
    for (size_t i = 0; i < net->system.n; i++) {
        uint32_t c = net->component[net->body[i]];
        if (!(net->component_mass[c] > 0.0))
            continue;
        struct vec3 shift = vec3_scale(1.0 / net->component_mass[c], net->component_sum[c]);
        dv[i] = vec3_add(dv[i], shift);
        r[i] = vec3_axpy(r[i], -mass[i], shift);
    }
}

enum status bond_network_integrate(struct system *system, const struct particles *p,
                                   const struct groups *groups, double dt, struct motion *motion,
                                   struct solve_report *report, struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    net->groups = groups;
    const struct scheme scheme = net->scheme;
    const struct vec3 *v = motion->before + system->first;
    struct vec3 *dv = net->change;

    right_side(net, p, dt, v);
    choose_unknowns(net);
    add_foreign_mass(net, p);
    bond_network_invert_groups(net);
    first_guess(net, p, v, dv);

    const struct linear_problem problem = {.n = system->n,
                                           .context = net,
                                           .apply = bond_network_apply,
                                           .precondition = bond_network_precondition,
                                           .weight = net->weight};
    struct cg_report solve;
    enum status status = cg_solve(&problem, net->right_side, dv, net->tolerance,
                                  net->max_iterations, &net->work, &solve, error);
    *report = (struct solve_report){solve.iterations, solve.residual};
    if (status)
        return status;
    correct_momentum(net, p, dv);

    struct vec3 *after = motion->own_after + system->first;
    struct vec3 *mean = motion->own_mean + system->first;
    for (size_t i = 0; i < system->n; i++) {
        after[i] = vec3_add(v[i], dv[i]);
        net->ahead[i] = vec3_add(after[i], dv[i]);
        mean[i] = vec3_add(vec3_axpy(v[i], scheme.kappa, dv[i]),
                           vec3_scale(dt * scheme.eta, net->acceleration[i]));
    }
    return STATUS_OK;
}
