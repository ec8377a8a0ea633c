/* The time step of the paper (Sections 3 to 5), written from its text and without a thought of
 * speed. Nothing here comes from src/contact or src/step, so that a program that agrees with it
 * follows the same reading of the text. Two things go beyond the text: a fixed particle has
 * infinite mass, and `synchronization` chooses among the readings that the program offers; `roots`
 * may say that real roots of MS 13 are ignored. */
#ifndef TESTS_NAIVE_STEP_H
#define TESTS_NAIVE_STEP_H

#include "base/vec3.h"
#include "naive_turn.h"
#include "particles/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { NAIVE_MOST = 96, NAIVE_BONDS = 1024, NAIVE_PAIRS = NAIVE_MOST * NAIVE_MOST / 2 };
enum naive_system { NETWORK, FLUID, NAIVE_SYSTEMS };

struct naive_bond {
    size_t i, j;
    double rest, stiffness, damping; /* m, N per unit strain, s */
};

struct naive_fluid {
    double radius, mass, stiffness, viscosity; /* of each particle, SI */
};

/* A particle, or two nodes merged (MS 1-5). */
struct naive_node {
    struct vec3 x, v, n;
    double m, energy; /* kg; J, of the virtual bond */
    bool fixed;
    size_t size, leader;
    struct naive_node *first, *second; /* NULL: a particle */
};

struct naive_counts {
    size_t contacts, approaching, stages, late, unresolved, groups, largest, deferred, coupled;
    size_t roots, splits_without_root;
    size_t ties; /* pairs for which rounding decides whether they approach, and bonds for which it
                    decides what single precision keeps */
    double merge_stored, split_returned, sync_stored; /* J */
};

struct naive {
    /* the scene */
    size_t n, n_bonds;
    struct vec3 x[NAIVE_MOST], v[NAIVE_MOST];
    double m[NAIVE_MOST], r[NAIVE_MOST];
    bool fixed[NAIVE_MOST];
    enum naive_system system[NAIVE_MOST];
    struct naive_bond bond[NAIVE_BONDS];
    struct naive_fluid fluid;
    struct vec3 gravity;
    /* black boxes: fill found[system] with the velocities of meta-particles after dt (n) */
    void (*integrate[NAIVE_SYSTEMS])(struct naive *);
    const char *synchronization, *roots;
    size_t stages;
    double alpha, beta;
    uint64_t group_min, group_max, seed, step;
    /* the step at hand */
    double dt;
    struct naive_turn turn;
    struct naive_node node[2 * NAIVE_MOST], *top[NAIVE_MOST];
    size_t n_nodes;
    struct vec3 found[NAIVE_SYSTEMS][NAIVE_MOST]; /* each system's velocity of a meta-particle */
    struct vec3 passed[NAIVE_MOST]; /* impulse that the fluid passes on, at leaders, N s */
    struct vec3 joined[NAIVE_MOST], split[NAIVE_MOST]; /* of every particle, m/s */
    double extra[NAIVE_MOST];                          /* MS 19, at every member, J */
    double growth[NAIVE_MOST];                         /* of rounding errors by splitting */
    struct naive_counts counts;
};

/* ---- merging: MS 1-5 ---- */

static inline void naive_merge(struct naive *s, size_t i, size_t j)
{
    struct naive_node *a = s->top[i], *b = s->top[j], *both = &s->node[s->n_nodes];
    if (a == b || (a->fixed && b->fixed))
        return;
    size_t leader = a->leader < b->leader ? a->leader : b->leader, size = a->size + b->size;
    if (size >
        random_integer(s->seed, s->step, leader, RANDOM_GROUP_LIMIT, s->group_min, s->group_max)) {
        s->counts.deferred++;
        return;
    }
    double m = a->m + b->m, wa = a->m / m, wb = b->m / m, reduced = a->m * b->m / m;
    if (a->fixed || b->fixed) {
        wa = a->fixed;
        wb = b->fixed;
        reduced = a->fixed ? b->m : a->m;
    }
    struct vec3 apart = vec3_sub(b->x, a->x);
    *both = (struct naive_node){
        .x = vec3_add(vec3_scale(wa, a->x), vec3_scale(wb, b->x)),
        .v = vec3_add(vec3_scale(wa, a->v), vec3_scale(wb, b->v)),
        .n = vec3_scale(1.0 / vec3_norm(apart), apart),
        .m = m,
        .energy = 0.5 * reduced * vec3_norm2(vec3_sub(a->v, b->v)),
        .fixed = a->fixed || b->fixed,
        .size = size,
        .leader = leader,
        .first = a,
        .second = b,
    };
    s->n_nodes++;
    s->counts.merge_stored += both->energy;
    for (size_t k = 0; k < s->n; k++)
        if (s->top[k] == a || s->top[k] == b)
            s->top[k] = both;
}

