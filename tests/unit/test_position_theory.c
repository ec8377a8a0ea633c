/* What steps of contact.method: position-based are known to do to bodies that turn, bend and hang:
 * values that claims about unified particle physics are about. */
#include "theory_scenes.h"

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
