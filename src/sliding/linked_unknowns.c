/* The linear system of the step with links: its memory, its unknowns (those of the implicit
 * systems, and those of others at their links), and its right side. */
#include "base/memory.h"
#include "sliding/linked_parts.h"

#include <stdlib.h>
#include <string.h>

void linked_free(struct linked *l)
{
    free(l->x);
    free(l->b);
    free(l->residual);
    free(l->z);
    free(l->direction);
    free(l->image);
    free(l->conjugate);
    free(l->foreign_mass);
    free(l->foreign_particle);
    free(l->unknown);
    free(l->mobility);
    free(l->before);
    free(l->scope);
    free(l->goal);
    free(l->q);
    free(l->impulse);
    free(l->expected);
    free(l->held);
    free(l->part);
    free(l->kept);
    free(l->recalled);
    free(l->side);
    tied_bodies_free(&l->tied);
    links_matrix_free(&l->matrix);
    coulomb_free(&l->solver);
    newton_free(&l->newton);
    free(l->system);
    free(l->given);
    free(l->at_link);
    *l = (struct linked){0};
}

/* ---- memory ---- */

enum status linked_reserve_unknowns(struct linked *l, size_t n, struct error *error)
{
    size_t from = l->capacity, to = from == 0 ? n : array_room(from, n), size = sizeof *l->x;
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&l->x, from, to, size, "links", error) ||
        array_grow(&l->b, from, to, size, "links", error) ||
        array_grow(&l->residual, from, to, size, "links", error) ||
        array_grow(&l->z, from, to, size, "links", error) ||
        array_grow(&l->direction, from, to, size, "links", error) ||
        array_grow(&l->image, from, to, size, "links", error) ||
        array_grow(&l->conjugate, from, to, size, "links", error))
        return STATUS_FAILED;
    l->capacity = to;
    return STATUS_OK;
}

/* There are at most as many foreign particles as ends. */
static enum status reserve_ends(struct linked *l, size_t n, struct error *error)
{
    size_t from = l->end_capacity, to = array_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&l->unknown, from, to, sizeof *l->unknown, "links", error) ||
        array_grow(&l->mobility, from, to, sizeof *l->mobility, "links", error) ||
        array_grow(&l->before, from, to, sizeof *l->before, "links", error) ||
        array_grow(&l->foreign_mass, from, to, sizeof *l->foreign_mass, "links", error) ||
        array_grow(&l->foreign_particle, from, to, sizeof *l->foreign_particle, "links", error))
        return STATUS_FAILED;
    l->end_capacity = to;
    return STATUS_OK;
}

static enum status reserve_rows(struct linked *l, size_t n, struct error *error)
{
    size_t from = l->link_capacity, to = array_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&l->scope, from, to, sizeof *l->scope, "links", error) ||
        array_grow(&l->goal, from, to, sizeof *l->goal, "links", error) ||
        array_grow(&l->q, from, to, sizeof *l->q, "links", error) ||
        array_grow(&l->impulse, from, to, sizeof *l->impulse, "links", error) ||
        array_grow(&l->expected, from, to, sizeof *l->expected, "links", error) ||
        array_grow(&l->held, from, to, sizeof *l->held, "links", error) ||
        array_grow(&l->recalled, from, to, sizeof *l->recalled, "links", error))
        return STATUS_FAILED;
    l->link_capacity = to;
    return STATUS_OK;
}

enum status linked_reserve(struct linked *l, const struct links *links, struct error *error)
{
    if (reserve_rows(l, links->rows_each * links->n, error) ||
        array_reserve(&l->part, &l->part_capacity, links->n_components + 1, sizeof *l->part,
                      "links", error))
        return STATUS_FAILED;
    return reserve_ends(l, links->n_ends, error);
}

/* ---- unknowns ---- */

static bool is_own(const struct linked_step *s, uint32_t particle)
{
    return particle >= s->l->first && particle < s->l->first + s->l->n_own;
}

static bool is_free(const struct linked_step *s, uint32_t particle)
{
    return s->particles->state[particle] == PARTICLE_FREE;
}

static bool is_free_own(const struct linked_step *s, uint32_t particle)
{
    return particle != LINK_WALL && is_own(s, particle) && is_free(s, particle);
}

