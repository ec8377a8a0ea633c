#include "base/lock.h"
#include "tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static void enter_folder(void)
{
    strcpy(folder, "/tmp/lock-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        abort();
}

static void leave_folder(void)
{
    if (chdir("/") != 0 || rmdir(folder) != 0)
        abort();
}

TEST(a_lock_is_of_one_and_leaves_nothing)
{
    struct lock_file first, second;
    struct error error = {0};
    enter_folder();
    check_equal(lock_file_take(&first, "lock", &error), STATUS_OK, error.message);
    check_equal(lock_file_take(&second, "lock", &error), STATUS_FAILED, "a second one");
    check_contains(error.message, "lock: another process holds this lock");
    lock_file_release(&second);
    check_equal(access("lock", F_OK), 0, "a lock not taken takes nothing away");
    lock_file_release(&first);
    check(access("lock", F_OK) != 0);
    check_equal(lock_file_take(&second, "lock", &error), STATUS_OK, error.message);
    lock_file_release(&second);
    lock_file_release(&second);
    leave_folder();
}

TEST(a_lock_vanishes_with_its_process)
{
    struct lock_file lock;
    struct error error = {0};
    int ready[2];
    char byte;
    enter_folder();
    if (pipe(ready) != 0)
        abort();
    pid_t child = fork();
    if (child == 0) {
        if (lock_file_take(&lock, "lock", NULL) == STATUS_OK && write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    check_equal(read(ready[0], &byte, 1), 1, "the child has it");
    check_equal(lock_file_take(&lock, "lock", &error), STATUS_FAILED, "while it lives");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    check_equal(access("lock", F_OK), 0, "the file is still there");
    check_equal(lock_file_take(&lock, "lock", &error), STATUS_OK, error.message);
    lock_file_release(&lock);
    close(ready[0]);
    close(ready[1]);
    leave_folder();
}

TEST(a_folder_that_is_not_there_is_told)
{
    struct lock_file lock;
    struct error error = {0};
    check_equal(lock_file_take(&lock, "/nonexistent/lock", &error), STATUS_FAILED, "take");
    check_contains(error.message, "/nonexistent/lock: cannot be written: No such file");
    lock_file_release(&lock);
}
