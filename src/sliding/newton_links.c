/* The law of contact for Newton's method (newton.c), link by link. */
#include "sliding/linked_parts.h"
#include "solvers/friction_cone.h"

/* The rows of a link, and by how much one of its particles yields, 1/kg. */
struct link_rows {
    size_t link, normal;
    double yields;
};

static struct link_rows rows_at(const struct linked_step *s, size_t k)
{
    const struct linked *l = s->l;
    struct link_rows r = {links_of_row(s->links, l->scope[k]), l->scope[k], 0.0};
    for (size_t d = 0; d < s->links->rows_each; d++)
        r.yields = fmax(r.yields, l->matrix.rows.diagonal[r.normal + d]);
    return r;
}

static struct vec3 across(const struct linked_step *s, const struct link_rows *r, double first,
                          double second)
{
    return vec3_axpy(vec3_scale(first, links_direction(s->links, r->normal + 1)), second,
                     links_direction(s->links, r->normal + 2));
}

static struct friction_cone cone_of(const struct linked_step *s, const struct link_rows *r)
{
    const struct newton *m = &s->l->newton;
    return (struct friction_cone){m->mu[r->link], s->response->friction.pressed[r->link]};
}

/* ---- impulses of compliant links ---- */

static void add(struct sym3 *stiffness, double k, struct vec3 direction)
{
    sym3_add_outer(stiffness, vec3_scale(k, direction), direction);
}

/* How the impulse at `place` follows the motion, where all of it does with k, kg. */
static struct sym3 stiffness_at(const struct linked_step *s, const struct link_rows *r,
                                const struct cone_place *place, double k)
{
    struct vec3 normal = links_direction(s->links, r->normal);
    struct vec3 along = across(s, r, place->d[0], place->d[1]);
    double mu = s->l->newton.mu[r->link];
    struct sym3 stiffness = {0};
    switch (place->part) {
    case CONE_NOWHERE:
        break;
    case CONE_INSIDE:
        stiffness = (struct sym3){k, 0.0, 0.0, k, 0.0, k};
        break;
    case CONE_FLOOR:
        stiffness = (struct sym3){k, 0.0, 0.0, k, 0.0, k};
        add(&stiffness, -k, normal);
        break;
    case CONE_SIDE:
        add(&stiffness, k / (1.0 + mu * mu), vec3_axpy(normal, mu, along));
        add(&stiffness, place->across * k, vec3_cross(normal, along));
        break;
    case CONE_EDGE:
        add(&stiffness, place->across * k, vec3_cross(normal, along));
        break;
    }
    return stiffness;
}

static void open_with(struct linked_step *s, const struct link_rows *r)
{
    const double *u = s->l->q + r->normal + 1;
    struct newton *m = &s->l->newton;
    double slip = hypot(u[0], u[1]), mu = m->mu[r->link];
    m->opening[r->link] = mu * slip;
    m->lead[r->link] =
        slip > 0.0 ? across(s, r, mu * u[0] / slip, mu * u[1] / slip) : vec3(0.0, 0.0, 0.0);
}

static void press_with_friction(struct linked_step *s, const struct link_rows *r, double stiffness,
                                enum opening opening)
{
    struct linked *l = s->l;
    double asked[3];
    if (opening == OPENING_FOLLOWS)
        open_with(s, r);
    else
        l->newton.lead[r->link] = vec3(0.0, 0.0, 0.0);
    for (size_t d = 0; d < 3; d++) {
        double speed = l->q[r->normal + d] + (d == 0 ? l->newton.opening[r->link] : 0.0);
        asked[d] = l->newton.center[r->normal + d] - stiffness * speed;
    }
    struct cone_place place = friction_cone_nearest(cone_of(s, r), asked);
    for (size_t d = 0; d < 3; d++)
        l->impulse[r->normal + d] = place.impulse[d];
    l->newton.stiffness[r->link] = stiffness_at(s, r, &place, stiffness);
}

static void press_along_normal(struct linked_step *s, const struct link_rows *r, double stiffness)
{
    struct linked *l = s->l;
    double asked = l->newton.center[r->normal] - stiffness * l->q[r->normal];
    l->impulse[r->normal] = asked > 0.0 ? asked : 0.0;
    l->newton.stiffness[r->link] = (struct sym3){0};
    if (asked > 0.0)
        add(&l->newton.stiffness[r->link], stiffness, links_direction(s->links, r->normal));
}

