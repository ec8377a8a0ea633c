#include "run/run.h"

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/json.h"
#include "measure/fracture.h"
#include "measure/motion.h"
#include "measure/resolution.h"
#include "measure/so_far.h"
#include "run/run_parts.h"
#include "run/warnings.h"
#include "store/frame_list.h"
#include "store/record_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Describes the present state as a frame, which owns none of its memory. */
static enum status describe(struct run *run, uint64_t number, struct frame *frame,
                            struct error *error)
{
    struct simulation *s = &run->simulation;
    fragments_update(&run->fragments, s->bonded, simulation_changes(s));
    enum status status = simulation_take_state(s, &run->state, error);
    if (status)
        return status;
    *frame = (struct frame){.config = run->initial.config,
                            .origin = run->initial.origin,
                            .number = number,
                            .step = s->step,
                            .time = s->time,
                            .particles = s->particles,
                            .group = s->groups.leader,
                            .fragment = run->fragments.fragment,
                            .penetrated = run->penetrated,
                            .state = run->state,
                            .n_bodies = run->initial.n_bodies,
                            .body_name = run->initial.body_name,
                            .ledger = {s->columns.n, s->columns.column, run->ledger.n, NULL},
                            .measure = {MEASURE_WIDTH, measure_columns, run->measure.n, NULL},
                            .ledger_rows = &run->ledger,
                            .measure_rows = &run->measure};
    if (run->initial.n_sheets > 0)
        memcpy(run->penetrated, measures_penetrated(&run->measures),
               s->particles.n * sizeof *run->penetrated);
    return STATUS_OK;
}

static enum status write_state(struct run *run, uint64_t number, const char *path,
                               struct error *error)
{
    struct frame frame;
    enum status status = describe(run, number, &frame, error);
    return status ? status : frame_write(path, &frame, error);
}

/* Notes that frame `number` is done; from now on, rows are gathered for the next one. */
static void pass_frame(struct run *run, uint64_t number)
{
    run->frame = number;
    run->begun = true;
    row_file_clear(&run->ledger);
    row_file_clear(&run->measure);
}

static enum status write_frame(struct run *run, uint64_t number, struct error *error)
{
    char path[PATH_ROOM], checkpoint[PATH_ROOM];
    enum status status = run_frame_path(run, number, path, error);
    if (!status)
        status = run_path(run, "checkpoint.hdf", checkpoint, error);
    if (!status)
        status = write_state(run, number, path, error);
    if (status)
        return status;
    pass_frame(run, number);
    if (unlink(checkpoint) != 0 && errno != ENOENT)
        return error_set(error, STATUS_FAILED, "%s: cannot be removed: %s", checkpoint,
                         strerror(errno));
    return memory_write(run->folder, number, run->simulation.step, run->simulation.time, error);
}

enum status run_begin_folder(struct run *run, struct error *error)
{
    bool locked = run->lock.path != NULL;
    char first[PATH_ROOM];
    enum status status = folder_make(run->folder, error);
    if (!status)
        status = run_lock(run, error);
    if (!status)
        status = run_frame_path(run, 0, first, error);
    if (!status && !locked && access(first, F_OK) == 0)
        status = error_set(error, STATUS_FAILED,
                           "%s: another program has just begun a run there; name another folder",
                           run->folder);
    return status;
}

/* Removes the frames after the newest valid one; they are left from before a frame was lost or
 * damaged. */
static enum status remove_later_frames(const struct run *run, struct error *error)
{
    struct frame_list list;
    enum status status = frame_list_read(run->folder, &list, error);
    for (size_t k = 0; !status && k < list.n; k++)
        if ((!run->begun || list.frame[k].number > run->frame) && unlink(list.frame[k].path) != 0)
            status = error_set(error, STATUS_FAILED, "%s: cannot be removed: %s",
                               list.frame[k].path, strerror(errno));
    frame_list_free(&list);
    return status == STATUS_INVALID ? STATUS_OK : status; /* there are no frames */
}

