/* The bending of sheets by wavelength: RUN/spectrum.csv. Definitions: docs/measures.md. */
#ifndef ANALYSIS_SPECTRUM_H
#define ANALYSIS_SPECTRUM_H

#include "analysis/modes.h"
#include "base/table.h"
#include "config/scene.h"
#include "store/frame.h"

/* The bands are intervals of q = sqrt(kx^2 + ky^2), where kx and ky are the numbers of half-waves
 * along the edges: [0, 1), [1, 2), [2, 4), ... */
#define SPECTRUM_COLUMNS(X)                                                                        \
    X(sheet, "", "name of the sheet's body")                                                       \
    X(frame, "1", "number of the frame")                                                           \
    X(time, "s", "simulated time")                                                                 \
    X(rms, "m", "root mean square displacement out of the rest plane")                             \
    X(bending, "m", "rms of the modes with at least 4 half-waves")                                 \
    X(rms_0, "m", "rms of the mode without any: the mean, of sheets not held at the rim")          \
    X(rms_1, "m", "rms of the modes with at least 1 and less than 2 half-waves")                   \
    X(rms_2, "m", "rms of 2 to 4")                                                                 \
    X(rms_4, "m", "rms of 4 to 8")                                                                 \
    X(rms_8, "m", "rms of 8 to 16")                                                                \
    X(rms_16, "m", "rms of 16 to 32")                                                              \
    X(rms_32, "m", "rms of 32 to 64")                                                              \
    X(rms_64, "m", "rms of 64 to 128")                                                             \
    X(rms_128, "m", "rms of 128 to 256")                                                           \
    X(rms_256, "m", "rms of 256 to 512")                                                           \
    X(rms_512, "m", "rms of 512 to 1024")                                                          \
    X(rms_1024, "m", "rms of 1024 half-waves and more")

struct spectrum_row {
#define SPECTRUM_MEMBER(name, unit, sentence) double name;
    SPECTRUM_COLUMNS(SPECTRUM_MEMBER)
#undef SPECTRUM_MEMBER
};

enum {
    SPECTRUM_WIDTH = sizeof(struct spectrum_row) / sizeof(double),
    SPECTRUM_FIRST_BAND = offsetof(struct spectrum_row, rms_0) / sizeof(double),
    SPECTRUM_BANDS = SPECTRUM_WIDTH - SPECTRUM_FIRST_BAND
};
extern const struct column spectrum_columns[SPECTRUM_WIDTH];

/* A sheet and the modes in which its displacements are expanded. */
struct sheet_modes {
    uint32_t body;
    size_t first;       /* index of the sheet's first particle */
    size_t columns;     /* particles along x */
    size_t margin;      /* 1: the rim is held, and only the inside has modes; else 0 */
    bool held;          /* some particles are held, so that the rest plane does not move */
    struct modes x, y;  /* of the particles that have modes */
    struct vec3 normal; /* of the rest plane, unit */
    struct vec3 *rest;  /* positions at the start, m (columns x rows), owned */
    size_t n;           /* particles that have modes */
    double *value, *scratch, *coefficient; /* (n each), owned */
};

/* The bending of a sheet over all frames. */
#define BENDING_COLUMNS(X)                                                                         \
    X(bending_mean, "m", "mean over all frames of the rms of modes with at least 4 half-waves")    \
    X(bending_max, "m", "largest of them")                                                         \
    X(rms_mean, "m", "mean over all frames of the rms displacement out of the rest plane")         \
    X(rms_max, "m", "largest of them")

struct bending {
#define BENDING_MEMBER(name, unit, sentence) double name;
    BENDING_COLUMNS(BENDING_MEMBER)
#undef BENDING_MEMBER
};

enum { BENDING_WIDTH = sizeof(struct bending) / sizeof(double) };
extern const struct column bending_columns[BENDING_WIDTH];

struct spectrum {
    size_t n_sheets, n_frames, capacity;
    struct sheet_modes *sheet; /* (n_sheets), owned */
    struct spectrum_row *row;  /* frame by frame, sheet by sheet (n_frames x n_sheets), owned */
};

/* Prepares the sheets among the scene's bodies; `initial` is the frame made from the scene.
 * STATUS_INVALID if the two do not fit. Release with spectrum_free, also after a failure. */
enum status spectrum_begin(struct spectrum *spectrum, const struct scene *scene,
                           const struct frame *initial, struct error *error);
void spectrum_free(struct spectrum *spectrum);

/* Adds a row per sheet. */
enum status spectrum_add(struct spectrum *spectrum, const struct frame *frame, struct error *error);

struct bending spectrum_bending(const struct spectrum *spectrum, size_t sheet);

#endif
