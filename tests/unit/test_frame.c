#include "files.h"
#include "frame_random.h"
#include "store/field.h"
#include "store/frame_digest.h"
#include "store/hdf_parts.h"
#include "tap.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static struct files files;
static const char *const path = files.first, *const other = files.second;

static void make_folder(void)
{
    files_begin(&files, "a.hdf", "b.hdf");
}

static void remove_folder(void)
{
    files_end(&files);
}

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return (!a && !b) || (a && b && memcmp(a, b, size) == 0);
}

static bool same_table(const struct table *a, const struct table *b)
{
    if (a->n_columns != b->n_columns || a->n_rows != b->n_rows)
        return false;
    for (size_t i = 0; i < a->n_columns; i++)
        if (strcmp(a->column[i].name, b->column[i].name) ||
            strcmp(a->column[i].unit, b->column[i].unit) ||
            strcmp(a->column[i].sentence, b->column[i].sentence))
            return false;
    return a->n_columns == 0 ||
           same_bytes(a->value, b->value, a->n_rows * a->n_columns * sizeof(double));
}

static bool same_sheets(const struct frame *a, const struct frame *b)
{
    bool same = a->n_sheets == b->n_sheets;
    for (size_t s = 0; same && s < a->n_sheets; s++)
        same = a->sheet[s].body == b->sheet[s].body &&
               a->sheet[s].n_triangles == b->sheet[s].n_triangles &&
               same_bytes(a->sheet[s].triangle, b->sheet[s].triangle,
                          a->sheet[s].n_triangles * sizeof *a->sheet[s].triangle);
    return same;
}

static bool same_list(const struct frame *a, const struct frame *b, const char *name)
{
    const struct state_value *x = state_find(&a->state, name), *y = state_find(&b->state, name);
    size_t n = x ? x->rows : 0;
    return n == (y ? y->rows : 0) && (n == 0 || same_bytes(x->data, y->data, n * sizeof(uint64_t)));
}

static bool same_entries(const struct frame *a, const struct frame *b, const char *name,
                         size_t size)
{
    return same_bytes(frame_state(a, name), frame_state(b, name), a->particles.n * size);
}

static bool same_state(const struct frame *a, const struct frame *b)
{
    return same_entries(a, b, "warm_start", sizeof(struct vec3)) &&
           same_entries(a, b, "damage", sizeof(float)) &&
           same_entries(a, b, "density", sizeof(float)) && same_list(a, b, "broken");
}

/* Written out by hand, not by the table under test. */
static bool same_frame(const struct frame *a, const struct frame *b)
{
    const struct particles *p = &a->particles, *q = &b->particles;
    size_t n = p->n;
    bool same = a->number == b->number && a->step == b->step &&
                same_bytes(&a->time, &b->time, sizeof a->time) && n == q->n &&
                strcmp(a->config, b->config) == 0 && a->n_bodies == b->n_bodies;
    for (size_t i = 0; same && i < a->n_bodies; i++)
        same = strcmp(a->body_name[i], b->body_name[i]) == 0;
    return same && same_bytes(p->position, q->position, n * sizeof *p->position) &&
           same_bytes(p->velocity, q->velocity, n * sizeof *p->velocity) &&
           same_bytes(p->mass, q->mass, n * sizeof *p->mass) &&
           same_bytes(p->radius, q->radius, n * sizeof *p->radius) &&
           same_bytes(p->body, q->body, n * sizeof *p->body) &&
           same_bytes(p->state, q->state, n * sizeof *p->state) &&
           same_bytes(a->rest_position, b->rest_position, n * sizeof *a->rest_position) &&
           same_state(a, b) && same_bytes(a->group, b->group, n * sizeof *a->group) &&
           same_bytes(a->fragment, b->fragment, n * sizeof *a->fragment) &&
           same_bytes(a->penetrated, b->penetrated, n * sizeof *a->penetrated) &&
           same_sheets(a, b) && same_table(&a->ledger, &b->ledger) &&
           same_table(&a->measure, &b->measure);
}

