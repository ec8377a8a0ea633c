#include "contact/joints.h"

#include "base/disjoint_sets.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row of which less than this is left beside those before it, of its square, is implied by them.
 */
static const double IMPLIED = 1e-9;

enum status joints_create(struct joints *joints, const struct particles *p, size_t first,
                          size_t end, struct error *error)
{
    *joints = (struct joints){.particles = p};
    if (rigid_bodies_create(&joints->bodies, p, first, end, error) ||
        array_create(&joints->parent, p->n, sizeof *joints->parent, "joints", error) ||
        array_create(&joints->moved, p->n, sizeof *joints->moved, "joints", error) ||
        array_create(&joints->motion, joints->bodies.n, sizeof *joints->motion, "joints", error) ||
        array_create(&joints->touched, joints->bodies.n, sizeof *joints->touched, "joints", error))
        return STATUS_FAILED;
    for (uint32_t i = 0; i < p->n; i++)
        joints->parent[i] = i;
    return STATUS_OK;
}

void joints_free(struct joints *joints)
{
    rigid_bodies_free(&joints->bodies);
    free(joints->joint);
    free(joints->row);
    free(joints->value);
    free(joints->lower);
    free(joints->parent);
    free(joints->moved);
    free(joints->motion);
    free(joints->touched);
    *joints = (struct joints){0};
}

/* ---- the joints ---- */

static bool moves(const struct joint_end *end)
{
    return end->body || end->yields > 0.0;
}

/* The particle that stands for what is at an end. */
static uint32_t representative(const struct joint_end *end)
{
    return end->body ? (uint32_t)end->body->begin : end->particle;
}

/* Where the surfaces touch; a particle alone has no moment of inertia, and is pushed at its center.
 */
static struct vec3 place_of(const struct joints *joints, const struct joint_end *i,
                            const struct joint_end *j)
{
    const struct particles *p = joints->particles;
    const struct vec3 from = joints->x[i->particle], to = joints->x[j->particle];
    if (i->yields > 0.0)
        return from;
    if (j->yields > 0.0)
        return to;
    const double share = p->radius[i->particle] / (p->radius[i->particle] + p->radius[j->particle]);
    return vec3_axpy(from, share, vec3_sub(to, from));
}

static struct joint_end end_at(const struct joints *joints, uint32_t i)
{
    const struct particles *p = joints->particles;
    const struct rigid_body *body = rigid_body_of(&joints->bodies, i);
    const bool alone = !body && p->state[i] == PARTICLE_FREE;
    return (struct joint_end){
        .particle = i, .body = body, .yields = alone ? 1.0 / p->mass[i] : 0.0};
}

/* Two directions across a unit vector. */
static void find_across(struct vec3 *direction)
{
    const struct vec3 n = direction[0];
    const struct vec3 axis = fabs(n.x) < 0.5   ? vec3(1.0, 0.0, 0.0)
                             : fabs(n.y) < 0.5 ? vec3(0.0, 1.0, 0.0)
                                               : vec3(0.0, 0.0, 1.0);
    const struct vec3 t = vec3_cross(n, axis);
    direction[1] = vec3_scale(1.0 / vec3_norm(t), t);
    direction[2] = vec3_cross(n, direction[1]);
}

static void find_arms(const struct joints *joints, struct joint *joint)
{
    const struct vec3 place = place_of(joints, &joint->end[0], &joint->end[1]);
    for (int e = 0; e < 2; e++)
        if (joint->end[e].body)
            joint->end[e].arm = vec3_sub(place, joint->end[e].body->center);
}

static struct joint joint_of(const struct joints *joints, struct pair pair)
{
    const struct particles *p = joints->particles;
    struct joint joint = {.end = {end_at(joints, pair.i), end_at(joints, pair.j)}};
    const struct vec3 apart = vec3_sub(p->position[pair.j], p->position[pair.i]);
    const double length = vec3_norm(apart);
    joint.direction[0] = length > 0.0 ? vec3_scale(1.0 / length, apart) : vec3(0.0, 0.0, 1.0);
    find_across(joint.direction);
    find_arms(joints, &joint);
    return joint;
}

static void forget(struct joints *joints)
{
    for (size_t k = 0; k < joints->n; k++)
        for (int e = 0; e < 2; e++) {
            const uint32_t i = representative(&joints->joint[k].end[e]);
            joints->parent[i] = i;
        }
    joints->n = 0;
}

/* Stable, because joints are few: insertion by part. */
static void arrange(struct joints *joints)
{
    for (size_t k = 1; k < joints->n; k++) {
        const struct joint own = joints->joint[k];
        size_t at = k;
        for (; at > 0 && joints->joint[at - 1].part > own.part; at--)
            joints->joint[at] = joints->joint[at - 1];
        joints->joint[at] = own;
    }
}

static void find_joints(struct joints *joints, const struct pair_list *pairs)
{
    forget(joints);
    for (size_t k = 0; k < pairs->n; k++) {
        const struct joint joint = joint_of(joints, pairs->pair[k]);
        if (!moves(&joint.end[0]) && !moves(&joint.end[1]))
            continue;
        joints->joint[joints->n++] = joint;
        if (moves(&joint.end[0]) && moves(&joint.end[1]))
            disjoint_join(joints->parent, representative(&joint.end[0]),
                          representative(&joint.end[1]));
    }
    for (size_t k = 0; k < joints->n; k++) {
        struct joint *joint = &joints->joint[k];
        joint->part = disjoint_root(joints->parent,
                                    representative(&joint->end[moves(&joint->end[0]) ? 0 : 1]));
    }
    arrange(joints);
}

