#include "systems/corotated/rest_parts.h"

#include "base/memory.h"
#include "particles/cubic_spline.h"
#include "particles/near_lists.h"

#include <stdlib.h>
#include <string.h>

/* The kernel is 0 at its support radius, so that neighbors there have no effect but cost time: on
 * lattices, many particles are at two spacings but for rounding, and would double the entries of
 * factors. */
static const double reach = 2.0 * (1.0 - 1e-9);

void rest_free(struct rest *rest)
{
    free(rest->position);
    free(rest->volume);
    free(rest->correction);
    free(rest->directions);
    free(rest->blind);
    free(rest->start);
    free(rest->neighbor);
    free(rest->gradient);
    free(rest->control);
    free(rest->lever);
    free(rest->gradient_sum);
    free(rest->control_sum);
    free(rest->control_spread);
    *rest = (struct rest){0};
}

static double distance(const struct rest *rest, size_t i, size_t pair)
{
    return vec3_norm(vec3_sub(rest->position[rest->neighbor[pair]], rest->position[i]));
}

static void sort(uint32_t *a, size_t n)
{
    for (size_t k = 1; k < n; k++) {
        uint32_t value = a[k];
        size_t to = k;
        for (; to > 0 && a[to - 1] > value; to--)
            a[to] = a[to - 1];
        a[to] = value;
    }
}

/* The key by which neighbors are ordered from near to far: the distance, then the number of the
 * particle. Distances are whole numbers; otherwise rounding would decide between equally near
 * neighbors on a lattice. */
struct nearness {
    uint64_t distance2; /* in 1e-6 squares of the spacing */
    uint32_t neighbor;
};

static struct nearness nearness_of(const struct rest *rest, size_t i, uint32_t j)
{
    struct vec3 way = vec3_sub(rest->position[j], rest->position[i]);
    double squares = vec3_norm2(way) / (rest->spacing * rest->spacing);
    return (struct nearness){(uint64_t)(1e6 * squares + 0.5), j};
}

static bool is_nearer(struct nearness a, struct nearness b)
{
    return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.neighbor < b.neighbor);
}

/* The search for neighbors. */
struct search {
    struct near_lists all;   /* within reach */
    struct nearness *near;   /* scratch (n) */
    struct nearness *beyond; /* of each particle: the first that is not among its nearest; NULL: all
                                within reach are neighbors (n) */
};

static void search_free(struct search *s)
{
    near_lists_free(&s->all);
    free(s->near);
    free(s->beyond);
}

/* Whether one of them is among the nearest of the other. The relation is symmetric, because forces
 * need the pair in both lists. */
static bool are_neighbors(const struct rest *rest, const struct search *s, uint32_t i, uint32_t j)
{
    return !s->beyond || is_nearer(nearness_of(rest, i, j), s->beyond[i]) ||
           is_nearer(nearness_of(rest, j, i), s->beyond[j]);
}

/* Moves the neighbors of particle i to the front of its list, in ascending order. Returns their
 * number. */
static size_t keep_neighbors(const struct rest *rest, const struct search *s, size_t i)
{
    uint32_t *list = s->all.neighbor + s->all.start[i];
    const size_t all = s->all.start[i + 1] - s->all.start[i];
    size_t n = 0;
    for (size_t k = 0; k < all; k++)
        if (are_neighbors(rest, s, (uint32_t)i, list[k]))
            list[n++] = list[k];
    sort(list, n);
    return n;
}

/* The first particle that is not among the `most` nearest of particle i, or a key beyond all of
 * them. */
static struct nearness first_beyond(const struct rest *rest, const struct search *s, size_t i,
                                    size_t most)
{
    const uint32_t *list = s->all.neighbor + s->all.start[i];
    const size_t n = s->all.start[i + 1] - s->all.start[i];
    for (size_t k = 0; k < n; k++) {
        struct nearness own = nearness_of(rest, i, list[k]);
        size_t to = k;
        for (; to > 0 && is_nearer(own, s->near[to - 1]); to--)
            s->near[to] = s->near[to - 1];
        s->near[to] = own;
    }
    return n > most ? s->near[most] : (struct nearness){UINT64_MAX, UINT32_MAX};
}

