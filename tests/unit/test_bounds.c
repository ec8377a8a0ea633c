/* Walls and meta-particles: all members are held back as far as the walls hold any of them, in
 * corners as well. */
#include "yards.h"

enum { MEMBERS = 4, MOST_WALLS = 3, TRIALS = 200 };

/* A meta-particle near walls, that hold particles off by half a radius. */
struct bay {
    struct yard y;
    struct wall wall[MOST_WALLS];
    struct vec3 path[MEMBERS]; /* before walls stop it, m/s */
};

/* A floor, whose upper face goes through the origin, turned about the y axis. */
static void add_slope(struct bay *b, double angle)
{
    struct scene *scene = &b->y.h.scene;
    struct wall *wall = &b->wall[scene->n_walls++];
    double c = cos(angle), s = sin(angle);
    const double rotation[9] = {c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c};
    add_floor(&b->y);
    *wall = b->y.wall;
    memcpy(wall->region.rotation, rotation, sizeof rotation);
    wall->region.shape.size = vec3(9.0, 9.0, 9.0);
    wall->region.shape.center = vec3(0.0, 0.0, -4.5);
    scene->wall = b->wall;
}

/* add_floor leaves one wall. */
static void add_slopes(struct bay *b, size_t n, const double *angle)
{
    for (size_t k = 0; k < n; k++) {
        b->y.h.scene.n_walls = k;
        add_slope(b, angle[k]);
        b->y.h.scene.n_walls = k + 1;
    }
}

static void bay_begin(struct bay *b, size_t n, const double *angle, const struct vec3 *position)
{
    hand_scene_begin(&b->y.h);
    b->y.h.scene.n_walls = 0;
    add_slopes(b, n, angle);
    add_stone(&b->y);
    for (size_t i = 0; i < MEMBERS; i++)
        add_particle(&b->y.h, position[i], vec3(0.0, 0.0, 0.0));
    start(&b->y.h, &b->y.s);
    step_once(&b->y.s); /* systems know who is near walls */
}

/* ---- with dt = 1 s, speeds are displacements ---- */

static struct ledger_row confine_all(struct bay *b, struct vec3 path)
{
    static const uint32_t member[MEMBERS] = {0, 1, 2, 3}, leader[MEMBERS] = {0, 0, 0, 0};
    struct simulation *s = &b->y.s;
    struct ledger_row row = {0};
    struct error error;
    groups_dissolve(&s->groups, &s->particles);
    groups_assign(&s->groups, &s->particles, MEMBERS, member, leader);
    for (size_t i = 0; i < MEMBERS; i++)
        s->motion.mean[i] = s->velocity[i] = b->path[i] = path;
    check(keep_within_walls(s, 1.0, &row, &error) == STATUS_OK);
    return row;
}

static double least_distance(const struct bay *b)
{
    const struct simulation *s = &b->y.s;
    double least = (double)INFINITY;
    for (size_t i = 0; i < MEMBERS; i++) {
        struct vec3 end = vec3_add(s->particles.position[i], s->motion.mean[i]);
        least = fmin(least, walls_distance(s->walls, end));
    }
    return least;
}

/* Nobody is in a wall, and all members were moved alike: how far. */
static struct vec3 check_alike(struct bay *b)
{
    struct vec3 back = vec3_sub(b->y.s.motion.mean[0], b->path[0]);
    check(least_distance(b) >= (1.0 - 2e-9) * WALL_NEAREST * R);
    for (size_t i = 1; i < MEMBERS; i++)
        check_vec3(vec3_sub(b->y.s.motion.mean[i], b->path[i]), back, 1e-15, "moved alike");
    return back;
}

static struct vec3 push(struct bay *b, struct vec3 path)
{
    confine_all(b, path);
    return check_alike(b);
}

static void bay_end(struct bay *b)
{
    yard_end(&b->y);
}

/* ---- */

/* Whoever is listed first is stopped most by the wall at the left, and another one by the floor:
 * both count in full, in whatever order. */
