/* The end of a step of gas (UPP 7.2), which changes velocities alone. With S from density.h, and
 * all sums over the same neighbors,
 *
 *     air     v = u + (v - u) / (1 + k dt (1 - min(S / S_0, 1)))         UPP 29, with u of the wind
 *     normal  n = (sum of grad W_ij) / S_0                                                   UPP 30
 *     vortex  change of omega = dt ((omega . grad) v + beta g x n)                           UPP 31
 *     force   change of v_i = dt (sum of omega_j x (x_i - x_j) W_ij) / S_0                  UPP 32
 *
 * where the paper's formulas cannot be taken as they are printed:
 *
 * - UPP 29 is made implicit, or it would turn velocities round where k dt is above 2.
 * - n is the gradient of what fraction of a full neighborhood is there: it points into the gas. The
 *   paper does not say which way x_ij points. With n x g and x_i - x_j gas would be driven down, as
 *   if it were heavier than the air; that of Figure 16 rises.
 * - The kernel has a unit, and a force has one. Here W_ij / S_0 is a share of the neighborhood, as
 *   in UPP 30, omega is an acceleration over a length, 1/s^2, and beta, 1/s, a rate.
 *
 * Vortices move with their particles. What the vortex of j gives its neighbors adds up to omega_j x
 * (sum of (x_i - x_j) W_ij): nothing inside, where the sum is 0, and at the surface the opposite of
 * what it would give the air that is missing there. So it is the air that has the reaction, as of
 * drag. What walls and solids fill is no surface. */
#include "base/blocks.h"
#include "base/memory.h"
#include "constraints/density_parts.h"
#include "sph/sph_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a particle sees ---- */

/* The vector from one place to another, m. */
static struct vec3 way_from(const struct place *from, const struct place *to)
{
    return vec3(to->x - from->x, to->y - from->y, to->z - from->z);
}

/* The gradient of the kernel at the slot, of a neighbor that `x` points from, 1/m. */
static struct vec3 gradient_of(const struct density *d, struct vec3 x)
{
    return vec3_scale(-sph_wendland_slope(d->support, vec3_norm(x)), x);
}

static void add_outer(struct mat3 *sum, struct vec3 a, struct vec3 b)
{
    const double left[3] = {a.x, a.y, a.z}, right[3] = {b.x, b.y, b.z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sum->a[r][c] += left[r] * right[c];
}

struct gas_view density_gas_view(const struct density *d, size_t s, const struct vec3 *velocity)
{
    const struct near_row *row = &d->row[s];
    const size_t fluids = row->n[NEAR_FLUID] + row->n[NEAR_INFLOW];
    const size_t places = fluids + row->n[NEAR_SOLID] + row->n[NEAR_HELD];
    struct gas_view view = {.gradient = mat3_zero()};
    for (size_t k = 0; k < places + row->n[NEAR_WALL]; k++) {
        const struct place *at = k < places ? &d->place[row->entry[k]] : &d->wall[row->entry[k]];
        const struct vec3 slope = gradient_of(d, way_from(at, &d->place[s]));
        if (!(vec3_norm2(slope) > 0.0))
            continue;
        const double counts = k < fluids ? 1.0 : k < places ? d->solid_weight : at->value;
        view.normal = vec3_axpy(view.normal, counts, slope);
        if (k < fluids)
            add_outer(&view.gradient,
                      vec3_sub(velocity[d->grid.point[row->entry[k]]], velocity[d->grid.point[s]]),
                      slope);
    }
    view.normal = vec3_scale(1.0 / d->lattice.kernel, view.normal);
    view.gradient = mat3_scale(1.0 / (d->lattice.kernel * d->lattice.moment), &view.gradient);
    return view;
}

struct vec3 gas_curl(const struct gas_view *view)
{
    const double(*a)[3] = view->gradient.a;
    return vec3(a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]);
}

/* ---- vortices ---- */

struct changing {
    struct density *d;
    const struct candidates *candidates;
    const struct vec3 *velocity;
    struct corrections *corrections;
};

/* Nothing changes yet, and particles upstream of inlets have no part in it. */
static void begin_change(size_t n, struct corrections *corrections)
{
    memset(corrections->shift, 0, n * sizeof *corrections->shift);
    corrections->inflow = vec3(0.0, 0.0, 0.0);
    corrections->inflow_work = 0.0;
}

static bool is_gas(const struct density *d, size_t s)
{
    return d->gas && d->kind[s] == NEAR_FLUID && d->gas->is[d->grid.point[s]];
}

/* UPP 31. */
static void grow_vortices(size_t begin, size_t end, const void *context, double *sum)
{
    const struct changing *c = context;
    const struct density *d = c->d;
    struct density_gas *gas = d->gas;
    for (size_t s = begin; s < end; s++) {
        const size_t i = d->grid.point[s];
        if (!is_gas(d, s))
            continue;
        const struct gas_view view = density_gas_view(d, s, c->velocity);
        const struct vec3 stretched = mat3_mul_vec3(&view.gradient, gas->vortex[i]);
        const struct vec3 rate =
            vec3_axpy(stretched, gas->baroclinity[i], vec3_cross(gas->gravity, view.normal));
        gas->vortex[i] = vec3_axpy(gas->vortex[i], c->candidates->dt, rate);
        sum[0] += vec3_norm2(gas_curl(&view));
        sum[1] += 1.0;
    }
}

