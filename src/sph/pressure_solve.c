/* The complementarity problem min p . A p / 2 - b . p over p >= 0: what is asked, when it is
 * solved, and what the solution does. It is found by conjugate gradients (pressure_conjugate.c), or
 * by the relaxed Jacobi iteration of DFSPH.
 *
 * Vectors are single, scalars are sums over blocks in double precision. */
#include "base/blocks.h"
#include "sph/pressure_parts.h"

#include <string.h>

/* Of the corrections of Jacobi's iteration (Bender and Koschier 2017, Ihmsen et al. 2014). */
static const float RELAXATION = 0.5f;

/* The least number of particles that take part, of all: or a mean over spray hides the fluid's. */
static const double LEAST_PART = 0.01;

/* ---- products ---- */

/* The members of a group move as one. */
static void join_speeds(struct pressure *pressure)
{
#pragma omp parallel for schedule(static) if (pressure->n_members > ONE_THREAD)
    for (size_t g = 0; g < pressure->n_joined; g++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        for (size_t k = pressure->joined[g]; k < pressure->joined[g + 1]; k++) {
            const struct pressure_speed *speed = &pressure->speed[pressure->member[k]];
            sum = vec3_add(sum, vec3((double)speed->x, (double)speed->y, (double)speed->z));
        }
        for (size_t k = pressure->joined[g]; k < pressure->joined[g + 1]; k++) {
            struct pressure_speed *speed = &pressure->speed[pressure->member[k]];
            speed->x = (float)sum.x;
            speed->y = (float)sum.y;
            speed->z = (float)sum.z;
        }
    }
}

/* image = A place[].p */
void pressure_multiply(struct pressure_solve *solve)
{
    pressure_push(solve->pressure);
    join_speeds(solve->pressure);
    pressure_rate(solve->pressure);
    solve->report.products++;
}

void pressure_take_p(struct pressure *pressure)
{
    size_t n = pressure->neighbors.grid.n + pressure->walls.n;
#pragma omp parallel for schedule(static) if (n > ONE_THREAD)
    for (size_t s = 0; s < n; s++)
        pressure->place[s].p = pressure->p[s];
}

/* ---- the problem and its solution ---- */

/* c of who has room, less what may not be used up at once. Repair of the density leaves gaps of
 * some 0.1 % between particles that lie close. A fluid that falls into all of them in every step is
 * moved apart again in every step: it never comes to rest. One that never falls into them swells
 * when it is stirred. So a gap is closed the more slowly the smaller it is. */
static float usable_room(const struct pressure *pressure, size_t s)
{
    const struct pressure_walls *walls = &pressure->walls;
    const size_t n = pressure->neighbors.grid.n;
    const double part = s < n ? 1.0 : pressure->points.weight[walls->point[s - n]];
    const float c = pressure->compression[s], gap = (float)(PRESSURE_GAP * part);
    if (c >= 0.0f)
        return 0.0f;
    return c < -gap ? c : -c * c / gap;
}

/* slope_of_p = -b */
static void find_source(struct pressure_solve *solve)
{
    struct pressure *pressure = solve->pressure;
    const uint32_t *point = pressure->neighbors.grid.point;
    const struct vec3 *velocity = solve->problem->velocity + pressure->first;
    const float per_dt = (float)(1.0 / solve->problem->dt);
    const size_t n = pressure->neighbors.grid.n;
    bool density = solve->problem->aim == PRESSURE_DENSITY;
#pragma omp parallel for schedule(static) if (n > ONE_THREAD)
    for (size_t s = 0; s < n; s++) {
        struct vec3 v = velocity[point[s]];
        struct pressure_speed *speed = &pressure->speed[s];
        speed->x = (float)v.x;
        speed->y = (float)v.y;
        speed->z = (float)v.z;
    }
    pressure_rate(pressure);
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        float c = density ? pressure->compression[s] : usable_room(pressure, s);
        pressure->slope_of_p[s] = -pressure->image[s] - c * per_dt;
    }
}

/* Takes the guess; returns whether any of it is positive. Where nothing moves and nothing would, 0
 * is the solution. */
bool pressure_take_guess(struct pressure_solve *solve)
{
    struct pressure *pressure = solve->pressure;
    const struct pressure_problem *problem = solve->problem;
    bool cold =
        !problem->p || pressure->settings.keys.solver == PRESSURE_BY_JACOBI || isinf(solve->scale);
    bool any = false;
    for (size_t s = 0; s < pressure->neighbors.grid.n; s++) {
        float p = cold ? 0.0f : problem->p[pressure->neighbors.grid.point[s]];
        pressure->p[s] = p > 0.0f && pressure->inverse_diagonal[s] > 0.0f ? p : 0.0f;
    }
    pressure_walls_take(pressure, cold ? NULL : problem->of_walls);
    for (size_t s = 0; s < solve->n; s++)
        any |= pressure->p[s] > 0.0f;
    return any;
}

/* Members of groups change their velocities by the impulses of all, over the mass of the group. */
static void move_groups(const struct pressure_solve *solve)
{
    const struct pressure *pressure = solve->pressure;
    struct vec3 *velocity = solve->problem->velocity + pressure->first;
    for (size_t g = 0; g < pressure->n_joined; g++) {
        const uint32_t *member = pressure->member;
        size_t begin = pressure->joined[g], end = pressure->joined[g + 1];
        size_t leader = pressure->first + pressure->neighbors.grid.point[member[begin]];
        struct vec3 push = vec3(0.0, 0.0, 0.0);
        if (pressure->groups->fixed[leader])
            continue;
        for (size_t k = begin; k < end; k++)
            push = vec3_add(push, pressure->member_push[k]);
        for (size_t k = begin; k < end; k++) {
            uint32_t i = pressure->neighbors.grid.point[member[k]];
            velocity[i] = vec3_axpy(velocity[i], 1.0 / pressure->groups->mass[leader], push);
        }
    }
}

