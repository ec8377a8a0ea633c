/* The one list of simulation systems. It is alone in its file: a test program that defines a table
 * of its own is linked with that one instead. */
#include "systems/bonds/bond_network.h"
#include "systems/constrained/constrained.h"
#include "systems/corotated/corotated.h"
#include "systems/dfsph/dfsph.h"
#include "systems/flip/flip.h"
#include "systems/sph/sph.h"

const struct system_class *const system_classes[] = {&bond_network_class,
                                                     &corotated_class,
                                                     &constrained_class,
                                                     &flip_class,
                                                     &dfsph_class,
                                                     &sph_class,
                                                     NULL};
