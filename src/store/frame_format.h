/* What frame_write and frame_read agree on beside the table of fields. */
#ifndef STORE_FRAME_FORMAT_H
#define STORE_FRAME_FORMAT_H

#define FRAME_FORMAT "mergesplit frame"
#define FRAME_VERSION 1

/* Attributes of a table's dataset: names, units, sentences of the columns. */
extern const char *const frame_column_attribute[3];

#endif
