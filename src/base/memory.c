#include "base/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

enum status array_reserve(void *array, size_t *capacity, size_t needed, size_t size,
                          const char *what, struct error *error)
{
    if (needed <= *capacity)
        return STATUS_OK;
    size_t wanted = *capacity * 2 > needed ? *capacity * 2 : needed;
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
