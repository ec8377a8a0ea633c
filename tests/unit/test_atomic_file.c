#include "base/atomic_file.h"
#include "failing_memory.h"
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* An empty folder of the test's own, which becomes the working directory. */
static void enter_folder(char *folder)
{
    strcpy(folder, "/tmp/atomic-file-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        abort();
}

static void leave_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (chdir("/") != 0 || system(command) != 0)
        abort();
}

static size_t files_here(void)
{
    size_t n = 0;
    DIR *here = opendir(".");
    for (struct dirent *entry = readdir(here); entry; entry = readdir(here))
        n += entry->d_name[0] != '.';
    closedir(here);
    return n;
}

static void check_content(const char *path, const char *expected)
{
    char text[100] = "";
    FILE *file = fopen(path, "r");
    if (!check(file != NULL))
        return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    check(strcmp(text, expected) == 0);
}

TEST(a_file_appears_whole_at_commit)
{
    char folder[64];
    struct atomic_file file;
    struct error error = {0};
    enter_folder(folder);
    check_equal(atomic_file_open(&file, "out", &error), STATUS_OK, "open");
    fprintf(file.stream, "hello");
    check(access("out", F_OK) != 0);
    check_equal(atomic_file_commit(&file, &error), STATUS_OK, "commit");
    check_content("out", "hello");
    check_equal(files_here(), 1, "files");
    leave_folder(folder);
}

TEST(what_was_there_is_replaced_at_commit_and_kept_by_abandon)
{
    char folder[64];
    struct atomic_file file;
    struct error error = {0};
    enter_folder(folder);
    check_equal(atomic_file_write("out", "old", 3, &error), STATUS_OK, "write");
    check_equal(atomic_file_open(&file, "out", &error), STATUS_OK, "open");
    fprintf(file.stream, "new");
    check_content("out", "old");
    atomic_file_abandon(&file);
    check_content("out", "old");
    check_equal(files_here(), 1, "files");
    check_equal(atomic_file_write("out", "new", 3, &error), STATUS_OK, "write");
    check_content("out", "new");
    leave_folder(folder);
}

TEST(a_write_that_failed_is_told_and_leaves_the_old_file)
{
    char folder[64];
    struct atomic_file file;
    struct error error = {0};
    enter_folder(folder);
    check_equal(atomic_file_write("out", "old", 3, &error), STATUS_OK, "write");
    check_equal(atomic_file_open(&file, "out", &error), STATUS_OK, "open");
    FILE *full = freopen("/dev/full", "w", file.stream);
    check(full != NULL);
    fprintf(file.stream, "new");
    check_equal(atomic_file_commit(&file, &error), STATUS_FAILED, "commit");
    check_contains(error.message, "out");
    check_content("out", "old");
    check_equal(files_here(), 1, "files");
    leave_folder(folder);
}

/* The disk is full for a while only: what was lost stays lost, though the last flush succeeds. */
TEST(a_write_that_failed_once_is_told)
{
    char folder[64];
    struct atomic_file file;
    struct error error = {0};
    enter_folder(folder);
    check_equal(atomic_file_write("out", "old", 3, &error), STATUS_OK, "write");
    check_equal(atomic_file_open(&file, "out", &error), STATUS_OK, "open");
    int descriptor = fileno(file.stream), disk = dup(descriptor),
        full = open("/dev/full", O_WRONLY);
    check(dup2(full, descriptor) == descriptor);
    fprintf(file.stream, "lost");
    check(fflush(file.stream) == EOF);
    check(dup2(disk, descriptor) == descriptor);
    close(disk);
    close(full);
    fprintf(file.stream, "kept");
    check_equal(atomic_file_commit(&file, &error), STATUS_FAILED, "commit");
    check_content("out", "old");
    leave_folder(folder);
}

TEST(only_a_regular_file_can_be_replaced)
{
    char folder[64];
    struct error error = {0};
    enter_folder(folder);
    mkdir("folder", 0777);
    check_equal(atomic_file_write("folder", "x", 1, &error), STATUS_FAILED, "a folder");
    check_equal(atomic_file_write("/dev/null", "x", 1, &error), STATUS_FAILED, "a device");
    check_equal(atomic_file_write("absent/out", "x", 1, &error), STATUS_FAILED, "no folder");
    check_contains(error.message, "absent");
    check_equal(files_here(), 1, "files");
    leave_folder(folder);
}

/* A child that has opened "out" and was killed, or still lives (then *child is its process). */
static void open_in_child(pid_t *child, bool kill_it)
{
    int ready[2];
    char byte;
    if (pipe(ready) != 0)
        abort();
    *child = fork();
    if (*child == 0) {
        struct atomic_file file;
        if (atomic_file_open(&file, "out", NULL) == STATUS_OK && write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    check_equal(read(ready[0], &byte, 1), 1, "the child is ready");
    close(ready[0]);
    close(ready[1]);
    if (kill_it) {
        kill(*child, SIGKILL);
        waitpid(*child, NULL, 0);
    }
}

TEST(what_the_dead_left_is_removed_and_what_the_living_write_is_kept)
{
    char folder[64];
    pid_t dead, living;
    struct error error = {0};
    enter_folder(folder);
    open_in_child(&living, false);
    open_in_child(&dead, true);
    check_equal(files_here(), 2, "temporary files");
    /* names that only look like ours, and temporary files of another file */
    check_equal(atomic_file_write("out.tmp-", "x", 1, &error), STATUS_OK, "write");
    check_equal(atomic_file_write("out.tmp-1", "x", 1, &error), STATUS_OK, "write");
    check_equal(atomic_file_write("out.tmp-1-2x", "x", 1, &error), STATUS_OK, "write");
    check_equal(atomic_file_write("another.tmp-1-2", "x", 1, &error), STATUS_OK, "write");
    check_equal(atomic_file_write("out", "new", 3, &error), STATUS_OK, "write");
    check_content("out", "new");
    check_equal(files_here(), 6, "files: four others, the result, what the living child writes");
    kill(living, SIGKILL);
    waitpid(living, NULL, 0);
    atomic_file_sweep("out");
    check_equal(files_here(), 5, "files");
    leave_folder(folder);
}

TEST(a_temporary_file_is_kept_until_it_has_its_name)
{
    char folder[64];
    struct atomic_file file;
    struct error error = {0};
    enter_folder(folder);
    check_equal(atomic_file_open(&file, "out", &error), STATUS_OK, "open");
    atomic_file_sweep("out"); /* a lock keeps out even its own process */
    check_equal(files_here(), 1, "files");
    check_equal(atomic_file_commit(&file, &error), STATUS_OK, error.message);
    struct atomic_file never = {0};
    atomic_file_abandon(&never);
    check_equal(fcntl(0, F_GETFD) >= 0, 1, "standard input stays open");
    leave_folder(folder);
}

TEST(memory_that_runs_out_leaves_nothing_behind)
{
    char folder[64];
    enter_folder(folder);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        memory.status = atomic_file_write("out", "x", 1, &memory.error);
        memory_works(&memory);
        if (memory.status)
            check_equal(files_here(), 0, "files");
    }
    check(memory.n > 0);
    leave_folder(folder);
}
