/* A tree of boxes against a look at every item and every pair. */
#include "base/box_tree.h"
#include "particles/random.h"
#include "tap.h"

enum { WIDTH = 4, MOST = 16000 };

static double random_between(uint64_t stream, uint64_t i, double low, double high)
{
    return low + (high - low) * random_uniform(3, stream, i, RANDOM_TEST);
}

/* ---- pairs ---- */

static size_t looks;

/* Not the same for both orders in the last digit, as sums are not. */
static double distance(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    looks++;
    return sqrt(x * x + y * y + z * z) + a[3] + b[3];
}

static double along(const struct box_node *a, const struct box_node *b, int k)
{
    return fmax(a->high[k] - b->low[k], b->high[k] - a->low[k]);
}

static double bound_of_distance(const struct box_node *a, const struct box_node *b)
{
    double x = along(a, b, 0), y = along(a, b, 1), z = along(a, b, 2);
    return sqrt(x * x + y * y + z * z) + a->high[3] + b->high[3];
}

static const struct pair_function distances = {distance, bound_of_distance};

static double largest_of_all(size_t n, const double (*x)[WIDTH], double least)
{
    double largest = least;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double value = distance(x[i], x[j]);
            if (value > largest)
                largest = value;
        }
    return largest;
}

/* Points in space with a weight, of a kind. */
typedef void sower(size_t i, double *x);

static void in_a_cube(size_t i, double *x)
{
    for (uint64_t k = 0; k < WIDTH; k++)
        x[k] = random_between(k, i, 0.0, 1.0);
}

/* All about as far from each other as they can be. */
static void on_a_sphere(size_t i, double *x)
{
    double up = random_between(10, i, -1.0, 1.0), turn = random_between(11, i, 0.0, 2.0 * M_PI);
    double side = sqrt(1.0 - up * up);
    x[0] = side * cos(turn);
    x[1] = side * sin(turn);
    x[2] = up;
    x[3] = 0.0;
}

static void at_one_place(size_t i, double *x)
{
    (void)i;
    x[0] = 0.1, x[1] = 0.2, x[2] = 0.3, x[3] = 0.4;
}

/* All at rest but one. */
static void at_rest_but_one(size_t i, double *x)
{
    x[0] = i == 7 ? 3.0 : i % 2 ? 0.0 : -0.0;
    x[1] = x[2] = x[3] = 0.0;
}

/* Few places, with many at each: every value occurs often. */
static void on_a_lattice(size_t i, double *x)
{
    for (uint64_t k = 0; k < WIDTH; k++)
        x[k] = floor(random_between(k, i, 0.0, 3.0)) / 7.0;
}

/* Weights decide, and many are alike up to rounding. */
static void weights(size_t i, double *x)
{
    x[0] = x[1] = x[2] = 1e-17 * (double)(i % 5);
    x[3] = 1.0 + 1e-16 * (double)(i % 13);
}

static void two_swarms(size_t i, double *x)
{
    in_a_cube(i, x);
    x[0] = 1e-3 * x[0] + (i % 2 ? 5.0 : -5.0);
}

/* Distances from the first double from place to place. */
static void ever_closer(size_t i, double *x)
{
    x[0] = ldexp(1.0, -(int)(i % 1000));
    x[1] = x[2] = x[3] = 0.0;
}

static sower *const sowers[] = {in_a_cube,    on_a_sphere, at_one_place, at_rest_but_one,
                                on_a_lattice, weights,     two_swarms,   ever_closer};

static double (*sow(sower *fill, size_t n))[WIDTH]
{
    double(*x)[WIDTH] = calloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        fill(i, x[i]);
    return x;
}

static void plant(struct box_tree *tree, size_t n, const double (*x)[WIDTH])
{
    struct error error = {0};
    check_equal(box_tree_create(tree, n, WIDTH, &error), STATUS_OK, "tree");
    for (size_t i = 0; i < n; i++)
        box_tree_put(tree, i, x[i], x[i]);
    box_tree_build(tree);
}

