/* Opening a run: the scene of its initial frame, and the state to start or to go on from. */
#include "base/inputs.h"
#include "base/memory.h"
#include "config/config.h"
#include "run/resume_check.h"
#include "run/run_parts.h"
#include "step/memory_need.h"
#include "store/frame_list.h"
#include "store/frame_scene.h"
#include "store/record_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum status change_end(struct run *run, double until, struct error *error)
{
    char *config;
    enum status status = config_with_end(run->initial.config, until, &config, error);
    if (status)
        return status;
    free(run->initial.config);
    run->initial.config = config;
    return STATUS_OK;
}

static enum status read_scene(struct run *run, const char *initial, double until,
                              struct error *error)
{
    enum status status = frame_read(initial, &run->initial, error);
    if (status)
        return status;
    if (!run->initial.config || !run->initial.rest_position)
        return error_set(error, STATUS_INVALID,
                         "%s: not an initial frame; make one with ms-sample, or of this one with "
                         "ms-sample --from",
                         initial);
    if (until > 0.0)
        status = change_end(run, until, error);
    if (!status)
        status = frame_scene(&run->initial, initial, &run->scene, error);
    return status ? status
                  : memory_check(&run->scene, &run->initial.particles, run->initial.rest_position,
                                 initial, error);
}

/* Refuses a folder that holds frames themselves: they would lie among the files of this run and be
 * taken for its own. */
static enum status check_folder(const struct run *run, struct error *error)
{
    char path[PATH_ROOM];
    enum status status = run_path(run, "000000.hdf", path, error);
    if (status || access(path, F_OK) != 0)
        return status;
    return error_set(error, STATUS_INVALID,
                     "%s: holds the frames of a run themselves (000000.hdf); name a folder of its "
                     "own",
                     run->folder);
}

/* A run must not overwrite the file that it began with, nor add rows to a file that is no table of
 * its own. */
static enum status spare(const struct run *run, const char *input, struct error *error)
{
    static const char *const name[] = {"checkpoint.hdf", "end.json",  "frames.xmf", "manifest.json",
                                       "memory.csv",     "steps.csv", "timing.csv", "lock"};
    char path[PATH_ROOM];
    struct inputs inputs = {0};
    struct frame_list list = {0};
    enum status status = inputs_add(&inputs, input, error);
    for (size_t i = 0; i < sizeof name / sizeof *name && !status; i++) {
        status = run_path(run, name[i], path, error);
        if (!status)
            status = inputs_spare(&inputs, path, error);
    }
    struct error trouble;
    if (!status && frame_list_read(run->folder, &list, &trouble) == STATUS_FAILED)
        status = error_set(error, STATUS_FAILED, "%s", trouble.message);
    for (size_t k = 0; k < list.n && !status; k++)
        status = inputs_spare(&inputs, list.frame[k].path, error);
    if (!status)
        status = record_files_check(run->folder, error);
    frame_list_free(&list);
    inputs_free(&inputs);
    return status;
}

static enum status note_damage(struct run *run, const char *path, struct error *error)
{
    size_t size = strlen(path) + 1;
    if (run->damaged)
        return STATUS_OK;
    if (array_create(&run->damaged, size, 1, "a file name", error))
        return STATUS_FAILED;
    memcpy(run->damaged, path, size);
    return STATUS_OK;
}

/* Frames are numbered without gaps, so the search ends at the first number that is missing. */
static enum status find_newest_frame(struct run *run, bool resume, struct error *error)
{
    char path[PATH_ROOM];
    uint64_t next = 0;
    bool whole = true;
    enum status status = STATUS_OK;
    for (; !status && whole; next++) {
        status = run_frame_path(run, next, path, error);
        if (!status && access(path, F_OK) != 0)
            break;
        if (!status && resume)
            status = frame_is_whole(path, &whole, error);
        if (!status && !whole)
            break;
    }
    run->begun = next > 0;
    run->frame = next > 0 ? next - 1 : 0;
    return status || whole ? status : note_damage(run, path, error);
}

/* The state from which a run starts: the initial frame, a frame, or a checkpoint. */
struct start {
    struct frame frame;
    bool checkpoint; /* its rows are in no frame yet */
};

/* Whether the run would have passed through the state of `start` with its present end, too, and not
 * only with `end`, for which it was simulated. */
static bool is_on_the_way(const struct run *run, const struct start *start, double end)
{
    const struct frame *frame = &start->frame;
    double later = run->scene.time.end;
    return start->checkpoint ? run_frame_time(run, frame->number + 1, end) ==
                                   run_frame_time(run, frame->number + 1, later)
                             : frame->time == run_frame_time(run, frame->number, later);
}

/* Checks a state that was simulated for another end than the present one; `path` is where it was.
 */
