/* What steps of contact.method: position-based do with overlap, at rest and at the start: values
 * that claims about unified particle physics are about. */
#include "theory_scenes.h"

/* ---- depth at rest ---- */

/* A body of e^3 particles whose lowest layer stands on a plane keeps (1 - 1/e)^m of its depth in m
 * iterations, in which contacts and shape follow each other. */
static double depth_at_rest(int edge, uint32_t iterations, double dt)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, iterations, dt);
    add_gravity(&h);
    add_ground(&h);
    add_body(&h, add_rigid(&h), 0.05, 0.2);
    add_block(&h, edge, edge, edge, vec3(0.0, 0.0, 0.05), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 300; k++)
        step_once(&s);
    double depth = 0.05 - s.particles.position[0].z;
    leave(&h, &s);
    return depth;
}

TEST(bodies_rest_as_deep_as_iterations_say)
{
    const double dt = 1.0 / 240.0;
    double worst = 0.0;
    for (int edge = 2; edge <= 8; edge++)
        for (uint32_t m = 1; m <= 8; m++) {
            double f = 1.0 - pow(1.0 - 1.0 / edge, m), depth = depth_at_rest(edge, m, dt);
            report(depth / (G * dt * dt), "UPP.depth.%g.%g", edge, m);
            worst = worse(worst, fabs(depth / (G * dt * dt * (1.0 - f) / f) - 1.0));
        }
    measured("UPP.depth.error", worst);
    check(worst < 1e-4);
}

/* ---- a stack, with and without scaled masses ---- */

enum { BODIES = 10, EDGE = 3 };
static const double STACK_RADIUS = 0.03125; /* m; heights are sums without rounding */

/* One step of bodies on each other, each of EDGE layers: how far they are below where they were
 * put, now and a step before. An iteration moves the layers of a contact apart, by shares as their
 * masses scaled at the start of it are (the floor has none), and shapes pass on 1 / EDGE of that.
 */
static void settle(double below[BODIES], double before[BODIES], uint32_t iterations, double k,
                   double dt)
{
    double at[BODIES], share[BODIES + 1], push[BODIES + 1] = {0.0};
    for (int i = 0; i < BODIES; i++)
        at[i] = 2.0 * below[i] - before[i] + G * dt * dt;
    share[0] = 1.0;
    for (int i = 1; i < BODIES; i++)
        share[i] = 1.0 / (1.0 + exp(-k * (2.0 * STACK_RADIUS - at[i] + at[i - 1])));
    for (uint32_t m = 0; m < iterations; m++) {
        for (int i = 0; i < BODIES; i++)
            push[i] = fmax(at[i] - (i ? at[i - 1] : 0.0), 0.0) / EDGE;
        for (int i = 0; i < BODIES; i++)
            at[i] -=
                share[i] * push[i] - (i + 1 < BODIES ? (1.0 - share[i + 1]) * push[i + 1] : 0.0);
    }
    for (int i = 0; i < BODIES; i++) {
        before[i] = below[i];
        below[i] = at[i];
    }
}

/* The largest difference of a body's height from that over two seconds. */
static double off_the_chain(uint32_t iterations, double k, double dt)
{
    struct hand_scene h;
    struct simulation s;
    double below[BODIES] = {0.0}, before[BODIES] = {0.0}, worst = 0.0;
    begin(&h, iterations, dt);
    add_gravity(&h);
    add_ground(&h);
    h.scene.position.mass_scaling = k;
    const size_t stone = add_rigid(&h);
    for (int i = 0; i < BODIES; i++) {
        const double height = STACK_RADIUS * (2 * EDGE * i + 1);
        add_body(&h, stone, STACK_RADIUS, 0.2);
        add_block(&h, EDGE, EDGE, EDGE, vec3(0.0, 0.0, height), vec3(0.0, 0.0, 0.0));
    }
    start(&h, &s);
    for (int n = 0; n < (int)(2.0 / dt + 0.5); n++) {
        step_once(&s);
        settle(below, before, iterations, k, dt);
        for (size_t i = 0; i < s.particles.n; i++) {
            double sunk = h.rest[i].z - s.particles.position[i].z;
            worst = worse(worst, fabs(sunk - below[i / (EDGE * EDGE * EDGE)]));
        }
    }
    check(below[BODIES - 1] > STACK_RADIUS / 100.0);
    leave(&h, &s);
    return worst;
}

TEST(a_stack_moves_as_a_chain_of_depths)
{
    double worst = 0.0;
    for (double k = 0.0; k < 41.0; k = k == 0.0 ? 3.0 : k == 3.0 ? 40.0 : 41.0) {
        worst = worse(worst, off_the_chain(2, k, 1.0 / 120.0));
        worst = worse(worst, off_the_chain(4, k, 1.0 / 120.0));
        worst = worse(worst, off_the_chain(1, k, 1.0 / 240.0));
    }
    measured("UPP.stack.chain", worst);
    check(worst < 1e-10);
}

