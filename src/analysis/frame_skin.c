#include "analysis/frame_skin.h"

#include "analysis/frame_skin_parts.h"
#include "base/memory.h"
#include "store/frame_scene.h"
#include "surface/rest_bonds.h"

#include <stdlib.h>
#include <string.h>

enum status frame_skin_append(struct frame_skin *skin, const struct triangle_mesh *mesh,
                              const uint32_t *particle, struct error *error)
{
    const size_t first = skin->mesh.n_vertices;
    enum status status = array_reserve(&skin->particle, &skin->capacity, first + mesh->n_vertices,
                                       sizeof *skin->particle, "the surface of a body", error);
    if (!status)
        status = triangle_mesh_append(&skin->mesh, mesh, error);
    for (size_t v = 0; v < mesh->n_vertices && !status; v++)
        skin->particle[first + v] = particle[v];
    return status;
}

/* Finds the particles of a body, which follow each other. */
static void find_particles(const struct particles *p, size_t body, size_t *first, size_t *n)
{
    *first = 0;
    while (*first < p->n && p->body[*first] != body)
        ++*first;
    for (*n = 0; *first + *n < p->n && p->body[*first + *n] == body;)
        ++*n;
}

static bool has_bonds(const struct bonded *bonded, size_t first, size_t n)
{
    const struct bonded *own = bonded_of(bonded, (uint32_t)first);
    return own && own->start && own->start[first + n - own->begin] > own->start[first - own->begin];
}

static enum status refuse(const struct skin_part *part, const char *what, struct error *error)
{
    return error_set(error, STATUS_INVALID, "--skin: body '%s' of %s %s", part->body->name,
                     part->setting->path, what);
}

static enum status check_body(const struct skin_part *part, struct error *error)
{
    if (part->flows)
        return refuse(part, "is a fluid; --skin is for solids and cloths", error);
    if (!part->setting->embedded && !has_bonds(part->bonded, part->first, part->n))
        return refuse(part,
                      "has no bonds, so that nothing says what its surface is; draw its "
                      "particles with --spheres",
                      error);
    return STATUS_OK;
}

static enum status add_body(struct frame_skin *skin, const struct skin_setting *setting,
                            const struct frame *frame, const struct frame *initial,
                            const struct scene *scene, const struct bonded *bonded, size_t b,
                            struct error *error)
{
    struct skin_part part = {.setting = setting,
                             .frame = frame,
                             .initial = initial,
                             .body = &scene->body[b],
                             .flows = scene_body_flows(scene, b),
                             .breaks = material_breaks(scene_material_of(scene, b)),
                             .bonded = bonded};
    find_particles(&frame->particles, b, &part.first, &part.n);
    enum status status = check_body(&part, error);
    if (status)
        return status;
    bool is_sheet = scene_body_is_layer(scene, b);
    if (setting->embedded && is_sheet)
        return refuse(&part, "is a cloth; a mesh can follow a solid only", error);
    if (setting->embedded)
        return skin_add_embedded(skin, &part, error);
    return is_sheet ? skin_add_cloth(skin, &part, (uint32_t)b, error)
                    : skin_add_solid(skin, &part, error);
}

/* Marks the bodies that are named. */
static enum status choose_named(const struct skin_setting *setting, const struct scene *scene,
                                bool *chosen, struct error *error)
{
    for (const char *name = setting->bodies; *name;) {
        size_t length = strcspn(name, ","), b = 0;
        while (b < scene->n_bodies && (strlen(scene->body[b].name) != length ||
                                       strncmp(scene->body[b].name, name, length) != 0))
            b++;
        if (b == scene->n_bodies)
            return error_set(error, STATUS_INVALID,
                             "--skin: %s has no body '%.*s'; name its bodies, or give all",
                             setting->path, (int)length, name);
        chosen[b] = true;
        name += length + (name[length] == ',');
    }
    return STATUS_OK;
}

/* Of all bodies those that have a surface: no fluids, nothing that is loose, and no rigid body
 * whose particles are no lattice. */
static void choose_all(const struct scene *scene, const struct frame *frame,
                       const struct bonded *bonded, bool *chosen)
{
    for (size_t b = 0; b < scene->n_bodies; b++) {
        size_t first, n;
        find_particles(&frame->particles, b, &first, &n);
        chosen[b] = n > 0 && !scene_body_flows(scene, b) && has_bonds(bonded, first, n) &&
                    !(scene_material_of(scene, b)->model->rigid &&
                      scene->body[b].sampling.method != SAMPLING_LATTICE);
    }
}

static enum status choose(const struct skin_setting *setting, const struct scene *scene,
                          const struct frame *frame, const struct bonded *bonded, bool *chosen,
                          struct error *error)
{
    size_t n = 0;
    enum status status = STATUS_OK;
    if (strcmp(setting->bodies, "all") == 0)
        choose_all(scene, frame, bonded, chosen);
    else
        status = choose_named(setting, scene, chosen, error);
    for (size_t b = 0; b < scene->n_bodies; b++)
        n += chosen[b];
    if (!status && n == 0)
        status =
            error_set(error, STATUS_INVALID,
                      "--skin: %s has no cloth and no solid with bonds; --spheres draws particles",
                      setting->path);
    if (!status && n > 1 && setting->embedded)
        status = error_set(error, STATUS_INVALID,
                           "--embed: the mesh can follow one body; give "
                           "one name to --skin");
    return status;
}

static enum status add_bodies(struct frame_skin *skin, const struct skin_setting *setting,
                              const struct frame *frame, const struct frame *initial,
                              const struct scene *scene, struct error *error)
{
    const struct state_value *broken = state_find(&frame->state, "broken");
    struct rest_bonds bonds = {0};
    bool *chosen;
    if (array_create(&chosen, scene->n_bodies, sizeof *chosen, "bodies", error))
        return STATUS_FAILED;
    enum status status = rest_bonds_create(
        &bonds, scene, &initial->particles, initial->rest_position, initial->n_sheets,
        initial->sheet, broken && broken->data ? broken->rows : 0, broken ? broken->data : NULL,
        error);
    if (!status)
        status = choose(setting, scene, frame, bonds.list, chosen, error);
    for (size_t b = 0; b < scene->n_bodies && !status; b++)
        if (chosen[b])
            status = add_body(skin, setting, frame, initial, scene, bonds.list, b, error);
    rest_bonds_free(&bonds);
    free(chosen);
    return status;
}

enum status frame_skin_create(struct frame_skin *skin, const struct skin_setting *setting,
                              const struct frame *frame, const struct frame *initial,
                              struct error *error)
{
    struct scene scene;
    *skin = (struct frame_skin){0};
    enum status status = frame_scene(initial, setting->path, &scene, error);
    if (!status)
        status = add_bodies(skin, setting, frame, initial, &scene, error);
    scene_free(&scene);
    return status;
}

void frame_skin_free(struct frame_skin *skin)
{
    triangle_mesh_free(&skin->mesh);
    free(skin->particle);
    *skin = (struct frame_skin){0};
}
