/* Air on sheets: closed forms of a flat sheet, and the ledger of every scheme. */
#include "trials.h"

static const char scene_text[] =
    "name: air\n"
    "gravity: [0, 0, %g]\n"
    "time: {end: 10, max_step: %g, frame_interval: 10}\n"
    "air: {density: %g, wind: [%.17g, 0, %.17g], drag: %g, lift: %g}\n"
    "contact: {method: position-based}\n"
    "materials: {plate: {model: rigid}}\n"
    "bodies:\n"
    "  plate: {material: plate, radius: 0.01, density: 100, shape: {sheet: {cells: [9, 7]}}}\n";

struct flat {
    double gravity, step, density, wind_x, wind_z, drag, lift;
};

static void flat_create(struct trial *t, const struct flat *f)
{
    char text[sizeof scene_text + 200];
    snprintf(text, sizeof text, scene_text, f->gravity, f->step, f->density, f->wind_x, f->wind_z,
             f->drag, f->lift);
    trial_create(t, text);
}

static const double AREA = 8 * 0.02 * 6 * 0.02; /* of the triangles, m^2 */

static double mass_of(const struct particles *p)
{
    double sum = 0.0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->mass[i];
    return sum;
}

static struct vec3 impulse_of_air(const struct ledger_row *row)
{
    return vec3(ledger_value(row, "air_impulse_x"), ledger_value(row, "air_impulse_y"),
                ledger_value(row, "air_impulse_z"));
}

/* A sheet at rest whose normal is z, in a wind at `degrees` from it. */
TEST(drag_and_lift_on_a_plate_are_those_of_the_formula_at_every_angle)
{
    for (int degrees = -90; degrees <= 180; degrees += 30) {
        const double angle = degrees * M_PI / 180.0, speed = 3.0, half = 0.5 * 1.2 * speed * speed;
        struct trial t;
        flat_create(&t, &(struct flat){.step = 1e-4,
                                       .density = 1.2,
                                       .wind_x = speed * sin(angle),
                                       .wind_z = speed * cos(angle),
                                       .drag = 1.3,
                                       .lift = 0.7});
        struct ledger_row row = step_once(&t.s);
        const double c = fabs(cos(angle)), side = copysign(1.0, cos(angle));
        const struct vec3 along = vec3(sin(angle), 0.0, cos(angle));
        const struct vec3 across = vec3_axpy(vec3(0.0, 0.0, side), -c, along);
        const struct vec3 force =
            vec3_scale(half * AREA * c, vec3_axpy(vec3_scale(1.3, along), 0.7, across));
        check_vec3(vec3_scale(1.0 / row.dt, impulse_of_air(&row)), force, 1e-12 * half * AREA,
                   "force");
        check_close(vec3_dot(across, along), 0.0, 1e-15, "lift is across");
        trial_free(&t);
    }
}

/* v(t) = -u tanh(g t / u), u^2 = 2 m g / (rho C A). */
TEST(a_falling_plate_has_its_terminal_speed)
{
    const struct flat flat = {
        .gravity = -9.81, .step = 2e-3, .density = 1.2, .drag = 1.1, .lift = 1};
    struct trial t;
    flat_create(&t, &flat);
    const double mass = mass_of(&t.s.particles), g = 9.81;
    const double u = sqrt(2.0 * mass * g / (1.2 * 1.1 * AREA));
    double work = 0.0, fallen = 0.0, worst = 0.0;
    while (t.s.time < 2.5 * u / g) {
        struct ledger_row row = step_once(&t.s);
        const double right = u * tanh(g * t.s.time / u);
        worst = fmax(worst, fabs(-row.momentum_z / mass - right) / u);
        work += ledger_value(&row, "air_work");
        fallen += row.gravity_work - row.numerical_dissipation;
        check_close(row.energy_imbalance / (row.kinetic + fabs(row.gravitational)), 0.0, 1e-12,
                    "energy");
    }
    printf("# terminal speed %.3g m/s, at most %.2g of it off\n", u, worst);
    check_close(worst, 0.0, 2e-3, "speed over time");
    check_close((fallen + work) / (0.5 * mass * u * u), pow(tanh(g * t.s.time / u), 2.0), 2e-3,
                "what air leaves");
    trial_free(&t);
}

TEST(steps_are_as_short_as_air_demands)
{
    struct trial t;
    const struct flat flat = {.step = 1.0, .density = 1000, .wind_z = 10, .drag = 2, .lift = 1};
    flat_create(&t, &flat);
    const double mass = 100 * pow(0.02, 3), square = 0.02 * 0.02;
    struct ledger_row row = step_once(&t.s);
    check_close(row.dt * 1000 * 10 * square * 3 / mass, 0.5, 1e-9, "step");
    for (int k = 0; k < 50; k++)
        row = step_once(&t.s);
    check(row.speed_max <= 10.0 * (1 + 1e-6));
    trial_free(&t);
}

TEST(a_scene_without_air_has_no_limit)
{
    struct trial t;
    const struct flat flat = {.step = 1e-3, .drag = 1, .lift = 1};
    flat_create(&t, &flat);
    check(isinf(air_longest_step(&t.s.air, &t.s.particles)) && !t.s.air.force);
    struct ledger_row row = step_once(&t.s);
    check(ledger_value(&row, "air_work") == 0.0 && row.speed_max < 1e-12);
    trial_free(&t);
}

