/* The energy that fluids bring along where their equation of state becomes stiffer or softer: what
 * is compressed in the frame is as compressed in the new run, under another pressure. The ledger
 * has what comes of it as pressure_work. */
#include "run/continued_parts.h"
#include "systems/sph/fluid_model.h"

#include <math.h>

/* k in p = k ((rho / rho0)^2 - 1); 0 for everything else. */
static double stiffness(const struct scene *scene, size_t body)
{
    const struct material *material = scene_material_of(scene, body);
    if (material->model != &fluid_model)
        return 0.0;
    const double k = ((const struct fluid_material *)material->parameters)->pressure;
    return isfinite(k) ? k : 0.0;
}

double continued_brought(const struct frame *frame, const struct scene *was, const struct scene *is,
                         const struct body_map *map)
{
    const float *density = frame_state(frame, "density");
    const struct particles *p = &frame->particles;
    double brought = 0.0;
    for (size_t i = 0; density && i < p->n; i++) {
        const size_t b = p->body[i];
        const bool stays = b < map->n_was && map->is[b] != NO_BODY;
        const double before = stays ? stiffness(was, b) : 0.0;
        const double now = stays ? stiffness(is, map->is[b]) : 0.0;
        const double cell = 8.0 * p->radius[i] * p->radius[i] * p->radius[i];
        const double s = (double)density[i] * cell / p->mass[i];
        /* integral of p / rho^2 from rest, where p does not pull, times the mass */
        if (p->state[i] == PARTICLE_FREE && before > 0.0 && now > 0.0 && s > 1.0)
            brought += (now - before) * cell * (s + 1.0 / s - 2.0);
    }
    return brought;
}
