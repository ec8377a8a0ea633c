/* The contacts of one problem. */
#include "base/memory.h"
#include "solvers/coulomb_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void coulomb_cones_free(struct coulomb_cones *s)
{
    free(s->contact);
    free(s->vectors);
    coulomb_motion_free(&s->motion);
    *s = (struct coulomb_cones){0};
}

static enum status reserve(struct coulomb_cones *s, struct error *error)
{
    double **const by_row[] = {&s->q,     &s->z,    &s->center, &s->speed,
                               &s->asked, &s->rest, &s->step,   &s->step_speed};
    enum { BY_ROW = sizeof by_row / sizeof *by_row };
    const size_t each = 3 * s->n;
    if (array_reserve(&s->contact, &s->contact_capacity, s->n, sizeof *s->contact, "contacts",
                      error) ||
        array_reserve(&s->vectors, &s->vector_capacity, BY_ROW * each, sizeof *s->vectors,
                      "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < BY_ROW; k++)
        *by_row[k] = s->vectors + k * each;
    return STATUS_OK;
}

/* A bound of the largest eigenvalue of W of the first rows of a contact. */
static double bound_of(const struct contact_side *side, size_t rows)
{
    double most = 0.0;
    for (size_t a = 0; a < rows; a++) {
        double sum = 0.0;
        for (size_t b = 0; b < rows; b++) {
            double entry = 0.0;
            for (size_t at = 0; at < 2; at++)
                for (size_t i = 0; i < side[at].width; i++)
                    entry += side[at].along[a][i] * side[at].along[b][i];
            sum += fabs(entry);
        }
        most = fmax(most, sum);
    }
    return most;
}

/* Removes from q what the impulses `about` have there. */
static void leave_out(struct coulomb_cones *s, const double *about, size_t rows)
{
    for (size_t k = 0; k < 3 * s->n; k++)
        s->step[k] = k % 3 < rows ? about[s->contact[k / 3].row + k % 3] : 0.0;
    coulomb_cones_multiply(s, s->step, s->speed);
    for (size_t k = 0; k < 3 * s->n; k++)
        s->q[k] -= s->speed[k];
}

enum status coulomb_cones_take(struct coulomb_cones *s, const struct coulomb_problem *p,
                               struct error *error)
{
    const size_t rows = p->rows_each;
    s->n = p->n;
    if (reserve(s, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < s->n; k++) {
        const uint32_t row = p->row[rows * k];
        const struct contact_side *side = p->side + 2 * (row / p->rows_apart);
        s->contact[k] = (struct coulomb_contact){.row = row,
                                                 .sticks = true,
                                                 .mu = rows == 1 ? 0.0 : p->sticking,
                                                 .pressed = rows == 1 ? 0.0 : p->pressed[row / 3],
                                                 .yields = bound_of(side, rows),
                                                 .side = side};
        for (size_t d = 0; d < 3; d++) {
            s->q[3 * k + d] = d < rows ? p->q[row + d] : 0.0;
            s->z[3 * k + d] = s->center[3 * k + d] = 0.0;
        }
    }
    if (coulomb_motion_take(s, p->n_numbers, error))
        return STATUS_FAILED;
    if (p->about)
        leave_out(s, p->about, rows);
    return STATUS_OK;
}

void coulomb_cones_multiply(struct coulomb_cones *s, const double *x, double *y)
{
    double *motion = s->motion.room[0];
    coulomb_motion_of(s, x, motion);
    coulomb_motion_speeds(s, motion, y);
}

void coulomb_cones_look(struct coulomb_cones *s)
{
    coulomb_cones_multiply(s, s->z, s->speed);
    for (size_t k = 0; k < 3 * s->n; k++)
        s->speed[k] += s->q[k];
}
