/* Impulses of contacts with and without friction by dense matrices: one row after the other is
 * solved, again and again, until nothing changes (Hildreth 1957). */
#ifndef TESTS_NAIVE_CONES_H
#define TESTS_NAIVE_CONES_H

#include "tap.h"

#include <gsl/gsl_matrix.h>

/* Finds p >= 0 with W p + q >= 0, where in each row one of the two is 0. */
static inline void naive_impulses(const gsl_matrix *W, const double *q, size_t n, double *p)
{
    double scale = 0.0;
    for (size_t c = 0; c < n; c++) {
        p[c] = 0.0;
        scale = fmax(scale, fabs(q[c]));
    }
    for (int sweep = 0; sweep < 40000; sweep++) {
        double change = 0.0;
        for (size_t c = 0; c < n; c++) {
            double w = q[c], d = gsl_matrix_get(W, c, c);
            const double *row = gsl_matrix_const_ptr(W, c, 0);
            for (size_t k = 0; k < n; k++)
                w += row[k] * p[k];
            double to = fmax(0.0, p[c] - w / d);
            change = fmax(change, d * fabs(to - p[c]));
            p[c] = to;
        }
        if (change <= 1e-15 * scale)
            break;
    }
}

/* Puts two impulses across a contact to at most a bound; returns by how much they change, as a
 * speed. */
static inline double naive_bound(const double to[2], const double d[2], double bound, double p[2])
{
    double length = hypot(to[0], to[1]), share = length > bound ? bound / length : 1.0;
    double change = 0.0;
    for (size_t k = 0; k < 2; k++) {
        change = fmax(change, d[k] * fabs(share * to[k] - p[k]));
        p[k] = share * to[k];
    }
    return change;
}

/* The same with Coulomb's law: impulses across are at most mu (N + pressed), and so large against
 * the speed across if there is one. Three rows of W for each of n contacts, each of which has its
 * mu. There may be several solutions; sweeps begin with all contacts pressed, and end where more of
 * them stick. */
static inline void naive_cones(const gsl_matrix *W, const double *q, size_t n, const double *mu,
                               const double *pressed, double *p)
{
    double scale = 0.0, change = 1.0;
    for (size_t row = 0; row < 3 * n; row++)
        scale = fmax(scale, fabs(q[row]));
    for (size_t row = 0; row < 3 * n; row++)
        p[row] = row % 3 == 0 ? scale / gsl_matrix_get(W, row, row) : 0.0;
    for (int sweep = 0; sweep < 1000000 && change > 1e-14 * scale; sweep++) {
        change = 0.0;
        for (size_t c = 0; c < n; c++) {
            double to[3], d[3],
                across = gsl_matrix_get(W, 3 * c + 1, 3 * c + 1) +
                         gsl_matrix_get(W, 3 * c + 2, 3 * c + 2);
            for (size_t k = 0; k < 3; k++) {
                const double *row = gsl_matrix_const_ptr(W, 3 * c + k, 0);
                double w = q[3 * c + k];
                d[k] = k == 0 ? row[3 * c] : across;
                for (size_t other = 0; other < 3 * n; other++)
                    w += row[other] * p[other];
                to[k] = p[3 * c + k] - w / d[k];
                if (k > 0)
                    continue;
                to[0] = fmax(0.0, to[0]);
                change = fmax(change, d[0] * fabs(to[0] - p[3 * c]));
                p[3 * c] = to[0];
            }
            double bound = mu[c] * (p[3 * c] + pressed[c]);
            change = fmax(change, naive_bound(to + 1, d + 1, bound, p + 3 * c + 1));
        }
    }
    check(change <= 1e-14 * scale); /* the sweeps have ended */
}

#endif
