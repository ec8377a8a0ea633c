/* The constraint of density alone: particles, the first of which are fluids, one iteration at a
 * time, and a soup of everything that it knows. */
#ifndef TESTS_DENSITY_STAGE_H
#define TESTS_DENSITY_STAGE_H

#include "base/memory.h"
#include "constraints/density.h"
#include "particles/random.h"
#include "tap.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum { MOST = 4000 };
static const double R = 0.5, H = 2.0, DT = 0.01; /* spacing 1 m */

/* Particles, of which those of the first n_fluid are fluids, and the group of density. */
struct stage {
    struct particles particles;
    struct constraint_set set;
    struct candidates candidates;
    struct corrections corrections;
    struct vec3 shift[MOST], rubbed[MOST];
    double weight[MOST], violation[MOST];
};

static inline struct stage *stage_begin(void)
{
    struct error error = {0};
    struct stage *s = calloc(1, sizeof *s);
    omp_set_num_threads(1);
    check_equal(particles_create(&s->particles, MOST, &error), STATUS_OK, error.message);
    s->particles.n = 0;
    s->set.solid_weight = 1.0;
    s->corrections =
        (struct corrections){.shift = s->shift, .rubbed = s->rubbed, .violation = s->violation};
    return s;
}

static inline void stage_end(struct stage *s)
{
    constraint_set_free(&s->set);
    particles_free(&s->particles);
    free(s);
}

static inline void add(struct stage *s, struct vec3 at, double mass, enum particle_state state)
{
    const size_t i = s->particles.n++;
    s->particles.position[i] = at;
    s->particles.mass[i] = mass;
    s->particles.state[i] = (uint8_t)state;
    s->weight[i] = state ? 0.0 : 1.0 / mass;
}

/* A lattice of n[0] x n[1] x n[2] particles. */
static inline void add_lattice(struct stage *s, const int n[3], double spacing, double mass)
{
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++)
                add(s, vec3(spacing * x, spacing * y, spacing * z), mass, PARTICLE_FREE);
}

/* Adds a fluid; what belongs to none is solid. */
static inline void begin_with(struct stage *s, const struct density_fluid *fluid)
{
    struct error error = {0};
    const struct particles *p = &s->particles;
    check_equal(density_add(&s->set, p, fluid, &error), STATUS_OK, error.message);
    s->candidates = (struct candidates){.n = p->n,
                                        .dt = DT,
                                        .start = p->position,
                                        .at = p->position,
                                        .velocity = p->velocity,
                                        .weight = s->weight,
                                        .scaled = s->weight,
                                        .averaging = {1.0, false}};
}

/* The first n particles are a fluid from now on, and what follows are solids. */
static inline void begin_gas(struct stage *s, size_t n, double viscosity, const struct walls *walls,
                             struct gas_setting gas)
{
    const struct density_fluid fluid = {.n = n,
                                        .spacing = 2.0 * R,
                                        .support = H,
                                        .viscosity = viscosity,
                                        .walls = walls,
                                        .gas = gas};
    begin_with(s, &fluid);
}

static inline void begin_fluid(struct stage *s, size_t n, double viscosity,
                               const struct walls *walls)
{
    begin_gas(s, n, viscosity, walls, (struct gas_setting){0});
}

static inline struct constraint *group(const struct stage *s)
{
    return s->set.group[CONSTRAINT_DENSITY];
}

static inline void find(struct stage *s)
{
    struct error error = {0};
    check_equal(group(s)->class->find(group(s), &s->candidates, &error), STATUS_OK, error.message);
}

static inline void solve(struct stage *s)
{
    s->corrections.inflow = vec3(0.0, 0.0, 0.0);
    s->corrections.inflow_work = 0.0;
    group(s)->class->solve(group(s), &s->candidates, &s->corrections);
}

/* One of the changes of velocities alone. */
static inline void change(struct stage *s, enum velocity_change kind)
{
    group(s)->class->change[kind](group(s), &s->candidates, s->particles.velocity, &s->corrections);
}

static inline double largest_shift(const struct stage *s)
{
    double largest = 0.0;
    for (size_t i = 0; i < s->particles.n; i++)
        largest = fmax(largest, vec3_norm(s->shift[i]));
    return largest;
}

static inline double uniform(uint64_t *draw)
{
    return random_uniform(7, 0, (*draw)++, RANDOM_TEST);
}

/* A fluid of random particles, some upstream of an inlet, with solids in it of other masses, free
 * and fixed. */
static inline struct stage *soup_of_gas(double viscosity, struct gas_setting gas)
{
    enum { FLUID = 300, ALL = 420 };
    struct stage *s = stage_begin();
    uint64_t draw = 0;
    for (size_t i = 0; i < ALL; i++) {
        double x = 6.0 * uniform(&draw), y = 6.0 * uniform(&draw), z = 6.0 * uniform(&draw);
        enum particle_state state = PARTICLE_FREE;
        if (i < FLUID && x < 1.0)
            state = PARTICLE_PRESCRIBED;
        if (i >= FLUID && i % 3 == 0)
            state = PARTICLE_FIXED;
        add(s, vec3(x, y, z), i < FLUID ? 2.0 : 0.5 + 3.0 * uniform(&draw), state);
        s->particles.velocity[i] = vec3(uniform(&draw), uniform(&draw), uniform(&draw));
    }
    s->set.solid_weight = 0.7;
    begin_gas(s, FLUID, viscosity, NULL, gas);
    return s;
}

static inline struct stage *soup(double viscosity)
{
    return soup_of_gas(viscosity, (struct gas_setting){0});
}

/* What is left of the momentum of shifts and supports, over the sum of magnitudes. */
static inline double lost(const struct stage *s)
{
    struct vec3 sum = vec3_add(s->corrections.support, s->corrections.inflow);
    double scale = 0.0;
    sum = vec3_scale(-DT, sum);
    for (size_t i = 0; i < s->particles.n; i++)
        if (s->weight[i] > 0.0) {
            sum = vec3_axpy(sum, 1.0 / s->weight[i], s->shift[i]);
            scale += vec3_norm(s->shift[i]) / s->weight[i];
        }
    check(scale > 0.0);
    return vec3_norm(sum) / scale;
}

#endif
