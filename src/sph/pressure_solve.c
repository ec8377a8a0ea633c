/* The complementarity problem min p . A p / 2 - b . p over p >= 0, by conjugate gradients that stay
 * within the bounds, as in solvers/projected_gradients.h (Dostal and Schoberl 2005) but without a
 * matrix, and with the diagonal as preconditioner; or by the relaxed Jacobi iteration of DFSPH.
 *
 * Vectors are single, scalars are sums over blocks in double precision. */
#include "base/blocks.h"
#include "sph/pressure_parts.h"

#include <string.h>

/* Length of a step along the gradient in variables in which the diagonal is 1, where bounds are
 * met: at most 2 / |A|, which is 2.6 on the lattice. */
static const double FIXED_STEP = 0.5;

/* Of the corrections of Jacobi's iteration (Bender and Koschier 2017, Ihmsen et al. 2014). */
static const float RELAXATION = 0.5f;

/* The least number of particles that take part, of all: or a mean over spray hides the fluid's. */
static const double LEAST_PART = 0.01;

struct solve {
    struct pressure *pressure;
    const struct pressure_problem *problem;
    size_t n;                /* slots */
    double scale, tolerance; /* of the mean e: s, and of their product */
    struct pressure_report report;
};

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
static void multiply(struct solve *solve)
{
    pressure_push(solve->pressure);
    join_speeds(solve->pressure);
    pressure_rate(solve->pressure);
    solve->report.products++;
}

static void take_p(struct pressure *pressure)
{
    size_t n = pressure->neighbors.grid.n;
#pragma omp parallel for schedule(static) if (n > ONE_THREAD)
    for (size_t s = 0; s < n; s++)
        pressure->place[s].p = pressure->p[s];
}

/* ---- the problem and its solution ---- */

/* slope_of_p = -b */
static void find_source(struct solve *solve)
{
    struct pressure *pressure = solve->pressure;
    const uint32_t *point = pressure->neighbors.grid.point;
    const struct vec3 *velocity = solve->problem->velocity + pressure->first;
    const float per_dt = (float)(1.0 / solve->problem->dt);
    bool density = solve->problem->aim == PRESSURE_DENSITY;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        struct vec3 v = velocity[point[s]];
        struct pressure_speed *speed = &pressure->speed[s];
        speed->x = (float)v.x;
        speed->y = (float)v.y;
        speed->z = (float)v.z;
    }
    pressure_rate(pressure);
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        float c = pressure->compression[s];
        pressure->slope_of_p[s] = -pressure->image[s] - (density || c < 0.0f ? c : 0.0f) * per_dt;
    }
}

/* Takes the guess; returns whether any of it is positive. Where nothing moves and nothing would, 0
 * is the solution. */
static bool take_guess(struct solve *solve)
{
    struct pressure *pressure = solve->pressure;
    const float *guess = solve->problem->p;
    bool any = false;
    bool cold =
        !guess || pressure->settings.keys.solver == PRESSURE_BY_JACOBI || isinf(solve->scale);
    for (size_t s = 0; s < solve->n; s++) {
        float p = cold ? 0.0f : guess[pressure->neighbors.grid.point[s]];
        pressure->p[s] = p > 0.0f && pressure->inverse_diagonal[s] > 0.0f ? p : 0.0f;
        any |= pressure->p[s] > 0.0f;
    }
    return any;
}

/* Members of groups change their velocities by the impulses of all, over the mass of the group. */
static void move_groups(const struct solve *solve)
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

/* Gives the solution back, and applies it. */
static void apply(const struct solve *solve)
{
    struct pressure *pressure = solve->pressure;
    const struct pressure_problem *problem = solve->problem;
    const struct pressure_moved moved = {pressure->groups, problem->velocity, problem->impulse};
    take_p(pressure);
    pressure_push_exactly(pressure, &moved);
    move_groups(solve);
    if (!problem->p)
        return;
    memset(problem->p, 0, pressure->n * sizeof *problem->p);
    for (size_t s = 0; s < solve->n; s++)
        problem->p[pressure->neighbors.grid.point[s]] = pressure->p[s];
}

/* ---- what is left ---- */

enum { REDUCED, LEAVING, LEFT, PART, SHARED, N_MEASURES };

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

