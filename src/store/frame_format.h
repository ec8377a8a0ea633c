/* The parts of the format on which frame_write and frame_read agree beside the table of fields. */
#ifndef STORE_FRAME_FORMAT_H
#define STORE_FRAME_FORMAT_H

#include "store/frame.h"

#define FRAME_FORMAT "mergesplit frame"
#define FRAME_VERSION 3

/* Attributes of a table's dataset: names, units, sentences of the columns. */
extern const char *const frame_column_attribute[3];

/* Whether every index in a frame refers to something that exists, and every value is one that its
 * field can have. The sha256 finds damage; this finds files that were never right. */
enum status frame_check(const struct frame *frame, struct error *error);

/* Whether the frame is of the step and the time of the last row of its ledger, after which it was
 * written. */
enum status frame_check_rows(const struct frame *frame, struct error *error);

#endif
