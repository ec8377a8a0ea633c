/* Small clouds of particles of one size, with any masses, groups and a floor, and what their
 * pressure is by definition: dense matrices in double precision. */
#ifndef TESTS_PRESSURE_CLOUDS_H
#define TESTS_PRESSURE_CLOUDS_H

#include "particles/random.h"
#include "sph/pressure_parts.h"
#include "sph/sph_kernel.h"
#include "sph/sph_sums.h"
#include "tap.h"

enum { MOST = 80, MOST_UNKNOWNS = MOST + 200 /* with points of walls */ };
static const double R = 0.01, D = 0.02; /* m */

struct cloud {
    size_t n;
    struct particles particles;
    struct groups groups;
    struct wall wall;
    struct scene scene;
    struct walls *walls;
    struct pressure pressure;
    double dt;
};

static double draw(uint64_t seed, uint64_t index)
{
    return 2.0 * random_uniform(seed, 17, index, RANDOM_TEST) - 1.0;
}

static struct vec3 draw3(uint64_t seed, uint64_t index)
{
    return vec3(draw(seed, 3 * index), draw(seed, 3 * index + 1), draw(seed, 3 * index + 2));
}

static void ok(enum status status, const struct error *error)
{
    if (!status)
        return;
    printf("#   %s\n", error->message);
    fflush(stdout);
    _exit(1);
}

static const struct pressure_settings conjugate = {.radius = 0.01,
                                                   .keys = {.solver = PRESSURE_BY_GRADIENTS,
                                                            .most_iterations = 200,
                                                            .density_tolerance = 2e-4,
                                                            .divergence_tolerance = 1e-3}};

/* Particles drawn from a box `edge` D wide, which stands on a floor (with `floor`) that is larger
 * than it; masses within a factor of 10 of water's. */
