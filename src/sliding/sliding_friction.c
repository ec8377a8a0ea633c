/* Problems of links with friction between particles that feel nothing but links. Pieces that turn
 * with the ends of links (particles/link_pieces.h) couple all rows across that they carry. Such a
 * matrix W is not assembled: its part by the ends alone differs little, because a piece is much
 * heavier than a particle. With W0 for that part, rounds find
 *
 *     z' that solves the problem of W0 and q = J v(z) - W0 z,   v(z) = v + M^-1 J^T z,
 *
 * so that J v(z) = W0 z + q once z' = z. Each round makes the difference some ten to a thousand
 * times smaller. A round after which friction would have added energy is not taken. */
#include "sliding/sliding_parts.h"

/* A problem in progress. */
struct rubbing {
    struct sliding *s;
    size_t rows;         /* 3 of each link */
    const uint32_t *row; /* (rows) */
    double *impulse;     /* of all rows */
    double least;        /* speeds that do not matter, m/s */
};

/* Fills q; where there are rigid bodies it still has W0 z, of the impulses `last`. */
static void fill_q(const struct rubbing *r)
{
    struct sliding *s = r->s;
    const bool bodies = s->links.rigid.n > 0;
    for (size_t k = 0; k < r->rows; k++) {
        uint32_t row = r->row[k];
        double offset = k % 3 == 0 ? s->links.link[links_of_row(&s->links, row)].offset : 0.0;
        const double own = bodies ? 0.0 : sparse_rows_times(&s->matrix.rows, row, r->impulse);
        s->q[row] = links_speed(&s->links, row, s->velocity) + offset - own;
    }
}

/* The first guess is that approaching pairs are loaded, and that pressed pairs stick. */
static void guess(const struct rubbing *r)
{
    struct sliding *s = r->s;
    for (size_t k = 0; k < r->rows; k++) {
        uint32_t row = r->row[k];
        size_t c = links_of_row(&s->links, row);
        s->loaded[row] = k % 3 == 0
                             ? s->q[row] < -r->least
                             : s->loaded[links_normal_row(&s->links, c)] || s->pressed[c] > 0.0;
    }
}

/* Rigid bodies make W singular, where guesses of which links press, stick and slip seldom become
 * right. wrong: links that are not solved. */
static enum status solve(const struct rubbing *r, size_t *wrong, struct error *error)
{
    enum { MOST_ROUNDS = 400, MOST_SWEEPS = 2000 };
    struct sliding *s = r->s;
    const bool bodies = s->links.rigid.n > 0;
    const struct coulomb_problem problem = {.w = &s->matrix.rows,
                                            .side = s->side,
                                            .n_numbers = s->links.n_ends,
                                            .about = bodies ? s->last : NULL,
                                            .n = r->rows / 3,
                                            .row = r->row,
                                            .rows_each = 3,
                                            .rows_apart = 3,
                                            .q = s->q,
                                            .sliding = s->friction.sliding,
                                            .sticking = s->friction.sticking,
                                            .pressed = s->pressed,
                                            .least = r->least,
                                            .most_rounds = MOST_ROUNDS,
                                            .most_sweeps = MOST_SWEEPS};
    struct complementarity_report report = {0};
    const enum status status =
        bodies ? coulomb_solve_proximal(&s->solver, &problem, s->loaded, r->impulse, &report, error)
               : coulomb_solve(&s->solver, &problem, s->loaded, r->impulse, &report, error);
    *wrong = report.wrong;
    return status;
}

/* ---- from round to round ---- */

static void remember(const struct rubbing *r)
{
    for (size_t k = 0; k < r->rows; k++)
        r->s->last[r->row[k]] = r->impulse[r->row[k]];
}

static bool changes(const struct rubbing *r)
{
    const struct sliding *s = r->s;
    for (size_t k = 0; k < r->rows; k++) {
        uint32_t row = r->row[k];
        if (contact_yields(s->side + 2 * (row / 3), row % 3) *
                fabs(r->impulse[row] - s->last[row]) >
            r->least)
            return true;
    }
    return false;
}

