#include "measure/stability.h"

#include <math.h>

void stability_update(const struct measure_row *before, const struct stability_input *input,
                      struct measure_row *row)
{
    row->energy_start = before->energy_start;
    row->impact_kinetic = before->impact_kinetic;
    row->impact_speed = before->impact_speed;
    row->energy_gain = before->energy_gain;
    row->speed_ratio = before->speed_ratio;
    if (row->impact_kinetic <= 0.0 && input->touching) {
        row->impact_kinetic = input->kinetic;
        row->impact_speed = input->speed_max;
    }
    if (row->impact_kinetic > 0.0) {
        row->energy_gain =
            fmax(row->energy_gain, (input->energy - row->energy_start) / row->impact_kinetic);
        row->speed_ratio = fmax(row->speed_ratio, input->speed_p999 / row->impact_speed);
    }
}
