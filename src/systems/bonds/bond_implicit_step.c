#include "systems/bonds/bond_implicit.h"

#include "base/memory.h"
#include "systems/bonds/bond_ties.h"

#include <stdlib.h>
#include <string.h>

/* Forces and matrix at x^n, which all stages of the step share. */
enum status bond_implicit_prepare(struct system *system, const struct particles *p, double dt,
                                  struct error *error)
{
    struct bond_implicit *step = (struct bond_implicit *)system;
    bond_evaluate_at(&step->net, p->position + system->first);
    if (bond_turn_prepare(step, p, dt, error))
        return STATUS_FAILED;
    bond_matrix_build(step, dt);
    step->solved = 0.0;
    return bond_walls_find(&step->net.walls, p, error);
}

/* The first guess: every meta-particle ends the step with the mean of its members' warm starts. A
 * warm start is the velocity of the last step before splitting plus its change in that step: a
 * lasting contact merges the same particles again, and merging undoes what splitting did. The
 * change is turned as the body turns. With stiff pairs a later stage differs little from the one
 * before and starts from its solution: dv is half of next_warm_start - before. */
static void first_guess(const struct bond_implicit *step, const struct vec3 *before,
                        struct vec3 *dv)
{
    bool again = stiff_pairs_any(step->stiff) && step->solved > 0.0;
    const struct vec3 *start = again ? step->next_warm_start : step->warm_start;
    double part = again ? 0.5 : 1.0;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        dv[i] = vec3_scale(part, vec3_sub(start[i], before[i]));
    bond_groups_average(step, dv);
}

/* The change of velocity of a meta-particle that walls hold is known along the directions held: it
 * stops the meta-particle there. The solver finds the rest, with a right side from which (M + B)
 * times the known part is subtracted. */
static void take_known_part(struct bond_implicit *step, const struct vec3 *before)
{
    const struct vec3 *image = step->work.image;
    if (step->net.walls.n_holds == 0)
        return;
    memset(step->change, 0, step->net.system.n * sizeof *step->change);
    bond_walls_stop(&step->net.walls, before, step->change);
    bond_matrix_apply(step, NULL, 0, step->change, step->work.image);
    for (size_t i = 0; i < step->net.system.n; i++)
        step->right_side[i] = vec3_sub(step->right_side[i], image[i]);
}

static enum status solve_in_full(struct bond_implicit *step, const struct bond_problem *problem,
                                 const struct particles *p, double dt, const struct vec3 *before,
                                 struct bond_cg_report *report, struct error *error)
{
    bool stiff = stiff_pairs_any(step->stiff);
    bond_right_side(step, p, dt, before);
    double scale = stiff ? bond_stiff_right_side(step, dt, before) : 0.0;
    take_known_part(step, before);
    first_guess(step, before, step->change);
    bond_walls_project(&step->net.walls, step->change);
    double tolerance = bond_first_tolerance(step);
    enum status status = stiff ? bond_stiff_solve(step, problem, scale, tolerance, report, error)
                               : bond_cg_solve(problem, step->right_side, step->change, tolerance,
                                               step->max_iterations, &step->work, report, error);
    bond_walls_stop(&step->net.walls, before, step->change);
    return status;
}

/* The linear system of this stage: its unknowns are the changes of velocity of the meta-particles.
 */
static enum status find_problem(struct bond_implicit *step, const struct particles *p,
                                const struct groups *groups, double dt,
                                struct bond_problem *problem, struct error *error)
{
    step->groups = groups;
    bond_walls_gather(&step->net.walls, groups, p);
    bond_groups_choose_unknowns(step);
    bond_groups_add_foreign_mass(step, p);
    bond_precondition_build(step);
    if (bond_cells_prepare(step, dt, error))
        return STATUS_FAILED;
    *problem = (struct bond_problem){.n = step->net.system.n,
                                     .context = step,
                                     .apply = bond_matrix_apply,
                                     .precondition = bond_precondition,
                                     .weight = step->weight};
    if (step->by_cells) {
        problem->precondition = bond_cells_precondition;
        problem->coarse = bond_cells_coarse;
    }
    return STATUS_OK;
}

