/* Functions for all main functions: the command line, messages, and the end of a program. The only
 * part of the library that prints and exits; for main functions alone. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include "base/error.h"

#include <argp.h>
#include <stddef.h>

#define PROGRAM_VERSION "0.1.0"

/* Parses the command line with argp (--help, --usage and --version come with it) and returns only
 * if it is right; `input` is the parser's state->input. Bad usage is one line on stderr and exit
 * status 2 (so parsers call program_usage, not argp_error, which is silent here); a positional
 * argument is bad usage unless the parser takes it. From here on standard output is checked when
 * the program ends: what could not be written makes the status 1. A limit on the size of files
 * (ulimit -f) makes a write fail, instead of ending the program without a word.
 *
 *     static const struct argp argp = {options, parse, "", "One sentence about the program.", ...};
 *     program_arguments(&argp, argc, argv, &arguments);
 */
void program_arguments(const struct argp *argp, int argc, char **argv, void *input);

/* One line "ms-sample: <message>; see ms-sample --help" on stderr, then exit with status 2. */
_Noreturn void program_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One line "ms-sample: <message>" on stderr. */
void program_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Restarts the program once, with threads that soon sleep while they wait, unless the user set
 * OMP_WAIT_POLICY or GOMP_SPINCOUNT. The OpenMP library reads them before main. Threads that never
 * sleep make a step tens of times as long as soon as another program uses a core; threads that
 * sleep at once, a third longer on an idle machine. To be called first. */
void program_let_threads_sleep(char **argv);

/* The exit status of main; prints the error's message, if there is one, unless status is
 * STATUS_OK. */
int program_end(enum status status, const struct error *error);

/* "1,2,3", the text of an option: exactly n numbers. */
void program_numbers(const char *option, const char *text, size_t n, double *value);

/* One number above 0 and below `below`, infinity or 180 (degrees). */
void program_positive(const char *option, const char *text, double below, double *value);

#endif
