#include "failing_memory.h"
#include "particles/groups.h"
#include "scenes.h"

static void make_particles(struct particles *p, size_t n)
{
    struct error error = {0};
    check_equal(particles_create(p, n, &error), STATUS_OK, "status");
    for (size_t i = 0; i < n; i++)
        p->mass[i] = 1.0 + (double)i;
}

TEST(everybody_is_alone_at_first)
{
    struct particles p;
    struct groups g;
    struct error error = {0};
    make_particles(&p, 10);
    p.state[3] = 1;
    check_equal(groups_create(&g, &p, &error), STATUS_OK, "status");
    check_equal(g.n_groups, 0, "groups");
    for (uint32_t i = 0; i < 10; i++) {
        check_equal(g.leader[i], i, "leader");
        check_close(g.mass[i], p.mass[i], 0.0, "mass");
        check_equal(g.fixed[i], i == 3, "fixed");
    }
    groups_free(&g);
    particles_free(&p);
}

/* Against the definition: the members of a group are those with its label. */
static void check_labelling(const struct groups *g, const struct particles *p, size_t n,
                            const uint32_t *member, const uint32_t *label)
{
    size_t groups = 0, listed = 0;
    uint32_t last_leader = 0;
    for (size_t k = 0; k < n; k++) {
        double mass = 0.0;
        int fixed = 0;
        for (size_t l = 0; l < n; l++)
            if (label[l] == label[k]) {
                mass += p->mass[member[l]];
                fixed |= p->state[member[l]];
            }
        check_equal(g->leader[member[k]], label[k], "leader");
        check_close(g->mass[member[k]], mass, 1e-12 * mass, "mass");
        check_equal(g->fixed[member[k]], fixed, "fixed");
        groups += label[k] == member[k];
    }
    check_equal(g->n_groups, groups, "groups");
    for (size_t i = 0; i < g->n_groups; i++) {
        uint32_t leader = g->member[g->start[i]];
        check(i == 0 || leader > last_leader);
        last_leader = leader;
        for (size_t k = g->start[i]; k < g->start[i + 1]; k++, listed++) {
            check_equal(g->leader[g->member[k]], leader, "listed member");
            check(k == g->start[i] || g->member[k] > g->member[k - 1]);
        }
    }
    check_equal(listed, n, "listed members");
}

/* Random partitions, one after the other in the same memory; particles left out stand alone. */
TEST(random_labels_become_their_groups)
{
    enum { N = 60 };
    struct particles p;
    struct groups g;
    struct error error = {0};
    make_particles(&p, N);
    p.state[7] = p.state[21] = 1;
    check_equal(groups_create(&g, &p, &error), STATUS_OK, "status");
    for (uint64_t round = 0; round < 300; round++) {
        uint32_t member[N], label[N], chosen[N], size[N] = {0}, first[N];
        size_t kinds = 1 + random_integer(5, round, 0, RANDOM_TEST, 0, 20), n = 0;
        for (uint32_t i = 0; i < N; i++) {
            chosen[i] = (uint32_t)random_integer(5, round, i + 1, RANDOM_TEST, 0, 2 * kinds);
            if (chosen[i] < kinds && size[chosen[i]]++ == 0)
                first[chosen[i]] = i;
        }
        for (uint32_t i = 0; i < N; i++)
            if (chosen[i] < kinds && size[chosen[i]] > 1) {
                member[n] = i;
                label[n++] = first[chosen[i]];
            }
        groups_assign(&g, &p, n, member, label);
        check_labelling(&g, &p, n, member, label);
        for (uint32_t i = 0; i < N; i++)
            if (chosen[i] >= kinds || size[chosen[i]] < 2) {
                check_equal(g.leader[i], i, "alone");
                check_close(g.mass[i], p.mass[i], 0.0, "mass alone");
                check_equal(g.fixed[i], p.state[i], "fixed alone");
            }
    }
    groups_dissolve(&g, &p);
    check_equal(g.n_groups, 0, "groups dissolved");
    for (uint32_t i = 0; i < N; i++)
        check_equal(g.leader[i], i, "leader dissolved");
    groups_free(&g);
    particles_free(&p);
}

/* The largest number of groups there can be. */
TEST(all_in_pairs)
{
    enum { N = 40 };
    struct particles p;
    struct groups g;
    struct error error = {0};
    uint32_t member[N], label[N];
    make_particles(&p, N);
    check_equal(groups_create(&g, &p, &error), STATUS_OK, "status");
    for (uint32_t i = 0; i < N; i++) {
        member[i] = i;
        label[i] = i % (N / 2);
    }
    groups_assign(&g, &p, N, member, label);
    check_equal(g.n_groups, N / 2, "groups");
    check_labelling(&g, &p, N, member, label);
    groups_free(&g);
    particles_free(&p);
}

TEST(groups_survive_every_failed_allocation)
{
    struct particles p;
    make_particles(&p, 10);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct groups g;
        memory.status = groups_create(&g, &p, &memory.error);
        memory_works(&memory);
        if (memory.status)
            check(g.leader == NULL);
        else
            groups_free(&g);
    }
    check_equal(memory.n, 5, "allocations");
    particles_free(&p);
}
