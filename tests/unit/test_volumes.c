/* Volumes that closed surfaces keep, and the geodesic spheres that have them. */
#include "constraint_stage.h"
#include "constraints/volumes.h"
#include "shape/sides.h"
#include "shape/surface.h"

/* A geodesic sphere of radius 1 whose edges have f parts. */
static struct surface sphere(uint32_t f)
{
    const struct shape ball = {.kind = SHAPE_BALL, .radius = 1.0, .origin = {"test", 1, 1}};
    const double each = 4.0 * M_PI / (10.0 * f * f + 2.0);
    struct surface surface;
    struct error error = {0};
    check_equal(surface_create(&surface, &ball, sqrt(each / (0.5 * sqrt(3.0))), &error), STATUS_OK,
                error.message);
    check_equal(surface.n, 10 * f * f + 2, "vertices");
    check_equal(surface.n_triangles, 20 * f * f, "triangles");
    return surface;
}

/* Independent of the code: cones from the origin. */
static double volume_of(const struct surface *s, const struct vec3 *x)
{
    double volume = 0.0;
    for (size_t t = 0; t < s->n_triangles; t++) {
        const uint32_t *c = s->triangle[t];
        volume += vec3_dot(x[c[0]], vec3_cross(x[c[1]], x[c[2]])) / 6.0;
    }
    return volume;
}

/* ---- geodesic spheres ---- */

/* The icosahedron, exactly; and spheres, whose error falls as 1 / f^2. */
TEST(a_geodesic_sphere_has_the_volume_and_area_that_it_should)
{
    struct surface s = sphere(1);
    const double a = 1.0 / sin(0.4 * M_PI);
    check_close(volume_of(&s, s.position), 5.0 / 12.0 * (3.0 + sqrt(5.0)) * a * a * a, 1e-13, "20");
    check_close(s.area, 5.0 * sqrt(3.0) * a * a, 1e-13, "its area");
    surface_free(&s);
    double missing[2];
    for (uint32_t k = 0; k < 2; k++) {
        s = sphere(8 << k);
        missing[k] = 1.0 - volume_of(&s, s.position) / (4.0 / 3.0 * M_PI);
        surface_free(&s);
    }
    check_close(missing[0] / missing[1], 4.0, 0.05, "volume that is missing");
}

/* Every edge has two triangles, and edges are alike. */
TEST(a_geodesic_sphere_is_closed_and_even)
{
    for (uint32_t f = 1; f < 8; f++) {
        struct surface s = sphere(f);
        struct error error = {0};
        struct side *side;
        double longest = 0.0, shortest = 1e9;
        bool closed;
        check_equal(sides_closed(s.n_triangles, (const uint32_t(*)[3])s.triangle, &closed, &error),
                    STATUS_OK, error.message);
        check(closed);
        check_equal(sides_create(&side, s.n_triangles, (const uint32_t(*)[3])s.triangle, &error),
                    STATUS_OK, error.message);
        for (size_t k = 0; k < 3 * s.n_triangles; k++) {
            double length = vec3_norm(vec3_sub(s.position[side[k].low], s.position[side[k].high]));
            longest = fmax(longest, length);
            shortest = fmin(shortest, length);
        }
        check(longest < 1.3 * shortest);
        free(side);
        surface_free(&s);
    }
}

/* ---- one iteration ---- */

/* A sphere that is bent out of shape, of masses that differ, and keeps `share` of its volume. */
static struct stage *bent(const struct surface *s, double share)
{
    struct stage *stage = stage_begin(s->n, false);
    struct error error = {0};
    uint64_t draw = 0;
    size_t edge[1] = {0};
    for (size_t i = 0; i < s->n; i++) {
        const struct vec3 x = s->position[i], d = drawn_vector(&draw);
        stage->at[i] =
            vec3_axpy(vec3(1.3 * x.x + 2.0, 0.8 * x.y - 1.0, x.z + 0.3 * x.x * x.y), 0.1, d);
        stage->weight[i] = 0.2 + drawn(&draw);
    }
    const struct sheet sheet = {.n_triangles = s->n_triangles, .triangle = s->triangle};
    const struct volume_body body = {.n = s->n,
                                     .sheet = &sheet,
                                     .volume = share * volume_of(s, stage->at),
                                     .n_edges = 1,
                                     .edge = edge,
                                     .whole = stage->whole};
    check_equal(volumes_add(&stage->set, s->n, 1, &body, &error), STATUS_OK, error.message);
    find(stage, CONSTRAINT_VOLUMES);
    return stage;
}

static void solve(struct stage *stage)
{
    struct constraint *group = stage->set.group[CONSTRAINT_VOLUMES];
    group->class->solve(group, &stage->candidates, &stage->corrections);
}

