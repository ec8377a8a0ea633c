/* Compares corotated solids at rest under their own weight with Newton's method and with the theory
 * of bars, in steps of any length: at rest nothing is left of a step. */
#include "scenes.h"
#include "systems/corotated/corotated_parts.h"

static const double WIDTH = 0.12, DENSITY = 1000.0, YOUNG = 1e6, GRAVITY = 9.81;

/* As many layers are held, and as many are free, for each three across. */
enum { COARSE = 3, LONG = 10, HELD = 2 };

/* Of a bar that hangs down, or sticks out sideways. */
enum way { HANGING, CANTILEVER };

struct setting {
    enum way way;
    enum corotated_solving solver;
    double poisson, dt;
    int layers; /* across; the body stays as large */
};

static double spacing_of(const struct setting *setting)
{
    return WIDTH / setting->layers;
}

static void fill(struct hand_scene *h, const struct setting *setting)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_NONE;
    h->scene.gravity = setting->way == HANGING ? vec3(GRAVITY, 0.0, 0.0) : vec3(0.0, 0.0, -GRAVITY);
    h->scene.solver.tolerance = 1e-6;
    h->scene.time.max_step = setting->dt;
    h->scene.time.courant = 1e9;
    size_t rubber = add_corotated(h, YOUNG, setting->poisson, 0.1);
    h->parameters[rubber].corotated.solver = setting->solver;
    const double spacing = spacing_of(setting);
    const int n = setting->layers, fine = n / COARSE;
    add_body(h, rubber, 0.5 * spacing, DENSITY * pow(spacing, 3));
    fix_from(h, add_block(h, HELD * fine, n, n, vec3(0, 0, 0), vec3(0, 0, 0)));
    add_block(h, LONG * fine, n, n, vec3(HELD * fine * spacing, 0, 0), vec3(0, 0, 0));
}

/* The mean displacement of a layer along gravity. */
static double fallen(const struct simulation *s, const struct hand_scene *h, double spacing,
                     int layer)
{
    double sum = 0.0, n = 0.0;
    for (size_t i = 0; i < s->particles.n; i++)
        if (fabs(h->rest[i].x - layer * spacing) < 0.1 * spacing) {
            const struct vec3 way = vec3_sub(s->particles.position[i], h->rest[i]);
            sum += vec3_dot(way, h->scene.gravity) / GRAVITY;
            n += 1.0;
        }
    return sum / n;
}

struct rest_state {
    double tip, middle; /* how far the last layer is down, and how much longer the middle is, m */
    double upper;       /* how far the first layer of the middle is down, m */
};

static struct rest_state measure(const struct simulation *s, const struct hand_scene *h,
                                 const struct setting *setting)
{
    const double spacing = spacing_of(setting);
    const int fine = setting->layers / COARSE;
    return (struct rest_state){fallen(s, h, spacing, (HELD + LONG) * fine - 1),
                               fallen(s, h, spacing, (HELD + 7) * fine) -
                                   fallen(s, h, spacing, (HELD + 2) * fine),
                               fallen(s, h, spacing, (HELD + 2) * fine)};
}

/* Steps until the body is at rest: whenever its kinetic energy falls, it is stopped, which leads to
 * the place where a step that begins without velocity ends without. */
static struct rest_state find_rest(struct setting setting)
{
    struct hand_scene h;
    struct simulation s;
    fill(&h, &setting);
    start(&h, &s);
    struct rest_state rest = {0};
    double kinetic = 0.0, last = INFINITY;
    for (int k = 0; k < 20000 && !(fabs(rest.tip - last) < 1e-5 * fabs(rest.tip)); k++) {
        const double now = step_once(&s).kinetic;
        if (now < kinetic) {
            last = rest.tip;
            rest = measure(&s, &h, &setting);
            memset(s.particles.velocity, 0, s.particles.n * sizeof *s.particles.velocity);
        }
        kinetic = now < kinetic ? 0.0 : now;
    }
    check(fabs(rest.tip - last) < 1e-5 * fabs(rest.tip));
    simulation_free(&s);
    hand_scene_end(&h);
    return rest;
}

static const double POISSON[] = {0.0, 0.3, 0.45}, STEPS[] = {2.5e-4, 1e-3, 4e-3};
enum { RATIOS = sizeof POISSON / sizeof POISSON[0], LENGTHS = sizeof STEPS / sizeof STEPS[0] };

