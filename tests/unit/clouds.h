/* Random particles with bonds between them, and the contacts by their definition, with which the
 * tests of detection compare. A test includes this once and need not use every function. */
#ifndef TESTS_CLOUDS_H
#define TESTS_CLOUDS_H

#include "contact/detection.h"
#include "tap.h"

#define CLOUDS_UNUSED __attribute__((unused))

/* A small generator of its own (splitmix64), so that a test depends on nothing that it tests. */
static uint64_t state = 1;

CLOUDS_UNUSED static double uniform(void)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

CLOUDS_UNUSED static struct vec3 direction(void)
{
    for (;;) {
        struct vec3 v = vec3(2.0 * uniform() - 1.0, 2.0 * uniform() - 1.0, 2.0 * uniform() - 1.0);
        double square = vec3_norm2(v);
        if (square > 0.01 && square < 1.0)
            return vec3_scale(1.0 / sqrt(square), v);
    }
}

/* Bonds that a test makes: a dense table on one side, the view on the other. */
struct bonds {
    size_t n;
    uint8_t *table; /* 0 none, 1 broken, 2 whole (n x n) */
    size_t *start;
    uint32_t *neighbor;
    uint8_t *whole;
    struct bonded view;
};

CLOUDS_UNUSED static struct particles cloud(size_t n, struct vec3 corner, struct vec3 size,
                                            double radius_min, double radius_max)
{
    struct particles p;
    struct error error;
    if (particles_create(&p, n, &error))
        abort();
    for (size_t i = 0; i < n; i++) {
        p.position[i] = vec3(corner.x + size.x * uniform(), corner.y + size.y * uniform(),
                             corner.z + size.z * uniform());
        p.radius[i] = radius_min * pow(radius_max / radius_min, uniform());
        p.mass[i] = 1.0;
        double u = uniform();
        p.state[i] = u < 0.2    ? PARTICLE_FIXED
                     : u < 0.24 ? PARTICLE_PRESCRIBED
                     : u < 0.28 ? PARTICLE_GONE
                                : PARTICLE_FREE;
    }
    return p;
}

/* Bonds between all particles nearer than `reach`; each broken with the given probability. */
CLOUDS_UNUSED static struct bonds bonds_between(const struct particles *p, double reach,
                                                double broken)
{
    struct bonds b = {.n = p->n, .table = calloc(p->n * p->n, 1)};
    size_t ends = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++)
            if (vec3_norm(vec3_sub(p->position[j], p->position[i])) < reach) {
                b.table[i * p->n + j] = b.table[j * p->n + i] = uniform() < broken ? 1 : 2;
                ends += 2;
            }
    b.start = calloc(p->n + 1, sizeof *b.start);
    b.neighbor = calloc(ends + 1, sizeof *b.neighbor);
    b.whole = calloc(ends + 1, sizeof *b.whole);
    size_t k = 0;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = i + 1; j < p->n; j++)
            if (b.table[i * p->n + j]) {
                b.neighbor[k] = (uint32_t)j;
                b.whole[k++] = b.table[i * p->n + j] == 2;
            }
        b.start[i + 1] = k;
    }
    b.view = (struct bonded){
        .end = (uint32_t)p->n, .start = b.start, .neighbor = b.neighbor, .whole = b.whole};
    return b;
}

CLOUDS_UNUSED static void bonds_break(struct bonds *b, double probability)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = b->start[i]; k < b->start[i + 1]; k++) {
            size_t j = b->neighbor[k];
            if (b->whole[k] && uniform() < probability)
                b->table[i * b->n + j] = b->table[j * b->n + i] = 1;
        }
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = b->start[i]; k < b->start[i + 1]; k++)
            b->whole[k] = b->table[i * b->n + b->neighbor[k]] == 2;
}

CLOUDS_UNUSED static void bonds_free(struct bonds *b)
{
    free(b->table);
    free(b->start);
    free(b->neighbor);
    free(b->whole);
}

/* Compares the detector with the definition of contacts, word by word, or of pairs that far from a
 * contact. Returns their number. */
CLOUDS_UNUSED static size_t compare_near(struct detector *detector, const struct particles *p,
                                         const struct bonds *b, double beyond)
{
    struct pair_list list = {0};
    struct error error = {0};
    check_equal(detector_find_near(detector, p, b ? &b->view : NULL, beyond, &list, &error),
                STATUS_OK, "status");
    size_t k = 0;
    bool same = true;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++) {
            struct vec3 d = vec3_sub(p->position[j], p->position[i]);
            double reach = (p->radius[i] + 0.5 * beyond) + (p->radius[j] + 0.5 * beyond);
            if (!(vec3_norm2(d) < reach * reach) || (p->state[i] && p->state[j]) ||
                p->state[i] == PARTICLE_PRESCRIBED || p->state[i] == PARTICLE_GONE ||
                p->state[j] == PARTICLE_PRESCRIBED || p->state[j] == PARTICLE_GONE ||
                (b && b->table[i * p->n + j] == 2) ||
                (b && b->view.rest && p->body[i] == p->body[j] &&
                 vec3_norm(vec3_sub(b->view.rest[j], b->view.rest[i])) < b->view.rest_reach))
                continue;
            same = same && k < list.n && list.pair[k].i == i && list.pair[k].j == j;
            k++;
        }
    check(same);
    check_equal(list.n, k, "contacts");
    pair_list_free(&list);
    return k;
}

CLOUDS_UNUSED static size_t compare(struct detector *detector, const struct particles *p,
                                    const struct bonds *b)
{
    return compare_near(detector, p, b, 0.0);
}

#endif
