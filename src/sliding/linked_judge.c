/* Decides which rows hold in the step with links, and whether a stage without friction is
 * the solution (linked.c). */
#include "sliding/linked_parts.h"

/* The largest speed in every `each`-th row. */
static double largest_speed(const struct linked *l, size_t each)
{
    double largest = 0.0;
    for (size_t k = 0; k < l->n_scope; k += each) {
        uint32_t row = l->scope[k];
        largest = fmax(largest, fabs(linked_response(l, row, l->b)) + fabs(l->goal[row]));
    }
    return largest;
}

/* The largest change of a velocity at an end where rigid bodies are at links. Contacts of bodies
 * that fall together have no speeds but what the solver's tolerance leaves of this, and there is
 * nothing to gain from solving for these more exactly. */
static double largest_change(const struct linked *l)
{
    double largest = 0.0;
    for (size_t e = 0; e < l->links->n_ends && linked_by_motion(l); e++) {
        const uint32_t u = l->unknown[e];
        if (u != NO_UNKNOWN)
            largest = fmax(largest, vec3_norm2(l->x[u]));
    }
    return sqrt(largest);
}

void linked_set_tolerances(struct linked_step *s)
{
    static const double rounding = 1e-15; /* of speeds across, which enter the law of friction */
    static const double little = 1e-2;
    s->largest = largest_speed(s->l, s->links->rows_each);
    s->speed_left = fmax(s->l->tolerance * s->largest, rounding * largest_speed(s->l, 1));
    s->speed_left = fmax(s->speed_left, little * s->l->tolerance * largest_change(s->l));
    s->local_residual = 1.0; /* nothing is known yet */
}

/* Guesses, for the first local problem of cones, that every pressed link sticks. */
static void guess_who_sticks(struct linked_step *s)
{
    struct linked *l = s->l;
    const bool rubs = s->links->rows_each > 1;
    for (size_t k = 0; k < l->n_scope && (rubs || linked_by_motion(l)); k++) {
        uint32_t row = l->scope[k];
        size_t c = links_of_row(s->links, row), normal = links_normal_row(s->links, c);
        l->held[row] =
            l->q[normal] < 0.0 || (row != normal && s->response->friction.pressed[c] > 0.0);
    }
}

/* The first local problem is one of changes of the impulses that the residual has. It leaves out
 * how they turn pieces, so that these impulses are those of the last step where pieces are heavy
 * and stiff: a corotated block that slides or stands took 42 and 63 iterations a step from zero, 5
 * and 13 from these. */
static void begin_impulses(struct linked_step *s)
{
    struct linked *l = s->l;
    const bool again = s->links->turning.n > 0 && linked_inverts(l);
    linked_recall(l, s->dt);
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->impulse[row] = again ? l->expected[row] : 0.0;
        if (again)
            linked_push_row(l, row, l->impulse[row], l->residual);
    }
    if (again)
        linked_turn(l, l->residual);
}

enum status linked_guess(struct linked_step *s, bool *settled, struct error *error)
{
    struct linked *l = s->l;
    linked_apply(s->l, l->x, l->image);
    for (size_t i = 0; i < l->n; i++)
        l->residual[i] = vec3_sub(l->b[i], l->image[i]);
    begin_impulses(s);
    linked_fill_local(s);
    guess_who_sticks(s);
    enum status status = linked_solve_local(s, settled, error);
    if (status)
        return status;
    if (*settled)
        linked_take_local(s);
    return STATUS_OK;
}

/* How far the normals are from the solution at x, as a speed, m/s: the largest approach at a link,
 * impulse that pulls, or impulse on a link that opens. */
static double speed_off(const struct linked *l)
{
    double off = 0.0;
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        double opens = linked_speed(l, row, l->x) - l->goal[row];
        off = fmax(off, fabs(fmin(opens, l->impulse[row] * l->matrix.rows.diagonal[row])));
    }
    return off;
}

/* Counts the normals that had no impulse in the last stage and hold in the next. */
static size_t count_late(const struct linked *l)
{
    size_t n = 0;
    for (size_t k = 0; k < l->n_scope; k++)
        n += l->impulse[l->scope[k]] == 0.0 && l->held[l->scope[k]];
    return n;
}

/* Prepares the next stage. After the last stage x stays the solution of the linear system: a local
 * solution that does not solve it would leave a residual in the momentum. */
static enum status go_on(struct linked_step *s, bool *settled, struct error *error)
{
    linked_fill_local(s);
    enum status status = linked_solve_local(s, settled, error);
    if (status)
        return status;
    s->response->late += count_late(s->l);
    if (*settled)
        linked_take_local(s);
    else if (s->response->stages > 1 && s->response->stages < s->response->most_stages)
        status = linked_descend(s, settled, error);
    return status;
}

enum status linked_judge(struct linked_step *s, bool *settled, struct error *error)
{
    struct linked *l = s->l;
    for (size_t k = 0; k < l->n_scope; k++)
        l->expected[l->scope[k]] = l->impulse[l->scope[k]];
    *settled = speed_off(l) <= s->speed_left;
    return *settled ? STATUS_OK : go_on(s, settled, error);
}
