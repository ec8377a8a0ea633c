#include "contact/merge.h"

#include "base/disjoint_sets.h"
#include "base/memory.h"
#include "config/scene.h"
#include "particles/random.h"

#include <stdlib.h>

/* A node seen as one particle. */
struct tree {
    struct vec3 position; /* center of mass, MS 2 */
    struct vec3 velocity; /* MS 3 */
    double mass;          /* MS 1 */
    uint32_t size;        /* members */
    uint32_t leader;      /* smallest member */
    uint32_t limit;       /* of its size, which the leader draws; 0: not drawn yet */
    bool fixed;
};

const struct energy_term merge_term[N_MERGE_TERMS] = {
    {.name = "merge_stored",
     .unit = "J",
     .sentence = "put into virtual bonds by merging, MS 4",
     .after = "coupling"},
    {.name = "split_returned",
     .unit = "J",
     .sentence = "kinetic energy that splitting added, MS 9 and 20",
     .after = "merge_stored"},
    {.name = "merge_dissipated",
     .unit = "J",
     .sentence = "kept back by alpha < 1",
     .after = "split_returned",
     .sign = TERM_LEAVES},
};

const struct energy_term merge_roots[2] = {
    {.name = "splits_with_root",
     .unit = "1",
     .sentence = "splits with a real root of MS 13",
     .after = "deferred_longest"},
    {.name = "splits_without_root",
     .unit = "1",
     .sentence = "splits by MS 15-16",
     .after = "splits_with_root"},
};

enum status merge_forest_create(struct merge_forest *f, size_t n, struct error *error)
{
    *f = (struct merge_forest){.n = n};
    if (array_create(&f->made, n, sizeof *f->made, "virtual bonds", error) ||
        array_create(&f->child, n, sizeof *f->child, "merge trees", error) ||
        array_create(&f->parent, 2 * n, sizeof *f->parent, "merge trees", error) ||
        array_create(&f->tree, 2 * n, sizeof *f->tree, "merge trees", error) ||
        array_create(&f->velocity, 2 * n, sizeof *f->velocity, "split velocities", error) ||
        array_create(&f->member, n, sizeof *f->member, "merged particles", error) ||
        array_create(&f->root, n, sizeof *f->root, "merged particles", error) ||
        array_create(&f->label, n, sizeof *f->label, "merged particles", error) ||
        array_create(&f->marked, n / 64 + 1, sizeof *f->marked, "merged particles", error)) {
        merge_forest_free(f);
        return STATUS_FAILED;
    }
    for (uint32_t i = 0; i < n; i++)
        f->parent[i] = i;
    return STATUS_OK;
}

void merge_forest_free(struct merge_forest *f)
{
    free(f->made);
    free(f->child);
    free(f->parent);
    free(f->tree);
    free(f->velocity);
    free(f->member);
    free(f->root);
    free(f->label);
    free(f->marked);
    pair_list_free(&f->deferred);
    *f = (struct merge_forest){0};
}

static void forget_last_merges(struct merge_forest *f)
{
    for (size_t k = 0; k < f->n_members; k++)
        f->parent[f->member[k]] = f->member[k];
    f->n_members = 0;
    f->n_bonds = 0;
    f->deferred.n = 0;
}

/* A particle not merged yet is a tree of one. */
static uint32_t root_of_particle(struct merge_forest *f, const struct particles *p, uint32_t i)
{
    if (f->parent[i] != i)
        return disjoint_root(f->parent, i);
    f->tree[i] = (struct tree){.position = p->position[i],
                               .velocity = p->velocity[i],
                               .mass = p->mass[i],
                               .size = 1,
                               .leader = i,
                               .fixed = p->state[i] != 0};
    return i;
}

