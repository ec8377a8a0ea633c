/* The surface of a cloth: the triangles between its particles, as in sheet.h, without those that
 * lost a bond along an edge. It ends at the outermost particles. */
#ifndef SURFACE_CLOTH_SKIN_H
#define SURFACE_CLOTH_SKIN_H

#include "particles/bonded.h"
#include "shape/sheet.h"
#include "surface/triangle_mesh.h"

struct cloth_skin {
    struct triangle_mesh mesh; /* with normals */
    uint32_t *owner;           /* the particle at each vertex (n_vertices) */
};

/* A particle has one vertex for each fan of adjoining triangles around it. With a thickness (m) the
 * surface is closed: it has two sides, each half the thickness away along the normals, and a rim.
 * With 0 it is one layer of triangles that face as the sheet's do. Positions are by particle of the
 * whole set; `bonded` holds all bonds, broken ones too. */
enum status cloth_skin_create(struct cloth_skin *skin, const struct sheet *sheet,
                              const struct bonded *bonded, const struct vec3 *position,
                              double thickness, struct error *error);
void cloth_skin_free(struct cloth_skin *skin);

#endif
