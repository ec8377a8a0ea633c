#include "store/hdf_parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Rows of tables are long, and as many of them are in memory at once as in a chunk. */
enum { CHUNK_ROWS = 65536, TABLE_CHUNK_ROWS = ROWS_IN_MEMORY, COMPACT_MAX = 128 };

/* HDF5's type names are variables of the library, so they cannot stand in a constant table. */
hid_t hdf_file_type(enum element element)
{
    const hid_t type[] = {
        [ELEMENT_F64] = H5T_IEEE_F64LE, [ELEMENT_F32] = H5T_IEEE_F32LE,
        [ELEMENT_U64] = H5T_STD_U64LE,  [ELEMENT_I64] = H5T_STD_I64LE,
        [ELEMENT_U32] = H5T_STD_U32LE,  [ELEMENT_U8] = H5T_STD_U8LE,
    };
    return type[element];
}

hid_t hdf_memory_type(enum element element)
{
    const hid_t type[] = {
        [ELEMENT_F64] = H5T_NATIVE_DOUBLE, [ELEMENT_F32] = H5T_NATIVE_FLOAT,
        [ELEMENT_U64] = H5T_NATIVE_UINT64, [ELEMENT_I64] = H5T_NATIVE_INT64,
        [ELEMENT_U32] = H5T_NATIVE_UINT32, [ELEMENT_U8] = H5T_NATIVE_UINT8,
    };
    return type[element];
}

/* HDF5 closes itself at exit; after a failed write or a damaged file it then crashes, or prints
 * that it cannot. Here every file is closed explicitly, so that nothing is left to do at exit. This
 * takes effect only if it is the first call to HDF5. */
void hdf_silence_begin(struct hdf_silence *silence)
{
    H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &silence->function, &silence->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void hdf_silence_end(const struct hdf_silence *silence)
{
    H5Eset_auto2(H5E_DEFAULT, silence->function, silence->data);
}

static herr_t keep_innermost(unsigned n, const H5E_error2_t *entry, void *data)
{
    if (n == 0 && entry->desc)
        snprintf(data, 256, "%s", entry->desc);
    return 0;
}

/* HDF5 describes a failed read or write with the time, addresses and sizes; what matters is the
 * system's own message in the middle. */
static void keep_system_message(char *cause)
{
    static const char mark[] = "error message = '";
    const char *begin = strstr(cause, mark);
    if (!begin)
        return;
    begin += sizeof mark - 1;
    size_t length = strcspn(begin, "'");
    memmove(cause, begin, length);
    cause[length] = '\0';
}

/* Notes whether memory ran out. Not all functions of HDF5 say "no space"; some have only a
 * description. */
static herr_t find_memory_shortage(unsigned n, const H5E_error2_t *entry, void *data)
{
    (void)n;
    if ((entry->maj_num == H5E_RESOURCE && entry->min_num == H5E_NOSPACE) ||
        (entry->desc && strstr(entry->desc, "memory alloc")))
        *(bool *)data = true;
    return 0;
}

enum status hdf_failure(struct error *error, enum status status, const char *what, const char *name)
{
    char cause[256] = "no cause given, as when memory runs out";
    bool no_memory = false;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_memory_shortage, &no_memory);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, cause);
    keep_system_message(cause);
    for (char *c = cause; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return error_set(error, no_memory ? STATUS_FAILED : status, "%s %s failed (HDF5: %s)%s", what,
                     name, cause, no_memory ? ": out of memory" : "");
}

/* Format 1.10 has checksums in all metadata; older ones do not, so that HDF5 can trip over damage.
 * Locks are of no use for files with unique names and fail on some network file systems. */
static hid_t access_list(void)
{
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0 && (H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0 ||
                      H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) < 0 ||
                      H5Pset_file_locking(list, false, true) < 0)) {
        H5Pclose(list);
        return -1;
    }
    return list;
}

/* Property list of a file, group or dataset: no times, links and attributes in the checksummed
 * object header itself. */
