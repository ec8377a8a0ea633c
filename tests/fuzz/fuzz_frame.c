/* Frames. The input is a list of orders to damage a frame: its first byte says which frame of the
 * folder FUZZ_FRAMES, its second byte how. Changed bytes and frames cut off are told by their
 * sha256, whatever reads them. Changed values of a field, in a frame that is signed anew, are
 * refused with the field's name, or a run can start from them. */
#include "analysis/record.h"
#include "fuzz.h"
#include "run/run.h"
#include "store/frame_digest.h"
#include "store/hdf.h"

#include <math.h>
#include <sys/stat.h>

enum { FRAMES = 2, WAYS = 3, STEPS = 2 };

static struct {
    char *bytes;
    size_t size;
} whole[FRAMES]; /* the initial frame, and one of its run */

struct orders {
    const uint8_t *at, *end;
};

/* Behind the last order all are zero. */
static uint64_t order(struct orders *orders, int bytes)
{
    uint64_t value = 0;
    for (int k = 0; k < bytes; k++)
        value = value << 8 | (orders->at < orders->end ? *orders->at++ : 0);
    return value;
}

/* ---- damage ---- */

static void check_readers(const char *path)
{
    struct frame frame;
    struct error error = {0};
    bool is_whole = true;
    promise(frame_read(path, &frame, &error) == STATUS_INVALID);
    fuzz_message(error.message, path);
    promise(frame_read_tables(path, &frame, NULL, NULL, &error) == STATUS_INVALID);
    fuzz_message(error.message, path);
    if (frame_is_whole(path, &is_whole, &error))
        fuzz_message(error.message, path);
    else
        promise(!is_whole);
}

static void damage(int k, struct orders *orders)
{
    const char *path = fuzz_path("damaged.hdf");
    size_t size = whole[k].size;
    char *bytes = malloc(size);
    if (!bytes)
        abort();
    memcpy(bytes, whole[k].bytes, size);
    do {
        size_t at = order(orders, 3) % size;
        bytes[at] = (char)(bytes[at] ^ (char)(1 + order(orders, 1) % 255));
    } while (orders->at < orders->end);
    if (memcmp(bytes, whole[k].bytes, size) != 0) {
        fuzz_write(path, bytes, size);
        check_readers(path);
    }
    free(bytes);
}

static void cut(int k, struct orders *orders)
{
    const char *path = fuzz_path("damaged.hdf");
    fuzz_write(path, whole[k].bytes, order(orders, 3) % whole[k].size);
    check_readers(path);
}

/* ---- other values ---- */

static uint64_t bits(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

static uint64_t odd_value(struct orders *orders)
{
    const uint64_t odd[] = {0,
                            1,
                            2,
                            UINT64_MAX,
                            UINT32_MAX,
                            INT64_MAX,
                            INT32_MAX,
                            bits(-1.0),
                            bits(1e300),
                            bits(1e-300),
                            bits(-1e18),
                            bits(1e5),
                            0x80,
                            bits(1e-3),
                            bits((double)NAN),
                            bits(-0.0),
                            0x3f800000u,
                            0x7fc00000,
                            bits((double)INFINITY)};
    size_t n = sizeof odd / sizeof odd[0], chosen = order(orders, 1) % (n + 1);
    return chosen < n ? odd[chosen] : order(orders, 8);
}

/* One element of a field gets other bytes. */
static void change(char *value, size_t n, size_t size, struct orders *orders)
{
    size_t place = n ? order(orders, 2) % n : 0;
    uint64_t put = odd_value(orders);
    if (n)
        memcpy(value + place * size, &put, size < sizeof put ? size : sizeof put);
}

static void edit_dataset(hid_t file, uint64_t chosen, struct orders *orders)
{
    char name[64];
    H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, chosen, name, sizeof name,
                       H5P_DEFAULT);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set),
          space = H5Dget_space(set);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    size_t size = H5Tget_size(type);
    char *value = calloc(n > 0 ? (size_t)n : 1, size);
    if (value && n > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0) {
        change(value, (size_t)n, size, orders);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    }
    free(value);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

