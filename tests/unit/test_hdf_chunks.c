/* Datasets that are filtered by several threads: chunks that contain what HDF5 writes by itself,
 * and that HDF5 reads. */
#include "base/memory.h"
#include "files.h"
#include "particles/random.h"
#include "store/hdf_parts.h"
#include "tap.h"

#include <omp.h>
#include <zlib.h>

static struct files files;
static const char *const own = files.first, *const reference = files.second;

static void make_folder(void)
{
    files_begin(&files, "own.hdf", "reference.hdf");
}

static void remove_folder(void)
{
    files_end(&files);
}

/* A file with one dataset, written by hdf_dataset_write. */
static void write_own(const struct hdf_array *array, hid_t in_file, hid_t in_memory, bool shuffled)
{
    hid_t file;
    struct error error = {0};
    check_equal(hdf_create(own, 512, &file, &error), STATUS_OK, "create");
    check_equal(hdf_dataset_write(file, "x", in_file, in_memory, array, shuffled, &error),
                STATUS_OK, error.message);
    check_equal(hdf_close(file, &error), STATUS_OK, "close");
}

/* The same dataset in a file that HDF5 filled by itself. */
static void write_reference(const struct hdf_array *array, hid_t in_file, hid_t in_memory)
{
    hid_t file, other, set, like;
    struct error error = {0};
    check_equal(hdf_create(reference, 512, &file, &error), STATUS_OK, "create");
    check_equal(hdf_open(own, &other, &error), STATUS_OK, "open");
    check_equal(hdf_dataset_open(other, "x", &like, &error), STATUS_OK, "open");
    hid_t list = H5Dget_create_plist(like), space = H5Dget_space(like);
    set = H5Dcreate2(file, "x", in_file, space, H5P_DEFAULT, list, H5P_DEFAULT);
    check(set >= 0 && H5Dwrite(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->data) >= 0);
    H5Sclose(space);
    H5Pclose(list);
    H5Dclose(like);
    H5Dclose(set);
    check_equal(hdf_close(other, &error), STATUS_OK, "close");
    check_equal(hdf_close(file, &error), STATUS_OK, "close");
}

static void check_same_files(void)
{
    size_t n, m;
    char *a = file_bytes(own, &n), *b = file_bytes(reference, &m);
    check_equal(n, m, "sizes");
    check(n == m && memcmp(a, b, n) == 0);
    free(a);
    free(b);
}

static hid_t open_set(const char *name, hid_t *file)
{
    hid_t set;
    struct error error = {0};
    check_equal(hdf_open(name, file, &error), STATUS_OK, "open");
    check_equal(hdf_dataset_open(*file, "x", &set, &error), STATUS_OK, "open");
    return set;
}

static void close_set(hid_t set, hid_t file)
{
    struct error error = {0};
    H5Dclose(set);
    check_equal(hdf_close(file, &error), STATUS_OK, "close");
}

/* What was compressed into chunk k of a dataset, owned by the caller; its checksum is HDF5's
 * affair. */
static unsigned char *unpacked_chunk(hid_t set, hsize_t k, uLongf *size)
{
    enum { CHECKSUM = 4, MOST = 1 << 22 };
    hsize_t offset[2], packed_size;
    unsigned filters;
    unsigned char *packed = malloc(MOST), *bytes = malloc(MOST);
    hid_t space = H5Dget_space(set);
    if (!packed || !bytes ||
        H5Dget_chunk_info(set, space, k, offset, &filters, NULL, &packed_size) < 0 ||
        packed_size > MOST || H5Dread_chunk(set, H5P_DEFAULT, offset, &filters, packed) < 0)
        abort();
    check_equal(filters, 0, "filters left out");
    *size = MOST;
    check_equal(uncompress(bytes, size, packed, packed_size - CHECKSUM), Z_OK, "zlib");
    H5Sclose(space);
    free(packed);
    return bytes;
}

/* Also beyond the end of the dataset, in its last chunk. */
static void check_same_chunks(void)
{
    hid_t a_file, b_file, a = open_set(own, &a_file), b = open_set(reference, &b_file);
    hid_t space = H5Dget_space(a);
    hsize_t n = 0, n_reference = 1;
    check(H5Dget_num_chunks(a, space, &n) >= 0 && H5Dget_num_chunks(b, space, &n_reference) >= 0);
    check_equal(n, n_reference, "chunks");
    for (hsize_t k = 0; k < n; k++) {
        uLongf size, size_reference;
        unsigned char *x = unpacked_chunk(a, k, &size);
        unsigned char *y = unpacked_chunk(b, k, &size_reference);
        check(size == size_reference && memcmp(x, y, size) == 0);
        free(x);
        free(y);
    }
    H5Sclose(space);
    close_set(a, a_file);
    close_set(b, b_file);
}

