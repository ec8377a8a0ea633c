/* Distances from the surfaces of unions and differences, judged by the nearest of many points of
 * the surface. */
#include "particles/random.h"
#include "shape/shape.h"
#include "shape/shape_primitive.h"
#include "tap.h"

static double uniform(uint64_t seed, uint64_t i, double low, double high)
{
    return low + (high - low) * random_uniform(seed, 0, i, RANDOM_TEST);
}

static struct vec3 random_point(uint64_t seed, uint64_t i, double reach)
{
    return vec3(uniform(seed, 3 * i, -reach, reach), uniform(seed, 3 * i + 1, -reach, reach),
                uniform(seed, 3 * i + 2, -reach, reach));
}

static struct solid *make(const struct shape *shape)
{
    struct solid *solid = NULL;
    struct error error = {0};
    if (solid_create(&solid, shape, &error)) {
        printf("# %s\n", error.message);
        exit(1);
    }
    return solid;
}

/* ---- the judge ---- */

static bool is_inside(const struct shape *s, struct vec3 at)
{
    struct vec3 p = vec3_sub(at, s->center);
    if (s->n_children == 0)
        return primitive_distance(s, p) < 0.0;
    bool inside = is_inside(&s->child[0], p);
    for (size_t k = 1; k < s->n_children; k++)
        inside = s->kind == SHAPE_UNION ? inside || is_inside(&s->child[k], p)
                                        : inside && !is_inside(&s->child[k], p);
    return inside;
}

/* Moves a point onto the surface of a primitive along the gradient; false if it does not get there.
 */
static bool land(const struct shape *s, struct vec3 *p, struct vec3 *normal)
{
    const double h = 1e-6;
    for (int k = 0; k < 8; k++) {
        *normal = vec3(primitive_distance(s, vec3_add(*p, vec3(h, 0, 0))) -
                           primitive_distance(s, vec3_sub(*p, vec3(h, 0, 0))),
                       primitive_distance(s, vec3_add(*p, vec3(0, h, 0))) -
                           primitive_distance(s, vec3_sub(*p, vec3(0, h, 0))),
                       primitive_distance(s, vec3_add(*p, vec3(0, 0, h))) -
                           primitive_distance(s, vec3_sub(*p, vec3(0, 0, h))));
        *normal = vec3_scale(0.5 / h, *normal);
        double d = primitive_distance(s, *p);
        if (fabs(d) < 1e-12)
            return vec3_norm(*normal) > 0.99;
        *p = vec3_axpy(*p, -d, *normal);
    }
    return false;
}

/* A primitive of the tree, and where its frame is. */
struct part {
    const struct shape *shape;
    struct vec3 shift;
};

static size_t list_parts(const struct shape *s, struct vec3 shift, struct part *part)
{
    shift = vec3_add(shift, s->center);
    if (s->n_children == 0) {
        *part = (struct part){s, shift};
        return 1;
    }
    size_t n = 0;
    for (size_t k = 0; k < s->n_children; k++)
        n += list_parts(&s->child[k], shift, part + n);
    return n;
}

/* Moves the point onto the surface of a part; whether it is then on that of the whole shape. */
static bool is_surface(const struct shape *s, const struct part *part, struct vec3 *q)
{
    struct vec3 normal, p = vec3_sub(*q, part->shift);
    if (!land(part->shape, &p, &normal))
        return false;
    *q = vec3_add(p, part->shift);
    return is_inside(s, vec3_axpy(*q, 1e-10, normal)) !=
           is_inside(s, vec3_axpy(*q, -1e-10, normal));
}

/* Random points of the surface, the same for all queries. */
enum { SAMPLES = 6000, MOST_PARTS = 12 };
struct cloud {
    size_t n;
    struct vec3 place[SAMPLES * MOST_PARTS];
    size_t of[SAMPLES * MOST_PARTS];
    struct part part[MOST_PARTS];
};

static void scatter(struct cloud *cloud, const struct shape *s, double reach)
{
    size_t n = list_parts(s, vec3(0, 0, 0), cloud->part);
    cloud->n = 0;
    for (size_t k = 0; k < n; k++)
        for (uint64_t i = 0; i < SAMPLES; i++) {
            struct vec3 q = random_point(100 + k, i, reach);
            if (!is_surface(s, &cloud->part[k], &q))
                continue;
            cloud->of[cloud->n] = k;
            cloud->place[cloud->n++] = q;
        }
}

/* From the nearest points of the cloud on, random steps along the surface that shrink. Never less
 * than the distance, and mostly equal. */
