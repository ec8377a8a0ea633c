#include "store/field_values.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t count_of(const struct frame *frame, const struct field *field)
{
    size_t n;
    memcpy(&n, frame_member_const(frame, field->count), sizeof n);
    return n;
}

static enum status from_scalar(const struct frame *frame, const struct field *field,
                               struct field_values *values, struct error *error)
{
    (void)error;
    values->present = true;
    values->rows = 1;
    values->data = frame_member_const(frame, field->offset);
    return STATUS_OK;
}

/* Ids are the same in every frame, and are left out. */
static enum status from_id(const struct frame *frame, const struct field *field,
                           struct field_values *values, struct error *error)
{
    (void)frame, (void)field, (void)values, (void)error;
    return STATUS_OK;
}

static enum status from_particle(const struct frame *frame, const struct field *field,
                                 struct field_values *values, struct error *error)
{
    (void)error;
    values->data = frame_pointer(frame, field->offset);
    values->present = values->data != NULL;
    values->rows = frame->particles.n;
    return STATUS_OK;
}

static enum status from_state(const struct frame *frame, const struct field *field,
                              struct field_values *values, struct error *error)
{
    (void)error;
    if (frame->state.n == 0)
        return STATUS_OK;
    const struct state_value *value = &frame->state.value[field->offset];
    values->present = value->data != NULL;
    values->rows = values->present ? value->rows : 0;
    values->data = value->data;
    return STATUS_OK;
}

/* An empty list counts as absent. */
static enum status from_state_list(const struct frame *frame, const struct field *field,
                                   struct field_values *values, struct error *error)
{
    enum status status = from_state(frame, field, values, error);
    values->present = values->rows > 0;
    return status;
}

static enum status from_text(const struct frame *frame, const struct field *field,
                             struct field_values *values, struct error *error)
{
    (void)error;
    values->data = frame_pointer(frame, field->offset);
    values->present = values->data != NULL;
    values->rows = values->present ? strlen(values->data) + 1 : 0;
    return STATUS_OK;
}

static enum status from_texts(const struct frame *frame, const struct field *field,
                              struct field_values *values, struct error *error)
{
    const char *const *text = frame_pointer(frame, field->offset);
    size_t n = count_of(frame, field);
    char *next;
    for (size_t i = 0; i < n; i++)
        values->rows += strlen(text[i]) + 1;
    if (array_create(&next, values->rows, 1, field->name, error))
        return STATUS_FAILED;
    values->present = true;
    values->data = values->owned = next;
    for (size_t i = 0; i < n; i++)
        next = stpcpy(next, text[i]) + 1;
    return STATUS_OK;
}

static enum status from_sheet_body(const struct frame *frame, const struct field *field,
                                   struct field_values *values, struct error *error)
{
    uint32_t *body;
    if (frame->n_sheets == 0)
        return STATUS_OK;
    if (array_create(&body, frame->n_sheets, sizeof *body, field->name, error))
        return STATUS_FAILED;
    for (size_t i = 0; i < frame->n_sheets; i++)
        body[i] = frame->sheet[i].body;
    values->present = true;
    values->rows = frame->n_sheets;
    values->data = values->owned = body;
    return STATUS_OK;
}

static enum status from_sheet_triangle(const struct frame *frame, const struct field *field,
                                       struct field_values *values, struct error *error)
{
    uint32_t(*row)[4];
    size_t n = 0;
    if (frame->n_sheets == 0)
        return STATUS_OK;
    for (size_t i = 0; i < frame->n_sheets; i++)
        n += frame->sheet[i].n_triangles;
    if (array_create(&row, n, sizeof *row, field->name, error))
        return STATUS_FAILED;
    values->present = true;
    values->rows = n;
    values->data = values->owned = row;
    for (size_t i = 0; i < frame->n_sheets; i++)
        for (size_t t = 0; t < frame->sheet[i].n_triangles; t++, row++) {
            (*row)[0] = (uint32_t)i;
            memcpy(&(*row)[1], frame->sheet[i].triangle[t], 3 * sizeof(uint32_t));
        }
    return STATUS_OK;
}

static enum status from_table(const struct frame *frame, const struct field *field,
                              struct field_values *values, struct error *error)
{
    (void)error;
    const struct table *table = frame_member_const(frame, field->offset);
    values->present = table->n_columns > 0;
    values->rows = table->n_rows;
    values->width = table->n_columns;
    values->data = table->value;
    return STATUS_OK;
}

static enum status (*const values_from[FORM_COUNT])(const struct frame *, const struct field *,
                                                    struct field_values *, struct error *) = {
    [FORM_SCALAR] = from_scalar,
    [FORM_ID] = from_id,
    [FORM_PARTICLE] = from_particle,
    [FORM_STATE] = from_state,
    [FORM_STATE_LIST] = from_state_list,
    [FORM_TEXT] = from_text,
    [FORM_TEXTS] = from_texts,
    [FORM_SHEET_BODY] = from_sheet_body,
    [FORM_SHEET_TRIANGLE] = from_sheet_triangle,
    [FORM_TABLE] = from_table,
};

enum status field_values_create(const struct frame *frame, const struct field *field,
                                struct field_values *values, struct error *error)
{
    *values = (struct field_values){.element = field->element, .width = field->width};
    return values_from[field->form](frame, field, values, error);
}

void field_values_free(struct field_values *values)
{
    free(values->owned);
    *values = (struct field_values){0};
}
