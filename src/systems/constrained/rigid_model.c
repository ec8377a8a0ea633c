#include "systems/constrained/rigid_model.h"

#include "config/key_rows.h"
#include "config/model_keys.h"
#include "constraints/shape_parts.h"
#include "systems/constrained/rigid_field.h"

#include <math.h>

/* clang-format off */
static const struct model_key keys[] = {
    {{.path = MATERIAL_KEY("shape_stiffness"), .type = KEY_NUMBER, .unit = "1", .range = ABOVE_TO(0, 1),
      .fallback = "1",
      .help = "fraction of the way to its place in the body that an iteration moves a particle; less than 1 "
              "lets a body give way, by how much depends on iterations and steps"},
     offsetof(struct rigid_material, stiffness)},
    {{.path = MATERIAL_KEY("field"), .type = KEY_CHOICE, .words = "none|depth|one-sided",
      .fallback = "none",
      .help = "whether contacts between such bodies know how deep particles lie in them: none, they are "
              "spheres, and bodies that have come into each other may stay so; depth, they leave by the "
              "shorter way; one-sided, likewise, and those at the surface are spheres that push outward only, "
              "without which bodies at rest may fly apart"},
     offsetof(struct rigid_material, field)},
    {{.path = MATERIAL_KEY("yield"), .type = KEY_NUMBER, .unit = "radii", .range = AT_LEAST(0),
      .words = "never", .fallback = "never",
      .help = "how far from its place in the body a particle is pushed, in the last iteration of a step, "
              "before the place follows"},
     offsetof(struct rigid_material, yield)},
    {{.path = MATERIAL_KEY("creep"), .type = KEY_NUMBER, .unit = "1", .range = FROM_TO(0, 1),
      .fallback = "0",
      .help = "part of the way that the place follows"},
     offsetof(struct rigid_material, creep)},
    {{.path = MATERIAL_KEY("field_limit"), .type = KEY_NUMBER, .unit = "radii", .range = AT_LEAST(0),
      .words = "never", .fallback = "never",
      .help = "how far a place may move before its particle loses its field, and is a sphere"},
     offsetof(struct rigid_material, field_limit)},
    {{.path = MATERIAL_KEY("shapes"), .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(1),
      .fallback = "1",
      .help = "how many shapes a body has, which follow each other along its longest axis and overlap by half: "
              "each keeps its own, so that the body bends, the more the more there are"},
     offsetof(struct rigid_material, shapes)},
};
/* clang-format on */

/* Keys of constraints of positions. */
static void check_positions(struct model_check *check, const struct rigid_material *m)
{
    static const char only[] = "it is for contact.method: position-based; leave it out";
    if (m->stiffness != 1.0)
        model_complain(check, "shape_stiffness", only);
    if (m->field != FIELD_NONE)
        model_complain(check, "field", only);
    if (isfinite(m->yield))
        model_complain(check, "yield", only);
    if (m->creep > 0.0)
        model_complain(check, "creep", only);
    if (isfinite(m->field_limit))
        model_complain(check, "field_limit", only);
    if (m->shapes > 1)
        model_complain(check, "shapes", only);
}

/* A key that changes nothing is a mistake. */
static void check(struct model_check *check, const void *parameters)
{
    const struct rigid_material *m = parameters;
    if (!check->positions)
        check_positions(check, m);
    if (isfinite(m->yield) && m->creep == 0.0)
        model_complain(check, "yield",
                       "places that do not follow make no plastic flow; 'creep' above 0, "
                       "as 0.5, or no 'yield' would be right");
    if (isinf(m->yield) && m->creep > 0.0)
        model_complain(check, "creep",
                       "places follow beyond a 'yield' alone; one, as 0.1 radii, or no "
                       "'creep' would be right");
    if (isfinite(m->field_limit) && (m->field == FIELD_NONE || m->creep == 0.0))
        model_complain(check, "field_limit",
                       "it is of bodies that have a 'field' and flow, by 'yield' and "
                       "'creep'; both, or no 'field_limit' would be right");
    if (m->shapes > 1 && (m->field != FIELD_NONE || m->creep > 0.0))
        model_complain(check, "shapes",
                       "bodies of several shapes have no 'field' and do not flow; 1, or neither "
                       "'field' nor 'creep', would be right");
}

/* A part of one layer of particles has no shape to keep. */
static enum status check_parts(const struct body *body, size_t parts, size_t n,
                               const struct vec3 *rest, struct error *error)
{
    const struct origin *at = &body->origin;
    const double spacing = 2.0 * body->radius;
    int axis;
    const double length = shape_parts_length(n, rest, &axis);
    if (shape_parts_width(parts, length) >= 2.0 * spacing * (1.0 - 1e-9))
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: body '%s' is %.3g layers of particles long, too few for %zu shapes "
                     "of three layers that overlap by half; shapes: %g would be right",
                     at->file, at->line, at->column, body->name, length / spacing + 1.0, parts,
                     fmax(1.0, floor(length / spacing * (1.0 + 1e-9)) - 1.0));
}

static enum status check_body(const struct body *body, const struct material *material, size_t n,
                              const struct vec3 *rest, const struct sheet *surface,
                              struct error *error)
{
    const struct rigid_material *rigid = material->parameters;
    (void)surface;
    if (rigid->shapes > 1)
        return check_parts(body, rigid->shapes, n, rest, error);
    return rigid->field == FIELD_NONE ? STATUS_OK : rigid_field_check(body, n, rest, error);
}

const struct material_model rigid_model = {
    .name = "rigid",
    .help =
        "a body that keeps its shape, and turns, with the mass and the inertia of its particles",
    .size = sizeof(struct rigid_material),
    .n_keys = sizeof keys / sizeof keys[0],
    .key = keys,
    .rigid = true,
    .excludes = EXCLUDES_SINGLE | EXCLUDES_WALLS,
    .check = check,
    .check_body = check_body,
};

const struct material_model *const rigid_models[] = {&rigid_model, NULL};
