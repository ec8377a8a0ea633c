/* usage: bench_fluid EDGE STEPS: what a step of a fluid costs, with OMP_NUM_THREADS threads.
 *
 * A cube of EDGE^3 particles, displaced from their lattice at random, moves freely. Prints lines
 * "name value": times in ns per particle and step, each the median over the steps.
 *   step        a whole time step, ledger and contact detection included
 *   evaluation  neighbors, densities and forces: what all stages share
 *   search      neighbors alone: the grid and the lists, built once more for this
 *   forces      forces alone, from densities and lists
 *   stage       integrating one stage: what a second stage repeats
 * and the number of neighbors, and the memory of everything at its peak in bytes per particle,
 * and what search, forces and densities at least move and calculate per particle: search_bytes,
 * search_operations, and so on. */
#include "bench/bench_block.h"
#include "systems/sph/fluid_model.h"
#include "systems/sph/sph_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(const struct error *error)
{
    bench_stop("bench_fluid", error);
}

/* Finds the neighbor lists of all particles once more. */
static void find(const struct particles *p, struct sph *sph, const struct sph_visitor *visitor)
{
    struct error error;
    if (sph_neighbors_find(&sph->neighbors, p->n, p->position, p->state, sph->support, HUGE_VAL,
                           NULL, visitor, &error))
        stop(&error);
}

static double search(const struct particles *p, struct sph *sph)
{
    double begin = timing_now();
    find(p, sph, NULL);
    return time_since(&begin);
}

/* Counts the distances that a search looks at, part by part. */
struct counting {
    struct sph_visitor visitor; /* must be first */
    const struct sph_part *part;
    size_t *end, *distances; /* of each part: its last slot + 1 */
};

static void count(const struct sph_visitor *visitor, const struct sph_found *found)
{
    const struct counting *c = (const struct counting *)visitor;
    size_t t = 0;
    while (found->slot >= c->end[t])
        t++;
    c->distances[t] += c->part[t].candidates.n;
}

/* Of each particle. */
static double distances(const struct particles *p, struct sph *sph)
{
    const size_t parts = sph->neighbors.n_parts;
    size_t *number = calloc(2 * parts, sizeof *number), n = 0;
    if (!number)
        exit(1);
    const struct counting counting = {{count, NULL}, sph->neighbors.part, number, number + parts};
    for (size_t t = 0; t < parts; t++)
        counting.end[t] = sph->neighbors.part[t].end;
    find(p, sph, &counting.visitor);
    for (size_t t = 0; t < parts; t++)
        n += counting.distances[t];
    free(number);
    return (double)n / (double)p->n;
}

/* Of each particle those in the cells around the one that it shares with others: they are judged
 * for all of these at once. */
static double judged(const struct sph *sph)
{
    size_t n = 0;
    for (size_t t = 0; t < sph->neighbors.n_parts; t++) {
        const struct sph_part *part = &sph->neighbors.part[t];
        for (size_t r = 0; r < part->ranges.n; r++)
            n += part->ranges.range[r].end - part->ranges.range[r].begin;
    }
    return (double)n / (double)sph->neighbors.grid.n;
}

/* Positions are read; cells, the order of particles and their places are written and read; lists
 * and their lengths are written. */
static double search_bytes(double neighbors)
{
    return sizeof(struct vec3) + 2.0 * (2.0 + 3.0) * sizeof(uint32_t) +
           sizeof(uint16_t) * (1.0 + 1.0 + neighbors);
}

/* Of a candidate of a cell (sph_search.c) its place 3, how far it is beyond the box 9 and 5, and
 * whether it is near 1; of one whose distance is looked at 8, and whether it is near 1. */
static double search_operations(double candidates, double looked_at)
{
    return 18.0 * candidates + 9.0 * looked_at;
}

static double neighbors(const struct particles *p, const struct sph *sph)
{
    size_t n = 0;
    for (size_t s = 0; s < p->n; s++)
        n += sph->neighbors.n_found[s];
    return (double)(n - p->n) / (double)p->n;
}

