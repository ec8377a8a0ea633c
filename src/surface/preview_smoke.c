/* Smoke in quick pictures. Optical depths add up, so that the order of puffs does not matter. */
#include "surface/preview_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status smoke_create(struct smoke *smoke, const struct puffs *puffs,
                         const struct view_axes *view, const struct bands *like,
                         struct error *error)
{
    size_t n = 0;
    *smoke = (struct smoke){.puffs = puffs, .bands = {.n = like->n, .rows = like->rows}};
    if (array_create(&smoke->disc, puffs->n + 1, sizeof *smoke->disc, "the smoke of a picture",
                     error))
        return STATUS_FAILED;
    for (size_t i = 0; i < puffs->n; i++)
        n +=
            preview_project(view, puffs->position[i], (double)puffs->radius[i], i, &smoke->disc[n]);
    return preview_sort(&smoke->bands, smoke->disc, n, error);
}

void smoke_free(struct smoke *smoke)
{
    free(smoke->bands.start);
    free(smoke->bands.member);
    free(smoke->disc);
    *smoke = (struct smoke){0};
}

/* Adds a puff where its middle is in front of what the samples show. Its profile is soft: 1 in the
 * middle, and 0 with its slope at the edge. */
static void add(const struct disc *disc, float thickness, size_t width, size_t top, size_t rows,
                const struct sample *sample, float *haze)
{
    const float left = disc->x - disc->radius - 0.5f, high = disc->y - disc->radius - 0.5f;
    const size_t first = left > 0.0f ? (size_t)left : 0;
    size_t row = high > (float)top ? (size_t)high - top : 0;
    for (; row < rows && (float)(top + row) + 0.5f <= disc->y + disc->radius; row++) {
        const float v = ((float)(top + row) + 0.5f - disc->y) / disc->radius;
        for (size_t k = first; k < width && (float)k + 0.5f <= disc->x + disc->radius; k++) {
            const float u = ((float)k + 0.5f - disc->x) / disc->radius;
            const float rest = fmaxf(1.0f - u * u - v * v, 0.0f);
            if (disc->depth < sample[row * width + k].depth)
                haze[row * width + k] += thickness * rest * rest;
        }
    }
}

void smoke_veil(const struct smoke *smoke, size_t band, size_t width, size_t top, size_t rows,
                const struct sample *sample, float *haze)
{
    const struct bands *bands = &smoke->bands;
    memset(haze, 0, rows * width * sizeof *haze);
    for (size_t k = bands->start[band]; k < bands->start[band + 1]; k++) {
        const struct disc *disc = &smoke->disc[bands->member[k]];
        add(disc, smoke->puffs->depth[disc->particle], width, top, rows, sample, haze);
    }
}
