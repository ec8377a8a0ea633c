#include "systems/flip/flip_model.h"

#include "config/key_rows.h"
#include "config/model_keys.h"

/* clang-format off */
static const struct model_key keys[] = {
    {{.path = MATERIAL_KEY("cell"), .type = KEY_NUMBER, .unit = "1", .range = FROM_TO(2, 16),
      .fallback = "4",
      .help = "edge of the grid's cells over the radius of particles; with 4 a cell holds eight particles. "
              "Walls thinner than a cell are refused; thin parts of thicker walls may be missed"},
     offsetof(struct flip_material, cell)},
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
    {{.path = MATERIAL_KEY("transfer"), .type = KEY_CHOICE, .words = "flip|apic",
      .fallback = "flip",
      .help = "what particles take from the grid: flip, changes of velocities; apic, velocities and their "
              "gradients"},
     offsetof(struct flip_material, transfer)},
    {{.path = MATERIAL_KEY("pressure_tolerance"), .type = KEY_NUMBER, .unit = "1",
      .range = BETWEEN(0, 1), .fallback = "1e-6",
      .help = "relative residual at which the pressure is found"},
     offsetof(struct flip_material, tolerance)},
    {{.path = MATERIAL_KEY("divergence"), .type = KEY_NUMBER, .unit = "1", .range = ABOVE(0),
      .fallback = "1e-4",
      .help = "largest relative change of a cell's volume in a step that the pressure may leave"},
     offsetof(struct flip_material, divergence)},
    {{.path = MATERIAL_KEY("pressure_iterations"), .type = KEY_COUNT, .unit = "1",
      .range = COUNT_FROM(1), .fallback = "1000",
      .help = "most iterations for the pressure"},
     offsetof(struct flip_material, max_iterations)},
};
/* clang-format on */

const struct material_model flip_model = {
    .name = "flip",
    .help = "an incompressible fluid on a grid",
    .size = sizeof(struct flip_material),
    .n_keys = sizeof keys / sizeof keys[0],
    .key = keys,
    .flows = true,
    .alike = true, /* one grid and one solve for all */
};

const struct material_model *const flip_models[] = {&flip_model, NULL};
