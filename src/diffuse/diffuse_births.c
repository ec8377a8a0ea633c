/* Sources of diffuse particles. The k-th of a source, from 0, has its place by chance, as a
 * function of the scene's seed, the source and k; those that are there at the start come first. */
#include "base/memory.h"
#include "diffuse/diffuse_parts.h"
#include "particles/random.h"

#include <math.h>

/* Places are drawn in the box around a shape until one is in the shape. ms-sample refuses shapes
 * that fill less than 1e-4 of it: in so many draws none is with a chance of e^-100. */
enum { MOST_DRAWS = 1000000 };

/* ---- how many ---- */

/* How many a source has emitted until t, which is when the last of them is born: the k-th, from 1,
 * k/rate after the start. */
static double emitted_until(const struct diffuse_source *source, double t)
{
    const double time = fmin(t, source->stop) - source->start;
    return time > 0.0 ? floor(time * source->rate) : 0.0;
}

double diffuse_most(const struct diffuse_source *source, double end_of_time)
{
    const double all = emitted_until(source, end_of_time);
    return source->number + fmin(all, source->rate * source->lifetime + 1.0);
}

/* ---- where ---- */

enum status diffuse_open(struct diffuse *d, struct error *error)
{
    const size_t n = d->scene->n_diffuse;
    enum status status = array_create(&d->region, n, sizeof *d->region, "sources", error);
    for (size_t k = 0; k < n && !status; k++) {
        const struct placed_shape *region = &d->scene->diffuse[k].region;
        status = placed_solid_create(&d->region[d->n_regions++], region, error);
    }
    return status;
}

static struct vec3 draw_in_box(const struct diffuse *d, const struct placed_solid *region,
                               uint64_t attempt, uint64_t index)
{
    const uint64_t seed = d->scene->seed;
    const struct vec3 size = vec3_sub(region->high, region->low);
    return vec3(region->low.x + size.x * random_uniform(seed, attempt, index, RANDOM_DIFFUSE_X),
                region->low.y + size.y * random_uniform(seed, attempt, index, RANDOM_DIFFUSE_Y),
                region->low.z + size.z * random_uniform(seed, attempt, index, RANDOM_DIFFUSE_Z));
}

/* The place of the k-th of a source. */
static enum status draw_place(const struct diffuse *d, size_t source, uint64_t k,
                              struct vec3 *place, struct error *error)
{
    const uint64_t index = (uint64_t)source << 48 | k;
    for (uint64_t attempt = 0; attempt < MOST_DRAWS; attempt++) {
        *place = draw_in_box(d, &d->region[source], attempt, index);
        if (placed_solid_holds(&d->region[source], *place))
            return STATUS_OK;
    }
    return error_set(error, STATUS_FAILED, "no place for a diffuse particle in the shape of '%s'",
                     d->scene->diffuse[source].name);
}

/* Adds the k-th of a source, born at `birth`, where it is at `now`. */
static enum status add(struct diffuse *d, size_t source, uint64_t k, double birth, double now,
                       struct error *error)
{
    const struct vec3 velocity = d->scene->diffuse[source].velocity;
    struct vec3 place;
    enum status status = draw_place(d, source, k, &place, error);
    if (!status)
        status = diffuse_reserve(d, d->n + 1, error);
    if (status)
        return status;
    d->position[d->n] = vec3_axpy(place, now - birth, velocity);
    d->velocity[d->n] = velocity;
    d->birth[d->n] = birth;
    d->source[d->n++] = (uint32_t)source;
    return STATUS_OK;
}

enum status diffuse_fill(struct diffuse *d, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t s = 0; s < d->scene->n_diffuse; s++)
        for (uint64_t k = 0; k < d->scene->diffuse[s].number && !status; k++)
            status = add(d, s, k, 0.0, 0.0, error);
    return status;
}

/* Those whose lifetime is shorter than the rest of a step are never seen. */
static enum status emit(struct diffuse *d, size_t s, double start, double end, struct error *error)
{
    const struct diffuse_source *source = &d->scene->diffuse[s];
    const double last = emitted_until(source, end);
    enum status status = STATUS_OK;
    for (double k = emitted_until(source, start); k < last && !status; k++) {
        const double birth = fmin(source->start + (k + 1.0) / source->rate, end);
        if (end - birth < source->lifetime)
            status = add(d, s, source->number + (uint64_t)k, birth, end, error);
    }
    return status;
}

enum status diffuse_emit(struct diffuse *d, double start, double end, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t s = 0; s < d->scene->n_diffuse && !status; s++)
        status = emit(d, s, start, end, error);
    return status;
}
