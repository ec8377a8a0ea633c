#include "config/contact_method.h"
#include "run/warning_parts.h"

#include <stdarg.h>
#include <stdio.h>

static warning *const before[] = {warn_of_rebound,        warn_of_spin,  warn_of_lasting_contact,
                                  warn_of_contact_energy, warn_of_holes, warn_of_slow_swings,
                                  warn_of_softness,       NULL};
/* Where positions are corrected in place of forces, integrators and their waves play no part. */
static warning *const before_positions[] = {warn_of_spin, warn_of_holes, NULL};

static warning *const after[] = {
    warn_of_instability,        warn_of_sticking,
    warn_of_interlocking,       warn_of_overlap,
    warn_of_self_overlap,       warn_of_unresolved_contacts,
    warn_of_penetration,        warn_of_particles_outside,
    warn_of_stretched_sheets,   warn_of_dissipation,
    warn_of_linearization,      warn_of_beyond_radius_steps,
    warn_of_unsolved_pressure,  warn_of_compression,
    warn_of_velocities_at_rest, NULL,
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

const char *and_others(size_t n, char text[static 40])
{
    text[0] = '\0';
    if (n > 1)
        snprintf(text, 40, " (and %zu more)", n - 1);
    return text;
}

static enum status call_all(warning *const *list, const struct run *run, say_line *say,
                            void *context, struct error *error)
{
    enum status status = STATUS_OK;
    for (; *list && !status; list++)
        (*list)(run, &(struct listener){say, context, &status, error});
    return status;
}

enum status run_warn_before(const struct run *run, say_line *say, void *context,
                            struct error *error)
{
    const bool positions = contact_has(run->scene.contact.method, METHOD_POSITIONS);
    return call_all(positions ? before_positions : before, run, say, context, error);
}

enum status run_warn_after(const struct run *run, say_line *say, void *context, struct error *error)
{
    return call_all(after, run, say, context, error);
}
