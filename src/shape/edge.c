#include "shape/edge.h"

#include "base/memory.h"

/* ---- a piece ---- */

/* One step of Newton's method for a point on both faces and in the plane through `foot`
 * perpendicular to `chord`; returns the direction of the curve, not normalized. */
static struct vec3 approach(const struct edge *edge, struct vec3 foot, struct vec3 chord,
                            struct vec3 *q)
{
    struct vec3 a = face_normal(edge->first, *q), b = face_normal(edge->second, *q);
    struct vec3 along = vec3_cross(a, b);
    double determinant = vec3_dot(along, chord);
    if (determinant == 0.0)
        return along; /* the faces only touch here */
    struct vec3 step = vec3_scale(face_value(edge->first, *q), vec3_cross(b, chord));
    step = vec3_axpy(step, face_value(edge->second, *q), vec3_cross(chord, a));
    step = vec3_axpy(step, vec3_dot(vec3_sub(*q, foot), chord), along);
    *q = vec3_axpy(*q, -1.0 / determinant, step);
    return along;
}

struct vec3 edge_point(const struct edge *edge, double s, struct vec3 *direction)
{
    enum { STEPS = 6 };
    struct vec3 chord = vec3_sub(edge->end, edge->begin);
    struct vec3 foot = vec3_axpy(edge->begin, s, chord), q = foot, along = chord;
    for (int k = 0; k < STEPS && edge->bulge > 0.0; k++)
        along = approach(edge, foot, chord, &q);
    double length = vec3_norm(along);
    length = vec3_dot(along, chord) < 0.0 ? -length : length;
    *direction = length == 0.0 ? vec3(0.0, 0.0, 0.0) : vec3_scale(1.0 / length, along);
    return q;
}

/* How fast the distance from `point` grows along the piece; 0 at the nearest point. */
static double slope_at(const struct edge *edge, struct vec3 point, double s, struct vec3 *q)
{
    struct vec3 direction;
    *q = edge_point(edge, s, &direction);
    return vec3_dot(vec3_sub(*q, point), direction);
}

/* The distance along a short curve has one minimum. It is found by the Illinois variant of regula
 * falsi: where the same end stays twice, its value is halved. */
static double distance_of_curve(const struct edge *edge, struct vec3 point)
{
    enum { STEPS = 40 };
    struct vec3 q;
    double low = 0.0, high = 1.0;
    double before = slope_at(edge, point, low, &q), after;
    if (before >= 0.0)
        return vec3_norm(vec3_sub(point, q));
    after = slope_at(edge, point, high, &q);
    if (after <= 0.0)
        return vec3_norm(vec3_sub(point, q));
    double tiny = 1e-14 * (after - before);
    for (int k = 0, side = 0; k < STEPS; k++) {
        double s = low + (high - low) * before / (before - after);
        double here = slope_at(edge, point, s, &q);
        if (fabs(here) <= tiny)
            break;
        bool is_high = here > 0.0;
        *(is_high ? &high : &low) = s;
        *(is_high ? &after : &before) = here;
        if (side == (is_high ? 1 : -1))
            *(is_high ? &before : &after) *= 0.5;
        side = is_high ? 1 : -1;
    }
    return vec3_norm(vec3_sub(point, q));
}

double edge_distance(const struct edge *edge, struct vec3 point, double limit)
{
    struct vec3 chord = vec3_sub(edge->end, edge->begin), p = vec3_sub(point, edge->begin);
    double s = vec3_dot(p, chord) / vec3_norm2(chord);
    s = s > 1.0 ? 1.0 : s > 0.0 ? s : 0.0;
    double of_chord = vec3_norm(vec3_axpy(p, -s, chord));
    if (edge->bulge == 0.0 || of_chord - edge->bulge >= limit)
        return of_chord;
    return distance_of_curve(edge, point);
}

/* ---- finding them ---- */

/* Two faces of which `curved` is gone through. */
struct meeting {
    struct edges *edges;
    const struct face *curved, *other;
    struct bounds room;
    double hair;
    struct error *error;
};

/* A square of parameters: its lowest corner and its edge. */
struct cell {
    double u, v, edge;
};

static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

static double value_at(const struct meeting *m, double u, double v, struct vec3 *q)
{
    *q = face_point(m->curved, u, v);
    return face_value(m->other, *q);
}

static double bulge_of(const struct edge *edge)
{
    double most = 0.0;
    for (int k = 1; k < 4; k++) {
        struct vec3 direction, chord = vec3_sub(edge->end, edge->begin);
        struct vec3 q = edge_point(edge, 0.25 * k, &direction);
        most = fmax(most, vec3_norm(vec3_sub(q, vec3_axpy(edge->begin, 0.25 * k, chord))));
    }
    return 1.5 * most; /* of an arc, the middle is the farthest */
}

static enum status add_piece(const struct meeting *m, struct vec3 begin, struct vec3 end)
{
    struct edges *edges = m->edges;
    if (vec3_norm(vec3_sub(end, begin)) < m->hair)
        return STATUS_OK;
    if (array_reserve(&edges->edge, &edges->capacity, edges->n + 1, sizeof *edges->edge,
                      "the edges of a shape", m->error))
        return STATUS_FAILED;
    struct edge edge = {m->curved, m->other, begin, end, (double)INFINITY};
    edge.bulge = bulge_of(&edge);
    edge.bulge = edge.bulge > 1e-6 * m->hair ? edge.bulge : 0.0;
    edges->edge[edges->n++] = edge;
    return STATUS_OK;
}

