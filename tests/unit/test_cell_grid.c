#include "failing_memory.h"
#include "particles/cell_points.h"
#include "tap.h"

#include <omp.h>

/* A small generator of its own (splitmix64), so that the test depends on nothing it tests. */
static uint64_t state = 1;

static double uniform(void)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static struct vec3 *cloud(size_t n, struct vec3 corner, struct vec3 size)
{
    struct vec3 *x = calloc(n ? n : 1, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = vec3(corner.x + size.x * uniform(), corner.y + size.y * uniform(),
                    corner.z + size.z * uniform());
    return x;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Compares the grid's answer at `center` with all points; returns how many there are. */
static size_t compare(const struct cell_grid *grid, size_t n, const struct vec3 *x,
                      struct vec3 center, double reach)
{
    uint32_t *found = calloc(cell_grid_room(n), sizeof *found);
    size_t n_found = cell_grid_within(grid, center, reach, found), k = 0;
    struct slot_list list = {0};
    struct error error;
    for (size_t appended = 0; appended < 2; appended++) { /* the second time behind the first */
        check_equal(cell_grid_append(grid, center, reach, &list, &error), STATUS_OK, "status");
        check_equal(list.n, (appended + 1) * n_found, "slots");
        for (size_t s = 0; s < n_found && list.n == (appended + 1) * n_found; s++)
            check(grid->point[list.slot[appended * n_found + s]] == found[s]);
    }
    free(list.slot);
    qsort(found, n_found, sizeof *found, ascending);
    for (size_t i = 0; i < n; i++)
        if (vec3_norm2(vec3_sub(x[i], center)) < reach * reach) {
            check(k < n_found && found[k] == i);
            k++;
        }
    check_equal(n_found, k, "points found");
    free(found);
    return k;
}

static void compare_everywhere(size_t n, struct vec3 corner, struct vec3 size, double cell,
                               double reach)
{
    struct vec3 *x = cloud(n, corner, size);
    struct cell_grid grid = {0};
    struct error error = {0};
    check_equal(cell_grid_build(&grid, n, NULL, x, cell, &error), STATUS_OK, "status");
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        size_t here = compare(&grid, n, x, x[i], reach);
        check(here >= 1);
        total += here;
    }
    check(total > n); /* the case is not trivial */
    for (int k = 0; k < 200; k++)
        compare(&grid, n, x,
                vec3(corner.x + size.x * (3.0 * uniform() - 1.0),
                     corner.y + size.y * (3.0 * uniform() - 1.0),
                     corner.z + size.z * (3.0 * uniform() - 1.0)),
                reach);
    cell_grid_free(&grid);
    free(x);
}

TEST(a_cloud_agrees_with_all_points)
{
    compare_everywhere(1000, vec3(-1.0, -2.0, 3.0), vec3(1.0, 1.0, 1.0), 0.1, 0.1);
    compare_everywhere(1000, vec3(-1.0, -2.0, 3.0), vec3(1.0, 1.0, 1.0), 0.1, 0.35);
    compare_everywhere(1000, vec3(-1.0, -2.0, 3.0), vec3(1.0, 1.0, 1.0), 0.3, 0.02);
}

TEST(hashed_cells_agree_with_all_points)
{
    compare_everywhere(1000, vec3(-50.0, -50.0, -50.0), vec3(100.0, 100.0, 100.0), 1.0, 7.0);
    compare_everywhere(1000, vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 1.0), 1e-3, 0.1);
    compare_everywhere(500, vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 1.0), 1e-6, 0.2);
}

TEST(flat_and_line_arrangements_agree)
{
    compare_everywhere(1000, vec3(-1.0, 0.5, -1.0), vec3(2.0, 0.0, 2.0), 0.1, 0.1);
    compare_everywhere(1000, vec3(0.0, -1e3, 0.0), vec3(0.0, 2e3, 0.0), 1.0, 2.0);
    compare_everywhere(300, vec3(7.0, 7.0, 7.0), vec3(0.0, 0.0, 0.0), 1.0, 0.5);
}

