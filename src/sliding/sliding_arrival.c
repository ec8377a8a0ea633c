/* Arrival. At a speculative link, merging removes only the part of the approach that would lead to
 * overlap within the step, so that the pair arrives in contact and still approaches. All links with
 * an impulse of merging whose pairs still approach are then merged again, along the normals of the
 * moved positions, and splitting gives both impulses back together. Without this, a bounce would
 * return less the nearer the pair was at the start of the step. With friction, these impulses rub
 * as well, so that the friction of an impact does not depend on when in the step it happens.
 *
 * The same is done, but for giving back, where a pair was pressed by an integrator whose mean
 * velocity u is not that at the end (struct link_response): J u = -offset leaves it approaching if
 * it parted at the start. This approach is no impact. Left to the next step, which would give it
 * back, a contact at rest would chatter for ever. */
#include "sliding/sliding_parts.h"

/* Places rigid bodies where they have moved. */
static void move_bodies(struct sliding *s, const struct step_view *view)
{
    const struct particles *p = view->particles;
    if (!s->moved)
        return;
    for (size_t i = 0; i < p->n; i++)
        s->moved[i] = vec3_axpy(p->position[i], view->dt, view->motion->mean[i]);
    link_bodies_place(&s->links.rigid, p->mass, s->moved);
}

/* Turns normals to those of the pairs after the move, when no gaps are left. Normals of walls do
 * not change. */
static void turn_normals(struct links *links, const struct step_view *view)
{
    const struct vec3 *x = view->particles->position, *u = view->motion->mean;
    for (size_t c = 0; c < links->n; c++) {
        struct link *link = &links->link[c];
        link->offset = 0.0;
        if (link->j == LINK_WALL)
            continue;
        struct vec3 apart = vec3_add(vec3_sub(x[link->j], x[link->i]),
                                     vec3_scale(view->dt, vec3_sub(u[link->j], u[link->i])));
        double length = vec3_norm(apart), before = link->arm_i + link->arm_j;
        if (!(length > 0.0))
            continue;
        link->arm_i *= length / before;
        link->arm_j *= length / before;
        link_turn(link, vec3_scale(1.0 / length, apart));
    }
}

static bool any_arrives(const struct sliding *s, size_t component)
{
    const struct links *links = &s->links;
    for (size_t k = links->start[component]; k < links->start[component + 1]; k++) {
        double offset = links->link[links->member[k]].offset;
        if (s->merge[s->normal_row[k]] > 0.0 && offset > 0.0)
            return true;
    }
    return false;
}

/* Whether the pair of a link was pressed in the step, without having merged, and may approach at
 * its end. */
static bool is_pressed(const struct sliding *s, size_t component, uint32_t row)
{
    return s->solved[component] && s->share < 1.0 && s->impulse[row] > 0.0 &&
           !(s->merge[row] > 0.0);
}

/* Marks in s->marked the links that are merged again, which are the pressed ones and, in components
 * where a link with an impulse of merging is speculative, all with such an impulse; and in
 * s->loaded their normals. Returns whether there are any. Must be called before the normals are
 * turned. */
static bool mark_arriving(struct sliding *s)
{
    const struct links *links = &s->links;
    bool any = false;
    for (size_t component = 0; component < links->n_components; component++) {
        bool arrives = any_arrives(s, component);
        for (size_t k = links->start[component]; k < links->start[component + 1]; k++) {
            uint32_t row = s->normal_row[k];
            bool again = (arrives && s->merge[row] > 0.0) || is_pressed(s, component, row);
            s->loaded[row] = s->marked[links->member[k]] = again;
            any = any || again;
        }
    }
    return any;
}

/* Fills s->chosen with the first `rows` rows of each marked link of components [begin, end);
 * returns the number of these links. */
static size_t choose_marked(struct sliding *s, size_t begin, size_t end, uint32_t rows)
{
    const struct links *links = &s->links;
    size_t n = 0;
    for (size_t k = links->start[begin]; k < links->start[end]; k++) {
        if (!s->marked[links->member[k]])
            continue;
        for (uint32_t d = 0; d < rows; d++)
            s->chosen[rows * n + d] = s->normal_row[k] + d;
        n++;
    }
    return n;
}

