#include "store/hdf_parts.h"

#include <stdlib.h>
#include <string.h>

/* n = 0: a scalar. */
static enum status attribute_write(hid_t place, const char *object, const char *name, hid_t in_file,
                                   hid_t in_memory, size_t n, const void *data, struct error *error)
{
    hsize_t extent = n;
    hid_t space = n ? H5Screate_simple(1, &extent, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate_by_name(place, object, name, in_file, space, H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT);
    bool ok = attribute >= 0 && H5Awrite(attribute, in_memory, data) >= 0;
    if (attribute >= 0)
        ok = H5Aclose(attribute) >= 0 && ok;
    enum status status = STATUS_OK;
    if (!ok)
        status = hdf_failure(error, STATUS_FAILED, "writing attribute", name);
    H5Sclose(space);
    return status;
}

enum status hdf_attribute_write(hid_t place, const char *object, const char *name,
                                enum element element, size_t n, const void *data,
                                struct error *error)
{
    return attribute_write(place, object, name, hdf_file_type(element), hdf_memory_type(element), n,
                           data, error);
}

enum status hdf_attribute_text_write(hid_t place, const char *object, const char *name,
                                     const char *text, struct error *error)
{
    size_t length = strlen(text);
    hid_t type = hdf_text_type(length ? length : 1);
    enum status status = attribute_write(place, object, name, type, type, 0, text, error);
    H5Tclose(type);
    return status;
}

enum status hdf_attribute_ascii_write(hid_t place, const char *object, const char *name,
                                      const char *text, struct error *error)
{
    hid_t type = hdf_text_type(strlen(text));
    bool ascii = type >= 0 && H5Tset_cset(type, H5T_CSET_ASCII) >= 0;
    enum status status = ascii ? attribute_write(place, object, name, type, type, 0, text, error)
                               : hdf_failure(error, STATUS_FAILED, "writing attribute", name);
    H5Tclose(type);
    return status;
}

enum status hdf_attribute_texts_write(hid_t place, const char *object, const char *name, size_t n,
                                      const char *const *text, struct error *error)
{
    size_t size;
    char *packed;
    if (hdf_texts_pack(n, text, &size, &packed, error))
        return STATUS_FAILED;
    hid_t type = hdf_text_type(size);
    enum status status = attribute_write(place, object, name, type, type, n, packed, error);
    H5Tclose(type);
    free(packed);
    return status;
}

static enum status open_attribute(hid_t place, const char *object, const char *name,
                                  hid_t *attribute, struct error *error)
{
    *attribute = -1;
    htri_t found = H5Aexists_by_name(place, object, name, H5P_DEFAULT);
    if (found < 0)
        return hdf_failure(error, STATUS_INVALID, "looking for attribute", name);
    if (!found)
        return error_set(error, STATUS_INVALID, "has no attribute %s of %s", name,
                         object[0] == '.' ? "the file" : object);
    *attribute = H5Aopen_by_name(place, object, name, H5P_DEFAULT, H5P_DEFAULT);
    if (*attribute < 0)
        return hdf_failure(error, STATUS_INVALID, "opening attribute", name);
    return STATUS_OK;
}

enum status hdf_attribute_read(hid_t place, const char *object, const char *name,
                               enum element element, void *value, struct error *error)
{
    hid_t attribute;
    enum status status = open_attribute(place, object, name, &attribute, error);
    if (status != STATUS_OK)
        return status;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    if (H5Tequal(type, hdf_file_type(element)) <= 0 || H5Sget_simple_extent_npoints(space) != 1)
        status = error_set(error, STATUS_INVALID, "attribute %s is not one %s", name,
                           element_name(element));
    else if (H5Aread(attribute, hdf_memory_type(element), value) < 0)
        status = hdf_failure(error, STATUS_INVALID, "reading attribute", name);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return status;
}

enum status hdf_attribute_texts_read(hid_t place, const char *object, const char *name, size_t *n,
                                     char ***text, struct error *error)
{
    hid_t attribute;
    *text = NULL;
    *n = 0;
    enum status status = open_attribute(place, object, name, &attribute, error);
    if (status != STATUS_OK)
        return status;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || count < 0) {
        status = error_set(error, STATUS_INVALID, "attribute %s is not a list of texts", name);
    } else {
        size_t size = H5Tget_size(type);
        *n = (size_t)count;
        status = hdf_texts_create(*n, size, name, text, error);
        if (status == STATUS_OK && H5Aread(attribute, type, *text + *n) < 0)
            status = hdf_failure(error, STATUS_INVALID, "reading attribute", name);
        if (status == STATUS_OK)
            hdf_texts_spread(*n, size, *text);
    }
    if (status != STATUS_OK) {
        free(*text);
        *text = NULL;
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return status;
}
