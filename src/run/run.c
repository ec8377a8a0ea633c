#include "run/run.h"

#include "base/atomic_file.h"
#include "base/memory.h"
#include "measure/stability.h"
#include "scene/config.h"
#include "store/frame_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

static enum status frame_path(const struct run *run, uint64_t number, char *path,
                              struct error *error)
{
    int length =
        snprintf(path, PATH_ROOM, "%s/frames/%06llu.hdf", run->folder, (unsigned long long)number);
    if (length < 0 || length >= PATH_ROOM)
        return error_set(error, STATUS_INVALID, "%.200s...: the path is too long", run->folder);
    return STATUS_OK;
}

static enum status checkpoint_path(const struct run *run, char *path, struct error *error)
{
    int length = snprintf(path, PATH_ROOM, "%s/checkpoint.hdf", run->folder);
    if (length < 0 || length >= PATH_ROOM)
        return error_set(error, STATUS_INVALID, "%.200s...: the path is too long", run->folder);
    return STATUS_OK;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static enum status make_folder(const char *path, struct error *error)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_FAILED, "%s: cannot make the folder: %s", path,
                         strerror(errno));
    return STATUS_OK;
}

static enum status rows_append(struct rows *rows, size_t n, const void *value, struct error *error)
{
    if (array_reserve(&rows->value, &rows->capacity, (rows->n + n) * rows->width,
                      sizeof *rows->value, "rows of the ledger", error))
        return STATUS_FAILED;
    memcpy(rows->value + rows->n * rows->width, value, n * rows->width * sizeof *rows->value);
    rows->n += n;
    return STATUS_OK;
}

static enum status read_scene(struct run *run, const char *initial, struct error *error)
{
    enum status status = frame_read(initial, &run->initial, error);
    if (status)
        return status;
    if (!run->initial.config || !run->initial.rest_position)
        return error_set(error, STATUS_INVALID, "%s: not an initial frame; make one with ms-sample",
                         initial);
    struct config *config = NULL;
    struct complaints complaints = {0};
    status = config_parse(&config, initial, run->initial.config, &complaints, error);
    if (!status)
        status = config_scene(config, &run->scene, error);
    if (status == STATUS_INVALID && complaints.n > 0)
        error_set(error, STATUS_INVALID, "%s", complaints.line[0]);
    complaints_free(&complaints);
    config_free(config);
    return status;
}

/* Frames are numbered without gaps. */
static void find_newest_frame(struct run *run)
{
    char path[PATH_ROOM];
    uint64_t next = 0;
    while (frame_path(run, next, path, NULL) == STATUS_OK && exists(path))
        next++;
    run->begun = next > 0;
    run->frame = next > 0 ? next - 1 : 0;
}

/* Where a run starts from: the initial frame, a frame, or a checkpoint. */
struct start {
    struct frame frame;
    bool checkpoint; /* its rows are in no frame yet */
};

static enum status check_same_run(const struct run *run, const struct frame *frame,
                                  const char *path, struct error *error)
{
    if (!frame->config || strcmp(frame->config, run->initial.config) != 0 ||
        frame->particles.n != run->initial.particles.n)
        return error_set(error, STATUS_INVALID,
                         "%s: belongs to another configuration; remove the folder's frames or "
                         "name another folder",
                         path);
    return STATUS_OK;
}

/* The newest frame, or the checkpoint if that is newer still. */
static enum status read_start(struct run *run, struct start *start, struct error *error)
{
    char path[PATH_ROOM];
    enum status status = frame_path(run, run->frame, path, error);
    if (!status)
        status = frame_read(path, &start->frame, error);
    if (!status)
        status = check_same_run(run, &start->frame, path, error);
    if (!status)
        status = checkpoint_path(run, path, error);
    if (status || !exists(path))
        return status;
    struct frame newer = {0};
    status = frame_read(path, &newer, error);
    if (!status)
        status = check_same_run(run, &newer, path, error);
    if (status || newer.step <= start->frame.step) {
        frame_free(&newer);
        return status;
    }
    frame_free(&start->frame);
    *start = (struct start){.frame = newer, .checkpoint = true};
    return STATUS_OK;
}

/* The initial particles are copied, so that the initial frame stays as it was read. */
static enum status copy_start(const struct run *run, struct start *start, struct error *error)
{
    const struct particles *from = &run->initial.particles;
    struct particles *to = &start->frame.particles;
    if (particles_create(to, from->n, error))
        return STATUS_FAILED;
    memcpy(to->position, from->position, from->n * sizeof *to->position);
    memcpy(to->velocity, from->velocity, from->n * sizeof *to->velocity);
    memcpy(to->mass, from->mass, from->n * sizeof *to->mass);
    memcpy(to->radius, from->radius, from->n * sizeof *to->radius);
    memcpy(to->body, from->body, from->n * sizeof *to->body);
    memcpy(to->fixed, from->fixed, from->n * sizeof *to->fixed);
    return STATUS_OK;
}

