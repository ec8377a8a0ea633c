/* usage: bench_bonds EDGE STEPS [whole|reduced|implicit]: what an explicit step of bonds costs,
 * with OMP_NUM_THREADS threads; volumes near the horizon are whole or reduced.
 *
 * A cube of EDGE^3 particles on their lattice, bonded within three spacings and a millionth, swings
 * freely from a smooth field of velocities; its bonds could break. Prints lines "name value": times
 * in ns per particle and step, the first three medians over the steps. step        a whole time
 * step: ledger, breaking, and contact detection included stage       integrating one stage: one
 * evaluation of all bonds evaluation  forces, energies and strains of all bonds alone wall, cpu
 * mean over the whole steps, and of processor time and the number of bonds at each particle, the
 * energies after the steps in J, the memory of everything at its peak in bytes per particle, and
 * what an evaluation at least moves and calculates per particle: evaluation_bytes and
 * evaluation_operations. Of `implicit` alone the product of the implicit step's matrix, likewise:
 * product, product_bytes, product_operations.
 * scripts/peer_step.py gives the same to LAMMPS.
 */
#include "bench/bench.h"
#include "step/simulation.h"
#include "systems/bonds/bond_implicit.h"
#include "systems/bonds/bond_models.h"
#include "systems/bonds/bond_network_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RADIUS = 0.01, MASS = 8e-3, STEP = 2e-5; /* m, kg, s */
static const double STIFFNESS = 5000.0, SPEED = 1.0;         /* N per unit strain, m/s */

static void stop(const struct error *error)
{
    fprintf(stderr, "bench_bonds: %s\n", error->message);
    exit(1);
}

/* One wave along each axis, each pushing along the next. */
static struct vec3 velocity_at(struct vec3 x, double width)
{
    double wave = 2.0 * acos(-1.0) / width;
    return vec3(SPEED * sin(wave * x.y), SPEED * sin(wave * x.z), SPEED * sin(wave * x.x));
}

static void fill(struct particles *p, size_t edge)
{
    struct error error;
    double spacing = 2.0 * RADIUS;
    if (particles_create(p, edge * edge * edge, &error))
        stop(&error);
    for (size_t i = 0; i < p->n; i++) {
        p->position[i] = vec3(spacing * (double)(i % edge), spacing * (double)(i / edge % edge),
                              spacing * (double)(i / edge / edge));
        p->velocity[i] = velocity_at(p->position[i], spacing * (double)edge);
        p->radius[i] = RADIUS;
        p->mass[i] = MASS;
    }
}

static double mean(const double *value, size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += value[k];
    return sum / (double)n;
}

/* Each array of struct bond_network and of its evaluation once, bytes: of a bond its other end, its
 * kind, its rest length and its part of the stiffness; of a particle its position, where its row
 * begins, its force as a sum of lanes, written and read, and as a vector, its energy and strain. */
static double evaluation_bytes(const struct bond_network *net)
{
    const double bond = sizeof *net->neighbor + sizeof *net->kind + sizeof *net->rest_length +
                        (net->stiffness_fraction ? sizeof *net->stiffness_fraction : 0);
    const double particle =
        3 * sizeof(lanes) + sizeof *net->start + sizeof(struct vec3) + 2 * sizeof(double);
    return bond * (double)net->n_bonds + particle * (double)net->system.n;
}

/* Of a bond (bond_strip.h, bond_forces.c): vector and length 9; extension, strain over length,
 * strain, force over length, energy and the largest strain 9; the force, and its sums at both ends
 * 9. */
static double evaluation_operations(const struct bond_network *net)
{
    return 27.0 * (double)net->n_bonds;
}

/* Of a bond its block and its other end in the tile; of a particle where its row begins, x and its
 * copy, and sums written and read. */
static double product_bytes(const struct bond_network *net)
{
    const double bond = sizeof(struct bond_block) + sizeof *net->tiles.tile->other;
    return bond * (double)net->n_bonds +
           (sizeof *net->start + sizeof(struct vec3) + 3.0 * sizeof(lanes)) * (double)net->system.n;
}

/* Of a bond (bond_matrix.c): difference 3, along 5, pull 9, sums at both ends 6. */
static double product_operations(const struct bond_network *net)
{
    return 23.0 * (double)net->n_bonds;
}

static void measure_product(struct simulation *s, size_t steps)
{
    static double time[1000];
    const double n = (double)s->particles.n;
    struct bond_network *net = (struct bond_network *)s->system[0];
    struct error error;
    if (net->system.class->prepare(&net->system, &s->particles, 50.0 * STEP, &error))
        stop(&error);
    for (size_t k = 0; k < steps; k++) {
        double begin = timing_now();
        bond_matrix_pull((struct bond_implicit *)net, NULL, 0, s->particles.velocity);
        time[k] = time_since(&begin);
    }
    printf("product %.17g\n", 1e9 * median(time, steps) / n);
    printf("product_bytes %.17g\n", product_bytes(net) / n);
    printf("product_operations %.17g\n", product_operations(net) / n);
}

