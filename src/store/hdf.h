/* The few functions that frames need of HDF5, with errors as values. Files are written so that the
 * bytes depend on the contents alone (no times) and so that damage is noticed: every dataset has a
 * checksum, and the file format is one that has checksums in its metadata. */
#ifndef STORE_HDF_H
#define STORE_HDF_H

#include "base/element.h"
#include "base/error.h"
#include "base/row_file.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HDF_ANY_COLUMNS SIZE_MAX

/* rows x columns numbers, or a list of `rows` numbers when columns is 0. */
struct hdf_array {
    enum element element;
    size_t rows, columns;
    const void *data;
};

/* HDF5 prints its own errors unless told not to. It is silenced only while a function of this room
 * runs, so that a program's own use of HDF5 is not affected. */
struct hdf_silence {
    H5E_auto2_t function;
    void *data;
};
void hdf_silence_begin(struct hdf_silence *silence);
void hdf_silence_end(const struct hdf_silence *silence);

/* Writes into a file that exists (its old contents are dropped), after `head` bytes that
 * HDF5 ignores (0, 512, 1024, ...); hdf_open reads. */
enum status hdf_create(const char *path, size_t head, hid_t *file, struct error *error);
enum status hdf_open(const char *path, hid_t *file, struct error *error);
/* Closes the file and everything that is open in it; reports what could not be written. */
enum status hdf_close(hid_t file, struct error *error);

enum status hdf_group_create(hid_t place, const char *name, struct error *error);
enum status hdf_link(hid_t place, const char *target, const char *name, struct error *error);
enum status hdf_exists(hid_t place, const char *name, bool *exists, struct error *error);

enum status hdf_array_write(hid_t place, const char *name, const struct hdf_array *array,
                            struct error *error);
/* The same for rows of doubles that may be very many: they are in chunks of a few thousand, so that
 * not all need be in memory at once. If array->data is NULL, they are in `rows`. */
enum status hdf_table_write(hid_t place, const char *name, const struct hdf_array *array,
                            struct row_file *rows, struct error *error);
/* array->element and array->columns (or HDF_ANY_COLUMNS) say what is expected; rows and columns are
 * filled; *data is owned by the caller. The element type must be the same, not merely convertible.
 */
enum status hdf_array_read(hid_t place, const char *name, struct hdf_array *array, void **data,
                           struct error *error);
/* Fills rows and columns alone. */
enum status hdf_array_shape(hid_t place, const char *name, struct hdf_array *array,
                            struct error *error);
/* Reads the rows [first, first + n) of an array of doubles of this shape. */
enum status hdf_table_read(hid_t place, const char *name, const struct hdf_array *shape,
                           size_t first, size_t n, double *value, struct error *error);
/* Reads the number of rows alone. */
enum status hdf_rows(hid_t place, const char *name, size_t *rows, struct error *error);

/* A list of texts, stored in fields as long as the longest. When read, all is one block, owned by
 * the caller: free(*text). */
enum status hdf_texts_write(hid_t place, const char *name, size_t n, const char *const *text,
                            struct error *error);
enum status hdf_texts_read(hid_t place, const char *name, size_t *n, char ***text,
                           struct error *error);

/* Attributes of the object named `object` in `place` ("." is `place` itself). */
enum status hdf_attribute_write(hid_t place, const char *object, const char *name,
                                enum element element, size_t n, const void *data,
                                struct error *error);
enum status hdf_attribute_read(hid_t place, const char *object, const char *name,
                               enum element element, void *value, struct error *error);
enum status hdf_attribute_text_write(hid_t place, const char *object, const char *name,
                                     const char *text, struct error *error);
/* Writes a text that is declared as ASCII; all other texts are UTF-8. */
enum status hdf_attribute_ascii_write(hid_t place, const char *object, const char *name,
                                      const char *text, struct error *error);
enum status hdf_attribute_texts_write(hid_t place, const char *object, const char *name, size_t n,
                                      const char *const *text, struct error *error);
enum status hdf_attribute_texts_read(hid_t place, const char *object, const char *name, size_t *n,
                                     char ***text, struct error *error);

#endif