static double judge(const struct cloud *cloud, const struct shape *s, struct vec3 p)
{
    double best = HUGE_VAL;
    for (size_t k = 0; k < MOST_PARTS; k++) {
        double mine = HUGE_VAL;
        struct vec3 at = {0, 0, 0};
        for (size_t i = 0; i < cloud->n; i++) {
            double d = vec3_norm(vec3_sub(cloud->place[i], p));
            if (cloud->of[i] == k && d < mine) {
                mine = d;
                at = cloud->place[i];
            }
        }
        double step = 0.05;
        for (uint64_t i = 0; mine < best + 0.1 && step > 1e-8; i++, step *= 0.9)
            for (uint64_t j = 0; j < 8; j++) {
                struct vec3 q = vec3_axpy(at, step, random_point(7, 8 * i + j, 1.0));
                if (is_surface(s, &cloud->part[k], &q) && vec3_norm(vec3_sub(q, p)) < mine) {
                    mine = vec3_norm(vec3_sub(q, p));
                    at = q;
                }
            }
        best = fmin(best, mine);
    }
    return best;
}

/* ---- shapes ---- */

static struct shape random_primitive(uint64_t seed)
{
    struct shape s = {.center = random_point(seed, 10, 0.5)};
    double a = uniform(seed, 1, 0.3, 0.7), b = uniform(seed, 2, 0.3, 0.9);
    switch ((int)uniform(seed, 3, 0.0, 5.999)) {
    case 0:
    case 1:
        s.kind = SHAPE_BOX, s.size = vec3(2 * a, 2 * b, uniform(seed, 4, 0.4, 1.2));
        break;
    case 2:
        s.kind = SHAPE_BALL, s.radius = a;
        break;
    case 3:
        s.kind = SHAPE_CYLINDER, s.radius = a, s.height = 2 * b;
        break;
    case 4:
        s.kind = SHAPE_TORUS, s.radius = a, s.tube = 0.4 * a;
        break;
    default:
        s.kind = SHAPE_BOWL, s.radius = a, s.thickness = 0.4 * a, s.height = b * a * 2;
    }
    return s;
}

/* Whether the surface is where the distance and its gradient say: of points around it, some are
 * inside and some are not. On ridges the gradient says nothing. */
static bool leads_to_the_surface(const struct solid *solid, const struct shape *s, struct vec3 p,
                                 double d)
{
    struct vec3 normal = solid_normal(solid, p, 1e-6);
    bool seen[2] = {false, false};
    if (vec3_norm(normal) < 1.0 - 1e-4)
        return true;
    struct vec3 foot = vec3_axpy(p, -d, normal);
    for (uint64_t i = 0; i < 400; i++)
        seen[is_inside(s, vec3_axpy(foot, 1e-4, random_point(3, i, 1.0)))] = true;
    return seen[0] && seen[1];
}

/* Returns at how many points the parts alone give a distance that is too short. */
static int check_shape(const struct shape *s, uint64_t seed, uint64_t points)
{
    static struct cloud cloud;
    struct solid *solid = make(s);
    int too_short = 0;
    scatter(&cloud, s, 1.3);
    for (uint64_t i = 0; i < points; i++) {
        struct vec3 p = random_point(seed + 50, i, 1.0);
        double d = solid_distance(solid, p), bound = solid_bound(solid, p, 0.0);
        check((d < 0.0) == is_inside(s, p));
        check(fabs(d) >= fabs(bound) - 1e-12);
        check(fabs(d) <= judge(&cloud, s, p) + 1e-9);
        check(leads_to_the_surface(solid, s, p, d));
        too_short += fabs(d) > fabs(bound) + 1e-6;
    }
    solid_free(solid);
    return too_short;
}

TEST(distances_are_those_from_the_surface_of_the_whole)
{
    int too_short = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct shape child[3];
        for (uint64_t k = 0; k < 3; k++)
            child[k] = random_primitive(1000 * seed + k);
        struct shape s = {.kind = seed % 3 == 2 ? SHAPE_DIFFERENCE : SHAPE_UNION,
                          .n_children = 2 + seed % 2,
                          .child = child};
        too_short += check_shape(&s, seed, 12);
    }
    check(too_short > 50);
}

TEST(shapes_within_shapes_are_seen_through)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct shape part[5], group[3];
        for (uint64_t k = 0; k < 5; k++)
            part[k] = random_primitive(7000 * seed + k);
        group[0] = (struct shape){.kind = SHAPE_UNION, .n_children = 2, .child = part};
        group[1] = (struct shape){.kind = SHAPE_DIFFERENCE, .n_children = 2, .child = part + 2};
        group[1].center = vec3(0.1, 0.2, -0.1);
        group[2] = part[4];
        struct shape s = {.kind = seed % 2 ? SHAPE_DIFFERENCE : SHAPE_UNION,
                          .n_children = 3,
                          .child = group,
                          .center = {0.05, -0.1, 0.0}};
        check_shape(&s, seed, 12);
    }
}

