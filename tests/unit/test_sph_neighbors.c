/* Neighbor lists of a fluid against a search through all pairs. */
#include "failing_memory.h"
#include "particles/particles.h"
#include "particles/random.h"
#include "sph/sph_neighbors.h"
#include "tap.h"

#include <omp.h>

enum { MOST = 3000 };

static const double support = 0.13;

struct cloud {
    size_t n;
    struct vec3 position[MOST];
    uint8_t state[MOST];
};

/* Points of a cube; of every seven, one is gone and one prescribed. */
static void fill(struct cloud *c, size_t n, uint64_t seed, double edge)
{
    c->n = n;
    for (size_t i = 0; i < n; i++) {
        c->position[i] = vec3_scale(edge, vec3(random_uniform(seed, 1, i, RANDOM_TEST),
                                               random_uniform(seed, 2, i, RANDOM_TEST),
                                               random_uniform(seed, 3, i, RANDOM_TEST)));
        c->state[i] = i % 7 == 3 ? PARTICLE_GONE : i % 7 == 5 ? PARTICLE_PRESCRIBED : PARTICLE_FREE;
    }
}

static bool near(struct vec3 a, struct vec3 b)
{
    return vec3_norm2(vec3_sub(a, b)) < support * support;
}

/* Squared distance of places. */
static double distance2_of(struct vec3 a, struct vec3 b)
{
    const double scale = SPH_PLACES / support;
    struct vec3 d =
        vec3(rint(a.x * scale) - rint(b.x * scale), rint(a.y * scale) - rint(b.y * scale),
             rint(a.z * scale) - rint(b.z * scale));
    return vec3_norm2(d);
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
                       const uint32_t *candidate, const uint16_t *entry)
{
    const struct cell_grid *grid = &found->grid;
    struct vec3 x = c->position[grid->point[s]];
    size_t n = found->n_found[s];
    bool itself = false;
    check_equal(n, count_near(c, x), "neighbors");
    for (size_t k = 0; k < n; k++) {
        uint32_t j = candidate[entry[k]];
        check(near(c->position[grid->point[j]], x));
        check(c->state[grid->point[j]] != PARTICLE_GONE);
        itself |= j == s;
        check(k == 0 || entry[k] > entry[k - 1]);
    }
    check(itself);
    check(sph_neighbors_entries(found, s) - n < NEIGHBOR_LANES);
    for (size_t k = n; k < sph_neighbors_entries(found, s); k++)
        check_equal(candidate[entry[k]], s, "what fills up");
}

/* The runs of a part are its slots, one after the other; each is of one cell. */
static void check_part(const struct sph_neighbors *found, const struct cloud *c,
                       struct sph_part *part)
{
    const uint16_t *entry = part->entry;
    const struct slot_range *range = part->ranges.range;
    size_t next = part->begin;
    for (size_t r = 0; r < part->n_runs; r++) {
        check_equal(part->run[r].begin, next, "slots without a gap");
        check(part->run[r].end > next);
        next = part->run[r].end;
        sph_list_candidates(&part->candidates, range, part->run[r].n_ranges);
        range += part->run[r].n_ranges;
        for (size_t s = part->run[r].begin; s < next; s++) {
            check_slot(found, c, s, part->candidates.slot, entry);
            entry += sph_neighbors_entries(found, s);
        }
    }
    check_equal(next, part->end, "slots");
    check_equal(range - part->ranges.range, part->ranges.n, "ranges");
    check_equal(entry - part->entry, part->n_entries, "entries");
}

/* Points of one kind, and how many of them each slot was told of. */
struct kind {
    const struct cloud *cloud;
    struct cell_grid grid;
    uint32_t *told; /* by slot (MOST) */
};

/* What is told at each slot. */
struct told {
    struct sph_visitor visitor; /* must be first */
    const struct sph_neighbors *found;
    const struct cloud *cloud;
    const struct kind *walls, *solids;
    uint32_t *times; /* by slot (MOST) */
};

