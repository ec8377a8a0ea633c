/* Rigid bodies that know how deep their particles lie in them: the field at rest against closed
 * forms, normals and depths of single contacts, and bodies that have come into each other. */
#include "constraint_stage.h"
#include "constraints/contacts_parts.h"
#include "position_scenes.h"
#include "systems/constrained/rigid_field.h"

/* ---- the field at rest ---- */

/* How far the point is inside, and whether `outward` leads to a nearest point of the surface. */
static double in_box(struct vec3 half, struct vec3 at, struct vec3 outward, bool *leads)
{
    const double way[3] = {half.x - fabs(at.x), half.y - fabs(at.y), half.z - fabs(at.z)};
    const double place[3] = {at.x, at.y, at.z}, out[3] = {outward.x, outward.y, outward.z};
    const double depth = fmin(fmin(way[0], way[1]), way[2]);
    *leads = false;
    for (int k = 0; k < 3; k++)
        *leads = *leads || (fabs(way[k] - depth) < 1e-9 && fabs(fabs(out[k]) - 1.0) < 1e-6 &&
                            out[k] * place[k] >= 0.0);
    return depth;
}

/* Points of a lattice, its middle among them, in a body of radius 0.5 particles. */
static size_t lattice(int n, double spacing, struct vec3 *at)
{
    size_t count = 0;
    for (int i = 0; i < n * n * n; i++)
        at[count++] =
            vec3_scale(spacing, vec3(i % n - n / 2, i / n % n - n / 2, i / n / n - n / 2));
    return count;
}

static void find_field(struct shape shape, size_t n, const struct vec3 *at,
                       struct field_point *field)
{
    const struct body body = {.name = "body", .radius = 0.5, .shape = shape};
    struct error error = {0};
    check_equal(rigid_field_find(&body, n, at, FIELD_DEPTH, field, &error), STATUS_OK,
                error.message);
}

enum { POINTS = 343 };

static void check_box(struct vec3 half, size_t expected)
{
    struct vec3 at[POINTS];
    struct field_point field[POINTS];
    size_t inside = 0;
    double off = 0.0;
    lattice(7, 1.0, at);
    find_field((struct shape){.kind = SHAPE_BOX, .size = vec3_scale(2.0, half)}, POINTS, at, field);
    for (size_t i = 0; i < POINTS; i++) {
        bool leads;
        const double depth = in_box(half, at[i], field[i].outward, &leads);
        if (!(depth > 0.0)) {
            check(field[i].depth == 0.0 && field[i].rule == FIELD_NONE);
            continue;
        }
        check_close(field[i].depth, depth, 1e-12, "depth");
        off = worse(off, fabs(field[i].depth - depth));
        check(leads && field[i].rule == FIELD_DEPTH);
        inside++;
    }
    check_equal(inside, expected, "particles inside");
    measured(half.x == half.z ? "UPP.field.cube" : "UPP.field.box", off);
    const struct vec3 middle = field[POINTS / 2].outward;
    check(half.x == half.z ? middle.x == 1.0 : middle.z == 1.0);
}

/* Particles are on ridges in the middle, where the first axis decides, and from there to corners.
 */
TEST(a_box_knows_its_depths)
{
    check_box(vec3(3.5, 3.5, 3.5), 7 * 7 * 7);
    check_box(vec3(3.5, 3.5, 2.6), 7 * 7 * 5);
}

TEST(a_ball_knows_its_depths)
{
    struct vec3 at[POINTS];
    struct field_point field[POINTS], again[POINTS];
    double off = 0.0;
    lattice(7, 1.0, at);
    find_field((struct shape){.kind = SHAPE_BALL, .radius = 3.2}, POINTS, at, field);
    find_field((struct shape){.kind = SHAPE_BALL, .radius = 3.2}, POINTS, at, again);
    for (size_t i = 0; i < POINTS; i++) {
        const double r = vec3_norm(at[i]);
        check_close(field[i].depth, fmax(3.2 - r, 0.0), 1e-12, "depth");
        off = worse(off, fabs(field[i].depth - fmax(3.2 - r, 0.0)));
        check(vec3_equal(field[i].outward, again[i].outward));
        if (r > 0.0 && r < 3.2)
            check_close(vec3_dot(field[i].outward, at[i]), r, 1e-6, "part along the radius");
    }
    check_close(field[POINTS / 2].outward.x, 1.0, 1e-6, "the first axis, in the middle");
    measured("UPP.field.ball", off);
}

