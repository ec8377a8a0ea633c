#include "base/atomic_file.h"
#include "base/memory.h"
#include "store/field_values.h"
#include "store/frame.h"
#include "store/frame_digest.h"
#include "store/frame_format.h"
#include "store/hdf.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    hid_t file;
    const struct frame *frame;
    struct fields all;
    size_t n_written;
    const char *written[MOST_FIELDS]; /* names of the fields that are in the file */
};

static enum status describe(struct writer *w, const struct field *field, struct error *error)
{
    w->written[w->n_written++] = field->name;
    if (hdf_attribute_text_write(w->file, field->name, "unit", field->unit, error))
        return error->status;
    return hdf_attribute_text_write(w->file, field->name, "description", field->sentence, error);
}

static enum status write_array(struct writer *w, const struct field *field, size_t rows,
                               const void *data, struct error *error)
{
    struct hdf_array array = {field->element, rows, field->width > 1 ? field->width : 0, data};
    enum status status = hdf_array_write(w->file, field->name, &array, error);
    return status ? status : describe(w, field, error);
}

static enum status write_scalar(struct writer *w, const struct field *field, struct error *error)
{
    w->written[w->n_written++] = field->name;
    return hdf_attribute_write(w->file, ".", field->name, field->element, 0,
                               frame_member_const(w->frame, field->offset), error);
}

/* Rows are in the order of ids. Sorting them by position does not pay: neighbors in space share few
 * digits of a double, and the ids would no longer compress to nothing (files were 4-7 % larger,
 * both for a ball on a cloth and for two mixed clouds of loose particles). */
