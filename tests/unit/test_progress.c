#include "base/progress.h"
#include "tap.h"

#include <fcntl.h>

/* What was written to the stream so far. */
struct record {
    FILE *stream;
    char *text;
    size_t size;
};

static void record_open(struct record *r)
{
    *r = (struct record){0};
    r->stream = open_memstream(&r->text, &r->size);
}

static void record_close(struct record *r)
{
    fclose(r->stream);
    free(r->text);
}

static size_t count(const char *text, char c)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

/* The visible part of the last redraw: after the last carriage return, without the escape. */
static const char *last_line(struct record *r)
{
    static char line[512];
    fflush(r->stream);
    const char *start = strrchr(r->text, '\r');
    snprintf(line, sizeof line, "%s", start ? start + 1 : r->text);
    char *escape = strchr(line, '\033');
    if (escape)
        *escape = '\0';
    return line;
}

TEST(a_terminal_line_is_redrawn_five_times_a_second)
{
    struct record r;
    record_open(&r);
    struct progress p = progress_start(r.stream, PROGRESS_TERMINAL, 0, 0.0, 2.0, 100.0);
    p.width = 100;
    for (int k = 1; k <= 1000; k++) /* 10 s of steps of 10 ms, half of the work */
        progress_update(&p, (uint64_t)k, 1e-3 * k, 1e-3, 100.0 + 0.01 * k);
    fflush(r.stream);
    size_t redraws = count(r.text, '\r');
    check(redraws >= 45 && redraws <= 50);
    check_equal(count(r.text, '\n'), 0, "newlines");
    p = progress_start(r.stream, PROGRESS_TERMINAL, 0, 0.0, 2.0, 100.0);
    p.width = 100;
    progress_update(&p, 1000, 1.0, 1e-3, 110.0);
    check(strcmp(last_line(&r), "[####################....................]  50 %  t 1/2 s  "
                                "step 1000  dt 0.001 s  0:10 left") == 0);
    progress_finish(&p, 111.0);
    fflush(r.stream);
    check(strcmp(r.text + r.size - 4, "\r\033[K") == 0); /* erased, and nothing after it */
    record_close(&r);
}

TEST(the_line_fits_any_terminal)
{
    for (size_t width = 1; width <= 200; width++) {
        struct record r;
        record_open(&r);
        struct progress p = progress_start(r.stream, PROGRESS_TERMINAL, 0, 0.0, 0.3, 0.0);
        p.width = width;
        progress_update(&p, 123456789, 0.123456789, 1.23456789e-4, 4000.0);
        const char *line = last_line(&r);
        check(strlen(line) < width);
        if (width >= 6)
            check_contains(line, "41 %");
        if (width >= 20)
            check_contains(line, "1:35:20 left"); /* 0.1765 s at 0.1235 s in 4000 s */
        if (width >= 90) {
            check_contains(line, "[####");
            check_contains(line, "dt 0.00012 s");
        }
        record_close(&r);
    }
}

TEST(clearing_makes_room_for_a_message)
{
    struct record r;
    record_open(&r);
    struct progress p = progress_start(r.stream, PROGRESS_TERMINAL, 0, 0.0, 1.0, 0.0);
    p.width = 80;
    progress_clear(&p);
    fflush(r.stream);
    check_equal(r.size, 0, "nothing to clear");
    progress_update(&p, 1, 0.5, 0.1, 1.0);
    progress_clear(&p);
    fflush(r.stream);
    size_t size = r.size;
    check(size > 4 && strcmp(r.text + size - 4, "\r\033[K") == 0);
    progress_clear(&p);
    progress_finish(&p, 2.0);
    fflush(r.stream);
    check_equal(r.size, size, "cleared once");
    record_close(&r);
}

TEST(elsewhere_a_plain_line_every_ten_seconds_and_a_last_one)
{
    struct record r;
    record_open(&r);
    struct progress p = progress_start(r.stream, PROGRESS_PLAIN, 0, 0.0, 0.4, 50.0);
    for (int k = 1; k <= 400; k++) /* 40 s */
        progress_update(&p, (uint64_t)k, 1e-3 * k, 1e-3, 50.0 + 0.1 * k);
    progress_finish(&p, 90.5);
    fflush(r.stream);
    check_equal(count(r.text, '\r') + count(r.text, '\033'), 0, "control characters");
    size_t lines = count(r.text, '\n');
    check(lines >= 4 && lines <= 5);
    check_contains(r.text, "t = 0.1");
    check_contains(r.text, "0:30 left\n");
    check_contains(r.text, "100 %: step 400, t = 0.4 of 0.4 s, dt = 0.001 s, 0:41 taken\n");
    record_close(&r);
}

TEST(in_a_make_a_short_line_every_minute)
{
    struct record r;
    record_open(&r);
    struct progress p = progress_start(r.stream, PROGRESS_SELDOM, 0, 0.0, 0.4, 50.0);
    p.what = "results/small/fig99";
    for (int k = 1; k <= 400; k++) /* 200 s */
        progress_update(&p, (uint64_t)k, 1e-3 * k, 1e-3, 50.0 + 0.5 * k);
    progress_finish(&p, 250.5);
    fflush(r.stream);
    check_equal(count(r.text, '\n'), 3, "lines");
    check_contains(r.text, "  running   results/small/fig99: 30 %, 2:20 left\n");
    record_close(&r);
}

