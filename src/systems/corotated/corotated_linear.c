/* The step as a linear problem (systems/linear_step.h), for constraints: that of
 * corotated_step_as_a_whole, in the change of velocity from the start of the step. What outside
 * forces w change by themselves is known, so that with the matrix A of all forces
 *
 *     A dv = dt f(x + dt (v + w)) + A w
 *
 * whose first term has the rounding errors of corotated_solve.c and whose second has no positions
 * in it. Impulses of constraints count as outside forces from the end of the solve on, so that the
 * account finds what elastic forces did. */
#include "base/blocks.h"
#include "systems/confine.h"
#include "systems/corotated/corotated_parts.h"

#include <string.h>

/* Adds A (c->fallen - c->before) to the right side. Leaves the product in c->shaped. */
static void add_what_falls(struct corotated *c)
{
    for (size_t i = 0; i < c->system.n; i++)
        c->change[i] = vec3_sub(c->fallen[i], c->before[i]);
    corotated_multiply_whole(c, &c->change[0].x, &c->shaped[0].x);
    for (size_t i = 0; i < c->system.n; i++)
        c->right_side[i] = vec3_add(c->right_side[i], c->shaped[i]);
}

enum square { SQUARE_EXPECTED, SQUARE_LAST, SQUARES };

static struct vec3 last_change(const struct corotated *c, size_t i)
{
    const float *v = c->past[i].increment[0];
    return vec3((double)v[0], (double)v[1], (double)v[2]);
}

static void add_squares(size_t begin, size_t end, const void *context, double *sum)
{
    const struct corotated *c = context;
    for (size_t i = begin; i < end; i++) {
        sum[SQUARE_EXPECTED] += vec3_norm2(c->change[i]);
        sum[SQUARE_LAST] += vec3_norm2(last_change(c, i));
    }
}

/* Fills c->shaped with the velocities that the last steps lead to expect. When a body has just been
 * touched, the steps before tell nothing, and may lead to any multiple of its change. Impulses of
 * constraints follow a guess before it is found to be bad, so that the last change takes its place
 * if it is twice as large. */
static void guess_velocities(struct corotated *c)
{
    double sum[SQUARES];
    corotated_expect(c);
    blocks_sums(c->system.n, SQUARES, add_squares, c, sum);
    for (size_t i = 0; !(sum[SQUARE_EXPECTED] <= 4.0 * sum[SQUARE_LAST]) && i < c->system.n; i++)
        c->change[i] = last_change(c, i);
    for (size_t i = 0; i < c->system.n; i++)
        c->shaped[i] = vec3_add(c->unforced[i], c->change[i]);
}

/* P is the matrix of shape and control, which is factored (corotated_factor.c). */
static void invert(void *context, const double *in, double *out)
{
    corotated_factors_solve(context, (const struct vec3 *)(const void *)in,
                            (struct vec3 *)(void *)out);
}

static enum status begin(struct system *system, const struct particles *p,
                         const struct groups *groups, double dt, const struct vec3 *before,
                         struct linear_step *linear, struct error *error)
{
    struct corotated *c = (struct corotated *)system;
    corotated_begin_step(c, p, groups, dt, before + system->first);
    const bool factored = c->solver->create != NULL;
    if (factored && corotated_factors_begin(c, error))
        return STATUS_FAILED;
    corotated_begin_whole(c, p);
    add_what_falls(c);
    guess_velocities(c);
    corotated_prepare_diagonal(c, c->whole_diagonal);
    *linear = (struct linear_step){
        .matrix = {.n = system->n,
                   .width = 3,
                   .context = c,
                   .apply = corotated_multiply_whole,
                   .precondition = corotated_precondition_diagonal},
        .invert = factored ? invert : NULL,
        .right_side = c->right_side,
        .guess = c->shaped,
        .share = 1.0,
        .tolerance = c->tolerance,
        .max_iterations = c->max_iterations,
    };
    return STATUS_OK;
}

static struct sym3 mobility(const struct system *system, size_t i)
{
    const double m = ((const struct corotated *)system)->preconditioner[i];
    return (struct sym3){m, 0.0, 0.0, m, 0.0, m};
}

static void end(struct system *system, const struct particles *p,
                const struct linear_solution *solution, struct motion *motion)
{
    struct corotated *c = (struct corotated *)system;
    const size_t first = system->first, bytes = system->n * sizeof(struct vec3);
    for (size_t i = 0; i < system->n; i++) {
        c->fallen[i] = vec3_add(c->before[i], solution->change[i]);
        c->next_increment[i] = vec3_sub(c->fallen[i], c->unforced[i]);
        c->unforced[i] = vec3_axpy(c->unforced[i], c->inverse_mass[i], solution->given[i]);
    }
    corotated_end_whole(c, p);
    c->constrained = solution->constrained;
    memcpy(motion->own_after + first, c->fallen, bytes);
    corotated_return_spin(c, p, motion->own_after + first);
    memcpy(motion->own_mean + first, motion->own_after + first, bytes);
}

const struct linear_class corotated_linear = {.begin = begin, .mobility = mobility, .end = end};

const struct rigid_pieces *corotated_pieces(const struct system *system)
{
    return &((const struct corotated *)system)->pieces;
}

void corotated_confine(struct system *system, const struct particles *p, double dt,
                       struct vec3 *mean, struct vec3 *velocity, struct confine_report *report)
{
    const struct walls *walls = ((const struct corotated *)system)->walls;
    for (size_t i = system->first; walls && i < system->first + system->n; i++)
        confine_to_walls(walls, WALL_NEAREST * p->radius[i], p, i, dt, mean, velocity, report);
}
