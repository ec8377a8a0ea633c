/* Problems of links between particles that feel nothing but links: merging, contacts of explicit
 * systems, and corrections of displacements. For velocities v, they ask for the impulses p with
 *
 *     0 <= p,  J V + offset >= 0,  one of them 0,   V = v + M^-1 J^T p
 *
 * which is a complementarity problem of W = J M^-1 J^T. With friction it is a problem of cones
 * (sliding_friction.c), and with rigid bodies it is solved as one of cones without friction. */
#include "base/memory.h"
#include "sliding/sliding_parts.h"

/* Arrays by row are rows_each times as long as those by link, arrays by end twice as long, and
 * there are no more bodies than ends. */
static enum status reserve(struct sliding *s, size_t n, struct error *error)
{
    size_t from = s->capacity, to = array_room(from, n);
    size_t each = s->links.rows_each;
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&s->merge, each * from, each * to, sizeof *s->merge, "links", error) ||
        array_grow(&s->arrival, each * from, each * to, sizeof *s->arrival, "links", error) ||
        array_grow(&s->impulse, each * from, each * to, sizeof *s->impulse, "links", error) ||
        array_grow(&s->last, each * from, each * to, sizeof *s->last, "links", error) ||
        array_grow(&s->rub, each * from, each * to, sizeof *s->rub, "links", error) ||
        array_grow(&s->shift, each * from, each * to, sizeof *s->shift, "links", error) ||
        array_grow(&s->q, each * from, each * to, sizeof *s->q, "links", error) ||
        array_grow(&s->loaded, each * from, each * to, sizeof *s->loaded, "links", error) ||
        array_grow(&s->chosen, each * from, each * to, sizeof *s->chosen, "links", error) ||
        array_grow(&s->marked, from, to, sizeof *s->marked, "links", error) ||
        array_grow(&s->pressed, from, to, sizeof *s->pressed, "links", error) ||
        array_grow(&s->normal_row, from, to, sizeof *s->normal_row, "links", error) ||
        ((s->links.rigid.all || each > 1) &&
         array_grow(&s->side, 2 * from, 2 * to, sizeof *s->side, "links", error)) ||
        array_grow(&s->pushed, 2 * from, 2 * to, sizeof *s->pushed, "links", error) ||
        array_grow(&s->stored, from, to, sizeof *s->stored, "links", error) ||
        array_grow(&s->solved, from, to, sizeof *s->solved, "links", error) ||
        array_grow(&s->mobility, 2 * from, 2 * to, sizeof *s->mobility, "links", error) ||
        array_grow(&s->kick, 4 * from, 4 * to, sizeof *s->kick, "links", error) ||
        array_grow(&s->velocity, 4 * from, 4 * to, sizeof *s->velocity, "links", error))
        return STATUS_FAILED;
    s->capacity = to;
    return STATUS_OK;
}

/* Friction turns the pieces of implicit systems; those of others have no links. */
static enum status find_pieces(struct sliding *s, const struct step_view *view, struct error *error)
{
    if (s->links.rows_each == 1 || s->n_turned == 0)
        return link_pieces_forget(&s->links, error);
    return link_pieces_find(&s->links, s->turned, s->n_turned, view->particles, error);
}

