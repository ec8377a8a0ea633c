/* Contact methods and integrators that do not go together in a scene. */
#include "config/contact_method.h"
#include "run/advice.h"
#include "run/warning_parts.h"

/* Sliding contact holds for the mean velocities of Newmark's method, and loses what is left. */
void warn_of_lasting_contact(const struct run *run, const struct listener *to)
{
    const struct scene *scene = &run->scene;
    enum contact_method method = scene->contact.method;
    if (scene->solver.integrator != INTEGRATOR_NEWMARK || !contact_has(method, METHOD_MEETS) ||
        contact_has(method, METHOD_LASTS) || !advice_any_elastic(run) ||
        !advice_rests_in_long_steps(run))
        return;
    warn(to, "integrator",
         "Newmark's method may make energy in contacts that last, because steps of "
         "time.max_step, %g s, are longer than the %.2g s that a wave takes through a particle%s",
         scene->time.max_step, run->simulation.waves.particle,
         advice_fits(run, "contact.method=sliding", to)
             ? "; that of contact.method: sliding makes none"
             : "");
}
