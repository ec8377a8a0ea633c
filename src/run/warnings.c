#include "run/warning_parts.h"

#include <stdarg.h>
#include <stdio.h>

static warning *const before[] = {warn_of_rebound, NULL};

static warning *const after[] = {
    warn_of_instability,         warn_of_sticking,
    warn_of_interlocking,        warn_of_dissipation,
    warn_of_beyond_radius_steps, NULL,
};

void warn(const struct listener *to, const char *kind, const char *format, ...)
{
    char line[640];
    int length = snprintf(line, sizeof line, "%.32s: ", kind);
    va_list values;
    va_start(values, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, values);
    va_end(values);
    to->say(to->context, line);
}

static void call_all(warning *const *list, const struct run *run, const struct listener *to)
{
    for (; *list; list++)
        (*list)(run, to);
}

void run_warn_before(const struct run *run, say_line *say, void *context)
{
    call_all(before, run, &(struct listener){say, context});
}

void run_warn_after(const struct run *run, say_line *say, void *context)
{
    call_all(after, run, &(struct listener){say, context});
}
