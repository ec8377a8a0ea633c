/* What ms-sample warns of: bodies that weigh more or less than their shape, and thin ones. */
#ifndef SAMPLE_SAMPLE_WARNINGS_H
#define SAMPLE_SAMPLE_WARNINGS_H

#include "sample/sample.h"

#include <stdio.h>

/* Prints a line for each; `text` is the effective configuration, by whose rules advice is checked.
 */
void sample_print_warnings(FILE *stream, const struct scene *scene, const struct sample *sample,
                           const char *text);

#endif