/* ---- Figure 4: overlap at the start ---- */

enum start_kind { ONE_PARTICLE, CUBE, CLOTH, START_KINDS };
static const char *const start_name[] = {"particle", "cube", "cloth"};

static void add_sunk(struct hand_scene *h, enum start_kind kind, double radius, double depth)
{
    const struct vec3 corner = vec3(0.0, 0.0, radius - depth), still = vec3(0.0, 0.0, 0.0);
    if (kind == ONE_PARTICLE) {
        add_body(h, add_loose(h), radius, 0.2);
        add_particle(h, corner, still);
    } else if (kind == CUBE) {
        add_body(h, add_rigid(h), radius, 0.2);
        add_block(h, 4, 4, 4, corner, still);
    } else {
        add_body(h, add_peridynamics(h, 1e3, 1.5, 0.0, (double)INFINITY), radius, 0.2);
        add_block(h, 12, 12, 1, corner, still);
    }
}

/* The mean speed up after one step of what begins 20 mm inside the floor, over 20 mm / dt. */
static double pop(enum start_kind kind, double dt, uint32_t stabilization, bool heavy)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, 4, dt);
    if (heavy)
        add_gravity(&h);
    add_ground(&h);
    add_sunk(&h, kind, 0.05, 0.02);
    h.scene.position.stabilization = stabilization;
    start(&h, &s);
    struct ledger_row row = step_once(&s);
    double speed = row_momentum(&row).z / (0.2 * (double)s.particles.n);
    leave(&h, &s);
    return speed / (0.02 / dt);
}

TEST(overlap_becomes_speed)
{
    double worst = 0.0, held = 0.0;
    for (int kind = 0; kind < START_KINDS; kind++)
        for (uint32_t stabilization = 0; stabilization <= 4;
             stabilization = stabilization ? 2 * stabilization : 1)
            for (double rate = 60.0; rate <= 480.0; rate *= 2.0) {
                char name[80];
                double share = pop(kind, 1.0 / rate, stabilization, false);
                snprintf(name, sizeof name, "UPP.pop.%s.%u.%g", start_name[kind], stabilization,
                         rate);
                measured(name, share);
                if (kind == ONE_PARTICLE && stabilization == 0)
                    worst = worse(worst, fabs(share - 1.0));
                if (kind == ONE_PARTICLE && stabilization > 0)
                    held =
                        worse(held, fabs(pop(kind, 1.0 / rate, stabilization, true)) * 0.02 * rate);
            }
    measured("UPP.pop.error", worst);
    measured("UPP.pop.stabilized.speed", held);
    check(worst < 1e-12 && held < 1e-12);
}

/* A cloth that lies 5 mm inside the floor: how high its center gets above the floor. */
TEST(a_cloth_that_begins_inside_the_floor_bounces)
{
    struct hand_scene h;
    struct simulation s;
    double highest = 0.0;
    begin(&h, 4, 1.0 / 120.0);
    add_gravity(&h);
    add_ground(&h);
    add_sunk(&h, CLOTH, 0.01, 0.005);
    start(&h, &s);
    for (int k = 0; k < 60; k++) {
        double sum = 0.0;
        step_once(&s);
        for (size_t i = 0; i < s.particles.n; i++)
            sum += s.particles.position[i].z;
        highest = fmax(highest, sum / (double)s.particles.n - 0.01);
    }
    measured("UPP.pop.cloth.rise", highest);
    check(highest > 0.0);
    leave(&h, &s);
}

/* Grains that lie deep in each other and in the floor: the kinetic energy after a step. */
TEST(stabilization_that_has_not_converged_adds_energy)
{
    double before = (double)INFINITY;
    bool falls = true;
    for (uint32_t k = 0; k <= 16; k = k ? 2 * k : 1) {
        struct hand_scene h;
        struct simulation s;
        begin(&h, 4, 1.0 / 120.0);
        add_ground(&h);
        add_body(&h, add_loose(&h), 0.05, 0.2);
        for (int i = 0; i < 216; i++) {
            double d[3];
            for (int c = 0; c < 3; c++)
                d[c] = 0.01 * random_uniform(3, 0, (uint64_t)(3 * i + c), RANDOM_TEST);
            add_particle(&h,
                         vec3(0.07 * (i % 6) + d[0], 0.07 * (i / 6 % 6) + d[1],
                              0.03 + 0.07 * (i / 36) + d[2]),
                         vec3(0.0, 0.0, 0.0));
        }
        h.scene.position.stabilization = k;
        start(&h, &s);
        double energy = step_once(&s).kinetic;
        report(energy, "UPP.pile.stabilized.%g", k, 0.0);
        falls = falls && energy < before && energy > 0.0;
        before = energy;
        leave(&h, &s);
    }
    measured("UPP.pile.stabilized.falls", falls);
    check(falls);
}
