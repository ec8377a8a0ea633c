/* Small random scenes for the judges of a whole step, which compare the program with a naive step:
 * a cloth, a block, loose particles and a fluid run into each other. */
#ifndef TESTS_JUDGE_SCENES_H
#define TESTS_JUDGE_SCENES_H

#include "naive_systems.h"
#include "scenes.h"
#include "step/simulation_parts.h"

static const double R = 0.01; /* m */
enum { STEPS = 12, SCENES = 12 };

/* The settings with which a scene is run. */
struct variant {
    const char *synchronization;
    uint32_t stages, group_min, group_max;
    double alpha, beta;
    const char *roots;
};

/* ---- scenes ---- */

static inline double uniform(uint64_t seed, uint64_t index, double low, double high)
{
    return low + (high - low) * random_uniform(seed, 7, index, RANDOM_TEST);
}

/* Bodies that overlap from the start and move towards the middle of the cloth. */
static inline void fill(struct hand_scene *h, uint64_t seed)
{
    hand_scene_begin(h);
    h->scene.seed = seed;
    h->scene.gravity = vec3_scale(9.81, random_vector(seed, 1000));
    h->scene.solver.tolerance = 1e-14;
    add_body(h, add_springs(h, 60.0, 40.0, 5.0, 2e-3), R, 8e-3);
    add_block(h, 4, 4, 1, vec3(-3.0 * R, -3.0 * R, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(h, add_peridynamics(h, 200.0, 1.8, 0.0, (double)INFINITY), R, 2e-2);
    add_block(h, 3, 2, 2, vec3(-2.0 * R, -R, 1.8 * R), vec3(0.0, 0.0, -2.0));
    add_body(h, add_loose(h), R, 5e-3);
    for (uint64_t k = 0; k < 8; k++)
        add_particle(h, vec3_scale(5.0 * R, random_vector(seed + 1, k)),
                     vec3_scale(1.5, random_vector(seed + 2, k)));
    size_t fluid = add_fluid(h, 2e3, 0.02);
    add_body(h, fluid, R, 6e-3);
    add_block(h, 3, 3, 2, vec3(-2.0 * R, -2.0 * R, -3.8 * R), vec3(0.0, 0.0, 2.0));
    jitter(h, 0.1 * R, seed);
    for (uint32_t i = 0; i < h->particles.n; i++) {
        struct vec3 *v = &h->particles.velocity[i];
        *v = vec3_axpy(*v, 0.3, random_vector(seed + 3, i));
        h->particles.radius[i] *= uniform(seed, i, 0.8, 1.25);
        if (h->particles.body[i] < 3) /* particles of a fluid have one mass */
            h->particles.mass[i] *= uniform(seed + 4, i, 0.2, 5.0);
        bool held = uniform(seed + 5, i, 0.0, 1.0) < 0.1;
        if (held) {
            h->particles.state[i] = PARTICLE_FIXED;
            *v = vec3(0.0, 0.0, 0.0);
        }
    }
}

static inline void choose(struct hand_scene *h, const struct variant *variant)
{
    struct contact_settings *c = &h->scene.contact;
    c->synchronization = CHOICE_OF(SYNCHRONIZATIONS, variant->synchronization);
    c->roots = CHOICE_OF(ROOT_RULES, variant->roots);
    c->stages = variant->stages;
    c->group_min = variant->group_min;
    c->group_max = variant->group_max;
    c->alpha = variant->alpha;
    c->beta = variant->beta;
}

/* ---- the same for the naive step ---- */

/* The stiffness of a bond of `ratio` spacings: of springs by their length, of peridynamic bonds
 * within the horizon; 0 if there is none. */
static inline double stiffness_of(const struct material *material, double ratio)
{
    const union hand_parameters *m = material->parameters;
    if (material->model == &peridynamics_model)
        return ratio <= m->bonds.horizon ? m->bonds.stiffness : 0.0;
    if (material->model != &mass_spring_model || ratio > 2.1)
        return 0.0;
    return ratio < 1.2    ? m->springs.stretch_stiffness
           : ratio < 1.85 ? m->springs.shear_stiffness
           : ratio > 1.9  ? m->springs.bend_stiffness
                          : 0.0;
}

static inline double damping_of(const struct material *material)
{
    const union hand_parameters *m = material->parameters;
    return material->model == &peridynamics_model ? m->bonds.damping : m->springs.damping;
}

static inline void bond_all(struct naive *naive, const struct hand_scene *h)
{
    for (size_t i = 0; i < naive->n; i++)
        for (size_t j = i + 1; j < naive->n; j++) {
            const struct body *body = &h->body[h->particles.body[i]];
            const struct material *m = &h->material[body->material];
            double rest = vec3_norm(vec3_sub(h->rest[j], h->rest[i]));
            double k = stiffness_of(m, rest / (2.0 * body->radius));
            if (h->particles.body[i] == h->particles.body[j] && k > 0.0)
                naive->bond[naive->n_bonds++] = (struct naive_bond){i, j, rest, k, damping_of(m)};
        }
}

static inline void prepare_naive(struct naive *naive, const struct hand_scene *h,
                                 const struct variant *variant)
{
    const struct particles *p = &h->particles;
    const struct body *fluid = &h->body[3];
    const struct fluid_material *m = &h->parameters[fluid->material].fluid;
    memset(naive, 0, sizeof *naive);
    naive->n = p->n;
    memcpy(naive->m, p->mass, p->n * sizeof *p->mass);
    memcpy(naive->r, p->radius, p->n * sizeof *p->radius);
    for (size_t i = 0; i < p->n; i++) {
        naive->fixed[i] = p->state[i] == PARTICLE_FIXED;
        naive->system[i] = p->body[i] == 3 ? FLUID : NETWORK;
    }
    bond_all(naive, h);
    naive->fluid =
        (struct naive_fluid){fluid->radius, fluid->particle_mass, m->pressure, m->viscosity};
    naive->integrate[NETWORK] = naive_integrate_network;
    naive->integrate[FLUID] = naive_integrate_fluid;
    naive->gravity = h->scene.gravity;
    naive->synchronization = variant->synchronization;
    naive->roots = variant->roots;
    naive->stages = variant->stages;
    naive->alpha = variant->alpha;
    naive->beta = variant->beta;
    naive->group_min = variant->group_min;
    naive->group_max = variant->group_max;
    naive->seed = h->scene.seed;
}

#endif
