#include "surface/rest_lattice.h"

#include "base/memory.h"
#include "sample/sample_lattice.h"

#include <stdlib.h>

/* Adds one layer of points on each side. */
static void widen(const struct lattice *from, struct lattice *to)
{
    *to = *from;
    for (int a = 0; a < 3; a++) {
        to->n[a] = from->n[a] + 2;
        to->origin = vec3_sub(to->origin, from->axis[a]);
    }
}

/* The index of the nearest point of the lattice, whose axes are orthogonal. */
static size_t index_near(const struct rest_lattice *l, struct vec3 point)
{
    const size_t *n = l->lattice.n;
    struct vec3 offset = vec3_sub(point, l->lattice.origin);
    size_t at[3];
    for (int a = 0; a < 3; a++)
        at[a] = (size_t)lround(vec3_dot(offset, l->lattice.axis[a]) / (l->spacing * l->spacing));
    return (at[2] * n[1] + at[1]) * n[0] + at[0];
}

static enum status number_points(struct rest_lattice *l, const struct lattice_cells *cells,
                                 size_t first, struct error *error)
{
    const size_t points = l->lattice.n[0] * l->lattice.n[1] * l->lattice.n[2];
    struct vec3 *position = NULL;
    if (array_create(&l->particle, points, sizeof *l->particle, "the lattice of a body", error) ||
        array_create(&position, cells->n_inside, sizeof *position, "the lattice of a body", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < points; k++)
        l->particle[k] = NO_PARTICLE;
    lattice_cells_positions(cells, position);
    for (size_t k = 0; k < cells->n_inside; k++)
        l->particle[index_near(l, position[k])] = (uint32_t)(first + k);
    free(position);
    return STATUS_OK;
}

enum status rest_lattice_create(struct rest_lattice *l, struct solid *solid,
                                const struct body *body, size_t first, size_t n,
                                struct error *error)
{
    struct lattice_cells cells;
    *l = (struct rest_lattice){.spacing = 2.0 * body->radius};
    if (body->sampling.method != SAMPLING_LATTICE)
        return error_set(error, STATUS_INVALID,
                         "body '%s' was relaxed, and its surface is found only for particles of a "
                         "lattice; --embed with a mesh of it and --follow kernel would be right",
                         body->name);
    enum status status = lattice_cells_create(&cells, solid, body, error);
    if (status)
        return status;
    widen(&cells.lattice, &l->lattice);
    if (cells.n_inside == n)
        status = number_points(l, &cells, first, error);
    else
        status = error_set(error, STATUS_INVALID,
                           "body '%s' has %zu particles, but its shape has %zu now: a mesh file or "
                           "the program changed; make the initial frame anew",
                           body->name, n, cells.n_inside);
    lattice_cells_free(&cells);
    if (status)
        rest_lattice_free(l);
    return status;
}

void rest_lattice_free(struct rest_lattice *l)
{
    free(l->particle);
    *l = (struct rest_lattice){0};
}
