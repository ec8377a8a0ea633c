/* Energy that a contact method will make from nothing in steps of time.max_step. */
#include "config/contact_method.h"
#include "contact/contact.h"
#include "run/advice.h"
#include "run/warning_parts.h"

#include <math.h>

/* A fraction of an impact's energy below which a gain is not worth a word. */
static const double little = 1e-3;

/* ---- forces of the start of a step ---- */

/* A spring that parts two particles, at the rate h = dt sqrt(k / m) per step for their reduced
 * mass m. Backward Euler applies the force of the start of a step before particles move, which is
 * symplectic Euler: (v^2 + x^2 - h v x) / 2 is constant, so that the energy swings by h / 2 of
 * itself. Newmark's and Verlet's methods move particles by half of the change of velocity, and
 * multiply the energy by 1 + h^2 / 2 in each of the pi / h steps of a contact. */
static double gain_of_spring(enum time_integration integrator, double h)
{
    return integrator == INTEGRATOR_BACKWARD_EULER ? 0.5 * h : expm1(0.5 * M_PI * h);
}

/* A little less than the rate of that gain, so that two digits of the step are on the safe side. */
static double rate_of_little(enum time_integration integrator)
{
    return 0.95 * little * (integrator == INTEGRATOR_BACKWARD_EULER ? 2.0 : 2.0 / M_PI);
}

/* 1 / m of a particle of a body; 0 if all of it is fixed. */
static double inverse_mass(const struct run *run, size_t body)
{
    return run->simulation.waves.body[body].moves ? 1.0 / run->scene.body[body].particle_mass : 0.0;
}

struct stiffest {
    size_t body, other;
    double rate; /* sqrt(k / m), 1/s */
};

/* The fastest of all pairs of bodies, a body with itself included. */
static struct stiffest stiffest_contact(const struct run *run)
{
    const struct scene *scene = &run->scene;
    struct stiffest found = {0, 0, 0.0};
    for (size_t a = 0; a < scene->n_bodies; a++)
        for (size_t b = a; b < scene->n_bodies; b++) {
            double k = run->simulation.contact.class->stiffness(scene, a, b);
            double rate = sqrt(k * (inverse_mass(run, a) + inverse_mass(run, b)));
            if (rate > found.rate)
                found = (struct stiffest){a, b, rate};
        }
    return found;
}

/* Verlet's steps are no longer than a wave takes through a particle. */
static double longest_step(const struct run *run)
{
    double longest = run->scene.time.max_step;
    return run->scene.solver.integrator == INTEGRATOR_VERLET
               ? fmin(longest, run->simulation.waves.particle)
               : longest;
}

static void warn_of_springs(const struct run *run, const struct listener *to)
{
    const struct scene *scene = &run->scene;
    struct stiffest pair = stiffest_contact(run);
    double dt = longest_step(run);
    double gain = gain_of_spring(scene->solver.integrator, dt * pair.rate);
    if (gain > little)
        warn(to, "contact",
             "forces of the start of a step, of a contact stiffness of %.3g N/m, make up to %.2g "
             "%% of the energy of a contact from nothing in steps of %.2g s, where particles of "
             "bodies \"%.64s\" and \"%.64s\" touch; below %.2g s it is less than %g %%%s",
             run->simulation.contact.class->stiffness(scene, pair.body, pair.other), 100.0 * gain,
             dt, scene->body[pair.body].name, scene->body[pair.other].name,
             rate_of_little(scene->solver.integrator) / pair.rate, 100.0 * little,
             scene_body_is_implicit(scene, pair.body) &&
                     scene_body_is_implicit(scene, pair.other) &&
                     advice_fits(run, "contact.method=implicit-penalty", to)
                 ? ", and that of contact.method: implicit-penalty makes none"
                 : "");
}

/* ---- particles that move without their bodies ---- */

/* Impulses after the integration move a particle by dt p / m while its neighbors stay, which takes
 * 1/2 k (dt p / m)^2 of elastic energy against the p^2 / 2m of the impact: their ratio is the
 * square of the step over the time of a wave through a particle, but for a factor. 0.4 of that is
 * between 0.25 and 1.1 of what two balls gain that hit each other in steps of a tenth to ten of
 * these times.
 */
static double gain_of_impulses(const struct run *run)
{
    double steps = run->scene.time.max_step / run->simulation.waves.particle;
    return 0.4 * steps * steps;
}

/* Newton's law of restitution for all pairs at once keeps energy only if no pair parts before the
 * step that others press: the law has it stop, and its impulse works along the parting. How many
 * such pairs there are is not known beforehand. */
static void warn_of_restitution(const struct run *run, const struct listener *to)
{
    warn(to, "contact",
         "impulses that restore the approach of every pair (contact.alpha %g) make energy from "
         "nothing where a pair that parts is pressed by others, however short the steps are%s%s",
         run->scene.contact.alpha,
         advice_fits(run, "contact.alpha=0", to) ? "; contact.alpha: 0 makes none" : "",
         advice_fits(run, "contact.method=impulse", to) ? "; contact.method: impulse makes none"
                                                        : "");
}

static void warn_of_moved(const struct run *run, const struct listener *to)
{
    const struct scene *scene = &run->scene;
    const char *sliding = advice_fits(run, "contact.method=sliding", to)
                              ? "; contact.method: sliding makes none"
                              : "";
    double gain = gain_of_impulses(run);
    if (!advice_any_elastic(run)) {
        if (!run->simulation.contact.class->stiffness && scene->contact.alpha > 0.0)
            warn_of_restitution(run, to);
        return;
    }
    if (contact_has(scene->contact.method, METHOD_PUSHES))
        warn(to, "contact",
             "position correction moves particles without forces, and the bonds that it stretches "
             "gain energy from nothing, however short the steps are%s",
             sliding);
    else if (gain > little)
        warn(to, "contact",
             "impulses after the integration move particles whose bodies feel it a step later, "
             "which makes some %.2g %s of an impact's energy from nothing in steps of %g s; below "
             "%.1g s it is less than %g %%%s",
             gain > 2.0 ? gain : 100.0 * gain, gain > 2.0 ? "times" : "%", scene->time.max_step,
             run->simulation.waves.particle * sqrt(little / 0.4), 100.0 * little, sliding);
}

void warn_of_contact_energy(const struct run *run, const struct listener *to)
{
    if (contact_has(run->scene.contact.method, METHOD_AFTER))
        warn_of_moved(run, to);
    if (run->simulation.contact.class->stiffness)
        warn_of_springs(run, to);
}
