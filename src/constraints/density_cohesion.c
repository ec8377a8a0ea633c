/* Cohesion of a fluid (UPP Section 7.1.1, after Akinci, Akinci and Teschner, "Versatile surface
 * tension and adhesion for SPH fluids", ACM Transactions on Graphics 32, 2013): particles of the
 * same fluid at a distance r pull each other with
 *
 *     m g c(r / h),   c(q) = 64 (1 - q)^3 q^3 if q > 1/2, 128 (1 - q)^3 q^3 - 1 if not
 *
 * whose largest value is 1, at half the support h, which is a spacing; nearer than 0.31 h they
 * repel each other, so that they do not clump. g, m/s^2, is the paper's gamma with the units made
 * right. Particles of different fluids do not attract each other, so that these stay apart.
 * Akinci's second term, by the difference of normals, is left out: round drops need the first
 * alone. It changes velocities, explicitly. */
#include "base/blocks.h"
#include "constraints/density_parts.h"

#include <math.h>
#include <string.h>

static double attraction(double q)
{
    const double cube = (1.0 - q) * q * (1.0 - q) * q * (1.0 - q) * q;
    if (!(q < 1.0))
        return 0.0;
    return q > 0.5 ? 64.0 * cube : 128.0 * cube - 1.0;
}

enum { INFLOW_X, INFLOW_Y, INFLOW_Z, INFLOW_WORK, N_SUMS };

struct pulling {
    const struct density *d;
    const struct candidates *candidates;
    struct corrections *corrections;
};

/* The velocity over dt that slot t gives to slot s, of the same fluid, m/s^2. */
static struct vec3 pull_of(const struct density *d, size_t s, size_t t)
{
    const struct place *a = &d->place[s], *b = &d->place[t];
    const struct vec3 way = vec3(b->x - a->x, b->y - a->y, b->z - a->z);
    const double distance = vec3_norm(way);
    if (!(distance > 0.0))
        return vec3(0.0, 0.0, 0.0);
    const double pull = d->cohesion[d->grid.point[s]] * attraction(distance / d->support);
    return vec3_scale(pull / distance, way);
}

static void pull(size_t begin, size_t end, const void *context, double *sum)
{
    const struct pulling *p = context;
    const struct density *d = p->d;
    const struct candidates *c = p->candidates;
    for (size_t s = begin; s < end; s++) {
        const struct near_row *row = &d->row[s];
        const size_t i = d->grid.point[s], fluids = row->n[NEAR_FLUID];
        struct vec3 all = vec3(0.0, 0.0, 0.0);
        if (d->kind[s] != NEAR_FLUID || !(d->cohesion[i] > 0.0))
            continue;
        for (size_t k = 0; k < fluids + row->n[NEAR_INFLOW]; k++) {
            const size_t t = row->entry[k];
            if (t == d->grid.n || d->fluid[d->grid.point[t]] != d->fluid[i])
                continue;
            const struct vec3 rate = pull_of(d, s, t);
            all = vec3_add(all, rate);
            if (k < fluids)
                continue;
            const struct vec3 impulse = vec3_scale(c->dt / c->weight[i], rate);
            sum[INFLOW_X] += impulse.x;
            sum[INFLOW_Y] += impulse.y;
            sum[INFLOW_Z] += impulse.z;
            sum[INFLOW_WORK] += vec3_dot(impulse, c->velocity[d->grid.point[t]]);
        }
        p->corrections->shift[i] = vec3_scale(c->dt * c->dt, all);
    }
}

void density_cohere(struct constraint *constraint, const struct candidates *candidates,
                    const struct vec3 *velocity, struct corrections *corrections)
{
    struct density *d = (struct density *)constraint;
    const struct pulling pulling = {d, candidates, corrections};
    double sum[N_SUMS] = {0.0};
    (void)velocity;
    memset(corrections->shift, 0, candidates->n * sizeof *corrections->shift);
    density_fill(d, candidates->at);
    if (d->coheres)
        blocks_sums(d->grid.n, N_SUMS, pull, &pulling, sum);
    corrections->inflow = vec3(sum[INFLOW_X], sum[INFLOW_Y], sum[INFLOW_Z]);
    corrections->inflow_work = sum[INFLOW_WORK];
}
