/* The folder of a run that a test writes itself. */
#ifndef TESTS_RUN_FOLDER_H
#define TESTS_RUN_FOLDER_H

#include "frame_random.h"
#include "tap.h"

#include <sys/stat.h>

static char folder[32];

/* The path of a file in the folder; it stays valid while three more are asked for. */
static inline char *in_folder(const char *name)
{
    static char path[4][128];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static inline void begin(void)
{
    strcpy(folder, "/tmp/test_run.XXXXXX");
    if (!mkdtemp(folder) || mkdir(in_folder("frames"), 0777))
        abort();
}

static inline void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    check_equal(system(command), 0, "the folder is removed");
}

/* Writes a frame to the file `name` in the folder. */
static inline void write_frame(const char *name, const struct frame *frame)
{
    struct error error = {0};
    check_equal(frame_write(in_folder(name), frame, &error), STATUS_OK, error.message);
}

#endif
