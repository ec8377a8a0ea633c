/* Relaxed sampling: its terms against differences of energies, and bodies filled by it. */
#include "base/memory.h"
#include "bodies.h"
#include "particles/cubic_spline.h"
#include "random_points.h"
#include "sample/blue_noise.h"
#include "sample/interior.h"
#include "sample/relax_terms.h"
#include "shape/shape.h"

#include <omp.h>

/* ---- the terms ---- */

enum { CLOUD = 60 };
static const double d = 0.1; /* spacing of the cloud */

static void make_cloud(struct vec3 *position, struct near_lists *near)
{
    uint64_t draw = 0;
    struct error error = {0};
    for (size_t i = 0; i < CLOUD; i++)
        position[i] = random_in(&draw, 1.6 * d, 1.6 * d, 1.6 * d);
    check_equal(near_lists_find(near, CLOUD, position, RELAX_SUPPORT * d, &error), STATUS_OK,
                error.message);
}

/* All pairs, without lists. */
static double density_at(const struct vec3 *position, size_t i)
{
    double sum = 0.0;
    for (size_t j = 0; j < CLOUD; j++)
        sum += cubic_spline(2.0 * d, vec3_norm(vec3_sub(position[i], position[j])));
    return d * d * d * sum;
}

/* The energy whose negative gradient CES 33 is at fixed pressures: sum of p_i rho_i / m. */
static double energy_of_pressure(const struct vec3 *position, const double *pressure)
{
    double sum = 0.0;
    for (size_t i = 0; i < CLOUD; i++)
        sum += pressure[i] * density_at(position, i) / (d * d * d);
    return sum;
}

/* Of a pair, by Simpson's rule: the integral of (s - d) W(s), CES 35, from d to the distance. */
static double energy_of_spring(double distance)
{
    enum { PARTS = 400 };
    double sum = 0.0, step = (fmin(distance, 2.0 * d) - d) / PARTS;
    for (int k = 0; k <= PARTS; k++) {
        double s = d + k * step, weight = k == 0 || k == PARTS ? 1.0 : k % 2 ? 4.0 : 2.0;
        sum += weight * (s - d) * cubic_spline(2.0 * d, s);
    }
    return sum * step / 3.0;
}

static double energy_of_cohesion(const struct vec3 *position, double cohesion)
{
    double sum = 0.0;
    for (size_t i = 0; i < CLOUD; i++)
        for (size_t j = 0; j < i; j++)
            sum += energy_of_spring(vec3_norm(vec3_sub(position[i], position[j])));
    return cohesion * d * d * d * sum;
}

/* Largest difference between displacements and the negative gradient, over the largest of them. */
static double compare(struct vec3 *position, const struct vec3 *displacement,
                      double (*energy)(const struct vec3 *, const void *), const void *context)
{
    double worst = 0.0, largest = 0.0, step = 1e-5 * d;
    for (size_t i = 0; i < CLOUD; i++) {
        double *x[3] = {&position[i].x, &position[i].y, &position[i].z};
        const double found[3] = {displacement[i].x, displacement[i].y, displacement[i].z};
        for (int a = 0; a < 3; a++) {
            double kept = *x[a];
            *x[a] = kept + step;
            double up = energy(position, context);
            *x[a] = kept - step;
            double down = energy(position, context);
            *x[a] = kept;
            worst = fmax(worst, fabs(found[a] + (up - down) / (2.0 * step)));
            largest = fmax(largest, fabs(found[a]));
        }
    }
    check(largest > 0.0);
    return worst / largest;
}

static double pressure_energy(const struct vec3 *position, const void *pressure)
{
    return energy_of_pressure(position, pressure);
}

static double cohesion_energy(const struct vec3 *position, const void *cohesion)
{
    return energy_of_cohesion(position, *(const double *)cohesion);
}

TEST(displacements_are_differences_of_energies)
{
    struct vec3 position[CLOUD], displacement[CLOUD];
    double density[CLOUD], pressure[CLOUD], none[CLOUD] = {0}, cohesion = 4.0;
    struct near_lists near = {0};
    make_cloud(position, &near);
    relax_densities(&near, position, d, density);
    relax_pressures(&near, position, d, density, pressure);
    relax_displace(&near, position, d, 0.0, pressure, displacement);
    double by_pressure = compare(position, displacement, pressure_energy, pressure);
    relax_displace(&near, position, d, cohesion, none, displacement);
    double by_cohesion = compare(position, displacement, cohesion_energy, &cohesion);
    measured("CES.relaxation.gradient", fmax(by_pressure, by_cohesion));
    check_close(by_pressure, 0.0, 1e-7, "pressure");
    check_close(by_cohesion, 0.0, 1e-7, "cohesion");
    near_lists_free(&near);
}

