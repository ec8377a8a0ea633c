/* Small scenes made by hand, for tests of the systems and of the time step: a struct scene with its
 * particles, filled body by body. */
#ifndef TESTS_SCENES_H
#define TESTS_SCENES_H

#include "config/fluid_keys.h"
#include "particles/random.h"
#include "step/simulation.h"
#include "systems/bonds/bond_models.h"
#include "systems/bonds/bond_network_parts.h"
#include "systems/constrained/rigid_model.h"
#include "systems/corotated/corotated_model.h"
#include "systems/dfsph/dfsph_model.h"
#include "systems/flip/flip_model.h"
#include "systems/sph/fluid_model.h"
#include "tap.h"

#include <omp.h>

/* The rotation of a wall that is not turned. */
#define UPRIGHT                                                                                    \
    {                                                                                              \
        1, 0, 0, 0, 1, 0, 0, 0, 1                                                                  \
    }

enum { SCENE_MATERIALS = 8, SCENE_BODIES = 16, SCENE_PARTICLES = 20000 };

union hand_parameters {
    struct mass_spring springs;
    struct peridynamics bonds;
    struct fluid_material fluid;
    struct flip_material flip;
    struct dfsph_material dfsph;
    struct corotated_material corotated;
    struct rigid_material rigid;
};

struct hand_scene {
    struct scene scene;
    struct material material[SCENE_MATERIALS];
    union hand_parameters parameters[SCENE_MATERIALS]; /* of each material */
    struct body body[SCENE_BODIES];
    struct particles particles; /* n grows as bodies are added */
    struct vec3 *rest;
};

/* Begins a scene without gravity and bodies, with merging-and-splitting and backward Euler as in
 * the defaults. One thread is used, because scenes are too small for more and tests run side by
 * side. */
static inline void hand_scene_begin(struct hand_scene *h)
{
    struct error error = {0};
    omp_set_num_threads(1);
    *h = (struct hand_scene){0};
    if (particles_create(&h->particles, SCENE_PARTICLES, &error))
        abort();
    h->particles.n = 0;
    h->rest = calloc(SCENE_PARTICLES, sizeof *h->rest);
    h->scene = (struct scene){
        .name = "test",
        .seed = 1,
        .time = {.end = 1e6,
                 .max_step = 1e-3,
                 .courant = 1.0,
                 .motion = CFL_ABSOLUTE,
                 .frame_interval = 1.0},
        .contact = {.method = CONTACT_MERGING_AND_SPLITTING,
                    .order = ORDER_INDEX,
                    .synchronization = SYNCHRONIZATION_SEQUENTIAL,
                    .stages = 2,
                    .alpha = 1.0,
                    .group_min = 8,
                    .group_max = 64,
                    .stiffness = 1e4},
        .pressure = {.density_tolerance = 2e-4,
                     .divergence_tolerance = 1e-3,
                     .most_iterations = 200},
        .solver = {.integrator = INTEGRATOR_BACKWARD_EULER,
                   .tolerance = 1e-8,
                   .max_iterations = 1000},
        .stop = {(double)INFINITY, (double)INFINITY},
        .material = h->material,
        .body = h->body,
    };
}

/* The scene points into the hand_scene, which must not move. */
static inline void hand_scene_end(struct hand_scene *h)
{
    particles_free(&h->particles);
    free(h->rest);
}

static inline size_t add_material(struct hand_scene *h, const struct material_model *model,
                                  union hand_parameters parameters)
{
    size_t m = h->scene.n_materials++;
    h->parameters[m] = parameters;
    h->material[m] =
        (struct material){.name = model->name, .model = model, .parameters = &h->parameters[m]};
    return m;
}

static inline size_t add_loose(struct hand_scene *h)
{
    return add_material(h, &loose_model, (union hand_parameters){0});
}

static inline size_t add_springs(struct hand_scene *h, double stretch, double shear, double bend,
                                 double damping)
{
    const union hand_parameters parameters = {.springs = {stretch, shear, bend, damping}};
    return add_material(h, &mass_spring_model, parameters);
}

