#include "measure/allowance.h"

#include "base/blocks.h"
#include "base/box_tree.h"
#include "base/memory.h"
#include "systems/sph/fluid_model.h"

#include <stdlib.h>
#include <string.h>

/* The initial motion of a body's particles that are not fixed. A body without any has infinite
 * mass. */
struct team {
    double n;
    struct vec3 mean; /* velocity, m/s */
    double spread;    /* largest deviation of a particle's velocity from the mean, m/s */
    double mass;      /* of a particle, kg */
    bool free;        /* some particle is not fixed */
};

static void find_teams(const struct particles *p, struct team *team)
{
    for (size_t i = 0; i < p->n; i++) {
        struct team *t = &team[p->body[i]];
        if (p->state[i] == PARTICLE_FIXED)
            continue;
        t->free = true;
        t->n += 1.0;
        t->mean = vec3_add(t->mean, vec3_scale(1.0 / t->n, vec3_sub(p->velocity[i], t->mean)));
        t->mass = p->mass[i];
    }
    for (size_t i = 0; i < p->n; i++) {
        struct team *t = &team[p->body[i]];
        if (p->state[i] != PARTICLE_FIXED)
            t->spread = fmax(t->spread, vec3_norm(vec3_sub(p->velocity[i], t->mean)));
    }
}

/* ---- impacts of two ---- */

/* A team as a point, in which pairs are looked for; its mass is one of two dimensions. */
enum { FREE, MASS, MASS_WIDTH, MEAN_X = MASS_WIDTH, MEAN_Y, MEAN_Z, SPREAD, TEAM_WIDTH };

static struct team team_at(const double *x)
{
    return (struct team){.free = x[FREE] > 0.0,
                         .mass = x[MASS],
                         .mean = {x[MEAN_X], x[MEAN_Y], x[MEAN_Z]},
                         .spread = x[SPREAD]};
}

/* The mass of a particle of b over that of a pair of particles of a and b. */
static double mass_fraction(const struct team *a, const struct team *b)
{
    return b->free ? a->free ? b->mass / (a->mass + b->mass) : 0.0 : 1.0;
}

/* In an elastic impact each particle keeps its speed relative to the pair's center of mass, so that
 * none is faster afterwards than |center| + (fraction of the other's mass) |relative velocity|. */
static double elastic_limit(const struct team *a, const struct team *b)
{
    double fraction = mass_fraction(a, b), rest = 1.0 - fraction;
    struct vec3 center = vec3_add(vec3_scale(rest, a->mean), vec3_scale(fraction, b->mean));
    double spread = rest * a->spread + fraction * b->spread;
    double relative = vec3_norm(vec3_sub(a->mean, b->mean)) + a->spread + b->spread;
    return vec3_norm(center) + spread + fmax(fraction, rest) * relative;
}

/* The speed of the lighter particle, hit at rest, over that of the heavier one: 2 heavy / (heavy +
 * light). A free particle that hits a fixed one keeps its speed. */
static double factor_of(const struct team *a, const struct team *b)
{
    double fraction = mass_fraction(a, b);
    return a->free && b->free ? 2.0 * fmax(fraction, 1.0 - fraction) : 1.0;
}

static double elastic_of(const double *first, const double *second)
{
    const struct team a = team_at(second), b = team_at(first);
    return a.free || b.free ? elastic_limit(&a, &b) : 0.0;
}

static double factor_at(const double *first, const double *second)
{
    const struct team a = {.free = second[FREE] > 0.0, .mass = second[MASS]};
    const struct team b = {.free = first[FREE] > 0.0, .mass = first[MASS]};
    return factor_of(&a, &b);
}

/* The least and the most that mass_fraction can be between the teams of two boxes. */
struct fractions {
    double least, most;
};

static struct fractions fractions_of(const struct box_node *a, const struct box_node *b)
{
    bool a_free = a->low[FREE] > 0.0, b_free = b->low[FREE] > 0.0;
    if (b->high[FREE] == 0.0)
        return (struct fractions){1.0, 1.0};
    if (a->high[FREE] == 0.0 && b_free)
        return (struct fractions){0.0, 0.0};
    if (!a_free || !b_free)
        return (struct fractions){0.0, 1.0};
    return (struct fractions){b->low[MASS] / (a->high[MASS] + b->low[MASS]),
                              b->high[MASS] / (a->low[MASS] + b->high[MASS])};
}

/* The most of a mean of a and b with such weights. */
static double most_between(struct fractions f, double a, double b)
{
    return fmax((1.0 - f.least) * a + f.least * b, (1.0 - f.most) * a + f.most * b);
}