static hid_t creation_list(hid_t class)
{
    hid_t list = H5Pcreate(class);
    bool ok = list >= 0 && H5Pset_obj_track_times(list, false) >= 0 &&
              H5Pset_attr_phase_change(list, COMPACT_MAX, 0) >= 0;
    if (ok && (class == H5P_FILE_CREATE || class == H5P_GROUP_CREATE))
        ok = H5Pset_link_phase_change(list, COMPACT_MAX, 0) >= 0;
    if (ok || list < 0)
        return list;
    H5Pclose(list);
    return -1;
}

enum status hdf_create(const char *path, size_t head, hid_t *file, struct error *error)
{
    hid_t access = access_list(), creation = creation_list(H5P_FILE_CREATE);
    *file = -1;
    if (access >= 0 && creation >= 0 && H5Pset_userblock(creation, head) >= 0)
        *file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    enum status status = STATUS_OK;
    if (*file < 0)
        status = hdf_failure(error, STATUS_FAILED, "creating", "the file");
    H5Pclose(access);
    H5Pclose(creation);
    return status;
}

enum status hdf_open(const char *path, hid_t *file, struct error *error)
{
    hid_t access = access_list();
    *file = access < 0 ? -1 : H5Fopen(path, H5F_ACC_RDONLY, access);
    enum status status = STATUS_OK;
    if (*file < 0)
        status = hdf_failure(error, STATUS_INVALID, "opening", "as an HDF5 file");
    H5Pclose(access);
    return status;
}

enum status hdf_close(hid_t file, struct error *error)
{
    if (file >= 0 && H5Fclose(file) < 0)
        return hdf_failure(error, STATUS_FAILED, "closing", "the file");
    return STATUS_OK;
}

enum status hdf_group_create(hid_t place, const char *name, struct error *error)
{
    hid_t list = creation_list(H5P_GROUP_CREATE);
    hid_t group = list < 0 ? -1 : H5Gcreate2(place, name, H5P_DEFAULT, list, H5P_DEFAULT);
    enum status status = STATUS_OK;
    if (group < 0 || H5Gclose(group) < 0)
        status = hdf_failure(error, STATUS_FAILED, "making group", name);
    H5Pclose(list);
    return status;
}

enum status hdf_link(hid_t place, const char *target, const char *name, struct error *error)
{
    if (H5Lcreate_hard(place, target, place, name, H5P_DEFAULT, H5P_DEFAULT) < 0)
        return hdf_failure(error, STATUS_FAILED, "linking", name);
    return STATUS_OK;
}

enum status hdf_exists(hid_t place, const char *name, bool *exists, struct error *error)
{
    htri_t found = H5Lexists(place, name, H5P_DEFAULT);
    *exists = found > 0;
    return found < 0 ? hdf_failure(error, STATUS_INVALID, "looking for", name) : STATUS_OK;
}

/* What is written into a dataset, and how. */
struct filling {
    const struct hdf_array *array;
    struct row_file *source; /* where its rows are if array->data is NULL */
    size_t most_rows;        /* of a chunk */
    bool shuffle;
};

static size_t chunk_rows(const struct filling *f)
{
    return f->array->rows < f->most_rows ? f->array->rows : f->most_rows;
}

/* Shuffle + gzip + fletcher32 in chunks; an array without rows has nothing to protect, and no
 * chunk fits in it. */
static hid_t dataset_list(const struct filling *f)
{
    const size_t rows = f->array->rows, columns = f->array->columns;
    hid_t list = creation_list(H5P_DATASET_CREATE);
    hsize_t chunk[2] = {chunk_rows(f), columns};
    bool ok = list >= 0 && H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0;
    if (ok && rows > 0)
        ok = H5Pset_chunk(list, columns ? 2 : 1, chunk) >= 0 &&
             (!f->shuffle || H5Pset_shuffle(list) >= 0) && H5Pset_deflate(list, 1) >= 0 &&
             H5Pset_fletcher32(list) >= 0;
    if (ok || list < 0)
        return list;
    H5Pclose(list);
    return -1;
}

/* HDF5 converts and filters what is not the same in memory as in the file, all of it at once. */
static enum status convert(hid_t set, const char *name, hid_t in_memory, const struct filling *f,
                           struct error *error)
{
    const struct hdf_array *array = f->array;
    double *rows = NULL;
    enum status status = STATUS_OK;
    if (!array->data) {
        status = array_create(&rows, array->rows * array->columns, sizeof *rows, name, error);
        if (!status)
            status = row_file_read(f->source, 0, array->rows, rows, error);
    }
    if (!status && H5Dwrite(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                            array->data ? array->data : rows) < 0)
        status = hdf_failure(error, STATUS_FAILED, "writing dataset", name);
    free(rows);
    return status;
}