static inline size_t add_peridynamics(struct hand_scene *h, double stiffness, double horizon,
                                      double damping, double critical_stretch)
{
    const union hand_parameters parameters = {.bonds = {.stiffness = stiffness,
                                                        .horizon = horizon,
                                                        .damping = damping,
                                                        .fracture_energy = (double)INFINITY,
                                                        .critical_stretch = critical_stretch,
                                                        .strengthening = 0.25}};
    return add_material(h, &peridynamics_model, parameters);
}

/* A fluid that ignores solids, so that contact alone is between them; test_sph_solids.c has the
 * other. */
static inline size_t add_fluid(struct hand_scene *h, double pressure, double viscosity)
{
    const union hand_parameters parameters = {.fluid = {.pressure = pressure,
                                                        .viscosity = viscosity,
                                                        .support = 2.0,
                                                        .solids = SOLIDS_IGNORED}};
    return add_material(h, &fluid_model, parameters);
}

static inline size_t add_dfsph(struct hand_scene *h, double viscosity)
{
    const union hand_parameters parameters = {.dfsph = {.viscosity = viscosity}};
    return add_material(h, &dfsph_model, parameters);
}

/* FLIP as in the defaults. */
static inline struct flip_material flip_defaults(void)
{
    return (struct flip_material){
        .blend = 0.97, .crowding = 0.1, .marking = FLIP_MARK_FLUID, .transfer = FLIP_TRANSFER_FLIP};
}

static inline size_t add_flip(struct hand_scene *h, struct flip_material flip)
{
    return add_material(h, &flip_model, (union hand_parameters){.flip = flip});
}

static inline size_t add_corotated(struct hand_scene *h, double young, double poisson,
                                   double control)
{
    const union hand_parameters parameters = {
        .corotated = {.young = young, .poisson = poisson, .control = control}};
    return add_material(h, &corotated_model, parameters);
}

static inline uint32_t add_body(struct hand_scene *h, size_t material, double radius, double mass)
{
    uint32_t b = (uint32_t)h->scene.n_bodies++;
    h->body[b] = (struct body){
        .name = "body", .material = material, .radius = radius, .particle_mass = mass};
    return b;
}

/* Adds a particle to the body added last; returns its index. */
static inline uint32_t add_particle(struct hand_scene *h, struct vec3 position,
                                    struct vec3 velocity)
{
    struct particles *p = &h->particles;
    uint32_t i = (uint32_t)p->n++, b = (uint32_t)h->scene.n_bodies - 1;
    if (i >= SCENE_PARTICLES)
        abort();
    p->position[i] = h->rest[i] = position;
    p->velocity[i] = velocity;
    p->mass[i] = h->body[b].particle_mass;
    p->radius[i] = h->body[b].radius;
    p->body[i] = b;
    return i;
}

/* Adds a block of nx x ny x nz particles, spacing 2 r, lowest corner at `corner`; returns the first
 * index. x runs fastest. */
static inline uint32_t add_block(struct hand_scene *h, int nx, int ny, int nz, struct vec3 corner,
                                 struct vec3 velocity)
{
    uint32_t first = (uint32_t)h->particles.n;
    double s = 2.0 * h->body[h->scene.n_bodies - 1].radius;
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++)
                add_particle(h, vec3_add(corner, vec3(s * x, s * y, s * z)), velocity);
    return first;
}

/* Adds particles at the lattice points within `radius` of the center; returns the first index. */
static inline uint32_t add_ball(struct hand_scene *h, double radius, struct vec3 center,
                                struct vec3 velocity)
{
    uint32_t first = (uint32_t)h->particles.n;
    double s = 2.0 * h->body[h->scene.n_bodies - 1].radius;
    int m = (int)ceil(radius / s);
    for (int z = -m; z <= m; z++)
        for (int y = -m; y <= m; y++)
            for (int x = -m; x <= m; x++) {
                struct vec3 offset = vec3(s * x, s * y, s * z);
                if (vec3_norm(offset) <= radius)
                    add_particle(h, vec3_add(center, offset), velocity);
            }
    return first;
}

static inline void fix_from(struct hand_scene *h, uint32_t first)
{
    for (size_t i = first; i < h->particles.n; i++) {
        h->particles.state[i] = 1;
        h->particles.velocity[i] = vec3(0.0, 0.0, 0.0);
    }
}