/* HDF5 refuses to read a chunk with another checksum. */
static void check_read(const struct hdf_array *array, hid_t type)
{
    hid_t file, set = open_set(own, &file);
    size_t n = array->rows * (array->columns ? array->columns : 1) * H5Tget_size(type);
    unsigned char *back = malloc(n);
    check(back && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) >= 0);
    check(back && memcmp(back, array->data, n) == 0);
    free(back);
    close_set(set, file);
}

static void check_array(const struct hdf_array *array, hid_t type, bool shuffled)
{
    const int threads[] = {1, 2, 5};
    int before = omp_get_max_threads();
    char *first = NULL;
    size_t size = 0;
    for (size_t k = 0; k < 3; k++) {
        omp_set_num_threads(threads[k]);
        write_own(array, type, type, shuffled);
        size_t n;
        char *bytes = file_bytes(own, &n);
        if (k == 0) {
            first = bytes;
            size = n;
            continue;
        }
        check(n == size && memcmp(bytes, first, n) == 0);
        free(bytes);
    }
    free(first);
    omp_set_num_threads(before);
    write_reference(array, type, type);
    check_same_chunks();
    check_read(array, type);
}

/* Smooth numbers, which compress, and noise, which does not; n bytes. */
static unsigned char *contents(size_t n, bool noise)
{
    unsigned char *bytes = malloc(n);
    if (!bytes)
        abort();
    for (size_t k = 0; k < n; k++)
        bytes[k] = (unsigned char)(noise ? 256.0 * random_uniform(5, 1, k, RANDOM_TEST)
                                         : (double)(k / 100 % 7));
    return bytes;
}

TEST(chunks_hold_what_hdf5_writes_for_any_number_of_threads)
{
    const struct {
        enum element element;
        size_t rows, columns;
    } shape[] = {
        {ELEMENT_U8, 1, 0},       {ELEMENT_U8, 1001, 0},    {ELEMENT_F64, 3, 3},
        {ELEMENT_F64, 65536, 3},  {ELEMENT_F64, 65537, 0},  {ELEMENT_U32, 140001, 3},
        {ELEMENT_U8, 400003, 0},  {ELEMENT_F32, 200000, 0}, {ELEMENT_F64, 31, 97},
        {ELEMENT_I64, 131072, 0}, {ELEMENT_U64, 70000, 2},
    };
    make_folder();
    for (size_t k = 0; k < sizeof shape / sizeof shape[0]; k++)
        for (int noise = 0; noise < 2; noise++) {
            size_t width = shape[k].columns ? shape[k].columns : 1;
            unsigned char *bytes =
                contents(shape[k].rows * width * element_size(shape[k].element), noise);
            struct hdf_array array = {shape[k].element, shape[k].rows, shape[k].columns, bytes};
            check_array(&array, hdf_file_type(shape[k].element), true);
            free(bytes);
        }
    remove_folder();
}

TEST(texts_are_not_shuffled)
{
    make_folder();
    hid_t type = hdf_text_type(11);
    unsigned char *bytes = contents(11 * 70001, false);
    struct hdf_array array = {.rows = 70001, .data = bytes};
    check_array(&array, type, false);
    H5Tclose(type);
    free(bytes);
    remove_folder();
}

/* A machine whose numbers are not those of the file leaves all to HDF5. */
TEST(numbers_that_have_to_be_converted_are_converted)
{
    make_folder();
    unsigned char *bytes = contents(8 * 70001, true);
    struct hdf_array array = {.element = ELEMENT_I64, .rows = 70001, .data = bytes};
    write_own(&array, H5T_STD_I64BE, H5T_STD_I64LE, true);
    write_reference(&array, H5T_STD_I64BE, H5T_STD_I64LE);
    check_same_files();
    check_read(&array, H5T_STD_I64LE);
    free(bytes);
    remove_folder();
}

TEST(no_memory_for_chunks_is_an_error)
{
    make_folder();
    unsigned char *bytes = contents(1000, true);
    struct hdf_array array = {.element = ELEMENT_U8, .rows = 1000, .data = bytes};
    enum status status = STATUS_FAILED;
    long n = 0;
    for (; n < 20 && status; n++) {
        hid_t file;
        struct error error = {0};
        check_equal(hdf_create(own, 0, &file, &error), STATUS_OK, "create");
        memory_fail_after(n);
        status = hdf_array_write(file, "x", &array, &error);
        memory_fail_after(-1);
        check(!status || strstr(error.message, "out of memory for x"));
        check_equal(hdf_close(file, &error), STATUS_OK, "close");
    }
    check(n > 2 && n < 20);
    free(bytes);
    remove_folder();
}
