/* Measures how far sheets are stretched. */
#ifndef MEASURE_STRAIN_H
#define MEASURE_STRAIN_H

#include "base/error.h"
#include "particles/bonded.h"
#include "particles/particles.h"
#include "shape/sheet.h"

#include <stddef.h>
#include <stdint.h>

/* A bond of a sheet's particle with a neighbor along an axis of the lattice or, at vertices, along
 * an edge: in a mass-spring material, its stretch springs. */
struct stretch_spring {
    uint32_t i, j;        /* particles */
    const uint8_t *whole; /* 0 once it broke; not owned */
    double length;        /* unstressed, m */
};

struct strain {
    size_t n;
    struct stretch_spring *spring; /* of all sheets (n), owned */
};

/* `of_mesh` tells of each sheet whether its particles are the vertices of a mesh (n_sheets). `rest`
 * holds the unstressed positions (n); it and the particles need not outlive the call, but
 * the bonds must. Release with strain_free, also after a failure. */
enum status strain_create(struct strain *strain, const struct particles *particles,
                          const struct vec3 *rest, const struct bonded *bonded, size_t n_sheets,
                          const struct sheet *sheet, const bool *of_mesh, struct error *error);
void strain_free(struct strain *strain);

/* The largest l / L - 1 of the springs that are whole, at least 0; 0 without sheets; NaN if one of
 * the positions is. */
double strain_measure(const struct strain *strain, const struct vec3 *position);

#endif
