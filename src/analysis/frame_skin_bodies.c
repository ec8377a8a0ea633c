/* Surfaces of solids and cloths, and meshes that follow solids. */
#include "analysis/frame_skin_parts.h"
#include "base/memory.h"
#include "surface/cloth_skin.h"
#include "surface/embedded_mesh.h"
#include "surface/kernel_skin.h"
#include "surface/solid_skin.h"

#include <stdlib.h>

/* ---- solids ---- */

static enum status follow(struct solid_skin *solid, const struct skin_part *part,
                          struct error *error)
{
    const struct vec3 *rest = part->initial->rest_position;
    const struct vec3 *position = part->frame->particles.position;
    struct gradient *gradient;
    if (array_create(&gradient, part->n, sizeof *gradient, "deformation gradients", error))
        return STATUS_FAILED;
    enum status status = gradients_find(gradient, part->first, part->n, part->bonded, rest,
                                        position, part->body->rotation, error);
    if (!status)
        solid_skin_follow(solid, rest, position, part->first, gradient);
    free(gradient);
    return status;
}

static enum status append_solid(struct frame_skin *skin, const struct solid_skin *solid,
                                struct error *error)
{
    uint32_t *particle;
    const size_t n = solid->mesh.n_vertices;
    if (array_create(&particle, n, sizeof *particle, "the surface of a body", error))
        return STATUS_FAILED;
    for (size_t v = 0; v < n; v++)
        particle[v] = solid->owner[v][0];
    enum status status = frame_skin_append(skin, &solid->mesh, particle, error);
    free(particle);
    return status;
}

static enum status add_cells(struct frame_skin *skin, const struct skin_part *part,
                             const struct rest_lattice *lattice, const struct solid *shape,
                             struct error *error)
{
    struct solid_cells cells;
    struct solid_skin solid = {0};
    const uint32_t *fragment = part->breaks ? part->frame->fragment : NULL;
    enum status status =
        solid_cells_create(&cells, lattice, part->bonded, fragment, part->setting->hidden, error);
    if (!status)
        status = solid_skin_create(&solid, &cells, shape, error);
    if (!status)
        status = follow(&solid, part, error);
    if (!status)
        status = append_solid(skin, &solid, error);
    solid_skin_free(&solid);
    solid_cells_free(&cells);
    return status;
}

/* Marks the particles that no whole bond joins to another. */
static enum status mark_lone(const struct skin_part *part, struct error *error)
{
    const uint32_t *fragment = part->frame->fragment;
    uint32_t *size;
    if (!part->setting->lone_apart || !part->breaks || !fragment)
        return STATUS_OK;
    if (array_create(&size, part->n, sizeof *size, "sizes of fragments", error))
        return STATUS_FAILED;
    for (size_t i = part->first; i < part->first + part->n; i++)
        size[fragment[i] - part->first]++;
    for (size_t i = part->first; i < part->first + part->n; i++)
        if (size[fragment[i] - part->first] == 1 && !part->setting->hidden[i])
            part->setting->hidden[i] = SKIN_LONE;
    free(size);
    return STATUS_OK;
}

enum status skin_add_solid(struct frame_skin *skin, const struct skin_part *part,
                           struct error *error)
{
    struct solid *shape;
    struct rest_lattice lattice;
    enum status status = solid_create(&shape, &part->body->shape, error);
    if (status)
        return status;
    status = rest_lattice_create(&lattice, shape, part->body, part->first, part->n, error);
    if (!status)
        status = mark_lone(part, error);
    if (!status)
        status = add_cells(skin, part, &lattice, shape, error);
    rest_lattice_free(&lattice);
    solid_free(shape);
    return status;
}

/* ---- cloths ---- */

/* Appends the surface of a cloth, without its normals. */
static enum status append_cloth(struct frame_skin *skin, const struct cloth_skin *cloth,
                                struct error *error)
{
    struct triangle_mesh bare = cloth->mesh;
    bare.normal = NULL;
    return frame_skin_append(skin, &bare, cloth->owner, error);
}

enum status skin_add_cloth(struct frame_skin *skin, const struct skin_part *part, uint32_t body,
                           struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t s = 0; s < part->initial->n_sheets && !status; s++) {
        const struct sheet *sheet = &part->initial->sheet[s];
        struct cloth_skin cloth;
        if (sheet->body != body)
            continue;
        status = cloth_skin_create(&cloth, sheet, part->bonded, part->frame->particles.position,
                                   part->setting->thickness, error);
        if (!status)
            status = append_cloth(skin, &cloth, error);
        cloth_skin_free(&cloth);
    }
    return status;
}

