/* Arrival: merging stops of a speculative link only what would lead into overlap within the step,
 * so that its pair arrives in touch and still approaches. What still approaches then is merged as
 * well, along the normals of the moved positions, of all links that have an impulse of merging; and
 * splitting gives both back at once. Without this, a bounce would return the less the nearer the
 * pair was at the start of the step. */
#include "schemes/sliding_parts.h"

/* The normals of the pairs after the move, when nothing is left of distances. Walls are where they
 * were. */
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
        double length = vec3_norm(apart);
        if (length > 0.0)
            link->normal = vec3_scale(1.0 / length, apart);
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

/* s->loaded: the normals of links that are merged again, those with an impulse of merging in the
 * components in which some are speculative; whether there are any. To be called before normals
 * turn. */
static bool mark_arriving(struct sliding *s)
{
    const struct links *links = &s->links;
    bool any = false;
    for (size_t component = 0; component < links->n_components; component++) {
        bool arrives = any_arrives(s, component);
        any = any || arrives;
        for (size_t k = links->start[component]; k < links->start[component + 1]; k++)
            s->loaded[s->normal_row[k]] = arrives && s->merge[s->normal_row[k]] > 0.0;
    }
    return any;
}

/* s->chosen: the normals of a component that are marked; returns how many. */
static size_t choose_marked(struct sliding *s, size_t component)
{
    const struct links *links = &s->links;
    size_t n = 0;
    for (size_t k = links->start[component]; k < links->start[component + 1]; k++)
        if (s->loaded[s->normal_row[k]])
            s->chosen[n++] = s->normal_row[k];
    return n;
}

/* Merges those of one component again. */
static enum status merge_again(struct sliding *s, size_t component, double least, double *energy,
                               struct error *error)
{
    size_t n = choose_marked(s, component);
    *energy = 0.0;
    if (n == 0)
        return STATUS_OK;
    enum status status = sliding_solve_for(s, n, s->chosen, least, s->arrival, error);
    *energy = sliding_taken(s, component, s->arrival);
    return status;
}

enum status sliding_arrive(struct sliding *s, const struct step_view *view,
                           struct scheme_report *report, struct error *error)
{
    bool any = mark_arriving(s);
    turn_normals(&s->links, view);
    sliding_gather(&s->links, view->motion->after, s->velocity);
    if (!any)
        return STATUS_OK;
    enum status status = links_matrix_build(&s->matrix, &s->links, s->mobility, error);
    if (!status)
        status = links_matrix_take_normals(&s->normals, &s->matrix, s->links.rows_each, error);
    if (status)
        return status;
    links_matrix_keep(&s->normals, s->loaded);
    double least = sliding_negligible(s, view);
    for (size_t k = 0; k < s->links.n_components && !status; k++) {
        double energy;
        status = merge_again(s, k, least, &energy, error);
        s->stored[k] += energy;
        report->contact.merge.energy += energy;
    }
    sliding_add_support(s, s->arrival, &report->links.support);
    for (size_t row = 0; row < s->links.rows_each * s->links.n; row++)
        s->merge[row] += s->arrival[row];
    return status;
}
