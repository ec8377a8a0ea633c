/* Blocks of particles at rest, on a lattice or displaced from it at random. */
#ifndef TESTS_UNIT_REST_BODIES_H
#define TESTS_UNIT_REST_BODIES_H

#include "particles/random.h"
#include "systems/corotated/rest.h"

#include <stdlib.h>

#define REST_SPACING 0.05 /* m */

struct rest_block {
    size_t n;
    struct vec3 *position; /* (n) */
};

/* nx x ny x nz particles, displaced by at most `disorder` spacings along each axis. Released with
 * free(block.position). */
__attribute__((unused)) static struct rest_block rest_block_of(size_t nx, size_t ny, size_t nz,
                                                               double disorder, uint64_t seed)
{
    struct rest_block block = {.n = nx * ny * nz};
    block.position = calloc(block.n, sizeof *block.position);
    for (size_t i = 0; i < block.n; i++) {
        double shift[3];
        for (uint64_t c = 0; c < 3; c++)
            shift[c] = disorder * (2.0 * random_uniform(seed, c, i, RANDOM_TEST) - 1.0);
        block.position[i] = vec3(REST_SPACING * ((double)(i / (ny * nz)) + shift[0]),
                                 REST_SPACING * ((double)(i / nz % ny) + shift[1]),
                                 REST_SPACING * ((double)(i % nz) + shift[2]));
    }
    return block;
}

__attribute__((unused)) static enum status rest_of_block(struct rest *rest,
                                                         const struct rest_block *block,
                                                         enum rest_volume volume,
                                                         struct error *error)
{
    return rest_create(
        rest,
        &(struct rest_setting){
            .n = block->n, .position = block->position, .spacing = REST_SPACING, .volume = volume},
        error);
}

#endif
