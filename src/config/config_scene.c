/* Builds a scene from a complete tree: materials, bodies and regions. */
#include "base/memory.h"
#include "config/config_copies.h"
#include "config/config_scene_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The scene's memory, filled piece by piece; after a failure nothing more is done. */
struct building {
    struct arena *arena;
    struct error *error;
    enum status status;
};

static const char *copy_text(struct building *b, const char *text)
{
    const char *copy = NULL;
    if (b->status == STATUS_OK)
        b->status = arena_text(b->arena, &copy, text, strlen(text), b->error);
    return copy ? copy : "";
}

static struct origin copy_origin(struct building *b, struct origin origin)
{
    origin.file = copy_text(b, origin.file);
    return origin;
}

static void *new_array(struct building *b, size_t count, size_t size)
{
    void *array = NULL;
    if (b->status == STATUS_OK)
        b->status = arena_array(b->arena, &array, count, size, "the scene", b->error);
    return array;
}

/* Sine and cosine that are exact at quarter turns, so that a lattice turned by 90 degrees is a
 * lattice along the axes. */
static void turn(double degrees, double *c, double *s)
{
    double rest = fmod(degrees, 360.0), pi = acos(-1.0);
    if (rest < 0)
        rest += 360.0;
    if (fmod(rest, 90.0) == 0.0) {
        const double quarter_sine[] = {0, 1, 0, -1, 0};
        int quarter = (int)(rest / 90.0) % 4;
        *s = quarter_sine[quarter];
        *c = quarter_sine[quarter + 1];
        return;
    }
    *s = sin(rest * pi / 180.0);
    *c = cos(rest * pi / 180.0);
}

/* The direction of a vector of any length but zero. */
static struct vec3 unit_vector(struct vec3 axis)
{
    double largest = fmax(fabs(axis.x), fmax(fabs(axis.y), fabs(axis.z)));
    axis = vec3(axis.x / largest, axis.y / largest, axis.z / largest);
    return vec3_scale(1.0 / vec3_norm(axis), axis);
}

/* Rodrigues' formula: R = c 1 + s [n]x + (1 - c) n n^T. */
static void rotation(const struct node *body, const char *key, double matrix[9])
{
    const struct node *node = node_get(body, key);
    struct vec3 n = unit_vector(vector(node, "axis"));
    double c, s;
    turn(number(node, "degrees"), &c, &s);
    const double r[9] = {
        c + (1 - c) * n.x * n.x,       (1 - c) * n.x * n.y - s * n.z, (1 - c) * n.x * n.z + s * n.y,
        (1 - c) * n.y * n.x + s * n.z, c + (1 - c) * n.y * n.y,       (1 - c) * n.y * n.z - s * n.x,
        (1 - c) * n.z * n.x - s * n.y, (1 - c) * n.z * n.y + s * n.x, c + (1 - c) * n.z * n.z};
    memcpy(matrix, r, sizeof r);
}

static void build_material(struct building *b, const struct entry *entry, struct material *m)
{
    const struct node *node = entry->value;
    m->name = copy_text(b, entry->key);
    m->origin = copy_origin(b, node->origin);
    m->model = material_model_find(text(node, "model"));
    void *parameters = new_array(b, 1, m->model->size);
    if (parameters)
        tree_read_parameters(node, m->model, parameters);
    m->parameters = parameters;
}

/* One field of struct shape that a kind of shape may have: filled if the key is there. */
static const struct {
    const char *key;
    size_t offset;
} shape_number[] = {
    {"radius", offsetof(struct shape, radius)},
    {"tube", offsetof(struct shape, tube)},
    {"thickness", offsetof(struct shape, thickness)},
    {"height", offsetof(struct shape, height)},
    {"initial_strain", offsetof(struct shape, initial_strain)},
    {"scale", offsetof(struct shape, scale)},
};

static void build_shape(struct building *b, const struct node *node, struct shape *shape);

static void build_children(struct building *b, const struct node *list, struct shape *shape)
{
    shape->child = new_array(b, list->n, sizeof *shape->child);
    if (!shape->child)
        return;
    shape->n_children = list->n;
    for (size_t i = 0; i < list->n; i++)
        build_shape(b, list->entry[i].value, &shape->child[i]);
}