static void spill(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        abort();
}

static void check_round_trip(struct frame *frame)
{
    struct error error = {0};
    struct frame back;
    check_equal(frame_write(path, frame, &error), STATUS_OK, error.message);
    if (frame_read(path, &back, &error) == STATUS_OK) {
        check(same_frame(frame, &back));
        frame_free(&back);
    } else {
        check_equal(error.status, STATUS_OK, error.message);
    }
    frame_free(frame);
}

TEST(every_field_returns_to_the_bit)
{
    make_folder();
    for (int k = 0; k < 100; k++) {
        struct frame frame = random_frame(1 + random_bits() % 300, random_bits() % 20);
        check_round_trip(&frame);
        frame = random_initial(1 + random_bits() % 300);
        check_round_trip(&frame);
    }
    remove_folder();
}

TEST(more_rows_than_a_chunk_return_to_the_bit)
{
    make_folder();
    struct frame frame = random_frame(140000, 3);
    check_round_trip(&frame);
    remove_folder();
}

TEST(rows_of_the_ledger_that_are_not_finite_are_kept)
{
    make_folder();
    struct frame frame = random_frame(50, 2);
    frame.ledger.value[3] = (double)NAN;
    check_round_trip(&frame);
    remove_folder();
}

TEST(the_same_contents_give_the_same_bytes)
{
    make_folder();
    struct frame frame = random_frame(500, 10);
    struct error error = {0};
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    sleep(1); /* a time stamp would differ */
    check_equal(frame_write(other, &frame, &error), STATUS_OK, error.message);
    size_t n, m;
    char *a = file_bytes(path, &n), *b = file_bytes(other, &m);
    check_equal(n, m, "sizes");
    check(n == m && memcmp(a, b, n) == 0);
    float *damage = state_data(&frame.state, "damage");
    damage[3] = nextafterf(damage[3], 2.0f);
    check_equal(frame_write(other, &frame, &error), STATUS_OK, error.message);
    free(b);
    b = file_bytes(other, &m);
    check(n != m || memcmp(a, b, n) != 0);
    free(a);
    free(b);
    frame_free(&frame);
    remove_folder();
}

TEST(the_head_is_that_of_the_frame)
{
    make_folder();
    struct frame frame = random_frame(123, 1);
    struct frame_head head;
    struct error error = {0};
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    check_equal(frame_read_head(path, &head, &error), STATUS_OK, error.message);
    check(head.number == frame.number && head.step == frame.step && head.time == frame.time);
    check_equal(head.n_particles, 123, "particles");
    frame_free(&frame);
    remove_folder();
}

/* Either one clear line, or nothing of the contents was touched. */
static bool read_is_honest(const struct frame *expected)
{
    struct frame back;
    struct error error = {0};
    enum status status = frame_read(other, &back, &error);
    if (status == STATUS_OK) {
        bool same = same_frame(expected, &back);
        frame_free(&back);
        return same;
    }
    return status == STATUS_INVALID && strstr(error.message, other) == error.message &&
           !strchr(error.message, '\n') && back.particles.position == NULL;
}

TEST(a_truncated_frame_is_refused)
{
    make_folder();
    struct frame frame = random_frame(40, 4), back;
    struct error error = {0};
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    size_t size;
    char *bytes = file_bytes(path, &size);
    for (size_t length = 0; length < size; length += length < 64 ? 1 : 97) {
        spill(other, bytes, length);
        if (!check_equal(frame_read(other, &back, &error), STATUS_INVALID, "status") ||
            !check_contains(error.message, other))
            printf("#   cut to %zu of %zu bytes\n", length, size);
    }
    free(bytes);
    frame_free(&frame);
    remove_folder();
}

