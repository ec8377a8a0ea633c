/* Rest with Coulomb's friction, which has many solutions at each step: what stands stays, every
 * step is resolved, and nothing gives energy. */
#include "yards.h"

static void yard_with(struct yard *y, double friction)
{
    yard_begin(y);
    y->h.scene.contact.friction = y->h.scene.contact.static_friction = friction;
    y->h.scene.contact.alpha = 0.0;
    y->h.scene.gravity = vec3(0.0, 0.0, -G);
    y->h.scene.solver.tolerance = 1e-5; /* the default */
}

/* The last step, of which speeds are what is left of motion. */
static struct ledger_row run_resolved(struct yard *y, int steps, const char *what)
{
    struct ledger_row row = {0};
    double stages = 0.0, depth = 0.0, most = -(double)INFINITY, first = INFINITY;
    for (int k = 0; k < steps; k++) {
        row = check_step(y);
        double energy = row.kinetic + row.gravitational + row.elastic;
        first = k == 0 ? energy : first;
        most = fmax(most, energy - first);
        check_equal(row.unresolved, 0, what);
        stages += row.stages;
        depth = fmax(depth, row.nearer_depth);
    }
    printf(
        "# %s: %.2f stages, %g of %g links loaded, nearer by %.1e m, %.1e J gained; at last %.1e "
        "m/s\n",
        what, stages / steps, ledger_value(&row, "loaded"), ledger_value(&row, "links"), depth,
        most, row.speed_max);
    check(depth < 1e-6 * R);
    return row;
}

static void add_pyramid(struct yard *y)
{
    const double d = 2.0 * R * 0.9999, height = d * sqrt(0.5);
    add_body(&y->h, add_loose(&y->h), R, 1.6e-2);
    for (int layer = 0; layer < 5; layer++)
        for (int i = 0; i < 5 - layer; i++)
            for (int j = 0; j < 5 - layer; j++) {
                struct vec3 x = vec3(d * (i + 0.5 * layer), d * (j + 0.5 * layer), height * layer);
                uint32_t particle = add_particle(&y->h, x, vec3(0.0, 0.0, 0.0));
                y->h.particles.state[particle] = layer == 0 ? PARTICLE_FIXED : PARTICLE_FREE;
            }
}

/* Close packing: neighbors of a layer touch as well, so that most contacts are redundant. */
TEST(a_pyramid_stands)
{
    static const double friction[] = {0.0, 0.3, 0.6};
    for (int k = 0; k < 3; k++) {
        struct yard y;
        yard_with(&y, friction[k]);
        add_pyramid(&y);
        yard_start(&y);
        check(run_resolved(&y, 400, "pyramid of 30").speed_max < 1e-10);
        yard_end(&y);
    }
}

/* Blocks in the pockets of those below, on a layer that is fixed. */
static void add_stack(struct yard *y, double stiffness, int blocks)
{
    const double up = sqrt(2.0) * R;
    size_t stone = add_peridynamics(&y->h, stiffness, 2.0, 1e-3, (double)INFINITY);
    add_body(&y->h, stone, R, 8e-3);
    fix_from(&y->h, add_block(&y->h, 5, 5, 1, vec3(-R, -R, 0.0), vec3(0.0, 0.0, 0.0)));
    for (int k = 0; k < blocks; k++) {
        double aside = k % 2 ? R : 0.0;
        add_body(&y->h, stone, R, 8e-3);
        add_block(&y->h, 4, 4, 2, vec3(aside, aside, up + k * (2.0 * R + up)), vec3(0.0, 0.0, 0.0));
    }
}

/* Gravity sets in at once: a blow goes through the stack. */
TEST(stacks_of_soft_and_of_stiff_blocks_stand)
{
    static const double friction[] = {0.0, 0.3}, stiffness[] = {1e2, 1e4};
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < 2; m++) {
            struct yard y;
            yard_with(&y, friction[k]);
            add_stack(&y, stiffness[m], 4);
            yard_start(&y);
            run_resolved(&y, 80, m == 0 ? "soft stack" : "stiff stack");
            yard_end(&y);
        }
}

/* Ten stiff blocks, and hardly any stages for the blow: two are too few, four are enough. Where W
 * does not feel it, no impulse grows. */
TEST(a_blow_with_few_stages_gives_no_energy)
{
    for (uint32_t stages = 2; stages <= 4; stages += 2) {
        struct yard y;
        double unresolved = 0.0, most = 0.0;
        yard_with(&y, 0.0);
        y.h.scene.contact.stages = stages;
        y.h.scene.contact.detection = DETECTION_SWEPT;
        add_stack(&y, 1e4, 10);
        yard_start(&y);
        double first = y.s.totals.kinetic + y.s.totals.gravitational;
        for (int k = 0; k < 60; k++) {
            struct ledger_row row = step_once(&y.s);
            most = fmax(most, row.kinetic + row.gravitational + row.elastic - first);
            unresolved += row.unresolved;
        }
        printf("# %u stages: %g links unresolved, %.1e J gained\n", stages, unresolved, most);
        check((stages == 2) == (unresolved > 0.0) && most <= 1e-12);
        yard_end(&y);
    }
}

/* A heap that falls apart on a plane and comes to rest by friction alone. */
TEST(a_heap_with_friction_comes_to_rest)
{
    struct yard y;
    yard_with(&y, 0.6);
    add_floor(&y);
    add_body(&y.h, add_loose(&y.h), R, 8e-3);
    add_block(&y.h, 4, 4, 4, vec3(0.0, 0.0, R), vec3(0.0, 0.0, 0.0));
    jitter(&y.h, 0.3 * R, 5);
    yard_start(&y);
    check(run_resolved(&y, 500, "heap").speed_max < 1e-10);
    yard_end(&y);
}
