#include "step/cfl_rule.h"

#include "base/blocks.h"
#include "step/simulation.h"

#include <string.h>

static double largest_speed2(size_t begin, size_t end, const void *context)
{
    const struct particles *p = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++) {
        double speed2 = vec3_norm2(p->velocity[i]);
        largest = speed2 > largest ? speed2 : largest;
    }
    return largest;
}

static double smallest_negated(size_t begin, size_t end, const void *context)
{
    const struct particles *p = context;
    double smallest = (double)INFINITY;
    for (size_t i = begin; i < end; i++)
        if (p->radius[i] < smallest && p->state[i] != PARTICLE_GONE)
            smallest = p->radius[i];
    return -smallest;
}

static double smallest_radius(const struct particles *p)
{
    return -blocks_max(p->n, smallest_negated, p);
}

/* Infinite if all particles are at rest. */
static double by_absolute(struct simulation *s)
{
    double v_max = sqrt(blocks_max(s->particles.n, largest_speed2, &s->particles));
    return s->scene->time.courant * smallest_radius(&s->particles) / v_max;
}

static double of_body_absolute(const struct simulation *s, size_t body, double spread)
{
    (void)body;
    return s->scene->time.courant * smallest_radius(&s->particles) / spread;
}

/* Finds the mean velocity of each body, in the order of particles. A body's particles mostly follow
 * each other, so that its sums stay in a local variable. */
static void find_means(const struct particles *p, size_t n_bodies, struct body_motion *body_motion)
{
    memset(body_motion, 0, n_bodies * sizeof *body_motion);
    for (size_t i = 0; i < p->n;) {
        const uint32_t body = p->body[i];
        struct body_motion b = body_motion[body];
        if (b.end == 0)
            b.begin = i;
        for (; i < p->n && p->body[i] == body; i++)
            if (particle_is_here(p->state[i])) {
                b.n += 1.0;
                b.mean = vec3_add(b.mean, p->velocity[i]);
            }
        b.end = i;
        body_motion[body] = b;
    }
    for (size_t b = 0; b < n_bodies; b++)
        if (body_motion[b].n > 0.0)
            body_motion[b].mean = vec3_scale(1.0 / body_motion[b].n, body_motion[b].mean);
}

struct deviating {
    const struct particles *particles;
    const struct body_motion *motion;
    uint32_t body;
};

static double largest_deviation2(size_t begin, size_t end, const void *context)
{
    const struct deviating *c = context;
    const struct particles *p = c->particles;
    double largest = 0.0;
    for (size_t i = c->motion->begin + begin; i < c->motion->begin + end; i++) {
        double deviation2 = vec3_norm2(vec3_sub(p->velocity[i], c->motion->mean));
        if (p->body[i] == c->body && particle_is_here(p->state[i]) && !(deviation2 <= largest))
            largest = deviation2;
    }
    return largest;
}

static void find_body_motions(const struct particles *p, size_t n_bodies,
                              struct body_motion *body_motion)
{
    find_means(p, n_bodies, body_motion);
    for (size_t b = 0; b < n_bodies; b++) {
        struct body_motion *motion = &body_motion[b];
        const struct deviating context = {p, motion, (uint32_t)b};
        if (motion->n > 0.0)
            motion->spread =
                sqrt(blocks_max(motion->end - motion->begin, largest_deviation2, &context));
    }
}

/* The motion of a body as a point, in which pairs of bodies are looked for. */
enum { FLUID, MEAN_X, MEAN_Y, MEAN_Z, SPREAD };
_Static_assert(SPREAD + 1 == MOTION_WIDTH, "cfl_rule.h says how many there are");

/* Which fluid it is, from 1 on; 0: none. Particles of one fluid never collide. */
static double fluid_of(const struct scene *scene, size_t b)
{
    return scene_body_flows(scene, b) ? 1.0 + (double)scene->body[b].material : 0.0;
}

/* An upper limit of the relative speed of particles of two bodies. */
static double difference(const double *a, const double *b)
{
    if (a[FLUID] > 0.0 && a[FLUID] == b[FLUID])
        return 0.0;
    struct vec3 d = vec3(a[MEAN_X] - b[MEAN_X], a[MEAN_Y] - b[MEAN_Y], a[MEAN_Z] - b[MEAN_Z]);
    return vec3_norm(d) + a[SPREAD] + b[SPREAD];
}

static double largest_along(const struct box_node *a, const struct box_node *b, int axis)
{
    return fmax(a->high[axis] - b->low[axis], b->high[axis] - a->low[axis]);
}

static double bound_of_differences(const struct box_node *a, const struct box_node *b)
{
    double fluid = a->low[FLUID];
    if (fluid > 0.0 && a->high[FLUID] == fluid && b->low[FLUID] == fluid && b->high[FLUID] == fluid)
        return 0.0;
    struct vec3 d =
        vec3(largest_along(a, b, MEAN_X), largest_along(a, b, MEAN_Y), largest_along(a, b, MEAN_Z));
    return vec3_norm(d) + a->high[SPREAD] + b->high[SPREAD];
}

