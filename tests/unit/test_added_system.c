/* A system that the programs do not have, added as docs/structure.md says: one file, tethers.h, and
 * a line in the table of classes, which is that of tether_scenes.h. Tests of its keys, its motion,
 * and its meetings with other systems. */
#include "tether_scenes.h"

#include <complex.h>

/* One particle of 0.5 kg at the origin, which moves at 2 m/s. */
static const char oscillator_text[] =
    "name: oscillator\n"
    "gravity: [0, 0, 0]\n"
    "time: {end: 100, max_step: %.17g, frame_interval: 10}\n"
    "contact: {method: none}\n"
    "materials:\n"
    "  spring: {model: tether, tether_stiffness: 20, tether_damping: %g}\n"
    "bodies:\n"
    "  one: {material: spring, radius: 0.5, particle_mass: 0.5, velocity: [2, 0, 0],\n"
    "        shape: {box: {size: [1, 1, 1]}}}\n";

static struct ledger_row step_once(struct simulation *s)
{
    struct ledger_row row;
    struct error error = {0};
    if (simulation_step(s, s->scene->time.end, &row, &error))
        give_up(&error);
    return row;
}

/* ---- configuration ---- */

TEST(its_keys_are_in_the_help)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        abort();
    config_help(stream, NULL);
    fclose(stream);
    check_contains(text, "tether_stiffness");
    check_contains(text, "tether_damping");
    check_contains(text, "particles tied to their places");
    free(text);
    const struct key *row = key_elsewhere("tether_damping");
    check(row && is_only_for(row, "tether"));
}

TEST(its_keys_are_checked_and_completed)
{
    const char *frame = "name: t\ntime: {end: 1, frame_interval: 1}\nmaterials:\n  m: {%s}\n"
                        "bodies:\n  b: {material: m, radius: 1, density: 1, shape: {ball: "
                        "{radius: 2}}}\n";
    static const char *const fault[][2] = {
        {"model: tether, tether_stiffness: 0",
         "f:4:40: 'materials.m.tether_stiffness' is 0, which is out of range; give a number > 0, "
         "in N/m\n"},
        {"model: tether, tether_stiffness: 1, tether_damping: -2",
         "f:4:59: 'materials.m.tether_damping' is -2, which is out of range; give a number >= 0, "
         "in kg/s\n"},
        {"model: tether",
         "f:4:6: key 'materials.m.tether_stiffness' is missing; give a number > 0, in N/m\n"},
        {"model: tether, tether_stifness: 1",
         "f:4:22: unknown key 'tether_stifness'; did you mean 'tether_stiffness'?\n"},
        {"model: loose, tether_stiffness: 1",
         "f:4:39: 'materials.m.tether_stiffness' is for tether, but the model is loose; leave it "
         "out\n"}};
    char text[1024];
    for (size_t k = 0; k < sizeof fault / sizeof fault[0]; k++) {
        snprintf(text, sizeof text, frame, fault[k][0]);
        check_text_complaints(text, fault[k][1]);
    }
    snprintf(text, sizeof text, frame, "model: tether, tether_stiffness: 3");
    struct outcome o = outcome_of_text(text);
    char *effective = NULL;
    struct error error = {0};
    check_equal(config_effective(o.config, &effective, &error), STATUS_OK, error.message);
    check_contains(effective, "tether_damping: 0\n");
    free(effective);
    outcome_free(&o);
}

/* ---- one particle ---- */

static const double MASS = 0.5, SPEED = 2.0, STIFFNESS = 20.0; /* as in the text above */

/* Where the particle is after each of n steps, m. */
static void swing(double dt, double damping, int n, double *x)
{
    char text[1024];
    struct setup setup;
    struct simulation s;
    snprintf(text, sizeof text, oscillator_text, dt, damping);
    setup_create(&setup, text);
    start(&setup, &s);
    check_equal(s.particles.n, 1, "particles");
    for (int k = 0; k < n; k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.dt, dt, 1e-15, "step");
        x[k] = s.particles.position[0].x;
    }
    simulation_free(&s);
    setup_free(&setup);
}

/* The time at which the particle passes its place the n-th time, s, by linear interpolation. */
static double passage(double dt, int n, const double *x)
{
    int k = 0;
    do {
        k++;
        n -= (x[k - 1] > 0.0) != (x[k] > 0.0);
    } while (n > 0);
    return dt * (k + x[k - 1] / (x[k - 1] - x[k]));
}

