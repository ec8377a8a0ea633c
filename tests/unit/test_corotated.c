/* Compares corotated solids in motion with known results for elastic bodies: waves, free rotation,
 * contraction, recovery from collapse; and counts iterations with factors. */
#include "scenes.h"
#include "systems/corotated/corotated_parts.h"

static const double PI = 3.14159265358979323846;
static const double SPACING = 0.05, DENSITY = 1000.0, YOUNG = 1e6;

static double particle_mass(void)
{
    return DENSITY * pow(SPACING, 3);
}

/* A free bar of n x m x m particles along x, in no contact. */
static void bar_create(struct hand_scene *h, int n, int m, double poisson, double control,
                       double dt)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_NONE;
    h->scene.solver.tolerance = 1e-9;
    h->scene.time.max_step = dt;
    h->scene.time.courant = 1e9;
    add_body(h, add_corotated(h, YOUNG, poisson, control), 0.5 * SPACING, particle_mass());
    add_block(h, n, m, m, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
}

/* ---- waves ---- */

/* How much of the first longitudinal mode of a bar of this length is in the velocities. */
static double mode_of(const struct particles *p, const struct vec3 *rest, double length)
{
    double sum = 0.0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->velocity[i].x * cos(PI * (rest[i].x + 0.5 * SPACING) / length);
    return sum;
}

/* Half a period of the first mode, s: between two moments at which it does not move. */
static double half_period(struct hand_scene *h, double length)
{
    struct simulation s;
    for (size_t i = 0; i < h->particles.n; i++)
        h->particles.velocity[i].x = 0.01 * cos(PI * (h->rest[i].x + 0.5 * SPACING) / length);
    start(h, &s);
    double before = mode_of(&s.particles, h->rest, length), crossing[2];
    for (int found = 0; found < 2;) {
        double begin = s.time;
        step_once(&s);
        double now = mode_of(&s.particles, h->rest, length);
        if (before * now < 0.0)
            crossing[found++] = begin + (s.time - begin) * before / (before - now);
        before = now;
    }
    simulation_free(&s);
    return crossing[1] - crossing[0];
}

TEST(longitudinal_waves_have_the_speed_of_a_bar)
{
    enum { LONG = 40, WIDE = 4 };
    struct hand_scene h;
    double length = LONG * SPACING, theory = length * sqrt(DENSITY / YOUNG);
    bar_create(&h, LONG, WIDE, 0.0, 1.0, 2e-4);
    double half = half_period(&h, length);
    printf("# half a period: %.5f s, theory %.5f s\n", half, theory);
    check_close(half / theory, 1.0, 0.01, "half period");
    hand_scene_end(&h);
}

/* Volumes by the kernel are larger at surfaces, which makes a bar stiffer but not heavier. */
TEST(waves_are_faster_with_volumes_by_the_kernel)
{
    enum { LONG = 40, WIDE = 4 };
    struct hand_scene h;
    double length = LONG * SPACING, theory = length * sqrt(DENSITY / YOUNG), volume = 0.0;
    bar_create(&h, LONG, WIDE, 0.0, 1.0, 2e-4);
    h.parameters[0].corotated.quadrature = REST_VOLUME_SUMMED;
    const struct rest_setting setting = {
        .n = h.particles.n, .position = h.rest, .spacing = SPACING, .volume = REST_VOLUME_SUMMED};
    struct rest rest;
    struct error error;
    check_equal(rest_create(&rest, &setting, &error), STATUS_OK, "rest");
    for (size_t i = 0; i < rest.n; i++)
        volume += rest.volume[i] / pow(SPACING, 3) / (double)rest.n;
    rest_free(&rest);
    double half = half_period(&h, length);
    printf("# half a period: %.5f s, with the mean volume %.5f s\n", half, theory / sqrt(volume));
    check_close(half * sqrt(volume) / theory, 1.0, 0.01, "half period");
    hand_scene_end(&h);
}

/* ---- rotation ---- */

