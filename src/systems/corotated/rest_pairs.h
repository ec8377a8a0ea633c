/* Neighbors at rest, in the form of bonds: a surface joins them. */
#ifndef SYSTEMS_COROTATED_REST_PAIRS_H
#define SYSTEMS_COROTATED_REST_PAIRS_H

#include "particles/bonded.h"
#include "systems/corotated/rest.h"

struct rest_pairs {
    struct bonded bonded; /* of all bodies; points to what follows */
    size_t *start;        /* (n + 1) */
    uint32_t *neighbor;   /* (start[n]) */
    uint8_t *whole;       /* all 1 (start[n]) */
};

/* Lists the pairs of bodies whose particles follow each other from particle `first` of the scene
 * on, n in all. Release with rest_pairs_free, also if it failed. */
enum status rest_pairs_create(struct rest_pairs *pairs, size_t n_bodies,
                              const struct rest *const *body, size_t first, struct error *error);
void rest_pairs_free(struct rest_pairs *pairs);

#endif
