#include "measure/motion.h"

#include "base/blocks.h"

#include <math.h>

struct way {
    const struct vec3 *from;
    const struct particles *after;
    double dt;
};

static double speed2_of(const struct way *way, size_t i)
{
    struct vec3 moved = vec3_sub(way->after->position[i], way->from[i]);
    return vec3_norm2(moved) / (way->dt * way->dt);
}

static double kinetic_of_block(size_t begin, size_t end, const void *context)
{
    const struct way *way = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        if (way->after->state[i] == PARTICLE_FREE)
            sum += 0.5 * way->after->mass[i] * speed2_of(way, i);
    return sum;
}

static double largest_speed2(size_t begin, size_t end, const void *context)
{
    const struct way *way = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        if (particle_is_here(way->after->state[i]))
            largest = fmax(largest, speed2_of(way, i));
    return largest;
}

void motion_update(const struct vec3 *from, const struct particles *after, double dt,
                   struct measure_row *row)
{
    const struct way way = {from, after, dt};
    row->kinetic_of_motion = blocks_sum(after->n, kinetic_of_block, &way);
    row->speed_of_motion = sqrt(blocks_max(after->n, largest_speed2, &way));
}
