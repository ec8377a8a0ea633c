#include "base/row_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum status failed(const struct row_file *rows, const char *what, struct error *error)
{
    return error_set(error, STATUS_FAILED, "%s: rows of steps cannot be %s there: %s", rows->folder,
                     what, strerror(errno));
}

/* Not all file systems make files without a name; on others the name is removed at once. */
static int open_nameless(const char *folder)
{
    char path[4096];
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    int length = snprintf(path, sizeof path, "%s/.rows-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return -1;
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

static enum status make_file(struct row_file *rows, struct error *error)
{
    int file = open_nameless(rows->folder);
    if (file < 0)
        return failed(rows, "kept", error);
    rows->file = fdopen(file, "w+b");
    if (rows->file)
        return STATUS_OK;
    close(file);
    return failed(rows, "kept", error);
}

static enum status seek(struct row_file *rows, size_t row, const char *what, struct error *error)
{
    off_t place = (off_t)(row * rows->width * sizeof *rows->value);
    return fseeko(rows->file, place, SEEK_SET) == 0 ? STATUS_OK : failed(rows, what, error);
}

/* Moves the rows in memory to the end of the file. */
static enum status file_rows(struct row_file *rows, struct error *error)
{
    size_t n = rows->n - rows->n_filed;
    enum status status = rows->file ? STATUS_OK : make_file(rows, error);
    if (!status)
        status = seek(rows, rows->n_filed, "kept", error);
    if (!status && (fwrite(rows->value, rows->width * sizeof *rows->value, n, rows->file) != n ||
                    fflush(rows->file) != 0))
        status = failed(rows, "kept", error);
    if (!status)
        rows->n_filed = rows->n;
    return status;
}

static enum status append_row(struct row_file *rows, const double *value, struct error *error)
{
    enum status status = STATUS_OK;
    if (rows->n - rows->n_filed == ROWS_IN_MEMORY)
        status = file_rows(rows, error);
    size_t used = (rows->n - rows->n_filed) * rows->width;
    if (!status)
        status = array_reserve(&rows->value, &rows->capacity, used + rows->width,
                               sizeof *rows->value, "rows of the ledger", error);
    if (status)
        return status;
    memcpy(rows->value + used, value, rows->width * sizeof *value);
    rows->n++;
    return STATUS_OK;
}

enum status row_file_append(struct row_file *rows, size_t n, const double *value,
                            struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < n && !status; k++)
        status = append_row(rows, value + k * rows->width, error);
    return status;
}

enum status row_file_read(struct row_file *rows, size_t first, size_t n, double *value,
                          struct error *error)
{
    size_t size = rows->width * sizeof *value, filed = 0;
    if (first < rows->n_filed) {
        filed = rows->n_filed - first < n ? rows->n_filed - first : n;
        enum status status = seek(rows, first, "read", error);
        if (status)
            return status;
        if (fread(value, size, filed, rows->file) != filed)
            return failed(rows, "read", error);
    }
    if (n > filed)
        memcpy(value + filed * rows->width,
               rows->value + (first + filed - rows->n_filed) * rows->width, (n - filed) * size);
    return STATUS_OK;
}

void row_file_clear(struct row_file *rows)
{
    rows->n = rows->n_filed = 0;
    if (rows->file && ftruncate(fileno(rows->file), 0) != 0)
        rewind(rows->file); /* what is left there is written over */
}

void row_file_free(struct row_file *rows)
{
    if (rows->file)
        fclose(rows->file);
    free(rows->value);
    *rows = (struct row_file){0};
}
