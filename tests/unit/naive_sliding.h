/* The time step with sliding meta-particles, written from its equations with dense matrices and
 * without a thought of speed. Each of its problems is
 *
 *     least  dv . A dv / 2 - b . dv   with   J u >= 0,   u = v + share dv
 *
 * with share 1 but in the step of Newmark's method, for its own particles. It uses none of the
 * program's solvers. */
#ifndef TESTS_NAIVE_SLIDING_H
#define TESTS_NAIVE_SLIDING_H

#include "naive_cones.h"
#include "naive_links.h"
#include "naive_pieces.h"

#include <gsl/gsl_blas.h>

/* The matrix of masses alone; naive_fix gives fixed particles equations of their own. */
static inline gsl_matrix *naive_masses(const struct naive *s)
{
    gsl_matrix *A = gsl_matrix_calloc(3 * s->n, 3 * s->n);
    for (size_t at = 0; at < 3 * s->n; at++)
        gsl_matrix_set(A, at, at, s->m[at / 3]);
    return A;
}

static inline void naive_fix(const struct naive *s, gsl_matrix *A, gsl_vector *b)
{
    for (size_t at = 0; at < 3 * s->n; at++) {
        for (size_t c = 0; c < 3 * s->n && s->fixed[at / 3]; c++) {
            gsl_matrix_set(A, at, c, c == at);
            gsl_matrix_set(A, c, at, c == at);
        }
        if (s->fixed[at / 3])
            gsl_vector_set(b, at, 0.0);
    }
}

