#include "systems/flip/flip_model.h"

#include "config/key_rows.h"
#include "config/model_keys.h"

/* clang-format off */
static const struct model_key keys[] = {
    {{.path = MATERIAL_KEY("cell"), .type = KEY_NUMBER, .unit = "1", .range = FROM_TO(2, 16),
      .fallback = "4",
      .help = "edge of the grid's cells over the radius of particles; 4: eight particles in a cell; "
              "walls thinner than a cell are refused, thin parts of others may go unseen"},
     offsetof(struct flip_material, cell)},
    {{.path = MATERIAL_KEY("blend"), .type = KEY_NUMBER, .unit = "1", .range = FROM_TO(0, 1),
      .fallback = "0.97",
      .help = "a particle's velocity is this much its own, changed as the grid's, and the rest the "
              "grid's; 0: PIC; not for apic, which takes all from the grid"},
     offsetof(struct flip_material, blend)},
    {{.path = MATERIAL_KEY("crowding"), .type = KEY_NUMBER, .unit = "1", .range = FROM_TO(0, 1),
      .fallback = "0.1",
      .help = "share of the fluid beyond what fits into a cell that leaves it in a step; a quarter of it "
              "is the share of what is missing inside the fluid that enters"},
     offsetof(struct flip_material, crowding)},
    {{.path = MATERIAL_KEY("marking"), .type = KEY_CHOICE, .words = "all|fluid",
      .fallback = "fluid",
      .help = "cells that carry pressure: those with particles of any system, or of the fluid"},
     offsetof(struct flip_material, marking)},
    {{.path = MATERIAL_KEY("sides"), .type = KEY_CHOICE, .words = "shared|separate",
      .fallback = "shared",
      .help = "one grid for the fluid on both sides of a sheet, or one on each side; separate needs "
              "exactly one sheet, and fluid must not get beyond its rim"},
     offsetof(struct flip_material, sides)},
    {{.path = MATERIAL_KEY("transfer"), .type = KEY_CHOICE, .words = "flip|apic",
      .fallback = "flip",
      .help = "from the grid to particles: changes of velocities, or velocities and gradients"},
     offsetof(struct flip_material, transfer)},
    {{.path = MATERIAL_KEY("pressure_tolerance"), .type = KEY_NUMBER, .unit = "1",
      .range = BETWEEN(0, 1), .fallback = "1e-6",
      .help = "relative residual at which the pressure is found"},
     offsetof(struct flip_material, tolerance)},
    {{.path = MATERIAL_KEY("divergence"), .type = KEY_NUMBER, .unit = "1", .range = ABOVE(0),
      .fallback = "1e-4",
      .help = "and the largest change of a cell's volume in a step that is left then"},
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
};

const struct material_model *const flip_models[] = {&flip_model, NULL};
