/* A simulation system for tests alone, in one file: each free particle is tied to the place where
 * it began, by a spring and a damper,
 *
 *     m a = F - k (x - anchor) - c v.
 *
 * The implicit midpoint rule integrates it: mean = (v + v') / 2, and the force is that at the
 * middle of the step. Without damping it then neither gains nor loses energy. */
#ifndef TESTS_TETHERS_H
#define TESTS_TETHERS_H

#include "base/blocks.h"
#include "base/memory.h"
#include "config/key_rows.h"
#include "config/model_keys.h"
#include "systems/system.h"

#include <stdlib.h>
#include <string.h>

/* ---- material ---- */

struct tether_material {
    double stiffness; /* N/m, > 0 */
    double damping;   /* kg/s, >= 0 */
};

/* clang-format off */
static const struct model_key tether_keys[] = {
    {{.path = MATERIAL_KEY("tether_stiffness"), .type = KEY_NUMBER, .unit = "N/m",
      .range = ABOVE(0), .required = true,
      .help = "of the spring between a particle and the place where it began"},
     offsetof(struct tether_material, stiffness)},
    {{.path = MATERIAL_KEY("tether_damping"), .type = KEY_NUMBER, .unit = "kg/s",
      .range = AT_LEAST(0), .fallback = "0",
      .help = "of the damper beside this spring"},
     offsetof(struct tether_material, damping)},
};
/* clang-format on */

static const struct material_model tether_model = {.name = "tether",
                                                   .help = "particles tied to their places",
                                                   .size = sizeof(struct tether_material),
                                                   .n_keys = 2,
                                                   .key = tether_keys};
static const struct material_model *const tether_models[] = {&tether_model, NULL};

/* ---- the system ---- */

struct tethers {
    struct system system; /* must be first */
    struct tether_material material;
    struct vec3 *anchor; /* m (system.n) */
    double *heat;        /* dissipated by the particle's damper since the start, J (system.n) */
};

static inline void tethers_free(struct system *system)
{
    struct tethers *tethers = (struct tethers *)system;
    free(tethers->anchor);
    free(tethers->heat);
    free(tethers);
}

static inline struct vec3 tether_extension(const struct tethers *tethers, const struct particles *p,
                                           size_t i)
{
    return vec3_sub(p->position[i], tethers->anchor[i - tethers->system.first]);
}

/* ---- a step ---- */

/* What moves as one: a particle, or those members of a group that are the system's own. */
struct tethered {
    double mass;           /* of all members, whichever systems they belong to, kg */
    struct vec3 outside;   /* forces on all members, N */
    struct vec3 extension; /* the sum over own members, m */
    double springs;        /* how many these are */
};

/* m (v' - v) = dt (F - k sum(u) - n (k dt / 2 + c) mean), with v' = 2 mean - v. */
static inline struct vec3 tethered_mean(const struct tether_material *material,
                                        const struct tethered *t, double dt, struct vec3 before)
{
    double k = material->stiffness, c = material->damping;
    struct vec3 force = vec3_axpy(t->outside, -k, t->extension);
    struct vec3 sum = vec3_axpy(vec3_scale(t->mass, before), 0.5 * dt, force);
    return vec3_scale(1.0 / (t->mass + 0.5 * dt * t->springs * (0.5 * k * dt + c)), sum);
}

static inline void tether_put(struct motion *motion, size_t i, struct vec3 mean)
{
    motion->own_mean[i] = mean;
    motion->own_after[i] = vec3_sub(vec3_scale(2.0, mean), motion->before[i]);
}

/* Integrates particle i as if it were alone; one that forces do not move keeps its velocity. */
static inline void tether_integrate_one(const struct tethers *tethers, const struct particles *p,
                                        const struct groups *groups, double dt,
                                        struct motion *motion, size_t i)
{
    const struct tethered one = {p->mass[i], p->force[i], tether_extension(tethers, p, i), 1.0};
    struct vec3 mean = groups->fixed[i]
                           ? motion->before[i]
                           : tethered_mean(&tethers->material, &one, dt, motion->before[i]);
    tether_put(motion, i, mean);
}

static inline bool tether_owns(const struct tethers *tethers, size_t i)
{
    return i >= tethers->system.first && i < tethers->system.first + tethers->system.n;
}

static inline void tether_integrate_group(const struct tethers *tethers, const struct particles *p,
                                          const struct groups *groups, double dt,
                                          struct motion *motion, size_t g)
{
    uint32_t leader = groups->member[groups->start[g]];
    struct tethered all = {.mass = groups->mass[leader]};
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        uint32_t i = groups->member[k];
        all.outside = vec3_add(all.outside, p->force[i]);
        if (tether_owns(tethers, i)) {
            all.extension = vec3_add(all.extension, tether_extension(tethers, p, i));
            all.springs += 1.0;
        }
    }
    if (all.springs == 0.0 || groups->fixed[leader])
        return;
    struct vec3 mean = tethered_mean(&tethers->material, &all, dt, motion->before[leader]);
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        if (tether_owns(tethers, groups->member[k]))
            tether_put(motion, groups->member[k], mean);
}

