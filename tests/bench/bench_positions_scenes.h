/* The scenes of bench_positions.c, which names them, made by hand. */
#ifndef TESTS_BENCH_POSITIONS_SCENES_H
#define TESTS_BENCH_POSITIONS_SCENES_H

#include "base/memory.h"
#include "bench/bench_block.h"
#include "constraints/fields.h"
#include "shape/surface.h"
#include "systems/bonds/bond_models.h"
#include "systems/constrained/rigid_model.h"
#include "systems/sph/fluid_model.h"

#include <string.h>

static const double SPACING = 2.0 * RADIUS;
/* Bodies of the pile are half a meter large, which is a matter of gravity alone. */
static const double PILE_GRAVITY = 9.81 / 6.0;

static inline void stop(const struct error *error)
{
    bench_stop("bench_positions", error);
}

struct bench {
    struct scene scene;
    struct material material[2];
    union {
        struct rigid_material rigid;
        struct mass_spring springs;
        struct fluid_material fluid;
    } parameters;
    struct fluid_material water;
    struct wall wall;
    struct particles particles;
    size_t n_sheets;
    struct sheet sheet[8];
    struct diffuse_source spray;
};

static inline void begin(struct bench *b, const struct material_model *model, size_t bodies,
                         size_t n, uint32_t iterations)
{
    struct error error;
    struct body *body = calloc(bodies, sizeof *body);
    if (!body || particles_create(&b->particles, n, &error))
        exit(1);
    b->material[0] = b->material[1] =
        (struct material){.name = model->name, .model = model, .parameters = &b->parameters};
    for (size_t k = 0; k < bodies; k++)
        body[k] = (struct body){.name = "body", .radius = RADIUS, .particle_mass = MASS};
    b->scene = bench_scene(b->material, body, 8e-3);
    b->scene.n_bodies = bodies;
    b->scene.time.end = 1e3;
    b->scene.time.courant = (double)INFINITY;
    b->scene.contact.method = CONTACT_POSITION_BASED;
    b->scene.contact.friction = 0.6;
    b->scene.contact.static_friction = 0.7;
    b->scene.position = (struct position_settings){
        .iterations = iterations, .omega = 1.0, .averaging = AVERAGING_PARTICLE};
    b->scene.n_walls = 1;
    b->scene.wall = &b->wall;
    for (size_t i = 0; i < n; i++) {
        b->particles.radius[i] = RADIUS;
        b->particles.mass[i] = MASS;
        b->particles.body[i] = (uint32_t)(i * bodies / n);
    }
}

