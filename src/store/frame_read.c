#include "base/memory.h"
#include "store/field.h"
#include "store/frame.h"
#include "store/frame_digest.h"
#include "store/frame_format.h"
#include "store/hdf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct reader {
    hid_t file;
    struct frame *frame;
};

static void set_pointer(struct frame *frame, size_t offset, void *pointer)
{
    memcpy(frame_member(frame, offset), &pointer, sizeof pointer);
}

static enum status read_array(struct reader *r, const struct field *field, struct hdf_array *array,
                              void **data, struct error *error)
{
    *array = (struct hdf_array){.element = field->element,
                                .columns = field->width > 1 ? field->width : 0};
    return hdf_array_read(r->file, field->name, array, data, error);
}

static enum status read_scalar(struct reader *r, const struct field *field, struct error *error)
{
    return hdf_attribute_read(r->file, ".", field->name, field->element,
                              frame_member(r->frame, field->offset), error);
}

/* The number of particles; their rows are in the order of ids. */
static enum status read_id(struct reader *r, const struct field *field, struct error *error)
{
    struct hdf_array array;
    void *data;
    enum status status = read_array(r, field, &array, &data, error);
    const uint32_t *id = data;
    if (status == STATUS_OK && array.rows > UINT32_MAX)
        status =
            error_set(error, STATUS_INVALID, "has %zu particles, more than 2^32 - 1", array.rows);
    for (size_t i = 0; i < array.rows && status == STATUS_OK; i++)
        if (id[i] != i)
            status = error_set(error, STATUS_INVALID,
                               "row %zu of dataset id is %u; rows must be in "
                               "the order of ids, from 0",
                               i, id[i]);
    r->frame->particles.n = array.rows;
    free(data);
    return status;
}

/* The table lists id before every field of particles. */
static enum status read_particle(struct reader *r, const struct field *field, struct error *error)
{
    struct hdf_array array;
    void *data;
    size_t n = r->frame->particles.n;
    enum status status = read_array(r, field, &array, &data, error);
    if (status != STATUS_OK)
        return status;
    if (array.rows == n) {
        set_pointer(r->frame, field->offset, data);
        return STATUS_OK;
    }
    free(data);
    return error_set(error, STATUS_INVALID, "dataset %s has %zu rows for %zu particles",
                     field->name, array.rows, n);
}

static enum status read_list(struct reader *r, const struct field *field, struct error *error)
{
    struct hdf_array array;
    void *data;
    enum status status = read_array(r, field, &array, &data, error);
    if (status == STATUS_OK) {
        set_pointer(r->frame, field->offset, data);
        memcpy(frame_member(r->frame, field->count), &array.rows, sizeof array.rows);
    }
    return status;
}

static enum status read_state_list(struct reader *r, const struct field *field, struct error *error)
{
    struct hdf_array array;
    struct state_value *value = &r->frame->state.value[field->offset];
    enum status status = read_array(r, field, &array, &value->data, error);
    value->rows = status ? 0 : array.rows;
    return status;
}

static enum status read_state(struct reader *r, const struct field *field, struct error *error)
{
    const struct state_value *value = &r->frame->state.value[field->offset];
    size_t n = r->frame->particles.n;
    enum status status = read_state_list(r, field, error);
    if (!status && value->rows != n)
        status = error_set(error, STATUS_INVALID, "dataset %s has %zu rows for %zu particles",
                           field->name, value->rows, n);
    return status;
}

static enum status read_text(struct reader *r, const struct field *field, struct error *error)
{
    size_t n;
    char **text;
    enum status status = hdf_texts_read(r->file, field->name, &n, &text, error);
    if (status == STATUS_OK && n != 1)
        status = error_set(error, STATUS_INVALID, "dataset %s holds %zu texts instead of one",
                           field->name, n);
    if (status == STATUS_OK) {
        char *copy;
        size_t size = strlen(text[0]) + 1;
        status = array_create(&copy, size, 1, field->name, error);
        if (status == STATUS_OK)
            set_pointer(r->frame, field->offset, memcpy(copy, text[0], size));
    }
    free(text);
    return status;
}

static enum status read_texts(struct reader *r, const struct field *field, struct error *error)
{
    size_t n;
    char **text;
    enum status status = hdf_texts_read(r->file, field->name, &n, &text, error);
    if (status == STATUS_OK) {
        set_pointer(r->frame, field->offset, text);
        memcpy(frame_member(r->frame, field->count), &n, sizeof n);
    }
    return status;
}

