#include "store/manifest.h"

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

enum status sha256_file(const char *path, char text[SHA256_TEXT], struct error *error)
{
    unsigned char block[1 << 14];
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(error, STATUS_INVALID, "%s: cannot be read: %s", path, strerror(errno));
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        g_checksum_update(sum, block, (gssize)n);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    finish(sum, text);
    if (failed)
        return error_set(error, STATUS_INVALID, "%s: cannot be read: %s", path, strerror(failed));
    return STATUS_OK;
}
