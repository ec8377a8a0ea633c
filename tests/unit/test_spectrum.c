/* Standing waves of a grid, and the spectrum of sheets bent into known shapes. */
#include "analysis/rigid_fit.h"
#include "analysis/spectrum.h"
#include "base/memory.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static uint64_t state = 1;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53 - 0.5;
}

static double sum_of_squares(size_t n, const double *value)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += value[i] * value[i];
    return sum;
}

typedef enum status create_modes(struct modes *, size_t, struct error *);

/* Coefficients of random values against the plain double sum, and Parseval. */
static void check_expansion(create_modes *create, double (*wave)(size_t n, size_t k, size_t i))
{
    enum { NX = 7, NY = 5, N = NX * NY };
    struct modes x, y;
    double value[N], scratch[N], coefficient[N];
    check_equal(create(&x, NX, NULL), STATUS_OK, "x");
    check_equal(create(&y, NY, NULL), STATUS_OK, "y");
    for (size_t i = 0; i < N; i++)
        value[i] = uniform();
    modes_expand(&x, &y, value, scratch, coefficient);
    check_close(sum_of_squares(N, coefficient), sum_of_squares(N, value), 1e-14, "Parseval");
    for (size_t l = 0; l < NY; l++)
        for (size_t k = 0; k < NX; k++) {
            double sum = 0.0;
            for (size_t r = 0; r < NY; r++)
                for (size_t c = 0; c < NX; c++)
                    sum += value[r * NX + c] * wave(NX, k, c) * wave(NY, l, r);
            check_close(coefficient[l * NX + k], sum, 1e-14, "coefficient");
        }
    modes_free(&x);
    modes_free(&y);
}

static double sine(size_t n, size_t k, size_t i)
{
    return sqrt(2.0 / (double)(n + 1)) * sin(pi * (double)((k + 1) * (i + 1)) / (double)(n + 1));
}

static double cosine(size_t n, size_t k, size_t i)
{
    return sqrt((k ? 2.0 : 1.0) / (double)n) * cos(pi * (double)k * ((double)i + 0.5) / (double)n);
}

TEST(an_expansion_is_the_double_sum_and_keeps_the_sum_of_squares)
{
    check_expansion(modes_sine, sine);
    check_expansion(modes_cosine, cosine);
}

TEST(long_rows_of_waves_are_orthonormal)
{
    create_modes *const create[] = {modes_sine, modes_cosine};
    for (size_t kind = 0; kind < 2; kind++) {
        struct modes m;
        check_equal(create[kind](&m, 300, NULL), STATUS_OK, "waves");
        double worst = 0.0;
        for (size_t k = 0; k < 300; k += 7)
            for (size_t l = 0; l < 300; l += 3) {
                double sum = 0.0;
                for (size_t i = 0; i < 300; i++)
                    sum += m.wave[k * 300 + i] * m.wave[l * 300 + i];
                worst = worse(worst, fabs(sum - (k == l)));
            }
        check_close(worst, 0.0, 1e-14, "products of waves");
        modes_free(&m);
    }
}

/* ---- sheets ---- */

enum { NX = 23, NY = 20 };

struct sheet_run {
    struct body body[2];
    struct scene scene;
    struct particles particles;
    struct frame frame;
    struct spectrum spectrum;
};

/* A body of three particles, then a sheet turned about x by an angle whose cosine is 0.6: its
 * normal is (0, -0.8, 0.6). */
static void begin(struct sheet_run *t, bool held)
{
    *t = (struct sheet_run){0};
    t->body[0] = (struct body){.name = "ball", .shape.kind = SHAPE_BALL};
    t->body[1] = (struct body){.name = "cloth",
                               .shape = {.kind = SHAPE_SHEET, .cells = {NX, NY}},
                               .rotation = {1, 0, 0, 0, 0.6, -0.8, 0, 0.8, 0.6}};
    t->scene = (struct scene){.n_bodies = 2, .body = t->body};
    struct particles *p = &t->particles;
    if (particles_create(p, 3 + NX * NY, NULL))
        abort();
    for (size_t i = 0; i < NX * NY; i++) {
        size_t c = i % NX, r = i / NX;
        p->body[3 + i] = 1;
        p->state[3 + i] = held && (c == 0 || r == 0 || c == NX - 1 || r == NY - 1);
        p->position[3 + i] =
            vec3(0.02 * (double)c, 0.6 * 0.02 * (double)r, 0.8 * 0.02 * (double)r + 1.0);
    }
    t->frame = (struct frame){.particles = *p, .n_bodies = 2};
    struct error error = {0};
    check_equal(spectrum_begin(&t->spectrum, &t->scene, &t->frame, &error), STATUS_OK,
                error.message);
    check_equal(t->spectrum.n_sheets, 1, "sheets");
}