static double largest_center(struct fractions f, const struct box_node *a, const struct box_node *b,
                             int axis)
{
    return fmax(most_between(f, a->high[axis], b->high[axis]),
                most_between(f, -a->low[axis], -b->low[axis]));
}

static double largest_along(const struct box_node *a, const struct box_node *b, int axis)
{
    return fmax(a->high[axis] - b->low[axis], b->high[axis] - a->low[axis]);
}

/* elastic_limit with the most of each of its terms. */
static double bound_of_elastic(const struct box_node *a, const struct box_node *b)
{
    if (a->high[FREE] == 0.0 && b->high[FREE] == 0.0)
        return 0.0;
    const struct fractions f = fractions_of(a, b);
    const struct vec3 center =
        vec3(largest_center(f, a, b, MEAN_X), largest_center(f, a, b, MEAN_Y),
             largest_center(f, a, b, MEAN_Z));
    const struct vec3 relative =
        vec3(largest_along(a, b, MEAN_X), largest_along(a, b, MEAN_Y), largest_along(a, b, MEAN_Z));
    return vec3_norm(center) + most_between(f, a->high[SPREAD], b->high[SPREAD]) +
           fmax(f.most, 1.0 - f.least) * (vec3_norm(relative) + a->high[SPREAD] + b->high[SPREAD]);
}

static double bound_of_factors(const struct box_node *a, const struct box_node *b)
{
    const struct fractions f = fractions_of(a, b);
    return 2.0 * fmax(f.most, 1.0 - f.least);
}

/* The largest value of a function of two teams, which are points of so many dimensions. */
static enum status find_largest(const struct team *team, size_t n, size_t width,
                                const struct pair_function *function, double *largest,
                                struct error *error)
{
    struct box_tree tree;
    enum status status = box_tree_create(&tree, n, width, error);
    for (size_t b = 0; b < n && !status; b++) {
        const double point[TEAM_WIDTH] = {team[b].free,   team[b].mass,   team[b].mean.x,
                                          team[b].mean.y, team[b].mean.z, team[b].spread};
        box_tree_put(&tree, b, point, point);
    }
    if (!status) {
        box_tree_build(&tree);
        *largest = box_tree_largest(&tree, function, *largest);
    }
    box_tree_free(&tree);
    return status;
}

static enum status find_limits(struct allowance *allowance, const struct team *team,
                               size_t n_bodies, struct error *error)
{
    static const struct pair_function elastic = {elastic_of, bound_of_elastic};
    static const struct pair_function factor = {factor_at, bound_of_factors};
    allowance->factor = 1.0;
    for (size_t b = 0; b < n_bodies; b++)
        allowance->elastic = fmax(allowance->elastic, vec3_norm(team[b].mean) + team[b].spread);
    enum status status =
        find_largest(team, n_bodies, TEAM_WIDTH, &elastic, &allowance->elastic, error);
    return status ? status
                  : find_largest(team, n_bodies, MASS_WIDTH, &factor, &allowance->factor, error);
}

/* ---- what adds to them ---- */

/* An upper limit of the speed that a prescribed motion gives a particle which begins at this
 * position. */
static double speed_of_motion(const struct prescribed *m, struct vec3 position)
{
    double two_pi = 2.0 * acos(-1.0);
    double lever = vec3_norm(vec3_cross(m->axis, vec3_sub(position, m->center)));
    return vec3_norm(m->velocity) + two_pi * m->frequency * vec3_norm(m->amplitude) +
           two_pi * fabs(m->turns) * lever;
}

static double largest_speed_of_motions(const struct scene *scene, const struct particles *p)
{
    double largest = 0.0;
    for (size_t m = 0; m < scene->n_prescribed; m++)
        for (size_t i = 0; i < p->n; i++)
            if (p->body[i] == scene->prescribed[m].body && p->state[i] == PARTICLE_FIXED)
                largest = fmax(largest, speed_of_motion(&scene->prescribed[m], p->position[i]));
    return largest;
}

/* A particle of a jet feels gravity from the plane of the inlet on, which is straight ahead. */
static struct vec3 where_gravity_begins(const struct body *body, struct vec3 position)
{
    if (!body->inlet.given)
        return position;
    struct vec3 v = body->velocity;
    double ahead = vec3_dot(vec3_sub(body->inlet.point, position), v) / vec3_norm2(v);
    return ahead > 0.0 ? vec3_axpy(position, ahead, v) : position;
}