/* Uniform in [-1, 1]^3. */
static inline struct vec3 random_vector(uint64_t seed, uint64_t index)
{
    return vec3(2.0 * random_uniform(seed, 0, index, RANDOM_TEST) - 1.0,
                2.0 * random_uniform(seed, 1, index, RANDOM_TEST) - 1.0,
                2.0 * random_uniform(seed, 2, index, RANDOM_TEST) - 1.0);
}

/* Moves every particle by at most `amount` along each axis; the rest positions stay. */
static inline void jitter(struct hand_scene *h, double amount, uint64_t seed)
{
    for (size_t i = 0; i < h->particles.n; i++)
        h->particles.position[i] =
            vec3_axpy(h->particles.position[i], amount, random_vector(seed, i));
}

/* Creates the bond network of the scene's first bodies, outside a simulation. */
static inline enum status create_network(struct hand_scene *h, struct system **system,
                                         struct error *error)
{
    struct system_setting setting = {
        .scene = &h->scene, .particles = &h->particles, .rest = h->rest};
    while (setting.n < h->particles.n &&
           system_class_of(scene_material_of(&h->scene, h->particles.body[setting.n])) ==
               &bond_network_class)
        setting.n++;
    return bond_network_class.create(system, &setting, error);
}

/* The simulation takes the particles over; the scene must outlive it. */
static inline void start(struct hand_scene *h, struct simulation *s)
{
    struct error error = {0};
    const struct restart fresh = {0};
    if (simulation_create(s, &h->scene, &h->particles, h->rest, &fresh, &error)) {
        printf("#   %s\n", error.message);
        tap_failed = true;
        fflush(stdout);
        _exit(1);
    }
}

/* The system of a body. */
static inline struct system *system_of_body(const struct simulation *s, uint32_t body)
{
    for (size_t i = 0; i < s->particles.n; i++)
        for (size_t k = 0; s->particles.body[i] == body && k < s->n_systems; k++)
            if (i >= s->first[k] && i < s->first[k + 1])
                return s->system[k];
    abort();
}

/* Takes one step; the test ends if it fails. */
static inline struct ledger_row step_once(struct simulation *s)
{
    struct ledger_row row;
    struct error error = {0};
    if (simulation_step(s, s->scene->time.end, &row, &error)) {
        printf("#   %s\n", error.message);
        fflush(stdout);
        _exit(1);
    }
    return row;
}

/* Copies what a frame holds of particles, for a run that goes on from it. */
static inline void copy_particles(struct particles *copy, const struct particles *p)
{
    struct error error = {0};
    check_equal(particles_create(copy, p->n, &error), STATUS_OK, error.message);
    memcpy(copy->position, p->position, p->n * sizeof *copy->position);
    memcpy(copy->velocity, p->velocity, p->n * sizeof *copy->velocity);
    memcpy(copy->mass, p->mass, p->n * sizeof *copy->mass);
    memcpy(copy->radius, p->radius, p->n * sizeof *copy->radius);
    memcpy(copy->body, p->body, p->n * sizeof *copy->body);
    memcpy(copy->state, p->state, p->n * sizeof *copy->state);
}

static inline double total_energy(const struct ledger_row *row)
{
    return row->kinetic + row->elastic + row->gravitational + row->contact_potential;
}

/* The impulse that synchronization adds. */
static inline struct vec3 row_coupling(const struct ledger_row *row)
{
    return vec3(ledger_value(row, "coupling_impulse_x"), ledger_value(row, "coupling_impulse_y"),
                ledger_value(row, "coupling_impulse_z"));
}

/* The impulse of the solver's residual. */
static inline struct vec3 row_residual(const struct ledger_row *row)
{
    return vec3(ledger_value(row, "residual_impulse_x"), ledger_value(row, "residual_impulse_y"),
                ledger_value(row, "residual_impulse_z"));
}

static inline struct vec3 row_momentum(const struct ledger_row *row)
{
    return vec3(row->momentum_x, row->momentum_y, row->momentum_z);
}

static inline void check_vec3(struct vec3 actual, struct vec3 expected, double tolerance,
                              const char *what)
{
    check_close(actual.x, expected.x, tolerance, what);
    check_close(actual.y, expected.y, tolerance, what);
    check_close(actual.z, expected.z, tolerance, what);
}

#endif
