/* The implicit step of the bond network, in one linear solve for the change of velocity:
 *
 *     (M - dt gamma C - dt^2 gamma kappa K) dv
 *         = dt (f(x^n) + f_out) + dt C v + dt^2 gamma K (v + dt eta a)
 *
 * with K and C the (negative semidefinite) derivatives of the forces. Backward Euler has gamma =
 * kappa = 1, eta = 0; Newmark's method has kappa = beta/gamma, eta = 1/2 - beta/gamma. A
 * meta-particle is one unknown: the matrix and the right side are summed over its members, P^T A P
 * with P from groups to particles. */
#include "systems/bonds/bond_network_parts.h"

/* The impulses of a step in which the velocity stays v and the displacement is dt w. */
static void impulses_on_groups(struct bond_network *net, const struct particles *p, double dt,
                               const struct vec3 *v, const struct vec3 *w, struct vec3 *out)
{
    bond_network_impulses(net, dt, v, w, out);
    const struct vec3 *outside = p->force + net->system.first;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++)
        out[i] = vec3_axpy(out[i], dt, outside[i]);
    bond_groups_sum_impulses(net, p, dt, out);
}

/* a = (f + f_out + C v) / m of the meta-particles at x^n; zero for schemes that do not use it. */
static void initial_acceleration(struct bond_network *net, const struct particles *p,
                                 const struct vec3 *v, double dt)
{
    size_t n = net->system.n;
    struct vec3 *a = net->acceleration, *still = net->work.z;
    if (net->scheme.eta == 0.0)
        return;
    for (size_t i = 0; i < n; i++)
        still[i] = vec3(0.0, 0.0, 0.0);
    impulses_on_groups(net, p, dt, v, still, a);
    const double *mass = net->groups->mass + net->system.first;
    for (size_t i = 0; i < n; i++)
        a[i] = vec3_scale(1.0 / (dt * mass[i]), a[i]);
}

/* v + dt eta a: the velocity of displacement but for the unknown. */
static struct vec3 mean_before(const struct bond_network *net, double dt, const struct vec3 *v,
                               size_t i)
{
    return net->acceleration ? vec3_axpy(v[i], dt * net->scheme.eta, net->acceleration[i]) : v[i];
}

static void right_side(struct bond_network *net, const struct particles *p, double dt,
                       const struct vec3 *v)
{
    struct vec3 *w = net->work.z;
    initial_acceleration(net, p, v, dt);
    for (size_t i = 0; i < net->system.n; i++)
        w[i] = mean_before(net, dt, v, i);
    impulses_on_groups(net, p, dt, v, w, net->right_side);
}

/* The first guess: that every meta-particle ends with its members' mean expected velocity. Expected
 * is what the last step ended with before splitting, and as much change again: lasting contacts
 * merge the same particles anew, and splitting undone by merging leaves no trace there. */
static void first_guess(const struct bond_network *net, const struct vec3 *before, struct vec3 *dv)
{
    for (size_t i = 0; i < net->system.n; i++)
        dv[i] = vec3_sub(net->system.expected[i], before[i]);
    bond_groups_average(net, dv);
}

static enum status solve_anew(struct bond_network *net, const struct linear_problem *problem,
                              const struct particles *p, double dt, const struct vec3 *before,
                              struct cg_report *report, struct error *error)
{
    right_side(net, p, dt, before);
    first_guess(net, before, net->change);
    return cg_solve(problem, net->right_side, net->change, bond_first_tolerance(net),
                    net->max_iterations, &net->work, report, error);
}

static void report_motion(struct bond_network *net, double dt, struct motion *motion)
{
    size_t first = net->system.first;
    const struct vec3 *v = motion->before + first, *dv = net->change;
    struct vec3 *after = motion->own_after + first, *mean = motion->own_mean + first;
    for (size_t i = 0; i < net->system.n; i++) {
        after[i] = vec3_add(v[i], dv[i]);
        net->ahead[i] = vec3_add(after[i], dv[i]);
        mean[i] = vec3_axpy(mean_before(net, dt, v, i), net->scheme.kappa, dv[i]);
    }
}

enum status bond_network_integrate(struct system *system, const struct particles *p,
                                   const struct groups *groups, double dt, struct motion *motion,
                                   struct solve_report *report, struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    const struct vec3 *before = motion->before + system->first;
    net->groups = groups;
    bond_groups_choose_unknowns(net);
    bond_groups_add_foreign_mass(net, p);
    bond_network_precondition_for(net);
    const struct linear_problem problem = {.n = system->n,
                                           .context = net,
                                           .apply = bond_network_apply,
                                           .precondition = bond_network_precondition,
                                           .weight = net->weight};
    struct cg_report solve;
    enum status status = bond_correction_possible(net)
                             ? bond_correct(net, &problem, p, dt, before, &solve, error)
                             : solve_anew(net, &problem, p, dt, before, &solve, error);
    *report = (struct solve_report){solve.iterations, solve.residual};
    if (status)
        return status;
    bond_network_correct_momentum(net, p, net->change);
    report_motion(net, dt, motion);
    bond_correction_remember(net, solve.scale);
    return STATUS_OK;
}
