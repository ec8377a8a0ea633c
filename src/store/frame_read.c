#include "base/memory.h"
#include "store/field_read.h"
#include "store/frame.h"
#include "store/frame_digest.h"
#include "store/frame_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum status check_format(hid_t file, struct error *error)
{
    size_t n;
    char **text;
    uint64_t version;
    enum status status = hdf_attribute_texts_read(file, ".", "format", &n, &text, error);
    if (status == STATUS_FAILED)
        return status;
    bool ours = status == STATUS_OK && n == 1 && strcmp(text[0], FRAME_FORMAT) == 0;
    free(text);
    if (!ours)
        return error_set(error, STATUS_INVALID, "is an HDF5 file but not a frame of this program");
    status = hdf_attribute_read(file, ".", "version", ELEMENT_U64, &version, error);
    if (status == STATUS_OK && version != FRAME_VERSION)
        status = error_set(error, STATUS_INVALID,
                           "is a frame of version %llu; this program reads version %d",
                           (unsigned long long)version, FRAME_VERSION);
    return status;
}

static bool is_listed(const char *name, size_t n, char *const *listed)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(listed[i], name) == 0)
            return true;
    return false;
}

/* Refuses fields of another version that this one does not know, because they would be lost without
 * a word. */
static enum status check_known(const struct fields *all, size_t n, char *const *listed,
                               struct error *error)
{
    for (size_t k = 0; k < n; k++) {
        size_t i = 0;
        while (i < all->n && strcmp(all->field[i].name, listed[k]) != 0)
            i++;
        if (i == all->n)
            return error_set(error, STATUS_INVALID,
                             "has a field '%s', which this program does not know; have it made "
                             "again, or read it with the version that made it",
                             listed[k]);
    }
    return STATUS_OK;
}

/* Reads every field of the file whose form has a reader, but for those of one form; FORM_COUNT: all
 * of them. */
static enum status read_fields_but(enum field_form but, struct frame_reader *r,
                                   field_reader *const reader[FORM_COUNT], struct error *error)
{
    size_t n;
    char **listed;
    enum status status = hdf_attribute_texts_read(r->file, ".", "fields", &n, &listed, error);
    struct fields all;
    fields_find(&all);
    if (status == STATUS_OK)
        status = check_known(&all, n, listed, error);
    for (size_t i = 0; status == STATUS_OK && i < all.n; i++) {
        const struct field *f = &all.field[i];
        if (f->form != but && reader[f->form] &&
            (f->kind == KIND_BOTH || is_listed(f->name, n, listed)))
            status = reader[f->form](r, f, error);
    }
    free(listed);
    return status;
}

static enum status read_but(enum field_form but, struct frame_reader *r, struct error *error)
{
    enum status status = state_create(&r->frame->state, error);
    if (status == STATUS_OK)
        status = read_fields_but(but, r, field_readers, error);
    if (status == STATUS_OK)
        status = frame_check(r->frame, error);
    if (status == STATUS_OK)
        status = array_create(&r->frame->particles.force, r->frame->particles.n,
                              sizeof *r->frame->particles.force, "outside forces", error);
    return status;
}

static enum status read_everything(struct frame_reader *r, struct error *error)
{
    return read_but(FORM_COUNT, r, error);
}

static enum status read_all_but_tables(struct frame_reader *r, struct error *error)
{
    return read_but(FORM_TABLE, r, error);
}

/* Hands rows on, as many at a time as are in a chunk of the file. */
static enum status pass_rows(struct frame_reader *r, size_t n, double *ledger, double *measure,
                             struct error *error)
{
    struct frame *frame = r->frame;
    const struct hdf_array ledger_shape = {.columns = frame->ledger.n_columns},
                           measure_shape = {.columns = frame->measure.n_columns};
    enum status status = STATUS_OK;
    size_t first = 0;
    frame->ledger.value = ledger;
    frame->measure.value = measure;
    do {
        size_t some = n - first < ROWS_IN_MEMORY ? n - first : ROWS_IN_MEMORY;
        if (some > 0 && frame->ledger.n_columns > 0)
            status = hdf_table_read(r->file, "ledger", &ledger_shape, first, some, ledger, error);
        if (!status && some > 0 && frame->measure.n_columns > 0)
            status =
                hdf_table_read(r->file, "measure", &measure_shape, first, some, measure, error);
        frame->ledger.n_rows = frame->ledger.n_columns > 0 ? some : 0;
        frame->measure.n_rows = frame->measure.n_columns > 0 ? some : 0;
        if (!status && first + some == n)
            status = frame_check_rows(frame, error);
        if (!status)
            status = r->take(r->context, frame, first, error);
        first += some;
    } while (!status && first < n);
    frame->ledger.value = frame->measure.value = NULL;
    frame->ledger.n_rows = frame->measure.n_rows = 0;
    return status;
}

static enum status read_rows(struct frame_reader *r, struct error *error)
{
    const struct table *ledger = &r->frame->ledger, *measure = &r->frame->measure;
    double *rows = NULL;
    size_t n = ledger->n_columns > 0 ? ledger->n_rows : measure->n_rows;
    size_t most = n < ROWS_IN_MEMORY ? n : ROWS_IN_MEMORY;
    if (ledger->n_columns > 0 && measure->n_columns > 0 && measure->n_rows != n)
        return error_set(error, STATUS_INVALID, "has %zu rows of ledger but %zu of measures", n,
                         measure->n_rows);
    if (!r->take)
        return STATUS_OK;
    enum status status = array_create(&rows, most * (ledger->n_columns + measure->n_columns),
                                      sizeof *rows, "rows of tables", error);
    if (!status)
        status = pass_rows(r, n, rows, rows + most * ledger->n_columns, error);
    free(rows);
    return status;
}

