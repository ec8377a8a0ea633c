/* Makes the bonds of a network from the scene's materials and the unstressed positions. */
#include "base/memory.h"
#include "particles/cell_grid.h"
#include "systems/bonds/bond_network_parts.h"
#include "systems/bonds/bond_rules.h"
#include "systems/bonds/bond_still.h"
#include "systems/bonds/bond_surface.h"
#include "systems/bonds/bond_ties.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The search for the bonds of one body. */
struct search {
    const struct bond_rule *rule;
    bool reduced; /* some material has reduced volumes */
    const struct vec3 *rest;
    struct cell_grid grid;
    uint32_t *found; /* scratch of cell_grid_within */
    struct bond_ties ties;
};

/* Makes room for n bonds and the padding behind them. */
static enum status make_room(struct bond_network *net, const struct search *search, size_t n,
                             size_t *capacity, struct error *error)
{
    size_t old = *capacity, room = n + BOND_PADDING;
    if (array_reserve(&net->neighbor, capacity, room, sizeof *net->neighbor, "bonds", error))
        return STATUS_FAILED;
    size_t kinds = old, lengths = old, fractions = old;
    if (*capacity == old)
        return STATUS_OK;
    if (array_reserve(&net->kind, &kinds, *capacity, sizeof *net->kind, "bonds", error) ||
        array_reserve(&net->rest_length, &lengths, *capacity, sizeof *net->rest_length, "bonds",
                      error))
        return STATUS_FAILED;
    return search->reduced ? array_reserve(&net->stiffness_fraction, &fractions, *capacity,
                                           sizeof *net->stiffness_fraction, "bonds", error)
                           : STATUS_OK;
}

/* Puts broken bonds behind the last one, where make_room left room for them. */
static void pad(struct bond_network *net, size_t n)
{
    for (size_t e = n; e < n + BOND_PADDING; e++) {
        net->neighbor[e] = 0;
        net->kind[e] = BOND_BROKEN;
        net->rest_length[e] = 1.0;
        if (net->stiffness_fraction)
            net->stiffness_fraction[e] = 1.0;
    }
}

static void enter(struct bond_network *net, const struct search *search, size_t e, uint32_t j,
                  struct bond_tie bond)
{
    net->neighbor[e] = j;
    net->kind[e] = (uint8_t)bond.kind;
    net->rest_length[e] = bond.length;
    if (search->reduced)
        net->stiffness_fraction[e] = 1.0;
}

