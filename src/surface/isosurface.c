#include "surface/isosurface.h"

#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* An edge of the lattice has a lower end, a point of a block, and a direction from 1 to 7, whose
 * bits are steps along x, y and z. */
enum { DIRECTIONS = 7, OWN_POINTS = BLOCK_CELLS * BLOCK_CELLS * BLOCK_CELLS };

/* A triangle names a vertex by its edge, as numbered in the block that owns it, and by that block,
 * as bits that are steps along x, y and z from the triangle's own block. */
struct corner {
    uint16_t edge; /* (own point) x DIRECTIONS + direction - 1 */
    uint16_t block;
};

/* The vertices and triangles that one thread has made; blocks refer to them by offsets. */
struct pieces {
    size_t n_vertices, vertex_capacity, edge_capacity;
    struct vec3 *vertex;
    uint16_t *edge; /* of each vertex */
    size_t n_triangles, triangle_capacity;
    struct corner (*triangle)[3];
    enum status status;
    struct error error;
};

/* The ranges of the vertices and triangles of one block. */
struct part {
    uint32_t thread;
    uint32_t n_vertices, n_triangles;
    size_t vertex, triangle;             /* first ones among the pieces of the thread */
    size_t first_vertex, first_triangle; /* first ones in the mesh */
};

struct surface {
    const struct block_list *blocks;
    double spacing;
    struct part *part; /* n blocks */
    struct pieces *pieces;
    size_t n_pieces;
};

static size_t point_at(int i, int j, int k)
{
    return (size_t)((k * BLOCK_EDGE + j) * BLOCK_EDGE + i);
}

/* ---- vertices ---- */

/* The point at which the field is zero if it is linear along the edge. It is kept a hundredth of
 * the edge away from both ends, because triangles without area would have no normal. */
static struct vec3 crossing(const struct block *b, const int p[3], int direction, double a,
                            double c, double spacing)
{
    double t = fmin(fmax(a / (a - c), 0.01), 0.99);
    double x = b->x * (double)BLOCK_CELLS + p[0], y = b->y * (double)BLOCK_CELLS + p[1];
    double z = b->z * (double)BLOCK_CELLS + p[2];
    return vec3((x + (direction & 1 ? t : 0.0)) * spacing,
                (y + (direction & 2 ? t : 0.0)) * spacing,
                (z + (direction & 4 ? t : 0.0)) * spacing);
}

static enum status add_vertex(struct pieces *out, struct vec3 vertex, uint16_t edge,
                              struct error *error)
{
    size_t n = out->n_vertices + 1;
    enum status status = array_reserve(&out->vertex, &out->vertex_capacity, n, sizeof *out->vertex,
                                       "vertices of a surface", error);
    if (!status)
        status = array_reserve(&out->edge, &out->edge_capacity, n, sizeof *out->edge,
                               "edges of a surface", error);
    if (status)
        return status;
    out->vertex[out->n_vertices] = vertex;
    out->edge[out->n_vertices++] = edge;
    return STATUS_OK;
}

/* Adds the vertices of the edges that begin at a point, in the order of edges. */
static enum status point_vertices(const struct surface *s, struct block b, const int p[3],
                                  const double *value, struct pieces *out, struct error *error)
{
    double here = value[point_at(p[0], p[1], p[2])];
    int own = (p[2] * BLOCK_CELLS + p[1]) * BLOCK_CELLS + p[0];
    for (int d = 1; d <= DIRECTIONS; d++) {
        double there = value[point_at(p[0] + (d & 1), p[1] + (d >> 1 & 1), p[2] + (d >> 2))];
        if ((here < 0.0) == (there < 0.0))
            continue;
        uint16_t edge = (uint16_t)(own * DIRECTIONS + d - 1);
        if (add_vertex(out, crossing(&b, p, d, here, there, s->spacing), edge, error))
            return STATUS_FAILED;
    }
    return STATUS_OK;
}

/* ---- triangles ---- */

/* Corners of the six tetrahedra, as steps from the lowest corner of the cell, positively oriented:
 * the paths from corner 0 to corner 7 along three edges. */
static const uint8_t tetrahedron[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                                          {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 5, 1, 7}};

/* For each set of corners that are inside, an even permutation of the four that puts them first,
 * or, if they are three, the one outside. */
static const uint8_t order[16][4] = {{0},          {0, 1, 2, 3}, {1, 0, 3, 2}, {0, 1, 2, 3},
                                     {2, 3, 0, 1}, {0, 2, 3, 1}, {1, 2, 0, 3}, {3, 2, 1, 0},
                                     {3, 2, 1, 0}, {0, 3, 1, 2}, {1, 3, 2, 0}, {2, 3, 0, 1},
                                     {2, 3, 0, 1}, {1, 0, 3, 2}, {0, 1, 2, 3}, {0}};

