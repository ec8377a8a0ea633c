/* Strips of bonds: up to BOND_STRIP bonds of a row, four side by side, for loops that need square
 * roots and divisions of all of them. A processor has one unit for both: on Zen 3 it takes 8 cycles
 * for four doubles, and 6 more each time it changes from one to the other. And it must begin with
 * those of many bonds before it needs the first. So such loops are split: all square roots of a
 * strip, then all divisions, then what remains. */
#ifndef SYSTEMS_BONDS_BOND_STRIP_H
#define SYSTEMS_BONDS_BOND_STRIP_H

#include "base/mat3.h"
#include "systems/bonds/bond_network_parts.h"

enum { BOND_FOURS = 16, BOND_STRIP = 4 * BOND_FOURS };

struct bond_strip {
    size_t begin, n;                                   /* its bonds */
    lanes x[BOND_FOURS], y[BOND_FOURS], z[BOND_FOURS]; /* from the particle to the other end, m */
    lanes length[BOND_FOURS];                          /* of these vectors, m */
};

/* How many fours there are; the last may have lanes that mean nothing. */
static inline size_t bond_fours(const struct bond_strip *strip)
{
    return (strip->n + 3) / 4;
}

/* The bonds of the f-th four that count, up to four. */
static inline size_t bond_count_of(const struct bond_strip *strip, size_t f)
{
    return strip->n - 4 * f < 4 ? strip->n - 4 * f : 4;
}

/* Replaces four vectors, of which each lane of d has one, by the rotation times them. */
static inline void bond_rotate_four(const struct mat3 *r, lanes d[3])
{
    const lanes x = d[0], y = d[1], z = d[2];
    for (int k = 0; k < 3; k++)
        d[k] = r->a[k][0] * x + r->a[k][1] * y + r->a[k][2] * z;
}

/* How far ahead of the bonds that they visit loops fetch what they read of each, in bonds: it comes
 * from memory, and hardware fetches it too late. */
enum { BOND_AHEAD = 128 };

/* Fetches what an array with entries of `size` bytes has for a bond BOND_AHEAD after bond e. */
static inline void bond_fetch(const void *array, size_t size, size_t e)
{
    const uintptr_t at = (uintptr_t)array + size * (e + BOND_AHEAD); /* maybe behind its end */
    __builtin_prefetch((const void *)at);
}

/* Measures the bonds from `begin` on, of a row that ends at `end` and belongs to the particle
 * `here`. The vectors are those between the positions of net->evaluation, rotated by `turn`; NULL:
 * not rotated. */
static inline void bond_strip_measure(const struct bond_network *net, lanes here, size_t begin,
                                      size_t end, const struct mat3 *turn, struct bond_strip *strip)
{
    const lanes *position = net->evaluation.position;
    const uint32_t *neighbor = net->neighbor + begin;
    const lanes x = lanes_all(here[0]), y = lanes_all(here[1]), z = lanes_all(here[2]);
    strip->begin = begin;
    strip->n = end - begin < BOND_STRIP ? end - begin : BOND_STRIP;
    for (size_t f = 0; f < bond_fours(strip); f++, neighbor += 4) {
        bond_fetch(net->neighbor, sizeof *net->neighbor, begin + 4 * f);
        bond_fetch(net->rest_length, sizeof *net->rest_length, begin + 4 * f);
        lanes d[4] = {position[neighbor[0]], position[neighbor[1]], position[neighbor[2]],
                      position[neighbor[3]]};
        lanes_transpose(d);
        d[0] -= x;
        d[1] -= y;
        d[2] -= z;
        if (turn)
            bond_rotate_four(turn, d);
        strip->x[f] = d[0];
        strip->y[f] = d[1];
        strip->z[f] = d[2];
        strip->length[f] = lanes_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
}

#endif