/* A box from z = 0 on around x = y = 0. */
static inline void put_into_box(struct bench *b, double width)
{
    b->wall = (struct wall){.name = "box",
                            .keep = KEEP_INSIDE,
                            .holds = HOLDS_ALL,
                            .region = {.shape = {.kind = SHAPE_BOX, .size = {width, width, 100.0}},
                                       .position = {0.0, 0.0, 50.0},
                                       .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
}

static inline double shaken(uint64_t axis, uint64_t k, double most)
{
    return most * (2.0 * random_uniform(1, axis, k, RANDOM_TEST) - 1.0);
}

/* A place of a lattice of edge x edge x ... whose axis is x = y = 0. */
static inline struct vec3 place(size_t k, size_t edge, double spacing, double jitter)
{
    const double half = 0.5 * (double)(edge - 1);
    return vec3(spacing * ((double)(k % edge) - half) + shaken(0, k, jitter),
                spacing * ((double)(k / edge % edge) - half) + shaken(1, k, jitter),
                spacing * ((double)(k / edge / edge) + 0.5) + shaken(2, k, jitter));
}

/* Blocks of 4 x 4 x 3 particles without the corners of the middle layer; as shapes they have them.
 */
static inline void make_pile(struct bench *b, size_t edge)
{
    enum { EACH = 44 };
    const size_t bodies = edge * edge * edge;
    size_t i = 0;
    b->parameters.rigid.stiffness = 1.0;
    begin(b, &rigid_model, bodies, EACH * bodies, 2);
    put_into_box(b, 4.2 * SPACING * (double)edge);
    b->scene.gravity = vec3(0.0, 0.0, -PILE_GRAVITY);
    for (size_t k = 0; k < bodies; k++) {
        const struct vec3 at = place(k, edge, 4.2 * SPACING, 0.1 * SPACING);
        b->scene.body[k].shape = (struct shape){
            .kind = SHAPE_BOX, .center = at, .size = vec3_scale(SPACING, vec3(4.0, 4.0, 3.0))};
        for (int x = 0; x < 4; x++)
            for (int y = 0; y < 4; y++)
                for (int z = 0; z < 3; z++)
                    if (x % 3 != 0 || y % 3 != 0 || z != 1)
                        b->particles.position[i++] =
                            vec3_axpy(at, SPACING, vec3(x - 1.5, y - 1.5, z - 1.0));
    }
}

static inline void make_fields(struct bench *b, size_t edge)
{
    b->parameters.rigid.field = FIELD_ONE_SIDED;
    make_pile(b, edge);
}

static inline void make_castle(struct bench *b, size_t edge)
{
    begin(b, &loose_model, 1, edge * edge * edge, 12);
    put_into_box(b, 10.0 * SPACING * (double)edge);
    for (size_t k = 0; k < b->particles.n; k++)
        b->particles.position[k] = place(k, edge, SPACING, 0.01 * SPACING);
}

static inline size_t common_factor(size_t a, size_t b)
{
    return b == 0 ? a : common_factor(b, a % b);
}

/* Places a golden section apart follow each other, so that neighbors are far apart in memory. */
static inline void make_shuffled(struct bench *b, size_t edge)
{
    const size_t n = edge * edge * edge;
    size_t step = (size_t)(0.618 * (double)n);
    make_castle(b, edge);
    while (common_factor(step, n) != 1)
        step++;
    for (size_t k = 0; k < n; k++)
        b->particles.position[k] = place(k * step % n, edge, SPACING, 0.01 * SPACING);
}

/* The heavy fluid lies on one of a quarter of its density. */
static inline void make_layers(struct bench *b, size_t edge)
{
    const double width = SPACING * (double)edge;
    b->parameters.fluid.pressure = 1e4;
    b->parameters.fluid.support = 2.0;
    begin(b, &fluid_model, 2, edge * edge * edge, 10);
    b->scene.n_materials = 2;
    b->scene.time.max_step = 3.2e-3;
    b->scene.body[1].material = 1;
    b->scene.body[0].particle_mass = 0.25 * MASS;
    b->scene.position.solid_weight = 1.0;
    b->wall = (struct wall){.name = "box",
                            .keep = KEEP_INSIDE,
                            .region = {.shape = {.kind = SHAPE_BOX, .size = {width, width, width}},
                                       .position = {0.0, 0.0, 0.5 * width},
                                       .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    for (size_t k = 0; k < b->particles.n; k++) {
        b->particles.position[k] = place(k, edge, SPACING, 0.05 * SPACING);
        b->particles.mass[k] = b->scene.body[b->particles.body[k]].particle_mass;
    }
}

/* What fills a ball of this radius with a cubic lattice, less its center; at most n places. */
static inline size_t fill_ball(double radius, size_t n, struct vec3 *at)
{
    const int reach = (int)(radius / SPACING);
    size_t found = 0;
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const struct vec3 own = vec3_scale(SPACING, vec3(x, y, z));
                if (vec3_norm(own) <= radius && found++ < n && at)
                    at[found - 1] = own;
            }
    return found;
}

static inline void place_skin(struct bench *b, size_t k, const struct surface *skin,
                              struct vec3 center)
{
    struct sheet *sheet = &b->sheet[k];
    struct error error;
    *sheet = (struct sheet){.body = (uint32_t)k, .n_triangles = skin->n_triangles};
    if (array_create(&sheet->triangle, skin->n_triangles, sizeof *sheet->triangle, "skin", &error))
        stop(&error);
    for (size_t t = 0; t < 3 * skin->n_triangles; t++)
        sheet->triangle[t / 3][t % 3] = (uint32_t)(k * skin->n) + skin->triangle[t / 3][t % 3];
    for (size_t i = 0; i < skin->n; i++) {
        b->particles.position[k * skin->n + i] = vec3_add(center, skin->position[i]);
        b->particles.body[k * skin->n + i] = (uint32_t)k;
    }
}

/* Two by two by two, on the floor. */
static inline void make_balloons(struct bench *b, size_t edge)
{
    enum { SKINS = 8 };
    const double f = (double)edge, each = 0.5 * sqrt(3.0) * SPACING * SPACING;
    const double radius = sqrt((10.0 * f * f + 2.0) * each / (4.0 * acos(-1.0)));
    const double apart = 2.0 * radius + 1.1 * SPACING, within = radius - SPACING;
    const struct shape ball = {.kind = SHAPE_BALL, .radius = radius};
    struct surface skin;
    struct error error;
    if (surface_create(&skin, &ball, SPACING, &error))
        stop(&error);
    const size_t water = fill_ball(within, 0, NULL);
    b->parameters.springs = (struct mass_spring){.stretch_stiffness = 400.0,
                                                 .bend_stiffness = 20.0,
                                                 .critical_stretch = 0.6,
                                                 .inflation = (double)INFINITY};
    begin(b, &mass_spring_model, SKINS + 1, SKINS * (skin.n + water), 12);
    b->water = (struct fluid_material){.pressure = 1e4, .support = 2.0};
    b->material[1] =
        (struct material){.name = "water", .model = &fluid_model, .parameters = &b->water};
    b->scene.n_materials = 2;
    b->scene.time.max_step = 16e-3 / 3.0;
    b->scene.position.solid_weight = 1.0;
    b->n_sheets = SKINS;
    put_into_box(b, 2.0 * apart + SPACING);
    b->wall.region.shape.size.z = 4.0 * apart;
    b->wall.region.position.z = 2.0 * apart;
    b->scene.body[SKINS].material = 1;
    for (size_t k = 0; k < SKINS; k++) {
        const struct vec3 center = place(k, 2, apart, 0.0);
        struct vec3 *at = b->particles.position + SKINS * skin.n + k * water;
        b->scene.body[k].shape = ball;
        b->scene.body[k].sampling.method = SAMPLING_VERTICES;
        place_skin(b, k, &skin, center);
        fill_ball(within, water, at);
        for (size_t i = 0; i < water; i++) {
            at[i] = vec3_add(center, at[i]);
            b->particles.body[SKINS * skin.n + k * water + i] = SKINS;
        }
    }
    surface_free(&skin);
}

static inline void make_sheet(struct bench *b, size_t edge)
{
    b->parameters.springs = (struct mass_spring){
        .stretch_stiffness = 400.0, .shear_stiffness = 400.0, .bend_stiffness = 20.0};
    begin(b, &mass_spring_model, 1, edge * edge, 4);
    put_into_box(b, 1e3);
    for (size_t k = 0; k < b->particles.n; k++) {
        b->particles.position[k] = vec3_add(place(k, edge, SPACING, 0.0), vec3(0.0, 0.0, 50.0));
        b->particles.state[k] = k < edge ? PARTICLE_FIXED : PARTICLE_FREE;
    }
}

/* Fluid that falls apart, with so many diffuse particles for each of its own. */
static inline void make_fluid(struct bench *b, size_t edge, uint32_t iterations, double each)
{
    const double width = SPACING * (double)edge;
    b->parameters.fluid = (struct fluid_material){.pressure = (double)INFINITY, .support = 2.0};
    begin(b, &fluid_model, 1, edge * edge * edge, iterations);
    put_into_box(b, 2.0 * width);
    b->wall.region.shape.size.z = 4.0 * width;
    b->wall.region.position.z = 2.0 * width;
    b->scene.position.solid_weight = 1.0;
    for (size_t k = 0; k < b->particles.n; k++)
        b->particles.position[k] = place(k, edge, SPACING, 0.05 * SPACING);
    b->spray = (struct diffuse_source){
        .name = "spray",
        .number = (uint32_t)(each * (double)b->particles.n),
        .stop = (double)INFINITY,
        .lifetime = (double)INFINITY,
        .region = {.shape = {.kind = SHAPE_BOX, .size = {width, width, width}},
                   .position = {0.0, 0.0, 0.5 * width},
                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    b->scene.n_diffuse = 1;
    b->scene.diffuse = &b->spray;
}

static inline void make_splash(struct bench *b, size_t edge)
{
    make_fluid(b, edge, 4, 0.6);
}

static inline void make_smoke(struct bench *b, size_t edge)
{
    make_fluid(b, edge, 6, 10.0);
    b->parameters.fluid.buoyancy = 1.2;
    b->parameters.fluid.drag = 10.0;
    b->parameters.fluid.baroclinity = 2.0;
    b->scene.n_walls = 0;
}

#endif
