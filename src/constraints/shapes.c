#include "constraints/shapes.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "base/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct shapes {
    struct constraint constraint; /* must be first */
    size_t n;
    struct shape_body *body;   /* (n) */
    struct vec3 **rest;        /* of each body, places at rest relative to their center, m (n) */
    struct rotation *rotation; /* of each body in the last iteration (n) */
    bool first;                /* no iteration of the step has been made */
};

static void shapes_free(struct constraint *constraint)
{
    struct shapes *s = (struct shapes *)constraint;
    for (size_t k = 0; s->rest && k < s->n; k++)
        free(s->rest[k]);
    free(s->rest);
    free(s->body);
    free(s->rotation);
    free(s);
}

/* Rotations are found anew in each step, so that they are no state of a run. */
static enum status shapes_find(struct constraint *constraint, const struct candidates *candidates,
                               struct error *error)
{
    (void)candidates, (void)error;
    ((struct shapes *)constraint)->first = true;
    return STATUS_OK;
}

struct moments {
    const struct vec3 *at, *rest; /* of the body's particles */
};

/* Sums of d and of d r^T, where d is the place relative to the body's first particle. The places at
 * rest, r, add up to 0, so that the second is sum (x - c) r^T. */
static void add_moments(size_t begin, size_t end, const void *context, double *sum)
{
    const struct moments *m = context;
    for (size_t i = begin; i < end; i++) {
        struct vec3 d = vec3_sub(m->at[i], m->at[0]), r = m->rest[i];
        const double value[] = {d.x,       d.y,       d.z,       d.x * r.x, d.x * r.y, d.x * r.z,
                                d.y * r.x, d.y * r.y, d.y * r.z, d.z * r.x, d.z * r.y, d.z * r.z};
        for (size_t k = 0; k < 12; k++)
            sum[k] += value[k];
    }
}

/* The center of the body's particles and the matrix A of UPP 16. */
static struct vec3 find_moments(const struct shape_body *body, const struct moments *m,
                                struct mat3 *a)
{
    double sum[12];
    blocks_sums(body->n, 12, add_moments, m, sum);
    memcpy(a, sum + 3, sizeof *a);
    return vec3_axpy(m->at[0], 1.0 / (double)body->n, vec3(sum[0], sum[1], sum[2]));
}

static void match(struct shapes *s, size_t k, const struct candidates *candidates,
                  struct corrections *corrections)
{
    const struct shape_body *body = &s->body[k];
    const struct moments m = {candidates->at + body->first, s->rest[k]};
    struct mat3 a;
    struct vec3 center = find_moments(body, &m, &a);
    s->rotation[k] = s->first ? rotation_nearest(&a) : rotation_near(&a, s->rotation[k]);
    const struct mat3 turn = rotation_matrix(s->rotation[k]);
    for (size_t i = 0; i < body->n; i++) {
        struct vec3 goal = vec3_add(center, mat3_mul_vec3(&turn, m.rest[i]));
        struct vec3 way = vec3_sub(goal, m.at[i]);
        corrections->shift[body->first + i] = vec3_scale(body->stiffness, way);
        corrections->violation[body->first + i] = vec3_norm(way);
    }
}

/* Averaging plays no part: the corrections of a body are one, and keep its momentum (Mueller et
 * al., "Meshless deformations based on shape matching", ACM Transactions on Graphics 24, 2005). */
static void shapes_solve(struct constraint *constraint, const struct candidates *candidates,
                         struct corrections *corrections)
{
    struct shapes *s = (struct shapes *)constraint;
    const size_t n = candidates->n;
    memset(corrections->shift, 0, n * sizeof *corrections->shift);
    memset(corrections->rubbed, 0, n * sizeof *corrections->rubbed);
    memset(corrections->violation, 0, n * sizeof *corrections->violation);
    corrections->support = vec3(0.0, 0.0, 0.0);
    corrections->support_work = corrections->rubbed_work = 0.0;
#pragma omp parallel for schedule(dynamic, 16) if (s->n > 1)
    for (size_t k = 0; k < s->n; k++)
        if (candidates->weight[s->body[k].first] > 0.0)
            match(s, k, candidates, corrections);
    s->first = false;
}

static const struct constraint_class shapes_class = {
    .name = "shapes",
    .find = shapes_find,
    .solve = shapes_solve,
    .free = shapes_free,
};

/* Copies the places at rest of a body, relative to their center. */
static enum status copy_rest(size_t n, const struct vec3 *rest, struct vec3 **copy,
                             struct error *error)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    if (array_create(copy, n, sizeof **copy, "shapes", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++)
        sum = vec3_add(sum, rest[i]);
    for (size_t i = 0; i < n; i++)
        (*copy)[i] = vec3_axpy(rest[i], -1.0 / (double)n, sum);
    return STATUS_OK;
}

enum status shapes_add(struct constraint_set *set, size_t n_bodies, const struct shape_body *body,
                       const struct vec3 *rest, struct error *error)
{
    struct shapes *s;
    if (array_create(&s, 1, sizeof *s, "shapes", error))
        return STATUS_FAILED;
    s->constraint.class = &shapes_class;
    set->group[CONSTRAINT_SHAPES] = &s->constraint;
    if (array_create(&s->body, n_bodies, sizeof *s->body, "shapes", error) ||
        array_create(&s->rest, n_bodies, sizeof *s->rest, "shapes", error) ||
        array_create(&s->rotation, n_bodies, sizeof *s->rotation, "shapes", error))
        return STATUS_FAILED;
    s->n = n_bodies;
    memcpy(s->body, body, n_bodies * sizeof *body);
    for (size_t k = 0; k < n_bodies; k++)
        if (copy_rest(body[k].n, rest + (body[k].first - body[0].first), &s->rest[k], error))
            return STATUS_FAILED;
    return STATUS_OK;
}