static enum status read_sheet_body(struct reader *r, const struct field *field, struct error *error)
{
    struct hdf_array array;
    void *data;
    enum status status = read_array(r, field, &array, &data, error);
    if (status == STATUS_OK)
        status =
            array_create(&r->frame->sheet, array.rows, sizeof *r->frame->sheet, "sheets", error);
    if (status == STATUS_OK) {
        const uint32_t *body = data;
        r->frame->n_sheets = array.rows;
        for (size_t i = 0; i < array.rows; i++)
            r->frame->sheet[i].body = body[i];
    }
    free(data);
    return status;
}

static enum status share_triangles(struct frame *frame, size_t n, uint32_t (*row)[4],
                                   struct error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (row[i][0] >= frame->n_sheets)
            return error_set(error, STATUS_INVALID,
                             "row %zu of sheet_triangle names sheet %u of %zu", i, row[i][0],
                             frame->n_sheets);
        frame->sheet[row[i][0]].n_triangles++;
    }
    for (size_t s = 0; s < frame->n_sheets; s++) {
        struct sheet *sheet = &frame->sheet[s];
        if (array_create(&sheet->triangle, sheet->n_triangles, sizeof *sheet->triangle,
                         "triangles of a sheet", error))
            return STATUS_FAILED;
        sheet->n_triangles = 0;
    }
    for (size_t i = 0; i < n; i++) {
        struct sheet *sheet = &frame->sheet[row[i][0]];
        memcpy(sheet->triangle[sheet->n_triangles++], &row[i][1], 3 * sizeof(uint32_t));
    }
    return STATUS_OK;
}

static enum status read_sheet_triangle(struct reader *r, const struct field *field,
                                       struct error *error)
{
    struct hdf_array array;
    void *data;
    enum status status = read_array(r, field, &array, &data, error);
    if (status == STATUS_OK)
        status = share_triangles(r->frame, array.rows, data, error);
    free(data);
    return status;
}

/* Columns and their texts in one block; `text` holds names, units, sentences. */
static enum status columns_create(size_t n, char **const text[3], struct column **column,
                                  struct error *error)
{
    size_t length = 0;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++)
            length += strlen(text[k][i]) + 1;
    char *block;
    if (array_create(&block, n * sizeof **column + length, 1, "columns of a table", error))
        return STATUS_FAILED;
    *column = (struct column *)(void *)block;
    char *next = block + n * sizeof **column;
    for (size_t i = 0; i < n; i++) {
        const char *place[3];
        for (size_t k = 0; k < 3; k++) {
            place[k] = next;
            next = stpcpy(next, text[k][i]) + 1;
        }
        (*column)[i] = (struct column){place[0], place[1], place[2]};
    }
    return STATUS_OK;
}

static enum status read_columns(struct reader *r, const struct field *field, struct table *table,
                                struct error *error)
{
    char **text[3] = {0};
    struct column *column = NULL;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < 3 && status == STATUS_OK; k++) {
        size_t n;
        status = hdf_attribute_texts_read(r->file, field->name, frame_column_attribute[k], &n,
                                          &text[k], error);
        if (status == STATUS_OK && n != table->n_columns)
            status = error_set(error, STATUS_INVALID, "dataset %s has %zu columns but %zu %s",
                               field->name, table->n_columns, n, frame_column_attribute[k]);
    }
    if (status == STATUS_OK)
        status = columns_create(table->n_columns, text, &column, error);
    for (size_t k = 0; k < 3; k++)
        free(text[k]);
    table->column = column;
    set_pointer(r->frame, field->count, column);
    return status;
}

static enum status read_table(struct reader *r, const struct field *field, struct error *error)
{
    struct table *table = frame_member(r->frame, field->offset);
    struct hdf_array array = {.element = field->element, .columns = HDF_ANY_COLUMNS};
    void *data;
    enum status status = hdf_array_read(r->file, field->name, &array, &data, error);
    if (status != STATUS_OK)
        return status;
    table->value = data;
    table->n_rows = array.rows;
    table->n_columns = array.columns;
    return read_columns(r, field, table, error);
}

typedef enum status field_reader(struct reader *, const struct field *, struct error *);