struct spin {
    double angle, angular; /* after 0.2 s, rad; about its axis, over that at the start */
};

/* A free bar spins about z through its middle. */
static struct spin spin_for(enum corotated_solving solver, double dt)
{
    static const double RATE = 5.0, TIME = 0.2;
    struct hand_scene h;
    struct simulation s;
    struct vec3 middle = vec3(0.0, 0.0, 0.0), arm;
    bar_create(&h, 12, 3, 0.3, 1.0, dt);
    h.parameters[0].corotated.solver = solver;
    for (size_t i = 0; i < h.particles.n; i++)
        middle = vec3_axpy(middle, 1.0 / (double)h.particles.n, h.rest[i]);
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.velocity[i] = vec3_cross(vec3(0.0, 0.0, RATE), vec3_sub(h.rest[i], middle));
    h.scene.time.end = TIME;
    start(&h, &s);
    double begun = s.totals.angular.z;
    while (s.time < TIME)
        step_once(&s);
    size_t last = s.particles.n - 1, first = last - 11; /* the ends of an edge along x */
    arm = vec3_sub(s.particles.position[last], s.particles.position[first]);
    struct spin spin = {atan2(arm.y, arm.x), s.totals.angular.z / begun};
    simulation_free(&s);
    hand_scene_end(&h);
    return spin;
}

/* Forces have no torque, but backward Euler takes angular momentum, in proportion to the step. With
 * Algorithm 1 that is lost; otherwise it is given back. */
TEST(a_free_bar_turns_freely)
{
    const struct spin coarse = spin_for(COROTATED_PREFACTORED, 2e-3);
    const struct spin fine = spin_for(COROTATED_PREFACTORED, 1e-3);
    const struct spin kept = spin_for(COROTATED_COUPLED, 1e-3);
    printf("# angle %.4f rad of 1, with Algorithm 1 %.4f and %.4f; angular momentum lost: %.1e, "
           "%.4f and %.4f\n",
           kept.angle, coarse.angle, fine.angle, 1.0 - kept.angular, 1.0 - coarse.angular,
           1.0 - fine.angular);
    measured("C02.angle", fabs(kept.angle - 1.0));
    measured("C02.order", (1.0 - coarse.angular) / (1.0 - fine.angular));
    check_close(kept.angle, 1.0, 0.01, "angle");
    check_close(fine.angle, 1.0, 0.01, "angle with Algorithm 1");
    check_close(kept.angular, 1.0, 1e-12, "angular momentum");
    check_close((1.0 - coarse.angular) / (1.0 - fine.angular), 2.0, 0.1, "order of the loss");
}

/* ---- Poisson's ratio ---- */

/* The mean over particles at rest at these coordinates (axis 0 to 2) of the coordinate now. */
static double mean_at(const struct simulation *s, const struct vec3 *rest, int axis, double place,
                      double middle)
{
    double sum = 0.0, n = 0.0;
    for (size_t i = 0; i < s->particles.n; i++)
        if (fabs(*(&rest[i].x + axis) - place) < 0.1 * SPACING &&
            (axis == 0 || fabs(rest[i].x - middle) < SPACING)) {
            sum += *(&s->particles.position[i].x + axis);
            n += 1.0;
        }
    return sum / n;
}

/* A block is stretched between two layers of fixed particles, which are placed as a bar that may
 * contract everywhere would be; the rest begins without contraction. Returns the strain across in
 * the middle, over that along it there. */
