/* The implicit step as a linear problem (systems/linear_step.h): without meta-particles, because
 * constraints take their place. */
#include "base/blocks.h"
#include "systems/bonds/bond_implicit.h"

#include <string.h>

static void apply(void *context, const double *x, double *y)
{
    bond_matrix_apply(context, NULL, 0, (const struct vec3 *)(const void *)x,
                      (struct vec3 *)(void *)y);
}

static void precondition(void *context, const double *in, double *out)
{
    struct bond_implicit *step = context;
    const struct vec3 *r = (const struct vec3 *)(const void *)in;
    struct vec3 *z = (struct vec3 *)(void *)out;
    size_t n = step->net.system.n, blocks = block_count(n);
#pragma omp parallel for schedule(static) if (n > MANY_PARTICLES)
    for (size_t block = 0; block < blocks; block++)
        bond_precondition(step, block * BLOCK_LENGTH, block_end(block, n), r, z);
}

static enum status begin(struct system *system, const struct particles *p,
                         const struct groups *groups, double dt, const struct vec3 *before,
                         struct linear_step *linear, struct error *error)
{
    struct bond_implicit *step = (struct bond_implicit *)system;
    (void)error;
    step->groups = groups;
    bond_groups_choose_unknowns(step);
    bond_groups_add_foreign_mass(step, p);
    bond_precondition_build(step);
    bond_right_side(step, p, dt, before + system->first);
    *linear = (struct linear_step){
        .matrix = {.n = system->n,
                   .width = 3,
                   .context = step,
                   .apply = apply,
                   .precondition = precondition},
        .right_side = step->right_side,
        .guess = step->warm_start,
        .share = step->integrator.kappa,
        .tolerance = step->tolerance,
        .max_iterations = step->max_iterations,
    };
    return STATUS_OK;
}

static struct sym3 mobility(const struct system *system, size_t i)
{
    return bond_precondition_block((const struct bond_implicit *)system, i);
}

static void end(struct system *system, const struct particles *p,
                const struct linear_solution *solution, struct motion *motion)
{
    struct bond_implicit *step = (struct bond_implicit *)system;
    (void)p;
    memcpy(step->change, solution->change, system->n * sizeof *step->change);
    memcpy(step->work.residual, solution->residual, system->n * sizeof *solution->residual);
    step->constrained = solution->constrained;
    bond_implicit_report_motion(step, motion);
}

const struct linear_class bond_linear = {.begin = begin, .mobility = mobility, .end = end};

const struct rigid_pieces *bond_implicit_pieces(const struct system *system)
{
    return &((const struct bond_implicit *)system)->pieces;
}
