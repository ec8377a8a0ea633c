/* Implicit viscosity of fluids: against dense matrices, and what no step may change. */
#include "viscous_drops.h"

#include <gsl/gsl_linalg.h>

/* ---- the judge: matrices in double precision, from the formulas ---- */

static void add_pair(gsl_matrix *c, size_t i, size_t j, double by, struct vec3 x)
{
    const double v[3] = {x.x, x.y, x.z};
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++)
            *gsl_matrix_ptr(c, 3 * i + a, 3 * j + b) += by * v[a] * v[b];
}

static double mean_of(struct viscosity a, struct viscosity b)
{
    if (isinf(a.fluid) || isinf(b.fluid))
        return isinf(a.fluid) && isinf(b.fluid) ? 0.0 : 2 * (isinf(a.fluid) ? b.wall : a.wall);
    return a.fluid + b.fluid > 0.0 ? 2 * a.fluid * b.fluid / (a.fluid + b.fluid) : 0.0;
}

/* C of n particles; walls: a floor at `height`. */
static gsl_matrix *slow_matrix(const struct drop *d, double height)
{
    size_t n = d->particles.n;
    gsl_matrix *c = gsl_matrix_calloc(3 * n, 3 * n);
    const struct vec3 *x = d->particles.position;
    const uint32_t *body = d->particles.body;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            struct vec3 from = vec3_sub(x[i], x[j]);
            double mu = mean_of(d->kind[body[i]], d->kind[body[j]]);
            double by = mu * volume() * volume() * weight(vec3_norm(from));
            add_pair(c, i, i, by, from);
            add_pair(c, i, j, -by, from);
        }
        for (size_t k = 0; k < d->points.n; k++) {
            struct vec3 at = d->points.position[d->points.grid.point[k]], from = vec3_sub(x[i], at);
            double up = x[i].z - height, factor = up > 0.0 ? fmin(1 + (height - at.z) / up, 5) : 5;
            double by = d->kind[body[i]].wall * volume() * volume() * d->points.weight[k] *
                        weight(vec3_norm(from));
            add_pair(c, i, i, by * factor, from);
        }
    }
    return c;
}

static gsl_vector *vector_of(const struct vec3 *v, size_t n)
{
    gsl_vector *out = gsl_vector_alloc(3 * n);
    for (size_t i = 0; i < n; i++) {
        gsl_vector_set(out, 3 * i, v[i].x);
        gsl_vector_set(out, 3 * i + 1, v[i].y);
        gsl_vector_set(out, 3 * i + 2, v[i].z);
    }
    return out;
}

/* Solves (M + dt C) v = M v* by elimination, in one velocity for each group: with P the matrix that
 * gives members the velocity of their group, P^T (M + dt C) P. A fixed group keeps its own. */
static void slow_solve(const struct drop *d, gsl_matrix *c, double dt, struct vec3 *v)
{
    size_t n = d->particles.n;
    gsl_matrix *a = gsl_matrix_calloc(3 * n, 3 * n);
    gsl_vector *start = vector_of(v, n), *b = gsl_vector_calloc(3 * n),
               *x = gsl_vector_calloc(3 * n);
    const uint32_t *leader = d->groups.leader;
    for (size_t i = 0; i < 3 * n; i++) {
        size_t row = 3 * leader[i / 3] + i % 3;
        for (size_t j = 0; j < 3 * n && !d->groups.fixed[i / 3]; j++) {
            double by = dt * gsl_matrix_get(c, i, j);
            if (d->groups.fixed[j / 3])
                *gsl_vector_ptr(b, row) -= by * gsl_vector_get(start, j);
            else
                *gsl_matrix_ptr(a, row, 3 * leader[j / 3] + j % 3) += by;
        }
        if (d->groups.fixed[i / 3] || leader[i / 3] != i / 3) {
            gsl_matrix_set(a, i, i, 1.0);
            continue;
        }
        *gsl_matrix_ptr(a, i, i) += d->groups.mass[i / 3];
        *gsl_vector_ptr(b, i) += d->groups.mass[i / 3] * gsl_vector_get(start, i);
    }
    gsl_linalg_cholesky_decomp1(a);
    gsl_linalg_cholesky_solve(a, b, x);
    for (size_t i = 0; i < n; i++) {
        size_t l = 3 * leader[i];
        if (!d->groups.fixed[i])
            v[i] = vec3(gsl_vector_get(x, l), gsl_vector_get(x, l + 1), gsl_vector_get(x, l + 2));
    }
    gsl_vector_free(start);
    gsl_vector_free(b);
    gsl_vector_free(x);
    gsl_matrix_free(a);
}

static double kinetic(const struct drop *d)
{
    double sum = 0.0;
    for (size_t i = 0; i < d->particles.n; i++)
        if (!d->groups.fixed[i])
            sum += 0.5 * d->particles.mass[i] * vec3_norm2(d->particles.velocity[i]);
    return sum;
}

