#include "shape/sides.h"

#include "base/memory.h"

#include <stdlib.h>

static int order(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_sides(const void *a, const void *b)
{
    const struct side *p = a, *q = b;
    if (p->low != q->low)
        return order(p->low, q->low);
    if (p->high != q->high)
        return order(p->high, q->high);
    return p->forward != q->forward ? p->forward - q->forward : order(p->apex, q->apex);
}

enum status sides_create(struct side **side, size_t n, const uint32_t (*triangle)[3],
                         struct error *error)
{
    if (array_create(side, 3 * n, sizeof **side, "edges of triangles", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < 3 * n; k++) {
        const uint32_t *corner = triangle[k / 3];
        const uint32_t from = corner[k % 3], to = corner[(k + 1) % 3], apex = corner[(k + 2) % 3];
        (*side)[k] =
            from < to ? (struct side){from, to, apex, true} : (struct side){to, from, apex, false};
    }
    if (n > 0)
        qsort(*side, 3 * n, sizeof **side, compare_sides);
    return STATUS_OK;
}

size_t sides_end_of_edge(const struct side *side, size_t n, size_t k)
{
    size_t end = k + 1;
    while (end < n && side[end].low == side[k].low && side[end].high == side[k].high)
        end++;
    return end;
}

enum status sides_closed(size_t n, const uint32_t (*triangle)[3], bool *closed, struct error *error)
{
    struct side *side = NULL;
    if (sides_create(&side, n, triangle, error))
        return STATUS_FAILED;
    *closed = n > 0;
    for (size_t k = 0, end; k < 3 * n; k = end) {
        end = sides_end_of_edge(side, 3 * n, k);
        *closed &= end - k == 2 && side[k].forward != side[k + 1].forward;
    }
    free(side);
    return STATUS_OK;
}
