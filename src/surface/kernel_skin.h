/* A mesh that follows the particles of a solid by their deformation gradients (Kugelstadt, Bender,
 * Fernandez-Fernandez, Jeske, Loeschner and Longva, "Fast corotated elastic SPH solids with
 * implicit zero-energy mode control", Proc. ACM Comput. Graph. Interact. Tech. 4, 2021, Section 8;
 * numbers of equations are theirs). The vertex at X_k in the unstressed body moves to x_k with the
 * particles j within two spacings of it, which were at X_j and are at x_j:
 *
 *     x_k = sum_j w_kj (F_j (X_k - X_j) + x_j),
 *     w_kj = V_j W(X_k - X_j) / sum_i V_i W(X_k - X_i)        (CES 38, CES 39; V by CES 5)
 *
 * The gradients F_j are those of CES 9, from the positions of the particles alone, whatever system
 * moved them. Affine maps of the whole body are followed exactly. The weights do not change, so
 * that one skin serves many frames. The other way, surface/embedded_mesh.h, fits a map around each
 * vertex, and needs particles on a lattice. */
#ifndef SURFACE_KERNEL_SKIN_H
#define SURFACE_KERNEL_SKIN_H

#include "base/error.h"
#include "base/vec3.h"

#include <stddef.h>

struct kernel_skin;

/* Vertices and particles are given in the unstressed body's frame, m; n_particles > 0.
 * STATUS_INVALID if a vertex is two spacings from every particle, or if the neighbors of a particle
 * that a vertex follows lie in a plane. */
enum status kernel_skin_create(struct kernel_skin **skin, size_t n_vertices,
                               const struct vec3 *vertex, size_t n_particles,
                               const struct vec3 *rest, double spacing, struct error *error);
void kernel_skin_free(struct kernel_skin *skin);

/* vertex[k] := x_k of particles at position[j], m (n_vertices, n_particles). */
void kernel_skin_follow(struct kernel_skin *skin, const struct vec3 *position, struct vec3 *vertex);

#endif
