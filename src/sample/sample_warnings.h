/* What ms-sample warns of: bodies that weigh more or less than their shape, thin ones, those that
 * break more easily than was asked for, and fluids too deep for the length of steps. */
#ifndef SAMPLE_SAMPLE_WARNINGS_H
#define SAMPLE_SAMPLE_WARNINGS_H

#include "config/material_model.h"
#include "sample/sample.h"

#include <stdio.h>

/* Prints a line for each; `fracture` is what cracks in the bodies cost, all zero for those that
 * cannot break (scene->n_bodies); `text` is the effective configuration, by whose rules advice is
 * checked. */
void sample_print_warnings(FILE *stream, const struct scene *scene, const struct sample *sample,
                           const struct fracture_report *fracture, const char *text);

#endif
