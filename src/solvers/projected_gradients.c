#include "solvers/projected_gradients.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void projected_gradients_free(struct projected_gradients *g)
{
    incomplete_factor_free(&g->factor);
    free(g->part);
    free(g->row);
    free(g->works);
    free(g->place);
    free(g->root);
    free(g->x);
    free(g->slope);
    free(g->direction);
    free(g->image);
    free(g->gradient);
    free(g->w.start);
    free(g->w.column);
    free(g->w.value);
    *g = (struct projected_gradients){0};
}

static enum status reserve(struct projected_gradients *g, size_t n_parts, size_t n_all, size_t n,
                           size_t entries, struct error *error)
{
    static const char what[] = "contacts";
    if (array_reserve(&g->part, &g->part_capacity, n_parts, sizeof *g->part, what, error) ||
        array_reserve(&g->row, &g->row_capacity, n, sizeof *g->row, what, error) ||
        array_reserve(&g->works, &g->works_capacity, n, sizeof *g->works, what, error) ||
        array_reserve(&g->place, &g->place_capacity, n_all, sizeof *g->place, what, error) ||
        array_reserve(&g->root, &g->root_capacity, n, sizeof *g->root, what, error) ||
        array_reserve(&g->x, &g->x_capacity, n, sizeof *g->x, what, error) ||
        array_reserve(&g->slope, &g->slope_capacity, n, sizeof *g->slope, what, error) ||
        array_reserve(&g->direction, &g->direction_capacity, n, sizeof *g->direction, what,
                      error) ||
        array_reserve(&g->image, &g->image_capacity, n, sizeof *g->image, what, error) ||
        array_reserve(&g->gradient, &g->gradient_capacity, n, sizeof *g->gradient, what, error) ||
        array_reserve(&g->w.start, &g->start_capacity, n + 1, sizeof *g->w.start, what, error) ||
        array_reserve(&g->w.column, &g->column_capacity, entries, sizeof *g->w.column, what,
                      error) ||
        array_reserve(&g->w.value, &g->value_capacity, entries, sizeof *g->w.value, what, error))
        return STATUS_FAILED;
    g->w.n = n;
    return STATUS_OK;
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Lists the rows of the parts. Along a chain of contacts the numbers of rows rise or fall, and in
 * ascending order the incomplete factor is nearly exact for chains. */
static void list_rows(struct projected_gradients *g, size_t n_parts, const size_t *start,
                      const uint32_t *row)
{
    for (size_t k = 0; k < g->w.n; k++)
        g->row[k] = row[k]; /* there may be no rows, and no memory for them */
    for (size_t k = 0; k < n_parts; k++) {
        g->part[k].first = start[k];
        g->part[k].end = start[k + 1];
        qsort(g->row + start[k], start[k + 1] - start[k], sizeof *row, by_number);
    }
}

/* Copies the rows, scaled. */
static void copy_rows(struct projected_gradients *g, const struct sparse_rows *w)
{
    size_t entry = 0;
    const uint32_t *row = g->row;
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

/* |W| is at most the largest sum of a row. */
static double find_fixed_step(const struct sparse_rows *w, const struct projected_gradients_part *p)
{
    double largest = 1.0;
    for (size_t k = p->first; k < p->end; k++) {
        double sum = 1.0;
        for (size_t e = w->start[k]; e < w->start[k + 1]; e++)
            sum += fabs(w->value[e]);
        largest = sum > largest ? sum : largest;
    }
    return 2.0 / largest;
}

enum status projected_gradients_take(struct projected_gradients *g, const struct sparse_rows *w,
                                     size_t n_parts, const size_t *start, const uint32_t *row,
                                     struct error *error)
{
    size_t entries = 0, n = start[n_parts];
    for (size_t k = 0; k < n; k++)
        entries += w->start[row[k] + 1] - w->start[row[k]];
    if (reserve(g, n_parts, w->n, n, entries, error))
        return STATUS_FAILED;
    list_rows(g, n_parts, start, row);
    copy_rows(g, w);
    for (size_t k = 0; k < n_parts; k++)
        g->part[k].fixed_step = find_fixed_step(&g->w, &g->part[k]);
    return incomplete_factor_of(&g->factor, &g->w, error);
}

static double row_times(const struct sparse_rows *w, size_t k, const double *x)
{
    double sum = x[k];
    for (size_t e = w->start[k]; e < w->start[k + 1]; e++)
        sum += w->value[e] * x[w->column[e]];
    return sum;
}

/* A problem while it is being solved, in scaled variables: the rows from `first` to before `end`.
 */
struct problem {
    struct projected_gradients *g;
    size_t first, end;
    double fixed_step;
};

/* Squared norms of parts of the gradient: `reduced` is that of the free rows, limited by how far
 * each can move; `leaving` is that of the rows at their bound that would leave it. */
struct gradient {
    double reduced, leaving;
    double worst; /* in units of q */
};

static struct gradient measure(const struct problem *p)
{
    const struct projected_gradients *g = p->g;
    struct gradient gradient = {0.0, 0.0, 0.0};
    double per_step = 1.0 / p->fixed_step;
    for (size_t k = p->first; k < p->end; k++) {
        double slope = g->slope[k], x = g->x[k], most = per_step * x;
        double left = g->root[k] * fabs(slope < x ? slope : x);
        gradient.worst = left > gradient.worst ? left : gradient.worst;
        gradient.reduced += x > 0.0 ? (slope < most ? slope : most) * slope : 0.0;
        gradient.leaving += x > 0.0 || slope > 0.0 ? 0.0 : slope * slope;
    }
    return gradient;
}

/* Fills g->gradient with the preconditioned gradient of the rows that take part. */
static void precondition(const struct problem *p)
{
    const struct projected_gradients *g = p->g;
    incomplete_factor_solve(&g->factor, p->first, p->end, g->works, g->slope, g->gradient);
}

/* Restarts the directions with the preconditioned gradient. */
static void begin(const struct problem *p)
{
    precondition(p);
    memcpy(p->g->direction + p->first, p->g->gradient + p->first,
           (p->end - p->first) * sizeof *p->g->direction);
}

/* Restarts with the free rows. */
static void begin_with_free(const struct problem *p)
{
    for (size_t k = p->first; k < p->end; k++)
        p->g->works[k] = p->g->x[k] > 0.0;
    begin(p);
}

/* Restarts with the free rows and those at their bound that would leave it. */
static void begin_with_leaving(const struct problem *p)
{
    for (size_t k = p->first; k < p->end; k++)
        p->g->works[k] = p->g->x[k] > 0.0 || p->g->slope[k] < 0.0;
    begin(p);
}

/* Makes the next direction from the preconditioned gradient, conjugate to the last direction, whose
 * curvature is given. */
static void turn(const struct problem *p, double curvature)
{
    const struct projected_gradients *g = p->g;
    double shared = 0.0;
    precondition(p);
    for (size_t k = p->first; k < p->end; k++)
        shared += g->gradient[k] * g->image[k];
    for (size_t k = p->first; k < p->end; k++)
        g->direction[k] = g->gradient[k] - shared / curvature * g->direction[k];
}

/* Along the direction: the curvature of the function, the step to its minimum, and the step to the
 * first bound. */
struct way {
    double curvature, least, room;
    bool felt; /* whether the curvature is more than rounding */
};

static struct way look_ahead(const struct problem *p)
{
    const struct projected_gradients *g = p->g;
    static const double rounding = 1e-14;
    double curvature = 0.0, downhill = 0.0, length2 = 0.0, room = (double)INFINITY;
    for (size_t k = p->first; k < p->end; k++) {
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

/* Moves x along the direction, and updates the slope. */
static void go(const struct problem *p, double share)
{
    const struct projected_gradients *g = p->g;
    for (size_t k = p->first; k < p->end; k++) {
        double x = g->x[k] - share * g->direction[k];
        g->x[k] = x > 0.0 ? x : 0.0;
        g->slope[k] -= share * g->image[k];
    }
}

static void find_slope(const struct problem *p, const double *q)
{
    const struct projected_gradients *g = p->g;
    for (size_t k = p->first; k < p->end; k++)
        g->slope[k] = q[g->row[k]] / g->root[k] + row_times(&g->w, k, g->x);
}

/* Adds `change` to x, and g->image, which is W change, to the slope. */
static void move(const struct problem *p, const double *change)
{
    const struct projected_gradients *g = p->g;
    for (size_t k = p->first; k < p->end; k++) {
        g->x[k] += change[k];
        g->slope[k] += g->image[k];
    }
}

/* Returns by how much the function falls if x changes by g->direction, and fills the image. */
static double fall(const struct problem *p)
{
    const struct projected_gradients *g = p->g;
    double sum = 0.0;
    for (size_t k = p->first; k < p->end; k++) {
        g->image[k] = row_times(&g->w, k, g->direction);
        sum -= g->direction[k] * (g->slope[k] + 0.5 * g->image[k]);
    }
    return sum;
}

/* Fills g->direction with the change of x by a step against `slope`, projected onto the bounds. */
static void project(const struct problem *p, double step, const double *slope)
{
    const struct projected_gradients *g = p->g;
    for (size_t k = p->first; k < p->end; k++) {
        double to = g->x[k] - step * slope[k];
        g->direction[k] = (to > 0.0 ? to : 0.0) - g->x[k];
    }
}

/* Goes beyond bounds: to the minimum without them, projected back onto them. If the function falls
 * by less than a step along the gradient guarantees, takes that step instead. Returns the number of
 * products with W. */
static size_t expand(const struct problem *p, const struct gradient *gradient, double least)
{
    const struct projected_gradients *g = p->g;
    double enough = 0.25 * p->fixed_step * (gradient->reduced + gradient->leaving);
    size_t products = 1;
    project(p, least, g->direction);
    if (!(fall(p) >= enough)) {
        project(p, p->fixed_step, g->slope);
        fall(p);
        products++;
    }
    move(p, g->direction);
    begin_with_free(p);
    return products;
}

/* Does one iteration; returns the number of products with W. It is 0 if the direction lies in the
 * null space of W up to rounding, because then there is no minimum along it. */
static size_t advance(const struct problem *p, const struct gradient *gradient)
{
    if (gradient->leaving > gradient->reduced)
        begin_with_leaving(p);
    struct way way = look_ahead(p);
    if (!way.felt)
        return 0;
    if (way.least > way.room)
        return 1 + expand(p, gradient, way.least);
    go(p, way.least);
    turn(p, way.curvature);
    return 1;
}

struct projected_gradients_report projected_gradients_solve(struct projected_gradients *g,
                                                            size_t part, const double *q,
                                                            double tolerance,
                                                            size_t most_iterations, double *lambda)
{
    const struct projected_gradients_part *rows = &g->part[part];
    struct problem p = {g, rows->first, rows->end, rows->fixed_step};
    struct projected_gradients_report report = {0};
    for (size_t k = p.first; k < p.end; k++)
        g->x[k] = lambda[g->row[k]] > 0.0 ? lambda[g->row[k]] * g->root[k] : 0.0;
    find_slope(&p, q);
    begin_with_free(&p);
    for (;;) {
        struct gradient gradient = measure(&p);
        report.worst = gradient.worst;
        if (gradient.worst <= tolerance || report.iterations >= most_iterations)
            break;
        size_t products = advance(&p, &gradient);
        if (products == 0)
            break;
        report.iterations += products;
    }
    for (size_t k = p.first; k < p.end; k++)
        lambda[g->row[k]] = g->x[k] / g->root[k];
    return report;
}
