/* Splitting one meta-particle into two, against GSL: MS 13 as it is printed, and MS 15-16 as the
 * minimization they solve. The names carry the claim of the paper that a test checks. */
#include "contact/split.h"
#include "random_draws.h"
#include "tap.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_multiroots.h>
#include <gsl/gsl_poly.h>

/* A meta-particle of two, with an arbitrary velocity after integration. */
static struct virtual_bond random_bond(void)
{
    struct virtual_bond bond = {.mass = {power_of_ten(-3.0, 3.0), power_of_ten(-3.0, 3.0)},
                                .velocity = {normal_vector(1.0), normal_vector(1.0)},
                                .normal = normal_vector(1.0)};
    bond.normal = vec3_scale(1.0 / vec3_norm(bond.normal), bond.normal);
    bond.fixed[0] = uniform() < 0.2;
    bond.fixed[1] = !bond.fixed[0] && uniform() < 0.2;
    bond.energy = merged_energy(bond.mass, bond.fixed, bond.velocity[0], bond.velocity[1]);
    return bond;
}

/* Radius of the sphere of MS 10 around the meta-particle's velocity, MS 11, and the side that is
 * solved for: the first, unless it is fixed. */
static double sphere_radius(const struct virtual_bond *bond, int solved)
{
    int other = 1 - solved;
    double m1 = bond->mass[solved], m2 = bond->mass[other];
    return sqrt(bond->fixed[other] ? 2.0 * bond->energy / m1
                                   : 2.0 * bond->energy * m2 / (m1 * (m1 + m2)));
}

/* MS 13 solved by GSL as it is printed. */
TEST(m03_real_roots_agree_with_the_quadratic_equation)
{
    size_t seen = 0;
    for (int round = 0; round < 20000; round++) {
        struct virtual_bond bond = random_bond();
        int solved = bond.fixed[0] ? 1 : 0;
        struct vec3 n = vec3_scale(solved ? -1.0 : 1.0, bond.normal);
        double s = sphere_radius(&bond, solved);
        struct vec3 merged =
            vec3_add(bond.velocity[solved], normal_vector(s * power_of_ten(-1.0, 1.0)));
        struct vec3 d = vec3_sub(merged, bond.velocity[solved]), out[2];
        double low, high;
        int n_roots = gsl_poly_solve_quadratic(1.0, -2.0 * vec3_dot(n, d), vec3_norm2(d) - s * s,
                                               &low, &high);
        if (n_roots == 2 && high - low < 1e-3 * s)
            continue; /* nearly a double root: the printed form loses half its digits there */
        bool real = split_bond(&bond, merged, bond.energy, ROOTS_TAKEN, out);
        check_equal(real, n_roots == 2, "real root");
        if (!real)
            continue;
        struct vec3 expected = vec3_axpy(bond.velocity[solved], low, n);
        double scale = vec3_norm(merged) + vec3_norm(bond.velocity[solved]) + s;
        check_close(vec3_norm(vec3_sub(out[solved], expected)), 0.0, 1e-10 * scale,
                    "velocity from the smaller root");
        seen++;
    }
    check(seen > 5000);
}

/* f(y) = |eps|^2 / 2 + (|y|^2 - 1)^2 / 4, where eps belongs to the point of the sphere in the
 * direction y: the part across n of its distance from v1. This is what MS 15-16 minimize, with no
 * use of their solution; the second term only keeps y at unit length. */
struct orthogonal {
    struct vec3 d, n; /* v'12 - v1, in units of the sphere's radius */
};

static struct vec3 across(struct vec3 v, struct vec3 n)
{
    return vec3_axpy(v, -vec3_dot(v, n), n);
}

static double orthogonal_value(const gsl_vector *y, void *context)
{
    const struct orthogonal *o = context;
    struct vec3 v = vec3(gsl_vector_get(y, 0), gsl_vector_get(y, 1), gsl_vector_get(y, 2));
    double excess = vec3_norm2(v) - 1.0;
    return 0.5 * vec3_norm2(across(vec3_axpy(o->d, 1.0 / vec3_norm(v), v), o->n)) +
           0.25 * excess * excess;
}

