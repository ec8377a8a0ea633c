/* Small problems of contacts with friction, with a dense matrix, and the law itself. */
#ifndef TESTS_COULOMB_SCENES_H
#define TESTS_COULOMB_SCENES_H

#include "particles/random.h"
#include "solvers/coulomb.h"
#include "tap.h"

enum { CONTACTS = 8, ROWS = 3 * (CONTACTS + 1), PARTICLES = 4 };

/* W = J M^-1 J^T of contacts with a frame each, between particles or with the ground; q = J v. */
struct scene {
    size_t n; /* rows */
    double J[ROWS][3 * PARTICLES], W[ROWS][ROWS], q[ROWS], pressed[CONTACTS + 1];
    size_t start[ROWS + 1];
    uint32_t column[ROWS * ROWS], row[ROWS];
    double value[ROWS * ROWS], diagonal[ROWS];
    struct contact_side side[2 * (CONTACTS + 1)];
};

static inline double uniform(uint64_t seed, uint64_t index)
{
    return 2.0 * random_uniform(seed, 3, index, RANDOM_TEST) - 1.0;
}

/* Three directions at right angles, of length 1. */
static inline void random_frame(uint64_t seed, uint64_t draw, struct vec3 frame[3])
{
    struct vec3 n = vec3(uniform(seed, draw), uniform(seed, draw + 1), uniform(seed, draw + 2));
    struct vec3 other = fabs(n.x) < fabs(n.y) ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    frame[0] = vec3_scale(1.0 / vec3_norm(n), n);
    struct vec3 across = vec3_cross(frame[0], other);
    frame[1] = vec3_scale(1.0 / vec3_norm(across), across);
    frame[2] = vec3_cross(frame[0], frame[1]);
}

/* What contacts move, of which each has `width` columns of J. */
static inline void find_sides(struct scene *s, const double *yields, uint32_t width)
{
    for (size_t k = 0; k < 2 * (s->n / 3); k++)
        s->side[k] = (struct contact_side){.moved = SIDE_STANDS};
    for (size_t c = 0; c < s->n / 3; c++)
        for (uint32_t b = 0, at = 0; b < 3 * PARTICLES / width; b++) {
            double along[3][6] = {{0.0}}, most = 0.0;
            for (size_t d = 0; d < 3; d++)
                for (size_t i = 0; i < width; i++) {
                    along[d][i] = s->J[3 * c + d][width * b + i] * sqrt(yields[width * b + i]);
                    most = fmax(most, fabs(along[d][i]));
                }
            if (!(most > 0.0))
                continue;
            struct contact_side *side = &s->side[2 * c + at++];
            *side = (struct contact_side){.moved = b, .width = width};
            memcpy(side->along, along, sizeof along);
        }
}

/* W from J and what each of its columns yields; q from the velocities of these. */
static inline struct sparse_rows assemble(struct scene *s, const double *yields,
                                          const double *velocity)
{
    size_t entries = 0;
    for (size_t k = 0; k < s->n; k++) {
        s->start[k] = entries;
        for (size_t u = 0; u < 3 * PARTICLES; u++)
            s->q[k] += s->J[k][u] * velocity[u];
        for (size_t l = 0; l < s->n; l++) {
            for (size_t u = 0; u < 3 * PARTICLES; u++)
                s->W[k][l] += s->J[k][u] * s->J[l][u] * yields[u];
            if (l == k || s->W[k][l] == 0.0)
                continue;
            s->column[entries] = (uint32_t)l;
            s->value[entries++] = s->W[k][l];
        }
        s->diagonal[k] = s->W[k][k];
    }
    s->start[s->n] = entries;
    return (struct sparse_rows){s->n, s->start, s->column, s->value, s->diagonal};
}

static inline double speed(const struct scene *s, const double *lambda, size_t k)
{
    double w = s->q[k];
    for (size_t l = 0; l < s->n; l++)
        w += s->W[k][l] * lambda[l];
    return w;
}

/* What happened; a comparison without slip or stick would prove nothing. */
struct record {
    size_t open, stick, slip;
};

static inline void judge_contact(const struct scene *s, const double *lambda, size_t c,
                                 double sliding, double sticking, double little,
                                 struct record *record)
{
    double N = lambda[3 * c], opens = speed(s, lambda, 3 * c), bound = N + s->pressed[c];
    double u[2] = {speed(s, lambda, 3 * c + 1), speed(s, lambda, 3 * c + 2)};
    const double *T = lambda + 3 * c + 1;
    double slip = hypot(u[0], u[1]), impulse = hypot(T[0], T[1]);
    check(N > -little && opens > -little);
    check(fabs(N) < little || fabs(opens) < little);
    if (slip < little) {
        check(impulse < sticking * bound + little);
        record->stick += bound > little;
        return;
    }
    for (int d = 0; d < 2; d++)
        check_close(T[d], -sliding * bound * u[d] / slip, little * (1.0 + 1.0 / slip), "T");
    *(bound > little ? &record->slip : &record->open) += 1;
}

#endif
