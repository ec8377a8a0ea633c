/* Fluids under contact.method: position-based: water at rest, bodies that float, inlets and
 * outlets, the ledger, and interruption. */
#include "constraints/density_parts.h"
#include "endings.h"
#include "state_values.h"

static const double G = 9.81, R = 0.025, S = 0.05, MASS = 0.125; /* 1000 kg/m^3 */

static void begin(struct hand_scene *h, uint32_t iterations, double dt)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_POSITION_BASED;
    h->scene.time.courant = 100.0;
    h->scene.time.max_step = dt;
    h->scene.gravity = vec3(0.0, 0.0, -G);
    h->scene.position = (struct position_settings){.iterations = iterations,
                                                   .omega = 1.0,
                                                   .averaging = AVERAGING_PARTICLE,
                                                   .stiffness = BONDS_RIGID,
                                                   .solid_weight = 1.0};
}

/* A box that holds everything, with its floor at z = 0 and a corner at the origin. */
static struct wall tank(double x, double y, double z)
{
    return (struct wall){.name = "tank",
                         .region = {.shape = {.kind = SHAPE_BOX, .size = {x, y, z}},
                                    .position = {0.5 * x, 0.5 * y, 0.5 * z},
                                    .rotation = UPRIGHT},
                         .keep = KEEP_INSIDE,
                         .holds = HOLDS_ALL};
}

static void add_wall(struct hand_scene *h, struct wall *wall)
{
    h->scene.n_walls = 1;
    h->scene.wall = wall;
}

/* Fills a tank from its floor on. */
static void add_water(struct hand_scene *h, int nx, int ny, int nz, double viscosity)
{
    add_body(h, add_fluid(h, 2e4, viscosity), R, MASS);
    add_block(h, nx, ny, nz, vec3(R, R, R), vec3(0.0, 0.0, 0.0));
}

static double mean_height(const struct simulation *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->particles.n; i++)
        sum += s->particles.position[i].z;
    return sum / (double)s->particles.n;
}

/* ---- at rest ---- */

/* The height of water at rest, over that of its lattice: of the center, averaged over the last half
 * second of two. Its tank bears its weight. */
static double height_at_rest(uint32_t iterations)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = tank(0.3, 0.3, 1.2);
    double height = 0.0, support = 0.0, weight = 0.0;
    begin(&h, iterations, 1.0 / 120.0);
    add_wall(&h, &wall);
    add_water(&h, 6, 6, 12, 0.0);
    start(&h, &s);
    double first = mean_height(&s);
    for (int k = 0; k < 240; k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-12 * 1e3, "energy_imbalance");
        height += k < 180 ? 0.0 : mean_height(&s) / 60.0;
        support += k < 120 ? 0.0 : row.support_impulse_z;
        weight -= k < 120 ? 0.0 : row.gravity_impulse_z;
    }
    printf("# %u iterations: height %.4f\n", iterations, height / first);
    check_close(support / weight, 1.0, 0.01, "impulse of the walls over that of gravity");
    simulation_free(&s);
    hand_scene_end(&h);
    return height / first;
}

TEST(water_at_rest_stands_as_high_as_iterations_say)
{
    check(height_at_rest(2) >= 0.955);
    check(height_at_rest(4) >= 0.97);
    check(height_at_rest(8) >= 0.98);
    check(height_at_rest(16) >= 0.985);
}

/* Full and closed, 20 layers deep. */
TEST(a_full_box_is_hardly_compressed)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = tank(1.0, 0.2, 1.0);
    double most = 0.0;
    size_t upper = 0, below = 0;
    begin(&h, 4, 1.0 / 120.0);
    add_wall(&h, &wall);
    add_water(&h, 20, 4, 20, 0.0);
    start(&h, &s);
    for (int k = 0; k < 72; k++) {
        struct ledger_row row = step_once(&s);
        most = fmax(most, ledger_value(&row, "density_error_max"));
    }
    for (size_t i = 0; i < s.particles.n; i++) {
        upper += h.rest[i].z > 0.5;
        below += h.rest[i].z > 0.5 && s.particles.position[i].z < 0.5;
    }
    printf("# largest compression %.3f, mixed %.3f\n", most, (double)below / (double)upper);
    check(most < 0.25);
    check((double)below < 0.1 * (double)upper);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- bodies ---- */

/* How high the bottom of a cube of 4^3 particles is after 3 s in water 8 layers deep, and how high
 * the water is then. */
