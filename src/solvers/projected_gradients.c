#include "solvers/projected_gradients.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void projected_gradients_free(struct projected_gradients *g)
{
    free(g->place);
    free(g->root);
    free(g->x);
    free(g->slope);
    free(g->direction);
    free(g->image);
    free(g->w.start);
    free(g->w.column);
    free(g->w.value);
    *g = (struct projected_gradients){0};
}

static enum status reserve(struct projected_gradients *g, size_t n_all, size_t n, size_t entries,
                           struct error *error)
{
    static const char what[] = "contacts";
    if (array_reserve(&g->place, &g->place_capacity, n_all, sizeof *g->place, what, error) ||
        array_reserve(&g->root, &g->root_capacity, n, sizeof *g->root, what, error) ||
        array_reserve(&g->x, &g->x_capacity, n, sizeof *g->x, what, error) ||
        array_reserve(&g->slope, &g->slope_capacity, n, sizeof *g->slope, what, error) ||
        array_reserve(&g->direction, &g->direction_capacity, n, sizeof *g->direction, what,
                      error) ||
        array_reserve(&g->image, &g->image_capacity, n, sizeof *g->image, what, error) ||
        array_reserve(&g->w.start, &g->start_capacity, n + 1, sizeof *g->w.start, what, error) ||
        array_reserve(&g->w.column, &g->column_capacity, entries, sizeof *g->w.column, what,
                      error) ||
        array_reserve(&g->w.value, &g->value_capacity, entries, sizeof *g->w.value, what, error))
        return STATUS_FAILED;
    g->w.n = n;
    return STATUS_OK;
}

/* The rows of W, next to each other and scaled. */
static void copy_rows(struct projected_gradients *g, const struct sparse_rows *w,
                      const uint32_t *row)
{
    size_t entry = 0;
    for (size_t k = 0; k < g->w.n; k++) {
        g->place[row[k]] = (uint32_t)k;
        g->root[k] = sqrt(w->diagonal[row[k]]);
    }
    for (size_t k = 0; k < g->w.n; k++) {
        g->w.start[k] = entry;
        for (size_t e = w->start[row[k]]; e < w->start[row[k] + 1]; e++, entry++) {
            uint32_t l = g->place[w->column[e]];
            g->w.column[entry] = l;
            g->w.value[entry] = w->value[e] / (g->root[k] * g->root[l]);
        }
    }
    g->w.start[g->w.n] = entry;
}

static double row_times(const struct sparse_rows *w, size_t k, const double *x)
{
    double sum = x[k];
    for (size_t e = w->start[k]; e < w->start[k + 1]; e++)
        sum += w->value[e] * x[w->column[e]];
    return sum;
}

/* A problem at work, in scaled variables. */
struct problem {
    struct projected_gradients *g;
    size_t n;
    double fixed_step; /* along the gradient, where bounds are met: at most 2 / |W| */
};

/* Squares of lengths of the gradient: of rows that are free, as far as they can go; of rows at
 * their bound that would leave it. */
struct gradient {
    double reduced, leaving;
    double worst; /* in units of q */
};

/* |W| is at most the largest sum of a row. */
static double find_fixed_step(const struct sparse_rows *w)
{
    double largest = 1.0;
    for (size_t k = 0; k < w->n; k++) {
        double sum = 1.0;
        for (size_t e = w->start[k]; e < w->start[k + 1]; e++)
            sum += fabs(w->value[e]);
        largest = sum > largest ? sum : largest;
    }
    return 2.0 / largest;
}

static struct gradient measure(const struct problem *p)
{
    const struct projected_gradients *g = p->g;
    struct gradient gradient = {0.0, 0.0, 0.0};
    double per_step = 1.0 / p->fixed_step;
    for (size_t k = 0; k < p->n; k++) {
        double slope = g->slope[k], x = g->x[k], most = per_step * x;
        double left = g->root[k] * fabs(slope < x ? slope : x);
        gradient.worst = left > gradient.worst ? left : gradient.worst;
        gradient.reduced += x > 0.0 ? (slope < most ? slope : most) * slope : 0.0;
        gradient.leaving += x > 0.0 || slope > 0.0 ? 0.0 : slope * slope;
    }
    return gradient;
}

/* direction = gradient of the free rows - share * direction. */
static void turn(const struct problem *p, double share)
{
    const struct projected_gradients *g = p->g;
    for (size_t k = 0; k < p->n; k++)
        g->direction[k] = (g->x[k] > 0.0 ? g->slope[k] : 0.0) - share * g->direction[k];
}

/* The gradient of the free rows alone. */
static void turn_anew(const struct problem *p)
{
    const struct projected_gradients *g = p->g;
    for (size_t k = 0; k < p->n; k++)
        g->direction[k] = g->x[k] > 0.0 ? g->slope[k] : 0.0;
}

