/* The tables that run_tables.c lists, each in the file that makes it. */
#ifndef ANALYSIS_RUN_TABLES_H
#define ANALYSIS_RUN_TABLES_H

#include "analysis/analysis.h"

extern const struct run_table metrics_csv, bodies_csv, spectrum_csv, layers_csv, fragments_csv,
    sampling_csv, diffuse_csv;

#endif