/* The vertex on the edge between two corners of the cell at p. */
static struct corner corner_on(const int p[3], unsigned a, unsigned b)
{
    unsigned low = a & b, direction = a ^ b;
    int x = p[0] + (int)(low & 1), y = p[1] + (int)(low >> 1 & 1), z = p[2] + (int)(low >> 2);
    int own = ((z % BLOCK_CELLS) * BLOCK_CELLS + y % BLOCK_CELLS) * BLOCK_CELLS + x % BLOCK_CELLS;
    return (struct corner){
        (uint16_t)(own * DIRECTIONS + (int)direction - 1),
        (uint16_t)(x / BLOCK_CELLS | y / BLOCK_CELLS << 1 | z / BLOCK_CELLS << 2)};
}

static enum status add_triangle(struct pieces *out, struct corner a, struct corner b,
                                struct corner c, struct error *error)
{
    enum status status =
        array_reserve(&out->triangle, &out->triangle_capacity, out->n_triangles + 1,
                      sizeof *out->triangle, "triangles of a surface", error);
    if (status)
        return status;
    struct corner *triangle = out->triangle[out->n_triangles++];
    triangle[0] = a, triangle[1] = b, triangle[2] = c;
    return STATUS_OK;
}

/* Adds the triangles of a tetrahedron. `v`: its corners, `inside`: a bit for each. With an even
 * permutation and the first corner inside, the vertices on the edges to the three others are
 * counterclockwise from outside. */
static enum status cut(const int p[3], const uint8_t *v, unsigned inside, struct pieces *out,
                       struct error *error)
{
    const uint8_t *o = order[inside];
    unsigned a = v[o[0]], b = v[o[1]], c = v[o[2]], d = v[o[3]];
    int count = (int)((inside & 1) + (inside >> 1 & 1) + (inside >> 2 & 1) + (inside >> 3));
    if (count == 1)
        return add_triangle(out, corner_on(p, a, b), corner_on(p, a, c), corner_on(p, a, d), error);
    if (count == 3)
        return add_triangle(out, corner_on(p, a, b), corner_on(p, a, d), corner_on(p, a, c), error);
    struct corner ac = corner_on(p, a, c), ad = corner_on(p, a, d);
    struct corner bc = corner_on(p, b, c), bd = corner_on(p, b, d);
    enum status status = add_triangle(out, ac, ad, bd, error);
    return status ? status : add_triangle(out, ac, bd, bc, error);
}

static enum status cell_triangles(const int p[3], const double *value, struct pieces *out,
                                  struct error *error)
{
    unsigned inside = 0; /* a bit for each corner of the cell */
    for (int c = 0; c < 8; c++)
        inside |=
            (unsigned)(value[point_at(p[0] + (c & 1), p[1] + (c >> 1 & 1), p[2] + (c >> 2))] < 0.0)
            << c;
    if (inside == 0 || inside == 0xff)
        return STATUS_OK;
    for (int t = 0; t < 6; t++) {
        const uint8_t *v = tetrahedron[t];
        unsigned mask = 0;
        for (int k = 0; k < 4; k++)
            mask |= (inside >> v[k] & 1) << k;
        if (mask != 0 && mask != 15 && cut(p, v, mask, out, error))
            return STATUS_FAILED;
    }
    return STATUS_OK;
}

/* ---- blocks ---- */

static enum status march(const struct surface *s, struct block b, const double *value,
                         struct pieces *out, struct error *error)
{
    enum status status = STATUS_OK;
    int p[3];
    for (p[2] = 0; p[2] < BLOCK_CELLS; p[2]++)
        for (p[1] = 0; p[1] < BLOCK_CELLS; p[1]++)
            for (p[0] = 0; !status && p[0] < BLOCK_CELLS; p[0]++) {
                status = point_vertices(s, b, p, value, out, error);
                if (!status)
                    status = cell_triangles(p, value, out, error);
            }
    return status;
}

static void make_part(const struct surface *s, size_t k, block_field *field, const void *context,
                      struct block_work *work, uint32_t thread)
{
    double value[BLOCK_POINTS];
    struct pieces *out = &s->pieces[thread];
    struct part *part = &s->part[k];
    struct block b = block_of_key(s->blocks->key[k]);
    *part =
        (struct part){.thread = thread, .vertex = out->n_vertices, .triangle = out->n_triangles};
    out->status = field(context, b, work, value, &out->error);
    if (!out->status)
        out->status = march(s, b, value, out, &out->error);
    part->n_vertices = (uint32_t)(out->n_vertices - part->vertex);
    part->n_triangles = (uint32_t)(out->n_triangles - part->triangle);
}

/* Blocks go to threads as they come: which one makes a part does not matter, as parts are put
 * together in the order of blocks. */