/* ---- L ---- */

static double sign_of(int e)
{
    return e == 0 ? -1.0 : 1.0;
}

/* What an impulse along `b` at one end changes of the speed along `a` at another end of the same
 * body or particle; 0 if they are of different ones. */
static double response(const struct joint_end *at, struct vec3 a, const struct joint_end *of,
                       struct vec3 b)
{
    if (at->body != of->body || (!at->body && at->particle != of->particle))
        return 0.0;
    if (!at->body)
        return at->yields * vec3_dot(a, b);
    const struct rigid_motion motion = rigid_response(at->body, b, vec3_cross(of->arm, b));
    return vec3_dot(a, rigid_velocity(motion, at->arm));
}

/* An entry of J M^-1 J^T. */
static double entry(const struct joint *a, int da, const struct joint *b, int db)
{
    double sum = 0.0;
    for (int e = 0; e < 2; e++)
        for (int f = 0; f < 2; f++)
            sum += sign_of(e) * sign_of(f) *
                   response(&a->end[e], a->direction[da], &b->end[f], b->direction[db]);
    return sum;
}

/* Adds a row to those of its part, unless they imply it. */
static enum status add_row(struct joints *joints, size_t first, uint32_t k, int d,
                           struct error *error)
{
    struct joint *joint = &joints->joint[k];
    const size_t n = joints->n_rows - first;
    if (array_reserve(&joints->lower, &joints->lower_capacity, joints->n_lower + n + 1,
                      sizeof *joints->lower, "joints", error))
        return STATUS_FAILED;
    double *own = joints->lower + joints->n_lower;
    const double whole = entry(joint, d, joint, d);
    double left = whole;
    for (size_t c = 0; c < n; c++) {
        const struct joint_row *row = &joints->row[first + c];
        const double *other = joints->lower + row->lower;
        double value = entry(joint, d, &joints->joint[row->joint], row->d);
        for (size_t m = 0; m < c; m++)
            value -= own[m] * other[m];
        own[c] = value / other[c];
        left -= own[c] * own[c];
    }
    joint->holds[d] = left > IMPLIED * whole;
    if (!joint->holds[d])
        return STATUS_OK;
    own[n] = sqrt(left);
    joints->row[joints->n_rows++] =
        (struct joint_row){.joint = k, .d = (uint8_t)d, .first = first, .lower = joints->n_lower};
    joints->n_lower += n + 1;
    return STATUS_OK;
}

static enum status factor_part(struct joints *joints, uint32_t begin, uint32_t end,
                               struct error *error)
{
    const size_t first = joints->n_rows;
    enum status status = STATUS_OK;
    for (uint32_t k = begin; k < end && !status; k++)
        status = add_row(joints, first, k, 0, error);
    for (uint32_t k = begin; k < end && !status; k++)
        for (int d = 1; d < 3 && !status; d++)
            status = add_row(joints, first, k, d, error);
    return status;
}

static enum status factor(struct joints *joints, struct error *error)
{
    enum status status = STATUS_OK;
    joints->n_rows = joints->n_lower = 0;
    for (uint32_t k = 0; k < joints->n && !status;) {
        const uint32_t begin = k;
        while (k < joints->n && joints->joint[k].part == joints->joint[begin].part)
            k++;
        status = factor_part(joints, begin, k, error);
    }
    return status;
}

static void mark_touched(struct joints *joints)
{
    memset(joints->touched, 0, joints->bodies.n);
    for (size_t k = 0; k < joints->n; k++)
        for (int e = 0; e < 2; e++)
            if (joints->joint[k].end[e].body)
                joints->touched[joints->joint[k].end[e].body - joints->bodies.body] = 1;
}

enum status joints_make(struct joints *joints, const struct pair_list *pairs, struct error *error)
{
    if (array_reserve(&joints->joint, &joints->capacity, pairs->n, sizeof *joints->joint, "joints",
                      error))
        return STATUS_FAILED;
    size_t capacity = joints->row_capacity;
    if (array_reserve(&joints->row, &capacity, 3 * pairs->n, sizeof *joints->row, "joints",
                      error) ||
        array_reserve(&joints->value, &joints->row_capacity, 3 * pairs->n, sizeof *joints->value,
                      "joints", error))
        return STATUS_FAILED;
    joints->x = joints->particles->position;
    rigid_bodies_place(&joints->bodies, joints->particles->mass, joints->x);
    find_joints(joints, pairs);
    mark_touched(joints);
    return factor(joints, error);
}

enum status joints_move(struct joints *joints, const struct vec3 *mean, double dt,
                        struct error *error)
{
    const struct particles *p = joints->particles;
    if (joints->n == 0)
        return STATUS_OK;
    for (size_t i = 0; i < p->n; i++)
        joints->moved[i] = vec3_axpy(p->position[i], dt, mean[i]);
    joints->x = joints->moved;
    rigid_bodies_place(&joints->bodies, p->mass, joints->x);
    for (size_t k = 0; k < joints->n; k++)
        find_arms(joints, &joints->joint[k]);
    return factor(joints, error);
}