/* The largest deviation from the rest state of Newton's method, relative. */
static double worst_with(enum way way, enum corotated_solving solver)
{
    double worst = 0.0;
    for (int p = 0; p < RATIOS; p++) {
        const double exact =
            find_rest((struct setting){way, COROTATED_NEWTON, POISSON[p], 4e-3, COARSE}).tip;
        for (int k = 0; k < LENGTHS; k++) {
            const double tip =
                find_rest((struct setting){way, solver, POISSON[p], STEPS[k], COARSE}).tip;
            printf("# %s, Poisson's ratio %g, %g s: %.5g m, by Newton's method %.5g m\n",
                   way == HANGING ? "hanging" : "cantilever", POISSON[p], STEPS[k], tip, exact);
            worst = fmax(worst, fabs(tip / exact - 1.0));
        }
    }
    return worst;
}

TEST(a_hanging_bar_is_as_long_in_any_step)
{
    const double worst = worst_with(HANGING, COROTATED_COUPLED);
    measured("CES-STATICS.hanging", worst);
    check_close(worst, 0.0, 1e-3, "of the lengthening");
}

TEST(a_cantilever_sags_as_far_in_any_step)
{
    const double worst = worst_with(CANTILEVER, COROTATED_COUPLED);
    measured("CES-STATICS.cantilever", worst);
    check_close(worst, 0.0, 1e-3, "of the sag");
}

/* Which Algorithm 1 does not have. */
TEST(with_shape_and_volume_apart_they_are_not)
{
    const double parts = worst_with(HANGING, COROTATED_PREFACTORED);
    measured("CES-STATICS.parts", parts);
    check(parts > 0.1);
}

/* Far from both ends a bar is longer by the weight below over its section and Young's modulus: the
 * error of the lattice, relative. */
static double error_of_length(double poisson, int layers)
{
    const double middle =
        find_rest((struct setting){HANGING, COROTATED_COUPLED, poisson, 4e-3, layers}).middle;
    const double part = WIDTH / COARSE, length = 5.0 * part;
    const double between = (2.0 + 7.0) / 2.0 * part + 0.5 * WIDTH / layers;
    const double below = LONG * part - between;
    return middle / (length * below * DENSITY * GRAVITY / YOUNG) - 1.0;
}

TEST(finer_bars_come_nearer_to_the_length_of_theory)
{
    for (int p = 0; p < RATIOS; p++) {
        const double coarse = error_of_length(POISSON[p], COARSE),
                     fine = error_of_length(POISSON[p], 2 * COARSE);
        printf("# Poisson's ratio %g: off by %.4f with 3 layers, %.4f with 6\n", POISSON[p], coarse,
               fine);
        check(fabs(fine) < 0.4 * fabs(coarse)); /* a quarter by second order */
        check_close(fine, 0.0, 0.03, "with 6");
    }
}

/* How far inside the held region a bar seems to be clamped, in spacings. With theory's strain c (L
 * - X) at X below that place, a layer is down by c (L X - X^2 / 2), where L - X is the length below
 * the layer. */
static double depth_of_clamp(int layers)
{
    const struct setting setting = {HANGING, COROTATED_COUPLED, 0.0, 4e-3, layers};
    const double spacing = spacing_of(&setting), part = WIDTH / COARSE;
    const double place = 2.0 * part + 0.5 * spacing; /* of the layer, below the held region */
    const double below = LONG * part - place, down = find_rest(setting).upper;
    const double found =
        sqrt(below * below + 2.0 * down * YOUNG / (DENSITY * GRAVITY)) - below; /* X */
    return (found - place) / spacing;
}

/* The strain at a particle is mostly that of its neighbors on either side, two spacings apart, so
 * that one half of the layers hangs at the last held layer and the other at the one before: half a
 * spacing and one and a half inside the region. */
TEST(a_clamp_acts_a_spacing_inside_the_held_region)
{
    const double coarse = depth_of_clamp(COARSE), fine = depth_of_clamp(2 * COARSE);
    printf("# %.3f spacings with 3 layers, %.3f with 6\n", coarse, fine);
    check_close(coarse, 1.0, 0.1, "with 3");
    check_close(fine, 1.0, 0.1, "with 6");
}

/* ---- what is said beforehand ---- */

static struct step_errors foretold(struct setting setting)
{
    struct hand_scene h;
    struct simulation s;
    fill(&h, &setting);
    start(&h, &s);
    const struct step_errors errors =
        corotated_class.step_errors(s.system[0], &s.particles, 0, setting.dt);
    simulation_free(&s);
    hand_scene_end(&h);
    return errors;
}

