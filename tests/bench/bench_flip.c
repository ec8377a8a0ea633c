/* usage: bench_flip EDGE STEPS: what a step of FLIP costs, with OMP_NUM_THREADS threads.
 *
 * EDGE^3 particles of water, displaced from their lattice at random, slosh in a tank as wide as
 * they are. Prints lines "name value": times in ns per particle and step, each the median over the
 * steps.
 *   step        a whole time step, ledger and contact detection included
 *   prepare     sorting particles into tiles, and how full cells are: what all stages share
 *   stage       the first stage
 *   deposit     of it, from particles to faces
 *   matrix      of it, which cells carry pressure, and the equations
 *   read        of it, from faces to particles
 *   pressure    of it, the rest: finding the pressure, and moving particles and groups
 *   product     of this, the product with the matrix in an iteration, once more
 *   later       a second stage in which one particle in a thousand moves otherwise
 * and iterations of a step's first stage, cells that carry pressure, the time of `pressure` in ns
 * per such cell, and the memory of everything at its peak in bytes per particle,
 * and what deposit, read and product at least move and calculate per particle: deposit_bytes,
 * deposit_operations, and so on. */
#include "bench/bench_block.h"
#include "solvers/multigrid_parts.h"
#include "systems/flip/flip_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const struct error *error)
{
    bench_stop("bench_flip", error);
}

/* The water sloshes. */
static void push(struct particles *p, double width)
{
    for (size_t i = 0; i < p->n; i++)
        p->velocity[i] = vec3(0.0, 0.0, sin(3.0 * p->position[i].x / width));
}

enum {
    STEP,
    PREPARE,
    STAGE,
    DEPOSIT,
    MATRIX,
    READ,
    PRESSURE,
    PRODUCT,
    LATER,
    ITERATIONS,
    CELLS,
    N_VALUES
};
enum { MOST_STEPS = 1000 };

/* Once more what the first stage did, part by part. */
static void measure_parts(struct flip *flip, double value[N_VALUES])
{
    struct error error;
    double begin = timing_now();
    for (size_t k = 0; k < flip->grid.n; k++)
        flip->is_dirty[k] = flip->grid.tile[k].end > flip->grid.tile[k].begin;
    flip_deposit(flip);
    value[DEPOSIT] = time_since(&begin);
    if (flip_build_matrix(flip, &error))
        stop(&error);
    value[MATRIX] = time_since(&begin);
    flip_read(flip);
    value[READ] = time_since(&begin);
    value[PRESSURE] = value[STAGE] - value[DEPOSIT] - value[MATRIX] - value[READ];
    multigrid_apply(flip->multigrid);
    value[PRODUCT] = time_since(&begin);
}

static void measure(struct simulation *s, double value[N_VALUES])
{
    struct error error;
    struct ledger_row row;
    struct solve_report report;
    struct flip *flip = (struct flip *)s->system[0];
    double begin = timing_now();
    if (simulation_step(s, 1.0, &row, &error))
        stop(&error);
    value[STEP] = time_since(&begin);
    memcpy(s->motion.before, s->particles.velocity, s->particles.n * sizeof(struct vec3));
    time_since(&begin);
    if (flip_prepare(s->system[0], &s->particles, row.dt, &error))
        stop(&error);
    value[PREPARE] = time_since(&begin);
    if (flip_integrate(s->system[0], &s->particles, &s->groups, row.dt, &s->motion, &report,
                       &error))
        stop(&error);
    value[STAGE] = time_since(&begin);
    value[ITERATIONS] = (double)report.iterations;
    value[CELLS] = (double)flip->n_unknowns;
    measure_parts(flip, value);
    for (size_t i = 0; i < s->particles.n; i += 1000)
        s->motion.before[i].z += 0.1;
    time_since(&begin);
    if (flip_integrate(s->system[0], &s->particles, &s->groups, row.dt, &s->motion, &report,
                       &error))
        stop(&error);
    value[LATER] = time_since(&begin);
}

static double tiles_with_particles(const struct flip *flip)
{
    size_t n = 0;
    for (size_t k = 0; k < flip->grid.n; k++)
        n += flip->grid.tile[k].end > flip->grid.tile[k].begin;
    return (double)n;
}

/* Of a particle its place, mass and velocity; a tile's pad is written and read, and its masses and
 * velocities are written (struct flip_block). */
static double deposit_bytes(const struct flip *flip)
{
    const struct flip_block *block = NULL;
    return (double)flip->n_slots * (sizeof *flip->place + sizeof *flip->mass + sizeof *flip->fall) +
           tiles_with_particles(flip) *
               (2 * sizeof block->pad + sizeof block->mass + sizeof block->fall);
}

