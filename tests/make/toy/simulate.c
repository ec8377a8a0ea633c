/* Stands in for ms-simulate INITIAL -o RUN --seldom [--resume]: two frames, each the initial state;
 * one line in ran.log, and a manifest; fails if the initial state has the word "broken"; with
 * TOY_HANG stops after the first frame and waits; says that it took 2 s, 1 of them in steps,
 * and 1.9 of the CPU, or as many as the file `had` says; its end.json is the file `end`, if there
 * is one. And for ms-simulate INITIAL --from FRAME
 * --steps N -o TIMED --quiet: one step of 0.5 s; one line in timed.log; the file `others` says how
 * many seconds others computed. */
#include "base/toy.h"

#include <stdlib.h>
#include <unistd.h>

static int time_steps(const char *frame, const char *folder)
{
    char others[TOY_TEXT] = "", text[TOY_TEXT] = "";
    mkdir(folder, 0777);
    toy_read("others", text);
    toy_line(text, 0, others);
    return toy_add("timed.log", "timed %s\n", frame) ||
           toy_write(folder, "steps.csv",
                     "step,outside_s,detection_s,merging_s,first_stage_s,later_stages_s,"
                     "synchronizing_s,splitting_s,moving_s,ledger_s,measures_s,frames_s,wall_s,"
                     "processor_s,machine_s,load,splits_with_root,splits_without_root,stages\n"
                     "1,0,0.1,0,0.2,0.1,0,0,0.1,0,0,0,0.5,1,%s,0,1,1,2\n",
                     others) ||
           toy_write(folder, "timing.csv", "particles,bonds,threads\n10,20,2\n") ||
           toy_write(folder, "manifest.json",
                     "{\"machine\": {\"cores\": 2, \"processor\": \"toy\", \"load\": 1}, "
                     "\"peak_memory_bytes\": 1, \"date\": \"\", \"commit\": \"\", \"dirty\": "
                     "false, \"compiler\": \"\"}\n");
}

/* Reads a file that the build left beside the program. */
static void built_read(const char *program, const char *name, char text[TOY_TEXT])
{
    char path[TOY_TEXT];
    const char *end = strrchr(program, '/');
    snprintf(path, sizeof path, "%.*s/%s", end ? (int)(end - program) : 1, end ? program : ".",
             name);
    toy_read(path, text);
}

static int manifest_write(const char *program, const char *run)
{
    char built[TOY_TEXT] = "", flags[TOY_TEXT] = "", text[TOY_TEXT] = "1.9", path[TOY_TEXT];
    char commit[TOY_TEXT], compiler[TOY_TEXT], line[TOY_TEXT], had[TOY_TEXT];
    built_read(program, "commit", built);
    built_read(program, "flags", flags);
    toy_read("had", text);
    toy_line(built, 0, commit);
    toy_line(flags, 0, compiler);
    toy_line(flags, 1, line);
    toy_line(text, 0, had);
    char *dirty = strstr(commit, "-dirty");
    if (dirty)
        *dirty = '\0';
    snprintf(path, sizeof path, "%s/timing.csv", run);
    const char *threads = getenv("OMP_NUM_THREADS");
    struct stat there;
    return toy_write(run, "manifest.json",
                     "{\"commit\": \"%s\", \"dirty\": %s, \"compiler\": \"%s\", \"flags\": \"%s\", "
                     "\"wall_s\": 2, \"processor_s\": %s}\n",
                     commit, dirty ? "true" : "false", compiler, line, had) ||
           toy_add(path, "%s%s,1,0.5\n",
                   stat(path, &there) || there.st_size == 0 ? "threads,first_stage_s,frames_s\n"
                                                            : "",
                   threads && *threads ? threads : "1");
}

int main(int argc, char **argv)
{
    char initial[TOY_TEXT], frames[TOY_TEXT], end[TOY_TEXT] = "{}\n";
    if (argc < 5)
        return 2;
    if (!strcmp(argv[2], "--from"))
        return time_steps(argv[3], argv[7]);
    const char *run = argv[3];
    const char *word = argc > 5 && !strcmp(argv[5], "--resume") ? "resumed" : "ran";
    snprintf(frames, sizeof frames, "%s/frames", run);
    mkdir(frames, 0777);
    int failed = toy_read(argv[1], initial) || toy_write(frames, "000000.hdf", "%s", initial) ||
                 manifest_write(argv[0], run) || toy_add("ran.log", "%s %s\n", word, run);
    if (!failed && getenv("TOY_HANG"))
        usleep((useconds_t)(1e6 * atof(getenv("TOY_HANG"))));
    toy_read("end", end);
    failed = failed || strstr(initial, "broken") ||
             toy_write(frames, "000001.hdf", "%s", initial) ||
             toy_write(run, "end.json", "%s", end);
    return failed;
}
