/* Corotated solids that rotate: what spins keeps its spin. */
#include "spinning.h"
#include "systems/corotated/corotated_model.h"

/* A block of nx x ny x nz particles of 64 g, with its first particle at the origin. */
static void begin_solid(struct hand_scene *h, enum corotated_solving solver, double young, int nx,
                        int ny, int nz)
{
    hand_scene_begin(h);
    h->scene.solver.tolerance = 1e-5;
    add_body(h, add_corotated(h, young, 0.3, 1.0), 0.02, 0.064);
    h->parameters[0].corotated.solver = solver;
    add_block(h, nx, ny, nz, vec3(0, 0, 0), vec3(0, 0, 0));
}

/* Before, L/L0 was 0.45, whatever the stiffness: 1 / sqrt(1 + 8 pi^2 / N) a turn. */
TEST(a_spinning_solid_keeps_its_spin)
{
    const enum corotated_solving solver[] = {COROTATED_COUPLED, COROTATED_COUPLED,
                                             COROTATED_COUPLED, COROTATED_WHOLE, COROTATED_NEWTON};
    const double young[] = {1e6, 1e8, 1e5, 1e6, 1e6};
    const char *name[] = {"spinning", "stiff", "soft", "whole", "newton"};
    for (int k = 0; k < 5; k++) {
        struct hand_scene h;
        begin_solid(&h, solver[k], young[k], 6, 6, 4);
        spin(&h.particles, vec3(0, 0, turn_rate));
        check_free(&h, name[k], 0.02);
    }
}

TEST(a_tumbling_solid_keeps_its_spin)
{
    const double young[] = {1e6, 1e8};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        begin_solid(&h, COROTATED_COUPLED, young[k], 7, 5, 4);
        spin(&h.particles, vec3(0.3 * turn_rate, 0.25 * turn_rate, turn_rate));
        check_free(&h, "tumbling", 0.02);
    }
}

TEST(a_pendulum_keeps_its_energy)
{
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        begin_solid(&h, COROTATED_COUPLED, 1e7, 6, 4, 4);
        check_swing(&h, k == 1);
    }
}

/* Members of groups keep their velocities, and the others take the torque. */
TEST(a_hit_off_the_center)
{
    const int method[] = {CONTACT_MERGING_AND_SPLITTING, CONTACT_PENALTY};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        begin_solid(&h, COROTATED_COUPLED, 1e7, 4, 4, 4);
        h.scene.contact.method = method[k];
        check_hit(&h);
    }
}

/* The paper's Algorithm 1 stays as it is, and says what it loses. */
TEST(what_algorithm_1_loses_is_reported)
{
    struct hand_scene h;
    struct simulation s;
    begin_solid(&h, COROTATED_PREFACTORED, 1e6, 6, 6, 4);
    spin(&h.particles, vec3(0, 0, turn_rate));
    start(&h, &s);
    check_loss_is_reported(&s, 0.5, 1e-3);
    simulation_free(&s);
    hand_scene_end(&h);
}

TAP_MAIN(TAP_ENTRY(a_spinning_solid_keeps_its_spin), TAP_ENTRY(a_tumbling_solid_keeps_its_spin),
         TAP_ENTRY(a_pendulum_keeps_its_energy), TAP_ENTRY(a_hit_off_the_center),
         TAP_ENTRY(what_algorithm_1_loses_is_reported))