/* Two boxes that make an L: in its corner the way out is across, not to the seam. */
TEST(a_union_knows_its_depths)
{
    struct shape part[2] = {
        {.kind = SHAPE_BOX, .size = {9.0, 3.0, 3.0}, .center = {3.0, 0.0, 0.0}},
        {.kind = SHAPE_BOX, .size = {3.0, 9.0, 3.0}, .center = {0.0, 3.0, 0.0}}};
    const struct vec3 at[] = {{0.0, 0.0, 0.0}, {1.4, 1.3, 0.0}, {5.0, 0.4, 0.1}, {0.0, 0.0, 1.2}};
    struct field_point field[4];
    find_field((struct shape){.kind = SHAPE_UNION, .n_children = 2, .child = part}, 4, at, field);
    check_close(field[0].depth, 1.5, 1e-9, "in the corner, along -x, -y and z");
    check_close(field[1].depth, hypot(0.1, 0.2), 1e-9, "beside the inner edge");
    check_close(field[1].outward.x, 0.1 / hypot(0.1, 0.2), 1e-3, "towards it");
    check_close(field[2].depth, 1.1, 1e-9, "in an arm");
    check_close(field[2].outward.y, 1.0, 1e-6, "across it");
    check_close(field[3].depth, 0.3, 1e-9, "below a face");
}

TEST(bodies_without_an_inside_have_no_field)
{
    struct shape part[2] = {{.kind = SHAPE_MESH}, {.kind = SHAPE_BOX, .size = {1.0, 1.0, 1.0}}};
    struct body body = {
        .name = "body", .origin = {"scene.yaml", 3, 9}, .shape = {.kind = SHAPE_SHEET}};
    struct field_point field;
    const struct vec3 at = {0.0, 0.0, 0.0};
    struct error error = {0};
    check_equal(rigid_field_find(&body, 1, &at, FIELD_DEPTH, &field, &error), STATUS_INVALID,
                "a sheet");
    check_contains(error.message, "scene.yaml:3:9: body 'body' is a sheet");
    body.shape = (struct shape){.kind = SHAPE_UNION, .n_children = 2, .child = part};
    check_equal(rigid_field_find(&body, 1, &at, FIELD_DEPTH, &field, &error), STATUS_INVALID,
                "a mesh in a union");
    check_contains(error.message, "scene.yaml:3:9: body 'body' combines a mesh");
}

/* One layer of particles has both faces at the same distance, but at its rim, which is a way out.
 * Two layers have not. */
TEST(parts_one_particle_thick_have_no_way_out)
{
    struct body body = {.name = "body", .origin = {"scene.yaml", 3, 9}, .radius = 0.5};
    struct vec3 at[50];
    struct error error = {0};
    for (int i = 0; i < 50; i++)
        at[i] = vec3(i % 5 - 2, i / 5 % 5 - 2, i / 25);
    body.shape = (struct shape){.kind = SHAPE_BOX, .size = {5.0, 5.0, 1.0}};
    check_equal(rigid_field_check(&body, 25, at, &error), STATUS_INVALID, "one layer");
    check_contains(error.message,
                   "scene.yaml:3:9: body 'body' has parts less than two particles thick (9");
    body.shape.size.z = 2.0;
    body.shape.center.z = 0.5;
    check_equal(rigid_field_check(&body, 50, at, &error), STATUS_OK, "two");
}

/* ---- one contact ---- */

static struct vec3 drawn_direction(uint64_t *draw)
{
    struct vec3 v = drawn_vector(draw);
    return vec3_scale(1.0 / vec3_norm(v), v);
}

static struct field_point drawn_field(uint64_t *draw, enum field_rule rule)
{
    return (struct field_point){drawn_direction(draw), 0.05 + 2.0 * drawn(draw), rule};
}

/* UPP 20: as far out as the plain one was in, and the same where that leads out. */
TEST(one_sided_normals_never_lead_inward)
{
    enum { DRAWS = 100000 };
    const double touch = 1.0;
    uint64_t draw = 0;
    size_t surface = 0, turned = 0;
    double least_out = (double)INFINITY;
    for (int k = 0; k < DRAWS; k++) {
        const struct field_point i = drawn_field(&draw, FIELD_ONE_SIDED),
                                 j = drawn_field(&draw, FIELD_ONE_SIDED);
        const struct vec3 plain = drawn_direction(&draw);
        const struct vec3 out = i.depth <= j.depth ? i.outward : vec3_scale(-1.0, j.outward);
        const double least = fmin(i.depth, j.depth), in = vec3_dot(plain, out);
        struct vec3 normal = plain;
        const double depth = depth_in_fields(&i, &j, touch, 0.3, &normal);
        check(vec3_dot(normal, out) >= 0.0);
        least_out = fmin(least_out, vec3_dot(normal, out));
        check_close(vec3_norm(normal), 1.0, 1e-13, "length");
        check(depth == (least < touch ? 0.3 : least));
        if (least >= touch) {
            check(vec3_equal(normal, out));
            continue;
        }
        surface++;
        turned += in < 0.0;
        check_close(vec3_dot(normal, out), fabs(in), 1e-13, "part outward");
        check(in < 0.0 || vec3_equal(normal, plain));
        check_close(vec3_norm(part_across(vec3_sub(normal, plain), out)), 0.0, 1e-13, "across");
    }
    check(surface > DRAWS / 4 && turned > surface / 3);
    measured("UPP.field.outward", least_out);
}

