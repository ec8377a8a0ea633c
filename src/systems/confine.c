#include "systems/confine.h"

bool ends_near_walls(const struct walls *walls, double least, const struct particles *p, size_t i,
                     double dt, const struct vec3 *mean)
{
    struct vec3 end = vec3_axpy(p->position[i], dt, mean[i]);
    return !p->state[i] && walls_distance(walls, end) < least * (1.0 - 1e-9);
}

void confine_velocity(const struct particles *p, size_t i, struct vec3 back, struct vec3 mean,
                      struct vec3 *velocity, struct confine_report *report)
{
    double m = p->mass[i], length2 = vec3_norm2(back);
    struct vec3 before = velocity[i];
    double missing = vec3_dot(back, vec3_sub(mean, before)) / length2;
    if (!(length2 > 0.0 && missing > 0.0))
        return;
    velocity[i] = vec3_axpy(before, missing, back);
    report->impulse = vec3_axpy(report->impulse, m, vec3_sub(velocity[i], before));
    report->kinetic += 0.5 * m * (vec3_norm2(before) - vec3_norm2(velocity[i]));
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
    struct vec3 back = vec3_sub(allowed, end);
    mean[i] = vec3_axpy(mean[i], 1.0 / dt, back);
    report->stopped++;
    report->shift = vec3_axpy(report->shift, p->mass[i], back);
    confine_velocity(p, i, back, mean[i], velocity, report);
}
