/* Properties of merging and splitting on thousands of random groups. The names carry the
 * claim of the paper that a test checks (M01: merging, ..., M07: two integrators). */
#include "base/memory.h"
#include "config/scene.h"
#include "contact/merge.h"
#include "contact/synchronize.h"
#include "particles/motion.h"
#include "particles/random.h"
#include "tap.h"

static const double TOLERANCE = 1e-12; /* relative, of momentum and energy */
static uint64_t draws;

/* Worst relative errors that the checks of this test met. */
static struct {
    double momentum, energy, approach;
} worst;

/* NAME.momentum and NAME.energy, for the claims. */
static void measured_conservation(const char *name)
{
    char full[32];
    snprintf(full, sizeof full, "%s.momentum", name);
    measured(full, worst.momentum);
    snprintf(full, sizeof full, "%s.energy", name);
    measured(full, worst.energy);
}

static double uniform(void)
{
    return random_uniform(11, 0, draws++, RANDOM_TEST);
}

static size_t below(size_t n)
{
    return (size_t)random_integer(11, 0, draws++, RANDOM_TEST, 0, n - 1);
}

static struct vec3 normal_vector(double length)
{
    uint64_t k = draws;
    draws += 3;
    return vec3(length * random_normal(13, 0, k, RANDOM_TEST),
                length * random_normal(13, 0, k + 1, RANDOM_TEST),
                length * random_normal(13, 0, k + 2, RANDOM_TEST));
}

/* 10^a, a uniform between low and high. */
static double power_of_ten(double low, double high)
{
    return pow(10.0, low + (high - low) * uniform());
}

/* Particles with the pairs between them, and everything needed to merge and split them. */
struct trial {
    struct particles p;
    struct pair_list pairs;
    struct groups groups;
    struct merge_forest forest;
    struct merge_report merged;
    struct split_report split;
    struct vec3 *velocity; /* (n) */
    double *extra;         /* (n) */
};

/* n particles with masses over `decades`; nobody is fixed. */
static struct trial trial_create(size_t n, double decades)
{
    struct trial t = {.velocity = calloc(n, sizeof *t.velocity),
                      .extra = calloc(n, sizeof(double))};
    struct error error;
    if (particles_create(&t.p, n, &error))
        abort();
    for (size_t i = 0; i < n; i++) {
        t.p.position[i] = normal_vector(1.0);
        t.p.velocity[i] = normal_vector(1.0);
        t.p.mass[i] = power_of_ten(-decades, 0.0);
        t.p.radius[i] = 1.0;
    }
    if (groups_create(&t.groups, &t.p, &error) || merge_forest_create(&t.forest, n, &error))
        abort();
    return t;
}

static void trial_free(struct trial *t)
{
    particles_free(&t->p);
    pair_list_free(&t->pairs);
    groups_free(&t->groups);
    merge_forest_free(&t->forest);
    free(t->velocity);
    free(t->extra);
}

static void trial_add_pair(struct trial *t, uint32_t i, uint32_t j)
{
    struct error error;
    if (array_reserve(&t->pairs.pair, &t->pairs.capacity, t->pairs.n + 1, sizeof *t->pairs.pair,
                      "pairs", &error))
        abort();
    t->pairs.pair[t->pairs.n++] = i < j ? (struct pair){i, j} : (struct pair){j, i};
}

static void shuffle_pairs(struct trial *t)
{
    for (size_t k = t->pairs.n; k > 1; k--) {
        size_t other = below(k);
        struct pair pair = t->pairs.pair[k - 1];
        t->pairs.pair[k - 1] = t->pairs.pair[other];
        t->pairs.pair[other] = pair;
    }
}

/* Pairs that connect all n particles, in random order, and some more that close loops. */
static void trial_connect(struct trial *t)
{
    size_t n = t->p.n;
    for (size_t i = 1; i < n; i++)
        trial_add_pair(t, (uint32_t)i, (uint32_t)below(i));
    for (size_t k = 0; k < n / 2; k++) {
        size_t i = below(n), j = below(n);
        if (i != j)
            trial_add_pair(t, (uint32_t)i, (uint32_t)j);
    }
    shuffle_pairs(t);
}