TEST(a_flipped_bit_is_noticed)
{
    make_folder();
    struct frame frame = random_frame(40, 4), back;
    struct error error = {0};
    bool whole;
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    check_equal(frame_is_whole(path, &whole, &error), STATUS_OK, error.message);
    check(whole);
    size_t size;
    char *bytes = file_bytes(path, &size);
    for (size_t at = 0; at < size; at += at < 600 ? 1 : 1 + at % 11) {
        char mask = (char)(1 << (random_bits() % 8));
        bytes[at] = (char)(bytes[at] ^ mask);
        spill(other, bytes, size);
        bytes[at] = (char)(bytes[at] ^ mask);
        if (!check_equal(frame_read(other, &back, &error), STATUS_INVALID, "status") ||
            !check_contains(error.message, other) || !check(back.particles.position == NULL) ||
            !check_equal(frame_is_whole(other, &whole, &error), STATUS_OK, error.message) ||
            !check(!whole))
            printf("#   bit %d of byte %zu of %zu\n", mask, at, size);
    }
    free(bytes);
    frame_free(&frame);
    remove_folder();
}

TEST(a_run_of_zeros_is_noticed_or_harmless)
{
    make_folder();
    struct frame frame = random_initial(40);
    struct error error = {0};
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    size_t size;
    char *bytes = file_bytes(path, &size), *copy = malloc(size);
    for (size_t at = 0; at < size; at += 61) {
        size_t length = 1 + random_bits() % 600;
        memcpy(copy, bytes, size);
        memset(copy + at, 0, length < size - at ? length : size - at);
        spill(other, copy, size);
        if (!check(read_is_honest(&frame)))
            printf("#   %zu zeros from byte %zu of %zu\n", length, at, size);
    }
    free(copy);
    free(bytes);
    frame_free(&frame);
    remove_folder();
}

/* Writes the frame, spoils the file through HDF5 itself (so that checksums are right), reads. */
static void check_spoiled(void (*spoil)(hid_t file), const char *complaint)
{
    make_folder();
    struct frame frame = random_initial(30), back;
    struct error error = {0};
    check_equal(frame_write(other, &frame, &error), STATUS_OK, error.message);
    hid_t file = H5Fopen(other, H5F_ACC_RDWR, H5P_DEFAULT);
    spoil(file);
    H5Fclose(file);
    check_equal(frame_read(other, &back, &error), STATUS_INVALID, "its sha256");
    check_contains(error.message, "is damaged: its sha256 is not the one written in it");
    check_equal(frame_digest_write(other, &error), STATUS_OK, error.message);
    check_equal(frame_read(other, &back, &error), STATUS_INVALID, "status");
    check_contains(error.message, complaint);
    check_contains(error.message, other);
    frame_free(&frame);
    remove_folder();
}

static void drop_velocity(hid_t file)
{
    H5Ldelete(file, "velocity", H5P_DEFAULT);
}

static void drop_rest_position(hid_t file)
{
    H5Ldelete(file, "rest_position", H5P_DEFAULT);
}

static void drop_step(hid_t file)
{
    H5Adelete(file, "step");
}

static void narrow_position(hid_t file)
{
    double value[60] = {0};
    struct hdf_array array = {ELEMENT_F64, 30, 2, value};
    H5Ldelete(file, "position", H5P_DEFAULT);
    hdf_array_write(file, "position", &array, NULL);
}

static void shorten_mass(hid_t file)
{
    double value[29] = {0};
    struct hdf_array array = {ELEMENT_F64, 29, 0, value};
    H5Ldelete(file, "mass", H5P_DEFAULT);
    hdf_array_write(file, "mass", &array, NULL);
}

static void retype_radius(hid_t file)
{
    float value[30] = {0};
    struct hdf_array array = {ELEMENT_F32, 30, 0, value};
    H5Ldelete(file, "radius", H5P_DEFAULT);
    hdf_array_write(file, "radius", &array, NULL);
}

