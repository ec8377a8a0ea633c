/* Stands in for ms-simulate INITIAL -o RUN --quiet [--resume]: two frames, each the initial state;
 * one line in ran.log; fails if the initial state has the word "broken"; with TOY_HANG stops after
 * the first frame and waits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shell(const char *format, const char *run, const char *initial)
{
    char command[4000];
    snprintf(command, sizeof command, format, run, initial);
    return system(command) ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    int resume = argc > 5 && !strcmp(argv[5], "--resume");
    int failed =
        shell("r=%s i=%s; mkdir -p $r/frames && cp $i $r/frames/000000.hdf", argv[3], argv[1]);
    failed = failed || shell(resume ? "echo resumed %s %s >>ran.log" : "echo ran %s %s >>ran.log",
                             argv[3], "");
    if (getenv("TOY_HANG"))
        failed = failed || shell("sleep $TOY_HANG; : %s %s", argv[3], "");
    failed = failed || shell("r=%s i=%s; ! grep -q broken $i && cp $i $r/frames/000001.hdf && "
                             "echo '{}' >$r/end.json",
                             argv[3], argv[1]);
    return failed;
}