enum { WHOLE_STEP, STAGE, EVALUATION, CPU, N_TIMES, MOST_STEPS = 1000 };

static void measure(struct simulation *s, double time[N_TIMES], struct ledger_row *row)
{
    struct error error;
    struct solve_report report;
    struct system *network = s->system[0];
    double begin = timing_now(), begin_cpu = cpu_now();
    if (simulation_step(s, 1.0, row, &error))
        stop(&error);
    take_time(&time[WHOLE_STEP], &begin);
    time[CPU] = cpu_now() - begin_cpu;
    bond_evaluate((struct bond_network *)network);
    take_time(&time[EVALUATION], &begin);
    if (network->class->prepare(network, &s->particles, row->dt, &error))
        stop(&error);
    take_time(&time[STAGE], &begin);
    time[STAGE] = 0.0;
    if (network->class->integrate(network, &s->particles, &s->groups, row->dt, &s->motion, &report,
                                  &error))
        stop(&error);
    take_time(&time[STAGE], &begin);
    /* so that the next step finds what it left */
    if (!isfinite(network->class->potential_energy(network, &s->particles)))
        exit(1);
}

int main(int argc, char **argv)
{
    size_t edge = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    bool reduced = argc > 3 && strcmp(argv[3], "reduced") == 0;
    bool implicit = argc > 3 && strcmp(argv[3], "implicit") == 0;
    if (edge < 4 || edge > 300 || steps < 1 || steps > MOST_STEPS) {
        fputs("usage: bench_bonds EDGE STEPS [whole|reduced|implicit]\n", stderr);
        return 2;
    }
    double idle = peak_memory();
    const struct peridynamics bonds = {.stiffness = STIFFNESS,
                                       .horizon = 3.000001,
                                       .volumes = reduced ? VOLUMES_REDUCED : VOLUMES_WHOLE,
                                       .fracture_energy = (double)INFINITY,
                                       .critical_stretch = 10.0};
    struct material solid = {.name = "solid", .model = &peridynamics_model, .parameters = &bonds};
    struct body body = {.name = "block", .radius = RADIUS, .particle_mass = MASS};
    struct scene scene = {
        .name = "bench",
        .time = {.end = 1.0,
                 .max_step = STEP,
                 .courant = 1.0,
                 .motion = CFL_ABSOLUTE,
                 .frame_interval = 1.0},
        .contact = {.method = CONTACT_MERGING_AND_SPLITTING,
                    .order = ORDER_INDEX,
                    .synchronization = SYNCHRONIZATION_AVERAGE,
                    .stages = 2},
        .solver = {.integrator = implicit ? INTEGRATOR_BACKWARD_EULER : INTEGRATOR_VERLET,
                   .tolerance = 1e-8,
                   .max_iterations = 100},
        .n_materials = 1,
        .material = &solid,
        .n_bodies = 1,
        .body = &body};
    struct particles particles;
    struct simulation s;
    struct error error;
    const struct restart fresh = {0};
    fill(&particles, edge);
    if (simulation_create(&s, &scene, &particles, particles.position, &fresh, &error))
        stop(&error);
    if (implicit) {
        measure_product(&s, steps);
        simulation_free(&s);
        return 0;
    }
    static double time[N_TIMES][MOST_STEPS];
    struct ledger_row row = {0};
    for (size_t k = 0; k < steps; k++) {
        double now[N_TIMES] = {0.0};
        measure(&s, now, &row);
        for (int t = 0; t < N_TIMES; t++)
            time[t][k] = now[t];
    }
    const double n = (double)s.particles.n;
    printf("wall %.17g\n", 1e9 * mean(time[WHOLE_STEP], steps) / n);
    printf("cpu %.17g\n", 1e9 * mean(time[CPU], steps) / n);
    static const char *const name[] = {"step", "stage", "evaluation"};
    for (int t = 0; t <= EVALUATION; t++)
        printf("%s %.17g\n", name[t], 1e9 * median(time[t], steps) / n);
    printf("particles %zu\n", s.particles.n);
    printf("bonds %.17g\n", 2.0 * (double)((struct bond_network *)s.system[0])->n_bonds / n);
    const struct bond_network *net = (const struct bond_network *)s.system[0];
    printf("evaluation_bytes %.17g\n", evaluation_bytes(net) / n);
    printf("evaluation_operations %.17g\n", evaluation_operations(net) / n);
    printf("kinetic %.17g\nelastic %.17g\n", row.kinetic, row.elastic);
    printf("memory %.17g\n", (peak_memory() - idle) / n);
    simulation_free(&s);
    return 0;
}
