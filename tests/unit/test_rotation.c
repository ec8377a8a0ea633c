/* The rotation in a deformation gradient, against the singular value decomposition of GSL. */
#include "base/rotation.h"
#include "particles/random.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>

static double draw(uint64_t stream, uint64_t index)
{
    return 2.0 * random_uniform(5, stream, index, RANDOM_TEST) - 1.0;
}

static struct rotation random_rotation(uint64_t stream)
{
    double q[4], square = 0.0;
    for (uint64_t k = 0; k < 4; k++) {
        q[k] = draw(stream, k);
        square += q[k] * q[k];
    }
    double s = 1.0 / sqrt(square);
    return (struct rotation){s * q[0], s * q[1], s * q[2], s * q[3]};
}

static struct mat3 transposed(const struct mat3 *m)
{
    struct mat3 t;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            t.a[r][c] = m->a[c][r];
    return t;
}

static double determinant(const struct mat3 *m)
{
    const double(*a)[3] = m->a;
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

static double distance(const struct mat3 *p, const struct mat3 *q)
{
    struct mat3 difference = mat3_axpy(p, -1.0, q);
    return sqrt(mat3_dot(&difference, &difference));
}

/* Newton's method stops before a last turn by 4 |w|, of which a matrix changes by sqrt(2) times. */
static const double REACHED = 4.0 * 1.4143 * ROTATION_TOLERANCE;

/* The proper rotation nearest to F: U diag(1, 1, det U V^T) V^T. */
static struct mat3 by_svd(const struct mat3 *f)
{
    double u[9], v[9], s[3], work[3];
    for (int k = 0; k < 9; k++)
        u[k] = f->a[k / 3][k % 3];
    gsl_matrix_view mu = gsl_matrix_view_array(u, 3, 3), mv = gsl_matrix_view_array(v, 3, 3);
    gsl_vector_view vs = gsl_vector_view_array(s, 3), vw = gsl_vector_view_array(work, 3);
    gsl_linalg_SV_decomp(&mu.matrix, &mv.matrix, &vs.vector, &vw.vector);
    struct mat3 left, right;
    for (int k = 0; k < 9; k++) {
        left.a[k / 3][k % 3] = u[k];
        right.a[k / 3][k % 3] = v[k];
    }
    double sign = determinant(&left) * determinant(&right) < 0.0 ? -1.0 : 1.0;
    for (int r = 0; r < 3; r++)
        left.a[r][2] *= sign; /* singular values descend: the last is the smallest */
    const struct mat3 turned = transposed(&right);
    return mat3_mul(&left, &turned);
}

static void check_rotation(const struct mat3 *r, const struct mat3 *expected, double tolerance,
                           const char *what)
{
    check_close(distance(r, expected), 0.0, tolerance, what);
}

/* Stretches of 0.5 to 1.5, sheared, turned by anything. */
static struct mat3 random_gradient(uint64_t stream, struct rotation *turn)
{
    *turn = random_rotation(stream);
    const struct mat3 r = rotation_matrix(*turn);
    struct mat3 s = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (uint64_t k = 0; k < 9; k++)
        s.a[k / 3][k % 3] += 0.25 * draw(stream, 10 + k);
    return mat3_mul(&r, &s);
}

TEST(a_rotation_is_orthogonal_and_proper)
{
    for (uint64_t k = 0; k < 100; k++) {
        const struct mat3 r = rotation_matrix(random_rotation(k)),
                          one = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
        const struct mat3 square = mat3_transposed_mul(&r, &r);
        check_rotation(&square, &one, 1e-14, "R^T R");
        check_close(determinant(&r), 1.0, 1e-14, "determinant");
    }
}

TEST(newton_finds_the_polar_decomposition)
{
    for (uint64_t k = 0; k < 2000; k++) {
        struct rotation turn;
        const struct mat3 f = random_gradient(k, &turn), expected = by_svd(&f);
        const struct mat3 warm = rotation_matrix(rotation_near(&f, turn));
        const struct mat3 cold = rotation_matrix(rotation_nearest(&f));
        check_rotation(&warm, &expected, REACHED, "warm");
        check_rotation(&cold, &expected, REACHED, "without a start");
    }
}

/* From any start but the saddles, which random ones miss. */
TEST(newton_arrives_from_afar)
{
    for (uint64_t k = 0; k < 2000; k++) {
        struct rotation turn;
        const struct mat3 f = random_gradient(k, &turn), expected = by_svd(&f);
        struct rotation q = random_rotation(k + 100000);
        for (int call = 0; call < 3; call++)
            q = rotation_near(&f, q);
        const struct mat3 r = rotation_matrix(q);
        check_rotation(&r, &expected, REACHED, "from afar");
    }
}

/* One singular value falls to 0; the rotation is still unique. */
TEST(flattened_gradients_have_a_rotation)
{
    for (uint64_t k = 0; k < 1000; k++) {
        double flat = pow(10.0, -(double)(k % 16)) * (k % 15 > 0);
        const struct rotation turn = random_rotation(k);
        const struct mat3 left = rotation_matrix(turn),
                          stretch = {{{1.3, 0.0, 0.0}, {0.0, 0.7, 0.0}, {0.0, 0.0, flat}}};
        const struct mat3 f = mat3_mul(&left, &stretch);
        const struct mat3 r = rotation_matrix(rotation_nearest(&f));
        check_rotation(&r, &left, 1e-9, "flattened");
    }
}

/* A gradient that has one direction, as where neighbors lie on a line: the rotation takes it to
 * where it is, and about it any rotation will do. */
TEST(a_gradient_of_one_direction_is_followed)
{
    for (uint64_t k = 0; k < 50; k++) {
        const struct mat3 turn = rotation_matrix(random_rotation(2 * k));
        const struct rotation start = random_rotation(2 * k + 1);
        struct mat3 f = mat3_zero();
        for (int a = 0; a < 3; a++)
            f.a[a][0] = 1.2 * turn.a[a][0];
        const struct rotation found = rotation_near(&f, start), again = rotation_near(&f, found);
        const struct mat3 r = rotation_matrix(found);
        double left = 0.0;
        for (int a = 0; a < 3; a++)
            left = fmax(left, fabs(r.a[a][0] - turn.a[a][0]));
        check_close(left, 0.0, 100.0 * REACHED, "direction");
        check(memcmp(&found, &again, sizeof found) == 0);
    }
}

/* Turned inside out through a plane, the nearest proper rotation differs from F in one direction.
 */
TEST(inverted_gradients_keep_a_proper_rotation)
{
    for (uint64_t k = 0; k < 1000; k++) {
        struct rotation turn;
        struct mat3 f = random_gradient(k, &turn);
        const struct mat3 mirror = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, -0.4}}};
        f = mat3_mul(&f, &mirror);
        const struct mat3 expected = by_svd(&f), r = rotation_matrix(rotation_nearest(&f));
        check_close(mat3_dot(&r, &f), mat3_dot(&expected, &f), 1e-10, "trace");
        check_close(determinant(&r), 1.0, 1e-13, "determinant");
    }
}

