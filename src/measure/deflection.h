/* Measures how far sheets hang down. */
#ifndef MEASURE_DEFLECTION_H
#define MEASURE_DEFLECTION_H

#include "base/error.h"
#include "particles/particles.h"
#include "shape/sheet.h"

#include <stddef.h>
#include <stdint.h>

struct deflection {
    struct vec3 down;   /* unit vector along gravity; zero without gravity */
    size_t n;           /* particles of all sheets' bodies */
    uint32_t *particle; /* their indices, ascending (n), owned */
    double *rest;       /* their initial position along `down`, m (n), owned */
};

/* `initial` holds the positions before the first step; it need not outlive the call. Release with
 * deflection_free, also after a failure. */
enum status deflection_create(struct deflection *deflection, const struct particles *initial,
                              size_t n_sheets, const struct sheet *sheet, struct vec3 gravity,
                              struct error *error);
void deflection_free(struct deflection *deflection);

/* The largest displacement along gravity of a sheet's particle from its own initial position, m; at
 * least 0; 0 without sheets or gravity; NaN if one of the positions is. */
double deflection_measure(const struct deflection *deflection, const struct vec3 *position);

#endif
