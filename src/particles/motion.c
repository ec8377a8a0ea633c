#include "particles/motion.h"

#include "base/memory.h"

#include <stdlib.h>

enum status motion_create(struct motion *motion, size_t n, struct error *error)
{
    *motion = (struct motion){0};
    if (array_create(&motion->before, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&motion->after, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&motion->mean, n, sizeof(struct vec3), "velocities", error)) {
        motion_free(motion);
        return STATUS_FAILED;
    }
    motion->own_after = motion->after;
    motion->own_mean = motion->mean;
    return STATUS_OK;
}

enum status motion_create_for_several(struct motion *motion, size_t n, struct error *error)
{
    if (motion_create(motion, n, error))
        return STATUS_FAILED;
    if (array_create(&motion->own_after, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&motion->own_mean, n, sizeof(struct vec3), "velocities", error)) {
        motion_free(motion);
        return STATUS_FAILED;
    }
    return STATUS_OK;
}

void motion_leave_alone(struct motion *motion, struct vec3 *velocity)
{
    free(motion->before);
    motion->before = velocity;
    motion->alone = true;
}

void motion_free(struct motion *motion)
{
    if (motion->own_after != motion->after)
        free(motion->own_after);
    if (motion->own_mean != motion->mean)
        free(motion->own_mean);
    if (!motion->alone)
        free(motion->before);
    free(motion->after);
    free(motion->mean);
    *motion = (struct motion){0};
}