/* Rows at their bound that would leave it, and no others. */
static void turn_to_leaving(const struct problem *p)
{
    const struct projected_gradients *g = p->g;
    for (size_t k = 0; k < p->n; k++)
        g->direction[k] = g->x[k] > 0.0 || g->slope[k] > 0.0 ? 0.0 : g->slope[k];
}

/* Along the direction: how much the value bends, where it is least, and where a bound is. */
struct way {
    double curvature, least, room;
    bool felt; /* by W, beyond rounding */
};

static struct way look_ahead(const struct problem *p)
{
    const struct projected_gradients *g = p->g;
    static const double rounding = 1e-14;
    double curvature = 0.0, downhill = 0.0, length2 = 0.0, room = (double)INFINITY;
    for (size_t k = 0; k < p->n; k++) {
        double direction = g->direction[k];
        g->image[k] = row_times(&g->w, k, g->direction);
        curvature += direction * g->image[k];
        length2 += direction * direction;
        downhill += direction * g->slope[k];
        double here = direction > 0.0 ? g->x[k] / direction : room;
        room = here < room ? here : room;
    }
    return (struct way){curvature, downhill / curvature, room, curvature > rounding * length2};
}

/* x and its slope, farther along the direction; returns what the image has of the new gradient of
 * the free rows. */
static double go(const struct problem *p, double share)
{
    const struct projected_gradients *g = p->g;
    double sum = 0.0;
    for (size_t k = 0; k < p->n; k++) {
        double x = g->x[k] - share * g->direction[k];
        g->x[k] = x > 0.0 ? x : 0.0;
        g->slope[k] -= share * g->image[k];
        sum += x > 0.0 ? g->slope[k] * g->image[k] : 0.0;
    }
    return sum;
}

static void find_slope(const struct problem *p, const double *q, const uint32_t *row)
{
    const struct projected_gradients *g = p->g;
    for (size_t k = 0; k < p->n; k++)
        g->slope[k] = q[row[k]] / g->root[k] + row_times(&g->w, k, g->x);
}

/* To the nearest bound and then along the gradient, projected: several rows may meet bounds. The
 * slope changes by W times the change. */
static void expand(const struct problem *p, double room)
{
    const struct projected_gradients *g = p->g;
    go(p, room);
    for (size_t k = 0; k < p->n; k++) {
        double x = g->x[k] - p->fixed_step * g->slope[k], to = x > 0.0 ? x : 0.0;
        g->direction[k] = g->x[k] > 0.0 ? to - g->x[k] : 0.0;
    }
    for (size_t k = 0; k < p->n; k++) {
        g->x[k] += g->direction[k];
        g->slope[k] += row_times(&g->w, k, g->direction);
    }
    turn_anew(p);
}

/* One iteration; returns the number of products. 0: what is left is rounding, in a direction that W
 * does not feel, along which there is no least value. */
static size_t advance(const struct problem *p, const struct gradient *gradient)
{
    bool leaves = gradient->leaving > gradient->reduced;
    if (leaves)
        turn_to_leaving(p);
    struct way way = look_ahead(p);
    if (!way.felt)
        return 0;
    if (leaves) {
        go(p, way.least);
        turn_anew(p);
        return 1;
    }
    if (way.least > way.room) {
        expand(p, way.room);
        return 2;
    }
    turn(p, go(p, way.least) / way.curvature);
    return 1;
}

enum status projected_gradients_solve(struct projected_gradients *g, const struct sparse_rows *w,
                                      size_t n, const uint32_t *row, const double *q,
                                      double tolerance, size_t most_iterations, double *lambda,
                                      struct projected_gradients_report *report,
                                      struct error *error)
{
    struct problem p = {.g = g, .n = n};
    size_t entries = 0;
    for (size_t k = 0; k < n; k++)
        entries += w->start[row[k] + 1] - w->start[row[k]];
    if (reserve(g, w->n, n, entries, error))
        return STATUS_FAILED;
    copy_rows(g, w, row);
    p.fixed_step = find_fixed_step(&g->w);
    for (size_t k = 0; k < n; k++)
        g->x[k] = lambda[row[k]] > 0.0 ? lambda[row[k]] * g->root[k] : 0.0;
    find_slope(&p, q, row);
    turn_anew(&p);
    *report = (struct projected_gradients_report){0};
    for (;;) {
        struct gradient gradient = measure(&p);
        report->worst = gradient.worst;
        if (gradient.worst <= tolerance || report->iterations >= most_iterations)
            break;
        size_t products = advance(&p, &gradient);
        if (products == 0)
            break;
        report->iterations += products;
    }
    for (size_t k = 0; k < n; k++)
        lambda[row[k]] = g->x[k] / g->root[k];
    return STATUS_OK;
}