static void repeat_id(hid_t file)
{
    uint32_t value[30] = {0};
    struct hdf_array array = {ELEMENT_U32, 30, 0, value};
    H5Ldelete(file, "id", H5P_DEFAULT);
    hdf_array_write(file, "id", &array, NULL);
}

static void unknown_body(hid_t file)
{
    uint32_t value[30] = {0};
    value[4] = 17;
    struct hdf_array array = {ELEMENT_U32, 30, 0, value};
    H5Ldelete(file, "body", H5P_DEFAULT);
    hdf_array_write(file, "body", &array, NULL);
}

static void corner_outside(hid_t file)
{
    uint32_t value[4] = {0, 1, 2, 30};
    struct hdf_array array = {ELEMENT_U32, 1, 4, value};
    H5Ldelete(file, "sheet_triangle", H5P_DEFAULT);
    hdf_array_write(file, "sheet_triangle", &array, NULL);
}

static void triangle_of_no_sheet(hid_t file)
{
    uint32_t value[4] = {3, 1, 2, 0};
    struct hdf_array array = {ELEMENT_U32, 1, 4, value};
    H5Ldelete(file, "sheet_triangle", H5P_DEFAULT);
    hdf_array_write(file, "sheet_triangle", &array, NULL);
}

static void other_format(hid_t file)
{
    H5Adelete(file, "format");
    hdf_attribute_text_write(file, ".", "format", "something else", NULL);
}

static void later_version(hid_t file)
{
    uint64_t version = 99;
    H5Adelete(file, "version");
    hdf_attribute_write(file, ".", "version", ELEMENT_U64, 0, &version, NULL);
}

