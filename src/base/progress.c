#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double REDRAW_INTERVAL = 0.2;  /* s */
static const double PLAIN_INTERVAL = 10.0;  /* s */
static const double SELDOM_INTERVAL = 60.0; /* s */
static const double SHORTEST_MEMORY = 30.0; /* s */
enum { LINE = 256, TEXT = 64, BAR_MIN = 8, BAR_MAX = 40, WIDTH_UNKNOWN = 80 };

enum progress_style progress_style_of(FILE *stream)
{
    const char *term = getenv("TERM");
    bool capable = term && *term && strcmp(term, "dumb") != 0;
    return capable && isatty(fileno(stream)) ? PROGRESS_TERMINAL : PROGRESS_PLAIN;
}

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct progress progress_start(FILE *stream, enum progress_style style, uint64_t step, double time,
                               double end, double wall)
{
    return (struct progress){.stream = stream,
                             .style = style,
                             .end = end,
                             .first_wall = wall,
                             .last_wall = wall,
                             .shown_wall = wall,
                             .step = step,
                             .time = time};
}

double progress_left(const struct progress *progress)
{
    double remaining = progress->end - progress->time;
    if (remaining <= 0.0)
        return 0.0;
    double left = remaining * progress->recent_wall / progress->recent_time;
    return progress->recent_time > 0.0 && isfinite(left) ? left : -1.0;
}

static double fraction_done(const struct progress *progress)
{
    double fraction = progress->time / progress->end;
    if (!(fraction > 0.0))
        return 0.0;
    return fraction < 1.0 ? fraction : 1.0;
}

/* Rounded down, so that it says 100 % only when all is done. */
static int percent_done(const struct progress *progress)
{
    return (int)(100.0 * fraction_done(progress));
}

/* "1:05", "2:01:05", "3 d 2 h". */
static void duration_text(char text[TEXT], double seconds)
{
    if (!(seconds >= 0.0 && seconds < 1e9)) {
        snprintf(text, TEXT, "?");
        return;
    }
    long s = lround(seconds);
    if (s < 3600)
        snprintf(text, TEXT, "%ld:%02ld", s / 60, s % 60);
    else if (s < 86400)
        snprintf(text, TEXT, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, TEXT, "%ld d %ld h", s / 86400, s / 3600 % 24);
}

static size_t terminal_width(const struct progress *progress)
{
    struct winsize size = {0};
    if (progress->width > 0)
        return progress->width;
    if (ioctl(fileno(progress->stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return WIDTH_UNKNOWN;
}

/* The text beside the bar: as much as fits into `room` characters, the least important parts
 * dropped first. */
static void terminal_text(const struct progress *progress, size_t room, char text[LINE])
{
    char left[TEXT], time[TEXT], step[TEXT], dt[TEXT];
    duration_text(left, progress_left(progress));
    snprintf(time, sizeof time, "  t %.4g/%.4g s", progress->time, progress->end);
    snprintf(step, sizeof step, "  step %llu", (unsigned long long)progress->step);
    snprintf(dt, sizeof dt, "  dt %.2g s", progress->dt);
    for (int parts = 4; parts >= 0; parts--) {
        int length =
            snprintf(text, LINE, "%3d %%%s%s%s%s%s%s", percent_done(progress),
                     parts > 1 ? time : "", parts > 2 ? step : "", parts > 3 ? dt : "",
                     parts > 0 ? "  " : "", parts > 0 ? left : "", parts > 0 ? " left" : "");
        if ((size_t)length <= room)
            return;
    }
    text[room] = '\0';
}

static void draw_bar(const struct progress *progress, size_t length, char bar[BAR_MAX + 4])
{
    size_t full = (size_t)(fraction_done(progress) * (double)length);
    bar[0] = '[';
    memset(bar + 1, '#', full);
    memset(bar + 1 + full, '.', length - full);
    strcpy(bar + 1 + length, "] ");
}

static void draw_terminal(struct progress *progress)
{
    /* The last column stays empty: some terminals wrap when it is written. */
    size_t room = terminal_width(progress) - 1;
    char text[LINE], bar[BAR_MAX + 4] = "";
    terminal_text(progress, room < LINE ? room : LINE - 1, text);
    size_t rest = room - strlen(text), frame = strlen("[] ");
    if (rest >= BAR_MIN + frame)
        draw_bar(progress, rest - frame < BAR_MAX ? rest - frame : BAR_MAX, bar);
    fprintf(progress->stream, "\r%s%s\033[K", bar,
            text); /* ESC [ K: erase to the end of the line */
    fflush(progress->stream);
    progress->drawn = true;
}

static void print_plain(struct progress *progress, const char *duration, const char *meaning)
{
    fprintf(progress->stream, "%d %%: step %llu, t = %.6g of %.6g s, dt = %.3g s, %s %s\n",
            percent_done(progress), (unsigned long long)progress->step, progress->time,
            progress->end, progress->dt, duration, meaning);
    fflush(progress->stream);
}

static void show(struct progress *progress)
{
    char left[TEXT];
    duration_text(left, progress_left(progress));
    if (progress->style == PROGRESS_TERMINAL)
        draw_terminal(progress);
    else if (progress->style == PROGRESS_PLAIN)
        print_plain(progress, left, "left");
    else
        fprintf(progress->stream, "  running   %s: %d %%, %s left\n", progress->what,
                percent_done(progress), left);
}

static double interval_of(enum progress_style style)
{
    switch (style) {
    case PROGRESS_TERMINAL:
        return REDRAW_INTERVAL;
    case PROGRESS_PLAIN:
        return PLAIN_INTERVAL;
    case PROGRESS_SELDOM:
        return SELDOM_INTERVAL;
    default:
        return (double)INFINITY;
    }
}

void progress_update(struct progress *progress, uint64_t step, double time, double dt, double wall)
{
    double memory = fmax(SHORTEST_MEMORY, 0.25 * (wall - progress->first_wall));
    double fading = exp(-(wall - progress->last_wall) / memory);
    progress->recent_time = fading * progress->recent_time + (time - progress->time);
    progress->recent_wall = fading * progress->recent_wall + (wall - progress->last_wall);
    progress->last_wall = wall;
    progress->step = step;
    progress->time = time;
    progress->dt = dt;

    if (wall - progress->shown_wall < interval_of(progress->style))
        return;
    progress->shown_wall = wall;
    show(progress);
}

void progress_clear(struct progress *progress)
{
    if (!progress->drawn)
        return;
    fputs("\r\033[K", progress->stream);
    fflush(progress->stream);
    progress->drawn = false;
}

void progress_finish(struct progress *progress, double wall)
{
    progress_clear(progress);
    if (progress->style == PROGRESS_PLAIN) {
        char taken[TEXT];
        duration_text(taken, wall - progress->first_wall);
        print_plain(progress, taken, "taken");
    }
}
