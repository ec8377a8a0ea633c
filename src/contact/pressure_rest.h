/* How dense the particles of solids may be under contact.method: pressure. A solid may be denser
 * than a fluid where its sampling is, and a fluid beside it is no reason to push that away: what a
 * particle may have is what it has at rest with a fluid around its body, and at least as much as a
 * fluid. */
#ifndef CONTACT_PRESSURE_REST_H
#define CONTACT_PRESSURE_REST_H

#include "contact/contact.h"
#include "sph/pressure.h"

/* Adds to the limits of the particles that `is_solid` names (pressure->n). Walls play no part: they
 * belong to places in the scene. */
enum status pressure_limit_solids(struct pressure *pressure, const struct method_setting *setting,
                                  const bool *is_solid, struct error *error);

#endif