TEST(a_result_is_its_own_result)
{
    for (uint64_t k = 0; k < 1000; k++) {
        struct rotation turn;
        const struct mat3 f = random_gradient(k, &turn);
        const struct rotation once = rotation_near(&f, turn), twice = rotation_near(&f, once);
        check(memcmp(&once, &twice, sizeof once) == 0);
    }
}

/* Also where some are found at once, others late, and others are no gradients. */
TEST(rotations_do_not_depend_on_their_company)
{
    for (uint64_t k = 0; k < 500; k++) {
        struct mat3 f[ROTATIONS_AT_ONCE], r[ROTATIONS_AT_ONCE];
        struct rotation start[ROTATIONS_AT_ONCE], q[ROTATIONS_AT_ONCE];
        const size_t n = 1 + k % ROTATIONS_AT_ONCE;
        for (size_t i = 0; i < n; i++) {
            f[i] = random_gradient(10 * k + i, &start[i]);
            if (k % 3 == 1 && i == 1)
                f[i] = mat3_zero();
            if (k % 3 == 2 && i == 2)
                start[i] = random_rotation(20 * k);
        }
        rotations_near(n, f, start, q, r);
        for (size_t i = 0; i < n; i++) {
            const struct rotation alone = rotation_near(&f[i], start[i]);
            const struct mat3 turn = rotation_matrix(alone);
            check(memcmp(&alone, &q[i], sizeof alone) == 0);
            check(memcmp(&turn, &r[i], sizeof turn) == 0);
        }
    }
}

TEST(no_gradient_leaves_the_rotation)
{
    const struct rotation q = random_rotation(1);
    const struct mat3 nothing = mat3_zero();
    const struct rotation after = rotation_near(&nothing, q);
    check(memcmp(&q, &after, sizeof q) == 0);
}
