/* Energy that a run made, and energy that its integrator took. */
#include "config/contact_method.h"
#include "measure/resolution.h"
#include "measure/stability.h"
#include "run/advice.h"
#include "run/warning_parts.h"

#include <math.h>

static bool any_fluid(const struct scene *scene)
{
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (scene_body_flows(scene, b))
            return true;
    return false;
}

/* What made the energy is known by its amount: in an explosion it is most of all that there was.
 * The pressure of a fluid has no energy in the ledger, only work. */
void warn_of_instability(const struct run *run, const struct listener *to)
{
    const struct measure_row *row = &run->last;
    double made = row->energy_created, steps = row->linearization_gain_so_far;
    double passed = row->energy_passed, gained = row->energy_gain * row->energy_available;
    if (row->unstable == 0.0)
        return;
    if (row->energy_gain <= stability_gain_limit && passed > fmax(made, steps))
        warn(
            to, "unstable",
            "speed_ratio %.3g: more energy than there was came within a step, and particles became "
            "faster than impacts, gravity and supports allow; the ledger has it as work of "
            "supports or inlets, %.3g J in all (energy_passed): what moves jams bodies that "
            "cannot give way",
            row->speed_ratio, passed);
    else if (any_fluid(&run->scene) && made + steps < 0.5 * gained)
        warn(to, "unstable",
             "energy_gain %.3g, speed_ratio %.3g: of up to %.3g J more than there was, contact "
             "made %.3g J and steps %.3g J; the rest came from the pressure of fluids "
             "(pressure_work), which were compressed when the run began, or are by its steps",
             row->energy_gain, row->speed_ratio, gained, made, steps);
    else if (made > steps)
        warn(to, "unstable",
             "energy_gain %.3g, speed_ratio %.3g; contact made %.3g J out of nowhere "
             "(energy_created)",
             row->energy_gain, row->speed_ratio, made);
    else
        warn(to, "unstable",
             "energy_gain %.3g, speed_ratio %.3g; steps made %.3g J of elastic energy out of "
             "nowhere (linearization_gain)",
             row->energy_gain, row->speed_ratio, steps);
}

/* Not where positions are corrected in place of forces: contacts take energy there by design, and
 * no integrator does. */
void warn_of_dissipation(const struct run *run, const struct listener *to)
{
    if (contact_has(run->scene.contact.method, METHOD_POSITIONS))
        return;
    const struct measure_row *row = &run->last;
    const double lost = row->numerical_dissipation_since_impact;
    const double there = lost / row->numerical_dissipation_fraction;
    if (lost > there && lost <= there + row->energy_passed)
        warn(to, "dissipation",
             "the time integrator dissipated %.3g J since the impact, %.3g %% of the energy that "
             "there was and that supports and inlets brought (energy_passed); shorter steps would "
             "keep more of it",
             lost, 100.0 * lost / (there + row->energy_passed));
    else if (lost > there)
        warn(to, "dissipation",
             "the time integrator dissipated %.3g J since the impact, %.3g times all energy that "
             "there was (numerical_dissipation_fraction): the rest came from nowhere%s; shorter "
             "steps are needed",
             lost, row->numerical_dissipation_fraction,
             any_fluid(&run->scene) ? " or from the pressure of a fluid" : "");
    else if (row->numerical_dissipation_fraction > resolution_fraction_limit)
        warn(to, "dissipation",
             "the time integrator dissipated %.3g %% of the energy that there was since "
             "the impact (numerical_dissipation_fraction); shorter steps would keep more of it%s",
             100.0 * row->numerical_dissipation_fraction,
             advice_newmark(run, to) ? ", and solver.integrator: newmark" : "");
}

/* Why bodies gain elastic energy that no force gave them. */
static const char *reason_of_gain(const struct scene *scene)
{
    if (contact_has(scene->contact.method, METHOD_POSITIONS))
        return "constraints of positions stretch bonds without regard to their stiffness";
    return contact_has(scene->contact.method, METHOD_PUSHES)
               ? "bodies changed more in a step than forces that are linearized know of, and "
                 "contacts move particles without forces"
               : "bodies changed more in a step than forces that are linearized know of";
}

void warn_of_linearization(const struct run *run, const struct listener *to)
{
    double gain = run->last.linearization_gain_so_far, energy = run->last.energy_so_far;
    if (gain > fmax(resolution_gain_limit * energy, run->least_energy) && isfinite(gain))
        warn(
            to, "linearization",
            "steps made %.3g J of elastic energy from nothing (linearization_gain), %.3g %% of the "
            "most kinetic and elastic energy that there was, because %s; shorter steps are needed "
            "(time.max_step or time.courant)",
            gain, 100.0 * gain / energy, reason_of_gain(&run->scene));
}
