#include "systems/bonds/bond_aggregates.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 16 };

/* The bonds from which aggregates are found, and scratch. */
struct aggregation {
    size_t n_particles;
    const size_t *start; /* of bonds */
    const uint32_t *neighbor;
    uint32_t *aggregate; /* of each particle */
    uint32_t *last;      /* 1 + the aggregate that found each as a neighbor last */
    size_t *next;        /* free place in each aggregate's list */
};

/* The number of consecutive particles from i on that are bonded to i, including itself. Consecutive
 * particles are mostly neighbors, but not at the end of a row, and an aggregate must not join
 * particles that are far apart. */
static size_t run_length(const struct aggregation *j, size_t i)
{
    size_t length = 1;
    for (size_t e = j->start[i]; e < j->start[i + 1] && length < LONGEST; e++, length++)
        if (j->neighbor[e] != i + length)
            break;
    return length;
}

static void cut_aggregates(struct bond_aggregates *aggregates, struct aggregation *j)
{
    size_t length;
    for (size_t i = 0; i < j->n_particles; i += length) {
        length = run_length(j, i);
        for (size_t k = i; k < i + length; k++)
            j->aggregate[k] = (uint32_t)aggregates->n;
        aggregates->first[aggregates->n++] = (uint32_t)i;
    }
    aggregates->first[aggregates->n] = (uint32_t)j->n_particles;
}

/* Lists in `found` the aggregates above this one to which its bonds lead; returns their number. */
static size_t aggregates_above(const struct bond_aggregates *aggregates,
                               const struct aggregation *j, uint32_t aggregate, uint32_t *found)
{
    size_t n = 0, end = j->start[aggregates->first[aggregate + 1]];
    for (size_t e = j->start[aggregates->first[aggregate]]; e < end; e++) {
        uint32_t other = j->aggregate[j->neighbor[e]];
        if (other == aggregate || j->last[other] == aggregate + 1)
            continue;
        j->last[other] = aggregate + 1;
        found[n++] = other;
    }
    return n;
}

static void count_neighbors(struct bond_aggregates *aggregates, const struct aggregation *j)
{
    for (uint32_t k = 0; k < aggregates->n; k++) {
        size_t n = aggregates_above(aggregates, j, k, aggregates->queue);
        aggregates->start[k + 1] += n;
        for (size_t f = 0; f < n; f++)
            aggregates->start[aggregates->queue[f] + 1]++;
    }
    for (size_t k = 0; k < aggregates->n; k++) {
        j->next[k] = aggregates->start[k];
        aggregates->start[k + 1] += aggregates->start[k];
    }
}

static void list_neighbors(struct bond_aggregates *aggregates, const struct aggregation *j)
{
    memset(j->last, 0, aggregates->n * sizeof *j->last);
    for (uint32_t k = 0; k < aggregates->n; k++) {
        size_t n = aggregates_above(aggregates, j, k, aggregates->queue);
        for (size_t f = 0; f < n; f++) {
            uint32_t other = aggregates->queue[f];
            aggregates->neighbor[j->next[k]++] = other;
            aggregates->neighbor[j->next[other]++] = k;
        }
    }
}

enum status bond_aggregates_create(struct bond_aggregates *aggregates, size_t n,
                                   const size_t *start, const uint32_t *neighbor,
                                   struct error *error)
{
    struct aggregation aggregation = {.n_particles = n, .start = start, .neighbor = neighbor};
    enum status status = STATUS_FAILED;
    *aggregates = (struct bond_aggregates){0};
    if (array_create(&aggregates->first, n + 1, sizeof(uint32_t), "aggregates", error) ||
        array_create(&aggregates->distance, n, 1, "aggregates", error) ||
        array_create(&aggregation.aggregate, n, sizeof(uint32_t), "aggregates", error))
        goto done;
    cut_aggregates(aggregates, &aggregation);
    if (array_create(&aggregates->start, aggregates->n + 1, sizeof(size_t), "aggregates", error) ||
        array_create(&aggregates->away, aggregates->n, 1, "aggregates", error) ||
        array_create(&aggregates->queue, aggregates->n, sizeof(uint32_t), "aggregates", error) ||
        array_create(&aggregation.last, aggregates->n, sizeof(uint32_t), "aggregates", error) ||
        array_create(&aggregation.next, aggregates->n, sizeof(size_t), "aggregates", error))
        goto done;
    count_neighbors(aggregates, &aggregation);
    if (array_create(&aggregates->neighbor, aggregates->start[aggregates->n], sizeof(uint32_t),
                     "aggregates", error))
        goto done;
    list_neighbors(aggregates, &aggregation);
    status = STATUS_OK;
done:
    free(aggregation.aggregate);
    free(aggregation.last);
    free(aggregation.next);
    return status;
}

void bond_aggregates_free(struct bond_aggregates *aggregates)
{
    free(aggregates->first);
    free(aggregates->start);
    free(aggregates->neighbor);
    free(aggregates->queue);
    free(aggregates->away);
    free(aggregates->distance);
    *aggregates = (struct bond_aggregates){0};
}

void bond_aggregates_clear(struct bond_aggregates *aggregates)
{
    memset(aggregates->away, FRONTIER_NEVER, aggregates->n);
}

void bond_aggregates_mark(struct bond_aggregates *aggregates, uint32_t particle)
{
    size_t low = 0, high = aggregates->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (aggregates->first[middle] <= particle)
            low = middle;
        else
            high = middle;
    }
    aggregates->away[low] = 0;
}

void bond_aggregates_spread(struct bond_aggregates *aggregates)
{
    uint8_t *away = aggregates->away;
    size_t end = 0;
    for (size_t k = 0; k < aggregates->n; k++)
        if (away[k] == 0)
            aggregates->queue[end++] = (uint32_t)k;
    for (size_t begin = 0; begin < end; begin++) {
        uint32_t k = aggregates->queue[begin];
        for (size_t f = aggregates->start[k]; f < aggregates->start[k + 1]; f++) {
            uint32_t other = aggregates->neighbor[f];
            if (away[other] != FRONTIER_NEVER)
                continue;
            away[other] = (uint8_t)(away[k] < FRONTIER_FARTHEST ? away[k] + 1 : FRONTIER_FARTHEST);
            aggregates->queue[end++] = other;
        }
    }
    for (size_t k = 0; k < aggregates->n; k++)
        memset(aggregates->distance + aggregates->first[k], away[k],
               aggregates->first[k + 1] - aggregates->first[k]);
}