/* Lets p act. */
static void move(struct pressure_solve *solve)
{
    struct pressure *pressure = solve->pressure;
    const struct pressure_problem *problem = solve->problem;
    const struct pressure_moved moved = {pressure->groups, problem->velocity, problem->impulse};
    pressure_take_p(pressure);
    pressure_push_exactly(pressure, &moved);
    move_groups(solve);
}

/* Gives the solution back, and applies it. */
static void apply(struct pressure_solve *solve)
{
    struct pressure *pressure = solve->pressure;
    const struct pressure_problem *problem = solve->problem;
    move(solve);
    solve->report.walls = pressure_walls_impulse(pressure, NULL);
    if (problem->marked)
        solve->report.walls_on_marked = pressure_walls_impulse(pressure, problem->marked);
    if (!problem->p)
        return;
    memset(problem->p, 0, pressure->n * sizeof *problem->p);
    for (size_t s = 0; s < pressure->neighbors.grid.n; s++)
        problem->p[pressure->neighbors.grid.point[s]] = pressure->p[s];
    if (problem->of_walls)
        pressure_walls_give(pressure, problem->of_walls);
}

/* ---- what is left ---- */

/* Adds what a particle with p and this slope leaves, in the problem's terms. */
static inline void measure_one(double p, double slope, double inverse_diagonal, double *sum)
{
    if (inverse_diagonal == 0.0)
        return;
    double left = -slope;
    if (p > 0.0) {
        double most = p / inverse_diagonal;
        left = slope > 0.0 ? (slope < most ? slope : most) : -slope;
    }
    sum[LEFT] += left > 0.0 ? left : 0.0;
    sum[PART] += p > 0.0 || left > 0.0 ? 1.0 : 0.0;
}

void pressure_measure(size_t begin, size_t end, const void *context, double *sum)
{
    const struct pressure *q = context;
    for (size_t s = begin; s < end; s++)
        measure_one((double)q->p[s], (double)q->slope_of_p[s], (double)q->inverse_diagonal[s], sum);
}

/* The mean of the particles that take part, in units of the tolerance. */
double pressure_mean_of(const struct pressure_solve *solve, double sum, double part)
{
    double few = LEAST_PART * (double)solve->n;
    return sum > 0.0 ? sum / (part > few ? part : few) * solve->scale : 0.0;
}

bool pressure_is_spent(const struct pressure_solve *solve)
{
    return solve->report.products >= solve->pressure->settings.keys.most_iterations;
}

/* Whether the problem is solved, with `least` products unless it is from the beginning, or has to
 * be left as it is. */
bool pressure_is_done(struct pressure_solve *solve, const double *sum, size_t least)
{
    solve->report.left = pressure_mean_of(solve, sum[LEFT], sum[PART]);
    solve->report.met = solve->report.left <= solve->tolerance;
    return (solve->report.met &&
            (solve->report.products == 0 || solve->report.products >= least)) ||
           pressure_is_spent(solve);
}

/* ---- Jacobi's iteration ---- */

static void relax(size_t begin, size_t end, const void *context, double *sum)
{
    const struct pressure *q = context;
    for (size_t s = begin; s < end; s++) {
        float slope = q->slope_of_p[s] + q->image[s], p = q->p[s];
        measure_one((double)p, (double)slope, (double)q->inverse_diagonal[s], sum);
        p -= RELAXATION * slope * q->inverse_diagonal[s];
        q->place[s].p = p > 0.0f ? p : 0.0f;
    }
}

static void keep_relaxed(const struct pressure_solve *solve)
{
    const struct pressure *q = solve->pressure;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++)
        q->p[s] = q->place[s].p;
}

static void solve_jacobi(struct pressure_solve *solve)
{
    double measure[N_MEASURES];
    size_t least = solve->problem->aim == PRESSURE_DENSITY ? 2 : 1;
    pressure_take_guess(solve);
    memset(solve->pressure->image, 0, solve->n * sizeof *solve->pressure->image);
    for (;;) {
        blocks_sums(solve->n, N_MEASURES, relax, solve->pressure, measure);
        if (pressure_is_done(solve, measure, least))
            break;
        keep_relaxed(solve);
        pressure_multiply(solve);
    }
}

static struct pressure_solve begin_solve(struct pressure *pressure,
                                         const struct pressure_problem *problem)
{
    const struct pressure_settings *settings = &pressure->settings;
    bool density = problem->aim == PRESSURE_DENSITY;
    struct pressure_solve solve = {.pressure = pressure,
                                   .problem = problem,
                                   .n = pressure->neighbors.grid.n + pressure->walls.n,
                                   .scale = density ? problem->dt : problem->horizon,
                                   .tolerance = density ? settings->keys.density_tolerance
                                                        : settings->keys.divergence_tolerance};
    find_source(&solve);
    return solve;
}

size_t pressure_foresee(struct pressure *pressure, const struct pressure_problem *problem)
{
    struct pressure_solve solve = begin_solve(pressure, problem);
    pressure_find_slope(&solve);
    if (solve.report.products > 0)
        move(&solve);
    return solve.report.products;
}

struct pressure_report pressure_solve(struct pressure *pressure,
                                      const struct pressure_problem *problem)
{
    const struct pressure_settings *settings = &pressure->settings;
    struct pressure_solve solve = begin_solve(pressure, problem);
    if (settings->keys.solver == PRESSURE_BY_JACOBI)
        solve_jacobi(&solve);
    else
        pressure_solve_conjugate(&solve);
    apply(&solve);
    return solve.report;
}