/* By central differences. */
static void differences(const struct surface *s, struct vec3 *x, struct vec3 *gradient)
{
    static const double h = 1e-4;
    for (size_t i = 0; i < s->n; i++)
        for (int k = 0; k < 3; k++) {
            double *at = k == 0 ? &x[i].x : k == 1 ? &x[i].y : &x[i].z, before = *at, v[2];
            for (int side = 0; side < 2; side++) {
                *at = before + (side ? h : -h);
                v[side] = volume_of(s, x);
            }
            *at = before;
            *(k == 0   ? &gradient[i].x
              : k == 1 ? &gradient[i].y
                       : &gradient[i].z) = (v[1] - v[0]) / (2.0 * h);
        }
}

TEST(a_correction_goes_along_the_gradient_of_the_volume)
{
    struct surface s = sphere(2);
    struct stage *stage = bent(&s, 1.5);
    struct vec3 gradient[MOST];
    double stiff = 0.0;
    const double missing = 0.5 * volume_of(&s, stage->at);
    differences(&s, stage->at, gradient);
    for (size_t i = 0; i < s.n; i++)
        stiff += stage->weight[i] * vec3_norm2(gradient[i]);
    solve(stage);
    for (size_t i = 0; i < s.n; i++) {
        const struct vec3 right = vec3_scale(stage->weight[i] * missing / stiff, gradient[i]);
        check_close(vec3_norm(vec3_sub(stage->shift[i], right)), 0.0, 1e-9, "shift");
    }
    stage_end(stage);
    surface_free(&s);
}

TEST(a_few_iterations_give_the_volume)
{
    for (int k = 0; k < 4; k++) {
        struct surface s = sphere(4);
        const double share = 0.5 * (k + 1);
        struct stage *stage = bent(&s, share);
        const double wanted = share * volume_of(&s, stage->at);
        for (int times = 0; times < 8; times++)
            iterate(stage, CONSTRAINT_VOLUMES);
        check_close(volume_of(&s, stage->at) / wanted, 1.0, 1e-12, "volume");
        stage_end(stage);
        surface_free(&s);
    }
}

TEST(a_correction_keeps_both_momenta)
{
    struct surface s = sphere(4);
    struct stage *stage = bent(&s, 2.0);
    struct vec3 sum = vec3(0.0, 0.0, 0.0), moment = sum;
    double size = 0.0;
    solve(stage);
    for (size_t i = 0; i < s.n; i++) {
        const struct vec3 p = vec3_scale(1.0 / stage->weight[i], stage->shift[i]);
        sum = vec3_add(sum, p);
        moment = vec3_add(moment, vec3_cross(stage->at[i], p));
        size += vec3_norm(p);
    }
    check(size > 0.1);
    check_close(vec3_norm(sum) / size, 0.0, 1e-15, "momentum");
    check_close(vec3_norm(moment) / size, 0.0, 1e-14, "angular momentum");
    stage_end(stage);
    surface_free(&s);
}

/* (x, y, z) -> (y, z, x) + b, which turns by 120 degrees. */
TEST(a_correction_turns_and_moves_with_the_surface)
{
    struct surface s = sphere(4);
    struct stage *one = bent(&s, 1.2), *other = bent(&s, 1.2);
    for (size_t i = 0; i < s.n; i++) {
        const struct vec3 x = one->at[i];
        other->at[i] = vec3(x.y + 3.0, x.z - 5.0, x.x + 7.0);
    }
    solve(one);
    solve(other);
    for (size_t i = 0; i < s.n; i++) {
        const struct vec3 d = one->shift[i], e = other->shift[i];
        check_close(vec3_norm(vec3_sub(vec3(d.y, d.z, d.x), e)), 0.0, 1e-14, "shift");
    }
    stage_end(one);
    stage_end(other);
    surface_free(&s);
}

/* What the free ones get is what fixed ones do not take. */
TEST(fixed_particles_support_the_rest)
{
    struct surface s = sphere(4);
    struct stage *stage = bent(&s, 1.5);
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    const struct vec3 velocity = vec3(0.3, -0.2, 0.5);
    for (size_t i = 0; i < 20; i++) {
        stage->weight[i] = 0.0;
        stage->velocity[i] = velocity;
    }
    solve(stage);
    for (size_t i = 0; i < s.n; i++)
        if (stage->weight[i] > 0.0)
            sum = vec3_axpy(sum, 1.0 / (0.01 * stage->weight[i]), stage->shift[i]);
    check(vec3_norm(sum) > 0.1 && vec3_norm(stage->shift[3]) == 0.0);
    const struct vec3 support = stage->corrections.support;
    check_close(vec3_norm(vec3_sub(sum, support)) / vec3_norm(sum), 0.0, 1e-13, "impulse");
    check_close(stage->corrections.support_work, vec3_dot(support, velocity), 1e-12, "work");
    stage_end(stage);
    surface_free(&s);
}

TEST(a_surface_that_has_lost_an_edge_keeps_no_volume)
{
    struct surface s = sphere(2);
    struct stage *stage = bent(&s, 1.5);
    stage->whole[0] = 0;
    find(stage, CONSTRAINT_VOLUMES);
    solve(stage);
    for (size_t i = 0; i < s.n; i++)
        check(vec3_norm(stage->shift[i]) == 0.0);
    stage_end(stage);
    surface_free(&s);
}
