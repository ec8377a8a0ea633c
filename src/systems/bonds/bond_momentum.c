/* Makes the momentum of bodies that nothing holds exact (systems/tied_bodies.h). */
#include "systems/bonds/bond_implicit.h"

/* Ties bodies that share a group, or a stiff force. Supports and walls hold. */
static void tie(struct bond_implicit *step, const struct particles *p)
{
    const struct groups *groups = step->groups;
    const size_t first = step->net.system.first, n = step->net.system.n;
    tied_bodies_begin(&step->tied, step->n_bodies);
    tied_bodies_join_groups(&step->tied, groups, first, n, step->body);
    for (size_t k = 0; step->stiff && k < step->stiff->n; k++)
        tied_bodies_join(&step->tied, step->body[step->stiff->pair[k].i],
                         step->body[step->stiff->pair[k].j]);
    tied_bodies_close(&step->tied);
    for (size_t i = 0; i < n; i++)
        if (groups->fixed[first + i] || p->state[first + i])
            tied_bodies_hold(&step->tied, step->body[i]);
    for (size_t k = 0; k < step->net.walls.n_held; k++)
        tied_bodies_hold(&step->tied, step->body[step->net.walls.held[k]]);
}

void bond_correct_momentum(struct bond_implicit *step, const struct particles *p, struct vec3 *dv)
{
    const double *mass = step->groups->mass + step->net.system.first;
    struct vec3 *r = step->work.residual;
    tie(step, p);
    for (size_t i = 0; i < step->net.system.n; i++)
        if (step->weight[i])
            tied_bodies_add(&step->tied, step->body[i], mass[i], r[i]);
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++) {
        struct vec3 shift;
        if (!tied_bodies_shift(&step->tied, step->body[i], &shift))
            continue;
        dv[i] = vec3_add(dv[i], shift);
        r[i] = vec3_axpy(r[i], -mass[i], shift);
    }
}