TEST(the_largest_value_of_a_pair_is_that_of_all_pairs_to_the_bit)
{
    static const size_t sizes[] = {1, 2, 3, 5, 17, 64, 700};
    for (size_t f = 0; f < sizeof sowers / sizeof sowers[0]; f++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            struct box_tree tree;
            double(*x)[WIDTH] = sow(sowers[f], sizes[k]);
            plant(&tree, sizes[k], (const double(*)[WIDTH])x);
            double found = box_tree_largest(&tree, &distances, 0.0);
            double right = largest_of_all(sizes[k], (const double(*)[WIDTH])x, 0.0);
            check(memcmp(&found, &right, sizeof found) == 0);
            check(box_tree_largest(&tree, &distances, 1e3) == 1e3);
            box_tree_free(&tree);
            free(x);
        }
}

/* A number of looks that grows with the points, and not with their square; on a sphere, where each
 * point has many that are nearly opposite, with the power 3/2. */
TEST(few_pairs_are_looked_at)
{
    for (size_t f = 0; f < sizeof sowers / sizeof sowers[0]; f++) {
        struct box_tree tree;
        double(*x)[WIDTH] = sow(sowers[f], MOST);
        plant(&tree, MOST, (const double(*)[WIDTH])x);
        looks = 0;
        box_tree_largest(&tree, &distances, 0.0);
        printf("# sower %zu: %zu points, %zu looks\n", f, (size_t)MOST, looks);
        check((double)looks < (sowers[f] == on_a_sphere ? 2.0 * sqrt(MOST) : 1.0) * MOST);
        box_tree_free(&tree);
        free(x);
    }
}

TEST(items_of_nan_are_left_out)
{
    struct box_tree tree;
    double x[4][WIDTH] = {{0.0}, {(double)NAN}, {1.0}, {9.0, 0.0, 0.0, (double)NAN}};
    plant(&tree, 4, (const double(*)[WIDTH])x);
    check_close(box_tree_largest(&tree, &distances, 0.0), 1.0, 0.0, "largest");
    box_tree_free(&tree);
    for (size_t i = 0; i < 4; i++)
        x[i][2] = (double)NAN;
    plant(&tree, 4, (const double(*)[WIDTH])x);
    check(box_tree_largest(&tree, &distances, 0.5) == 0.5);
    check(!box_tree_meets(&tree, x[0], x[0], 9));
    box_tree_free(&tree);
}

/* ---- boxes ---- */

static bool meets_any(size_t n, const double (*low)[3], const double (*high)[3], size_t i)
{
    for (size_t j = 0; j < n; j++) {
        bool meets = j != i;
        for (int k = 0; k < 3; k++)
            meets = meets && low[i][k] <= high[j][k] && high[i][k] >= low[j][k];
        if (meets)
            return true;
    }
    return false;
}

TEST(what_a_box_meets_is_what_a_look_at_all_finds)
{
    enum { N = 600 };
    static double low[N][3], high[N][3];
    size_t met = 0;
    for (int rounds = 0; rounds < 4; rounds++) {
        struct box_tree tree;
        struct error error = {0};
        check_equal(box_tree_create(&tree, N, 3, &error), STATUS_OK, "tree");
        for (size_t i = 0; i < N; i++) {
            for (uint64_t k = 0; k < 3; k++) {
                double at = random_between(20 + k, i, 0.0, 1.0);
                double size = 0.04 * random_between(30 + k, i, 0.0, 1.0);
                at = rounds == 1 ? floor(20.0 * at) : at; /* many faces touch */
                size = rounds == 1 ? floor(2.0 * (size / 0.04)) : size;
                low[i][k] = at;
                high[i][k] = rounds == 2 && i == 0 ? at + 2.0 : at + size; /* one meets most */
            }
            if (rounds == 3 && i % 3 == 0) /* empty, as the box of a body without particles */
                low[i][0] = HUGE_VAL, high[i][0] = -HUGE_VAL;
            box_tree_put(&tree, i, low[i], high[i]);
        }
        box_tree_build(&tree);
        for (size_t i = 0; i < N; i++) {
            bool right = meets_any(N, (const double(*)[3])low, (const double(*)[3])high, i);
            check_equal(box_tree_meets(&tree, low[i], high[i], i), right, "meets");
            met += right;
        }
        box_tree_free(&tree);
    }
    check(met > N / 4 && met < 4 * N - N / 4);
}
