#include "shape/geodesic.h"

#include "base/memory.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { CORNERS = 12, EDGES = 30, FACES = 20 };

/* The icosahedron: two poles and two rings of five. */
static struct vec3 corner(size_t k)
{
    const double height = 1.0 / sqrt(5.0), radius = 2.0 * height;
    if (k == 0 || k == CORNERS - 1)
        return vec3(0.0, 0.0, k == 0 ? 1.0 : -1.0);
    const bool upper = k <= 5;
    const double angle = 0.2 * pi * (2.0 * (double)((k - 1) % 5) + (upper ? 0.0 : 1.0));
    return vec3(radius * cos(angle), radius * sin(angle), upper ? height : -height);
}

/* Counter-clockwise seen from outside. */
static void face_corners(size_t face, uint32_t of[3])
{
    const uint32_t k = (uint32_t)face % 5, next = (k + 1) % 5;
    const uint32_t upper = 1 + k, after = 1 + next, lower = 6 + k, below = 6 + next;
    const uint32_t all[4][3] = {{0, upper, after},
                                {upper, lower, after},
                                {lower, below, after},
                                {lower, CORNERS - 1, below}};
    for (size_t c = 0; c < 3; c++)
        of[c] = all[face / 5][c];
}

/* A division of the icosahedron. */
struct division {
    uint32_t parts;                 /* f, of an edge */
    uint8_t edge[CORNERS][CORNERS]; /* number of the edge between two corners, low first, + 1 */
};

static void number_edges(struct division *d)
{
    uint8_t n = 0;
    for (size_t face = 0; face < FACES; face++) {
        uint32_t of[3];
        face_corners(face, of);
        for (size_t c = 0; c < 3; c++) {
            const uint32_t a = of[c], b = of[(c + 1) % 3];
            uint8_t *edge = &d->edge[a < b ? a : b][a < b ? b : a];
            if (!*edge)
                *edge = ++n;
        }
    }
}

/* The vertex of a face that is `way[c]` parts from the side across from corner c, which add up to
 * f. Corners come first, then edges, then the insides of faces. */
static uint32_t vertex_of(const struct division *d, size_t face, const uint32_t of[3],
                          const uint32_t way[3])
{
    const uint32_t f = d->parts, inner = f - 1;
    for (size_t c = 0; c < 3; c++)
        if (way[c] == f)
            return of[c];
    for (size_t c = 0; c < 3; c++) {
        if (way[c] > 0)
            continue;
        const size_t a = (c + 1) % 3, b = (c + 2) % 3;
        const size_t low = of[a] < of[b] ? a : b, high = of[a] < of[b] ? b : a;
        return CORNERS + (d->edge[of[low]][of[high]] - 1u) * inner + way[high] - 1;
    }
    /* Row way[0] = 1 has f - 2 vertices, and each further row one less. */
    const uint32_t row = way[0] - 1, before = row * (2 * (inner - 1) - row + 1) / 2;
    return CORNERS + EDGES * inner + (uint32_t)face * (inner * (inner - 1) / 2) + before + way[1] -
           1;
}

/* Equal parts in angle along edges, and the same weights within faces. */
static struct vec3 direction(const struct division *d, const uint32_t of[3], const uint32_t way[3])
{
    const double angle = atan(2.0); /* between neighboring corners */
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t c = 0; c < 3; c++)
        sum = vec3_axpy(sum, sin(angle * way[c] / d->parts), corner(of[c]));
    return vec3_scale(1.0 / vec3_norm(sum), sum);
}

/* The vertices and triangles of a face, in rows from its first corner. */
static void divide(const struct division *d, size_t face, double radius, struct vec3 center,
                   struct surface *s)
{
    const uint32_t f = d->parts;
    uint32_t of[3];
    face_corners(face, of);
    for (uint32_t row = 0; row <= f; row++)
        for (uint32_t k = 0; k <= row; k++) {
            const uint32_t way[3] = {f - row, row - k, k};
            const uint32_t here = vertex_of(d, face, of, way);
            s->position[here] = vec3_axpy(center, radius, direction(d, of, way));
            if (row == f)
                continue;
            const uint32_t left[3] = {f - row - 1, row + 1 - k, k};
            const uint32_t right[3] = {f - row - 1, row - k, k + 1};
            const uint32_t below = vertex_of(d, face, of, left);
            const uint32_t beside = vertex_of(d, face, of, right);
            uint32_t *triangle = s->triangle[s->n_triangles++];
            triangle[0] = here, triangle[1] = below, triangle[2] = beside;
            if (k == row)
                continue;
            const uint32_t next[3] = {f - row, row - k - 1, k + 1};
            triangle = s->triangle[s->n_triangles++];
            triangle[0] = here, triangle[1] = beside, triangle[2] = vertex_of(d, face, of, next);
        }
}

double geodesic_vertices(double radius, double spacing)
{
    return 4.0 * pi * radius * radius / (0.5 * sqrt(3.0) * spacing * spacing);
}

enum status geodesic_create(struct surface *surface, double radius, struct vec3 center,
                            double spacing, struct error *error)
{
    const double tenth = 0.1 * (geodesic_vertices(radius, spacing) - 2.0);
    struct division d = {.parts = (uint32_t)fmax(round(sqrt(fmax(tenth, 0.0))), 1.0)};
    const size_t square = (size_t)d.parts * d.parts;
    surface->n = 10 * square + 2;
    if (array_create(&surface->position, surface->n, sizeof *surface->position, "a sphere",
                     error) ||
        array_create(&surface->triangle, FACES * square, sizeof *surface->triangle, "a sphere",
                     error))
        return STATUS_FAILED;
    number_edges(&d);
    for (size_t face = 0; face < FACES; face++)
        divide(&d, face, radius, center, surface);
    return STATUS_OK;
}
