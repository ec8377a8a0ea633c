/* A frame: all that is known of a run at one time, as one HDF5 file. The initial state, every
 * output and a checkpoint are frames; a run can go on from any of them, to the last bit, and
 * another one, whose initial state then has a time, steps and the state of systems, too. */
#ifndef STORE_FRAME_H
#define STORE_FRAME_H

#include "base/error.h"
#include "base/row_file.h"
#include "base/table.h"
#include "particles/pairs.h"
#include "particles/particles.h"
#include "shape/sheet.h"
#include "step/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a run between two steps. Pointers not used by a frame's kind are NULL. */
struct frame {
    /* the run */
    char *config;    /* effective configuration, YAML text */
    char *origin;    /* frames that it goes on from, a line each (run/continued.h); NULL: none */
    uint64_t number; /* of the frame: time = number x frame interval, but for checkpoints */
    uint64_t step;   /* steps done */
    double time;     /* s */
    /* particles */
    struct particles particles; /* `force` is not stored */
    struct vec3 *rest_position; /* position in the unstressed body, m (n); initial frame only */
    uint32_t *group;            /* smallest member of the particle's last meta-particle (n) */
    uint32_t *fragment;         /* smallest particle of the particle's fragment (n); NULL if nothing
                                   can break */
    uint32_t *penetrated;       /* bit s: an odd number of crossings of sheet s (n) */
    /* bodies */
    size_t n_bodies;
    char **body_name; /* one block: the pointers, then the texts (n_bodies) */
    size_t n_sheets;
    struct sheet *sheet; /* initial frame only (n_sheets) */
    /* what owners declare */
    struct state state;
    /* one row per step since the previous frame */
    struct table ledger;
    struct table measure;
    /* in a frame to be written: where these rows are if the tables have no values */
    struct row_file *ledger_rows, *measure_rows;
    /* what frame_read allocated for the columns of the two tables; NULL in frames not read */
    void *ledger_columns, *measure_columns;
};

/* Writes the frame whole or not at all: under a temporary name beside `path`, then flushed to disk
 * and renamed. The bytes depend on the contents alone. */
enum status frame_write(const char *path, const struct frame *frame, struct error *error);

/* Reads everything back; what the file does not hold is NULL or zero. STATUS_INVALID, with one
 * line that names the file and what is wrong with it, if it is absent, not a frame, damaged (any
 * byte differs from what was written) or inconsistent, or holds values that a field cannot have.
 * Release with frame_free. */
enum status frame_read(const char *path, struct frame *frame, struct error *error);

/* The values of a field that systems declare, by its name; NULL if the frame does not have it. */
const void *frame_state(const struct frame *frame, const char *name);

/* Releases everything that the frame's pointers point to; the columns of its tables only if they
 * came from a file. Not to be called for a frame put together from arrays that others own. */
void frame_free(struct frame *frame);
/* Releases only what the frame holds for each particle, and what systems declare; the frame then
 * has no particles. */
void frame_free_particles(struct frame *frame);

/* Whether every byte of the file is as it was written. STATUS_INVALID if it cannot be read, or is
 * an undamaged frame of another version of the format. */
enum status frame_is_whole(const char *path, bool *whole, struct error *error);

/* Takes some rows of a frame's tables, from row `first` on: those of frame->ledger and, if it has
 * columns, of frame->measure. They are gone afterwards. */
typedef enum status take_rows(void *context, const struct frame *frame, size_t first,
                              struct error *error);

/* Like frame_read, but reads only number, step, time, configuration, the columns of the tables, the
 * number of particles, and the rows of both tables, a few thousand at a time: `take` gets all of
 * them in their order, in one call at least, unless it is NULL. Its errors need not name the file.
 * STATUS_INVALID also if the tables have different numbers of rows. */
enum status frame_read_tables(const char *path, struct frame *frame, take_rows *take, void *context,
                              struct error *error);

/* The same of a file that has just been found undamaged: its sha256 is not computed again. */
enum status frame_read_tables_again(const char *path, struct frame *frame, take_rows *take,
                                    void *context, struct error *error);

/* frame_read of such a file, without its tables. */
enum status frame_read_again(const char *path, struct frame *frame, struct error *error);

/* Number, step, time, size and the names of fields alone, without reading any array. */
struct frame_head {
    uint64_t number, step;
    double time; /* s */
    size_t n_particles;
    uint64_t fields; /* bit k is set if the file holds the k-th of store/field.h */
};
enum status frame_read_head(const char *path, struct frame_head *head, struct error *error);

#endif