static void trial_merge(struct trial *t, uint32_t min, uint32_t max, uint64_t step)
{
    struct group_limits limits = {.min = min, .max = max, .seed = 5};
    struct error error = {0};
    check_equal(
        merge_pairs(&t->forest, &t->p, &t->pairs, &limits, step, &t->groups, &t->merged, &error),
        STATUS_OK, error.message);
    memcpy(t->velocity, t->p.velocity, t->p.n * sizeof *t->velocity);
    merged_velocities(&t->forest, t->velocity);
}

struct totals {
    struct vec3 momentum;
    double energy, momentum_scale;
};

/* Of the free particles. */
static struct totals totals(const struct particles *p, const struct vec3 *velocity)
{
    struct totals sum = {{0.0, 0.0, 0.0}, 0.0, 0.0};
    for (size_t i = 0; i < p->n; i++) {
        if (p->state[i])
            continue;
        sum.momentum = vec3_axpy(sum.momentum, p->mass[i], velocity[i]);
        sum.energy += 0.5 * p->mass[i] * vec3_norm2(velocity[i]);
        sum.momentum_scale += p->mass[i] * vec3_norm(velocity[i]);
    }
    return sum;
}

static void check_momentum(struct totals a, struct totals b)
{
    double error = vec3_norm(vec3_sub(a.momentum, b.momentum));
    double scale = a.momentum_scale + b.momentum_scale;
    check_close(error, 0.0, TOLERANCE * scale, "momentum");
    worst.momentum = worse(worst.momentum, error / scale);
}

static void check_energy(double actual, double expected, double scale)
{
    check_close(actual, expected, TOLERANCE * scale, "energy");
    worst.energy = worse(worst.energy, fabs(actual - expected) / scale);
}

static double stored_energy(const struct merge_forest *forest)
{
    double sum = 0.0;
    for (size_t k = 0; k < forest->n_bonds; k++) {
        check(forest->bond[k].energy >= 0.0);
        sum += forest->bond[k].energy;
    }
    return sum;
}

TEST(m01_merging_conserves_momentum_and_stores_the_energy_it_takes)
{
    double least = 1.0; /* energy stored in one bond, over all there was */
    for (int round = 0; round < 3000; round++) {
        size_t n = 2 + below(63);
        struct trial t = trial_create(n, 6.0 * uniform());
        trial_connect(&t);
        struct totals before = totals(&t.p, t.p.velocity);
        trial_merge(&t, 64, 64, 1);
        struct totals after = totals(&t.p, t.velocity);
        check_equal(t.forest.n_bonds, n - 1, "merges");
        check_equal(t.groups.n_groups, 1, "groups");
        check_equal(t.merged.largest, n, "largest group");
        check_momentum(before, after);
        double stored = stored_energy(&t.forest);
        check_energy(after.energy + stored, before.energy, before.energy);
        for (size_t k = 0; k < t.forest.n_bonds; k++)
            least = -worse(-least, -t.forest.bond[k].energy / before.energy);
        check_close(t.merged.energy, stored, TOLERANCE * before.energy, "energy reported");
        trial_free(&t);
    }
    measured_conservation("M01");
    measured("M01.least-stored", least);
}

/* The meta-particle's velocity after an integration that did anything. */
static void integrate(struct trial *t, double kick)
{
    struct vec3 change = normal_vector(kick);
    for (size_t i = 0; i < t->p.n; i++)
        t->velocity[i] = vec3_add(t->velocity[i], change);
}

