#include "surface/fluid_field.h"

#include "base/memory.h"

#include <stdlib.h>

/* The weights of layers a quarter and three quarters of the support away, (15/16)^4 and (7/16)^4,
 * in units of 16^-4. */
enum { FIRST_LAYER = 15 * 15 * 15 * 15, SECOND_LAYER = 7 * 7 * 7 * 7 };
_Static_assert(FIELD_SUPPORT == 4, "depths of layers in supports");

/* The constant c of the header. */
static const double depth = (FIRST_LAYER + 3.0 * SECOND_LAYER) / (FIRST_LAYER + SECOND_LAYER);

enum status fluid_field_create(struct fluid_field *f, size_t n, const struct vec3 *position,
                               const double *radius, double spacing, struct error *error)
{
    *f = (struct fluid_field){.position = position, .radius = radius, .spacing = spacing};
    for (size_t i = 0; i < n; i++)
        f->most = fmax(f->most, radius[i]);
    if (n == 0)
        return STATUS_OK;
    return cell_grid_build(&f->grid, n, NULL, position, FIELD_SUPPORT * f->most, error);
}

/* The range of blocks with cells that touch the bounding ball of a particle. They are all that is
 * needed, because a cell that the surface crosses has a corner in the ball of some particle. False
 * if a block lies beyond the lattice. */
static bool blocks_around(const struct fluid_field *f, size_t i, struct block *low,
                          struct block *high)
{
    double edge = BLOCK_CELLS * f->spacing, reach = FIELD_BOUND * f->radius[i] + f->spacing;
    struct vec3 x = f->position[i];
    double least = floor((fmin(fmin(x.x, x.y), x.z) - reach) / edge);
    double last = floor((fmax(fmax(x.x, x.y), x.z) + reach) / edge);
    if (least < -BLOCK_MOST || last > BLOCK_MOST)
        return false;
    *low =
        (struct block){(int32_t)floor((x.x - reach) / edge), (int32_t)floor((x.y - reach) / edge),
                       (int32_t)floor((x.z - reach) / edge)};
    *high =
        (struct block){(int32_t)floor((x.x + reach) / edge), (int32_t)floor((x.y + reach) / edge),
                       (int32_t)floor((x.z + reach) / edge)};
    return true;
}

static enum status add_blocks(struct block_list *blocks, struct block low, struct block high,
                              struct error *error)
{
    enum status status = STATUS_OK;
    struct block b;
    for (b.z = low.z; b.z <= high.z; b.z++)
        for (b.y = low.y; b.y <= high.y; b.y++)
            for (b.x = low.x; status == STATUS_OK && b.x <= high.x; b.x++)
                status = block_list_add(blocks, b, error);
    return status;
}

/* Particles come in the order of cells, so that one mostly has the same blocks as the one before,
 * which need not be added again. */
enum status fluid_field_blocks(const struct fluid_field *f, struct block_list *blocks,
                               struct error *error)
{
    struct block low, high, low_before, high_before;
    enum status status = STATUS_OK;
    for (size_t s = 0; status == STATUS_OK && s < f->grid.n; s++) {
        size_t i = f->grid.point[s];
        if (!blocks_around(f, i, &low, &high))
            return error_set(error, STATUS_INVALID,
                             "a surface with a spacing of %g m cannot reach the particle at "
                             "(%g, %g, %g) m; a larger --spacing would",
                             f->spacing, f->position[i].x, f->position[i].y, f->position[i].z);
        if (s > 0 && block_key(low) == block_key(low_before) &&
            block_key(high) == block_key(high_before))
            continue;
        status = add_blocks(blocks, low, high, error);
        low_before = low, high_before = high;
    }
    block_list_finish(blocks);
    return status;
}

