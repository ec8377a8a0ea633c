/* The implicit step of the bond network against a dense solve of the documented equation, put
 * together here from all pairs of particles, and against what it must conserve. */
#include "naive_turn.h"
#include "network_bench.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

/* The matrix is kept in single precision, which rounds by up to 6e-8 of it; solutions of these
 * stiff steps are off by some 1e-6. */
static const double matrix_rounding = 1e-5;

static struct solve_report bench_integrate(struct bench *b, double dt)
{
    struct error error = {0};
    struct solve_report report;
    check_equal(b->system->class->prepare(b->system, &b->h.particles, dt, &error), STATUS_OK,
                "prepare");
    if (b->system->class->integrate(b->system, &b->h.particles, &b->groups, dt, &b->motion, &report,
                                    &error)) {
        printf("#   %s\n", error.message);
        fflush(stdout);
        _exit(1);
    }
    return report;
}

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

/* ---- the documented equation, dense ---- */

enum { LOOSE = 2 }; /* the body without bonds */

struct dense {
    size_t size;       /* 3 n */
    gsl_matrix *k, *c; /* derivatives of the forces */
    gsl_vector *f;     /* elastic forces */
    struct naive_turn turn;
};

static double axis(struct vec3 v, size_t a)
{
    return a == 0 ? v.x : a == 1 ? v.y : v.z;
}

static void add_pair_block(gsl_matrix *m, size_t i, size_t j, size_t a, size_t b, double value)
{
    *gsl_matrix_ptr(m, 3 * i + a, 3 * i + b) -= value;
    *gsl_matrix_ptr(m, 3 * j + a, 3 * j + b) -= value;
    *gsl_matrix_ptr(m, 3 * i + a, 3 * j + b) += value;
    *gsl_matrix_ptr(m, 3 * j + a, 3 * i + b) += value;
}

/* All particles of one body within 3 spacings are bonded, but for the loose ones. */
static bool are_bonded(const struct bench *b, size_t i, size_t j)
{
    const struct particles *p = &b->h.particles;
    double rest = vec3_norm(vec3_sub(b->h.rest[j], b->h.rest[i]));
    return p->body[i] == p->body[j] && p->body[i] != LOOSE &&
           rest <= 3.0 * 2.0 * p->radius[i] * 1.0001;
}

/* Where the rigid motion of each body leads; with `still` nowhere. */
static void find_lead(const struct bench *b, bool still, double dt, struct naive_turn *turn)
{
    static const struct vec3 rest[200];
    const struct particles *p = &b->h.particles;
    *turn = (struct naive_turn){
        .n = p->n, .dt = dt, .x = p->position, .v = still ? rest : p->velocity, .m = p->mass};
    naive_turn_alone(turn);
    for (size_t i = 0; i < p->n; i++)
        turn->fixed[i] = p->state[i] != PARTICLE_FREE;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++)
            if (are_bonded(b, i, j))
                naive_turn_join(turn, i, j);
    naive_turn_begin(turn);
}

static struct dense dense_forces(const struct bench *b, double stiffness, double tau, bool still,
                                 double dt)
{
    const struct particles *p = &b->h.particles;
    size_t size = 3 * p->n;
    struct dense d = {.size = size,
                      .k = gsl_matrix_calloc(size, size),
                      .c = gsl_matrix_calloc(size, size),
                      .f = gsl_vector_calloc(size)};
    find_lead(b, still, dt, &d.turn);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++) {
            double rest = vec3_norm(vec3_sub(b->h.rest[j], b->h.rest[i]));
            if (!are_bonded(b, i, j))
                continue;
            struct vec3 u = vec3_sub(p->position[j], p->position[i]);
            u = mat3_mul_vec3(&d.turn.rotation[i], u);
            double length = vec3_norm(u), tension = stiffness * (length / rest - 1.0);
            double across = fmax(tension, 0.0) / length;
            u = vec3_scale(1.0 / length, u);
            for (size_t a = 0; a < 3; a++) {
                *gsl_vector_ptr(d.f, 3 * i + a) += tension * axis(u, a);
                *gsl_vector_ptr(d.f, 3 * j + a) -= tension * axis(u, a);
                for (size_t c = 0; c < 3; c++) {
                    double uu = axis(u, a) * axis(u, c);
                    add_pair_block(d.k, i, j, a, c,
                                   (stiffness / rest - across) * uu + (a == c ? across : 0.0));
                    add_pair_block(d.c, i, j, a, c, stiffness * tau / rest * uu);
                }
            }
        }
    return d;
}