static uint32_t group_limit(const struct group_limits *limits, uint64_t step, struct tree *tree)
{
    if (limits->max == SCENE_UNLIMITED)
        return SCENE_UNLIMITED;
    if (tree->limit == 0)
        tree->limit = (uint32_t)random_integer(limits->seed, step, tree->leader, RANDOM_GROUP_LIMIT,
                                               limits->min, limits->max);
    return tree->limit;
}

/* The tree of two with the smaller leader, which leads both once they are joined. */
static struct tree *leading(struct tree *a, struct tree *b)
{
    return a->leader < b->leader ? a : b;
}

/* MS 5 between centers of mass, made a unit vector. If these coincide, it is the direction of
 * approach instead. If there is no approach either, any direction will do: no energy is stored, and
 * none returns. */
static struct vec3 collision_normal(const struct tree *a, const struct tree *b)
{
    struct vec3 n = vec3_sub(b->position, a->position);
    double length = vec3_norm(n);
    if (!(length > 0.0)) {
        n = vec3_sub(a->velocity, b->velocity);
        length = vec3_norm(n);
    }
    return length > 0.0 ? vec3_scale(1.0 / length, n) : vec3(0.0, 0.0, 1.0);
}

/* Weighted average that is exactly `a` for weight 1 and exactly `b` for weight 0. */
static struct vec3 average(double weight, struct vec3 a, struct vec3 b)
{
    return vec3_add(vec3_scale(weight, a), vec3_scale(1.0 - weight, b));
}

/* The virtual bond between two trees, but for its direction and energy. */
static struct virtual_bond bond_between(const struct tree *a, const struct tree *b)
{
    return (struct virtual_bond){.mass = {a->mass, b->mass},
                                 .fixed = {a->fixed, b->fixed},
                                 .velocity = {a->velocity, b->velocity}};
}

/* MS 1-5 for the trees at nodes a and b. */
static void join(struct merge_forest *f, uint32_t a, uint32_t b)
{
    struct tree *first = &f->tree[a], *second = &f->tree[b];
    size_t k = f->n_bonds++;
    uint32_t node = (uint32_t)(f->n + k);
    const struct virtual_bond bond = bond_between(first, second);
    f->made[k] = (struct merge_made){
        .normal = collision_normal(first, second),
        .energy = merged_energy(bond.mass, bond.fixed, first->velocity, second->velocity)};

    double weight = merged_weight(bond.mass, bond.fixed);
    f->child[k][0] = a;
    f->child[k][1] = b;
    f->parent[a] = f->parent[b] = f->parent[node] = node;
    f->tree[node] = (struct tree){.position = average(weight, first->position, second->position),
                                  .velocity = average(weight, first->velocity, second->velocity),
                                  .mass = first->mass + second->mass,
                                  .size = first->size + second->size,
                                  .leader = leading(first, second)->leader,
                                  .limit = leading(first, second)->limit,
                                  .fixed = first->fixed || second->fixed};
}

/* Lists the marked particles, ascending, and removes the marks. */
static void list_marked(struct merge_forest *f)
{
    for (size_t word = 0; word < f->n / 64 + 1; word++)
        for (; f->marked[word]; f->marked[word] &= f->marked[word] - 1)
            f->member[f->n_members++] =
                (uint32_t)(64 * word + (size_t)__builtin_ctzll(f->marked[word]));
}

/* The members of groups are the particles among the children of merges. */
static void collect_members(struct merge_forest *f)
{
    for (size_t k = 0; k < f->n_bonds; k++)
        for (int c = 0; c < 2; c++)
            if (f->child[k][c] < f->n)
                f->marked[f->child[k][c] / 64] |= (uint64_t)1 << f->child[k][c] % 64;
    list_marked(f);
    for (size_t k = 0; k < f->n_members; k++) {
        f->root[k] = disjoint_root(f->parent, f->member[k]);
        f->label[k] = f->tree[f->root[k]].leader;
    }
}

