#include "contact/impulse_solver.h"

#include "base/memory.h"

#include <float.h>
#include <stdlib.h>

enum status impulse_solver_create(struct contact *contact, const struct method_setting *setting,
                                  struct error *error)
{
    struct impulse_solver *s;
    if (array_create(&s, 1, sizeof *s, "impulses", error))
        return STATUS_FAILED;
    contact->state = s;
    s->tolerance = setting->scene->solver.tolerance;
    s->most = setting->scene->solver.max_iterations;
    s->n = setting->particles->n;
    return array_create(&s->place, s->n, sizeof *s->place, "positions", error);
}

void impulse_solver_free(struct contact *contact)
{
    struct impulse_solver *s = contact->state;
    if (!s)
        return;
    free(s->exchange);
    free(s->left);
    free(s->place);
    near_pairs_free(&s->near);
    free(s);
}

/* No method with this solver merges particles. A particle that is not free has infinite mass. */
static double inverse_mass(const struct particles *p, uint32_t i)
{
    return p->state[i] ? 0.0 : 1.0 / p->mass[i];
}

/* ---- velocities ---- */

/* Leaves out two particles with their centers at one point, since they have no normal. */
static void add_exchange(struct impulse_solver *s, const struct stage *stage, double restitution,
                         struct pair pair)
{
    const struct particles *p = stage->particles;
    const struct vec3 *before = stage->motion->before;
    struct vec3 x = vec3_sub(p->position[pair.j], p->position[pair.i]);
    double distance = vec3_norm(x);
    if (!(distance > 0.0))
        return;
    struct vec3 normal = vec3_scale(1.0 / distance, x);
    double approach = -vec3_dot(normal, vec3_sub(before[pair.j], before[pair.i]));
    s->exchange[s->n_exchanges++] = (struct exchange){.i = pair.i,
                                                      .j = pair.j,
                                                      .normal = normal,
                                                      .inverse_i = inverse_mass(p, pair.i),
                                                      .inverse_j = inverse_mass(p, pair.j),
                                                      .wanted = restitution * fmax(approach, 0.0)};
}

static void push(struct motion *motion, uint32_t i, double speed, struct vec3 normal)
{
    motion->after[i] = vec3_axpy(motion->after[i], speed, normal);
    motion->mean[i] = vec3_axpy(motion->mean[i], speed, normal);
}

/* Brings the pair's impulse up to date; returns by how much that changes its relative velocity. */
static double relax(struct exchange *e, struct motion *motion)
{
    double inverse = e->inverse_i + e->inverse_j;
    double velocity = vec3_dot(e->normal, vec3_sub(motion->after[e->j], motion->after[e->i]));
    double whole = fmax(e->impulse + (e->wanted - velocity) / inverse, 0.0);
    double change = whole - e->impulse;
    e->impulse = whole;
    push(motion, e->i, -change * e->inverse_i, e->normal);
    push(motion, e->j, change * e->inverse_j, e->normal);
    return fabs(change * inverse);
}

/* One sweep over all pairs; returns the largest change of a relative velocity, m/s. */
static double sweep_impulses(struct impulse_solver *s, struct motion *motion)
{
    double largest = 0.0;
    for (size_t k = 0; k < s->n_exchanges; k++)
        largest = fmax(largest, relax(&s->exchange[k], motion));
    return largest;
}

/* A relative velocity is known to within this fraction of the velocities it is the difference of:
 * a few roundings of the largest. Particles that move as a rigid body approach each other by that
 * much, and impulses that only chase rounding never converge. */
static const double rounding = 16.0 * DBL_EPSILON;

static double fastest(const struct impulse_solver *s, const struct motion *motion)
{
    double most = 0.0;
    for (size_t k = 0; k < s->n_exchanges; k++)
        most = fmax(most, fmax(vec3_norm(motion->after[s->exchange[k].i]),
                               vec3_norm(motion->after[s->exchange[k].j])));
    return most;
}

