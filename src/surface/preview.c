#include "surface/preview_parts.h"

#include "base/memory.h"
#include "surface/coloring.h"

#include <omp.h>
#include <stdlib.h>

enum {
    SAMPLES = PREVIEW_SAMPLES,
    BAND_ROWS = 16, /* of pixels, drawn by one thread */
    NOBODY = UINT32_MAX
};

static const float SMOKE = 62.0f; /* its red, green and blue */

static struct view_axes view_of(const struct camera *camera, const struct pixels *pixels)
{
    struct vec3 forward = vec3_sub(camera->look_at, camera->location);
    forward = vec3_scale(1.0 / vec3_norm(forward), forward);
    struct vec3 right = vec3(forward.y, -forward.x, 0.0); /* forward x z */
    double length = vec3_norm(right);
    right = length > 1e-12 ? vec3_scale(1.0 / length, right) : vec3(1, 0, 0);
    double width = (double)(pixels->width * SAMPLES), height = (double)(pixels->height * SAMPLES);
    return (struct view_axes){.location = camera->location,
                              .right = right,
                              .up = vec3_cross(right, forward),
                              .forward = forward,
                              .scale = 0.5 * width / tan(0.5 * camera->angle * M_PI / 180.0),
                              .middle_x = 0.5 * width,
                              .middle_y = 0.5 * height};
}

bool preview_project(const struct view_axes *view, struct vec3 position, double radius, size_t i,
                     struct disc *disc)
{
    struct vec3 x = vec3_sub(position, view->location);
    double depth = vec3_dot(x, view->forward);
    if (!vec3_finite(x) || !(depth > radius))
        return false;
    double scale = view->scale / depth;
    *disc = (struct disc){.x = (float)(view->middle_x + scale * vec3_dot(x, view->right)),
                          .y = (float)(view->middle_y - scale * vec3_dot(x, view->up)),
                          .radius = (float)fmax(scale * radius, 0.75), /* hits a sample at least */
                          .depth = (float)depth,
                          .size = (float)radius,
                          .particle = (uint32_t)i};
    return disc->x + disc->radius > 0.0f && disc->x - disc->radius < 2.0f * (float)view->middle_x &&
           disc->y + disc->radius > 0.0f && disc->y - disc->radius < 2.0f * (float)view->middle_y;
}

/* Makes the discs of the particles that are seen, in the order of particles. */
static size_t project_all(const struct view_axes *view, const struct particles *p,
                          const uint8_t *hidden, const uint8_t *clear, struct disc *disc)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        if ((hidden && hidden[i]) ||
            !preview_project(view, p->position[i], p->radius[i], i, &disc[n]))
            continue;
        disc[n++].clear = clear && clear[i];
    }
    return n;
}

static void band_range(const struct bands *bands, const struct disc *disc, size_t *first,
                       size_t *last)
{
    float rows = (float)bands->rows, top = (disc->y - disc->radius) / rows,
          bottom = (disc->y + disc->radius) / rows;
    *first = top > 0.0f ? (size_t)top : 0;
    *last = bottom < (float)(bands->n - 1) ? (size_t)bottom : bands->n - 1;
}

/* By counting. */
enum status preview_sort(struct bands *bands, const struct disc *disc, size_t n,
                         struct error *error)
{
    size_t first, last;
    enum status status = array_create(&bands->start, bands->n + 2, sizeof *bands->start,
                                      "the bands of a picture", error);
    if (status)
        return status;
    for (size_t k = 0; k < n; k++) {
        band_range(bands, &disc[k], &first, &last);
        for (size_t b = first; b <= last; b++)
            bands->start[b + 2]++;
    }
    for (size_t b = 0; b <= bands->n; b++)
        bands->start[b + 1] += bands->start[b];
    status = array_create(&bands->member, bands->start[bands->n + 1], sizeof *bands->member,
                          "the discs of a picture", error);
    for (size_t k = 0; k < n && !status; k++) {
        band_range(bands, &disc[k], &first, &last);
        for (size_t b = first; b <= last; b++)
            bands->member[bands->start[b + 1]++] = (uint32_t)k;
    }
    return status;
}

/* Draws a disc on the samples of a band that it covers; a sample is at the middle of its square. */
static void cover(const struct disc *disc, uint32_t index, size_t width, size_t top, size_t rows,
                  struct sample *sample)
{
    float left = disc->x - disc->radius - 0.5f, high = disc->y - disc->radius - 0.5f;
    size_t first = left > 0.0f ? (size_t)left : 0;
    size_t row = high > (float)top ? (size_t)high - top : 0;
    for (; row < rows && (float)(top + row) + 0.5f <= disc->y + disc->radius; row++) {
        float v = ((float)(top + row) + 0.5f - disc->y) / disc->radius;
        for (size_t k = first; k < width && (float)k + 0.5f <= disc->x + disc->radius; k++) {
            float u = ((float)k + 0.5f - disc->x) / disc->radius, rest = 1.0f - u * u - v * v;
            if (rest < 0.0f)
                continue;
            float depth = disc->depth - disc->size * sqrtf(rest);
            struct sample *own = &sample[row * width + k];
            if (depth < own->depth)
                own->depth = depth, own->disc = index;
            if (depth < own->depth_behind && !disc->clear)
                own->depth_behind = depth, own->behind = index;
        }
    }
}

