#include "surface/stretched_field.h"

#include "base/memory.h"
#include "surface/principal_axes.h"

#include <stdlib.h>

enum { FEW = 6 };                  /* a particle with fewer neighbors is in a spray */
static const double full = 0.15;   /* variance of a filled ball of radius 1 */
static const double least = 0.625; /* half axis of a kernel over its support */
static const double level = 0.5;   /* f of the header */

/* ---- kernels ---- */

struct neighborhood {
    size_t n;
    double weight;
    struct vec3 sum;     /* of weighted distances */
    struct sym3 squares; /* of their products */
};

static void add_neighbor(struct neighborhood *h, struct vec3 d, double support)
{
    double s = vec3_norm(d) / support, w = 1.0 - s * s * s;
    if (!(w > 0.0))
        return;
    h->n++;
    h->weight += w;
    h->sum = vec3_axpy(h->sum, w, d);
    h->squares.xx += w * d.x * d.x;
    h->squares.xy += w * d.x * d.y;
    h->squares.xz += w * d.x * d.z;
    h->squares.yy += w * d.y * d.y;
    h->squares.yz += w * d.y * d.z;
    h->squares.zz += w * d.z * d.z;
}

static struct sym3 covariance_of(const struct neighborhood *h)
{
    double s = 1.0 / h->weight;
    struct vec3 m = vec3_scale(s, h->sum);
    const struct sym3 *q = &h->squares;
    return (struct sym3){s * q->xx - m.x * m.x, s * q->xy - m.x * m.y, s * q->xz - m.x * m.z,
                         s * q->yy - m.y * m.y, s * q->yz - m.y * m.z, s * q->zz - m.z * m.z};
}

static struct sym3 kernel_of(const struct neighborhood *h, double support)
{
    double variance[3], g[3];
    struct vec3 a[3];
    if (h->n < FEW)
        return (struct sym3){2.0 / support, 0, 0, 2.0 / support, 0, 2.0 / support};
    principal_axes(covariance_of(h), variance, a);
    for (int k = 0; k < 3; k++) {
        double part = variance[k] / (full * support * support);
        g[k] = 1.0 / (support * fmin(fmax(part, least), 1.0));
    }
    struct sym3 m = {0};
    for (int k = 0; k < 3; k++) {
        m.xx += g[k] * a[k].x * a[k].x;
        m.xy += g[k] * a[k].x * a[k].y;
        m.xz += g[k] * a[k].x * a[k].z;
        m.yy += g[k] * a[k].y * a[k].y;
        m.yz += g[k] * a[k].y * a[k].z;
        m.zz += g[k] * a[k].z * a[k].z;
    }
    return m;
}

/* Neighbors are summed in the order of slots, which depends on positions alone. */
static enum status find_kernel(struct stretched_field *f, size_t i, struct slot_list *slots,
                               struct error *error)
{
    const struct cell_grid *grid = &f->base->grid;
    struct vec3 x = f->base->position[i];
    double support = FIELD_SUPPORT * f->base->radius[i];
    struct neighborhood h = {0};
    slots->n = 0;
    enum status status = cell_grid_append(grid, x, support, slots, error);
    for (size_t k = 0; !status && k < slots->n; k++) {
        uint32_t s = slots->slot[k];
        add_neighbor(&h, vec3_sub(vec3(grid->x[s], grid->y[s], grid->z[s]), x), support);
    }
    f->inverse[i] = kernel_of(&h, support);
    return status;
}

enum status stretched_field_create(struct stretched_field *f, const struct fluid_field *base,
                                   struct error *error)
{
    size_t n = base->grid.n;
    enum status status = STATUS_OK;
    *f = (struct stretched_field){.base = base};
    if (array_create(&f->inverse, n, sizeof *f->inverse, "kernels of particles", error))
        return STATUS_FAILED;
#pragma omp parallel
    {
        struct slot_list slots = {0};
        struct error own = {0};
        enum status own_status = STATUS_OK;
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++)
            if (!own_status)
                own_status = find_kernel(f, i, &slots, &own);
        free(slots.slot);
#pragma omp critical
        if (own_status && !status)
            status = error_set(error, own_status, "%s", own.message);
    }
    return status;
}

/* ---- the field ---- */

/* Adds the kernel of one particle to a point at the offset d from it. */
static void add_to_point(struct block_work *work, size_t p, const struct sym3 *g, double height,
                         struct vec3 d, double support)
{
    double s2 = vec3_norm2(sym3_mul(*g, d)), q = s2 < 1.0 ? 1.0 - s2 : 0.0;
    work->weight[p] += height * q * q * q;
    work->near[p] = fmin(work->near[p], vec3_norm2(d) / (support * support));
}

static double determinant(const struct sym3 *g)
{
    return g->xx * (g->yy * g->zz - g->yz * g->yz) - g->xy * (g->xy * g->zz - g->yz * g->xz) +
           g->xz * (g->xy * g->yz - g->yy * g->xz);
}

static void add_particle(const struct stretched_field *f, struct block b, size_t slot,
                         struct block_work *work)
{
    const struct cell_grid *grid = &f->base->grid;
    size_t i = grid->point[slot];
    const struct sym3 *g = &f->inverse[i];
    double h = f->base->spacing, radius = f->base->radius[i];
    double height = 315.0 / (64.0 * M_PI) * 8.0 * radius * radius * radius * determinant(g);
    struct vec3 x = vec3(grid->x[slot], grid->y[slot], grid->z[slot]);
    struct point_range range = points_within(b, x, FIELD_SUPPORT * radius, h);
    for (int k = range.first[2]; k <= range.last[2]; k++)
        for (int j = range.first[1]; j <= range.last[1]; j++)
            for (int l = range.first[0]; l <= range.last[0]; l++) {
                struct vec3 point = {(b.x * (double)BLOCK_CELLS + l) * h,
                                     (b.y * (double)BLOCK_CELLS + j) * h,
                                     (b.z * (double)BLOCK_CELLS + k) * h};
                add_to_point(work, (size_t)((k * BLOCK_EDGE + j) * BLOCK_EDGE + l), g, height,
                             vec3_sub(point, x), FIELD_SUPPORT * radius);
            }
}

enum status stretched_field_evaluate(const void *context, struct block block,
                                     struct block_work *work, double *value, struct error *error)
{
    const struct stretched_field *f = context;
    for (size_t p = 0; p < BLOCK_POINTS; p++) {
        work->weight[p] = 0.0;
        work->near[p] = 1.0;
    }
    enum status status = fluid_field_slots(f->base, block, work, error);
    for (size_t k = 0; status == STATUS_OK && k < work->slots.n; k++)
        add_particle(f, block, work->slots.slot[k], work);
    for (size_t p = 0; status == STATUS_OK && p < BLOCK_POINTS; p++)
        value[p] = fmax(level - work->weight[p], FIELD_SUPPORT * sqrt(work->near[p]) - FIELD_BOUND);
    return status;
}

void stretched_field_free(struct stretched_field *f)
{
    free(f->inverse);
    *f = (struct stretched_field){0};
}