/* Merges the marked links of one component again. What this takes from links with an impulse of
 * merging is stored, to be given back. `energy` receives all that it takes, J. */
static enum status merge_again(struct sliding *s, size_t component, double least, double *energy,
                               struct error *error)
{
    size_t n = choose_marked(s, component, component + 1, 1);
    *energy = 0.0;
    if (n == 0)
        return STATUS_OK;
    enum status status = sliding_solve_for(s, n, s->chosen, least, s->arrival, error);
    for (size_t k = 0; k < n && !status; k++) {
        double taken = sliding_taken_at(s, s->chosen[k], s->arrival);
        *energy += taken;
        s->stored[component] += s->merge[s->chosen[k]] > 0.0 ? taken : 0.0;
    }
    return status;
}

/* What of the impulse by which a link was merged again counts with its impulse of merging: all or,
 * where the pair was only pressed, nothing. */
static double returned(const struct sliding *s, size_t row)
{
    return s->merge[row] > 0.0 ? s->arrival[row] : 0.0;
}

/* Finds the friction of the impulses by which components [begin, end) were merged again and will be
 * split. */
static enum status rub(struct sliding *s, size_t begin, size_t end, double alpha, double least,
                       double *work, struct error *error)
{
    const struct links *links = &s->links;
    size_t n = choose_marked(s, begin, end, 3);
    for (size_t k = links->start[begin]; k < links->start[end]; k++) {
        uint32_t row = s->normal_row[k];
        s->pressed[links->member[k]] =
            fmax(s->arrival[row], 0.0) + sqrt(alpha) * fmax(returned(s, row), 0.0);
    }
    *work = 0.0;
    if (n == 0)
        return STATUS_OK;
    return sliding_solve_with_friction(s, n, s->chosen, least, s->rub, work, error);
}

static enum status rub_all(struct sliding *s, const struct step_view *view, double least,
                           struct link_report *report, struct error *error)
{
    struct link_pieces *turning = &s->links.turning;
    enum status status = STATUS_OK;
    sliding_scatter(&s->links, s->velocity, view->velocity);
    link_pieces_move(turning, view->motion->mean + turning->first, view->dt);
    link_pieces_look(turning, view->velocity + turning->first);
    /* components that turn the same piece are one problem */
    size_t at_once = turning->n > 0 ? s->links.n_components : 1;
    for (size_t k = 0; k < s->links.n_components && !status; k += at_once) {
        double work;
        status = rub(s, k, k + at_once, view->contact->settings.alpha, least, &work, error);
        report->friction += work;
    }
    sliding_add_support(s, s->rub, report);
    for (size_t k = 0; k < turning->n; k++)
        turning->piece[k].couple = turning->piece[k].given;
    link_pieces_spread(turning, NULL, view->velocity + turning->first);
    return status;
}

enum status sliding_arrive(struct sliding *s, const struct step_view *view, struct error *error)
{
    bool any = mark_arriving(s);
    turn_normals(&s->links, view);
    move_bodies(s, view);
    sliding_gather(&s->links, view->velocity, s->velocity);
    if (!any)
        return STATUS_OK;
    enum status status = sliding_build(s, error);
    if (!status && s->links.rigid.n == 0)
        links_matrix_keep(&s->normals, s->loaded);
    double least = sliding_negligible(s, view);
    for (size_t k = 0; k < s->links.n_components && !status; k++) {
        double energy;
        status = merge_again(s, k, least, &energy, error);
        s->report.stored += energy;
    }
    if (!status && s->links.rows_each == 3)
        status = rub_all(s, view, least, &s->report, error);
    sliding_add_support(s, s->arrival, &s->report);
    for (size_t row = 0; row < s->links.rows_each * s->links.n; row++)
        s->merge[row] += returned(s, row);
    return status;
}