static enum status check_end(const struct run *run, const struct start *start, const char *path,
                             struct error *error)
{
    struct scene scene;
    if (strcmp(start->frame.config, run->initial.config) == 0)
        return STATUS_OK;
    enum status status = frame_scene(&start->frame, path, &scene, error);
    if (status)
        return status;
    double end = scene.time.end;
    scene_free(&scene);
    if (end > run->scene.time.end)
        return error_set(error, STATUS_INVALID,
                         "%s: this run goes on until %.15g s, beyond %.15g s; give --until %.15g, "
                         "or a later time",
                         path, end, run->scene.time.end, end);
    if (!is_on_the_way(run, start, end))
        return error_set(error, STATUS_INVALID,
                         "%s: this run ended, or was to end, at %.15g s, between two frames of a "
                         "longer one, which are %.15g s apart; a longer run needs another folder",
                         path, start->checkpoint ? end : start->frame.time,
                         run->scene.time.frame_interval);
    return STATUS_OK;
}

static const char other_folder[] = "remove the folder's frames or name another folder";

/* The newest frame, or the checkpoint if that is newer still. */
static enum status read_newest(struct run *run, struct start *start, struct error *error)
{
    char path[PATH_ROOM];
    enum status status = run_frame_path(run, run->frame, path, error);
    if (!status)
        status = frame_read(path, &start->frame, error);
    if (!status && start->frame.number != run->frame)
        status = frame_misnamed(path, start->frame.number, error);
    if (!status)
        status = resume_check_frame(run, &start->frame, path, other_folder, error);
    if (!status)
        status = run_path(run, "checkpoint.hdf", path, error);
    if (status || access(path, F_OK) != 0)
        return status;
    struct frame newer = {0};
    bool whole;
    status = frame_is_whole(path, &whole, error);
    if (!status && !whole)
        return note_damage(run, path, error);
    if (!status)
        status = frame_read(path, &newer, error);
    if (!status)
        status = resume_check_frame(run, &newer, path, other_folder, error);
    /* the rows of a checkpoint begin where the frame of its number ends */
    if (status || newer.number != run->frame || newer.step <= start->frame.step) {
        frame_free(&newer);
        return status;
    }
    frame_free(&start->frame);
    *start = (struct start){.frame = newer, .checkpoint = true};
    return STATUS_OK;
}

static enum status read_start(struct run *run, struct start *start, struct error *error)
{
    enum status status = read_newest(run, start, error);
    return status ? status : check_end(run, start, run->folder, error);
}

/* The initial particles are copied, so that the initial frame stays as it was read. */
static enum status copy_start(const struct run *run, struct start *start, struct error *error)
{
    start->frame.time = run->initial.time;
    start->frame.step = run->initial.step;
    return particles_copy(&start->frame.particles, &run->initial.particles, error);
}

/* Whether no step of the run has been done. */
static bool is_first(const struct run *run, const struct start *start)
{
    return start->frame.step == run->initial.step;
}

static void measure_start(struct run *run)
{
    double fastest = 0.0;
    for (size_t i = 0; i < run->simulation.particles.n; i++)
        if (particle_is_here(run->simulation.particles.state[i]))
            fastest = fmax(fastest, vec3_norm(run->simulation.particles.velocity[i]));
    struct stability_input input = run_stability(run, fastest, 0.0);
    struct measure_row before = {.energy_start = input.energy, .stored_start = input.stored};
    stability_update(&before, &input, &run->last);
}

static bool same_columns(const struct table *table, const struct ledger_columns *columns)
{
    for (size_t k = 0; k < columns->n && k < table->n_columns; k++)
        if (strcmp(table->column[k].name, columns->column[k].name) != 0)
            return false;
    return table->n_columns == columns->n;
}

static enum status start_measures(struct run *run, const struct start *start, const char *path,
                                  struct error *error)
{
    const struct frame *initial = &run->initial, *from = &start->frame;
    bool *of_mesh;
    if (array_create(&of_mesh, initial->n_sheets, sizeof *of_mesh, "sheets", error))
        return STATUS_FAILED;
    for (size_t s = 0; s < initial->n_sheets; s++)
        of_mesh[s] = scene_body_at_vertices(&run->scene, initial->sheet[s].body);
    const struct measured measured = {.initial = &initial->particles,
                                      .particles = &run->simulation.particles,
                                      .rest = initial->rest_position,
                                      .bonded = run->simulation.bonded,
                                      .n_sheets = initial->n_sheets,
                                      .sheet = initial->sheet,
                                      .of_mesh = of_mesh,
                                      .gravity = run->scene.gravity};
    enum status status = measures_create(&run->measures, &measured, error);
    free(of_mesh);
    if (!status)
        status = allowance_create(&run->allowance, &run->scene, &initial->particles, error);
    if (status)
        return status;
    run->least_energy = stability_least_energy(&initial->particles, run->scene.time.end);
    const uint32_t *penetrated = is_first(run, start) ? initial->penetrated : from->penetrated;
    if (penetrated)
        measures_restore(&run->measures, penetrated);
    if (is_first(run, start)) {
        measure_start(run);
        return STATUS_OK;
    }
    if (from->measure.n_rows == 0 || from->measure.n_columns != MEASURE_WIDTH ||
        !same_columns(&from->ledger, &run->simulation.columns))
        return error_set(error, STATUS_INVALID,
                         "%s: its ledger is not the one this program writes; start the run anew "
                         "in another folder",
                         path);
    memcpy(&run->last, from->measure.value + (from->measure.n_rows - 1) * MEASURE_WIDTH,
           sizeof run->last);
    if (!start->checkpoint)
        return STATUS_OK;
    status = row_file_append(&run->ledger, from->ledger.n_rows, from->ledger.value, error);
    if (!status)
        status = row_file_append(&run->measure, from->measure.n_rows, from->measure.value, error);
    return status;
}

