/* Compares the matrix of corotated solids with dense matrices by definition and with energies. */
#include "failing_memory.h"
#include "rest_bodies.h"
#include "systems/corotated/matrix.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>
#include <omp.h>

#define DT 2e-3     /* s */
#define MU 4e5      /* Pa */
#define CONTROL 0.7 /* of the zero-energy control */

struct body {
    struct rest rest;
    double *mass; /* kg (rest.n) */
    struct sparse_rows a;
};

static enum status assemble(struct body *body, const uint8_t *held, double control,
                            struct error *error)
{
    return corotated_matrix_create(
        &body->a,
        &(struct corotated_matrix_setting){&body->rest, body->mass, held, MU, control, DT}, error);
}

static void body_create(struct body *body, struct rest_block block, const uint8_t *held,
                        double control)
{
    struct error error = {0};
    check_equal(rest_of_block(&body->rest, &block, REST_VOLUME_SUMMED, &error), STATUS_OK, "rest");
    body->mass = calloc(block.n, sizeof *body->mass);
    for (size_t i = 0; i < block.n; i++)
        body->mass[i] =
            1000.0 * pow(REST_SPACING, 3.0) * (1.0 + 0.3 * random_uniform(7, 8, i, RANDOM_TEST));
    check_equal(assemble(body, held, control, &error), STATUS_OK, "matrix");
    free(block.position);
}

static void body_free(struct body *body)
{
    corotated_matrix_free(&body->a);
    rest_free(&body->rest);
    free(body->mass);
}

static gsl_matrix *dense_of(const struct sparse_rows *a)
{
    gsl_matrix *dense = gsl_matrix_calloc(a->n, a->n);
    for (size_t k = 0; k < a->n; k++) {
        gsl_matrix_set(dense, k, k, a->diagonal[k]);
        for (size_t e = a->start[k]; e < a->start[k + 1]; e++) {
            check(gsl_matrix_get(dense, k, a->column[e]) == 0.0);
            gsl_matrix_set(dense, k, a->column[e], a->value[e]);
        }
    }
    return dense;
}

/* m += s w w^T */
static void add_square(gsl_matrix *m, double s, const double *w)
{
    for (size_t k = 0; k < m->size1; k++)
        for (size_t l = 0; l < m->size2; l++)
            *gsl_matrix_ptr(m, k, l) += s * w[k] * w[l];
}

/* M + 2 dt^2 Y^T K Y + dt^2 H^T K~ H, row by row of Y and H. */
static gsl_matrix *dense_by_definition(const struct body *body, double control)
{
    const struct rest *rest = &body->rest;
    const size_t n = rest->n;
    gsl_matrix *a = gsl_matrix_calloc(n, n);
    double *row = calloc(n, sizeof *row);
    for (size_t i = 0; i < n; i++) {
        *gsl_matrix_ptr(a, i, i) += body->mass[i];
        for (int c = 0; c < 3; c++) { /* the rows of Y of this particle */
            memset(row, 0, n * sizeof *row);
            for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
                struct vec3 y = rest_corrected(rest, i, e);
                double part = c == 0 ? y.x : c == 1 ? y.y : y.z;
                row[rest->neighbor[e]] += part;
                row[i] -= part;
            }
            add_square(a, 2.0 * DT * DT * MU * rest->volume[i], row);
        }
        for (size_t e = rest->start[i]; e < rest->start[i + 1];
             e++) { /* those of H: F_i X_ij - x_ij */
            const size_t j = rest->neighbor[e];
            struct vec3 from = vec3_sub(rest->position[i], rest->position[j]);
            memset(row, 0, n * sizeof *row);
            for (size_t f = rest->start[i]; f < rest->start[i + 1]; f++) {
                double w = vec3_dot(rest_corrected(rest, i, f), from);
                row[rest->neighbor[f]] += w;
                row[i] -= w;
            }
            row[i] -= 1.0;
            row[j] += 1.0;
            add_square(a, DT * DT * control * MU * rest->control[e], row);
        }
    }
    free(row);
    return a;
}

