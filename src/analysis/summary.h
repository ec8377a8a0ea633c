/* A run in a few dozen numbers, each with a name, a unit and a sentence. */
#ifndef ANALYSIS_SUMMARY_H
#define ANALYSIS_SUMMARY_H

#include "analysis/analysis.h"

#include <stdio.h>

enum value_kind {
    VALUE_NONE, /* has no meaning for this run: null */
    VALUE_NUMBER,
    VALUE_TRUTH,
    VALUE_TEXT
};

struct value {
    enum value_kind kind;
    double number; /* of a truth: 0 or 1 */
    const char *text;
};

/* The value of a key of the whole run; VALUE_NONE if there is no such key. */
struct value summary_value(const struct analysis *analysis, const char *key);

/* Prints the whole summary as JSON, keys in a fixed order (see base/json.h for what is not
 * finite). */
void summary_print(FILE *stream, const struct analysis *analysis);

/* Prints the keys for people: name, unit, sentence. */
void summary_print_keys(FILE *stream);

#endif
