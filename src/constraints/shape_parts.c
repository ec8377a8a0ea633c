#include "constraints/shape_parts.h"

#include "base/mat3.h"
#include "base/memory.h"
#include "base/rotation.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct part {
    size_t n;
    uint32_t *member;  /* particles of the body, ascending (n) */
    struct vec3 *rest; /* their places relative to the center of the part, m (n) */
};

struct shape_parts {
    size_t n_particles, n;
    double
        *share; /* of each particle of the body, one over the number of its parts (n_particles) */
    struct part *part; /* (n) */
};

double shape_parts_width(size_t n_parts, double length)
{
    return 2.0 * length / (double)(n_parts + 1);
}

static double along(struct vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

double shape_parts_length(size_t n, const struct vec3 *rest, int *axis)
{
    double longest = -1.0;
    for (int a = 0; a < 3; a++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (size_t i = 0; i < n; i++) {
            low = fmin(low, along(rest[i], a));
            high = fmax(high, along(rest[i], a));
        }
        if (high - low > longest) {
            longest = high - low;
            *axis = a;
        }
    }
    return longest;
}

void shape_parts_free(struct shape_parts *parts)
{
    if (!parts)
        return;
    for (size_t k = 0; parts->part && k < parts->n; k++) {
        free(parts->part[k].member);
        free(parts->part[k].rest);
    }
    free(parts->part);
    free(parts->share);
    free(parts);
}

/* Lists the particles of a part, those from `begin` on, as wide as the width. */
static enum status list_members(struct part *part, size_t n, const struct vec3 *rest, int axis,
                                double begin, double width, struct error *error)
{
    const double rounding = 1e-9 * width;
    if (array_create(&part->member, n, sizeof *part->member, "shapes", error) ||
        array_create(&part->rest, n, sizeof *part->rest, "shapes", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++) {
        const double at = along(rest[i], axis) - begin;
        if (at > -rounding && at < width + rounding)
            part->member[part->n++] = (uint32_t)i;
    }
    return STATUS_OK;
}

/* The center of a part's particles by their shares, m. */
static struct vec3 center_of(const struct shape_parts *parts, const struct part *part,
                             const struct vec3 *at)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double weight = 0.0;
    for (size_t k = 0; k < part->n; k++) {
        sum = vec3_axpy(sum, parts->share[part->member[k]],
                        vec3_sub(at[part->member[k]], at[part->member[0]]));
        weight += parts->share[part->member[k]];
    }
    return vec3_axpy(at[part->member[0]], 1.0 / weight, sum);
}

enum status shape_parts_create(struct shape_parts **created, size_t n_parts, size_t n,
                               const struct vec3 *rest, struct error *error)
{
    int axis = 0;
    const double length = shape_parts_length(n, rest, &axis);
    const double width = shape_parts_width(n_parts, length);
    double low = (double)INFINITY;
    struct shape_parts *parts;
    if (array_create(created, 1, sizeof **created, "shapes", error))
        return STATUS_FAILED;
    parts = *created;
    *parts = (struct shape_parts){.n_particles = n, .n = n_parts};
    if (array_create(&parts->share, n, sizeof *parts->share, "shapes", error) ||
        array_create(&parts->part, n_parts, sizeof *parts->part, "shapes", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++)
        low = fmin(low, along(rest[i], axis));
    for (size_t k = 0; k < n_parts; k++) {
        struct part *part = &parts->part[k];
        if (list_members(part, n, rest, axis, low + 0.5 * width * (double)k, width, error))
            return STATUS_FAILED;
        for (size_t m = 0; m < part->n; m++)
            parts->share[part->member[m]] += 1.0;
    }
    for (size_t i = 0; i < n; i++)
        parts->share[i] = 1.0 / parts->share[i];
    for (size_t k = 0; k < n_parts; k++) {
        struct part *part = &parts->part[k];
        const struct vec3 center = center_of(parts, part, rest);
        for (size_t m = 0; m < part->n; m++)
            part->rest[m] = vec3_sub(rest[part->member[m]], center);
    }
    return STATUS_OK;
}

/* sum of share (x - c) r^T, the matrix A of UPP 16. */
static struct mat3 matrix_of(const struct shape_parts *parts, const struct part *part,
                             const struct vec3 *at, struct vec3 center)
{
    struct mat3 a = mat3_zero();
    for (size_t k = 0; k < part->n; k++) {
        const struct vec3 d = vec3_sub(at[part->member[k]], center), r = part->rest[k];
        const double share = parts->share[part->member[k]];
        const double left[3] = {share * d.x, share * d.y, share * d.z}, right[3] = {r.x, r.y, r.z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                a.a[i][j] += left[i] * right[j];
    }
    return a;
}

void shape_parts_match(const struct shape_parts *parts, double stiffness, const struct vec3 *at,
                       struct vec3 *shift, double *violation)
{
    memset(shift, 0, parts->n_particles * sizeof *shift);
    for (size_t k = 0; k < parts->n; k++) {
        const struct part *part = &parts->part[k];
        const struct vec3 center = center_of(parts, part, at);
        const struct mat3 a = matrix_of(parts, part, at, center);
        const struct mat3 turn = rotation_matrix(rotation_nearest(&a));
        for (size_t m = 0; m < part->n; m++) {
            const uint32_t i = part->member[m];
            const struct vec3 goal = vec3_add(center, mat3_mul_vec3(&turn, part->rest[m]));
            shift[i] = vec3_axpy(shift[i], parts->share[i], vec3_sub(goal, at[i]));
        }
    }
    for (size_t i = 0; i < parts->n_particles; i++) {
        violation[i] = vec3_norm(shift[i]);
        shift[i] = vec3_scale(stiffness, shift[i]);
    }
}
