#include "constraints/volumes.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One triangle at a particle: the other two corners, in order. */
struct corner {
    uint32_t next, last;
};

struct volume {
    struct volume_body body; /* its sheet is not read any more */
    size_t *edge;            /* (body.n_edges) */
    bool closed;             /* in this step */
    size_t *start;           /* of the corners of each particle (body.n + 1) */
    struct corner *corner;   /* (start[body.n]) */
};

struct volumes {
    struct constraint constraint; /* must be first */
    size_t n;
    struct volume *volume; /* (n) */
    struct vec3 *gradient; /* by particle, m^2 */
};

static void volumes_free(struct constraint *constraint)
{
    struct volumes *v = (struct volumes *)constraint;
    for (size_t k = 0; v->volume && k < v->n; k++) {
        free(v->volume[k].edge);
        free(v->volume[k].start);
        free(v->volume[k].corner);
    }
    free(v->volume);
    free(v->gradient);
    free(v);
}

static enum status volumes_find(struct constraint *constraint, const struct candidates *candidates,
                                struct error *error)
{
    struct volumes *v = (struct volumes *)constraint;
    (void)candidates, (void)error;
    for (size_t k = 0; k < v->n; k++) {
        struct volume *own = &v->volume[k];
        own->closed = true;
        for (size_t e = 0; e < own->body.n_edges; e++)
            own->closed &= own->body.whole[own->edge[e]] != 0;
    }
    return STATUS_OK;
}

/* A third of the area vectors around a particle. */
static struct vec3 gradient_at(const struct volume *v, const struct vec3 *at, size_t k)
{
    const struct vec3 here = at[v->body.first + k];
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t c = v->start[k]; c < v->start[k + 1]; c++)
        sum = vec3_add(sum, vec3_cross(vec3_sub(at[v->corner[c].next], here),
                                       vec3_sub(at[v->corner[c].last], here)));
    return vec3_scale(1.0 / 6.0, sum);
}

struct solving {
    struct volumes *all;
    const struct volume *own;
    const struct candidates *candidates;
};

/* Sums over the particles of a body: x . gradient, three times the volume; w |gradient|^2;
 * |gradient|; and, of particles without weight, the gradient and gradient . velocity. */
enum { TRIPLE, STIFF, AREA, HELD_X, HELD_Y, HELD_Z, HELD_WORK, N_SUMS };

static void add_gradients(size_t begin, size_t end, const void *context, double *sum)
{
    const struct solving *s = context;
    const struct candidates *c = s->candidates;
    const size_t first = s->own->body.first;
    for (size_t k = begin; k < end; k++) {
        const size_t i = first + k;
        const struct vec3 gradient = gradient_at(s->own, c->at, k);
        s->all->gradient[i] = gradient;
        sum[TRIPLE] += vec3_dot(vec3_sub(c->at[i], c->at[first]), gradient);
        sum[STIFF] += c->weight[i] * vec3_norm2(gradient);
        sum[AREA] += vec3_norm(gradient);
        if (c->weight[i] > 0.0)
            continue;
        sum[HELD_X] += gradient.x;
        sum[HELD_Y] += gradient.y;
        sum[HELD_Z] += gradient.z;
        sum[HELD_WORK] += vec3_dot(gradient, c->velocity[i]);
    }
}

static void solve_body(const struct solving *s, struct corrections *corrections)
{
    const struct candidates *c = s->candidates;
    const struct volume_body *body = &s->own->body;
    double sum[N_SUMS];
    blocks_sums(body->n, N_SUMS, add_gradients, s, sum);
    const double excess = sum[TRIPLE] / 3.0 - body->volume;
    if (!(sum[STIFF] > 0.0))
        return;
    const double multiplier = -excess / sum[STIFF];
#pragma omp parallel for schedule(static) if (body->n > FEW_PARTICLES)
    for (size_t i = body->first; i < body->first + body->n; i++) {
        corrections->shift[i] = vec3_scale(c->weight[i] * multiplier, s->all->gradient[i]);
        corrections->violation[i] = fabs(excess) / sum[AREA];
    }
    /* What the free particles get is what those without weight do not take. */
    const double impulse = -multiplier / c->dt;
    corrections->support =
        vec3_axpy(corrections->support, impulse, vec3(sum[HELD_X], sum[HELD_Y], sum[HELD_Z]));
    corrections->support_work += impulse * sum[HELD_WORK];
}

/* Averaging plays no part: a particle has one volume at most, whose correction is a step of
 * Newton's method. */
static void volumes_solve(struct constraint *constraint, const struct candidates *candidates,
                          struct corrections *corrections)
{
    struct volumes *v = (struct volumes *)constraint;
    corrections_clear(corrections, candidates->n);
    for (size_t k = 0; k < v->n; k++)
        if (v->volume[k].closed)
            solve_body(&(struct solving){v, &v->volume[k], candidates}, corrections);
}

static const struct constraint_class volumes_class = {
    .name = "volumes",
    .find = volumes_find,
    .solve = volumes_solve,
    .free = volumes_free,
};

/* The triangles around each particle, in their order. */
static enum status find_corners(struct volume *v, struct error *error)
{
    const struct volume_body *body = &v->body;
    const struct sheet *sheet = body->sheet;
    if (array_create(&v->start, body->n + 2, sizeof *v->start, "volumes", error) ||
        array_create(&v->corner, 3 * sheet->n_triangles, sizeof *v->corner, "volumes", error))
        return STATUS_FAILED;
    /* start[k + 2] counts those of particle k; then start[k + 1] is where its next one goes. */
    for (size_t k = 0; k < 3 * sheet->n_triangles; k++)
        v->start[sheet->triangle[k / 3][k % 3] - body->first + 2]++;
    for (size_t k = 0; k < body->n; k++)
        v->start[k + 2] += v->start[k + 1];
    for (size_t k = 0; k < 3 * sheet->n_triangles; k++) {
        const uint32_t *corner = sheet->triangle[k / 3];
        v->corner[v->start[corner[k % 3] - body->first + 1]++] =
            (struct corner){corner[(k + 1) % 3], corner[(k + 2) % 3]};
    }
    return STATUS_OK;
}

enum status volumes_add(struct constraint_set *set, size_t n, size_t n_bodies,
                        const struct volume_body *body, struct error *error)
{
    struct volumes *v;
    if (array_create(&v, 1, sizeof *v, "volumes", error))
        return STATUS_FAILED;
    v->constraint.class = &volumes_class;
    set->group[CONSTRAINT_VOLUMES] = &v->constraint;
    if (array_create(&v->volume, n_bodies, sizeof *v->volume, "volumes", error) ||
        array_create(&v->gradient, n, sizeof *v->gradient, "volumes", error))
        return STATUS_FAILED;
    v->n = n_bodies;
    for (size_t k = 0; k < n_bodies; k++) {
        struct volume *own = &v->volume[k];
        own->body = body[k];
        if (array_create(&own->edge, body[k].n_edges, sizeof *own->edge, "volumes", error) ||
            find_corners(own, error))
            return STATUS_FAILED;
        memcpy(own->edge, body[k].edge, body[k].n_edges * sizeof *own->edge);
    }
    return STATUS_OK;
}
