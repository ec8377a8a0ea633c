/* The complementarity problem min p . A p / 2 - b . p over p >= 0, by conjugate gradients with the
 * diagonal as preconditioner, or by the relaxed Jacobi iteration of DFSPH.
 *
 * The bounds change little from step to step, and near a surface nearly every iteration meets one.
 * So iterations go on beyond the bounds, for those particles that are pressed or would be, until a
 * part of the residual is left; then p is projected onto the bounds, which costs one more product,
 * and who works is decided anew. (Methods that stop where a bound is met, as
 * solvers/projected_gradients.h, restart their directions there: in a tank of 24 layers nearly
 * every iteration, and they take twice as many products.) Should the function not have fallen over
 * all of that, a step along the gradient, projected, lets it fall.
 *
 * Vectors are single, scalars are sums over blocks in double precision. */
#include "base/blocks.h"
#include "sph/pressure_parts.h"

#include <string.h>

/* Length of a step along the gradient in variables in which the diagonal is 1, where bounds are
 * met: at most 2 / |A|, which is 2.6 on the lattice. */
static const float FIXED_STEP = 0.5f;

/* Iterations between two looks at the bounds. */
enum { MOST_WITHOUT_BOUNDS = 50 };

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

/* One thread sums, because particles near walls are few; the order is that of slots, which does not
 * depend on the number of threads. */
static struct vec3 impulse_of_walls(const struct pressure *pressure)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    const struct sph_neighbors *neighbors = &pressure->neighbors;
    for (size_t t = 0; t < neighbors->n_parts; t++)
        for (size_t k = 0; k < neighbors->part[t].walls.n; k++) {
            const struct sph_near *near = &neighbors->part[t].walls.near[k];
            sum = vec3_axpy(sum, (double)pressure->p[near->slot], near->force);
        }
    return vec3_scale(pressure->volume * pressure->slope, sum);
}

/* Gives the solution back, and applies it. */
static void apply(struct solve *solve)
{
    struct pressure *pressure = solve->pressure;
    const struct pressure_problem *problem = solve->problem;
    const struct pressure_moved moved = {pressure->groups, problem->velocity, problem->impulse};
    take_p(pressure);
    pressure_push_exactly(pressure, &moved);
    move_groups(solve);
    solve->report.walls = impulse_of_walls(pressure);
    if (!problem->p)
        return;
    memset(problem->p, 0, pressure->n * sizeof *problem->p);
    for (size_t s = 0; s < solve->n; s++)
        problem->p[pressure->neighbors.grid.point[s]] = pressure->p[s];
}

/* ---- what is left ---- */

enum { LEFT, PART, N_MEASURES };

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

static void measure(size_t begin, size_t end, const void *context, double *sum)
{
    const struct pressure *q = context;
    for (size_t s = begin; s < end; s++)
        measure_one((double)q->p[s], (double)q->slope_of_p[s], (double)q->inverse_diagonal[s], sum);
}

/* The mean of the particles that take part, in units of the tolerance. */
static double mean_of(const struct solve *solve, double sum, double part)
{
    double few = LEAST_PART * (double)solve->n;
    return sum > 0.0 ? sum / (part > few ? part : few) * solve->scale : 0.0;
}

static bool is_spent(const struct solve *solve)
{
    return solve->report.products >= solve->pressure->settings.keys.most_iterations;
}

/* Whether the problem is solved, with `least` products unless it is from the beginning, or has to
 * be left as it is. */
static bool is_done(struct solve *solve, const double *sum, size_t least)
{
    solve->report.left = mean_of(solve, sum[LEFT], sum[PART]);
    solve->report.met = solve->report.left <= solve->tolerance;
    return (solve->report.met &&
            (solve->report.products == 0 || solve->report.products >= least)) ||
           is_spent(solve);
}

/* ---- conjugate gradients within bounds ---- */

/* A step along the direction in place[].p: p -= share direction, slope -= share image. */
struct stride {
    const struct pressure *pressure;
    float share;
};

/* Sums over the particles that work: of the squared gradient where the diagonal is 1, of its
 * product with the image, of |slope|, and their number. */
enum { STEEP, SHARED, UNEVEN, WORKING, N_STRIDE };

