/* How a field of each form is read into a frame. */
#include "store/field_read.h"

#include "base/memory.h"
#include "base/words.h"
#include "store/frame_format.h"

#include <stdlib.h>
#include <string.h>

static void set_pointer(struct frame *frame, size_t offset, void *pointer)
{
    memcpy(frame_member(frame, offset), &pointer, sizeof pointer);
}

static enum status read_array(struct frame_reader *r, const struct field *field,
                              struct hdf_array *array, void **data, struct error *error)
{
    *array = (struct hdf_array){.element = field->element,
                                .columns = field->width > 1 ? field->width : 0};
    return hdf_array_read(r->file, field->name, array, data, error);
}

static enum status read_scalar(struct frame_reader *r, const struct field *field,
                               struct error *error)
{
    return hdf_attribute_read(r->file, ".", field->name, field->element,
                              frame_member(r->frame, field->offset), error);
}

/* Reads the number of particles, and checks that rows are in the order of ids. */
static enum status read_id(struct frame_reader *r, const struct field *field, struct error *error)
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

/* The number of particles is known, because the table lists id before every field of particles. */
static enum status read_particle(struct frame_reader *r, const struct field *field,
                                 struct error *error)
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

static enum status read_state_list(struct frame_reader *r, const struct field *field,
                                   struct error *error)
{
    struct hdf_array array;
    struct state_value *value = &r->frame->state.value[field->offset];
    enum status status = read_array(r, field, &array, &value->data, error);
    value->rows = status ? 0 : array.rows;
    return status;
}

static enum status read_state(struct frame_reader *r, const struct field *field,
                              struct error *error)
{
    const struct state_value *value = &r->frame->state.value[field->offset];
    size_t n = r->frame->particles.n;
    enum status status = read_state_list(r, field, error);
    if (!status && value->rows != n)
        status = error_set(error, STATUS_INVALID, "dataset %s has %zu rows for %zu particles",
                           field->name, value->rows, n);
    return status;
}

static enum status read_text(struct frame_reader *r, const struct field *field, struct error *error)
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

static enum status read_texts(struct frame_reader *r, const struct field *field,
                              struct error *error)
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

static enum status read_sheet_body(struct frame_reader *r, const struct field *field,
                                   struct error *error)
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

static enum status read_sheet_triangle(struct frame_reader *r, const struct field *field,
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

/* Names of columns become those of tables, which other programs read. */
static enum status check_names(const char *field, size_t n, char *const *name, struct error *error)
{
    for (size_t k = 0; k < n; k++)
        if (!word_is_name(name[k], "_"))
            return error_set(error, STATUS_INVALID,
                             "column %zu of dataset %s is called '%.100s'; a name has letters, "
                             "digits and _",
                             k, field, name[k]);
    return STATUS_OK;
}

static enum status read_columns(struct frame_reader *r, const struct field *field,
                                struct table *table, struct error *error)
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
        status = check_names(field->name, table->n_columns, text[0], error);
    if (status == STATUS_OK)
        status = columns_create(table->n_columns, text, &column, error);
    for (size_t k = 0; k < 3; k++)
        free(text[k]);
    table->column = column;
    set_pointer(r->frame, field->count, column);
    return status;
}

static enum status read_table(struct frame_reader *r, const struct field *field,
                              struct error *error)
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

static enum status read_table_head(struct frame_reader *r, const struct field *field,
                                   struct error *error)
{
    struct table *table = frame_member(r->frame, field->offset);
    struct hdf_array array = {.element = field->element, .columns = HDF_ANY_COLUMNS};
    enum status status = hdf_array_shape(r->file, field->name, &array, error);
    if (status != STATUS_OK)
        return status;
    table->n_rows = array.rows;
    table->n_columns = array.columns;
    return read_columns(r, field, table, error);
}

field_reader *const field_readers_of_tables[FORM_COUNT] = {
    [FORM_SCALAR] = read_scalar,
    [FORM_TABLE] = read_table_head,
    [FORM_TEXT] = read_text,
};

field_reader *const field_readers[FORM_COUNT] = {
    [FORM_SCALAR] = read_scalar,
    [FORM_ID] = read_id,
    [FORM_PARTICLE] = read_particle,
    [FORM_STATE] = read_state,
    [FORM_STATE_LIST] = read_state_list,
    [FORM_TEXT] = read_text,
    [FORM_TEXTS] = read_texts,
    [FORM_SHEET_BODY] = read_sheet_body,
    [FORM_SHEET_TRIANGLE] = read_sheet_triangle,
    [FORM_TABLE] = read_table,
};