static void build_shape(struct building *b, const struct node *node, struct shape *shape)
{
    const struct node *inner = node->entry[0].value;
    shape->kind = CHOICE_OF(SHAPES, node->entry[0].key);
    shape->origin = copy_origin(b, node->entry[0].origin);
    if (inner->kind == NODE_SEQUENCE) {
        build_children(b, inner, shape);
        return;
    }
    for (size_t i = 0; i < sizeof shape_number / sizeof shape_number[0]; i++) {
        const struct node *value = node_get(inner, shape_number[i].key);
        if (value)
            memcpy((char *)shape + shape_number[i].offset, &value->number, sizeof(double));
    }
    if (node_get(inner, "center"))
        shape->center = vector(inner, "center");
    if (shape->kind == SHAPE_BOX)
        shape->size = vector(inner, "size");
    if (shape->kind == SHAPE_MESH) {
        shape->file = copy_text(b, text(inner, "file"));
        if (node_get(inner, "digest"))
            shape->digest = copy_text(b, text(inner, "digest"));
        shape->origin = copy_origin(b, node_get(inner, "file")->origin);
    }
    for (size_t i = 0; shape->kind == SHAPE_SHEET && i < 2; i++)
        shape->cells[i] = (uint32_t)node_get(inner, "cells")->entry[i].value->count;
}

static unsigned fixed_parts(const struct node *fixed)
{
    static const unsigned part[] = {FIXED_PARTS(CHOICE_VALUE)};
    if (fixed->kind == NODE_SCALAR)
        return part[CHOICE_OF(FIXED_PARTS, fixed->text)];
    unsigned parts = FIXED_NONE;
    for (size_t i = 0; i < fixed->n; i++)
        parts |= part[CHOICE_OF(FIXED_PARTS, fixed->entry[i].value->text)];
    return parts;
}

static void build_fixed(struct building *b, const struct node *node, struct body *body)
{
    const struct node *region = node_get(node, "fixed_in");
    body->fixed = fixed_parts(node_get(node, "fixed"));
    if (region)
        body->fixed_in = new_array(b, 1, sizeof *body->fixed_in);
    if (body->fixed_in)
        build_shape(b, region, body->fixed_in);
}

static void build_velocity(const struct node *node, struct body *body)
{
    const struct node *gradient = node_get(node, "velocity_gradient");
    const struct vec3 row[3] = {vector(gradient, "vx"), vector(gradient, "vy"),
                                vector(gradient, "vz")};
    body->velocity = vector(node, "velocity");
    body->spin = vector(node, "spin");
    for (size_t k = 0; k < 3; k++) {
        body->velocity_gradient[3 * k] = row[k].x;
        body->velocity_gradient[3 * k + 1] = row[k].y;
        body->velocity_gradient[3 * k + 2] = row[k].z;
    }
}

static void build_sampling(struct building *b, const struct node *node, struct body *body)
{
    const struct node *sampling = node_get(node, "sampling");
    if (!sampling)
        return;
    body->sampling = (struct sampling_settings){
        .given = true,
        .method = (enum way_of_sampling)CHOICE_OF(SAMPLINGS, text(sampling, "method")),
        .start = number(sampling, "start"),
        .initial_strain = number(sampling, "initial_strain"),
        .origin = copy_origin(b, sampling->origin),
    };
}

static size_t material_index(const struct scene *scene, const char *name)
{
    size_t i = 0;
    while (i + 1 < scene->n_materials && strcmp(scene->material[i].name, name) != 0)
        i++;
    return i;
}