static void orthogonal_slope(const gsl_vector *y, void *context, gsl_vector *slope)
{
    const struct orthogonal *o = context;
    struct vec3 v = vec3(gsl_vector_get(y, 0), gsl_vector_get(y, 1), gsl_vector_get(y, 2));
    double length = vec3_norm(v);
    struct vec3 u = vec3_scale(1.0 / length, v);
    struct vec3 eps = across(vec3_add(o->d, u), o->n);
    struct vec3 g = vec3_axpy(vec3_scale(1.0 / length, across(eps, u)), length * length - 1.0, v);
    gsl_vector_set(slope, 0, g.x);
    gsl_vector_set(slope, 1, g.y);
    gsl_vector_set(slope, 2, g.z);
}

static void orthogonal_both(const gsl_vector *y, void *context, double *value, gsl_vector *slope)
{
    *value = orthogonal_value(y, context);
    orthogonal_slope(y, context, slope);
}

static int orthogonal_root(const gsl_vector *y, void *context, gsl_vector *slope)
{
    orthogonal_slope(y, context, slope);
    return GSL_SUCCESS;
}

/* The best point of the unit sphere. A minimum finds its own place only to the square root of
 * rounding, so a root finder on the slope goes on from there. */
static struct vec3 minimize(struct orthogonal *o)
{
    gsl_multimin_function_fdf f = {orthogonal_value, orthogonal_slope, orthogonal_both, 3, o};
    gsl_multiroot_function slope = {orthogonal_root, 3, o};
    gsl_multimin_fdfminimizer *m =
        gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, 3);
    gsl_multiroot_fsolver *r = gsl_multiroot_fsolver_alloc(gsl_multiroot_fsolver_hybrids, 3);
    gsl_vector *y = gsl_vector_alloc(3);
    struct vec3 start = normal_vector(1.0);
    gsl_vector_set(y, 0, start.x);
    gsl_vector_set(y, 1, start.y);
    gsl_vector_set(y, 2, start.z);
    for (int round = 0; round < 10; round++) { /* begun anew when a line search gets stuck */
        gsl_multimin_fdfminimizer_set(m, &f, y, 0.01, 0.1);
        for (int k = 0; k < 100; k++)
            if (gsl_multimin_fdfminimizer_iterate(m))
                break;
        gsl_vector_memcpy(y, m->x);
    }
    gsl_multiroot_fsolver_set(r, &slope, y);
    for (int k = 0; k < 100; k++)
        if (gsl_multiroot_fsolver_iterate(r) ||
            gsl_multiroot_test_residual(r->f, 1e-15) == GSL_SUCCESS)
            break;
    check_close(orthogonal_value(r->x, o), m->f, 1e-12 * (1.0 + m->f), "the same minimum");
    struct vec3 best =
        vec3(gsl_vector_get(r->x, 0), gsl_vector_get(r->x, 1), gsl_vector_get(r->x, 2));
    gsl_vector_free(y);
    gsl_multiroot_fsolver_free(r);
    gsl_multimin_fdfminimizer_free(m);
    return best;
}