static enum status write_id(struct writer *w, const struct field *field, struct error *error)
{
    size_t n = w->frame->particles.n;
    uint32_t *id;
    if (array_create(&id, n, sizeof *id, field->name, error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++)
        id[i] = (uint32_t)i;
    enum status status = write_array(w, field, n, id, error);
    free(id);
    return status;
}

/* Particles, lists and sheets are written in the form in which they are compared. */
static enum status write_values(struct writer *w, const struct field *field, struct error *error)
{
    struct field_values values;
    enum status status = field_values_create(w->frame, field, &values, error);
    if (status == STATUS_OK && values.present)
        status = write_array(w, field, values.rows, values.data, error);
    field_values_free(&values);
    return status;
}

static enum status write_text(struct writer *w, const struct field *field, struct error *error)
{
    const char *text = frame_pointer(w->frame, field->offset);
    if (!text)
        return STATUS_OK;
    enum status status = hdf_texts_write(w->file, field->name, 1, &text, error);
    return status ? status : describe(w, field, error);
}

static enum status write_texts(struct writer *w, const struct field *field, struct error *error)
{
    const char *const *text = frame_pointer(w->frame, field->offset);
    size_t n;
    memcpy(&n, frame_member_const(w->frame, field->count), sizeof n);
    enum status status = hdf_texts_write(w->file, field->name, n, text, error);
    return status ? status : describe(w, field, error);
}

static enum status write_column_texts(struct writer *w, const char *object,
                                      const struct table *table, struct error *error)
{
    const char **text;
    size_t n = table->n_columns;
    if (array_create(&text, 3 * n, sizeof *text, "names of columns", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++) {
        text[i] = table->column[i].name;
        text[n + i] = table->column[i].unit;
        text[2 * n + i] = table->column[i].sentence;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < 3 && status == STATUS_OK; i++)
        status = hdf_attribute_texts_write(w->file, object, frame_column_attribute[i], n,
                                           &text[i * n], error);
    free(text);
    return status;
}

static enum status write_table(struct writer *w, const struct field *field, struct error *error)
{
    const struct table *table = frame_member_const(w->frame, field->offset);
    bool ledger = table == &w->frame->ledger;
    if (table->n_columns == 0)
        return STATUS_OK;
    struct hdf_array array = {field->element, table->n_rows, table->n_columns, table->value};
    enum status status =
        hdf_table_write(w->file, field->name, &array,
                        ledger ? w->frame->ledger_rows : w->frame->measure_rows, error);
    if (status == STATUS_OK)
        status = describe(w, field, error);
    return status ? status : write_column_texts(w, field->name, table, error);
}

static enum status (*const write_form[FORM_COUNT])(struct writer *, const struct field *,
                                                   struct error *) = {
    [FORM_SCALAR] = write_scalar,         [FORM_ID] = write_id,
    [FORM_PARTICLE] = write_values,       [FORM_STATE] = write_values,
    [FORM_STATE_LIST] = write_values,     [FORM_TEXT] = write_text,
    [FORM_TEXTS] = write_texts,           [FORM_SHEET_BODY] = write_values,
    [FORM_SHEET_TRIANGLE] = write_values, [FORM_TABLE] = write_table,
};

/* VTK's reader of unstructured grids wants one vertex cell per particle. */
static enum status write_vtk_cells(struct writer *w, struct error *error)
{
    enum { VTK_VERTEX = 1 };
    size_t n = w->frame->particles.n;
    int64_t *index, total = (int64_t)n;
    uint8_t *type = NULL;
    if (array_create(&index, n + 1, sizeof *index, "VTK's cells", error) ||
        array_create(&type, n, sizeof *type, "VTK's cells", error)) {
        free(index);
        return STATUS_FAILED;
    }
    for (size_t i = 0; i <= n; i++)
        index[i] = (int64_t)i;
    memset(type, VTK_VERTEX, n);
    const struct {
        const char *name;
        struct hdf_array array;
    } part[] = {
        {"VTKHDF/Connectivity", {ELEMENT_I64, n, 0, index}},
        {"VTKHDF/Offsets", {ELEMENT_I64, n + 1, 0, index}},
        {"VTKHDF/Types", {ELEMENT_U8, n, 0, type}},
        {"VTKHDF/NumberOfPoints", {ELEMENT_I64, 1, 0, &total}},
        {"VTKHDF/NumberOfCells", {ELEMENT_I64, 1, 0, &total}},
        {"VTKHDF/NumberOfConnectivityIds", {ELEMENT_I64, 1, 0, &total}},
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof part / sizeof part[0] && status == STATUS_OK; i++)
        status = hdf_array_write(w->file, part[i].name, &part[i].array, error);
    free(index);
    free(type);
    return status;
}

/* VTK and ParaView find the same datasets under VTK's names. They refuse a type that is not
 * declared as ASCII. */
static enum status write_vtk(struct writer *w, struct error *error)
{
    const int64_t version[2] = {1, 0};
    enum status status = hdf_group_create(w->file, "VTKHDF", error);
    if (status == STATUS_OK)
        status = hdf_attribute_write(w->file, "VTKHDF", "Version", ELEMENT_I64, 2, version, error);
    if (status == STATUS_OK)
        status = hdf_attribute_ascii_write(w->file, "VTKHDF", "Type", "UnstructuredGrid", error);
    if (status == STATUS_OK)
        status = write_vtk_cells(w, error);
    if (status == STATUS_OK)
        status = hdf_link(w->file, "position", "VTKHDF/Points", error);
    if (status == STATUS_OK)
        status = hdf_group_create(w->file, "VTKHDF/PointData", error);
    for (size_t i = 0; status == STATUS_OK && i < w->all.n; i++) {
        const struct field *field = &w->all.field[i];
        char name[64];
        snprintf(name, sizeof name, "VTKHDF/PointData/%s", field->name);
        bool exists = false;
        if (field_is_of_particles(field))
            status = hdf_exists(w->file, field->name, &exists, error);
        if (exists)
            status = hdf_link(w->file, field->name, name, error);
    }
    return status;
}

static enum status check_writable(const struct frame *frame, const struct fields *all,
                                  struct error *error)
{
    if (frame->particles.n > UINT32_MAX)
        return error_set(error, STATUS_FAILED, "%zu particles, a frame holds at most 2^32 - 1",
                         frame->particles.n);
    for (size_t i = 0; i < all->n; i++) {
        const struct field *f = &all->field[i];
        bool needed = f->kind == KIND_BOTH && (f->form == FORM_PARTICLE || f->form == FORM_TEXT);
        if (needed && !frame_pointer(frame, f->offset))
            return error_set(error, STATUS_FAILED, "the frame to be written has no %s", f->name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(f->name, all->field[k].name) == 0)
                return error_set(error, STATUS_FAILED,
                                 "two different fields are called %s; systems that have the same "
                                 "field share its description",
                                 f->name);
    }
    if (all->too_many)
        return error_set(error, STATUS_FAILED, "more than %d fields are declared", MOST_FIELDS);
    return STATUS_OK;
}

static enum status write_contents(struct writer *w, struct error *error)
{
    const uint64_t version = FRAME_VERSION;
    enum status status = hdf_attribute_text_write(w->file, ".", "format", FRAME_FORMAT, error);
    if (status == STATUS_OK)
        status = hdf_attribute_write(w->file, ".", "version", ELEMENT_U64, 0, &version, error);
    for (size_t i = 0; status == STATUS_OK && i < w->all.n; i++)
        status = write_form[w->all.field[i].form](w, &w->all.field[i], error);
    if (status == STATUS_OK)
        status = hdf_attribute_texts_write(w->file, ".", "fields", w->n_written, w->written, error);
    return status ? status : write_vtk(w, error);
}

static enum status write_file(struct writer *w, const char *path, struct error *error)
{
    enum status status = check_writable(w->frame, &w->all, error);
    if (status == STATUS_OK)
        status = hdf_create(path, FRAME_HEAD, &w->file, error);
    if (status == STATUS_OK)
        status = write_contents(w, error);
    enum status closed = hdf_close(w->file, status ? NULL : error);
    if (!status)
        status = closed;
    return status ? status : frame_digest_write(path, error);
}

enum status frame_write(const char *path, const struct frame *frame, struct error *error)
{
    struct error local;
    struct error *message = error ? error : &local;
    struct atomic_file file;
    if (atomic_file_open(&file, path, message))
        return STATUS_FAILED;
    struct writer writer = {.file = -1, .frame = frame};
    struct hdf_silence silence;
    fields_find(&writer.all);
    hdf_silence_begin(&silence);
    enum status status = write_file(&writer, file.temporary, message);
    hdf_silence_end(&silence);
    if (status == STATUS_OK)
        return atomic_file_commit(&file, message);
    atomic_file_abandon(&file);
    return error_prefix(message, "%s", path);
}