/* Eq. 14 at every node of the forest; the tolerance is the rounding of the velocities. */
static void check_separation(const struct merge_forest *forest, const double *velocity_scale)
{
    for (size_t k = 0; k < forest->n_bonds; k++) {
        struct vec3 a = forest->velocity[forest->child[k][0]];
        struct vec3 b = forest->velocity[forest->child[k][1]];
        double approach = fmax(-vec3_dot(vec3_sub(b, a), forest->bond[k].normal), 0.0);
        double scale = vec3_norm(a) + vec3_norm(b) + *velocity_scale;
        check_close(approach, 0.0, 1e-13 * scale, "approach, Eq. 14");
        worst.approach = worse(worst.approach, approach / scale);
    }
}

static void split_and_check(double alpha, double beta, double decades, size_t rounds, size_t *roots,
                            size_t *splits_without_root)
{
    for (size_t round = 0; round < rounds; round++) {
        size_t n = 2 + below(63);
        struct trial t = trial_create(n, decades * uniform());
        trial_connect(&t);
        trial_merge(&t, 64, 64, round);
        integrate(&t, power_of_ten(-4.0, 2.0));
        double scale = 1.0 + vec3_norm(t.velocity[0]), lost = power_of_ten(-3.0, 1.0);
        t.extra[t.groups.leader[0]] = beta * lost; /* read at the leader alone */
        for (size_t i = 1; i < n; i++)
            t.extra[i] = (double)NAN;
        struct totals before = totals(&t.p, t.velocity);
        double stored = stored_energy(&t.forest);
        split_forest(&t.forest, alpha, 1.0, round % 2 || beta > 0.0 ? t.extra : NULL, t.velocity,
                     &t.split);
        double extra = round % 2 || beta > 0.0 ? beta * lost : 0.0;
        struct totals after = totals(&t.p, t.velocity);
        check_momentum(before, after);
        check_energy(after.energy, before.energy + alpha * stored + extra, after.energy);
        check_close(t.split.energy_out, alpha * stored + extra, TOLERANCE * after.energy,
                    "energy returned");
        check_close(t.split.energy_out, after.energy - before.energy, TOLERANCE * after.energy,
                    "energy returned, from the sums");
        check_close(t.split.energy_lost, (1.0 - alpha) * stored, TOLERANCE * stored,
                    "energy kept back");
        if (alpha == 1.0)
            check_close(t.split.energy_lost, 0.0, 0.0, "energy kept back by alpha = 1");
        check_separation(&t.forest, &scale);
        check_equal(t.split.roots + t.split.splits_without_root, n - 1, "splits counted");
        *roots += t.split.roots;
        *splits_without_root += t.split.splits_without_root;
        trial_free(&t);
    }
}

TEST(m02_m03_splitting_conserves_and_separates_for_any_velocity)
{
    const double alphas[] = {0.0, 0.5, 1.0};
    size_t roots = 0, splits_without_root = 0;
    for (int k = 0; k < 3; k++)
        split_and_check(alphas[k], 0.0, 6.0, 1000, &roots, &splits_without_root);
    check(roots > 5000 && splits_without_root > 5000); /* both cases were tried */
    measured_conservation("M02");
    measured("M02.splits_with_root", (double)roots);
    measured("M02.splits_without_root", (double)splits_without_root);
    measured("M03.approach", worst.approach);
}

TEST(m02_m07_energy_of_synchronizing_goes_back_at_the_root)
{
    size_t roots = 0, splits_without_root = 0;
    split_and_check(1.0, 1.0, 6.0, 500, &roots, &splits_without_root);
    split_and_check(0.3, 0.7, 2.0, 500, &roots, &splits_without_root);
    split_and_check(0.0, 1.0, 2.0, 500, &roots, &splits_without_root);
    check(roots > 1000 && splits_without_root > 1000);
    measured_conservation("M07.returned");
}

/* A group whose members [0, first) one system moves with velocity a and the others another with b;
 * joined by Eq. 17 into t->velocity, with the energy of Eq. 19 in t->extra. Returns the momentum
 * and the energy that the two systems found, by Eq. 18: each for its own members. */
