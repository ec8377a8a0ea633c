#include "constraints/tethers.h"

#include "base/memory.h"
#include "constraints/pair_rows.h"
#include "constraints/rows.h"

#include <math.h>
#include <stdlib.h>

/* A particle, and a way from it to an anchor. Lengths are whole numbers, so that ways of equal
 * length are equal in whatever order their edges are added up. */
struct way {
    uint64_t length; /* in units */
    uint32_t anchor, particle;
};

struct tethers {
    struct constraint constraint; /* must be first */
    struct way *way;              /* the shortest of each particle (n) */
    double reach;                 /* m per unit, with slack */
};

enum { NO_ANCHOR = UINT32_MAX };

static void tethers_free(struct constraint *constraint)
{
    struct tethers *t = (struct tethers *)constraint;
    free(t->way);
    free(t);
}

/* A particle has one tether at most, so that nothing is averaged. */
static void tether_row(const struct constraint *constraint, const struct candidates *c, size_t i,
                       struct row *row)
{
    const struct tethers *t = (const struct tethers *)constraint;
    const uint32_t anchor = t->way[i].anchor;
    if (anchor == NO_ANCHOR)
        return;
    const struct vec3 back = vec3_sub(c->at[anchor], c->at[i]);
    const double length = vec3_norm(back);
    const double excess = length - t->reach * (double)t->way[i].length;
    if (!(excess > 0.0))
        return;
    row->violation = excess;
    row->shift = row->held = vec3_scale(c->averaging.omega * excess / length, back);
    row->held_work = vec3_dot(row->held, c->velocity[anchor]);
}

static void tethers_solve(struct constraint *constraint, const struct candidates *candidates,
                          struct corrections *corrections)
{
    rows_solve(tether_row, constraint, candidates, corrections);
}

static const struct constraint_class tethers_class = {
    .name = "tethers",
    .solve = tethers_solve,
    .free = tethers_free,
};

/* ---- the shortest ways, by Dijkstra's method ---- */

struct search {
    const struct tether_setting *setting;
    struct pair_rows rows;
    double unit;     /* m */
    struct way *way; /* the shortest so far of each particle (n) */
    struct way *heap;
    size_t n_heap, capacity;
};

/* Whether the way of one is better: shorter, or as long and to an earlier anchor. */
static bool better(const struct way *a, const struct way *b)
{
    if (a->length != b->length)
        return a->length < b->length;
    return a->anchor != b->anchor ? a->anchor < b->anchor : a->particle < b->particle;
}

static enum status push(struct search *s, struct way way, struct error *error)
{
    if (array_reserve(&s->heap, &s->capacity, s->n_heap + 1, sizeof *s->heap, "tethers", error))
        return STATUS_FAILED;
    size_t k = s->n_heap++;
    for (; k > 0 && better(&way, &s->heap[(k - 1) / 2]); k = (k - 1) / 2)
        s->heap[k] = s->heap[(k - 1) / 2];
    s->heap[k] = way;
    return STATUS_OK;
}

static struct way pop(struct search *s)
{
    const struct way first = s->heap[0], last = s->heap[--s->n_heap];
    size_t k = 0;
    for (size_t child = 1; child < s->n_heap; child = 2 * k + 1) {
        if (child + 1 < s->n_heap && better(&s->heap[child + 1], &s->heap[child]))
            child++;
        if (!better(&s->heap[child], &last))
            break;
        s->heap[k] = s->heap[child];
        k = child;
    }
    s->heap[k] = last;
    return first;
}

/* Takes the way if no better one of its particle is known. */
static enum status take(struct search *s, struct way way, struct error *error)
{
    struct way *own = &s->way[way.particle];
    if (s->setting->role[way.particle] == TETHER_NONE || !better(&way, own))
        return STATUS_OK;
    *own = way;
    return push(s, way, error);
}

static enum status find_ways(struct search *s, struct error *error)
{
    const struct tether_setting *setting = s->setting;
    double longest = 0.0;
    for (size_t e = 0; e < setting->edges->n; e++)
        longest = fmax(longest, setting->length[e]);
    s->unit = ldexp(longest, -32);
    for (uint32_t i = 0; i < setting->n; i++) {
        s->way[i] = (struct way){UINT64_MAX, NO_ANCHOR, i};
        if (setting->role[i] == TETHER_HOLDS && take(s, (struct way){0, i, i}, error))
            return STATUS_FAILED;
    }
    while (s->n_heap > 0) {
        const struct way from = pop(s);
        if (better(&s->way[from.particle], &from))
            continue;
        for (size_t k = s->rows.start[from.particle]; k < s->rows.start[from.particle + 1]; k++) {
            const double length = setting->length[s->rows.pair[k]] / s->unit;
            const struct way to = {from.length + (uint64_t)llround(length), from.anchor,
                                   s->rows.other[k]};
            if (take(s, to, error))
                return STATUS_FAILED;
        }
    }
    return STATUS_OK;
}

enum status tethers_add(struct constraint_set *set, const struct tether_setting *setting,
                        struct error *error)
{
    struct search search = {.setting = setting};
    struct tethers *t;
    if (array_create(&t, 1, sizeof *t, "tethers", error))
        return STATUS_FAILED;
    t->constraint.class = &tethers_class;
    set->group[CONSTRAINT_TETHERS] = &t->constraint;
    enum status status = array_create(&t->way, setting->n, sizeof *t->way, "tethers", error);
    search.way = t->way;
    if (!status)
        status = pair_rows_make(&search.rows, setting->n, setting->edges, error);
    if (!status)
        status = find_ways(&search, error);
    t->reach = search.unit * (1.0 + setting->slack);
    pair_rows_free(&search.rows);
    free(search.heap);
    return status;
}