enum status run_begin(struct run *run, struct error *error)
{
    char frames[PATH_ROOM], checkpoint[PATH_ROOM];
    enum status status = run_path(run, "frames", frames, error);
    if (!status)
        status = run_begin_folder(run, error);
    if (!status)
        status = folder_make(frames, error);
    if (!status)
        status = run_path(run, "checkpoint.hdf", checkpoint, error);
    if (!status)
        atomic_file_sweep(checkpoint); /* no later checkpoint may come that would do it */
    if (!status)
        status = remove_later_frames(run, error);
    phase(&run->simulation.timing, PHASE_FRAMES);
    if (!status && !run->begun)
        status = write_frame(run, 0, error);
    return status;
}

/* A body that spins steadily loses nothing, but its velocities turn, which the integrator counts as
 * X = 1/2 sum of m |dv|^2 in each step. Along the chords of the rotation bonds do -X, which is in
 * `linearization`, and turn_work is 2 X, up to (omega dt)^2 / 4 of it. */
static double dissipated_but_by_rotation(const struct ledger_columns *columns,
                                         const struct ledger_row *ledger)
{
    return ledger->numerical_dissipation - 0.5 * ledger_columns_value(columns, ledger, "turn_work");
}

/* `before`: kinetic and stored energy at the beginning of the step, J. */
static enum status record(struct run *run, double before, const struct ledger_row *ledger,
                          struct error *error)
{
    struct simulation *s = &run->simulation;
    struct measure_row measure;
    measures_update(&run->measures, run->from, &s->particles, &s->touching, &measure);
    motion_update(run->from, &s->particles, ledger->dt, &measure);
    so_far_update(&run->last, &measure);
    struct stability_input stability = run_stability(run, ledger->speed_max, ledger->speed_p999);
    stability.before = before;
    stability.pull = ledger->dt * vec3_norm(run->scene.gravity);
    stability.pulled = 0.5 * run->allowance.mass * stability.pull * stability.pull;
    stability.supports = ledger->support_work;
    const double by_air = ledger_columns_value(&s->columns, ledger, "air_work");
    stability.passed = ledger->inlet_energy - ledger->outlet_energy + ledger->support_work + by_air;
    stability.brought = ledger->gravity_work + ledger->support_work + by_air +
                        ledger->inlet_kinetic + ledger->inlet_work;
    stability.created = stability_created(&run->simulation.columns, ledger);
    stability_update(&run->last, &stability, &measure);
    struct sticking_input sticking = run_sticking(run, ledger);
    sticking_update(&run->last, &sticking, &measure);
    const struct resolution_input resolution = {
        .numerical_dissipation = dissipated_but_by_rotation(&s->columns, ledger),
        .beyond_radius = ledger->beyond_radius,
        .relative_displacement = ledger->relative_displacement,
        .unresolved = ledger->unresolved,
        .pressure_left = ledger_columns_value(&s->columns, ledger, "pressure_left"),
        .density_error = ledger_columns_value(&s->columns, ledger, "density_error_mean"),
        .time = ledger->time - run->initial.time,
        .dt = ledger->dt,
        .linearization = ledger->linearization,
        .energy = ledger->kinetic + ledger->elastic};
    resolution_update(&run->last, &resolution, &measure);
    fragments_update(&run->fragments, s->bonded, simulation_changes(s));
    fracture_update(&run->last, &run->fragments, s->time, ledger->speed_max, &measure);
    run->last = measure;
    double value[LEDGER_MOST];
    ledger_columns_fill(&s->columns, ledger, value);
    enum status status = row_file_append(&run->ledger, 1, value, error);
    if (!status)
        status = row_file_append(&run->measure, 1, (const double *)&measure, error);
    return status;
}

static void count_iterations(struct run *run, const struct ledger_row *ledger)
{
    const bool pushed = ledger_columns_value(&run->simulation.columns, ledger, "loaded") > 0.0;
    run->taken[pushed].steps++;
    run->taken[pushed].sum += ledger->iterations_first + ledger->iterations_later;
}