/* The definitions of CES 32 and 34 in kilograms and meters. */
TEST(densities_and_pressures_are_those_of_the_paper)
{
    const double rest = 1000.0, mass = rest * d * d * d;
    struct vec3 position[CLOUD];
    double density[CLOUD], pressure[CLOUD];
    struct near_lists near = {0};
    make_cloud(position, &near);
    relax_densities(&near, position, d, density);
    relax_pressures(&near, position, d, density, pressure);
    size_t dense = 0;
    for (size_t i = 0; i < CLOUD; i++) {
        double rho = rest * density_at(position, i), squares = 0.0;
        struct vec3 sum = vec3(0, 0, 0);
        check_close(rest * density[i], rho, 1e-12 * rho, "density");
        for (size_t j = 0; j < CLOUD; j++) {
            struct vec3 to = vec3_sub(position[j], position[i]);
            if (j == i)
                continue;
            struct vec3 g = vec3_scale(mass * cubic_spline_slope(2.0 * d, vec3_norm(to)), to);
            sum = vec3_add(sum, g);
            squares += vec3_norm2(g);
        }
        double kappa = rho * fmax(rho - rest, 0.0) / (vec3_norm2(sum) + squares);
        check_close(pressure[i], mass * kappa / rho, 1e-10 * pow(d, 5), "pressure");
        dense += pressure[i] > 0.0;
    }
    check(dense > 0 && dense < CLOUD);
    near_lists_free(&near);
}

TEST(adhesion_draws_to_the_surface_within_two_spacings)
{
    struct vec3 n = vec3(0.6, 0.0, 0.8), near = relax_adhere(d, 0.2, 0.7 * d, n);
    double size = 0.2 * d * d * d * 0.7 * d * cubic_spline(2.0 * d, 0.7 * d);
    check_close(vec3_norm(vec3_axpy(near, -size, n)), 0.0, 1e-15 * d, "CES 36");
    check_close(vec3_norm(relax_adhere(d, 0.2, 2.0 * d, n)), 0.0, 0.0, "at the support");
}

TEST(explicit_forces_keep_momentum_and_part_what_is_dense)
{
    struct vec3 position[CLOUD], displacement[CLOUD], sum = vec3(0, 0, 0);
    struct near_lists near = {0};
    struct blue_noise state;
    struct error error = {0};
    make_cloud(position, &near);
    check_equal(blue_noise_create(&state, CLOUD, &error), STATUS_OK, error.message);
    blue_noise_displace(&state, &near, position, d, displacement);
    double outward = 0.0, size = 0.0;
    for (size_t i = 0; i < CLOUD; i++) {
        sum = vec3_add(sum, displacement[i]);
        outward += vec3_dot(displacement[i], position[i]);
        size += vec3_norm(displacement[i]);
    }
    check_close(vec3_norm(sum), 0.0, 1e-13 * size, "momentum");
    check(outward > 0.0);
    blue_noise_free(&state);
    near_lists_free(&near);
}

/* ---- places inside ---- */

TEST(places_are_moved_until_they_are_a_radius_inside)
{
    struct shape box = {.kind = SHAPE_BOX, .size = {1.0, 0.6, 0.3}};
    struct solid *solid = NULL;
    struct error error = {0};
    check_equal(solid_create(&solid, &box, &error), STATUS_OK, error.message);
    const struct interior in = {solid, 0.1, 0.4};
    uint64_t draw = 0;
    for (int k = 0; k < 300; k++) {
        struct vec3 p = random_in(&draw, 0.5, 0.3, 0.15);
        struct resident r = {0};
        check(interior_admit(&in, &p, &r));
        check(solid_distance(solid, p) <= -0.1 * (1.0 - INTERIOR_TOLERANCE));
        check_close(r.depth, -solid_distance(solid, p), 1e-15, "depth");
        interior_move(&in, &p, &r, random_in(&draw, 0.05, 0.05, 0.05));
        check(solid_distance(solid, p) <= -0.1 * (1.0 - INTERIOR_TOLERANCE));
    }
    struct vec3 middle = vec3(0.1, 0.05, 0.02);
    check_close(interior_deepest(&in, middle), 0.15, 1e-4, "half the least thickness");
    const struct interior too_large = {solid, 0.16, 0.4};
    struct resident r = {0};
    check(!interior_admit(&too_large, &middle, &r));
    check_close(middle.z, 0.02, 0.0, "left where it was");
    solid_free(solid);
}

