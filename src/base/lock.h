/* Locks that vanish with their process, however it ends. Unlike a process number in a file, they
 * cannot go stale, and on a shared file system other machines see them, too. */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include "base/error.h"

#include <stdbool.h>

/* Locks the open file unless another process has locked it; false also where the file system cannot
 * lock. */
bool lock_descriptor(int descriptor);

/* Waits until no other process has locked the open file, then locks it. */
void lock_descriptor_wait(int descriptor);

/* Whether `path` still names the open file: another process may have removed it before it was
 * locked. */
bool descriptor_is_named(int descriptor, const char *path);

/* A file whose only purpose is to be locked. */
struct lock_file {
    int descriptor; /* -1: not taken */
    bool protects;  /* false: not taken, or the file system has no locks */
    char *path;     /* owned */
};

/* Creates and locks `path`. STATUS_FAILED if another process has it, or if it cannot be written.
 * Where the file system has no locks, the file is created, and `protects` is false. */
enum status lock_file_take(struct lock_file *lock, const char *path, struct error *error);

/* Removes the file and releases the lock; does nothing if it was not taken. */
void lock_file_release(struct lock_file *lock);

#endif
