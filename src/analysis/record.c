#include "analysis/record.h"

#include "base/memory.h"
#include "base/regular_file.h"
#include "config/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run has no gaps: every row is one step after the row before it. */
static enum status check_step(const struct record *record, double step, struct error *error)
{
    double before = (double)(record->initial.step + record->n_steps);
    if (step == before + 1.0)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "step %.0f comes after step %.0f; a frame is missing or of another run", step,
                     before);
}

/* The initial frame may have been put there later, as one of another run. */
static enum status check_same_run(const struct record *record, const struct frame *frame,
                                  struct error *error)
{
    struct config_difference difference;
    if (!frame->config || !record->initial.config ||
        !config_difference(frame->config, record->initial.config, &difference))
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "belongs to another configuration than initial.hdf, in which %s is %s instead "
                     "of %s; copy there the frame that ms-simulate began with",
                     difference.key, difference.b, difference.a);
}

static enum status check_tables(const struct record *record, const struct frame *frame,
                                struct error *error)
{
    if (frame->particles.n != record->initial.particles.n)
        return error_set(error, STATUS_INVALID, "has %zu particles, the initial frame has %zu",
                         frame->particles.n, record->initial.particles.n);
    enum status status = table_check_columns(&record->part[PART_LEDGER], &frame->ledger, error);
    if (!status)
        status = table_check_columns(&record->part[PART_MEASURE], &frame->measure, error);
    if (!status && table_series(&frame->ledger, "step").stride == 0)
        status = error_set(error, STATUS_INVALID, "its ledger has no column 'step'");
    return status;
}

/* Hands the rows of a frame on, each with what follows from it and those before it. */
static void pass_rows(const struct frame *frame, struct derived *derived, size_t first,
                      take_step_row *take, void *context)
{
    for (size_t k = 0; k < frame->ledger.n_rows; k++) {
        const double *ledger = frame->ledger.value + k * frame->ledger.n_columns;
        const double *measure = frame->measure.value + k * frame->measure.n_columns;
        const struct derived_row row = derived_next(derived, ledger);
        const double *const parts[N_ROW_PARTS] = {ledger, measure, (const double *)&row};
        take(context, first + k, parts);
    }
}

static void count_step(void *stats, size_t step, const double *const row[N_ROW_PARTS])
{
    (void)step;
    run_stats_add(stats, row);
}

/* The columns of the run are those of its first frame that has any: frame 0, the initial state, has
 * none, because no step lies before it. */
static enum status adopt_columns(struct record *record, const struct frame *frame,
                                 struct error *error)
{
    const struct table *ledger = &frame->ledger, *measure = &frame->measure;
    record->part[PART_LEDGER] = (struct table){ledger->n_columns, ledger->column, 0, NULL};
    record->part[PART_MEASURE] = (struct table){measure->n_columns, measure->column, 0, NULL};
    enum status status = derived_begin(&record->derived, &record->initial.particles, ledger, error);
    return status ? status : run_stats_create(&record->stats, N_ROW_PARTS, record->part, error);
}

static enum status add_rows(void *context, const struct frame *frame, size_t first,
                            struct error *error)
{
    struct record *record = context;
    const struct series step = table_series(&frame->ledger, "step");
    const size_t before = record->n_steps;
    enum status status = first == 0 ? check_same_run(record, frame, error) : STATUS_OK;
    if (status || frame->ledger.n_columns == 0)
        return status;
    if (record->part[PART_LEDGER].n_columns == 0)
        status = adopt_columns(record, frame, error);
    if (!status && first == 0)
        status = check_tables(record, frame, error);
    for (size_t k = 0; k < step.n && !status; k++) {
        status = check_step(record, step.value[k * step.stride], error);
        record->n_steps++;
    }
    if (!status)
        pass_rows(frame, &record->derived, before, count_step, &record->stats);
    return status;
}

static enum status read_frame(struct record *record, const struct frame_entry *entry,
                              struct error *error)
{
    const char *path = entry->path;
    struct frame frame;
    bool known = record->part[PART_LEDGER].n_columns > 0;
    enum status status = frame_read_tables(path, &frame, add_rows, record, error);
    if (status != STATUS_OK)
        return status;
    if (frame.number != entry->number)
        status = frame_misnamed(path, frame.number, error);
    if (!known && frame.ledger.n_columns > 0)
        record->first = frame;
    else
        frame_free(&frame);
    return status;
}