void newton_press(struct linked_step *s, double compliance, enum opening opening)
{
    for (size_t k = 0; k < s->l->n_scope; k += s->links->rows_each) {
        struct link_rows r = rows_at(s, k);
        double stiffness = 1.0 / (compliance * r.yields);
        if (s->links->rows_each == 1)
            press_along_normal(s, &r, stiffness);
        else
            press_with_friction(s, &r, stiffness, opening);
    }
}

/* ---- from one problem to the next ---- */

static bool is_at_bound(const struct linked_step *s, const struct link_rows *r)
{
    static const double nearly = 1.0 - 1e-9;
    const double *impulse = s->l->impulse + r->normal;
    struct friction_cone cone = cone_of(s, r);
    double bound = cone.mu * (impulse[0] + cone.pressed);
    return bound > 0.0 && hypot(impulse[1], impulse[2]) >= nearly * bound;
}

bool newton_center(struct linked_step *s)
{
    struct linked *l = s->l;
    double sliding = s->response->friction.sliding;
    bool changed = false;
    for (size_t k = 0; k < l->n_scope; k++)
        l->newton.center[l->scope[k]] = l->impulse[l->scope[k]];
    for (size_t k = 0; k < l->n_scope && s->links->rows_each == 3; k += 3) {
        struct link_rows r = rows_at(s, k);
        if (!(l->newton.mu[r.link] > sliding) || !is_at_bound(s, &r))
            continue;
        l->newton.mu[r.link] = sliding;
        changed = true;
    }
    return changed;
}

void newton_open(struct linked_step *s)
{
    for (size_t k = 0; k < s->l->n_scope && s->links->rows_each == 3; k += 3) {
        struct link_rows r = rows_at(s, k);
        open_with(s, &r);
    }
}

/* A link that the local problem lets slip begins with sliding friction. */
void newton_begin(struct linked_step *s)
{
    struct linked *l = s->l;
    const struct link_friction *friction = &s->response->friction;
    for (size_t k = 0; k < l->n_scope; k += s->links->rows_each) {
        struct link_rows r = rows_at(s, k);
        double *center = l->newton.center + r.normal, *asked = l->expected + r.normal;
        l->newton.lead[r.link] = vec3(0.0, 0.0, 0.0);
        if (s->links->rows_each == 1) {
            center[0] = fmax(asked[0], 0.0);
            continue;
        }
        bool slips = !l->held[r.normal + 1] && hypot(asked[1], asked[2]) > 0.0;
        l->newton.mu[r.link] = slips ? friction->sliding : friction->sticking;
        struct cone_place place = friction_cone_nearest(cone_of(s, &r), asked);
        for (size_t d = 0; d < 3; d++)
            center[d] = place.impulse[d];
    }
}

/* ---- how well the law is obeyed ---- */

/* By how much a link's impulse would change, as a speed, if it alone could. */
static double off_at(const struct linked_step *s, const struct link_rows *r)
{
    const struct linked *l = s->l;
    const double *impulse = l->impulse + r->normal, *speed = l->q + r->normal;
    double yields = l->matrix.rows.diagonal[r->normal];
    double N = fmax(impulse[0] - speed[0] / yields, 0.0), off = fabs(N - impulse[0]) * yields;
    if (s->links->rows_each == 1)
        return off;
    yields = fmax(l->matrix.rows.diagonal[r->normal + 1], l->matrix.rows.diagonal[r->normal + 2]);
    double T[2] = {impulse[1] - speed[1] / yields, impulse[2] - speed[2] / yields};
    struct friction_cone cone = cone_of(s, r);
    double bound = cone.mu * (N + cone.pressed), length = hypot(T[0], T[1]);
    double share = length > bound ? bound / length : 1.0;
    return fmax(off, yields * hypot(share * T[0] - impulse[1], share * T[1] - impulse[2]));
}

double newton_off(const struct linked_step *s, size_t *n)
{
    double largest = 0.0;
    *n = 0;
    for (size_t k = 0; k < s->l->n_scope; k += s->links->rows_each) {
        struct link_rows r = rows_at(s, k);
        double off = off_at(s, &r);
        *n += off > s->speed_left;
        largest = fmax(largest, off);
    }
    return largest;
}