static inline void naive_merge_all(struct naive *s, size_t n_pairs, size_t (*pair)[2],
                                   const bool *active)
{
    s->n_nodes = s->n;
    s->counts.deferred = 0;
    s->counts.merge_stored = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        s->node[i] = (struct naive_node){.x = s->x[i], .v = s->v[i], .m = s->m[i]};
        s->node[i].fixed = s->fixed[i];
        s->node[i].size = 1;
        s->node[i].leader = i;
        s->top[i] = &s->node[i];
    }
    for (size_t k = 0; k < n_pairs; k++)
        if (active[k])
            naive_merge(s, pair[k][0], pair[k][1]);
}

/* ---- synchronizing: MS 17-19 ---- */

static inline void naive_synchronize(struct naive *s, const struct naive_node *top)
{
    double m[NAIVE_SYSTEMS] = {0}, all = 0.0, extra = 0.0;
    const struct vec3 *v[NAIVE_SYSTEMS] = {s->found[NETWORK] + top->leader,
                                           s->found[FLUID] + top->leader};
    for (size_t i = 0; i < s->n; i++)
        if (s->top[i] == top) {
            m[s->system[i]] += s->m[i];
            all += s->m[i];
        }
    bool joint = m[NETWORK] > 0.0 && m[FLUID] > 0.0 && !top->fixed;
    struct vec3 fall = vec3_axpy(top->v, s->dt, s->gravity), joined = top->v;
    if (!joint && !top->fixed) {
        joined = *v[m[NETWORK] > 0.0 ? NETWORK : FLUID];
    } else if (joint && strcmp(s->synchronization, "sequential") == 0) {
        joined = *v[NETWORK]; /* which felt the fluid */
    } else if (joint && strcmp(s->synchronization, "sum") == 0) {
        /* each system moved the whole mass by its own impulse and by gravity, which counts once */
        joined = vec3_sub(vec3_add(*v[NETWORK], *v[FLUID]), fall);
    } else if (joint) {
        joined = vec3_scale(1.0 / all, vec3_add(vec3_scale(m[0], *v[0]), vec3_scale(m[1], *v[1])));
        extra = m[0] * m[1] / (2.0 * all) * vec3_norm2(vec3_sub(*v[0], *v[1]));
    }
    s->counts.coupled += joint;
    s->counts.sync_stored += extra;
    for (size_t i = 0; i < s->n; i++)
        if (s->top[i] == top) {
            s->joined[i] = joined;
            s->extra[i] = extra;
        }
}

/* ---- splitting: MS 8-16 and 20 ---- */

/* `growth`: by how much the splits so far have multiplied an error in the velocities of
 * meta-particles. Near a double root of MS 13 the square root magnifies small errors. */
static inline void naive_split(struct naive *s, const struct naive_node *both, struct vec3 v12,
                               double extra, double growth)
{
    if (!both->first) {
        s->split[both->leader] = v12;
        s->growth[both->leader] = growth;
        return;
    }
    /* the one to solve for must not be fixed; seen from the second, n points the other way */
    bool turned = both->first->fixed;
    const struct naive_node *one = turned ? both->second : both->first;
    const struct naive_node *two = turned ? both->first : both->second;
    struct vec3 n = vec3_scale(turned ? -1.0 : 1.0, both->n), v = one->v;
    double ratio = two->fixed ? 0.0 : one->m / two->m;
    double energy = s->alpha * both->energy + s->beta * extra;
    s->counts.split_returned += energy;
    double s2 = 2.0 * energy / (one->m * (1.0 + ratio)); /* m12 m1/m2 = m1 (1 + m1/m2) */
    struct vec3 way = vec3_sub(v12, v);
    /* MS 13: mu^2 - 2 (n.way) mu + |way|^2 - s^2 = 0, where |way|^2 - (n.way)^2 = |n x way|^2 */
    double mu = vec3_dot(n, way), root = s2 - vec3_norm2(vec3_cross(n, way));
    struct vec3 out;
    struct vec3 w = vec3_axpy(way, -mu, n);
    bool turns = vec3_norm(w) > 1e-12 * hypot(vec3_norm(v12), vec3_norm(v));
    if (root >= 0.0 && !(turns && strcmp(s->roots, "ignored") == 0)) {
        out = vec3_axpy(v, mu - sqrt(root), n);
        growth *= 1.0 + vec3_norm(way) / sqrt(root);
        s->counts.roots++;
    } else {
        out = vec3_axpy(v12, -sqrt(s2) / vec3_norm(w), w); /* v + mu n + epsilon */
        growth *= fmax(1.0, sqrt(s2) / vec3_norm(w));
        s->counts.splits_without_root++;
    }
    naive_split(s, one, out, 0.0, growth);
    naive_split(s, two, vec3_axpy(v12, -ratio, vec3_sub(out, v12)), 0.0, (1.0 + ratio) * growth);
}

