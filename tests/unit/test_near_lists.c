/* Lists of neighbors against all pairs. */
#include "particles/near_lists.h"
#include "random_points.h"
#include "tap.h"

#include <omp.h>

enum { POINTS = 700 };

static void make_points(struct vec3 *position)
{
    uint64_t draw = 0;
    for (size_t i = 0; i < POINTS; i++)
        position[i] = random_in(&draw, 1.0, 0.5, 0.3);
    position[13] = position[400]; /* at one place */
    position[77] = vec3(100.0, 0.0, 0.0);
}

static void find(struct near_lists *lists, size_t n, const struct vec3 *position, double reach)
{
    struct error error = {0};
    check_equal(near_lists_find(lists, n, position, reach, &error), STATUS_OK, error.message);
}

static void check_lists(const struct near_lists *lists, const struct vec3 *position, double reach)
{
    for (size_t i = 0; i < lists->n; i++) {
        bool listed[POINTS] = {false};
        for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++) {
            check(!listed[lists->neighbor[e]]);
            listed[lists->neighbor[e]] = true;
        }
        for (size_t j = 0; j < lists->n; j++)
            check_equal(listed[j],
                        j != i && vec3_norm2(vec3_sub(position[j], position[i])) < reach * reach,
                        "neighbor");
    }
}

TEST(lists_hold_all_pairs_nearer_than_the_reach)
{
    struct vec3 position[POINTS];
    struct near_lists lists = {0};
    make_points(position);
    for (int k = 0; k < 3; k++) { /* with the memory of the search before */
        const double reach = 0.2 - 0.05 * k;
        find(&lists, POINTS - 100 * (size_t)k, position, reach);
        check_lists(&lists, position, reach);
    }
    near_lists_free(&lists);
    check_equal(lists.n, 0, "empty");
}

TEST(the_order_does_not_depend_on_the_number_of_threads)
{
    struct vec3 position[POINTS];
    struct near_lists one = {0}, many = {0};
    make_points(position);
    omp_set_num_threads(1);
    find(&one, POINTS, position, 0.15);
    for (int threads = 2; threads <= 7; threads++) {
        omp_set_num_threads(threads);
        find(&many, POINTS, position, 0.15);
        check(memcmp(many.start, one.start, (POINTS + 1) * sizeof *one.start) == 0);
        check(memcmp(many.neighbor, one.neighbor, one.start[POINTS] * sizeof *one.neighbor) == 0);
        near_lists_free(&many);
    }
    near_lists_free(&one);
}

TEST(a_place_that_is_no_number_is_refused)
{
    struct vec3 position[2] = {{0, 0, 0}, {NAN, 0, 0}};
    struct near_lists lists = {0};
    struct error error = {0};
    check_equal(near_lists_find(&lists, 2, position, 1.0, &error), STATUS_FAILED, "status");
    near_lists_free(&lists);
}
