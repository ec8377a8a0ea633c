#include "systems/constrained/rigid_model.h"

#include "config/key_rows.h"
#include "config/model_keys.h"
#include "systems/constrained/rigid_field.h"

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
              "without which contacts are restless"},
     offsetof(struct rigid_material, field)},
};
/* clang-format on */

static enum status check_body(const struct body *body, const struct material *material, size_t n,
                              const struct vec3 *rest, struct error *error)
{
    const struct rigid_material *rigid = material->parameters;
    (void)n, (void)rest;
    return rigid->field == FIELD_NONE ? STATUS_OK : rigid_field_check(body, error);
}

const struct material_model rigid_model = {
    .name = "rigid",
    .help = "a body that keeps its shape, for contact.method: position-based",
    .size = sizeof(struct rigid_material),
    .n_keys = sizeof keys / sizeof keys[0],
    .key = keys,
    .rigid = true,
    .excludes = EXCLUDES_FORCES,
    .check_body = check_body,
};

const struct material_model *const rigid_models[] = {&rigid_model, NULL};
