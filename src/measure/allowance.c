#include "measure/allowance.h"

#include "base/blocks.h"
#include "base/memory.h"

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

static void find_limits(struct allowance *allowance, const struct team *team, size_t n_bodies)
{
    allowance->factor = 1.0;
    for (size_t a = 0; a < n_bodies; a++) {
        allowance->elastic = fmax(allowance->elastic, vec3_norm(team[a].mean) + team[a].spread);
        for (size_t b = 0; b < a; b++) {
            if (!team[a].free && !team[b].free)
                continue;
            allowance->elastic = fmax(allowance->elastic, elastic_limit(&team[a], &team[b]));
            allowance->factor = fmax(allowance->factor, factor_of(&team[a], &team[b]));
        }
    }
}

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

enum status allowance_create(struct allowance *allowance, const struct scene *scene,
                             const struct particles *p, struct error *error)
{
    struct team *team;
    *allowance =
        (struct allowance){.gravity = scene->gravity, .n = p->n, .supported = scene->n_walls > 0};
    if (array_create(&allowance->start, p->n, sizeof *allowance->start, "positions", error) ||
        array_create(&team, scene->n_bodies, sizeof *team, "bodies", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++) {
        allowance->start[i] = where_gravity_begins(&scene->body[p->body[i]], p->position[i]);
        if (p->state[i] == PARTICLE_FREE)
            allowance->mass += p->mass[i];
        allowance->supported |= p->state[i] == PARTICLE_FIXED;
    }
    find_teams(p, team);
    find_limits(allowance, team, scene->n_bodies);
    /* a particle that bounces off a support keeps its speed relative to the support */
    allowance->elastic += 2.0 * largest_speed_of_motions(scene, p);
    free(team);
    return STATUS_OK;
}

void allowance_free(struct allowance *allowance)
{
    free(allowance->start);
    *allowance = (struct allowance){0};
}

struct fall {
    const struct allowance *allowance;
    const struct particles *particles;
};

/* Largest work of gravity per mass. */
static double largest_fall(size_t begin, size_t end, const void *context)
{
    const struct fall *fall = context;
    const struct allowance *a = fall->allowance;
    const struct particles *p = fall->particles;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++) {
        double work = vec3_dot(a->gravity, vec3_sub(p->position[i], a->start[i]));
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