__attribute__((unused)) static void cloud_create(struct cloud *c, uint64_t seed, size_t n,
                                                 double edge, bool floor)
{
    struct error error = {0};
    *c = (struct cloud){.n = n, .dt = 1e-3};
    ok(particles_create(&c->particles, n, &error), &error);
    for (size_t i = 0; i < n; i++) {
        struct vec3 u = draw3(seed, i);
        c->particles.position[i] = vec3_scale(0.5 * edge * D, vec3(u.x, u.y, 1.0 + u.z));
        c->particles.position[i].z += floor ? 0.2 * R : R; /* walls are pressed, too */
        c->particles.velocity[i] = draw3(seed + 1, i);
        c->particles.mass[i] = 8e-3 * pow(10.0, draw(seed + 2, i));
        c->particles.radius[i] = R;
    }
    c->wall = (struct wall){.name = "floor",
                            .region = {.shape = {.kind = SHAPE_BOX,
                                                 .size = vec3(20 * D, 20 * D, 4 * D),
                                                 .center = vec3(0, 0, -2 * D)},
                                       .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                            .keep = KEEP_OUTSIDE};
    c->scene = (struct scene){.n_walls = 1, .wall = &c->wall};
    if (floor)
        ok(walls_create(&c->walls, &c->scene, &error), &error);
    ok(groups_create(&c->groups, &c->particles, &error), &error);
    ok(pressure_create(&c->pressure, &conjugate, c->walls, 0, n, &error), &error);
}

__attribute__((unused)) static void cloud_free(struct cloud *c)
{
    pressure_free(&c->pressure);
    groups_free(&c->groups);
    particles_free(&c->particles);
    if (c->walls)
        walls_free(c->walls);
}

/* Particles 0, 1, 2 form a group, 3 and 4 another, 5 and 6 one that is fixed, as is 7. */
__attribute__((unused)) static void cloud_join(struct cloud *c)
{
    static const uint32_t member[7] = {0, 1, 2, 3, 4, 5, 6}, label[7] = {0, 0, 0, 3, 3, 5, 5};
    struct error error = {0};
    c->particles.state[6] = c->particles.state[7] = PARTICLE_FIXED;
    groups_free(&c->groups);
    ok(groups_create(&c->groups, &c->particles, &error), &error);
    groups_assign(&c->groups, &c->particles, 7, member, label);
    for (size_t i = 0; i < c->n; i++)
        if (c->groups.leader[i] != i)
            c->particles.velocity[i] = c->particles.velocity[c->groups.leader[i]];
}

__attribute__((unused)) static void cloud_find(struct cloud *c)
{
    struct error error = {0};
    ok(pressure_find(&c->pressure, &c->particles, (double)INFINITY, &error), &error);
    ok(pressure_join(&c->pressure, &c->groups, &error), &error);
}

__attribute__((unused)) static struct pressure_problem problem_of(struct cloud *c,
                                                                  enum pressure_aim aim, float *p)
{
    return (struct pressure_problem){
        .aim = aim, .dt = c->dt, .horizon = 0.02, .velocity = c->particles.velocity, .p = p};
}

/* ---- by definition ---- */

/* row[i][k]: of J; what particle k's velocity does to c_i. Points of walls with a pressure are
 * behind the particles, in the order of their unknowns; their rows are taken times their weight. */
struct dense {
    size_t n; /* unknowns */
    struct vec3 row[MOST_UNKNOWNS][MOST];
    double compression[MOST_UNKNOWNS];
    double part[MOST_UNKNOWNS]; /* 1, or the weight of a point */
    double a[MOST_UNKNOWNS][MOST_UNKNOWNS];
};

/* What a neighbor, or a point of weight w, at distance x adds. */
static struct vec3 dense_gradient(const struct cloud *c, struct vec3 x, double w)
{
    double kernel, compression, h = 4 * R;
    (void)c;
    sph_sum_lattice(h, 2 * R, &kernel, &compression);
    return vec3_scale(-w / compression * sph_wendland_slope(h, vec3_norm(x)), x);
}

static void dense_rows(const struct cloud *c, struct dense *d)
{
    const struct vec3 *x = c->particles.position;
    const struct wall_points *points = &c->pressure.points;
    double kernel, compression, h = 4 * R;
    sph_sum_lattice(h, 2 * R, &kernel, &compression);
    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < c->n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < c->n; j++) {
            if (j == i)
                continue;
            struct vec3 g = dense_gradient(c, vec3_sub(x[i], x[j]), 1.0);
            d->row[i][i] = vec3_add(d->row[i][i], g);
            d->row[i][j] = vec3_sub(d->row[i][j], g);
            sum += sph_wendland(h, vec3_norm(vec3_sub(x[i], x[j])));
        }
        for (size_t k = 0; k < points->n; k++) {
            struct vec3 away = sph_from_wall(points, (uint32_t)k, x[i]);
            d->row[i][i] = vec3_add(d->row[i][i], dense_gradient(c, away, points->weight[k]));
            sum += points->weight[k] * sph_wendland(h, vec3_norm(away));
        }
        d->compression[i] = (sum - kernel) / compression;
        d->part[i] = 1.0;
    }
    d->n = c->n;
    for (size_t k = 0; k < points->n; k++) {
        double sum = -c->pressure.walls.room[k], weight = points->weight[k];
        bool near = false;
        if (c->pressure.walls.room[k] == 0.0)
            continue;
        for (size_t i = 0; i < c->n; i++) {
            struct vec3 away = sph_from_wall(points, (uint32_t)k, x[i]);
            near |= vec3_norm(away) < h;
            d->row[d->n][i] = dense_gradient(c, away, weight);
            sum += sph_wendland(h, vec3_norm(away));
        }
        d->compression[d->n] = weight * sum / compression;
        d->part[d->n] = weight;
        d->n += near;
    }
}

/* The coefficient of the velocity of particle k's group in row i. */
static struct vec3 dense_of_group(const struct cloud *c, const struct dense *d, size_t i, size_t k)
{
    struct vec3 sum = vec3(0, 0, 0);
    for (size_t l = 0; l < c->n; l++)
        if (c->groups.leader[l] == c->groups.leader[k])
            sum = vec3_add(sum, d->row[i][l]);
    return sum;
}

__attribute__((unused)) static void dense_find(const struct cloud *c, struct dense *d)
{
    static struct vec3 joined[MOST_UNKNOWNS][MOST]; /* rows of groups, at their leaders */
    dense_rows(c, d);
    for (size_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < c->n; k++)
            joined[i][k] =
                c->groups.leader[k] == k && !c->groups.fixed[k]
                    ? vec3_scale(1.0 / sqrt(c->groups.mass[k]), dense_of_group(c, d, i, k))
                    : vec3(0, 0, 0);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->n; j++)
            for (size_t k = 0; k < c->n; k++)
                d->a[i][j] += D * D * D * vec3_dot(joined[i][k], joined[j][k]);
}

#endif