static enum status create_starts(struct allowance *allowance, struct error *error)
{
    const double along[3] = {allowance->gravity.x, allowance->gravity.y, allowance->gravity.z};
    enum status status = STATUS_OK;
    for (int axis = 0; axis < 3 && !status; axis++)
        if (along[axis] != 0.0)
            status = array_create(&allowance->start[axis], allowance->n,
                                  sizeof *allowance->start[axis], "positions", error);
    return status;
}

static void begin_at(struct allowance *allowance, size_t i, struct vec3 position)
{
    const double x[3] = {position.x, position.y, position.z};
    for (int axis = 0; axis < 3; axis++)
        if (allowance->start[axis])
            allowance->start[axis][i] = x[axis];
}

/* 0 along an axis on which gravity does no work. */
static double start_of(const struct allowance *allowance, size_t i, int axis)
{
    return allowance->start[axis] ? allowance->start[axis][i] : 0.0;
}

static enum status find_weights(struct allowance *allowance, const struct scene *scene,
                                struct error *error)
{
    if (array_create(&allowance->weight, scene->n_bodies, sizeof *allowance->weight, "bodies",
                     error))
        return STATUS_FAILED;
    for (size_t b = 0; b < scene->n_bodies; b++) {
        const struct material *material = scene_material_of(scene, b);
        const struct fluid_material *fluid = material->parameters;
        const bool rises = material->model == &fluid_model && fluid->buoyancy > 1.0;
        allowance->weight[b] = rises ? 1.0 - fluid->buoyancy : 1.0;
    }
    return STATUS_OK;
}

enum status allowance_create(struct allowance *allowance, const struct scene *scene,
                             const struct particles *p, struct error *error)
{
    struct team *team;
    *allowance =
        (struct allowance){.gravity = scene->gravity, .n = p->n, .supported = scene->n_walls > 0};
    if (create_starts(allowance, error) || find_weights(allowance, scene, error) ||
        array_create(&team, scene->n_bodies, sizeof *team, "bodies", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++) {
        begin_at(allowance, i, where_gravity_begins(&scene->body[p->body[i]], p->position[i]));
        if (p->state[i] == PARTICLE_FREE)
            allowance->mass += p->mass[i];
        allowance->supported |= p->state[i] == PARTICLE_FIXED;
    }
    find_teams(p, team);
    enum status status = find_limits(allowance, team, scene->n_bodies, error);
    /* a particle that bounces off a support keeps its speed relative to the support */
    allowance->elastic += 2.0 * largest_speed_of_motions(scene, p);
    free(team);
    return status;
}

void allowance_free(struct allowance *allowance)
{
    for (int axis = 0; axis < 3; axis++)
        free(allowance->start[axis]);
    free(allowance->weight);
    *allowance = (struct allowance){0};
}

struct fall {
    const struct allowance *allowance;
    const struct particles *particles;
};

/* Largest work of gravity per mass, or of what lifts a gas, less that of gravity. */
static double largest_fall(size_t begin, size_t end, const void *context)
{
    const struct fall *fall = context;
    const struct allowance *a = fall->allowance;
    const struct particles *p = fall->particles;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++) {
        struct vec3 start = vec3(start_of(a, i, 0), start_of(a, i, 1), start_of(a, i, 2));
        const double fallen = vec3_dot(a->gravity, vec3_sub(p->position[i], start));
        const double work = fmax(fallen, a->weight[p->body[i]] * fallen);
        if (p->state[i] == PARTICLE_FREE && !(work <= largest))
            largest = work;
    }
    return largest;
}

double allowance_speed(const struct allowance *a, const struct particles *p, double released)
{
    double work = a->n > 0 ? blocks_max(a->n, largest_fall, &(struct fall){a, p}) : 0.0;
    double stored = released > 0.0 && a->mass > 0.0 ? released / a->mass : 0.0;
    return sqrt(a->elastic * a->elastic + 2.0 * a->factor * a->factor * work + 2.0 * stored);
}

struct beyond {
    const struct particles *particles;
    double speed2; /* m^2/s^2 */
};

static double excess_of_block(size_t begin, size_t end, const void *context)
{
    const struct beyond *beyond = context;
    const struct particles *p = beyond->particles;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        double excess = vec3_norm2(p->velocity[i]) - beyond->speed2;
        if (p->state[i] == PARTICLE_FREE && !(excess <= 0.0))
            sum += 0.5 * p->mass[i] * excess;
    }
    return sum;
}

double allowance_excess(const struct particles *p, double speed)
{
    return blocks_sum(p->n, excess_of_block, &(struct beyond){p, speed * speed});
}