/* Light from above the camera's right shoulder; the sphere's surface looks towards (u, v, w). */
static float brightness(const struct disc *disc, float x, float y)
{
    float u = (x - disc->x) / disc->radius, v = (disc->y - y) / disc->radius;
    float w = sqrtf(fmaxf(1.0f - u * u - v * v, 0.0f));
    float light = 0.37f * u + 0.55f * v + 0.75f * w;
    return 0.35f + 0.65f * fmaxf(light, 0.0f);
}

/* Adds the light of a disc, at a sample; where there is none, it is white. */
static void add_light(const struct disc *disc, const uint8_t *color, uint32_t index, float x,
                      float y, float part, float sum[3])
{
    const uint32_t own = index == NOBODY ? 0xffffff : color_rgb(color[disc[index].particle]);
    const float bright = index == NOBODY ? 1.0f : brightness(&disc[index], x, y);
    for (int c = 0; c < 3; c++)
        sum[c] += part * (bright * (float)(own >> (16 - 8 * c) & 0xff));
}

/* A pixel is the mean of its samples. Of the light of a sample exp(-haze) comes through smoke,
 * whose own light is in place of the rest; haze is NULL without. */
static void resolve(const struct disc *disc, const uint8_t *color, size_t width, size_t top,
                    const struct sample *sample, const float *haze, size_t column, uint8_t rgb[3])
{
    float sum[3] = {0};
    for (size_t k = 0; k < SAMPLES * SAMPLES; k++) {
        const size_t row = k / SAMPLES, x = column * SAMPLES + k % SAMPLES;
        const struct sample *own = &sample[row * width + x];
        const float u = (float)x + 0.5f, v = (float)(top + row) + 0.5f;
        const float through = haze ? expf(-haze[row * width + x]) : 1.0f;
        const bool seen_through = own->behind != NOBODY && own->behind != own->disc;
        add_light(disc, color, own->disc, u, v, seen_through ? 0.5f * through : through, sum);
        if (seen_through)
            add_light(disc, color, own->behind, u, v, 0.5f * through, sum);
        for (int c = 0; c < 3; c++)
            sum[c] += (1.0f - through) * SMOKE;
    }
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(sum[c] / (SAMPLES * SAMPLES) + 0.5f);
}

/* A picture in the making. */
struct drawing {
    struct pixels *pixels;
    struct bands bands;
    struct disc *disc;
    const uint8_t *color;
    struct smoke smoke; /* without puffs: there is none */
};

/* `sample` and `haze` have room for a band. */
static void draw_band(const struct drawing *d, size_t band, struct sample *sample, float *haze)
{
    const struct bands *bands = &d->bands;
    struct pixels *pixels = d->pixels;
    size_t width = pixels->width * SAMPLES, top = band * bands->rows;
    size_t left = pixels->height * SAMPLES - top, rows = left < bands->rows ? left : bands->rows;
    for (size_t k = 0; k < rows * width; k++)
        sample[k] = (struct sample){INFINITY, NOBODY, INFINITY, NOBODY};
    for (size_t k = bands->start[band]; k < bands->start[band + 1]; k++)
        cover(&d->disc[bands->member[k]], bands->member[k], width, top, rows, sample);
    if (haze)
        smoke_veil(&d->smoke, band, width, top, rows, sample, haze);
    for (size_t row = 0; row < rows; row += SAMPLES)
        for (size_t column = 0; column < pixels->width; column++)
            resolve(d->disc, d->color, width, top + row, sample + row * width,
                    haze ? haze + row * width : NULL, column,
                    pixels->rgb + ((top + row) / SAMPLES * pixels->width + column) * 3);
}

/* Threads share the bands; each has room for the samples of one. */
static enum status draw_bands(const struct drawing *d, struct error *error)
{
    struct sample *sample;
    float *haze = NULL;
    size_t room = d->bands.rows * d->pixels->width * SAMPLES;
    size_t threads = (size_t)omp_get_max_threads();
    enum status status =
        array_create(&sample, threads * room, sizeof *sample, "the samples of a picture", error);
    if (!status && d->smoke.puffs)
        status = array_create(&haze, threads * room, sizeof *haze, "the smoke of a picture", error);
    if (!status) {
#pragma omp parallel for schedule(dynamic)
        for (size_t band = 0; band < d->bands.n; band++) {
            const size_t own = (size_t)omp_get_thread_num() * room;
            draw_band(d, band, sample + own, haze ? haze + own : NULL);
        }
    }
    free(haze);
    free(sample);
    return status;
}

enum status preview_draw(struct pixels *pixels, const struct particles *particles,
                         const uint8_t *color, const uint8_t *hidden, const uint8_t *clear,
                         const struct puffs *puffs, const struct camera *camera,
                         struct error *error)
{
    struct view_axes view = view_of(camera, pixels);
    struct drawing d = {
        .pixels = pixels,
        .bands = {.n = (pixels->height + BAND_ROWS - 1) / BAND_ROWS, .rows = BAND_ROWS * SAMPLES},
        .color = color};
    enum status status =
        array_create(&d.disc, particles->n + 1, sizeof *d.disc, "the discs of a picture", error);
    size_t n = status ? 0 : project_all(&view, particles, hidden, clear, d.disc);
    if (!status)
        status = preview_sort(&d.bands, d.disc, n, error);
    if (!status && puffs && puffs->n > 0)
        status = smoke_create(&d.smoke, puffs, &view, &d.bands, error);
    if (!status)
        status = draw_bands(&d, error);
    smoke_free(&d.smoke);
    free(d.bands.member);
    free(d.bands.start);
    free(d.disc);
    return status;
}
