#include "run/timed_steps.h"

#include "base/atomic_file.h"
#include "base/machine.h"
#include "base/memory.h"
#include "run/run_parts.h"
#include "store/step_times.h"

#include <stdlib.h>

static enum status time_step(struct run *run, struct step_time *step, struct error *error)
{
    struct timing *timing = &run->simulation.timing;
    step->load = machine_load();
    double processor = process_busy(), machine = machine_busy();
    phase(timing, PHASE_FRAMES);
    struct timing before = *timing;
    enum status status = run_step_unwritten(run, &step->row, error);
    step->wall = timing->since - before.since;
    step->machine = machine_busy() - machine;
    step->processor = process_busy() - processor;
    for (size_t k = 0; k < N_PHASES; k++)
        step->spent[k] = timing->spent[k] - before.spent[k];
    return status;
}

static enum status take_steps(struct run *run, size_t n, struct step_time *step, size_t *done,
                              struct error *error)
{
    enum status status = STATUS_OK;
    for (; *done < n && !status && run_ended(run) == RUN_GOES_ON; *done += !status)
        status = time_step(run, &step[*done], error);
    if (!status && *done < n)
        status =
            error_set(error, STATUS_FAILED,
                      "%s: the run ends after %zu of the %zu steps, at t = %g s; go on from an "
                      "earlier frame, or give a later --until",
                      run->folder, *done, n, run->simulation.time);
    return status;
}

static enum status write_times(const struct run *run, size_t n, const struct step_time *step,
                               struct error *error)
{
    char path[PATH_ROOM];
    enum status status = run_path(run, "steps.csv", path, error);
    return status ? status : step_times_write(path, n, step, error);
}

enum status run_timed_steps(struct run *run, size_t n, struct error *error)
{
    struct step_time *step = NULL;
    size_t done = 0;
    char checkpoint[PATH_ROOM];
    struct error written = {0};
    enum status status = run_path(run, "checkpoint.hdf", checkpoint, error);
    if (!status)
        status = run_begin_folder(run, error);
    if (!status)
        status = array_create(&step, n, sizeof *step, "times of steps", error);
    if (status)
        return status;
    atomic_file_sweep(checkpoint); /* no later checkpoint may come that would do it */
    status = take_steps(run, n, step, &done, error);
    if (write_times(run, done, step, &written) && !status) {
        *error = written;
        status = written.status;
    }
    free(step);
    return status ? status : run_checkpoint(run, error);
}