/* Threads filter what is the same in memory as in the file. */
static enum status fill_dataset(hid_t set, const char *name, hid_t in_file, hid_t in_memory,
                                const struct filling *f, struct error *error)
{
    const struct hdf_array *array = f->array;
    if (array->rows == 0)
        return STATUS_OK;
    if (H5Tequal(in_file, in_memory) <= 0)
        return convert(set, name, in_memory, f, error);
    const struct hdf_chunks chunks = {.data = array->data,
                                      .source = f->source,
                                      .all_rows = array->rows,
                                      .rows = chunk_rows(f),
                                      .elements = array->columns ? array->columns : 1,
                                      .size = H5Tget_size(in_file),
                                      .shuffle = f->shuffle};
    return hdf_chunks_write(set, name, &chunks, error);
}

static enum status write_dataset(hid_t place, const char *name, hid_t in_file, hid_t in_memory,
                                 const struct filling *f, struct error *error)
{
    const struct hdf_array *array = f->array;
    hsize_t extent[2] = {array->rows, array->columns};
    hid_t space = H5Screate_simple(array->columns ? 2 : 1, extent, NULL);
    hid_t list = dataset_list(f);
    hid_t set = -1;
    if (space >= 0 && list >= 0)
        set = H5Dcreate2(place, name, in_file, space, H5P_DEFAULT, list, H5P_DEFAULT);
    enum status status;
    if (set < 0)
        status = hdf_failure(error, STATUS_FAILED, "writing dataset", name);
    else
        status = fill_dataset(set, name, in_file, in_memory, f, error);
    if (set >= 0 && H5Dclose(set) < 0 && status == STATUS_OK)
        status = hdf_failure(error, STATUS_FAILED, "writing dataset", name);
    H5Pclose(list);
    H5Sclose(space);
    return status;
}

enum status hdf_dataset_write(hid_t place, const char *name, hid_t in_file, hid_t in_memory,
                              const struct hdf_array *array, bool shuffle, struct error *error)
{
    const struct filling filling = {array, NULL, CHUNK_ROWS, shuffle};
    return write_dataset(place, name, in_file, in_memory, &filling, error);
}

enum status hdf_array_write(hid_t place, const char *name, const struct hdf_array *array,
                            struct error *error)
{
    return hdf_dataset_write(place, name, hdf_file_type(array->element),
                             hdf_memory_type(array->element), array, true, error);
}

enum status hdf_table_write(hid_t place, const char *name, const struct hdf_array *array,
                            struct row_file *rows, struct error *error)
{
    const struct filling filling = {array, rows, TABLE_CHUNK_ROWS, true};
    return write_dataset(place, name, hdf_file_type(array->element),
                         hdf_memory_type(array->element), &filling, error);
}

bool hdf_dataset_extent(hid_t set, int *rank, hsize_t extent[2])
{
    hid_t space = H5Dget_space(set);
    extent[0] = extent[1] = 0;
    *rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    bool ok = *rank >= 0 && *rank <= 2 && H5Sget_simple_extent_dims(space, extent, NULL) >= 0;
    H5Sclose(space);
    return ok;
}