#define SPOILED(name, complaint)                                                                   \
    TEST(refuses_##name)                                                                           \
    {                                                                                              \
        check_spoiled(name, complaint);                                                            \
    }
SPOILED(drop_velocity, "has no dataset velocity")
SPOILED(drop_rest_position, "has no dataset rest_position")
SPOILED(drop_step, "has no attribute step of the file")
SPOILED(narrow_position, "dataset position has the wrong shape")
SPOILED(shorten_mass, "dataset mass has 29 rows for 30 particles")
SPOILED(retype_radius, "dataset radius is not of type float64")
SPOILED(repeat_id, "row 1 of dataset id is 0; rows must be in the order of ids")
SPOILED(unknown_body, "particle 4 is of body 17, but there are 2")
SPOILED(corner_outside, "sheet 0 has a corner at particle 30 of 30")
SPOILED(triangle_of_no_sheet, "row 0 of sheet_triangle names sheet 3 of 3")
SPOILED(other_format, "not a frame")
SPOILED(later_version, "is a frame of version 99")

/* What a file of another program, or of an older one, looks like: no head before HDF5's bytes. */
TEST(a_frame_without_its_sha256_is_refused)
{
    make_folder();
    struct frame frame = random_frame(30, 2), back;
    struct error error = {0};
    bool whole;
    size_t size;
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    char *bytes = file_bytes(path, &size);
    memset(bytes, 0, FRAME_HEAD);
    spill(other, bytes, size);
    check_equal(frame_read(other, &back, &error), STATUS_INVALID, "status");
    check_contains(error.message, "does not begin with its sha256");
    check_equal(frame_is_whole(other, &whole, &error), STATUS_OK, error.message);
    check(!whole);
    /* of an older version: nobody's business to remove it */
    uint64_t version = 1;
    hid_t file = H5Fopen(other, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Adelete(file, "version");
    hdf_attribute_write(file, ".", "version", ELEMENT_U64, 0, &version, NULL);
    H5Fclose(file);
    check_equal(frame_read(other, &back, &error), STATUS_INVALID, "status");
    check_contains(error.message, "is a frame of version 1; this program reads version 3");
    check_equal(frame_is_whole(other, &whole, &error), STATUS_INVALID, "another version");
    check_contains(error.message, "is a frame of version 1; this program reads version 3");
    free(bytes);
    frame_free(&frame);
    remove_folder();
}

/* The sha256 of each of these files is right. */
static void check_refused(const struct frame *frame, const char *complaint)
{
    struct frame back;
    struct error error = {0};
    check_equal(frame_write(path, frame, &error), STATUS_OK, error.message);
    check_equal(frame_read(path, &back, &error), STATUS_INVALID, complaint);
    check_contains(error.message, complaint);
    check_contains(error.message, path);
}

TEST(numbers_that_cannot_be_are_refused)
{
    make_folder();
    struct frame frame = random_frame(30, 2), initial = random_initial(30);
    struct particles *p = &frame.particles;
    struct vec3 *expected = state_data(&frame.state, "warm_start");
    float *damage = state_data(&frame.state, "damage");
    float *density = state_data(&frame.state, "density");
    double bad = (double)NAN, *number[] = {&p->position[7].y, &p->velocity[7].z, &expected[7].x,
                                           &p->mass[7], &p->radius[7]};
    static const char *const name[] = {"position", "velocity", "warm_start", "mass", "radius"};
    char complaint[64];
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        double right = *number[k];
        snprintf(complaint, sizeof complaint, "%s of particle 7 is ", name[k]);
        *number[k] = bad;
        check_refused(&frame, complaint);
        *number[k] = -(double)INFINITY;
        check_refused(&frame, complaint);
        *number[k] = right;
    }
    double mass = p->mass[3], radius = p->radius[4];
    p->mass[3] = -1.0;
    check_refused(&frame, "mass of particle 3 is -1; it should be a finite number above 0");
    p->mass[3] = mass;
    p->radius[4] = 0.0;
    check_refused(&frame, "radius of particle 4 is 0; it should be a finite number above 0");
    p->radius[4] = radius;
    float right_damage = damage[5], right_density = density[6];
    damage[5] = 1.5f;
    check_refused(&frame, "damage of particle 5 is 1.5; it should be a number from 0 to 1");
    damage[5] = right_damage;
    density[6] = -2.0f;
    check_refused(&frame, "density of particle 6 is -2; it should be a finite number from 0");
    density[6] = right_density;
    uint32_t body = p->body[9];
    p->body[9] = (uint32_t)frame.n_bodies;
    check_refused(&frame, "particle 9 is of body ");
    p->body[9] = body;
    frame.time = bad;
    check_refused(&frame, "time is nan; it should be a finite number from 0");
    initial.rest_position[8].x = bad;
    check_refused(&initial, "rest_position of particle 8 is (nan, ");
    frame_free(&frame);
    frame_free(&initial);
    remove_folder();
}

TEST(sets_and_bonds_that_cannot_be_are_refused)
{
    make_folder();
    struct frame frame = random_frame(30, 2);
    frame.group[9] = 10;
    check_refused(&frame,
                  "group of particle 9 is 10; it should be the smallest particle in its group");
    for (uint32_t i = 0; i < 30; i++)
        frame.group[i] = i;
    frame.group[8] = 7;
    frame.group[9] = 8;
    check_refused(&frame, "group of particle 9 is 8; it should be the smallest");
    frame.group[9] = 7;
    frame.fragment[1] = 30;
    check_refused(&frame, "fragment of particle 1 is 30; it should be the smallest");
    frame.fragment[1] = 1;
    for (uint32_t i = 0; i < 30; i++)
        frame.fragment[i] = i;
    state_add(&frame.state, "broken", 3);
    check_refused(&frame, "entry 1 of broken is 0 after 0; they should ascend");
    frame_free(&frame);
    remove_folder();
}

/* Entries that should ascend are compared as single numbers of 64 bits. */
TEST(fields_that_ascend_are_lists_of_u64)
{
    size_t ascending = 0;
    for (size_t k = 0; state_field(k); k++) {
        const struct state_field *f = state_field(k);
        ascending += f->ascends;
        check(!f->ascends || (f->form == STATE_LIST && f->element == ELEMENT_U64 && f->width == 1));
    }
    check(ascending > 0);
}

TEST(deferred_pairs_that_are_none_are_refused)
{
    static const struct deferred_pair wrong[][2] = {{{1, 2, 3}, {1, 2, 3}}, {{1, 3, 1}, {1, 2, 1}},
                                                    {{2, 3, 1}, {1, 9, 1}}, {{0, 1, 1}, {2, 2, 1}},
                                                    {{0, 1, 1}, {5, 4, 1}}, {{0, 1, 1}, {1, 30, 1}},
                                                    {{0, 1, 1}, {0, 2, 0}}};
    make_folder();
    struct frame frame = random_frame(30, 2), back;
    struct error error = {0};
    frame.n_deferred = 2;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        memcpy(frame.deferred, wrong[k], sizeof wrong[k]);
        check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
        check_equal(frame_read(path, &back, &error), STATUS_INVALID, "status");
        check_contains(error.message, "entry 1 of deferred is (");
    }
    frame_free(&frame);
    remove_folder();
}