/* With g = c / 2m and w^2 = k/m - g^2,
 *     x(t) = v exp(-g t) sin(w t) / w = v Im(exp(z t)) / w,  z = -g + i w,
 * which passes its place every pi / w. The midpoint rule puts (1 + z dt/2) / (1 - z dt/2) in place
 * of exp(z dt), which differs in third order. */
TEST(one_particle_swings_and_decays_by_the_formula)
{
    enum { MOST = 10000 };
    static double x[MOST];
    const double g = 0.4, w = sqrt(STIFFNESS / MASS - g * g), pi = acos(-1.0);
    double worst[2], period[2], rounding = 0.0;
    for (int fine = 0; fine < 2; fine++) {
        double dt = fine ? 1e-3 : 2e-3;
        int n = (int)(5.0 / dt);
        const double complex z = -g + w * (double complex)I;
        const double complex factor = (1.0 + 0.5 * dt * z) / (1.0 - 0.5 * dt * z);
        double complex at = 1.0;
        swing(dt, 2.0 * g * MASS, n, x);
        worst[fine] = 0.0;
        for (int k = 0; k < n; k++) {
            double t = dt * (k + 1), exact = SPEED / w * exp(-g * t) * sin(w * t);
            at *= factor;
            worst[fine] = fmax(worst[fine], fabs(x[k] - exact) * w / SPEED);
            rounding = fmax(rounding, fabs(x[k] * w / SPEED - cimag(at)));
        }
        period[fine] = (passage(dt, 9, x) - passage(dt, 1, x)) / 4.0 / (2.0 * pi / w) - 1.0;
    }
    printf("# steps of 2 ms and 1 ms: worst difference %.3g and %.3g of the amplitude, period %.3g "
           "and %.3g too long; from the midpoint rule %.1e\n",
           worst[0], worst[1], period[0], period[1], rounding);
    check_close(rounding, 0.0, 1e-12, "the midpoint rule");
    check_close(worst[1], 0.0, 1e-4, "motion");
    check_close(worst[0] / worst[1], 4.0, 0.05, "second order");
    check_close(period[1], 0.0, 5e-6, "period");
    check_close(period[0], 4.0 * period[1], 1e-6, "second order");
}

TEST(energy_of_one_particle)
{
    char text[1024];
    struct setup setup;
    struct simulation s;
    snprintf(text, sizeof text, oscillator_text, 0.01, 0.4);
    setup_create(&setup, text);
    start(&setup, &s);
    double lost = 0.0, worst = 0.0;
    for (int k = 0; k < 200; k++) {
        struct ledger_row row = step_once(&s);
        lost += ledger_value(&row, "tether_damping");
        worst = fmax(worst, fabs(row.energy_imbalance));
        check_close(row.kinetic + row.elastic + lost, 1.0, 1e-13, "energy and what was lost");
        check_close(row.numerical_dissipation, 0.0, 1e-15, "nothing lost to the integrator");
        check_close(ledger_value(&row, "tether_longest"), fabs(s.particles.position[0].x), 0.0,
                    "longest extension");
    }
    check_close(worst, 0.0, 1e-15, "energy imbalance");
    check(lost > 0.5);
    simulation_free(&s);
    setup_free(&setup);
}

/* ---- with other systems ---- */

/* Whether group g has members of systems of all classes. */
static bool has_all_classes(const struct simulation *s, size_t g)
{
    for (size_t c = 0; system_classes[c]; c++) {
        bool found = false;
        for (size_t k = s->groups.start[g]; k < s->groups.start[g + 1]; k++)
            for (size_t m = 0; m < s->n_systems; m++)
                found |= s->system[m]->class == system_classes[c] &&
                         s->groups.member[k] >= s->first[m] &&
                         s->groups.member[k] < s->first[m + 1];
        if (!found)
            return false;
    }
    return true;
}

struct audit {
    double imbalance, energy, drift, scale, coupled, three, damping, anchors;
};

static double outside_impulse_along(const struct ledger_row *row, double gravity, double support,
                                    const char *coupling, const char *residual)
{
    return gravity + support + ledger_value(row, coupling) + ledger_value(row, residual);
}

static struct vec3 outside_impulse(const struct ledger_row *row)
{
    return vec3(outside_impulse_along(row, row->gravity_impulse_x, row->support_impulse_x,
                                      "coupling_impulse_x", "residual_impulse_x"),
                outside_impulse_along(row, row->gravity_impulse_y, row->support_impulse_y,
                                      "coupling_impulse_y", "residual_impulse_y"),
                outside_impulse_along(row, row->gravity_impulse_z, row->support_impulse_z,
                                      "coupling_impulse_z", "residual_impulse_z"));
}