/* The normal of a link, or one of two directions across it. */
static inline struct vec3 naive_direction(const struct naive_link *link, size_t d)
{
    struct vec3 n = link->n, other = fabs(n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    struct vec3 across = vec3_cross(n, other), third = vec3_cross(n, across);
    return vec3_scale(1.0 / (d == 0 ? 1.0 : vec3_norm(across)), d == 0   ? n
                                                                : d == 1 ? across
                                                                         : third);
}

/* The turning of both surfaces in a row across a link, which touch at one place. */
static inline void naive_turn_row(const struct naive *s, const size_t *piece,
                                  const struct naive_link *link, struct vec3 across, double *row)
{
    double distance = vec3_norm(vec3_sub(s->x[link->j], s->x[link->i]));
    double unit = distance / (s->r[link->i] + s->r[link->j]);
    struct vec3 about = vec3_cross(link->n, across);
    naive_add_rate(s, piece, link->i, about, -unit * s->r[link->i], row);
    naive_add_rate(s, piece, link->j, about, -unit * s->r[link->j], row);
}

/* The matrix J, with zeros for fixed particles: `each` rows of each link. */
static inline gsl_matrix *naive_rows(const struct naive *s, const struct naive_links *l,
                                     size_t each)
{
    size_t piece[NAIVE_MOST];
    gsl_matrix *J = gsl_matrix_calloc(each * l->n + 1, 3 * s->n); /* gsl knows no empty matrix */
    naive_find_pieces(s, piece);
    for (size_t row = 0; row < each * l->n; row++)
        for (size_t k = 0; k < 3; k++) {
            const struct naive_link *link = &l->link[row / each];
            struct vec3 direction = naive_direction(link, row % each);
            gsl_matrix_set(J, row, 3 * link->i + k, s->fixed[link->i] ? 0.0 : -(&direction.x)[k]);
            gsl_matrix_set(J, row, 3 * link->j + k, s->fixed[link->j] ? 0.0 : (&direction.x)[k]);
        }
    for (size_t row = 0; row < each * l->n; row++)
        if (row % each > 0)
            naive_turn_row(s, piece, &l->link[row / each],
                           naive_direction(&l->link[row / each], row % each),
                           gsl_matrix_ptr(J, row, 0));
    return J;
}

/* A row of J v. */
static inline double naive_row_speed(const gsl_matrix *J, size_t row, const struct vec3 *v)
{
    double sum = 0.0;
    for (size_t at = 0; at < J->size2; at++)
        sum += gsl_matrix_get(J, row, at) * (&v[at / 3].x)[at % 3];
    return sum;
}

/* The coefficient of each link: that at rest for those that do not slip by the velocities that were
 * seen. One that slips nevertheless when it has this bound gets other velocities than those. */
static inline const double *naive_coefficients(const struct naive_links *l, const gsl_matrix *J)
{
    static double mu[NAIVE_PAIRS];
    for (size_t c = 0; c < l->n; c++) {
        mu[c] = l->friction;
        if (l->seen && hypot(naive_row_speed(J, 3 * c + 1, l->seen),
                             naive_row_speed(J, 3 * c + 2, l->seen)) < 1e-9)
            mu[c] = l->sticking;
    }
    return mu;
}

/* How fast a link opens by the mean velocities of a step that changes v to v + dv without links. */
static inline double naive_opening(const struct naive *s, const struct naive_links *l,
                                   const struct naive_link *link, const struct vec3 *v,
                                   const gsl_vector *dv)
{
    struct vec3 mean[2];
    for (size_t end = 0; end < 2; end++) {
        size_t i = end ? link->j : link->i;
        double share = s->system[i] == FLUID ? 1.0 : l->share;
        const double *change = gsl_vector_const_ptr(dv, 3 * i);
        mean[end] = vec3_axpy(v[i], share, vec3(change[0], change[1], change[2]));
    }
    return (vec3_dot(link->n, vec3_sub(mean[1], mean[0])) + link->offset) / link->share;
}

/* v += dv of the problem above; A and b are used up, p are the impulses, of `each` rows of a link:
 * 1, or 3 with friction, which `pressed` bounds as well. */
static inline void naive_least(const struct naive *s, const struct naive_links *l, size_t each,
                               const double *pressed, gsl_matrix *A, gsl_vector *b, struct vec3 *v,
                               double *p)
{
    size_t n = 3 * s->n, m = each * l->n + 1;
    static double q[3 * NAIVE_PAIRS];
    naive_fix(s, A, b);
    gsl_matrix *J = naive_rows(s, l, each), *Y = gsl_matrix_alloc(n, m),
               *W = gsl_matrix_alloc(m, m);
    gsl_linalg_cholesky_decomp1(A);
    gsl_linalg_cholesky_svx(A, b);
    gsl_matrix_transpose_memcpy(Y, J);
    for (size_t c = 0; c < m; c++) {
        gsl_vector_view column = gsl_matrix_column(Y, c);
        gsl_vector *copy = gsl_vector_alloc(n);
        gsl_vector_memcpy(copy, &column.vector);
        gsl_linalg_cholesky_svx(A, copy);
        gsl_vector_memcpy(&column.vector, copy);
        gsl_vector_free(copy);
    }
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, J, Y, 0.0, W);
    for (size_t c = 0; c < l->n; c++)
        q[each * c] = naive_opening(s, l, &l->link[c], v, b);
    for (size_t i = 0; i < n; i++)
        (&v[i / 3].x)[i % 3] += gsl_vector_get(b, i);
    for (size_t row = 0; row < each * l->n; row++)
        if (row % each > 0)
            q[row] = naive_row_speed(J, row, v);
    if (each == 1)
        naive_impulses(W, q, l->n, p);
    else
        naive_cones(W, q, l->n, naive_coefficients(l, J), pressed, p);
    for (size_t i = 0; i < n; i++)
        for (size_t row = 0; row < each * l->n; row++)
            (&v[i / 3].x)[i % 3] += gsl_matrix_get(Y, i, row) * p[row];
    gsl_matrix_free(A);
    gsl_matrix_free(J);
    gsl_matrix_free(Y);
    gsl_matrix_free(W);
    gsl_vector_free(b);
}

/* Adds the B of the bonds to A, and sets b to the impulses of bonds and gravity, or, for particles
 * of the fluid, to those that its own step found. */
static inline void naive_assemble(const struct naive *s, double share, const struct vec3 *v,
                                  gsl_matrix *A, gsl_vector *b)
{
    gsl_matrix *B = gsl_matrix_alloc(3 * s->n, 3 * s->n);
    gsl_vector *beyond = gsl_vector_alloc(3 * s->n);
    naive_bonds(s, share, B, b);
    for (size_t at = 0; at < 3 * s->n; at++)
        gsl_vector_set(beyond, at, (&v[at / 3].x)[at % 3] - (&s->turn.lead[at / 3].x)[at % 3]);
    gsl_blas_dgemv(CblasNoTrans, -1.0 / share, B, beyond, 1.0, b);
    gsl_matrix_add(A, B);
    for (size_t at = 0; at < 3 * s->n; at++) {
        size_t i = at / 3;
        double change = s->dt * (&s->gravity.x)[at % 3];
        if (s->system[i] == FLUID)
            change = (&s->found[FLUID][i].x)[at % 3] - (&v[i].x)[at % 3];
        *gsl_vector_ptr(b, at) += s->m[i] * change;
    }
    gsl_matrix_free(B);
    gsl_vector_free(beyond);
}

/* Gives the impulses of merging back along the present normals, times a factor theta that is the
 * same for all links of a component and returns its energy. */
