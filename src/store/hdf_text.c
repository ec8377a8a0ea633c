#include "store/hdf_parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Strings have a fixed length, because those of variable length live in a heap without
 * checksums. */
hid_t hdf_text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, size) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 ||
                      H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

enum status hdf_texts_pack(size_t n, const char *const *text, size_t *size, char **packed,
                           struct error *error)
{
    *size = 1;
    for (size_t i = 0; i < n; i++)
        *size = strlen(text[i]) + 1 > *size ? strlen(text[i]) + 1 : *size;
    if (array_create(packed, n, *size, "texts", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++)
        memcpy(*packed + i * *size, text[i], strlen(text[i]));
    return STATUS_OK;
}

enum status hdf_texts_create(size_t n, size_t size, const char *name, char ***text,
                             struct error *error)
{
    *text = NULL;
    if (size > 1u << 30)
        return error_set(error, STATUS_INVALID, "%s has absurdly long texts", name);
    if (array_create(text, n, sizeof **text + size + 1, name, error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++)
        (*text)[i] = (char *)(*text + n) + i * (size + 1);
    return STATUS_OK;
}

/* Goes from the last to the first, so that nothing is overwritten before it has moved. Each field
 * ends with a zero of its own, whatever the file holds. */
void hdf_texts_spread(size_t n, size_t size, char **text)
{
    char *first = (char *)(text + n);
    for (size_t i = n; i-- > 0;) {
        memmove(text[i], first + i * size, size);
        text[i][size] = '\0';
    }
}

enum status hdf_texts_write(hid_t place, const char *name, size_t n, const char *const *text,
                            struct error *error)
{
    size_t size;
    struct hdf_array array = {.rows = n};
    char *packed;
    if (hdf_texts_pack(n, text, &size, &packed, error))
        return STATUS_FAILED;
    array.data = packed;
    hid_t type = hdf_text_type(size);
    enum status status = hdf_dataset_write(place, name, type, type, &array, false, error);
    H5Tclose(type);
    free(packed);
    return status;
}

enum status hdf_texts_read(hid_t place, const char *name, size_t *n, char ***text,
                           struct error *error)
{
    hid_t set;
    *text = NULL;
    *n = 0;
    enum status status = hdf_dataset_open(place, name, &set, error);
    if (status != STATUS_OK)
        return status;
    int rank;
    hsize_t extent[2];
    hid_t type = H5Dget_type(set);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
        !hdf_dataset_extent(set, &rank, extent) || rank != 1) {
        status = error_set(error, STATUS_INVALID, "dataset %s is not a list of texts", name);
    } else {
        size_t size = H5Tget_size(type);
        *n = (size_t)extent[0];
        status = hdf_texts_create(*n, size, name, text, error);
        if (status == STATUS_OK && *n > 0 &&
            H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text + *n) < 0)
            status = hdf_failure(error, STATUS_INVALID, "reading dataset", name);
        if (status == STATUS_OK)
            hdf_texts_spread(*n, size, *text);
    }
    if (status != STATUS_OK) {
        free(*text);
        *text = NULL;
    }
    H5Tclose(type);
    H5Dclose(set);
    return status;
}
