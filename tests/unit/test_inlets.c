/* Fluid that comes and goes: inlets and outlets in the time step. */
#include "scenes.h"
#include "step/simulation_parts.h"
#include "systems/sph/sph.h"

#include <string.h>

static const double R = 0.01, MASS = 8e-3; /* m, kg: 1000 kg/m^3 */
static const double SPEED = 3.0;           /* m/s */

/* A column of n x width x width particles along x, its front layer at x = front; what is upstream
 * of x = inlet is prescribed. Returns its body. */
static uint32_t add_jet(struct hand_scene *h, size_t material, int n, int width, double front,
                        double point)
{
    double s = 2.0 * R, side = 0.5 * s * (width - 1);
    uint32_t b = add_body(h, material, R, MASS);
    h->body[b].velocity = vec3(SPEED, 0.0, 0.0);
    h->body[b].inlet = (struct inlet){.given = true, .point = vec3(point, 0.0, 0.0)};
    uint32_t first =
        add_block(h, n, width, width, vec3(front - s * (n - 1), -side, -side), h->body[b].velocity);
    for (size_t i = first; i < h->particles.n; i++)
        if (h->particles.position[i].x < point)
            h->particles.state[i] = PARTICLE_PRESCRIBED;
    return b;
}

static void add_outlet(struct hand_scene *h, struct outlet *outlet, struct vec3 size,
                       struct vec3 center)
{
    *outlet = (struct outlet){.name = "drain",
                              .region = {.shape = {.kind = SHAPE_BOX, .size = size},
                                         .position = center,
                                         .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    h->scene.outlet = outlet;
    h->scene.n_outlets = 1;
}

static size_t count(const struct simulation *s, enum particle_state state)
{
    size_t n = 0;
    for (size_t i = 0; i < s->particles.n; i++)
        n += s->particles.state[i] == state;
    return n;
}

/* Sums over the rows of a run, and the worst energy imbalance and drift so far, relative to the
 * largest energy and momentum. */
struct audit {
    struct vec3 begun, impulse, inlet;
    double mass_in, mass_out, energy_in, energy_out, fluid, damping;
    double energy, momentum, energy_imbalance, drift;
};

static struct audit audit_begin(const struct simulation *s)
{
    return (struct audit){.begun = s->totals.momentum};
}

static struct ledger_row audit_step(struct audit *a, struct simulation *s)
{
    struct ledger_row row = step_once(s);
    struct vec3 inlet = vec3(row.inlet_impulse_x, row.inlet_impulse_y, row.inlet_impulse_z);
    struct vec3 outlet = vec3(row.outlet_impulse_x, row.outlet_impulse_y, row.outlet_impulse_z);
    a->impulse = vec3_add(a->impulse, vec3_sub(inlet, outlet));
    a->impulse = vec3_add(a->impulse, vec3(row.gravity_impulse_x + row.support_impulse_x,
                                           row.gravity_impulse_y + row.support_impulse_y,
                                           row.gravity_impulse_z + row.support_impulse_z));
    a->inlet = vec3_add(a->inlet, inlet);
    a->mass_in += row.inlet_mass;
    a->mass_out += row.outlet_mass;
    a->energy_in += row.inlet_energy;
    a->energy_out += row.outlet_energy;
    a->fluid += ledger_value(&row, "pressure_work");
    a->damping += row.damping;
    a->energy = fmax(a->energy, fabs(row.kinetic) + fabs(row.elastic) + fabs(row.gravitational) +
                                    fabs(row.inlet_energy));
    a->momentum = fmax(a->momentum, row.momentum_scale);
    a->energy_imbalance = fmax(a->energy_imbalance, fabs(row.energy_imbalance));
    a->drift =
        fmax(a->drift, vec3_norm(vec3_sub(vec3_sub(row_momentum(&row), a->begun), a->impulse)));
    return row;
}

static void check_audit(const struct audit *a)
{
    printf(
        "# energy imbalance %.1e of %.3g J, drift %.1e of %.3g kg m/s, %.3g kg in, %.3g kg out\n",
        a->energy_imbalance / a->energy, a->energy, a->drift / a->momentum, a->momentum, a->mass_in,
        a->mass_out);
    check(a->energy > 0.0 && a->momentum > 0.0);
    check_close(a->energy_imbalance / a->energy, 0.0, 1e-12, "energy_imbalance");
    check_close(a->drift / a->momentum, 0.0, 1e-12, "momentum drift");
}

/* The largest |rho / rho0 - 1| of particles with all their neighbors: two layers below the surface,
 * the inlet being none. */
static double worst_density(const struct simulation *s, int n, int width)
{
    static double density[SCENE_PARTICLES];
    struct system *fluid = s->system[0];
    struct error error;
    double worst = 0.0;
    check_equal(sph_evaluate(fluid, &s->particles, &error), STATUS_OK, "densities");
    sph_densities(fluid, density);
    for (size_t i = 0; i < fluid->n; i++) {
        int x = (int)i % n, y = (int)i / n % width, z = (int)i / (n * width);
        bool core = x >= 2 && x < n - 2 && y >= 2 && y < width - 2 && z >= 2 && z < width - 2;
        if (core)
            worst = fmax(worst, fabs(density[i] / 1000.0 - 1.0));
    }
    return worst;
}

/* The rounding of densities, and of what follows from them. */
static const double SINGLE = 1e-6;

TEST(a_jet_in_empty_space_moves_as_a_whole)
{
    enum { LENGTH = 40, WIDTH = 6 };
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.time.max_step = 1.0;
    add_jet(&h, add_fluid(&h, 2e4, 0.02), LENGTH, WIDTH, -1e-6, 0.0);
    start(&h, &s);
    double layer = WIDTH * WIDTH * MASS, area = pow(2.0 * R * WIDTH, 2.0), density = 0.0;
    struct audit a = audit_begin(&s);
    size_t released_at_once = 0;
    while (count(&s, PARTICLE_PRESCRIBED) > 0) {
        double free_mass = MASS * (double)count(&s, PARTICLE_FREE);
        struct ledger_row row = audit_step(&a, &s);
        density = fmax(density, worst_density(&s, LENGTH, WIDTH));
        check_close(a.mass_in, 1000.0 * area * SPEED * s.time, 1.01 * layer, "mass let in");
        check_close(row.inlet_mass, MASS * (double)count(&s, PARTICLE_FREE) - free_mass, 1e-12,
                    "inlet_mass");
        released_at_once += row.inlet_mass > 0.0;
        for (size_t i = 0; i < s.particles.n; i++)
            check_vec3(s.particles.velocity[i], vec3(SPEED, 0.0, 0.0), SINGLE * SPEED, "velocity");
    }
    check_equal(released_at_once, LENGTH, "layers let in one after the other");
    check_close(a.mass_in, LENGTH * layer, 1e-12, "all of it");
    check_close(a.inlet.x / (LENGTH * layer * SPEED), 1.0, SINGLE, "momentum let in");
    check_close(a.energy_in / (0.5 * LENGTH * layer * SPEED * SPEED), 1.0, SINGLE, "energy let in");
    check_close(density, 0.0, SINGLE, "density in the core, across the inlet");
    measured("JET.density", density);
    measured("JET.energy_imbalance", a.energy_imbalance / a.energy);
    measured("JET.momentum", a.drift / a.momentum);
    check_audit(&a);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A jet bent by gravity on a fixed plate and off into an outlet; the column was shaken, so
 * prescribed particles push and drag the free ones. */
static void fill_bent(struct hand_scene *h, const char *method, int width, struct outlet *outlet)
{
    hand_scene_begin(h);
    h->scene.contact.method = CHOICE_OF(CONTACT_METHODS, method);
    h->scene.gravity = vec3(0.0, 1.0, -9.81);
    add_body(h, add_loose(h), R, MASS);
    fix_from(h, add_block(h, 12, 8, 1, vec3(0.05, -0.07, -R * (width - 1) - 0.045),
                          vec3(0.0, 0.0, 0.0)));
    uint32_t jet = add_jet(h, add_fluid(h, 2e4, 0.05), 24, width, 0.001, 0.0);
    for (size_t i = 0; i < h->particles.n; i++)
        if (h->particles.body[i] == jet)
            h->particles.position[i] =
                vec3_axpy(h->particles.position[i], 0.2 * R, random_vector(4, i));
    add_outlet(h, outlet, vec3(1.0, 2.0, 2.0), vec3(0.75, 0.0, 0.0));
}

TEST(ledger_of_a_jet_on_a_plate_and_off)
{
    const char *const methods[] = {"merging-and-splitting", "sliding", "penalty", "impulse"};
    for (size_t k = 0; k < 4; k++) {
        struct hand_scene h;
        struct simulation s;
        struct outlet outlet;
        fill_bent(&h, methods[k], 4, &outlet);
        start(&h, &s);
        struct audit a = audit_begin(&s);
        double contacts = 0.0, all = MASS * (double)s.particles.n;
        double begun = MASS * (double)count(&s, PARTICLE_FREE);
        for (int step = 0; step < 600; step++) {
            struct ledger_row row = audit_step(&a, &s);
            contacts += row.contacts;
            double free_mass = MASS * (double)count(&s, PARTICLE_FREE);
            check_close(free_mass, begun + a.mass_in - a.mass_out, 1e-12 * all, "free mass");
        }
        check(contacts > 100.0 && a.damping > 0.0);
        check(a.mass_in > 0.5 * all && a.mass_out > 0.1 * all);
        check(fabs(a.energy_in) > 0.0 && a.energy_out > 0.0);
        check_audit(&a);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

TEST(an_outlet_takes_everything_and_nothing_comes_back)
{
    struct hand_scene h;
    struct simulation s;
    struct outlet outlet;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    add_body(&h, add_fluid(&h, 2e4, 0.02), R, MASS);
    add_block(&h, 6, 6, 6, vec3(-0.05, -0.05, 0.0), vec3(0.0, 0.0, -1.0));
    add_outlet(&h, &outlet, vec3(1.0, 1.0, 0.5), vec3(0.0, 0.0, -0.3));
    start(&h, &s);
    struct audit a = audit_begin(&s);
    double energy = s.energy.kinetic + s.energy.gravitational;
    struct ledger_row row = {0};
    while (count(&s, PARTICLE_FREE) > 0 && s.step < 5000) {
        row = audit_step(&a, &s);
        for (size_t i = 0; i < s.particles.n; i++) {
            struct vec3 x = s.particles.position[i];
            check((s.particles.state[i] == PARTICLE_GONE) == (x.z < -0.05));
            check(s.particles.state[i] == PARTICLE_FREE ||
                  vec3_norm(s.particles.velocity[i]) == 0.0);
        }
    }
    check_equal(count(&s, PARTICLE_GONE), 216, "gone");
    check_close(a.mass_out, 216 * MASS, 1e-12, "mass out");
    check_close(a.energy_out + a.fluid + a.damping, energy, 0.01 * energy, "energy out");
    check_audit(&a);
    check(row.kinetic == 0.0 && row.speed_max == 0.0 && row.speed_p999 == 0.0);
    check_vec3(row_momentum(&row), vec3(0.0, 0.0, 0.0), 0.0, "momentum");
    struct vec3 *left = malloc(s.particles.n * sizeof *left);
    memcpy(left, s.particles.position, s.particles.n * sizeof *left);
    row = audit_step(&a, &s); /* an empty world goes on, as fast as it may */
    check_equal(memcmp(left, s.particles.position, s.particles.n * sizeof *left), 0, "at rest");
    check_close(row.energy_imbalance, 0.0, 0.0, "energy imbalance of nothing");
    free(left);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Densities and forces are those of a fluid that never had the particles that are gone. */
TEST(the_gone_are_no_neighbors)
{
    struct hand_scene h[2];
    struct simulation s[2];
    struct outlet outlet;
    for (int k = 0; k < 2; k++) {
        hand_scene_begin(&h[k]);
        add_body(&h[k], add_fluid(&h[k], 2e4, 0.02), R, MASS);
        add_block(&h[k], 5, 5, 5, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        if (k == 0)
            add_block(&h[k], 5, 5, 2, vec3(0.0, 0.0, -0.04), vec3(0.0, 0.0, 0.0));
        for (size_t i = 0; i < 125; i++)
            h[k].particles.position[i] =
                vec3_axpy(h[k].particles.position[i], 0.3 * R, random_vector(8, i));
        add_outlet(&h[k], &outlet, vec3(1.0, 1.0, 0.4), vec3(0.0, 0.0, -0.21));
        start(&h[k], &s[k]);
        struct ledger_row row = step_once(&s[k]);
        check_close(row.outlet_mass, k == 0 ? 50 * MASS : 0.0, 1e-12, "mass out");
    }
    for (size_t i = 0; i < 125; i++) { /* the first step still saw them */
        s[1].particles.position[i] = s[0].particles.position[i];
        s[1].particles.velocity[i] = s[0].particles.velocity[i];
    }
    for (int step = 0; step < 20; step++)
        for (int k = 0; k < 2; k++)
            step_once(&s[k]);
    for (size_t i = 0; i < 125; i++)
        check_vec3(s[0].particles.position[i], s[1].particles.position[i], 1e-14, "position");
    double density[175];
    sph_densities(s[0].system[0], density);
    check(density[0] > 100.0 && density[130] == 0.0);
    for (int k = 0; k < 2; k++) {
        simulation_free(&s[k]);
        hand_scene_end(&h[k]);
    }
}

/* A prescribed column goes through a free body and an outlet without noticing, nor being noticed.
 */
TEST(prescribed_particles_touch_nobody)
{
    struct hand_scene h;
    struct simulation s;
    struct outlet outlet;
    hand_scene_begin(&h);
    add_body(&h, add_loose(&h), R, MASS);
    uint32_t first = add_block(&h, 1, 3, 3, vec3(-0.105, -0.02, -0.02), vec3(0.0, 0.0, 0.0));
    add_jet(&h, add_fluid(&h, 2e4, 0.02), 6, 3, -0.15, 0.5);
    add_outlet(&h, &outlet, vec3(0.02, 1.0, 1.0), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    struct ledger_row row = {0};
    while (s.time < 0.12) {
        row = step_once(&s);
        check(row.contacts == 0.0 && row.outlet_mass == 0.0 && row.inlet_mass == 0.0);
        check(row.kinetic == 0.0 && row.momentum_x == 0.0 && row.speed_max == 0.0);
        check(row.displacement > 0.0 && row.displacement <= 1.0 + 1e-9);
    }
    for (uint32_t i = first; i < first + 9; i++)
        check_close(s.particles.position[i].x, -0.105, 0.0, "not pushed");
    check_equal(count(&s, PARTICLE_PRESCRIBED), 54, "prescribed");
    while (count(&s, PARTICLE_FREE) == 9)
        row = step_once(&s);
    check_close(row.kinetic, 0.5 * SPEED * SPEED * row.inlet_mass, 1e-12, "kinetic");
    check_close(row.speed_max, SPEED, 1e-12, "speed");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A tank does not notice what comes through its wall, nor the jet the wall, before it is free. */
TEST(a_jet_comes_through_a_wall)
{
    struct hand_scene h[2];
    struct simulation s[2];
    struct wall tank = {.name = "tank",
                        .region = {.shape = {.kind = SHAPE_BOX, .size = {0.6, 0.6, 0.6}},
                                   .position = {0.25, 0.0, 0.0},
                                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                        .keep = KEEP_INSIDE};
    for (int k = 0; k < 2; k++) {
        hand_scene_begin(&h[k]);
        h[k].scene.gravity = vec3(0.0, 0.0, -9.81);
        add_jet(&h[k], add_fluid(&h[k], 2e4, 0.02), 20, 5, -0.05, 0.0); /* the wall: x = -0.05 */
        for (size_t i = 0; i < h[k].particles.n; i++)
            h[k].particles.position[i] =
                vec3_axpy(h[k].particles.position[i], 0.1 * R, random_vector(4, i));
        h[k].scene.wall = &tank;
        h[k].scene.n_walls = (size_t)k;
        start(&h[k], &s[k]);
    }
    struct audit a = audit_begin(&s[1]);
    double stopped = 0.0;
    while (s[1].time < 0.25) {
        size_t n = s[1].particles.n;
        step_once(&s[0]);
        struct ledger_row row = audit_step(&a, &s[1]);
        stopped += row.stopped;
        if (row.time < 0.15) /* before it gets to the other side, 0.55 m away */
            check_equal(
                memcmp(s[0].particles.position, s[1].particles.position, n * sizeof(struct vec3)),
                0, "positions");
    }
    check_audit(&a);
    check_close(a.mass_in, (double)s[1].particles.n * MASS, 1e-12, "mass in");
    for (size_t i = 0; i < s[1].particles.n; i++)
        check(fabs(s[1].particles.position[i].x - 0.25) < 0.3);
    printf("# %g paths ended by the wall\n", stopped);
    for (int k = 0; k < 2; k++) {
        simulation_free(&s[k]);
        hand_scene_end(&h[k]);
    }
}

/* The same bits for any number of threads, and for a run that went on from copies of its particles
 * before the release, and before the outlet, of others. */
static void run_bent(int threads, int interrupted, int steps, struct particles *end)
{
    struct hand_scene h;
    struct simulation s;
    struct outlet outlet;
    struct error error = {0};
    fill_bent(&h, "merging-and-splitting", 8, &outlet); /* enough for several threads */
    omp_set_num_threads(threads);
    start(&h, &s);
    for (int k = 0; k < steps; k++) {
        if (k == interrupted) {
            struct particles kept = s.particles;
            const struct restart restart = {.time = s.time, .step = s.step};
            s.particles = (struct particles){0};
            simulation_free(&s);
            check_equal(simulation_create(&s, &h.scene, &kept, h.rest, &restart, &error), STATUS_OK,
                        "restart");
        }
        step_once(&s);
    }
    *end = s.particles;
    s.particles = (struct particles){0};
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(determinism_of_inlets)
{
    const struct {
        int threads, interrupted;
    } how[] = {{1, -1}, {2, -1}, {5, -1}, {1, 7}, {1, 120}, {2, 219}};
    struct particles expected = {0}, p;
    for (size_t k = 0; k < sizeof how / sizeof how[0]; k++) {
        run_bent(how[k].threads, how[k].interrupted, 220, &p);
        if (k == 0) {
            expected = p;
            continue;
        }
        check_equal(memcmp(p.position, expected.position, p.n * sizeof *p.position), 0,
                    "positions");
        check_equal(memcmp(p.velocity, expected.velocity, p.n * sizeof *p.velocity), 0,
                    "velocities");
        check_equal(memcmp(p.state, expected.state, p.n * sizeof *p.state), 0, "states");
        particles_free(&p);
    }
    size_t n[PARTICLE_STATES] = {0};
    for (size_t i = 0; i < expected.n; i++)
        n[expected.state[i]]++;
    printf("# %zu free, %zu prescribed, %zu gone\n", n[PARTICLE_FREE], n[PARTICLE_PRESCRIBED],
           n[PARTICLE_GONE]);
    check(n[PARTICLE_FREE] > 100 && n[PARTICLE_PRESCRIBED] > 100 && n[PARTICLE_GONE] > 100);
    particles_free(&expected);
}