static struct totals join_two_systems(struct trial *t, size_t first, struct vec3 a, struct vec3 b)
{
    size_t n = t->p.n;
    const size_t owned[] = {0, first, n};
    const struct owners owners = {2, owned};
    struct motion motion;
    struct synchronize_report report;
    struct error error;
    if (motion_create_for_several(&motion, n, &error))
        abort();
    for (size_t i = 0; i < n; i++) {
        motion.before[i] = t->velocity[i];
        motion.own_after[i] = motion.own_mean[i] = i < first ? a : b;
    }
    struct totals found = totals(&t->p, motion.own_after);
    synchronize_groups(synchronization_of(SYNCHRONIZATION_AVERAGE), &t->groups, &t->p, &owners,
                       1e-3, &motion, t->extra, &report);
    memcpy(t->velocity, motion.after, n * sizeof *t->velocity);
    motion_free(&motion);
    return found;
}

/* Two integrators disagree about a group; with alpha = beta = 1 the particles end with the momentum
 * that the meta-particle had before splitting, which is that of the two systems, with the mean of
 * their two kinetic energies, and with all that merging stored. */
TEST(m07_two_integrators_lose_neither_momentum_nor_energy)
{
    for (int round = 0; round < 1000; round++) {
        size_t n = 2 + below(30), first = 1 + below(n - 1);
        struct trial t = trial_create(n, 3.0);
        trial_connect(&t);
        trial_merge(&t, 64, 64, 1);
        struct vec3 a = vec3_add(t.velocity[0], normal_vector(1.0));
        struct vec3 b = vec3_add(t.velocity[0], normal_vector(1.0));
        struct totals found = join_two_systems(&t, first, a, b);
        struct totals merged = totals(&t.p, t.velocity);
        double stored = stored_energy(&t.forest);
        split_forest(&t.forest, 1.0, 1.0, t.extra, t.velocity, &t.split);
        struct totals after = totals(&t.p, t.velocity);
        check_momentum(found, merged);
        check_momentum(merged, after);
        check_energy(after.energy, found.energy + stored, after.energy);
        check_energy(t.split.energy_out, after.energy - merged.energy, after.energy);
        trial_free(&t);
    }
    measured_conservation("M07");
}

/* Fixed particles have infinite mass: they keep their velocity exactly, their mass entry is never
 * read, and the free ones of a held group share what all of them had (relative to the support). */
TEST(m01_m02_m03_groups_held_by_a_fixed_particle)
{
    for (int round = 0; round < 3000; round++) {
        size_t n = 2 + below(63), held = below(n);
        struct trial t = trial_create(n, 6.0 * uniform());
        trial_connect(&t);
        t.p.state[held] = 1;
        t.p.velocity[held] = vec3(0.0, 0.0, 0.0);
        t.p.mass[held] = round % 2 ? (double)NAN : 1e-9;
        struct totals before = totals(&t.p, t.p.velocity);
        trial_merge(&t, 64, 64, 1);
        check_equal(t.groups.n_groups, 1, "groups");
        double scale = 1.0;
        for (size_t i = 0; i < n; i++) {
            check(t.groups.fixed[i] == 1);
            check(vec3_norm(t.velocity[i]) == 0.0); /* exactly: a limit, not a large number */
        }
        double stored = stored_energy(&t.forest), alpha = round % 3 ? 1.0 : 0.4;
        check_close(stored, before.energy, TOLERANCE * before.energy, "energy stored");
        split_forest(&t.forest, alpha, 1.0, NULL, t.velocity, &t.split);
        struct totals after = totals(&t.p, t.velocity);
        check(vec3_norm(t.velocity[held]) == 0.0);
        check_energy(after.energy, alpha * before.energy, before.energy);
        check_energy(t.split.energy_out, after.energy, before.energy);
        check_separation(&t.forest, &scale);
        trial_free(&t);
    }
    measured("M02.held.energy", worst.energy);
    measured("M03.held.approach", worst.approach);
}

