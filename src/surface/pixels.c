#include "surface/pixels.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum status pixels_create(struct pixels *pixels, size_t width, size_t height, struct error *error)
{
    *pixels = (struct pixels){.width = width, .height = height};
    if (width == 0 || height == 0 || width > PIXELS_SIDE_MAX || height > PIXELS_SIDE_MAX)
        return error_set(error, STATUS_INVALID,
                         "a picture of %zu x %zu pixels; both must be from 1 to %d", width, height,
                         PIXELS_SIDE_MAX);
    enum status status = array_create(&pixels->rgb, width * height * 3, 1, "a picture", error);
    if (!status)
        memset(pixels->rgb, 0xff, width * height * 3);
    return status;
}

void pixels_free(struct pixels *pixels)
{
    free(pixels->rgb);
    *pixels = (struct pixels){0};
}

void pixels_print_ppm(FILE *stream, const struct pixels *pixels)
{
    fprintf(stream, "P6\n%zu %zu\n255\n", pixels->width, pixels->height);
    fwrite(pixels->rgb, 3, pixels->width * pixels->height, stream);
}

static void store_big_endian(uint8_t bytes[4], uint32_t value)
{
    for (int k = 0; k < 4; k++)
        bytes[k] = (uint8_t)(value >> (24 - 8 * k));
}

/* Length, type, data, and the checksum of type and data (PNG specification, Section 5.3). */
static void print_chunk(FILE *stream, const char type[4], const uint8_t *data, size_t length)
{
    uint8_t number[4];
    uLong sum = crc32_z(crc32_z(0, (const uint8_t *)type, 4), data, length);
    store_big_endian(number, (uint32_t)length);
    fwrite(number, 4, 1, stream);
    fwrite(type, 4, 1, stream);
    fwrite(data, 1, length, stream);
    store_big_endian(number, (uint32_t)sum);
    fwrite(number, 4, 1, stream);
}

/* Each row begins with its filter: 1, the difference to the pixel on the left (Section 9.2). */
static void filter_rows(const struct pixels *pixels, uint8_t *rows)
{
    size_t length = pixels->width * 3;
    for (size_t y = 0; y < pixels->height; y++) {
        const uint8_t *from = pixels->rgb + y * length;
        uint8_t *to = rows + y * (length + 1);
        to[0] = 1;
        for (size_t k = 0; k < length; k++)
            to[1 + k] = (uint8_t)(from[k] - (k < 3 ? 0 : from[k - 3]));
    }
}

static void print_chunks(FILE *stream, const struct pixels *pixels, const uint8_t *packed,
                         size_t length)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[13] = {[8] = 8, [9] = 2}; /* 8 bits, red, green and blue */
    store_big_endian(header, (uint32_t)pixels->width);
    store_big_endian(header + 4, (uint32_t)pixels->height);
    fwrite(signature, sizeof signature, 1, stream);
    print_chunk(stream, "IHDR", header, sizeof header);
    print_chunk(stream, "IDAT", packed, length);
    print_chunk(stream, "IEND", header, 0);
}

enum status pixels_print_png(FILE *stream, const struct pixels *pixels, struct error *error)
{
    size_t length = pixels->height * (pixels->width * 3 + 1);
    uLongf packed_length = compressBound(length);
    uint8_t *rows = NULL, *packed = NULL;
    enum status status = array_create(&rows, length, 1, "the rows of a picture", error);
    if (!status)
        status = array_create(&packed, packed_length, 1, "a compressed picture", error);
    if (!status) {
        filter_rows(pixels, rows);
        if (compress2(packed, &packed_length, rows, length, 6) != Z_OK)
            status = error_set(error, STATUS_FAILED, "out of memory for compressing a picture");
    }
    if (!status)
        print_chunks(stream, pixels, packed, packed_length);
    free(packed);
    free(rows);
    return status;
}
