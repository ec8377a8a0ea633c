#include "step/simulation_parts.h"

static enum status limit_by_scheme(struct simulation *s, double *dt, struct error *error)
{
    const struct scheme_class *class = s->scheme->class;
    const struct step_view view = view_of(s, *dt);
    const bool any = *dt > 0.0;
    if (!class->limit)
        return STATUS_OK;
    enum status status = class->limit(s->scheme, &view, dt, error);
    if (!status && any && !(*dt > 0.0))
        return error_set(error, STATUS_FAILED, "%s: no time step is short enough",
                         class->declares.name);
    return status;
}

enum status next_time_step(struct simulation *s, double until, double *length, struct error *error)
{
    const struct time_settings *settings = &s->scene->time;
    double dt = settings->max_step, safe = s->cfl_rule->longest(s);
    dt = fmin(dt, fmin(safe, air_longest_step(&s->air, &s->particles)));
    phase(&s->timing, PHASE_FIRST_STAGE);
    enum status status = limit_by_scheme(s, &dt, error);
    phase(&s->timing, PHASE_OUTSIDE);
    if (status)
        return status;
    double left = until - s->time;
    double steps = ceil(left / dt * (1.0 - 1e-12));
    *length = left / (steps > 1.0 ? steps : 1.0);
    return STATUS_OK;
}
