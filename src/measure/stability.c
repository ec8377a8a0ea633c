#include "measure/stability.h"

#include "measure/so_far.h"

const double stability_gain_limit = 0.5, stability_speed_limit = 3.0;

double stability_least_energy(const struct particles *p, double time)
{
    const double part = 1e-6 / time;
    double least = (double)INFINITY;
    for (size_t i = 0; i < p->n; i++)
        if (p->state[i] != PARTICLE_FIXED)
            least = fmin(least, p->mass[i] * p->radius[i] * p->radius[i]);
    return isfinite(least) ? 0.5 * part * part * least : 0.0;
}

static void carry_over(const struct measure_row *before, struct measure_row *row)
{
    row->energy_start = before->energy_start;
    row->stored_start = before->stored_start;
    row->energy_passed = before->energy_passed;
    row->impact_kinetic = before->impact_kinetic;
    row->impact_internal = before->impact_internal;
    row->impact_speed = before->impact_speed;
    row->stored_impact = before->stored_impact;
    row->energy_brought = before->energy_brought;
    row->energy_available = before->energy_available;
    row->energy_created = before->energy_created;
    row->speed_allowed = before->speed_allowed;
    row->energy_gain = before->energy_gain;
    row->speed_ratio = before->speed_ratio;
}

/* The larger of two values; `now` does not count if it is not finite. */
static double largest_finite(double before, double now)
{
    return isfinite(now) ? fmax(before, now) : before;
}

/* Updates the energy available since the impact, which never shrinks. All that was dissipated since
 * is at most this, because neither kinetic nor stored energy is ever negative; what is beyond came
 * from nowhere. */
static void update_means(const struct stability_input *input, bool impact, struct measure_row *row)
{
    if (impact) {
        row->impact_kinetic = row->energy_available = input->kinetic;
        row->impact_internal = input->internal;
        row->impact_speed = input->speed_max;
        row->stored_impact = input->stored;
        return;
    }
    row->energy_brought += input->brought;
    double released = fmax(row->stored_impact - input->stored, 0.0);
    row->energy_available =
        largest_finite(row->energy_available, row->impact_kinetic + row->energy_brought + released);
}

/* Whether the energy of fast particles, or more than all energy that was there, came in the step
 * itself. It cannot: what a support or gravity gives a particle directly is a speed that is
 * allowed, whatever work the ledger says that supports did. */
static bool came_at_once(const struct stability_input *input)
{
    return !(fmax(input->excess, input->supports) <= input->before);
}

/* Whether energy came from nowhere. What gravity gives in a step, and contact takes again, is known
 * to the tolerance of the step alone: less than that is no gain. A light body under a heavy one
 * keeps some of it as a speed that moves nothing. */
static bool is_gain(const struct stability_input *input, double gain, double available)
{
    return !isfinite(gain) || (gain > stability_gain_limit * available && gain > input->pulled);
}

/* The 99.9th percentile of speed over what is allowed: by physics, or by the gravity of the step.
 */
static double ratio_of_speed(const struct stability_input *input, const struct measure_row *row)
{
    return input->speed_p999 / fmax(row->speed_allowed, input->pull);
}

/* Whether particles are faster than is allowed, by energy that contact created or that came at
 * once. Speed alone is no proof: the tip of a whip and a light particle between heavy ones are
 * faster, too, by energy that was there before. */
static bool is_thrown(const struct stability_input *input, const struct measure_row *row)
{
    return !(ratio_of_speed(input, row) <= stability_speed_limit) &&
           (!(row->energy_created < input->excess) || came_at_once(input));
}

/* Links between particles with a gap take energy, which does not make up for what others create. */
double stability_created(const struct ledger_columns *columns, const struct ledger_row *row)
{
#define VALUE(name) ledger_columns_value(columns, row, name)
    double by_links = fmax(-(VALUE("link_work") + VALUE("friction")), 0.0);
    return row->contact_gain - VALUE("coupling") + VALUE("sync_stored") - VALUE("sync_dissipated") +
           by_links;
#undef VALUE
}

void stability_update(const struct measure_row *before, const struct stability_input *input,
                      struct measure_row *row)
{
    carry_over(before, row);
    row->unstable = before->unstable;
    row->energy_passed += input->passed;
    row->energy_created += input->created;
    row->speed_allowed = largest_finite(row->speed_allowed, input->allowed);
    bool impact =
        row->impact_kinetic <= 0.0 && input->touching && !(input->kinetic <= input->least);
    if (!impact && !(row->impact_kinetic > 0.0))
        return;
    update_means(input, impact, row);
    double gain = input->energy - row->energy_start - row->energy_passed;
    row->energy_gain = largest_so_far(row->energy_gain, gain / row->energy_available);
    row->speed_ratio = largest_so_far(row->speed_ratio, ratio_of_speed(input, row));
    if (is_gain(input, gain, row->energy_available) || is_thrown(input, row))
        row->unstable = 1.0;
}