/* A particle's slot is read once, and of its list 16 bits a neighbor; forces are written. Of a
 * neighbor (sph_forces.c): vector and rate 16, pressures 2; distance 7, kernel 3, viscosity 5,
 * pressure 3, sums 12. */
static double forces_bytes(double neighbors)
{
    return sizeof(struct sph_slot) + sizeof(struct vec3) + sizeof(struct sph_drag) +
           sizeof(uint16_t) * neighbors;
}

static double forces_operations(double neighbors)
{
    return 48.0 * neighbors;
}

/* Places are read, and velocities; slots are written. Squared distances are at hand. Of a neighbor
 * (sph_sums.c): distance 2, kernel 6, sum 1. */
static double density_bytes(void)
{
    return 3.0 * sizeof(uint32_t) + sizeof(struct vec3) + sizeof(struct sph_slot);
}

static double density_operations(double neighbors)
{
    return 9.0 * neighbors;
}

enum { STEP, EVALUATION, SEARCH, FORCES, STAGE, N_TIMES, MOST_STEPS = 1000 };

static void measure(struct simulation *s, double time[N_TIMES])
{
    struct error error;
    struct ledger_row row;
    struct solve_report report;
    struct system *fluid = s->system[0];
    double begin = timing_now(), dt;
    if (simulation_step(s, 1.0, &row, &error))
        stop(&error);
    time[STEP] = time_since(&begin);
    if (fluid->class->limit(fluid, &s->particles, &dt, &error))
        stop(&error);
    time[EVALUATION] = time_since(&begin);
    if (fluid->class->integrate(fluid, &s->particles, &s->groups, dt, &s->motion, &report, &error))
        stop(&error);
    time[STAGE] = time_since(&begin);
    sph_find_forces((struct sph *)fluid);
    time[FORCES] = time_since(&begin);
    time[SEARCH] = search(&s->particles, (struct sph *)fluid);
}

int main(int argc, char **argv)
{
    size_t edge = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (edge < 1 || edge > 500 || steps < 1 || steps > MOST_STEPS) {
        fputs("usage: bench_fluid EDGE STEPS\n", stderr);
        return 2;
    }
    double idle = peak_memory();
    const struct fluid_material fluid = {.pressure = 1e4, .viscosity = 1e-2, .support = 2.0};
    struct material water = {.name = "water", .model = &fluid_model, .parameters = &fluid};
    struct body body = {.name = "block", .radius = RADIUS, .particle_mass = MASS};
    struct scene scene = bench_scene(&water, &body, 1.0);
    struct particles particles;
    struct simulation s;
    struct error error;
    const struct restart fresh = {0};
    bench_block("bench_fluid", &particles, edge, 0.4);
    if (simulation_create(&s, &scene, &particles, particles.position, &fresh, &error))
        stop(&error);
    static double time[N_TIMES][MOST_STEPS];
    for (size_t k = 0; k < steps; k++) {
        double now[N_TIMES];
        measure(&s, now);
        for (int t = 0; t < N_TIMES; t++)
            time[t][k] = now[t];
    }
    static const char *const name[N_TIMES] = {"step", "evaluation", "search", "forces", "stage"};
    for (int t = 0; t < N_TIMES; t++)
        printf("%s %.17g\n", name[t], 1e9 * median(time[t], steps) / (double)s.particles.n);
    printf("particles %zu\n", s.particles.n);
    struct sph *fluid_now = (struct sph *)s.system[0];
    const double near = neighbors(&s.particles, fluid_now);
    printf("neighbors %.17g\n", near);
    printf("memory %.17g\n", (peak_memory() - idle) / (double)s.particles.n);
    printf("search_bytes %.17g\nsearch_operations %.17g\n", search_bytes(near),
           search_operations(judged(fluid_now), distances(&s.particles, fluid_now)));
    printf("forces_bytes %.17g\nforces_operations %.17g\n", forces_bytes(near),
           forces_operations(near));
    printf("density_bytes %.17g\ndensity_operations %.17g\n", density_bytes(),
           density_operations(near));
    simulation_free(&s);
    return 0;
}
