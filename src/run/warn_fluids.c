/* Fluids whose pressure does not keep them from being compressed. */
#include "config/contact_method.h"
#include "measure/resolution.h"
#include "run/warning_parts.h"

void warn_of_unsolved_pressure(const struct run *run, const struct listener *to)
{
    const struct measure_row *row = &run->last;
    if (row->unsolved_steps > 0.0)
        warn(to, "unsolved pressure",
             "in %.0f of %llu steps solves for the pressure ended after pressure.most_iterations, "
             "%u, and left up to %.3g times their tolerance (unsolved_steps, pressure_left); more "
             "iterations or shorter steps would solve it",
             row->unsolved_steps, (unsigned long long)run->simulation.step,
             (unsigned)run->scene.pressure.most_iterations, row->pressure_left_so_far);
}

/* The first fluid of the scene; NULL if there is none, or if one may be compressed, because
 * density_error_mean is of all of them. */
static const struct material *incompressible_fluid(const struct scene *scene)
{
    const struct material *first = NULL;
    for (size_t b = 0; b < scene->n_bodies; b++) {
        const struct material *material = scene_material_of(scene, b);
        if (!material->model->flows)
            continue;
        if (!material->model->nearly_incompressible)
            return NULL;
        first = first ? first : material;
    }
    return first;
}

/* Not where positions are corrected by iterations whose number is part of the physics. */
void warn_of_compression(const struct run *run, const struct listener *to)
{
    const double error = run->last.density_error_so_far;
    const struct material *fluid = incompressible_fluid(&run->scene);
    if (!fluid || !(error > resolution_density_limit) ||
        contact_has(run->scene.contact.method, METHOD_POSITIONS))
        return;
    warn(to, "compressed",
         "fluids were %.3g %% denser than at rest, mean of particles and time "
         "(density_error_mean); %s",
         100.0 * error,
         fluid->model->pressure ? "a larger pressure of their materials would hold them"
                                : "a smaller pressure.density_tolerance, solves that end at it, or "
                                  "shorter steps, would hold them");
}