TEST(files_that_are_no_frames_are_refused)
{
    make_folder();
    struct frame back;
    struct error error = {0};
    check_equal(frame_read(path, &back, &error), STATUS_INVALID, "absent");
    check_contains(error.message, "cannot be read: No such file");
    spill(path, "name: test\n", 11);
    check_equal(frame_read(path, &back, &error), STATUS_INVALID, "a text");
    check_contains(error.message, "opening as an HDF5 file failed");
    check_equal(frame_read(files.folder, &back, &error), STATUS_INVALID, "a folder");
    remove_folder();
}

TEST(a_frame_that_cannot_be_written_leaves_nothing)
{
    make_folder();
    struct frame frame = random_frame(30, 1);
    struct error error = {0};
    check_equal(frame_write("/nowhere/at/all.hdf", &frame, &error), STATUS_FAILED, "status");
    check_contains(error.message, "/nowhere/at/all.hdf: cannot be written: No such file");
    double *mass = frame.particles.mass;
    frame.particles.mass = NULL;
    check_equal(frame_write(path, &frame, &error), STATUS_FAILED, "status");
    check_contains(error.message, "has no mass");
    frame.particles.mass = mass;
    frame_free(&frame);
    remove_folder();
}

/* A limit on the size of files stands for a full disk: the same write fails in the same place. */
TEST(a_full_disk_is_an_error_and_keeps_the_old_frame)
{
    make_folder();
    struct frame frame = random_frame(30, 1), large = random_frame(20000, 1), back;
    struct error error = {0};
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t limit = 0; limit < 1000000; limit = 2 * limit + 1000) {
        check_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, RLIM_INFINITY}), 0, "limit");
        check_equal(frame_write(path, &large, &error), STATUS_FAILED, "status");
        check_contains(error.message, path);
    }
    check_equal(frame_read(path, &back, &error), STATUS_OK, error.message);
    check(same_frame(&frame, &back));
    frame_free(&back);
    frame_free(&frame);
    frame_free(&large);
    remove_folder();
}

TEST(every_failed_allocation_is_survived)
{
    make_folder();
    struct frame frame = random_frame(30, 2), initial = random_initial(30), back;
    struct error error = {0};
    const struct frame *each[] = {&frame, &initial};
    for (int k = 0; k < 2; k++) {
        enum status status = STATUS_FAILED;
        long n = 0;
        for (; n < 500 && status != STATUS_OK; n++) {
            memory_fail_after(n);
            status = frame_write(path, each[k], &error);
            memory_fail_after(-1);
            check(status == STATUS_OK || strstr(error.message, "out of memory"));
            check((access(path, F_OK) == 0) == (status == STATUS_OK));
        }
        check(n > 5 && n < 500);
        status = STATUS_FAILED;
        for (n = 0; n < 500 && status != STATUS_OK; n++) {
            memory_fail_after(n);
            status = frame_read(path, &back, &error);
            memory_fail_after(-1);
            check(status == STATUS_OK || strstr(error.message, "out of memory"));
            check(status == STATUS_OK || back.particles.position == NULL);
        }
        check(n > 5 && n < 500);
        check(same_frame(each[k], &back));
        frame_free(&back);
        unlink(path);
    }
    frame_free(&frame);
    frame_free(&initial);
    remove_folder();
}

