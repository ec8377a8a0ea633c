/* Gives bodies back the angular momentum that their own forces took in a step (systems/spin.h). The
 * solves already have the rotations of the motion; what backward Euler takes is left.
 *
 * Members of groups and particles at constraints keep the velocities that were found with these,
 * and the others take the torque of the whole body. Impulses of the explicit control act along
 * lines at the start of the step, and have no torque. */
#include "base/blocks.h"
#include "base/disjoint_sets.h"
#include "base/memory.h"
#include "particles/rigid_turn.h"
#include "systems/corotated/corotated_parts.h"

#include <stdlib.h>
#include <string.h>

/* Pieces are what neighbors at rest hold together. */
static void find_sets(const struct corotated *c, uint32_t *set)
{
    for (uint32_t i = 0; i < c->system.n; i++)
        set[i] = i;
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct rest *rest = c->solid[k].rest;
        const uint32_t begin = (uint32_t)c->solid[k].begin;
        for (uint32_t i = 0; i < rest->n; i++)
            for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
                disjoint_join(set, begin + i, begin + rest->neighbor[e]);
    }
    for (uint32_t i = 0; i < c->system.n; i++)
        set[i] = disjoint_root(set, i);
}

enum status corotated_spin_create(struct corotated *c, struct error *error)
{
    const size_t n = c->system.n;
    uint32_t *set;
    if (rigid_pieces_create(&c->pieces, n, error) ||
        array_create(&c->turns, n, sizeof *c->turns, "pieces", error) ||
        array_create(&set, n, sizeof *set, "pieces", error))
        return STATUS_FAILED;
    find_sets(c, set);
    enum status status = rigid_pieces_assign(&c->pieces, n, set, error);
    free(set);
    return status;
}

/* The particles at the start of the step. */
static struct rigid_state state_at(const struct corotated *c, const struct particles *p, double dt)
{
    const size_t first = c->system.first;
    return (struct rigid_state){.dt = dt,
                                .x = p->position + first,
                                .v = p->velocity + first,
                                .mass = c->mass,
                                .state = p->state + first};
}

enum status corotated_prepare(struct system *system, const struct particles *p, double dt,
                              struct error *error)
{
    struct corotated *c = (struct corotated *)system;
    const struct rigid_state at = state_at(c, p, dt);
    (void)error;
    rigid_pieces_predict(&c->pieces, &at);
    return STATUS_OK;
}

/* Finds the particles that turn. Returns whether members of groups or particles at constraints are
 * among the others. */
static bool find_turning(struct corotated *c, const struct particles *p)
{
    const size_t first = c->system.first, n = c->system.n;
    bool any = false;
    for (size_t i = 0; i < n; i++)
        c->turns[i] = p->state[first + i] == PARTICLE_FREE;
    for (size_t i = 0; c->constrained && i < n; i++) {
        any = any || c->constrained[i];
        c->turns[i] = c->turns[i] && !c->constrained[i];
    }
    for (size_t k = 0; k < groups_members(c->groups); k++) {
        const size_t i = c->groups->member[k];
        if (i < first || i >= first + n)
            continue;
        c->turns[i - first] = 0;
        any = true;
    }
    return any;
}

/* Finds the turns that remove the torque of the impulses c->right_side. */
static void find_turns(struct corotated *c, const struct particles *p)
{
    const struct rigid_state at = state_at(c, p, c->dt);
    const struct rigid_impulses of = {
        .x = at.x, .impulse = c->right_side, .turns = c->turns, .measure_only = c->solver->splits};
    rigid_pieces_turn(&c->pieces, &at, &of);
}

static struct vec3 turn_of(const struct corotated *c, const struct vec3 *x, size_t i)
{
    return c->turns[i] && c->pieces.of[i] != RIGID_NO_PIECE
               ? rigid_turn(&c->pieces.piece[c->pieces.of[i]], x[i])
               : vec3(0.0, 0.0, 0.0);
}

/* The impulses on particles that turn are all that changed their velocities beside outside forces,
 * what the solver left included. */
void corotated_return_spin(struct corotated *c, const struct particles *p, struct vec3 *velocity)
{
    const struct vec3 *x = p->position + c->system.first;
    if (find_turning(c, p))
        corotated_find_impulses(c, p);
    else
        memset(c->right_side, 0, c->system.n * sizeof *c->right_side);
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        if (c->turns[i])
            c->right_side[i] = vec3_scale(c->mass[i], vec3_sub(c->fallen[i], c->unforced[i]));
    find_turns(c, p);
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        velocity[i] = vec3_add(c->fallen[i], turn_of(c, x, i));
}

void corotated_measure_spin(struct corotated *c, const struct particles *p)
{
    find_turning(c, p);
    find_turns(c, p);
}

struct turn_context {
    const struct corotated *c;
    const struct vec3 *x, *mean;
};

static double work_of_turns(size_t begin, size_t end, const void *context)
{
    const struct turn_context *at = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += at->c->mass[i] * vec3_dot(turn_of(at->c, at->x, i), at->mean[i]);
    return sum;
}

void corotated_spin_account(const struct corotated *c, const struct particles *p,
                            const struct vec3 *mean, struct work_report *report)
{
    const struct turn_context context = {c, p->position + c->system.first, mean};
    const double work = blocks_sum(c->system.n, work_of_turns, &context);
    spin_account(&c->pieces, work, mean, report->term + COROTATED_SPIN, report);
}

double corotated_spin_loss(const struct scene *scene, const struct material *material,
                           double stretch, bool far)
{
    const struct corotated_material *m = material->parameters;
    (void)scene;
    (void)stretch;
    return far || corotated_solvers[m->solver].splits ? 2.0 : 0.0;
}
