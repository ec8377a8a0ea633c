#include "base/atomic_file.h"

#include "base/lock.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_EXCL makes the name ours even if another process (with the same number, on another machine)
 * tries it at the same moment. If the name is taken, or if another process swept the file before it
 * was locked, the next name is tried. */
static int open_unique(struct atomic_file *file, size_t size)
{
    for (unsigned k = 0; k < 10000; k++) {
        snprintf(file->temporary, size, "%s.tmp-%ld-%u", file->path, (long)getpid(), k);
        int descriptor = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            return -1;
        if (descriptor < 0)
            continue;
        lock_descriptor_wait(descriptor); /* where nothing can be locked, nothing is swept either */
        if (descriptor_is_named(descriptor, file->temporary))
            return descriptor;
        close(descriptor);
    }
    return -1;
}

/* The folder of a path, as a text that the caller owns; NULL if memory ran out. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

/* exactly "<digits>-<digits>" */
static bool is_process_and_count(const char *text)
{
    size_t process = strspn(text, "0123456789");
    if (process == 0 || text[process] != '-')
        return false;
    size_t count = strspn(text + process + 1, "0123456789");
    return count > 0 && text[process + 1 + count] == '\0';
}

static void remove_if_unused(int folder, const char *name)
{
    int descriptor = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (lock_descriptor(descriptor))
        unlinkat(folder, name, 0);
    close(descriptor);
}

void atomic_file_sweep(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, mark[] = ".tmp-";
    size_t length = strlen(name);
    char *folder = folder_of(path);
    DIR *directory = folder ? opendir(folder) : NULL;
    for (struct dirent *e; directory && (e = readdir(directory));)
        if (strncmp(e->d_name, name, length) == 0 &&
            strncmp(e->d_name + length, mark, sizeof mark - 1) == 0 &&
            is_process_and_count(e->d_name + length + sizeof mark - 1))
            remove_if_unused(dirfd(directory), e->d_name);
    if (directory)
        closedir(directory);
    free(folder);
}

static void release(struct atomic_file *file)
{
    if (file->path && file->lock >= 0)
        close(file->lock);
    free(file->path);
    free(file->temporary);
    *file = (struct atomic_file){.lock = -1};
}

/* A rename would replace a device, a pipe or a link by a file: /dev/stdout, for instance. */
static bool is_replaceable(const char *path)
{
    struct stat there;
    return lstat(path, &there) != 0 || S_ISREG(there.st_mode);
}

enum status atomic_file_open(struct atomic_file *file, const char *path, struct error *error)
{
    *file = (struct atomic_file){.lock = -1};
    if (!is_replaceable(path))
        return error_set(error, STATUS_FAILED,
                         "%s: exists and is not a regular file; name a file to write", path);
    size_t length = strlen(path), size = length + 48;
    if (array_create(&file->path, length + 1, 1, "a file name", error) ||
        array_create(&file->temporary, size, 1, "a file name", error)) {
        release(file);
        return STATUS_FAILED;
    }
    memcpy(file->path, path, length + 1);
    atomic_file_sweep(path);
    int descriptor = open_unique(file, size);
    if (descriptor >= 0)
        file->lock = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (file->lock >= 0)
        file->stream = fdopen(descriptor, "w");
    if (!file->stream) {
        error_set(error, STATUS_FAILED, "%s: cannot be written: %s%s", path, strerror(errno),
                  errno == ENOENT ? "; make its folder first" : "");
        if (descriptor >= 0) {
            close(descriptor);
            unlink(file->temporary);
        }
        release(file);
        return STATUS_FAILED;
    }
    return STATUS_OK;
}

/* A rename is on disk only after its folder was synced. Some file systems cannot sync a folder
 * (EINVAL); there, nothing more can be done. */
static int sync_folder(const char *path)
{
    char *folder = folder_of(path);
    if (!folder)
        return -1;
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (descriptor < 0)
        return errno == EACCES ? 0 : -1; /* a folder may be writable but not readable */
    int result = fsync(descriptor);
    if (result && (errno == EINVAL || errno == ENOTSUP))
        result = 0;
    close(descriptor);
    return result;
}

/* A stream remembers that a write failed, but not why: one more byte fails for the same reason. */
static int cause_of_failure(FILE *stream)
{
    clearerr(stream);
    errno = 0;
    bool failed = fputc('\n', stream) == EOF || fflush(stream) != 0;
    return failed && errno ? errno : EIO;
}

enum status atomic_file_commit(struct atomic_file *file, struct error *error)
{
    int failed = ferror(file->stream) ? cause_of_failure(file->stream) : 0;
    if (!failed && (fflush(file->stream) || fsync(fileno(file->stream))))
        failed = errno;
    if (fclose(file->stream) && !failed)
        failed = errno;
    file->stream = NULL;
    if (!failed && rename(file->temporary, file->path))
        failed = errno;
    if (failed)
        unlink(file->temporary);
    else if (sync_folder(file->path))
        failed = errno;
    if (failed)
        error_set(error, STATUS_FAILED, "%s: writing failed: %s", file->path, strerror(failed));
    release(file);
    return failed ? STATUS_FAILED : STATUS_OK;
}

void atomic_file_abandon(struct atomic_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    release(file);
}

enum status atomic_file_write(const char *path, const char *text, size_t length,
                              struct error *error)
{
    struct atomic_file file;
    if (atomic_file_open(&file, path, error))
        return STATUS_FAILED;
    fwrite(text, 1, length, file.stream); /* a failure stays in the stream until the commit */
    return atomic_file_commit(&file, error);
}
