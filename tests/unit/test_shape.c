#include "failing_memory.h"
#include "particles/random.h"
#include "shape/placed_solid.h"
#include "tap.h"

static const double pi = 3.14159265358979323846;
static const struct origin here = {"scene.yaml", 7, 3};

static double uniform(uint64_t i, double low, double high)
{
    return low + (high - low) * random_uniform(1, 0, i, RANDOM_TEST);
}

static struct vec3 random_point(uint64_t i, double reach)
{
    return vec3(uniform(3 * i, -reach, reach), uniform(3 * i + 1, -reach, reach),
                uniform(3 * i + 2, -reach, reach));
}

static struct solid *make(const struct shape *shape)
{
    struct solid *solid = NULL;
    struct error error = {0};
    if (solid_create(&solid, shape, &error)) {
        printf("# %s\n", error.message);
        check(false);
        exit(1);
    }
    return solid;
}

/* One of each, off center, sizes around 1; the bowl as half a shell, a bit less, a bit more. */
enum { N_PRIMITIVES = 7 };
static struct shape sample_shape(int which)
{
    struct shape s = {.center = {0.1, -0.2, 0.05}, .origin = here};
    switch (which) {
    case 0:
        s.kind = SHAPE_BALL, s.radius = 0.7;
        break;
    case 1:
        s.kind = SHAPE_BOX, s.size = vec3(1, 0.5, 1.4);
        break;
    case 2:
        s.kind = SHAPE_CYLINDER, s.radius = 0.6, s.height = 0.9;
        break;
    case 3:
        s.kind = SHAPE_TORUS, s.radius = 0.6, s.tube = 0.2;
        break;
    case 4:
        s.kind = SHAPE_BOWL, s.radius = 0.8, s.thickness = 0.2, s.height = 0.8;
        break;
    case 5:
        s.kind = SHAPE_BOWL, s.radius = 0.8, s.thickness = 0.3, s.height = 0.5;
        break;
    default:
        s.kind = SHAPE_BOWL, s.radius = 0.8, s.thickness = 0.15, s.height = 1.3;
    }
    return s;
}

/* Whether a point is inside, straight from the words of the definition. */
static bool is_inside(const struct shape *s, struct vec3 at)
{
    struct vec3 p = vec3_sub(at, s->center);
    double r = vec3_norm(p), rho = sqrt(p.x * p.x + p.y * p.y);
    switch (s->kind) {
    case SHAPE_BALL:
        return r < s->radius;
    case SHAPE_BOX:
        return fabs(p.x) < s->size.x / 2 && fabs(p.y) < s->size.y / 2 && fabs(p.z) < s->size.z / 2;
    case SHAPE_CYLINDER:
        return rho < s->radius && fabs(p.z) < s->height / 2;
    case SHAPE_TORUS:
        return (rho - s->radius) * (rho - s->radius) + p.z * p.z < s->tube * s->tube;
    default:
        return r < s->radius && r > s->radius - s->thickness && p.z < s->height - s->radius;
    }
}

/* Points of the surface on a fine net. All but the box are bodies of revolution: a closed or open
 * outline (rho, z) with parameter t in [0, 1]; returns false where the outline has no point. */
static bool outline(const struct shape *s, double t, double *rho, double *z)
{
    double part = 3 * t - floor(3 * t);
    int piece = (int)floor(3 * t);
    double cut = s->height - s->radius;
    switch (s->kind) {
    case SHAPE_BALL:
        *rho = s->radius * sin(pi * t), *z = s->radius * cos(pi * t);
        return true;
    case SHAPE_CYLINDER:
        *rho = piece == 1 ? s->radius : s->radius * part;
        *z = piece == 1 ? s->height * (part - 0.5) : s->height / 2 * (piece - 1);
        return piece < 3;
    case SHAPE_TORUS:
        *rho = s->radius + s->tube * cos(2 * pi * t), *z = s->tube * sin(2 * pi * t);
        return true;
    default: /* bowl: outer wall, inner wall, lip */
        if (piece < 2) {
            double radius = piece ? s->radius - s->thickness : s->radius;
            *rho = radius * sin(pi * part), *z = radius * cos(pi * part);
            return *z <= cut;
        }
        *rho = s->radius * part, *z = cut;
        double r = hypot(*rho, *z);
        return r <= s->radius && r >= s->radius - s->thickness;
    }
}

