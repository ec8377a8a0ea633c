#include "base/lock.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A lock of flock belongs to the open file, not to the process. HDF5 opens and closes the same file
 * by its name, which would release a lock of fcntl, but does not release this one. */
bool lock_descriptor(int descriptor)
{
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

void lock_descriptor_wait(int descriptor)
{
    while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
        ;
}

bool descriptor_is_named(int descriptor, const char *path)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* A descriptor, or -1 with errno set: EWOULDBLOCK if another process has the lock. */
static int open_locked(const char *path, bool *ours)
{
    for (;;) {
        int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0)
            return -1;
        *ours = lock_descriptor(descriptor);
        if (!*ours && errno == EWOULDBLOCK) {
            close(descriptor);
            errno = EWOULDBLOCK;
            return -1;
        }
        /* the process that had the lock may have removed the file after we opened it */
        if (!*ours || descriptor_is_named(descriptor, path))
            return descriptor;
        close(descriptor);
    }
}

enum status lock_file_take(struct lock_file *lock, const char *path, struct error *error)
{
    size_t size = strlen(path) + 1;
    *lock = (struct lock_file){.descriptor = -1};
    if (array_create(&lock->path, size, 1, "a file name", error))
        return STATUS_FAILED;
    memcpy(lock->path, path, size);
    lock->descriptor = open_locked(path, &lock->protects);
    if (lock->descriptor >= 0)
        return STATUS_OK;
    int cause = errno;
    free(lock->path);
    lock->path = NULL;
    lock->protects = false;
    if (cause == EWOULDBLOCK)
        return error_set(
            error, STATUS_FAILED,
            "%s: another process holds this lock; wait for its end, or use another folder", path);
    return error_set(error, STATUS_FAILED, "%s: cannot be written: %s", path, strerror(cause));
}

void lock_file_release(struct lock_file *lock)
{
    if (!lock->path)
        return;
    unlink(lock->path); /* while it is still ours */
    close(lock->descriptor);
    free(lock->path);
    *lock = (struct lock_file){.descriptor = -1};
}
