/* The triangles of a sheet of particles, for measuring what passes through it. */
#ifndef PARTICLES_SHEET_H
#define PARTICLES_SHEET_H

#include <stddef.h>
#include <stdint.h>

struct sheet {
    uint32_t body;
    size_t n_triangles;
    uint32_t (*triangle)[3]; /* particle indices (n_triangles x 3), counter-clockwise seen from +z
                                of the body's frame */
};

#endif
