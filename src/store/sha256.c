#include "store/sha256.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

static void finish(GChecksum *sum, char text[SHA256_TEXT])
{
    g_strlcpy(text, g_checksum_get_string(sum), SHA256_TEXT);
    g_checksum_free(sum);
}

void sha256_bytes(const void *bytes, size_t n, char text[SHA256_TEXT])
{
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, bytes, (gssize)n);
    finish(sum, text);
}

bool sha256_stream(FILE *stream, char text[SHA256_TEXT])
{
    unsigned char block[1 << 14];
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    for (size_t n; (n = fread(block, 1, sizeof block, stream)) > 0;)
        g_checksum_update(sum, block, (gssize)n);
    finish(sum, text);
    return !ferror(stream);
}

enum status sha256_file(const char *path, char text[SHA256_TEXT], struct error *error)
{
    FILE *file = fopen(path, "rb");
    bool read = file && sha256_stream(file, text);
    int cause = errno;
    if (file)
        fclose(file);
    if (!read)
        return error_set(error, status_of_errno(cause), "%s: cannot be read: %s", path,
                         strerror(cause));
    return STATUS_OK;
}
