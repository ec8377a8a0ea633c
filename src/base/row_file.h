/* Rows of doubles that grow without end: the newest are in memory, all before them in a file
 * without a name, which goes when the program ends, however it ends. A few thousand rows make no
 * file. */
#ifndef BASE_ROW_FILE_H
#define BASE_ROW_FILE_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

enum { ROWS_IN_MEMORY = 4096 };

struct row_file {
    const char *folder; /* where the file is made; must outlive the rows */
    size_t width, n;    /* doubles of a row; rows */
    size_t n_filed;     /* of these, rows in the file; the others are in memory */
    double *value;      /* rows in memory, one after the other */
    size_t capacity;    /* of value, doubles */
    FILE *file;         /* NULL: none was needed yet */
};

/* Adds n rows. The file is made when it is needed first. */
enum status row_file_append(struct row_file *rows, size_t n, const double *value,
                            struct error *error);

/* Copies the rows [first, first + n), which must be there. */
enum status row_file_read(struct row_file *rows, size_t first, size_t n, double *value,
                          struct error *error);

/* Forgets all rows; memory and file are used again. */
void row_file_clear(struct row_file *rows);
void row_file_free(struct row_file *rows);

#endif