static double bottom_of_cube(double ratio, double *surface)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = tank(0.5, 0.5, 1.2);
    const union hand_parameters rigid = {.rigid = {.stiffness = 1.0}};
    begin(&h, 4, 1.0 / 120.0);
    add_wall(&h, &wall);
    add_body(&h, add_material(&h, &rigid_model, rigid), R, ratio * MASS);
    add_block(&h, 4, 4, 4, vec3(0.17, 0.18, 0.43), vec3(0.0, 0.0, 0.0));
    add_water(&h, 10, 10, 8, 0.0);
    start(&h, &s);
    double bottom = 0.0, top = 0.0;
    for (int k = 0; k < 360; k++) {
        step_once(&s);
        for (size_t i = 0; k >= 300 && i < 64; i++)
            bottom += s.particles.position[i].z / (64.0 * 60.0);
    }
    for (size_t i = 64; i < s.particles.n; i++) /* in the corners */
        if (fabs(s.particles.position[i].x - 0.25) > 0.17 &&
            fabs(s.particles.position[i].y - 0.25) > 0.17)
            top = fmax(top, s.particles.position[i].z);
    *surface = top + R;
    simulation_free(&s);
    hand_scene_end(&h);
    return bottom - 2.0 * S;
}

TEST(bodies_float_as_deep_as_they_are_heavy)
{
    double surface, bottom;
    for (int k = 1; k <= 3; k++) {
        bottom = bottom_of_cube(0.25 * k, &surface);
        printf("# ratio %.2f: %.3f of it below the surface\n", 0.25 * k,
               (surface - bottom) / (4.0 * S));
        check_close((surface - bottom) / (4.0 * S), 0.25 * k, 0.1, "share below the surface");
    }
    bottom = bottom_of_cube(2.0, &surface);
    check_close(bottom, 0.0, S, "bottom of a heavy one");
}

/* ---- ledger ---- */

/* A jet of one fluid over a pool of another, a cube that it carries along, a fixed plate, and an
 * outlet. The jet may be gas. */
static void begin_mix(struct hand_scene *h, struct wall *wall, struct outlet *outlet, bool gas)
{
    const union hand_parameters rigid = {.rigid = {.stiffness = 1.0}};
    *wall = tank(1.0, 0.3, 1.0);
    *outlet = (struct outlet){.name = "drain",
                              .region = {.shape = {.kind = SHAPE_BOX, .size = {0.2, 0.4, 0.2}},
                                         .position = {0.95, 0.15, 0.05},
                                         .rotation = UPRIGHT}};
    begin(h, 3, 5e-3);
    h->scene.position.averaging = AVERAGING_MASS_SPLITTING;
    h->scene.contact.friction = h->scene.contact.static_friction = 0.2;
    add_wall(h, wall);
    h->scene.n_outlets = 1;
    h->scene.outlet = outlet;
    add_body(h, add_loose(h), R, MASS);
    fix_from(h, add_block(h, 4, 4, 1, vec3(0.2, 0.05, 0.1), vec3(0.0, 0.0, 0.0)));
    size_t cube = add_material(h, &rigid_model, rigid);
    add_body(h, cube, R, 0.5 * MASS);
    add_block(h, 3, 3, 3, vec3(0.45, 0.08, 0.1), vec3(0.0, 0.0, 0.0));
    const struct vec3 speed = vec3(2.0, 0.0, 0.0);
    const size_t of_jet = add_fluid(h, 2e4, 0.01);
    if (gas) {
        struct fluid_material *material = &h->parameters[of_jet].fluid;
        material->buoyancy = 0.5;
        material->drag = 5.0;
        material->baroclinity = 10.0;
        h->scene.air.wind = vec3(0.0, 0.5, 0.0);
    }
    uint32_t jet = add_body(h, of_jet, R, MASS);
    h->body[jet].velocity = speed;
    h->body[jet].inlet = (struct inlet){.given = true, .point = vec3(0.1, 0.0, 0.0)};
    uint32_t first = add_block(h, 20, 3, 3, vec3(-0.8, 0.1, 0.2), speed);
    for (size_t i = first; i < h->particles.n; i++)
        if (h->particles.position[i].x < 0.1)
            h->particles.state[i] = PARTICLE_PRESCRIBED;
    add_body(h, add_fluid(h, 2e4, 0.02), R, 0.5 * MASS);
    add_block(h, 16, 5, 2, vec3(0.05, 0.05, R), vec3(0.0, 0.0, 0.0));
}

static struct vec3 of_row(const struct ledger_row *row, const char *what)
{
    char name[64];
    double value[3];
    for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "%s_%c", what, "xyz"[k]);
        value[k] = ledger_value(row, name);
    }
    return vec3(value[0], value[1], value[2]);
}

