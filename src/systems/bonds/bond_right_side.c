/* The right side of the implicit step, and the impulses of its forces once the velocities are
 * known. */
#include "systems/bonds/bond_implicit.h"

/* The part of displacements over dt that is left beyond the rigid motion; may be in place. */
static const struct vec3 *find_beyond_lead(struct bond_implicit *step, const struct vec3 *mean)
{
    struct vec3 *beyond = step->work.direction;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        beyond[i] = bond_beyond_lead(step, mean[i], i);
    return beyond;
}

void bond_impulses(struct bond_implicit *step, double dt, const struct vec3 *mean, struct vec3 *out)
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
    bond_turn_relieve(step, out);
}

/* The impulses of a step in which the velocity stays v. */
void bond_right_side(struct bond_implicit *step, const struct particles *p, double dt,
                     const struct vec3 *v)
{
    struct vec3 *out = step->right_side;
    bond_impulses(step, dt, v, out);
    const struct vec3 *outside = p->force + step->net.system.first;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < step->net.system.n; i++)
        out[i] = vec3_axpy(out[i], dt, outside[i]);
    bond_groups_sum_impulses(step, p, dt, out);
}
