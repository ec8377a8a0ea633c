/* Particles with one group of constraints, for tests of single iterations. */
#ifndef TESTS_CONSTRAINT_STAGE_H
#define TESTS_CONSTRAINT_STAGE_H

#include "base/memory.h"
#include "constraints/contacts.h"
#include "constraints/distances.h"
#include "constraints/shapes.h"
#include "particles/random.h"
#include "tap.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

/* Particles, and a group of constraints between them. */
struct stage {
    struct constraint_set set;
    struct candidates candidates;
    struct corrections corrections;
    struct pair_list near;
    struct vec3 start[MOST], at[MOST], velocity[MOST], shift[MOST], rubbed[MOST];
    double weight[MOST], violation[MOST], radius[MOST], length[MOST * 8];
    uint8_t whole[MOST * 8];
};

static inline struct stage *stage_begin(size_t n, bool split)
{
    struct stage *s = calloc(1, sizeof *s);
    s->candidates = (struct candidates){.n = n,
                                        .dt = 0.01,
                                        .start = s->start,
                                        .at = s->at,
                                        .velocity = s->velocity,
                                        .weight = s->weight,
                                        .scaled = s->weight,
                                        .near = &s->near,
                                        .averaging = {1.0, split}};
    s->corrections =
        (struct corrections){.shift = s->shift, .rubbed = s->rubbed, .violation = s->violation};
    memset(s->whole, 1, sizeof s->whole);
    for (size_t i = 0; i < n; i++) {
        s->weight[i] = 1.0;
        s->radius[i] = 0.5;
    }
    return s;
}

static inline void stage_end(struct stage *s)
{
    constraint_set_free(&s->set);
    pair_list_free(&s->near);
    free(s);
}

static inline void add_pair(struct pair_list *list, uint32_t i, uint32_t j)
{
    struct error error = {0};
    check_equal(array_reserve(&list->pair, &list->capacity, list->n + 1, sizeof *list->pair,
                              "pairs", &error),
                STATUS_OK, error.message);
    list->pair[list->n++] = (struct pair){i, j};
}

/* Takes over the pairs; `compliance` of each, or 0: rigid. */
static inline void add_distances(struct stage *s, struct pair_list pairs, double compliance)
{
    struct error error = {0};
    struct distance_list list = {.pairs = pairs, .length = s->length, .whole = s->whole};
    if (compliance > 0.0)
        check_equal(array_create(&list.compliance, pairs.n, sizeof(double), "test", &error),
                    STATUS_OK, error.message);
    for (size_t e = 0; e < pairs.n && compliance > 0.0; e++)
        list.compliance[e] = compliance;
    check_equal(distances_add(&s->set, s->candidates.n, &list, &error), STATUS_OK, error.message);
}

static inline void add_contacts(struct stage *s, const struct walls *walls, double friction,
                                double static_friction)
{
    struct error error = {0};
    const struct contact_setting setting = {.n = s->candidates.n,
                                            .radius = s->radius,
                                            .walls = walls,
                                            .friction = friction,
                                            .static_friction = static_friction};
    check_equal(contacts_add(&s->set, &setting, &error), STATUS_OK, error.message);
}

static inline void find(struct stage *s, enum constraint_kind kind)
{
    struct error error = {0};
    struct constraint *group = s->set.group[kind];
    check_equal(group->class->find(group, &s->candidates, &error), STATUS_OK, error.message);
}

static inline void iterate(struct stage *s, enum constraint_kind kind)
{
    struct constraint *group = s->set.group[kind];
    group->class->solve(group, &s->candidates, &s->corrections);
    for (size_t i = 0; i < s->candidates.n; i++)
        s->at[i] = vec3_add(s->at[i], s->shift[i]);
}

static inline double distance(const struct stage *s, size_t i, size_t j)
{
    return vec3_norm(vec3_sub(s->at[j], s->at[i]));
}

static inline double uniform(uint64_t *draw)
{
    return random_uniform(7, 0, (*draw)++, RANDOM_TEST);
}

static inline double drawn(uint64_t *draw)
{
    return random_uniform(11, 0, (*draw)++, RANDOM_TEST);
}

static inline struct vec3 drawn_vector(uint64_t *draw)
{
    double x = 2.0 * drawn(draw) - 1.0, y = 2.0 * drawn(draw) - 1.0;
    return vec3(x, y, 2.0 * drawn(draw) - 1.0);
}

/* A soup of particles with different masses and random pairs. */
static inline struct stage *soup(bool split, struct pair_list *pairs)
{
    struct stage *s = stage_begin(MOST, split);
    uint64_t draw = 0;
    *pairs = (struct pair_list){0};
    for (uint32_t i = 0; i < MOST; i++) {
        double x = uniform(&draw), y = uniform(&draw);
        s->at[i] = s->start[i] = vec3(4.0 * x, 4.0 * y, 4.0 * uniform(&draw));
        s->weight[i] = 0.1 + uniform(&draw);
    }
    for (uint32_t i = 0; i < MOST; i++)
        for (uint32_t j = i + 1; j < MOST; j++)
            if (pairs->n < MOST * 8 && distance(s, i, j) < 0.6) {
                s->length[pairs->n] = 0.3 + 0.4 * uniform(&draw);
                add_pair(pairs, i, j);
            }
    return s;
}

#endif
