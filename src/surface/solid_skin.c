#include "surface/solid_skin.h"

#include "base/memory.h"

#include <stdlib.h>

/* The middle of an edge, a face or a cube between lattice points, and which of the cells that meet
 * there are glued to one another. `at` counts half spacings; odd numbers are between two points. */
struct middle {
    size_t at[3];
    int span;      /* bit a: between two points along axis a */
    uint8_t of[8]; /* corner c of the span: the smallest corner to which it is glued; NO_PIECE: not
                      there, or no particle */
};

/* A corner of a quarter square, to become a vertex. */
struct slot {
    uint64_t key;  /* of the vertex: 8 x index of the middle + smallest corner of the glued cells */
    size_t number; /* of the slot */
};

struct slots {
    size_t n, capacity;
    struct slot *slot; /* four for each quarter */
};

static size_t point_of(const struct middle *m, int corner, int axis)
{
    return m->at[axis] / 2 + (size_t)(corner >> axis & 1);
}

/* The cubes around a middle: one along axes of the span, two along the others. `which`, below 8,
 * picks one; false if it would be the same as another. */
static bool cube_around(const struct middle *m, int which, size_t cube[3])
{
    if (which & m->span)
        return false;
    for (int a = 0; a < 3; a++)
        cube[a] = m->at[a] / 2 - (size_t)(which >> a & 1);
    return true;
}

/* The corner of a cube around the middle that is at this corner of the middle's span. */
static int corner_in_cube(const struct middle *m, int which, int corner)
{
    return (corner & m->span) | which;
}

static void glue(uint8_t of[8], int a, int b)
{
    uint8_t low = of[a] < of[b] ? of[a] : of[b], high = of[a] < of[b] ? of[b] : of[a];
    for (int c = 0; c < 8 && low != high; c++)
        if (of[c] == high)
            of[c] = low;
}

/* Visits the edges of the span that join two particles, in each of the cubes around; an edge may be
 * glued in one cube and cut in another. */
typedef void edge_visitor(struct middle *m, int a, int b, bool glued, void *context);

static void visit_edges(const struct solid_cells *cells, struct middle *m, edge_visitor *visit,
                        void *context)
{
    size_t cube[3];
    for (int which = 0; which < 8; which++) {
        if (!cube_around(m, which, cube))
            continue;
        const uint8_t *piece = solid_cells_at(cells, cube);
        for (int a = 0; a < 8; a++)
            for (int axis = 0; axis < 3; axis++) {
                int b = a | 1 << axis;
                if ((a & ~m->span) || b == a || (b & ~m->span))
                    continue;
                uint8_t of_a = piece[corner_in_cube(m, which, a)];
                uint8_t of_b = piece[corner_in_cube(m, which, b)];
                if (of_a != NO_PIECE && of_b != NO_PIECE)
                    visit(m, a, b, of_a == of_b, context);
            }
    }
}

static void glue_edge(struct middle *m, int a, int b, bool glued, void *context)
{
    (void)context;
    if (glued)
        glue(m->of, a, b);
}

static struct middle middle_at(const struct solid_cells *cells, const size_t at[3])
{
    struct middle m = {.at = {at[0], at[1], at[2]}};
    for (int a = 0; a < 3; a++)
        m.span |= (int)(at[a] & 1) << a;
    for (int c = 0; c < 8; c++) {
        const size_t point[3] = {point_of(&m, c, 0), point_of(&m, c, 1), point_of(&m, c, 2)};
        bool here = !(c & ~m.span) && rest_lattice_at(cells->lattice, point) != NO_PARTICLE;
        m.of[c] = here ? (uint8_t)c : NO_PIECE;
    }
    visit_edges(cells, &m, glue_edge, NULL);
    return m;
}

/* ---- quarters ---- */

/* The key of the vertex that the cell at `point` has at a middle near it. */
static uint64_t key_of(const struct solid_cells *cells, const size_t at[3], const size_t point[3])
{
    const size_t *n = cells->lattice->lattice.n;
    const struct middle m = middle_at(cells, at);
    int corner = 0;
    for (int a = 0; a < 3; a++)
        corner |= (int)(point[a] - at[a] / 2) << a;
    return (((uint64_t)at[2] * (2 * n[1]) + at[1]) * (2 * n[0]) + at[0]) * 8 + m.of[corner];
}

/* Adds the quarter that lies in one cube between the cell at corner `c` and its neighbor along the
 * axis, turned so that it faces away from the cell. */