static const struct pair_function differences = {difference, bound_of_differences};

static void put_motions(struct simulation *s)
{
    for (size_t b = 0; b < s->scene->n_bodies; b++) {
        const struct body_motion *m = &s->body_motion[b];
        const double point[MOTION_WIDTH] = {fluid_of(s->scene, b), m->mean.x, m->mean.y, m->mean.z,
                                            m->n > 0.0 ? m->spread : (double)NAN};
        box_tree_put(&s->body_tree, b, point, point);
    }
    box_tree_build(&s->body_tree);
}

/* An upper limit of the relative speed of any two particles that may collide, m/s. Those of a body
 * that ignores itself do not collide with each other. */
static double largest_difference(struct simulation *s)
{
    double largest = 0.0;
    for (size_t b = 0; b < s->scene->n_bodies; b++)
        if (s->body_motion[b].n > 0.0 && !scene_body_flows(s->scene, b) &&
            scene_body_meets_itself(s->scene, b))
            largest = fmax(largest, s->body_motion[b].spread + s->body_motion[b].spread);
    put_motions(s);
    return box_tree_largest(&s->body_tree, &differences, largest);
}

/* What largest_difference does not exceed, in one pass: the motion of no body is farther from their
 * mean than half of it. */
static double bound_of_largest(const struct simulation *s)
{
    struct vec3 sum = {0.0, 0.0, 0.0};
    double n = 0.0, farthest = 0.0;
    for (size_t b = 0; b < s->scene->n_bodies; b++)
        if (s->body_motion[b].n > 0.0) {
            sum = vec3_add(sum, s->body_motion[b].mean);
            n += 1.0;
        }
    for (size_t b = 0; b < s->scene->n_bodies; b++) {
        const struct body_motion *m = &s->body_motion[b];
        if (!(m->n > 0.0))
            continue;
        double far = vec3_norm(vec3_sub(m->mean, vec3_scale(1.0 / n, sum))) + m->spread;
        if (!(far <= farthest)) /* keeps NaN */
            farthest = far;
    }
    return 2.0 * (1.0 + 1e-12) * farthest;
}

/* An upper limit of the speed of fluids, m/s, if there are walls or outlets, which are at rest; 0
 * otherwise. */
static double largest_passing_speed(const struct simulation *s)
{
    double largest = 0.0;
    if (!s->walls && s->inlets.n_outlets == 0)
        return largest;
    for (size_t b = 0; b < s->scene->n_bodies; b++)
        if (scene_body_flows(s->scene, b))
            largest = fmax(largest, vec3_norm(s->body_motion[b].mean) + s->body_motion[b].spread);
    return largest;
}

/* How far two particles that are not near each other may come nearer in a step, where those that
 * are may by `nearest`, m. */
static double farthest_approach(const struct simulation *s, double nearest)
{
    return nearest + detector_reach(s->detector) * fmax(1.0, s->scene->time.courant);
}

/* Which pair of bodies is the fastest does not matter while particles that are near limit the step:
 * among many bodies that would cost more than all else here. */
static double by_relative(struct simulation *s)
{
    const struct particles *p = &s->particles;
    double nearest = s->scene->time.courant * smallest_radius(p);
    double far = farthest_approach(s, nearest);
    double pairs = nearest / detector_relative_speed(s->detector, p, p->velocity);
    find_body_motions(p, s->scene->n_bodies, s->body_motion);
    if (!(pairs <= far / bound_of_largest(s)))
        pairs = fmin(pairs, far / largest_difference(s));
    return fmin(pairs, nearest / largest_passing_speed(s));
}

static double of_body_relative(const struct simulation *s, size_t body, double spread)
{
    double nearest = s->scene->time.courant * smallest_radius(&s->particles);
    return scene_body_meets_itself(s->scene, body)
               ? farthest_approach(s, nearest) / (spread + spread)
               : (double)INFINITY;
}

static double any_step(struct simulation *s)
{
    (void)s;
    return (double)INFINITY;
}

static double any_spread(const struct simulation *s, size_t body, double spread)
{
    (void)s, (void)body, (void)spread;
    return (double)INFINITY;
}

static const struct cfl_rule none = {any_step, any_spread, .limits_approach = false};
static const struct cfl_rule absolute = {by_absolute, of_body_absolute, .limits_approach = false};
static const struct cfl_rule relative = {by_relative, of_body_relative, .limits_approach = true};

#define RULE(word, value, rule) [value] = &rule,

const struct cfl_rule *cfl_rule_of(const struct time_settings *settings)
{
    static const struct cfl_rule *const rules[] = {CFL_RULES(RULE)};
    return isfinite(settings->courant) ? rules[settings->motion] : &none;
}
