/* What ms-simulate says about a run: before it, whether its steps resolve it, and after it, whether
 * it can be trusted. summary.json has the numbers, end.json the warnings. */
#ifndef RUN_WARNINGS_H
#define RUN_WARNINGS_H

#include "run/run.h"

/* Takes a line without a newline at its end. */
typedef void say_line(void *context, const char *line);

/* Before a run: says for each elastic body how many steps a wave takes through it. */
void run_say_waves(const struct run *run, say_line *say, void *context);

/* Says one line for each warning, "KIND: sentence", where KIND is a word or two. Those before a run
 * follow from its scene and steps, those after it from what happened. Fails if memory runs out. */
enum status run_warn_before(const struct run *run, say_line *say, void *context,
                            struct error *error);
enum status run_warn_after(const struct run *run, say_line *say, void *context,
                           struct error *error);

#endif
