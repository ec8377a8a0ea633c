/* Distances in aggregates against distances in bonds. */
#include "particles/random.h"
#include "scenes.h"
#include "systems/bonds/bond_implicit.h"

/* Bonds from `marked` to every particle, by relaxing until nothing changes; n: no way. */
static void count_bonds(const struct bond_network *net, const bool *marked, size_t *bonds)
{
    size_t n = net->system.n;
    bool changed = true;
    for (size_t i = 0; i < n; i++)
        bonds[i] = marked[i] ? 0 : n;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
                size_t j = net->neighbor[e], least = bonds[i] < bonds[j] ? bonds[i] : bonds[j];
                changed |= bonds[i] > least + 1 || bonds[j] > least + 1;
                bonds[i] = bonds[i] > least + 1 ? least + 1 : bonds[i];
                bonds[j] = bonds[j] > least + 1 ? least + 1 : bonds[j];
            }
    }
}

static void check_distances(struct bond_implicit *step, size_t n_marks, uint64_t seed,
                            double *slack)
{
    const struct bond_network *net = &step->net;
    size_t n = net->system.n;
    struct bond_aggregates *aggregates = &step->aggregates;
    bool *marked = calloc(n, sizeof *marked);
    size_t *bonds = calloc(n, sizeof *bonds);
    bond_aggregates_clear(aggregates);
    for (size_t k = 0; k < n_marks; k++) {
        uint32_t i = (uint32_t)random_integer(seed, 0, k, RANDOM_TEST, 0, n - 1);
        marked[i] = true;
        bond_aggregates_mark(aggregates, i);
    }
    bond_aggregates_spread(aggregates);
    count_bonds(net, marked, bonds);
    for (size_t i = 0; i < n; i++) {
        uint8_t distance = aggregates->distance[i];
        if (bonds[i] == n && distance == FRONTIER_NEVER)
            continue;
        check(distance != FRONTIER_NEVER && distance <= bonds[i]);
        check(!marked[i] || distance == 0);
        if (bonds[i] < n && (double)(bonds[i] - distance) > *slack)
            *slack = (double)(bonds[i] - distance);
    }
    free(marked);
    free(bonds);
}

TEST(never_more_than_the_bonds_need)
{
    struct hand_scene h;
    struct error error = {0};
    struct system *system;
    double slack = 0.0;
    hand_scene_begin(&h);
    add_body(&h, add_peridynamics(&h, 100.0, 1.5, 0.0, (double)INFINITY), 0.01, 8e-3);
    add_block(&h, 30, 5, 5, vec3(0, 0, 0), vec3(0, 0, 0));
    add_body(&h, add_springs(&h, 40.0, 30.0, 20.0, 0.0), 0.01, 8e-3);
    add_block(&h, 20, 20, 1, vec3(0, 0, 1), vec3(0, 0, 0));
    add_body(&h, add_loose(&h), 0.01, 8e-3);
    add_block(&h, 5, 1, 1, vec3(0, 0, 2), vec3(0, 0, 0));
    check_equal(create_network(&h, &system, &error), STATUS_OK, "network");
    for (uint64_t seed = 0; seed < 20; seed++)
        check_distances((struct bond_implicit *)system, 1 + seed % 4, seed, &slack);
    printf("# at most %g less than the bonds need\n", slack);
    system->class->free(system);
    hand_scene_end(&h);
}

TEST(nothing_marked_nothing_reached)
{
    struct bond_aggregates aggregates;
    struct error error = {0};
    const size_t start[] = {0, 1, 2, 2};
    const uint32_t neighbor[] = {1, 2};
    check_equal(bond_aggregates_create(&aggregates, 3, start, neighbor, &error), STATUS_OK,
                "create");
    bond_aggregates_clear(&aggregates);
    bond_aggregates_spread(&aggregates);
    for (size_t i = 0; i < 3; i++)
        check_equal(aggregates.distance[i], FRONTIER_NEVER, "distance");
    bond_aggregates_free(&aggregates);
}