/* ---- boxes side by side ---- */

static struct shape box(double x0, double x1, double y0, double y1, double z0, double z1)
{
    return (struct shape){.kind = SHAPE_BOX,
                          .size = {x1 - x0, y1 - y0, z1 - z0},
                          .center = {0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)}};
}

/* A box in pieces, with seams that cross, is the box, also on the seams and where they cross. */
TEST(seams_are_not_there)
{
    struct shape whole = box(-0.4, 0.8, -0.3, 0.3, 0.0, 0.5);
    struct shape piece[5] = {box(-0.4, 0.1, -0.3, 0.1, 0.0, 0.5),
                             box(0.1, 0.8, -0.3, 0.1, 0.0, 0.5), box(-0.4, 0.1, 0.1, 0.3, 0.0, 0.5),
                             box(0.1, 0.8, 0.1, 0.3, 0.0, 0.2), box(0.1, 0.8, 0.1, 0.3, 0.2, 0.5)};
    struct shape all = {.kind = SHAPE_UNION, .n_children = 5, .child = piece};
    struct solid *one = make(&whole), *many = make(&all);
    for (int i = 0; i <= 24; i++)
        for (int j = 0; j <= 12; j++)
            for (int k = 0; k <= 10; k++) {
                struct vec3 p = {-0.4 + 0.05 * i, -0.3 + 0.05 * j, 0.05 * k};
                check_close(solid_distance(many, p), solid_distance(one, p), 1e-14, "distance");
                p = vec3_add(p, random_point(9, (uint64_t)(i + 25 * j + 325 * k), 0.04));
                check_close(solid_distance(many, p), solid_distance(one, p), 1e-14, "distance");
                check_close(
                    vec3_norm(vec3_sub(solid_normal(many, p, 1e-6), solid_normal(one, p, 1e-6))),
                    0.0, 1e-8, "normal");
            }
    check_close(solid_volume(many), solid_volume(one), 1e-6, "volume");
    solid_free(one);
    solid_free(many);
}

/* The edge that stands into an L is the nearest for those in the corner of the two arms. */
TEST(an_edge_that_stands_in_is_as_far_as_it_is)
{
    struct shape arm[2] = {box(0, 1, 0, 3, 0, 9), box(0, 3, 0, 1, 0, 9)};
    struct shape first[2] = {box(0, 1, 1, 3, 0, 9), box(0, 3, 0, 1, 0, 9)};
    struct shape overlapping = {.kind = SHAPE_UNION, .n_children = 2, .child = arm};
    struct shape touching = {.kind = SHAPE_UNION, .n_children = 2, .child = first};
    struct solid *a = make(&overlapping), *b = make(&touching);
    check_close(solid_distance(a, vec3(0.6, 0.7, 4.0)), -0.5, 1e-15, "of the edge");
    for (uint64_t i = 0; i < 3000; i++) {
        struct vec3 p = vec3_add(vec3(1.5, 1.5, 4.5), random_point(4, i, 5.0));
        check_close(solid_distance(a, p), solid_distance(b, p), 1e-14, "distance");
    }
    solid_free(a);
    solid_free(b);
}

/* Touching along a circle, a ball and a cylinder have no edge. */
TEST(a_capsule_is_as_far_as_its_axis_less_the_radius)
{
    struct shape part[3] = {{.kind = SHAPE_CYLINDER, .radius = 0.3, .height = 1.0},
                            {.kind = SHAPE_BALL, .radius = 0.3, .center = {0, 0, 0.5}},
                            {.kind = SHAPE_BALL, .radius = 0.3, .center = {0, 0, -0.5}}};
    struct shape capsule = {.kind = SHAPE_UNION, .n_children = 3, .child = part};
    struct solid *solid = make(&capsule);
    for (uint64_t i = 0; i < 3000; i++) {
        struct vec3 p = random_point(5, i, 1.0);
        double z = fmax(fabs(p.z) - 0.5, 0.0);
        check_close(solid_distance(solid, p), vec3_norm(vec3(p.x, p.y, z)) - 0.3, 1e-12,
                    "distance");
    }
    check_close(solid_distance(solid, vec3(0, 0, 0)), -0.3, 1e-12, "in the middle");
    solid_free(solid);
}
