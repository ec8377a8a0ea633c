#include "files.h"
#include "frame_random.h"
#include "store/hdf_parts.h"
#include "tap.h"

#include <omp.h>
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

static void check_same_bytes(void)
{
    size_t n, m;
    char *a = file_bytes(path, &n), *b = file_bytes(other, &m);
    check_equal(n, m, "sizes");
    check(n == m && memcmp(a, b, n) == 0);
    free(a);
    free(b);
}

TEST(more_rows_than_a_chunk_return_to_the_bit)
{
    make_folder();
    struct frame frame = random_frame(140000, 3);
    check_round_trip(&frame);
    remove_folder();
}

struct collected {
    size_t calls, rows[2];
    double *value[2]; /* of the ledger and the measures */
};

static enum status collect(void *context, const struct frame *frame, size_t first,
                           struct error *error)
{
    struct collected *c = context;
    const struct table *table[] = {&frame->ledger, &frame->measure};
    (void)error;
    c->calls++;
    for (size_t k = 0; k < 2; k++) {
        check(first == c->rows[k] && table[k]->n_rows <= ROWS_IN_MEMORY);
        memcpy(c->value[k] + first * table[k]->n_columns, table[k]->value,
               table[k]->n_rows * table[k]->n_columns * sizeof(double));
        c->rows[k] += table[k]->n_rows;
    }
    return STATUS_OK;
}

/* Rows that come from a file give the bytes of those in memory, and come back some at a time. */
TEST(rows_may_be_elsewhere_and_return_some_at_a_time)
{
    static const size_t sizes[] = {0, 1, ROWS_IN_MEMORY, 3 * ROWS_IN_MEMORY + 17};
    make_folder();
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct error error = {0};
        struct frame frame = random_frame(20, sizes[s]), back;
        struct table ledger = frame.ledger, measure = frame.measure;
        struct row_file rows[2] = {{.folder = "/tmp", .width = ledger.n_columns},
                                   {.folder = "/tmp", .width = measure.n_columns}};
        struct collected c = {
            .value = {random_array(ledger.n_rows * ledger.n_columns + 1, sizeof(double)),
                      random_array(measure.n_rows * measure.n_columns + 1, sizeof(double))}};
        check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
        check(!row_file_append(&rows[0], ledger.n_rows, ledger.value, &error) &&
              !row_file_append(&rows[1], measure.n_rows, measure.value, &error));
        frame.ledger.value = frame.measure.value = NULL;
        frame.ledger_rows = &rows[0];
        frame.measure_rows = &rows[1];
        for (int threads = 1; threads <= 3; threads++) {
            omp_set_num_threads(threads);
            check_equal(frame_write(other, &frame, &error), STATUS_OK, error.message);
            check_same_bytes();
        }
        check_equal(frame_read_tables(other, &back, collect, &c, &error), STATUS_OK, error.message);
        check(c.calls > 0 && c.rows[0] == ledger.n_rows && c.rows[1] == measure.n_rows);
        check(memcmp(c.value[0], ledger.value, c.rows[0] * ledger.n_columns * sizeof(double)) == 0);
        check(memcmp(c.value[1], measure.value, c.rows[1] * measure.n_columns * sizeof(double)) ==
              0);
        check(back.ledger.n_rows == 0 && !back.ledger.value && back.ledger.n_columns > 0);
        frame_free(&back);
        for (int k = 0; k < 2; k++) {
            row_file_free(&rows[k]);
            free(c.value[k]);
        }
        frame.ledger = ledger;
        frame.measure = measure;
        frame_free(&frame);
    }
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
        file_write(other, bytes, length);
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
    for (size_t at = 0; at < size; at += at < 600 ? 1 : 1 + at % 61) {
        char mask = (char)(1 << (random_bits() % 8));
        bytes[at] = (char)(bytes[at] ^ mask);
        file_write(other, bytes, size);
        bytes[at] = (char)(bytes[at] ^ mask);
        if (!check_equal(frame_read(other, &back, &error), STATUS_INVALID, "status") ||
            !check_contains(error.message, other) || !check(back.particles.position == NULL) ||
            !check_equal(frame_read_tables(other, &back, NULL, NULL, &error), STATUS_INVALID,
                         "tables") ||
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
        file_write(other, copy, size);
        if (!check(read_is_honest(&frame)))
            printf("#   %zu zeros from byte %zu of %zu\n", length, at, size);
    }
    free(copy);
    free(bytes);
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
    file_write(path, "name: test\n", 11);
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