/* P: particles to unknown groups; nothing for groups that are held. */
static gsl_matrix *dense_reduction(const struct bench *b, size_t *unknowns, int *unknown_of)
{
    size_t n = b->h.particles.n, count = 0;
    for (size_t i = 0; i < n; i++)
        unknown_of[i] = b->groups.fixed[i]         ? -1
                        : b->groups.leader[i] == i ? (int)count++
                                                   : unknown_of[b->groups.leader[i]];
    gsl_matrix *reduction = gsl_matrix_calloc(3 * n, 3 * count);
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < 3 && unknown_of[i] >= 0; a++)
            gsl_matrix_set(reduction, 3 * i + a, 3 * (size_t)unknown_of[i] + a, 1.0);
    *unknowns = 3 * count;
    return reduction;
}

static void dense_accelerations(const struct bench *b, const struct dense *d,
                                const gsl_matrix *reduction, const gsl_vector *v, double eta,
                                size_t unknowns, gsl_vector *a)
{
    gsl_vector_set_zero(a);
    if (eta == 0.0)
        return;
    gsl_vector *force = gsl_vector_alloc(d->size), *sum = gsl_vector_alloc(unknowns),
               *mass = gsl_vector_calloc(unknowns);
    gsl_vector_memcpy(force, d->f);
    gsl_blas_dgemv(CblasNoTrans, 1.0, d->c, v, 1.0, force);
    for (size_t i = 0; i < d->size; i++) {
        *gsl_vector_ptr(force, i) += axis(b->h.particles.force[i / 3], i % 3);
        for (size_t k = 0; k < unknowns; k++)
            *gsl_vector_ptr(mass, k) +=
                gsl_matrix_get(reduction, i, k) * b->h.particles.mass[i / 3];
    }
    gsl_blas_dgemv(CblasTrans, 1.0, reduction, force, 0.0, sum);
    gsl_vector_div(sum, mass);
    gsl_blas_dgemv(CblasNoTrans, 1.0, reduction, sum, 0.0, a);
    gsl_vector_free(force);
    gsl_vector_free(sum);
    gsl_vector_free(mass);
}

/* The turns of backward Euler: those that remove the torque of the bonds' own impulses, for the
 * displacements over dt that the solve found. */
static void add_turns(const struct bench *b, const struct dense *d, double dt, gsl_vector *after,
                      gsl_vector *mean)
{
    const struct particles *p = &b->h.particles;
    struct vec3 impulse[200], change[200] = {{0.0, 0.0, 0.0}};
    bool alone[200];
    gsl_vector *beyond = gsl_vector_alloc(d->size), *own = gsl_vector_alloc(d->size);
    for (size_t i = 0; i < d->size; i++)
        gsl_vector_set(beyond, i, gsl_vector_get(mean, i) - axis(d->turn.lead[i / 3], i % 3));
    gsl_vector_memcpy(own, d->f);
    gsl_blas_dgemv(CblasNoTrans, 1.0, d->c, beyond, 1.0, own);
    gsl_blas_dgemv(CblasNoTrans, dt, d->k, beyond, 1.0, own);
    for (size_t i = 0; i < p->n; i++) {
        impulse[i] = vec3_scale(dt, vec3(gsl_vector_get(own, 3 * i), gsl_vector_get(own, 3 * i + 1),
                                         gsl_vector_get(own, 3 * i + 2)));
        alone[i] = !p->state[i];
        for (size_t k = 0; k < groups_members(&b->groups); k++)
            alone[i] &= b->groups.member[k] != i;
    }
    naive_turn_end(&d->turn, impulse, alone, change);
    for (size_t i = 0; i < d->size; i++) {
        *gsl_vector_ptr(after, i) += axis(change[i / 3], i % 3);
        *gsl_vector_ptr(mean, i) += axis(change[i / 3], i % 3);
    }
    gsl_vector_free(beyond);
    gsl_vector_free(own);
}