/* ---- the matrix ---- */

/* Three bodies: a thin fluid, a thick one, and a solid to which they stick; a floor through the
 * lower part of them. One particle is held, and two groups are of several: one of both fluids and
 * one with the held particle. */
static void mixed_drop(struct drop *d, size_t n, uint64_t seed, double height)
{
    const uint32_t members[] = {1, 4, 5, 9, 12}, label[] = {1, 4, 1, 4, 4};
    drop_create(d, n, 1.0);
    d->kind[0] = (struct viscosity){0.5, 0.5};
    d->kind[1] = (struct viscosity){20.0, 5.0};
    d->kind[2] = (struct viscosity){HUGE_VAL, 0.0};
    drop_scatter(d, 3.0 * S, seed);
    for (size_t i = 0; i < n; i++) {
        d->particles.body[i] = (uint32_t)(i % 3);
        d->particles.mass[i] *= 1.0 + (double)(i % 4);
        d->particles.state[i] = i == 12 ? PARTICLE_FIXED : PARTICLE_FREE;
        d->particles.velocity[i] = i == 12 ? vec3(0, 0, 0) : d->particles.velocity[i];
        if (i % 3 < 2) /* fluid is above the floor */
            d->particles.position[i].z = fabs(d->particles.position[i].z - height) + height;
    }
    groups_dissolve(&d->groups, &d->particles);
    for (uint32_t i = 0; i < n; i++) { /* masses anew */
        d->groups.mass[i] = d->particles.mass[i];
        d->groups.fixed[i] = d->particles.state[i] != PARTICLE_FREE;
    }
    groups_assign(&d->groups, &d->particles, 5, members, label);
    for (size_t k = 0; k < 5; k++)
        d->particles.velocity[members[k]] = d->particles.velocity[label[k] == 4 ? 12 : 1];
    drop_floor(d, height);
    drop_find(d);
}

TEST(the_change_is_that_of_a_dense_solve)
{
    enum { N = 30 };
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (double dt = 1e-4; dt < 10.0; dt *= 100.0) {
            struct drop d;
            struct vec3 slow[N], start[N];
            mixed_drop(&d, N, seed, -0.5 * S);
            memcpy(slow, d.particles.velocity, sizeof slow);
            memcpy(start, slow, sizeof start);
            gsl_matrix *c = slow_matrix(&d, -0.5 * S);
            slow_solve(&d, c, dt, slow);
            struct viscous_report report = drop_solve(&d, dt);
            double error = 0.0, change = 0.0;
            for (size_t i = 0; i < N; i++) {
                error +=
                    d.particles.mass[i] * vec3_norm2(vec3_sub(d.particles.velocity[i], slow[i]));
                change += d.particles.mass[i] * vec3_norm2(vec3_sub(start[i], slow[i]));
            }
            check(change > 0.0);
            check_close(sqrt(error / change), 0.0, 3e-4, "relative error of the change");
            check(report.iterations > 0 && report.iterations < 3 * N);
            gsl_matrix_free(c);
            drop_free(&d);
        }
}

/* Gives a drop other walls: a cylinder whose surface runs through it. */
static void drop_curved(struct drop *d, enum wall_side keep)
{
    wall_planes_free(&d->planes);
    wall_points_free(&d->points);
    walls_free(d->walls);
    drop_wall(d, keep, (struct shape){.kind = SHAPE_CYLINDER, .radius = 1.2 * S, .height = 9.0 * S},
              vec3(0.1 * S, -0.2 * S, 0.0));
    drop_find(d);
}

/* u . C v = v . C u, and v . C v >= 0. */
TEST(the_matrix_is_symmetric_and_positive)
{
    enum { N = 200 };
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct drop d;
        double *force[2] = {calloc(3 * N, sizeof(double)), calloc(3 * N, sizeof(double))};
        double product[2][2] = {{0.0}};
        mixed_drop(&d, N, seed, -0.5 * S);
        if (seed % 3 > 0) /* in a round wall instead, or around one */
            drop_curved(&d, seed % 3 == 1 ? KEEP_INSIDE : KEEP_OUTSIDE);
        const struct viscous_problem problem = problem_of(&d);
        drop_solve(&d, 1e-9); /* fills slots and walls */
        for (size_t t = 0; t < 2; t++) {
            for (size_t s = 0; s < N; s++) {
                struct vec3 u = draw_vector(seed, 7 + t, s);
                d.viscous.slot[s].vx = (float)u.x;
                d.viscous.slot[s].vy = (float)u.y;
                d.viscous.slot[s].vz = (float)u.z;
            }
            viscous_forces(&d.viscous, &problem, force[t], NULL);
        }
        for (size_t s = 0; s < N; s++)
            for (size_t t = 0; t < 2; t++)
                for (size_t u = 0; u < 2; u++)
                    product[t][u] -=
                        vec3_dot(draw_vector(seed, 7 + t, s),
                                 vec3(force[u][3 * s], force[u][3 * s + 1], force[u][3 * s + 2]));
        check(product[0][0] > 0.0 && product[1][1] > 0.0);
        check_close(product[0][1] / product[1][0], 1.0, 1e-6 * product[0][0] / fabs(product[1][0]),
                    "symmetry");
        free(force[0]);
        free(force[1]);
        drop_free(&d);
    }
}

