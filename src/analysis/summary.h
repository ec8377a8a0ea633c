/* A run in a few dozen numbers, each with a fixed place, a unit and a sentence. */
#ifndef ANALYSIS_SUMMARY_H
#define ANALYSIS_SUMMARY_H

#include "analysis/body_history.h"
#include "analysis/derived.h"
#include "analysis/fragment_history.h"
#include "analysis/layers.h"
#include "analysis/spectrum.h"
#include "store/record.h"

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

/* What the summary is made from. */
struct analysis {
    const struct record *record;
    struct table derived; /* value is owned */
    /* set after analysis_create; NULL: not read */
    const struct body_history *bodies;
    const struct spectrum *spectrum;
    const struct layers *layers;
    const struct fragment_history *fragments;
};

enum status analysis_create(const struct record *record, struct analysis *analysis,
                            struct error *error);
void analysis_free(struct analysis *analysis);

/* The value of a key of the whole run; VALUE_NONE if there is no such key. */
struct value summary_value(const struct analysis *analysis, const char *key);

/* The whole as JSON, keys in a fixed order (see store/json.h for what is not finite). */
void summary_print(FILE *stream, const struct analysis *analysis);

/* The keys for people: name, unit, sentence. */
void summary_print_keys(FILE *stream);

#endif
