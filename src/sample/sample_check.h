/* What cannot be sampled or could not be simulated. For sample.c alone. Every complaint is
 * STATUS_INVALID and begins with the place in the configuration. */
#ifndef SAMPLE_SAMPLE_CHECK_H
#define SAMPLE_SAMPLE_CHECK_H

#include "base/error.h"
#include "config/scene.h"
#include "sample/sample.h"

/* Before anything is allocated: parts of a body that contradict each other. */
enum status sample_check_body(const struct body *body, struct error *error);

/* Before a body of about `particles` particles is allocated: whether it fits 32-bit indices and
 * this machine's memory. */
enum status sample_check_size(const struct body *body, double particles, struct error *error);

/* The same for all bodies together; and a scene without any particle. */
enum status sample_check_total(const struct scene *scene, double particles, struct error *error);

/* When all particles are in place: something can move, doubles resolve the radii that far from the
 * origin, peridynamic bodies hold together and exceed their horizon, fluids are within their
 * walls, bodies do not overlap. */
enum status sample_check(const struct scene *scene, const struct sample *sample,
                         struct error *error);

#endif