static void audit_step(struct simulation *s, struct vec3 *rest, struct audit *audit)
{
    struct vec3 before = s->totals.momentum;
    struct ledger_row row = step_once(s);
    struct vec3 change = vec3_sub(s->totals.momentum, before);
    *rest = vec3_add(*rest, vec3_sub(change, outside_impulse(&row)));
    audit->drift = fmax(audit->drift, vec3_norm(*rest));
    audit->scale = fmax(audit->scale, row.momentum_scale);
    audit->imbalance = fmax(audit->imbalance, fabs(row.energy_imbalance));
    audit->energy = fmax(audit->energy, row.kinetic + row.elastic);
    audit->coupled += ledger_value(&row, "coupled");
    audit->damping += ledger_value(&row, "tether_damping");
    audit->anchors += fabs(row.support_impulse_z);
    for (size_t g = 0; g < s->groups.n_groups; g++)
        audit->three += has_all_classes(s, g);
}

/* Two systems of the class, a network of bonds and a fluid. */
static void audit_layer(const char *way, double alpha, double beta)
{
    struct setup setup;
    struct simulation s;
    struct audit audit = {0};
    struct vec3 rest = {0, 0, 0};
    layer_setup(&setup, way, alpha, beta);
    start(&setup, &s);
    check_equal(s.n_systems, 4, "systems");
    while (s.time < 0.03)
        audit_step(&s, &rest, &audit);
    printf("# %s: %llu steps, energy imbalance %.1e of the energy, momentum %.1e; %g coupled "
           "groups, %g of three classes; dampers took %.2e J\n",
           way, (unsigned long long)s.step, audit.imbalance / audit.energy,
           audit.drift / audit.scale, audit.coupled, audit.three, audit.damping);
    check(audit.coupled > 100.0 && audit.three > 0.0);
    check(audit.damping > 0.0 && audit.anchors > 0.0);
    check_close(audit.imbalance / audit.energy, 0.0, 1e-12, "energy");
    check_close(audit.drift / audit.scale, 0.0, 1e-12, "momentum");
    simulation_free(&s);
    setup_free(&setup);
}

TEST(energy_and_momentum_close_with_three_classes)
{
    audit_layer("sequential", 1.0, 1.0);
    audit_layer("own-members", 1.0, 1.0);
    audit_layer("sum", 0.5, 1.0);
    audit_layer("average", 0.5, 0.5);
}

/* ---- threads ---- */

/* Positions, velocities, the last row and what all systems keep and show. */
struct ending {
    size_t n;
    struct vec3 *position, *velocity;
    struct ledger_row row;
    struct state state;
};

static struct ending end_of_layer(int threads)
{
    struct setup setup;
    struct simulation s;
    struct ending end = {0};
    struct error error = {0};
    layer_setup(&setup, "sequential", 1.0, 1.0);
    omp_set_num_threads(threads);
    start(&setup, &s);
    while (s.time < 0.03)
        end.row = step_once(&s);
    end.n = s.particles.n;
    end.position = malloc(end.n * sizeof(struct vec3));
    end.velocity = malloc(end.n * sizeof(struct vec3));
    memcpy(end.position, s.particles.position, end.n * sizeof(struct vec3));
    memcpy(end.velocity, s.particles.velocity, end.n * sizeof(struct vec3));
    if (state_create(&end.state, &error) || simulation_take_state(&s, &end.state, &error))
        give_up(&error);
    simulation_free(&s);
    setup_free(&setup);
    return end;
}

static void check_same(const struct ending *a, const struct ending *b)
{
    check(memcmp(a->position, b->position, a->n * sizeof(struct vec3)) == 0);
    check(memcmp(a->velocity, b->velocity, a->n * sizeof(struct vec3)) == 0);
    check(memcmp(&a->row, &b->row, sizeof a->row) == 0);
    for (size_t k = 0; k < a->state.n; k++) {
        const struct state_value *x = &a->state.value[k], *y = &b->state.value[k];
        size_t size = x->rows * x->field->width * element_size(x->field->element);
        check(x->rows == y->rows && (size == 0 || memcmp(x->data, y->data, size) == 0));
    }
}

static void ending_free(struct ending *end)
{
    free(end->position);
    free(end->velocity);
    state_free(&end->state);
}

TEST(threads_change_nothing)
{
    struct ending first = end_of_layer(1);
    for (int threads = 2; threads <= 3; threads++) {
        struct ending other = end_of_layer(threads);
        check_same(&first, &other);
        ending_free(&other);
    }
    ending_free(&first);
}
