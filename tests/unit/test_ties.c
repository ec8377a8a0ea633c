/* Bodies tied to what they touch. */
#include "trials.h"

/* A block of 5 x 3 x 2 particles, in one piece or as two bodies tied to each other. The first %s is
 * everything before the bodies. */
static const char whole_text[] = "%s"
                                 "  a: {material: rubber, radius: 0.01, density: 500, %s,\n"
                                 "      shape: {box: {size: [0.1, 0.06, 0.04]}}}\n";
static const char tied_text[] =
    "%s"
    "  a: {material: rubber, radius: 0.01, density: 500, %s, position: [0, 0, -0.01],\n"
    "      shape: {box: {size: [0.1, 0.06, 0.02]}}}\n"
    "  b: {material: rubber, radius: 0.01, density: 500, %s, position: [0, 0, 0.01],\n"
    "      shape: {box: {size: [0.1, 0.06, 0.02]}}, ties: touching}\n";
static const char head_text[] =
    "name: ties\n"
    "time: {end: 10, max_step: 1e-3, frame_interval: 10}\n"
    "gravity: [0, 0, %g]\n"
    "contact: {method: %s}\n"
    "solver: {integrator: %s, tolerance: %g}\n"
    "materials:\n"
    "  rubber: {model: mass-spring, stretch_stiffness: 50, shear_stiffness: 40,\n"
    "           bend_stiffness: 10, damping: 1e-4}\n"
    "bodies:\n";

static void make(struct trial *t, bool tied, double gravity, const char *method,
                 const char *integrator, double tolerance, const char *more)
{
    char head[sizeof head_text + 200], text[2 * sizeof head_text + sizeof tied_text + 400];
    snprintf(head, sizeof head, head_text, gravity, method, integrator, tolerance);
    snprintf(text, sizeof text, tied ? tied_text : whole_text, head, more, more);
    trial_create(t, text);
}

/* The particle of t nearest to a place. */
static size_t nearest(const struct trial *t, struct vec3 place)
{
    size_t best = 0;
    for (size_t i = 1; i < t->s.particles.n; i++)
        if (vec3_norm(vec3_sub(t->s.particles.position[i], place)) <
            vec3_norm(vec3_sub(t->s.particles.position[best], place)))
            best = i;
    return best;
}

/* One end is held; the rest falls. */
static void check_same_as_whole(const char *method, const char *integrator)
{
    static const char hold[] = "fixed_in: {box: {center: [-0.04, 0, 0], size: [0.01, 1, 1]}}";
    struct trial one, two;
    size_t twin[30];
    double worst = 0.0, way = 0.0;
    make(&one, false, -98.1, method, integrator, 1e-12, hold);
    make(&two, true, -98.1, method, integrator, 1e-12, hold);
    check(one.s.particles.n == 30 && two.s.particles.n == 30);
    check(bonded_count(one.s.bonded) == bonded_count(two.s.bonded));
    for (size_t i = 0; i < 30; i++)
        twin[i] = nearest(&two, one.s.particles.position[i]);
    for (int k = 0; k < 60; k++) {
        step_once(&one.s);
        step_once(&two.s);
    }
    for (size_t i = 0; i < 30; i++) {
        const struct vec3 x = one.s.particles.position[i];
        worst = fmax(worst, vec3_norm(vec3_sub(x, two.s.particles.position[twin[i]])));
        way = fmax(way, vec3_norm(vec3_sub(x, one.sample.rest_position[i])));
    }
    check(way > 1e-3);
    check_close(worst, 0.0, 1e-10, method);
    trial_free(&one);
    trial_free(&two);
}

TEST(two_halves_tied_to_each_other_are_one_body)
{
    check_same_as_whole("merging-and-splitting", "backward-euler");
    check_same_as_whole("penalty", "newmark");
    check_same_as_whole("none", "verlet");
    check_same_as_whole("barrier", "backward-euler");
    check_same_as_whole("position-based", "backward-euler");
}

