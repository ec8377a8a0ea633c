/* The few numbers of a summary that one looks at first, in a line each. */
#ifndef ANALYSIS_DIGEST_H
#define ANALYSIS_DIGEST_H

#include "analysis/analysis.h"

#include <stdio.h>

/* Prints them for people; lines that have no meaning for this run are left out. */
void digest_print(FILE *stream, const struct analysis *analysis);

#endif
