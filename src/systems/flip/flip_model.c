#include "systems/flip/flip_model.h"

#include "config/fluid_keys.h"

/* clang-format off */
static const struct model_key keys[] = {
    {{.path = MATERIAL_KEY("blend"), .type = KEY_NUMBER, .unit = "1", .range = FROM_TO(0, 1),
      .fallback = "0.97",
      .help = "fraction of a particle's velocity that is its own, changed by as much as the grid's; the "
              "rest is the grid's. 0: PIC. Not for apic, which takes all from the grid"},
     offsetof(struct flip_material, blend)},
    {{.path = MATERIAL_KEY("crowding"), .type = KEY_NUMBER, .unit = "1", .range = FROM_TO(0, 1),
      .fallback = "0.1",
      .help = "fraction of the excess fluid of a crowded cell that leaves it in a step; of the fluid that "
              "is missing in a cell inside the fluid, a quarter of this fraction enters"},
     offsetof(struct flip_material, crowding)},
    {{.path = MATERIAL_KEY("marking"), .type = KEY_CHOICE, .words = "all|fluid",
      .fallback = "fluid",
      .help = "which cells carry pressure: all, those with particles of any system; fluid, those with "
              "particles of the fluid"},
     offsetof(struct flip_material, marking)},
    {{.path = MATERIAL_KEY("sides"), .type = KEY_CHOICE, .words = "shared|separate",
      .fallback = "shared",
      .help = "grids at a sheet: shared, one grid for the fluid on both sides; separate, one on each side, "
              "which needs exactly one sheet and fluid that does not get beyond its rim"},
     offsetof(struct flip_material, sides)},
    FLUID_KEY_SOLIDS(offsetof(struct flip_material, solids)),
    {{.path = MATERIAL_KEY("transfer"), .type = KEY_CHOICE, .words = "flip|apic",
      .fallback = "flip",
      .help = "what particles take from the grid: flip, changes of velocities; apic, velocities and their "
              "gradients"},
     offsetof(struct flip_material, transfer)},
};
/* clang-format on */

const struct material_model flip_model = {
    .name = "flip",
    .help = "an incompressible fluid on a grid",
    .size = sizeof(struct flip_material),
    .n_keys = sizeof keys / sizeof keys[0],
    .key = keys,
    .flows = true,
    .excludes = EXCLUDES_POSITIONS | EXCLUDES_PRESSURE,
    .alike = true, /* one grid and one solve for all */
};

const struct material_model *const flip_models[] = {&flip_model, NULL};
