/* The linear system of the implicit step with links: its memory, its unknowns (those of the network
 * and those of other systems at its links), and its right side. */
#include "base/memory.h"
#include "systems/bonds/bond_linked_parts.h"

#include <stdlib.h>
#include <string.h>

void bond_linked_free(struct bond_linked *l)
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
    free(l->scope);
    free(l->goal);
    free(l->q);
    free(l->impulse);
    free(l->expected);
    free(l->held);
    free(l->part);
    free(l->kept);
    free(l->recalled);
    free(l->tied);
    free(l->tied_sum);
    free(l->tied_mass);
    links_matrix_free(&l->matrix);
    coulomb_free(&l->solver);
    bond_newton_free(&l->newton);
    *l = (struct bond_linked){0};
}

/* ---- memory ---- */

enum status bond_linked_reserve_unknowns(struct bond_linked *l, size_t n, struct error *error)
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
static enum status reserve_ends(struct bond_linked *l, size_t n, struct error *error)
{
    size_t from = l->end_capacity, to = array_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&l->unknown, from, to, sizeof *l->unknown, "links", error) ||
        array_grow(&l->mobility, from, to, sizeof *l->mobility, "links", error) ||
        array_grow(&l->foreign_mass, from, to, sizeof *l->foreign_mass, "links", error) ||
        array_grow(&l->foreign_particle, from, to, sizeof *l->foreign_particle, "links", error))
        return STATUS_FAILED;
    l->end_capacity = to;
    return STATUS_OK;
}

static enum status reserve_rows(struct bond_linked *l, size_t n, struct error *error)
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

enum status bond_linked_reserve(struct bond_linked *l, const struct links *links,
                                struct error *error)
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
    size_t first = s->step->net.system.first;
    return particle >= first && particle < first + s->step->net.system.n;
}

static bool is_free(const struct linked_step *s, uint32_t particle)
{
    return s->particles->state[particle] == PARTICLE_FREE;
}

static bool is_free_own(const struct linked_step *s, uint32_t particle)
{
    return particle != LINK_WALL && is_own(s, particle) && is_free(s, particle);
}

/* Collects the rows of the components to which a free particle of the network belongs. */
void bond_linked_find_scope(struct linked_step *s)
{
    const struct links *links = s->links;
    size_t each = links->rows_each;
    struct bond_linked *l = s->l;
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
    struct bond_linked *l = s->l;
    uint32_t i = s->links->particle[end];
    double per_mass = 1.0 / s->particles->mass[i];
    l->unknown[end] = (uint32_t)(s->step->net.system.n + l->n_foreign);
    l->mobility[end] = (struct sym3){per_mass, 0.0, 0.0, per_mass, 0.0, per_mass};
    l->foreign_mass[l->n_foreign] = s->particles->mass[i];
    l->foreign_particle[l->n_foreign++] = i;
}

/* A fixed end is no unknown. A free end belongs to one component only, because it would join
 * several. */
void bond_linked_find_unknowns(struct linked_step *s)
{
    struct bond_linked *l = s->l;
    l->n_foreign = 0;
    for (size_t e = 0; e < s->links->n_ends; e++) {
        uint32_t i = s->links->particle[e];
        l->unknown[e] = BOND_NO_UNKNOWN;
        l->mobility[e] = (struct sym3){0};
        if (!is_free(s, i) || !in_scope(s, e))
            continue;
        if (!is_own(s, i)) {
            add_foreign(s, e);
            continue;
        }
        l->unknown[e] = (uint32_t)(i - s->step->net.system.first);
        l->mobility[e] = bond_precondition_block(s->step, l->unknown[e]);
    }
    l->n = s->step->net.system.n + l->n_foreign;
}

/* Fills right side and first guess. Those of the network's particles are the ones of a step without
 * links; the others change as their own systems found without links. */
void bond_linked_fill_unknowns(struct linked_step *s)
{
    struct bond_linked *l = s->l;
    const struct vec3 *before = s->motion->before + s->step->net.system.first;
    const struct vec3 *guess = s->step->warm_start;
    size_t own = s->step->net.system.n;
    if (s->response->guess)
        guess = s->response->guess + s->step->net.system.first;
    bond_right_side(s->step, s->particles, s->dt, before);
    memcpy(l->b, s->step->right_side, own * sizeof *l->b);
    for (size_t i = 0; i < own; i++)
        l->x[i] = s->step->weight[i] ? vec3_sub(guess[i], before[i]) : vec3(0.0, 0.0, 0.0);
    for (size_t e = 0; e < s->links->n_ends; e++) {
        uint32_t u = l->unknown[e];
        if (u == BOND_NO_UNKNOWN || u < own)
            continue;
        l->x[u] = vec3_sub(s->response->after[e], s->motion->before[s->links->particle[e]]);
        l->b[u] = vec3_scale(l->foreign_mass[u - own], l->x[u]);
    }
}

/* The mean velocity at an end without the unknown's part, kappa x. */
static struct vec3 mean_before(const struct linked_step *s, uint32_t end)
{
    uint32_t i = s->links->particle[end], u = s->l->unknown[end];
    struct vec3 before = s->motion->before[i];
    size_t own = s->step->net.system.n;
    if (u == BOND_NO_UNKNOWN || u < own)
        return before;
    double rest = 1.0 - s->step->integrator.kappa;
    return vec3_axpy(before, rest / s->l->foreign_mass[u - own], s->l->b[u]);
}

/* The value of J x at which a normal holds: n . (mean before + kappa x) = -offset. */
static double goal_along(const struct linked_step *s, size_t c)
{
    const struct links *links = s->links;
    struct vec3 apart = vec3_scale(-1.0, mean_before(s, links->end_i[c]));
    if (links->end_j[c] != LINK_WALL)
        apart = vec3_add(mean_before(s, links->end_j[c]), apart);
    double speed = vec3_dot(links->link[c].normal, apart);
    return -(speed + links->link[c].offset) / s->step->integrator.kappa;
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
    return -vec3_dot(links_direction(s->links, row), links_slip(s->links, c, apart));
}

void bond_linked_set_goals(struct linked_step *s)
{
    bond_linked_look(s->l, s->motion->before + s->step->net.system.first);
    for (size_t k = 0; k < s->l->n_scope; k++) {
        uint32_t row = s->l->scope[k];
        size_t c = links_of_row(s->links, row);
        bool normal = row == links_normal_row(s->links, c);
        s->l->goal[row] = normal ? goal_along(s, c) : goal_across(s, row);
    }
}