TEST(huge_extents_take_little_memory)
{
    enum { N = 400 };
    struct vec3 x[N];
    for (int i = 0; i < N; i++) /* two clusters, and points as far away as doubles go */
        x[i] = vec3(uniform() + (i % 2 ? 1e12 : -1e12), uniform(), uniform());
    x[7] = vec3(1e308, -1e308, 1e308);
    x[8] = vec3(-1e308, -1e308, 0.0);
    x[9] = vec3(1e20, 1e20, 1e20);
    x[10] = x[9];
    struct cell_grid grid = {0};
    struct error error = {0};
    check_equal(cell_grid_build(&grid, N, NULL, x, 0.25, &error), STATUS_OK, "status");
    check(grid.n_buckets <= 1024);
    for (int i = 0; i < N; i++)
        compare(&grid, N, x, x[i], 0.25);
    check_equal(compare(&grid, N, x, x[9], 0.25), 2, "points at the same far place");
    cell_grid_free(&grid);
}

TEST(a_grid_can_grow_and_shrink)
{
    struct cell_grid grid = {0};
    struct error error = {0};
    size_t sizes[] = {10, 3000, 0, 1, 500, 6000, 20};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        size_t n = sizes[s];
        double side = s % 2 ? 1.0 : 1000.0;
        struct vec3 *x = cloud(n, vec3(-side, 0.0, 0.0), vec3(side, side, side));
        check_equal(cell_grid_build(&grid, n, NULL, x, 0.1 * side, &error), STATUS_OK, "status");
        for (size_t i = 0; i < n; i += 97)
            compare(&grid, n, x, x[i], 0.1 * side);
        uint32_t found[1];
        if (n == 0)
            check_equal(cell_grid_within(&grid, vec3(0, 0, 0), 1.0, found), 0, "of no points");
        free(x);
    }
    cell_grid_free(&grid);
}

TEST(a_part_of_the_points_can_be_sorted)
{
    enum { N = 900 };
    struct vec3 *x = cloud(N, vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 1.0));
    uint32_t index[N / 3], found[2 * N];
    for (uint32_t k = 0; k < N / 3; k++)
        index[k] = 3 * k;
    struct cell_grid grid = {0};
    struct error error = {0};
    check_equal(cell_grid_build(&grid, N / 3, index, x, 0.2, &error), STATUS_OK, "status");
    size_t n = cell_grid_within(&grid, vec3(0.5, 0.5, 0.5), 10.0, found);
    check_equal(n, N / 3, "all of them");
    qsort(found, n, sizeof *found, ascending);
    for (uint32_t k = 0; k < n; k++)
        check_equal(found[k], 3 * k, "index");
    cell_grid_free(&grid);
    free(x);
}

TEST(bad_input_is_an_error)
{
    struct vec3 x[3] = {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}};
    struct cell_grid grid = {0};
    struct error error = {0};
    double edges[] = {0.0, -1.0, (double)NAN, HUGE_VAL};
    for (int k = 0; k < 4; k++)
        check_equal(cell_grid_build(&grid, 3, NULL, x, edges[k], &error), STATUS_INVALID, "edge");
    x[1].y = (double)NAN;
    check_equal(cell_grid_build(&grid, 3, NULL, x, 1.0, &error), STATUS_FAILED, "NaN");
    check_contains(error.message, "particle 1 is not finite");
    x[1].y = 0.0;
    x[2].z = -HUGE_VAL;
    check_equal(cell_grid_build(&grid, 3, NULL, x, 1.0, &error), STATUS_FAILED, "infinity");
    check_contains(error.message, "particle 2 is not finite");
    cell_grid_free(&grid);
}

/* Coordinates are looked at in three vectors of four, and the last points one by one. */
TEST(every_coordinate_that_is_not_finite_is_noticed)
{
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    enum { N = 11 };
    double x[3 * N];
    struct vec3 position[N];
    struct cell_grid grid = {0};
    struct error error = {0};
    char who[64];
    for (int k = 0; k < 3 * N; k++)
        for (int b = 0; b < 3; b++) {
            for (int l = 0; l < 3 * N; l++)
                x[l] = l == k ? bad[b] : 0.1 * l;
            memcpy(position, x, sizeof position);
            check_equal(cell_grid_sort(&grid, N, NULL, position, 1.0, &error), STATUS_FAILED, "");
            snprintf(who, sizeof who, "particle %d is not finite", k / 3);
            check_contains(error.message, who);
        }
    cell_grid_free(&grid);
}

