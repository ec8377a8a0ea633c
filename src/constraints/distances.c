#include "constraints/distances.h"

#include "base/memory.h"
#include "constraints/averaging.h"
#include "constraints/pair_rows.h"
#include "constraints/rows.h"

#include <stdlib.h>
#include <string.h>

/* What an iteration sees of a pair that is whole and has an end that moves. */
struct look {
    struct vec3 along; /* from the smaller end to the larger one, of length 1 */
    double excess;     /* by how much it is too long, m */
    double change;     /* of the multiplier, if there are some */
};

struct distances {
    struct constraint constraint; /* must be first */
    struct distance_list list;
    struct pair_rows rows;
    double *number;     /* of whole distances at each particle (rows.n) */
    double *multiplier; /* of each distance in this step, N s^2 = kg m (pairs.n); NULL: rigid */
    struct look *look;  /* (pairs.n) */
};

static void distances_free(struct constraint *constraint)
{
    struct distances *d = (struct distances *)constraint;
    pair_list_free(&d->list.pairs);
    free(d->list.compliance);
    pair_rows_free(&d->rows);
    free(d->number);
    free(d->multiplier);
    free(d->look);
    free(d);
}

static enum status distances_find(struct constraint *constraint,
                                  const struct candidates *candidates, struct error *error)
{
    struct distances *d = (struct distances *)constraint;
    (void)candidates, (void)error;
    for (size_t i = 0; i < d->rows.n; i++) {
        size_t number = 0;
        for (size_t k = d->rows.start[i]; k < d->rows.start[i + 1]; k++)
            number += d->list.whole[d->rows.pair[k]] != 0;
        d->number[i] = (double)number;
    }
    if (d->multiplier)
        memset(d->multiplier, 0, d->list.pairs.n * sizeof *d->multiplier);
    return STATUS_OK;
}

static struct end_of_constraint end_at(const struct distances *d, const struct candidates *c,
                                       size_t i)
{
    return (struct end_of_constraint){c->weight[i], d->number[i]};
}

/* The direction from the pair's smaller end to its larger one, and by how much it is too long. */
static void look_at(const struct distances *d, const struct candidates *c, size_t e,
                    struct look *look)
{
    const struct pair pair = d->list.pairs.pair[e];
    struct vec3 way = vec3_sub(c->at[pair.j], c->at[pair.i]);
    double length = vec3_norm(way);
    look->excess = length - d->list.length[e];
    look->along = length > 0.0 ? vec3_scale(1.0 / length, way) : vec3(0.0, 0.0, 1.0);
}

/* The change of the multiplier of a compliant distance, of which masses are split whatever the
 * averaging is: with UPP 12, both ends would take different parts of it, and it would converge to
 * another length. */
static double multiplier_change(const struct distances *d, const struct candidates *c, size_t e,
                                double excess)
{
    const struct pair pair = d->list.pairs.pair[e];
    struct end_of_constraint i = end_at(d, c, pair.i), j = end_at(d, c, pair.j);
    double softness = d->list.compliance[e] / (c->dt * c->dt);
    return c->averaging.omega * (-excess - softness * d->multiplier[e]) /
           (i.number * i.weight + j.number * j.weight + softness);
}

/* All pairs once, for both their ends. */
static void look_at_all(struct distances *d, const struct candidates *c)
{
#pragma omp parallel for schedule(static) if (d->list.pairs.n > FEW_PARTICLES)
    for (size_t e = 0; e < d->list.pairs.n; e++) {
        const struct pair pair = d->list.pairs.pair[e];
        struct look *look = &d->look[e];
        if (!d->list.whole[e] || !(c->weight[pair.i] + c->weight[pair.j] > 0.0))
            continue;
        look_at(d, c, e, look);
        if (!d->multiplier)
            continue;
        look->change = multiplier_change(d, c, e, look->excess);
        d->multiplier[e] += look->change;
    }
}

static void add_held(const struct candidates *c, size_t other, struct vec3 shift, struct row *row)
{
    if (c->weight[other] > 0.0)
        return;
    row->held = vec3_add(row->held, shift);
    row->held_work += vec3_dot(shift, c->velocity[other]);
}

static void distance_row(const struct constraint *constraint, const struct candidates *c, size_t i,
                         struct row *row)
{
    const struct distances *d = (const struct distances *)constraint;
    const bool rigid = !d->multiplier;
    for (size_t k = d->rows.start[i]; k < d->rows.start[i + 1]; k++) {
        const size_t e = d->rows.pair[k], other = d->rows.other[k];
        const struct look *look = &d->look[e];
        double share, violation = fabs(look->excess);
        if (!d->list.whole[e])
            continue;
        if (rigid)
            share =
                look->excess * averaging_share(&c->averaging, end_at(d, c, i), end_at(d, c, other));
        else
            share = -c->weight[i] * look->change;
        struct vec3 shift = vec3_scale(other > i ? share : -share, look->along);
        row->shift = vec3_add(row->shift, shift);
        row->violation = violation > row->violation ? violation : row->violation;
        add_held(c, other, shift, row);
    }
    double end = rigid ? averaging_end(&c->averaging, d->number[i]) : 1.0;
    row->shift = vec3_scale(end, row->shift);
    row->held = vec3_scale(end, row->held);
    row->held_work *= end;
}

static void distances_solve(struct constraint *constraint, const struct candidates *candidates,
                            struct corrections *corrections)
{
    look_at_all((struct distances *)constraint, candidates);
    rows_solve(distance_row, constraint, candidates, corrections);
}

static const struct constraint_class distances_class = {
    .name = "distances",
    .find = distances_find,
    .solve = distances_solve,
    .free = distances_free,
};

static enum status distances_fill(struct distances *d, size_t n, struct error *error)
{
    size_t pairs = d->list.pairs.n;
    if (pair_rows_make(&d->rows, n, &d->list.pairs, error) ||
        array_create(&d->number, n, sizeof *d->number, "distances", error) ||
        array_create(&d->look, pairs, sizeof *d->look, "distances", error))
        return STATUS_FAILED;
    if (!d->list.compliance)
        return STATUS_OK;
    return array_create(&d->multiplier, pairs, sizeof *d->multiplier, "distances", error);
}

enum status distances_add(struct constraint_set *set, size_t n, const struct distance_list *list,
                          struct error *error)
{
    struct distances *d;
    if (array_create(&d, 1, sizeof *d, "distances", error)) {
        struct pair_list pairs = list->pairs;
        pair_list_free(&pairs);
        free(list->compliance);
        return STATUS_FAILED;
    }
    d->constraint.class = &distances_class;
    d->list = *list;
    set->group[CONSTRAINT_DISTANCES] = &d->constraint;
    return distances_fill(d, n, error);
}