static inline void naive_give_back(struct naive *s, const struct naive_links *l, size_t component,
                                   const double *stored)
{
    struct vec3 kick[NAIVE_MOST] = {{0, 0, 0}};
    double a = 0.0, b = 0.0, energy = 0.0;
    for (size_t c = 0; c < l->n; c++) {
        const struct naive_link *link = &l->link[c];
        if (link->component != component)
            continue;
        energy += s->alpha * stored[c];
        b += link->merge * naive_speed(link, s->joined);
        for (int end = 0; end < 2; end++) {
            size_t i = end ? link->j : link->i;
            if (!s->fixed[i])
                kick[i] = vec3_axpy(kick[i], (end ? 1.0 : -1.0) * link->merge / s->m[i], link->n);
        }
    }
    for (size_t i = 0; i < s->n; i++)
        a += 0.5 * s->m[i] * vec3_norm2(kick[i]);
    double theta =
        a > 0.0 && energy > 0.0 ? (-b + sqrt(b * b + 4.0 * a * energy)) / (2.0 * a) : 0.0;
    for (size_t i = 0; i < s->n; i++)
        s->split[i] = vec3_axpy(s->split[i], theta, kick[i]);
}

static inline void naive_turn_normals(const struct naive *s, struct naive_links *l)
{
    for (size_t c = 0; c < l->n; c++) {
        struct vec3 d = vec3_sub(s->x[l->link[c].j], s->x[l->link[c].i]);
        l->link[c].n = vec3_scale(1.0 / vec3_norm(d), d);
    }
}

static inline void naive_split_links(struct naive *s, struct naive_links *l, const double *stored)
{
    memcpy(s->split, s->joined, s->n * sizeof *s->split);
    for (size_t component = 0; component < l->n; component++)
        naive_give_back(s, l, component, stored);
}

/* Gives the links of components with a free particle of the network this share, and the others 1.
 */
static inline void naive_share_links(const struct naive *s, struct naive_links *l, double share)
{
    for (size_t c = 0; c < l->n; c++)
        l->link[c].share = 1.0;
    for (size_t c = 0; c < l->n; c++)
        for (size_t end = 0; end < 2; end++) {
            size_t i = end ? l->link[c].j : l->link[c].i;
            for (size_t d = 0; d < l->n && s->system[i] != FLUID && !s->fixed[i]; d++)
                if (l->link[d].component == l->link[c].component)
                    l->link[d].share = share;
        }
}

/* The velocities by which particles move in a step from v to `after`, when the fluid alone would
 * have moved by s->found. */
static inline void naive_mean(const struct naive *s, const struct naive_links *l,
                              const struct vec3 *v, const struct vec3 *after, struct vec3 *mean)
{
    double share[NAIVE_MOST];
    for (size_t i = 0; i < s->n; i++)
        share[i] = s->system[i] == FLUID ? 1.0 : l->share;
    for (size_t c = 0; c < l->n; c++)
        share[l->link[c].i] = share[l->link[c].j] = l->link[c].share;
    for (size_t i = 0; i < s->n; i++) {
        const struct vec3 *from = s->system[i] == FLUID ? &s->found[FLUID][i] : &v[i];
        mean[i] = vec3_axpy(*from, share[i], vec3_sub(after[i], *from));
    }
}

/* Merges: finds v, the impulses of links, and the energy that each stored. */
static inline void naive_merge_links(const struct naive *s, struct naive_links *l, struct vec3 *v,
                                     double *stored)
{
    static double p[NAIVE_PAIRS], before[NAIVE_PAIRS];
    memcpy(v, s->v, s->n * sizeof *v);
    naive_share_links(s, l, 1.0);
    for (size_t c = 0; c < l->n; c++)
        before[c] = naive_speed(&l->link[c], v);
    naive_least(s, l, 1, NULL, naive_masses(s), gsl_vector_calloc(3 * s->n), v, p);
    for (size_t c = 0; c < l->n; c++) {
        l->link[c].merge = p[c];
        stored[c] = -0.5 * p[c] * (before[c] + naive_speed(&l->link[c], v));
    }
}