/* A change of velocity in this step, as it is expected in the next one. */
static struct vec3 rotate_on(const struct bond_implicit *step, struct vec3 change, size_t i)
{
    const struct rigid_piece *piece = step->follows ? bond_piece_of(step, i) : NULL;
    return piece ? mat3_mul_vec3(&piece->rotation, change) : change;
}

void bond_implicit_report_motion(struct bond_implicit *step, struct motion *motion)
{
    size_t first = step->net.system.first;
    const struct vec3 *v = motion->before + first;
    bond_turn_correct(step);
    struct vec3 *after = motion->own_after + first, *mean = motion->own_mean + first;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++) {
        struct vec3 dv = step->change[i];
        after[i] = vec3_add(v[i], dv);
        step->next_warm_start[i] = vec3_add(after[i], rotate_on(step, dv, i));
        mean[i] = vec3_axpy(v[i], step->integrator.kappa, dv);
    }
}

static enum status solve(struct bond_implicit *step, const struct particles *p,
                         const struct groups *groups, double dt, struct motion *motion,
                         struct solve_report *report, struct error *error)
{
    const struct vec3 *before = motion->before + step->net.system.first;
    struct bond_problem problem;
    struct bond_cg_report solve;
    if (find_problem(step, p, groups, dt, &problem, error))
        return STATUS_FAILED;
    enum status status = bond_incremental_possible(step)
                             ? bond_solve_incremental(step, &problem, p, dt, motion, &solve, error)
                             : solve_in_full(step, &problem, p, dt, before, &solve, error);
    report->iterations += solve.iterations;
    report->residual = solve.residual;
    if (status)
        return status;
    bond_correct_momentum(step, p, step->change);
    bond_implicit_report_motion(step, motion);
    bond_incremental_remember(step, solve.scale);
    return STATUS_OK;
}

/* One solve, and more if walls have to hold more particles than expected. */
enum status bond_implicit_integrate(struct system *system, const struct particles *p,
                                    const struct groups *groups, double dt, struct motion *motion,
                                    struct solve_report *report, struct error *error)
{
    struct bond_implicit *step = (struct bond_implicit *)system;
    struct bond_walls *walls = &step->net.walls;
    const struct vec3 *mean = motion->own_mean + system->first;
    enum status status;
    int solves = 0;
    *report = (struct solve_report){0};
    if (bond_stiff_begin(step, p, dt, error))
        return STATUS_FAILED;
    bond_walls_hold(walls, groups, motion->before + system->first);
    bond_walls_expect(walls, groups, p, dt, motion->before + system->first,
                      step->force ? step->force : step->net.evaluation.force);
    do
        status = solve(step, p, groups, dt, motion, report, error);
    while (!status && ++solves < MOST_WALL_SOLVES && bond_walls_hold(walls, groups, mean) > 0);
    return status;
}

/* Backward Euler: the velocity after the step moves the particles. */
void bond_implicit_impulses(struct system *system, double dt, const struct vec3 *velocity,
                            struct vec3 *impulse)
{
    bond_impulses((struct bond_implicit *)system, dt, velocity + system->first,
                  impulse + system->first);
}

/* The velocity that this step expects after the next one becomes the first guess there. */
static void keep_warm_start(struct bond_implicit *step)
{
    struct vec3 *past = step->warm_start;
    step->warm_start = step->next_warm_start;
    step->next_warm_start = past;
}

enum status bond_implicit_finish(struct system *system, const struct particles *p,
                                 struct term_value term[MOST_TERMS], struct error *error)
{
    keep_warm_start((struct bond_implicit *)system);
    return bond_network_finish(system, p, term, error);
}