/* Takes a step towards `until`, s, the time at which the next frame is due. */
static enum status advance(struct run *run, double until, struct ledger_row *ledger,
                           struct error *error)
{
    struct simulation *s = &run->simulation;
    phase(&s->timing, PHASE_MEASURES);
    memcpy(run->from, s->particles.position, s->particles.n * sizeof *run->from);
    const struct energies *e = &s->energy;
    const double before = e->kinetic + e->elastic + e->contact_potential;
    enum status status = simulation_step(s, until, ledger, error);
    if (!status)
        status = record(run, before, ledger, error);
    if (!status)
        count_iterations(run, ledger);
    phase(&s->timing, PHASE_FRAMES);
    return status;
}

static double next_frame_time(const struct run *run)
{
    return run_frame_time(run, run->frame + 1, run->scene.time.end);
}

enum status run_step(struct run *run, struct error *error)
{
    double until = next_frame_time(run);
    struct ledger_row ledger;
    enum status status = advance(run, until, &ledger, error);
    if (!status && run->simulation.time >= until)
        status = write_frame(run, run->frame + 1, error);
    phase(&run->simulation.timing, PHASE_FRAMES);
    return status;
}

enum status run_step_unwritten(struct run *run, struct ledger_row *ledger, struct error *error)
{
    if (run->simulation.time >= next_frame_time(run))
        pass_frame(run, run->frame + 1);
    return advance(run, next_frame_time(run), ledger, error);
}

enum run_end run_ended(const struct run *run)
{
    if (run->last.energy_gain > run->scene.stop.energy_gain)
        return RUN_ENERGY_GAIN;
    if (run->last.speed_ratio > run->scene.stop.speed_ratio)
        return RUN_SPEED_RATIO;
    return run->simulation.time >= run->scene.time.end ? RUN_COMPLETE : RUN_GOES_ON;
}

enum status run_checkpoint(struct run *run, struct error *error)
{
    char path[PATH_ROOM];
    enum status status = run_path(run, "checkpoint.hdf", path, error);
    if (!status)
        status = write_state(run, run->frame, path, error);
    phase(&run->simulation.timing, PHASE_FRAMES);
    return status;
}

static void list_warning(void *context, const char *line)
{
    json_text(context, NULL, line);
}

static enum status write_end(const struct run *run, enum run_end end, struct error *error)
{
    static const char *const reason[] = {
        [RUN_GOES_ON] = "interrupted",
        [RUN_COMPLETE] = "complete",
        [RUN_ENERGY_GAIN] = "stop.energy_gain exceeded",
        [RUN_SPEED_RATIO] = "stop.speed_ratio exceeded",
    };
    char path[PATH_ROOM];
    struct atomic_file file;
    enum status status = run_path(run, "end.json", path, error);
    if (!status)
        status = atomic_file_open(&file, path, error);
    if (status)
        return status;
    struct json json = json_open(file.stream);
    json_text(&json, "reason", reason[end]);
    json_whole(&json, "step", run->simulation.step);
    json_number(&json, "time", run->simulation.time);
    json_list(&json, "warnings");
    status = run_warn_before(run, list_warning, &json, error);
    if (!status)
        status = run_warn_after(run, list_warning, &json, error);
    json_list_close(&json);
    json_close(&json);
    if (status)
        atomic_file_abandon(&file);
    return status ? status : atomic_file_commit(&file, error);
}

enum status run_finish(struct run *run, enum run_end end, struct error *error)
{
    enum status status = STATUS_OK;
    if (run->ledger.n > 0)
        status = write_frame(run, run->frame + 1, error);
    if (!status)
        status = frame_index_write(run->folder, error);
    if (!status)
        status = write_end(run, end, error);
    phase(&run->simulation.timing, PHASE_FRAMES);
    return status;
}