/* Merges the groups of a pair, unless there is no need to or their limit forbids it. */
static void merge_pair(struct merge_forest *f, const struct particles *particles, struct pair pair,
                       const struct group_limits *limits, uint64_t step,
                       struct merge_report *report)
{
    uint32_t a = root_of_particle(f, particles, pair.i);
    uint32_t b = root_of_particle(f, particles, pair.j);
    struct tree *first = &f->tree[a], *second = &f->tree[b];
    if (a == b || (first->fixed && second->fixed))
        return;
    uint32_t size = first->size + second->size;
    if (size > limits->min && size > group_limit(limits, step, leading(first, second))) {
        f->deferred.pair[f->deferred.n++] = pair;
        report->deferred++;
        return;
    }
    join(f, a, b);
    report->energy += f->made[f->n_bonds - 1].energy;
    if (size > report->largest)
        report->largest = size;
}

enum status merge_pairs(struct merge_forest *f, const struct particles *particles,
                        const struct pair_list *pairs, const struct group_limits *limits,
                        uint64_t step, struct groups *groups, struct merge_report *report,
                        struct error *error)
{
    *report = (struct merge_report){.largest = 1};
    if (array_reserve(&f->deferred.pair, &f->deferred.capacity, pairs->n, sizeof(struct pair),
                      "contacts", error))
        return STATUS_FAILED;
    forget_last_merges(f);
    for (size_t k = 0; k < pairs->n; k++)
        merge_pair(f, particles, pairs->pair[k], limits, step, report);
    collect_members(f);
    groups_assign(groups, particles, f->n_members, f->member, f->label);
    return STATUS_OK;
}

void merged_velocities(const struct merge_forest *f, struct vec3 *velocity)
{
    for (size_t k = 0; k < f->n_members; k++)
        velocity[f->member[k]] = f->tree[f->root[k]].velocity;
}

/* Sets the members' own velocities. Returns their kinetic energy less that of their meta-particles,
 * measured from both velocities instead of taken from MS 9 and 20. The difference of squares is
 * computed as a product, because the two may be nearly equal. Fixed particles have no energy, and
 * that of particles merged with a fixed one is relative to it. */
static double hand_out(const struct merge_forest *f, struct vec3 *velocity)
{
    double energy = 0.0;
    for (size_t k = 0; k < f->n_members; k++) {
        uint32_t i = f->member[k];
        struct vec3 own = f->velocity[i], merged = velocity[i], more = vec3_sub(own, merged);
        bool held = f->tree[f->root[k]].fixed;
        if (!f->tree[i].fixed)
            energy += 0.5 * f->tree[i].mass * vec3_dot(more, held ? more : vec3_add(own, merged));
        velocity[i] = own;
    }
    return energy;
}

/* Children were made before their parents, so the inverse order of merging visits every node after
 * its own velocity is known. */
void split_forest(struct merge_forest *f, const struct split_rule *rule, const double *extra,
                  struct vec3 *velocity, struct split_report *report)
{
    *report = (struct split_report){0};
    for (size_t k = f->n_bonds; k-- > 0;) {
        uint32_t node = (uint32_t)(f->n + k);
        struct virtual_bond bond = bond_between(&f->tree[f->child[k][0]], &f->tree[f->child[k][1]]);
        bond.normal = f->made[k].normal;
        bond.energy = f->made[k].energy;
        double energy = rule->alpha * bond.energy;
        report->energy_lost += bond.energy - energy;
        if (f->parent[node] == node) {
            f->velocity[node] = velocity[f->tree[node].leader];
            double more = extra ? extra[f->tree[node].leader] : 0.0, kept = rule->beta * more;
            report->extra_lost += more - kept;
            energy += kept;
        }
        struct vec3 out[2];
        if (split_bond(&bond, f->velocity[node], energy, rule->roots, out))
            report->roots++;
        else
            report->splits_without_root++;
        f->velocity[f->child[k][0]] = out[0];
        f->velocity[f->child[k][1]] = out[1];
    }
    report->energy_out = hand_out(f, velocity);
}
