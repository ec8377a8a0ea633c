/* The linear system of Newton's method for compliant contacts (coulomb_newton.c), in the motion of
 * what contacts move. With K = R J^T, so that W = K^T K, and H' = (1 + L)^T H, a step d obeys
 *
 *     (1 + H H'^T K^T K) d = r
 *
 * so that the motion v = K d and d itself follow from
 *
 *     (1 + K H H'^T K^T) v = K r,   d = r - H H'^T K^T v
 *
 * which has six unknowns for a rigid body and three for a particle, however many contacts there
 * are. A face of 20 x 20 contacts has 1200 rows of W, none of which is empty, and a body 6.
 * Particles have fewer contacts, about as many as there are particles; there, the system is hardly
 * larger than that of contacts.
 *
 * The symmetric part, with H in place of H', is factored in blocks that couple what shares a
 * contact. It has no eigenvalue below 1, where W is singular, too, and it is nearly as well
 * conditioned for masses of any ratio, because R scales them. */
#include "solvers/bicgstab.h"
#include "solvers/coulomb_parts.h"

#include <math.h>
#include <string.h>

/* ---- products ---- */

static inline void add_along(const struct contact_side *side, const double x[3], size_t width,
                             double *to)
{
    for (size_t i = 0; i < width; i++)
        to[i] += side->along[0][i] * x[0] + side->along[1][i] * x[1] + side->along[2][i] * x[2];
}

static inline void add_speeds(const struct contact_side *side, const double *by, size_t width,
                              double w[3])
{
    for (size_t i = 0; i < width; i++)
        for (size_t d = 0; d < 3; d++)
            w[d] += side->along[d][i] * by[i];
}

/* A width that the compiler knows makes loops short. */
static void add_motion(const struct coulomb_contact *c, const double x[3], double *motion)
{
    for (size_t at = 0; at < 2; at++) {
        const struct contact_side *side = &c->side[at];
        if (side->width == SIDE_OF_BODY)
            add_along(side, x, SIDE_OF_BODY, motion + c->first[at]);
        else
            add_along(side, x, side->width, motion + c->first[at]);
    }
}

static void find_speeds(const struct coulomb_contact *c, const double *motion, double w[3])
{
    w[0] = w[1] = w[2] = 0.0;
    for (size_t at = 0; at < 2; at++) {
        const struct contact_side *side = &c->side[at];
        if (side->width == SIDE_OF_BODY)
            add_speeds(side, motion + c->first[at], SIDE_OF_BODY, w);
        else
            add_speeds(side, motion + c->first[at], side->width, w);
    }
}

void coulomb_motion_of(const struct coulomb_cones *s, const double *x, double *motion)
{
    memset(motion, 0, s->motion.n_unknowns * sizeof *motion);
    for (size_t k = 0; k < s->n; k++)
        add_motion(&s->contact[k], x + 3 * k, motion);
}

void coulomb_motion_speeds(const struct coulomb_cones *s, const double *motion, double *y)
{
    for (size_t k = 0; k < s->n; k++)
        find_speeds(&s->contact[k], motion, y + 3 * k);
}

/* x = H H'^T w */
static void follow(const struct coulomb_contact *c, const double w[3], double x[3])
{
    const double along = w[0] + c->lead[0] * w[1] + c->lead[1] * w[2];
    x[0] = x[1] = x[2] = 0.0;
    for (size_t i = 0; i < c->n_ways; i++) {
        const double *way = c->way[i], u = way[0] * along + way[1] * w[1] + way[2] * w[2];
        for (size_t d = 0; d < 3; d++)
            x[d] += way[d] * u;
    }
}

static void apply(void *context, const double *v, double *y)
{
    const struct coulomb_cones *s = context;
    memcpy(y, v, s->motion.n_unknowns * sizeof *y);
    for (size_t k = 0; k < s->n; k++) {
        double w[3], x[3];
        find_speeds(&s->contact[k], v, w);
        follow(&s->contact[k], w, x);
        add_motion(&s->contact[k], x, y);
    }
}

static void precondition(void *context, const double *r, double *z)
{
    const struct coulomb_motion *m = &((const struct coulomb_cones *)context)->motion;
    double *x = m->room[1];
    for (size_t k = 0; k < m->n_unknowns; k++)
        x[k] = r[m->unknown[k]];
    sparse_factor_solve(&m->factor, x);
    for (size_t k = 0; k < m->n_unknowns; k++)
        z[m->unknown[k]] = x[k];
}

/* ---- the matrix ---- */

/* Adds what a way of a contact couples; what is beyond the width of a side is zero. */
static void add_way(struct coulomb_motion *m, const struct coulomb_contact *c, const double *way)
{
    double moves[2][SIDE_OF_BODY] = {{0.0}};
    for (size_t at = 0; at < 2; at++)
        if (c->side[at].width > 0)
            add_along(&c->side[at], way, SIDE_OF_BODY, moves[at]);
    for (size_t a = 0; a < 2; a++)
        for (size_t b = 0; b < 2 && c->side[a].width > 0; b++) {
            if (c->side[b].width == 0)
                continue;
            double(*block)[SIDE_OF_BODY] = m->block[c->block[a][b]];
            for (size_t i = 0; i < SIDE_OF_BODY; i++)
                for (size_t j = 0; j < SIDE_OF_BODY; j++)
                    block[i][j] += moves[a][i] * moves[b][j];
        }
}