TEST(depths_are_used_up_and_what_does_not_fit_stays)
{
    struct shape box = {.kind = SHAPE_BOX, .size = {1.0, 0.6, 0.3}};
    struct solid *solid = NULL;
    struct error error = {0};
    check_equal(solid_create(&solid, &box, &error), STATUS_OK, error.message);
    const struct interior in = {solid, 0.1, 0.1};
    struct vec3 p = vec3(0, 0, 0), end = vec3(0.39, 0, 0);
    struct resident r = {0};
    check(interior_admit(&in, &p, &r));
    interior_move(&in, &p, &r, vec3(0, 0, 0.04));
    check_close(p.z, 0.04, 0.0, "deep enough");
    interior_move(&in, &p, &r, vec3(0, 0, 0.04));
    check_close(p.z, 0.05, 1e-6, "as far as it goes");
    check(interior_admit(&in, &end, &r));
    interior_move(&in, &end, &r, vec3(0.2, 0, 0));
    check_close(end.x, 0.39, 0.0, "not out of the solid");
    solid_free(solid);
}

/* ---- bodies ---- */

static struct body relaxed(struct body body, enum way_of_sampling method)
{
    body.sampling = (struct sampling_settings){
        .given = true, .method = method, .start = 0.95, .origin = {"scene.yaml", 7, 9}};
    return body;
}

/* Deviations of a body filled with particles. */
struct quality {
    double outside; /* largest distance to the surface plus a radius, in radii */
    double nearest; /* smallest distance of two particles, in spacings */
    double error;   /* root mean square of density over that at rest, less 1 */
};

static struct quality judge(const struct body *body, const struct sample *sample)
{
    const size_t n = sample->particles.n;
    const double spacing = 2.0 * body->radius;
    struct quality q = {-HUGE_VAL, HUGE_VAL, 0.0};
    struct solid *solid = NULL;
    struct error error = {0};
    check_equal(solid_create(&solid, &body->shape, &error), STATUS_OK, error.message);
    for (size_t i = 0; i < n; i++) {
        struct vec3 p = sample->rest_position[i];
        double sum = cubic_spline(2.0 * spacing, 0.0);
        for (size_t j = 0; j < n; j++) {
            double distance = vec3_norm(vec3_sub(sample->rest_position[j], p));
            if (j == i)
                continue;
            q.nearest = fmin(q.nearest, distance / spacing);
            sum += cubic_spline(2.0 * spacing, distance);
        }
        q.outside = fmax(q.outside, solid_distance(solid, p) / body->radius + 1.0);
        q.error += pow(sum * pow(spacing, 3) - 1.0, 2) / (double)n;
    }
    q.error = sqrt(q.error);
    solid_free(solid);
    return q;
}

static struct body plate(double thickness)
{
    struct body body = ball_body(1.0, 0.05);
    body.shape.kind = SHAPE_BOX;
    body.shape.size = vec3(1.23, 0.87, thickness);
    return body;
}

TEST(particles_fill_bodies_evenly_and_none_sticks_out)
{
    struct body torus = ball_body(1.0, 0.05), mesh = ball_body(1.0, 0.0007);
    torus.shape = (struct shape){.kind = SHAPE_TORUS, .radius = 0.6, .tube = 0.23};
    mesh.shape =
        (struct shape){.kind = SHAPE_MESH, .file = "configs/examples/star.obj", .scale = 0.01};
    struct body body[] = {ball_body(0.52, 0.05), plate(0.55), plate(0.23), torus, mesh};
    double outside = -HUGE_VAL;
    for (size_t b = 0; b < sizeof body / sizeof *body; b++) {
        struct body filled = relaxed(body[b], SAMPLING_RELAXED);
        struct sample sample = make(&filled, 1), lattice = make(&body[b], 1);
        struct quality q = judge(&filled, &sample), of_lattice = judge(&body[b], &lattice);
        printf("# body %zu: %zu particles, outside %g, nearest %.3f, density error %.3f (on the "
               "lattice %.3f)\n",
               b, sample.particles.n, q.outside, q.nearest, q.error, of_lattice.error);
        outside = fmax(outside, q.outside);
        check(q.outside <= 2.0 * INTERIOR_TOLERANCE);
        check(q.nearest > 0.6);
        check(q.error < 0.2);
        check(q.error < of_lattice.error);
        check_equal(sample.report[0].particles, sample.particles.n, "reported");
        sample_free(&lattice);
        sample_free(&sample);
    }
    measured("C24.outside", outside);
}

