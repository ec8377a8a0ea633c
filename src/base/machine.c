#include "base/machine.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* ---- time ---------------------------------------------------------------------------------------
 */

double machine_busy(void)
{
    FILE *file = fopen("/proc/stat", "r");
    double user, nice, system, idle, wait, hardware, software, stolen;
    if (!file)
        return (double)NAN;
    int n = fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait,
                   &hardware, &software, &stolen);
    fclose(file);
    if (n != 8)
        return (double)NAN;
    return (user + nice + system + hardware + software + stolen) / (double)sysconf(_SC_CLK_TCK);
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

double process_busy(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return (double)NAN;
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double machine_load(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : (double)NAN;
}

/* ---- memory -------------------------------------------------------------------------------------
 */

/* The number behind `key` in a file of lines "key number"; NaN if there is none. */
static double number_behind(const char *path, const char *key)
{
    FILE *file = fopen(path, "r");
    char line[256];
    double found = (double)NAN;
    size_t length = strlen(key);
    while (file && isnan(found) && fgets(line, sizeof line, file))
        if (strncmp(line, key, length) == 0 && sscanf(line + length, "%lf", &found) != 1)
            found = (double)NAN;
    if (file)
        fclose(file);
    return found;
}

double process_memory(void)
{
    double kilobytes = number_behind("/proc/self/status", "VmRSS:");
    return isnan(kilobytes) ? 0.0 : 1024.0 * kilobytes;
}

/* Bytes that one group still leaves; infinity if it has no limit. Pages of files that can be
 * dropped count as used until they are, so they are added here. */
static double left_in_group(const char *folder, const char *limit_name, const char *usage_name,
                            const char *droppable)
{
    char path[PATH_ROOM + 64];
    snprintf(path, sizeof path, "%s/%s", folder, limit_name);
    double limit = number_behind(path, "");
    snprintf(path, sizeof path, "%s/%s", folder, usage_name);
    double usage = number_behind(path, "");
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    double files = number_behind(path, droppable);
    if (isnan(limit) || isnan(usage)) /* the second version writes "max" where there is no limit */
        return (double)INFINITY;
    return fmax(limit - usage + (isnan(files) ? 0.0 : files), 0.0);
}

/* Bytes that a group and all groups around it still leave, up to the root of the hierarchy. In a
 * container the root may be mounted where a group of the machine would be, so that the path leads
 * nowhere: then the limit stands at the root. */
static double left_in_groups(const char *root, char *path, bool second)
{
    char folder[PATH_ROOM];
    double least = (double)INFINITY;
    for (;;) {
        int length = snprintf(folder, sizeof folder, "%s%s%s", root, second ? "" : "/memory", path);
        if (length > 0 && (size_t)length < sizeof folder)
            least = fmin(
                least, second
                           ? left_in_group(folder, "memory.max", "memory.current", "inactive_file ")
                           : left_in_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                           "total_inactive_file "));
        char *slash = strrchr(path, '/');
        if (!slash || path[0] == '\0')
            return least;
        *slash = '\0';
    }
}

double memory_of_groups(const char *groups, const char *root)
{
    char line[PATH_ROOM];
    double least = (double)INFINITY;
    for (const char *at = groups; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        int length = (int)strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", length, at);
        char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        bool second = strcmp(names, ":") == 0, first = strcmp(names, ":memory") == 0;
        if (first || second)
            least = fmin(least, left_in_groups(root, path, second));
    }
    return least;
}

static double left_of_groups(void)
{
    char text[2 * PATH_ROOM];
    FILE *file = fopen("/proc/self/cgroup", "r");
    if (!file)
        return (double)INFINITY;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return memory_of_groups(text, "/sys/fs/cgroup");
}

static double left_of_addresses(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return (double)INFINITY;
    double used = 1024.0 * number_behind("/proc/self/status", "VmSize:");
    return fmax((double)limit.rlim_cur - (isnan(used) ? 0.0 : used), 0.0);
}

double memory_available(void)
{
    double free = 1024.0 * number_behind("/proc/meminfo", "MemAvailable:");
    if (isnan(free))
        free = (double)INFINITY;
    return fmin(free, fmin(left_of_groups(), left_of_addresses()));
}
