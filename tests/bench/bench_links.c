/* usage: bench_links EDGE STEPS: what a step with links costs, with OMP_NUM_THREADS threads.
 *
 * A heap of EDGE^3 loose particles, the lowest of them fixed, under gravity: all neighbors of a
 * lattice touch, displaced from it at random, so that all links are one component, and move at
 * random, so that half of the pairs collide. Prints lines "name value":
 *   step      a whole time step, ns per link, the median over the steps
 *   solution  merging and integration alone, ns per link, on average
 *   links     of a step, on average, and which fraction of them is loaded
 *   stages    of a step, on average
 *   memory    of everything at its peak, bytes per link */
#include "bench/bench_block.h"
#include "systems/bonds/bond_models.h"

static const double TOUCH = 0.98; /* distance of neighbors, over that of a lattice */

/* Also a random speed of up to a millimeter in a step. */
static void make_heap(struct particles *p, size_t edge)
{
    bench_block("bench_links", p, edge, 0.01);
    for (size_t i = 0; i < p->n; i++) {
        double v[3];
        for (uint64_t k = 0; k < 3; k++)
            v[k] = 0.2 * (random_uniform(2, k, i, RANDOM_TEST) - 0.5);
        p->position[i] = vec3_scale(TOUCH, p->position[i]);
        p->velocity[i] = vec3(v[0], v[1], v[2]);
        if (i < edge * edge) {
            p->state[i] = PARTICLE_FIXED;
            p->velocity[i] = vec3(0.0, 0.0, 0.0);
        }
    }
}

enum { MOST_STEPS = 1000 };

int main(int argc, char **argv)
{
    size_t edge = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (edge < 2 || edge > 100 || steps < 1 || steps > MOST_STEPS) {
        fputs("usage: bench_links EDGE STEPS\n", stderr);
        return 2;
    }
    double idle = peak_memory(), links = 0.0, loaded = 0.0, stages = 0.0, spent = 0.0;
    struct material stone = {.name = "stone", .model = &loose_model};
    struct body body = {.name = "heap", .radius = RADIUS, .particle_mass = MASS};
    struct scene scene = bench_scene(&stone, &body, 1e-3);
    scene.contact.method = CONTACT_SLIDING;
    scene.contact.stages = 8;
    struct particles particles;
    struct simulation s;
    struct error error;
    const struct restart fresh = {0};
    make_heap(&particles, edge);
    if (simulation_create(&s, &scene, &particles, particles.position, &fresh, &error))
        bench_stop("bench_links", &error);
    static double time[MOST_STEPS];
    for (size_t k = 0; k < steps; k++) {
        struct ledger_row row;
        double begin = timing_now();
        if (simulation_step(&s, 1.0, &row, &error))
            bench_stop("bench_links", &error);
        time[k] = time_since(&begin) / ledger_value(&row, "links");
        links += ledger_value(&row, "links");
        loaded += ledger_value(&row, "loaded");
        stages += row.stages;
    }
    const double *phases = s.timing.spent;
    spent = phases[PHASE_MERGING] + phases[PHASE_FIRST_STAGE] + phases[PHASE_LATER_STAGES];
    printf("step %.17g\n", 1e9 * median(time, steps));
    printf("solution %.17g\n", 1e9 * spent / links);
    printf("links %.17g\n", links / (double)steps);
    printf("loaded %.17g\n", loaded / links);
    printf("stages %.17g\n", stages / (double)steps);
    printf("memory %.17g\n", (peak_memory() - idle) * (double)steps / links);
    simulation_free(&s);
    return 0;
}