static void build_body(struct building *b, const struct scene *scene, const struct entry *entry,
                       struct body *body)
{
    const struct node *node = entry->value, *mass = node_get(node, "particle_mass");
    body->name = copy_text(b, entry->key);
    body->origin = copy_origin(b, node->origin);
    build_shape(b, node_get(node, "shape"), &body->shape);
    body->material = material_index(scene, text(node, "material"));
    body->radius = number(node, "radius");
    double spacing = 2 * body->radius;
    body->density = mass ? 0 : number(node, "density");
    body->mass_from = CHOSEN(MASSES_FROM, node, "mass_from");
    body->particle_mass = mass ? mass->number : body->density * spacing * spacing * spacing;
    body->position = vector(node, "position");
    rotation(node, "rotation", body->rotation);
    rotation(node, "lattice_rotation", body->lattice_rotation);
    body->jitter = number(node, "jitter");
    body->start = CHOSEN(BODY_STARTS, node, "start");
    body->self_contact = CHOSEN(SELF_CONTACTS, node, "self_contact");
    body->ties = CHOSEN(BODY_TIES, node, "ties");
    body->without_smoke = CHOSEN(FLUID_ALONE, node, "without_smoke");
    build_sampling(b, node, body);
    build_velocity(node, body);
    build_fixed(b, node, body);
    const struct node *inlet = node_get(node, "inlet");
    if (inlet)
        body->inlet = (struct inlet){true, vector(inlet, "point"),
                                     copy_origin(b, node_get(inlet, "point")->origin)};
}

/* Builds the bodies that one mapping describes; returns how many. They share what they have in
 * common. */
static size_t build_copies(struct building *b, struct scene *scene, const struct entry *entry,
                           size_t first)
{
    char name[256];
    const size_t n = (size_t)copies_number(entry->value);
    build_body(b, scene, entry, &scene->body[first]);
    const struct body one = scene->body[first];
    for (size_t k = 0; node_get(entry->value, "copies") && k < n; k++) {
        struct body *body = &scene->body[first + k];
        *body = one;
        body->copy = k;
        snprintf(name, sizeof name, "%.220s-%zu", entry->key, k + 1);
        body->name = copy_text(b, name);
        copies_place(entry->value, scene->seed, first + k, body);
    }
    return n;
}

static size_t body_index(const struct scene *scene, const char *name)
{
    size_t i = 0;
    while (i + 1 < scene->n_bodies && strcmp(scene->body[i].name, name) != 0)
        i++;
    return i;
}

static void build_motion(struct building *b, const struct scene *scene, const struct entry *entry,
                         struct prescribed *motion)
{
    const struct node *node = entry->value, *region = node_get(node, "region");
    const struct node *turning = node_get(node, "turning");
    *motion = (struct prescribed){.name = copy_text(b, entry->key),
                                  .body = body_index(scene, text(node, "body")),
                                  .velocity = vector(node, "velocity"),
                                  .amplitude = vector(node, "amplitude"),
                                  .frequency = number(node, "frequency"),
                                  .axis = unit_vector(vector(turning, "axis")),
                                  .center = vector(turning, "center"),
                                  .turns = number(turning, "turns"),
                                  .start = number(node, "start"),
                                  .stop = number(node, "stop"),
                                  .ramp = number(node, "ramp"),
                                  .origin = copy_origin(b, node->origin)};
    if (region)
        motion->region = new_array(b, 1, sizeof *motion->region);
    if (motion->region)
        build_shape(b, region, motion->region);
}

/* To be called when bodies are in their final order, since motions refer to them by index. */
static void build_motions(struct building *b, const struct node *root, struct scene *scene)
{
    const struct node *motions = node_get(root, "motions");
    scene->prescribed = new_array(b, motions->n, sizeof *scene->prescribed);
    for (size_t i = 0; scene->prescribed && i < motions->n; i++, scene->n_prescribed++)
        build_motion(b, scene, &motions->entry[i], &scene->prescribed[i]);
}

static void build_placed(struct building *b, const struct node *node, struct placed_shape *placed)
{
    build_shape(b, node_get(node, "shape"), &placed->shape);
    placed->position = vector(node, "position");
    rotation(node, "rotation", placed->rotation);
}

static void build_outlets(struct building *b, const struct node *root, struct scene *scene)
{
    const struct node *outlets = node_get(root, "outlets");
    scene->outlet = new_array(b, outlets->n, sizeof *scene->outlet);
    for (size_t i = 0; scene->outlet && i < outlets->n; i++, scene->n_outlets++) {
        const struct entry *entry = &outlets->entry[i];
        scene->outlet[i].name = copy_text(b, entry->key);
        scene->outlet[i].origin = copy_origin(b, entry->value->origin);
        build_placed(b, entry->value, &scene->outlet[i].region);
    }
}