/* ---- what no step may change ---- */

static struct vec3 momentum(const struct drop *d)
{
    struct vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < d->particles.n; i++)
        sum = vec3_axpy(sum, d->particles.mass[i], d->particles.velocity[i]);
    return sum;
}

/* Of the impulses of the last solve. */
static struct vec3 turn_of(const struct drop *d, double *size)
{
    struct vec3 sum = vec3(0, 0, 0);
    *size = 0.0;
    for (size_t i = 0; i < d->particles.n; i++) {
        struct vec3 turn = vec3_cross(d->particles.position[i], d->impulse[i]);
        sum = vec3_add(sum, turn);
        *size += vec3_norm(turn);
    }
    return sum;
}

/* In steps far beyond what an explicit one could do, too, where the solve ends with a residual. */
TEST(momentum_and_angular_momentum_are_exact)
{
    for (double dt = 1e-5; dt < 1e3; dt *= 10.0) {
        struct drop d;
        double size;
        drop_create(&d, 400, 3.0);
        d.kind[1] = (struct viscosity){70.0, 5.0};
        d.kind[2] = (struct viscosity){HUGE_VAL, 0.0};
        drop_scatter(&d, 6.0 * S, 5);
        for (size_t i = 0; i < d.particles.n; i++)
            d.particles.body[i] = (uint32_t)(i % 3);
        drop_find(&d);
        struct vec3 before = momentum(&d);
        drop_solve(&d, dt);
        struct vec3 change = vec3_sub(momentum(&d), before), turn = turn_of(&d, &size);
        check(size > 0.0);
        check_close(vec3_norm(change) / (400.0 * d.particles.mass[0]), 0.0, 1e-15, "momentum");
        check_close(vec3_norm(turn) / size, 0.0, 1e-14, "angular momentum");
        drop_free(&d);
    }
}

TEST(impulses_are_the_change_of_momentum_and_what_walls_gave)
{
    struct drop d;
    mixed_drop(&d, 100, 3, -0.5 * S);
    struct vec3 before = momentum(&d), sum = vec3(0, 0, 0), on_fixed = vec3(0, 0, 0);
    struct viscous_report report = drop_solve(&d, 0.01);
    struct vec3 change = vec3_sub(momentum(&d), before);
    for (size_t i = 0; i < d.particles.n; i++) {
        sum = vec3_add(sum, d.impulse[i]);
        if (d.groups.fixed[i])
            on_fixed = vec3_add(on_fixed, d.impulse[i]);
    }
    double scale = vec3_norm(before);
    check(vec3_norm(on_fixed) > 1e-3 * scale && vec3_norm(report.walls) > 1e-3 * scale);
    check_close(vec3_norm(vec3_sub(sum, report.walls)), 0.0, 1e-14 * scale, "pairs cancel");
    check_close(vec3_norm(vec3_sub(vec3_add(change, on_fixed), report.walls)), 0.0, 1e-13 * scale,
                "what particles and supports got");
    drop_free(&d);
}

TEST(energy_only_falls)
{
    for (uint64_t seed = 1; seed <= 30; seed++)
        for (double dt = 1e-6; dt < 1e4; dt *= 100.0) {
            struct drop d;
            mixed_drop(&d, 60, seed, -0.5 * S);
            double before = kinetic(&d);
            drop_solve(&d, dt);
            check(kinetic(&d) <= before);
            drop_free(&d);
        }
}

/* Single precision of the speeds is all that is left. */
TEST(a_rigid_motion_has_no_force)
{
    struct drop d;
    drop_create(&d, 300, 5.0);
    drop_scatter(&d, 5.0 * S, 11);
    drop_find(&d);
    drop_solve(&d, 1e-6);
    double usual = 0.0, most = 0.0, fastest = 0.0;
    for (size_t i = 0; i < d.particles.n; i++)
        usual = fmax(usual, vec3_norm(d.impulse[i]));
    for (size_t i = 0; i < d.particles.n; i++) {
        d.particles.velocity[i] =
            vec3_add(vec3(0.3, -1.0, 0.2), vec3_cross(vec3(10, -4, 7), d.particles.position[i]));
        fastest = fmax(fastest, vec3_norm(d.particles.velocity[i]));
    }
    drop_solve(&d, 1e-6);
    for (size_t i = 0; i < d.particles.n; i++)
        most = fmax(most, vec3_norm(d.impulse[i]));
    check_close(most / (usual * fastest), 0.0, 1e-6, "force");
    drop_free(&d);
}
