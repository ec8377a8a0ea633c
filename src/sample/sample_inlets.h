/* Inlets, outlets and sources of diffuse particles at the start: checks them, and marks the
 * particles that are to flow in. */
#ifndef SAMPLE_SAMPLE_INLETS_H
#define SAMPLE_SAMPLE_INLETS_H

#include "sample/sample.h"

/* Marks the particles upstream of their body's inlet as prescribed. STATUS_INVALID, with
 * "file:line:column: ...", for an inlet that has nothing upstream, a jet that flows into a wall
 * or passes one right before its inlet, and an outlet that holds an inlet or fluid. */
enum status sample_inlets(const struct scene *scene, struct sample *sample, struct error *error);

/* STATUS_INVALID, likewise, for a source of diffuse particles whose shape has nearly no inside. */
enum status sample_check_sources(const struct scene *scene, struct error *error);

#endif
