#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void error_make_printable(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
            *c = '?';
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        error_make_printable(error->message);
        error->status = status;
    }
    return status;
}

enum status error_prefix(struct error *error, const char *format, ...)
{
    if (!error)
        return STATUS_FAILED;
    char context[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context, sizeof context, format, arguments);
    va_end(arguments);
    char old[sizeof error->message];
    memcpy(old, error->message, sizeof old);
    snprintf(error->message, sizeof error->message, "%s: %.*s", context,
             (int)(sizeof old - sizeof context - 4), old);
    error_make_printable(error->message);
    return error->status;
}

enum status error_memory(struct error *error, const char *what, size_t count, size_t size)
{
    return error_set(error, STATUS_FAILED, "out of memory for %s (%zu x %zu bytes)", what, count,
                     size);
}

enum status status_of_errno(int cause)
{
    return cause == ENOMEM || cause == EMFILE || cause == ENFILE || cause == EIO ? STATUS_FAILED
                                                                                 : STATUS_INVALID;
}