static int compare_slots(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

enum status fluid_field_slots(const struct fluid_field *f, struct block b, struct block_work *work,
                              struct error *error)
{
    double edge = BLOCK_CELLS * f->spacing;
    struct vec3 middle = vec3((b.x + 0.5) * edge, (b.y + 0.5) * edge, (b.z + 0.5) * edge);
    double reach = 0.5 * sqrt(3.0) * edge + FIELD_SUPPORT * f->most;
    struct slot_list *slots = &work->slots;
    slots->n = 0;
    enum status status = cell_grid_append(&f->grid, middle, reach * (1.0 + 1e-9), slots, error);
    for (size_t k = 1; status == STATUS_OK && k < slots->n; k++) {
        if (slots->slot[k] > slots->slot[k - 1])
            continue;
        qsort(slots->slot, slots->n, sizeof *slots->slot, compare_slots);
        break;
    }
    return status;
}

/* First and last point along an axis of the block within reach of x; none if last < first. */
static void points_on_axis(double x, double reach, int32_t block, double spacing, int *first,
                           int *last)
{
    double start = (double)block * BLOCK_CELLS;
    *first = (int)fmax(0.0, ceil((x - reach) / spacing - start));
    *last = (int)fmin(BLOCK_EDGE - 1, floor((x + reach) / spacing - start));
}

struct point_range points_within(struct block b, struct vec3 x, double reach, double spacing)
{
    struct point_range r;
    points_on_axis(x.x, reach, b.x, spacing, &r.first[0], &r.last[0]);
    points_on_axis(x.y, reach, b.y, spacing, &r.first[1], &r.last[1]);
    points_on_axis(x.z, reach, b.z, spacing, &r.first[2], &r.last[2]);
    return r;
}

/* A row of points of a block: the first point, its number on the lattice, and what is the same for
 * all points of the row. */
struct row {
    size_t point;
    double start, spacing;
    double x, dy, dz, radius; /* of the particle; y and z from the row */
};

/* Places are computed from whole numbers alone, and so are the same to the bit in two blocks. */
static void add_to_row(struct block_work *work, const struct row *row, int first, int last)
{
    double support = FIELD_SUPPORT * row->radius, inverse2 = 1.0 / (support * support);
    double dy = row->dy, dz = row->dz, aside = dy * dy + dz * dz;
    for (int i = first; i <= last; i++) {
        size_t p = row->point + (size_t)i;
        double dx = row->x - (row->start + i) * row->spacing, s2 = (dx * dx + aside) * inverse2;
        double q = s2 < 1.0 ? 1.0 - s2 : 0.0, w = q * q * q;
        work->weight[p] += w;
        work->radius[p] += w * row->radius;
        work->x[p] += w * dx;
        work->y[p] += w * dy;
        work->z[p] += w * dz;
        work->near[p] = s2 < work->near[p] ? s2 : work->near[p];
    }
}

static void add_particle(const struct fluid_field *f, struct block b, size_t slot,
                         struct block_work *work)
{
    double h = f->spacing, radius = f->radius[f->grid.point[slot]];
    double support = FIELD_SUPPORT * radius;
    double x = f->grid.x[slot], y = f->grid.y[slot], z = f->grid.z[slot];
    struct row row = {.start = b.x * (double)BLOCK_CELLS, .spacing = h, .x = x, .radius = radius};
    struct point_range range = points_within(b, vec3(x, y, z), support, h);
    for (int k = range.first[2]; k <= range.last[2]; k++)
        for (int j = range.first[1]; j <= range.last[1]; j++) {
            row.point = (size_t)(k * BLOCK_EDGE + j) * BLOCK_EDGE;
            row.dy = y - (b.y * (double)BLOCK_CELLS + j) * h;
            row.dz = z - (b.z * (double)BLOCK_CELLS + k) * h;
            add_to_row(work, &row, range.first[0], range.last[0]);
        }
}

/* The field at a point. `near` is the squared distance to the nearest particle, in supports; the
 * bound takes the mean radius, because where it counts all particles around are about as large. */
static double field_at(const struct fluid_field *f, const struct block_work *work, size_t p)
{
    if (!(work->weight[p] > 0.0))
        return FIELD_BOUND * f->most;
    double inverse = 1.0 / work->weight[p], radius = work->radius[p] * inverse;
    double distance = vec3_norm(vec3(work->x[p], work->y[p], work->z[p])) * inverse;
    double bound = FIELD_SUPPORT * sqrt(work->near[p]) - FIELD_BOUND;
    return fmax(distance - depth * radius, bound * radius);
}

enum status fluid_field_evaluate(const void *context, struct block block, struct block_work *work,
                                 double *value, struct error *error)
{
    const struct fluid_field *f = context;
    for (size_t p = 0; p < BLOCK_POINTS; p++) {
        work->weight[p] = work->radius[p] = work->x[p] = work->y[p] = work->z[p] = 0.0;
        work->near[p] = 1.0;
    }
    enum status status = fluid_field_slots(f, block, work, error);
    for (size_t k = 0; status == STATUS_OK && k < work->slots.n; k++)
        add_particle(f, block, work->slots.slot[k], work);
    for (size_t p = 0; status == STATUS_OK && p < BLOCK_POINTS; p++)
        value[p] = field_at(f, work, p);
    return status;
}

void fluid_field_free(struct fluid_field *f)
{
    cell_grid_free(&f->grid);
    *f = (struct fluid_field){0};
}