static void copy_row(struct coulomb_motion *m, size_t b, size_t i, size_t *entries)
{
    const size_t row = m->first[b] + i;
    m->matrix.start[row] = *entries;
    for (size_t e = m->near_start[b]; e < m->near_start[b + 1]; e++)
        for (size_t j = 0; j < m->width[m->near[e]]; j++) {
            const size_t column = m->first[m->near[e]] + j;
            if (column == row) {
                m->matrix.diagonal[row] = 1.0 + m->block[e][i][j];
                continue;
            }
            m->matrix.column[*entries] = (uint32_t)column;
            m->matrix.value[(*entries)++] = m->block[e][i][j];
        }
}

static void fill_matrix(struct coulomb_cones *s)
{
    struct coulomb_motion *m = &s->motion;
    size_t entries = 0;
    memset(m->block, 0, m->near_start[m->n] * sizeof *m->block);
    for (size_t k = 0; k < s->n; k++)
        for (size_t i = 0; i < s->contact[k].n_ways; i++)
            add_way(m, &s->contact[k], s->contact[k].way[i]);
    for (size_t b = 0; b < m->n; b++)
        for (size_t i = 0; i < m->width[b]; i++)
            copy_row(m, b, i, &entries);
    m->matrix.start[m->matrix.n] = entries;
}

static enum status factor(struct coulomb_cones *s, struct error *error)
{
    struct coulomb_motion *m = &s->motion;
    fill_matrix(s);
    return sparse_factor_of(&m->factor, &m->matrix, m->n_unknowns, m->unknown, m->unknown_place,
                            0.0, error);
}

enum status coulomb_motion_step(struct coulomb_cones *s, const double *r, double *step,
                                struct error *error)
{
    enum { MOST_PRODUCTS = 100 };
    static const double exactly = 1e-9; /* less exactly, Newton takes more steps */
    struct coulomb_motion *m = &s->motion;
    double **room = m->room, *v = room[2], *b = room[0];
    bool leads = false;
    if (factor(s, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < s->n; k++)
        leads = leads || s->contact[k].lead[0] != 0.0 || s->contact[k].lead[1] != 0.0;
    coulomb_motion_of(s, r, b);
    if (leads) {
        const struct linear_operator A = {.n = m->n_unknowns,
                                          .width = 1,
                                          .context = s,
                                          .apply = apply,
                                          .precondition = precondition};
        const struct bicgstab_workspace work = {room[3], room[4], room[5],
                                                room[6], room[7], room[8]};
        bicgstab_solve(&A, b, v, exactly, MOST_PRODUCTS, &work);
    } else
        precondition(s, b, v);
    for (size_t k = 0; k < s->n; k++) {
        double w[3], x[3];
        find_speeds(&s->contact[k], v, w);
        follow(&s->contact[k], w, x);
        for (size_t d = 0; d < 3; d++)
            step[3 * k + d] = r[3 * k + d] - x[d];
    }
    return STATUS_OK;
}

/* ---- known stiffnesses ---- */

enum status coulomb_stiff_take(struct coulomb *c, const struct coulomb_problem *p,
                               struct error *error)
{
    return coulomb_cones_take(&c->cones, p, error);
}

/* Takes the part of G in the direction of the row that has most of it. */
static void take_way(struct coulomb_contact *c, double G[3][3], double least)
{
    size_t most = 0;
    for (size_t d = 1; d < 3; d++)
        most = G[d][d] > G[most][most] ? d : most;
    if (!(G[most][most] > least))
        return;
    double *way = c->way[c->n_ways++], root = sqrt(G[most][most]);
    for (size_t d = 0; d < 3; d++)
        way[d] = G[d][most] / root;
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++)
            G[a][b] -= way[a] * way[b];
}

void coulomb_stiff_set(struct coulomb *s, size_t k, double G[3][3])
{
    static const double rounding = 1e-14;
    struct coulomb_contact *c = &s->cones.contact[k];
    const double least = rounding * (G[0][0] + G[1][1] + G[2][2]);
    c->n_ways = 0;
    c->lead[0] = c->lead[1] = 0.0;
    for (int way = 0; way < 3; way++)
        take_way(c, G, least);
}

enum status coulomb_stiff_factor(struct coulomb *c, struct error *error)
{
    return factor(&c->cones, error);
}

void coulomb_stiff_solve(struct coulomb *c, const double *w, double *p)
{
    struct coulomb_cones *s = &c->cones;
    double *b = s->motion.room[0], *v = s->motion.room[2];
    for (size_t k = 0; k < s->n; k++)
        follow(&s->contact[k], w + 3 * k, p + 3 * k);
    coulomb_motion_of(s, p, b);
    precondition(s, b, v);
    for (size_t k = 0; k < s->n; k++) {
        double left[3];
        find_speeds(&s->contact[k], v, left);
        for (size_t d = 0; d < 3; d++)
            left[d] = w[3 * k + d] - left[d];
        follow(&s->contact[k], left, p + 3 * k);
    }
}
