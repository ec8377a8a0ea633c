/* The table of everything a frame can hold. It drives writing, reading, documentation and
 * comparing; what is not in it does not exist. */
#ifndef STORE_FIELD_H
#define STORE_FIELD_H

#include "base/element.h"
#include "store/frame.h"

#include <stdbool.h>
#include <stdio.h>

/* The form of a field in struct frame, which decides how it is stored. */
enum field_form {
    FORM_SCALAR,         /* one number: an attribute of the file */
    FORM_ID,             /* the index of the particle, which is nowhere in struct frame */
    FORM_PARTICLE,       /* one entry per particle: a pointer at `offset` */
    FORM_TEXT,           /* a char pointer at `offset` */
    FORM_TEXTS,          /* a char ** at `offset` to as many texts as the size_t at `count` */
    FORM_STATE,          /* declared by owners, one entry per particle: the `offset`-th value of
                            frame->state */
    FORM_STATE_LIST,     /* likewise, with any number of entries */
    FORM_SHEET_BODY,     /* bodies of frame->sheet */
    FORM_SHEET_TRIANGLE, /* triangles of frame->sheet: sheet, then three particles */
    FORM_TABLE,          /* a struct table at `offset`, memory of its columns at `count` */
    FORM_COUNT
};

/* The kinds of frames that have a field. */
enum field_kind { KIND_BOTH, KIND_INITIAL, KIND_FRAME, KIND_CONTINUED };

struct field {
    const char *name;
    enum element element;
    size_t width; /* numbers per entry */
    const char *unit;
    const char *sentence;
    enum field_kind kind; /* KIND_BOTH: a frame without it is not a frame. KIND_CONTINUED: in frames
                             of both kinds, of runs that began with a frame of another one */
    enum field_form form;
    size_t offset, count;
};

/* The most fields that a frame may hold. */
enum { MOST_FIELDS = 64 };

struct fields {
    size_t n;
    bool too_many; /* there are more, which are not in it */
    struct field field[MOST_FIELDS];
};

/* Finds the fields of every frame and those that owners declare. */
void fields_find(struct fields *fields);

/* Whether the field has an entry for each particle, in the order of ids. */
bool field_is_of_particles(const struct field *field);

/* The address of the member at `offset`. */
void *frame_member(struct frame *frame, size_t offset);
const void *frame_member_const(const struct frame *frame, size_t offset);
/* The array, text or list that the pointer at `offset` points to. */
void *frame_pointer(const struct frame *frame, size_t offset);

/* Prints the table for people: name, type, unit, kind, sentence. */
void fields_print(FILE *stream);

#endif
