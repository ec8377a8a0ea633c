/* What the implicit step of the bond network must do over many steps: fall freely, follow the
 * closed form of an oscillator to the order of its integrator, and keep momentum. */
#include "network_bench.h"

/* The matrix is kept in single precision, which rounds by up to 6e-8 of it; solutions of these
 * stiff steps are off by some 1e-6. */
static const double matrix_rounding = 1e-5;

/* A step without contacts. */
static void bench_advance(struct bench *b, double dt)
{
    struct particles *p = &b->h.particles;
    memcpy(b->motion.before, p->velocity, p->n * sizeof(struct vec3));
    bench_integrate(b, dt);
    for (size_t i = 0; i < p->n; i++) {
        p->position[i] = vec3_axpy(p->position[i], dt, b->motion.mean[i]);
        p->velocity[i] = b->motion.after[i];
    }
}

static const struct solver_settings euler = {INTEGRATOR_BACKWARD_EULER, 1e-8, 1000};
static const struct solver_settings average = {INTEGRATOR_NEWMARK, 1e-8, 1000};

TEST(loose_particles_fall_freely)
{
    struct bench b;
    hand_scene_begin(&b.h);
    add_body(&b.h, add_loose(&b.h), 0.01, 3e-3);
    add_block(&b.h, 5, 5, 5, vec3(0, 0, 0), vec3(1.0, 2.0, 3.0));
    bench_start(&b);
    for (size_t i = 0; i < b.h.particles.n; i++)
        b.h.particles.force[i] = vec3(0.0, 0.0, -9.81 * 3e-3);
    for (int k = 1; k <= 10; k++) {
        bench_advance(&b, 1e-3);
        for (size_t i = 0; i < b.h.particles.n; i++)
            check_vec3(b.h.particles.velocity[i], vec3(1.0, 2.0, 3.0 - 9.81e-3 * k), 1e-14,
                       "velocity");
    }
    bench_end(&b);
}

/* ---- an oscillator: two particles of mass m on one bond, frequency sqrt(2 k / (L m)) ---- */

static const double oscillator_rate = 20.0; /* 1/s */

static void start_oscillator(struct bench *b, const struct solver_settings *solver)
{
    double mass = 0.5, rest = 0.02;
    hand_scene_begin(&b->h);
    b->h.scene.solver = *solver;
    b->h.scene.solver.tolerance = 1e-14;
    double k = 0.5 * oscillator_rate * oscillator_rate * mass * rest;
    add_body(&b->h, add_peridynamics(&b->h, k, 1.0, 0.0, (double)INFINITY), 0.01, mass);
    add_block(&b->h, 2, 1, 1, vec3(0, 0, 0), vec3(0, 0, 0));
    b->h.particles.position[1].x += 0.004;
    bench_start(b);
}

static double extension(const struct bench *b)
{
    return b->h.particles.position[1].x - b->h.particles.position[0].x - 0.02;
}

static double oscillator_error(const struct solver_settings *solver, int steps)
{
    struct bench b;
    start_oscillator(&b, solver);
    double end = 0.1;
    for (int k = 0; k < steps; k++)
        bench_advance(&b, end / steps);
    double error = extension(&b) - 0.004 * cos(oscillator_rate * end);
    bench_end(&b);
    return fabs(error);
}

TEST(backward_euler_is_of_first_order)
{
    double order = log2(oscillator_error(&euler, 400) / oscillator_error(&euler, 800));
    check_close(order, 1.0, 0.05, "order");
}

TEST(average_acceleration_is_of_second_order)
{
    double order = log2(oscillator_error(&average, 100) / oscillator_error(&average, 200));
    check_close(order, 2.0, 0.05, "order");
}

static double oscillator_energy(const struct bench *b)
{
    const struct particles *p = &b->h.particles;
    return 0.25 * (vec3_norm2(p->velocity[0]) + vec3_norm2(p->velocity[1])) +
           b->system->class->potential_energy(b->system, p);
}

/* Also far beyond the period, where only an implicit scheme survives. */
TEST(average_acceleration_keeps_the_energy_of_an_oscillator)
{
    const double steps[] = {1e-3, 0.05, 1.0};
    for (size_t k = 0; k < 3; k++) {
        struct bench b;
        start_oscillator(&b, &average);
        double begun = oscillator_energy(&b);
        for (int n = 0; n < 2000; n++) {
            bench_advance(&b, steps[k]);
            /* the rounding of the matrix adds up to 4e-6 over the steps */
            check_close(oscillator_energy(&b), begun, 1e-5 * begun, "energy");
        }
        bench_end(&b);
    }
}

/* The closed form of backward Euler on an oscillator: E' = E / (1 + (omega dt)^2). */
TEST(backward_euler_damps_as_it_must)
{
    struct bench b;
    start_oscillator(&b, &euler);
    double dt = 0.01, energy = oscillator_energy(&b);
    for (int n = 0; n < 20; n++) {
        bench_advance(&b, dt);
        energy /= 1.0 + oscillator_rate * dt * oscillator_rate * dt;
        check_close(oscillator_energy(&b), energy, matrix_rounding * energy, "energy");
    }
    bench_end(&b);
}

/* The solver stops at a residual of 1e-3, and its momentum is taken away again. */
TEST(a_free_body_keeps_its_momentum_with_a_loose_tolerance)
{
    const struct solver_settings *solvers[] = {&euler, &average};
    for (size_t k = 0; k < 2; k++) {
        struct bench b;
        hand_scene_begin(&b.h);
        b.h.scene.solver = *solvers[k];
        b.h.scene.solver.tolerance = 1e-3;
        size_t m = add_peridynamics(&b.h, 100.0, 3.0, 1e-4, (double)INFINITY);
        add_body(&b.h, m, 0.01, 8e-3);
        add_ball(&b.h, 0.06, vec3(0, 0, 0), vec3(0, 0, 0));
        size_t first = b.h.particles.n;
        add_body(&b.h, m, 0.01, 8e-3);
        add_block(&b.h, 4, 4, 4, vec3(0.2, 0, 0), vec3(0, 0, 0));
        for (size_t i = 0; i < b.h.particles.n; i++)
            b.h.particles.velocity[i] = random_vector(20, i);
        bench_start(&b);
        struct vec3 begun[2] = {{0, 0, 0}, {0, 0, 0}};
        double scale = 0.0, worst = 0.0;
        size_t iterations = 0;
        for (int n = 0; n <= 200; n++) {
            struct vec3 sum[2] = {{0, 0, 0}, {0, 0, 0}};
            for (size_t i = 0; i < b.h.particles.n; i++)
                sum[i >= first] = vec3_axpy(sum[i >= first], 8e-3, b.h.particles.velocity[i]);
            if (n == 0) {
                memcpy(begun, sum, sizeof sum);
                scale = 8e-3 * (double)b.h.particles.n;
            }
            for (int body = 0; body < 2; body++)
                worst = fmax(worst, vec3_norm(vec3_sub(sum[body], begun[body])) / scale);
            memcpy(b.motion.before, b.h.particles.velocity, b.h.particles.n * sizeof(struct vec3));
            iterations += bench_integrate(&b, 1e-3).iterations;
            for (size_t i = 0; i < b.h.particles.n; i++) {
                b.h.particles.position[i] =
                    vec3_axpy(b.h.particles.position[i], 1e-3, b.motion.mean[i]);
                b.h.particles.velocity[i] = b.motion.after[i];
            }
        }
        check(iterations > 200); /* else there was nothing to correct */
        check_close(worst, 0.0, 1e-14, "momentum of each body");
        bench_end(&b);
    }
}
