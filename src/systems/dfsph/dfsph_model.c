#include "systems/dfsph/dfsph_model.h"

#include "config/key_rows.h"
#include "config/model_keys.h"

/* clang-format off */
static const struct model_key keys[] = {
    {{.path = MATERIAL_KEY("viscosity"), .type = KEY_NUMBER, .unit = "m^2/s",
      .range = AT_LEAST(0), .required = true,
      .help = "kinematic viscosity"},
     offsetof(struct dfsph_material, viscosity)},
    {{.path = MATERIAL_KEY("wall_viscosity"), .type = KEY_NUMBER, .unit = "m^2/s",
      .range = AT_LEAST(0), .fallback = "0",
      .help = "kinematic viscosity between the fluid and walls and, with contact.method: pressure, "
              "solids; 0: it slips along them, the value of viscosity: it sticks"},
     offsetof(struct dfsph_material, wall_viscosity)},
};
/* clang-format on */

static void viscosity(const void *parameters, double *inside, double *outside)
{
    const struct dfsph_material *material = parameters;
    *inside = material->viscosity;
    *outside = material->wall_viscosity;
}

const struct material_model dfsph_model = {
    .name = "dfsph",
    .help = "an incompressible fluid of particles",
    .size = sizeof(struct dfsph_material),
    .n_keys = sizeof keys / sizeof keys[0],
    .key = keys,
    .flows = true,
    .nearly_incompressible = true,
    .viscosity = viscosity,
    .excludes = EXCLUDES_POSITIONS,
};

const struct material_model *const dfsph_models[] = {&dfsph_model, NULL};