static void check_points(const struct kind *kind, const struct sph_beside_slot *beside, size_t slot,
                         struct vec3 x)
{
    for (size_t k = 0; k < beside->n; k++)
        check(near(kind->cloud->position[kind->grid.point[beside->point[k]]], x));
    check((beside->near != NULL) == (beside->n > 0));
    if (beside->near)
        beside->near->force = x;
    kind->told[slot] = (uint32_t)beside->n;
}

static void check_found(const struct sph_visitor *visitor, const struct sph_found *found)
{
    const struct told *told = (const struct told *)visitor;
    const struct cloud *c = told->cloud;
    struct vec3 x = c->position[told->found->grid.point[found->slot]];
    double sum = 0.0, expected = 0.0;
    for (size_t k = 0; k < found->n; k++)
        sum += (double)found->distance2[k];
    for (size_t k = found->n; k % NEIGHBOR_LANES; k++)
        check_close((double)found->distance2[k], SPH_PLACES * SPH_PLACES, 0.0, "what fills up");
    for (size_t i = 0; i < c->n; i++)
        if (c->state[i] != PARTICLE_GONE && near(c->position[i], x))
            expected += distance2_of(c->position[i], x);
    check_close(sum / (SPH_PLACES * SPH_PLACES), expected / (SPH_PLACES * SPH_PLACES),
                1e-6 * (double)found->n, "squared distances");
    check_points(told->walls, &found->walls, found->slot, x);
    check_points(told->solids, &found->solids, found->slot, x);
    told->times[found->slot]++;
}

/* The list of a part has its slots near points, and these points, once more. */
static size_t check_list(const struct told *told, const struct kind *kind,
                         const struct sph_part *part, const struct sph_beside *beside)
{
    const struct sph_neighbors *found = told->found;
    const uint32_t *point = beside->points.slot;
    for (size_t k = 0; k < beside->n; k++) {
        uint32_t s = beside->near[k].slot;
        struct vec3 x = told->cloud->position[found->grid.point[s]];
        check(s >= part->begin && s < part->end);
        check(k == 0 || s > beside->near[k - 1].slot);
        check(kind->told[s] > 0);
        check_equal(beside->near[k].n_points, kind->told[s], "points of a slot");
        check(beside->near[k].force.x == x.x);
        for (size_t n = 0; n < beside->near[k].n_points; n++)
            check(near(kind->cloud->position[kind->grid.point[*point++]], x));
    }
    check_equal(point - beside->points.slot, beside->points.n, "points of a part");
    return beside->n;
}

static void check_lists(const struct told *told, const struct kind *kind, bool walls)
{
    const struct sph_neighbors *found = told->found;
    const struct cloud *c = told->cloud;
    size_t listed = 0, told_of = 0;
    for (size_t t = 0; t < found->n_parts; t++) {
        const struct sph_part *part = &found->part[t];
        listed += check_list(told, kind, part, walls ? &part->walls : &part->solids);
    }
    for (size_t s = 0; s < found->grid.n; s++) {
        uint32_t i = found->grid.point[s];
        check_equal(told->times[s], 1, "times told");
        check_equal(kind->told[s],
                    c->state[i] == PARTICLE_FREE ? count_near(kind->cloud, c->position[i]) : 0,
                    "points");
        told_of += kind->told[s] > 0;
    }
    check_equal(listed, told_of, "slots near points");
}

static void create_kind(struct kind *kind, struct cloud *cloud, uint64_t seed, double edge)
{
    struct error error = {0};
    fill(cloud, 40, seed, edge);
    memset(cloud->state, PARTICLE_FREE, cloud->n);
    check_equal(cell_grid_build(&kind->grid, cloud->n, NULL, cloud->position, support, &error),
                STATUS_OK, "points");
}

