/* The second and later stages of a step, which begin with the solution of the stage before. Where
 * pieces turn, all of them feel what changes at a contact, and where cells carry it everywhere in
 * an iteration, nothing is gained near it: conjugate gradients go on over the whole system.
 * Elsewhere the solve is incremental: forces and matrix are those of the first stage, and nearly
 * all meta-particles are those of the stage before; its solution dv is wrong only around those that
 * changed. The residual is b - A dv = r0 + d0, where r0 is what the solver left and d0 is zero
 * except around the groups that changed. The solver finds A x = d0. Its vectors spread by the
 * length of a bond in each iteration, and entries that they have not reached cost nothing.
 *
 * M33 (docs/paper.csv): iterations of a later stage against those of one that began anew: 7.8 and
 * 9.0 at the wall of Figure 6, but 27.3 and 26.3 in Figure 3 without cells, and there with
 * Newmark's method, of which most iterations reach few particles, 18.5 and 16.5. Where the solution
 * near the groups alone differs, but is felt everywhere, no better start helps: the residual of a
 * new group is as large as that of a new step. There a better preconditioner does, for all stages
 * (bond_cells.c). */
#include "systems/bonds/bond_implicit.h"

#include <string.h>

/* A stage may use the first fraction of the tolerance that the stages before it left; the rest is
 * for the next stage. When hardly any is left, after many stages, the whole system is solved. The
 * residual of an incremental solve is concentrated where bodies touch; therefore it is solved to a
 * tenth of the tolerance, which takes less than one iteration more and reduces the error of
 * positions by a third (experiments/ablation-fracture-timestep). */
static const double first_fraction = 0.9, hardly_any = 0.05, of_start = 0.1;

double bond_first_tolerance(const struct bond_implicit *step)
{
    return first_fraction * step->tolerance;
}

/* Every stage is solved in full if there are outside forces that depend on the motion, because
 * these change everywhere. */
bool bond_incremental_possible(const struct bond_implicit *step)
{
    return step->solved > 0.0 && !step->stiff;
}

void bond_incremental_remember(struct bond_implicit *step, double scale)
{
    const struct groups *groups = step->groups;
    step->solved = scale;
    step->n_past_members = groups_members(groups);
    memcpy(step->past_member, groups->member, step->n_past_members * sizeof *step->past_member);
}

static void mark(struct bond_implicit *step, uint32_t i)
{
    size_t first = step->net.system.first;
    if (i >= first && i < first + step->net.system.n)
        bond_aggregates_mark(&step->aggregates, (uint32_t)(i - first));
}

/* Marks the members of all groups of this stage (a vector that reaches one member of a group
 * reaches all) and of the stage before, and the particles that walls hold. The equations of all
 * other particles have not changed. */
static void mark_changes(struct bond_implicit *step)
{
    const struct groups *groups = step->groups;
    bond_aggregates_clear(&step->aggregates);
    for (size_t k = 0; k < step->n_past_members; k++)
        mark(step, step->past_member[k]);
    for (size_t k = 0; k < groups_members(groups); k++)
        mark(step, groups->member[k]);
    for (size_t k = 0; k < step->net.walls.n_held; k++)
        mark(step, step->net.walls.held[k]);
    bond_aggregates_spread(&step->aggregates);
}

/* Sets dv to what the stage before found for each particle, and for groups to the mean over their
 * members. */
static void guess(struct bond_implicit *step, const struct motion *motion)
{
    const struct frontier frontier = {step->aggregates.distance};
    const struct vec3 *before = motion->before + step->net.system.first;
    const struct vec3 *own_after = motion->own_after + step->net.system.first;
    size_t n = step->net.system.n;
    struct vec3 *dv = step->change;
    struct frontier_range r = frontier_next(&frontier, 0, 0, n);
    for (; r.begin < r.end; r = frontier_next(&frontier, 0, r.end, n))
        for (size_t i = r.begin; i < r.end; i++)
            dv[i] = vec3_sub(own_after[i], before[i]);
    bond_groups_average(step, dv);
    bond_walls_stop(&step->net.walls, before, dv);
}

