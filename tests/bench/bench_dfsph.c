/* usage: bench_dfsph EDGE STEPS: what a step of incompressible SPH costs, with OMP_NUM_THREADS
 * threads.
 *
 * EDGE^3 particles of water without viscosity, displaced from their lattice at random, stand in a
 * tank as wide as they are. Prints lines "name value": times in ns per particle, each the median
 * over the steps. step      a whole time step, ledger and contact detection included find neighbors
 * and compressions: what all stages share join      masses and the diagonal of the matrix, once in
 * a stage product   with the matrix rest      of a step, without `find`, `join` and the products
 * and the products in a step of the two solves, the number of neighbors, and the memory of
 * everything at its peak in bytes per particle. */
#include "bench/bench_block.h"
#include "sph/pressure_parts.h"
#include "systems/dfsph/dfsph_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(const struct error *error)
{
    bench_stop("bench_dfsph", error);
}

enum { STEP, FIND, JOIN, PRODUCT, REST, N_TIMES, VELOCITY = N_TIMES, DENSITY, N_VALUES };
enum { MOST_STEPS = 1000 };

static void measure(struct simulation *s, double value[N_VALUES])
{
    struct error error;
    struct ledger_row row;
    struct dfsph *fluid = (struct dfsph *)s->system[0];
    struct pressure *pressure = &fluid->pressure;
    double begin = timing_now();
    if (simulation_step(s, 1.0, &row, &error))
        stop(&error);
    value[STEP] = time_since(&begin);
    if (pressure_find(pressure, &s->particles, (double)INFINITY, &error))
        stop(&error);
    value[FIND] = time_since(&begin);
    if (pressure_join(pressure, &s->groups, &error))
        stop(&error);
    value[JOIN] = time_since(&begin);
    pressure_push(pressure);
    pressure_rate(pressure);
    value[PRODUCT] = time_since(&begin);
    value[VELOCITY] = (double)fluid->velocity.products;
    value[DENSITY] = (double)fluid->repair.products;
    value[REST] = value[STEP] - value[FIND] - value[JOIN] -
                  (value[VELOCITY] + value[DENSITY]) * value[PRODUCT];
}

static double neighbors(const struct dfsph *fluid, size_t n)
{
    double sum = 0.0;
    for (size_t s = 0; s < n; s++)
        sum += (double)fluid->pressure.neighbors.n_found[s];
    return sum / (double)n - 1.0;
}

int main(int argc, char **argv)
{
    size_t edge = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (edge < 1 || edge > 500 || steps < 1 || steps > MOST_STEPS) {
        fputs("usage: bench_dfsph EDGE STEPS\n", stderr);
        return 2;
    }
    double idle = peak_memory(), width = 2.0 * RADIUS * (double)edge;
    const struct dfsph_material thin = {0};
    struct material water = {.name = "water", .model = &dfsph_model, .parameters = &thin};
    struct body body = {.name = "block", .radius = RADIUS, .particle_mass = MASS};
    struct wall tank = {.name = "tank",
                        .keep = KEEP_INSIDE,
                        .region = {.shape = {.kind = SHAPE_BOX, .size = {width, width, 2 * width}},
                                   .position = {0.5 * width, 0.5 * width, width},
                                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    struct scene scene = bench_scene(&water, &body, 1e-3);
    scene.pressure = (struct pressure_keys){
        .density_tolerance = 2e-4, .divergence_tolerance = 1e-3, .most_iterations = 200};
    scene.n_walls = 1;
    scene.wall = &tank;
    struct particles particles;
    struct simulation s;
    struct error error;
    const struct restart fresh = {0};
    bench_block("bench_dfsph", &particles, edge, 0.1);
    if (simulation_create(&s, &scene, &particles, particles.position, &fresh, &error))
        stop(&error);
    static double value[N_VALUES][MOST_STEPS];
    for (size_t k = 0; k < steps; k++) {
        double now[N_VALUES];
        measure(&s, now);
        for (int t = 0; t < N_VALUES; t++)
            value[t][k] = now[t];
    }
    static const char *const name[N_VALUES] = {
        "step", "find", "join", "product", "rest", "velocity_products", "density_products"};
    double n = (double)s.particles.n, per_particle = 1e9 / n;
    for (int t = 0; t < N_VALUES; t++)
        printf("%s %.17g\n", name[t], (t < N_TIMES ? per_particle : 1.0) * median(value[t], steps));
    printf("particles %zu\n", s.particles.n);
    printf("neighbors %.17g\n", neighbors((struct dfsph *)s.system[0], s.particles.n));
    printf("memory %.17g\n", (peak_memory() - idle) / n);
    simulation_free(&s);
    return 0;
}
