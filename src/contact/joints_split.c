/* What joints do to velocities: merging takes what they do not allow, and splitting gives it back.
 */
#include "contact/joints.h"

#include <math.h>
#include <string.h>

/* ---- velocities ---- */

static void find_motions(struct joints *joints, const struct vec3 *velocity)
{
    const struct particles *p = joints->particles;
    for (size_t k = 0; k < joints->bodies.n; k++)
        if (joints->touched[k])
            joints->motion[k] =
                rigid_motion_of(&joints->bodies.body[k], p->mass, joints->x, velocity);
}

static struct vec3 velocity_at(const struct joints *joints, const struct joint_end *end,
                               const struct vec3 *velocity)
{
    if (!end->body)
        return velocity[end->particle];
    return rigid_velocity(joints->motion[end->body - joints->bodies.body], end->arm);
}

/* joints->value = L^-1 J velocity */
static void find_components(struct joints *joints, const struct vec3 *velocity)
{
    find_motions(joints, velocity);
    for (size_t r = 0; r < joints->n_rows; r++) {
        const struct joint_row *row = &joints->row[r];
        const struct joint *joint = &joints->joint[row->joint];
        const double *lower = joints->lower + row->lower;
        const size_t n = r - row->first;
        const struct vec3 apart = vec3_sub(velocity_at(joints, &joint->end[1], velocity),
                                           velocity_at(joints, &joint->end[0], velocity));
        double value = vec3_dot(joint->direction[row->d], apart);
        for (size_t c = 0; c < n; c++)
            value -= lower[c] * joints->value[row->first + c];
        joints->value[r] = value / lower[n];
    }
}

/* joints->value = L^-T joints->value: the impulse of each row, N s. */
static void find_impulses(struct joints *joints)
{
    for (size_t r = joints->n_rows; r-- > 0;) {
        const struct joint_row *row = &joints->row[r];
        const double *lower = joints->lower + row->lower;
        const size_t n = r - row->first;
        joints->value[r] /= lower[n];
        for (size_t c = 0; c < n; c++)
            joints->value[row->first + c] -= lower[c] * joints->value[r];
    }
}

/* Returns the energy that it gives a particle alone, J. */
static double push(struct joints *joints, const struct joint_end *end, struct vec3 impulse,
                   struct vec3 *velocity, struct joint_supports *supports)
{
    if (end->body) {
        const struct rigid_motion more =
            rigid_response(end->body, impulse, vec3_cross(end->arm, impulse));
        struct rigid_motion *motion = &joints->motion[end->body - joints->bodies.body];
        motion->velocity = vec3_add(motion->velocity, more.velocity);
        motion->rate = vec3_add(motion->rate, more.rate);
    } else if (end->yields > 0.0) {
        const struct vec3 before = velocity[end->particle];
        velocity[end->particle] = vec3_axpy(before, end->yields, impulse);
        return 0.5 * vec3_dot(impulse, vec3_add(before, velocity[end->particle]));
    } else {
        const double work = vec3_dot(impulse, velocity[end->particle]);
        supports->impulse = vec3_sub(supports->impulse, impulse);
        supports->work -= work;
        return work;
    }
    return 0.0;
}

/* Adds what a body got to the velocities of its particles. Returns its energy, J. */
static double carry(const struct joints *joints, size_t k, struct vec3 *velocity)
{
    const struct rigid_body *body = &joints->bodies.body[k];
    double energy = 0.0;
    for (size_t i = body->begin; i < body->end; i++) {
        const struct vec3 before = velocity[i], r = vec3_sub(joints->x[i], body->center);
        const struct vec3 more = rigid_velocity(joints->motion[k], r);
        velocity[i] = vec3_add(before, more);
        energy += joints->particles->mass[i] * vec3_dot(more, vec3_axpy(before, 0.5, more));
    }
    return energy;
}

/* Gives the components joints->value to the velocities. Returns the energy that joints give so, J:
 * what the free gain, less what supports do. It is that of the components but for the rounding of
 * rows that others nearly imply, of which L has lost up to 7 digits; velocities have what they
 * have, and the ledger counts that. */