/* Whether the problem is solved, with `least` products unless it is from the beginning, or has to
 * be left as it is. */
static bool is_done(struct solve *solve, const double *sum, size_t least)
{
    const struct pressure_settings *settings = &solve->pressure->settings;
    double part = sum[PART], few = LEAST_PART * (double)solve->n;
    double mean = sum[LEFT] > 0.0 ? sum[LEFT] / (part > few ? part : few) : 0.0;
    solve->report.left = mean > 0.0 ? mean * solve->scale : 0.0;
    solve->report.met = solve->report.left <= solve->tolerance;
    return (solve->report.met &&
            (solve->report.products == 0 || solve->report.products >= least)) ||
           solve->report.products >= settings->keys.most_iterations;
}

/* ---- conjugate gradients within bounds ---- */

/* A step along the direction in place[].p: p -= share direction, slope -= share image; also
 * measures what is left, and the conjugacy of the new gradient. */
struct stride {
    const struct pressure *pressure;
    float share;
};

static void stride(size_t begin, size_t end, const void *context, double *sum)
{
    const struct stride *stride = context;
    const struct pressure *q = stride->pressure;
    const double per_step = 1.0 / FIXED_STEP;
    for (size_t s = begin; s < end; s++) {
        float p = q->p[s] - stride->share * q->place[s].p;
        p = p > 0.0f ? p : 0.0f;
        float slope = q->slope_of_p[s] - stride->share * q->image[s],
              inverse = q->inverse_diagonal[s];
        q->p[s] = p;
        q->slope_of_p[s] = slope;
        double steep = (double)slope * (double)slope * (double)inverse;
        double most = per_step * (double)p * (double)slope;
        if (p > 0.0f)
            sum[REDUCED] += slope > 0.0f && most < steep ? most : steep;
        else if (slope < 0.0f)
            sum[LEAVING] += steep;
        if (q->works[s])
            sum[SHARED] += (double)slope * (double)inverse * (double)q->image[s];
        measure_one((double)p, (double)slope, (double)inverse, sum);
    }
}

static void go(const struct solve *solve, double share, double *sum)
{
    const struct stride context = {solve->pressure, (float)share};
    blocks_sums(solve->n, N_MEASURES, stride, &context, sum);
}

/* Restarts the directions: the preconditioned gradient of the free particles and, if `leaving`, of
 * those that would leave their bound. */
static void begin_directions(const struct solve *solve, bool leaving)
{
    const struct pressure *q = solve->pressure;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        float slope = q->slope_of_p[s];
        q->works[s] = q->p[s] > 0.0f || (leaving && slope < 0.0f && q->inverse_diagonal[s] > 0.0f);
        q->place[s].p = q->works[s] ? slope * q->inverse_diagonal[s] : 0.0f;
    }
}

/* The next direction, conjugate to the last one. */
static void turn(const struct solve *solve, double part)
{
    const struct pressure *q = solve->pressure;
    const float back = (float)part;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++)
        if (q->works[s])
            q->place[s].p = q->slope_of_p[s] * q->inverse_diagonal[s] - back * q->place[s].p;
}

/* Along the direction: curvature of the function, fall and length of the direction where the
 * diagonal is 1. */
enum { CURVATURE, DOWNHILL, LENGTH2, N_AHEAD };

static void look_ahead(size_t begin, size_t end, const void *context, double *sum)
{
    const struct pressure *q = context;
    for (size_t s = begin; s < end; s++) {
        double direction = (double)q->place[s].p;
        if (direction == 0.0)
            continue;
        sum[CURVATURE] += direction * (double)q->image[s];
        sum[DOWNHILL] += direction * (double)q->slope_of_p[s];
        sum[LENGTH2] += direction * direction / (double)q->inverse_diagonal[s];
    }
}

/* Minus the share of the direction at which the first bound is met. */
static double minus_room(size_t begin, size_t end, const void *context)
{
    const struct pressure *q = context;
    double room = (double)INFINITY;
    for (size_t s = begin; s < end; s++)
        if (q->place[s].p > 0.0f) {
            double here = (double)q->p[s] / (double)q->place[s].p;
            room = here < room ? here : room;
        }
    return -room;
}

/* Makes the direction the change of p by a step against `along` (the direction itself, or the
 * preconditioned gradient), projected onto the bounds. */
