#include "contact/swept_pairs.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <stdlib.h>

/* Relative; far above the rounding of a path's length. */
static const double ROUNDING = 1e-9;

double swept_least2(struct vec3 x, struct vec3 w)
{
    double along = -vec3_dot(x, w), length2 = vec3_norm2(w);
    if (!(along > 0.0))
        return vec3_norm2(x);
    if (along >= length2)
        return vec3_norm2(vec3_add(x, w));
    return vec3_norm2(vec3_axpy(x, along / length2, w));
}

static bool meet(const struct particles *p, const struct vec3 *velocity, double dt,
                 struct pair pair)
{
    double a = p->radius[pair.i], b = p->radius[pair.j];
    double nearly = a + b + SWEPT_NEAR * (a < b ? a : b);
    struct vec3 x = vec3_sub(p->position[pair.j], p->position[pair.i]);
    struct vec3 w = vec3_scale(dt, vec3_sub(velocity[pair.j], velocity[pair.i]));
    return vec3_norm2(x) < nearly * nearly || swept_least2(x, w) < (a + b) * (a + b);
}

/* ---- pairs that are near enough ---- */

struct moving {
    const struct particles *particles;
    const struct vec3 *velocity;
};

static struct vec3 sum_of_velocities(size_t begin, size_t end, const void *context)
{
    const struct moving *m = context;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = begin; i < end; i++)
        if (particle_is_here(m->particles->state[i]))
            sum = vec3_add(sum, m->velocity[i]);
    return sum;
}

static double here_in_block(size_t begin, size_t end, const void *context)
{
    const struct moving *m = context;
    size_t n = 0;
    for (size_t i = begin; i < end; i++)
        n += particle_is_here(m->particles->state[i]);
    return (double)n;
}

/* In any frame of reference, two particles come nearer by at most the sum of their paths. In the
 * frame of the mean velocity, a scene that flies past as a whole has no more pairs than one at
 * rest. */
static struct vec3 mean_velocity(const struct particles *p, const struct vec3 *velocity)
{
    const struct moving moving = {p, velocity};
    double n = blocks_sum(p->n, here_in_block, &moving);
    struct vec3 sum = blocks_sum_vec3(p->n, sum_of_velocities, &moving);
    return n > 0.0 ? vec3_scale(1.0 / n, sum) : sum;
}

/* Enlarges the radii so far that they overlap if the particles may meet. Particles that are not
 * here keep theirs. */
static enum status enlarge(struct swept_pairs *swept, const struct particles *p,
                           const struct vec3 *velocity, double dt, struct error *error)
{
    struct vec3 mean = mean_velocity(p, velocity);
    if (array_reserve(&swept->radius, &swept->capacity, p->n, sizeof *swept->radius, "contacts",
                      error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++) {
        double way = dt * vec3_norm(vec3_sub(velocity[i], mean));
        swept->radius[i] = p->radius[i];
        if (!particle_is_here(p->state[i]))
            continue;
        if (!isfinite(way))
            return error_set(error, STATUS_FAILED, "particle %zu has a velocity that is not finite",
                             i);
        swept->radius[i] = (1.0 + ROUNDING) * ((1.0 + 0.5 * SWEPT_NEAR) * p->radius[i] + way);
    }
    return STATUS_OK;
}

static enum status create_detector(struct swept_pairs *swept, struct error *error)
{
    enum status status = detector_create(&swept->detector, error);
    if (!status)
        detector_contacts_only(swept->detector);
    return status;
}

enum status swept_pairs_find(struct swept_pairs *swept, const struct particles *p,
                             const struct bonded *bonded, const struct vec3 *velocity, double dt,
                             struct error *error)
{
    struct particles larger = *p;
    swept->list.n = 0;
    if ((!swept->detector && create_detector(swept, error)) ||
        enlarge(swept, p, velocity, dt, error))
        return STATUS_FAILED;
    larger.radius = swept->radius;
    detector_bonds_broke(swept->detector); /* they may have */
    enum status status = detector_find(swept->detector, &larger, bonded, &swept->near, error);
    if (status)
        return status;
    if (array_reserve(&swept->list.pair, &swept->list.capacity, swept->near.n,
                      sizeof *swept->list.pair, "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < swept->near.n; k++) {
        swept->list.pair[swept->list.n] = swept->near.pair[k];
        swept->list.n += meet(p, velocity, dt, swept->near.pair[k]);
    }
    return STATUS_OK;
}

void swept_pairs_free(struct swept_pairs *swept)
{
    detector_free(swept->detector);
    free(swept->radius);
    pair_list_free(&swept->near);
    pair_list_free(&swept->list);
    *swept = (struct swept_pairs){0};
}