/* ---- creation and release ---- */

void bond_implicit_free(struct system *system)
{
    struct bond_implicit *step = (struct bond_implicit *)system;
    free(step->warm_start);
    free(step->block);
    free(step->diagonal);
    free(step->preconditioner);
    free(step->weight);
    free(step->inertia);
    free(step->right_side);
    free(step->change);
    free(step->next_warm_start);
    free(step->body);
    tied_bodies_free(&step->tied);
    free(step->stiff_block);
    rigid_pieces_free(&step->pieces);
    free(step->set);
    free(step->force);
    free(step->lead);
    free(step->seen);
    bond_cg_workspace_free(&step->work);
    free(step->past_member);
    bond_aggregates_free(&step->aggregates);
    bond_coarse_free(&step->coarse);
    bond_network_release(&step->net);
    free(step);
}

static enum status create_arrays(struct bond_implicit *step, const struct scene *scene,
                                 const struct particles *p, struct error *error)
{
    struct bond_network *net = &step->net;
    size_t n = net->system.n;
    step->n_bodies = scene->n_bodies;
    if (array_create(&step->warm_start, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&step->block, net->n_bonds, sizeof *step->block, "bond matrix", error) ||
        array_create(&step->diagonal, n, sizeof *step->diagonal, "preconditioner", error) ||
        array_create(&step->preconditioner, n, sizeof *step->diagonal, "preconditioner", error) ||
        array_create(&step->weight, n, sizeof *step->weight, "unknowns", error) ||
        array_create(&step->right_side, n, sizeof(struct vec3), "right side", error) ||
        array_create(&step->change, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&step->next_warm_start, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&step->inertia, n, sizeof *step->inertia, "masses", error) ||
        array_create(&step->body, n, sizeof *step->body, "bodies", error) ||
        tied_bodies_reserve(&step->tied, step->n_bodies, error) ||
        array_create(&step->set, n, sizeof *step->set, "pieces", error) ||
        array_create(&step->seen, n, sizeof *step->seen, "pieces", error) ||
        (step->follows &&
         (array_create(&step->force, n, sizeof(struct vec3), "forces", error) ||
          array_create(&step->lead, n, sizeof(struct vec3), "velocities", error))) ||
        rigid_pieces_create(&step->pieces, n, error) ||
        array_create(&step->past_member, p->n, sizeof *step->past_member, "groups", error) ||
        bond_aggregates_create(&step->aggregates, n, net->start, net->neighbor, error) ||
        bond_coarse_create(&step->coarse, net, p->state + net->system.first, error) ||
        bond_cg_workspace_create(&step->work, n, error))
        return STATUS_FAILED;
    memcpy(step->warm_start, p->velocity + net->system.first, n * sizeof *step->warm_start);
    memcpy(step->next_warm_start, step->warm_start, n * sizeof *step->warm_start);
    memcpy(step->inertia, net->mass, n * sizeof *step->inertia);
    return bond_ties_sets(net, p, step->n_bodies, step->body, error);
}

enum status bond_implicit_create(struct system **system, const struct system_class *class,
                                 const struct integrator *integrator,
                                 const struct system_setting *setting, struct error *error)
{
    const struct scene *scene = setting->scene;
    struct bond_implicit *step;
    *system = NULL;
    if (array_create(&step, 1, sizeof *step, "bond network", error))
        return STATUS_FAILED;
    step->tolerance = scene->solver.tolerance;
    step->max_iterations = scene->solver.max_iterations;
    step->integrator = *integrator;
    step->follows = integrator->kappa == 1.0;
    enum status status = bond_network_init(&step->net, class, setting, error);
    if (!status)
        status = create_arrays(step, scene, setting->particles, error);
    if (status) {
        bond_implicit_free(&step->net.system);
        return status;
    }
    *system = &step->net.system;
    return STATUS_OK;
}
