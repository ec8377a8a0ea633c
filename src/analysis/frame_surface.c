#include "analysis/frame_surface.h"

#include "base/memory.h"
#include "store/frame_scene.h"
#include "surface/coloring.h"

#include <stdlib.h>
#include <string.h>

/* ---- which bodies ---- */

static bool is_word(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && strncmp(name, word, length) == 0;
}

/* Marks the bodies that one word means; returns how many. */
static size_t choose_word(const struct scene *scene, const char *word, size_t length, bool *chosen)
{
    size_t n = 0;
    for (size_t b = 0; b < scene->n_bodies; b++) {
        const struct material_model *model = scene_material_of(scene, b)->model;
        bool is_meant = is_word(scene->body[b].name, word, length) ||
                        (model->flows && is_word(model->name, word, length)) ||
                        (model->flows && is_word("all", word, length));
        chosen[b] |= is_meant;
        n += is_meant;
    }
    return n;
}

static enum status choose(const struct surface_setting *setting, const struct scene *scene,
                          bool *chosen, struct error *error)
{
    for (const char *word = setting->bodies; *word;) {
        size_t length = strcspn(word, ",");
        if (choose_word(scene, word, length, chosen) == 0)
            return error_set(error, STATUS_INVALID,
                             "--surface: %s has no fluid '%.*s'; name its fluids, their model, or "
                             "give all",
                             setting->path, (int)length, word);
        word += length + (word[length] == ',');
    }
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (chosen[b] && !scene_body_flows(scene, b))
            return error_set(error, STATUS_INVALID,
                             "--surface: body '%s' of %s is no fluid; draw its particles with "
                             "--spheres",
                             scene->body[b].name, setting->path);
    return STATUS_OK;
}

/* ---- their particles ---- */

struct fluid {
    size_t n;
    uint32_t body; /* the first one */
    struct vec3 *position;
    double *radius;
};

/* Gathers the particles of the chosen bodies of a material; the arrays have room for all
 * particles. */
static void gather(const struct surface_setting *setting, const struct frame *frame,
                   const struct scene *scene, const bool *chosen, size_t material,
                   struct fluid *fluid)
{
    const struct particles *p = &frame->particles;
    fluid->n = 0;
    fluid->body = UINT32_MAX;
    for (size_t i = 0; i < p->n; i++) {
        uint32_t b = p->body[i];
        if (!chosen[b] || scene->body[b].material != material ||
            (setting->hidden && setting->hidden[i]))
            continue;
        fluid->body = b < fluid->body ? b : fluid->body;
        fluid->position[fluid->n] = p->position[i];
        fluid->radius[fluid->n++] = p->radius[i];
    }
}

static enum status add_materials(struct frame_surface *surface,
                                 const struct surface_setting *setting, const struct frame *frame,
                                 const struct scene *scene, struct fluid *fluid,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t m = 0; m < scene->n_materials && !status; m++) {
        gather(setting, frame, scene, surface->chosen, m, fluid);
        if (fluid->n == 0)
            continue;
        struct material_surface *part = &surface->part[surface->n++];
        part->body = fluid->body;
        status = fluid_surface(&setting->options, fluid->n, fluid->position, fluid->radius,
                               &part->mesh, error);
    }
    return status;
}

static enum status make(struct frame_surface *surface, const struct surface_setting *setting,
                        const struct frame *frame, const struct scene *scene, struct error *error)
{
    struct fluid fluid = {0};
    size_t n = frame->particles.n;
    enum status status =
        array_create(&surface->chosen, scene->n_bodies, sizeof *surface->chosen, "bodies", error);
    if (!status)
        status = array_create(&surface->part, scene->n_materials, sizeof *surface->part,
                              "surfaces of fluids", error);
    if (!status)
        status = choose(setting, scene, surface->chosen, error);
    if (!status)
        status = array_create(&fluid.position, n, sizeof *fluid.position, "positions", error);
    if (!status)
        status = array_create(&fluid.radius, n, sizeof *fluid.radius, "radii", error);
    if (!status)
        status = add_materials(surface, setting, frame, scene, &fluid, error);
    free(fluid.position);
    free(fluid.radius);
    return status;
}

enum status frame_surface_create(struct frame_surface *surface,
                                 const struct surface_setting *setting, const struct frame *frame,
                                 struct error *error)
{
    struct scene scene;
    *surface = (struct frame_surface){0};
    enum status status = frame_scene(frame, setting->path, &scene, error);
    if (!status)
        status = make(surface, setting, frame, &scene, error);
    scene_free(&scene);
    return status;
}

/* ---- output ---- */

enum status frame_surface_print(FILE *stream, const struct frame_surface *surface,
                                enum mesh_format format, struct error *error)
{
    struct triangle_mesh all = {0};
    enum status status = STATUS_OK;
    for (size_t k = 0; k < surface->n && !status; k++)
        status = triangle_mesh_append(&all, &surface->part[k].mesh, error);
    if (!status)
        status = triangle_mesh_find_normals(&all, error);
    if (!status)
        mesh_print(stream, &all, format);
    triangle_mesh_free(&all);
    return status;
}

void frame_surface_print_pov(FILE *stream, const struct frame_surface *surface,
                             const struct cut *cut)
{
    for (size_t k = 0; k < surface->n; k++)
        pov_print_surface(stream, &surface->part[k].mesh,
                          color_rgb(color_of_fluid(surface->part[k].body)), cut);
}

void frame_surface_free(struct frame_surface *surface)
{
    for (size_t k = 0; k < surface->n; k++)
        triangle_mesh_free(&surface->part[k].mesh);
    free(surface->part);
    free(surface->chosen);
    *surface = (struct frame_surface){0};
}
