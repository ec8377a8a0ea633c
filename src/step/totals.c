#include "step/totals.h"

#include "base/blocks.h"

enum { MASS, KINETIC, GRAVITATIONAL, MOMENTUM, ANGULAR = MOMENTUM + 3, N_TOTALS = ANGULAR + 3 };

struct totals_context {
    const struct particles *particles;
    struct vec3 gravity;
};

static void put(struct vec3 v, double *sum)
{
    sum[0] = v.x;
    sum[1] = v.y;
    sum[2] = v.z;
}

static void add_block(size_t begin, size_t end, const void *context, double *sum)
{
    const struct totals_context *c = context;
    const struct particles *p = c->particles;
    struct vec3 linear = vec3(0.0, 0.0, 0.0), angular = linear;
    double mass = 0.0, kinetic = 0.0, gravitational = 0.0;
    for (size_t i = begin; i < end; i++) {
        if (p->state[i])
            continue;
        struct vec3 momentum = vec3_scale(p->mass[i], p->velocity[i]);
        mass += p->mass[i];
        kinetic += 0.5 * vec3_dot(momentum, p->velocity[i]);
        gravitational -= p->mass[i] * vec3_dot(c->gravity, p->position[i]);
        linear = vec3_add(linear, momentum);
        angular = vec3_add(angular, vec3_cross(p->position[i], momentum));
    }
    sum[MASS] = mass;
    sum[KINETIC] = kinetic;
    sum[GRAVITATIONAL] = gravitational;
    put(linear, sum + MOMENTUM);
    put(angular, sum + ANGULAR);
}

struct totals totals_of(const struct particles *particles, struct vec3 gravity)
{
    const struct totals_context context = {particles, gravity};
    double sum[N_TOTALS];
    blocks_sums(particles->n, N_TOTALS, add_block, &context, sum);
    return (struct totals){
        .mass = sum[MASS],
        .kinetic = sum[KINETIC],
        .gravitational = sum[GRAVITATIONAL],
        .momentum = vec3(sum[MOMENTUM], sum[MOMENTUM + 1], sum[MOMENTUM + 2]),
        .angular = vec3(sum[ANGULAR], sum[ANGULAR + 1], sum[ANGULAR + 2]),
    };
}
