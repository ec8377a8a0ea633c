#include "surface/preview.h"

#include "base/memory.h"
#include "surface/coloring.h"

#include <omp.h>
#include <stdlib.h>

enum {
    SAMPLES = 2,    /* along each edge of a pixel */
    BAND_ROWS = 16, /* of pixels, drawn by one thread */
    NOBODY = UINT32_MAX
};

/* A particle as the camera sees it; lengths in samples, from the top left. */
struct disc {
    float x, y, radius;
    float depth, size; /* of the center along the view, and the sphere's radius, m */
    uint32_t particle;
};

/* Axes of the view, and samples per unit of length at unit depth. */
struct view {
    struct vec3 location, right, up, forward;
    double scale, middle_x, middle_y;
};

/* Discs sorted by band: those of band b are entries start[b] to start[b + 1]. */
struct bands {
    size_t n, rows;   /* bands, samples in each */
    size_t *start;    /* (n + 1) */
    uint32_t *member; /* indices of discs, ascending in each band */
};

/* One sample: the disc that it shows, and how far its surface is. */
struct sample {
    float depth;
    uint32_t disc;
};

static struct view view_of(const struct camera *camera, const struct pixels *pixels)
{
    struct vec3 forward = vec3_sub(camera->look_at, camera->location);
    forward = vec3_scale(1.0 / vec3_norm(forward), forward);
    struct vec3 right = vec3(forward.y, -forward.x, 0.0); /* forward x z */
    double length = vec3_norm(right);
    right = length > 1e-12 ? vec3_scale(1.0 / length, right) : vec3(1, 0, 0);
    double width = (double)(pixels->width * SAMPLES), height = (double)(pixels->height * SAMPLES);
    return (struct view){.location = camera->location,
                         .right = right,
                         .up = vec3_cross(right, forward),
                         .forward = forward,
                         .scale = 0.5 * width / tan(0.5 * camera->angle * M_PI / 180.0),
                         .middle_x = 0.5 * width,
                         .middle_y = 0.5 * height};
}

/* False if the camera does not see the particle: it is not at a finite position, behind or around
 * the camera, or beside the picture. */
static bool project(const struct view *view, const struct particles *p, size_t i, struct disc *disc)
{
    struct vec3 x = vec3_sub(p->position[i], view->location);
    double depth = vec3_dot(x, view->forward), radius = p->radius[i];
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
static size_t project_all(const struct view *view, const struct particles *p, const uint8_t *hidden,
                          struct disc *disc)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += !(hidden && hidden[i]) && project(view, p, i, &disc[n]);
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

/* Sorts discs into bands by counting. */
static enum status bands_create(struct bands *bands, const struct disc *disc, size_t n,
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
            if (depth < sample[row * width + k].depth)
                sample[row * width + k] = (struct sample){depth, index};
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

/* A pixel is the mean of its samples; where no particle is, it is white. */
static void resolve(const struct disc *disc, const uint8_t *color, size_t width, size_t top,
                    const struct sample *sample, size_t column, uint8_t rgb[3])
{
    float sum[3] = {0};
    for (size_t k = 0; k < SAMPLES * SAMPLES; k++) {
        size_t row = k / SAMPLES, x = column * SAMPLES + k % SAMPLES;
        uint32_t index = sample[row * width + x].disc;
        uint32_t own = index == NOBODY ? 0xffffff : color_rgb(color[disc[index].particle]);
        float bright = index == NOBODY
                           ? 1.0f
                           : brightness(&disc[index], (float)x + 0.5f, (float)(top + row) + 0.5f);
        for (int c = 0; c < 3; c++)
            sum[c] += bright * (float)(own >> (16 - 8 * c) & 0xff);
    }
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(sum[c] / (SAMPLES * SAMPLES) + 0.5f);
}

static void draw_band(struct pixels *pixels, const struct bands *bands, size_t band,
                      const struct disc *disc, const uint8_t *color, struct sample *sample)
{
    size_t width = pixels->width * SAMPLES, top = band * bands->rows;
    size_t left = pixels->height * SAMPLES - top, rows = left < bands->rows ? left : bands->rows;
    for (size_t k = 0; k < rows * width; k++)
        sample[k] = (struct sample){INFINITY, NOBODY};
    for (size_t k = bands->start[band]; k < bands->start[band + 1]; k++)
        cover(&disc[bands->member[k]], bands->member[k], width, top, rows, sample);
    for (size_t row = 0; row < rows; row += SAMPLES)
        for (size_t column = 0; column < pixels->width; column++)
            resolve(disc, color, width, top + row, sample + row * width, column,
                    pixels->rgb + ((top + row) / SAMPLES * pixels->width + column) * 3);
}

/* Threads share the bands; each has room for the samples of one. */
static enum status draw_bands(struct pixels *pixels, const struct bands *bands,
                              const struct disc *disc, const uint8_t *color, struct error *error)
{
    struct sample *sample;
    size_t room = bands->rows * pixels->width * SAMPLES, threads = (size_t)omp_get_max_threads();
    enum status status =
        array_create(&sample, threads * room, sizeof *sample, "the samples of a picture", error);
    if (status)
        return status;
#pragma omp parallel for schedule(dynamic)
    for (size_t band = 0; band < bands->n; band++)
        draw_band(pixels, bands, band, disc, color, sample + (size_t)omp_get_thread_num() * room);
    free(sample);
    return STATUS_OK;
}

enum status preview_draw(struct pixels *pixels, const struct particles *particles,
                         const uint8_t *color, const uint8_t *hidden, const struct camera *camera,
                         struct error *error)
{
    struct view view = view_of(camera, pixels);
    struct bands bands = {.n = (pixels->height + BAND_ROWS - 1) / BAND_ROWS,
                          .rows = BAND_ROWS * SAMPLES};
    struct disc *disc = NULL;
    enum status status =
        array_create(&disc, particles->n + 1, sizeof *disc, "the discs of a picture", error);
    size_t n = status ? 0 : project_all(&view, particles, hidden, disc);
    if (!status)
        status = bands_create(&bands, disc, n, error);
    if (!status)
        status = draw_bands(pixels, &bands, disc, color, error);
    free(bands.member);
    free(bands.start);
    free(disc);
    return status;
}