enum status exchange_impulses(struct contact *contact, const struct stage *stage,
                              size_t *iterations, struct error *error)
{
    struct impulse_solver *s = contact->state;
    double most = 0.0, change = (double)INFINITY;
    s->n_exchanges = 0;
    if (array_reserve(&s->exchange, &s->capacity, stage->meeting->n, sizeof *s->exchange,
                      "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < stage->meeting->n; k++)
        add_exchange(s, stage, sqrt(contact->settings.alpha), stage->meeting->pair[k]);
    const double unknown = rounding * fastest(s, stage->motion);
    for (size_t sweep = 0; change > fmax(s->tolerance * most, unknown); sweep++) {
        if (sweep == s->most)
            return error_set(error, STATUS_FAILED,
                             "after %zu sweeps, impulses still change velocities by %.3g of the "
                             "largest change, %.3g was asked for; raise solver.max_iterations or "
                             "solver.tolerance",
                             sweep, change / most, s->tolerance);
        change = sweep_impulses(s, stage->motion);
        most = fmax(most, change);
        (*iterations)++;
    }
    return STATUS_OK;
}

void impulses_of_supports(const struct contact *contact, const struct particles *p,
                          const struct motion *motion, struct supports_report *report)
{
    const struct impulse_solver *s = contact->state;
    for (size_t k = 0; k < s->n_exchanges; k++) {
        const struct exchange *e = &s->exchange[k];
        if (p->state[e->i] == PARTICLE_FIXED)
            report->work += e->impulse * vec3_dot(e->normal, motion->mean[e->i]);
        if (p->state[e->j] == PARTICLE_FIXED)
            report->work -= e->impulse * vec3_dot(e->normal, motion->mean[e->j]);
    }
}

/* ---- positions ---- */

/* The usual number of sweeps, and a depth, over the smallest radius, that is too small to be
 * seen. */
enum { MOST_CORRECTIONS = 20 };
static const double no_depth = 1e-4;
/* How far two particles may approach in a step (time.motion: relative), over the smallest
 * radius. */
static const double reach = 2.0;

static double depth_of(const struct particles *p, struct pair pair, const struct vec3 *place)
{
    struct vec3 x = vec3_sub(place[pair.j], place[pair.i]);
    return p->radius[pair.i] + p->radius[pair.j] - vec3_norm(x);
}

/* Moves the two apart until their depth is `left`, m. Returns by how much, m; 0 if they were no
 * deeper. */
static double part(const struct particles *p, struct pair pair, double left, struct vec3 *place)
{
    struct vec3 x = vec3_sub(place[pair.j], place[pair.i]);
    double distance = vec3_norm(x), beyond = depth_of(p, pair, place) - left;
    double inverse_i = inverse_mass(p, pair.i), inverse_j = inverse_mass(p, pair.j);
    double inverse = inverse_i + inverse_j;
    if (!(beyond > 0.0 && distance > 0.0 && inverse > 0.0))
        return 0.0;
    double share = beyond / (inverse * distance);
    place[pair.i] = vec3_axpy(place[pair.i], -share * inverse_i, x);
    place[pair.j] = vec3_axpy(place[pair.j], share * inverse_j, x);
    return beyond;
}

/* Finds the depth to leave to each pair: a fraction of its depth where the velocities lead. */
static enum status find_left(struct impulse_solver *s, const struct particles *p, double correction,
                             struct error *error)
{
    const struct pair_list *near = &s->near.list;
    if (array_reserve(&s->left, &s->left_capacity, near->n, sizeof *s->left, "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < near->n; k++)
        s->left[k] = (1.0 - correction) * fmax(depth_of(p, near->pair[k], s->place), 0.0);
    return STATUS_OK;
}

static double sweep_positions(struct impulse_solver *s, const struct particles *p)
{
    double deepest = 0.0;
    for (size_t k = 0; k < s->near.list.n; k++)
        deepest = fmax(deepest, part(p, s->near.list.pair[k], s->left[k], s->place));
    return deepest;
}

/* Sets the displacements of particles in near pairs; all other particles keep theirs to the bit. */
static void move_to(const struct impulse_solver *s, const struct stage *stage)
{
    const struct particles *p = stage->particles;
    for (size_t k = 0; k < s->near.list.n; k++) {
        const uint32_t end[2] = {s->near.list.pair[k].i, s->near.list.pair[k].j};
        for (int side = 0; side < 2; side++)
            if (!p->state[end[side]])
                stage->motion->mean[end[side]] = vec3_scale(
                    1.0 / stage->dt, vec3_sub(s->place[end[side]], p->position[end[side]]));
    }
}

enum status correct_positions(struct contact *contact, const struct stage *stage,
                              size_t *iterations, struct error *error)
{
    struct impulse_solver *s = contact->state;
    const struct particles *p = stage->particles;
    double smallest = smallest_radius_here(p), depth = (double)INFINITY;
    if (!isfinite(smallest))
        return STATUS_OK;
    if (near_pairs_find(&s->near, p, contact->bonded, reach * smallest, error))
        return STATUS_FAILED;
    for (size_t i = 0; i < s->n; i++)
        s->place[i] = vec3_axpy(p->position[i], stage->dt, stage->motion->mean[i]);
    if (find_left(s, p, contact->settings.correction, error))
        return STATUS_FAILED;
    size_t sweeps = 0;
    while (sweeps < MOST_CORRECTIONS && depth > no_depth * smallest) {
        depth = sweep_positions(s, p);
        sweeps++;
    }
    *iterations += sweeps;
    if (sweeps > 1)
        move_to(s, stage);
    return STATUS_OK;
}
