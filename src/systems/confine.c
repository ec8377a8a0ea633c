#include "systems/confine.h"

bool ends_near_walls(const struct walls *walls, double least, const struct particles *p, size_t i,
                     double dt, const struct vec3 *mean)
{
    struct vec3 end = vec3_axpy(p->position[i], dt, mean[i]);
    return !p->state[i] && walls_distance(walls, end) < least * (1.0 - 1e-9);
}

void confine_to_walls(const struct walls *walls, double least, const struct particles *p, size_t i,
                      double dt, struct vec3 *mean, struct vec3 *velocity,
                      struct confine_report *report)
{
    struct vec3 begin = p->position[i], end = vec3_axpy(begin, dt, mean[i]), allowed = end;
    if (!ends_near_walls(walls, least, p, i, dt, mean))
        return;
    if (!walls_push_out(walls, least, &allowed))
        allowed = begin;
    struct vec3 back = vec3_sub(allowed, end), before = velocity[i];
    mean[i] = vec3_axpy(mean[i], 1.0 / dt, back);
    double missing = vec3_dot(back, vec3_sub(mean[i], before)) / vec3_norm2(back);
    if (missing > 0.0)
        velocity[i] = vec3_axpy(before, missing, back);
    double m = p->mass[i];
    report->stopped++;
    report->impulse = vec3_axpy(report->impulse, m, vec3_sub(velocity[i], before));
    report->shift = vec3_axpy(report->shift, m, back);
    report->kinetic += 0.5 * m * (vec3_norm2(before) - vec3_norm2(velocity[i]));
}
