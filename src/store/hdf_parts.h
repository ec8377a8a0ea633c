/* Declarations that the files of store/hdf.h share. */
#ifndef STORE_HDF_PARTS_H
#define STORE_HDF_PARTS_H

#include "store/hdf.h"

hid_t hdf_file_type(enum element element);
hid_t hdf_memory_type(enum element element);
/* The type of texts in fields of `size` bytes. */
hid_t hdf_text_type(size_t size);

/* "<what> <name> failed (HDF5: <its own message for the innermost cause>)"; always STATUS_FAILED
 * if HDF5 ran out of memory, which says nothing about the file. */
enum status hdf_failure(struct error *error, enum status status, const char *what,
                        const char *name);

enum status hdf_dataset_open(hid_t place, const char *name, hid_t *set, struct error *error);
/* Gets the extent of a dataset. A dimension that it does not have is 0; false if it has more than
 * two. */
bool hdf_dataset_extent(hid_t set, int *rank, hsize_t extent[2]);
/* Ignores array->element. */
enum status hdf_dataset_write(hid_t place, const char *name, hid_t in_file, hid_t in_memory,
                              const struct hdf_array *array, bool shuffle, struct error *error);

/* The contents of a dataset, to be filtered and written chunk by chunk. */
struct hdf_chunks {
    const void *data;        /* as it is in the file (all_rows x elements x size bytes) */
    struct row_file *source; /* the same, if data is NULL */
    size_t all_rows, rows;   /* of the dataset, > 0; of a chunk, > 0 */
    size_t elements, size;   /* of a row; bytes of an element */
    bool shuffle;
};
/* hdf_chunks.c: fills a dataset whose filters are shuffle (if chunks->shuffle), gzip and
 * fletcher32, by as many threads as there are. The bytes do not depend on their number; HDF5 reads
 * them as if it had written them. */
enum status hdf_chunks_write(hid_t set, const char *name, const struct hdf_chunks *chunks,
                             struct error *error);

/* Puts the texts side by side into fields of *size bytes, filled up with zeros; the caller owns
 * *packed. */
enum status hdf_texts_pack(size_t n, const char *const *text, size_t *size, char **packed,
                           struct error *error);
/* Makes one block: the pointers, then the fields they point to, with room for a final zero each.
 * The caller reads the packed texts of the file to *text + n; hdf_texts_spread moves the fields to
 * where the pointers point. */
enum status hdf_texts_create(size_t n, size_t size, const char *name, char ***text,
                             struct error *error);
void hdf_texts_spread(size_t n, size_t size, char **text);

#endif
