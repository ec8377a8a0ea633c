/* The unknowns of rigid bodies in the step with links (linked.h): v of the center and g w, with g
 * the radius of gyration, so that their part of A is m and I / g^2, and impulses at a place r from
 * the center are p and (r x p) / g. */
#include "sliding/linked.h"

static const struct rigid_body *body_of(const struct linked *l, size_t k)
{
    return l->links->rigid.body[k].body;
}

/* g; a body of one particle has none, and does not turn. */
static double length_of(const struct rigid_body *body)
{
    const double whole = body->inertia.xx + body->inertia.yy + body->inertia.zz;
    return whole > 0.0 ? sqrt(0.5 * whole / body->mass) : 1.0;
}

struct rigid_motion linked_motion(const struct linked *l, size_t k, const struct vec3 *x)
{
    const struct vec3 *at = x + linked_body(l, k);
    return (struct rigid_motion){at[0], vec3_scale(1.0 / length_of(body_of(l, k)), at[1])};
}

void linked_set_motion(const struct linked *l, size_t k, struct rigid_motion motion, struct vec3 *x)
{
    struct vec3 *at = x + linked_body(l, k);
    at[0] = motion.velocity;
    at[1] = vec3_scale(length_of(body_of(l, k)), motion.rate);
}

struct vec3 linked_body_velocity(const struct linked *l, size_t c, uint32_t end,
                                 const struct vec3 *x)
{
    return rigid_velocity(linked_motion(l, linked_body_at(l, end), x),
                          links_lever(l->links, c, end));
}

/* D^-1 r of a body, where r has an impulse and a moment over g. */
static struct rigid_motion response(const struct linked *l, size_t k, const struct vec3 *r)
{
    const struct rigid_body *body = body_of(l, k);
    const struct vec3 *at = r + linked_body(l, k);
    return rigid_response(body, at[0], vec3_scale(length_of(body), at[1]));
}

struct vec3 linked_body_response(const struct linked *l, size_t c, uint32_t end,
                                 const struct vec3 *r)
{
    return rigid_velocity(response(l, linked_body_at(l, end), r), links_lever(l->links, c, end));
}

void linked_body_push(const struct linked *l, size_t c, uint32_t end, struct vec3 impulse,
                      struct vec3 *r)
{
    const size_t k = linked_body_at(l, end);
    const struct vec3 moment = vec3_cross(links_lever(l->links, c, end), impulse);
    struct vec3 *at = r + linked_body(l, k);
    at[0] = vec3_add(at[0], impulse);
    at[1] = vec3_axpy(at[1], 1.0 / length_of(body_of(l, k)), moment);
}

void linked_bodies_apply(const struct linked *l, const struct vec3 *x, struct vec3 *y)
{
    for (size_t k = 0; k < l->links->rigid.n; k++) {
        const struct rigid_body *body = body_of(l, k);
        const struct rigid_motion motion = linked_motion(l, k, x);
        struct vec3 *at = y + linked_body(l, k);
        at[0] = vec3_scale(body->mass, motion.velocity);
        at[1] = vec3_scale(1.0 / length_of(body), sym3_mul(body->inertia, motion.rate));
    }
}

void linked_bodies_invert(const struct linked *l, const struct vec3 *r, struct vec3 *z)
{
    for (size_t k = 0; k < l->links->rigid.n; k++)
        linked_set_motion(l, k, response(l, k, r), z);
}

void linked_bodies_respond(const struct linked *l, const struct vec3 *r, struct vec3 *z)
{
    for (size_t k = 0; k < l->links->rigid.n; k++) {
        const struct rigid_motion now = linked_motion(l, k, z), more = response(l, k, r);
        linked_set_motion(l, k,
                          (struct rigid_motion){vec3_add(now.velocity, more.velocity),
                                                vec3_add(now.rate, more.rate)},
                          z);
    }
}

double linked_bodies_residual(const struct linked *l, const struct vec3 *mean, struct vec3 *impulse)
{
    const struct link_bodies *rigid = &l->links->rigid;
    double work = 0.0;
    for (size_t k = 0; k < rigid->n; k++) {
        const struct rigid_motion motion =
            rigid_motion_of(rigid->body[k].body, rigid->mass, rigid->x, mean);
        const struct vec3 *at = l->residual + linked_body(l, k);
        *impulse = vec3_add(*impulse, at[0]);
        work += vec3_dot(at[0], motion.velocity) +
                length_of(rigid->body[k].body) * vec3_dot(at[1], motion.rate);
    }
    return work;
}
