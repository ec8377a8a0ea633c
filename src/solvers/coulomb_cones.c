/* The rows of one problem of contacts, in blocks of 3 x 3. */
#include "base/memory.h"
#include "solvers/coulomb_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void coulomb_cones_free(struct coulomb_cones *s)
{
    free(s->contact);
    free(s->near);
    free(s->near_start);
    free(s->block);
    free(s->vectors);
    free(s->matrix.start);
    free(s->matrix.column);
    free(s->matrix.value);
    free(s->matrix.diagonal);
    sparse_factor_free(&s->factor);
    free(s->same);
    free(s->contact_of);
    free(s->seen);
    *s = (struct coulomb_cones){0};
}

static enum status reserve_vectors(struct coulomb_cones *s, struct error *error)
{
    double **const by_row[] = {&s->q,     &s->z,    &s->center, &s->speed,
                               &s->asked, &s->rest, &s->step,   &s->step_speed};
    enum { BY_ROW = sizeof by_row / sizeof *by_row, ROOMS = sizeof s->room / sizeof *s->room };
    const size_t each = 3 * s->n;
    if (array_reserve(&s->vectors, &s->vector_capacity, (BY_ROW + ROOMS) * each, sizeof *s->vectors,
                      "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < BY_ROW; k++)
        *by_row[k] = s->vectors + k * each;
    for (size_t k = 0; k < ROOMS; k++)
        s->room[k] = s->vectors + (BY_ROW + k) * each;
    return STATUS_OK;
}

static enum status reserve_contacts(struct coulomb_cones *s, const struct coulomb_problem *p,
                                    struct error *error)
{
    const size_t had = s->row_capacity;
    size_t entries = p->n;
    for (size_t k = 0; k < p->n; k++)
        entries += p->w->start[p->row[3 * k] + 3] - p->w->start[p->row[3 * k]];
    if (array_reserve(&s->contact, &s->contact_capacity, p->n, sizeof *s->contact, "contacts",
                      error) ||
        array_reserve(&s->contact_of, &s->row_capacity, p->w->n, sizeof *s->contact_of, "contacts",
                      error) ||
        array_reserve(&s->seen, &s->seen_capacity, p->n, sizeof *s->seen, "contacts", error) ||
        array_reserve(&s->near, &s->near_capacity, entries, sizeof *s->near, "contacts", error) ||
        array_reserve(&s->block, &s->block_capacity, entries, sizeof *s->block, "contacts",
                      error) ||
        array_reserve(&s->near_start, &s->start_capacity, p->n + 1, sizeof *s->near_start,
                      "contacts", error))
        return STATUS_FAILED;
    for (size_t k = had; k < s->row_capacity; k++)
        s->contact_of[k] = SPARSE_NOWHERE;
    return STATUS_OK;
}

static enum status reserve_matrix(struct coulomb_cones *s, struct error *error)
{
    const size_t from = s->unknown_capacity, to = array_room(from, 3 * s->n);
    const size_t entries = 9 * s->near_start[s->n];
    if (array_reserve(&s->matrix.column, &s->column_capacity, entries, sizeof *s->matrix.column,
                      "contacts", error) ||
        array_reserve(&s->matrix.value, &s->value_capacity, entries, sizeof *s->matrix.value,
                      "contacts", error))
        return STATUS_FAILED;
    if (3 * s->n <= from)
        return STATUS_OK;
    if (array_grow(&s->matrix.diagonal, from, to, sizeof *s->matrix.diagonal, "contacts", error) ||
        array_grow(&s->matrix.start, from, to + 1, sizeof *s->matrix.start, "contacts", error) ||
        array_grow(&s->same, from, to, sizeof *s->same, "contacts", error))
        return STATUS_FAILED;
    for (size_t k = from; k < to; k++)
        s->same[k] = (uint32_t)k;
    s->unknown_capacity = to;
    return STATUS_OK;
}

/* The block of a pair, which is added if it is new. */
static double (*block_of(struct coulomb_cones *s, size_t k, uint32_t other, size_t *n))[3]
{
    if (s->seen[other] >= *n || s->seen[other] < s->near_start[k] ||
        s->near[s->seen[other]] != other) {
        s->seen[other] = (uint32_t)*n;
        s->near[*n] = other;
        memset(s->block[*n], 0, sizeof *s->block);
        ++*n;
    }
    return s->block[s->seen[other]];
}

static void take_blocks(struct coulomb_cones *s, const struct coulomb_problem *p)
{
    const struct sparse_rows *w = p->w;
    size_t n = 0;
    for (size_t k = 0; k < 3 * p->n; k++)
        s->contact_of[p->row[k]] = (uint32_t)(k / 3);
    memset(s->seen, 0, p->n * sizeof *s->seen);
    for (size_t k = 0; k < p->n; k++) {
        s->near_start[k] = n;
        for (size_t d = 0; d < 3; d++) {
            const size_t row = p->row[3 * k] + d;
            block_of(s, k, (uint32_t)k, &n)[d][d] += w->diagonal[row];
            for (size_t e = w->start[row]; e < w->start[row + 1]; e++) {
                const uint32_t other = s->contact_of[w->column[e]];
                if (other != SPARSE_NOWHERE)
                    block_of(s, k, other, &n)[d][w->column[e] - p->row[3 * other]] += w->value[e];
            }
        }
    }
    s->near_start[p->n] = n;
    for (size_t k = 0; k < 3 * p->n; k++)
        s->contact_of[p->row[k]] = SPARSE_NOWHERE;
}

/* A bound of the largest eigenvalue. */
static double bound_of(double block[3][3])
{
    double most = 0.0;
    for (size_t d = 0; d < 3; d++)
        most = fmax(most, fabs(block[d][0]) + fabs(block[d][1]) + fabs(block[d][2]));
    return most;
}

enum status coulomb_cones_take(struct coulomb_cones *s, const struct coulomb_problem *p,
                               const double *lambda, struct error *error)
{
    s->n = p->n;
    if (reserve_vectors(s, error) || reserve_contacts(s, p, error))
        return STATUS_FAILED;
    take_blocks(s, p);
    for (size_t k = 0; k < s->n; k++) {
        const uint32_t row = p->row[3 * k];
        s->contact[k] = (struct coulomb_contact){.row = row,
                                                 .sticks = true,
                                                 .mu = p->sticking,
                                                 .pressed = p->pressed[row / 3],
                                                 .yields = bound_of(s->block[s->near_start[k]])};
        for (size_t d = 0; d < 3; d++) {
            s->q[3 * k + d] = p->q[row + d] + sparse_rows_times(p->w, row + d, lambda);
            s->z[3 * k + d] = s->center[3 * k + d] = 0.0;
        }
    }
    return reserve_matrix(s, error);
}

void coulomb_cones_multiply(const struct coulomb_cones *s, const double *x, double *y)
{
    for (size_t k = 0; k < s->n; k++) {
        double sum[3] = {0.0};
        for (size_t e = s->near_start[k]; e < s->near_start[k + 1]; e++) {
            const double *at = x + 3 * s->near[e];
            for (size_t d = 0; d < 3; d++)
                sum[d] += s->block[e][d][0] * at[0] + s->block[e][d][1] * at[1] +
                          s->block[e][d][2] * at[2];
        }
        memcpy(y + 3 * k, sum, sizeof sum);
    }
}

void coulomb_cones_look(struct coulomb_cones *s)
{
    coulomb_cones_multiply(s, s->z, s->speed);
    for (size_t k = 0; k < 3 * s->n; k++)
        s->speed[k] += s->q[k];
}