/* Few particles are searched by one thread, many by as many as there are. */
static void check_cloud(size_t n, uint64_t seed, int threads, double edge)
{
    static struct cloud c, wall, solid;
    struct sph_neighbors found;
    static uint32_t times[MOST], walls_told[MOST], solids_told[MOST];
    struct kind walls = {&wall, {0}, walls_told}, solids = {&solid, {0}, solids_told};
    const struct told told = {{check_found, &solids.grid}, &found, &c, &walls, &solids, times};
    struct error error = {0};
    int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    fill(&c, n, seed, edge);
    create_kind(&walls, &wall, seed + 100, edge);
    create_kind(&solids, &solid, seed + 200, edge);
    check_equal(sph_neighbors_create(&found, n, &error), STATUS_OK, "create");
    for (int again = 0; again < 2; again++) { /* the lists are kept from search to search */
        memset(times, 0, sizeof times);
        check_equal(sph_neighbors_find(&found, n, c.position, c.state, support, HUGE_VAL,
                                       &walls.grid, &told.visitor, &error),
                    STATUS_OK, "find");
        size_t slots = 0;
        for (size_t t = 0; t < found.n_parts; t++) {
            check_equal(found.part[t].begin, slots, "parts without a gap");
            check_part(&found, &c, &found.part[t]);
            slots = found.part[t].end;
        }
        check_equal(slots, found.grid.n, "slots");
        check_lists(&told, &walls, true);
        check_lists(&told, &solids, false);
    }
    sph_neighbors_free(&found);
    cell_grid_free(&walls.grid);
    cell_grid_free(&solids.grid);
    omp_set_num_threads(before);
}

TEST(neighbors_and_points_beside_are_those_of_all_pairs)
{
    check_cloud(1, 1, 1, 1.0);
    check_cloud(9, 2, 3, 1.0);
    check_cloud(300, 3, 2, 1.0);
    check_cloud(MOST, 4, 1, 1.0);
    check_cloud(MOST, 5, 3, 1.0);
}

/* So far apart that cells are hashed, and those of a spray: two or three in a cell. */
TEST(so_are_those_of_a_spray)
{
    check_cloud(MOST, 8, 1, 4.0);
    check_cloud(MOST, 9, 2, 6.0);
}

TEST(a_place_too_far_for_its_size_is_an_error)
{
    static struct cloud c;
    struct sph_neighbors found;
    struct error error = {0};
    fill(&c, 50, 6, 1.0);
    c.position[20].y = -1.01 * 0x1p30 * support;
    check_equal(sph_neighbors_create(&found, c.n, &error), STATUS_OK, "create");
    check_equal(
        sph_neighbors_find(&found, c.n, c.position, c.state, support, HUGE_VAL, NULL, NULL, &error),
        STATUS_FAILED, "status");
    check_contains(error.message, "particle 20");
    c.position[20].y = -0.99 * 0x1p30 * support;
    check_equal(
        sph_neighbors_find(&found, c.n, c.position, c.state, support, HUGE_VAL, NULL, NULL, &error),
        STATUS_OK, "status");
    sph_neighbors_free(&found);
}

TEST(a_fluid_that_collapsed_is_an_error)
{
    enum { MANY = 65536 };
    static struct vec3 position[MANY];
    static uint8_t state[MANY];
    struct sph_neighbors found;
    struct error error = {0};
    for (size_t i = 0; i < MANY; i++)
        position[i] = vec3(1.5 * support * (double)i / MANY, 0.0, 0.0);
    check_equal(sph_neighbors_create(&found, MANY, &error), STATUS_OK, "create");
    check_equal(
        sph_neighbors_find(&found, MANY, position, state, support, HUGE_VAL, NULL, NULL, &error),
        STATUS_FAILED, "status");
    check_contains(error.message, "65536 particles");
    sph_neighbors_free(&found);
}

TEST(a_place_that_is_no_number_is_an_error)
{
    static struct cloud c;
    struct sph_neighbors found;
    struct error error = {0};
    fill(&c, 50, 6, 1.0);
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
    fill(&c, 200, 7, 1.0);
    omp_set_num_threads(1);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct sph_neighbors found;
        memory.status = sph_neighbors_create(&found, c.n, &memory.error);
        if (!memory.status)
            memory.status = sph_neighbors_find(&found, c.n, c.position, c.state, support, HUGE_VAL,
                                               NULL, NULL, &memory.error);
        memory_works(&memory);
        sph_neighbors_free(&found);
    }
    check(memory.n > 5);
}