static double contraction(double poisson)
{
    enum { LONG = 14, WIDE = 6 };
    static const double STRAIN = 0.01;
    struct hand_scene h;
    struct simulation s;
    bar_create(&h, LONG, WIDE, poisson, 1.0, 2e-3);
    double across = (WIDE - 1) * SPACING, middle = 0.5 * (LONG - 1) * SPACING;
    for (size_t i = 0; i < h.particles.n; i++) {
        struct vec3 x = h.rest[i];
        bool held = x.x < 0.5 * SPACING || x.x > (LONG - 1.5) * SPACING;
        double c = held ? poisson * STRAIN : 0.0, half = 0.5 * across;
        h.particles.position[i] =
            vec3(x.x * (1.0 + STRAIN), x.y - c * (x.y - half), x.z - c * (x.z - half));
        h.particles.state[i] = held ? PARTICLE_FIXED : PARTICLE_FREE;
    }
    h.scene.time.end = 0.15;
    start(&h, &s);
    while (s.time < h.scene.time.end)
        step_once(&s);
    double width = mean_at(&s, h.rest, 1, across, middle) - mean_at(&s, h.rest, 1, 0.0, middle);
    double length = mean_at(&s, h.rest, 0, middle + 1.5 * SPACING, middle) -
                    mean_at(&s, h.rest, 0, middle - 1.5 * SPACING, middle);
    simulation_free(&s);
    hand_scene_end(&h);
    return (1.0 - width / across) / (length / (3.0 * SPACING) - 1.0);
}

TEST(a_stretched_block_contracts_by_poissons_ratio)
{
    double worst = 0.0;
    for (double poisson = 0.15; poisson < 0.5; poisson += 0.15) {
        double found = contraction(poisson);
        printf("# Poisson's ratio %.2f: %.4f\n", poisson, found);
        check_close(found / poisson, 1.0, 0.05, "strain across over strain along");
        worst = worse(worst, fabs(found / poisson - 1.0));
    }
    measured("C76.poisson", worst);
}

/* ---- collapse and recovery ---- */

/* A free block whose particles began at random places in its box: how far the distances of its
 * neighbors are from a spacing after a while, over that (root of the mean square). */
static double recovered(double control, double *energy)
{
    enum { LONG = 14, WIDE = 5 };
    struct hand_scene h;
    struct simulation s;
    bar_create(&h, LONG, WIDE, 0.2, control, 1e-3);
    struct vec3 size = vec3((LONG - 1) * SPACING, (WIDE - 1) * SPACING, (WIDE - 1) * SPACING);
    for (size_t i = 0; i < h.particles.n; i++) {
        struct vec3 at = random_vector(77, i);
        h.particles.position[i] = vec3(0.5 * (1.0 + at.x) * size.x, 0.5 * (1.0 + at.y) * size.y,
                                       0.5 * (1.0 + at.z) * size.z);
    }
    h.scene.solver.tolerance = 1e-6;
    h.scene.time.end = 0.3;
    start(&h, &s);
    struct ledger_row row = {0};
    while (s.time < h.scene.time.end)
        row = step_once(&s);
    *energy = row.kinetic + row.elastic;
    double off = 0.0, pairs = 0.0;
    for (size_t i = 0; i < s.particles.n; i++)
        for (size_t j = 0; j < i; j++) {
            double apart = vec3_norm(vec3_sub(h.rest[i], h.rest[j]));
            double now = vec3_norm(vec3_sub(s.particles.position[i], s.particles.position[j]));
            if (apart < 1.1 * SPACING) {
                off += pow(now / SPACING - 1.0, 2.0);
                pairs += 1.0;
            }
        }
    simulation_free(&s);
    hand_scene_end(&h);
    return sqrt(off / pairs);
}

TEST(a_scrambled_block_recovers_with_control_alone)
{
    double energy[2], with = recovered(1.0, &energy[0]), without = recovered(0.0, &energy[1]);
    printf("# distances are off by %.3g with control (%.3g J left), %.3g without (%.3g J)\n", with,
           energy[0], without, energy[1]);
    measured("C55.with", with);
    measured("C08.without", without);
    check(with < 0.1);    /* vibrations: the energy left makes strains of that size */
    check(without > 0.5); /* no lattice is left */
}

/* ---- the factor ---- */

/* The most iterations of a step, without volume (Poisson's ratio 0), so that only the solve for
 * shape has any, in steps of `dt` with the factor of longer ones; with groups of four neighbors if
 * they are asked for. */