static bool bodies_touch(const struct simulation *s)
{
    for (size_t k = 0; k < s->touching.n; k++)
        if (s->particles.body[s->touching.pair[k].i] != s->particles.body[s->touching.pair[k].j])
            return true;
    return false;
}

static struct stability_input stability_of(const struct simulation *s, double speed_max,
                                           double speed_p999)
{
    const struct energies *e = &s->energy;
    return (struct stability_input){.energy = e->kinetic + e->elastic + e->gravitational +
                                              e->contact_potential,
                                    .kinetic = e->kinetic,
                                    .speed_max = speed_max,
                                    .speed_p999 = speed_p999,
                                    .touching = bodies_touch(s)};
}

/* The measures of a state without a row: before the first step. */
static void measure_start(struct run *run)
{
    double fastest = 0.0;
    for (size_t i = 0; i < run->simulation.particles.n; i++)
        fastest = fmax(fastest, vec3_norm(run->simulation.particles.velocity[i]));
    struct stability_input input = stability_of(&run->simulation, fastest, 0.0);
    struct measure_row before = {.energy_start = input.energy};
    stability_update(&before, &input, &run->last);
}

static enum status start_measures(struct run *run, const struct start *start, const char *path,
                                  struct error *error)
{
    const struct frame *initial = &run->initial, *from = &start->frame;
    enum status status =
        measures_create(&run->measures, &initial->particles, &run->simulation.particles,
                        initial->n_sheets, initial->sheet, run->scene.gravity, error);
    if (status)
        return status;
    if (from->wrong_side)
        measures_restore(&run->measures, from->wrong_side);
    if (from->step == 0) {
        measure_start(run);
        return STATUS_OK;
    }
    if (from->measure.n_rows == 0 || from->measure.n_columns != MEASURE_WIDTH ||
        from->ledger.n_columns != LEDGER_WIDTH)
        return error_set(error, STATUS_INVALID,
                         "%s: its ledger is not the one this program writes; start the run anew "
                         "in another folder",
                         path);
    memcpy(&run->last, from->measure.value + (from->measure.n_rows - 1) * MEASURE_WIDTH,
           sizeof run->last);
    if (!start->checkpoint)
        return STATUS_OK;
    status = rows_append(&run->ledger, from->ledger.n_rows, from->ledger.value, error);
    if (!status)
        status = rows_append(&run->measure, from->measure.n_rows, from->measure.value, error);
    return status;
}

static enum status open_at(struct run *run, struct start *start, struct error *error)
{
    struct frame *from = &start->frame;
    size_t n = from->particles.n;
    const struct restart restart = {.time = from->time,
                                    .step = from->step,
                                    .expected = from->expected,
                                    .n_broken = from->n_broken,
                                    .broken = from->broken};
    if (array_create(&run->from, n, sizeof *run->from, "positions", error) ||
        array_create(&run->damage, n, sizeof *run->damage, "damage", error) ||
        array_create(&run->wrong_side, n, sizeof *run->wrong_side, "sides of sheets", error))
        return STATUS_FAILED;
    enum status status = simulation_create(&run->simulation, &run->scene, &from->particles,
                                           run->initial.rest_position, &restart, error);
    if (!status)
        status = start_measures(run, start, run->folder, error);
    return status;
}

enum status run_open(struct run *run, const char *initial, const char *folder, bool resume,
                     struct error *error)
{
    *run = (struct run){
        .folder = folder, .ledger = {.width = LEDGER_WIDTH}, .measure = {.width = MEASURE_WIDTH}};
    struct start start = {0};
    enum status status = read_scene(run, initial, error);
    if (!status) {
        find_newest_frame(run);
        if (run->begun && !resume)
            status = error_set(error, STATUS_INVALID,
                               "%s: holds frames already; go on with --resume, or remove %s/frames "
                               "to start anew",
                               folder, folder);
    }
    if (!status)
        status = run->begun ? read_start(run, &start, error) : copy_start(run, &start, error);
    if (!status)
        status = open_at(run, &start, error);
    frame_free(&start.frame);
    if (status)
        run_close(run);
    return status;
}

void run_close(struct run *run)
{
    measures_free(&run->measures);
    simulation_free(&run->simulation);
    scene_free(&run->scene);
    frame_free(&run->initial);
    free(run->from);
    free(run->damage);
    free(run->wrong_side);
    free(run->ledger.value);
    free(run->measure.value);
    *run = (struct run){0};
}

