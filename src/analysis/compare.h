/* Compares two frames or two runs field by field. */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "store/field.h"

#include <stdio.h>

/* The difference in one field, or in one column of a table. Entries are equal when their bits
 * are. */
struct difference {
    const char *field;
    const char *column; /* of a table; NULL otherwise */
    bool comparable;    /* false: only one has it, or the shapes differ; `reason` says which */
    const char *reason;
    size_t n_different; /* entries */
    size_t first;       /* row of the first different entry: particle, step, ... */
    double max_abs;     /* largest |a - b|; nan if one of them is not finite where they differ */
    double max_rel;     /* largest |a - b| / max(|a|, |b|) */
};

/* Calls `report` for every field or column that differs; *n_different counts the calls. */
typedef void difference_report(const struct difference *difference, void *context);
enum status frame_compare(const struct frame *a, const struct frame *b, difference_report *report,
                          void *context, size_t *n_different, struct error *error);

/* Compares two frames or two run folders (initial.hdf and every frame of either) and prints a line
 * per difference, or that there is none. */
enum status compare_paths(FILE *stream, const char *a, const char *b, bool *identical,
                          struct error *error);

#endif