/* By how much farther a bar gives way with shape and volume apart. */
static double softness(struct setting setting)
{
    setting.solver = COROTATED_PREFACTORED;
    const double parts = find_rest(setting).tip;
    setting.solver = COROTATED_COUPLED;
    return parts / find_rest(setting).tip - 1.0;
}

/* Of bars that hang down; for those that bend it is a bound. */
TEST(how_much_softer_bars_are_with_shape_and_volume_apart_is_known)
{
    static const double RATIO[] = {0.2, 0.3, 0.45};
    for (int k = 0; k < 9; k++) { /* coarse with both steps, fine with one */
        struct setting setting = {HANGING, COROTATED_PREFACTORED, RATIO[k / 3], k % 3 ? 4e-3 : 1e-3,
                                  k % 3 == 2 ? 2 * COARSE : COARSE};
        const double told = foretold(setting).softer, softer = softness(setting);
        setting.way = CANTILEVER;
        const double bends = softness(setting);
        printf("# Poisson's ratio %g, %g s, %d layers: softer by %.3f, told %.3f; bent by %.3f\n",
               setting.poisson, setting.dt, setting.layers, softer, told, bends);
        check(told > softer / 1.3 && told < softer * 1.3);
        check(bends < told);
        setting.solver = COROTATED_COUPLED;
        check_close(foretold(setting).softer, 0.0, 0.0, "solved at once");
    }
}

/* Until the last particle, at the tip, turns back; gravity is small, so that the swing is. */
static double half_swing(struct setting setting)
{
    struct hand_scene h;
    struct simulation s;
    fill(&h, &setting);
    h.scene.gravity = vec3_scale(0.01, h.scene.gravity);
    start(&h, &s);
    double before = 0.0, now = 0.0, begin = 0.0;
    do {
        begin = s.time;
        before = now;
        step_once(&s);
        now = s.particles.velocity[s.particles.n - 1].z;
    } while (now < 0.0);
    const double time = begin + (s.time - begin) * before / (before - now);
    simulation_free(&s);
    hand_scene_end(&h);
    return time;
}

TEST(how_much_slower_lagging_rotations_make_bending_is_known)
{
    for (int p = 0; p < RATIOS; p++)
        for (double dt = 2e-3; dt < 2e-2; dt *= 2.0) {
            const struct setting setting = {CANTILEVER, COROTATED_COUPLED, POISSON[p], dt, COARSE},
                                 exact = {CANTILEVER, COROTATED_NEWTON, POISSON[p], 1e-3, COARSE};
            const double told = foretold(setting).slower,
                         slower = half_swing(setting) / half_swing(exact) - 1.0;
            printf("# Poisson's ratio %g, %g s: slower by %.3f, told %.3f\n", POISSON[p], dt,
                   slower, told);
            if (slower > 0.05)
                check(told > slower / 2.0 && told < slower * 1.5);
        }
}

/* ---- Newton's method at rest ---- */

/* Of which a smaller tolerance asks for more than there is. */
TEST(newtons_method_goes_on_where_only_rounding_is_left)
{
    const struct setting setting = {HANGING, COROTATED_NEWTON, 0.45, 1e-2, COARSE};
    struct hand_scene h;
    struct simulation s;
    fill(&h, &setting);
    h.scene.solver.tolerance = 1e-13;
    start(&h, &s);
    double speed = 0.0;
    for (int k = 0; k < 600; k++)
        speed = step_once(&s).speed_max;
    check_close(speed, 0.0, 1e-9, "speed at rest");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- stability ---- */

TEST(nearly_incompressible_bodies_calm_down_in_long_steps)
{
    const struct setting setting = {CANTILEVER, COROTATED_COUPLED, 0.49, 1e-2, COARSE};
    struct hand_scene h;
    struct simulation s;
    fill(&h, &setting);
    start(&h, &s);
    struct ledger_row row = step_once(&s);
    const double begun = total_energy(&row);
    double energy = begun, kinetic = row.kinetic;
    for (int k = 0; k < 1000; k++) {
        row = step_once(&s);
        energy = fmax(energy, total_energy(&row));
        kinetic = fmax(kinetic, row.kinetic);
    }
    printf("# energy rises by %.2g of %.2g J; of %.2g J kinetic %.2g J are left\n", energy - begun,
           row.elastic, kinetic, row.kinetic);
    check_close(energy - begun, 0.0, 1e-3 * row.elastic, "energy gained");
    check(row.kinetic < 1e-2 * kinetic);
    simulation_free(&s);
    hand_scene_end(&h);
}