/* Nearest point of the net; a body of revolution is asked in the half plane of the point. */
static double brute_distance(const struct shape *s, struct vec3 at)
{
    enum { N = 30000, M = 400 };
    struct vec3 p = vec3_sub(at, s->center);
    double best = HUGE_VAL;
    if (s->kind != SHAPE_BOX) {
        for (int i = 0; i <= N; i++) {
            double rho, z;
            if (outline(s, (double)i / N, &rho, &z))
                best = fmin(best, hypot(rho - hypot(p.x, p.y), z - p.z));
        }
        return best;
    }
    const double half[3] = {s->size.x / 2, s->size.y / 2, s->size.z / 2};
    for (int face = 0; face < 6; face++) {
        for (int i = 0; i <= M * M; i++) {
            double u = 2.0 * (i % M) / (M - 1) - 1, v = 2.0 * (i / M) / M - 1, q[3];
            q[face / 2] = half[face / 2] * (face % 2 ? 1 : -1);
            q[(face / 2 + 1) % 3] = half[(face / 2 + 1) % 3] * u;
            q[(face / 2 + 2) % 3] = half[(face / 2 + 2) % 3] * v;
            best = fmin(best, vec3_norm(vec3_sub(vec3(q[0], q[1], q[2]), p)));
        }
    }
    return best;
}

TEST(distances_agree_with_the_nearest_of_many_surface_points)
{
    for (int which = 0; which < N_PRIMITIVES; which++) {
        struct shape shape = sample_shape(which);
        struct solid *solid = make(&shape);
        for (uint64_t i = 0; i < 60; i++) {
            struct vec3 p = random_point(i, 1.5);
            double d = solid_distance(solid, p), brute = brute_distance(&shape, p);
            double net = shape.kind == SHAPE_BOX ? 5e-3 : 2e-4;
            check(fabs(d) <= brute + 1e-12);
            check_close(fabs(d), brute, net, "distance");
            check((d < 0) == is_inside(&shape, p));
        }
        solid_free(solid);
    }
}

TEST(signs_are_exact)
{
    for (int which = 0; which < N_PRIMITIVES; which++) {
        struct shape shape = sample_shape(which);
        struct solid *solid = make(&shape);
        for (uint64_t i = 0; i < 20000; i++) {
            struct vec3 p = random_point(i, 1);
            check((solid_distance(solid, p) < 0) == is_inside(&shape, p));
        }
        solid_free(solid);
    }
}

TEST(the_gradient_has_length_one)
{
    for (int which = 0; which < N_PRIMITIVES; which++) {
        struct shape shape = sample_shape(which);
        struct solid *solid = make(&shape);
        int on_ridge = 0;
        for (uint64_t i = 0; i < 2000; i++) {
            double length = vec3_norm(solid_normal(solid, random_point(i, 1.2), 1e-6));
            check(length < 1 + 1e-6);
            on_ridge += length < 1 - 1e-4;
        }
        check(on_ridge < 5);
        solid_free(solid);
    }
}

