#include "base/regular_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

FILE *regular_file_open(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0)
        return NULL;
    if (S_ISREG(there.st_mode))
        return fopen(path, "rb");
    errno = S_ISDIR(there.st_mode) ? EISDIR : EINVAL;
    return NULL;
}

const char *regular_file_reason(int cause)
{
    return cause == EINVAL ? "it is not a regular file" : strerror(cause);
}
