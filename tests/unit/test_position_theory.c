/* What steps of contact.method: position-based are known to do: values that claims about unified
 * particle physics are about. */
#include "scenes.h"
#include "schemes/position_based.h"

static const double G = 9.81; /* m/s^2 */

static void begin(struct hand_scene *h, uint32_t iterations, double dt)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_POSITION_BASED;
    h->scene.time.courant = 1000.0;
    h->scene.time.max_step = dt;
    h->scene.position = (struct position_settings){.iterations = iterations,
                                                   .omega = 1.0,
                                                   .averaging = AVERAGING_PARTICLE,
                                                   .stiffness = BONDS_RIGID};
}

static struct wall ground = {.name = "floor",
                             .region = {.shape = {.kind = SHAPE_BOX, .size = {40.0, 40.0, 1.0}},
                                        .position = {0.0, 0.0, -0.5},
                                        .rotation = UPRIGHT},
                             .keep = KEEP_OUTSIDE,
                             .holds = HOLDS_ALL};

static void add_ground(struct hand_scene *h)
{
    h->scene.n_walls = 1;
    h->scene.wall = &ground;
}

static void add_gravity(struct hand_scene *h)
{
    h->scene.gravity = vec3(0.0, 0.0, -G);
}

static size_t add_rigid(struct hand_scene *h)
{
    return add_material(h, &rigid_model, (union hand_parameters){.rigid = {.stiffness = 1.0}});
}

static void report(double value, const char *format, double a, double b)
{
    char name[80];
    snprintf(name, sizeof name, format, a, b);
    measured(name, value);
}

static void leave(struct hand_scene *h, struct simulation *s)
{
    simulation_free(s);
    hand_scene_end(h);
}

/* ---- depth at rest ---- */

/* A body of e^3 particles whose lowest layer stands on a plane keeps (1 - 1/e)^m of its depth in m
 * iterations, in which contacts and shape follow each other. */
static double depth_at_rest(int edge, uint32_t iterations, double dt)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, iterations, dt);
    add_gravity(&h);
    add_ground(&h);
    add_body(&h, add_rigid(&h), 0.05, 0.2);
    add_block(&h, edge, edge, edge, vec3(0.0, 0.0, 0.05), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 300; k++)
        step_once(&s);
    double depth = 0.05 - s.particles.position[0].z;
    leave(&h, &s);
    return depth;
}

TEST(bodies_rest_as_deep_as_iterations_say)
{
    const double dt = 1.0 / 240.0;
    double worst = 0.0;
    for (int edge = 2; edge <= 8; edge++)
        for (uint32_t m = 1; m <= 8; m++) {
            double f = 1.0 - pow(1.0 - 1.0 / edge, m), depth = depth_at_rest(edge, m, dt);
            report(depth / (G * dt * dt), "UPP.depth.%g.%g", edge, m);
            worst = worse(worst, fabs(depth / (G * dt * dt * (1.0 - f) / f) - 1.0));
        }
    measured("UPP.depth.error", worst);
    check(worst < 1e-4);
}

/* ---- Figure 4: overlap at the start ---- */

enum start_kind { ONE_PARTICLE, CUBE, CLOTH, START_KINDS };
static const char *const start_name[] = {"particle", "cube", "cloth"};

static void add_sunk(struct hand_scene *h, enum start_kind kind, double radius, double depth)
{
    const struct vec3 corner = vec3(0.0, 0.0, radius - depth), still = vec3(0.0, 0.0, 0.0);
    if (kind == ONE_PARTICLE) {
        add_body(h, add_loose(h), radius, 0.2);
        add_particle(h, corner, still);
    } else if (kind == CUBE) {
        add_body(h, add_rigid(h), radius, 0.2);
        add_block(h, 4, 4, 4, corner, still);
    } else {
        add_body(h, add_peridynamics(h, 1e3, 1.5, 0.0, (double)INFINITY), radius, 0.2);
        add_block(h, 12, 12, 1, corner, still);
    }
}

