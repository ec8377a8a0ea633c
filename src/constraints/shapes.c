#include "constraints/shapes.h"

#include "base/blocks.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "base/rotation.h"
#include "constraints/shape_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct shapes {
    struct constraint constraint; /* must be first */
    size_t n;
    struct shape_body *body;    /* (n) */
    struct vec3 **rest;         /* of each body, places at rest relative to their center, m (n) */
    struct vec3 **initial;      /* ... before any plastic flow; NULL of a body that has none (n) */
    struct vec3 **strayed;      /* from their goals before the last correction, likewise, turned as
                                   places at rest are (n) */
    struct shape_parts **parts; /* of each body; NULL of one that is one shape (n) */
    struct rotation *rotation;  /* of each body in the last iteration (n) */
    bool first;                 /* no iteration of the step has been made */
    struct field_point *field;  /* of the bodies' particles at rest, or NULL (n_particles) */
    size_t n_particles;         /* from the first body's first to the last body's last */
    struct field_point *turned; /* that of the set, by particle */
};

static void shapes_free(struct constraint *constraint)
{
    struct shapes *s = (struct shapes *)constraint;
    for (size_t k = 0; s->strayed && k < s->n; k++) {
        free(s->rest[k]);
        free(s->initial[k]);
        free(s->strayed[k]);
    }
    for (size_t k = 0; s->parts && k < s->n; k++)
        shape_parts_free(s->parts[k]);
    free(s->parts);
    free(s->rest);
    free(s->initial);
    free(s->strayed);
    free(s->body);
    free(s->rotation);
    free(s->field);
    free(s);
}

struct moments {
    const struct vec3 *at, *rest; /* of the body's particles */
};

static inline lanes lanes_of(struct vec3 v)
{
    return (lanes){v.x, v.y, v.z, 0.0};
}

/* Sums of d and of d r^T, where d is the place relative to the body's first particle: four rows of
 * three. The places at rest, r, add up to 0, so that the second is sum (x - c) r^T. */
static void add_moments(size_t begin, size_t end, const void *context, double *sum)
{
    const struct moments *m = context;
    lanes total[4] = {{0.0}, {0.0}, {0.0}, {0.0}};
    for (size_t i = begin; i < end; i++) {
        const struct vec3 d = vec3_sub(m->at[i], m->at[0]);
        const lanes r = lanes_of(m->rest[i]);
        total[0] += lanes_of(d);
        total[1] += d.x * r;
        total[2] += d.y * r;
        total[3] += d.z * r;
    }
    for (size_t k = 0; k < 12; k++)
        sum[k] += total[k / 3][k % 3];
}

/* The center of the body's particles and the matrix A of UPP 16. One block is what blocks_sums
 * would sum in this thread. */
static struct vec3 find_moments(const struct shape_body *body, const struct moments *m,
                                struct mat3 *a)
{
    double sum[12] = {0.0};
    if (body->n <= BLOCK_LENGTH)
        add_moments(0, body->n, m, sum);
    else
        blocks_sums(body->n, 12, add_moments, m, sum);
    memcpy(a, sum + 3, sizeof *a);
    return vec3_axpy(m->at[0], 1.0 / (double)body->n, vec3(sum[0], sum[1], sum[2]));
}

/* Turns the field of a body that has one. */
static void turn_field(struct shapes *s, const struct shape_body *body, const struct mat3 *turn)
{
    const struct field_point *rest = s->field + (body->first - s->body[0].first);
    for (size_t i = 0; i < body->n; i++) {
        s->turned[body->first + i] = rest[i];
        s->turned[body->first + i].outward = mat3_mul_vec3(turn, rest[i].outward);
    }
}

/* Rotations are found anew in each step, so that they are no state of a run: in the first
 * iteration, and before it for fields, which contacts read there. */