/* The weights of the faces around a particle, of three axes (flip_stencil.h): where it is between
 * them 6, and 3 x 15. */
enum { STENCILS = 6 + 3 * 15 };

/* Momentum, and four pairs of faces of each axis with two numbers each, times weights and added; a
 * pad is added once, and the velocity of a face divided. */
static double deposit_operations(const struct flip *flip)
{
    return (double)flip->n_slots * (STENCILS + 3 + 3 * 4 * 8) +
           tiles_with_particles(flip) * 3 * (2 * PAD_CELLS + TILE_CELLS);
}

/* Of a particle its place; two velocities are written; of a tile velocities before and after. */
static double read_bytes(const struct flip *flip)
{
    const struct flip_block *block = NULL;
    return (double)flip->n_slots *
               (sizeof *flip->place + sizeof *flip->grid_velocity + sizeof *flip->change) +
           tiles_with_particles(flip) * (sizeof block->fall + sizeof block->after);
}

static double read_operations(const struct flip *flip)
{
    return (double)flip->n_slots * (STENCILS + 3 * (4 * 8 + 2)) +
           tiles_with_particles(flip) * 3 * PAD_CELLS;
}

/* Of a row six coefficients, the cells that they belong to and the diagonal; vectors are read and
 * written once (struct multigrid). */
static double product_bytes(const struct flip *flip)
{
    const struct multigrid *m = flip->multigrid;
    return (double)flip->n_unknowns *
           (sizeof *m->coupling + sizeof *m->level[0].neighbor + sizeof *m->diagonal +
            sizeof *m->direction + sizeof *m->image);
}

/* Seven terms of a row, and one of p . A p. */
static double product_operations(const struct flip *flip)
{
    return (double)flip->n_unknowns * (2 * (1 + LATTICE_FACES) - 1 + 2);
}

int main(int argc, char **argv)
{
    size_t edge = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (edge < 2 || edge > 500 || steps < 1 || steps > MOST_STEPS) {
        fputs("usage: bench_flip EDGE STEPS\n", stderr);
        return 2;
    }
    double idle = peak_memory(), width = 2.0 * RADIUS * (double)edge;
    const struct flip_material flip = {
        .blend = 0.97, .crowding = 0.1, .marking = FLIP_MARK_FLUID, .transfer = FLIP_TRANSFER_FLIP};
    struct material water = {.name = "water", .model = &flip_model, .parameters = &flip};
    struct body body = {.name = "block", .radius = RADIUS, .particle_mass = MASS};
    struct wall tank = {.name = "tank",
                        .keep = KEEP_INSIDE,
                        .region = {.shape = {.kind = SHAPE_BOX, .size = {width, width, 2 * width}},
                                   .position = {0.5 * width, 0.5 * width, width},
                                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    struct scene scene = bench_scene(&water, &body, 2e-3);
    scene.n_walls = 1;
    scene.wall = &tank;
    struct particles particles;
    struct simulation s;
    struct error error;
    const struct restart fresh = {0};
    bench_block("bench_flip", &particles, edge, 0.4);
    push(&particles, width);
    if (simulation_create(&s, &scene, &particles, particles.position, &fresh, &error))
        stop(&error);
    static double value[N_VALUES][MOST_STEPS];
    for (size_t k = 0; k < steps; k++) {
        double now[N_VALUES];
        measure(&s, now);
        for (int t = 0; t < N_VALUES; t++)
            value[t][k] = now[t];
    }
    static const char *const name[] = {"step", "prepare",  "stage",   "deposit", "matrix",
                                       "read", "pressure", "product", "later"};
    double n = (double)s.particles.n, cells = median(value[CELLS], steps);
    for (int t = STEP; t <= LATER; t++)
        printf("%s %.17g\n", name[t], 1e9 * median(value[t], steps) / n);
    const struct flip *water_now = (const struct flip *)s.system[0];
    printf("deposit_bytes %.17g\n", deposit_bytes(water_now) / n);
    printf("deposit_operations %.17g\n", deposit_operations(water_now) / n);
    printf("read_bytes %.17g\n", read_bytes(water_now) / n);
    printf("read_operations %.17g\n", read_operations(water_now) / n);
    printf("product_bytes %.17g\n", product_bytes(water_now) / n);
    printf("product_operations %.17g\n", product_operations(water_now) / n);
    printf("iterations %.17g\n", median(value[ITERATIONS], steps));
    printf("cells %.17g\n", cells);
    printf("pressure_per_cell %.17g\n", 1e9 * median(value[PRESSURE], steps) / cells);
    printf("particles %zu\n", s.particles.n);
    printf("memory %.17g\n", (peak_memory() - idle) / n);
    simulation_free(&s);
    return 0;
}