/* The mean speed up after one step of what begins 20 mm inside the floor, over 20 mm / dt. */
static double pop(enum start_kind kind, double dt, uint32_t stabilization, bool heavy)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, 4, dt);
    if (heavy)
        add_gravity(&h);
    add_ground(&h);
    add_sunk(&h, kind, 0.05, 0.02);
    h.scene.position.stabilization = stabilization;
    start(&h, &s);
    struct ledger_row row = step_once(&s);
    double speed = row_momentum(&row).z / (0.2 * (double)s.particles.n);
    leave(&h, &s);
    return speed / (0.02 / dt);
}

TEST(overlap_becomes_speed)
{
    double worst = 0.0, held = 0.0;
    for (int kind = 0; kind < START_KINDS; kind++)
        for (uint32_t stabilization = 0; stabilization <= 4;
             stabilization = stabilization ? 2 * stabilization : 1)
            for (double rate = 60.0; rate <= 480.0; rate *= 2.0) {
                char name[80];
                double share = pop(kind, 1.0 / rate, stabilization, false);
                snprintf(name, sizeof name, "UPP.pop.%s.%u.%g", start_name[kind], stabilization,
                         rate);
                measured(name, share);
                if (kind == ONE_PARTICLE && stabilization == 0)
                    worst = worse(worst, fabs(share - 1.0));
                if (kind == ONE_PARTICLE && stabilization > 0)
                    held =
                        worse(held, fabs(pop(kind, 1.0 / rate, stabilization, true)) * 0.02 * rate);
            }
    measured("UPP.pop.error", worst);
    measured("UPP.pop.stabilized.speed", held);
    check(worst < 1e-12 && held < 1e-12);
}

/* A cloth that lies 5 mm inside the floor: how high its center gets above the floor. */
TEST(a_cloth_that_begins_inside_the_floor_bounces)
{
    struct hand_scene h;
    struct simulation s;
    double highest = 0.0;
    begin(&h, 4, 1.0 / 120.0);
    add_gravity(&h);
    add_ground(&h);
    add_sunk(&h, CLOTH, 0.01, 0.005);
    start(&h, &s);
    for (int k = 0; k < 60; k++) {
        double sum = 0.0;
        step_once(&s);
        for (size_t i = 0; i < s.particles.n; i++)
            sum += s.particles.position[i].z;
        highest = fmax(highest, sum / (double)s.particles.n - 0.01);
    }
    measured("UPP.pop.cloth.rise", highest);
    check(highest > 0.0);
    leave(&h, &s);
}

/* Grains that lie deep in each other and in the floor: the kinetic energy after a step. */
TEST(stabilization_that_has_not_converged_adds_energy)
{
    double before = (double)INFINITY;
    bool falls = true;
    for (uint32_t k = 0; k <= 16; k = k ? 2 * k : 1) {
        struct hand_scene h;
        struct simulation s;
        begin(&h, 4, 1.0 / 120.0);
        add_ground(&h);
        add_body(&h, add_loose(&h), 0.05, 0.2);
        for (int i = 0; i < 216; i++) {
            double d[3];
            for (int c = 0; c < 3; c++)
                d[c] = 0.01 * random_uniform(3, 0, (uint64_t)(3 * i + c), RANDOM_TEST);
            add_particle(&h,
                         vec3(0.07 * (i % 6) + d[0], 0.07 * (i / 6 % 6) + d[1],
                              0.03 + 0.07 * (i / 36) + d[2]),
                         vec3(0.0, 0.0, 0.0));
        }
        h.scene.position.stabilization = k;
        start(&h, &s);
        double energy = step_once(&s).kinetic;
        report(energy, "UPP.pile.stabilized.%g", k, 0.0);
        falls = falls && energy < before && energy > 0.0;
        before = energy;
        leave(&h, &s);
    }
    measured("UPP.pile.stabilized.falls", falls);
    check(falls);
}

/* ---- Figure 5 ---- */