/* ---- the step ---- */

/* The impulse that the fluid gave, beside gravity, to meta-particles that it shares. */
static inline void naive_pass_on(struct naive *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct naive_node *top = s->top[i];
        struct vec3 fall = vec3_axpy(top->v, s->dt, s->gravity);
        s->passed[i] = vec3(0.0, 0.0, 0.0);
        if (strcmp(s->synchronization, "sequential") == 0 && top->leader == i && top->size > 1 &&
            !top->fixed)
            s->passed[i] = vec3_scale(top->m, vec3_sub(s->found[FLUID][i], fall));
    }
}

static inline void naive_integrate(struct naive *s)
{
    s->integrate[FLUID](s);
    naive_pass_on(s);
    s->integrate[NETWORK](s);
    s->counts.groups = s->counts.coupled = s->counts.roots = s->counts.splits_without_root = 0;
    s->counts.sync_stored = s->counts.split_returned = 0.0;
    s->counts.largest = 1;
    for (size_t i = 0; i < s->n; i++) {
        struct naive_node *top = s->top[i];
        if (top->leader != i)
            continue;
        naive_synchronize(s, top);
        naive_split(s, top, s->joined[i], s->extra[i], 1.0);
        s->counts.groups += top->size > 1;
        s->counts.largest = top->size > s->counts.largest ? top->size : s->counts.largest;
    }
}

/* Rule 22. */
static inline bool naive_approach(struct naive *s, const struct vec3 *v, const size_t pair[2])
{
    struct vec3 n = vec3_sub(s->x[pair[1]], s->x[pair[0]]);
    struct vec3 u = vec3_sub(v[pair[1]], v[pair[0]]);
    double speed = vec3_norm(v[pair[0]]) + vec3_norm(v[pair[1]]), along = vec3_dot(n, u);
    s->counts.ties += vec3_norm(u) > 0.0 && fabs(along) < 1e-12 * vec3_norm(n) * speed;
    return along < 0.0;
}

/* Whether Rule 21 applies to two particles: not if they are bonded, of one fluid, or both fixed. */
static inline bool naive_may_touch(const struct naive *s, size_t i, size_t j)
{
    if ((s->fixed[i] && s->fixed[j]) || (s->system[i] == FLUID && s->system[j] == FLUID))
        return false;
    for (size_t e = 0; e < s->n_bonds; e++)
        if ((s->bond[e].i == i && s->bond[e].j == j) || (s->bond[e].i == j && s->bond[e].j == i))
            return false;
    return true;
}

static inline bool naive_touch(const struct naive *s, size_t i, size_t j)
{
    return naive_may_touch(s, i, j) && vec3_norm(vec3_sub(s->x[j], s->x[i])) < s->r[i] + s->r[j];
}

static inline void naive_step(struct naive *s, double dt)
{
    static size_t pair[NAIVE_PAIRS][2];
    static bool active[NAIVE_PAIRS];
    size_t n_pairs = 0, late;
    s->dt = dt;
    s->counts = (struct naive_counts){0};
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = i + 1; j < s->n; j++)
            if (naive_touch(s, i, j)) {
                pair[n_pairs][0] = i;
                pair[n_pairs][1] = j;
                active[n_pairs] = naive_approach(s, s->v, pair[n_pairs]);
                s->counts.approaching += active[n_pairs++];
            }
    s->counts.contacts = n_pairs;
    do {
        s->counts.stages++;
        naive_merge_all(s, n_pairs, pair, active);
        naive_integrate(s);
        late = 0;
        for (size_t k = 0; k < n_pairs; k++)
            if (!active[k] && naive_approach(s, s->joined, pair[k])) {
                active[k] = true;
                late++;
            }
        *(s->counts.stages < s->stages ? &s->counts.late : &s->counts.unresolved) += late;
    } while (late > 0 && s->counts.stages < s->stages);
    for (size_t i = 0; i < s->n; i++) {
        s->x[i] = vec3_axpy(s->x[i], dt, s->joined[i]);
        s->v[i] = s->split[i];
    }
    s->step++;
}

#endif
