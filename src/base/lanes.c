#include "base/lanes.h"

#include "base/memory.h"

#include <stdint.h>

enum status lanes_create(lanes **array, void **memory, size_t n, const char *what,
                         struct error *error)
{
    *array = NULL;
    if (array_create(memory, n + 1, sizeof **array, what, error))
        return STATUS_FAILED;
    /* calloc knows only the alignment of the basic types */
    uintptr_t past = (uintptr_t)*memory % _Alignof(lanes);
    *array = (lanes *)(void *)((char *)*memory + (past ? _Alignof(lanes) - past : 0));
    return STATUS_OK;
}