TEST(every_failed_allocation_is_reported)
{
    struct vec3 *x = cloud(100, vec3(0, 0, 0), vec3(1, 1, 1));
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct cell_grid grid = {0};
        memory.status = cell_grid_build(&grid, 100, NULL, x, 0.1, &memory.error);
        memory_works(&memory);
        cell_grid_free(&grid);
    }
    check(memory.n > 5);
    free(x);
}

/* ---- cell by cell ---- */

/* The cell of a point in units of `cell` from the lowest corner, as the grid counts. */
static int64_t cell_along(double x, double low, double cell)
{
    return (int64_t)((x - low) * (1.0 / cell));
}

static bool is_around(const struct cell_grid *grid, struct vec3 a, struct vec3 b, double cell,
                      int64_t reach)
{
    const double x[] = {a.x, a.y, a.z}, y[] = {b.x, b.y, b.z};
    const double low[] = {grid->origin.x, grid->origin.y, grid->origin.z};
    for (int k = 0; k < 3; k++) {
        int64_t apart = cell_along(x[k], low[k], cell) - cell_along(y[k], low[k], cell);
        if (apart > reach || apart < -reach)
            return false;
    }
    return true;
}

/* The slots around `slot`: each that is there once, and none besides. */
static void check_around(const struct cell_grid *grid, const struct vec3 *x, size_t slot,
                         double cell)
{
    struct range_list list = {0};
    struct error error;
    size_t n = grid->n, around = 0, listed = 0;
    check_equal(cell_grid_around(grid, x, slot, &list, &error), STATUS_OK, "status");
    uint8_t *seen = calloc(n, 1);
    for (size_t r = 0; r < list.n; r++) {
        check(list.range[r].begin < list.range[r].end && list.range[r].end <= n);
        for (size_t s = list.range[r].begin; s < list.range[r].end; s++, listed++) {
            check(!seen[s]);
            seen[s] = 1;
        }
    }
    struct vec3 own = x[grid->point[slot]];
    for (size_t s = 0; s < n; s++) {
        bool is = is_around(grid, own, x[grid->point[s]], cell, 1);
        check(is == seen[s]);
        around += is;
    }
    check_equal(listed, around, "slots around");
    free(seen);
    free(list.range);
}

static void check_cells(size_t n, struct vec3 corner, struct vec3 size, double cell, bool hashed)
{
    struct vec3 *x = cloud(n, corner, size);
    struct cell_grid grid = {0};
    struct error error;
    check_equal(cell_grid_sort(&grid, n, NULL, x, cell, &error), STATUS_OK, "status");
    check_equal(grid.hashed, hashed, "hashed");
    check(grid.x == NULL);
    for (size_t s = 0, end; s < n; s = end) {
        end = cell_grid_run(&grid, x, s, n);
        check(end > s && end <= n);
        for (size_t k = s; k < end; k++)
            check(is_around(&grid, x[grid.point[s]], x[grid.point[k]], cell, 0));
        check(end == n || hashed ||
              !is_around(&grid, x[grid.point[s]], x[grid.point[end]], cell, 0));
        check_equal(cell_grid_run(&grid, x, s, s + 1), s + 1, "cut off");
        check_around(&grid, x, s, cell);
    }
    cell_grid_free(&grid);
    free(x);
}

TEST(the_cells_around_a_cell_are_listed_once)
{
    check_cells(1, vec3(0, 0, 0), vec3(1, 1, 1), 0.1, false);
    check_cells(500, vec3(-1, 2, 0), vec3(1, 1, 1), 0.2, false);
    check_cells(500, vec3(-1, 2, 0), vec3(0.1, 5, 0), 0.2, false);
    check_cells(500, vec3(-1, 2, 0), vec3(30, 30, 30), 1.0, true); /* 27000 cells, 1024 buckets */
    check_cells(500, vec3(-1, 2, 0), vec3(3000, 3, 3), 1.0, true); /* rows longer than the table */
}

