#include "step/step.h"

static enum status limit_by_systems(struct simulation *s, double *dt, struct error *error)
{
    for (size_t k = 0; k < s->n_systems; k++) {
        struct system *system = s->system[k];
        double limit = (double)INFINITY;
        enum status status = STATUS_OK;
        if (system->class->limit)
            status = system->class->limit(system, &s->particles, &limit, error);
        if (status)
            return status;
        if (!(limit > 0.0))
            return error_set(error, STATUS_FAILED, "%s: no time step is short enough",
                             system->class->declares.name);
        *dt = limit < *dt ? limit : *dt;
    }
    return STATUS_OK;
}

static enum status limit_by_scheme(struct simulation *s, double *dt, struct error *error)
{
    const struct scheme_class *class = s->scheme->class;
    const struct step_view view = view_of(s, *dt);
    if (!class->limit)
        return STATUS_OK;
    double limit = class->limit(s->scheme, &view);
    if (!(limit > 0.0))
        return error_set(error, STATUS_FAILED, "%s: no time step is short enough",
                         class->declares.name);
    *dt = fmin(*dt, limit);
    return STATUS_OK;
}

enum status next_time_step(struct simulation *s, double until, double *length, struct error *error)
{
    const struct time_settings *settings = &s->scene->time;
    double dt = settings->max_step, safe = s->cfl_rule->longest(s);
    if (safe < dt)
        dt = safe;
    phase(&s->timing, PHASE_FIRST_STAGE);
    enum status status = limit_by_systems(s, &dt, error);
    if (!status)
        status = limit_by_scheme(s, &dt, error);
    phase(&s->timing, PHASE_OUTSIDE);
    if (status)
        return status;
    double left = until - s->time;
    double steps = ceil(left / dt * (1.0 - 1e-12));
    *length = left / (steps > 1.0 ? steps : 1.0);
    return STATUS_OK;
}