/* Where the other face crosses the side from corner k to the next, by bisection. */
static struct vec3 crossing(const struct meeting *m, const struct cell *c, int k)
{
    enum { HALVINGS = 60 };
    const int *from = around[k], *to = around[(k + 1) % 4];
    double low = 0.0, high = 1.0;
    struct vec3 q;
    bool sign = value_at(m, c->u + c->edge * from[0], c->v + c->edge * from[1], &q) > 0.0;
    for (int n = 0; n < HALVINGS; n++) {
        double t = 0.5 * (low + high);
        double u = c->u + c->edge * (from[0] + t * (to[0] - from[0]));
        double v = c->v + c->edge * (from[1] + t * (to[1] - from[1]));
        *((value_at(m, u, v, &q) > 0.0) == sign ? &low : &high) = t;
    }
    return q;
}

/* Adds the piece, or the two, in a cell at whose corners the other face's values have both signs.
 * Where it crosses all four sides, the middle says which corners belong together. */
static enum status march(const struct meeting *m, const struct cell *c, const bool positive[4])
{
    struct vec3 q[4], unused;
    int n = 0;
    for (int k = 0; k < 4; k++)
        if (positive[k] != positive[(k + 1) % 4])
            q[n++] = crossing(m, c, k);
    if (n == 2)
        return add_piece(m, q[0], q[1]);
    bool middle = value_at(m, c->u + 0.5 * c->edge, c->v + 0.5 * c->edge, &unused) > 0.0;
    int first = middle == positive[0] ? 0 : 1;
    enum status status = add_piece(m, q[first], q[first + 1]);
    return status ? status : add_piece(m, q[first + 2], q[(first + 3) % 4]);
}

static bool is_near(const struct bounds *b, struct vec3 q, double reach)
{
    return q.x > b->low.x - reach && q.x < b->high.x + reach && q.y > b->low.y - reach &&
           q.y < b->high.y + reach && q.z > b->low.z - reach && q.z < b->high.z + reach;
}

/* Goes through the cells that the other face may cross: none whose middle is farther from it than
 * all of the cell. */
static enum status visit(const struct meeting *m, struct cell c, int level)
{
    enum { COARSE = 5, FINE = 10 };
    struct vec3 q;
    double along_u, along_v;
    face_speeds(m->curved, &along_u, &along_v);
    double reach = 0.5 * c.edge * (along_u + along_v) + m->hair;
    double middle = value_at(m, c.u + 0.5 * c.edge, c.v + 0.5 * c.edge, &q);
    if (fabs(middle) > reach || !is_near(&m->room, q, reach))
        return STATUS_OK;
    bool positive[4];
    for (int k = 0; k < 4; k++)
        positive[k] =
            value_at(m, c.u + c.edge * around[k][0], c.v + c.edge * around[k][1], &q) > 0.0;
    bool is_crossed =
        positive[0] != positive[1] || positive[0] != positive[2] || positive[0] != positive[3];
    if (level >= COARSE && is_crossed)
        return march(m, &c, positive);
    enum status status = STATUS_OK;
    for (int k = 0; k < 4 && level < FINE && !status; k++) {
        double half = 0.5 * c.edge;
        status = visit(m, (struct cell){c.u + half * around[k][0], c.v + half * around[k][1], half},
                       level + 1);
    }
    return status;
}

static double *at_axis(struct vec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/* Two planes along different axes. */
static enum status add_line(const struct meeting *m)
{
    struct bounds room = m->room;
    const struct face *face[2] = {m->curved, m->other};
    for (int k = 0; k < 2; k++) {
        struct vec3 center = face[k]->center;
        int axis = face[k]->axis;
        double place = *at_axis(&center, axis);
        if (place < *at_axis(&room.low, axis) || place > *at_axis(&room.high, axis))
            return STATUS_OK;
        *at_axis(&room.low, axis) = *at_axis(&room.high, axis) = place;
    }
    return add_piece(m, room.low, room.high);
}

/* The box that two others share, a hair wider; false if there is none. */
static bool share(const struct bounds *a, const struct bounds *b, double hair, struct bounds *room)
{
    room->low = vec3(fmax(a->low.x, b->low.x) - hair, fmax(a->low.y, b->low.y) - hair,
                     fmax(a->low.z, b->low.z) - hair);
    room->high = vec3(fmin(a->high.x, b->high.x) + hair, fmin(a->high.y, b->high.y) + hair,
                      fmin(a->high.z, b->high.z) + hair);
    return room->low.x <= room->high.x && room->low.y <= room->high.y &&
           room->low.z <= room->high.z;
}

/* How large the part of a face is that is gone through. */
static double extent_of(const struct face *f)
{
    double along_u, along_v;
    if (f->kind == FACE_PLANE)
        return (double)INFINITY;
    face_speeds(f, &along_u, &along_v);
    return fmax(along_u, along_v);
}

enum status edges_add(struct edges *edges, const struct face *a, const struct face *b, double hair,
                      struct error *error)
{
    struct meeting m = {edges, a, b, .hair = hair, .error = error};
    if (!share(&a->of_solid, &b->of_solid, hair, &m.room) || face_equal(a, b, hair))
        return STATUS_OK;
    if (a->kind == FACE_PLANE && b->kind == FACE_PLANE)
        return a->axis == b->axis ? STATUS_OK : add_line(&m);
    if (extent_of(b) < extent_of(a)) {
        m.curved = b;
        m.other = a;
    }
    return visit(&m, (struct cell){0.0, 0.0, 1.0}, 0);
}
