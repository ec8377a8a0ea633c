#include "systems/bonds/bond_models.h"

#include "base/memory.h"
#include "base/number.h"
#include "config/key_rows.h"
#include "config/model_keys.h"
#include "particles/cell_grid.h"
#include "systems/bonds/bond_fracture.h"
#include "systems/bonds/bond_rules.h"
#include "systems/bonds/bond_surface.h"
#include "systems/bonds/bond_ties.h"

#include <stdlib.h>

#define DAMPING(parameters)                                                                        \
    {                                                                                              \
        {.path = MATERIAL_KEY("damping"),                                                          \
         .type = KEY_NUMBER,                                                                       \
         .unit = "s",                                                                              \
         .range = AT_LEAST(0),                                                                     \
         .fallback = "0",                                                                          \
         .help = "damping force along a bond, divided by its constant and strain rate"},           \
            offsetof(parameters, damping)                                                          \
    }

#define CRITICAL_STRETCH(parameters)                                                               \
    {                                                                                              \
        {.path = MATERIAL_KEY("critical_stretch"),                                                 \
         .type = KEY_NUMBER,                                                                       \
         .unit = "1",                                                                              \
         .range = ABOVE(0),                                                                        \
         .words = "unset",                                                                         \
         .fallback = "unset",                                                                      \
         .help = "strain at which a bond breaks, of springs if none at its ends is stretched "     \
                 "farther; unset: that which fracture_energy gives, or none if there is none"},    \
            offsetof(parameters, critical_stretch)                                                 \
    }

/* clang-format off */
static const struct model_key mass_spring_keys[] = {
    {{.path = MATERIAL_KEY("stretch_stiffness"), .type = KEY_NUMBER, .unit = "N", .range = AT_LEAST(0),
      .required = true,
      .help = "spring constant along the lattice, or along the edges of a surface, per unit strain"},
     offsetof(struct mass_spring, stretch_stiffness)},
    {{.path = MATERIAL_KEY("shear_stiffness"), .type = KEY_NUMBER, .unit = "N", .range = AT_LEAST(0),
      .required = true,
      .help = "spring constant of the diagonals, of which surfaces have none, per unit strain"},
     offsetof(struct mass_spring, shear_stiffness)},
    {{.path = MATERIAL_KEY("bend_stiffness"), .type = KEY_NUMBER, .unit = "N", .range = AT_LEAST(0),
      .required = true,
      .help = "spring constant to the neighbor after the next, or across the edges of a surface, per unit strain"},
     offsetof(struct mass_spring, bend_stiffness)},
    DAMPING(struct mass_spring),
    CRITICAL_STRETCH(struct mass_spring),
    {{.path = MATERIAL_KEY("inflation"), .type = KEY_NUMBER, .unit = "1", .range = ABOVE(0),
      .words = "unset", .fallback = "unset",
      .help = "volume within a closed surface, of a body with sampling.method: vertices, that constraints of "
              "positions keep, over that at rest, until a spring along an edge breaks; unset: none"},
     offsetof(struct mass_spring, inflation)},
};

static const struct model_key peridynamics_keys[] = {
    {{.path = MATERIAL_KEY("stiffness"), .type = KEY_NUMBER, .unit = "N", .range = ABOVE(0),
      .required = true,
      .help = "bond constant, per unit strain"},
     offsetof(struct peridynamics, stiffness)},
    {{.path = MATERIAL_KEY("horizon"), .type = KEY_NUMBER, .unit = "lattice spacings",
      .range = AT_LEAST(1), .fallback = "3",
      .help = "length of the longest bond"},
     offsetof(struct peridynamics, horizon)},
    {{.path = MATERIAL_KEY("volumes"), .type = KEY_CHOICE, .words = CHOICE_WORDS(NEIGHBOR_VOLUMES),
      .fallback = "whole",
      .help = "how neighbors near the horizon count: whole, with all of their volume; reduced, a bond's "
              "constant falls linearly with its length, from all of it at horizon - radius to half of it "
              "at the horizon, because the horizon cuts through the neighbor's volume"},
     offsetof(struct peridynamics, volumes)},
    DAMPING(struct peridynamics),
    {{.path = MATERIAL_KEY("fracture_energy"), .type = KEY_NUMBER, .unit = "J/m^2",
      .range = ABOVE(0), .words = "unset", .fallback = "unset",
      .help = "energy that a crack along a plane of the lattice costs per area (not per area of its two "
              "faces), from which the critical stretch of each body follows, as ms-sample reports; either "
              "this or critical_stretch"},
     offsetof(struct peridynamics, fracture_energy)},
    CRITICAL_STRETCH(struct peridynamics),
    {{.path = MATERIAL_KEY("strengthening"), .type = KEY_NUMBER, .unit = "1", .range = AT_LEAST(0),
      .fallback = "0",
      .special = (const struct special_default[]){{"fracture_energy", "unset", "0.25"}, {0}},
      .help = "how much farther the bonds of a compressed particle stretch before they break: this times "
              "the strain of the shortest of them (Silling and Askari 2005: 0.25); makes a crack dearer "
              "than fracture_energy says"},
     offsetof(struct peridynamics, strengthening)},
    {{.path = MATERIAL_KEY("critical_stretch_spread"), .type = KEY_NUMBER, .unit = "1",
      .range = FROM_BELOW(0, 1), .fallback = "0.1",
      .help = "three standard deviations of the critical stretch, relative"},
     offsetof(struct peridynamics, critical_stretch_spread)},
};
/* clang-format on */

/* Which neighbors in a body the horizon reaches. */
enum reach { REACHES_NONE, REACHES_SOME, REACHES_ALL };