/* `path` is where the start came from. */
static enum status open_at(struct run *run, struct start *start, const char *path,
                           struct error *error)
{
    struct frame *from = &start->frame;
    size_t n = from->particles.n;
    const bool first = is_first(run, start);
    const struct restart restart = {.time = from->time,
                                    .step = from->step,
                                    .state = first ? &run->initial.state : &from->state,
                                    .n_sheets = run->initial.n_sheets,
                                    .sheet = run->initial.sheet,
                                    .begins = first};
    if (array_create(&run->from, n, sizeof *run->from, "positions", error) ||
        state_create(&run->state, error) ||
        array_create(&run->penetrated, n, sizeof *run->penetrated, "sides of sheets", error))
        return STATUS_FAILED;
    enum status status = simulation_create(&run->simulation, &run->scene, &from->particles,
                                           run->initial.rest_position, &restart, error);
    run->ledger = (struct row_file){.folder = run->folder, .width = run->simulation.columns.n};
    run->measure = (struct row_file){.folder = run->folder, .width = MEASURE_WIDTH};
    if (!status)
        status = start_measures(run, start, path, error);
    if (!status)
        status = resume_check_state(run, from, path, error);
    if (!status)
        status = fragments_create(&run->fragments, &run->scene, &run->simulation.particles,
                                  run->simulation.bonded, error);
    if (!status)
        status = run_find_holes(run, error);
    return status;
}

enum status run_open(struct run *run, const char *initial, const char *folder, bool resume,
                     double until, struct error *error)
{
    *run = (struct run){.folder = folder};
    struct start start = {0};
    enum status status = check_folder(run, error);
    if (!status)
        status = read_scene(run, initial, until, error);
    if (!status)
        status = spare(run, initial, error);
    if (!status)
        status = run_lock(run, error);
    if (!status)
        status = find_newest_frame(run, resume, error);
    if (!status && run->begun && !resume)
        status = error_set(error, STATUS_INVALID,
                           "%s: holds frames already; go on with --resume, or remove %s/frames "
                           "to start anew",
                           folder, folder);
    if (!status)
        status = run->begun ? read_start(run, &start, error) : copy_start(run, &start, error);
    if (!status)
        status = open_at(run, &start, folder, error);
    frame_free(&start.frame);
    frame_free_particles(&run->initial);
    if (status)
        run_close(run);
    return status;
}

/* A state whose time lies beyond that of its frame number was written as a checkpoint. */
static enum status read_from(struct run *run, const char *from, struct start *start,
                             struct error *error)
{
    enum status status = frame_read(from, &start->frame, error);
    if (!status)
        status = resume_check_frame(run, &start->frame, from,
                                    "give the initial frame that its run began with", error);
    if (status)
        return status;
    run->begun = true;
    run->frame = start->frame.number;
    start->checkpoint = start->frame.time > run_frame_time(run, run->frame, (double)INFINITY);
    return check_end(run, start, from, error);
}

enum status run_open_from(struct run *run, const char *initial, const char *from,
                          const char *folder, double until, struct error *error)
{
    *run = (struct run){.folder = folder};
    struct start start = {0};
    enum status status = check_folder(run, error);
    if (!status)
        status = read_scene(run, initial, until, error);
    if (!status)
        status = spare(run, initial, error);
    if (!status)
        status = spare(run, from, error);
    if (!status)
        status = run_lock(run, error);
    if (!status)
        status = find_newest_frame(run, false, error);
    if (!status && run->begun)
        status =
            error_set(error, STATUS_INVALID,
                      "%s: holds frames; the times of steps need a folder of their own", folder);
    if (!status)
        status = read_from(run, from, &start, error);
    if (!status)
        status = open_at(run, &start, from, error);
    if (!status && run_ended(run) != RUN_GOES_ON)
        status =
            error_set(error, STATUS_INVALID,
                      "%s: the run ends here, at t = %g s; go on from an earlier frame, or give "
                      "a later --until",
                      from, run->simulation.time);
    frame_free(&start.frame);
    frame_free_particles(&run->initial);
    if (status)
        run_close(run);
    return status;
}

void run_close(struct run *run)
{
    fragments_free(&run->fragments);
    measures_free(&run->measures);
    allowance_free(&run->allowance);
    simulation_free(&run->simulation);
    scene_free(&run->scene);
    frame_free(&run->initial);
    lock_file_release(&run->lock);
    free(run->damaged);
    free(run->mesh_hole);
    free(run->from);
    state_free(&run->state);
    free(run->penetrated);
    row_file_free(&run->ledger);
    row_file_free(&run->measure);
    *run = (struct run){0};
}
