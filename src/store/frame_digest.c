#include "store/frame_digest.h"

#include "base/regular_file.h"
#include "store/sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char mark[] = "mergesplit frame\n";

/* Makes the whole head, with zeros to its end, so that a change of any of its bytes is noticed,
 * too. */
static void head_create(const char *sum, char head[FRAME_HEAD])
{
    memset(head, 0, FRAME_HEAD);
    snprintf(head, FRAME_HEAD, "%ssha256 of all bytes from byte %d on:\n%s\n", mark, FRAME_HEAD,
             sum);
}

enum status frame_digest_write(const char *path, struct error *error)
{
    char sum[SHA256_TEXT], head[FRAME_HEAD];
    FILE *file = fopen(path, "r+b");
    bool done = file && fseek(file, FRAME_HEAD, SEEK_SET) == 0 && sha256_stream(file, sum);
    if (done) {
        head_create(sum, head);
        done = fseek(file, 0, SEEK_SET) == 0 && fwrite(head, FRAME_HEAD, 1, file) == 1 &&
               fflush(file) == 0;
    }
    int cause = errno;
    if (file && fclose(file) != 0 && done) {
        cause = errno;
        done = false;
    }
    return done ? STATUS_OK
                : error_set(error, STATUS_FAILED, "writing its sha256 failed: %s", strerror(cause));
}

static enum frame_digest compare(const char found[FRAME_HEAD], const char *sum)
{
    char right[FRAME_HEAD];
    head_create(sum, right);
    return memcmp(found, right, FRAME_HEAD) == 0 ? DIGEST_RIGHT : DIGEST_WRONG;
}

enum status frame_digest_check(const char *path, enum frame_digest *digest, struct error *error)
{
    char head[FRAME_HEAD] = "", sum[SHA256_TEXT];
    FILE *file = regular_file_open(path);
    *digest = DIGEST_ABSENT;
    bool read = file && (fread(head, 1, FRAME_HEAD, file) > 0 || !ferror(file));
    bool marked = memcmp(head, mark, sizeof mark - 1) == 0;
    if (read && marked)
        read = sha256_stream(file, sum);
    int cause = errno;
    if (file)
        fclose(file);
    if (!read)
        return error_set(error, status_of_errno(cause), "cannot be read: %s",
                         regular_file_reason(cause));
    if (marked)
        *digest = compare(head, sum);
    return STATUS_OK;
}
