/* Keys that materials of several fluids have (model_keys.h). */
#ifndef CONFIG_FLUID_KEYS_H
#define CONFIG_FLUID_KEYS_H

#include "config/choices.h"
#include "config/key_rows.h"
#include "config/model_keys.h"

enum solids_in_fluids { SOLIDS_IN_FLUIDS(CHOICE_VALUE) };

/* The row of the key `solids`, for a model that has it at `offset` in its parameters, uint32_t. */
/* clang-format off */
#define FLUID_KEY_SOLIDS(offset)                                                                    \
    {{.path = MATERIAL_KEY("solids"), .type = KEY_CHOICE, .words = CHOICE_WORDS(SOLIDS_IN_FLUIDS), \
      .fallback = "displace",                                                                       \
      .help = "particles of other bodies in the fluid: displace, they take room in it and its "     \
              "pressure acts on them, so that bodies float; ignored, the fluid does not see them "   \
              "and contact alone keeps them apart, as in the first paper. Not for contact.method: " \
              "position-based, where contact does it"},                                             \
     (offset)}
/* clang-format on */

#endif