static void stride(size_t begin, size_t end, const void *context, double *sum)
{
    const struct stride *stride = context;
    const struct pressure *q = stride->pressure;
    for (size_t s = begin; s < end; s++) {
        float slope = q->slope_of_p[s] -= stride->share * q->image[s];
        if (!q->works[s])
            continue;
        double gradient = (double)slope * (double)q->inverse_diagonal[s];
        q->p[s] -= stride->share * q->place[s].p;
        sum[STEEP] += gradient * (double)slope;
        sum[SHARED] += gradient * (double)q->image[s];
        sum[UNEVEN] += fabs((double)slope);
        sum[WORKING] += 1.0;
    }
}

static void go(const struct solve *solve, double share, double *sum)
{
    const struct stride context = {solve->pressure, (float)share};
    blocks_sums(solve->n, N_STRIDE, stride, &context, sum);
}

/* Lets those work that are pressed or would be, and makes the direction the preconditioned
 * gradient.
 */
static void begin_directions(const struct solve *solve)
{
    const struct pressure *q = solve->pressure;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        float slope = q->slope_of_p[s];
        q->works[s] = q->inverse_diagonal[s] > 0.0f && (q->p[s] > 0.0f || slope < 0.0f);
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

/* Solves for those that work as if there were no bounds, until a part of the gradient is left, or
 * as little as is asked for. Returns by how much the function fell. */
static double solve_without_bounds(struct solve *solve, size_t most)
{
    static const double part = 0.5, rounding = 1e-7;
    double fallen = 0.0, first = 0.0, ahead[N_AHEAD], sum[N_STRIDE];
    for (size_t k = 0; k < most && !is_spent(solve); k++) {
        multiply(solve);
        blocks_sums(solve->n, N_AHEAD, look_ahead, solve->pressure, ahead);
        if (!(ahead[CURVATURE] > rounding * ahead[LENGTH2]))
            break; /* no minimum along it */
        if (k == 0)
            first = ahead[DOWNHILL]; /* the direction is the gradient */
        fallen += 0.5 * ahead[DOWNHILL] * ahead[DOWNHILL] / ahead[CURVATURE];
        go(solve, ahead[DOWNHILL] / ahead[CURVATURE], sum);
        if (sum[STEEP] < part * part * first ||
            mean_of(solve, sum[UNEVEN], sum[WORKING]) < 0.8 * solve->tolerance)
            break;
        turn(solve, sum[SHARED] / ahead[CURVATURE]);
    }
    return fallen;
}

/* Makes the direction the change of p by a step against the gradient (0: none), projected onto the
 * bounds. */
static void project(const struct solve *solve, float step)
{
    const struct pressure *q = solve->pressure;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        float to = q->p[s] - step * q->slope_of_p[s] * q->inverse_diagonal[s];
        q->place[s].p = (to > 0.0f ? to : 0.0f) - q->p[s];
    }
}

/* Changes p by the direction; returns by how much the function fell. */
static double change(struct solve *solve)
{
    struct pressure *q = solve->pressure;
    double sum[N_AHEAD];
    multiply(solve);
    blocks_sums(solve->n, N_AHEAD, look_ahead, q, sum);
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        q->p[s] = fmaxf(q->p[s] + q->place[s].p, 0.0f);
        q->slope_of_p[s] += q->image[s];
    }
    return -(sum[DOWNHILL] + 0.5 * sum[CURVATURE]);
}

static double is_below(size_t begin, size_t end, const void *context)
{
    const float *p = context;
    double any = 0.0;
    for (size_t s = begin; s < end; s++)
        any = p[s] < 0.0f ? 1.0 : any;
    return any;
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
    double sum[N_MEASURES];
    size_t most = MOST_WITHOUT_BOUNDS;
    find_slope(solve);
    for (;;) {
        blocks_sums(solve->n, N_MEASURES, measure, solve->pressure, sum);
        if (is_done(solve, sum, 0))
            break;
        begin_directions(solve);
        double fallen = solve_without_bounds(solve, most);
        if (blocks_max(solve->n, is_below, solve->pressure->p) > 0.0) {
            project(solve, 0.0f);
            fallen += change(solve);
        }
        most = MOST_WITHOUT_BOUNDS;
        if (!(fallen > 0.0)) {
            project(solve, FIXED_STEP);
            change(solve);
            most = 1;
        }
    }
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
