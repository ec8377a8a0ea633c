/* Refuses what cannot be sampled or could not be simulated. Every complaint is
 * STATUS_INVALID and begins with the place in the configuration. */
#ifndef SAMPLE_SAMPLE_CHECK_H
#define SAMPLE_SAMPLE_CHECK_H

#include "base/error.h"
#include "config/scene.h"
#include "sample/sample.h"
#include "shape/shape.h"

/* Called before anything is allocated: refuses a body whose settings contradict each other. */
enum status sample_check_body(const struct body *body, struct error *error);

/* Called before a body of about `particles` particles is allocated: refuses it if it does not fit
 * 32-bit indices or the memory of this machine. */
enum status sample_check_size(const struct body *body, double particles, struct error *error);

/* After a refusal of a body that is a mesh: adds to the message how large the mesh is, because its
 * file may be in other units than meters, and names the key that says so. Returns the status. */
enum status sample_name_scale(const struct body *body, const struct solid *solid,
                              enum status refused, struct error *error);

/* Like sample_check_size, for all bodies together; refuses a scene without any particle, too. */
enum status sample_check_total(const struct scene *scene, double particles, struct error *error);

/* Called when all particles are in place: something must be able to move, doubles must resolve the
 * radii that far from the origin, bodies must be what the models of their materials need, fluids
 * must be where their walls let them be, and bodies must not overlap. */
enum status sample_check(const struct scene *scene, const struct sample *sample,
                         struct error *error);

/* The same of particles that a simulation has brought where they are: what touches may overlap
 * then, and only `other_walls` than those of that simulation can be in their way; but bodies that
 * are `added` to them, unless that is NULL, begin as in a new run (n_bodies). */
enum status sample_check_again(const struct scene *scene, const struct sample *sample,
                               bool other_walls, const bool *added, struct error *error);

#endif