TEST(two_fixed_particles_are_never_merged)
{
    struct trial t = trial_create(5, 1.0);
    for (uint32_t i = 0; i < 5; i++)
        t.p.state[i] = i == 0 || i == 4;
    for (uint32_t i = 0; i < 4; i++)
        trial_add_pair(&t, i, i + 1);
    trial_merge(&t, 64, 64, 1);
    check_equal(t.forest.n_bonds, 3, "merges");
    check_equal(t.groups.n_groups, 1, "groups");
    check_equal(t.groups.leader[4], 4, "the second fixed one stays alone");
    check_equal(t.merged.deferred, 0, "deferred for size");
    trial_free(&t);
}

/* Plain bookkeeping of who is with whom, to compare the size limits with. */
/* The centers of two meta-particles may coincide, and Eq. 5 has no direction then: that of approach
 * serves, along which the two bounce back as if they had met head-on. */
TEST(where_centers_coincide_the_direction_of_approach_serves)
{
    for (int k = 0; k < 100; k++) {
        struct trial t = trial_create(2, 2.0);
        const double *m = t.p.mass;
        struct vec3 *v = t.p.velocity, before = vec3_sub(v[1], v[0]), sum, center;
        t.p.position[1] = t.p.position[0];
        trial_add_pair(&t, 0, 1);
        trial_merge(&t, 64, 64, 1);
        split_forest(&t.forest, 1.0, 1.0, NULL, t.velocity, &t.split);
        sum = vec3_add(vec3_scale(m[0], v[0]), vec3_scale(m[1], v[1]));
        center = vec3_scale(1.0 / (m[0] + m[1]), sum);
        check_close(vec3_norm(vec3_add(vec3_sub(t.velocity[1], t.velocity[0]), before)), 0.0, 1e-13,
                    "reversed");
        sum = vec3_add(vec3_scale(m[0], t.velocity[0]), vec3_scale(m[1], t.velocity[1]));
        sum = vec3_scale(1.0 / (m[0] + m[1]), sum);
        check_close(vec3_norm(vec3_sub(sum, center)), 0.0, 1e-13, "momentum");
        trial_free(&t);
    }
}

TEST(where_nothing_differs_nothing_happens)
{
    struct trial t = trial_create(2, 2.0);
    t.p.position[1] = t.p.position[0];
    t.p.velocity[1] = t.p.velocity[0];
    trial_add_pair(&t, 0, 1);
    trial_merge(&t, 64, 64, 1);
    split_forest(&t.forest, 1.0, 1.0, NULL, t.velocity, &t.split);
    for (int i = 0; i < 2; i++)
        check_close(vec3_norm(vec3_sub(t.velocity[i], t.p.velocity[0])), 0.0, 1e-15, "velocity");
    trial_free(&t);
}

TEST(limits_are_respected_and_deferred_pairs_counted)
{
    size_t deferred_ever = 0;
    for (uint64_t round = 0; round < 2000; round++) {
        size_t n = 2 + below(120);
        uint32_t min = 2 + (uint32_t)below(10), max = min + (uint32_t)below(30);
        struct trial t = trial_create(n, 1.0);
        size_t n_pairs = below(3 * n);
        for (size_t k = 0; k < n_pairs; k++) {
            size_t i = below(n), j = below(n);
            if (i != j)
                trial_add_pair(&t, (uint32_t)i, (uint32_t)j);
        }
        trial_merge(&t, min, max, round);
        uint32_t label[128];
        size_t deferred = 0, size[128];
        for (uint32_t i = 0; i < n; i++) {
            label[i] = i;
            size[i] = 1;
        }
        for (size_t k = 0; k < t.pairs.n; k++) {
            uint32_t a = label[t.pairs.pair[k].i], b = label[t.pairs.pair[k].j];
            if (a == b)
                continue;
            uint32_t low = a < b ? a : b, high = a < b ? b : a;
            if (size[a] + size[b] > random_integer(5, round, low, RANDOM_GROUP_LIMIT, min, max)) {
                deferred++;
                continue;
            }
            size[low] += size[high];
            for (size_t i = 0; i < n; i++)
                label[i] = label[i] == high ? low : label[i];
        }
        for (size_t i = 0; i < n; i++) {
            check_equal(t.groups.leader[i], label[i], "group");
            check(size[label[i]] <= max);
        }
        check_equal(t.merged.deferred, deferred, "deferred");
        check(t.merged.largest <= max);
        deferred_ever += deferred;
        trial_free(&t);
    }
    check(deferred_ever > 1000);
}