TEST(a_corner_sets_all_members_back_from_both_walls)
{
    static const double angle[] = {0.0, M_PI / 2};
    struct vec3 x[MEMBERS] = {
        {R, 0.0, 6 * R}, {3 * R, 0.0, R}, {5 * R, 0.0, 3 * R}, {9 * R, 0, 9 * R}};
    for (size_t turn = 0; turn < MEMBERS; turn++) {
        struct bay b;
        struct vec3 first = x[0];
        bay_begin(&b, 2, angle, x);
        struct vec3 back = push(&b, vec3(-4.5 * R, 0.3 * R, -2.5 * R));
        check_vec3(back, vec3(4.0 * R, 0.0, 2.0 * R), 1e-11, "back");
        bay_end(&b);
        memmove(x, x + 1, (MEMBERS - 1) * sizeof *x);
        x[MEMBERS - 1] = first;
    }
}

/* Walls that meet at an acute angle: each time the one takes members into the other, by less. */
TEST(an_acute_edge_sets_all_members_back_until_no_wall_stops_any)
{
    static const double angle[] = {0.0, 2 * M_PI / 3};
    struct vec3 x[MEMBERS];
    size_t twice = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct bay b;
        for (uint64_t i = 0; i < MEMBERS; i++) {
            struct vec3 r = random_vector(11 * trial + i, 1);
            x[i] = vec3_axpy(vec3(9 * R, 0.0, 6 * R), 3 * R, r);
        }
        bay_begin(&b, 2, angle, x);
        struct ledger_row row = confine_all(&b, vec3_scale(-6 * R, vec3(1.0, 0.2, 0.6)));
        check_alike(&b);
        twice += row.stopped > MEMBERS;
        bay_end(&b);
    }
    check(twice > TRIALS / 10);
}

/* In an edge of 20 degrees the floor stops one member and the slope above another. Each time the
 * one wall takes cos(20 degrees) of what the other one gave: 64 times do not end that, and the
 * meta-particle stays where it is. */
TEST(between_walls_that_take_turns_nobody_moves)
{
    static const double angle[] = {0.0, M_PI * 160 / 180};
    const struct vec3 x[MEMBERS] = {
        {60 * R, 0, R}, {60 * R, 0, 20 * R}, {62 * R, 0, R}, {64 * R, 0, 20 * R}};
    struct bay b;
    bay_begin(&b, 2, angle, x);
    struct ledger_row row = confine_all(&b, vec3(-30 * R, 0.3 * R, -3 * R));
    check_vec3(check_alike(&b), vec3(30 * R, -0.3 * R, 3 * R), 0.0, "back");
    check(row.stopped > 64);
    bay_end(&b);
}

/* In an edge of 3 degrees the walls leave the end of a path no room at all. */
TEST(in_a_narrow_edge_nobody_moves)
{
    static const double angle[] = {0.0, M_PI * 177 / 180};
    const struct vec3 x[MEMBERS] = {
        {60 * R, 0, R}, {62 * R, 0, R}, {64 * R, 0, R}, {66 * R, 0, 1.2 * R}};
    struct bay b;
    bay_begin(&b, 2, angle, x);
    check_vec3(push(&b, vec3(-45 * R, 0.3 * R, 0.0)), vec3(45 * R, -0.3 * R, 0.0), 0.0, "back");
    bay_end(&b);
}

TEST(who_is_far_from_walls_goes_on)
{
    static const double angle[] = {0.0, M_PI / 2};
    const struct vec3 x[MEMBERS] = {
        {8 * R, 0, 6 * R}, {8 * R, 0, 8 * R}, {6 * R, 0, 8 * R}, {9 * R, 0, 9 * R}};
    struct bay b;
    bay_begin(&b, 2, angle, x);
    check_vec3(push(&b, vec3(-4.5 * R, 0.3 * R, -2.5 * R)), vec3(0.0, 0.0, 0.0), 0.0, "back");
    bay_end(&b);
}