/* Integrates with every particle as a group of its own, from the velocities v. */
static inline void naive_integrate_links(struct naive *s, struct naive_links *l, struct vec3 *v,
                                         struct vec3 *mean)
{
    struct vec3 before[NAIVE_MOST];
    memcpy(before, v, s->n * sizeof *v);
    naive_share_links(s, l, l->share);
    static double p[3 * NAIVE_PAIRS], pressed[NAIVE_PAIRS];
    size_t each = l->friction > 0.0 ? 3 : 1;
    naive_merge_all(s, 0, NULL, NULL);
    for (size_t i = 0; i < s->n; i++)
        s->node[i].v = v[i];
    s->integrate[FLUID](s);
    gsl_matrix *A = naive_masses(s);
    gsl_vector *b = gsl_vector_alloc(3 * s->n);
    naive_follow(s, l->share < 1.0);
    naive_assemble(s, l->share, v, A, b);
    for (size_t c = 0; c < l->n; c++)
        pressed[c] = (1.0 + sqrt(s->alpha)) * l->link[c].merge;
    naive_least(s, l, each, pressed, A, b, v, p);
    naive_mean(s, l, before, v, mean);
    gsl_matrix *J = naive_rows(s, l, 3);
    for (size_t c = 0; c < l->n; c++) {
        struct naive_link *link = &l->link[c];
        link->hold = p[each * c];
        link->press = link->hold + pressed[c];
        link->rub = each == 3 ? hypot(p[3 * c + 1], p[3 * c + 2]) : 0.0;
        link->slip = hypot(naive_row_speed(J, 3 * c + 1, v), naive_row_speed(J, 3 * c + 2, v));
    }
    gsl_matrix_free(J);
}

static inline bool naive_arrives(const struct naive_links *l, size_t component)
{
    for (size_t c = 0; c < l->n; c++)
        if (l->link[c].component == component && l->link[c].merge > 0.0 && l->link[c].offset > 0.0)
            return true;
    return false;
}

/* Whether a pair was pressed by the mean velocities of a step, and may approach at its end. */
static inline bool naive_pressed(const struct naive_link *link)
{
    return link->share < 1.0 && link->hold > 0.0 && !(link->merge > 0.0);
}

/* After the move: in each component in which a link with an impulse had a gap, the links with an
 * impulse merge what still approaches; so do those that were pressed, for which nothing is stored.
 * With friction, these impulses rub, too. */
static inline void naive_arrive(struct naive *s, struct naive_links *l, double *stored)
{
    static struct naive_links again;
    static double p[3 * NAIVE_PAIRS], before[NAIVE_PAIRS], pressed[NAIVE_PAIRS];
    static size_t which[NAIVE_PAIRS];
    again.n = 0;
    for (size_t c = 0; c < l->n; c++)
        if ((l->link[c].merge > 0.0 && naive_arrives(l, l->link[c].component)) ||
            naive_pressed(&l->link[c])) {
            which[again.n] = c;
            again.link[again.n] = l->link[c];
            again.link[again.n].share = 1.0;
            again.link[again.n++].offset = 0.0;
        }
    for (size_t c = 0; c < again.n; c++)
        before[c] = naive_speed(&again.link[c], s->joined);
    naive_least(s, &again, 1, NULL, naive_masses(s), gsl_vector_calloc(3 * s->n), s->joined, p);
    for (size_t c = 0; c < again.n; c++) {
        double after = naive_speed(&again.link[c], s->joined);
        double back = naive_pressed(&l->link[which[c]]) ? 0.0 : 1.0;
        l->link[which[c]].stopped = (1.0 - back) * p[c];
        l->link[which[c]].merge += back * p[c];
        l->link[which[c]].arrival = p[c];
        stored[which[c]] -= back * 0.5 * p[c] * (before[c] + after);
        pressed[c] = (1.0 + back * sqrt(s->alpha)) * p[c];
    }
    again.friction = l->friction; /* at rest, too */
    if (l->friction > 0.0)
        naive_least(s, &again, 3, pressed, naive_masses(s), gsl_vector_calloc(3 * s->n), s->joined,
                    p);
}

static inline void naive_sliding_step(struct naive *s, double dt, struct naive_links *l)
{
    static double stored[NAIVE_PAIRS];
    struct vec3 v[NAIVE_MOST], mean[NAIVE_MOST];
    s->dt = dt;
    naive_find_links(s, l);
    do {
        do
            naive_merge_links(s, l, v, stored);
        while (naive_link_more(s, l, v));
        naive_integrate_links(s, l, v, mean);
    } while (naive_link_more(s, l, mean));
    memcpy(s->joined, v, s->n * sizeof *v);
    for (size_t i = 0; i < s->n; i++)
        s->x[i] = vec3_axpy(s->x[i], dt, mean[i]);
    naive_turn_normals(s, l);
    naive_arrive(s, l, stored);
    naive_split_links(s, l, stored);
    memcpy(s->v, s->split, s->n * sizeof *s->v);
    s->step++;
}

#endif
