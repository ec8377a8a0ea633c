/* Problems of links between particles that feel nothing but links: merging, contacts of explicit
 * systems, and displacements. For velocities v, find the impulses with
 *
 *     0 <= p,  J V + offset >= 0,  one of them 0,   V = v + M^-1 J^T p
 *
 * which is a complementarity problem of W = J M^-1 J^T. */
#include "base/memory.h"
#include "schemes/sliding_parts.h"

static enum status grow(void *array, size_t from, size_t to, size_t size, struct error *error)
{
    return array_reserve(array, &from, to, size, "links", error);
}

/* The same room for everything by link, and twice as much by end. */
static enum status reserve(struct sliding *s, size_t n, struct error *error)
{
    size_t from = s->capacity, to = n > 2 * from ? n : 2 * from;
    if (n <= from)
        return STATUS_OK;
    if (grow(&s->merge, from, to, sizeof *s->merge, error) ||
        grow(&s->impulse, from, to, sizeof *s->impulse, error) ||
        grow(&s->arrival, from, to, sizeof *s->arrival, error) ||
        grow(&s->chosen, from, to, sizeof *s->chosen, error) ||
        grow(&s->shift, from, to, sizeof *s->shift, error) ||
        grow(&s->q, from, to, sizeof *s->q, error) ||
        grow(&s->loaded, from, to, sizeof *s->loaded, error) ||
        grow(&s->stored, from, to, sizeof *s->stored, error) ||
        grow(&s->solved, from, to, sizeof *s->solved, error) ||
        grow(&s->mobility, 2 * from, 2 * to, sizeof *s->mobility, error) ||
        grow(&s->kick, 2 * from, 2 * to, sizeof *s->kick, error) ||
        grow(&s->velocity, 2 * from, 2 * to, sizeof *s->velocity, error))
        return STATUS_FAILED;
    s->capacity = to;
    return STATUS_OK;
}

enum status sliding_prepare(struct sliding *s, const struct particles *p, struct error *error)
{
    const struct links *links = &s->links;
    if (reserve(s, links->n, error))
        return STATUS_FAILED;
    for (size_t e = 0; e < links->n_ends; e++) {
        uint32_t i = links->particle[e];
        double m = p->state[i] == PARTICLE_FREE ? 1.0 / p->mass[i] : 0.0;
        s->mobility[e] = (struct sym3){m, 0.0, 0.0, m, 0.0, m};
    }
    for (size_t c = 0; c < links->n; c++) {
        s->merge[c] = s->arrival[c] = s->impulse[c] = s->shift[c] = 0.0;
        s->loaded[c] = 0;
    }
    for (size_t k = 0; k < links->n_components; k++)
        s->solved[k] = 0;
    return links_matrix_build(&s->matrix, links, s->mobility, error);
}

void sliding_gather(const struct links *links, const struct vec3 *value, struct vec3 *at_end)
{
    for (size_t e = 0; e < links->n_ends; e++)
        at_end[e] = value[links->particle[e]];
}

void sliding_scatter(const struct links *links, const struct vec3 *at_end, struct vec3 *value)
{
    for (size_t e = 0; e < links->n_ends; e++)
        value[links->particle[e]] = at_end[e];
}

/* v += M^-1 J^T impulse of link c. */
static void give(const struct sliding *s, size_t c, double impulse, struct vec3 *v)
{
    const struct links *links = &s->links;
    uint32_t i = links->end_i[c], j = links->end_j[c];
    struct vec3 normal = links->link[c].normal;
    v[i] = vec3_axpy(v[i], -impulse * s->mobility[i].xx, normal);
    if (j != LINK_WALL)
        v[j] = vec3_axpy(v[j], impulse * s->mobility[j].xx, normal);
}

double sliding_negligible(const struct sliding *s, const struct step_view *view)
{
    static const double rounding = 1e-12;
    double largest = 0.0;
    for (size_t e = 0; e < s->links.n_ends; e++)
        largest = fmax(largest, vec3_norm2(s->velocity[e]));
    return rounding * (sqrt(largest) + view->dt * vec3_norm(view->scene->gravity));
}

enum status sliding_solve_for(struct sliding *s, size_t n, const uint32_t *member, double least,
                              double *impulse, struct error *error)
{
    const struct links *links = &s->links;
    enum { MOST_ITERATIONS = 10000 };
    struct complementarity_report report;
    for (size_t k = 0; k < n; k++) {
        uint32_t c = member[k];
        s->q[c] = links_speed(links, c, s->velocity) + links->link[c].offset;
        s->loaded[c] = s->q[c] < -least;
    }
    enum status status = complementarity_solve(&s->solver, &s->matrix.rows, n, member, s->q, least,
                                               MOST_ITERATIONS, s->loaded, impulse, &report, error);
    for (size_t k = 0; k < n && !status; k++)
        give(s, member[k], impulse[member[k]], s->velocity);
    return status;
}

enum status sliding_solve(struct sliding *s, size_t component, double least, double *impulse,
                          struct error *error)
{
    const size_t *start = s->links.start + component;
    return sliding_solve_for(s, start[1] - start[0], s->links.member + start[0], least, impulse,
                             error);
}

double sliding_taken(const struct sliding *s, size_t component, const double *impulse)
{
    const struct links *links = &s->links;
    double sum = 0.0;
    for (size_t k = links->start[component]; k < links->start[component + 1]; k++) {
        uint32_t c = links->member[k];
        double before = s->q[c] - links->link[c].offset;
        if (impulse[c] != 0.0)
            sum -= 0.5 * impulse[c] * (before + links_speed(links, c, s->velocity));
    }
    return sum;
}

void sliding_kick(const struct sliding *s, const double *impulse, struct vec3 *kick)
{
    for (size_t e = 0; e < s->links.n_ends; e++)
        kick[e] = vec3(0.0, 0.0, 0.0);
    for (size_t c = 0; c < s->links.n; c++)
        if (impulse[c] != 0.0)
            give(s, c, impulse[c], kick);
}

static bool stands(const struct sliding *s, uint32_t end)
{
    return end == LINK_WALL || !(s->mobility[end].xx > 0.0);
}

void sliding_add_support(const struct sliding *s, const double *impulse, struct vec3 *support)
{
    const struct links *links = &s->links;
    for (size_t c = 0; c < links->n; c++)
        if (stands(s, links->end_j[c]))
            *support = vec3_axpy(*support, -impulse[c], links->link[c].normal);
        else if (stands(s, links->end_i[c]))
            *support = vec3_axpy(*support, impulse[c], links->link[c].normal);
}

double sliding_kinetic(const struct links *links, const struct particles *p,
                       const struct vec3 *at_end)
{
    double sum = 0.0;
    for (size_t e = 0; e < links->n_ends; e++)
        if (p->state[links->particle[e]] == PARTICLE_FREE)
            sum += 0.5 * p->mass[links->particle[e]] * vec3_norm2(at_end[e]);
    return sum;
}