enum status sliding_prepare(struct sliding *s, const struct step_view *view, struct error *error)
{
    const struct links *links = &s->links;
    const struct particles *p = view->particles;
    if (reserve(s, links->n, error))
        return STATUS_FAILED;
    for (size_t e = 0; e < links->n_ends; e++) {
        uint32_t i = links->particle[e];
        double m = p->state[i] == PARTICLE_FREE ? 1.0 / p->mass[i] : 0.0;
        s->mobility[e] = (struct sym3){m, 0.0, 0.0, m, 0.0, m};
    }
    for (size_t row = 0; row < links->rows_each * links->n; row++) {
        s->merge[row] = s->arrival[row] = s->rub[row] = s->impulse[row] = s->shift[row] = 0.0;
        s->loaded[row] = 0;
    }
    for (size_t m = 0; m < links->n; m++)
        s->normal_row[m] = (uint32_t)links_normal_row(links, links->member[m]);
    for (size_t k = 0; k < links->n_components; k++)
        s->solved[k] = 0;
    for (size_t k = 0; k < links->rigid.n; k++)
        s->pushed[k] = (struct rigid_motion){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    link_bodies_place(&s->links.rigid, p->mass, p->position);
    return find_pieces(s, view, error) ? STATUS_FAILED : sliding_build(s, error);
}

enum status sliding_build(struct sliding *s, struct error *error)
{
    const struct links *links = &s->links;
    if (links->rigid.n > 0 || links->rows_each > 1)
        links_find_sides(links, s->mobility, s->side);
    if (links->rigid.n > 0)
        return STATUS_OK;
    if (links_matrix_build(&s->matrix, links, s->mobility, error))
        return STATUS_FAILED;
    return links_matrix_take_normals(&s->normals, &s->matrix, links->rows_each, error);
}

void sliding_gather(const struct links *links, const struct vec3 *value, struct vec3 *at_end)
{
    const struct link_bodies *rigid = &links->rigid;
    for (size_t e = 0; e < links->n_ends; e++)
        at_end[e] = value[links->particle[e]];
    for (size_t k = 0; k < rigid->n; k++)
        at_end[links->n_ends + k] =
            rigid_motion_of(rigid->body[k].body, rigid->mass, rigid->x, value).rate;
}

void sliding_scatter(const struct links *links, const struct vec3 *at_end, struct vec3 *value)
{
    for (size_t e = 0; e < links->n_ends; e++)
        value[links->particle[e]] = at_end[e];
    for (size_t k = 0; k < links->rigid.n; k++) {
        const struct rigid_body *body = links->rigid.body[k].body;
        const struct rigid_motion motion =
            link_body_motion(&links->rigid, k, at_end, at_end + links->n_ends);
        for (size_t i = body->begin; i < body->end; i++)
            value[i] = rigid_velocity(motion, vec3_sub(links->rigid.x[i], body->center));
    }
}

static void push_body(const struct sliding *s, uint32_t k, struct vec3 lever, struct vec3 impulse)
{
    const struct rigid_motion more =
        rigid_response(s->links.rigid.body[k].body, impulse, vec3_cross(lever, impulse));
    s->pushed[k].velocity = vec3_add(s->pushed[k].velocity, more.velocity);
    s->pushed[k].rate = vec3_add(s->pushed[k].rate, more.rate);
}

/* Moves all ends of a body as it was pushed. */
static void spread_body(const struct sliding *s, uint32_t k, struct vec3 *v)
{
    const struct links *links = &s->links;
    const struct link_body *of = &links->rigid.body[k];
    const struct rigid_motion more = s->pushed[k];
    if (vec3_norm2(more.velocity) == 0.0 && vec3_norm2(more.rate) == 0.0)
        return;
    for (uint32_t e = of->begin; e < of->end; e++)
        v[e] = vec3_add(v[e], rigid_velocity(more, links->rigid.arm[e]));
    v[links->n_ends + k] = vec3_add(v[links->n_ends + k], more.rate);
    s->pushed[k] = (struct rigid_motion){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
}

static void spread_at(const struct sliding *s, uint32_t end, struct vec3 *v)
{
    const uint32_t k = end == LINK_WALL ? LINK_NO_BODY : link_body_at(&s->links.rigid, end);
    if (k != LINK_NO_BODY)
        spread_body(s, k, v);
}

void sliding_spread(const struct sliding *s, size_t n, const uint32_t *row, struct vec3 *v)
{
    for (size_t k = 0; k < n && s->links.rigid.n > 0; k++) {
        const size_t c = links_of_row(&s->links, row[k]);
        spread_at(s, s->links.end_i[c], v);
        spread_at(s, s->links.end_j[c], v);
    }
}

static void give_end(const struct sliding *s, size_t c, uint32_t end, struct vec3 impulse,
                     struct vec3 *v)
{
    const uint32_t k = link_body_at(&s->links.rigid, end);
    if (k == LINK_NO_BODY)
        v[end] = vec3_axpy(v[end], s->mobility[end].xx, impulse);
    else
        push_body(s, k, links_lever(&s->links, c, end), impulse);
}

void sliding_give(const struct sliding *s, size_t row, double impulse, struct vec3 *v)
{
    const struct links *links = &s->links;
    size_t c = links_of_row(links, row);
    uint32_t i = links->end_i[c], j = links->end_j[c];
    struct vec3 given = vec3_scale(impulse, links_direction(links, row));
    give_end(s, c, i, vec3_scale(-1.0, given), v);
    if (j != LINK_WALL)
        give_end(s, c, j, given, v);
    if (row != links_normal_row(links, c))
        links_twist(links, c, given);
}

/* Finds q of a normal row. The first guess is that approaching pairs are loaded. */
static void look_at_normal(struct sliding *s, uint32_t row, double least)
{
    double offset = s->links.link[links_of_row(&s->links, row)].offset;
    s->q[row] = links_speed(&s->links, row, s->velocity) + offset;
    s->loaded[row] = s->q[row] < -least;
}

double sliding_negligible(const struct sliding *s, const struct step_view *view)
{
    static const double rounding = 1e-12;
    double largest = 0.0;
    for (size_t e = 0; e < s->links.n_ends; e++)
        largest = fmax(largest, vec3_norm2(s->velocity[e]));
    return rounding * (sqrt(largest) + view->dt * vec3_norm(view->scene->gravity));
}

/* Problems of rigid bodies, as those of cones without friction. */
static enum status solve_with_bodies(struct sliding *s, size_t n, const uint32_t *row, double least,
                                     double *impulse, struct complementarity_report *report,
                                     struct error *error)
{
    const struct coulomb_problem problem = {.side = s->side,
                                            .n_numbers = s->links.n_ends,
                                            .n = n,
                                            .row = row,
                                            .rows_each = 1,
                                            .rows_apart = s->links.rows_each,
                                            .q = s->q,
                                            .least = least};
    bool any = false;
    for (size_t k = 0; k < n; k++) {
        any = any || s->loaded[row[k]];
        impulse[row[k]] = 0.0;
    }
    if (!any)
        return STATUS_OK;
    return coulomb_solve_proximal(&s->solver, &problem, s->loaded, impulse, report, error);
}

enum status sliding_solve_for(struct sliding *s, size_t n, const uint32_t *row, double least,
                              double *impulse, struct error *error)
{
    struct complementarity_report report = {0};
    for (size_t k = 0; k < n; k++)
        look_at_normal(s, row[k], least);
    const enum status status =
        s->links.rigid.n > 0
            ? solve_with_bodies(s, n, row, least, impulse, &report, error)
            : complementarity_solve(&s->solver.normals, &s->normals.rows, n, row, s->q, least,
                                    s->loaded, impulse, &report, error);
    s->unsolved += report.wrong;
    for (size_t k = 0; k < n && !status; k++)
        if (impulse[row[k]] != 0.0)
            sliding_give(s, row[k], impulse[row[k]], s->velocity);
    sliding_spread(s, n, row, s->velocity);
    return status;
}

enum status sliding_solve(struct sliding *s, size_t component, double least, double *impulse,
                          struct error *error)
{
    const size_t *start = s->links.start + component;
    return sliding_solve_for(s, start[1] - start[0], s->normal_row + start[0], least, impulse,
                             error);
}

double sliding_taken_at(const struct sliding *s, uint32_t row, const double *impulse)
{
    double before = s->q[row] - s->links.link[links_of_row(&s->links, row)].offset;
    if (impulse[row] == 0.0)
        return 0.0;
    return -0.5 * impulse[row] * (before + links_speed(&s->links, row, s->velocity));
}

double sliding_taken(const struct sliding *s, size_t component, const double *impulse)
{
    const struct links *links = &s->links;
    double sum = 0.0;
    for (size_t k = links->start[component]; k < links->start[component + 1]; k++)
        sum += sliding_taken_at(s, s->normal_row[k], impulse);
    return sum;
}

void sliding_kick(const struct sliding *s, const double *impulse, struct vec3 *kick)
{
    for (size_t e = 0; e < s->links.n_ends + s->links.rigid.n; e++)
        kick[e] = vec3(0.0, 0.0, 0.0);
    for (size_t row = 0; row < s->links.rows_each * s->links.n; row++)
        if (impulse[row] != 0.0)
            sliding_give(s, row, impulse[row], kick);
    for (size_t k = 0; k < s->links.rigid.n; k++)
        spread_body(s, (uint32_t)k, kick);
}

static bool stands(const struct sliding *s, uint32_t end)
{
    return end == LINK_WALL || !(s->mobility[end].xx > 0.0);
}

/* A support may still move, as a motion prescribes, and then does work. */
double sliding_add_support(const struct sliding *s, const double *impulse,
                           struct link_report *report)
{
    const struct links *links = &s->links;
    double work = 0.0;
    for (size_t row = 0; row < links->rows_each * links->n; row++) {
        size_t c = links_of_row(links, row);
        uint32_t i = links->end_i[c], j = links->end_j[c];
        bool at_j = stands(s, j);
        if (!at_j && !stands(s, i))
            continue;
        struct vec3 given =
            vec3_scale(at_j ? -impulse[row] : impulse[row], links_direction(links, row));
        report->support = vec3_add(report->support, given);
        if (!at_j || j != LINK_WALL)
            work += vec3_dot(given, s->velocity[at_j ? j : i]);
    }
    report->support_work += work;
    return work;
}

double sliding_kinetic(const struct links *links, const struct particles *p,
                       const struct vec3 *at_end)
{
    double sum = 0.0;
    for (size_t e = 0; e < links->n_ends; e++)
        if (p->state[links->particle[e]] == PARTICLE_FREE &&
            link_body_at(&links->rigid, (uint32_t)e) == LINK_NO_BODY)
            sum += 0.5 * p->mass[links->particle[e]] * vec3_norm2(at_end[e]);
    for (size_t k = 0; k < links->rigid.n; k++) {
        const struct rigid_body *body = links->rigid.body[k].body;
        const struct rigid_motion motion =
            link_body_motion(&links->rigid, k, at_end, at_end + links->n_ends);
        sum += 0.5 * body->mass * vec3_norm2(motion.velocity) +
               0.5 * vec3_dot(motion.rate, sym3_mul(body->inertia, motion.rate));
    }
    return sum;
}