TEST(contacts_without_two_fields_are_plain)
{
    uint64_t draw = 5;
    const struct field_point none = {0}, some = drawn_field(&draw, FIELD_DEPTH);
    const struct vec3 plain = drawn_direction(&draw);
    struct vec3 normal = plain;
    check(depth_in_fields(&none, &some, 1.0, 0.3, &normal) == 0.3 && vec3_equal(normal, plain));
    check(depth_in_fields(&some, &none, 1.0, 0.3, &normal) == 0.3 && vec3_equal(normal, plain));
    check(depth_in_fields(&some, &some, 1.0, -0.3, &normal) == -0.3);
    check(depth_in_fields(&some, &some, 1.0, 0.3, &normal) == some.depth);
    check(vec3_equal(normal, vec3_scale(-1.0, some.outward)) || vec3_equal(normal, some.outward));
}

/* Which of two ends comes first changes the sign of the normal, and nothing else: also at equal
 * depths, which lattices have everywhere. */
TEST(the_order_of_two_ends_does_not_matter)
{
    uint64_t draw = 5;
    for (int k = 0; k < 1000; k++) {
        struct field_point i = drawn_field(&draw, k % 2 ? FIELD_DEPTH : FIELD_ONE_SIDED),
                           j = drawn_field(&draw, k % 2 ? FIELD_DEPTH : FIELD_ONE_SIDED);
        struct vec3 forward = drawn_field(&draw, FIELD_DEPTH).outward,
                    backward = vec3_scale(-1.0, forward);
        if (k % 3)
            j.depth = i.depth;
        const double depth = depth_in_fields(&i, &j, 1.0, 0.3, &forward),
                     other = depth_in_fields(&j, &i, 1.0, 0.3, &backward);
        check(depth == other && vec3_norm(vec3_add(forward, backward)) < 1e-15);
    }
}

/* UPP 17 to 19: two particles deep in each other's bodies part along the shorter way out, and their
 * momentum stays. */
TEST(a_pair_takes_the_shorter_way_out)
{
    struct stage *s = stage_begin(2, true);
    struct field_point field[2] = {{{0.0, 0.6, 0.8}, 1.7, FIELD_ONE_SIDED},
                                   {{-0.6, 0.0, 0.8}, 1.2, FIELD_ONE_SIDED}};
    add_pair(&s->near, 0, 1);
    s->weight[1] = 0.25;
    s->at[1] = vec3(0.0, 0.0, 0.1);
    s->candidates.field = field;
    add_contacts(s, NULL, 0.0, 0.0);
    find(s, CONSTRAINT_CONTACTS);
    iterate(s, CONSTRAINT_CONTACTS);
    const struct vec3 apart = vec3_sub(s->shift[1], s->shift[0]);
    check_close(vec3_norm(vec3_sub(apart, vec3_scale(1.2, vec3(0.6, 0.0, -0.8)))), 0.0, 1e-15,
                "way out of the second body");
    const double left = fabs(vec3_dot(apart, vec3(0.6, 0.0, -0.8)) - 1.2),
                 momentum = vec3_norm(vec3_axpy(s->shift[0], 4.0, s->shift[1]));
    measured("UPP.field.left", left);
    measured("UPP.field.momentum", momentum);
    check_close(momentum, 0.0, 1e-15, "momentum");
    check(s->violation[0] == 1.2 && s->violation[1] == 1.2);
    stage_end(s);
}

/* ---- bodies ---- */