static void project(const struct solve *solve, double step, bool gradient)
{
    const struct pressure *q = solve->pressure;
    const float share = (float)step;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        float along = gradient ? q->slope_of_p[s] * q->inverse_diagonal[s] : q->place[s].p;
        float to = q->p[s] - share * along;
        q->place[s].p = (to > 0.0f ? to : 0.0f) - q->p[s];
    }
}

/* By how much the function falls if p changes by the direction. */
static double fall(struct solve *solve)
{
    double sum[N_AHEAD];
    multiply(solve);
    blocks_sums(solve->n, N_AHEAD, look_ahead, solve->pressure, sum);
    return -(sum[DOWNHILL] + 0.5 * sum[CURVATURE]);
}

/* Goes beyond bounds: to the minimum without them, projected back onto them. If the function falls
 * by less than a step along the gradient guarantees, takes such a step instead, shorter if need be.
 */
static void expand(struct solve *solve, double least, double *measure)
{
    double enough = 0.25 * FIXED_STEP * (measure[REDUCED] + measure[LEAVING]);
    project(solve, least, false);
    if (!(fall(solve) >= enough))
        for (double step = FIXED_STEP; step > 0.01 * FIXED_STEP; step *= 0.5) {
            project(solve, step, true);
            if (fall(solve) >= 0.0)
                break;
        }
    go(solve, -1.0, measure);
    begin_directions(solve, false);
}

/* One iteration. False: the direction lies in the null space of A up to rounding. */
static bool advance(struct solve *solve, double *measure)
{
    static const double rounding = 1e-7;
    double sum[N_AHEAD];
    if (measure[LEAVING] > measure[REDUCED])
        begin_directions(solve, true);
    multiply(solve);
    blocks_sums(solve->n, N_AHEAD, look_ahead, solve->pressure, sum);
    if (!(sum[CURVATURE] > rounding * sum[LENGTH2]))
        return false;
    double least = sum[DOWNHILL] / sum[CURVATURE];
    if (least > -blocks_max(solve->n, minus_room, solve->pressure)) {
        expand(solve, least, measure);
        return true;
    }
    go(solve, least, measure);
    turn(solve, measure[SHARED] / sum[CURVATURE]);
    return true;
}

/* slope = A p - b of the guess. */
static void find_slope(struct solve *solve)
{
    struct pressure *pressure = solve->pressure;
    if (!take_guess(solve))
        return;
    take_p(pressure);
    multiply(solve);
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++)
        pressure->slope_of_p[s] += pressure->image[s];
}

static void solve_conjugate(struct solve *solve)
{
    double measure[N_MEASURES];
    find_slope(solve);
    begin_directions(solve, false);
    go(solve, 0.0, measure);
    while (!is_done(solve, measure, 0) && advance(solve, measure))
        continue;
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

static void keep_relaxed(const struct solve *solve)
{
    const struct pressure *q = solve->pressure;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++)
        q->p[s] = q->place[s].p;
}

static void solve_jacobi(struct solve *solve)
{
    double measure[N_MEASURES];
    size_t least = solve->problem->aim == PRESSURE_DENSITY ? 2 : 1;
    take_guess(solve);
    memset(solve->pressure->image, 0, solve->n * sizeof *solve->pressure->image);
    for (;;) {
        blocks_sums(solve->n, N_MEASURES, relax, solve->pressure, measure);
        if (is_done(solve, measure, least))
            break;
        keep_relaxed(solve);
        multiply(solve);
    }
}

struct pressure_report pressure_solve(struct pressure *pressure,
                                      const struct pressure_problem *problem)
{
    const struct pressure_settings *settings = &pressure->settings;
    bool density = problem->aim == PRESSURE_DENSITY;
    struct solve solve = {.pressure = pressure,
                          .problem = problem,
                          .n = pressure->neighbors.grid.n,
                          .scale = density ? problem->dt : problem->horizon,
                          .tolerance = density ? settings->keys.density_tolerance
                                               : settings->keys.divergence_tolerance};
    find_source(&solve);
    if (settings->keys.solver == PRESSURE_BY_JACOBI)
        solve_jacobi(&solve);
    else
        solve_conjugate(&solve);
    apply(&solve);
    return solve.report;
}
