/* What the files of quick pictures share. */
#ifndef SURFACE_PREVIEW_PARTS_H
#define SURFACE_PREVIEW_PARTS_H

#include "surface/preview.h"

#include <stdbool.h>

enum { PREVIEW_SAMPLES = 2 /* along each edge of a pixel */ };

/* A ball as the camera sees it; lengths in samples, from the top left. */
struct disc {
    float x, y, radius;
    float depth, size; /* of the center along the view, and the sphere's radius, m */
    uint32_t particle;
    bool clear; /* what is behind it shows through */
};

/* Axes of the view, and samples per unit of length at unit depth. */
struct view_axes {
    struct vec3 location, right, up, forward;
    double scale, middle_x, middle_y;
};

/* Discs sorted by band: those of band b are entries start[b] to start[b + 1]. */
struct bands {
    size_t n, rows;   /* bands, samples in each */
    size_t *start;    /* (n + 1) */
    uint32_t *member; /* indices of discs, ascending in each band */
};

/* One sample: the nearest disc and how far its surface is, and the same of the nearest that is not
 * clear. */
struct sample {
    float depth;
    uint32_t disc;
    float depth_behind;
    uint32_t behind;
};

/* preview.c */
/* False if the camera does not see the ball: it is not at a finite position, behind or around the
 * camera, or beside the picture. */
bool preview_project(const struct view_axes *view, struct vec3 position, double radius, size_t i,
                     struct disc *disc);
/* Sorts n discs into bands, of which n and rows are set. */
enum status preview_sort(struct bands *bands, const struct disc *disc, size_t n,
                         struct error *error);

/* preview_smoke.c */
struct smoke {
    const struct puffs *puffs;
    struct disc *disc;
    struct bands bands;
};
/* Finds the discs of puffs. Release with smoke_free, also after a failure. */
enum status smoke_create(struct smoke *smoke, const struct puffs *puffs,
                         const struct view_axes *view, const struct bands *like,
                         struct error *error);
void smoke_free(struct smoke *smoke);
/* The optical depth in front of each sample of a band that begins with row `top` (rows x width). */
void smoke_veil(const struct smoke *smoke, size_t band, size_t width, size_t top, size_t rows,
                const struct sample *sample, float *haze);

#endif
