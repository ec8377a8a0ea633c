#include "sample/sample_lattice.h"

#include "base/memory.h"

#include <stdlib.h>

static const double rounding = 1e-9;           /* of a spacing */
static const size_t longest = (size_t)1 << 21; /* points in a row */
static const double most = 0x1p32;             /* points of the whole lattice, one byte each */

/* Column `axis` of lattice_rotation: the lattice direction in the body's frame. */
static struct vec3 lattice_axis(const struct body *body, int axis)
{
    const double *r = body->lattice_rotation;
    return vec3(r[axis], r[3 + axis], r[6 + axis]);
}

static enum status check_points(const struct lattice *lattice, const struct body *body,
                                struct error *error)
{
    double points = (double)lattice->n[0] * (double)lattice->n[1] * (double)lattice->n[2];
    const struct origin *at = &body->shape.origin;
    if (points <= most)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: body '%s' would have %.3g lattice points around it, inside or not; "
                     "at most %.3g are possible: make it smaller or its particles larger",
                     at->file, at->line, at->column, body->name, points, most);
}

static enum status lattice_place(struct lattice *lattice, const struct solid *solid,
                                 const struct body *body, struct error *error)
{
    double spacing = 2 * body->radius;
    *lattice = (struct lattice){0};
    for (int a = 0; a < 3; a++) {
        struct vec3 axis = lattice_axis(body, a);
        double high = solid_support(solid, axis);
        double low = -solid_support(solid, vec3_scale(-1, axis));
        double count = floor((high - low) / spacing + 0.5 + rounding);
        const struct origin *at = &body->shape.origin;
        if (!(count >= 1))
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: body '%s' would have no particle: its shape is only %g m "
                             "wide where particles are %g m apart; a particle radius of at most "
                             "%.3g m would be right",
                             at->file, at->line, at->column, body->name, high - low, spacing,
                             (high - low) / 2);
        if (count > (double)longest)
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: body '%s' would need %.3g particles in a row; at most %zu "
                             "are possible: make it smaller or its particles larger",
                             at->file, at->line, at->column, body->name, count, longest);
        lattice->n[a] = (size_t)count;
        lattice->axis[a] = vec3_scale(spacing, axis);
        double first = (low + high) / 2 - spacing * (count - 1) / 2;
        lattice->origin = vec3_axpy(lattice->origin, first, axis);
    }
    return check_points(lattice, body, error);
}

static enum status classify(struct lattice_cells *cells, struct solid *solid, struct error *error)
{
    const size_t *n = cells->lattice.n;
    enum status status = array_create(&cells->inside, n[0] * n[1] * n[2], sizeof *cells->inside,
                                      "the lattice of a body", error);
    if (!status)
        status = solid_set_lattice(solid, &cells->lattice, error);
    if (status)
        return status;
    uint8_t *inside = cells->inside;
    for (size_t k = 0; k < n[2]; k++) {
        for (size_t j = 0; j < n[1]; j++) {
            const double *distance = solid_row(solid, j, k);
            for (size_t i = 0; i < n[0]; i++, inside++) {
                *inside = distance[i] <= rounding * cells->spacing;
                cells->n_inside += *inside;
            }
        }
    }
    return STATUS_OK;
}

enum status lattice_cells_create(struct lattice_cells *cells, struct solid *solid,
                                 const struct body *body, struct error *error)
{
    *cells = (struct lattice_cells){.spacing = 2 * body->radius};
    enum status status = lattice_place(&cells->lattice, solid, body, error);
    if (!status)
        status = classify(cells, solid, error);
    const struct origin *at = &body->shape.origin;
    if (!status && cells->n_inside == 0)
        status = error_set(error, STATUS_INVALID,
                           "%s:%d:%d: body '%s' would have no particle: its shape is so thin that "
                           "no lattice point, %g m apart, is inside; a smaller particle radius or "
                           "a thicker shape would be right",
                           at->file, at->line, at->column, body->name, cells->spacing);
    if (status)
        lattice_cells_free(cells);
    return status;
}

void lattice_cells_free(struct lattice_cells *cells)
{
    free(cells->inside);
    *cells = (struct lattice_cells){0};
}

static bool is_inside(const struct lattice_cells *cells, const size_t at[3])
{
    const size_t *n = cells->lattice.n;
    return cells->inside[(at[2] * n[1] + at[1]) * n[0] + at[0]];
}

/* Visits the octant of edge `size` cells at `corner`, its eight parts in Morton order. */
static struct vec3 *visit(const struct lattice_cells *cells, const size_t corner[3], size_t size,
                          struct vec3 *position)
{
    const size_t *n = cells->lattice.n;
    if (corner[0] >= n[0] || corner[1] >= n[1] || corner[2] >= n[2])
        return position;
    if (size == 1) {
        if (is_inside(cells, corner))
            *position++ = lattice_point(&cells->lattice, corner[0], corner[1], corner[2]);
        return position;
    }
    size_t half = size / 2;
    for (size_t part = 0; part < 8; part++) {
        size_t next[3] = {corner[0] + (part & 1) * half, corner[1] + (part >> 1 & 1) * half,
                          corner[2] + (part >> 2 & 1) * half};
        position = visit(cells, next, half, position);
    }
    return position;
}

void lattice_cells_positions(const struct lattice_cells *cells, struct vec3 *position)
{
    const size_t *n = cells->lattice.n;
    size_t size = 1;
    while (size < n[0] || size < n[1] || size < n[2])
        size *= 2;
    visit(cells, (const size_t[3]){0, 0, 0}, size, position);
}
