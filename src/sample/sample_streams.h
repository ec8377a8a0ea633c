/* Fluids that come and go, at the start. */
#ifndef SAMPLE_SAMPLE_STREAMS_H
#define SAMPLE_SAMPLE_STREAMS_H

#include "sample/sample.h"

/* Marks the particles upstream of the mouth of their body's inflow as driven. STATUS_INVALID, with
 * "file:line:column: ...", for a mouth that has nothing upstream, a stream that flows into a wall
 * or passes one right before its mouth, and an outflow that holds a mouth or fluid. */
enum status sample_streams(const struct scene *scene, struct sample *sample, struct error *error);

#endif