static void edit_attribute(hid_t file, uint64_t chosen, struct orders *orders)
{
    hid_t attribute =
        H5Aopen_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, chosen, H5P_DEFAULT, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute);
    size_t bytes = H5Aget_storage_size(attribute);
    bool text = H5Tget_class(type) == H5T_STRING;
    char *value = calloc(bytes + 8, 1);
    if (value && !H5Tis_variable_str(type) && H5Aread(attribute, type, value) >= 0) {
        change(value, text ? bytes : 1, text ? 1 : bytes, orders);
        H5Awrite(attribute, type, value);
    }
    free(value);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void edit(const char *path, struct orders *orders)
{
    struct hdf_silence silence;
    hdf_silence_begin(&silence);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5G_info_t group;
    H5O_info_t about;
    if (H5Gget_info(file, &group) < 0 || H5Oget_info(file, &about) < 0)
        abort();
    do {
        uint64_t chosen = order(orders, 1) % (group.nlinks + about.num_attrs);
        if (chosen < group.nlinks)
            edit_dataset(file, chosen, orders);
        else
            edit_attribute(file, chosen - group.nlinks, orders);
    } while (orders->at < orders->end);
    H5Fclose(file);
    hdf_silence_end(&silence);
}

/* A run that begins there, or goes on from there, takes some steps or says what it cannot do. */
static enum status go_on(int k, const char *path, struct error *error)
{
    struct run run;
    const char *out = fuzz_path("run");
    enum status status = k == 0
                             ? run_open(&run, path, out, false, 0.0, error)
                             : run_open_from(&run, fuzz_path("initial.hdf"), path, out, 0.0, error);
    if (status)
        return status;
    struct ledger_row row;
    for (int step = 0; step < STEPS && !status && run_ended(&run) == RUN_GOES_ON; step++)
        status = simulation_step(&run.simulation, run.scene.time.end, &row, error);
    run_close(&run);
    if (status)
        promise(strlen(error->message) > 10);
    return STATUS_OK;
}

static void change_values(int k, struct orders *orders)
{
    const char *path = fuzz_path("edited.hdf");
    struct error error = {0};
    fuzz_write(path, whole[k].bytes, whole[k].size);
    edit(path, orders);
    promise(frame_digest_write(path, &error) == STATUS_OK);
    enum status status = go_on(k, path, &error);
    if (status == STATUS_FAILED)
        fprintf(stderr, "%s\n", error.message);
    promise(!status || (status == STATUS_INVALID && strlen(error.message) > 10));
    *(status ? &fuzz_refused : &fuzz_right) += 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct orders orders = {data, data + size};
    int k = (int)(order(&orders, 1) % FRAMES);
    uint64_t way = order(&orders, 1) % WAYS;
    if (way == 2) {
        change_values(k, &orders);
        return 0;
    }
    (way ? cut : damage)(k, &orders);
    fuzz_refused++;
    return 0;
}

static void load(int k, const char *name)
{
    char path[256];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", getenv("FUZZ_FRAMES") ? getenv("FUZZ_FRAMES") : ".", name);
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &about)) {
        fprintf(stderr, "%s cannot be read; FUZZ_FRAMES names the folder of a run\n", path);
        exit(1);
    }
    whole[k].size = (size_t)about.st_size;
    whole[k].bytes = malloc(whole[k].size);
    if (!whole[k].bytes || fread(whole[k].bytes, 1, whole[k].size, file) != whole[k].size)
        abort();
    fclose(file);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    load(0, "initial.hdf");
    load(1, "frame.hdf");
    fuzz_begin();
    fuzz_write(fuzz_path("initial.hdf"), whole[0].bytes, whole[0].size);
    mkdir(fuzz_path("run"), 0777);
    return 0;
}
