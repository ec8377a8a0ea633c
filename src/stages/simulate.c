/* ms-simulate: simulates from an initial frame and writes frames. */
#include "base/machine.h"
#include "base/number.h"
#include "base/program.h"
#include "base/progress.h"
#include "run/run.h"
#include "run/time_spent.h"
#include "run/timed_steps.h"
#include "run/warnings.h"
#include "store/frame_list.h"
#include "store/manifest.h"
#include "store/record_file.h"

#include <omp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

struct arguments {
    const char *initial, *folder;
    const char *from; /* frame from which steps are timed; NULL: an ordinary run */
    uint64_t steps;   /* number of steps to time; 0: an ordinary run */
    bool quiet, seldom, resume;
    const char *until_text; /* NULL: as the configuration says */
    double until;           /* s; 0: as the configuration says */
};

enum { OPTION_FROM = 256, OPTION_STEPS, OPTION_SELDOM };

static void check_complete(const struct arguments *arguments)
{
    if (!arguments->initial)
        program_usage("which initial frame? ms-sample makes one");
    if (!arguments->folder)
        program_usage("where should the frames go? -o FOLDER");
    if (!arguments->from != (arguments->steps == 0))
        program_usage("--from FRAME and --steps N belong together");
    if (arguments->from && arguments->resume)
        program_usage("--from begins in a folder of its own; there is nothing to --resume");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->folder = text;
        return 0;
    case 'q':
        arguments->quiet = true;
        return 0;
    case OPTION_SELDOM:
        arguments->quiet = arguments->seldom = true;
        return 0;
    case 'r':
        arguments->resume = true;
        return 0;
    case 'u':
        arguments->until_text = text;
        if (number_read(text, &arguments->until) || arguments->until <= 0.0)
            program_usage("--until: \"%s\" is no time; give a number above 0, in s", text);
        return 0;
    case OPTION_FROM:
        arguments->from = text;
        return 0;
    case OPTION_STEPS:
        if (number_read_whole(text, &arguments->steps) || arguments->steps == 0)
            program_usage("--steps: \"%s\" is no number of steps; give 1 or more", text);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->initial)
            program_usage("one initial frame is enough: \"%s\" is too many", text);
        arguments->initial = text;
        return 0;
    case ARGP_KEY_END:
        check_complete(arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"output", 'o', "FOLDER", 0, "Write the run to FOLDER/frames/000000.hdf and so on", 0},
    {"resume", 'r', NULL, 0,
     "Go on from the newest frame or checkpoint in FOLDER; damaged frames, and all after them, are "
     "simulated again",
     0},
    {"until", 'u', "T", 0,
     "Simulate until this time, in s, instead of time.end; with --resume, a run that is complete "
     "goes on as if it had had the later end from the start",
     0},
    {"from", OPTION_FROM, "FRAME", 0,
     "Go on from this frame or checkpoint, of any run of the same configuration, and only time "
     "--steps; that run stays as it is",
     0},
    {"steps", OPTION_STEPS, "N", 0,
     "Time this many steps one by one: FOLDER/steps.csv has a row for each, FOLDER/checkpoint.hdf "
     "the state after them",
     0},
    {"quiet", 'q', NULL, 0, "Say nothing but errors", 0},
    {"seldom", OPTION_SELDOM, NULL, 0,
     "Say nothing but errors and, once a minute, how far the run has come", 0},
    {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "INITIAL.hdf",
    .doc = "Simulates the scene of an initial frame.\v"
           "Ctrl-C, SIGTERM or a closed terminal finishes the time step, writes "
           "FOLDER/checkpoint.hdf and stops with status 1; "
           "the same command with --resume goes on, and ends with the same bits.\n\n"
           "OMP_NUM_THREADS is the number of threads, by default that of the cores. Threads that "
           "wait for others soon sleep; where nothing else runs, OMP_WAIT_POLICY=active keeps them "
           "awake, which makes steps of few particles shorter."};

static volatile sig_atomic_t asked_to_stop;

static void ask_to_stop(int number)
{
    (void)number;
    asked_to_stop = 1;
}

