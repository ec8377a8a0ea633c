/* The right side of the implicit step, and the impulses of its forces once the velocities are
 * known. */
#include "systems/bonds/bond_implicit.h"

/* Whether damping and stiffness enter an impulse in the same proportion as in the matrix. Then
 * their sum is a product with B alone. */
static bool proportional(const struct bond_implicit *step)
{
    return !step->net.damped ||
           (step->integrator.kappa == step->integrator.gamma && step->integrator.eta == 0.0);
}

/* Adds the impulse of damping that the product with B leaves out: dt C (rate - gamma/kappa mean).
 */
static void add_damping_force(struct bond_implicit *step, double dt, const struct vec3 *rate,
                              const struct vec3 *mean, struct vec3 *out)
{
    struct vec3 *damping_force = step->work.direction, *velocity = damping_force;
    double ratio = step->integrator.gamma / step->integrator.kappa;
    for (size_t i = 0; i < step->net.system.n; i++)
        velocity[i] = vec3_axpy(rate[i], -ratio, mean[i]);
    bond_damping_forces(&step->net, velocity, damping_force);
    for (size_t i = 0; i < step->net.system.n; i++)
        out[i] = vec3_axpy(out[i], dt, damping_force[i]);
}

/* The part of displacements over dt that is left beyond the rigid motion; may be in place. */
static const struct vec3 *find_beyond_lead(struct bond_implicit *step, const struct vec3 *mean)
{
    struct vec3 *beyond = step->work.direction;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        beyond[i] = bond_beyond_lead(step, mean[i], i);
    return beyond;
}

void bond_impulses(struct bond_implicit *step, double dt, const struct vec3 *rate,
                   const struct vec3 *mean, struct vec3 *out)
{
    double per_kappa = -1.0 / step->integrator.kappa;
    if (step->lead)
        mean = bond_turn_hide(step, find_beyond_lead(step, mean));
    bond_matrix_pull(step, NULL, 0, mean);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < step->net.tiles.n; k++) {
        const struct bond_tile *tile = &step->net.tiles.tile[k];
        for (size_t i = tile->begin; i < tile->end; i++)
            out[i] =
                vec3_axpy(vec3_scale(dt, bond_force_of(step, i)), per_kappa, bond_pull_at(tile, i));
    }
    if (!proportional(step))
        add_damping_force(step, dt, rate, mean, out);
    bond_turn_relieve(step, out);
}

/* The impulses of a step in which the velocity stays v and the displacement is dt w. */
static void impulses_on_groups(struct bond_implicit *step, const struct particles *p, double dt,
                               const struct vec3 *v, const struct vec3 *w, struct vec3 *out)
{
    bond_impulses(step, dt, v, w, out);
    const struct vec3 *outside = p->force + step->net.system.first;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < step->net.system.n; i++)
        out[i] = vec3_axpy(out[i], dt, outside[i]);
    bond_groups_sum_impulses(step, p, dt, out);
}

/* a = (f + f_out + C v) / m of the meta-particles at x^n, if the integrator uses it. */
static void initial_acceleration(struct bond_implicit *step, const struct particles *p,
                                 const struct vec3 *v, double dt)
{
    size_t n = step->net.system.n;
    struct vec3 *a = step->acceleration, *still = step->work.z;
    if (step->integrator.eta == 0.0)
        return;
    for (size_t i = 0; i < n; i++)
        still[i] = vec3(0.0, 0.0, 0.0);
    impulses_on_groups(step, p, dt, v, still, a);
    const double *mass = step->groups->mass + step->net.system.first;
    for (size_t i = 0; i < n; i++)
        a[i] = vec3_scale(1.0 / (dt * mass[i]), a[i]);
}

void bond_right_side(struct bond_implicit *step, const struct particles *p, double dt,
                     const struct vec3 *v)
{
    struct vec3 *w = step->work.z;
    initial_acceleration(step, p, v, dt);
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        w[i] = bond_mean_before(step, dt, v, i);
    impulses_on_groups(step, p, dt, v, w, step->right_side);
}