static enum status add_quarter(struct slots *slots, const struct solid_cells *cells,
                               const size_t cube[3], int c, int axis, struct error *error)
{
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    bool turned = (c >> axis ^ c >> next ^ c >> last) & 1;
    const size_t point[3] = {cube[0] + (size_t)(c & 1), cube[1] + (size_t)(c >> 1 & 1),
                             cube[2] + (size_t)(c >> 2)};
    size_t at[4][3];
    for (int v = 0; v < 4; v++)
        for (int a = 0; a < 3; a++)
            at[v][a] = 2 * point[a];
    for (int v = 0; v < 4; v++)
        at[v][axis] = 2 * cube[axis] + 1;
    at[1][turned ? last : next] = 2 * cube[turned ? last : next] + 1;
    at[2][next] = 2 * cube[next] + 1;
    at[2][last] = 2 * cube[last] + 1;
    at[3][turned ? next : last] = 2 * cube[turned ? next : last] + 1;
    if (array_reserve(&slots->slot, &slots->capacity, slots->n + 4, sizeof *slots->slot,
                      "the surface of a body", error))
        return STATUS_FAILED;
    for (int v = 0; v < 4; v++) {
        slots->slot[slots->n] = (struct slot){key_of(cells, at[v], point), slots->n};
        slots->n++;
    }
    return STATUS_OK;
}

/* Whether there is a particle at this corner, and its cell is to be seen. */
static bool is_seen(const struct solid_cells *cells, const size_t cube[3], size_t c, uint8_t piece)
{
    if (piece == NO_PIECE || !cells->hidden)
        return piece != NO_PIECE;
    const size_t point[3] = {cube[0] + (c & 1), cube[1] + (c >> 1 & 1), cube[2] + (c >> 2)};
    return !cells->hidden[rest_lattice_at(cells->lattice, point)];
}

static enum status add_cube(struct slots *slots, const struct solid_cells *cells,
                            const size_t cube[3], struct error *error)
{
    const uint8_t *piece = solid_cells_at(cells, cube);
    enum status status = STATUS_OK;
    for (int c = 0; c < 8; c++)
        for (int axis = 0; axis < 3 && !status; axis++)
            if (piece[c] != piece[c ^ 1 << axis] && is_seen(cells, cube, (size_t)c, piece[c]))
                status = add_quarter(slots, cells, cube, c, axis, error);
    return status;
}

static enum status add_cubes(struct slots *slots, const struct solid_cells *cells,
                             struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < cells->n[2]; k++)
        for (size_t j = 0; j < cells->n[1]; j++)
            for (size_t i = 0; i < cells->n[0] && !status; i++)
                status = add_cube(slots, cells, (const size_t[3]){i, j, k}, error);
    return status;
}

/* ---- vertices ---- */

struct cuts {
    const struct rest_lattice *lattice;
    struct vec3 sum; /* of the middles of cut edges, m */
    size_t n;
};

static void add_cut(struct middle *m, int a, int b, bool glued, void *context)
{
    struct cuts *cuts = context;
    size_t at[3];
    if (glued)
        return;
    for (int k = 0; k < 3; k++)
        at[k] = point_of(m, a, k) + point_of(m, b, k);
    cuts->sum = vec3_add(cuts->sum, rest_lattice_halfway(cuts->lattice, at));
    cuts->n++;
}

/* Whether a corner of the span has no particle. */
static bool is_outer(const struct middle *m)
{
    for (int c = 0; c < 8; c++)
        if (!(c & ~m->span) && m->of[c] == NO_PIECE)
            return true;
    return false;
}

/* Moves a point onto the surface of the shape, in several steps because the distance may be a lower
 * bound. If the surface is not near, the point stays. */
static struct vec3 onto_surface(const struct solid *solid, double spacing, struct vec3 from)
{
    enum { STEPS = 8 };
    struct vec3 x = from;
    double distance = solid_distance(solid, x);
    for (int k = 0; k < STEPS && fabs(distance) > 1e-9 * spacing; k++) {
        x = vec3_axpy(x, -distance, solid_normal(solid, x, 1e-4 * spacing));
        distance = solid_distance(solid, x);
    }
    bool near = fabs(distance) < 1e-3 * spacing && vec3_norm(vec3_sub(x, from)) < spacing;
    return near ? x : from;
}

static struct vec3 place_of(const struct solid_cells *cells, const struct solid *solid,
                            struct middle *m)
{
    struct cuts cuts = {.lattice = cells->lattice};
    struct vec3 middle = rest_lattice_halfway(cells->lattice, m->at);
    if (is_outer(m))
        return solid ? onto_surface(solid, cells->lattice->spacing, middle) : middle;
    visit_edges(cells, m, add_cut, &cuts);
    return cuts.n > 0 ? vec3_scale(1.0 / (double)cuts.n, cuts.sum) : middle;
}