/* Finds whether no two of the points are within the distance of each other, some are, or all are.
 * `found` has cell_grid_room(n) entries. */
static enum reach reach_of(const struct cell_grid *grid, size_t n, const struct vec3 *point,
                           double distance, uint32_t *found)
{
    bool any = false, all = true;
    for (size_t i = 0; i < n && (all || !any); i++) {
        size_t within = cell_grid_within(grid, point[i], distance, found);
        any |= within > 1;
        all &= within == n;
    }
    return all ? REACHES_ALL : any ? REACHES_SOME : REACHES_NONE;
}

/* The horizon must be longer than the spacing of particles and shorter than the body. */
static enum status check_horizon(const struct body *body, const struct material *material,
                                 enum reach reach, struct error *error)
{
    const struct peridynamics *parameters = material->parameters;
    const struct origin *at = &material->origin;
    if (reach == REACHES_NONE)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: the horizon of material '%s' (%g spacings) reaches no "
                         "neighbor in body '%s'; smaller particles or a longer horizon would be "
                         "right",
                         at->file, at->line, at->column, material->name, parameters->horizon,
                         body->name);
    if (reach == REACHES_ALL)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: the horizon of material '%s' (%g spacings) reaches from any "
                         "particle of body '%s' to all others; smaller particles or a shorter "
                         "horizon would be right",
                         at->file, at->line, at->column, material->name, parameters->horizon,
                         body->name);
    return STATUS_OK;
}

/* Refuses bodies that are not the solid that was meant: a body without bonds is debris, and in one
 * whose particles are all bonded to each other the bonds are as long as the body, so that their
 * strain is no local measure. */
static enum status check_horizon_in_body(const struct body *body, const struct material *material,
                                         size_t n, const struct vec3 *rest,
                                         const struct sheet *surface, struct error *error)
{
    const struct origin *at = &body->origin;
    (void)surface;
    if (n < 2)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: peridynamic body '%s' has a single particle and so no bond; a "
                         "smaller particle radius or a larger shape would be right",
                         at->file, at->line, at->column, body->name);
    const struct peridynamics *parameters = material->parameters;
    double distance = parameters->horizon * 2 * body->radius;
    struct cell_grid grid = {0};
    uint32_t *found = NULL;
    enum status status = array_create(&found, cell_grid_room(n), sizeof *found, "neighbors", error);
    if (!status)
        status = cell_grid_build(&grid, n, NULL, rest, distance, error);
    if (!status)
        status = check_horizon(body, material,
                               reach_of(&grid, n, rest, distance * (1 + 1e-9), found), error);
    cell_grid_free(&grid);
    free(found);
    return status;
}

static bool can_break(const void *parameters)
{
    const struct peridynamics *p = parameters;
    return isfinite(p->critical_stretch) || isfinite(p->fracture_energy);
}

static bool can_tear(const void *parameters)
{
    const struct mass_spring *m = parameters;
    return m->critical_stretch > 0.0 && isfinite(m->critical_stretch);
}

static void check_springs(struct model_check *check, const void *parameters)
{
    const struct mass_spring *m = parameters;
    if (check->all_vertices && m->shear_stiffness > 0.0)
        model_complain(check, "shear_stiffness",
                       "'shear_stiffness' is that of diagonals of a lattice, and a surface whose "
                       "particles are at vertices has none; give 0");
    if (!isfinite(m->inflation))
        return;
    if (!check->vertices)
        model_complain(check, "inflation",
                       "a volume is that within a closed surface, and a body of this material is "
                       "none; give the body sampling: {method: vertices}, or leave 'inflation' "
                       "out");
    else if (!check->positions)
        model_complain(check, "inflation",
                       "a volume is kept by constraints of positions, not by forces; give "
                       "contact.method: position-based, or leave 'inflation' out");
}

static enum status check_surface(const struct body *body, const struct material *material, size_t n,
                                 const struct vec3 *rest, const struct sheet *surface,
                                 struct error *error)
{
    (void)n, (void)rest;
    return surface_check_body(body, material, surface, error);
}

static void check_fracture(struct model_check *check, const void *parameters)
{
    const struct peridynamics *p = parameters;
    char stretch[NUMBER_TEXT];
    if (!isfinite(p->fracture_energy) || !isfinite(p->critical_stretch))
        return;
    number_write(p->critical_stretch, stretch);
    model_complain(check, "fracture_energy",
                   "a fracture energy gives the critical stretch, but 'critical_stretch' is %s "
                   "already; leave one of the two out",
                   stretch);
}

const struct material_model mass_spring_model = {
    .name = "mass-spring",
    .help = "springs to lattice neighbors",
    .size = sizeof(struct mass_spring),
    .n_keys = sizeof mass_spring_keys / sizeof mass_spring_keys[0],
    .key = mass_spring_keys,
    .check_ties = bond_ties_check,
    .at_vertices = true,
    .breaks = can_tear,
    .fracture = bond_tear_report,
    .check = check_springs,
    .check_materials = bond_rules_check,
    .check_body = check_surface,
};

const struct material_model peridynamics_model = {
    .name = "peridynamics",
    .help = "bonds within a horizon",
    .size = sizeof(struct peridynamics),
    .n_keys = sizeof peridynamics_keys / sizeof peridynamics_keys[0],
    .key = peridynamics_keys,
    .breaks = can_break,
    .fracture = bond_fracture_report,
    .check = check_fracture,
    .check_materials = bond_rules_check,
    .check_body = check_horizon_in_body,
};

const struct material_model loose_model = {.name = "loose", .help = "no bonds"};

const struct material_model *const bond_models[] = {&mass_spring_model, &peridynamics_model,
                                                    &loose_model, NULL};
