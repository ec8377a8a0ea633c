#include "base/blocks.h"
#include "step/step.h"

static double largest_speed2(size_t begin, size_t end, const void *context)
{
    const struct particles *p = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++) {
        double speed2 = vec3_norm2(p->velocity[i]);
        largest = speed2 > largest ? speed2 : largest;
    }
    return largest;
}

static double smallest_radius(const struct particles *p)
{
    double smallest = (double)INFINITY;
    for (size_t i = 0; i < p->n; i++)
        if (p->radius[i] < smallest && p->state[i] != PARTICLE_GONE)
            smallest = p->radius[i];
    return smallest;
}

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
                             system->class->name);
        *dt = limit < *dt ? limit : *dt;
    }
    return STATUS_OK;
}

enum status next_time_step(struct simulation *s, double until, double *length, struct error *error)
{
    const struct time_settings *settings = &s->scene->time;
    /* at rest `safe` is infinite, and max_step decides */
    double v_max = sqrt(blocks_max(s->particles.n, largest_speed2, &s->particles));
    double dt = settings->max_step;
    double safe = settings->courant * smallest_radius(&s->particles) / v_max;
    if (safe < dt)
        dt = safe;
    enum status status = limit_by_systems(s, &dt, error);
    if (status)
        return status;
    double left = until - s->time;
    double steps = ceil(left / dt * (1.0 - 1e-12));
    *length = left / (steps > 1.0 ? steps : 1.0);
    return STATUS_OK;
}
