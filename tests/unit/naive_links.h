/* Links of the naive step with sliding meta-particles (naive_sliding.h): which pairs have one,
 * found by looking at all pairs, and which links share particles. */
#ifndef TESTS_NAIVE_LINKS_H
#define TESTS_NAIVE_LINKS_H

#include "naive_step.h"

struct naive_link {
    size_t i, j;
    struct vec3 n;
    double offset;               /* gap between the particles over dt, m/s */
    double merge, arrival, hold; /* impulses, N s */
    double stopped;              /* the part of `arrival` that is not given back, N s */
    double press;                /* all impulses along the normal that bound friction, N s */
    double rub;                  /* across, N s */
    double slip;                 /* speed across at the end, m/s */
    double share; /* of changes of velocity by links in displacements over dt, in this problem */
    size_t component;
};

struct naive_links {
    bool swept;
    double share;    /* of changes of velocity in the displacements of the network over dt, and of
                        forces at the end: 1 for backward Euler, 1/2 for Newmark's method */
    double friction; /* Coulomb's coefficient in motion, and at rest unless `seen` is given */
    double sticking; /* ... at rest */
    /* Velocities at the end of the step. With a larger coefficient at rest there are many
     * solutions: the naive one is that in which the same links stick as here. */
    const struct vec3 *seen;
    size_t n;
    struct naive_link link[NAIVE_PAIRS];
};

static inline void naive_find_components(const struct naive *s, struct naive_links *l)
{
    for (size_t c = 0; c < l->n; c++)
        l->link[c].component = c;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t c = 0; c < l->n; c++)
            for (size_t d = 0; d < l->n; d++) {
                struct naive_link *a = &l->link[c], *b = &l->link[d];
                bool shared = ((a->i == b->i || a->i == b->j) && !s->fixed[a->i]) ||
                              ((a->j == b->i || a->j == b->j) && !s->fixed[a->j]);
                if (shared && a->component < b->component) {
                    b->component = a->component;
                    changed = true;
                }
            }
    }
}

/* The least distance of two particles that move by v for a time dt. */
static inline double naive_least_distance(const struct naive *s, const struct vec3 *v, double dt,
                                          size_t i, size_t j)
{
    struct vec3 x = vec3_sub(s->x[j], s->x[i]), u = vec3_sub(v[j], v[i]);
    double uu = vec3_dot(u, u), when = uu > 0.0 ? -vec3_dot(x, u) / uu : 0.0;
    when = fmin(fmax(when, 0.0), dt);
    return vec3_norm(vec3_axpy(x, when, u));
}

/* Whether two particles may collide and come nearer than `nearer` while they move by v for a time
 * dt. */
static inline bool naive_meet(const struct naive *s, const struct vec3 *v, double dt, size_t i,
                              size_t j, double nearer)
{
    return naive_may_touch(s, i, j) && naive_least_distance(s, v, dt, i, j) < nearer;
}

static inline bool naive_linked(const struct naive_links *l, size_t i, size_t j)
{
    for (size_t c = 0; c < l->n; c++)
        if (l->link[c].i == i && l->link[c].j == j)
            return true;
    return false;
}

static inline void naive_link(const struct naive *s, struct naive_links *l, size_t i, size_t j)
{
    struct vec3 d = vec3_sub(s->x[j], s->x[i]);
    double gap = vec3_norm(d) - (s->r[i] + s->r[j]);
    l->link[l->n++] = (struct naive_link){.i = i,
                                          .j = j,
                                          .n = vec3_scale(1.0 / vec3_norm(d), d),
                                          .offset = gap > 0.0 ? gap / s->dt : 0.0};
}

/* Links the pairs in touch and, if swept, also those that are nearly in touch or will be by their
 * velocities. */
static inline void naive_find_links(const struct naive *s, struct naive_links *l)
{
    l->n = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = i + 1; j < s->n; j++) {
            double touch = s->r[i] + s->r[j], nearly = touch + 0.01 * fmin(s->r[i], s->r[j]);
            if (naive_touch(s, i, j) || (l->swept && (naive_meet(s, s->v, 0.0, i, j, nearly) ||
                                                      naive_meet(s, s->v, s->dt, i, j, touch))))
                naive_link(s, l, i, j);
        }
    naive_find_components(s, l);
}

/* If swept, links the pairs without a link that will overlap by these velocities; returns whether
 * there are any. */
static inline bool naive_link_more(const struct naive *s, struct naive_links *l,
                                   const struct vec3 *v)
{
    size_t before = l->n;
    for (size_t i = 0; i < s->n && l->swept; i++)
        for (size_t j = i + 1; j < s->n; j++)
            if (!naive_linked(l, i, j) &&
                naive_meet(s, v, s->dt, i, j, (1.0 - 1e-9) * (s->r[i] + s->r[j])))
                naive_link(s, l, i, j);
    naive_find_components(s, l);
    return l->n > before;
}

static inline double naive_speed(const struct naive_link *c, const struct vec3 *v)
{
    return vec3_dot(c->n, vec3_sub(v[c->j], v[c->i]));
}

#endif
