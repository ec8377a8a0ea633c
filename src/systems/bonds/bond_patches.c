#include "systems/bonds/bond_patches.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 16 };

/* The bonds from which patches are found, and scratch. */
struct joining {
    size_t n_particles;
    const size_t *start; /* of bonds */
    const uint32_t *neighbor;
    uint32_t *patch; /* of each particle */
    uint32_t *last;  /* the patch, plus 1, that was last joined with each */
    size_t *next;    /* free place in each patch's list */
};

/* How many consecutive particles from i on are bonded to i, itself included. Consecutive particles
 * are mostly neighbors, but not at the end of a row, and a patch must not join what is far apart.
 */
static size_t run_length(const struct joining *j, size_t i)
{
    size_t length = 1;
    for (size_t e = j->start[i]; e < j->start[i + 1] && length < LONGEST; e++, length++)
        if (j->neighbor[e] != i + length)
            break;
    return length;
}

static void cut_patches(struct bond_patches *patches, struct joining *j)
{
    size_t length;
    for (size_t i = 0; i < j->n_particles; i += length) {
        length = run_length(j, i);
        for (size_t k = i; k < i + length; k++)
            j->patch[k] = (uint32_t)patches->n;
        patches->first[patches->n++] = (uint32_t)i;
    }
    patches->first[patches->n] = (uint32_t)j->n_particles;
}

/* Puts the patches above this one to which its bonds lead into `found`; returns how many. */
static size_t joined_above(const struct bond_patches *patches, const struct joining *j,
                           uint32_t patch, uint32_t *found)
{
    size_t n = 0, end = j->start[patches->first[patch + 1]];
    for (size_t e = j->start[patches->first[patch]]; e < end; e++) {
        uint32_t other = j->patch[j->neighbor[e]];
        if (other == patch || j->last[other] == patch + 1)
            continue;
        j->last[other] = patch + 1;
        found[n++] = other;
    }
    return n;
}

static void count_joined(struct bond_patches *patches, const struct joining *j)
{
    for (uint32_t k = 0; k < patches->n; k++) {
        size_t n = joined_above(patches, j, k, patches->queue);
        patches->start[k + 1] += n;
        for (size_t f = 0; f < n; f++)
            patches->start[patches->queue[f] + 1]++;
    }
    for (size_t k = 0; k < patches->n; k++) {
        j->next[k] = patches->start[k];
        patches->start[k + 1] += patches->start[k];
    }
}

static void list_joined(struct bond_patches *patches, const struct joining *j)
{
    memset(j->last, 0, patches->n * sizeof *j->last);
    for (uint32_t k = 0; k < patches->n; k++) {
        size_t n = joined_above(patches, j, k, patches->queue);
        for (size_t f = 0; f < n; f++) {
            uint32_t other = patches->queue[f];
            patches->neighbor[j->next[k]++] = other;
            patches->neighbor[j->next[other]++] = k;
        }
    }
}

enum status bond_patches_create(struct bond_patches *patches, size_t n, const size_t *start,
                                const uint32_t *neighbor, struct error *error)
{
    struct joining joining = {.n_particles = n, .start = start, .neighbor = neighbor};
    enum status status = STATUS_FAILED;
    *patches = (struct bond_patches){0};
    if (array_create(&patches->first, n + 1, sizeof(uint32_t), "patches", error) ||
        array_create(&patches->distance, n, 1, "patches", error) ||
        array_create(&joining.patch, n, sizeof(uint32_t), "patches", error))
        goto done;
    cut_patches(patches, &joining);
    if (array_create(&patches->start, patches->n + 1, sizeof(size_t), "patches", error) ||
        array_create(&patches->away, patches->n, 1, "patches", error) ||
        array_create(&patches->queue, patches->n, sizeof(uint32_t), "patches", error) ||
        array_create(&joining.last, patches->n, sizeof(uint32_t), "patches", error) ||
        array_create(&joining.next, patches->n, sizeof(size_t), "patches", error))
        goto done;
    count_joined(patches, &joining);
    if (array_create(&patches->neighbor, patches->start[patches->n], sizeof(uint32_t), "patches",
                     error))
        goto done;
    list_joined(patches, &joining);
    status = STATUS_OK;
done:
    free(joining.patch);
    free(joining.last);
    free(joining.next);
    return status;
}

void bond_patches_free(struct bond_patches *patches)
{
    free(patches->first);
    free(patches->start);
    free(patches->neighbor);
    free(patches->queue);
    free(patches->away);
    free(patches->distance);
    *patches = (struct bond_patches){0};
}

void bond_patches_clear(struct bond_patches *patches)
{
    memset(patches->away, REACH_NEVER, patches->n);
}

void bond_patches_mark(struct bond_patches *patches, uint32_t particle)
{
    size_t low = 0, high = patches->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (patches->first[middle] <= particle)
            low = middle;
        else
            high = middle;
    }
    patches->away[low] = 0;
}

void bond_patches_spread(struct bond_patches *patches)
{
    uint8_t *away = patches->away;
    size_t end = 0;
    for (size_t k = 0; k < patches->n; k++)
        if (away[k] == 0)
            patches->queue[end++] = (uint32_t)k;
    for (size_t begin = 0; begin < end; begin++) {
        uint32_t k = patches->queue[begin];
        for (size_t f = patches->start[k]; f < patches->start[k + 1]; f++) {
            uint32_t other = patches->neighbor[f];
            if (away[other] != REACH_NEVER)
                continue;
            away[other] = (uint8_t)(away[k] < REACH_FARTHEST ? away[k] + 1 : REACH_FARTHEST);
            patches->queue[end++] = other;
        }
    }
    for (size_t k = 0; k < patches->n; k++)
        memset(patches->distance + patches->first[k], away[k],
               patches->first[k + 1] - patches->first[k]);
}