/* A box that turns freely, after a second: its attitude is that of Euler's equations but for an
 * error of first order in the step. Returns the largest distance of its corners from where they
 * ought to be over its width; *momentum: what its linear momentum lost, relative. */
static void derivative_of_top(const double y[7], const double inertia[3], double d[7])
{
    const double *q = y, *w = y + 4; /* a quaternion, and the spin in the body's frame */
    d[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    d[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    d[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    d[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
    d[4] = (inertia[1] - inertia[2]) / inertia[0] * w[1] * w[2];
    d[5] = (inertia[2] - inertia[0]) / inertia[1] * w[2] * w[0];
    d[6] = (inertia[0] - inertia[1]) / inertia[2] * w[0] * w[1];
}

/* Runge and Kutta's method of fourth order. */
static void turn_top(double y[7], const double inertia[3], double time)
{
    enum { STEPS = 20000 };
    const double h = time / STEPS;
    for (int n = 0; n < STEPS; n++) {
        double k[4][7], at[7];
        for (int stage = 0; stage < 4; stage++) {
            const double part = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int i = 0; i < 7; i++)
                at[i] = y[i] + (stage ? part * k[stage - 1][i] : 0.0);
            derivative_of_top(at, inertia, k[stage]);
        }
        for (int i = 0; i < 7; i++)
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

static double error_of_top(double dt, double *momentum)
{
    enum { NX = 3, NY = 4, NZ = 6 };
    struct hand_scene h;
    struct simulation s;
    double y[7] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 3.0}, sum[3] = {0.0}, worst = 0.0;
    const struct vec3 w = vec3(y[4], y[5], y[6]), drift = vec3(1.0, 0.0, 0.0);
    begin(&h, 4, dt);
    add_body(&h, add_rigid(&h), 0.05, 0.2);
    add_block(&h, NX, NY, NZ, vec3(-0.1, -0.15, -0.25), vec3(0.0, 0.0, 0.0));
    for (size_t i = 0; i < h.particles.n; i++) {
        struct vec3 x = h.particles.position[i];
        h.particles.velocity[i] = vec3_add(vec3_cross(w, x), drift);
        sum[0] += x.y * x.y + x.z * x.z;
        sum[1] += x.z * x.z + x.x * x.x;
        sum[2] += x.x * x.x + x.y * x.y;
    }
    start(&h, &s);
    const struct vec3 before = s.totals.momentum;
    for (int k = 0; k < (int)(1.0 / dt + 0.5); k++)
        step_once(&s);
    turn_top(y, sum, 1.0);
    for (size_t i = 0; i < s.particles.n; i++) {
        const struct vec3 v = vec3(y[1], y[2], y[3]), r = h.rest[i];
        struct vec3 t = vec3_scale(2.0, vec3_cross(v, r));
        struct vec3 x = vec3_add(vec3_add(r, vec3_scale(y[0], t)), vec3_cross(v, t));
        struct vec3 off = vec3_sub(vec3_sub(s.particles.position[i], drift), x);
        worst = fmax(worst, vec3_norm(off) / 0.5);
    }
    *momentum = vec3_norm(vec3_sub(s.totals.momentum, before)) / vec3_norm(before);
    leave(&h, &s);
    return worst;
}

TEST(a_free_top_converges_to_eulers_equations)
{
    double last = 0.0, momentum = 0.0, drift;
    for (double dt = 4e-3; dt >= 0.9e-3 / 2.0; dt /= 2.0) {
        double error = error_of_top(dt, &drift);
        momentum = worse(momentum, drift);
        report(error, "UPP.top.error-%g", 1e3 * dt, 0.0);
        if (last > 0.0)
            report(last / error, "UPP.top.ratio-%g", 1e3 * dt, 0.0);
        if (dt < 0.6e-3)
            check_close(last / error, 2.0, 0.2, "error over that of half the step");
        last = error;
    }
    measured("UPP.top.momentum", momentum);
    check(momentum < 1e-10); /* rounding of places, over dt */
}

/* A beam falls across a fixed edge in its middle: the largest strain between neighbors. */
static double strain_of_beam(bool shape, uint32_t iterations)
{
    enum { LENGTH = 15, WIDTH = 3 };
    struct hand_scene h;
    struct simulation s;
    double most = 0.0;
    begin(&h, iterations, 1.0 / 120.0);
    add_gravity(&h);
    add_body(&h, add_loose(&h), 0.05, 0.2);
    fix_from(&h, add_block(&h, 1, WIDTH, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    add_body(&h, shape ? add_rigid(&h) : add_peridynamics(&h, 1e3, 1.8, 0.0, (double)INFINITY),
             0.05, 0.2);
    const uint32_t first =
        add_block(&h, LENGTH, WIDTH, WIDTH, vec3(-0.7, 0.0, 0.15), vec3(0.0, 0.0, -1.0));
    start(&h, &s);
    for (int k = 0; k < 24; k++) {
        const struct vec3 *x = s.particles.position + first;
        step_once(&s);
        for (size_t i = 0; i < LENGTH * WIDTH * WIDTH; i++)
            if ((i + 1) % LENGTH)
                most = fmax(most, fabs(vec3_norm(vec3_sub(x[i + 1], x[i])) / 0.1 - 1.0));
    }
    leave(&h, &s);
    return most;
}

TEST(a_lattice_of_distances_needs_many_iterations)
{
    double enough = 0.0;
    for (uint32_t m = 1; m <= 512; m *= 2) {
        double lattice = strain_of_beam(false, m);
        report(lattice, "UPP.strain.lattice.%g", m, 0.0);
        if (m <= 8)
            report(strain_of_beam(true, m), "UPP.strain.shape.%g", m, 0.0);
        if (lattice < 0.01 && enough == 0.0)
            enough = m;
    }
    measured("UPP.strain.enough", enough > 0.0 ? enough : 1024.0);
    check(strain_of_beam(true, 1) < 1e-12);
    check(enough == 0.0 || enough >= 10.0);
}

/* ---- chains and cloth ---- */

/* How much longer a chain of springs of k N per unit strain is that hangs at rest, over the closed
 * form, m g L / k times 1 + 2 + ... */
static double elongation(uint32_t iterations)
{
    enum { LINKS = 10 };
    struct hand_scene h;
    struct simulation s;
    const double k = 1e3, mass = 0.2, length = 0.1;
    begin(&h, iterations, 1.0 / 120.0);
    h.scene.position.stiffness = BONDS_COMPLIANT;
    h.scene.gravity = vec3(G, 0.0, 0.0);
    add_body(&h, add_peridynamics(&h, k, 1.1, 0.0, (double)INFINITY), length / 2.0, mass);
    add_block(&h, LINKS + 1, 1, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    h.particles.state[0] = PARTICLE_FIXED;
    start(&h, &s);
    for (int step = 0; step < 2400; step++)
        step_once(&s);
    double longer = s.particles.position[LINKS].x - LINKS * length;
    leave(&h, &s);
    return longer / (mass * G * length / k * LINKS * (LINKS + 1) / 2.0);
}

/* Cloth of rigid distances that hangs by its upper edge: how much longer it is at rest. */
static double sag_of_cloth(uint32_t iterations, double dt)
{
    enum { ROWS = 20, COLUMNS = 8 };
    struct hand_scene h;
    struct simulation s;
    double mean = 0.0;
    begin(&h, iterations, dt);
    h.scene.gravity = vec3(0.0, G, 0.0);
    add_body(&h, add_peridynamics(&h, 1e3, 1.5, 0.0, (double)INFINITY), 0.05, 0.2);
    add_block(&h, COLUMNS, ROWS, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    for (int i = 0; i < COLUMNS; i++)
        h.particles.state[i] = PARTICLE_FIXED;
    start(&h, &s);
    const int steps = (int)(6.0 / dt + 0.5);
    for (int k = 0; k < steps; k++) {
        step_once(&s);
        if (k >= steps / 2)
            mean +=
                s.particles.position[COLUMNS * (ROWS - 1) + COLUMNS / 2].y / (steps - steps / 2);
    }
    leave(&h, &s);
    return mean / (0.1 * (ROWS - 1)) - 1.0;
}

TEST(chains_hang_as_long_as_their_springs)
{
    for (uint32_t m = 16; m <= 256; m *= 4) {
        double error = fabs(elongation(m) - 1.0);
        report(error, "UPP.chain.error-%g", m, 0.0);
        check(m < 64 || error < (m == 64 ? 1e-2 : 1e-3));
    }
}

TEST(small_steps_are_stiffer_than_as_many_iterations)
{
    for (uint32_t n = 1; n <= 16; n *= 4) {
        double many = sag_of_cloth(n, 1.0 / 120.0), small = sag_of_cloth(1, 1.0 / (120.0 * n));
        report(many, "UPP.cloth.iterations-%g", n, 0.0);
        report(small, "UPP.cloth.steps-%g", n, 0.0);
        report(many / small, "UPP.cloth.ratio-%g", n, 0.0);
        check(n == 1 || many / small >= 0.8 * n);
    }
}

/* ---- velocities, scaled masses ---- */

/* UPP 6: what a step leaves of velocity is what it moved. */
TEST(velocity_is_the_way_over_the_step)
{
    struct hand_scene h;
    struct simulation s;
    struct particles before;
    double worst = 0.0;
    begin(&h, 3, 1.0 / 240.0);
    add_gravity(&h);
    add_ground(&h);
    add_body(&h, add_loose(&h), 0.05, 0.4);
    add_block(&h, 2, 2, 2, vec3(0.03, 0.02, 0.42), vec3(0.0, 0.0, -2.0));
    add_body(&h, add_rigid(&h), 0.05, 0.2);
    add_block(&h, 3, 3, 3, vec3(0.0, 0.0, 0.06), vec3(0.5, 0.0, -1.0));
    start(&h, &s);
    for (int k = 0; k < 60; k++) {
        copy_particles(&before, &s.particles);
        step_once(&s);
        for (size_t i = 0; i < s.particles.n; i++) {
            struct vec3 way = vec3_sub(s.particles.position[i], before.position[i]);
            struct vec3 off = vec3_axpy(s.particles.velocity[i], -240.0, way);
            worst = worse(worst, vec3_norm(off) / 2.0);
        }
        particles_free(&before);
    }
    measured("UPP.velocity", worst);
    check(worst < 1e-12);
    leave(&h, &s);
}

/* UPP 21: neighbors a distance apart in height differ in mass by exp(-k distance). */
TEST(scaled_masses_fall_with_height)
{
    struct hand_scene h;
    struct simulation s;
    double worst = 0.0;
    begin(&h, 1, 1.0 / 240.0);
    add_gravity(&h);
    h.scene.position.mass_scaling = 5.0;
    add_body(&h, add_loose(&h), 0.05, 0.2);
    add_block(&h, 1, 1, 12, vec3(0.0, 0.0, 0.3), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    step_once(&s);
    const struct position_based *p = (const struct position_based *)s.scheme;
    for (size_t i = 0; i + 1 < 12; i++)
        worst = worse(worst, fabs(p->scaled[i] / p->scaled[i + 1] / exp(-5.0 * 0.1) - 1.0));
    measured("UPP.scaled.ratio", worst);
    check(worst < 1e-13);
    leave(&h, &s);
}

/* Places after a tenth of a second of what touches nothing: a body that turns, one of bonds, and a
 * grain. */
static void fly(double scaling, struct vec3 *position)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, 4, 1.0 / 240.0);
    add_gravity(&h);
    h.scene.position.mass_scaling = scaling;
    add_body(&h, add_peridynamics(&h, 1e3, 1.8, 0.0, (double)INFINITY), 0.05, 0.2);
    add_block(&h, 4, 4, 1, vec3(2.0, 0.0, 0.3), vec3(0.0, 0.0, 0.0));
    add_body(&h, add_loose(&h), 0.05, 0.2);
    add_particle(&h, vec3(0.0, 3.0, 1.0), vec3(1.0, 0.0, 0.0));
    add_body(&h, add_rigid(&h), 0.05, 0.2);
    add_block(&h, 3, 4, 2, vec3(0.0, 0.0, 0.3), vec3(0.0, 0.0, 0.0));
    for (size_t i = 0; i < 41; i++)
        h.particles.velocity[i] = vec3_cross(vec3(1.0, 2.0, 3.0), h.particles.position[i]);
    start(&h, &s);
    for (int k = 0; k < 24; k++)
        step_once(&s);
    memcpy(position, s.particles.position, 41 * sizeof *position);
    leave(&h, &s);
}

TEST(scaled_masses_act_in_contacts_only)
{
    struct vec3 scaled[41], plain[41];
    fly(5.0, scaled);
    fly(0.0, plain);
    bool same = memcmp(scaled, plain, sizeof scaled) == 0;
    measured("UPP.scaled.elsewhere", same ? 0.0 : 1.0);
    check(same);
}

/* Masses that differ by more than numbers can say are refused, those of a high scene are not. */
TEST(masses_are_scaled_as_far_as_numbers_go)
{
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        struct error error = {0};
        struct ledger_row row;
        begin(&h, 1, 1.0 / 240.0);
        add_gravity(&h);
        h.scene.position.mass_scaling = k ? 1e4 : 5.0;
        add_body(&h, add_loose(&h), 0.05, 0.2);
        add_particle(&h, vec3(0.0, 0.0, 1000.0), vec3(0.0, 0.0, 0.0));
        add_particle(&h, vec3(0.0, 0.0, 1100.0), vec3(0.0, 0.0, 0.0));
        start(&h, &s);
        enum status status = simulation_step(&s, 1.0 / 240.0, &row, &error);
        check_equal(status, k ? STATUS_FAILED : STATUS_OK, "status");
        if (k)
            check_contains(error.message, "over a height of 100 m differ by more than numbers can "
                                          "say; give at most 6 1/m");
        leave(&h, &s);
    }
}

/* Contacts are at the sum of the radii, whatever these are. */
TEST(grains_of_two_sizes_rest_at_the_sum_of_their_radii)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, 2, 1.0 / 240.0);
    add_gravity(&h);
    const size_t loose = add_loose(&h);
    add_body(&h, loose, 0.1, 1.0);
    fix_from(&h, add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    add_body(&h, loose, 0.05, 0.2);
    add_particle(&h, vec3(0.0, 0.0, 0.2), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 240; k++)
        step_once(&s);
    double off = fabs(s.particles.position[1].z - 0.15);
    measured("UPP.radii", off);
    check(off < 1e-12);
    leave(&h, &s);
}

/* Two grains that meet have the velocity of their center of mass from the step in which they touch
 * on: no restitution is a constant of the material. */
TEST(grains_that_meet_go_on_together)
{
    double worst = 0.0;
    for (int ratio = 1; ratio <= 1000; ratio *= 10) {
        struct hand_scene h;
        struct simulation s;
        begin(&h, 1, 1e-3);
        const size_t loose = add_loose(&h);
        add_body(&h, loose, 0.1, ratio);
        add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(2.0, 0.0, 0.0));
        add_body(&h, loose, 0.1, 1.0);
        add_particle(&h, vec3(0.201, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        start(&h, &s);
        step_once(&s);
        step_once(&s);
        for (size_t i = 0; i < 2; i++)
            worst = worse(worst, fabs(s.particles.velocity[i].x - 2.0 * ratio / (ratio + 1.0)));
        leave(&h, &s);
    }
    measured("UPP.grains", worst);
    check(worst < 1e-12);
}
