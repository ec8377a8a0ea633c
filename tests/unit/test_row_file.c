/* Rows that went to a file are those that were added. */
#include "base/row_file.h"
#include "tap.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

enum { WIDTH = 3 };

static char folder[] = "/tmp/rows-XXXXXX";

static double entry(size_t row, size_t k)
{
    return 0.1 * (double)row + 1e6 * (double)k;
}

static void append(struct row_file *rows, size_t n)
{
    struct error error = {0};
    double block[7 * WIDTH];
    for (size_t end = rows->n + n; rows->n < end;) {
        size_t some = end - rows->n < 7 ? end - rows->n : 7;
        for (size_t k = 0; k < some * WIDTH; k++)
            block[k] = entry(rows->n + k / WIDTH, k % WIDTH);
        check_equal(row_file_append(rows, some, block, &error), STATUS_OK, error.message);
    }
}

static void check_rows(struct row_file *rows, size_t first, size_t n)
{
    struct error error = {0};
    double *value = calloc(n * WIDTH + 1, sizeof *value);
    size_t wrong = 0;
    check_equal(row_file_read(rows, first, n, value, &error), STATUS_OK, error.message);
    for (size_t k = 0; k < n * WIDTH; k++)
        wrong += value[k] != entry(first + k / WIDTH, k % WIDTH);
    check_equal(wrong, 0, "values");
    check(value[n * WIDTH] == 0.0);
    free(value);
}

static size_t count_files(void)
{
    size_t n = 0;
    DIR *files = opendir(folder);
    for (struct dirent *file = readdir(files); file; file = readdir(files))
        n += file->d_name[0] != '.' || strlen(file->d_name) > 2;
    closedir(files);
    return n;
}

TEST(rows_are_those_that_were_added)
{
    static const size_t sizes[] = {0, 1, ROWS_IN_MEMORY, ROWS_IN_MEMORY + 1,
                                   3 * ROWS_IN_MEMORY + 5};
    if (!mkdtemp(folder))
        abort();
    struct row_file rows = {.folder = folder, .width = WIDTH};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const size_t n = sizes[s];
        append(&rows, n);
        check_equal(rows.n, n, "rows");
        check_rows(&rows, 0, n);
        for (size_t first = 0; first < n; first += 1 + n / 7)
            check_rows(&rows, first, (n - first + 1) / 2);
        check_rows(&rows, n - n / 3, n / 3); /* from the file into memory */
        check_rows(&rows, n - (n > 3 ? 3 : n), n > 3 ? 3 : n);
        append(&rows, 10); /* after reading, rows still come to the end */
        check_rows(&rows, 0, n + 10);
        check((rows.file != NULL) == (n > ROWS_IN_MEMORY - 10));
        check_equal(count_files(), 0, "names");
        row_file_clear(&rows);
        check_equal(rows.n, 0, "rows");
    }
    check(rows.capacity <= 2 * WIDTH * ROWS_IN_MEMORY);
    row_file_free(&rows);
    rmdir(folder);
}

TEST(a_folder_without_room_is_told)
{
    struct error error = {0};
    const double row[WIDTH] = {0.0};
    struct row_file rows = {.folder = "/proc/none", .width = WIDTH};
    append(&rows, ROWS_IN_MEMORY);
    check_equal(row_file_append(&rows, 1, row, &error), STATUS_FAILED, "status");
    check_contains(error.message, "/proc/none: rows of steps cannot be kept there: No such file");
    row_file_free(&rows);
}

TEST(a_full_disk_is_told)
{
    struct error error = {0};
    const double row[WIDTH] = {0.0};
    const struct rlimit small = {1000, 1000};
    if (!mkdtemp(folder))
        abort();
    struct row_file rows = {.folder = folder, .width = WIDTH};
    append(&rows, ROWS_IN_MEMORY);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    check_equal(row_file_append(&rows, 1, row, &error), STATUS_FAILED, "status");
    check_contains(error.message, "cannot be kept there: File too large");
    row_file_free(&rows);
    rmdir(folder);
}
