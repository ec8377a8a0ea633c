/* The linear spring between the centers of touching particles that the penalty methods share: in
 * compression only, with the potential k depth^2 / 2. */
#ifndef CONTACT_PENALTY_H
#define CONTACT_PENALTY_H

#include "contact/contact.h"

/* Adds the force of the spring between two particles, at their present positions, to
 * particles->force. It is zero if they do not overlap, or if their centers are at one point.
 * stiffness: N/m. */
void penalty_push(struct particles *particles, double stiffness, struct pair pair);

/* See struct contact_class. */
enum status penalty_begin(struct contact *contact, struct particles *particles,
                          const struct pair_list *touching, struct error *error);
double penalty_stiffness(const struct scene *scene, size_t body, size_t other);
enum status penalty_potential(struct contact *contact, const struct particles *particles,
                              const struct pair_list *touching, double *energy,
                              struct error *error);

#endif