/* The change of kinetic energy along the way, at its present end. */
static double slope(const struct rubbing *r)
{
    const struct sliding *s = r->s;
    double sum = 0.0;
    for (size_t k = 0; k < r->rows; k++) {
        uint32_t row = r->row[k];
        sum += (r->impulse[row] - s->last[row]) * links_speed(&s->links, row, s->velocity);
    }
    return sum;
}

/* The place of an end relative to the center of its piece. */
static struct vec3 arm_of(const struct links *links, uint32_t end, const struct link_piece *piece)
{
    const struct link_pieces *t = &links->turning;
    return vec3_sub(link_pieces_place(t, links->particle[end] - t->first), piece->center);
}

static void add_moment(const struct links *links, uint32_t end, struct vec3 impulse)
{
    struct link_piece *piece = links_piece(links, end);
    if (piece)
        piece->moment = vec3_add(piece->moment, vec3_cross(arm_of(links, end, piece), impulse));
}

static void give(struct sliding *s, uint32_t row, double impulse)
{
    const struct links *links = &s->links;
    size_t c = links_of_row(links, row);
    struct vec3 given = vec3_scale(impulse, links_direction(links, row));
    sliding_give(s, row, impulse, s->velocity);
    add_moment(links, links->end_i[c], vec3_scale(-1.0, given));
    add_moment(links, links->end_j[c], given);
}

/* Turns pieces by the couples given to them, as far as links can see. */
static void turn_ends(struct sliding *s)
{
    const struct links *links = &s->links;
    const struct link_pieces *t = &links->turning;
    for (uint32_t e = 0; e < links->n_ends && t->n > 0; e++) {
        const struct link_piece *piece = links_piece(links, e);
        if (!piece)
            continue;
        struct vec3 rate = sym3_mul(piece->yields, piece->couple);
        s->velocity[e] = vec3_add(s->velocity[e], vec3_cross(rate, arm_of(links, e, piece)));
    }
    for (size_t k = 0; k < t->n; k++) {
        struct link_piece *piece = &t->piece[k];
        struct vec3 all = vec3_add(piece->couple, piece->moment);
        piece->rate = vec3_add(piece->rate, sym3_mul(piece->yields, all));
        piece->given = vec3_add(piece->given, piece->couple);
        piece->couple = piece->moment = vec3(0.0, 0.0, 0.0);
    }
}

/* Changes velocities by this part of the way. */
static void go(const struct rubbing *r, double part)
{
    struct sliding *s = r->s;
    for (size_t k = 0; k < r->rows; k++)
        give(s, r->row[k], part * (r->impulse[r->row[k]] - s->last[r->row[k]]));
    sliding_spread(s, r->rows, r->row, s->velocity);
    turn_ends(s);
}

/* Goes to the new impulses and counts their work, unless friction would have added energy in all.
 * Returns whether it went. */
static bool take(const struct rubbing *r, double *work)
{
    double first = slope(r);
    go(r, 1.0);
    double all = *work + 0.5 * (first + slope(r));
    bool takes = all <= 0.0 || r->s->links.turning.n == 0;
    if (takes)
        *work = all;
    else
        go(r, -1.0);
    return takes;
}

static void take_back(const struct rubbing *r)
{
    for (size_t k = 0; k < r->rows; k++)
        r->impulse[r->row[k]] = r->s->last[r->row[k]];
}

enum status sliding_solve_with_friction(struct sliding *s, size_t n, const uint32_t *row,
                                        double least, double *impulse, double *work,
                                        struct error *error)
{
    enum { MOST = 30 };
    const struct rubbing r = {s, 3 * n, row, impulse, least};
    size_t most = s->links.turning.n > 0 ? MOST : 1;
    enum status status = STATUS_OK;
    size_t wrong = 0;
    *work = 0.0;
    for (size_t k = 0; k < r.rows; k++)
        impulse[row[k]] = 0.0;
    for (size_t k = 0; k < most && !status; k++) {
        remember(&r);
        fill_q(&r);
        if (k == 0)
            guess(&r);
        status = solve(&r, &wrong, error);
        if (status || ((k == 0 || changes(&r)) && take(&r, work)))
            continue;
        take_back(&r);
        break;
    }
    s->unsolved += wrong;
    return status;
}