TEST(unlimited_groups_hold_all_that_is_connected)
{
    struct trial t = trial_create(2000, 2.0);
    trial_connect(&t);
    trial_merge(&t, 8, SCENE_UNLIMITED, 1);
    check_equal(t.groups.n_groups, 1, "groups");
    check_equal(t.merged.largest, 2000, "members");
    check_equal(t.merged.deferred, 0, "deferred");
    trial_free(&t);
}

/* The next step must not remember this one. */
TEST(a_forest_can_be_used_again)
{
    for (int round = 0; round < 300; round++) {
        struct trial t = trial_create(60, 2.0), fresh = trial_create(60, 2.0);
        trial_connect(&t);
        trial_merge(&t, 4, 16, 1);
        t.pairs.n = 0;
        for (size_t i = 0; i < 60; i++) {
            t.p.velocity[i] = fresh.p.velocity[i];
            t.p.position[i] = fresh.p.position[i];
            t.p.mass[i] = fresh.p.mass[i];
        }
        for (int k = 0; k < 40; k++) {
            uint32_t i = (uint32_t)below(60), j = (uint32_t)below(60);
            if (i == j)
                continue;
            trial_add_pair(&t, i, j);
            trial_add_pair(&fresh, i, j);
        }
        trial_merge(&t, 4, 16, 2);
        trial_merge(&fresh, 4, 16, 2);
        check(memcmp(t.groups.leader, fresh.groups.leader, 60 * sizeof(uint32_t)) == 0);
        check(memcmp(t.velocity, fresh.velocity, 60 * sizeof(struct vec3)) == 0);
        split_forest(&t.forest, 1.0, 1.0, NULL, t.velocity, &t.split);
        split_forest(&fresh.forest, 1.0, 1.0, NULL, fresh.velocity, &fresh.split);
        check(memcmp(t.velocity, fresh.velocity, 60 * sizeof(struct vec3)) == 0);
        trial_free(&t);
        trial_free(&fresh);
    }
}

/* Two layers of a square lattice meet face to face at speed one, with some noise; every particle
 * touches up to four of the other layer. */
static struct trial layers(size_t side)
{
    size_t layer = side * side;
    struct trial t = trial_create(2 * layer, 0.0);
    for (size_t i = 0; i < 2 * layer; i++) {
        double up = i < layer ? 0.0 : 1.0;
        struct vec3 place =
            vec3((double)(i % side) + 0.5 * up, (double)(i % layer / side) + 0.5 * up, 0.65 * up);
        t.p.position[i] = vec3_add(place, normal_vector(0.02));
        t.p.velocity[i] = vec3_add(vec3(0.0, 0.0, 0.5 - up), normal_vector(0.02));
    }
    for (uint32_t i = 0; i < layer; i++)
        for (uint32_t j = (uint32_t)layer; j < 2 * layer; j++) {
            struct vec3 x = vec3_sub(t.p.position[j], t.p.position[i]);
            if (vec3_norm(x) < 1.0 && vec3_dot(x, vec3_sub(t.p.velocity[j], t.p.velocity[i])) < 0.0)
                trial_add_pair(&t, i, j);
        }
    return t;
}

/* Merges and splits in two orders. Whatever the order, the meta-particles, the stored energy and
 * the sums after splitting are the same; what differs are the members' own velocities. Adds the
 * squares of that difference and of the velocities' spread around the meta-particle's. */