/* UPP 32. */
static void drive(const struct changing *c, size_t s)
{
    const struct density *d = c->d;
    const struct near_row *row = &d->row[s];
    struct vec3 rate = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < row->n[NEAR_FLUID]; k++) {
        const size_t t = row->entry[k];
        if (t == d->grid.n)
            continue;
        const struct vec3 x = way_from(&d->place[t], &d->place[s]);
        rate = vec3_axpy(rate, sph_wendland(d->support, vec3_norm(x)),
                         vec3_cross(d->gas->vortex[d->grid.point[t]], x));
    }
    const double dt = c->candidates->dt;
    c->corrections->shift[d->grid.point[s]] = vec3_scale(dt * dt / d->lattice.kernel, rate);
}

void density_drive(struct constraint *constraint, const struct candidates *candidates,
                   const struct vec3 *velocity, struct corrections *corrections)
{
    struct density *d = (struct density *)constraint;
    const struct changing changing = {d, candidates, velocity, corrections};
    double curl[2];
    begin_change(candidates->n, corrections);
    if (!d->gas)
        return;
    blocks_sums(d->grid.n, 2, grow_vortices, &changing, curl);
    d->gas->enstrophy = (struct enstrophy){curl[0], curl[1]};
#pragma omp parallel for schedule(static)
    for (size_t s = 0; s < d->grid.n; s++)
        if (is_gas(d, s) && d->gas->driven)
            drive(&changing, s);
}

/* ---- UPP 29 ---- */

void density_resist(struct constraint *constraint, const struct candidates *candidates,
                    const struct vec3 *velocity, struct corrections *corrections)
{
    const struct density *d = (const struct density *)constraint;
    begin_change(candidates->n, corrections);
#pragma omp parallel for schedule(static)
    for (size_t s = 0; s < d->grid.n; s++) {
        const size_t i = d->grid.point[s];
        if (!is_gas(d, s) || !(d->gas->drag[i] > 0.0))
            continue;
        const double missing = fmax(-density_error(d, s), 0.0);
        const double rate = d->gas->drag[i] * candidates->dt * missing;
        corrections->shift[i] =
            vec3_scale(-candidates->dt * rate / (1.0 + rate), vec3_sub(velocity[i], d->gas->wind));
    }
}

/* ---- its life ---- */

static enum status create(struct density *d, const struct particles *particles, struct error *error)
{
    const size_t n = d->n;
    struct density_gas *gas;
    if (array_create(&gas, 1, sizeof *gas, "gas", error))
        return STATUS_FAILED;
    d->gas = gas;
    gas->mass = particles->mass;
    if (array_create(&gas->is, n, sizeof *gas->is, "gas", error) ||
        array_create(&gas->drag, n, sizeof *gas->drag, "gas", error) ||
        array_create(&gas->baroclinity, n, sizeof *gas->baroclinity, "gas", error) ||
        array_create(&gas->vortex, n, sizeof *gas->vortex, "gas", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status density_gas_add(struct density *d, struct constraint_set *set,
                            const struct particles *particles, const struct density_fluid *fluid,
                            struct error *error)
{
    const struct gas_setting *setting = &fluid->gas;
    if (!d->gas && create(d, particles, error))
        return STATUS_FAILED;
    if (!set->lift && array_create(&set->lift, d->n, sizeof *set->lift, "gas", error))
        return STATUS_FAILED;
    d->gas->wind = setting->wind;
    d->gas->gravity = setting->gravity;
    d->gas->driven |= setting->baroclinity > 0.0;
    for (size_t i = fluid->first; i < fluid->first + fluid->n; i++) {
        d->gas->is[i] = true;
        d->gas->drag[i] = setting->drag;
        d->gas->baroclinity[i] = setting->baroclinity;
        set->lift[i] = vec3_scale(-setting->buoyancy, setting->gravity);
    }
    return STATUS_OK;
}

void density_gas_free(struct density_gas *gas)
{
    if (!gas)
        return;
    free(gas->is);
    free(gas->drag);
    free(gas->baroclinity);
    free(gas->vortex);
    free(gas);
}

struct enstrophy density_enstrophy(const struct constraint *density)
{
    const struct density_gas *gas = ((const struct density *)density)->gas;
    return gas ? gas->enstrophy : (struct enstrophy){0.0, 0.0};
}

struct vec3 *density_vortices(struct constraint *density, const bool **is_gas_here)
{
    struct density_gas *gas = ((struct density *)density)->gas;
    *is_gas_here = gas ? gas->is : NULL;
    return gas ? gas->vortex : NULL;
}