static field_reader *const read_form_of_tables[FORM_COUNT] = {
    [FORM_SCALAR] = read_scalar,
    [FORM_TABLE] = read_table,
};

static field_reader *const read_form[FORM_COUNT] = {
    [FORM_SCALAR] = read_scalar,
    [FORM_ID] = read_id,
    [FORM_PARTICLE] = read_particle,
    [FORM_LIST] = read_list,
    [FORM_STATE] = read_state,
    [FORM_STATE_LIST] = read_state_list,
    [FORM_TEXT] = read_text,
    [FORM_TEXTS] = read_texts,
    [FORM_SHEET_BODY] = read_sheet_body,
    [FORM_SHEET_TRIANGLE] = read_sheet_triangle,
    [FORM_TABLE] = read_table,
};

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

/* A field that nobody reads would be lost without a word: another version called it so. */
static enum status check_known(size_t n, char *const *listed, struct error *error)
{
    for (size_t k = 0; k < n; k++) {
        struct field f;
        size_t i = 0;
        while (field_at(i, &f) && strcmp(f.name, listed[k]) != 0)
            i++;
        if (!field_at(i, &f))
            return error_set(error, STATUS_INVALID,
                             "has a field '%s', which this program does not know; have it made "
                             "again, or read it with the version that made it",
                             listed[k]);
    }
    return STATUS_OK;
}

/* Every field of the file whose form has a reader. */
static enum status read_fields(struct reader *r, field_reader *const reader[FORM_COUNT],
                               struct error *error)
{
    size_t n;
    char **listed;
    enum status status = hdf_attribute_texts_read(r->file, ".", "fields", &n, &listed, error);
    struct field f;
    if (status == STATUS_OK)
        status = check_known(n, listed, error);
    for (size_t i = 0; status == STATUS_OK && field_at(i, &f); i++)
        if (reader[f.form] && (f.kind == KIND_BOTH || is_listed(f.name, n, listed)))
            status = reader[f.form](r, &f, error);
    free(listed);
    return status;
}

static enum status read_everything(struct reader *r, struct error *error)
{
    enum status status = state_create(&r->frame->state, error);
    if (status == STATUS_OK)
        status = read_fields(r, read_form, error);
    if (status == STATUS_OK)
        status = frame_check(r->frame, error);
    if (status == STATUS_OK)
        status = array_create(&r->frame->particles.force, r->frame->particles.n,
                              sizeof *r->frame->particles.force, "outside forces", error);
    return status;
}

static enum status read_tables(struct reader *r, struct error *error)
{
    enum status status = read_fields(r, read_form_of_tables, error);
    return status ? status : hdf_rows(r->file, "id", &r->frame->particles.n, error);
}

static enum status open_frame(const char *path, hid_t *file, struct error *error)
{
    *file = -1;
    if (access(path, R_OK) != 0)
        return error_set(error, STATUS_INVALID, "cannot be read: %s", strerror(errno));
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

static enum status read_file(const char *path, struct frame *frame,
                             enum status (*open)(const char *, hid_t *, struct error *),
                             enum status (*read)(struct reader *, struct error *),
                             struct error *error)
{
    struct error local;
    struct error *message = error ? error : &local;
    struct reader reader = {.file = -1, .frame = frame};
    struct hdf_silence silence;
    *frame = (struct frame){0};
    hdf_silence_begin(&silence);
    enum status status = open(path, &reader.file, message);
    if (status == STATUS_OK)
        status = read(&reader, message);
    hdf_close(reader.file, NULL);
    hdf_silence_end(&silence);
    if (status == STATUS_OK)
        return STATUS_OK;
    frame_free(frame);
    return error_prefix(message, "%s", path);
}

enum status frame_read(const char *path, struct frame *frame, struct error *error)
{
    return read_file(path, frame, open_whole_frame, read_everything, error);
}

enum status frame_read_tables(const char *path, struct frame *frame, struct error *error)
{
    return read_file(path, frame, open_frame, read_tables, error);
}

static enum status read_list_of_fields(hid_t file, uint64_t *held, struct error *error)
{
    size_t n;
    char **listed;
    enum status status = hdf_attribute_texts_read(file, ".", "fields", &n, &listed, error);
    struct field field;
    for (size_t i = 0; i < MOST_FIELDS && !status && field_at(i, &field); i++)
        if (is_listed(field.name, n, listed))
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
