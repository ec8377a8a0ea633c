/* Neighbor lists of a fluid against a search through all pairs. */
#include "base/memory.h"
#include "particles/particles.h"
#include "particles/random.h"
#include "systems/sph/sph_neighbors.h"
#include "tap.h"

#include <omp.h>

enum { MOST = 3000 };

static const double support = 0.13;

struct cloud {
    size_t n;
    struct vec3 position[MOST];
    uint8_t state[MOST];
};

/* Points of a unit cube; of every seven, one is gone and one prescribed. */
static void fill(struct cloud *c, size_t n, uint64_t seed)
{
    c->n = n;
    for (size_t i = 0; i < n; i++) {
        c->position[i] =
            vec3(random_uniform(seed, 1, i, RANDOM_TEST), random_uniform(seed, 2, i, RANDOM_TEST),
                 random_uniform(seed, 3, i, RANDOM_TEST));
        c->state[i] = i % 7 == 3 ? PARTICLE_GONE : i % 7 == 5 ? PARTICLE_PRESCRIBED : PARTICLE_FREE;
    }
}

static bool near(struct vec3 a, struct vec3 b)
{
    return vec3_norm2(vec3_sub(a, b)) < support * support;
}

static size_t count_near(const struct cloud *of, struct vec3 x)
{
    size_t n = 0;
    for (size_t i = 0; i < of->n; i++)
        n += of->state[i] != PARTICLE_GONE && near(of->position[i], x);
    return n;
}

/* Each entry is a neighbor, none twice, then the slot itself; as many as there should be. */
static void check_slot(const struct sph_neighbors *found, const struct cloud *c, size_t s,
                       const uint32_t *entry)
{
    const struct cell_grid *grid = &found->grid;
    struct vec3 x = c->position[grid->point[s]];
    size_t n = found->n_found[s];
    bool itself = false;
    check_equal(n, count_near(c, x), "neighbors");
    for (size_t k = 0; k < n; k++) {
        check(near(c->position[grid->point[entry[k]]], x));
        check(c->state[grid->point[entry[k]]] != PARTICLE_GONE);
        itself |= entry[k] == s;
        for (size_t l = 0; l < k; l++)
            check(entry[l] != entry[k]);
    }
    check(itself);
    check(sph_neighbors_entries(found, s) - n < NEIGHBOR_LANES);
    for (size_t k = n; k < sph_neighbors_entries(found, s); k++)
        check_equal(entry[k], s, "what fills up");
}

static void check_walls(const struct sph_neighbors *found, const struct cloud *c,
                        const struct cloud *wall, const struct cell_grid *points)
{
    size_t *n_points = calloc(c->n, sizeof *n_points);
    for (size_t t = 0; t < found->n_parts; t++) {
        const struct sph_part *part = &found->part[t];
        const uint32_t *entry = part->wall_list.slot;
        for (size_t k = 0; k < part->n_near; k++) {
            uint32_t i = found->grid.point[part->near[k].slot];
            check(part->near[k].slot >= part->begin && part->near[k].slot < part->end);
            check(k == 0 || part->near[k].slot > part->near[k - 1].slot);
            n_points[i] = part->near[k].n_points;
            for (size_t e = 0; e < part->near[k].n_points; e++)
                check(near(wall->position[points->point[*entry++]], c->position[i]));
        }
        check_equal(entry - part->wall_list.slot, part->wall_list.n, "points of walls");
    }
    for (size_t i = 0; i < c->n; i++)
        check_equal(n_points[i],
                    c->state[i] == PARTICLE_FREE ? count_near(wall, c->position[i]) : 0,
                    "points of walls");
    free(n_points);
}

/* Few particles are searched by one thread, many by as many as there are. */
static void check_cloud(size_t n, uint64_t seed, int threads)
{
    static struct cloud c, wall;
    struct sph_neighbors found;
    struct cell_grid points = {0};
    struct error error = {0};
    int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    fill(&c, n, seed);
    fill(&wall, 40, seed + 100);
    memset(wall.state, PARTICLE_FREE, wall.n);
    check_equal(cell_grid_build(&points, wall.n, NULL, wall.position, support, &error), STATUS_OK,
                "points of walls");
    check_equal(sph_neighbors_create(&found, n, &error), STATUS_OK, "create");
    for (int again = 0; again < 2; again++) { /* the lists are kept from search to search */
        check_equal(sph_neighbors_find(&found, n, c.position, c.state, support, HUGE_VAL, &points,
                                       NULL, &error),
                    STATUS_OK, "find");
        size_t slots = 0;
        for (size_t t = 0; t < found.n_parts; t++) {
            const uint32_t *entry = found.part[t].list.slot;
            for (size_t s = found.part[t].begin; s < found.part[t].end; s++, slots++) {
                check_slot(&found, &c, s, entry);
                entry += sph_neighbors_entries(&found, s);
            }
            check_equal(entry - found.part[t].list.slot, found.part[t].list.n, "entries");
        }
        check_equal(slots, found.grid.n, "slots");
        check_walls(&found, &c, &wall, &points);
    }
    sph_neighbors_free(&found);
    cell_grid_free(&points);
    omp_set_num_threads(before);
}

TEST(neighbors_and_points_of_walls_are_those_of_all_pairs)
{
    check_cloud(1, 1, 1);
    check_cloud(9, 2, 3);
    check_cloud(300, 3, 2);
    check_cloud(MOST, 4, 1);
    check_cloud(MOST, 5, 3);
}

TEST(a_place_that_is_no_number_is_an_error)
{
    static struct cloud c;
    struct sph_neighbors found;
    struct error error = {0};
    fill(&c, 50, 6);
    c.position[20].y = (double)NAN;
    check_equal(sph_neighbors_create(&found, c.n, &error), STATUS_OK, "create");
    check_equal(
        sph_neighbors_find(&found, c.n, c.position, c.state, support, HUGE_VAL, NULL, NULL, &error),
        STATUS_FAILED, "status");
    sph_neighbors_free(&found);
}

/* In create and in the first search. */
TEST(every_failed_allocation_is_an_error)
{
    static struct cloud c;
    fill(&c, 200, 7);
    omp_set_num_threads(1);
    for (long n = 0; n < 100; n++) {
        struct sph_neighbors found;
        struct error error = {0};
        memory_fail_after(n);
        enum status status = sph_neighbors_create(&found, c.n, &error);
        if (!status)
            status = sph_neighbors_find(&found, c.n, c.position, c.state, support, HUGE_VAL, NULL,
                                        NULL, &error);
        memory_fail_after(-1);
        sph_neighbors_free(&found);
        if (status == STATUS_OK) {
            check(n > 5);
            return;
        }
        check_contains(error.message, "out of memory");
    }
    check(false && "never succeeded");
}

TAP_MAIN(TAP_ENTRY(neighbors_and_points_of_walls_are_those_of_all_pairs),
         TAP_ENTRY(a_place_that_is_no_number_is_an_error),
         TAP_ENTRY(every_failed_allocation_is_an_error))