static inline enum status tethers_integrate(struct system *system, const struct particles *p,
                                            const struct groups *groups, double dt,
                                            struct motion *motion, struct solve_report *report,
                                            struct error *error)
{
    const struct tethers *tethers = (const struct tethers *)system;
    (void)error;
#pragma omp parallel for schedule(static)
    for (size_t i = system->first; i < system->first + system->n; i++)
        tether_integrate_one(tethers, p, groups, dt, motion, i);
#pragma omp parallel for schedule(static)
    for (size_t g = 0; g < groups->n_groups; g++)
        tether_integrate_group(tethers, p, groups, dt, motion, g);
    *report = (struct solve_report){0};
    return STATUS_OK;
}

/* ---- energy ---- */

static const struct energy_term tether_damping = {.name = "tether_damping",
                                                  .unit = "J",
                                                  .sentence = "dissipated by dampers of tethers",
                                                  .after = "damping",
                                                  .sign = TERM_LEAVES};
static const struct energy_term tether_longest = {.name = "tether_longest",
                                                  .unit = "m",
                                                  .sentence = "longest extension of a tether after",
                                                  .after = "tether_damping",
                                                  .gather = TERM_MAX};
enum { TETHER_DAMPING, TETHER_LONGEST, TETHER_TERMS };
static const struct energy_term *const tether_terms[] = {
    [TETHER_DAMPING] = &tether_damping, [TETHER_LONGEST] = &tether_longest};

struct tether_sum {
    const struct tethers *tethers;
    const struct particles *particles;
    const struct groups *groups;
    const struct motion *motion;
    double dt;
};

/* The spring's force on particle i, from the velocity that its own system found, which the forces
 * of the step followed. */
static inline struct vec3 tether_spring_force(const struct tether_sum *s, size_t i)
{
    struct vec3 extension = tether_extension(s->tethers, s->particles, i);
    struct vec3 middle = vec3_axpy(extension, 0.5 * s->dt, s->motion->own_mean[i]);
    return vec3_scale(-s->tethers->material.stiffness, middle);
}

static inline struct vec3 tether_damping_force(const struct tether_sum *s, size_t i)
{
    return vec3_scale(-s->tethers->material.damping, s->motion->own_mean[i]);
}

/* Elements are counted from the system's first particle. */
static inline double tether_spring_work(size_t begin, size_t end, const void *context)
{
    const struct tether_sum *s = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; k++) {
        size_t i = s->tethers->system.first + k;
        if (!s->groups->fixed[i])
            sum += s->dt * vec3_dot(tether_spring_force(s, i), s->motion->mean[i]);
    }
    return sum;
}

static inline struct vec3 tether_force(size_t begin, size_t end, const void *context)
{
    const struct tether_sum *s = context;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = begin; k < end; k++) {
        size_t i = s->tethers->system.first + k;
        if (!s->groups->fixed[i])
            sum = vec3_add(sum, vec3_add(tether_spring_force(s, i), tether_damping_force(s, i)));
    }
    return sum;
}

/* The heat of one step; that of each particle is added to what it has. */
static inline double tethers_heat(const struct tether_sum *s, double *heat)
{
    double sum = 0.0;
    for (size_t k = 0; k < s->tethers->system.n; k++) {
        size_t i = s->tethers->system.first + k;
        double work = -s->dt * vec3_dot(tether_damping_force(s, i), s->motion->mean[i]);
        if (s->groups->fixed[i])
            continue;
        heat[k] += work;
        sum += work;
    }
    return sum;
}

/* The impulse of an anchor on a particle comes from outside, as that of a wall on a fluid does. */
static inline void tethers_account(struct system *system, const struct particles *p,
                                   const struct groups *groups, double dt,
                                   const struct motion *motion, struct work_report *report)
{
    struct tethers *tethers = (struct tethers *)system;
    const struct tether_sum sum = {tethers, p, groups, motion, dt};
    *report = (struct work_report){0};
    report->linear_elastic = blocks_sum(system->n, tether_spring_work, &sum);
    report->on_supports = vec3_scale(-dt, blocks_sum_vec3(system->n, tether_force, &sum));
    report->term[TETHER_DAMPING].value = tethers_heat(&sum, tethers->heat);
}

static inline double tether_energy(size_t begin, size_t end, const void *context)
{
    const struct tether_sum *s = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; k++) {
        size_t i = s->tethers->system.first + k;
        if (!s->particles->state[i])
            sum += vec3_norm2(tether_extension(s->tethers, s->particles, i));
    }
    return 0.5 * s->tethers->material.stiffness * sum;
}

static inline double tethers_potential_energy(struct system *system, const struct particles *p)
{
    const struct tether_sum sum = {.tethers = (struct tethers *)system, .particles = p};
    return blocks_sum(system->n, tether_energy, &sum);
}

