#include "systems/constrained/rigid_model.h"

#include "config/key_rows.h"
#include "config/model_keys.h"

/* clang-format off */
static const struct model_key keys[] = {
    {{.path = MATERIAL_KEY("shape_stiffness"), .type = KEY_NUMBER, .unit = "1", .range = ABOVE_TO(0, 1),
      .fallback = "1",
      .help = "fraction of the way to its place in the body that an iteration moves a particle; less than 1 "
              "lets a body give way, by how much depends on iterations and steps"},
     offsetof(struct rigid_material, stiffness)},
};
/* clang-format on */

const struct material_model rigid_model = {
    .name = "rigid",
    .help = "a body that keeps its shape, for contact.method: position-based",
    .size = sizeof(struct rigid_material),
    .n_keys = sizeof keys / sizeof keys[0],
    .key = keys,
    .rigid = true,
    .excludes = EXCLUDES_FORCES,
};

const struct material_model *const rigid_models[] = {&rigid_model, NULL};
