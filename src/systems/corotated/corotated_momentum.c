/* Makes the momentum of bodies that nothing holds exact (systems/tied_bodies.h). */
#include "base/blocks.h"
#include "systems/corotated/corotated_parts.h"

/* The body of a solid. */
static uint32_t body_of(const struct corotated *c, size_t k)
{
    return c->body[c->solid[k].begin];
}

/* Whether a particle of solid k is fixed, or moves with a fixed group. */
static bool is_held(const struct corotated *c, const struct particles *p, size_t k)
{
    const size_t begin = c->system.first + c->solid[k].begin, end = begin + c->solid[k].rest->n;
    for (size_t i = begin; i < end; i++)
        if (c->groups->fixed[i] || p->state[i])
            return true;
    return false;
}

static void tie(struct corotated *c, const struct particles *p)
{
    tied_bodies_begin(&c->tied, c->n_bodies);
    tied_bodies_join_groups(&c->tied, c->groups, c->system.first, c->system.n, c->body);
    tied_bodies_close(&c->tied);
    for (size_t k = 0; k < c->n_solids; k++)
        if (is_held(c, p, k))
            tied_bodies_hold(&c->tied, body_of(c, k));
}

enum moved { MOVED_MASS, MOVED_X, MOVED_Y, MOVED_Z, MOVED_SUMS };

struct moving {
    const struct corotated *c;
    size_t begin;
};

/* Sums of the mass of unknowns and of the momentum that elastic forces gave them. */
static void add_momentum(size_t begin, size_t end, const void *context, double *sum)
{
    const struct moving *m = context;
    const struct corotated *c = m->c;
    const double *mass = c->groups->mass + c->system.first;
    for (size_t i = m->begin + begin; i < m->begin + end; i++) {
        if (!c->unknown[i])
            continue;
        const struct vec3 gain = vec3_sub(c->fallen[i], c->unforced[i]);
        sum[MOVED_MASS] += mass[i];
        sum[MOVED_X] += mass[i] * gain.x;
        sum[MOVED_Y] += mass[i] * gain.y;
        sum[MOVED_Z] += mass[i] * gain.z;
    }
}

static void sum_over_body(struct corotated *c, size_t k)
{
    const struct moving moving = {c, c->solid[k].begin};
    double sum[MOVED_SUMS];
    blocks_sums(c->solid[k].rest->n, MOVED_SUMS, add_momentum, &moving, sum);
    tied_bodies_add(&c->tied, body_of(c, k), sum[MOVED_MASS],
                    vec3(sum[MOVED_X], sum[MOVED_Y], sum[MOVED_Z]));
}

static void shift_body(struct corotated *c, size_t k)
{
    const size_t begin = c->solid[k].begin, end = begin + c->solid[k].rest->n;
    struct vec3 shift;
    if (!tied_bodies_shift(&c->tied, body_of(c, k), &shift))
        return;
#pragma omp parallel for schedule(static) if (end - begin > COROTATED_MANY)
    for (size_t i = begin; i < end; i++)
        c->fallen[i] = vec3_sub(c->fallen[i], shift);
}

/* Elastic forces add up to 0 over bodies that nothing holds, so that the momentum that they gave
 * these is an error of the solver, and the opposite translation leaves the forces as they are. */
void corotated_correct_momentum(struct corotated *c, const struct particles *p)
{
    tie(c, p);
    for (size_t k = 0; k < c->n_solids; k++)
        sum_over_body(c, k);
    for (size_t k = 0; k < c->n_solids; k++)
        shift_body(c, k);
}