/* Links to other files; a file that is opened by one may also be a pipe. */
static bool links_elsewhere(hid_t place, const char *name)
{
    H5L_info_t link;
    return H5Lget_info(place, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD;
}

/* External storage and virtual datasets name other files, too. */
static bool lies_elsewhere(hid_t set)
{
    hid_t list = H5Dget_create_plist(set);
    bool elsewhere =
        list < 0 || H5Pget_external_count(list) != 0 || H5Pget_layout(list) == H5D_VIRTUAL;
    H5Pclose(list);
    return elsewhere;
}

enum status hdf_dataset_open(hid_t place, const char *name, hid_t *set, struct error *error)
{
    bool exists;
    *set = -1;
    enum status status = hdf_exists(place, name, &exists, error);
    if (status)
        return status;
    if (!exists)
        return error_set(error, STATUS_INVALID, "has no dataset %s", name);
    bool elsewhere = links_elsewhere(place, name);
    if (!elsewhere)
        *set = H5Dopen2(place, name, H5P_DEFAULT);
    if (!elsewhere && *set < 0)
        return hdf_failure(error, STATUS_INVALID, "opening dataset", name);
    if (elsewhere || lies_elsewhere(*set))
        return error_set(error, STATUS_INVALID,
                         "dataset %s lies in another file; a frame has all its data itself", name);
    return STATUS_OK;
}

static bool same_type(hid_t set, hid_t expected)
{
    hid_t type = H5Dget_type(set);
    bool same = type >= 0 && H5Tequal(type, expected) > 0;
    H5Tclose(type);
    return same;
}

static enum status check_shape(hid_t set, const char *name, struct hdf_array *array,
                               struct error *error)
{
    int rank;
    hsize_t extent[2];
    if (!same_type(set, hdf_file_type(array->element)))
        return error_set(error, STATUS_INVALID, "dataset %s is not of type %s", name,
                         element_name(array->element));
    if (!hdf_dataset_extent(set, &rank, extent) || rank != (array->columns ? 2 : 1) ||
        (array->columns != HDF_ANY_COLUMNS && extent[1] != array->columns))
        return error_set(error, STATUS_INVALID, "dataset %s has the wrong shape", name);
    array->rows = (size_t)extent[0];
    array->columns = (size_t)extent[1];
    return STATUS_OK;
}

enum status hdf_array_read(hid_t place, const char *name, struct hdf_array *array, void **data,
                           struct error *error)
{
    hid_t set;
    *data = NULL;
    enum status status = hdf_dataset_open(place, name, &set, error);
    if (status == STATUS_OK)
        status = check_shape(set, name, array, error);
    size_t width = array->columns ? array->columns : 1;
    if (status == STATUS_OK)
        status = array_create(data, array->rows, width * element_size(array->element), name, error);
    if (status == STATUS_OK && array->rows > 0 &&
        H5Dread(set, hdf_memory_type(array->element), H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) < 0)
        status = hdf_failure(error, STATUS_INVALID, "reading dataset", name);
    if (status != STATUS_OK) {
        free(*data);
        *data = NULL;
    }
    if (set >= 0)
        H5Dclose(set);
    return status;
}

enum status hdf_array_shape(hid_t place, const char *name, struct hdf_array *array,
                            struct error *error)
{
    hid_t set;
    enum status status = hdf_dataset_open(place, name, &set, error);
    if (status == STATUS_OK)
        status = check_shape(set, name, array, error);
    if (set >= 0)
        H5Dclose(set);
    return status;
}

enum status hdf_table_read(hid_t place, const char *name, const struct hdf_array *shape,
                           size_t first, size_t n, double *value, struct error *error)
{
    const hsize_t offset[2] = {first, 0}, extent[2] = {n, shape->columns};
    hid_t set;
    enum status status = hdf_dataset_open(place, name, &set, error);
    if (status)
        return status;
    hid_t in_file = H5Dget_space(set), in_memory = H5Screate_simple(2, extent, NULL);
    if (in_file < 0 || in_memory < 0 ||
        H5Sselect_hyperslab(in_file, H5S_SELECT_SET, offset, NULL, extent, NULL) < 0 ||
        H5Dread(set, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, value) < 0)
        status = hdf_failure(error, STATUS_INVALID, "reading dataset", name);
    H5Sclose(in_memory);
    H5Sclose(in_file);
    H5Dclose(set);
    return status;
}

enum status hdf_rows(hid_t place, const char *name, size_t *rows, struct error *error)
{
    hid_t set;
    int rank;
    hsize_t extent[2] = {0, 0};
    enum status status = hdf_dataset_open(place, name, &set, error);
    if (status == STATUS_OK && (!hdf_dataset_extent(set, &rank, extent) || rank < 1))
        status = error_set(error, STATUS_INVALID, "dataset %s has the wrong shape", name);
    *rows = (size_t)extent[0];
    if (set >= 0)
        H5Dclose(set);
    return status;
}
