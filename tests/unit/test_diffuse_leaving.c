/* Fluid that leaves where there is no smoke: which particles, what the ledger has of them, and the
 * same bits for any threads and after a stop. */
#include "diffuse_scenes.h"
#include "endings.h"

/* Gas that flies by without gravity, with smoke in the lower part of it that lives for a while. */
static const char flying_text[] =
    "name: flying\n"
    "gravity: [0, 0, %s]\n"
    "time: {end: 10, max_step: 4e-3, frame_interval: 10}\n"
    "contact: {method: %s}\n"
    "materials: {gas: {model: %s}}\n"
    "bodies:\n"
    "  gas: {material: gas, radius: 0.01, density: 2, velocity: [0.1, 0.2, -0.3],"
    " without_smoke: %s, shape: {box: {size: [0.12, 0.12, 0.24]}}}\n"
    "diffuse:\n"
    "  smoke: {number: 40, lifetime: 0.05, alone: drifts, position: [0, 0, -0.06],"
    " shape: {box: {size: [0.1, 0.1, 0.1]}}}\n";

static void flying_create(struct trial *t, const char *gravity, const char *method,
                          const char *model, const char *without)
{
    char text[sizeof flying_text + 120];
    snprintf(text, sizeof text, flying_text, gravity, method, model, without);
    trial_create(t, text);
}

/* How many particles are in the wrong state, by distances to all of smoke. */
static size_t wrong_states(struct trial *t)
{
    const struct particles *p = &t->s.particles;
    const struct diffuse *d = smoke_of(t);
    size_t wrong = 0;
    for (size_t i = 0; i < p->n; i++) {
        bool seen = false;
        for (size_t k = 0; k < d->n; k++)
            seen |= vec3_norm(vec3_sub(d->position[k], p->position[i])) < 0.04;
        wrong += (p->state[i] == PARTICLE_FREE) != seen;
    }
    return wrong;
}

static size_t count_gone(const struct particles *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += p->state[i] == PARTICLE_GONE;
    return n;
}

/* In a step no particle changes its velocity, so that what leaves is known. */
TEST(fluid_with_no_smoke_in_its_kernel_leaves_and_the_ledger_has_it)
{
    static const char *const way[3][2] = {{"position-based", "fluid, viscosity: 0"},
                                          {"merging-and-splitting", "dfsph, viscosity: 0"},
                                          {"merging-and-splitting", "flip"}};
    double worst = 0.0, wrong = 0.0;
    for (int k = 0; k < 3; k++) {
        struct trial t;
        flying_create(&t, "0", way[k][0], way[k][1], "leaves");
        const double all = (double)t.s.particles.n;
        const double mass = t.s.particles.mass[0], speed2 = 0.14;
        const struct ledger_row row = step_once(&t.s);
        const double gone = (double)count_gone(&t.s.particles);
        wrong += (double)wrong_states(&t);
        check(gone > 0.3 * all && gone < 0.7 * all);
        check_close(row.outlet_mass, gone * mass, 1e-12 * all * mass, "mass");
        check_close(row.outlet_energy, 0.5 * gone * mass * speed2, 1e-9 * all * mass, "energy");
        check_close(row.outlet_impulse_z, -0.3 * gone * mass, 1e-9 * all * mass, "momentum");
        check_close(row.kinetic + row.outlet_energy, 0.5 * all * mass * speed2, 1e-9 * all * mass,
                    "energy of both");
        worst = worse(worst, fabs(row.energy_imbalance) / (0.5 * all * mass * speed2));
        trial_free(&t);
    }
    measured("U83.wrong", wrong);
    check_equal((size_t)wrong, 0, "particles that should have gone or stayed");
    check_close(worst, 0.0, 1e-14, "imbalance over the kinetic energy");
}

/* ... and all of it, when the last smoke is gone; by default it stays. */
TEST(all_leave_with_the_last_smoke_and_none_if_they_are_to_stay)
{
    static const char *const without[] = {"leaves", "stays"};
    for (int k = 0; k < 2; k++) {
        struct trial t;
        flying_create(&t, "-9.81", "position-based", "fluid, viscosity: 0", without[k]);
        double mass = 0.0;
        const double all = (double)t.s.particles.n * t.s.particles.mass[0];
        for (int step = 0; step < 14; step++)
            mass += step_once(&t.s).outlet_mass;
        check_equal(smoke_of(&t)->n, 0, "smoke");
        check_equal(count_gone(&t.s.particles), k == 0 ? t.s.particles.n : 0, "gone");
        check_close(mass, k == 0 ? all : 0.0, 1e-12 * all, "mass that left");
        trial_free(&t);
    }
}

TEST(the_same_bits_for_any_threads_and_after_a_stop)
{
    struct ending one = {0};
    for (int threads = 1; threads <= 7; threads += threads == 3 ? 4 : 1) {
        struct trial t;
        struct ledger_row row = {0};
        flying_create(&t, "-9.81", "position-based",
                      "fluid, viscosity: 1e-3, drag: 50, cohesion: 1", "leaves");
        omp_set_num_threads(threads);
        for (int k = 0; k < 6; k++)
            row = step_once(&t.s);
        struct ending end = ending_of(&t.s, row);
        if (threads == 1) {
            one = end;
            check_goes_on(&t.s, t.sample.rest_position, 4);
        } else {
            check_same_ending(&one, &end);
            ending_free(&end);
        }
        trial_free(&t);
    }
    ending_free(&one);
    omp_set_num_threads(1);
}

static void check_refused(const char *model, const char *rest, const char *complaint)
{
    char text[600];
    snprintf(text, sizeof text,
             "name: a\n"
             "time: {end: 1, frame_interval: 1}\n"
             "materials: {m: {model: %s}}\n"
             "bodies: {b: {material: m, radius: 0.01, density: 1, without_smoke: leaves,"
             " shape: {ball: {radius: 0.03}}}}\n"
             "%s",
             model, rest);
    struct outcome o = outcome_of_text(text);
    check(o.complaints.n > 0);
    if (o.complaints.n > 0)
        check_contains(o.complaints.line[0], complaint);
    outcome_free(&o);
}

TEST(only_fluids_leave_and_only_where_there_may_be_smoke)
{
    check_refused("loose", "",
                  "f:4:68: 'bodies.b.without_smoke' is for fluids, and the material of 'bodies.b' "
                  "is none; leave it out");
    check_refused("fluid, viscosity: 0, pressure: 9", "",
                  "f:4:68: 'bodies.b.without_smoke' is leaves, but there is no diffuse.<name>");
}