/* Appends the bonds of particle i to later bodies. */
static enum status tie_particle(struct bond_network *net, struct search *search, uint32_t i,
                                size_t *capacity, struct error *error)
{
    const size_t n = bond_ties_near(&search->ties, i);
    size_t e = net->start[i + 1];
    if (make_room(net, search, e + n, capacity, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++) {
        const struct bond_tie tie = bond_tie_of(&search->ties, i, search->ties.found[k]);
        if (tie.kind != BOND_NONE)
            enter(net, search, e++, search->ties.found[k], tie);
    }
    net->start[i + 1] = e;
    return STATUS_OK;
}

/* Finds the particles above i to which its body's rule bonds it, in search->found; returns their
 * number. */
static size_t bonded_above(struct search *search, uint32_t i)
{
    const size_t n =
        cell_grid_within(&search->grid, search->rest[i], search->rule->reach, search->found);
    size_t bonds = 0;
    for (size_t k = 0; k < n; k++) {
        const uint32_t j = search->found[k];
        const double length = vec3_norm(vec3_sub(search->rest[j], search->rest[i]));
        if (j > i && search->rule->kind_of(search->rule, length) != BOND_NONE)
            search->found[bonds++] = j;
    }
    return bonds;
}

/* Appends the bonds of particle i to those above it; neighbors come out ascending. */
static enum status bond_particle(struct bond_network *net, struct search *search, uint32_t i,
                                 size_t *capacity, struct error *error)
{
    const size_t n = bonded_above(search, i);
    qsort(search->found, n, sizeof *search->found, ascending);
    if (make_room(net, search, net->start[i] + n, capacity, error))
        return STATUS_FAILED;
    size_t e = net->start[i];
    for (size_t k = 0; k < n; k++) {
        const uint32_t j = search->found[k];
        const double length = vec3_norm(vec3_sub(search->rest[j], search->rest[i]));
        const int kind = search->rule->kind_of(search->rule, length);
        enter(net, search, e, j, (struct bond_tie){kind, length});
        if (search->reduced)
            net->stiffness_fraction[e] = bond_fraction(search->rule, length);
        e++;
    }
    net->start[i + 1] = e;
    return tie_particle(net, search, i, capacity, error);
}

static enum status bond_body(struct bond_network *net, struct search *search, const uint32_t *index,
                             uint32_t begin, uint32_t end, size_t *capacity, struct error *error)
{
    if (!search->rule->kind_of) {
        for (uint32_t i = begin; i < end; i++)
            net->start[i + 1] = net->start[i];
        return STATUS_OK;
    }
    enum status status = cell_grid_build(&search->grid, end - begin, index + begin, search->rest,
                                         search->rule->reach, error);
    for (uint32_t i = begin; i < end && !status; i++)
        status = bond_particle(net, search, i, capacity, error);
    return status;
}

/* The bonds of a body at the vertices of a surface. */
static enum status bond_surface(struct bond_network *net, struct search *search,
                                const struct sheet *sheet, uint32_t begin, uint32_t end,
                                size_t *capacity, struct error *error)
{
    struct surface_spring *spring = NULL;
    size_t n, k = 0;
    enum status status = surface_springs_create(&spring, &n, sheet, error);
    for (uint32_t i = begin; i < end && !status; i++) {
        size_t e = net->start[i], first = k;
        while (k < n && spring[k].i == i)
            k++;
        status = make_room(net, search, e + (k - first), capacity, error);
        for (size_t own = first; own < k && !status; own++) {
            const uint32_t j = spring[own].j;
            const int kind = search->rule->kind[spring[own].spring];
            const double length = vec3_norm(vec3_sub(search->rest[j], search->rest[i]));
            if (kind != BOND_NONE)
                enter(net, search, e++, j, (struct bond_tie){kind, length});
        }
        net->start[i + 1] = e;
        if (!status)
            status = tie_particle(net, search, i, capacity, error);
    }
    free(spring);
    return status;
}

/* Counts the bonds of a body instead, of which the sheet is NULL unless it is at vertices. */
static enum status count_bonds(struct search *search, const struct sheet *sheet,
                               const uint32_t *index, uint32_t begin, uint32_t end, size_t *n,
                               struct error *error)
{
    struct surface_spring *spring = NULL;
    size_t n_springs = 0;
    *n = 0;
    enum status status = sheet ? surface_springs_create(&spring, &n_springs, sheet, error)
                               : cell_grid_build(&search->grid, end - begin, index + begin,
                                                 search->rest, search->rule->reach, error);
    for (size_t k = 0; k < n_springs && !status; k++)
        *n += search->rule->kind[spring[k].spring] != BOND_NONE;
    for (uint32_t i = begin; i < end && !status; i++)
        *n += sheet ? 0 : bonded_above(search, i);
    free(spring);
    return status;
}

/* Does without the n bonds of a body. */
static enum status leave_out(struct bond_network *net, const struct scene *scene, uint32_t body,
                             uint32_t begin, uint32_t end, size_t n, struct error *error)
{
    for (uint32_t i = begin; i < end; i++)
        net->start[i + 1] = net->start[begin];
    return bond_leave_out(net, body, scene->n_bodies, net->start[begin], n, error);
}

/* The bonds of a body that may be one at vertices. */
static enum status bond_any(struct bond_network *net, struct search *search,
                            const struct system_setting *setting, const uint32_t *index,
                            uint32_t begin, uint32_t end, size_t *capacity, struct error *error)
{
    const uint32_t body = setting->particles->body[begin];
    const struct sheet *sheet = NULL;
    if (scene_body_at_vertices(setting->scene, body) && surface_find(&sheet, setting, body, error))
        return STATUS_INVALID;
    if (search->rule->kind_of && bond_body_is_still(setting, begin, end)) {
        size_t n;
        enum status status = count_bonds(search, sheet, index, begin, end, &n, error);
        if (status || !bond_any_torn(net, setting, begin, n))
            return status ? status : leave_out(net, setting->scene, body, begin, end, n, error);
    }
    return sheet ? bond_surface(net, search, sheet, begin, end, capacity, error)
                 : bond_body(net, search, index, begin, end, capacity, error);
}

/* Makes the bonds of all bodies. The particles of one body have consecutive indices. */
static enum status bond_all(struct bond_network *net, const struct system_setting *setting,
                            struct bond_rule *rules, struct error *error)
{
    const struct scene *scene = setting->scene;
    const struct particles *p = setting->particles;
    const struct vec3 *rest = setting->rest;
    size_t n = net->system.n, capacity = 0;
    uint32_t *index = NULL;
    struct search search = {.rest = rest, .reduced = bond_rules_reduced(rules, scene->n_materials)};
    enum status status = STATUS_FAILED;
    if (array_create(&index, n, sizeof *index, "particle indices", error) ||
        array_create(&search.found, cell_grid_room(n), sizeof *search.found, "neighbors", error))
        goto done;
    for (uint32_t i = 0; i < n; i++)
        index[i] = i;
    status = bond_ties_begin(&search.ties, scene, p, n, rest, rules, error);
    for (uint32_t begin = 0, end; begin < n && !status; begin = end) {
        for (end = begin; end < n && p->body[end] == p->body[begin];)
            end++;
        const struct body *body = &scene->body[p->body[begin]];
        struct bond_rule rule = rules[body->material];
        rule.spacing = 2.0 * body->radius;
        rule.reach *= rule.spacing;
        rule.whole *= rule.spacing;
        search.rule = &rule;
        status = bond_any(net, &search, setting, index, begin, end, &capacity, error);
    }
    if (!status)
        status = make_room(net, &search, net->start[n], &capacity, error);
    if (!status)
        pad(net, net->start[n]);
done:
    free(index);
    free(search.found);
    cell_grid_free(&search.grid);
    bond_ties_free(&search.ties);
    return status;
}

static enum status count_at_particles(struct bond_network *net, struct error *error)
{
    if (array_create(&net->n_at, net->system.n, sizeof *net->n_at, "bonds", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            net->n_at[i]++;
            net->n_at[net->neighbor[e]]++;
        }
    return STATUS_OK;
}

static enum status build_bonds(struct bond_network *net, const struct system_setting *setting,
                               struct error *error)
{
    const struct scene *scene = setting->scene;
    const struct particles *particles = setting->particles;
    const struct vec3 *rest = setting->rest;
    struct bond_rule *rules = NULL;
    enum status status = bond_rules_create(net, scene, &rules, error);
    if (!status)
        status = array_create(&net->start, particles->n + 1, sizeof *net->start, "bonds", error);
    if (!status)
        status = bond_all(net, setting, rules, error);
    for (size_t i = net->system.n; !status && i < particles->n; i++)
        net->start[i + 1] = net->start[i];
    free(rules);
    if (status)
        return status;
    net->n_bonds = net->start[net->system.n];
    if (count_at_particles(net, error) ||
        bond_tiles_create(&net->tiles, net->system.n, net->start, net->neighbor, error))
        return STATUS_FAILED;
    return bond_strengths_draw(net, scene, particles, rest, error);
}

/* ---- a network as a part of both classes ---- */

void bond_network_release(struct bond_network *net)
{
    free(net->mass);
    free(net->start);
    free(net->neighbor);
    free(net->kind);
    free(net->rest_length);
    free(net->stiffness_fraction);
    free(net->n_at);
    free(net->kinds);
    free(net->still);
    free(net->gap);
    free(net->critical_stretch);
    free(net->strengthening);
    free(net->compression);
    free(net->tears);
    free(net->most_stretched);
    free(net->inflated);
    bond_tiles_free(&net->tiles);
    bond_walls_free(&net->walls);
    bond_evaluation_free(&net->evaluation);
}

static enum status create_masses(struct bond_network *net, const struct particles *p,
                                 struct error *error)
{
    size_t n = net->system.n;
    if (array_create(&net->mass, n, sizeof *net->mass, "masses", error))
        return STATUS_FAILED;
    memcpy(net->mass, p->mass + net->system.first, n * sizeof *net->mass);
    return STATUS_OK;
}

enum status bond_network_init(struct bond_network *net, const struct system_class *class,
                              const struct system_setting *setting, struct error *error)
{
    net->system = (struct system){.class = class, .first = setting->first, .n = setting->n};
    if (setting->first > 0) /* entry i of all arrays here is particle i */
        return error_set(error, STATUS_FAILED,
                         "the bond network is not the first system; in the table of classes no "
                         "other may come before it");
    enum status status = build_bonds(net, setting, error);
    if (!status)
        status = bond_inflated_create(net, setting, error);
    if (!status)
        status = create_masses(net, setting->particles, error);
    if (!status)
        status = bond_evaluation_create(&net->evaluation, net->system.n, error);
    if (!status)
        status =
            bond_walls_create(&net->walls, walls_of_solids(setting->walls), net->system.n, error);
    if (!status)
        net->system.bonded = (struct bonded){.end = (uint32_t)net->system.n,
                                             .start = net->start,
                                             .neighbor = net->neighbor,
                                             .whole = net->kind,
                                             .still = net->still};
    return status;
}
