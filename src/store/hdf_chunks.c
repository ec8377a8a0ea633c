/* Filters the chunks of a dataset with all threads; HDF5 would do so with one. */
#include "store/hdf_parts.h"

#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { CHECKSUM = 4 /* bytes */ };

/* A chunk on its way into the file. */
struct packing {
    unsigned char *shuffled; /* (chunk) */
    unsigned char *packed;   /* (room) */
    double *row;             /* of the chunk, if they are not in memory already; NULL: they are */
    size_t packed_size;
    bool done; /* false: no memory for zlib */
};

/* Puts the first bytes of all n elements of `size` bytes together, then the second bytes, and so
 * on, as HDF5's filter does, because bytes of the same weight are alike. Elements beyond the end of
 * the dataset, in its last chunk, are zeros. */
static void shuffle(const unsigned char *element, size_t n, size_t size, size_t n_chunk,
                    unsigned char *shuffled)
{
    for (size_t b = 0; b < size; b++) {
        unsigned char *plane = shuffled + b * n_chunk;
        for (size_t k = 0; k < n; k++)
            plane[k] = element[k * size + b];
        memset(plane + n, 0, n_chunk - n);
    }
}

/* Fletcher's checksum of 16-bit words, high byte first; the sums are taken modulo 2^16 - 1. */
static uint32_t fletcher32(const unsigned char *bytes, size_t n)
{
    enum { WORDS = 360 }; /* the sums of so many do not overflow */
    uint32_t low = 0, high = 0;
    for (size_t words = n / 2; words > 0;) {
        size_t some = words < WORDS ? words : WORDS;
        words -= some;
        for (; some > 0; some--, bytes += 2)
            high += low += (uint32_t)(bytes[0] << 8 | bytes[1]);
        low = (low & 0xffff) + (low >> 16);
        high = (high & 0xffff) + (high >> 16);
    }
    if (n % 2) {
        high += low += (uint32_t)(bytes[0] << 8);
        low = (low & 0xffff) + (low >> 16);
        high = (high & 0xffff) + (high >> 16);
    }
    low = (low & 0xffff) + (low >> 16);
    high = (high & 0xffff) + (high >> 16);
    return high << 16 | low;
}

static size_t chunk_bytes(const struct hdf_chunks *chunks)
{
    return chunks->rows * chunks->elements * chunks->size;
}

static size_t packed_room(const struct hdf_chunks *chunks)
{
    return compressBound(chunk_bytes(chunks)) + CHECKSUM;
}

/* Repeats of single bytes are all that is looked for: what the search for longer ones, which gzip 1
 * does, finds in places and velocities is a tenth of the room, and takes three times as long. */
static bool compress_shuffled(struct packing *packing, size_t n)
{
    enum { FASTEST = 1, USUAL_MEMORY = 8 };
    z_stream stream = {0};
    if (deflateInit2(&stream, FASTEST, Z_DEFLATED, MAX_WBITS, USUAL_MEMORY, Z_RLE) != Z_OK)
        return false;
    stream.next_in = packing->shuffled;
    stream.avail_in = (uInt)n; /* HDF5's chunks are shorter than 4 GiB */
    stream.next_out = packing->packed;
    stream.avail_out = (uInt)compressBound(n);
    bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packing->packed_size = stream.total_out;
    deflateEnd(&stream);
    return done;
}

static void pack(const struct hdf_chunks *chunks, size_t first_row, struct packing *packing)
{
    size_t rows = chunks->all_rows - first_row, bytes = chunk_bytes(chunks);
    size_t n = (rows < chunks->rows ? rows : chunks->rows) * chunks->elements;
    size_t width = chunks->elements * chunks->size;
    const unsigned char *element = packing->row
                                       ? (const unsigned char *)packing->row
                                       : (const unsigned char *)chunks->data + first_row * width;
    if (chunks->shuffle)
        shuffle(element, n, chunks->size, chunks->rows * chunks->elements, packing->shuffled);
    else
        shuffle(element, n * chunks->size, 1, bytes, packing->shuffled);
    packing->done = compress_shuffled(packing, bytes);
    if (!packing->done)
        return;
    uint32_t sum = fletcher32(packing->packed, packing->packed_size);
    for (size_t k = 0; k < CHECKSUM; k++)
        packing->packed[packing->packed_size++] = (unsigned char)(sum >> 8 * k);
}

static enum status write_packed(hid_t set, const char *name, size_t first_row,
                                const struct packing *packing, struct error *error)
{
    const hsize_t offset[2] = {first_row, 0};
    if (!packing->done)
        return error_set(error, STATUS_FAILED, "out of memory for compressing %s", name);
    if (H5Dwrite_chunk(set, H5P_DEFAULT, 0, offset, packing->packed_size, packing->packed) < 0)
        return hdf_failure(error, STATUS_FAILED, "writing dataset", name);
    return STATUS_OK;
}

/* Gets the rows of a chunk that are in a file. */
static enum status fetch(const struct hdf_chunks *chunks, size_t first_row, struct packing *packing,
                         struct error *error)
{
    size_t left = chunks->all_rows - first_row;
    return packing->row
               ? row_file_read(chunks->source, first_row, left < chunks->rows ? left : chunks->rows,
                               packing->row, error)
               : STATUS_OK;
}

/* Chunks are packed in any order, as many at once as there is room for, and written in their own
 * order. */
static enum status write_all(hid_t set, const char *name, const struct hdf_chunks *chunks,
                             size_t at_once, struct packing *packing, struct error *error)
{
    size_t n = (chunks->all_rows - 1) / chunks->rows + 1;
    enum status status = STATUS_OK;
    for (size_t first = 0; first < n && !status; first += at_once) {
        size_t some = n - first < at_once ? n - first : at_once;
        for (size_t k = 0; k < some && !status; k++)
            status = fetch(chunks, (first + k) * chunks->rows, &packing[k], error);
        if (status)
            return status;
#pragma omp parallel for schedule(dynamic, 1) if (some > 1)
        for (size_t k = 0; k < some; k++)
            pack(chunks, (first + k) * chunks->rows, &packing[k]);
        for (size_t k = 0; k < some && !status; k++)
            status = write_packed(set, name, (first + k) * chunks->rows, &packing[k], error);
    }
    return status;
}

enum status hdf_chunks_write(hid_t set, const char *name, const struct hdf_chunks *chunks,
                             struct error *error)
{
    size_t n = (chunks->all_rows - 1) / chunks->rows + 1, most = 2 * (size_t)omp_get_max_threads();
    size_t at_once = n < most ? n : most, bytes = chunk_bytes(chunks), room = packed_room(chunks);
    struct packing *packing;
    unsigned char *memory = NULL;
    double *row = NULL;
    enum status status = array_create(&packing, at_once, sizeof *packing, name, error);
    if (!status)
        status = array_create(&memory, at_once, bytes + room, name, error);
    if (!status && !chunks->data)
        status = array_create(&row, at_once, bytes, name, error);
    for (size_t k = 0; k < at_once && !status; k++) {
        packing[k].shuffled = memory + k * (bytes + room);
        packing[k].packed = packing[k].shuffled + bytes;
        packing[k].row = row ? row + k * (bytes / sizeof *row) : NULL;
    }
    if (!status)
        status = write_all(set, name, chunks, at_once, packing, error);
    free(row);
    free(memory);
    free(packing);
    return status;
}
