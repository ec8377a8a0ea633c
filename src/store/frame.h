/* A frame: all that is known of a run at one time, as one HDF5 file. The initial state, every
 * output and a checkpoint are frames; a run can go on from any of them, to the last bit. */
#ifndef STORE_FRAME_H
#define STORE_FRAME_H

#include "base/error.h"
#include "base/table.h"
#include "particles/particles.h"
#include "particles/sheet.h"

#include <stddef.h>
#include <stdint.h>

/* What the programs keep of a run between steps. Pointers not used by a frame's kind are NULL. */
struct frame {
    /* the run */
    char *config;       /* effective configuration, YAML text */
    uint64_t number;    /* of the frame: time = number x frame interval, but for checkpoints */
    uint64_t step;      /* steps done */
    double time;        /* s */
    /* particles */
    struct particles particles;  /* `force` is not stored */
    struct vec3 *rest_position;  /* position in the unstressed body, m (n); initial frame only */
    struct vec3 *increment;      /* last velocity change, the solver's first guess, m/s (n) */
    uint32_t *group;             /* smallest member of the particle's last meta-particle (n) */
    uint32_t *wrong_side;        /* bit s: an odd number of crossings of sheet s (n) */
    float *damage;               /* share of bonds lost (n) */
    /* bodies */
    size_t n_bodies;
    char **body_name;            /* (n_bodies) */
    size_t n_sheets;
    struct sheet *sheet;         /* initial frame only (n_sheets) */
    /* bonds that broke so far, by index in the bond network, ascending */
    size_t n_broken;
    uint64_t *broken;
    /* one row per step since the previous frame */
    struct table ledger;
    struct table measure;
};

/* Writes the frame whole or not at all: temporary name beside it, flushed to disk, renamed. The
 * bytes depend on the contents alone. */
enum status frame_write(const char *path, const struct frame *frame, struct error *error);

/* Reads everything back; what the file does not hold is NULL or zero. Release with frame_free. */
enum status frame_read(const char *path, struct frame *frame, struct error *error);

void frame_free(struct frame *frame);

#endif