static enum status shapes_find(struct constraint *constraint, const struct candidates *candidates,
                               struct error *error)
{
    struct shapes *s = (struct shapes *)constraint;
    (void)error;
    s->first = true;
#pragma omp parallel for schedule(dynamic, 4) if (s->field && s->n > ROTATIONS_AT_ONCE)
    for (size_t k = 0; k < s->n; k++) {
        const struct moments m = {candidates->at + s->body[k].first, s->rest[k]};
        struct mat3 a;
        if (!s->body[k].field)
            continue;
        find_moments(&s->body[k], &m, &a);
        s->rotation[k] = rotation_nearest(&a);
        a = rotation_matrix(s->rotation[k]);
        turn_field(s, &s->body[k], &a);
    }
    return STATUS_OK;
}

/* `strayed` is NULL for a body without plastic flow. */
static void move_to_goals(const struct shape_body *body, const struct vec3 *rest,
                          struct vec3 center, const struct mat3 *turn,
                          const struct candidates *candidates, struct corrections *corrections,
                          struct vec3 *strayed)
{
    for (size_t i = 0; i < body->n; i++) {
        const size_t own = body->first + i;
        struct vec3 goal = vec3_add(center, mat3_mul_vec3(turn, rest[i]));
        struct vec3 way = vec3_sub(goal, candidates->at[own]);
        if (strayed)
            strayed[i] = vec3_scale(-1.0, mat3_transposed_mul_vec3(turn, way));
        corrections->shift[own] = vec3_scale(body->stiffness, way);
        corrections->violation[own] = vec3_norm(way);
    }
}

/* Bodies [begin, end) that are not fixed, at most ROTATIONS_AT_ONCE; first their rotations, all at
 * once, and then their corrections. */
static void match(struct shapes *s, size_t begin, size_t end, const struct candidates *candidates,
                  struct corrections *corrections)
{
    size_t own[ROTATIONS_AT_ONCE], n = 0;
    struct vec3 center[ROTATIONS_AT_ONCE];
    struct mat3 a[ROTATIONS_AT_ONCE], turn[ROTATIONS_AT_ONCE];
    struct rotation rotation[ROTATIONS_AT_ONCE];
    for (size_t k = begin; k < end; k++) {
        const struct moments m = {candidates->at + s->body[k].first, s->rest[k]};
        if (!(candidates->weight[s->body[k].first] > 0.0))
            continue;
        if (s->parts[k]) {
            const size_t first = s->body[k].first;
            shape_parts_match(s->parts[k], s->body[k].stiffness, candidates->at + first,
                              corrections->shift + first, corrections->violation + first);
            continue;
        }
        center[n] = find_moments(&s->body[k], &m, &a[n]);
        rotation[n] = s->first && !s->body[k].field ? rotation_nearest(&a[n]) : s->rotation[k];
        own[n++] = k;
    }
    if (n == 0)
        return;
    rotations_near(n, a, rotation, rotation, turn);
    for (size_t k = 0; k < n; k++) {
        s->rotation[own[k]] = rotation[k];
        move_to_goals(&s->body[own[k]], s->rest[own[k]], center[k], &turn[k], candidates,
                      corrections, s->strayed[own[k]]);
        if (s->body[own[k]].field)
            turn_field(s, &s->body[own[k]], &turn[k]);
    }
}

/* Averaging plays no part: the corrections of a body are one, and keep its momentum (Mueller et
 * al., "Meshless deformations based on shape matching", ACM Transactions on Graphics 24, 2005). */
static void shapes_solve(struct constraint *constraint, const struct candidates *candidates,
                         struct corrections *corrections)
{
    struct shapes *s = (struct shapes *)constraint;
    corrections_clear(corrections, candidates->n);
#pragma omp parallel for schedule(dynamic, 4) if (s->n > ROTATIONS_AT_ONCE)
    for (size_t k = 0; k < s->n; k += ROTATIONS_AT_ONCE)
        match(s, k, k + ROTATIONS_AT_ONCE < s->n ? k + ROTATIONS_AT_ONCE : s->n, candidates,
              corrections);
    s->first = false;
}

/* ---- plastic flow ---- */