static struct vec3 *sheet_of(struct sheet_run *t)
{
    return t->particles.position + 3;
}

static struct spectrum_row measure(struct sheet_run *t)
{
    struct error error = {0};
    check_equal(spectrum_add(&t->spectrum, &t->frame, &error), STATUS_OK, error.message);
    return t->spectrum.row[t->spectrum.n_frames - 1];
}

static void end(struct sheet_run *t)
{
    spectrum_free(&t->spectrum);
    particles_free(&t->particles);
}

static double *bands_of(struct spectrum_row *row)
{
    return (double *)row + SPECTRUM_FIRST_BAND;
}

/* kx and ky half-waves from rim to rim, of the amplitude 1 mm. */
static void bend(struct sheet_run *t, int kx, int ky)
{
    for (size_t i = 0; i < NX * NY; i++) {
        double x = (double)(i % NX) / (NX - 1), y = (double)(i / NX) / (NY - 1);
        double d = 1e-3 * sin(pi * kx * x) * sin(pi * ky * y);
        sheet_of(t)[i] = vec3_axpy(sheet_of(t)[i], d, vec3(0, -0.8, 0.6));
    }
}

TEST(a_single_mode_is_in_its_band_alone)
{
    const struct {
        int kx, ky;
        size_t band; /* 1: [1, 2), 2: [2, 4), 3: [4, 8), 4: [8, 16) */
        bool bending;
    } mode[] = {{1, 1, 1, false}, {1, 2, 2, false}, {3, 2, 2, false}, {4, 1, 3, true},
                {2, 3, 2, false}, {3, 3, 3, true},  {7, 4, 4, true},  {8, 1, 4, true}};
    for (size_t m = 0; m < sizeof mode / sizeof mode[0]; m++) {
        struct sheet_run t;
        begin(&t, true);
        bend(&t, mode[m].kx, mode[m].ky);
        struct spectrum_row row = measure(&t);
        /* the rim, which does not move, is not counted: (NX-1)(NY-1)/4 squares over the inside */
        double rms = 1e-3 * sqrt((NX - 1) * (NY - 1) / 4.0 / ((NX - 2) * (NY - 2)));
        check_close(row.rms, rms, 1e-15, "rms");
        for (size_t b = 0; b < SPECTRUM_BANDS; b++)
            check_close(bands_of(&row)[b], b == mode[m].band ? rms : 0.0, 1e-15, "band");
        check_close(row.bending, mode[m].bending ? rms : 0.0, 1e-15, "bending modes");
        end(&t);
    }
}

TEST(the_bands_of_any_shape_add_up_to_it)
{
    for (int held = 0; held < 2; held++) {
        struct sheet_run t;
        begin(&t, held);
        for (size_t i = 0; i < NX * NY; i++)
            sheet_of(&t)[i] = vec3_axpy(sheet_of(&t)[i], 1e-3 * uniform(), vec3(0.1, -0.8, 0.6));
        struct spectrum_row row = measure(&t);
        check(row.rms > 1e-4);
        check_close(sum_of_squares(SPECTRUM_BANDS, bands_of(&row)), row.rms * row.rms,
                    1e-14 * row.rms * row.rms, "sum over bands");
        check_close(sum_of_squares(SPECTRUM_BANDS - 3, bands_of(&row) + 3),
                    row.bending * row.bending, 1e-14 * row.rms * row.rms, "bending");
        end(&t);
    }
}

TEST(a_flat_sheet_has_no_spectrum_and_shear_in_its_plane_is_none)
{
    struct sheet_run t;
    begin(&t, true);
    struct spectrum_row row = measure(&t);
    check_close(row.rms, 0.0, 0.0, "a sheet that did not move");
    check_close(row.bending, 0.0, 0.0, "bending");
    for (size_t i = 0; i < NX * NY; i++)
        sheet_of(&t)[i] = vec3_axpy(sheet_of(&t)[i], uniform(), vec3(0, 0.6, 0.8));
    check_close(measure(&t).rms, 0.0, 1e-15, "in its plane");
    end(&t);
}

