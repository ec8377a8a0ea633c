#include "measure/fragments.h"

#include "base/disjoint_sets.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool can_break(const struct fragments *f, size_t i)
{
    return f->particles_of[f->body[i]] > 0;
}

/* Parents are never larger than their children, so that the root of a set is its smallest. Joins
 * particle i with its neighbors; `whole` marks the bonds that count, NULL: all. Most
 * neighbors are in the set already, which is tested first. */
static void join_neighbors(uint32_t *parent, const struct bonded *own, const uint8_t *whole,
                           uint32_t i)
{
    const uint32_t *neighbor = own->neighbor;
    const size_t *start = own->start + (i - own->begin);
    uint32_t root = disjoint_root(parent, i);
    for (size_t e = start[1]; e-- > start[0];) {
        if (parent[neighbor[e]] == root || (whole && !whole[e]))
            continue;
        uint32_t other = disjoint_root(parent, neighbor[e]);
        if (other < root) {
            parent[root] = other;
            root = other;
        } else {
            parent[other] = root;
        }
    }
}

/* Every particle comes after its parent, so one pass finds all roots. */
static void label_by_root(uint32_t *parent, size_t n)
{
    for (size_t i = 0; i < n; i++)
        parent[i] = parent[parent[i]];
}

/* The same. A body that never moves is one piece, although its particles have no bonds. */
static void join_one(uint32_t *parent, const uint32_t *body, const struct bonded *own,
                     const uint8_t *whole, uint32_t i)
{
    if (!own->still || !own->still[body[i]])
        join_neighbors(parent, own, whole, i);
    else if (i > own->begin && body[i - 1] == body[i])
        parent[i] = parent[i - 1];
}

static void find_pieces(struct fragments *f, const struct bonded *bonded)
{
    for (uint32_t i = 0; i < f->n; i++)
        f->piece[i] = i;
    for (const struct bonded *own = bonded; own; own = own->next)
        for (uint32_t i = own->begin; own->start && i < own->end; i++)
            join_one(f->piece, f->body, own, NULL, i);
    label_by_root(f->piece, f->n);
}

/* Bonds join particles of one body only: particles of bodies that cannot break keep their labels.
 */
static void find_fragments(struct fragments *f, const struct bonded *bonded)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (can_break(f, i))
            f->fragment[i] = i;
    for (const struct bonded *own = bonded; own; own = own->next)
        for (uint32_t i = own->begin; own->start && i < own->end; i++)
            if (can_break(f, i))
                join_one(f->fragment, f->body, own, own->whole, i);
    label_by_root(f->fragment, f->n);
}

static void measure_sizes(struct fragments *f)
{
    memset(f->size, 0, f->n * sizeof *f->size);
    memset(f->largest, 0, f->n * sizeof *f->largest);
    for (size_t i = 0; i < f->n; i++)
        f->size[f->fragment[i]]++;
    for (size_t i = 0; i < f->n; i++) {
        uint32_t *largest = &f->largest[f->piece[i]];
        if (f->size[i] > *largest)
            *largest = f->size[i];
    }
}

static size_t in_chunk(uint32_t size)
{
    return size > DEBRIS_PARTICLES ? size : 0;
}

static double worst_fraction(const struct fragments *f)
{
    double worst = 0.0;
    for (size_t b = 0; b < f->n_bodies; b++) {
        if (f->particles_of[b] == 0)
            continue;
        double fraction = (double)f->detached_of[b] / (double)f->particles_of[b];
        worst = fraction > worst ? fraction : worst;
    }
    return worst;
}

static void count_fragments(struct fragments *f)
{
    struct fragment_count count = {0};
    size_t debris = 0, largest = 0;
    measure_sizes(f);
    memset(f->detached_of, 0, f->n_bodies * sizeof *f->detached_of);
    for (size_t i = 0; i < f->n; i++)
        if (can_break(f, i) && f->fragment[i] == i) {
            size_t chunk = in_chunk(f->size[i]);
            count.fragments++;
            count.chunks += chunk > 0;
            debris += f->size[i] - chunk;
            f->detached_of[f->body[i]] += chunk;
        }
    for (size_t i = 0; i < f->n; i++)
        if (can_break(f, i) && f->piece[i] == i) {
            largest += f->largest[i];
            f->detached_of[f->body[i]] -= in_chunk(f->largest[i]);
        }
    count.largest_fraction = (double)largest / (double)f->n_breakable;
    count.debris_fraction = (double)debris / (double)f->n_breakable;
    count.detached_fraction = worst_fraction(f);
    f->count = count;
}

/* Counts the particles of bodies that can break, body by body. */
static enum status count_breakable(struct fragments *f, const struct scene *scene,
                                   const struct particles *p, struct error *error)
{
    if (array_create(&f->particles_of, scene->n_bodies, sizeof *f->particles_of, "fragments",
                     error) ||
        array_create(&f->detached_of, scene->n_bodies, sizeof *f->detached_of, "fragments", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++) {
        const struct body *body = &scene->body[p->body[i]];
        if (!material_breaks(&scene->material[body->material]))
            continue;
        f->particles_of[p->body[i]]++;
        f->n_breakable++;
    }
    return STATUS_OK;
}

enum status fragments_create(struct fragments *f, const struct scene *scene,
                             const struct particles *p, const struct bonded *bonded,
                             struct error *error)
{
    *f = (struct fragments){.n_bodies = scene->n_bodies, .body = p->body};
    enum status status = count_breakable(f, scene, p, error);
    if (status || f->n_breakable == 0)
        return status;
    if (array_create(&f->piece, p->n, sizeof *f->piece, "fragments", error) ||
        array_create(&f->fragment, p->n, sizeof *f->fragment, "fragments", error) ||
        array_create(&f->size, p->n, sizeof *f->size, "fragments", error) ||
        array_create(&f->largest, p->n, sizeof *f->largest, "fragments", error))
        return STATUS_FAILED;
    f->n = p->n;
    find_pieces(f, bonded);
    memcpy(f->fragment, f->piece, f->n * sizeof *f->fragment);
    count_fragments(f);
    return STATUS_OK;
}

void fragments_free(struct fragments *f)
{
    free(f->particles_of);
    free(f->detached_of);
    free(f->piece);
    free(f->fragment);
    free(f->size);
    free(f->largest);
    *f = (struct fragments){0};
}

void fragments_update(struct fragments *f, const struct bonded *bonded, uint64_t changes)
{
    if (f->n == 0 || changes == f->changes)
        return;
    find_fragments(f, bonded);
    count_fragments(f);
    f->changes = changes;
}
