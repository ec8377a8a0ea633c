/* Rotation in the implicit step. Backward Euler is linearized where the rigid motion of each piece
 * leads, not at the places at the start of the step: a stiff body follows its rotation, and is not
 * stretched by the tangents along which particles would leave. Bonds have the same lengths there,
 * so that forces and blocks are those at the start, rotated.
 *
 * After the solve, each piece gets back the angular momentum that its own bonds took
 * (particles/rigid_pieces.h). Pieces are the bodies, or the fragments of those that broke. The turn
 * leaves alone whatever feels more than bonds and outside forces: members of groups, ends of links,
 * particles that walls hold and those of stiff pairs. */
#include "base/blocks.h"
#include "base/disjoint_sets.h"
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
    const struct rigid_state at = state_at(step, p, dt);
    bool known = step->pieces.n > 0 && step->pieces_of == step->net.system.changes;
    if (!known && find_pieces(step, error))
        return STATUS_FAILED;
    rigid_pieces_predict(&step->pieces, &at);
    if (step->follows)
        follow_pieces(step, p, dt);
    return STATUS_OK;
}

/* ---- the turn ---- */

/* Marks a particle, of any system, as one that does not turn. Returns whether it is one of these.
 */
static bool touch(struct bond_implicit *step, size_t particle)
{
    size_t first = step->net.system.first;
    if (particle < first || particle >= first + step->net.system.n)
        return false;
    step->turns[particle - first] = 0;
    bond_aggregates_mark(&step->aggregates, (uint32_t)(particle - first));
    return true;
}

/* Finds the particles that feel nothing but bonds and outside forces, and marks the others that are
 * free. Returns whether there are any of these. */
static bool find_touched(struct bond_implicit *step, const struct particles *p)
{
    size_t first = step->net.system.first, n = step->net.system.n;
    const struct groups *groups = step->groups;
    const struct links *links = step->linked.links;
    const struct bond_walls *walls = &step->net.walls;
    bool any = false;
    bond_aggregates_clear(&step->aggregates);
    for (size_t i = 0; i < n; i++)
        step->turns[i] = p->state[first + i] == PARTICLE_FREE;
    for (size_t k = 0; k < groups_members(groups); k++)
        any |= touch(step, groups->member[k]);
    for (size_t e = 0; links && e < links->n_ends; e++)
        any |= touch(step, links->particle[e]);
    for (size_t k = 0; k < walls->n_held; k++)
        any |= touch(step, first + walls->held[k]);
    for (size_t k = 0; step->stiff && k < step->stiff->n; k++) {
        any |= touch(step, step->stiff->pair[k].i);
        any |= touch(step, step->stiff->pair[k].j);
    }
    return any;
}

/* The impulses of bonds on particles that turn: all that they feel but outside forces, what the
 * solver left included. */
static void take_changes(const struct bond_implicit *step, const struct particles *p, double dt,
                         struct vec3 *impulse)
{
    const struct vec3 *outside = p->force + step->net.system.first;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        impulse[i] = step->turns[i] ? vec3_axpy(vec3_scale(step->net.mass[i], step->change[i]), -dt,
                                                outside[i])
                                    : vec3(0.0, 0.0, 0.0);
}

/* The impulses of bonds on the others, from the bonds. */
static void add_at_touched(struct bond_implicit *step, double dt, const struct vec3 *before,
                           struct vec3 *impulse)
{
    const struct frontier frontier = {step->aggregates.distance};
    struct vec3 *moved = step->work.direction;
    double per_kappa = -1.0 / step->integrator.kappa;
    bond_aggregates_spread(&step->aggregates);
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        moved[i] = bond_beyond_lead(step,
                                    vec3_axpy(bond_mean_before(step, dt, before, i),
                                              step->integrator.kappa, step->change[i]),
                                    i);
    /* all bonds of marked particles are stored with particles up to 1 away */
    bond_matrix_pull(step, &frontier, 1, moved);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < step->net.tiles.n; k++) {
        const struct bond_tile *tile = &step->net.tiles.tile[k];
        struct frontier_range near = frontier_next(&frontier, 0, tile->begin, tile->end);
        for (; near.begin < near.end; near = frontier_next(&frontier, 0, near.end, tile->end))
            for (size_t i = near.begin; i < near.end; i++)
                if (!step->turns[i])
                    impulse[i] = vec3_axpy(vec3_scale(dt, bond_force_of(step, i)), per_kappa,
                                           bond_pull_at(tile, i));
    }
}

/* Where impulses leave angular momentum as it is, if they act along bonds: if x' = x + dt (v +
 * kappa dv), L changes by the sum of (x + dt (1 - kappa) v) cross m dv. */
static const struct vec3 *places_of_impulses(struct bond_implicit *step,
                                             const struct rigid_state *at,
                                             const struct vec3 *before)
{
    double ahead = at->dt * (1.0 - step->integrator.kappa);
    struct vec3 *place = step->work.direction;
    if (ahead == 0.0)
        return at->x;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        place[i] = vec3_axpy(at->x[i], ahead, before[i]);
    return place;
}

/* Finds the turns for step->change, which solves a stage. */
void bond_turn_find(struct bond_implicit *step, const struct particles *p, double dt,
                    const struct vec3 *before)
{
    const struct rigid_state at = state_at(step, p, dt);
    struct vec3 *impulse = step->work.image;
    bool touched = find_touched(step, p);
    take_changes(step, p, dt, impulse);
    if (touched)
        add_at_touched(step, dt, before, impulse);
    const struct rigid_impulses of = {.x = places_of_impulses(step, &at, before),
                                      .impulse = impulse,
                                      .turns = step->turns,
                                      .measure_only = !step->returns};
    rigid_pieces_turn(&step->pieces, &at, &of);
}

/* ---- account ---- */

struct turn_context {
    const struct bond_implicit *step;
    const struct vec3 *x, *mean;
};

static double work_of_turns(size_t begin, size_t end, const void *context)
{
    const struct turn_context *c = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += c->step->net.mass[i] * vec3_dot(bond_turn_of(c->step, c->x[i], i), c->mean[i]);
    return sum;
}

void bond_turn_account(const struct bond_implicit *step, const struct particles *p,
                       const struct vec3 *mean, struct work_report *report)
{
    const struct turn_context context = {step, p->position + step->net.system.first, mean};
    double work = blocks_sum(step->net.system.n, work_of_turns, &context);
    spin_account(&step->pieces, work, mean, report->term + BOND_SPIN, report);
}

double bond_spin_loss(const struct scene *scene, const struct material *material, double stretch)
{
    (void)material;
    if (scene->solver.integrator == INTEGRATOR_VERLET)
        return 0.0;
    if (scene->solver.integrator == INTEGRATOR_NEWMARK)
        return 0.25 * stretch;
    return scene->contact.method == CONTACT_BARRIER ? 2.0 : 0.0;
}
