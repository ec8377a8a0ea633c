#include "store/order.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 1 << 20 }; /* per direction, so that three fit in 64 bits */

struct key {
    uint64_t cell;
    uint32_t body, id;
};

static int compare_keys(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    if (a->body != b->body)
        return a->body < b->body ? -1 : 1;
    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

struct cells {
    struct vec3 low;
    double edge; /* m */
    bool finite;
};

/* Cells of four radii: about eight particles of a lattice in each. */
static struct cells choose_cells(const struct particles *p)
{
    struct cells cells = {.finite = true};
    struct vec3 low = p->position[0], high = low;
    double radius = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        struct vec3 x = p->position[i];
        cells.finite = cells.finite && vec3_finite(x) && isfinite(p->radius[i]);
        low = vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        radius = fmax(radius, p->radius[i]);
    }
    double span = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    cells.low = low;
    cells.edge = fmax(4.0 * radius, span / (CELLS_MAX / 2));
    cells.finite = cells.finite && isfinite(span) && cells.edge > 0.0;
    return cells;
}

static uint64_t cell_of(const struct cells *cells, struct vec3 x)
{
    uint64_t i = (uint64_t)((x.x - cells->low.x) / cells->edge);
    uint64_t j = (uint64_t)((x.y - cells->low.y) / cells->edge);
    uint64_t k = (uint64_t)((x.z - cells->low.z) / cells->edge);
    return (k * CELLS_MAX + j) * CELLS_MAX + i;
}

enum status order_by_cell(const struct particles *p, uint32_t **order, struct error *error)
{
    struct key *key = NULL;
    if (array_create(order, p->n, sizeof **order, "the order of particles", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++)
        (*order)[i] = (uint32_t)i;
    struct cells cells = {.finite = false};
    if (p->n > 0)
        cells = choose_cells(p);
    if (!cells.finite)
        return STATUS_OK;
    if (array_create(&key, p->n, sizeof *key, "the order of particles", error)) {
        free(*order);
        *order = NULL;
        return STATUS_FAILED;
    }
    for (size_t i = 0; i < p->n; i++)
        key[i] = (struct key){cell_of(&cells, p->position[i]), p->body[i], (uint32_t)i};
    qsort(key, p->n, sizeof *key, compare_keys);
    for (size_t i = 0; i < p->n; i++)
        (*order)[i] = key[i].id;
    free(key);
    return STATUS_OK;
}

enum status order_check(const uint32_t *order, size_t n, bool *permutation, struct error *error)
{
    uint8_t *seen;
    *permutation = false;
    if (array_create(&seen, n, 1, "marks of particles", error))
        return STATUS_FAILED;
    size_t good = 0;
    for (; good < n && order[good] < n && !seen[order[good]]; good++)
        seen[order[good]] = 1;
    *permutation = good == n;
    free(seen);
    return STATUS_OK;
}

void order_gather(const uint32_t *order, size_t n, size_t size, const void *spread, void *packed)
{
    const char *from = spread;
    char *to = packed;
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * size, from + order[i] * size, size);
}

void order_scatter(const uint32_t *order, size_t n, size_t size, const void *packed, void *spread)
{
    const char *from = packed;
    char *to = spread;
    for (size_t i = 0; i < n; i++)
        memcpy(to + order[i] * size, from + i * size, size);
}