/* (M - dt gamma C - dt^2 gamma kappa K) dv = dt (f + f_out) + dt C (v - w) + dt^2 gamma K (v + dt
 * eta a - w), between P^T and P, where w is the rigid motion that forces are rotated with; the
 * velocities after and the displacements over dt. */
static void dense_step(const struct bench *b, const struct dense *d, const struct integrator *s,
                       double dt, gsl_vector *after, gsl_vector *mean)
{
    const struct particles *p = &b->h.particles;
    size_t unknowns;
    int unknown_of[200];
    gsl_matrix *reduction = dense_reduction(b, &unknowns, unknown_of);
    gsl_vector *v = gsl_vector_alloc(d->size), *a = gsl_vector_alloc(d->size),
               *right = gsl_vector_calloc(d->size), *w = gsl_vector_alloc(d->size);
    for (size_t i = 0; i < d->size; i++)
        gsl_vector_set(v, i, axis(b->motion.before[i / 3], i % 3));
    dense_accelerations(b, d, reduction, v, s->eta, unknowns, a);

    gsl_vector_memcpy(w, v);
    gsl_blas_daxpy(dt * s->eta, a, w);
    gsl_blas_daxpy(dt, d->f, right);
    for (size_t i = 0; i < d->size; i++)
        *gsl_vector_ptr(right, i) += dt * axis(p->force[i / 3], i % 3);
    for (size_t i = 0; i < d->size; i++) {
        *gsl_vector_ptr(v, i) -= axis(d->turn.lead[i / 3], i % 3);
        *gsl_vector_ptr(w, i) -= axis(d->turn.lead[i / 3], i % 3);
    }
    gsl_blas_dgemv(CblasNoTrans, dt, d->c, v, 1.0, right);
    gsl_blas_dgemv(CblasNoTrans, dt * dt * s->gamma, d->k, w, 1.0, right);
    for (size_t i = 0; i < d->size; i++) {
        *gsl_vector_ptr(v, i) += axis(d->turn.lead[i / 3], i % 3);
        *gsl_vector_ptr(w, i) += axis(d->turn.lead[i / 3], i % 3);
    }

    gsl_matrix *full = gsl_matrix_calloc(d->size, d->size),
               *half = gsl_matrix_alloc(d->size, unknowns),
               *reduced = gsl_matrix_alloc(unknowns, unknowns);
    for (size_t i = 0; i < d->size; i++)
        for (size_t j = 0; j < d->size; j++)
            gsl_matrix_set(full, i, j,
                           (i == j ? p->mass[i / 3] : 0.0) -
                               dt * s->gamma * gsl_matrix_get(d->c, i, j) -
                               dt * dt * s->gamma * s->kappa * gsl_matrix_get(d->k, i, j));
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, full, reduction, 0.0, half);
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, reduction, half, 0.0, reduced);
    gsl_vector *dv = gsl_vector_alloc(unknowns), *rhs = gsl_vector_alloc(unknowns);
    gsl_blas_dgemv(CblasTrans, 1.0, reduction, right, 0.0, rhs);
    gsl_linalg_cholesky_decomp1(reduced);
    gsl_linalg_cholesky_solve(reduced, rhs, dv);

    gsl_vector_memcpy(after, v);
    gsl_blas_dgemv(CblasNoTrans, 1.0, reduction, dv, 1.0, after);
    gsl_vector_memcpy(mean, w);
    gsl_blas_dgemv(CblasNoTrans, s->kappa, reduction, dv, 1.0, mean);
    gsl_matrix_free(reduction);
    gsl_matrix_free(full);
    gsl_matrix_free(half);
    gsl_matrix_free(reduced);
    gsl_vector_free(v);
    gsl_vector_free(a);
    gsl_vector_free(w);
    gsl_vector_free(right);
    gsl_vector_free(rhs);
    gsl_vector_free(dv);
}