TEST(every_entry_is_that_of_the_definition)
{
    struct body body;
    body_create(&body, rest_block_of(5, 4, 4, 0.15, 1), NULL, CONTROL);
    gsl_matrix *a = dense_of(&body.a), *expected = dense_by_definition(&body, CONTROL);
    const double unit = gsl_matrix_max(expected);
    double worst = 0.0, asymmetry = 0.0;
    for (size_t k = 0; k < a->size1; k++)
        for (size_t l = 0; l < a->size2; l++) {
            double value = gsl_matrix_get(a, k, l);
            worst = worse(worst, fabs(value - gsl_matrix_get(expected, k, l)) / unit);
            asymmetry = worse(asymmetry, fabs(value - gsl_matrix_get(a, l, k)) / unit);
        }
    check_close(worst, 0.0, 1e-14, "largest difference");
    check_close(asymmetry, 0.0, 1e-15, "asymmetry");
    check_equal(gsl_linalg_cholesky_decomp1(a), 0, "positive definite");
    gsl_matrix_free(a);
    gsl_matrix_free(expected);
    body_free(&body);
}

/* E^s (rotations 1) + E^ze of CES 11 and 20 for one component of positions, J. */
static double energy(const struct body *body, const double *x)
{
    const struct rest *rest = &body->rest;
    double sum = 0.0;
    for (size_t i = 0; i < rest->n; i++) {
        struct vec3 f = vec3(0.0, 0.0, 0.0); /* a row of F_i */
        for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
            f = vec3_axpy(f, x[rest->neighbor[e]] - x[i], rest_corrected(rest, i, e));
        sum += MU * rest->volume[i] * vec3_norm2(vec3_sub(f, vec3(1.0, 0.0, 0.0)));
        for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
            const size_t j = rest->neighbor[e];
            double error =
                vec3_dot(f, vec3_sub(rest->position[i], rest->position[j])) - (x[i] - x[j]);
            sum += 0.5 * CONTROL * MU * rest->control[e] * error * error;
        }
    }
    return sum;
}

/* Energies are quadratic, so that second differences have no error but rounding. */
TEST(second_differences_of_energies)
{
    struct body body;
    body_create(&body, rest_block_of(6, 5, 4, 0.15, 2), NULL, CONTROL);
    const size_t n = body.rest.n;
    double *at[3], *v = calloc(n, sizeof *v);
    for (int k = 0; k < 3; k++)
        at[k] = calloc(n, sizeof *at[k]);
    for (uint64_t trial = 0; trial < 5; trial++) {
        double product = 0.0;
        for (size_t i = 0; i < n; i++) {
            v[i] = REST_SPACING * (random_uniform(3, trial, i, RANDOM_TEST) - 0.5);
            for (int k = 0; k < 3; k++)
                at[k][i] = body.rest.position[i].x + (k - 1) * v[i];
        }
        for (size_t i = 0; i < n; i++)
            product += v[i] * (sparse_rows_times(&body.a, i, v) - body.mass[i] * v[i]) / (DT * DT);
        double second = energy(&body, at[0]) - 2.0 * energy(&body, at[1]) + energy(&body, at[2]);
        check_close(product, second, 1e-11 * second, "v . (A - M) v / dt^2");
    }
    for (int k = 0; k < 3; k++)
        free(at[k]);
    free(v);
    body_free(&body);
}

