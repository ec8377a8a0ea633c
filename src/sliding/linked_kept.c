/* The memory of links: the forces of the last step, with which the local problems of the next one
 * begin (linked_judge.c). For contact at rest this guess is already the solution. Where many
 * solutions are valid, as with friction, the next step continues with the same one. */
#include "base/memory.h"
#include "sliding/linked_parts.h"

#include <stdlib.h>
#include <string.h>

static int by_pair(const void *left, const void *right)
{
    const struct link_force *a = left, *b = right;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    if (a->j != b->j)
        return a->j < b->j ? -1 : 1;
    return 0;
}

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

/* Several walls may hold one particle, so that pairs repeat. With the force as a second key the
 * order has no ties, and is the same after a restart. */
static int by_pair_and_force(const void *left, const void *right)
{
    const struct link_force *a = left, *b = right;
    int order = by_pair(a, b);
    order = order ? order : by_number(a->force.x, b->force.x);
    order = order ? order : by_number(a->force.y, b->force.y);
    return order ? order : by_number(a->force.z, b->force.z);
}

static size_t first_of_pair(const struct linked *l, const struct link *link)
{
    const struct link_force key = {.i = link->i, .j = link->j};
    size_t low = 0, high = l->n_kept;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_pair(&l->kept[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The force of a link in the last step. If several walls held the particle, it is the force that is
 * largest along the link's normal. */
static struct vec3 force_of(const struct linked *l, const struct link *link)
{
    const struct link_force key = {.i = link->i, .j = link->j};
    struct vec3 force = vec3(0.0, 0.0, 0.0);
    for (size_t k = first_of_pair(l, link); k < l->n_kept && by_pair(&l->kept[k], &key) == 0; k++)
        if (vec3_dot(l->kept[k].force, link->normal) > vec3_dot(force, link->normal))
            force = l->kept[k].force;
    return force;
}

void linked_recall(struct linked *l, double dt)
{
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        size_t c = links_of_row(l->links, row);
        if (row == links_normal_row(l->links, c))
            l->recalled[c] = force_of(l, &l->links->link[c]);
    }
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        struct vec3 force = l->recalled[links_of_row(l->links, row)];
        l->expected[row] = dt * vec3_dot(force, links_direction(l->links, row));
    }
}

static struct vec3 impulse_of(const struct linked *l, size_t c)
{
    const struct links *links = l->links;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t d = 0; d < links->rows_each; d++) {
        size_t row = links_normal_row(links, c) + d;
        sum = vec3_axpy(sum, l->impulse[row], links_direction(links, row));
    }
    return sum;
}

/* Sorts the first n forces by their pairs. */
static void keep_in_order(struct linked *l, size_t n)
{
    if (n > 1)
        qsort(l->kept, n, sizeof *l->kept, by_pair_and_force);
    l->n_kept = n;
}

enum status linked_keep(struct linked *l, double dt, struct error *error)
{
    const struct links *links = l->links;
    if (array_reserve(&l->kept, &l->kept_capacity, links->n, sizeof *l->kept, "links", error))
        return STATUS_FAILED;
    size_t n = 0;
    for (size_t k = 0; k < l->n_scope; k += links->rows_each) {
        size_t c = links_of_row(links, l->scope[k]);
        struct vec3 force = vec3_scale(1.0 / dt, impulse_of(l, c));
        if (l->impulse[l->scope[k]] > 0.0)
            l->kept[n++] = (struct link_force){links->link[c].i, links->link[c].j, force};
    }
    keep_in_order(l, n);
    return STATUS_OK;
}

/* ---- as state ---- */

enum { NUMBERS = 5 /* per link */ };

enum status linked_list(const struct linked *l, size_t *n, void **data, struct error *error)
{
    double *value;
    *n = 0;
    *data = NULL;
    if (array_create(&value, NUMBERS * l->n_kept + 1, sizeof *value, "links", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < l->n_kept; k++) {
        const struct link_force *f = &l->kept[k];
        const double row[NUMBERS] = {f->i, f->j, f->force.x, f->force.y, f->force.z};
        memcpy(value + NUMBERS * k, row, sizeof row);
    }
    *n = l->n_kept;
    *data = value;
    return STATUS_OK;
}

static bool is_number(double x)
{
    return x >= 0.0 && x <= UINT32_MAX && floor(x) == x;
}

enum status linked_give(struct linked *l, size_t n, const double *data, struct error *error)
{
    if (array_reserve(&l->kept, &l->kept_capacity, n, sizeof *l->kept, "links", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++) {
        const double *row = data + NUMBERS * k;
        if (!is_number(row[0]) || !is_number(row[1]) || !(row[0] < row[1]))
            return error_set(error, STATUS_INVALID,
                             "link_forces[%zu]: %g and %g are no two particles of a link; two "
                             "numbers, the smaller first, would be right",
                             k, row[0], row[1]);
        l->kept[k] =
            (struct link_force){(uint32_t)row[0], (uint32_t)row[1], vec3(row[2], row[3], row[4])};
    }
    keep_in_order(l, n);
    return STATUS_OK;
}