/* Collects the rows of the components to which a free particle of an implicit system belongs. */
void linked_find_scope(struct linked_step *s)
{
    const struct links *links = s->links;
    size_t each = links->rows_each;
    struct linked *l = s->l;
    l->n_scope = l->n_parts = l->part[0] = 0;
    for (size_t c = 0; c < links->n; c++)
        if (is_free_own(s, links->link[c].i) || is_free_own(s, links->link[c].j))
            s->response->solved[links->component[c]] = 1;
    for (size_t k = 0; k < links->n_components; k++) {
        if (!s->response->solved[k])
            continue;
        for (size_t m = each * links->start[k]; m < each * links->start[k + 1]; m++)
            l->scope[l->n_scope++] = links->row[m];
        l->part[++l->n_parts] = l->n_scope;
    }
}

static bool in_scope(const struct linked_step *s, size_t end)
{
    uint32_t c = s->links->link_of[s->links->link_start[end]];
    return s->response->solved[s->links->component[c]];
}

static void add_foreign(struct linked_step *s, size_t end)
{
    struct linked *l = s->l;
    uint32_t i = s->links->particle[end];
    double per_mass = 1.0 / s->particles->mass[i];
    l->unknown[end] = (uint32_t)(l->n_own + l->n_foreign);
    l->mobility[end] = (struct sym3){per_mass, 0.0, 0.0, per_mass, 0.0, per_mass};
    l->foreign_mass[l->n_foreign] = s->particles->mass[i];
    l->foreign_particle[l->n_foreign++] = i;
}

/* The implicit system of a particle. */
static const struct linked_system *system_of(const struct linked *l, uint32_t particle)
{
    const struct linked_system *of = l->system;
    while (particle >= of->system->first + of->system->n)
        of++;
    return of;
}

static struct sym3 mobility_of(const struct linked *l, uint32_t particle)
{
    const struct system *system = system_of(l, particle)->system;
    return system->class->linear->mobility(system, particle - system->first);
}

/* The mobility of an end of a body only tells that it moves. */
static void find_bodies(struct linked_step *s)
{
    struct linked *l = s->l;
    const struct link_bodies *rigid = &s->links->rigid;
    for (size_t k = 0; k < rigid->n; k++)
        for (uint32_t e = rigid->body[k].begin; e < rigid->body[k].end && in_scope(s, e); e++) {
            const double m = 1.0 / rigid->body[k].body->mass;
            l->unknown[e] = (uint32_t)linked_body(l, k);
            l->mobility[e] = (struct sym3){m, 0.0, 0.0, m, 0.0, m};
        }
}

/* A fixed end is no unknown. A free end belongs to one component only, because it would join
 * several. */
void linked_find_unknowns(struct linked_step *s)
{
    struct linked *l = s->l;
    l->n_foreign = 0;
    for (size_t e = 0; e < s->links->n_ends; e++) {
        uint32_t i = s->links->particle[e];
        l->unknown[e] = NO_UNKNOWN;
        l->mobility[e] = (struct sym3){0};
        if (!is_free(s, i) || !in_scope(s, e))
            continue;
        if (linked_body_at(l, (uint32_t)e) != LINK_NO_BODY)
            continue;
        if (!is_own(s, i)) {
            add_foreign(s, e);
            continue;
        }
        l->unknown[e] = (uint32_t)(i - l->first);
        l->mobility[e] = mobility_of(l, i);
    }
    find_bodies(s);
    l->n = linked_body(l, s->links->rigid.n);
}

/* Those of a system are the ones of a step without links. */
static void fill_own(struct linked_step *s, const struct linked_system *of)
{
    struct linked *l = s->l;
    const struct vec3 *before = s->motion->before + of->system->first;
    const struct vec3 *guess = of->step.guess;
    const uint8_t *state = s->particles->state + of->system->first;
    if (s->response->guess)
        guess = s->response->guess + of->system->first;
    memcpy(l->b + of->begin, of->step.right_side, of->system->n * sizeof *l->b);
    for (size_t i = 0; i < of->system->n; i++)
        l->x[of->begin + i] =
            state[i] == PARTICLE_FREE ? vec3_sub(guess[i], before[i]) : vec3(0.0, 0.0, 0.0);
}

static void fill_bodies(struct linked_step *s)
{
    struct linked *l = s->l;
    const struct link_bodies *rigid = &s->links->rigid;
    const struct vec3 *after = s->response->after;
    for (size_t k = 0; k < rigid->n; k++) {
        const bool solved = l->unknown[rigid->body[k].begin] != NO_UNKNOWN;
        const struct rigid_motion before = rigid_motion_of(rigid->body[k].body, rigid->mass,
                                                           rigid->x, s->motion->before),
                                  now = link_body_motion(rigid, k, after, after + s->links->n_ends);
        const struct rigid_motion change = {vec3_sub(now.velocity, before.velocity),
                                            vec3_sub(now.rate, before.rate)};
        const struct rigid_motion none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        l->before[k] = before;
        linked_set_motion(l, k, solved ? change : none, l->x);
    }
    linked_bodies_apply(l, l->x, l->b);
}

