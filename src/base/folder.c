#include "base/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum status folder_make(const char *path, struct error *error)
{
    struct stat there;
    if (mkdir(path, 0777) == 0)
        return STATUS_OK;
    int cause = errno;
    if (cause == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "%s: cannot make the folder: %s", path,
                     strerror(cause == EEXIST ? ENOTDIR : cause));
}