/* Affine motions have no zero-energy modes: the control changes nothing about them. */
TEST(translations_cost_nothing_and_affine_motions_no_control)
{
    struct body body, bare;
    body_create(&body, rest_block_of(6, 5, 4, 0.15, 4), NULL, CONTROL);
    body_create(&bare, rest_block_of(6, 5, 4, 0.15, 4), NULL, 0.0);
    const size_t n = body.rest.n;
    double *one = calloc(n, sizeof *one), *affine = calloc(n, sizeof *affine);
    for (size_t i = 0; i < n; i++) {
        one[i] = 1.0;
        affine[i] = vec3_dot(vec3(0.3, -0.7, 0.4), body.rest.position[i]) / REST_SPACING;
    }
    double off = 0.0;
    for (size_t i = 0; i < n; i++) {
        double unit = body.a.diagonal[i];
        check_close(sparse_rows_times(&body.a, i, one), body.mass[i], 1e-14 * unit, "translation");
        off = worse(off, fabs(sparse_rows_times(&body.a, i, affine) -
                              sparse_rows_times(&bare.a, i, affine)) /
                             unit);
    }
    measured("C05.affine", off);
    check_close(off, 0.0, 1e-13, "affine motion");
    free(one);
    free(affine);
    body_free(&body);
    body_free(&bare);
}

TEST(particles_that_are_held_are_coupled_to_none)
{
    struct body body, whole;
    uint8_t held[5 * 4 * 4] = {0};
    for (size_t i = 0; i < sizeof held; i++)
        held[i] = i < 16 || i == 37;
    body_create(&body, rest_block_of(5, 4, 4, 0.15, 1), held, CONTROL);
    body_create(&whole, rest_block_of(5, 4, 4, 0.15, 1), NULL, CONTROL);
    gsl_matrix *a = dense_of(&body.a), *free_ones = dense_of(&whole.a);
    double coupled = 0.0;
    for (size_t k = 0; k < a->size1; k++)
        for (size_t l = 0; l < a->size2; l++)
            coupled = k != l && (held[k] || held[l]) ? worse(coupled, fabs(gsl_matrix_get(a, k, l)))
                                                     : coupled;
    measured("C17.coupled", coupled);
    for (size_t k = 0; k < a->size1; k++)
        for (size_t l = 0; l < a->size2; l++)
            check_close(gsl_matrix_get(a, k, l),
                        k != l && (held[k] || held[l]) ? 0.0 : gsl_matrix_get(free_ones, k, l), 0.0,
                        "entry");
    gsl_matrix_free(a);
    gsl_matrix_free(free_ones);
    body_free(&body);
    body_free(&whole);
}

/* Nested dissection of the factor counts on it: a lattice couples 5^3 - 1 others inside. */
TEST(a_lattice_couples_neighbors_of_neighbors)
{
    struct body body;
    body_create(&body, rest_block_of(7, 7, 7, 0.0, 0), NULL, CONTROL);
    const size_t center = 3 * 49 + 3 * 7 + 3;
    check_equal(body.a.start[center + 1] - body.a.start[center], 124, "couplings inside");
    check_equal(body.a.start[1], 26, "couplings of a corner");
    body_free(&body);
}

TEST(determinism_bits_do_not_depend_on_threads)
{
    struct body first, body;
    int before = omp_get_max_threads();
    omp_set_num_threads(1);
    body_create(&first, rest_block_of(12, 11, 10, 0.15, 6), NULL, CONTROL);
    for (int threads = 2; threads < 5; threads++) {
        omp_set_num_threads(threads);
        body_create(&body, rest_block_of(12, 11, 10, 0.15, 6), NULL, CONTROL);
        const size_t entries = first.a.start[first.a.n];
        check_equal(body.a.start[body.a.n], entries, "entries");
        check(!memcmp(body.a.column, first.a.column, entries * sizeof *first.a.column));
        check(!memcmp(body.a.value, first.a.value, entries * sizeof *first.a.value));
        check(!memcmp(body.a.diagonal, first.a.diagonal, first.a.n * sizeof *first.a.diagonal));
        body_free(&body);
    }
    omp_set_num_threads(before);
    body_free(&first);
}

TEST(every_failed_allocation_is_reported)
{
    struct body body;
    body_create(&body, rest_block_of(4, 4, 4, 0.0, 0), NULL, CONTROL);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        corotated_matrix_free(&body.a);
        memory.status = assemble(&body, NULL, CONTROL, &memory.error);
        memory_works(&memory);
        if (memory.status)
            check(body.a.start == NULL && body.a.value == NULL);
    }
    check_equal(memory.n, 7, "allocations");
    body_free(&body);
}
