/* The contents of any field of a frame as one array of numbers, wherever the field lives. Writing
 * and comparing use them. */
#ifndef STORE_FIELD_VALUES_H
#define STORE_FIELD_VALUES_H

#include "store/field.h"

struct field_values {
    bool present; /* false: this frame does not have the field (or the field is the id, which is an
                     index) */
    enum element element;
    size_t rows, width; /* texts: bytes, each text with its final zero */
    const void *data;   /* (rows x width) */
    void *owned;        /* NULL if data is the frame's own */
};

enum status field_values_create(const struct frame *frame, const struct field *field,
                                struct field_values *values, struct error *error);
void field_values_free(struct field_values *values);

#endif