/* ---- meshes ---- */

static bool is_in_pieces(const struct skin_part *part)
{
    const uint32_t *fragment = part->breaks ? part->frame->fragment : NULL;
    for (size_t i = part->first; fragment && i < part->first + part->n; i++)
        if (fragment[i] != fragment[part->first])
            return true;
    return false;
}

/* If the shape of the body is a mesh, its scale and center place the vertices in the body's frame;
 * for any other shape they are in that frame already. */
static void place_in_body(struct triangles *triangles, const struct shape *shape)
{
    for (size_t v = 0; shape->kind == SHAPE_MESH && v < triangles->n_vertices; v++)
        triangles->vertex[v] = vec3_axpy(shape->center, shape->scale, triangles->vertex[v]);
}

/* Moves each vertex with the particles of the lattice around it. */
static enum status follow_lattice(struct triangle_mesh *mesh, const struct skin_part *part,
                                  const struct triangles *triangles, struct error *error)
{
    struct solid *shape;
    struct rest_lattice lattice;
    enum status status = solid_create(&shape, &part->body->shape, error);
    if (status)
        return status;
    status = rest_lattice_create(&lattice, shape, part->body, part->first, part->n, error);
    if (!status) {
        status = embedded_mesh_follow(mesh, triangles, &lattice, part->initial->rest_position,
                                      part->frame->particles.position, part->body->rotation, error);
        if (status)
            error_prefix(error, "%s", part->setting->embedded);
    }
    rest_lattice_free(&lattice);
    solid_free(shape);
    return status;
}

/* Moves each vertex by the deformation gradients of the particles around it. */
static enum status follow_gradients(struct triangle_mesh *mesh, const struct skin_part *part,
                                    const struct triangles *triangles, struct error *error)
{
    struct kernel_skin *skin;
    enum status status = kernel_skin_create(&skin, triangles->n_vertices, triangles->vertex,
                                            part->n, part->initial->rest_position + part->first,
                                            2.0 * part->body->radius, error);
    if (status)
        return error_prefix(error, "%s", part->setting->embedded);
    for (size_t v = 0; v < triangles->n_vertices && !status; v++)
        status = triangle_mesh_add_vertex(mesh, triangles->vertex[v], error);
    for (size_t t = 0; t < triangles->n_faces && !status; t++) {
        const uint32_t *v = triangles->face[t];
        status = triangle_mesh_add(mesh, v[0], v[1], v[2], error);
    }
    if (!status)
        kernel_skin_follow(skin, part->frame->particles.position + part->first, mesh->vertex);
    kernel_skin_free(skin);
    return status;
}

static enum status add_triangles(struct frame_skin *skin, const struct skin_part *part,
                                 const struct triangles *triangles, struct error *error)
{
    struct triangle_mesh mesh = {0};
    uint32_t *particle = NULL;
    enum status status = part->setting->follow == FOLLOW_KERNEL
                             ? follow_gradients(&mesh, part, triangles, error)
                             : follow_lattice(&mesh, part, triangles, error);
    if (!status)
        status = array_create(&particle, mesh.n_vertices, sizeof *particle, "the surface of a body",
                              error);
    for (size_t v = 0; !status && v < mesh.n_vertices; v++)
        particle[v] = (uint32_t)part->first;
    if (!status)
        status = frame_skin_append(skin, &mesh, particle, error);
    free(particle);
    triangle_mesh_free(&mesh);
    return status;
}

enum status skin_add_embedded(struct frame_skin *skin, const struct skin_part *part,
                              struct error *error)
{
    struct triangles triangles = {0};
    if (is_in_pieces(part))
        return error_set(error, STATUS_INVALID,
                         "--embed: body '%s' of %s is in pieces, and a mesh that follows it does "
                         "not tear; give --skin alone",
                         part->body->name, part->setting->path);
    enum status status = triangles_read(&triangles, part->setting->embedded, error);
    if (!status) {
        place_in_body(&triangles, &part->body->shape);
        status = add_triangles(skin, part, &triangles, error);
    }
    triangles_free(&triangles);
    return status;
}
