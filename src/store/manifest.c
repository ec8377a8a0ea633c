#include "store/manifest.h"

#include "base/atomic_file.h"
#include "base/json.h"
#include "base/machine.h"
#include "store/sha256.h"

#include <glib.h>
#include <gsl/gsl_version.h>
#include <gts.h>
#include <hdf5.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <yaml.h>

double manifest_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reads one line of a text file, without its end; it is empty if there is none. */
static void read_line(FILE *file, char *line, int size)
{
    line[0] = '\0';
    if (!file || !fgets(line, size, file))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
}

/* Opens a file that the build left beside this program; NULL if there is none. */
static FILE *open_left(const char *name)
{
    static const char *const place[] = {".", "../share/mergesplit"};
    char program[4096], path[4096 + 64];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    FILE *file = NULL;
    for (size_t i = 0; i < sizeof place / sizeof *place && !file; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", program, place[i], name);
        file = fopen(path, "r");
    }
    return file;
}

static void print_commit(struct json *json, const char *commit)
{
    static const char dirty[] = "-dirty";
    char hash[128] = "";
    FILE *file = commit ? NULL : open_left("commit");
    if (commit)
        snprintf(hash, sizeof hash, "%s", commit);
    else
        read_line(file, hash, sizeof hash);
    if (file)
        fclose(file);
    size_t length = strlen(hash), end = sizeof dirty - 1;
    if (length == 0) {
        json_null(json, "commit");
        json_null(json, "dirty");
        return;
    }
    bool changed = length > end && strcmp(hash + length - end, dirty) == 0;
    if (changed)
        hash[length - end] = '\0';
    json_text(json, "commit", hash);
    json_truth(json, "dirty", changed);
}

static enum status print_inputs(struct json *json, const struct manifest *m, struct error *error)
{
    char sum[SHA256_TEXT];
    enum status status = STATUS_OK;
    json_object(json, "sha256");
    if (m->config) {
        sha256_bytes(m->config, strlen(m->config), sum);
        json_text(json, "configuration", sum);
    }
    for (size_t i = 0; i < m->n_inputs && status == STATUS_OK; i++) {
        status = sha256_file(m->input[i], sum, error);
        if (status == STATUS_OK)
            json_text(json, m->input[i], sum);
    }
    if (status == STATUS_OK)
        status = sha256_file("/proc/self/exe", sum, error);
    if (status == STATUS_OK)
        json_text(json, "binary", sum);
    json_close(json);
    return status;
}

/* The chain of runs that led here, the first of all first. */
static enum status print_origin(struct json *json, const struct manifest *m, struct error *error)
{
    if (!m->origin)
        return STATUS_OK;
    char *lines = strdup(m->origin), *rest = NULL;
    if (!lines)
        return error_memory(error, "the origin of a run", strlen(m->origin) + 1, 1);
    json_list(json, "origin");
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        json_text(json, NULL, line);
    json_list_close(json);
    free(lines);
    return STATUS_OK;
}

static void print_build(struct json *json)
{
    char compiler[256], flags[2048];
    FILE *file = open_left("flags");
    read_line(file, compiler, sizeof compiler);
    read_line(file, flags, sizeof flags);
    if (file)
        fclose(file);
#ifdef __clang__
    json_text(json, "compiler", compiler[0] ? compiler : __VERSION__);
#else
    json_text(json, "compiler", compiler[0] ? compiler : "gcc " __VERSION__);
#endif
    json_text(json, "flags", flags[0] ? flags : NULL);
}

static void print_libraries(struct json *json)
{
    char text[64];
    unsigned major, minor, release;
    json_object(json, "libraries");
    json_text(json, "gsl", gsl_version);
    H5get_libversion(&major, &minor, &release);
    snprintf(text, sizeof text, "%u.%u.%u", major, minor, release);
    json_text(json, "hdf5", text);
    json_text(json, "libyaml", yaml_get_version_string());
    snprintf(text, sizeof text, "%u.%u.%u", gts_major_version, gts_minor_version,
             gts_micro_version);
    json_text(json, "gts", text);
    snprintf(text, sizeof text, "%u.%u.%u", glib_major_version, glib_minor_version,
             glib_micro_version);
    json_text(json, "glib", text);
    json_close(json);
}

static void find_processor(char name[128])
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    strcpy(name, "unknown");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %127[^\n]", name) == 1)
            break;
    if (file)
        fclose(file);
}

static void print_machine(struct json *json)
{
    char processor[128], host[256] = "";
    find_processor(processor);
    gethostname(host, sizeof host - 1);
    json_object(json, "machine");
    json_text(json, "host", host);
    json_text(json, "processor", processor);
    json_whole(json, "cores", (uint64_t)omp_get_num_procs());
    json_whole(json, "threads", (uint64_t)omp_get_max_threads());
    json_text(json, "OMP_NUM_THREADS", getenv("OMP_NUM_THREADS"));
    json_number(json, "load", machine_load());
    json_close(json);
}

/* The peak memory in bytes; 0 if unknown. It is the kernel's own count for this program, because
 * that of getrusage includes the memory of the process that started it. */
static uint64_t peak_memory(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long long kilobytes = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %llu kB", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return 1024 * (uint64_t)kilobytes;
}

static void print_cost(struct json *json, double begin)
{
    char date[64];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_text(json, "date", date);
    json_number(json, "wall_s", manifest_clock() - begin);
    json_number(json, "processor_s", process_busy());
    json_whole(json, "peak_memory_bytes", peak_memory());
}

static enum status print_manifest(FILE *stream, const struct manifest *m, struct error *error)
{
    struct json json = json_open(stream);
    json_text(&json, "program", m->program);
    json_text(&json, "version", m->version);
    print_commit(&json, m->commit);
    enum status status = print_inputs(&json, m, error);
    if (!status)
        status = print_origin(&json, m, error);
    json_whole(&json, "seed", m->seed);
    print_build(&json);
    print_libraries(&json);
    print_machine(&json);
    print_cost(&json, m->begin);
    json_text(&json, "configuration", m->config);
    json_close(&json);
    return status;
}

enum status manifest_write(const char *path, const struct manifest *manifest, struct error *error)
{
    struct atomic_file file;
    if (atomic_file_open(&file, path, error))
        return STATUS_FAILED;
    enum status status = print_manifest(file.stream, manifest, error);
    if (status == STATUS_OK)
        return atomic_file_commit(&file, error);
    atomic_file_abandon(&file);
    return status;
}
