#include "measure/sticking.h"

/* An elastic impact is over when waves have gone through the bodies and back; two bars part then.
 * Other shapes, which are soft where they touch, take longer, but not twice as long unless they hit
 * each other much slower than waves run; the time of flight over the size of the largest body
 * allows for that. */
static const double waves_to_part = 4.0;

static double separation_time(const struct sticking_input *input, double impact_speed)
{
    return input->size / impact_speed + waves_to_part * input->wave;
}

void sticking_update(const struct measure_row *before, const struct sticking_input *input,
                     struct measure_row *row)
{
    row->interlocked_steps = before->interlocked_steps + (row->interlocked > 0.0);
    row->free_contact_time = 0.0;
    row->separation_time =
        row->impact_speed > 0.0 ? separation_time(input, row->impact_speed) : 0.0;
    if (input->touching && !input->held && row->impact_speed > 0.0)
        row->free_contact_time = before->free_contact_time + input->dt;
    row->sticking = row->interlocked > 0.0 || row->free_contact_time > row->separation_time;
}
