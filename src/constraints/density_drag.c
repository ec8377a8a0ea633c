/* The end of a step of fluids: how compressed they are, and viscosity, which changes velocities
 * alone. Two particles of fluids of viscosities nu pull at each other with
 *
 *     m_i (change of v_i) = c M_ij W_ij / S_0 (v_j - v_i),   M_ij = 2 a b / (a + b),  a = m_i nu_i
 *
 * and c = dt / (sum of W x^2 / (2 S_0)) over the lattice, so that waves of shear decay as the
 * material's viscosity says. The harmonic mean is that of Monaghan, "Smoothed particle
 * hydrodynamics", Reports on Progress in Physics 68 (2005), Eq. 8.9. Momentum is kept to rounding.
 */
#include "base/blocks.h"
#include "constraints/density_parts.h"
#include "sph/sph_kernel.h"

#include <math.h>
#include <string.h>

double density_most_viscosity(double spacing, double support, double dt)
{
    return density_lattice(spacing / support).spread * support * support / dt;
}

enum { INFLOW_X, INFLOW_Y, INFLOW_Z, INFLOW_WORK, N_SUMS };

struct dragging {
    const struct density *d;
    const struct candidates *candidates;
    const struct vec3 *velocity;
    struct corrections *corrections;
    double rate; /* c / S_0, s/m^2 */
};

/* The impulse of slot t on slot s, N s. */
static struct vec3 drag_of(const struct dragging *g, size_t s, size_t t)
{
    const struct density *d = g->d;
    const struct place *a = &d->place[s], *b = &d->place[t];
    const size_t i = d->grid.point[s], j = d->grid.point[t];
    const double both = d->stick[i] + d->stick[j];
    if (!(both > 0.0))
        return vec3(0.0, 0.0, 0.0);
    const double mean = 2.0 * d->stick[i] * d->stick[j] / both;
    const double distance = vec3_norm(vec3(a->x - b->x, a->y - b->y, a->z - b->z));
    return vec3_scale(g->rate * mean * sph_wendland(d->support, distance),
                      vec3_sub(g->velocity[j], g->velocity[i]));
}

static void drag(size_t begin, size_t end, const void *context, double *sum)
{
    const struct dragging *g = context;
    const struct density *d = g->d;
    const struct candidates *c = g->candidates;
    for (size_t s = begin; s < end; s++) {
        const struct near_row *row = &d->row[s];
        const size_t i = d->grid.point[s], fluids = row->n[NEAR_FLUID];
        struct vec3 all = vec3(0.0, 0.0, 0.0);
        for (size_t k = 0; d->kind[s] == NEAR_FLUID && k < fluids + row->n[NEAR_INFLOW]; k++) {
            if (row->entry[k] == d->grid.n)
                continue;
            const struct vec3 impulse = drag_of(g, s, row->entry[k]);
            all = vec3_add(all, impulse);
            if (k < fluids)
                continue;
            sum[INFLOW_X] += impulse.x;
            sum[INFLOW_Y] += impulse.y;
            sum[INFLOW_Z] += impulse.z;
            sum[INFLOW_WORK] += vec3_dot(impulse, c->velocity[d->grid.point[row->entry[k]]]);
        }
        g->corrections->shift[i] = vec3_scale(c->dt * c->weight[i], all);
    }
}

static bool counts(const struct density *d, size_t s)
{
    return d->kind[s] == NEAR_FLUID;
}

static double largest_excess(size_t begin, size_t end, const void *context)
{
    const struct density *d = context;
    double largest = 0.0;
    for (size_t s = begin; s < end; s++)
        if (counts(d, s))
            largest = fmax(largest, d->excess[s]);
    return largest;
}

static void add_excess(size_t begin, size_t end, const void *context, double *sum)
{
    const struct density *d = context;
    for (size_t s = begin; s < end; s++)
        if (counts(d, s)) {
            sum[0] += d->excess[s];
            sum[1] += 1.0;
        }
}

void density_drag(struct constraint *constraint, const struct candidates *candidates,
                  const struct vec3 *velocity, struct corrections *corrections)
{
    struct density *d = (struct density *)constraint;
    const struct density_lattice *l = &d->lattice;
    const struct dragging dragging = {d, candidates, velocity, corrections,
                                      candidates->dt /
                                          (l->spread * d->support * d->support * l->kernel)};
    double sum[N_SUMS] = {0.0}, excess[2];
    density_fill(d, candidates->at);
    blocks_sums(d->grid.n, 2, add_excess, d, excess);
    d->compression = (struct compression){fmax(blocks_max(d->grid.n, largest_excess, d), 0.0),
                                          excess[0], excess[1]};
    memset(corrections->shift, 0, candidates->n * sizeof *corrections->shift);
    if (d->viscous)
        blocks_sums(d->grid.n, N_SUMS, drag, &dragging, sum);
    corrections->inflow = vec3(sum[INFLOW_X], sum[INFLOW_Y], sum[INFLOW_Z]);
    corrections->inflow_work = sum[INFLOW_WORK];
}