/* Nothing breaks; the positions are those after the step. */
static inline enum status tethers_finish(struct system *system, const struct particles *p,
                                         struct term_value term[MOST_TERMS], struct error *error)
{
    const struct tethers *tethers = (const struct tethers *)system;
    (void)error;
    for (size_t i = system->first; i < system->first + system->n; i++)
        term[TETHER_LONGEST].value =
            fmax(term[TETHER_LONGEST].value, vec3_norm(tether_extension(tethers, p, i)));
    return STATUS_OK;
}

/* ---- state ---- */

static const struct state_field tether_anchor = {.name = "tether_anchor",
                                                 .element = ELEMENT_F64,
                                                 .width = 3,
                                                 .unit = "m",
                                                 .sentence = "where a tethered particle is tied to",
                                                 .form = STATE_KEPT};
static const struct state_field tether_heat = {.name = "tether_heat",
                                               .element = ELEMENT_F64,
                                               .width = 1,
                                               .unit = "J",
                                               .sentence = "dissipated by the particle's tether",
                                               .form = STATE_KEPT};
static const struct state_field tether_tension = {.name = "tether_tension",
                                                  .element = ELEMENT_F32,
                                                  .width = 1,
                                                  .unit = "N",
                                                  .sentence = "of the spring of a tether",
                                                  .form = STATE_SHOWN,
                                                  .high = (double)INFINITY};

static inline enum status tether_take_anchor(void *owner, const struct particles *p, void *value,
                                             struct error *error)
{
    struct system *system = owner;
    (void)p, (void)error;
    memcpy(value, ((struct tethers *)system)->anchor, system->n * sizeof(struct vec3));
    return STATUS_OK;
}

static inline enum status tether_give_anchor(void *owner, size_t n, const void *value,
                                             struct error *error)
{
    struct system *system = owner;
    (void)error;
    memcpy(((struct tethers *)system)->anchor, value, n * sizeof(struct vec3));
    return STATUS_OK;
}

static inline enum status tether_take_heat(void *owner, const struct particles *p, void *value,
                                           struct error *error)
{
    struct system *system = owner;
    (void)p, (void)error;
    memcpy(value, ((struct tethers *)system)->heat, system->n * sizeof(double));
    return STATUS_OK;
}

static inline enum status tether_give_heat(void *owner, size_t n, const void *value,
                                           struct error *error)
{
    struct system *system = owner;
    (void)error;
    memcpy(((struct tethers *)system)->heat, value, n * sizeof(double));
    return STATUS_OK;
}

static inline enum status tether_take_tension(void *owner, const struct particles *p, void *value,
                                              struct error *error)
{
    struct system *system = owner;
    const struct tethers *tethers = owner;
    float *tension = value;
    (void)error;
    for (size_t k = 0; k < system->n; k++)
        tension[k] = (float)(tethers->material.stiffness *
                             vec3_norm(tether_extension(tethers, p, system->first + k)));
    return STATUS_OK;
}

static const struct owned_state tether_states[] = {
    {.field = &tether_anchor, .take = tether_take_anchor, .give = tether_give_anchor},
    {.field = &tether_heat, .take = tether_take_heat, .give = tether_give_heat},
    {.field = &tether_tension, .take = tether_take_tension}};

/* ---- the class ---- */

static inline enum status tethers_create(struct system **system,
                                         const struct system_setting *setting, struct error *error);

static const struct system_class tethers_class = {.declares.name = "tethers",
                                                  .family = {tether_models, .apart = true},
                                                  .declares.n_state = 3,
                                                  .declares.state = tether_states,
                                                  .declares.n_energy = TETHER_TERMS,
                                                  .declares.energy = tether_terms,
                                                  .create = tethers_create,
                                                  .integrate = tethers_integrate,
                                                  .account = tethers_account,
                                                  .finish = tethers_finish,
                                                  .potential_energy = tethers_potential_energy,
                                                  .free = tethers_free};

/* All particles collide, also with each other. */
static inline enum status tethers_create(struct system **system,
                                         const struct system_setting *setting, struct error *error)
{
    const struct particles *p = setting->particles;
    size_t first = setting->first, n = setting->n;
    struct tethers *tethers;
    *system = NULL;
    if (array_create(&tethers, 1, sizeof *tethers, "tethers", error))
        return STATUS_FAILED;
    tethers->system = (struct system){.class = &tethers_class,
                                      .first = first,
                                      .n = n,
                                      .bonded = {(uint32_t)first, .end = (uint32_t)(first + n)}};
    const struct tether_material *material =
        scene_material_of(setting->scene, p->body[first])->parameters;
    tethers->material = *material;
    if (array_create(&tethers->anchor, n, sizeof *tethers->anchor, "tethers", error) ||
        array_create(&tethers->heat, n, sizeof *tethers->heat, "tethers", error)) {
        tethers_free(&tethers->system);
        return STATUS_FAILED;
    }
    memcpy(tethers->anchor, p->position + first, n * sizeof *tethers->anchor);
    *system = &tethers->system;
    return STATUS_OK;
}

#endif
