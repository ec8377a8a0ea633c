#include "base/lanes.h"

#include "base/memory.h"

const lanes_index lanes_chosen[16] = {
    {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
};
const uint8_t lanes_chosen_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

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
