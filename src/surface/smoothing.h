/* Smoothing of closed meshes that keeps their volume. */
#ifndef SURFACE_SMOOTHING_H
#define SURFACE_SMOOTHING_H

#include "surface/triangle_mesh.h"

/* `passes` times, every vertex goes half of the way to the mean of its neighbors. No vertex ends
 * farther than `reach`, m, along any axis, from where it began, so that thin jets stay (compare the
 * bounds of Bhattacharya, Gao and Bargteil 2011).
 *
 * Each component is moved along its normals until its volume is what it was. (Desbrun, Meyer,
 * Schroeder and Barr 1999 scale it instead; then a wave in a tank would move with the tank's far
 * end.) Taubin's filter of 1995, which needs no such correction, does not serve here: it keeps
 * waves as long as three particles, which are 15 edges long, for hundreds of passes. The mesh must
 * be closed and oriented. May fail for lack of memory. Normals that the mesh has are not
 * updated. */
enum status mesh_smooth(struct triangle_mesh *mesh, unsigned passes, double reach,
                        struct error *error);

#endif
