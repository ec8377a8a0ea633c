#include "systems/bonds/bond_ties.h"

#include "base/disjoint_sets.h"
#include "base/memory.h"
#include "shape/prescribed.h"

#include <stdlib.h>

static bool ties(const struct scene *scene, size_t body)
{
    return scene->body[body].ties == TIES_TOUCHING;
}

static bool is_sprung(const struct scene *scene, size_t body)
{
    const struct material *material = scene_material_of(scene, body);
    return material->model == &mass_spring_model && !material_breaks(material);
}

static double longest(const struct bond_ties *t)
{
    double radius = 0.0, reach = 0.0;
    for (size_t b = 0; b < t->scene->n_bodies; b++)
        if (is_sprung(t->scene, b)) {
            radius = fmax(radius, t->scene->body[b].radius);
            reach = fmax(reach, t->rules[t->scene->body[b].material].reach);
        }
    return 2.0 * radius * reach;
}

static bool any(const struct scene *scene)
{
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (ties(scene, b))
            return true;
    return false;
}

enum status bond_ties_begin(struct bond_ties *t, const struct scene *scene,
                            const struct particles *p, size_t n, const struct vec3 *rest,
                            const struct bond_rule *rules, struct error *error)
{
    *t = (struct bond_ties){.scene = scene, .particles = p, .rules = rules};
    if (!any(scene))
        return STATUS_OK;
    t->n = n;
    t->reach = longest(t);
    if (array_create(&t->at, n, sizeof *t->at, "ties", error) ||
        array_create(&t->found, cell_grid_room(n), sizeof *t->found, "ties", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++) {
        const struct body *body = &scene->body[p->body[i]];
        t->at[i] = vec3_add(body->position, prescribed_offset(body, rest[i]));
    }
    return cell_grid_build(&t->grid, n, NULL, t->at, t->reach, error);
}

void bond_ties_free(struct bond_ties *t)
{
    free(t->at);
    free(t->found);
    cell_grid_free(&t->grid);
    *t = (struct bond_ties){0};
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

size_t bond_ties_near(struct bond_ties *t, uint32_t i)
{
    const uint32_t *body = t->particles->body;
    size_t n = 0;
    if (t->n == 0 || !is_sprung(t->scene, body[i]))
        return 0;
    const size_t found = cell_grid_within(&t->grid, t->at[i], t->reach, t->found);
    for (size_t k = 0; k < found; k++) {
        const uint32_t j = t->found[k];
        if (j > i && body[j] != body[i] && is_sprung(t->scene, body[j]) &&
            (ties(t->scene, body[i]) || ties(t->scene, body[j])))
            t->found[n++] = j;
    }
    qsort(t->found, n, sizeof *t->found, ascending);
    return n;
}

struct bond_tie bond_tie_of(const struct bond_ties *t, uint32_t i, uint32_t j)
{
    const struct particles *p = t->particles;
    const uint32_t tying = ties(t->scene, p->body[i]) ? p->body[i] : p->body[j];
    struct bond_rule rule = t->rules[t->scene->body[tying].material];
    const double length = vec3_norm(vec3_sub(t->at[j], t->at[i]));
    rule.spacing = t->scene->body[p->body[i]].radius + t->scene->body[p->body[j]].radius;
    struct bond_tie tie = {BOND_NONE, length};
    if (length < rule.reach * rule.spacing)
        tie.kind = rule.kind_of(&rule, length);
    return tie;
}

enum status bond_ties_sets(const struct bond_network *net, const struct particles *p,
                           size_t n_bodies, uint32_t *set, struct error *error)
{
    uint32_t *parent;
    if (array_create(&parent, n_bodies, sizeof *parent, "bodies", error))
        return STATUS_FAILED;
    for (uint32_t b = 0; b < n_bodies; b++)
        parent[b] = b;
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
            if (p->body[i] != p->body[net->neighbor[e]])
                disjoint_join(parent, p->body[i], p->body[net->neighbor[e]]);
    for (size_t i = 0; i < net->system.n; i++)
        set[i] = disjoint_root(parent, p->body[net->system.first + i]);
    free(parent);
    return STATUS_OK;
}

/* ---- what is checked beforehand ---- */

/* Whether it is known whose springs are between two bodies with a tie. */
static enum status check_pair(const struct scene *scene, size_t a, size_t b, struct error *error)
{
    const struct body *one = &scene->body[a], *other = &scene->body[b];
    if (!ties(scene, a) || !ties(scene, b) || one->material == other->material)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: bodies '%s' and '%s' tie themselves to each other, and differ in "
                     "material, so that it is not known whose springs these are; leave 'ties' out "
                     "of one of them",
                     other->origin.file, other->origin.line, other->origin.column, one->name,
                     other->name);
}

/* Notes which bodies have ties. */
static enum status find_tied(struct bond_ties *t, bool *tied, struct error *error)
{
    const uint32_t *body = t->particles->body;
    for (uint32_t i = 0; i < t->n; i++) {
        const size_t near = bond_ties_near(t, i);
        for (size_t k = 0; k < near; k++) {
            const uint32_t j = t->found[k];
            if (bond_tie_of(t, i, j).kind == BOND_NONE)
                continue;
            if (check_pair(t->scene, body[i], body[j], error))
                return STATUS_INVALID;
            tied[body[i]] = tied[body[j]] = true;
        }
    }
    return STATUS_OK;
}

static enum status check_tied(const struct scene *scene, const bool *tied, struct error *error)
{
    for (size_t b = 0; b < scene->n_bodies; b++) {
        const struct body *body = &scene->body[b];
        if (ties(scene, b) && !tied[b])
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: body '%s' ties itself to what it touches, but no particle "
                             "of another mass-spring body that cannot break is within a spacing of "
                             "one of its own; move it there, or leave 'ties' out",
                             body->origin.file, body->origin.line, body->origin.column, body->name);
    }
    return STATUS_OK;
}

enum status bond_ties_check(const struct scene *scene, const struct particles *p,
                            const struct vec3 *rest, struct error *error)
{
    struct bond_network net = {0};
    struct bond_rule *rules = NULL;
    struct bond_ties t = {0};
    bool *tied = NULL;
    enum status status = bond_rules_create(&net, scene, &rules, error);
    if (!status)
        status = array_create(&tied, scene->n_bodies, sizeof *tied, "ties", error);
    if (!status)
        status = bond_ties_begin(&t, scene, p, p->n, rest, rules, error);
    if (!status)
        status = find_tied(&t, tied, error);
    if (!status)
        status = check_tied(scene, tied, error);
    bond_ties_free(&t);
    free(tied);
    free(rules);
    free(net.kinds);
    return status;
}