/* Fills right side and first guess. Particles of other systems change as these found without links.
 */
void linked_fill_unknowns(struct linked_step *s)
{
    struct linked *l = s->l;
    for (size_t k = 0; k < l->n_systems; k++)
        fill_own(s, &l->system[k]);
    for (size_t e = 0; e < s->links->n_ends; e++) {
        uint32_t u = l->unknown[e];
        if (u == NO_UNKNOWN || u < l->n_own || u >= linked_body(l, 0))
            continue;
        l->x[u] = vec3_sub(s->response->after[e], s->motion->before[s->links->particle[e]]);
        l->b[u] = vec3_scale(l->foreign_mass[u - l->n_own], l->x[u]);
    }
    fill_bodies(s);
}

/* ... of an end of a rigid body; l->x is still what its system found. */
static struct vec3 body_before(const struct linked_step *s, uint32_t end)
{
    const size_t k = linked_body_at(s->l, end);
    const struct vec3 arm = s->links->rigid.arm[end];
    const struct vec3 alone = rigid_velocity(linked_motion(s->l, k, s->l->x), arm);
    return vec3_axpy(s->motion->before[s->links->particle[end]], 1.0 - s->l->share, alone);
}

/* The mean velocity at an end without the unknown's part, share x. */
static struct vec3 mean_before(const struct linked_step *s, uint32_t end)
{
    const struct linked *l = s->l;
    uint32_t i = s->links->particle[end], u = l->unknown[end];
    struct vec3 before = s->motion->before[i];
    if (u == NO_UNKNOWN || u < l->n_own)
        return before;
    if (linked_body_at(l, end) != LINK_NO_BODY)
        return body_before(s, end);
    return vec3_axpy(before, (1.0 - l->share) / l->foreign_mass[u - l->n_own], l->b[u]);
}

/* The value of J x at which a normal holds: n . (mean before + share x) = -offset. */
static double goal_along(const struct linked_step *s, size_t c)
{
    const struct links *links = s->links;
    struct vec3 apart = vec3_scale(-1.0, mean_before(s, links->end_i[c]));
    if (links->end_j[c] != LINK_WALL)
        apart = vec3_add(mean_before(s, links->end_j[c]), apart);
    double speed = vec3_dot(links->link[c].normal, apart);
    return -(speed + links->link[c].offset) / s->l->share;
}

/* Adds how rigid bodies turn before the step to how surfaces part. */
static struct vec3 slip_of_bodies(const struct linked_step *s, size_t c, struct vec3 apart)
{
    const struct vec3 n = s->links->link[c].normal;
    for (int at_j = 0; at_j < 2; at_j++) {
        const uint32_t end = at_j ? s->links->end_j[c] : s->links->end_i[c];
        const uint32_t k = end == LINK_WALL ? LINK_NO_BODY : linked_body_at(s->l, end);
        if (k == LINK_NO_BODY)
            continue;
        const double reach = links_reach(s->links, c, at_j);
        apart = vec3_axpy(apart, -reach, vec3_cross(s->l->before[k].rate, n));
    }
    return apart;
}

/* The value of J x at which a row across does not slip at the end of the step. Pieces must turn at
 * their rates before it. */
static double goal_across(const struct linked_step *s, uint32_t row)
{
    size_t c = links_of_row(s->links, row);
    const struct link *link = &s->links->link[c];
    struct vec3 apart = vec3_scale(-1.0, s->motion->before[link->i]);
    if (link->j != LINK_WALL)
        apart = vec3_add(s->motion->before[link->j], apart);
    apart = links_slip(s->links, c, apart);
    return -vec3_dot(links_direction(s->links, row), slip_of_bodies(s, c, apart));
}

void linked_set_goals(struct linked_step *s)
{
    linked_look(s->l, s->motion->before + s->l->first);
    for (size_t k = 0; k < s->l->n_scope; k++) {
        uint32_t row = s->l->scope[k];
        size_t c = links_of_row(s->links, row);
        bool normal = row == links_normal_row(s->links, c);
        s->l->goal[row] = normal ? goal_along(s, c) : goal_across(s, row);
    }
}
