#include "base/memory.h"
#include "constraints/contacts_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void contacts_free(struct constraint *constraint)
{
    struct contacts *c = (struct contacts *)constraint;
    pair_rows_free(&c->rows);
    free(c->plane_start);
    free(c->plane);
    free(c->clear);
    for (size_t p = 0; p < c->n_found; p++)
        free(c->found[p].plane);
    free(c->found);
    free(c->number);
    contact_pairs_free(&c->pairs);
    free(c->left_out);
    free(c->unfinished);
    free(c->listed);
    free(c->held);
    free(c->change);
    free(c->slip);
    free(c);
}

/* ---- the prediction ---- */

static bool touches_weightless(const struct contacts *c, const struct candidates *candidates,
                               size_t i)
{
    for (size_t k = c->rows.start[i]; k < c->rows.start[i + 1]; k++)
        if (!(candidates->weight[c->rows.other[k]] > 0.0))
            return true;
    return false;
}

static bool any_weightless(const struct candidates *candidates)
{
    size_t i = 0;
    while (i < candidates->n && candidates->weight[i] > 0.0)
        i++;
    return i < candidates->n;
}

/* Lists the particles whose contacts are not only pairs of free particles, which have a support to
 * account for. */
static enum status lay_out(struct contacts *c, const struct candidates *candidates,
                           struct error *error)
{
    const bool weightless = any_weightless(candidates);
    if ((weightless || c->setting.kept) &&
        pair_rows_make(&c->rows, candidates->n, candidates->near, error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static) if (candidates->n > FEW_PARTICLES)
    for (size_t i = 0; i < candidates->n; i++) {
        c->left_out[i] =
            weightless && (!(candidates->weight[i] > 0.0) || touches_weightless(c, candidates, i));
        c->unfinished[i] = c->left_out[i] || c->plane_start[i + 1] > c->plane_start[i];
    }
    c->n_listed = 0;
    for (size_t i = 0; i < candidates->n; i++) {
        c->listed[c->n_listed] = (uint32_t)i;
        c->n_listed += c->unfinished[i];
    }
    return contact_pairs_make(&c->pairs, candidates->n, candidates->near, error);
}

static enum status contacts_find(struct constraint *constraint, const struct candidates *candidates,
                                 struct error *error)
{
    struct contacts *c = (struct contacts *)constraint;
    c->near = candidates->near;
    if (contact_planes_find(c, candidates, error) || lay_out(c, candidates, error))
        return STATUS_FAILED;
    return c->setting.kept ? kept_begin(c, error) : STATUS_OK;
}

/* ---- an iteration ---- */

static bool acts(const struct contacts *c, const struct candidates *candidates, size_t i,
                 size_t other, double depth)
{
    return depth > least_depth(c, i, other) &&
           candidates->weight[i] + candidates->weight[other] > 0.0;
}

/* How many pairs act on a particle that `pairs` leaves out. */
static double number_of_pairs(const struct contacts *c, const struct candidates *candidates,
                              size_t i)
{
    double number = 0.0;
    for (size_t k = c->rows.start[i]; k < c->rows.start[i + 1]; k++) {
        const size_t other = c->rows.other[k], low = i < other ? i : other;
        struct vec3 normal;
        double depth = depth_of_pair(c, candidates, low, i + other - low, &normal);
        number += acts(c, candidates, i, other, depth);
    }
    return number;
}

/* How many contacts act on a listed particle; `number` has the pairs unless it was left out. */
static double number_of_listed(const struct contacts *c, const struct candidates *candidates,
                               size_t i)
{
    double number = c->left_out[i] ? number_of_pairs(c, candidates, i) : c->number[i];
    for (size_t k = c->plane_start[i]; k < c->plane_start[i + 1]; k++)
        number += depth_at_plane(&c->plane[k], candidates->at[i]) >
                  CONTACT_SHALLOWEST * c->setting.radius[i];
    return number;
}

static void count_listed(struct contacts *c, const struct candidates *candidates)
{
#pragma omp parallel for schedule(static) if (c->n_listed > FEW_PARTICLES)
    for (size_t k = 0; k < c->n_listed; k++)
        c->number[c->listed[k]] = number_of_listed(c, candidates, c->listed[k]);
}

/* What UPP 23, UPP 24 and UPP 25 take from the way of one end relative to the other since the start
 * of the step, with the sign that slows it down. */
static struct vec3 rub(const struct contacts *c, struct vec3 slipped, struct vec3 normal,
                       double depth)
{
    struct vec3 across = part_across(slipped, normal);
    double length = vec3_norm(across);
    if (length < c->setting.static_friction * depth)
        return across;
    return length > 0.0 ? vec3_scale(fmin(c->setting.friction * depth / length, 1.0), across)
                        : across;
}

static void add(struct row *row, struct vec3 push, struct vec3 friction, double depth)
{
    row->shift = vec3_add(row->shift, vec3_add(push, friction));
    row->rubbed = vec3_add(row->rubbed, friction);
    row->violation = fmax(row->violation, depth);
}

static void add_pair(const struct contacts *c, const struct candidates *candidates, size_t i,
                     size_t other, struct row *row)
{
    const size_t low = i < other ? i : other, high = i + other - low;
    struct vec3 normal, friction = vec3(0.0, 0.0, 0.0);
    double depth = depth_of_pair(c, candidates, low, high, &normal);
    if (!acts(c, candidates, low, high, depth))
        return;
    double share = averaging_share(
        &candidates->averaging, (struct end_of_constraint){candidates->scaled[i], c->number[i]},
        (struct end_of_constraint){candidates->scaled[other], c->number[other]});
    double side = i == low ? -share : share;
    struct vec3 push = vec3_scale(side * depth, normal);
    if (c->rough) {
        struct vec3 slipped =
            vec3_sub(way_since_start(candidates, low), way_since_start(candidates, high));
        friction = vec3_scale(side, rub(c, slipped, normal, depth));
    }
    add(row, push, friction, depth);
    if (candidates->weight[other] > 0.0)
        return;
    struct vec3 both = vec3_add(push, friction);
    row->held = vec3_add(row->held, both);
    row->held_work += vec3_dot(both, candidates->velocity[other]);
    row->rubbed_work += vec3_dot(friction, candidates->velocity[other]);
}

static void add_plane(const struct contacts *c, const struct candidates *candidates, size_t i,
                      const struct plane *plane, struct row *row)
{
    double depth = depth_at_plane(plane, candidates->at[i]);
    struct vec3 friction = vec3(0.0, 0.0, 0.0);
    if (!(depth > CONTACT_SHALLOWEST * c->setting.radius[i]))
        return;
    double share = averaging_share(&candidates->averaging,
                                   (struct end_of_constraint){candidates->scaled[i], c->number[i]},
                                   (struct end_of_constraint){0.0, 1.0});
    struct vec3 push = vec3_scale(share * depth, plane->normal);
    if (c->rough)
        friction = vec3_scale(-share, rub(c, way_since_start(candidates, i), plane->normal, depth));
    add(row, push, friction, depth);
    row->held = vec3_add(row->held, vec3_add(push, friction));
}

/* Of a listed particle. */
static void contact_row(const struct constraint *constraint, const struct candidates *candidates,
                        size_t i, struct row *row)
{
    const struct contacts *c = (const struct contacts *)constraint;
    if (!c->left_out[i])
        *row = (struct row){.shift = c->corrections->shift[i],
                            .rubbed = c->corrections->rubbed[i],
                            .violation = c->corrections->violation[i]};
    else
        for (size_t k = c->rows.start[i]; k < c->rows.start[i + 1]; k++)
            add_pair(c, candidates, i, c->rows.other[k], row);
    for (size_t k = c->plane_start[i]; k < c->plane_start[i + 1]; k++)
        add_plane(c, candidates, i, &c->plane[k], row);
    const double end = averaging_end(&candidates->averaging, c->number[i]);
    row->shift = vec3_scale(end, row->shift);
    row->rubbed = vec3_scale(end, row->rubbed);
    row->held = vec3_scale(end, row->held);
    row->held_work *= end;
    row->rubbed_work *= end;
}

/* Pairs of free particles first, each pair once, and then what else there is. */
static void solve_pairs_and_planes(struct contacts *c, const struct candidates *candidates,
                                   struct corrections *corrections)
{
    const bool split = candidates->averaging.split;
    const struct contact_terms terms = {.rough = c->rough,
                                        .friction = c->setting.friction,
                                        .static_friction = c->setting.static_friction,
                                        .omega = candidates->averaging.omega,
                                        .average = !split,
                                        .unfinished = c->unfinished};
    contact_pairs_fill(&c->pairs, candidates, c->setting.radius, NULL);
    if (split) {
        contact_pairs_count(&c->pairs, c->number);
        count_listed(c, candidates);
        contact_pairs_fill(&c->pairs, candidates, c->setting.radius, c->number);
    }
    contact_pairs_sum(&c->pairs, candidates, &terms, split ? NULL : c->number, corrections);
    if (!split)
        count_listed(c, candidates);
    c->corrections = corrections;
    rows_solve_listed(contact_row, &c->constraint, candidates, c->n_listed, c->listed, corrections);
}

static void contacts_solve(struct constraint *constraint, const struct candidates *candidates,
                           struct corrections *corrections)
{
    struct contacts *c = (struct contacts *)constraint;
    if (c->setting.kept && c->rough)
        kept_solve(c, candidates, corrections);
    else
        solve_pairs_and_planes(c, candidates, corrections);
}

static enum status contacts_finish(struct constraint *constraint,
                                   const struct candidates *candidates, struct error *error)
{
    struct contacts *c = (struct contacts *)constraint;
    return c->setting.kept ? kept_end(c, candidates, error) : STATUS_OK;
}

/* ---- its life ---- */

static const struct constraint_class contacts_class = {
    .name = "contacts",
    .find = contacts_find,
    .solve = contacts_solve,
    .finish = contacts_finish,
    .free = contacts_free,
};

enum status contacts_add(struct constraint_set *set, const struct contact_setting *setting,
                         struct error *error)
{
    struct contacts *c;
    if (array_create(&c, 1, sizeof *c, "contacts", error))
        return STATUS_FAILED;
    c->constraint.class = &contacts_class;
    c->setting = *setting;
    c->rough = true;
    set->group[CONSTRAINT_CONTACTS] = &c->constraint;
    if (array_create(&c->plane_start, setting->n + 1, sizeof *c->plane_start, "walls", error) ||
        array_create(&c->number, setting->n, sizeof *c->number, "contacts", error) ||
        array_create(&c->left_out, setting->n, sizeof *c->left_out, "contacts", error) ||
        array_create(&c->unfinished, setting->n, sizeof *c->unfinished, "contacts", error) ||
        array_create(&c->listed, setting->n + 1, sizeof *c->listed, "contacts", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void contacts_set_rough(struct constraint *contacts, bool rough)
{
    ((struct contacts *)contacts)->rough = rough;
}

const struct kept_slip *contacts_slips(const struct constraint *contacts, size_t *n)
{
    const struct contacts *c = (const struct contacts *)contacts;
    *n = c->n_slips;
    return c->slip;
}

enum status contacts_give_slips(struct constraint *contacts, size_t n, const struct kept_slip *slip,
                                struct error *error)
{
    struct contacts *c = (struct contacts *)contacts;
    if (array_reserve(&c->slip, &c->slip_capacity, n, sizeof *c->slip, "contacts", error))
        return STATUS_FAILED;
    memcpy(c->slip, slip, n * sizeof *slip);
    c->n_slips = n;
    return STATUS_OK;
}
