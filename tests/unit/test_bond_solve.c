/* The implicit step of the bond network against a dense solve of the documented equation, put
 * together here from all pairs of particles, and against what it must conserve. */
#include "naive_turn.h"
#include "network_bench.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

/* The matrix is kept in single precision, which rounds by up to 6e-8 of it; solutions of these
 * stiff steps are off by some 1e-6. */
static const double matrix_rounding = 1e-5;

/* ---- the documented equation, dense ---- */

enum { LOOSE = 2 }; /* the body without bonds */

struct dense {
    size_t size;       /* 3 n */
    gsl_matrix *k, *c; /* derivatives of the forces, without rotations of bodies */
    gsl_vector *f;     /* elastic forces, likewise */
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

/* Where the rigid motion of each body leads, unless `still`. */
static void find_lead(const struct bench *b, bool still, double dt, struct naive_turn *turn)
{
    const struct particles *p = &b->h.particles;
    *turn = (struct naive_turn){
        .n = p->n, .dt = dt, .still = still, .x = p->position, .v = p->velocity, .m = p->mass};
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
    gsl_vector *none = gsl_vector_calloc(size);
    naive_turn_project(&d.turn, d.k, d.f);
    naive_turn_project(&d.turn, d.c, none);
    gsl_vector_free(none);
    return d;
}

/* R: particles to unknown groups; nothing for groups that are held. */
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

/* (M - dt kappa C - dt^2 kappa^2 K) dv = dt (f + f_out) + dt C (v - w) + dt^2 kappa K (v - w),
 * between R^T and R, which sum over groups; w is the rigid motion that forces are rotated with; the
 * velocities after and the displacements over dt. */
static void dense_step(const struct bench *b, const struct dense *d, const struct integrator *s,
                       double dt, gsl_vector *after, gsl_vector *mean)
{
    const struct particles *p = &b->h.particles;
    size_t unknowns;
    int unknown_of[200];
    gsl_matrix *reduction = dense_reduction(b, &unknowns, unknown_of);
    gsl_vector *v = gsl_vector_alloc(d->size), *beyond = gsl_vector_alloc(d->size),
               *right = gsl_vector_calloc(d->size);
    for (size_t i = 0; i < d->size; i++)
        gsl_vector_set(v, i, axis(b->motion.before[i / 3], i % 3));
    gsl_blas_daxpy(dt, d->f, right);
    for (size_t i = 0; i < d->size; i++)
        *gsl_vector_ptr(right, i) += dt * axis(p->force[i / 3], i % 3);
    for (size_t i = 0; i < d->size; i++)
        gsl_vector_set(beyond, i, gsl_vector_get(v, i) - axis(d->turn.lead[i / 3], i % 3));
    gsl_blas_dgemv(CblasNoTrans, dt, d->c, beyond, 1.0, right);
    gsl_blas_dgemv(CblasNoTrans, dt * dt * s->kappa, d->k, beyond, 1.0, right);

    gsl_matrix *full = gsl_matrix_calloc(d->size, d->size),
               *half = gsl_matrix_alloc(d->size, unknowns),
               *reduced = gsl_matrix_alloc(unknowns, unknowns);
    for (size_t i = 0; i < d->size; i++)
        for (size_t j = 0; j < d->size; j++)
            gsl_matrix_set(full, i, j,
                           (i == j ? p->mass[i / 3] : 0.0) -
                               dt * s->kappa * gsl_matrix_get(d->c, i, j) -
                               dt * dt * s->kappa * s->kappa * gsl_matrix_get(d->k, i, j));
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, full, reduction, 0.0, half);
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, reduction, half, 0.0, reduced);
    gsl_vector *dv = gsl_vector_alloc(unknowns), *rhs = gsl_vector_alloc(unknowns);
    gsl_blas_dgemv(CblasTrans, 1.0, reduction, right, 0.0, rhs);
    gsl_linalg_cholesky_decomp1(reduced);
    gsl_linalg_cholesky_solve(reduced, rhs, dv);

    gsl_vector_memcpy(after, v);
    gsl_blas_dgemv(CblasNoTrans, 1.0, reduction, dv, 1.0, after);
    gsl_vector_memcpy(mean, v);
    gsl_blas_dgemv(CblasNoTrans, s->kappa, reduction, dv, 1.0, mean);
    gsl_matrix_free(reduction);
    gsl_matrix_free(full);
    gsl_matrix_free(half);
    gsl_matrix_free(reduced);
    gsl_vector_free(v);
    gsl_vector_free(beyond);
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

static const struct solver_settings euler = {INTEGRATOR_BACKWARD_EULER, 1e-8, 1000};
static const struct solver_settings average = {INTEGRATOR_NEWMARK, 1e-8, 1000};

TEST(backward_euler_against_a_dense_solve)
{
    const struct integrator scheme = {1.0};
    for (int grouped = 0; grouped < 2; grouped++) {
        check_against_dense(&euler, &scheme, 1e-3, grouped);
        check_against_dense(&euler, &scheme, 2e-2, grouped);
    }
}

TEST(newmark_against_a_dense_solve)
{
    const struct integrator scheme = {0.5};
    for (int grouped = 0; grouped < 2; grouped++) {
        check_against_dense(&average, &scheme, 1e-3, grouped);
        check_against_dense(&average, &scheme, 2e-2, grouped);
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
