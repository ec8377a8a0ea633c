/* Rotation in the implicit step. Backward Euler is linearized where the rigid motion of each piece
 * leads, not at the places at the start of the step: a stiff body follows its rotation, and is not
 * stretched by the tangents along which particles would leave. Bonds have the same lengths there,
 * so that forces and blocks are those at the start, rotated.
 *
 * Pieces are the bodies, or the fragments of those that broke. Their forces have no torque, and
 * rotations that contact or outside forces cause feel masses alone, since P^T B P stands for B, and
 * P^T f for forces f (particles/rigid_projection.h). */
#include "base/disjoint_sets.h"
#include "config/contact_method.h"
#include "systems/bonds/bond_implicit.h"

#include <string.h>

/* Joins the particles of each whole bond into sets. */
static enum status find_pieces(struct bond_implicit *step, struct error *error)
{
    const struct bond_network *net = &step->net;
    uint32_t *set = step->set;
    for (uint32_t i = 0; i < net->system.n; i++)
        set[i] = i;
    for (uint32_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
            if (net->kind[e])
                disjoint_join(set, i, net->neighbor[e]);
    for (uint32_t i = 0; i < net->system.n; i++)
        set[i] = disjoint_root(set, i);
    step->pieces_of = net->system.changes;
    return rigid_pieces_assign(&step->pieces, net->system.n, set, error);
}

/* The particles at the start of the step. */
static struct rigid_state state_at(const struct bond_implicit *step, const struct particles *p,
                                   double dt)
{
    size_t first = step->net.system.first;
    return (struct rigid_state){.dt = dt,
                                .x = p->position + first,
                                .v = p->velocity + first,
                                .mass = step->net.mass,
                                .state = p->state + first};
}

static void follow_pieces(struct bond_implicit *step, const struct particles *p, double dt)
{
    const struct vec3 *x = p->position + step->net.system.first;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++) {
        const struct rigid_piece *piece = bond_piece_of(step, i);
        struct vec3 force = step->net.evaluation.force[i];
        step->force[i] = piece ? mat3_mul_vec3(&piece->rotation, force) : force;
        step->lead[i] = piece ? rigid_lead(piece, x[i], dt) : vec3(0.0, 0.0, 0.0);
    }
}

enum status bond_turn_prepare(struct bond_implicit *step, const struct particles *p, double dt,
                              struct error *error)
{
    bool known = step->pieces.n > 0 && step->pieces_of == step->net.system.changes;
    if (!known && find_pieces(step, error))
        return STATUS_FAILED;
    step->at = state_at(step, p, dt);
    rigid_pieces_predict(&step->pieces, &step->at);
    step->turns = false;
    for (size_t k = 0; k < step->pieces.n; k++) {
        step->pieces.piece[k].turns &= step->follows;
        step->turns |= step->pieces.piece[k].turns;
    }
    if (step->follows)
        follow_pieces(step, p, dt);
    return STATUS_OK;
}

const struct vec3 *bond_turn_hide(struct bond_implicit *step, const struct vec3 *velocity)
{
    if (!step->turns)
        return velocity;
    rigid_hide_rotation(&step->pieces, &step->at, step->net.system.n, velocity, step->seen);
    return step->seen;
}

void bond_turn_relieve(struct bond_implicit *step, struct vec3 *impulse)
{
    if (step->turns)
        rigid_remove_torque(&step->pieces, &step->at, step->net.system.n, impulse);
}

/* ---- the solver's residual ---- */

/* Marks the piece of a particle, of any system. */
static void touch(struct bond_implicit *step, size_t particle)
{
    size_t first = step->net.system.first;
    if (particle < first || particle >= first + step->net.system.n)
        return;
    uint32_t k = step->pieces.of[particle - first];
    if (k != RIGID_NO_PIECE)
        step->pieces.piece[k].touched = true;
}

/* Marks the pieces of members of groups, particles at constraints or held by walls, and those of
 * stiff pairs. */
static void find_touched(struct bond_implicit *step)
{
    const struct groups *groups = step->groups;
    const struct bond_walls *walls = &step->net.walls;
    for (size_t k = 0; k < step->pieces.n; k++)
        step->pieces.piece[k].touched = false;
    for (size_t k = 0; k < groups_members(groups); k++)
        touch(step, groups->member[k]);
    for (size_t i = 0; step->constrained && i < step->net.system.n; i++)
        if (step->constrained[i])
            touch(step, step->net.system.first + i);
    for (size_t k = 0; k < walls->n_held; k++)
        touch(step, step->net.system.first + walls->held[k]);
    for (size_t k = 0; step->stiff && k < step->stiff->n; k++) {
        touch(step, step->stiff->pair[k].i);
        touch(step, step->stiff->pair[k].j);
    }
}

void bond_turn_correct(struct bond_implicit *step)
{
    if (!step->turns)
        return;
    find_touched(step);
    rigid_take_torque(&step->pieces, &step->at, step->net.system.n, step->work.residual,
                      step->change);
}

/* ---- account ---- */

/* Where impulses leave angular momentum as it is, if they act along bonds: if x' = x + dt (v +
 * kappa dv), L changes by the sum of (x + dt (1 - kappa) v) cross m dv. */
static const struct vec3 *places_of_impulses(struct bond_implicit *step, const struct vec3 *before)
{
    double ahead = step->at.dt * (1.0 - step->integrator.kappa);
    if (ahead == 0.0)
        return step->at.x;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        step->seen[i] = vec3_axpy(step->at.x[i], ahead, before[i]);
    return step->seen;
}

double bond_turn_account(struct bond_implicit *step, const struct motion *motion,
                         const struct vec3 *impulse, struct work_report *report)
{
    size_t first = step->net.system.first;
    const struct vec3 *mean = motion->mean + first;
    struct vec3 *felt = step->work.direction;
    double work = rigid_work_of_removal(&step->pieces, &step->at, mean);
    for (size_t i = 0; i < step->net.system.n; i++)
        felt[i] = vec3_axpy(impulse[i], -(double)step->weight[i], step->work.residual[i]);
    rigid_account_spin(&step->pieces, places_of_impulses(step, motion->before + first), felt);
    spin_account(&step->pieces, work, mean, report->term + BOND_SPIN, report);
    return work;
}

double bond_spin_loss(const struct scene *scene, const struct material *material, double stretch,
                      bool far)
{
    (void)material;
    if (contact_has(scene->contact.method, METHOD_POSITIONS))
        return POSITIONS_TAKE;
    if (scene->solver.integrator == INTEGRATOR_BACKWARD_EULER)
        return far ? 2.0 + stretch : 0.0;
    return scene->solver.integrator == INTEGRATOR_NEWMARK ? 0.25 * stretch : 0.0;
}