/* The state of now as a frame; everything but `broken` is borrowed. */
static enum status describe(struct run *run, uint64_t number, struct frame *frame,
                            struct error *error)
{
    struct simulation *s = &run->simulation;
    simulation_damage(s, run->damage);
    uint64_t *broken = NULL;
    size_t n_broken;
    enum status status = simulation_broken(s, &n_broken, &broken, error);
    if (status)
        return status;
    *frame = (struct frame){
        .config = run->initial.config,
        .number = number,
        .step = s->step,
        .time = s->time,
        .particles = s->particles,
        .expected = s->system[0]->expected,
        .group = s->groups.leader,
        .wrong_side = run->wrong_side,
        .damage = run->damage,
        .n_bodies = run->initial.n_bodies,
        .body_name = run->initial.body_name,
        .n_broken = n_broken,
        .broken = broken,
        .ledger = {LEDGER_WIDTH, ledger_columns, run->ledger.n, run->ledger.value},
        .measure = {MEASURE_WIDTH, measure_columns, run->measure.n, run->measure.value}};
    memcpy(run->wrong_side, measures_wrong_side(&run->measures),
           s->particles.n * sizeof *run->wrong_side);
    return STATUS_OK;
}

static enum status write_state(struct run *run, uint64_t number, const char *path,
                               struct error *error)
{
    struct frame frame;
    enum status status = describe(run, number, &frame, error);
    if (status)
        return status;
    status = frame_write(path, &frame, error);
    free(frame.broken);
    return status;
}

static enum status write_frame(struct run *run, uint64_t number, struct error *error)
{
    char path[PATH_ROOM], checkpoint[PATH_ROOM];
    enum status status = frame_path(run, number, path, error);
    if (!status)
        status = checkpoint_path(run, checkpoint, error);
    if (!status)
        status = write_state(run, number, path, error);
    if (status)
        return status;
    run->frame = number;
    run->begun = true;
    run->ledger.n = run->measure.n = 0;
    if (unlink(checkpoint) != 0 && errno != ENOENT)
        return error_set(error, STATUS_FAILED, "%s: cannot be removed: %s", checkpoint,
                         strerror(errno));
    return STATUS_OK;
}

enum status run_begin(struct run *run, struct error *error)
{
    char frames[PATH_ROOM];
    int length = snprintf(frames, sizeof frames, "%s/frames", run->folder);
    if (length < 0 || length >= PATH_ROOM)
        return error_set(error, STATUS_INVALID, "%.200s...: the path is too long", run->folder);
    enum status status = make_folder(run->folder, error);
    if (!status)
        status = make_folder(frames, error);
    if (!status && !run->begun)
        status = write_frame(run, 0, error);
    return status;
}

static double frame_time(const struct run *run, uint64_t number)
{
    double time = (double)number * run->scene.time.frame_interval;
    return time < run->scene.time.end ? time : run->scene.time.end;
}

static enum status record(struct run *run, const struct ledger_row *ledger, struct error *error)
{
    struct simulation *s = &run->simulation;
    struct measure_row measure;
    measures_update(&run->measures, run->from, &s->particles, &s->touching, &measure);
    struct stability_input input = stability_of(s, ledger->speed_max, ledger->speed_p999);
    stability_update(&run->last, &input, &measure);
    run->last = measure;
    enum status status = rows_append(&run->ledger, 1, ledger, error);
    if (!status)
        status = rows_append(&run->measure, 1, &measure, error);
    return status;
}

enum status run_step(struct run *run, struct error *error)
{
    struct simulation *s = &run->simulation;
    memcpy(run->from, s->particles.position, s->particles.n * sizeof *run->from);
    double until = frame_time(run, run->frame + 1);
    struct ledger_row ledger;
    enum status status = simulation_step(s, until, &ledger, error);
    if (!status)
        status = record(run, &ledger, error);
    if (!status && s->time >= until)
        status = write_frame(run, run->frame + 1, error);
    return status;
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
    enum status status = checkpoint_path(run, path, error);
    return status ? status : write_state(run, run->frame, path, error);
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
    int length = snprintf(path, sizeof path, "%s/end.json", run->folder);
    if (length < 0 || length >= PATH_ROOM)
        return error_set(error, STATUS_INVALID, "%.200s...: the path is too long", run->folder);
    char text[256];
    length = snprintf(text, sizeof text,
                      "{\n  \"reason\": \"%s\",\n  \"step\": %llu,\n  \"time\": %.17g\n}\n",
                      reason[end], (unsigned long long)run->simulation.step, run->simulation.time);
    return atomic_file_write(path, text, (size_t)length, error);
}

enum status run_finish(struct run *run, enum run_end end, struct error *error)
{
    enum status status = STATUS_OK;
    if (run->ledger.n > 0)
        status = write_frame(run, run->frame + 1, error);
    if (!status)
        status = frame_index_write(run->folder, error);
    return status ? status : write_end(run, end, error);
}