/* The residual of step->change. */
static void find_residual(struct bond_implicit *step, const struct particles *p, double dt,
                          const struct vec3 *before)
{
    size_t n = step->net.system.n;
    struct vec3 *r = step->work.residual, *mean = step->work.z;
    const struct vec3 *dv = step->change, *outside = p->force + step->net.system.first;
#pragma omp parallel for schedule(static) if (n > MANY_PARTICLES)
    for (size_t i = 0; i < n; i++)
        mean[i] = vec3_axpy(before[i], step->integrator.kappa, dv[i]);
    bond_impulses(step, dt, mean, r);
#pragma omp parallel for schedule(static) if (n > MANY_PARTICLES)
    for (size_t i = 0; i < n; i++)
        r[i] = vec3_axpy(vec3_axpy(r[i], dt, outside[i]), -step->inertia[i], dv[i]);
    bond_groups_sum_impulses(step, p, dt, r);
}

/* Leaves the residual up to distance 1 from the changes, where it is large, and moves the others to
 * `rest`. */
static void part_residual(struct bond_implicit *step, const struct frontier *frontier,
                          struct vec3 *rest)
{
    size_t n = step->net.system.n;
    struct vec3 *r = step->work.residual;
    memcpy(rest, r, n * sizeof *rest);
    struct frontier_range near = frontier_next(frontier, 1, 0, n);
    for (; near.begin < near.end; near = frontier_next(frontier, 1, near.end, n))
        memset(rest + near.begin, 0, (near.end - near.begin) * sizeof *rest);
#pragma omp parallel for schedule(static) if (n > MANY_PARTICLES)
    for (size_t i = 0; i < n; i++)
        r[i] = vec3_sub(r[i], rest[i]);
}

/* The norm over unknowns, relative to the scale of the residual. */
static double relative_norm(const struct bond_implicit *step, const struct vec3 *value)
{
    return bond_groups_norm(step, value) / step->solved;
}

static void add_rest(struct bond_implicit *step, const struct vec3 *rest)
{
    struct vec3 *r = step->work.residual;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < step->net.system.n; i++)
        r[i] = vec3_add(r[i], rest[i]);
}

/* Solves for the residual near the changes alone, if the tolerance leaves enough for that. */
static enum status solve_near(struct bond_implicit *step, const struct bond_problem *problem,
                              struct bond_cg_report *report, struct error *error)
{
    const struct frontier frontier = {step->aggregates.distance};
    struct vec3 *rest = step->right_side; /* free in later stages */
    enum status status = STATUS_OK;
    part_residual(step, &frontier, rest);
    double left = step->tolerance - relative_norm(step, rest);
    if (left > hardly_any * step->tolerance)
        status =
            bond_cg_incremental(problem, &frontier, step->solved,
                                fmin(first_fraction * left, of_start * step->tolerance),
                                step->max_iterations, step->change, &step->work, report, error);
    add_rest(step, rest);
    return status;
}

/* A change at a contact changes the rotation of its piece, which all of the piece feels. */
enum status bond_solve_incremental(struct bond_implicit *step, const struct bond_problem *problem,
                                   const struct particles *p, double dt,
                                   const struct motion *motion, struct bond_cg_report *report,
                                   struct error *error)
{
    const struct vec3 *before = motion->before + step->net.system.first;
    struct bond_cg_report near = {0};
    mark_changes(step);
    guess(step, motion);
    find_residual(step, p, dt, before);
    const bool near_first = !step->turns && !step->by_cells;
    if ((near_first && solve_near(step, problem, &near, error)) ||
        bond_cg_incremental(problem, NULL, step->solved, step->tolerance, step->max_iterations,
                            step->change, &step->work, report, error))
        return STATUS_FAILED;
    report->iterations += near.iterations;
    report->residual = relative_norm(step, step->work.residual);
    return STATUS_OK;
}