static struct middle middle_of_key(const struct solid_cells *cells, uint64_t key)
{
    const size_t *n = cells->lattice->lattice.n;
    uint64_t index = key / 8;
    const size_t at[3] = {index % (2 * n[0]), index / (2 * n[0]) % (2 * n[1]),
                          index / (2 * n[0]) / (2 * n[1])};
    return middle_at(cells, at);
}

static void fill_vertex(struct solid_skin *skin, const struct solid_cells *cells,
                        const struct solid *solid, size_t v, uint64_t key)
{
    struct middle m = middle_of_key(cells, key);
    skin->outer[v] = is_outer(&m);
    for (int c = 0; c < 8; c++) {
        const size_t point[3] = {point_of(&m, c, 0), point_of(&m, c, 1), point_of(&m, c, 2)};
        if (m.of[c] == key % 8)
            skin->owner[v][skin->n_owners[v]++] = rest_lattice_at(cells->lattice, point);
    }
    skin->mesh.vertex[v] = place_of(cells, solid, &m);
}

/* ---- the mesh ---- */

static int compare_slots(const void *left, const void *right)
{
    const struct slot *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* The slots are sorted, so that those of one vertex follow each other. Fills the vertex of each
 * slot, and where the slots of each vertex begin. */
static enum status number_vertices(struct solid_skin *skin, const struct slots *slots,
                                   uint32_t *vertex, size_t *begin, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t s = 0; s < slots->n && !status; s++) {
        if (s == 0 || slots->slot[s].key != slots->slot[s - 1].key) {
            begin[skin->mesh.n_vertices] = s;
            status = triangle_mesh_add_vertex(&skin->mesh, vec3(0, 0, 0), error);
        }
        vertex[slots->slot[s].number] = (uint32_t)(skin->mesh.n_vertices - 1);
    }
    return status;
}

/* Both sides of a crack are cut along the same diagonal. */
static enum status add_triangles(struct solid_skin *skin, size_t n, const uint32_t *vertex,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    for (const uint32_t *v = vertex; v < vertex + n && !status; v += 4) {
        status = triangle_mesh_add(&skin->mesh, v[0], v[1], v[2], error);
        if (!status)
            status = triangle_mesh_add(&skin->mesh, v[0], v[2], v[3], error);
    }
    return status;
}

static enum status add_vertices(struct solid_skin *skin, const struct solid_cells *cells,
                                const struct solid *solid, const struct slots *slots,
                                const size_t *begin, struct error *error)
{
    const size_t n = skin->mesh.n_vertices;
    if (array_create(&skin->outer, n, sizeof *skin->outer, "the surface of a body", error) ||
        array_create(&skin->n_owners, n, sizeof *skin->n_owners, "the surface of a body", error) ||
        array_create(&skin->owner, n, sizeof *skin->owner, "the surface of a body", error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static)
    for (size_t v = 0; v < n; v++)
        fill_vertex(skin, cells, solid, v, slots->slot[begin[v]].key);
    return STATUS_OK;
}

static enum status build(struct solid_skin *skin, const struct solid_cells *cells,
                         const struct solid *solid, struct slots *slots, struct error *error)
{
    uint32_t *vertex = NULL;
    size_t *begin = NULL;
    qsort(slots->slot, slots->n, sizeof *slots->slot, compare_slots);
    enum status status =
        array_create(&vertex, slots->n, sizeof *vertex, "the surface of a body", error);
    if (!status)
        status = array_create(&begin, slots->n, sizeof *begin, "the surface of a body", error);
    if (!status)
        status = number_vertices(skin, slots, vertex, begin, error);
    if (!status)
        status = add_triangles(skin, slots->n, vertex, error);
    if (!status)
        status = add_vertices(skin, cells, solid, slots, begin, error);
    free(vertex);
    free(begin);
    return status;
}

enum status solid_skin_create(struct solid_skin *skin, const struct solid_cells *cells,
                              const struct solid *solid, struct error *error)
{
    struct slots slots = {0};
    *skin = (struct solid_skin){0};
    enum status status = add_cubes(&slots, cells, error);
    if (!status)
        status = build(skin, cells, solid, &slots, error);
    free(slots.slot);
    if (status)
        solid_skin_free(skin);
    return status;
}

void solid_skin_free(struct solid_skin *skin)
{
    triangle_mesh_free(&skin->mesh);
    free(skin->outer);
    free(skin->n_owners);
    free(skin->owner);
    *skin = (struct solid_skin){0};
}