static void build_diffuse(struct building *b, const struct node *root, struct scene *scene)
{
    const struct node *sources = node_get(root, "diffuse");
    scene->diffuse = new_array(b, sources->n, sizeof *scene->diffuse);
    for (size_t i = 0; scene->diffuse && i < sources->n; i++, scene->n_diffuse++) {
        const struct node *node = sources->entry[i].value;
        struct diffuse_source *source = &scene->diffuse[i];
        *source = (struct diffuse_source){.name = copy_text(b, sources->entry[i].key),
                                          .number = count(node, "number"),
                                          .rate = number(node, "rate"),
                                          .start = number(node, "start"),
                                          .stop = number(node, "stop"),
                                          .velocity = vector(node, "velocity"),
                                          .lifetime = number(node, "lifetime"),
                                          .alone = CHOSEN(DIFFUSE_ALONE, node, "alone"),
                                          .origin = copy_origin(b, node->origin)};
        build_placed(b, node, &source->region);
    }
}

static void build_walls(struct building *b, const struct node *root, struct scene *scene)
{
    const struct node *walls = node_get(root, "walls");
    scene->wall = new_array(b, walls->n, sizeof *scene->wall);
    for (size_t i = 0; scene->wall && i < walls->n; i++, scene->n_walls++) {
        const struct entry *entry = &walls->entry[i];
        struct wall *wall = &scene->wall[i];
        wall->name = copy_text(b, entry->key);
        wall->origin = copy_origin(b, entry->value->origin);
        build_placed(b, entry->value, &wall->region);
        wall->keep = CHOSEN(WALL_SIDES, entry->value, "keep");
        wall->holds = CHOSEN(WALL_HOLDS, entry->value, "holds");
    }
}

static size_t system_rank(const struct scene *scene, const struct body *body)
{
    const struct material_model *model = scene->material[body->material].model;
    size_t family = material_model_family(model);
    size_t within = model_family_at(family)->apart ? body->material : 0;
    return family * scene->n_materials + within;
}

/* Sorts bodies by system, and within a system by name, as before, so that the particles of each
 * system follow each other. */
static void order_bodies(struct scene *scene)
{
    for (size_t i = 1; i < scene->n_bodies; i++) {
        struct body body = scene->body[i];
        size_t k = i;
        for (; k > 0 && system_rank(scene, &scene->body[k - 1]) > system_rank(scene, &body); k--)
            scene->body[k] = scene->body[k - 1];
        scene->body[k] = body;
    }
}

static void build_lists(struct building *b, const struct node *root, struct scene *scene)
{
    const struct node *materials = node_get(root, "materials"), *bodies = node_get(root, "bodies");
    scene->material = new_array(b, materials->n, sizeof *scene->material);
    double n_bodies = 0.0;
    for (size_t i = 0; i < bodies->n; i++)
        n_bodies += copies_number(bodies->entry[i].value);
    scene->body = new_array(b, (size_t)n_bodies, sizeof *scene->body);
    if (b->status != STATUS_OK)
        return;
    scene->n_materials = materials->n;
    for (size_t i = 0; i < materials->n; i++)
        build_material(b, &materials->entry[i], &scene->material[i]);
    for (size_t i = 0; i < bodies->n; i++)
        scene->n_bodies += build_copies(b, scene, &bodies->entry[i], scene->n_bodies);
    order_bodies(scene);
    build_motions(b, root, scene);
    build_outlets(b, root, scene);
    build_walls(b, root, scene);
    build_diffuse(b, root, scene);
}

enum status config_scene(const struct config *config, struct scene *scene, struct error *error)
{
    struct arena *arena;
    *scene = (struct scene){0};
    enum status status = array_create(&arena, 1, sizeof *arena, "the scene", error);
    if (status != STATUS_OK)
        return status;
    scene->strings = arena;
    struct building b = {arena, error, STATUS_OK};
    scene->name = copy_text(&b, text(config->root, "name"));
    config_scene_settings(config->root, scene);
    build_lists(&b, config->root, scene);
    if (b.status != STATUS_OK)
        scene_free(scene);
    return b.status;
}

void scene_free(struct scene *scene)
{
    if (scene->strings)
        arena_free(scene->strings);
    free(scene->strings);
    *scene = (struct scene){0};
}
