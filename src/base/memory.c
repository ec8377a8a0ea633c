#include "base/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The only mutable variable of file scope in the library; it exists for the tests alone. Several
 * threads may ask for memory at once, and only one of them is refused. */
static atomic_long fail_after = -1;

void memory_fail_after(long n)
{
    fail_after = n;
}

static int allocation_refused(void)
{
    long left = fail_after;
    while (left >= 0)
        if (atomic_compare_exchange_weak(&fail_after, &left, left - 1))
            return left == 0;
    return 0;
}

enum status array_create(void *array, size_t count, size_t size, const char *what,
                         struct error *error)
{
    void *fresh = NULL;
    if (!allocation_refused())
        fresh = calloc(count ? count : 1, size);
    memcpy(array, &fresh, sizeof fresh);
    return fresh ? STATUS_OK : error_memory(error, what, count, size);
}

/* Advises the system to use large pages for those that lie within an array that begins with one. A
 * large page across its end would take memory that was not requested. Whether the system follows
 * the advice changes nothing but the time. */
static void ask_for_large_pages(void *array, size_t whole)
{
#ifdef MADV_HUGEPAGE
    (void)madvise(array, whole, MADV_HUGEPAGE);
#else
    (void)array;
    (void)whole;
#endif
}

enum status array_create_large(void *array, void **memory, size_t count, size_t size,
                               const char *what, struct error *error)
{
    static const size_t line = 64, page = (size_t)1 << 21; /* of x86-64 */
    const size_t most = (SIZE_MAX - page) / size, bytes = count <= most ? count * size : 0;
    const size_t unit = bytes >= page ? page : line;
    char *fresh = NULL;
    memcpy(array, &fresh, sizeof fresh);
    *memory = NULL;
    if (count > most)
        return error_memory(error, what, count, size);
    enum status status = array_create(&fresh, bytes + unit, 1, what, error);
    if (status)
        return status;
    *memory = fresh;
    fresh += unit - (uintptr_t)fresh % unit;
    memcpy(array, &fresh, sizeof fresh);
    if (unit == page)
        ask_for_large_pages(fresh, bytes - bytes % page);
    return STATUS_OK;
}

enum status array_reserve(void *array, size_t *capacity, size_t needed, size_t size,
                          const char *what, struct error *error)
{
    if (needed <= *capacity)
        return STATUS_OK;
    size_t wanted = array_room(*capacity, needed);
    void *old;
    memcpy(&old, array, sizeof old);
    void *fresh = NULL;
    if (wanted <= SIZE_MAX / size && !allocation_refused())
        fresh = realloc(old, wanted * size);
    if (!fresh)
        return error_memory(error, what, wanted, size);
    memcpy(array, &fresh, sizeof fresh);
    *capacity = wanted;
    return STATUS_OK;
}

enum status array_grow(void *array, size_t from, size_t to, size_t size, const char *what,
                       struct error *error)
{
    return array_reserve(array, &from, to, size, what, error);
}

size_t array_room(size_t room, size_t needed)
{
    return needed > 2 * room ? needed : 2 * room;
}