TEST(m04_without_a_real_root_the_orthogonal_part_is_minimal)
{
    gsl_set_error_handler_off(); /* no progress at rounding level is no error here */
    size_t seen = 0;
    double place = 0.0, orthogonal = 0.0, along = 0.0; /* worst errors */
    for (int round = 0; round < 2000; round++) {
        struct virtual_bond bond = random_bond();
        int solved = bond.fixed[0] ? 1 : 0;
        double s = sphere_radius(&bond, solved);
        struct vec3 merged =
            vec3_add(bond.velocity[solved], normal_vector(s * power_of_ten(0.0, 1.0)));
        struct vec3 out[2];
        if (split_bond(&bond, merged, bond.energy, ROOTS_TAKEN, out))
            continue;
        struct vec3 d = vec3_sub(merged, bond.velocity[solved]);
        if (vec3_norm(across(d, bond.normal)) < 1.02 * s)
            continue; /* the minimum is too flat there for nine digits of its place */
        struct orthogonal o = {vec3_scale(1.0 / s, d), bond.normal};
        struct vec3 best = vec3_add(merged, vec3_scale(s, minimize(&o)));
        double scale = vec3_norm(d) + s;
        double speeds = vec3_norm(merged) + vec3_norm(bond.velocity[solved]);
        struct vec3 change = vec3_sub(out[solved], bond.velocity[solved]);
        struct vec3 expected = vec3_sub(best, bond.velocity[solved]);
        double excess =
            vec3_norm(across(change, bond.normal)) - vec3_norm(across(expected, bond.normal));
        double difference = vec3_norm(vec3_sub(change, expected));
        /* the rest of the change is along n: MS 15 */
        double rest = vec3_dot(change, bond.normal) - vec3_dot(d, bond.normal);
        check_close(excess, 0.0, 1e-9 * scale, "smallest orthogonal part");
        check_close(difference, 0.0, 1e-9 * scale, "where it is");
        check_close(rest, 0.0, 1e-12 * scale + 1e-15 * speeds, "mu, MS 15");
        place = worse(place, difference / scale);
        orthogonal = worse(orthogonal, excess / scale);
        along = worse(along, fabs(rest) / (scale + speeds));
        seen++;
    }
    check(seen > 500);
    measured("M04.minimizations", (double)seen);
    measured("M04.place", place);
    measured("M04.orthogonal", orthogonal);
    measured("M04.along", along);
}

/* MS 12, 15 and 16 as they are printed, whether MS 13 has a real root or none. */
TEST(m50_the_rule_for_missing_roots_where_roots_are_ignored)
{
    size_t real = 0;
    for (int round = 0; round < 20000; round++) {
        struct virtual_bond bond = random_bond();
        int solved = bond.fixed[0] ? 1 : 0;
        struct vec3 n = vec3_scale(solved ? -1.0 : 1.0, bond.normal), v = bond.velocity[solved];
        double s = sphere_radius(&bond, solved);
        struct vec3 merged = vec3_add(v, normal_vector(s * power_of_ten(-1.0, 1.0))), out[2];
        struct vec3 d = vec3_sub(merged, v);
        double mu = vec3_dot(n, d);
        struct vec3 w = vec3_axpy(d, -mu, n);
        struct vec3 epsilon = vec3_scale((vec3_norm(w) - s) / vec3_norm(w), w);
        struct vec3 expected = vec3_add(vec3_axpy(v, mu, n), epsilon);
        check(!split_bond(&bond, merged, bond.energy, ROOTS_IGNORED, out));
        double scale = vec3_norm(merged) + vec3_norm(v) + s;
        check_close(vec3_norm(vec3_sub(out[solved], expected)), 0.0, 1e-10 * scale, "MS 12");
        real += vec3_norm(w) < s;
    }
    check(real > 5000 && real < 15000); /* both cases were tried */
}

/* MS 16 divides by |w|. Where w is nothing but rounding, the root is taken: two that meet head-on
 * bounce, whatever the direction in which they meet. */
TEST(m50_two_that_meet_head_on_bounce_where_roots_are_ignored)
{
    for (int round = 0; round < 2000; round++) {
        struct virtual_bond bond = random_bond();
        struct vec3 drift = normal_vector(round % 2 ? 10.0 : 0.0), out[2];
        bond.fixed[0] = bond.fixed[1] = false;
        bond.mass[0] = power_of_ten(-1.0, 1.0) * bond.mass[1];
        double weight = merged_weight(bond.mass, bond.fixed), speed = power_of_ten(-1.0, 1.0);
        bond.velocity[0] = vec3_axpy(drift, (1.0 - weight) * speed, bond.normal);
        bond.velocity[1] = vec3_axpy(drift, -weight * speed, bond.normal);
        bond.energy = merged_energy(bond.mass, bond.fixed, bond.velocity[0], bond.velocity[1]);
        check(split_bond(&bond, drift, bond.energy, ROOTS_IGNORED, out));
        struct vec3 apart = vec3_sub(out[1], out[0]);
        check_close(vec3_norm(vec3_axpy(apart, -speed, bond.normal)), 0.0, 1e-11 * (speed + 10.0),
                    "as fast as they met");
    }
}