static double give(struct joints *joints, struct vec3 *velocity, struct joint_supports *supports)
{
    double energy = 0.0;
    const struct rigid_motion none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    find_impulses(joints);
    for (size_t k = 0; k < joints->bodies.n; k++)
        joints->motion[k] = none;
    for (size_t r = 0; r < joints->n_rows; r++) {
        const struct joint *joint = &joints->joint[joints->row[r].joint];
        const struct vec3 impulse =
            vec3_scale(joints->value[r], joint->direction[joints->row[r].d]);
        energy += push(joints, &joint->end[0], vec3_scale(-1.0, impulse), velocity, supports);
        energy += push(joints, &joint->end[1], impulse, velocity, supports);
    }
    for (size_t k = 0; k < joints->bodies.n; k++)
        if (joints->touched[k])
            energy += carry(joints, k, velocity);
    return energy;
}

double joints_hold(struct joints *joints, struct vec3 *velocity, bool keep,
                   struct joint_supports *supports)
{
    find_components(joints, velocity);
    for (size_t k = 0; k < joints->n && keep; k++)
        for (int d = 0; d < 3; d++)
            joints->joint[k].y[d] = joints->joint[k].own[d] = 0.0;
    for (size_t r = 0; r < joints->n_rows; r++) {
        const double y = joints->value[r];
        if (keep)
            joints->joint[joints->row[r].joint].y[joints->row[r].d] = y;
        joints->value[r] = -y;
    }
    const double given = give(joints, velocity, supports);
    for (size_t k = 0; k < joints->n; k++)
        joints->joint[k].push = 0.0;
    for (size_t r = 0; r < joints->n_rows; r++)
        if (joints->row[r].d == 0)
            joints->joint[joints->row[r].joint].push = joints->value[r];
    return -given;
}

/* ---- splitting ---- */

/* MS 13 to 16 for one joint: y of its normal and of the two rows across. Returns whether there is a
 * real root. Where other joints imply its normal, nothing parts the two along it. A y across of
 * which 12 digits have gone is rounding. */
static bool part(struct joint *joint, const struct split_rule *rule)
{
    double *y = joint->y;
    const double along2 = y[0] * y[0], across2 = y[1] * y[1] + y[2] * y[2];
    const double left2 = rule->alpha * along2 - (1.0 - rule->alpha) * across2;
    const bool taken = rule->roots == ROOTS_TAKEN || across2 <= 1e-24 * along2;
    const bool real = joint->holds[0] && left2 >= 0.0 && taken;
    const double all2 = rule->alpha * (along2 + across2);
    const double scale = !real && across2 > 0.0 ? sqrt(all2 / across2) : 1.0;
    y[0] = real ? sqrt(left2) : 0.0;
    y[1] *= scale;
    y[2] *= scale;
    return real;
}

/* What splitting adds to the components `own` that a joint has by now, because bodies have turned:
 * the part of its normal is such that the energy is the one of y. */
static void add_to(struct joint *joint, const double own[3])
{
    double *y = joint->y;
    if (!joint->holds[0] || !(y[0] > 0.0))
        return;
    const double left2 = own[0] * own[0] + y[0] * y[0] - 2.0 * (own[1] * y[1] + own[2] * y[2]);
    if (left2 > 0.0)
        y[0] = sqrt(left2) - own[0];
}

/* Turns y of each joint into what it is given, and joints->value, the components of the velocities,
 * into that of each row. */
static void find_given(struct joints *joints, const struct split_rule *rule,
                       struct joint_report *report)
{
    for (size_t r = 0; r < joints->n_rows; r++)
        joints->joint[joints->row[r].joint].own[joints->row[r].d] = joints->value[r];
    for (size_t k = 0; k < joints->n; k++) {
        struct joint *joint = &joints->joint[k];
        ++*(part(joint, rule) ? &report->roots : &report->without);
        add_to(joint, joint->own);
    }
    for (size_t r = 0; r < joints->n_rows; r++)
        joints->value[r] = joints->joint[joints->row[r].joint].y[joints->row[r].d];
}

void joints_split(struct joints *joints, const struct split_rule *rule, struct vec3 *velocity,
                  struct joint_supports *supports, struct joint_report *report)
{
    *report = (struct joint_report){0};
    find_components(joints, velocity);
    find_given(joints, rule, report);
    report->given = give(joints, velocity, supports);
}