static enum status make_parts(const struct surface *s, block_field *field, const void *context,
                              struct error *error)
{
    enum status status = STATUS_OK;
#pragma omp parallel num_threads((int)s->n_pieces)
    {
        struct block_work *work = NULL;
        uint32_t thread = (uint32_t)omp_get_thread_num();
        struct pieces *out = &s->pieces[thread];
        out->status = array_create(&work, 1, sizeof *work, "a block of a lattice", &out->error);
#pragma omp for schedule(dynamic, 16)
        for (size_t k = 0; k < s->blocks->n; k++)
            if (!out->status)
                make_part(s, k, field, context, work, thread);
        if (work)
            block_work_free(work);
        free(work);
    }
    for (size_t t = 0; t < s->n_pieces && !status; t++)
        if (s->pieces[t].status) {
            status = s->pieces[t].status;
            error_set(error, status, "%s", s->pieces[t].error.message);
        }
    return status;
}

/* ---- the whole mesh ---- */

static enum status make_room(const struct surface *s, struct triangle_mesh *mesh,
                             struct error *error)
{
    size_t n_vertices = 0, n_triangles = 0;
    for (size_t k = 0; k < s->blocks->n; k++) {
        s->part[k].first_vertex = n_vertices;
        s->part[k].first_triangle = n_triangles;
        n_vertices += s->part[k].n_vertices;
        n_triangles += s->part[k].n_triangles;
    }
    if (n_vertices > INT32_MAX || n_triangles > INT32_MAX)
        return error_set(error, STATUS_FAILED,
                         "a surface of %zu triangles; a larger --spacing would be right",
                         n_triangles);
    enum status status = array_reserve(&mesh->vertex, &mesh->vertex_capacity, n_vertices,
                                       sizeof *mesh->vertex, "vertices of a surface", error);
    if (!status)
        status = array_reserve(&mesh->triangle, &mesh->triangle_capacity, n_triangles,
                               sizeof *mesh->triangle, "triangles of a surface", error);
    if (!status) {
        mesh->n_vertices = n_vertices;
        mesh->n_triangles = n_triangles;
    }
    return status;
}

/* The number in the mesh of the vertex on an edge of block k; the edges of a block ascend. */
static uint32_t vertex_of(const struct surface *s, size_t k, uint16_t edge)
{
    const struct part *part = &s->part[k];
    const uint16_t *edges = s->pieces[part->thread].edge + part->vertex;
    uint32_t low = 0, high = part->n_vertices;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (edges[middle] < edge)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)part->first_vertex + low;
}

static void copy_part(const struct surface *s, size_t k, struct triangle_mesh *mesh)
{
    const struct part *part = &s->part[k];
    const struct pieces *from = &s->pieces[part->thread];
    struct block b = block_of_key(s->blocks->key[k]);
    size_t neighbor[8];
    if (part->n_vertices + part->n_triangles == 0)
        return;
    for (int d = 0; d < 8; d++)
        neighbor[d] = block_list_find(
            s->blocks, (struct block){b.x + (d & 1), b.y + (d >> 1 & 1), b.z + (d >> 2)});
    if (part->n_vertices > 0)
        memcpy(mesh->vertex + part->first_vertex, from->vertex + part->vertex,
               part->n_vertices * sizeof *mesh->vertex);
    for (size_t t = 0; t < part->n_triangles; t++)
        for (int c = 0; c < 3; c++) {
            struct corner corner = from->triangle[part->triangle + t][c];
            mesh->triangle[part->first_triangle + t][c] =
                vertex_of(s, neighbor[corner.block], corner.edge);
        }
}

static void surface_free(struct surface *s)
{
    for (size_t t = 0; s->pieces && t < s->n_pieces; t++) {
        free(s->pieces[t].vertex);
        free(s->pieces[t].edge);
        free(s->pieces[t].triangle);
    }
    free(s->pieces);
    free(s->part);
}

enum status isosurface(const struct block_list *blocks, block_field *field, const void *context,
                       double spacing, struct triangle_mesh *mesh, struct error *error)
{
    struct surface s = {.blocks = blocks, .spacing = spacing};
    s.n_pieces = (size_t)omp_get_max_threads();
    enum status status =
        array_create(&s.part, blocks->n, sizeof *s.part, "parts of a surface", error);
    if (!status)
        status =
            array_create(&s.pieces, s.n_pieces, sizeof *s.pieces, "pieces of a surface", error);
    if (!status)
        status = make_parts(&s, field, context, error);
    if (!status)
        status = make_room(&s, mesh, error);
    if (!status) {
#pragma omp parallel for schedule(static)
        for (size_t k = 0; k < blocks->n; k++)
            copy_part(&s, k, mesh);
    }
    surface_free(&s);
    return status;
}