/* A quarter turn about z and a step aside. */
static void carry_away(struct sheet_run *t)
{
    for (size_t i = 0; i < NX * NY; i++) {
        struct vec3 *x = &sheet_of(t)[i];
        *x = vec3(3.0 - x->y, x->x, x->z - 5.0);
    }
}

TEST(a_free_sheet_may_fly_and_turn_without_bending)
{
    struct sheet_run t;
    begin(&t, false);
    carry_away(&t);
    struct spectrum_row row = measure(&t);
    check_close(row.rms, 0.0, 1e-13, "flat, at coordinates of 5 m");
    end(&t);
}

TEST(a_free_sheet_bends_in_cosines_wherever_it_is)
{
    struct sheet_run t;
    begin(&t, false);
    for (size_t i = 0; i < NX * NY; i++) {
        double d = 1e-3 * cos(pi * 5.0 * ((double)(i % NX) + 0.5) / NX) *
                   cos(pi * 2.0 * ((double)(i / NX) + 0.5) / NY);
        sheet_of(&t)[i] = vec3_axpy(sheet_of(&t)[i], d, vec3(0, -0.8, 0.6));
    }
    carry_away(&t);
    struct spectrum_row row = measure(&t);
    check_close(row.rms, 0.5e-3, 1e-13, "rms");
    check_close(row.rms_4, 0.5e-3, 1e-13, "its band");
    check_close(row.bending, 0.5e-3, 1e-13, "bending");
    check_close(row.rms_0 + row.rms_1 + row.rms_2 + row.rms_8 + row.rms_16, 0.0, 1e-13, "others");
    end(&t);
}

TEST(the_summary_is_mean_and_largest_over_frames)
{
    struct sheet_run t;
    begin(&t, true);
    measure(&t);
    bend(&t, 5, 1);
    double a = measure(&t).bending;
    bend(&t, 5, 1);
    double b = measure(&t).bending;
    struct bending bending = spectrum_bending(&t.spectrum, 0);
    check_close(b, 2.0 * a, 1e-15, "twice");
    check_close(bending.bending_mean, a, 1e-15, "mean");
    check_close(bending.bending_max, b, 0.0, "largest");
    check_close(bending.rms_max, b, 1e-15, "largest rms");
    end(&t);
}

TEST(the_rigid_fit_finds_a_rotation_and_a_proper_one)
{
    enum { N = 50 };
    struct vec3 from[N], to[N];
    /* 1/3 (2 -1 2; 2 2 -1; -1 2 2) is a rotation */
    for (size_t i = 0; i < N; i++) {
        struct vec3 x = from[i] = vec3(uniform(), uniform(), uniform());
        to[i] = vec3((2 * x.x - x.y + 2 * x.z) / 3 + 7, (2 * x.x + 2 * x.y - x.z) / 3,
                     (-x.x + 2 * x.y + 2 * x.z) / 3 - 2);
    }
    struct rigid_placement motion = rigid_fit(N, from, to);
    double worst = 0.0;
    for (size_t i = 0; i < N; i++)
        worst = worse(worst, vec3_norm(vec3_sub(rigid_carry(&motion, from[i]), to[i])));
    check_close(worst, 0.0, 1e-14, "distance after the fit");
    for (size_t i = 0; i < N; i++) /* a mirror image cannot be reached */
        to[i] = vec3(-from[i].x, from[i].y, from[i].z);
    motion = rigid_fit(N, from, to);
    struct vec3 x = rigid_rotate(&motion, vec3(1, 0, 0)), y = rigid_rotate(&motion, vec3(0, 1, 0));
    check_close(vec3_dot(vec3_cross(x, y), rigid_rotate(&motion, vec3(0, 0, 1))), 1.0, 1e-14,
                "determinant");
}

/* The best singular vectors say the same: of all rotations R the fit has the largest trace of R H,
 * which for points in space is the sum of H's singular values, the least with the sign of its
 * determinant (Kabsch). */