TEST(hdf5_out_of_memory_is_no_fault_of_the_file)
{
    struct error error = {0};
    H5Eclear2(H5E_DEFAULT);
    check_equal(hdf_failure(&error, STATUS_INVALID, "reading", "x"), STATUS_INVALID, "no cause");
    H5Epush2(H5E_DEFAULT, "file", "function", 1, H5E_ERR_CLS, H5E_RESOURCE, H5E_NOSPACE,
             "memory allocation failed");
    H5Epush2(H5E_DEFAULT, "file", "function", 1, H5E_ERR_CLS, H5E_DATASET, H5E_READERROR,
             "cannot read");
    check_equal(hdf_failure(&error, STATUS_INVALID, "reading", "x"), STATUS_FAILED, "no memory");
    check_contains(error.message,
                   "reading x failed (HDF5: memory allocation failed): out of memory");
    H5Eclear2(H5E_DEFAULT);
}

TEST(hdf5_errors_of_the_caller_stay_as_they_were)
{
    H5E_auto2_t before, after;
    void *data;
    struct frame back;
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    check(before != NULL);
    frame_read("/nowhere", &back, NULL);
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    check(before == after);
}

TAP_MAIN(TAP_ENTRY(every_field_returns_to_the_bit),
         TAP_ENTRY(more_rows_than_a_chunk_return_to_the_bit),
         TAP_ENTRY(rows_of_the_ledger_that_are_not_finite_are_kept),
         TAP_ENTRY(the_same_contents_give_the_same_bytes), TAP_ENTRY(the_head_is_that_of_the_frame),
         TAP_ENTRY(a_truncated_frame_is_refused), TAP_ENTRY(a_flipped_bit_is_noticed),
         TAP_ENTRY(a_run_of_zeros_is_noticed_or_harmless), TAP_ENTRY(refuses_drop_velocity),
         TAP_ENTRY(refuses_drop_rest_position), TAP_ENTRY(refuses_drop_step),
         TAP_ENTRY(refuses_narrow_position), TAP_ENTRY(refuses_shorten_mass),
         TAP_ENTRY(refuses_retype_radius), TAP_ENTRY(refuses_repeat_id),
         TAP_ENTRY(refuses_unknown_body), TAP_ENTRY(refuses_corner_outside),
         TAP_ENTRY(refuses_triangle_of_no_sheet), TAP_ENTRY(refuses_other_format),
         TAP_ENTRY(refuses_later_version), TAP_ENTRY(a_frame_without_its_sha256_is_refused),
         TAP_ENTRY(numbers_that_cannot_be_are_refused),
         TAP_ENTRY(sets_and_bonds_that_cannot_be_are_refused),
         TAP_ENTRY(fields_that_ascend_are_lists_of_u64),
         TAP_ENTRY(deferred_pairs_that_are_none_are_refused),
         TAP_ENTRY(files_that_are_no_frames_are_refused),
         TAP_ENTRY(a_frame_that_cannot_be_written_leaves_nothing),
         TAP_ENTRY(a_full_disk_is_an_error_and_keeps_the_old_frame),
         TAP_ENTRY(every_failed_allocation_is_survived),
         TAP_ENTRY(hdf5_out_of_memory_is_no_fault_of_the_file),
         TAP_ENTRY(hdf5_errors_of_the_caller_stay_as_they_were))
