/* Colors of particles in a picture: by body, by fragment or by damage, from one table. */
#ifndef SURFACE_COLORING_H
#define SURFACE_COLORING_H

#include "particles/particles.h"

#include <stdint.h>

/* The kinds of bodies that colors tell apart. */
enum body_kind { BODY_LASTS, BODY_BREAKS, BODY_FLOWS };

/* The table: colors of elastic bodies; of fluids; calm ones for what is not in focus; chunks;
 * debris; damage, from no broken bond to all broken. */
enum {
    COLOR_BODY = 0,
    COLOR_FLUID = COLOR_BODY + 7,
    COLOR_CALM = COLOR_FLUID + 2,
    COLOR_CHUNK = COLOR_CALM + 8,
    COLOR_DEBRIS = COLOR_CHUNK + 9,
    COLOR_DAMAGE = COLOR_DEBRIS + 1,
    COLORS = COLOR_DAMAGE + 33
};

/* The color at an index of the table, which is below COLORS: sRGB, 0xRRGGBB. */
uint32_t color_rgb(uint8_t color);

/* The color of a body that is a fluid, as an index into the table. */
uint8_t color_of_fluid(uint32_t body);

/* Each fills `color` (n) with indices into the table. `kind` says what each body is (n_bodies).
 * Fluids always have the colors of fluids. In color_by_damage, bodies that cannot break have calm
 * colors; in color_by_fragment, their own. */
void color_by_body(const struct particles *particles, const enum body_kind *kind, uint8_t *color);
void color_by_damage(const struct particles *particles, const enum body_kind *kind,
                     const float *damage, uint8_t *color);

/* `fragment`: the smallest particle of each particle's fragment (n). The largest fragment of a body
 * is calm (the one with the smallest particle among equals); one of at most `debris` particles is
 * debris; any other is a chunk, whose color follows from its smallest particle alone and so stays
 * from frame to frame. May fail for lack of memory. */
enum status color_by_fragment(const struct particles *particles, size_t n_bodies,
                              const enum body_kind *kind, const uint32_t *fragment, size_t debris,
                              uint8_t *color, struct error *error);

#endif