/* ---- every scheme ---- */

static const char flag_text[] =
    "name: flag\n"
    "time: {end: 10, max_step: 1e-3, frame_interval: 10}\n"
    "air: {density: 1.2, wind: [20, 1, 0.5]}\n"
    "contact: {method: %s}\n"
    "solver: {integrator: %s}\n"
    "materials:\n"
    "  cloth: {model: mass-spring, stretch_stiffness: 400, shear_stiffness: 400,\n"
    "          bend_stiffness: 20, damping: 2e-4}\n"
    "  rubber: {model: mass-spring, stretch_stiffness: 500, shear_stiffness: 500,\n"
    "           bend_stiffness: 500, damping: 1e-4}\n"
    "bodies:\n"
    "  flag: {material: cloth, radius: 0.01, density: 100, fixed: corners,\n"
    "         shape: {sheet: {cells: [9, 9]}}}\n"
    "  ball: {material: rubber, radius: 0.01, density: 500, position: [0.07, 0.07, 0.045],\n"
    "         velocity: [0, 0, -2], shape: {ball: {radius: 0.03}}}\n";

static void check_flag(const char *method, const char *integrator)
{
    char text[sizeof flag_text + 60];
    struct trial t;
    double worst_energy = 0.0, worst_momentum = 0.0, work = 0.0;
    struct vec3 before = {0};
    snprintf(text, sizeof text, flag_text, method, integrator);
    trial_create(&t, text);
    before = totals_of(&t.s.particles, t.scene.gravity).momentum;
    while (t.s.time < 0.03) {
        struct ledger_row row = step_once(&t.s);
        struct vec3 change = vec3_sub(row_momentum(&row), before);
        change = vec3_sub(change, vec3(row.gravity_impulse_x + row.support_impulse_x,
                                       row.gravity_impulse_y + row.support_impulse_y,
                                       row.gravity_impulse_z + row.support_impulse_z));
        change = vec3_sub(vec3_sub(change, impulse_of_air(&row)), row_residual(&row));
        change = vec3_sub(change, vec3(ledger_value(&row, "unbalanced_impulse_x"),
                                       ledger_value(&row, "unbalanced_impulse_y"),
                                       ledger_value(&row, "unbalanced_impulse_z")));
        worst_momentum = fmax(worst_momentum, vec3_norm(change) / row.momentum_scale);
        worst_energy = fmax(worst_energy,
                            fabs(row.energy_imbalance) / (row.kinetic + fabs(row.gravitational)));
        work += ledger_value(&row, "air_work");
        before = row_momentum(&row);
    }
    printf("# %s, %s: air gave %.3g J\n", method, integrator, work);
    check_close(worst_momentum, 0.0, 1e-12, method);
    check_close(worst_energy, 0.0, 1e-12, method);
    check(work < 0.0); /* it brakes the flag that the ball hits */
    trial_free(&t);
}

TEST(energy_and_momentum_are_accounted_for_in_every_scheme)
{
    check_flag("merging-and-splitting", "backward-euler");
    check_flag("merging-and-splitting", "newmark");
    check_flag("merging-and-splitting", "verlet");
    check_flag("penalty", "newmark");
    check_flag("sliding", "backward-euler");
    check_flag("position-based", "backward-euler");
    check_flag("barrier", "backward-euler");
}

/* ---- what is refused ---- */

static void check_refused(const char *air, const char *model, const char *complaint)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "name: a\ntime: {end: 1, frame_interval: 1}\n%s"
        "materials: {m: {model: %s, %s}}\n"
        "bodies: {b: {material: m, radius: 0.01, density: 1, shape: {sheet: {cells: [3, 3]}}}}\n",
        air, model,
        strcmp(model, "fluid") == 0 ? "pressure: 100"
        : strcmp(model, "mass-spring") == 0
            ? "stretch_stiffness: 1, shear_stiffness: 1, bend_stiffness: 0"
        : strcmp(model, "mass-spring, critical_stretch: 0.1") == 0
            ? "stretch_stiffness: 1, shear_stiffness: 1, bend_stiffness: 0"
            : "stiffness: 1, critical_stretch: 0.1");
    struct outcome o = outcome_of_text(text);
    bool found = !complaint && o.status == STATUS_OK;
    for (size_t k = 0; complaint && k < o.complaints.n; k++)
        found |= strstr(o.complaints.line[k], complaint) != NULL;
    if (!check(found))
        outcome_print(&o);
    complaints_free(&o.complaints);
    config_free(o.config);
}

TEST(air_without_effect_and_sheets_that_tear_are_refused)
{
    check_refused("air: {density: 1}\n", "mass-spring", NULL);
    check_refused("air: {wind: [0, 0, 0], drag: 1}\n", "mass-spring", NULL);
    check_refused("air: {wind: [1, 0, 0]}\n", "mass-spring", "'air.wind' is for scenes with air");
    check_refused("air: {drag: 2}\n", "mass-spring", "'air.drag' is for scenes with air");
    check_refused("air: {density: 1}\n", "fluid", "no body is one; leave it out");
    check_refused("air: {density: 1}\n", "peridynamics", "whose sheets may tear");
    check_refused("air: {density: 1}\n", "mass-spring, critical_stretch: 0.1",
                  "whose sheets may tear");
}