static size_t most_iterations(double factored_dt, double dt, size_t n_groups)
{
    enum { LONG = 16, WIDE = 5 };
    struct hand_scene h;
    struct simulation s;
    struct groups groups;
    struct motion motion;
    struct solve_report report;
    struct error error = {0};
    uint32_t member[4 * LONG * WIDE * WIDE], label[4 * LONG * WIDE * WIDE];
    bar_create(&h, LONG, WIDE, 0.0, 0.1, factored_dt);
    h.scene.solver.tolerance = 1e-6;
    start(&h, &s);
    check_equal(groups_create(&groups, &s.particles, &error), STATUS_OK, error.message);
    check_equal(motion_create(&motion, s.particles.n, &error), STATUS_OK, error.message);
    for (size_t i = 0; i < s.particles.n; i++)
        motion.before[i] = random_vector(41, i);
    for (size_t k = 0; k < 4 * n_groups; k++) {
        member[k] = (uint32_t)k;
        label[k] = (uint32_t)(k - k % 4);
        motion.before[k] = motion.before[k - k % 4];
    }
    groups_assign(&groups, &s.particles, 4 * n_groups, member, label);
    check_equal(s.system[0]->class->integrate(s.system[0], &s.particles, &groups, dt, &motion,
                                              &report, &error),
                STATUS_OK, error.message);
    printf("# a factor for %g s, steps of %g s, %zu groups: %zu iterations\n", factored_dt, dt,
           n_groups, report.iterations);
    groups_free(&groups);
    motion_free(&motion);
    simulation_free(&s);
    hand_scene_end(&h);
    return report.iterations;
}

/* Halves and quarters of the largest step have factors of their own. Preconditioned with the factor
 * of another length, a matrix has at most the square of the ratio as its condition: conjugate
 * gradients then take at most ln(2 / tolerance) / 2 times the ratio iterations. */
TEST(factors_make_solves_short)
{
    double most = 0.5 * log(2e6);
    size_t alone = most_iterations(2e-3, 2e-3, 0);
    measured("C12.iterations", (double)alone);
    check_equal(alone, 1, "alone");
    check_equal(most_iterations(2e-3, 1e-3, 0), 1, "a half of it");
    check_equal(most_iterations(2e-3, 5e-4, 0), 1, "a quarter of it");
    check((double)most_iterations(2e-3, 1.45e-3, 0) <= 1.4 * most);
    check((double)most_iterations(2e-3, 1.4e-3, 0) <= 1.42 * most);
    check((double)most_iterations(2e-3, 2e-4, 0) <= 2.5 * most);
    check(most_iterations(2e-3, 2e-3, 20) <= 7); /* as measured with prototypes at 1 MPa */
}

/* ---- steps without a limit ---- */

/* The height of a falling body's first particle after three frames. */
static double height_after_frames(double max_step)
{
    struct hand_scene h;
    struct simulation s;
    struct ledger_row row;
    struct error error = {0};
    hand_scene_begin(&h);
    h.scene.contact.method = CONTACT_NONE;
    h.scene.gravity.z = -9.81;
    h.scene.time.max_step = max_step;
    h.scene.time.frame_interval = 2e-3;
    add_corotated(&h, 1e6, 0.3, 0.1);
    add_body(&h, 0, 0.025, 0.125);
    uint32_t first = add_block(&h, 4, 3, 3, vec3(0, 0, 0), vec3(0, 0, 0));
    h.particles.velocity[first] = vec3(0.1, 0.2, 0.3);
    start(&h, &s);
    for (int k = 1; k <= 3; k++)
        check_equal(simulation_step(&s, 2e-3 * k, &row, &error), STATUS_OK, error.message);
    const double z = s.particles.position[first].z;
    simulation_free(&s);
    hand_scene_end(&h);
    return z;
}

TEST(a_step_without_a_limit_ends_at_a_frame_and_so_does_its_factor)
{
    check_close(height_after_frames(1e20), height_after_frames(2e-3), 0.0, "height");
}