static enum status find_nearest(struct rest *rest, struct search *s, size_t most,
                                struct error *error)
{
    if (most == REST_ALL_NEIGHBORS)
        return STATUS_OK;
    if (array_create(&s->near, rest->n, sizeof *s->near, "neighbors", error) ||
        array_create(&s->beyond, rest->n, sizeof *s->beyond, "neighbors", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < rest->n; i++)
        s->beyond[i] = first_beyond(rest, s, i, most);
    return STATUS_OK;
}

static enum status find_neighbors(struct rest *rest, const struct search *s, struct error *error)
{
    for (size_t i = 0; i < rest->n; i++)
        rest->start[i + 1] = rest->start[i] + keep_neighbors(rest, s, i);
    const size_t pairs = rest->start[rest->n];
    if (array_create(&rest->neighbor, pairs, sizeof *rest->neighbor, "rest neighbors", error) ||
        array_create(&rest->gradient, pairs, sizeof *rest->gradient, "rest gradients", error) ||
        array_create(&rest->control, pairs, sizeof *rest->control, "rest pairs", error) ||
        array_create(&rest->lever, pairs, sizeof *rest->lever, "rest pairs", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < rest->n; i++)
        memcpy(rest->neighbor + rest->start[i], s->all.neighbor + s->all.start[i],
               (rest->start[i + 1] - rest->start[i]) * sizeof *rest->neighbor);
    return STATUS_OK;
}

static enum status search(struct rest *rest, size_t most, struct error *error)
{
    struct search s = {0};
    enum status status =
        near_lists_find(&s.all, rest->n, rest->position, reach * rest->spacing, error);
    if (!status)
        status = find_nearest(rest, &s, most, error);
    if (!status)
        status = find_neighbors(rest, &s, error);
    search_free(&s);
    return status;
}

static void find_volumes(struct rest *rest, enum rest_volume volume)
{
    const double d = rest->spacing;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < rest->n; i++) {
        double number = cubic_spline(2.0 * d, 0.0);
        for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
            number += cubic_spline(2.0 * d, distance(rest, i, e));
        rest->volume[i] = volume == REST_VOLUME_SUMMED ? 1.0 / number : d * d * d;
    }
}

static void find_pairs(struct rest *rest)
{
    const double h = 2.0 * rest->spacing;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < rest->n; i++)
        for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
            const size_t j = rest->neighbor[e];
            double d = distance(rest, i, e);
            struct vec3 to = vec3_sub(rest->position[j], rest->position[i]);
            double slope = rest->volume[j] * cubic_spline_slope(h, d);
            rest->gradient[e] = vec3_scale(slope, to);
            rest->control[e] = rest->volume[i] * rest->volume[j] * cubic_spline(h, d) / (d * d);
            rest->lever[e] = rest->volume[i] * cubic_spline_over_slope(h, d) / (d * d);
        }
}

static void find_sums(struct rest *rest)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < rest->n; i++)
        for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
            struct vec3 to = vec3_sub(rest->position[rest->neighbor[e]], rest->position[i]);
            struct vec3 weighted = vec3_scale(rest->control[e], to);
            rest->gradient_sum[i] = vec3_add(rest->gradient_sum[i], rest->gradient[e]);
            rest->control_sum[i] = vec3_add(rest->control_sum[i], weighted);
            sym3_add_outer(&rest->control_spread[i], weighted, to);
        }
}

/* Two particles at one place have no direction between them. */
static enum status check_apart(const struct rest *rest, struct error *error)
{
    for (size_t i = 0; i < rest->n; i++)
        for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
            if (!(distance(rest, i, e) > 1e-6 * rest->spacing))
                return error_set(error, STATUS_INVALID,
                                 "particles %zu and %u of the body are at the same place at rest",
                                 i, rest->neighbor[e]);
    return STATUS_OK;
}

static enum status reserve(struct rest *rest, struct error *error)
{
    if (array_create(&rest->position, rest->n, sizeof *rest->position, "rest positions", error) ||
        array_create(&rest->volume, rest->n, sizeof *rest->volume, "rest volumes", error) ||
        array_create(&rest->correction, rest->n, sizeof *rest->correction, "rest shapes", error) ||
        array_create(&rest->directions, rest->n, sizeof *rest->directions, "rest shapes", error) ||
        array_create(&rest->gradient_sum, rest->n, sizeof(struct vec3), "rest shapes", error) ||
        array_create(&rest->control_sum, rest->n, sizeof(struct vec3), "rest shapes", error) ||
        array_create(&rest->control_spread, rest->n, sizeof(struct sym3), "rest shapes", error) ||
        array_create(&rest->start, rest->n + 1, sizeof *rest->start, "rest neighbors", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

/* Finds the neighbors; volumes, vectors of pairs and corrections come later. */
static enum status look_around(struct rest *rest, const struct rest_setting *setting,
                               struct error *error)
{
    enum status status = reserve(rest, error);
    if (status)
        return status;
    memcpy(rest->position, setting->position, rest->n * sizeof *rest->position);
    return search(rest, setting->most, error);
}

static enum status fill(struct rest *rest, const struct rest_setting *setting, struct error *error)
{
    enum status status = look_around(rest, setting, error);
    if (!status)
        status = check_apart(rest, error);
    if (status)
        return status;
    find_volumes(rest, setting->volume);
    find_pairs(rest);
    find_sums(rest);
    return rest_find_corrections(rest, setting->flat, error);
}

enum status rest_evenness(const struct rest_setting *setting, double *evenness, struct error *error)
{
    struct rest rest = {.n = setting->n, .spacing = setting->spacing};
    enum status status = look_around(&rest, setting, error);
    if (!status) {
        find_volumes(&rest, setting->volume);
        find_pairs(&rest);
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < rest.n; i++)
            evenness[i] = rest_evenness_of(rest_moment(&rest, i));
    }
    rest_free(&rest);
    return status;
}

enum status rest_create(struct rest *rest, const struct rest_setting *setting, struct error *error)
{
    *rest = (struct rest){.n = setting->n, .spacing = setting->spacing};
    enum status status = fill(rest, setting, error);
    if (status)
        rest_free(rest);
    return status;
}
