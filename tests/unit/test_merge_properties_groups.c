/* Merging: who is with whom, size limits, and what happens where nothing differs. */
#include "config/scene.h"
#include "merge_trials.h"

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

/* The centers of two meta-particles may coincide, and MS 5 has no direction then: that of approach
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
        split_forest(&t.forest, &ALL_BACK, NULL, t.velocity, &t.split);
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
    split_forest(&t.forest, &ALL_BACK, NULL, t.velocity, &t.split);
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
        split_forest(&t.forest, &ALL_BACK, NULL, t.velocity, &t.split);
        split_forest(&fresh.forest, &ALL_BACK, NULL, fresh.velocity, &fresh.split);
        check(memcmp(t.velocity, fresh.velocity, 60 * sizeof(struct vec3)) == 0);
        trial_free(&t);
        trial_free(&fresh);
    }
}
