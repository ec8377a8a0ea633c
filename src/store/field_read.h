/* Reading one field of a frame, by its form; frame_read.c reads the file as a whole. */
#ifndef STORE_FIELD_READ_H
#define STORE_FIELD_READ_H

#include "store/field.h"
#include "store/frame.h"
#include "store/hdf.h"

struct frame_reader {
    hid_t file; /* open */
    struct frame *frame;
    take_rows *take; /* of frame_read_tables */
    void *context;
};

/* Fills the member of the frame that the field stands for. STATUS_INVALID if the file's dataset or
 * attribute is not as the field says. Fields come in the order of the table: the number of
 * particles is known once `id` has been read. */
typedef enum status field_reader(struct frame_reader *reader, const struct field *field,
                                 struct error *error);

/* The readers of all of a frame, and of what its tables need but their rows, by form. Fields
 * without one are passed over. */
extern field_reader *const field_readers[FORM_COUNT];
extern field_reader *const field_readers_of_tables[FORM_COUNT];

#endif