static enum status read_tables(struct frame_reader *r, struct error *error)
{
    enum status status = read_fields_but(FORM_COUNT, r, field_readers_of_tables, error);
    if (!status)
        status = hdf_rows(r->file, "id", &r->frame->particles.n, error);
    return status ? status : read_rows(r, error);
}

static enum status open_frame(const char *path, hid_t *file, struct error *error)
{
    *file = -1;
    if (access(path, R_OK) != 0)
        return error_set(error, status_of_errno(errno), "cannot be read: %s", strerror(errno));
    enum status status = hdf_open(path, file, error);
    return status ? status : check_format(*file, error);
}

/* The sha256 is checked first, because some damage crashes HDF5. */
static enum status open_whole_frame(const char *path, hid_t *file, struct error *error)
{
    enum frame_digest digest;
    *file = -1;
    enum status status = frame_digest_check(path, &digest, error);
    if (!status && digest == DIGEST_WRONG)
        status = error_set(error, STATUS_INVALID,
                           "is damaged: its sha256 is not the one written in it; copy it anew, or "
                           "have it made again");
    if (!status)
        status = open_frame(path, file, error);
    if (!status && digest == DIGEST_ABSENT)
        status = error_set(error, STATUS_INVALID,
                           "does not begin with its sha256, as frames of version %d do, so it "
                           "may be damaged; have it made again",
                           FRAME_VERSION);
    return status;
}

static enum status read_file(const char *path, struct frame_reader *reader,
                             enum status (*open)(const char *, hid_t *, struct error *),
                             enum status (*read)(struct frame_reader *, struct error *),
                             struct error *error)
{
    struct error local;
    struct error *message = error ? error : &local;
    struct hdf_silence silence;
    *reader->frame = (struct frame){0};
    hdf_silence_begin(&silence);
    enum status status = open(path, &reader->file, message);
    if (status == STATUS_OK)
        status = read(reader, message);
    hdf_close(reader->file, NULL);
    hdf_silence_end(&silence);
    if (status == STATUS_OK)
        return STATUS_OK;
    frame_free(reader->frame);
    return error_prefix(message, "%s", path);
}

enum status frame_read(const char *path, struct frame *frame, struct error *error)
{
    struct frame_reader reader = {.frame = frame};
    return read_file(path, &reader, open_whole_frame, read_everything, error);
}

enum status frame_read_again(const char *path, struct frame *frame, struct error *error)
{
    struct frame_reader reader = {.frame = frame};
    return read_file(path, &reader, open_frame, read_all_but_tables, error);
}

enum status frame_read_tables(const char *path, struct frame *frame, take_rows *take, void *context,
                              struct error *error)
{
    struct frame_reader reader = {.frame = frame, .take = take, .context = context};
    return read_file(path, &reader, open_whole_frame, read_tables, error);
}

enum status frame_read_tables_again(const char *path, struct frame *frame, take_rows *take,
                                    void *context, struct error *error)
{
    struct frame_reader reader = {.frame = frame, .take = take, .context = context};
    return read_file(path, &reader, open_frame, read_tables, error);
}

static enum status read_list_of_fields(hid_t file, uint64_t *held, struct error *error)
{
    size_t n;
    char **listed;
    enum status status = hdf_attribute_texts_read(file, ".", "fields", &n, &listed, error);
    struct fields all;
    fields_find(&all);
    for (size_t i = 0; !status && i < all.n; i++)
        if (is_listed(all.field[i].name, n, listed))
            *held |= UINT64_C(1) << i;
    free(listed);
    return status;
}

enum status frame_read_head(const char *path, struct frame_head *head, struct error *error)
{
    struct error local;
    struct error *message = error ? error : &local;
    struct hdf_silence silence;
    hid_t file;
    *head = (struct frame_head){0};
    hdf_silence_begin(&silence);
    enum status status = open_frame(path, &file, message);
    if (status == STATUS_OK)
        status = hdf_attribute_read(file, ".", "number", ELEMENT_U64, &head->number, message);
    if (status == STATUS_OK)
        status = hdf_attribute_read(file, ".", "step", ELEMENT_U64, &head->step, message);
    if (status == STATUS_OK)
        status = hdf_attribute_read(file, ".", "time", ELEMENT_F64, &head->time, message);
    if (status == STATUS_OK)
        status = hdf_rows(file, "id", &head->n_particles, message);
    if (status == STATUS_OK)
        status = read_list_of_fields(file, &head->fields, message);
    hdf_close(file, NULL);
    hdf_silence_end(&silence);
    return status ? error_prefix(message, "%s", path) : STATUS_OK;
}

enum status frame_is_whole(const char *path, bool *whole, struct error *error)
{
    struct error local;
    struct error *message = error ? error : &local;
    struct hdf_silence silence;
    hid_t file = -1;
    enum frame_digest digest;
    *whole = false;
    enum status status = frame_digest_check(path, &digest, message);
    if (status)
        return error_prefix(message, "%s", path);
    *whole = digest == DIGEST_RIGHT;
    if (digest != DIGEST_ABSENT)
        return STATUS_OK;
    hdf_silence_begin(&silence);
    uint64_t version;
    enum status opened = open_frame(path, &file, message);
    if (opened == STATUS_FAILED ||
        (opened && file >= 0 &&
         !hdf_attribute_read(file, ".", "version", ELEMENT_U64, &version, NULL)))
        status = error_prefix(message, "%s", path);
    hdf_close(file, NULL);
    hdf_silence_end(&silence);
    return status;
}
