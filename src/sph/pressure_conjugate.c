/* The complementarity problem min p . A p / 2 - b . p over p >= 0, by conjugate gradients with the
 * diagonal as preconditioner.
 *
 * The bounds change little from step to step, and near a surface nearly every iteration meets one.
 * So iterations go on beyond the bounds, for those particles that are pressed or would be, until a
 * part of the residual is left; then p is projected onto the bounds, which costs one more product,
 * and who works is decided anew. (Methods that stop where a bound is met, as
 * solvers/projected_gradients.h, restart their directions there: in a tank of 24 layers nearly
 * every iteration, and they take twice as many products.) Should the function not have fallen over
 * all of that, as where points of walls and particles press each other beyond all bounds, p goes
 * back to the least of the function on the way, and then along the gradient, projected; the next
 * looks are sooner. So the function falls all the time, whenever it is left.
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

static void go(const struct pressure_solve *solve, double share, double *sum)
{
    const struct stride context = {solve->pressure, (float)share};
    blocks_sums(solve->n, N_STRIDE, stride, &context, sum);
}

/* Lets those work that are pressed or would be, and makes the direction the preconditioned
 * gradient.
 */
static void begin_directions(const struct pressure_solve *solve)
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
static void turn(const struct pressure_solve *solve, double part)
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
static double solve_without_bounds(struct pressure_solve *solve, size_t most)
{
    static const double part = 0.5, rounding = 1e-7;
    double fallen = 0.0, first = 0.0, ahead[N_AHEAD], sum[N_STRIDE];
    for (size_t k = 0; k < most && !pressure_is_spent(solve); k++) {
        pressure_multiply(solve);
        blocks_sums(solve->n, N_AHEAD, look_ahead, solve->pressure, ahead);
        if (!(ahead[CURVATURE] > rounding * ahead[LENGTH2]))
            break; /* no minimum along it */
        if (k == 0)
            first = ahead[DOWNHILL]; /* the direction is the gradient */
        fallen += 0.5 * ahead[DOWNHILL] * ahead[DOWNHILL] / ahead[CURVATURE];
        go(solve, ahead[DOWNHILL] / ahead[CURVATURE], sum);
        if (sum[STEEP] < part * part * first ||
            pressure_mean_of(solve, sum[UNEVEN], sum[WORKING]) < 0.8 * solve->tolerance)
            break;
        turn(solve, sum[SHARED] / ahead[CURVATURE]);
    }
    return fallen;
}

/* Makes the direction the change of p by a step against the gradient (0: none), projected onto the
 * bounds. */
static void project(const struct pressure_solve *solve, float step)
{
    const struct pressure *q = solve->pressure;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        float to = q->p[s] - step * q->slope_of_p[s] * q->inverse_diagonal[s];
        q->place[s].p = (to > 0.0f ? to : 0.0f) - q->p[s];
    }
}

/* How far to go along a direction to the least of the function: none to all of it. */
static double part_along(const double *ahead)
{
    if (!(ahead[DOWNHILL] < 0.0))
        return 0.0;
    return -ahead[DOWNHILL] < ahead[CURVATURE] ? -ahead[DOWNHILL] / ahead[CURVATURE] : 1.0;
}

/* Changes p by the direction, or by as much of it as the function falls; returns by how much that
 * fell. */
static double change(struct pressure_solve *solve, bool whole)
{
    struct pressure *q = solve->pressure;
    double sum[N_AHEAD];
    pressure_multiply(solve);
    blocks_sums(solve->n, N_AHEAD, look_ahead, q, sum);
    double part = whole ? 1.0 : part_along(sum);
    const float share = (float)part;
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        q->p[s] = fmaxf(q->p[s] + share * q->place[s].p, 0.0f);
        q->slope_of_p[s] += share * q->image[s];
    }
    return -part * (sum[DOWNHILL] + 0.5 * part * sum[CURVATURE]);
}

/* Keeps p and its slope. */
static void keep_p(const struct pressure_solve *solve)
{
    struct pressure *q = solve->pressure;
    blocks_copy(q->p_before, q->p, solve->n * sizeof *q->p);
    blocks_copy(q->slope_before, q->slope_of_p, solve->n * sizeof *q->slope_of_p);
}

/* Takes p back to where the function is least on the way here from the p that was kept. */
static void step_back(const struct pressure_solve *solve)
{
    struct pressure *q = solve->pressure;
    double sum[N_AHEAD];
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        q->place[s].p = q->p[s] - q->p_before[s];
        q->image[s] = q->slope_of_p[s] - q->slope_before[s];
        q->slope_of_p[s] = q->slope_before[s];
    }
    blocks_sums(solve->n, N_AHEAD, look_ahead, q, sum);
    const float share = (float)part_along(sum);
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++) {
        q->p[s] = fmaxf(q->p_before[s] + share * q->place[s].p, 0.0f);
        q->slope_of_p[s] += share * q->image[s];
    }
}

static double is_below(size_t begin, size_t end, const void *context)
{
    const float *p = context;
    double any = 0.0;
    for (size_t s = begin; s < end; s++)
        any = p[s] < 0.0f ? 1.0 : any;
    return any;
}

/* The function at p, where slope = -b and image = A p. */
static double function(size_t begin, size_t end, const void *context)
{
    const struct pressure *q = context;
    double sum = 0.0;
    for (size_t s = begin; s < end; s++)
        sum += (double)q->p[s] * (0.5 * (double)q->image[s] + (double)q->slope_of_p[s]);
    return sum;
}

/* slope = A p - b of the guess, which is 0 instead if it is worse than that: the function falls
 * from there on, so that a solve for velocities adds no kinetic energy even if it is left
 * unfinished. */
void pressure_find_slope(struct pressure_solve *solve)
{
    struct pressure *pressure = solve->pressure;
    if (!pressure_take_guess(solve))
        return;
    pressure_take_p(pressure);
    pressure_multiply(solve);
    if (!(blocks_sum(solve->n, function, pressure) < 0.0)) {
        memset(pressure->p, 0, solve->n * sizeof *pressure->p);
        return;
    }
#pragma omp parallel for schedule(static) if (solve->n > ONE_THREAD)
    for (size_t s = 0; s < solve->n; s++)
        pressure->slope_of_p[s] += pressure->image[s];
}

void pressure_solve_conjugate(struct pressure_solve *solve)
{
    double sum[N_MEASURES];
    size_t most = MOST_WITHOUT_BOUNDS;
    pressure_find_slope(solve);
    for (;;) {
        blocks_sums(solve->n, N_MEASURES, pressure_measure, solve->pressure, sum);
        if (pressure_is_done(solve, sum, 0))
            break;
        keep_p(solve);
        begin_directions(solve);
        double fallen = solve_without_bounds(solve, most);
        if (blocks_max(solve->n, is_below, solve->pressure->p) > 0.0) {
            project(solve, 0.0f);
            fallen += change(solve, true);
        }
        if (fallen > 0.0) {
            most = 2 * most < MOST_WITHOUT_BOUNDS ? 2 * most : MOST_WITHOUT_BOUNDS;
            continue;
        }
        step_back(solve);
        project(solve, FIXED_STEP);
        change(solve, false);
        most = most / 4 > 1 ? most / 4 : 1;
    }
}