/* A rough solver leaves residuals, which must not push one half away from the other. */
TEST(momentum_and_energy_of_tied_bodies_are_exact)
{
    static const char *const method[] = {"merging-and-splitting", "position-based}\nposition: "
                                                                  "{averaging: mass-splitting"};
    for (int m = 0; m < 2; m++) {
        struct trial t;
        make(&t, true, 0.0, method[m], "backward-euler", 1e-2,
             "velocity: [1, 0, 0], spin: [3, 20, 0]");
        const struct vec3 before = totals_of(&t.s.particles, t.scene.gravity).momentum;
        for (int k = 0; k < 50; k++) {
            struct ledger_row row = step_once(&t.s);
            check_close(row.energy_imbalance / row.kinetic, 0.0, 1e-12, "energy");
            check_vec3(row_momentum(&row), before, 1e-13 * vec3_norm(before) * (k + 1), "momentum");
            check_vec3(row_residual(&row), vec3(0.0, 0.0, 0.0), 1e-13, "what the solver left");
        }
        trial_free(&t);
    }
}

static void check_refused(const char *body, const char *complaint)
{
    char text[1100];
    snprintf(text, sizeof text,
             "name: a\ntime: {end: 1, frame_interval: 1}\n"
             "materials:\n"
             "  s: {model: mass-spring, stretch_stiffness: 1, shear_stiffness: 1, "
             "bend_stiffness: 0}\n"
             "  p: {model: peridynamics, stiffness: 1}\n"
             "  t: {model: mass-spring, stretch_stiffness: 1, shear_stiffness: 1, "
             "bend_stiffness: 0, critical_stretch: 0.1}\n"
             "bodies:\n"
             "  a: {material: s, radius: 0.01, density: 1, shape: {sheet: {cells: [3, 3]}}}\n"
             "  b: {radius: 0.01, density: 1, shape: {ball: {radius: 0.03}}, ties: touching, %s\n",
             body);
    struct outcome o = outcome_of_text(text);
    bool found = false;
    for (size_t k = 0; k < o.complaints.n; k++)
        found |= strstr(o.complaints.line[k], complaint) != NULL;
    if (!check(found))
        outcome_print(&o);
    complaints_free(&o.complaints);
    config_free(o.config);
}

TEST(ties_without_springs_are_refused)
{
    check_refused("material: p}", "which is for springs, but its model is peridynamics");
    check_refused("material: t}", "ties itself to others, and its material has a critical_stretch");
    check_refused("material: s}\ncontact: {method: sliding}", "does not go with contact.method");
}

/* Two bodies, the second this far above the first, which both tie themselves. */
static void check_sampled(double distance, const char *second, const char *complaint)
{
    struct scene scene;
    struct sample sample;
    struct error error = {0};
    char text[1000];
    snprintf(text, sizeof text,
             "name: ties\ntime: {end: 1, frame_interval: 1}\n"
             "materials:\n"
             "  s: {model: mass-spring, stretch_stiffness: 2, shear_stiffness: 2, "
             "bend_stiffness: 1}\n"
             "  other: {model: mass-spring, stretch_stiffness: 1, shear_stiffness: 1, "
             "bend_stiffness: 0}\n"
             "bodies:\n"
             "  a: {material: s, radius: 0.01, density: 1, shape: {sheet: {cells: [3, 3]}}, "
             "ties: touching}\n"
             "  b: {material: %s, radius: 0.01, density: 1, shape: {sheet: {cells: [3, 3]}}, "
             "ties: touching, position: [0, 0, %g]}\n",
             second, distance);
    struct outcome o = outcome_of_text(text);
    outcome_print(&o);
    check_equal(config_scene(o.config, &scene, &error), STATUS_OK, error.message);
    const enum status status = sample_scene(&scene, &sample, &error);
    if (complaint)
        check(status == STATUS_INVALID && strstr(error.message, complaint) != NULL);
    else
        check_equal(status, STATUS_OK, error.message);
    sample_free(&sample);
    scene_free(&scene);
    complaints_free(&o.complaints);
    config_free(o.config);
}

/* Of two materials the springs would be those of the body whose name comes first. */
TEST(what_a_body_is_tied_to_is_known_when_it_is_sampled)
{
    check_sampled(0.02, "s", NULL);
    check_sampled(0.09, "s", "body 'a' ties itself to what it touches");
    check_sampled(0.02, "other", "bodies 'a' and 'b' tie themselves to each other, and differ");
}