TEST(blue_noise_does_not_stick_out_either)
{
    struct body body = relaxed(plate(0.55), SAMPLING_BLUE_NOISE);
    struct sample sample = make(&body, 1);
    struct quality q = judge(&body, &sample);
    printf("# nearest %g, density error %g\n", q.nearest, q.error);
    check(q.outside <= 2.0 * INTERIOR_TOLERANCE);
    check(q.error < 0.2);
    sample_free(&sample);
}

static void check_same(const struct sample *a, const struct sample *b)
{
    check_equal(a->particles.n, b->particles.n, "particles");
    check(memcmp(a->rest_position, b->rest_position, a->particles.n * sizeof *a->rest_position) ==
          0);
}

TEST(the_number_of_threads_does_not_change_a_bit)
{
    for (int k = 0; k < 2; k++) {
        struct body body =
            relaxed(ball_body(0.6, 0.05), k ? SAMPLING_BLUE_NOISE : SAMPLING_RELAXED);
        body.jitter = 0.1;
        omp_set_num_threads(1);
        struct sample one = make(&body, 1);
        for (int threads = 2; threads <= 4; threads++) {
            omp_set_num_threads(threads);
            struct sample many = make(&body, 1);
            check_same(&one, &many);
            sample_free(&many);
        }
        sample_free(&one);
    }
}

TEST(jitter_is_drawn_before_and_by_seed)
{
    struct body body = relaxed(plate(0.4), SAMPLING_RELAXED);
    struct sample plain = make(&body, 1);
    body.jitter = 0.2;
    struct sample jittered = make(&body, 1);
    check(memcmp(plain.rest_position, jittered.rest_position,
                 plain.particles.n * sizeof *plain.rest_position) != 0);
    check(judge(&body, &jittered).outside <= 2.0 * INTERIOR_TOLERANCE);
    sample_free(&plain);
    sample_free(&jittered);
}

/* ---- refusals ---- */

static void check_refused(struct body body, const char *part)
{
    struct sample sample;
    struct error error = {0};
    check_equal(try(&body, 1, &sample, &error), STATUS_INVALID, "status");
    check_contains(error.message, part);
}

TEST(bodies_of_less_than_two_layers_are_refused)
{
    struct body thin = relaxed(plate(0.19), SAMPLING_RELAXED);
    thin.shape.origin = here;
    check_refused(thin, "scene.yaml:4:5: body 'ball' is at most 0.19 m thick, less than two layers "
                        "of particles, 0.2 m; particles of a radius of at most 0.0475 m would be "
                        "right");
    thin.shape.size.z = 0.09;
    check_refused(thin, "scene.yaml:4:5: body 'ball' is nowhere as thick as one particle, 0.1 m; "
                        "smaller particles or a thicker shape would be right");
    check_refused(relaxed(sheet_body(9, 9, 0.05), SAMPLING_RELAXED),
                  "scene.yaml:7:9: the sheet 'cloth' is rows of particles; leave its sampling out, "
                  "or give a solid");
}

TEST(open_meshes_are_refused)
{
    FILE *file = fopen("open.obj", "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", file);
    fclose(file);
    struct body body = relaxed(ball_body(1.0, 0.05), SAMPLING_RELAXED);
    body.shape = (struct shape){.kind = SHAPE_MESH, .file = "open.obj", .scale = 1, .origin = here};
    check_refused(body, "scene.yaml:4:5: open.obj: the surface is open");
    remove("open.obj");
}

TEST(every_allocation_that_fails_is_an_error)
{
    bool done = false;
    for (long n = 0; !done && n < 200; n++) {
        struct body body = relaxed(plate(0.3), n % 2 ? SAMPLING_BLUE_NOISE : SAMPLING_RELAXED);
        struct sample sample;
        struct error error = {0};
        body.radius = 0.07;
        memory_fail_after(n / 2);
        done = try(&body, 1, &sample, &error) == STATUS_OK;
        memory_fail_after(-1);
        if (done)
            sample_free(&sample);
        else
            check_contains(error.message, "out of memory");
    }
    check(done);
}