/* Two bodies, some particles fixed, random positions, velocities and outside forces; meta-particles
 * inside bodies, across bodies, with loose particles and with fixed ones. */
static void fill_bench(struct bench *b, const struct solver_settings *solver)
{
    struct hand_scene *h = &b->h;
    hand_scene_begin(h);
    h->scene.solver = *solver;
    h->scene.solver.tolerance = 1e-14;
    size_t bonded = add_peridynamics(h, 60.0, 3.0, 0.004, (double)INFINITY);
    add_body(h, bonded, 0.01, 2e-3);
    add_block(h, 3, 3, 3, vec3(0, 0, 0), vec3(0, 0, 0));
    add_body(h, bonded, 0.01, 5e-3);
    add_block(h, 3, 2, 2, vec3(0, 0, 0.06), vec3(0, 0, 0));
    add_body(h, add_loose(h), 0.01, 1e-2);
    add_block(h, 4, 1, 1, vec3(0.1, 0, 0.06), vec3(0, 0, 0));
    jitter(h, 0.003, 9);
    h->particles.state[3] = h->particles.state[30] = h->particles.state[42] = 1;
    for (size_t i = 0; i < h->particles.n; i++)
        h->particles.force[i] = random_vector(11, i);
    bench_start(b);
}

static void group_bench(struct bench *b)
{
    const uint32_t member[] = {1, 2, 3, 8, 26, 27, 28, 33, 39, 40, 41};
    const uint32_t label[] = {1, 2, 3, 3, 2, 1, 3, 33, 33, 2, 41};
    groups_assign(&b->groups, &b->h.particles, 10, member, label);
}

static void set_group_velocities(struct bench *b)
{
    for (size_t i = 0; i < b->h.particles.n; i++)
        b->motion.before[i] =
            b->groups.fixed[i] ? vec3(0.0, 0.0, 0.0) : random_vector(10, b->groups.leader[i]);
}

/* Those before merging, from which the rigid motion follows. */
static void set_spins(struct bench *b, double rate)
{
    struct particles *p = &b->h.particles;
    const struct vec3 spin = vec3(0.5 * rate, -0.4 * rate, rate);
    for (size_t i = 0; i < p->n; i++)
        if (!p->state[i])
            p->velocity[i] = vec3_add(vec3_cross(spin, p->position[i]), random_vector(12, i));
}

static void check_against_dense(const struct solver_settings *solver,
                                const struct integrator *scheme, double dt, bool grouped)
{
    struct bench b;
    fill_bench(&b, solver);
    if (grouped)
        group_bench(&b);
    set_group_velocities(&b);
    set_spins(&b, 0.2 / dt);
    bench_integrate(&b, dt);
    bool euler = solver->integrator == INTEGRATOR_BACKWARD_EULER;
    struct dense d = dense_forces(&b, 60.0, 0.004, !euler, dt);
    gsl_vector *after = gsl_vector_alloc(d.size), *mean = gsl_vector_alloc(d.size);
    dense_step(&b, &d, scheme, dt, after, mean);
    if (euler)
        add_turns(&b, &d, dt, after, mean);
    for (size_t i = 0; i < d.size; i++) {
        double scale = fmax(1.0, fabs(gsl_vector_get(after, i)));
        check_close(axis(b.motion.after[i / 3], i % 3), gsl_vector_get(after, i),
                    matrix_rounding * scale, "after");
        check_close(axis(b.motion.mean[i / 3], i % 3), gsl_vector_get(mean, i),
                    matrix_rounding * scale, "mean");
    }
    gsl_vector_free(after);
    gsl_vector_free(mean);
    gsl_matrix_free(d.k);
    gsl_matrix_free(d.c);
    gsl_vector_free(d.f);
    bench_end(&b);
}

static const struct solver_settings euler = {INTEGRATOR_BACKWARD_EULER, 0.0, 0.0, 1e-8, 1000,
                                             LATER_STAGES_INCREMENTAL};
static const struct solver_settings average = {INTEGRATOR_NEWMARK,      0.25, 0.5, 1e-8, 1000,
                                               LATER_STAGES_INCREMENTAL};