TEST(silence_is_silent)
{
    struct record r;
    record_open(&r);
    struct progress p = progress_start(r.stream, PROGRESS_SILENT, 0, 0.0, 1.0, 0.0);
    for (int k = 1; k <= 100; k++)
        progress_update(&p, (uint64_t)k, 0.01 * k, 0.01, 10.0 * k);
    progress_clear(&p);
    progress_finish(&p, 2000.0);
    fflush(r.stream);
    check_equal(r.size, 0, "bytes");
    record_close(&r);
}

TEST(the_time_left_is_exact_for_a_steady_pace)
{
    struct progress p = progress_start(stderr, PROGRESS_SILENT, 500, 1.0, 3.0, 7.0);
    check(progress_left(&p) < 0.0); /* nothing known yet */
    for (int k = 1; k <= 2000; k++) {
        progress_update(&p, 500 + (uint64_t)k, 1.0 + 1e-3 * k, 1e-3, 7.0 + 0.05 * k);
        check_close(progress_left(&p), 0.05 * (2000 - k), 1e-9, "left");
    }
    check_close(progress_left(&p), 0.0, 0.0, "left at the end");
}

/* Steps become three times as short and twice as dear after 60 s: six times the time per simulated
 * time. */
TEST(the_time_left_follows_a_change_of_pace)
{
    struct progress p = progress_start(stderr, PROGRESS_SILENT, 0, 0.0, 100.0, 0.0);
    double wall = 0.0, time = 0.0;
    uint64_t step = 0;
    while (wall < 60.0)
        progress_update(&p, ++step, time += 0.03, 0.03, wall += 0.1);
    check_close(progress_left(&p), (100.0 - time) * 0.1 / 0.03, 1e-6, "before");
    while (wall < 120.0)
        progress_update(&p, ++step, time += 0.01, 0.01, wall += 0.2);
    double truth = (100.0 - time) * 0.2 / 0.01;
    check(progress_left(&p) > 0.4 * truth && progress_left(&p) < truth);
    while (wall < 360.0)
        progress_update(&p, ++step, time += 0.01, 0.01, wall += 0.2);
    truth = (100.0 - time) * 0.2 / 0.01;
    check_close(progress_left(&p), truth, 0.2 * truth, "four minutes later");
}

TEST(a_run_that_goes_on_begins_where_it_stopped)
{
    struct record r;
    record_open(&r);
    struct progress p = progress_start(r.stream, PROGRESS_PLAIN, 900, 0.9, 1.0, 0.0);
    progress_update(&p, 910, 0.91, 1e-3, 20.0);
    fflush(r.stream);
    check_contains(r.text, "91 %: step 910");
    check_contains(r.text, "3:00 left");
    record_close(&r);
}

TEST(odd_values_do_no_harm)
{
    struct record r;
    record_open(&r);
    struct progress p = progress_start(r.stream, PROGRESS_PLAIN, 0, 0.0, 1.0, 0.0);
    progress_update(&p, 1, (double)NAN, 0.0, 20.0);
    progress_update(&p, 1, 5.0, 0.0, 40.0);
    p = progress_start(r.stream, PROGRESS_PLAIN, 0, 0.0, 1e9, 0.0);
    progress_update(&p, 1, 1e-3, 1e-3, 20.0); /* half a million years */
    fflush(r.stream);
    check_contains(r.text, "0 %: step 1, t = nan");
    check_contains(r.text, "100 %: step 1, t = 5");
    check_contains(r.text, "? left");
    p = progress_start(r.stream, PROGRESS_PLAIN, 0, 0.0, 100.0, 0.0);
    progress_update(&p, 1, 1.0, 1.0, 3600.0);
    fflush(r.stream);
    check_contains(r.text, "4 d 3 h left");
    record_close(&r);
}

TEST(a_pipe_is_no_terminal_and_a_terminal_is_one)
{
    int end[2];
    check(pipe(end) == 0);
    FILE *stream = fdopen(end[1], "w");
    setenv("TERM", "xterm", 1);
    check_equal(progress_style_of(stream), PROGRESS_PLAIN, "pipe");
    fclose(stream);
    close(end[0]);

    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        skip("no pseudo terminals here");
    int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    stream = fdopen(other, "w");
    check_equal(progress_style_of(stream), PROGRESS_TERMINAL, "terminal");
    setenv("TERM", "dumb", 1);
    check_equal(progress_style_of(stream), PROGRESS_PLAIN, "dumb terminal");
    unsetenv("TERM");
    check_equal(progress_style_of(stream), PROGRESS_PLAIN, "unknown terminal");
    fclose(stream);
    close(terminal);
}

TEST(the_clock_never_goes_back)
{
    double before = progress_clock();
    for (int k = 0; k < 1000; k++) {
        double now = progress_clock();
        check(now >= before);
        before = now;
    }
}