TEST(the_support_function_is_the_farthest_surface_point)
{
    for (int which = 0; which < N_PRIMITIVES; which++) {
        struct shape shape = sample_shape(which);
        struct solid *solid = make(&shape);
        for (uint64_t i = 0; i < 50; i++) {
            struct vec3 d = random_point(i, 1);
            d = vec3_scale(1 / vec3_norm(d), d);
            double far = -HUGE_VAL, rho, z;
            for (int k = 0; k <= 3000 && shape.kind != SHAPE_BOX; k++)
                if (outline(&shape, k / 3000.0, &rho, &z))
                    far = fmax(far, rho * hypot(d.x, d.y) + z * d.z);
            for (int c = 0; c < 8 && shape.kind == SHAPE_BOX; c++)
                far = fmax(far, vec3_dot(d, vec3(c & 1 ? 0.5 : -0.5, c & 2 ? 0.25 : -0.25,
                                                 c & 4 ? 0.7 : -0.7)));
            check_close(solid_support(solid, d), far + vec3_dot(d, shape.center), 1e-3, "support");
        }
        solid_free(solid);
    }
}

TEST(closed_volumes_agree_with_quadrature)
{
    for (int which = 0; which < N_PRIMITIVES; which++) {
        struct shape shape = sample_shape(which);
        struct solid *solid = make(&shape);
        double edge = 0;
        for (int a = 0; a < 3; a++) {
            struct vec3 d = {a == 0, a == 1, a == 2};
            edge = fmax(edge, solid_support(solid, d) + solid_support(solid, vec3_scale(-1, d)));
        }
        check_close(solid_volume_by_quadrature(solid), solid_volume(solid), 1e-4 * pow(edge, 3),
                    "volume");
        solid_free(solid);
    }
}

/* Volume of what two balls of radius r at distance d have in common. */
static double lens(double r, double d)
{
    return pi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12;
}

TEST(unions_and_differences_of_balls_have_the_volumes_of_the_textbook)
{
    double ball = 4.0 / 3.0 * pi * pow(0.5, 3), cube = pow(1.6, 3);
    struct shape child[2] = {
        {.kind = SHAPE_BALL, .radius = 0.5, .origin = here},
        {.kind = SHAPE_BALL, .radius = 0.5, .center = {0.6, 0, 0}, .origin = here}};
    struct shape both = {.kind = SHAPE_UNION, .n_children = 2, .child = child, .origin = here};
    struct solid *solid = make(&both);
    check_close(solid_volume(solid), 2 * ball - lens(0.5, 0.6), 1e-4 * cube, "union");
    solid_free(solid);
    both.kind = SHAPE_DIFFERENCE;
    solid = make(&both);
    check_close(solid_volume(solid), ball - lens(0.5, 0.6), 1e-4, "difference");
    check(solid_distance(solid, vec3(0.3, 0, 0)) > 0);
    check(solid_distance(solid, vec3(-0.3, 0, 0)) < 0);
    solid_free(solid);
    both.n_children = 1;
    solid = make(&both);
    check_close(solid_volume(solid), ball, 1e-12, "a difference of one");
    solid_free(solid);
}

TEST(combined_distances_change_no_faster_than_the_place)
{
    struct shape child[2] = {sample_shape(1), sample_shape(0)};
    child[1].radius = 0.4;
    child[1].center = vec3(0.3, 0, 0.3);
    for (int kind = SHAPE_UNION; kind <= SHAPE_DIFFERENCE; kind++) {
        struct shape shape = {.kind = (enum shape_kind)kind, .n_children = 2, .child = child};
        shape.center = vec3(0.5, 0.5, 0.5);
        struct solid *solid = make(&shape);
        for (uint64_t i = 0; i < 3000; i++) {
            struct vec3 p = random_point(2 * i, 1), q = random_point(2 * i + 1, 1);
            double dp = solid_distance(solid, vec3_add(p, shape.center));
            double dq = solid_distance(solid, vec3_add(q, shape.center));
            bool a = is_inside(&child[0], p), b = is_inside(&child[1], p);
            check((dp < 0) == (kind == SHAPE_UNION ? a || b : a && !b));
            check(fabs(dp - dq) <= vec3_norm(vec3_sub(p, q)) + 1e-12);
        }
        solid_free(solid);
    }
}

