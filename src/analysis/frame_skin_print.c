#include "analysis/frame_skin.h"
#include "base/memory.h"
#include "surface/pov.h"
#include "surface/skin_pov.h"

#include <stdlib.h>

static enum status add_scalars(struct frame_skin *skin, const struct frame *frame,
                               struct error *error)
{
    const float *of_particle = frame_state(frame, "damage");
    float *body, *fragment, *damage;
    if (triangle_mesh_add_scalar(&skin->mesh, "body", &body, error) ||
        triangle_mesh_add_scalar(&skin->mesh, "fragment", &fragment, error) ||
        triangle_mesh_add_scalar(&skin->mesh, "damage", &damage, error))
        return STATUS_FAILED;
    for (size_t v = 0; v < skin->mesh.n_vertices; v++) {
        uint32_t i = skin->particle[v];
        body[v] = (float)frame->particles.body[i];
        fragment[v] = (float)(frame->fragment ? frame->fragment[i] : 0);
        damage[v] = of_particle ? of_particle[i] : 0.0F;
    }
    return STATUS_OK;
}

/* Prints the particles that are marked as lone, and hides all others, also those of bodies that are
 * not drawn. */
static void print_lone(FILE *stream, const struct skin_setting *setting,
                       const struct particles *particles, const uint8_t *color)
{
    for (size_t i = 0; i < particles->n; i++)
        setting->hidden[i] = setting->hidden[i] != SKIN_LONE;
    pov_print_spheres(stream, particles, color, setting->hidden);
}

static enum status print_colored(FILE *stream, const struct frame_skin *skin,
                                 const struct skin_setting *setting, const struct frame *frame,
                                 enum coloring coloring, struct error *error)
{
    uint8_t *color = NULL, *vertex = NULL;
    enum status status = array_create(&color, frame->particles.n, 1, "colors of particles", error);
    if (!status)
        status = array_create(&vertex, skin->mesh.n_vertices, 1, "colors of vertices", error);
    if (!status)
        status = frame_colors(frame, setting->path, coloring, color, error);
    for (size_t v = 0; !status && v < skin->mesh.n_vertices; v++)
        vertex[v] = color[skin->particle[v]];
    if (!status)
        status = skin_print_pov(stream, &skin->mesh, vertex, error);
    if (!status)
        print_lone(stream, setting, &frame->particles, color);
    free(color);
    free(vertex);
    return status;
}

enum status frame_skin_print(FILE *stream, struct frame_skin *skin,
                             const struct skin_setting *setting, const struct frame *frame,
                             enum mesh_format format, enum coloring coloring, struct error *error)
{
    if (format == MESH_POV)
        return print_colored(stream, skin, setting, frame, coloring, error);
    enum status status = add_scalars(skin, frame, error);
    if (!status)
        mesh_print(stream, &skin->mesh, format);
    return status;
}
