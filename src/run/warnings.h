/* Messages by which ms-simulate says whether a run can be trusted; summary.json has the same
 * numbers. */
#ifndef RUN_WARNINGS_H
#define RUN_WARNINGS_H

#include "run/run.h"

/* Takes a line without a newline at its end. */
typedef void say_line(const char *line);

/* Before a run: says for each elastic body how many steps a wave takes through it. */
void run_say_waves(const struct run *run, say_line *say);

/* Before a run: warns if backward Euler would dissipate the rebound of elastic bodies that may hit
 * each other or a wall. It says one line, about the shortest impact. */
void run_say_rebound(const struct run *run, say_line *say);

/* After a run that ended: one line for each warning. */
void run_say_warnings(const struct run *run, say_line *say);

#endif
