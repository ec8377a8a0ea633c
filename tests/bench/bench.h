/* What the benchmarks share. */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include "schemes/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Peak memory of this program, bytes. */
static inline double peak_memory(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    double kilobytes = (double)NAN;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return 1024.0 * kilobytes;
}

static inline int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Processor time of this program, s. */
static inline double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The time since *begin, s, which becomes now. */
static inline double time_since(double *begin)
{
    double now = timing_now(), elapsed = now - *begin;
    *begin = now;
    return elapsed;
}

/* Adds the time since *begin to *spent and starts the next one. */
static inline void take_time(double *spent, double *begin)
{
    *spent += time_since(begin);
}

/* Sorts the values. */
static inline double median(double *value, size_t n)
{
    qsort(value, n, sizeof *value, ascending);
    return 0.5 * (value[n / 2] + value[(n - 1) / 2]);
}

#endif
