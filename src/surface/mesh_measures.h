/* What kind of surface a mesh is: closed, oriented, of which genus, how large. */
#ifndef SURFACE_MESH_MEASURES_H
#define SURFACE_MESH_MEASURES_H

#include "surface/triangle_mesh.h"

#include <stdbool.h>

/* A part of the mesh that is connected through vertices. */
struct mesh_component {
    size_t n_vertices, n_edges, n_triangles;
    long euler;    /* vertices - edges + triangles */
    double volume; /* enclosed, m^3; negative if the triangles face inwards */
    double area;   /* m^2 */
};

struct mesh_measures {
    size_t n_open;    /* edges of one triangle */
    size_t n_crowded; /* edges of more than two */
    size_t n_twisted; /* edges of two triangles that run through it the same way */
    bool closed;      /* neither open nor crowded edges */
    bool oriented;    /* no twisted ones */
    size_t n_unused;  /* vertices of no triangle */
    size_t n_components;
    struct mesh_component *component; /* by their lowest vertex (n_components), owned */
    uint32_t *part; /* the component of each vertex; UINT32_MAX if unused (n_vertices), owned */
    double volume, area; /* of all components; the volume is that inside if closed */
};

/* The number of holes through a component, (2 - euler) / 2: 0 for a ball, 1 for a torus. This holds
 * if it is closed and oriented and touches itself at no vertex. */
long mesh_component_genus(const struct mesh_component *component);

/* Time and memory in proportion to the mesh. May fail for lack of memory. */
enum status mesh_measure(const struct triangle_mesh *mesh, struct mesh_measures *measures,
                         struct error *error);
void mesh_measures_free(struct mesh_measures *measures);

#endif