static void listen_for_stops(void)
{
    struct sigaction action = {.sa_handler = ask_to_stop};
    sigemptyset(&action.sa_mask);
    action.sa_flags = (int)SA_RESETHAND; /* a second signal ends the program at once */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before; /* a terminal that is closed ends the run, unless nohup began it */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

static enum status interrupted(struct run *run, const struct arguments *arguments,
                               struct error *error)
{
    enum status status = run_checkpoint(run, error);
    if (status)
        return status;
    return error_set(error, STATUS_FAILED,
                     "stopped after step %llu, t = %g s; go on with: ms-simulate %s -o %s "
                     "--resume%s%s",
                     (unsigned long long)run->simulation.step, run->simulation.time,
                     arguments->initial, arguments->folder,
                     arguments->until_text ? " --until " : "",
                     arguments->until_text ? arguments->until_text : "");
}

/* Says how far a failed run came; its finished frames are kept. Resuming helps if the cause was
 * outside, such as a full disk; a numerical failure repeats itself. */
static enum status failed(const struct run *run, const struct arguments *arguments,
                          struct error *error)
{
    char what[sizeof error->message];
    snprintf(what, sizeof what, "%s", error->message);
    return error_set(error, error->status,
                     "%.500s; frames up to number %llu are kept in %.200s/frames: --resume goes on "
                     "from there, another configuration needs another folder",
                     what, (unsigned long long)run->frame, arguments->folder);
}

static void print_line(void *context, const char *line)
{
    (void)context;
    program_message("%s", line);
}

static void print_warning(void *context, const char *line)
{
    (void)context;
    program_message("warning: %s", line);
}

static enum status simulate(struct run *run, const struct arguments *arguments,
                            struct progress *progress, struct error *error)
{
    const struct simulation *simulation = &run->simulation;
    enum status status = run_begin(run, error);
    if (!status && !run->lock.protects)
        program_message("%s: this file system has no locks; let no other ms-simulate and no other "
                        "make work there",
                        run->folder);
    enum run_end end = run_ended(run);
    while (!status && end == RUN_GOES_ON) {
        double before = simulation->time;
        status = run_step(run, error);
        if (status)
            return failed(run, arguments, error);
        progress_update(progress, simulation->step, simulation->time, simulation->time - before,
                        progress_clock());
        end = run_ended(run);
        if (end == RUN_GOES_ON && asked_to_stop)
            return interrupted(run, arguments, error);
    }
    return status ? status : run_finish(run, end, error);
}

/* Writes the timing and the manifest. They say where the time went and how the run was made;
 * results do not depend on them. */
static enum status write_records(const struct run *run, const struct arguments *arguments,
                                 uint64_t first_step, double begin, struct error *error)
{
    char *path;
    const struct simulation *s = &run->simulation;
    const struct manifest manifest = {
        .program = "ms-simulate",
        .version = PROGRAM_VERSION,
        .config = run->initial.config,
        .seed = run->scene.seed,
        .origin = run->initial.origin,
        .n_inputs = arguments->from ? 2 : 1,
        .input = (const char *const[]){arguments->initial, arguments->from},
        .begin = begin};
    enum status status = timing_write(arguments->folder, &s->timing, s->step - first_step,
                                      s->particles.n, bonded_count(s->bonded), error);
    if (!status)
        status = path_join(arguments->folder, "manifest.json", &path, error);
    if (status)
        return status;
    status = manifest_write(path, &manifest, error);
    free(path);
    return status;
}

static int time_steps(const struct arguments *arguments, double begin)
{
    struct run run;
    struct error error = {0}, records_error = {0};
    enum status status = run_open_from(&run, arguments->initial, arguments->from, arguments->folder,
                                       arguments->until, &error);
    if (status)
        return program_end(status, &error);
    uint64_t first = run.simulation.step;
    status = run_timed_steps(&run, arguments->steps, &error);
    enum status recorded = write_records(&run, arguments, first, begin, &records_error);
    run_close(&run);
    return status ? program_end(status, &error) : program_end(recorded, &records_error);
}

static void say_time(const struct run *run, uint64_t first_step)
{
    const struct simulation *s = &run->simulation;
    const struct time_spent spent = {
        &s->timing,     s->step - first_step, omp_get_max_threads(),
        process_busy(), run->taken,           run->scene.solver.tolerance};
    time_spent_say(&spent, print_line, NULL);
}

static enum progress_style style_of(const struct arguments *arguments)
{
    if (!arguments->quiet)
        return progress_style_of(stderr);
    return arguments->seldom ? PROGRESS_SELDOM : PROGRESS_SILENT;
}

int main(int argc, char **argv)
{
    double begin = manifest_clock();
    program_let_threads_sleep(argv);
    struct arguments arguments = {0};
    program_arguments(&argp, argc, argv, &arguments);
    struct error error = {0};
    struct run run;
    if (arguments.from)
        return time_steps(&arguments, begin);
    enum status status = run_open(&run, arguments.initial, arguments.folder, arguments.resume,
                                  arguments.until, &error);
    if (status)
        return program_end(status, &error);
    if (run.damaged)
        program_message("%s: is damaged; what it held is simulated again", run.damaged);
    if (!arguments.quiet) {
        run_say_waves(&run, print_line, NULL);
        status = run_warn_before(&run, print_warning, NULL, &error);
    }
    listen_for_stops();
    uint64_t first = run.simulation.step;
    struct progress progress =
        progress_start(stderr, style_of(&arguments), first, run.simulation.time, run.scene.time.end,
                       progress_clock());
    progress.what = arguments.folder;
    if (!status)
        status = simulate(&run, &arguments, &progress, &error);
    progress_finish(&progress, progress_clock());
    if (!arguments.quiet && !status)
        status = run_warn_after(&run, print_warning, NULL, &error);
    if (!arguments.quiet)
        say_time(&run, first);
    struct error records_error = {0};
    enum status recorded = write_records(&run, &arguments, first, begin, &records_error);
    run_close(&run);
    return status ? program_end(status, &error) : program_end(recorded, &records_error);
}
