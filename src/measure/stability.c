#include "measure/stability.h"

#include "measure/so_far.h"

void stability_update(const struct measure_row *before, const struct stability_input *input,
                      struct measure_row *row)
{
    row->energy_start = before->energy_start;
    row->energy_passed = before->energy_passed + input->passed;
    row->impact_kinetic = before->impact_kinetic;
    row->impact_speed = before->impact_speed;
    row->energy_gain = before->energy_gain;
    row->speed_ratio = before->speed_ratio;
    if (row->impact_kinetic <= 0.0 && input->touching) {
        row->impact_kinetic = input->kinetic;
        row->impact_speed = input->speed_max;
    }
    if (row->impact_kinetic > 0.0) {
        double gain =
            (input->energy - row->energy_start - row->energy_passed) / row->impact_kinetic;
        row->energy_gain = largest_so_far(row->energy_gain, gain);
        row->speed_ratio = largest_so_far(row->speed_ratio, input->speed_p999 / row->impact_speed);
    }
}