/* The field turns with its body, also before the first iteration and in a body that is fixed. */
TEST(a_field_turns_with_its_body)
{
    enum { N = 27 };
    for (int fixed = 0; fixed < 2; fixed++) {
        struct stage *s = stage_begin(2 + N, false);
        struct error error = {0};
        struct vec3 rest[N];
        struct field_point field[N];
        uint64_t draw = 3;
        const double c = cos(2.5), d = sin(2.5);
        for (int i = 0; i < N; i++) {
            rest[i] = vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
            field[i] = drawn_field(&draw, FIELD_DEPTH);
            s->at[2 + i] =
                vec3(c * rest[i].x - d * rest[i].y, d * rest[i].x + c * rest[i].y, 5.0 + rest[i].z);
            s->weight[2 + i] = fixed ? 0.0 : 1.0;
        }
        field[4].depth = 0.0;
        const struct shape_body body = {.first = 2, .n = N, .stiffness = 1.0, .field = true};
        check_equal(shapes_add(&s->set, 1, &body, rest, &error), STATUS_OK, error.message);
        check_equal(shapes_add_fields(&s->set, 2 + N, field, &error), STATUS_OK, error.message);
        check(s->set.field[0].depth == 0.0);
        for (int k = 0; k < 2; k++) {
            if (k == 0)
                find(s, CONSTRAINT_SHAPES);
            else
                iterate(s, CONSTRAINT_SHAPES);
            for (int i = 0; i < N; i++) {
                const struct vec3 out = field[i].outward, now = s->set.field[2 + i].outward;
                const struct vec3 right = vec3(c * out.x - d * out.y, d * out.x + c * out.y, out.z);
                check_close(vec3_norm(vec3_sub(now, right)), 0.0, 1e-13, "direction");
                check(s->set.field[2 + i].depth == field[i].depth);
            }
            memset(s->set.field, 0, (size_t)(fixed ? 0 : 2 + N) * sizeof *s->set.field);
        }
        stage_end(s);
    }
}

static const double R = 0.05, WIDTH = 0.6; /* m */

/* Two cubes of six particles along each edge, their middles `apart`, which approach each other. */
static void put_cubes(struct hand_scene *h, enum field_rule rule, double apart, double speed)
{
    const struct vec3 size = {WIDTH, WIDTH, WIDTH};
    const union hand_parameters stone = {.rigid = {.stiffness = 1.0, .field = rule}};
    begin(h, 4, AVERAGING_MASS_SPLITTING);
    h->scene.time.max_step = 1.0 / 120.0;
    const size_t material = add_material(h, &rigid_model, stone);
    for (int b = 0; b < 2; b++) {
        add_body(h, material, R, b ? 0.5 : 0.2);
        h->body[b].shape = (struct shape){.kind = SHAPE_BOX, .size = size};
        const uint32_t first =
            add_block(h, 6, 6, 6, vec3(-5.0 * R, -5.0 * R, -5.0 * R), vec3(0.0, 0.0, 0.0));
        for (uint32_t i = first; i < h->particles.n; i++) {
            struct vec3 *at = &h->particles.position[i];
            *at = vec3_add(*at, b ? vec3(apart, 0.31 * R, 0.17 * R) : vec3(0.0, 0.0, 0.0));
            h->particles.velocity[i] = vec3(b ? -speed : speed, 0.0, 0.0);
        }
    }
}

static double middle(const struct simulation *s, size_t body)
{
    double sum = 0.0;
    for (size_t i = 0; i < 216; i++)
        sum += s->particles.position[216 * body + i].x / 216.0;
    return sum;
}

/* How far apart the cubes are after half a second, and how much of the largest momentum of one of
 * them both have got from nothing. */
static double part(enum field_rule rule, double apart, double speed, double *drift)
{
    struct hand_scene h;
    struct simulation s;
    double most = 0.0;
    struct vec3 first, sum;
    put_cubes(&h, rule, apart, speed);
    start(&h, &s);
    for (int k = 0; k <= 60; k++) {
        double pushed = 0.0;
        sum = vec3(0.0, 0.0, 0.0);
        for (size_t i = 0; i < s.particles.n; i++) {
            sum = vec3_axpy(sum, s.particles.mass[i], s.particles.velocity[i]);
            pushed += i < 216 ? s.particles.mass[i] * s.particles.velocity[i].x : 0.0;
        }
        first = k == 0 ? sum : first;
        most = fmax(most, fabs(pushed));
        *drift = vec3_norm(vec3_sub(sum, first)) / fmax(most, 1e-300);
        if (k < 60)
            step_once(&s);
    }
    const double way = fabs(middle(&s, 1) - middle(&s, 0));
    simulation_free(&s);
    hand_scene_end(&h);
    return way;
}

/* Contacts of spheres hold the cubes in each other: as many push inward as outward. */
TEST(bodies_in_each_other_part_with_fields_alone)
{
    double drift;
    for (double apart = 0.1; apart < 0.35; apart += 0.1) {
        check(part(FIELD_NONE, apart * WIDTH, 0.0, &drift) < 0.5 * WIDTH);
        for (enum field_rule rule = FIELD_DEPTH; rule <= FIELD_ONE_SIDED; rule++) {
            check(part(rule, apart * WIDTH, 0.0, &drift) > 0.95 * WIDTH);
            check(drift < 1e-10);
        }
    }
}

TEST(a_collision_of_bodies_with_fields_keeps_momentum)
{
    double drift;
    check(part(FIELD_ONE_SIDED, 1.2 * WIDTH, 9.0, &drift) > 0.95 * WIDTH);
    check(drift < 1e-10);
}
