#include "analysis/record.h"

#include "base/memory.h"
#include "base/regular_file.h"
#include "config/config.h"
#include "store/frame_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run has no gaps: every row is one step after the row before it. */
static enum status check_steps(const struct table *ledger, size_t first_row, const char *path,
                               struct error *error)
{
    struct series step = table_series(ledger, "step");
    if (step.stride == 0)
        return error_set(error, STATUS_INVALID, "%s: its ledger has no column 'step'", path);
    for (size_t i = first_row; i < step.n; i++) {
        double before = i > 0 ? step.value[(i - 1) * step.stride] : 0.0;
        double now = step.value[i * step.stride];
        if (now != before + 1.0)
            return error_set(error, STATUS_INVALID,
                             "%s: step %.0f comes after step %.0f; a frame is missing or of "
                             "another run",
                             path, now, before);
    }
    return STATUS_OK;
}

/* The initial frame may have been put there later, as one of another run. */
static enum status check_same_run(const struct record *record, const struct frame *frame,
                                  const char *path, struct error *error)
{
    struct config_difference difference;
    if (!frame->config || !record->initial.config ||
        !config_difference(frame->config, record->initial.config, &difference))
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s: belongs to another configuration than initial.hdf, in which %s is %s "
                     "instead of %s; copy there the frame that ms-simulate began with",
                     path, difference.key, difference.b, difference.a);
}

static enum status append_frame(struct record *record, const char *path, const struct frame *frame,
                                struct error *error)
{
    size_t first_row = record->ledger.n_rows;
    if (frame->particles.n != record->initial.particles.n)
        return error_set(error, STATUS_INVALID, "%s: has %zu particles, the initial frame has %zu",
                         path, frame->particles.n, record->initial.particles.n);
    if (frame->measure.n_columns > 0 && frame->measure.n_rows != frame->ledger.n_rows)
        return error_set(error, STATUS_INVALID, "%s: has %zu rows of ledger but %zu of measures",
                         path, frame->ledger.n_rows, frame->measure.n_rows);
    enum status status =
        table_append(&record->ledger, &record->ledger_capacity, &frame->ledger, error);
    if (status == STATUS_OK)
        status = table_append(&record->measure, &record->measure_capacity, &frame->measure, error);
    if (status != STATUS_OK)
        return error_prefix(error, "%s", path);
    return check_steps(&record->ledger, first_row, path, error);
}

/* The columns of the run are those of its first frame that has any: frame 0, the initial state, has
 * none, because no step lies before it. */
static void adopt_columns(struct record *record, const struct frame *frame)
{
    record->ledger = (struct table){frame->ledger.n_columns, frame->ledger.column, 0, NULL};
    record->measure = (struct table){frame->measure.n_columns, frame->measure.column, 0, NULL};
}

static enum status read_frames(struct record *record, const struct frame_list *list,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < list->n && status == STATUS_OK; i++) {
        struct frame frame;
        status = frame_read_tables(list->frame[i].path, &frame, error);
        if (status != STATUS_OK)
            break;
        status = check_same_run(record, &frame, list->frame[i].path, error);
        bool first = record->ledger.n_columns == 0 && frame.ledger.n_columns > 0;
        if (first)
            adopt_columns(record, &frame);
        if (frame.ledger.n_columns > 0 && status == STATUS_OK)
            status = append_frame(record, list->frame[i].path, &frame, error);
        if (first)
            record->first = frame;
        else
            frame_free(&frame);
    }
    record->n_frames = list->n;
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
    struct frame_list list = {0};
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
        status = frame_list_read(folder, &list, message);
    if (status == STATUS_OK)
        status = read_frames(record, &list, message);
    if (status == STATUS_OK)
        status = read_end(folder, &record->end, message);
    frame_list_free(&list);
    free(initial);
    if (status != STATUS_OK)
        record_free(record);
    return status;
}

void record_free(struct record *record)
{
    frame_free(&record->initial);
    frame_free(&record->first);
    free(record->ledger.value);
    free(record->measure.value);
    free(record->end);
    *record = (struct record){0};
}
