/* Advice to change a key, which is given only where the program would take it. */
#ifndef RUN_ADVICE_H
#define RUN_ADVICE_H

#include "run/run.h"

#include <stdbool.h>

struct listener;

/* Whether the run's configuration with this setting, such as "solver.integrator=newmark", passes
 * the rules of configurations and is another one than it was. If memory runs out, to->status and
 * to->error say so. */
bool advice_fits(const struct run *run, const char *setting, const struct listener *to);

/* Whether some elastic body moves. */
bool advice_any_elastic(const struct run *run);

/* Whether gravity or motions press bodies on supports, in steps longer than a wave takes through a
 * particle. */
bool advice_rests_in_long_steps(const struct run *run);

/* Whether `solver.integrator: newmark` would keep energy: it fits, some elastic body moves, and
 * bodies that gravity or motions press on supports do not rest there in steps longer than a wave
 * takes through a particle, in which Newmark's method makes energy. */
bool advice_newmark(const struct run *run, const struct listener *to);

#endif