TEST(backward_euler_against_a_dense_solve)
{
    const struct integrator scheme = {1.0, 1.0, 0.0};
    for (int grouped = 0; grouped < 2; grouped++) {
        check_against_dense(&euler, &scheme, 1e-3, grouped);
        check_against_dense(&euler, &scheme, 2e-2, grouped);
    }
}

/* beta = 0.2, gamma = 0.6 needs the acceleration at the start of the step. */
TEST(newmark_against_a_dense_solve)
{
    const struct solver_settings other = {INTEGRATOR_NEWMARK,      0.2, 0.6, 1e-8, 1000,
                                          LATER_STAGES_INCREMENTAL};
    const struct integrator of_average = {0.5, 0.5, 0.0},
                            of_other = {0.6, 1.0 / 3.0, 0.5 - 1.0 / 3.0};
    for (int grouped = 0; grouped < 2; grouped++) {
        check_against_dense(&average, &of_average, 1e-3, grouped);
        check_against_dense(&average, &of_average, 2e-2, grouped);
        check_against_dense(&other, &of_other, 1e-3, grouped);
        check_against_dense(&other, &of_other, 5e-3, grouped);
    }
}

/* Members of a group hold the same bits, held ones do not move, and the ledger's terms of the step
 * close: kinetic energy of the meta-particles against the work on them. */
TEST(groups_move_as_one_and_work_is_accounted_for)
{
    struct bench b;
    fill_bench(&b, &average);
    group_bench(&b);
    set_group_velocities(&b);
    double dt = 3e-3, kinetic = 0.0, outside = 0.0;
    bench_integrate(&b, dt);
    struct work_report work;
    b.system->class->account(b.system, &b.h.particles, &b.groups, dt, &b.motion, &work);
    for (size_t i = 0; i < b.h.particles.n; i++) {
        uint32_t leader = b.groups.leader[i];
        const struct motion *m = &b.motion;
        check(memcmp(&m->after[i], &m->after[leader], sizeof(struct vec3)) == 0);
        check(memcmp(&m->mean[i], &m->mean[leader], sizeof(struct vec3)) == 0);
        check(!b.groups.fixed[i] || vec3_norm(m->after[i]) + vec3_norm(m->mean[i]) == 0.0);
        if (!b.groups.fixed[i])
            kinetic +=
                0.5 * b.h.particles.mass[i] * (vec3_norm2(m->after[i]) - vec3_norm2(m->before[i]));
        outside += dt * vec3_dot(b.h.particles.force[i], m->mean[i]);
    }
    check(work.damping > 0.0);
    check_close(kinetic,
                outside + work.linear_elastic - work.damping + work.term[BOND_RESIDUAL_WORK].value,
                1e-14, "kinetic energy");
    bench_end(&b);
}

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

TEST(an_unconverged_step_is_an_error)
{
    struct bench b;
    struct solver_settings solver = euler;
    solver.max_iterations = 2;
    fill_bench(&b, &solver);
    struct error error = {0};
    struct solve_report report;
    set_group_velocities(&b);
    check_equal(b.system->class->prepare(b.system, &b.h.particles, 0.02, &error), STATUS_OK,
                "prepare");
    check_equal(b.system->class->integrate(b.system, &b.h.particles, &b.groups, 0.02, &b.motion,
                                           &report, &error),
                STATUS_FAILED, "status");
    check_contains(error.message, "after 2 iterations");
    bench_end(&b);
}

TAP_MAIN(TAP_ENTRY(backward_euler_against_a_dense_solve), TAP_ENTRY(newmark_against_a_dense_solve),
         TAP_ENTRY(groups_move_as_one_and_work_is_accounted_for),
         TAP_ENTRY(loose_particles_fall_freely), TAP_ENTRY(backward_euler_is_of_first_order),
         TAP_ENTRY(average_acceleration_is_of_second_order),
         TAP_ENTRY(average_acceleration_keeps_the_energy_of_an_oscillator),
         TAP_ENTRY(backward_euler_damps_as_it_must),
         TAP_ENTRY(a_free_body_keeps_its_momentum_with_a_loose_tolerance),
         TAP_ENTRY(an_unconverged_step_is_an_error))
