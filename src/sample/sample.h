/* Sampling: from a scene's shapes to particles.
 *
 *     sample           fills the bodies of a scene
 *     sample_lattice   with the points of a lattice
 *     sample_sheet     with rows of a sheet
 *     relaxation       moves such points until they are evenly dense, by relax_terms or blue_noise
 *     interior         and keeps them inside
 *     sample_check, sample_overlap, sample_hole, sample_thinnest
 *                      judge the result
 */
#ifndef SAMPLE_SAMPLE_H
#define SAMPLE_SAMPLE_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/particles.h"
#include "shape/sheet.h"

#include <stdbool.h>

/* How well particles represent one body. */
struct sample_report {
    size_t particles;
    struct vec3 extent;  /* from the outermost particles' surfaces to those opposite, along the axes
                            of the body, unstressed, m */
    double volume;       /* of the shape, analytic or of its mesh, m^3; a particle of a sheet stands
                            for a square of edge 2 r, the sheet for cells[0] x cells[1] of them, 2 r
                            thick; particles at vertices for the area of their surface, as thick */
    double volume_error; /* particles x (2r)^3 over volume, minus one: what the body weighs too much
                            unless its mass is that of its volume */
    double thinnest;     /* thinnest wall, rod or neck met by the lattice, m: the shortest
                            chord along a surface normal between surfaces that face away from each
                            other (see sample_lattice.h); below two spacings, 4 r, it may be a
                            single layer of particles; of a sheet, or at
                            vertices: 2 r */
    size_t left_out;     /* triangles without area in the files of its meshes */
};

/* The sampled bodies, before they become a frame. Order: by body, within a solid in Morton order of
 * the lattice, so that neighbors in space are near in memory, within a sheet row by row, at the
 * vertices of a surface in its order. */
struct sample {
    struct particles particles;
    struct vec3 *rest_position; /* in the body's frame, jittered, unstretched, m (n) */
    size_t n_sheets;
    struct sheet *sheet;          /* also those of surfaces (n_sheets) */
    struct sample_report *report; /* per body */
};

/* Fills solids with a lattice of spacing 2 radius (see sample_lattice.h for where it lies), or with
 * what such a lattice relaxes to (relaxation.h), and sheets with rows, or puts particles at the
 * vertices of a surface (shape/surface.h). Lattices and sheets are displaced by jitter:
 * uniform in a cube of edge 2 jitter spacings, sheets only in their plane, drawn by seed and
 * particle index. The same scene gives the same bits. STATUS_INVALID with "file:line:column: ..."
 * for a body without particles, a mesh that is absent, open or self-intersecting, a body that
 * cannot be of its material (a peridynamic one without bonds, or within one horizon), bodies that
 * overlap at the start, a scene of fixed particles only, more particles than can be numbered or
 * held, an inlet without fluid, an outlet around fluid. */
enum status sample_scene(const struct scene *scene, struct sample *sample, struct error *error);
/* The same of the bodies alone that `wanted` marks (n_bodies): what a simulation has done with the
 * others is known to the caller, who puts them together and then asks sample_check_again. */
enum status sample_bodies(const struct scene *scene, const bool *wanted, struct sample *sample,
                          struct error *error);
void sample_free(struct sample *sample);

#endif