/* Moves the places at rest; returns whether any has moved. */
static bool creep(const struct shape_body *body, const struct vec3 *strayed, struct vec3 *rest)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    bool any = false;
    for (size_t i = 0; i < body->n; i++) {
        if (!(vec3_norm(strayed[i]) > body->yield))
            continue;
        const struct vec3 flow = vec3_scale(body->creep, strayed[i]);
        rest[i] = vec3_add(rest[i], flow);
        sum = vec3_add(sum, flow);
        any = true;
    }
    for (size_t i = 0; any && i < body->n; i++) /* to add up to 0 */
        rest[i] = vec3_axpy(rest[i], -1.0 / (double)body->n, sum);
    return any;
}

static void flow(struct shapes *s, size_t k, const struct candidates *candidates)
{
    const struct shape_body *body = &s->body[k];
    if (!s->strayed[k] || !(candidates->weight[body->first] > 0.0) ||
        !creep(body, s->strayed[k], s->rest[k]) || !body->field)
        return;
    for (size_t i = 0; i < body->n; i++)
        if (vec3_norm(vec3_sub(s->rest[k][i], s->initial[k][i])) > body->lost)
            s->field[body->first - s->body[0].first + i] = (struct field_point){.depth = 0.0};
}

static enum status shapes_finish(struct constraint *constraint, const struct candidates *candidates,
                                 struct error *error)
{
    struct shapes *s = (struct shapes *)constraint;
    (void)error;
#pragma omp parallel for schedule(dynamic, 4) if (s->n > ROTATIONS_AT_ONCE)
    for (size_t k = 0; k < s->n; k++)
        flow(s, k, candidates);
    return STATUS_OK;
}

static const struct constraint_class shapes_class = {
    .name = "shapes",
    .find = shapes_find,
    .solve = shapes_solve,
    .finish = shapes_finish,
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

static enum status create_flow(struct shapes *s, size_t k, struct error *error)
{
    const size_t n = s->body[k].n;
    if (array_create(&s->initial[k], n, sizeof **s->initial, "shapes", error) ||
        array_create(&s->strayed[k], n, sizeof **s->strayed, "shapes", error))
        return STATUS_FAILED;
    memcpy(s->initial[k], s->rest[k], n * sizeof **s->initial);
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
        array_create(&s->initial, n_bodies, sizeof *s->initial, "shapes", error) ||
        array_create(&s->strayed, n_bodies, sizeof *s->strayed, "shapes", error) ||
        array_create(&s->parts, n_bodies, sizeof *s->parts, "shapes", error) ||
        array_create(&s->rotation, n_bodies, sizeof *s->rotation, "shapes", error))
        return STATUS_FAILED;
    s->n = n_bodies;
    memcpy(s->body, body, n_bodies * sizeof *body);
    for (size_t k = 0; k < n_bodies; k++)
        if (copy_rest(body[k].n, rest + (body[k].first - body[0].first), &s->rest[k], error) ||
            (body[k].creep > 0.0 && create_flow(s, k, error)) ||
            (body[k].parts > 1 &&
             shape_parts_create(&s->parts[k], body[k].parts, body[k].n, s->rest[k], error)))
            return STATUS_FAILED;
    return STATUS_OK;
}

struct vec3 *shapes_rest(const struct constraint *shapes, size_t body)
{
    return ((const struct shapes *)shapes)->rest[body];
}

enum status shapes_add_fields(struct constraint_set *set, size_t n, const struct field_point *field,
                              struct error *error)
{
    struct shapes *s = (struct shapes *)set->group[CONSTRAINT_SHAPES];
    const struct shape_body *last = &s->body[s->n - 1];
    const size_t first = s->body[0].first;
    s->n_particles = last->first + last->n - first;
    if (array_create(&s->field, s->n_particles, sizeof *s->field, "fields", error) ||
        array_create(&set->field, n, sizeof *set->field, "fields", error))
        return STATUS_FAILED;
    memcpy(s->field, field, s->n_particles * sizeof *field);
    memcpy(set->field + first, field, s->n_particles * sizeof *field);
    s->turned = set->field;
    return STATUS_OK;
}

struct field_point *shapes_fields(const struct constraint *shapes)
{
    return ((const struct shapes *)shapes)->field;
}
