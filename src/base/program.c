#include "base/program.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program's own parser and its input; argp itself is given ours. */
struct arguments {
    argp_parser_t parser;
    void *input;
};

/* Libraries may end the program themselves when memory runs out: HDF5 does, with a status of its
 * own and without a word. */
static bool is_our_status(int status)
{
    return status == STATUS_OK || status == STATUS_FAILED || status == STATUS_INVALID;
}

/* Why writing to standard output fails. The stream remembers that a write failed, but not why; one
 * more fails for the same reason. */
static const char *why_lost(void)
{
    return write(STDOUT_FILENO, "\n", 1) < 0 ? strerror(errno) : "write error";
}

/* Lost output must not look like success, not even with --help > /dev/full. A standard output that
 * was closed from the start loses nothing if nothing was written to it. */
static void program_close(int status, void *unused)
{
    (void)unused;
    bool pending = __fpending(stdout) != 0;
    const char *reason = ferror(stdout) ? why_lost() : NULL;
    if (fclose(stdout) != 0 && !reason && (pending || errno != EBADF))
        reason = strerror(errno);
    if (reason)
        program_message("standard output: %s", reason);
    if (!is_our_status(status))
        program_message("a library ended the program with status %d; memory may have run out",
                        status & 0xff);
    if (reason || !is_our_status(status))
        _exit(STATUS_FAILED);
}

static void version_print(FILE *stream, struct argp_state *state)
{
    (void)state;
    fprintf(stream, "%s (mergesplit) %s\n", program_invocation_short_name, PROGRAM_VERSION);
}

static error_t arguments_parse(int key, char *text, struct argp_state *state)
{
    const struct arguments *arguments = state->input;
    if (key == ARGP_KEY_INIT)
        state->err_stream =
            NULL; /* argp's second line, "Try --help", after getopt has said what is wrong */
    struct argp_state inner = *state;
    inner.input = arguments->input;
    error_t result = arguments->parser(key, text, &inner);
    state->next = inner.next;
    if (key == ARGP_KEY_ARG && result == ARGP_ERR_UNKNOWN)
        program_usage("unexpected argument '%s'", text);
    return result;
}

void program_arguments(const struct argp *argp, int argc, char **argv, void *input)
{
    if (on_exit(program_close, NULL) != 0) {
        program_message("no room to register the check of standard output");
        exit(STATUS_FAILED);
    }
    signal(
        SIGXFSZ,
        SIG_IGN); /* a file that grew too large makes a write fail instead of killing the program */
    argp_err_exit_status = STATUS_INVALID;
    argp_program_version_hook = version_print;
    if (argc > 0)
        argv[0] = program_invocation_short_name; /* getopt's messages begin with it */
    struct argp outer = *argp;
    outer.parser = arguments_parse;
    struct arguments arguments = {argp->parser, input};
    error_t result = argp_parse(&outer, argc, argv, 0, NULL, &arguments);
    if (result == ENOMEM) {
        program_message("out of memory for the command line");
        exit(STATUS_FAILED);
    }
    if (result != 0)
        exit(STATUS_INVALID);
}

static void message_print(const char *format, va_list arguments, const char *end)
{
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "%s\n", end);
}

void program_usage(const char *format, ...)
{
    char end[256];
    snprintf(end, sizeof end, "; see %s --help", program_invocation_short_name);
    va_list arguments;
    va_start(arguments, format);
    message_print(format, arguments, end);
    va_end(arguments);
    exit(STATUS_INVALID);
}

void program_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_print(format, arguments, "");
    va_end(arguments);
}

void program_let_threads_sleep(char **argv)
{
    static const char rounds[] = "1000"; /* about as long as waking a thread takes */
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") ||
        setenv("OMP_WAIT_POLICY", "passive", 1) != 0 || setenv("GOMP_SPINCOUNT", rounds, 1) != 0)
        return;
    execv("/proc/self/exe", argv); /* without it the program only runs slower */
}

int program_end(enum status status, const struct error *error)
{
    if (status != STATUS_OK && error && error->message[0])
        program_message("%s", error->message);
    return (int)status;
}
