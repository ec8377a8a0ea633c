/* A library to be loaded before all others (LD_PRELOAD), for programs with one thread: the n-th
 * allocation of the program fails, n = 0, 1, ... in REFUSE. Those that happen inside HDF5 or GLib,
 * which crash or end the program when they get no memory, count only if LIBRARIES is set; nor do
 * those of what the loader calls, such as the destructor that writes the counts of make coverage.
 * To the file REFUSE_LOG goes, for each that counts, a number of the place in the program that
 * asked, with all its callers. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { DEPTH = 48, MOST = 1 << 20 };

static struct {
    uintptr_t begin, end;
} library[8];
static size_t n_libraries;
static long asked, refused = -1;
static uint32_t *place; /* (MOST) */
static bool at_work;

static bool is_in_library(uintptr_t at)
{
    for (size_t k = 0; k < n_libraries; k++)
        if (at >= library[k].begin && at < library[k].end)
            return true;
    return false;
}

struct stack {
    int depth;
    uint64_t hash;
    bool in_library;
};

/* Walking a stack takes longer than all else, and most allocations are those of libraries. */
static _Unwind_Reason_Code add_caller(struct _Unwind_Context *context, void *data)
{
    struct stack *stack = data;
    uintptr_t at = _Unwind_GetIP(context);
    stack->in_library = is_in_library(at);
    stack->hash = (stack->hash ^ at) * 1099511628211u;
    return stack->in_library || ++stack->depth == DEPTH ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* A number of the stack; 0 if a library is in it. Any other if nobody wants to know. */
static uint32_t stack_number(void)
{
    struct stack stack = {.hash = 14695981039346656037u};
    if (!place && (n_libraries == 0 || asked > refused))
        return 1;
    _Unwind_Backtrace(add_caller, &stack);
    return stack.in_library ? 0 : (uint32_t)(stack.hash >> 32) | 1;
}

static bool is_refused(void)
{
    if (!at_work)
        return false;
    at_work = false; /* walking may ask for memory, too */
    uint32_t number = stack_number();
    at_work = true;
    if (!number)
        return false;
    if (place && asked < MOST)
        place[asked] = number;
    if (asked++ != refused)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return is_refused() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return is_refused() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    void *fresh = is_refused() ? NULL : __libc_memalign(alignment, size);
    if (!fresh)
        return ENOMEM;
    *result = fresh;
    return 0;
}

static int find_library(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    bool wanted = strstr(info->dlpi_name, "libhdf5") || strstr(info->dlpi_name, "libglib") ||
                  strstr(info->dlpi_name, "/ld-linux");
    if (!wanted || n_libraries == sizeof library / sizeof library[0])
        return 0;
    library[n_libraries].begin = info->dlpi_addr;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        uintptr_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
        if (part->p_type == PT_LOAD && end > library[n_libraries].end)
            library[n_libraries].end = end;
    }
    n_libraries++;
    return 0;
}

/* HDF5 crashes if there is no memory while it initializes itself, so that this is over before
 * anything counts. */
static void prepare_hdf5(void)
{
    static const char *const first[] = {"H5dont_atexit", "H5open"};
    for (int k = 0; k < 2; k++) {
        void *symbol = dlsym(RTLD_DEFAULT, first[k]);
        int (*call)(void);
        memcpy(&call, &symbol, sizeof call);
        if (symbol)
            call();
    }
}

/* Comes before main; what the loader and other libraries asked for until then does not count. */
__attribute__((constructor)) static void begin(void)
{
    const char *wanted = getenv("REFUSE");
    if (wanted)
        refused = strtol(wanted, NULL, 10);
    if (getenv("LIBRARIES"))
        prepare_hdf5();
    else
        dl_iterate_phdr(find_library, NULL);
    if (getenv("REFUSE_LOG"))
        place = __libc_calloc(MOST, sizeof *place);
    stack_number(); /* loads what it needs */
    at_work = true;
}

__attribute__((destructor)) static void end(void)
{
    at_work = false;
    const char *path = getenv("REFUSE_LOG");
    size_t size = (size_t)(asked < MOST ? asked : MOST) * sizeof *place;
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0 && write(file, place, size) != (ssize_t)size)
        _exit(99);
}
