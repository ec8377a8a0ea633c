/* The analysis of a run by ms-analyze, and the list of all tables that it writes. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "analysis/record.h"
#include "base/json.h"
#include "base/table.h"
#include "config/config.h"

#include <stdio.h>

struct analysis {
    const struct record *record; /* must outlive the analysis */
    size_t every;                /* metrics.csv has a row for every so many steps */
    /* Set by analysis_read_frames; until then all zero. */
    struct config *config; /* owned */
    struct scene scene;    /* owned */
    void **history;        /* one per entry of run_tables, each owned; NULL: not read */
};

/* A table of a run: a file that anyone can read, with columns that --fields explains. Its history
 * is the data that it gathers frame by frame. To add a table, fill one of these in a file of its
 * own and name it in run_tables.c. Not NULL or 0 are file, rows, and either table and its columns
 * or print and explain. */
struct run_table {
    const char *file; /* "bodies.csv" */
    const char *rows; /* what has a row: "frame and body" */
    size_t size;      /* size of its history, bytes; 0: it has none */
    /* The history starts as all zero; `analysis` has its scene, and must outlive it. */
    enum status (*begin)(void *history, const struct analysis *analysis, struct error *error);
    enum status (*add)(void *history, const struct frame *frame, struct error *error);
    void (*free)(void *history);
    /* The table, whose first column holds indices of bodies, which are printed by their names. */
    struct table (*table)(const void *history);
    size_t n_columns;
    const struct column *column;
    /* In its place: prints the whole table as CSV; write errors stay in the stream. */
    enum status (*print)(FILE *stream, const void *history, const struct analysis *analysis,
                         struct error *error);
    /* Writes what summary.json says of the table, as an object of its own. */
    void (*summarize)(struct json *json, const void *history, const struct analysis *analysis);
    void (*explain)(FILE *stream);         /* in place of `column`: prints them for people */
    void (*explain_summary)(FILE *stream); /* prints the keys that summarize() writes */
};

/* The tables in the order in which they are written; NULL ends the list. */
extern const struct run_table *const run_tables[];

/* Begins with what follows from the rows of steps alone. Release with analysis_free. */
void analysis_create(const struct record *record, size_t every, struct analysis *analysis);

/* Fills the histories, which need the particles of every frame of the run, in one pass over the
 * frames. `folder` is that of the run, for errors. */
enum status analysis_read_frames(struct analysis *analysis, const char *folder,
                                 struct error *error);
void analysis_free(struct analysis *analysis);

/* The files of an analysis in the order in which they are written: the tables, then summary.json.
 * Returns NULL when there are no more. */
const char *analysis_file(size_t index);

/* Writes all these files into `folder`, which is made if need be. */
enum status analysis_write(const struct analysis *analysis, const char *folder,
                           struct error *error);

/* Prints the columns of a table for people. */
void run_table_explain(FILE *stream, const struct run_table *table);

#endif
