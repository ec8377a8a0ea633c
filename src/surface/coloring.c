#include "surface/coloring.h"

#include "base/memory.h"
#include "particles/random.h"

#include <math.h>
#include <stdlib.h>

/* Okabe and Ito's palette for bodies, Tol's "muted" one for chunks: distinguishable with every form
 * of color vision. Damage is matplotlib's magma from its light end: perceptually uniform, in black
 * and white too, and cracks are dark. */
static const uint32_t table[] = {
    /* elastic bodies */
    0xe69f00, 0x0072b2, 0x009e73, 0xcc79a7, 0xd55e00, 0xf0e442, 0x8a8a8a,
    /* fluids */
    0x56b4e9, 0xa8d8f5,
    /* calm */
    0x76869c, 0xd8d4cc, 0xa9b8a0, 0xb5a3ae, 0x8fa9b5, 0xc2ab97, 0x9c9c8c, 0xb8b8b8,
    /* chunks */
    0xcc6677, 0x332288, 0xddcc77, 0x117733, 0x88ccee, 0x882255, 0x44aa99, 0x999933, 0xaa4499,
    /* debris */
    0x7a7a7a,
    /* damage */
    0xfcfdbf, 0xfceeb0, 0xfde0a1, 0xfed194, 0xfec287, 0xfeb47b, 0xfea571, 0xfd9668, 0xfb8761,
    0xf9785d, 0xf4695c, 0xee5b5e, 0xe55064, 0xdb476a, 0xcf4070, 0xc23b75, 0xb5367a, 0xaa337d,
    0x9c2e7f, 0x902a81, 0x832681, 0x762181, 0x6a1c81, 0x5d177f, 0x51127c, 0x440f76, 0x36106b,
    0x29115a, 0x1d1147, 0x130d34, 0x0a0822, 0x030312, 0x000004};
_Static_assert(sizeof table / sizeof table[0] == COLORS, "a color each");

enum {
    BODY_COLORS = COLOR_FLUID - COLOR_BODY,
    FLUID_COLORS = COLOR_CALM - COLOR_FLUID,
    CALM_COLORS = COLOR_CHUNK - COLOR_CALM,
    CHUNK_COLORS = COLOR_DEBRIS - COLOR_CHUNK,
    DAMAGE_LEVELS = COLORS - COLOR_DAMAGE
};

uint32_t color_rgb(uint8_t color)
{
    return table[color];
}

uint8_t color_of_fluid(uint32_t body)
{
    return (uint8_t)(COLOR_FLUID + body % FLUID_COLORS);
}

/* The color of a body that is not in focus. */
static uint8_t calm(uint32_t body, enum body_kind kind)
{
    return kind == BODY_FLOWS ? color_of_fluid(body) : (uint8_t)(COLOR_CALM + body % CALM_COLORS);
}

/* The color of a body as such. */
static uint8_t own(uint32_t body, enum body_kind kind)
{
    return kind == BODY_FLOWS ? color_of_fluid(body) : (uint8_t)(COLOR_BODY + body % BODY_COLORS);
}

void color_by_body(const struct particles *p, const enum body_kind *kind, uint8_t *color)
{
    for (size_t i = 0; i < p->n; i++)
        color[i] = own(p->body[i], kind[p->body[i]]);
}

void color_by_damage(const struct particles *p, const enum body_kind *kind, const float *damage,
                     uint8_t *color)
{
    for (size_t i = 0; i < p->n; i++) {
        double fraction = fmax(0.0, fmin(1.0, (double)damage[i]));
        uint32_t body = p->body[i];
        color[i] = kind[body] == BODY_BREAKS
                       ? (uint8_t)(COLOR_DAMAGE + lround(fraction * (DAMAGE_LEVELS - 1)))
                       : calm(body, kind[body]);
    }
}

/* The color of a fragment that is not the largest of its body; `name` is its smallest particle. */
static uint8_t color_of_piece(uint32_t name, bool debris)
{
    if (debris)
        return COLOR_DEBRIS;
    return (uint8_t)random_integer(0, 0, name, RANDOM_FRAGMENT_COLOR, COLOR_CHUNK,
                                   COLOR_CHUNK + CHUNK_COLORS - 1);
}

enum status color_by_fragment(const struct particles *p, size_t n_bodies,
                              const enum body_kind *kind, const uint32_t *fragment, size_t debris,
                              uint8_t *color, struct error *error)
{
    uint32_t *size, *largest = NULL; /* of each fragment; name of the largest, by body */
    if (array_create(&size, p->n, sizeof *size, "sizes of fragments", error) ||
        array_create(&largest, n_bodies, sizeof *largest, "largest fragments", error)) {
        free(size);
        return STATUS_FAILED;
    }
    for (size_t i = 0; i < p->n; i++)
        size[fragment[i]]++;
    for (size_t b = 0; b < n_bodies; b++)
        largest[b] = UINT32_MAX;
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t *best = &largest[p->body[i]];
        if (size[i] > 0 && (*best == UINT32_MAX || size[i] > size[*best]))
            *best = i;
    }
    for (size_t i = 0; i < p->n; i++) {
        uint32_t name = fragment[i], body = p->body[i];
        color[i] = kind[body] != BODY_BREAKS ? own(body, kind[body])
                   : name == largest[body]   ? calm(body, kind[body])
                                             : color_of_piece(name, size[name] <= debris);
    }
    free(size);
    free(largest);
    return STATUS_OK;
}