static void check_ledger(bool gas)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall;
    struct outlet outlet;
    double in = 0.0, out = 0.0, pressure = 0.0, damping = 0.0, air = 0.0, vortices = 0.0;
    begin_mix(&h, &wall, &outlet, gas);
    start(&h, &s);
    for (int k = 0; k < 120; k++) {
        struct vec3 before = s.totals.momentum;
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance, 0.0, 1e-12 * 300.0, "energy_imbalance");
        struct vec3 change = vec3_sub(of_row(&row, "momentum"), before);
        change = vec3_sub(change, of_row(&row, "gravity_impulse"));
        change = vec3_sub(change, of_row(&row, "support_impulse"));
        change = vec3_sub(change, of_row(&row, "air_impulse"));
        change = vec3_sub(change, of_row(&row, "inlet_impulse"));
        change = vec3_add(change, of_row(&row, "outlet_impulse"));
        check_vec3(change, of_row(&row, "unbalanced_impulse"), 1e-12 * 300.0,
                   "change of momentum that nothing explains");
        check_vec3(of_row(&row, "unbalanced_impulse"), vec3(0.0, 0.0, 0.0), 1e-10 * 300.0,
                   "unbalanced impulse");
        in += row.inlet_mass;
        out += row.outlet_mass;
        pressure += fabs(ledger_value(&row, "pressure_work"));
        damping += row.damping;
        air += fabs(ledger_value(&row, "air_work"));
        vortices += fabs(ledger_value(&row, "vorticity_work"));
    }
    check(in > 0.0 && out > 0.0 && pressure > 0.0 && damping > 0.0);
    check((air > 0.0) == gas && (vortices > 0.0) == gas);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(the_ledger_closes_with_jets_and_bodies)
{
    check_ledger(false);
}

TEST(the_ledger_closes_with_gas)
{
    check_ledger(true);
}

/* ---- gas ---- */

/* What surrounds it bears a part of its weight, and takes the velocity of a particle that has
 * nothing else around it: v = (v + (1 - b) g dt) / (1 + k dt (1 - 1 / S_0)). */
TEST(a_lone_particle_of_gas_rises_by_the_closed_form)
{
    struct hand_scene h;
    struct simulation s;
    const double dt = 5e-3, b = 1.2, k = 50.0, lone = 1.0 - 1.0 / density_lattice(0.5).kernel;
    double v = 0.0, z = 0.0;
    begin(&h, 4, dt);
    size_t gas = add_fluid(&h, 2e4, 0.0);
    h.parameters[gas].fluid.buoyancy = b;
    h.parameters[gas].fluid.drag = k;
    add_body(&h, gas, R, MASS);
    add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int step = 0; step < 100; step++) {
        const struct ledger_row row = step_once(&s);
        v += (b - 1.0) * G * dt;
        z += v * dt;
        v /= 1.0 + k * dt * lone;
        check_close(s.particles.velocity[0].z, v, 1e-14, "velocity");
        check_close(s.particles.position[0].z, z, 1e-14, "height");
        check_close(row.energy_imbalance, 0.0, 1e-15, "energy_imbalance");
    }
    check_close(v / ((b - 1.0) * G / (k * lone)), 1.0, 1e-6, "terminal velocity");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- threads and interruption ---- */

static void check_resumed(bool gas)
{
    struct hand_scene h;
    struct simulation s, again;
    struct error error = {0};
    struct state state;
    struct wall wall;
    struct outlet outlet;
    begin_mix(&h, &wall, &outlet, gas);
    start(&h, &s);
    for (int k = 0; k < 40; k++)
        step_once(&s);
    state_take(&state, &s);
    omp_set_num_threads(3);
    check_equal(resume(&again, &s, &state, h.rest, &error), STATUS_OK, error.message);
    for (int k = 0; k < 40; k++) {
        omp_set_num_threads(1);
        struct ledger_row one = step_once(&s);
        omp_set_num_threads(3);
        struct ledger_row other = step_once(&again);
        check(memcmp(&one, &other, sizeof one) == 0);
    }
    check(memcmp(s.particles.position, again.particles.position,
                 s.particles.n * sizeof(struct vec3)) == 0);
    simulation_free(&again);
    simulation_free(&s);
    state_free(&state);
    hand_scene_end(&h);
}

TEST(a_run_goes_on_from_a_frame_to_the_bit_with_any_threads)
{
    check_resumed(false);
    check_resumed(true);
}

/* A list of vortices of a scene with more or less gas. */
TEST(a_frame_with_other_gas_is_refused)
{
    struct hand_scene h;
    struct simulation s, again;
    struct error error = {0};
    struct state state;
    struct wall wall;
    struct outlet outlet;
    begin_mix(&h, &wall, &outlet, true);
    start(&h, &s);
    step_once(&s);
    state_take(&state, &s);
    struct state_value *vortices = state_find(&state, "vortices");
    check_equal(vortices->rows, 180, "rows of vortices");
    vortices->rows--;
    check_equal(resume(&again, &s, &state, h.rest, &error), STATUS_INVALID, error.message);
    check(strstr(error.message, "vortices has 179 rows; the scene has 180 particles of gas"));
    vortices->rows++;
    simulation_free(&s);
    state_free(&state);
    hand_scene_end(&h);
}
