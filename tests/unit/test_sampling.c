/* The measures of how well particles represent a shape, on bodies with known values. */
#include "analysis/sampling.h"
#include "bodies.h"
#include "particles/cubic_spline.h"
#include "random_points.h"
#include "soup.h"

static struct body box(double x, double y, double z)
{
    struct body body = ball_body(1.0, 0.05);
    body.shape.kind = SHAPE_BOX;
    body.shape.size = vec3(x, y, z);
    return body;
}

static struct sampling_row judge(const struct body *body, size_t n, const struct vec3 *rest)
{
    struct sampling_row row = {.body = 7.0};
    struct error error = {0};
    check_equal(sampling_judge(body, n, rest, &row, &error), STATUS_OK, error.message);
    check_equal(row.body, 7, "body");
    check_equal(row.particles, n, "particles");
    return row;
}

TEST(a_lattice_that_fills_a_box_is_even)
{
    struct body body = box(1.2, 0.9, 0.8);
    struct sample sample = make(&body, 1);
    struct sampling_row row = judge(&body, sample.particles.n, sample.rest_position);
    check_close(row.fill, 1.0, 1e-12, "fill");
    check_close(row.nearest_min, 1.0, 1e-12, "nearest");
    check_close(row.nearest_mean, 1.0, 1e-12, "mean");
    check_close(row.nearest_spread, 0.0, 1e-7, "spread");
    check_close(row.outside, 0.0, 1e-12, "outermost particles touch the surface");
    check_close(row.density_inner, 0.0, 1e-3, "inside");
    check(row.density_mean < 0.95 && row.density_error > 0.1);
    check_equal(row.singular + row.flat, 0, "even");
    check(isnan(row.surface_mean) && isnan(row.thin_99) && row.thin_vertices == 0.0);
    sample_free(&sample);
}

/* A layer, and three in a row beside it that touch nothing else; one particle alone is 0, too. */
TEST(neighbors_in_a_plane_or_none_are_counted)
{
    struct body body = box(1.0, 1.0, 1.0);
    struct vec3 rest[25 + 3 + 1];
    for (int i = 0; i < 25; i++)
        rest[i] = vec3(0.1 * (i % 5), 0.1 * (i / 5), 0.0);
    for (int i = 0; i < 3; i++)
        rest[25 + i] = vec3(0.1 * i, 0.0, 0.3);
    rest[28] = vec3(0.2, 0.2, -0.3);
    struct sampling_row row = judge(&body, 29, rest);
    check_equal(row.singular, 29, "singular");
    check_equal(row.flat, 29, "flat");
    check_close(row.nearest_min, 1.0, 1e-12, "nearest");
    check(row.nearest_mean > 1.0);
}

TEST(particles_that_stick_out_are_seen)
{
    struct body body = box(1.0, 1.0, 1.0);
    struct vec3 rest[3] = {{0.0, 0.0, 0.0}, {0.47, 0.1, 0.1}, {0.0, 0.08, 0.0}};
    struct sampling_row row = judge(&body, 3, rest);
    check_close(row.outside, 0.4, 1e-12, "radii");
    check_close(row.nearest_min, 0.8, 1e-12, "nearest");
    check_close(row.fill, 0.003, 1e-15, "fill");
    double inner = 1e-3 * (cubic_spline(0.2, 0.0) + cubic_spline(0.2, 0.08)) - 1.0;
    check_close(row.density_inner, fabs(inner), 1e-12, "of the two deep ones");
}

/* Vertices of the star are the crossings of its edges and its tips: no ball fits at any. */
TEST(distances_of_vertices_are_those_to_the_nearest_particle)
{
    struct body body = ball_body(1.0, 0.05);
    struct vec3 rest[40];
    uint64_t draw = 0;
    double sum = 0.0, most = 0.0;
    body.shape = (struct shape){.kind = SHAPE_MESH,
                                .file = "configs/examples/star.obj",
                                .scale = 0.5,
                                .center = {0.1, 0.2, 0.3}};
    for (int i = 0; i < 40; i++)
        rest[i] = vec3_add(body.shape.center, random_in(&draw, 0.5, 0.5, 0.5));
    for (int v = 0; v < 14; v++) {
        struct vec3 at = v < 6 ? vec3(v / 2 == 0, v / 2 == 1, v / 2 == 2) : vec3(1, 1, 1);
        double nearest = HUGE_VAL;
        if (v < 6)
            at = vec3_scale(v % 2 ? -0.5 : 0.5, at);
        else
            at = vec3(v & 1 ? 0.5 : -0.5, v & 2 ? 0.5 : -0.5, v & 4 ? 0.5 : -0.5);
        at = vec3_add(body.shape.center, at);
        for (int i = 0; i < 40; i++)
            nearest = fmin(nearest, vec3_norm(vec3_sub(rest[i], at)) / body.radius);
        sum += nearest / 14.0;
        most = fmax(most, nearest);
    }
    struct sampling_row row = judge(&body, 40, rest);
    check_close(row.surface_mean, sum, 1e-12, "mean");
    check_close(row.surface_max, most, 1e-12, "largest");
    check_close(row.surface_99, most, 1e-12, "99th percentile of 14");
    check_equal(row.thin_vertices, 14, "thin");
    check_close(row.thin_mean, sum, 1e-12, "mean of thin ones");
    check_close(row.thin_99, most, 1e-12, "largest of thin ones");
    body.shape.file = "no-such-mesh.obj";
    row = judge(&body, 40, rest);
    check(isnan(row.surface_mean) && isnan(row.fill) && isnan(row.outside));
    check(row.nearest_min > 0.0);
}

TEST(a_ball_is_nowhere_thin_unless_it_is_smaller_than_a_spacing)
{
    struct soup *soup = soup_new();
    struct body body = ball_body(1.0, 0.05);
    struct vec3 rest[1] = {{0, 0, 0}};
    add_sphere(soup, 3, 1.0);
    write_obj(soup);
    body.shape = (struct shape){.kind = SHAPE_MESH, .file = path_of(".obj"), .scale = 1.0};
    struct sampling_row row = judge(&body, 1, rest);
    check_equal(row.thin_vertices, 0, "thin");
    check_close(row.surface_mean, 20.0, 1e-9, "radii");
    check(isnan(row.thin_mean) && isnan(row.thin_99));
    body.shape.scale = 0.09;
    row = judge(&body, 1, rest);
    check_close(row.thin_mean, 1.8, 1e-9, "radii");
    check(row.thin_vertices > 200);
    unlink(path_of(".obj"));
    free(soup);
}
