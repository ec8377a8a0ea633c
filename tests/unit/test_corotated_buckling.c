/* Compares columns of corotated solids that buckle with theory. */
#include "held_bars.h"

/* The elastic energy of a column that is shorter by `strain` and whose end is `aside`, J. */
static double energy_of_column(const struct setting *set, double strain, double aside)
{
    struct bar bar;
    bar_create(&bar, set);
    for (size_t i = 0; i < bar.n; i++) {
        const struct vec3 x = bar.rest[i];
        const double f = part_at(set, x.z);
        const struct vec3 way =
            vec3(0.0, aside * f * f * (3.0 - 2.0 * f), -strain * set->length * f);
        bar.sample.particles.position[i] = vec3_add(x, way);
    }
    const double energy = find_rest(&bar, true);
    bar_free(&bar);
    return energy;
}

/* What moving the end of a column aside takes, N/m. */
static double stiffness_aside(const struct setting *set, double strain, double straight)
{
    const double aside = 1e-3 * set->length;
    return 2.0 * (energy_of_column(set, strain, aside) - straight) / (aside * aside);
}

/* The load of a column, one end of which may move aside, at which that takes no force: Euler's pi^2
 * E I / L^2, and less since it is sheared (Engesser). */
static double critical_load(double bending, double length, double poisson)
{
    const double area = WIDTH * WIDTH, shear = 5.0 / 6.0 * area * YOUNG / (2.0 + 2.0 * poisson);
    const double euler = PI * PI * bending / (length * length);
    return euler / (1.0 + euler / shear);
}

/* Returns the load found over that of theory, and over that of a column with the rigidity and the
 * length that bending finds. */
static double buckling(const struct setting *set, double *by_bending)
{
    const double inertia = pow(WIDTH, 4) / 12.0, area = WIDTH * WIDTH;
    const struct response bend = response_of(set, BEND);
    const double seeming = set->length + 2.0 * bend.clamp * spacing_of(set);
    const double expected = critical_load(bend.rigidity * YOUNG * inertia, seeming, set->poisson);
    double load[2], stiffness[2];
    for (int k = 0; k < 2; k++) {
        const double strain = (0.9 + 0.2 * k) * expected / (YOUNG * area);
        const double straight = energy_of_column(set, strain, 0.0);
        load[k] = 2.0 * straight / (strain * set->length);
        stiffness[k] = stiffness_aside(set, strain, straight);
    }
    check(stiffness[0] > 0.0 && stiffness[1] < 0.0);
    const double found =
        load[0] + (load[1] - load[0]) * stiffness[0] / (stiffness[0] - stiffness[1]);
    *by_bending = found / expected;
    return found / critical_load(YOUNG * inertia, set->length, set->poisson);
}

TEST(columns_buckle_where_their_bending_says)
{
    double worst = 0.0, least = INFINITY;
    for (int p = 0; p < RATIOS; p++) {
        double of[2];
        for (int n = 0; n < 2; n++) {
            struct setting set = SQUARE;
            double by_bending;
            set.length = 0.96;
            set.poisson = POISSON[p];
            set.layers = LAYERS[n];
            of[n] = buckling(&set, &by_bending);
            worst = fmax(worst, fabs(by_bending - 1.0));
            printf("# Poisson's ratio %g, %d layers: %.4f of theory, %.4f of what bending says\n",
                   set.poisson, set.layers, of[n], by_bending);
        }
        printf("#   order %.2f\n", order(of[0], of[1]));
        least = fmin(least, order(of[0], of[1]));
    }
    measured("CES-BARS.buckling", worst);
    measured("CES-BARS.order_buckling", least);
    check_close(worst, 0.0, 0.03, "load by bending");
    check(least > 1.0);
}

/* How far the top of a column that stands for ten seconds comes aside, m. */
static double farthest_aside(struct setting set, double gravity)
{
    struct bar bar;
    const struct restart fresh = {0};
    struct error error = {0};
    double aside = 0.0;
    size_t top = 0;
    set.gravity = gravity;
    bar_create(&bar, &set);
    for (size_t i = 0; i < bar.n; i++)
        top = bar.rest[i].z > bar.rest[top].z ? i : top;
    if (simulation_create(&bar.simulation, &bar.scene, &bar.sample.particles,
                          bar.sample.rest_position, &fresh, &error))
        give_up(&error);
    while (bar.simulation.time < 10.0) {
        struct ledger_row row;
        if (simulation_step(&bar.simulation, 10.0, &row, &error))
            give_up(&error);
        aside = fmax(aside, bar.simulation.particles.position[top].y - bar.rest[top].y);
    }
    bar_free(&bar);
    return aside;
}

/* Under its own weight a column buckles at 7.837 E I / L^2 (Greenhill, "Determination of the
 * greatest height consistent with stability", Proc. Cambridge Phil. Soc. 4, 1881). By the default
 * solver: a little below it swings about where it leans, a little above it falls over. */
TEST(columns_that_are_too_heavy_fall_over)
{
    struct setting set = SQUARE;
    set.layers = 3;
    set.length = 1.12;
    const struct response bend = response_of(&set, BEND);
    const double free_length = set.length + HELD + bend.clamp * spacing_of(&set);
    const double greatest =
        7.837 * bend.rigidity * YOUNG * pow(WIDTH, 2) / 12.0 / (DENSITY * pow(free_length, 3));
    set.solver = "coupled";
    set.dt = 4e-3;
    const double lighter = farthest_aside(set, 0.94 * greatest),
                 heavier = farthest_aside(set, 1.06 * greatest);
    printf("# aside by %.4f m with 0.94 of the weight, %.4f m with 1.06\n", lighter, heavier);
    check(lighter < 0.1 * WIDTH);
    check(heavier > WIDTH);
}
