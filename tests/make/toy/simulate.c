/* Stands in for ms-simulate INITIAL -o RUN --seldom [--resume]: two frames, each the initial state;
 * one line in ran.log, and a manifest; fails if the initial state has the word "broken"; with
 * TOY_HANG stops after the first frame and waits; says that it took 2 s, 1 of them in steps,
 * and 1.9 of the CPU, or as many as the file `had` says; its end.json is the file `end`, if there
 * is one. And for ms-simulate INITIAL --from FRAME
 * --steps N -o TIMED --quiet: one step of 0.5 s; one line in timed.log; the file `others` says how
 * many seconds others computed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shell(const char *format, const char *run, const char *initial)
{
    char command[4000];
    snprintf(command, sizeof command, format, run, initial);
    return system(command) ? 1 : 0;
}

static int time_steps(const char *frame, const char *folder)
{
    return shell(
        "t=%s f=%s; mkdir -p $t && echo timed $f >>timed.log && "
        "printf 'step,outside_s,detection_s,merging_s,first_stage_s,later_stages_s,synchronizing_s,"
        "splitting_s,moving_s,ledger_s,measures_s,frames_s,wall_s,processor_s,machine_s,load,"
        "splits_with_root,splits_without_root,stages\\n"
        "1,0,0.1,0,0.2,0.1,0,0,0.1,0,0,0,0.5,1,%%s,0,1,1,2\\n' $(cat others) >$t/steps.csv && "
        "printf 'particles,bonds,threads\\n10,20,2\\n' >$t/timing.csv && "
        "echo '{\"machine\": {\"cores\": 2, \"processor\": \"toy\", \"load\": 1}, "
        "\"peak_memory_bytes\": 1, \"date\": \"\", \"commit\": \"\", \"dirty\": false, "
        "\"compiler\": \"\"}' >$t/manifest.new && mv $t/manifest.new $t/manifest.json",
        folder, frame);
}

/* What the build left beside the program. */
static int manifest_write(const char *program, const char *run)
{
    return shell(
        "b=$(dirname %s) r=%s; c=$(cat $b/commit); printf '{\"commit\": \"%%s\", \"dirty\": %%s, "
        "\"compiler\": \"%%s\", \"flags\": \"%%s\", \"wall_s\": 2, \"processor_s\": %%s}\\n' "
        "\"${c%%-dirty}\" "
        "\"$([ \"$c\" = \"${c%%-dirty}\" ] && echo false || echo true)\" "
        "\"$(sed -n 1p $b/flags)\" \"$(sed -n 2p $b/flags)\" $(cat had 2>&- || echo 1.9) "
        ">$r/manifest.new && mv $r/manifest.new $r/manifest.json && "
        "([ -s $r/timing.csv ] || echo threads,first_stage_s,frames_s; "
        "echo ${OMP_NUM_THREADS:-1},1,0.5) >>$r/timing.csv",
        program, run);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    if (!strcmp(argv[2], "--from"))
        return time_steps(argv[3], argv[7]);
    int resume = argc > 5 && !strcmp(argv[5], "--resume");
    int failed = shell("r=%s i=%s; mkdir -p $r/frames && cp $i $r/frames/new && "
                       "mv $r/frames/new $r/frames/000000.hdf",
                       argv[3], argv[1]);
    failed = failed || manifest_write(argv[0], argv[3]);
    failed = failed || shell(resume ? "echo resumed %s %s >>ran.log" : "echo ran %s %s >>ran.log",
                             argv[3], "");
    if (getenv("TOY_HANG"))
        failed = failed || shell("sleep $TOY_HANG; : %s %s", argv[3], "");
    failed =
        failed ||
        shell("r=%s i=%s; ! grep -q broken $i && cp $i $r/frames/new && "
              "mv $r/frames/new $r/frames/000001.hdf && (cat end 2>&- || echo '{}') >$r/end.new && "
              "mv $r/end.new $r/end.json",
              argv[3], argv[1]);
    return failed;
}