TEST(rows_are_the_distances_from_the_parts)
{
    struct shape child[2] = {sample_shape(2), sample_shape(3)};
    struct shape shape = {.kind = SHAPE_DIFFERENCE, .n_children = 2, .child = child};
    shape.center = vec3(0.2, 0.1, 0);
    struct solid *solid = make(&shape);
    struct lattice lattice = {.origin = {-1, -1, -1},
                              .axis = {{0.08, 0.06, 0}, {-0.06, 0.08, 0}, {0, 0, 0.1}},
                              .n = {21, 19, 17}};
    struct error error = {0};
    check_equal(solid_set_lattice(solid, &lattice, &error), STATUS_OK, "status");
    for (size_t k = 0; k < lattice.n[2]; k++) {
        for (size_t j = 0; j < lattice.n[1]; j++) {
            const double *row = solid_row(solid, j, k);
            for (size_t i = 0; i < lattice.n[0]; i++)
                check_close(row[i], solid_bound(solid, lattice_point(&lattice, i, j, k), 0.0),
                            1e-14, "row");
        }
    }
    solid_free(solid);
}

static void check_refused(const struct shape *shape, const char *part)
{
    struct solid *solid = NULL;
    struct error error = {0};
    check_equal(solid_create(&solid, shape, &error), STATUS_INVALID, "status");
    check(solid == NULL);
    check_contains(error.message, "scene.yaml:7:3: ");
    check_contains(error.message, part);
}

TEST(contradicting_measures_are_refused)
{
    struct shape torus = {.kind = SHAPE_TORUS, .radius = 1, .tube = 1.5, .origin = here};
    check_refused(&torus, "tube <= radius");
    struct shape bowl = {.kind = SHAPE_BOWL, .radius = 1, .thickness = 2, .height = 1};
    bowl.origin = here;
    check_refused(&bowl, "thickness <= radius");
    bowl.thickness = 0.1, bowl.height = 2.5;
    check_refused(&bowl, "height <= 2 radius");
    struct shape sheet = {.kind = SHAPE_SHEET, .cells = {3, 3}, .origin = here};
    struct shape all = {.kind = SHAPE_UNION, .n_children = 1, .child = &sheet};
    check_refused(&all, "a sheet has no inside");
    all = (struct shape){.kind = SHAPE_DIFFERENCE, .origin = here};
    check_refused(&all, "difference of nothing");
}

TEST(a_placed_solid_is_the_solid_where_it_was_put)
{
    const double third[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}; /* a third turn about the diagonal */
    for (int which = 0; which < N_PRIMITIVES; which++) {
        struct placed_shape placed = {.shape = sample_shape(which), .position = {3.0, -2.0, 1.0}};
        struct placed_solid world;
        struct error error = {0};
        memcpy(placed.rotation, third, sizeof third);
        check_equal(placed_solid_create(&world, &placed, &error), STATUS_OK, "status");
        struct solid *solid = make(&placed.shape);
        size_t inside = 0;
        for (uint64_t i = 0; i < 3000; i++) {
            struct vec3 own = random_point(i, 1.2);
            struct vec3 point = vec3_add(placed.position, vec3(own.z, own.x, own.y));
            double distance = solid_distance(solid, own);
            check_close(placed_solid_distance(&world, point), distance, 1e-14, "distance");
            check(fabs(distance) < 1e-12 || placed_solid_holds(&world, point) == (distance < 0.0));
            inside += distance < 0.0;
        }
        check(inside > 50);
        solid_free(solid);
        placed_solid_free(&world);
    }
}

TEST(every_failed_allocation_is_reported)
{
    struct shape child[2] = {sample_shape(0), sample_shape(1)};
    struct shape shape = {.kind = SHAPE_UNION, .n_children = 2, .child = child};
    struct lattice lattice = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .n = {2, 2, 2}};
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct solid *solid = NULL;
        memory.status = solid_create(&solid, &shape, &memory.error);
        if (!memory.status)
            memory.status = solid_set_lattice(solid, &lattice, &memory.error);
        memory_works(&memory);
        solid_free(solid);
    }
    check_equal(memory.n, 31, "allocations");
}