static enum status read_frames(struct record *record, struct error *error)
{
    enum status status = STATUS_OK;
    record->part[PART_DERIVED] = (struct table){DERIVED_WIDTH, derived_columns, 0, NULL};
    for (size_t i = 0; i < record->frames.n && status == STATUS_OK; i++)
        status = read_frame(record, &record->frames.frame[i], error);
    if (!status && !record->derived.free)
        run_stats_undefine(&record->stats, "angular_drift");
    return status;
}

/* The rows of all steps, on their way once more. */
struct again {
    const struct record *record;
    struct derived derived;
    size_t done;
    take_step_row *take;
    void *context;
};

static enum status take_again(void *context, const struct frame *frame, size_t first,
                              struct error *error)
{
    struct again *again = context;
    (void)first;
    if (frame->ledger.n_columns == 0)
        return STATUS_OK;
    if (check_tables(again->record, frame, NULL) ||
        again->done + frame->ledger.n_rows > again->record->n_steps)
        return error_set(error, STATUS_FAILED, "has been changed since it was read; start again");
    pass_rows(frame, &again->derived, again->done, again->take, again->context);
    again->done += frame->ledger.n_rows;
    return STATUS_OK;
}

enum status record_steps(const struct record *record, take_step_row *take, void *context,
                         struct error *error)
{
    struct again again = {record, record->derived, 0, take, context};
    enum status status = STATUS_OK;
    derived_again(&again.derived);
    for (size_t i = 0; i < record->frames.n && !status; i++) {
        struct frame frame;
        status = frame_read_tables_again(record->frames.frame[i].path, &frame, take_again, &again,
                                         error);
        frame_free(&frame);
    }
    return status;
}

/* The reason is the first text in end.json; nothing else there is needed. */
static enum status read_reason(const char *path, char **reason, struct error *error)
{
    char text[64];
    FILE *file = regular_file_open(path);
    if (!file && errno == ENOENT)
        return STATUS_OK;
    if (!file)
        return error_set(error, status_of_errno(errno), "%s: cannot be read: %s", path,
                         regular_file_reason(errno));
    bool found = fscanf(file, " { \"reason\" : \"%63[^\"\\\n]\"", text) == 1;
    fclose(file);
    if (!found)
        return error_set(error, STATUS_INVALID,
                         "%s: is not what ms-simulate writes: {\"reason\": \"complete\", ...}",
                         path);
    if (array_create(reason, strlen(text) + 1, 1, "the end of a run", error))
        return STATUS_FAILED;
    strcpy(*reason, text);
    return STATUS_OK;
}

static enum status read_end(const char *folder, char **reason, struct error *error)
{
    char *path;
    if (path_join(folder, "end.json", &path, error))
        return STATUS_FAILED;
    enum status status = read_reason(path, reason, error);
    free(path);
    return status;
}

enum status record_read(const char *folder, struct record *record, struct error *error)
{
    char *initial;
    struct error local;
    struct error *message = error ? error : &local;
    *record = (struct record){0};
    if (path_join(folder, "initial.hdf", &initial, message))
        return STATUS_FAILED;
    enum status status = STATUS_OK;
    if (access(initial, F_OK) != 0)
        status = error_set(message, STATUS_INVALID,
                           "%s: cannot be read: No such file or directory; copy there the frame "
                           "that ms-simulate began with",
                           initial);
    if (status == STATUS_OK)
        status = frame_read(initial, &record->initial, message);
    if (status == STATUS_OK)
        status = frame_list_read(folder, &record->frames, message);
    if (status == STATUS_OK)
        status = read_frames(record, message);
    if (status == STATUS_OK)
        status = read_end(folder, &record->end, message);
    free(initial);
    if (status != STATUS_OK)
        record_free(record);
    return status;
}

void record_free(struct record *record)
{
    frame_free(&record->initial);
    frame_free(&record->first);
    frame_list_free(&record->frames);
    run_stats_free(&record->stats);
    free(record->end);
    *record = (struct record){0};
}