static void compare_orders(struct trial *t, double *difference2, double *spread2)
{
    size_t n = t->p.n;
    struct vec3 *whole = calloc(n, sizeof *whole), *first = calloc(n, sizeof *first);
    trial_merge(t, 64, SCENE_UNLIMITED, 1);
    memcpy(whole, t->velocity, n * sizeof *whole);
    double stored = stored_energy(&t->forest);
    split_forest(&t->forest, 1.0, 1.0, NULL, t->velocity, &t->split);
    struct totals one = totals(&t->p, t->velocity);
    memcpy(first, t->velocity, n * sizeof *first);
    shuffle_pairs(t);
    trial_merge(t, 64, SCENE_UNLIMITED, 1);
    for (size_t i = 0; i < n; i++)
        check_close(vec3_norm(vec3_sub(t->velocity[i], whole[i])), 0.0, TOLERANCE,
                    "velocity of the meta-particle");
    check_close(stored_energy(&t->forest), stored, TOLERANCE * stored, "stored energy");
    split_forest(&t->forest, 1.0, 1.0, NULL, t->velocity, &t->split);
    struct totals two = totals(&t->p, t->velocity);
    check_momentum(one, two);
    check_close(two.energy, one.energy, TOLERANCE * one.energy, "energy");
    for (size_t i = 0; i < n; i++) {
        *difference2 += t->p.mass[i] * vec3_norm2(vec3_sub(t->velocity[i], first[i]));
        *spread2 += t->p.mass[i] * vec3_norm2(vec3_sub(first[i], whole[i]));
    }
    free(whole);
    free(first);
}

/* How far the velocities differ between two orders, over their spread, root mean square. */
static void measured_order(const char *what, size_t n, double difference2, double spread2)
{
    char name[32];
    snprintf(name, sizeof name, "M06.%s-%zu", what, n);
    measured(name, sqrt(difference2 / spread2));
}

TEST(m06_order_of_merging)
{
    enum { CASES = 300 };
    const size_t sizes[] = {2, 3, 8, 32}, sides[] = {2, 4};
    for (int k = 0; k < 4; k++) {
        double difference2 = 0.0, spread2 = 0.0;
        for (int round = 0; round < CASES; round++) {
            struct trial t = trial_create(sizes[k], 1.0);
            trial_connect(&t);
            compare_orders(&t, &difference2, &spread2);
            trial_free(&t);
        }
        measured_order("random", sizes[k], difference2, spread2);
        if (sizes[k] == 2)
            check_close(difference2, 0.0, 0.0, "the only order there is");
    }
    for (int k = 0; k < 2; k++) {
        double difference2 = 0.0, spread2 = 0.0;
        for (int round = 0; round < CASES; round++) {
            struct trial t = layers(sides[k]);
            check(t.pairs.n > t.p.n / 4);
            compare_orders(&t, &difference2, &spread2);
            trial_free(&t);
        }
        measured_order("layers", sides[k] * sides[k], difference2, spread2);
    }
}

TAP_MAIN(TAP_ENTRY(m01_merging_conserves_momentum_and_stores_the_energy_it_takes),
         TAP_ENTRY(m02_m03_splitting_conserves_and_separates_for_any_velocity),
         TAP_ENTRY(m02_m07_energy_of_synchronizing_goes_back_at_the_root),
         TAP_ENTRY(m07_two_integrators_lose_neither_momentum_nor_energy),
         TAP_ENTRY(m01_m02_m03_groups_held_by_a_fixed_particle),
         TAP_ENTRY(two_fixed_particles_are_never_merged),
         TAP_ENTRY(where_centers_coincide_the_direction_of_approach_serves),
         TAP_ENTRY(where_nothing_differs_nothing_happens),
         TAP_ENTRY(limits_are_respected_and_deferred_pairs_counted),
         TAP_ENTRY(unlimited_groups_hold_all_that_is_connected),
         TAP_ENTRY(a_forest_can_be_used_again), TAP_ENTRY(m06_order_of_merging))
