#include "store/field.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct frame, member)
#define SCALAR(name, element, unit, sentence)                                                      \
    {                                                                                              \
#name, element, 1, unit, sentence, KIND_BOTH, FORM_SCALAR, AT(name), 0                     \
    }
#define PARTICLE(name, element, width, unit, sentence)                                             \
    {                                                                                              \
#name, element, width, unit, sentence, KIND_BOTH, FORM_PARTICLE, AT(particles.name), 0     \
    }
#define EXTRA(name, element, width, unit, sentence, kind)                                          \
    {                                                                                              \
#name, element, width, unit, sentence, kind, FORM_PARTICLE, AT(name), 0                    \
    }

/* Stands for all fields of this form that owners declare. */
#define STATES(form)                                                                               \
    {                                                                                              \
        NULL, ELEMENT_U8, 0, NULL, NULL, KIND_FRAME, FORM_STATE, form, 0                           \
    }

static const struct field rows[] = {
    SCALAR(number, ELEMENT_U64, "1", "number of the frame in its run"),
    SCALAR(step, ELEMENT_U64, "1", "time steps done"),
    SCALAR(time, ELEMENT_F64, "s", "simulated time"),
    {"config", ELEMENT_U8, 1, "1", "effective configuration of the run, YAML", KIND_BOTH, FORM_TEXT,
     AT(config), 0},
    {"origin", ELEMENT_U8, 1, "1",
     "frames that the run goes on from, a line each, the first of all first (ms-sample --from)",
     KIND_CONTINUED, FORM_TEXT, AT(origin), 0},
    {"body_name", ELEMENT_U8, 1, "1", "names of the bodies", KIND_BOTH, FORM_TEXTS, AT(body_name),
     AT(n_bodies)},
    {"id", ELEMENT_U32, 1, "1", "permanent index of the particle, from 0", KIND_BOTH, FORM_ID, 0,
     0},
    PARTICLE(position, ELEMENT_F64, 3, "m", "center of the particle"),
    PARTICLE(velocity, ELEMENT_F64, 3, "m/s", "velocity"),
    PARTICLE(mass, ELEMENT_F64, 1, "kg",
             "mass; it only counts in reports if the particle is not free"),
    PARTICLE(radius, ELEMENT_F64, 1, "m", "collision radius"),
    PARTICLE(body, ELEMENT_U32, 1, "1", "index of the particle's body, from 0"),
    PARTICLE(state, ELEMENT_U8, 1, "1",
             "0 free, 1 fixed, 2 prescribed, upstream of its inlet, 3 gone through an outlet"),
    EXTRA(rest_position, ELEMENT_F64, 3, "m", "position in the unstressed body", KIND_INITIAL),
    STATES(STATE_KEPT),
    EXTRA(group, ELEMENT_U32, 1, "1", "smallest id of the particle's last meta-particle",
          KIND_FRAME),
    EXTRA(fragment, ELEMENT_U32, 1, "1",
          "smallest id among the particles that whole bonds join; absent if nothing can break",
          KIND_FRAME),
    EXTRA(penetrated, ELEMENT_U32, 1, "1",
          "bit s is set after an odd number of crossings of sheet s", KIND_FRAME),
    STATES(STATE_SHOWN),
    {"sheet_body", ELEMENT_U32, 1, "1", "index of the sheet's body", KIND_INITIAL, FORM_SHEET_BODY,
     AT(sheet), AT(n_sheets)},
    {"sheet_triangle", ELEMENT_U32, 4, "1", "index of the sheet, then the ids of three particles",
     KIND_INITIAL, FORM_SHEET_TRIANGLE, AT(sheet), AT(n_sheets)},
    STATES(STATE_LIST),
    {"ledger", ELEMENT_F64, 1, "", "momentum and energy, a row per step since the last frame",
     KIND_FRAME, FORM_TABLE, AT(ledger), AT(ledger_columns)},
    {"measure", ELEMENT_F64, 1, "",
     "penetration, overlap, fracture, a row per step since the last frame", KIND_FRAME, FORM_TABLE,
     AT(measure), AT(measure_columns)},
};

static struct field field_of_state(const struct state_field *f, size_t index)
{
    enum field_form form = f->form == STATE_LIST ? FORM_STATE_LIST : FORM_STATE;
    return (struct field){f->name,    f->element, f->width, f->unit, f->sentence,
                          KIND_FRAME, form,       index,    0};
}

static void add(struct fields *fields, struct field field)
{
    if (fields->n < MOST_FIELDS)
        fields->field[fields->n++] = field;
    else
        fields->too_many = true;
}

void fields_find(struct fields *fields)
{
    const struct state_field *state[MOST_STATE_FIELDS];
    const size_t n = state_fields(state), kept = n < MOST_STATE_FIELDS ? n : MOST_STATE_FIELDS;
    fields->n = 0;
    fields->too_many = kept < n;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (rows[r].name)
            add(fields, rows[r]);
        for (size_t k = 0; !rows[r].name && k < kept; k++)
            if (state[k]->form == (enum state_form)rows[r].offset)
                add(fields, field_of_state(state[k], k));
    }
}

bool field_is_of_particles(const struct field *field)
{
    return field->form == FORM_PARTICLE || field->form == FORM_ID || field->form == FORM_STATE;
}

void *frame_member(struct frame *frame, size_t offset)
{
    return (char *)frame + offset;
}

const void *frame_member_const(const struct frame *frame, size_t offset)
{
    return (const char *)frame + offset;
}

void *frame_pointer(const struct frame *frame, size_t offset)
{
    void *pointer;
    memcpy(&pointer, frame_member_const(frame, offset), sizeof pointer);
    return pointer;
}

void fields_print(FILE *stream)
{
    static const char *const kind[] = {"both", "initial", "frame", "continued"};
    fprintf(stream, "%-15s %-12s %-5s %-9s %s\n", "field", "type", "unit", "in", "meaning");
    struct fields all;
    fields_find(&all);
    for (size_t i = 0; i < all.n; i++) {
        const struct field *f = &all.field[i];
        char type[32];
        if (f->form == FORM_TEXT || f->form == FORM_TEXTS)
            snprintf(type, sizeof type, "text");
        else if (f->width > 1)
            snprintf(type, sizeof type, "%s x %zu", element_name(f->element), f->width);
        else
            snprintf(type, sizeof type, "%s", element_name(f->element));
        fprintf(stream, "%-15s %-12s %-5s %-9s %s\n", f->name, type, f->unit, kind[f->kind],
                f->sentence);
    }
}