TEST(the_rigid_fit_is_that_of_the_singular_values)
{
    enum { N = 12 };
    for (int round = 0; round < 2000; round++) {
        struct vec3 from[N], to[N];
        double flat = round % 3 ? 1.0 : 0.0, h[9] = {0.0}, v[9], s[3], copy[9];
        for (size_t i = 0; i < N; i++) {
            from[i] = vec3(uniform(), uniform(), flat * uniform());
            to[i] = vec3(uniform(), uniform(), uniform());
        }
        struct rigid_placement motion = rigid_fit(N, from, to);
        double trace = 0.0;
        for (size_t i = 0; i < N; i++) {
            struct vec3 a = vec3_sub(from[i], motion.from), b = vec3_sub(to[i], motion.to);
            const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
            for (int k = 0; k < 9; k++)
                h[k] += y[k / 3] * x[k % 3];
            trace += vec3_dot(b, rigid_rotate(&motion, a));
        }
        memcpy(copy, h, sizeof copy);
        gsl_matrix_view m = gsl_matrix_view_array(copy, 3, 3);
        gsl_matrix_view right = gsl_matrix_view_array(v, 3, 3);
        gsl_vector_view values = gsl_vector_view_array(s, 3);
        gsl_linalg_SV_decomp_jacobi(&m.matrix, &right.matrix, &values.vector);
        double determinant = vec3_dot(vec3(h[0], h[1], h[2]),
                                      vec3_cross(vec3(h[3], h[4], h[5]), vec3(h[6], h[7], h[8])));
        double best = s[0] + s[1] + (determinant < 0.0 ? -s[2] : s[2]);
        check_close(trace, best, 1e-13 * (s[0] + s[1]), "trace");
    }
}

/* Every point at one place, or on a line: any rotation that fits is right, but it must be one. */
TEST(the_rigid_fit_of_degenerate_points_is_a_rotation)
{
    enum { N = 5 };
    for (int round = 0; round < 3; round++) {
        struct vec3 from[N], to[N];
        for (size_t i = 0; i < N; i++) {
            from[i] = vec3(round > 0 ? (double)i : 1.0, 0.0, 0.0);
            to[i] = vec3(0.0, round > 1 ? (double)i : 3.0, 0.0);
        }
        struct rigid_placement motion = rigid_fit(N, from, to);
        const double *r = motion.turn;
        struct vec3 x = vec3(r[0], r[1], r[2]), y = vec3(r[3], r[4], r[5]),
                    z = vec3(r[6], r[7], r[8]);
        check_close(vec3_dot(vec3_cross(x, y), z), 1.0, 1e-14, "determinant");
        check_close(vec3_dot(x, y) + vec3_dot(y, z) + vec3_dot(z, x), 0.0, 1e-14, "rows");
        if (round == 2)
            check_close(vec3_norm(vec3_sub(rigid_carry(&motion, from[4]), to[4])), 0.0, 1e-13,
                        "on the line");
    }
}

TEST(the_rigid_fit_of_positions_that_are_not_finite_is_not_a_number)
{
    const double bad[] = {(double)NAN, (double)INFINITY};
    for (int k = 0; k < 2; k++) {
        struct vec3 from[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, to[3];
        memcpy(to, from, sizeof to);
        to[1].z = bad[k];
        check(isnan(rigid_fit(3, from, to).turn[4]));
    }
}

TEST(a_sheet_that_is_none_and_lost_memory_are_errors)
{
    struct sheet_run t;
    struct spectrum other;
    struct error error = {0};
    begin(&t, true);
    t.body[1].shape.cells[0]++;
    check_equal(spectrum_begin(&other, &t.scene, &t.frame, &error), STATUS_INVALID, "status");
    check_contains(error.message, "sheet \"cloth\" has 460 particles that do not make 24 x 20");
    spectrum_free(&other);
    t.body[1].shape.cells[0]--;
    enum status status = STATUS_FAILED;
    long n = 0;
    for (; n < 100 && status != STATUS_OK; n++) {
        memory_fail_after(n);
        status = spectrum_begin(&other, &t.scene, &t.frame, &error);
        if (status == STATUS_OK)
            status = spectrum_add(&other, &t.frame, &error);
        memory_fail_after(-1);
        spectrum_free(&other);
    }
    check(n == 9);
    t.frame.particles.n--;
    check_equal(spectrum_add(&t.spectrum, &t.frame, &error), STATUS_INVALID, "fewer particles");
    end(&t);
}
