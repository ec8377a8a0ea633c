/* The triangles of a sheet of particles, for measuring what passes through it. */
#ifndef SHAPE_SHEET_H
#define SHAPE_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheet {
    uint32_t body;
    size_t n_triangles;
    uint32_t (*triangle)[3]; /* particle indices (n_triangles x 3), counter-clockwise seen from +z
                                of the body's frame */
};

/* Whether one of the sheets is of this body. */
static inline bool sheets_have_body(size_t n_sheets, const struct sheet *sheet, uint32_t body)
{
    for (size_t s = 0; s < n_sheets; s++)
        if (sheet[s].body == body)
            return true;
    return false;
}

#endif
