/* What ms-simulate says about whether a run can be trusted; the numbers are in summary.json, too.
 */
#ifndef RUN_WARNINGS_H
#define RUN_WARNINGS_H

#include "run/run.h"

/* Takes a line without its end. */
typedef void say_line(const char *line);

/* Before a run, a line per body with waves: how many steps they take. */
void run_say_waves(const struct run *run, say_line *say);

/* After a run that ended, a line per warning. */
void run_say_warnings(const struct run *run, say_line *say);

#endif
