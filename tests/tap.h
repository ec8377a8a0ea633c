/* A test program is a file of functions; each runs in a process of its own, so that a crash, an
 * abort, an early exit or an endless loop is one failed test and not a lost file.
 *
 *     TEST(momentum_is_conserved) { check_close(after, before, 1e-12, "momentum"); }
 *
 * They run in the order of the file. Checks print both values and the place; a failed check lets
 * the test go on.
 *
 *     measured("M01.energy", worst);
 *
 * prints a value that a claim is about; experiments/<name>/claims.py reads it by that
 * name. */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a test may take. It is judged by its computing time, which a busy machine hardly changes;
 * the limit on the time that passes is for tests that wait for something that never comes. */
#ifndef TAP_SECONDS
#define TAP_SECONDS 240 /* of computing, all threads together; sanitizers need more */
#endif
#ifndef TAP_PATIENCE
#define TAP_PATIENCE (5 * TAP_SECONDS) /* s */
#endif

enum { TAP_SKIP = 77 };

struct tap_test {
    const char *name;
    void (*run)(void);
    int line;
    struct tap_test *next;
};

static struct tap_test *tap_tests; /* of this program, in the order of their lines */

static bool tap_failed; /* of the test in this process */

/* A test puts itself into the list before main() begins. */
#define TEST(name)                                                                                 \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void tap_add_##name(void)                                  \
    {                                                                                              \
        static struct tap_test test = {#name, name, __LINE__, NULL};                               \
        tap_add(&test);                                                                            \
    }                                                                                              \
    static void name(void)

#define check(condition) tap_check((condition), #condition, __FILE__, __LINE__)
/* |actual - expected| <= tolerance; NaN fails. */
#define check_close(actual, expected, tolerance, what)                                             \
    tap_check_close((actual), (expected), (tolerance), (what), __FILE__, __LINE__)
#define check_equal(actual, expected, what)                                                        \
    tap_check_equal((long long)(actual), (long long)(expected), (what), __FILE__, __LINE__)
#define check_contains(text, part) tap_check_contains((text), (part), __FILE__, __LINE__)
/* Ends the test at once, with a reason; counted as skipped. */
#define skip(reason) (printf("# SKIP %s\n", (reason)), fflush(stdout), _exit(TAP_SKIP))

__attribute__((unused)) static bool tap_check(bool ok, const char *text, const char *file, int line)
{
    if (ok)
        return true;
    tap_failed = true;
    fprintf(stderr, "#   %s:%d: not true: %s\n", file, line, text);
    return false;
}

__attribute__((unused)) static bool tap_check_close(double actual, double expected,
                                                    double tolerance, const char *what,
                                                    const char *file, int line)
{
    if (fabs(actual - expected) <= tolerance)
        return true;
    tap_failed = true;
    fprintf(stderr, "#   %s:%d: %s: got %.17g, expected %.17g within %.3g (off by %.3g)\n", file,
            line, what, actual, expected, tolerance, fabs(actual - expected));
    return false;
}

__attribute__((unused)) static bool tap_check_equal(long long actual, long long expected,
                                                    const char *what, const char *file, int line)
{
    if (actual == expected)
        return true;
    tap_failed = true;
    fprintf(stderr, "#   %s:%d: %s: got %lld, expected %lld\n", file, line, what, actual, expected);
    return false;
}

__attribute__((unused)) static bool tap_check_contains(const char *text, const char *part,
                                                       const char *file, int line)
{
    if (text && strstr(text, part))
        return true;
    tap_failed = true;
    fprintf(stderr, "#   %s:%d: \"%s\" does not contain \"%s\"\n", file, line,
            text ? text : "(null)", part);
    return false;
}

/* Each name once per program. */
__attribute__((unused)) static void measured(const char *name, double value)
{
    printf("# measured %s %.10g\n", name, value);
}

/* The larger of the two; what is not a number is larger than every number. */
__attribute__((unused)) static double worse(double worst, double value)
{
    return isnan(worst) || value <= worst ? worst : value;
}

#ifdef TAP_COVERAGE
void __gcov_dump(void); /* of libgcov */
#endif

/* Of the address sanitizer, which looks for lost memory in what exit() runs: ends a process that
 * lost some. */
void __lsan_do_leak_check(void) __attribute__((weak));

/* It asks here what to leave out: HDF5 itself loses memory when a file cannot be written. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

#ifndef TAP_NO_MAIN /* a program that only checks, and has no tests, defines it */

/* The end of a test's own process, without what exit() runs: that belongs to the parent. What the
 * lines of the test counted (make coverage) is written and lost memory is looked for all the same.
 */
static void tap_leave(int status)
{
    fflush(stdout);
    if (__lsan_do_leak_check)
        __lsan_do_leak_check();
#ifdef TAP_COVERAGE
    __gcov_dump();
#endif
    _exit(status);
}

/* Ends this process when it has taken too long; a limit from outside that is stricter stays. */
static void tap_limit(void)
{
    struct rlimit computing;
    bool known = getrlimit(RLIMIT_CPU, &computing) == 0;
    if (known && computing.rlim_cur > TAP_SECONDS) {
        computing.rlim_cur = TAP_SECONDS;
        known = setrlimit(RLIMIT_CPU, &computing) == 0;
    }
    if (!known)
        abort();
    alarm(TAP_PATIENCE);
}

/* Whether the test passed or was skipped. */
static bool tap_run_one(size_t number, const struct tap_test *test)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        tap_limit();
        test->run();
        tap_leave(tap_failed ? 1 : 0);
    }
    int status = 0;
    bool ended = child > 0 && waitpid(child, &status, 0) == child;
    bool skipped = ended && WIFEXITED(status) && WEXITSTATUS(status) == TAP_SKIP;
    bool ok = skipped || (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    printf("%s %zu - %s%s\n", ok ? "ok" : "not ok", number, test->name,
           skipped ? " # SKIP (reason above)" : "");
    if (ended && WIFSIGNALED(status))
        fprintf(stderr, "#   killed by signal %d (%s)\n", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    return ok;
}

static void tap_add(struct tap_test *test)
{
    struct tap_test **place = &tap_tests;
    while (*place && (*place)->line <= test->line)
        place = &(*place)->next;
    test->next = *place;
    *place = test;
}

/* The exit status is 0 if every test passed and every line could be written. */
int main(void)
{
    bool ok = true;
    size_t n = 0;
    for (const struct tap_test *test = tap_tests; test; test = test->next)
        n++;
    printf("1..%zu\n", n);
    n = 0;
    for (const struct tap_test *test = tap_tests; test; test = test->next)
        ok = tap_run_one(++n, test) && ok;
    return fflush(stdout) == 0 && !ferror(stdout) && ok ? 0 : 1;
}
#endif

#endif
