#include "surface/lattice_blocks.h"

#include "base/memory.h"

#include <stdlib.h>

enum { BITS = 21, HALF = 1 << 20 };

uint64_t block_key(struct block b)
{
    return (uint64_t)(b.z + HALF) << 2 * BITS | (uint64_t)(b.y + HALF) << BITS |
           (uint64_t)(b.x + HALF);
}

struct block block_of_key(uint64_t key)
{
    uint64_t mask = (1u << BITS) - 1;
    return (struct block){(int32_t)(key & mask) - HALF, (int32_t)(key >> BITS & mask) - HALF,
                          (int32_t)(key >> 2 * BITS) - HALF};
}

enum status block_list_add(struct block_list *list, struct block block, struct error *error)
{
    enum status status = array_reserve(&list->key, &list->capacity, list->n + 1, sizeof *list->key,
                                       "blocks of a lattice", error);
    if (!status)
        list->key[list->n++] = block_key(block);
    return status;
}

static int compare_keys(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

void block_list_finish(struct block_list *list)
{
    size_t n = 0;
    if (list->n > 0)
        qsort(list->key, list->n, sizeof *list->key, compare_keys);
    for (size_t k = 0; k < list->n; k++)
        if (n == 0 || list->key[n - 1] != list->key[k])
            list->key[n++] = list->key[k];
    list->n = n;
}

size_t block_list_find(const struct block_list *list, struct block block)
{
    uint64_t key = block_key(block);
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->n && list->key[low] == key ? low : list->n;
}

void block_list_free(struct block_list *list)
{
    free(list->key);
    *list = (struct block_list){0};
}

void block_work_free(struct block_work *work)
{
    free(work->slots.slot);
    work->slots = (struct slot_list){0};
}
