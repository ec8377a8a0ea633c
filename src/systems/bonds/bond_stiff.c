/* Outside forces that depend on the motion (particles/stiff_pairs.h) in the implicit step. A pair
 * adds the block dt^2 kappa k n n^T to the matrix, and to the right side the impulse that it has
 * if the velocity does not change. It may tie particles of any two bodies of the network. */
#include "base/memory.h"
#include "systems/bonds/bond_implicit.h"

#include <string.h>

enum status bond_stiff_begin(struct bond_implicit *step, const struct particles *p, double dt,
                             struct error *error)
{
    step->stiff = p->stiff;
    step->stiff_scale = dt * dt * step->integrator.kappa;
    if (step->stiff && !step->stiff_block)
        return array_create(&step->stiff_block, step->net.system.n, sizeof *step->stiff_block,
                            "preconditioner", error);
    return STATUS_OK;
}

/* Adds the impulse along the pair's normal to j, and its negative to i; a fixed particle gets none.
 */
static void push_apart(const struct bond_implicit *step, const struct stiff_pair *pair,
                       double impulse, struct vec3 *value)
{
    const uint8_t *fixed = step->groups->fixed;
    if (!fixed[pair->i])
        value[pair->i] = vec3_axpy(value[pair->i], -impulse, pair->normal);
    if (!fixed[pair->j])
        value[pair->j] = vec3_axpy(value[pair->j], impulse, pair->normal);
}

void bond_stiff_apply(const struct bond_implicit *step, const struct vec3 *x, struct vec3 *y)
{
    for (size_t k = 0; step->stiff && k < step->stiff->n; k++) {
        const struct stiff_pair *pair = &step->stiff->pair[k];
        double along = vec3_dot(pair->normal, vec3_sub(x[pair->j], x[pair->i]));
        push_apart(step, pair, step->stiff_scale * pair->stiffness * along, y);
    }
}

/* value += the impulses in `part`, summed over groups. */
static void add_gathered(const struct bond_implicit *step, struct vec3 *part, struct vec3 *value)
{
    bond_groups_gather(step, part);
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        value[i] = vec3_add(value[i], part[i]);
}

/* Adds the impulses of the pairs' forces at n . w = at to the right side. Returns the norm of the
 * right side after that, as a measure of the impulses in the step. The rest of a stiff force, the
 * product of a large stiffness and a small displacement, would not be one. */
static double add_forces(struct bond_implicit *step, double dt)
{
    struct vec3 *part = step->work.image;
    memset(part, 0, step->net.system.n * sizeof *part);
    for (size_t k = 0; k < step->stiff->n; k++)
        push_apart(step, &step->stiff->pair[k], dt * step->stiff->pair[k].force, part);
    add_gathered(step, part, step->right_side);
    return bond_groups_norm(step, step->right_side);
}

static void add_rest_of_forces(struct bond_implicit *step, double dt, const struct vec3 *before)
{
    struct vec3 *part = step->work.image;
    memset(part, 0, step->net.system.n * sizeof *part);
    for (size_t k = 0; k < step->stiff->n; k++) {
        const struct stiff_pair *pair = &step->stiff->pair[k];
        struct vec3 w = vec3_sub(before[pair->j], before[pair->i]);
        double beyond = dt * vec3_dot(pair->normal, w) - pair->at;
        push_apart(step, pair, -dt * pair->stiffness * beyond, part);
    }
    add_gathered(step, part, step->right_side);
}

double bond_stiff_right_side(struct bond_implicit *step, double dt, const struct vec3 *before)
{
    double scale = add_forces(step, dt);
    add_rest_of_forces(step, dt, before);
    return scale;
}

/* work->residual = b - A x; a guess worse than 0 is replaced by 0. */
static void start_from(const struct bond_implicit *step, const struct bond_problem *problem,
                       struct vec3 *x)
{
    struct vec3 *r = step->work.residual;
    problem->apply(problem->context, NULL, 0, x, step->work.image);
    for (size_t i = 0; i < problem->n; i++)
        r[i] = vec3_sub(step->right_side[i], step->work.image[i]);
    if (!(bond_groups_norm(step, r) > bond_groups_norm(step, step->right_side)))
        return;
    memset(x, 0, problem->n * sizeof *x);
    memcpy(r, step->right_side, problem->n * sizeof *r);
}

enum status bond_stiff_solve(struct bond_implicit *step, const struct bond_problem *problem,
                             double scale, double tolerance, struct bond_cg_report *report,
                             struct error *error)
{
    start_from(step, problem, step->change);
    scale = fmax(scale, bond_groups_norm(step, step->work.residual));
    return bond_cg_incremental(problem, NULL, scale, tolerance, step->max_iterations, step->change,
                               &step->work, report, error);
}

/* ---- preconditioner ---- */

/* The largest stiffness of a block, over the smaller mass of its pair. Any larger one acts like
 * infinity, and the inverse, which is in single precision, must stay positive. */
static const double stiffest = 1e4;

static void add_block(struct bond_implicit *step, uint32_t i, struct vec3 n, double s)
{
    struct sym3 *b = &step->stiff_block[i];
    *b = (struct sym3){b->xx + s * n.x * n.x, b->xy + s * n.x * n.y, b->xz + s * n.x * n.z,
                       b->yy + s * n.y * n.y, b->yz + s * n.y * n.z, b->zz + s * n.z * n.z};
}

static double capped(const struct bond_implicit *step, const struct stiff_pair *pair)
{
    const double *mass = step->net.mass;
    double stiffness = step->stiff_scale * pair->stiffness;
    return fmin(stiffness, stiffest * fmin(mass[pair->i], mass[pair->j]));
}

const struct sym3 *bond_stiff_blocks(struct bond_implicit *step)
{
    if (!stiff_pairs_any(step->stiff))
        return NULL;
    memset(step->stiff_block, 0, step->net.system.n * sizeof *step->stiff_block);
    for (size_t k = 0; k < step->stiff->n; k++) {
        const struct stiff_pair *pair = &step->stiff->pair[k];
        add_block(step, pair->i, pair->normal, capped(step, pair));
        add_block(step, pair->j, pair->normal, capped(step, pair));
    }
    return step->stiff_block;
}

/* ---- account ---- */

void bond_stiff_impulses(const struct bond_implicit *step, double dt, const struct vec3 *mean,
                         struct vec3 *impulse)
{
    for (size_t k = 0; step->stiff && k < step->stiff->n; k++) {
        const struct stiff_pair *pair = &step->stiff->pair[k];
        push_apart(step, pair, dt * stiff_pair_force(pair, dt, mean), impulse);
    }
}
