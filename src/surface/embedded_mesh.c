#include "surface/embedded_mesh.h"

#include "surface/gradient.h"

#include <string.h>

enum { FARTHEST = 8 }; /* spacings */

struct following {
    const struct rest_lattice *lattice;
    const struct vec3 *rest, *position;
    const double *start;
};

/* The particles around a place, with their weights. */
struct neighborhood {
    double weight;
    struct vec3 rest, now; /* weighted sums, then means */
    struct moments moments;
};

/* Visits the lattice points within reach spacings of the place `at`, given in spacings. */
typedef void point_visitor(const struct following *f, uint32_t particle, double weight,
                           struct neighborhood *hood);

static void visit_points(const struct following *f, struct vec3 at, double reach,
                         point_visitor *visit, struct neighborhood *hood)
{
    const double place[3] = {at.x, at.y, at.z};
    size_t low[3], high[3];
    for (int a = 0; a < 3; a++) {
        double most = (double)f->lattice->lattice.n[a];
        low[a] = (size_t)fmin(most, fmax(0.0, ceil(place[a] - reach)));
        high[a] = (size_t)fmin(most, fmax(0.0, floor(place[a] + reach) + 1.0));
    }
    for (size_t k = low[2]; k < high[2]; k++)
        for (size_t j = low[1]; j < high[1]; j++)
            for (size_t i = low[0]; i < high[0]; i++) {
                uint32_t particle = rest_lattice_at(f->lattice, (const size_t[3]){i, j, k});
                struct vec3 offset = vec3_sub(vec3((double)i, (double)j, (double)k), at);
                double near = 1.0 - vec3_norm2(offset) / (reach * reach);
                if (particle != NO_PARTICLE && near > 0.0)
                    visit(f, particle, near * near * near, hood);
            }
}

static void add_place(const struct following *f, uint32_t i, double weight,
                      struct neighborhood *hood)
{
    hood->weight += weight;
    hood->rest = vec3_axpy(hood->rest, weight, f->rest[i]);
    hood->now = vec3_axpy(hood->now, weight, f->position[i]);
}

static void add_offset(const struct following *f, uint32_t i, double weight,
                       struct neighborhood *hood)
{
    moments_add(&hood->moments, weight, vec3_sub(f->rest[i], hood->rest),
                vec3_sub(f->position[i], hood->now));
}

static void look_around(const struct following *f, struct vec3 at, double reach,
                        struct neighborhood *hood)
{
    *hood = (struct neighborhood){0};
    visit_points(f, at, reach, add_place, hood);
    if (!(hood->weight > 0.0))
        return;
    hood->rest = vec3_scale(1.0 / hood->weight, hood->rest);
    hood->now = vec3_scale(1.0 / hood->weight, hood->now);
    visit_points(f, at, reach, add_offset, hood);
}

/* Moves a vertex. The reach grows until the particles within it span the space; false if there is
 * none within the farthest reach. */
static bool follow(const struct following *f, struct vec3 *x)
{
    const struct lattice *l = &f->lattice->lattice;
    double scale = 1.0 / (f->lattice->spacing * f->lattice->spacing);
    struct vec3 offset = vec3_scale(scale, vec3_sub(*x, l->origin));
    struct vec3 at = vec3(vec3_dot(offset, l->axis[0]), vec3_dot(offset, l->axis[1]),
                          vec3_dot(offset, l->axis[2]));
    struct neighborhood hood = {0};
    struct gradient g;
    bool spatial = false;
    for (double reach = 2.5; !spatial && reach <= FARTHEST; reach += 1.0) {
        look_around(f, at, reach, &hood);
        spatial = hood.weight > 0.0 && moments_spatial(&hood.moments);
    }
    memcpy(g.m, f->start, sizeof g.m);
    if (spatial)
        moments_solve(&hood.moments, &g);
    else
        rotation_towards(hood.moments.a, g.m);
    *x = vec3_add(hood.now, gradient_times(&g, vec3_sub(*x, hood.rest)));
    return hood.weight > 0.0;
}

static enum status follow_all(const struct following *f, struct triangle_mesh *mesh, size_t first,
                              struct error *error)
{
    size_t lost = SIZE_MAX;
#pragma omp parallel for schedule(static) reduction(min : lost)
    for (size_t v = first; v < mesh->n_vertices; v++)
        if (!follow(f, &mesh->vertex[v]) && v < lost)
            lost = v;
    if (lost == SIZE_MAX)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "vertex %zu of the mesh is more than %d spacings from every particle; a mesh "
                     "in the frame and the size of the body would be right",
                     lost - first, FARTHEST);
}

enum status embedded_mesh_follow(struct triangle_mesh *mesh, const struct triangles *triangles,
                                 const struct rest_lattice *lattice, const struct vec3 *rest,
                                 const struct vec3 *position, const double start[9],
                                 struct error *error)
{
    const struct following f = {lattice, rest, position, start};
    const uint32_t first = (uint32_t)mesh->n_vertices;
    enum status status = STATUS_OK;
    for (size_t v = 0; v < triangles->n_vertices && !status; v++)
        status = triangle_mesh_add_vertex(mesh, triangles->vertex[v], error);
    for (size_t t = 0; t < triangles->n_faces && !status; t++) {
        const uint32_t *v = triangles->face[t];
        status = triangle_mesh_add(mesh, first + v[0], first + v[1], first + v[2], error);
    }
    return status ? status : follow_all(&f, mesh, first, error);
}