/* Dense and hashed, enough points that threads share the work. */
TEST(determinism_slots_are_the_same_for_any_number_of_threads)
{
    enum { N = 40000 };
    const int threads[] = {1, 2, 3, 4, 7};
    for (int hashed = 0; hashed < 2; hashed++) {
        double side = hashed ? 1000.0 : 30.0;
        struct vec3 *x = cloud(N, vec3(-side, 0.0, 0.0), vec3(side, side, side));
        struct cell_grid grid[5];
        for (int t = 0; t < 5; t++) {
            struct error error = {0};
            grid[t] = (struct cell_grid){0};
            omp_set_num_threads(threads[t]);
            check_equal(cell_grid_build(&grid[t], N, NULL, x, 1.0, &error), STATUS_OK, "status");
            check_equal(grid[t].hashed, hashed, "hashed");
            check(memcmp(grid[t].point, grid[0].point, N * sizeof(uint32_t)) == 0);
            check(memcmp(grid[t].x, grid[0].x, N * sizeof(double)) == 0);
            check(memcmp(grid[t].start, grid[0].start,
                         (grid[0].n_buckets + 1) * sizeof(uint32_t)) == 0);
        }
        for (int t = 0; t < 5; t++)
            cell_grid_free(&grid[t]);
        free(x);
    }
}

/* Looks for the neighbors of all points: each pair is found from its lower slot, and once unless
 * cells are hashed. Frees the points. */
static void check_pairs(size_t n, struct vec3 *x, double reach)
{
    struct cell_grid grid = {0};
    struct cell_points points = {0};
    struct error error;
    struct pair *near = calloc(9 * n + CELL_GRID_LANES, sizeof *near);
    check_equal(cell_grid_build(&grid, n, NULL, x, reach * (1.0 + 1e-9), &error), STATUS_OK,
                "status");
    for (size_t s = 0, end; s < n; s = end) {
        check_equal(cell_points_list(&points, &grid, s, n, &end, &error), STATUS_OK, "status");
        check(end > s && end <= n);
        for (size_t k = s; k < end; k++) {
            const struct vec3 at = x[grid.point[k]];
            size_t found = 0, expected = 0;
            size_t written = cell_points_within(&points, k, at, reach, near);
            for (size_t p = 0; p < written; p++) {
                bool again = false;
                check_equal(near[p].i, k, "own");
                check(vec3_norm2(vec3_sub(x[grid.point[near[p].j]], at)) < reach * reach);
                for (size_t q = 0; q < p; q++)
                    again = again || near[q].j == near[p].j;
                check(!again || grid.hashed);
                found += near[p].j > k && !again;
            }
            for (size_t other = k + 1; other < n; other++)
                expected += vec3_norm2(vec3_sub(x[grid.point[other]], at)) < reach * reach;
            check_equal(found, expected, "pairs with higher slots");
        }
    }
    cell_points_free(&points);
    cell_grid_free(&grid);
    free(near);
    free(x);
}

TEST(pairs_of_neighbors_are_found_from_the_lower_slot)
{
    enum { N = 700, BUCKETS = 2048 };
    check_pairs(N, cloud(N, vec3(-1, 2, 0), vec3(2, 1, 1)), 0.2);
    check_pairs(N, cloud(N, vec3(-1, 2, 0), vec3(0.3, 0.3, 0.3)), 0.2);
    check_pairs(N, cloud(N, vec3(0, 0, 0), vec3(40, 40, 40)), 2.5);
    check_pairs(N, cloud(N, vec3(0, 0, 0), vec3(400, 0, 0)), 0.3);
    /* in one row of hashed cells, on both sides of where the table ends */
    struct vec3 *x = cloud(N, vec3(BUCKETS - 1, 0, 0), vec3(2, 0, 0));
    x[0].x = 0.0;
    x[1].x = 3 * BUCKETS;
    check_pairs(N, x, 1.0);
}
