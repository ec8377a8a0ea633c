#include "contact/active_pairs.h"

#include "base/memory.h"
#include "contact/merge_order.h"

#include <stdlib.h>

void active_pairs_free(struct active_pairs *a)
{
    free(a->role);
    pair_list_free(&a->pairs);
    *a = (struct active_pairs){0};
}

/* Rule 22. */
static enum status choose(struct active_pairs *a, const struct stage *stage, struct error *error)
{
    const struct pair_list *meeting = stage->meeting;
    if (array_reserve(&a->role, &a->capacity, meeting->n, sizeof *a->role, "contacts", error) ||
        array_reserve(&a->pairs.pair, &a->pairs.capacity, meeting->n, sizeof *a->pairs.pair,
                      "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < meeting->n; k++)
        a->role[k] = pair_approaches(stage->particles->position, stage->particles->velocity,
                                     meeting->pair[k])
                         ? PAIR_ACTIVE
                         : PAIR_MARKED;
    return STATUS_OK;
}

void active_pairs_list(struct active_pairs *a, const struct stage *stage,
                       const struct contact_settings *settings, uint64_t seed)
{
    a->pairs.n = 0;
    for (size_t k = 0; k < stage->meeting->n; k++)
        if (a->role[k] == PAIR_ACTIVE || a->role[k] == PAIR_KEPT)
            a->pairs.pair[a->pairs.n++] = stage->meeting->pair[k];
    if (settings->order == ORDER_SHUFFLED)
        shuffle_pairs(&a->pairs, seed, stage->step);
}

enum status active_pairs_find(struct active_pairs *a, const struct stage *stage,
                              const struct contact_settings *settings, uint64_t seed,
                              struct error *error)
{
    enum status status = stage->number == 1 ? choose(a, stage, error) : STATUS_OK;
    if (!status)
        active_pairs_list(a, stage, settings, seed);
    return status;
}

static bool approaches(const struct stage *stage, struct pair pair, double least)
{
    const struct vec3 *x = stage->particles->position, *u = stage->path;
    if (!pair_approaches(x, u, pair))
        return false;
    const struct vec3 n = vec3_sub(x[pair.j], x[pair.i]);
    return least == 0.0 || vec3_dot(n, vec3_sub(u[pair.j], u[pair.i])) < -least * vec3_norm(n);
}

size_t active_pairs_late(struct active_pairs *a, const struct stage *stage, double least)
{
    size_t late = 0;
    for (size_t k = 0; k < stage->meeting->n; k++)
        if ((a->role[k] == PAIR_MARKED || a->role[k] == PAIR_RELEASED) &&
            approaches(stage, stage->meeting->pair[k], least)) {
            a->role[k] = a->role[k] == PAIR_MARKED ? PAIR_ACTIVE : PAIR_KEPT;
            late++;
        }
    return late;
}

static int compare(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;
    const uint32_t of_a = p->i != q->i ? p->i : p->j, of_b = p->i != q->i ? q->i : q->j;
    return of_a < of_b ? -1 : of_a > of_b;
}

bool active_pairs_release(struct active_pairs *a, const struct stage *stage, struct pair pair)
{
    const struct pair_list *meeting = stage->meeting;
    const struct pair *found = bsearch(&pair, meeting->pair, meeting->n, sizeof pair, compare);
    if (!found || a->role[found - meeting->pair] != PAIR_ACTIVE)
        return false;
    a->role[found - meeting->pair] = PAIR_RELEASED;
    return true;
}
