/* Elastic blocks on top of each other, with sliding contact: all of them press on those below, so
 * that who holds in one gap depends on who holds in all others. */
#include "yards.h"

/* Ten blocks that fall on a floor and on each other from no height at all. A step is 0.8 of
 * sqrt(m / k): a link is several times as soft as its two particles alone. */
TEST(stages_find_who_holds_in_a_stack_of_stiff_blocks)
{
    enum { BLOCKS = 10, STEPS = 400, FALLING = 2 };
    struct yard y;
    double unresolved = 0.0, stages = 0.0, loaded = 0.0, deeper = 0.0;
    yard_begin(&y);
    add_floor(&y);
    y.h.scene.gravity = vec3(0.0, 0.0, -G);
    y.h.scene.solver.tolerance = 1e-5; /* the default */
    y.h.scene.time.max_step = 1e-3;
    size_t rubber = add_peridynamics(&y.h, 1e4, 2.0, 1e-3, (double)INFINITY);
    for (int k = 0; k < BLOCKS; k++) {
        add_body(&y.h, rubber, R, 1.6e-2);
        add_block(&y.h, 4, 4, 2, vec3(0.0, 0.0, R + 4.0 * R * k), vec3(0.0, 0.0, 0.0));
    }
    yard_start(&y);
    for (int k = 0; k < STEPS; k++) {
        struct ledger_row row = check_step(&y);
        unresolved += k < FALLING ? 0.0 : row.unresolved > 0.0;
        stages += row.stages;
        loaded += row.loaded;
        deeper = fmax(deeper, row.nearer_depth);
    }
    printf("# %.0f steps unresolved, %.2f stages, %.0f loaded, nearer by %.1e m\n", unresolved,
           stages / STEPS, loaded / STEPS, deeper);
    check(loaded > 50.0 * STEPS);
    check(unresolved <= 0.01 * STEPS);
    check(deeper < 1e-6 * R);
    yard_end(&y);
}

TAP_MAIN(TAP_ENTRY(stages_find_who_holds_in_a_stack_of_stiff_blocks))
