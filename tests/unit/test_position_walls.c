/* contact.method: position-based at walls with corners: every face holds, and what contacts have
 * slipped at one is not that at another. */
#include "endings.h"
#include "position_scenes.h"
#include "shape/wall_touch.h"

static const double R = 0.05; /* m */

/* A box around the origin, turned, in which everything is. */
static struct wall room(struct vec3 size, struct vec3 position)
{
    /* by 36.87 degrees about z and then by 22.62 degrees about x */
    const double c = 0.8, s = 0.6, d = 12.0 / 13.0, t = 5.0 / 13.0;
    return (struct wall){.name = "room",
                         .region = {.shape = {.kind = SHAPE_BOX, .size = size},
                                    .position = position,
                                    .rotation = {c, -s, 0, d * s, d * c, -t, t * s, t * c, d}},
                         .keep = KEEP_INSIDE,
                         .holds = HOLDS_ALL};
}

/* Column k of the wall's rotation: the normal of the face at the low end of its axis k. */
static struct vec3 axis_of(const struct wall *wall, int k)
{
    const double *r = wall->region.rotation;
    return vec3(r[k], r[3 + k], r[6 + k]);
}

/* The place in the room at these distances from three of its faces. */
static struct vec3 place_in(const struct wall *wall, struct vec3 distance)
{
    const struct vec3 half = vec3_scale(0.5, wall->region.shape.size);
    struct vec3 x = vec3_axpy(wall->region.position, distance.x - half.x, axis_of(wall, 0));
    x = vec3_axpy(x, distance.y - half.y, axis_of(wall, 1));
    return vec3_axpy(x, distance.z - half.z, axis_of(wall, 2));
}

static struct walls *walls_of(struct wall *wall, size_t n)
{
    struct scene scene = {.n_walls = n, .wall = wall};
    struct walls *walls = NULL;
    struct error error = {0};
    check_equal(walls_create(&walls, &scene, &error), STATUS_OK, error.message);
    return walls;
}

/* Normals are exact up to rounding at planes; at curved faces up to the step of their difference
 * quotient, R / 1000, over the radius, squared. */
static bool has(const struct wall_face *face, size_t n, struct vec3 normal, double distance,
                struct vec3 x)
{
    bool found = false;
    for (size_t f = 0; f < n; f++)
        found |= vec3_norm(vec3_sub(face[f].normal, normal)) < 1e-7 &&
                 fabs(vec3_dot(face[f].normal, x) - face[f].level - distance) < 1e-12;
    return found;
}

/* ---- which faces there are ---- */

TEST(all_faces_of_a_corner_are_found_wherever_a_particle_is)
{
    struct wall wall = room(vec3(2.0, 3.0, 4.0), vec3(0.3, -0.2, 0.1));
    struct walls *walls = walls_of(&wall, 1);
    for (uint64_t draw = 0; draw < 400; draw++) {
        const struct vec3 at = random_vector(5, draw);
        /* a quarter of the distances are equal: on ridges */
        double d[3] = {R * (1.0 + 1.4 * at.x), R * (1.0 + 1.4 * at.y), R * (1.0 + 1.4 * at.z)};
        if (draw % 4 == 0)
            d[1] = d[0];
        if (draw % 8 == 0)
            d[2] = d[0];
        const struct vec3 x = place_in(&wall, vec3(d[0], d[1], d[2]));
        struct wall_face face[MOST_WALL_FACES];
        size_t n = walls_faces(walls, 0, x, 2.0 * R, face), right = 0;
        if (fmin(d[0], fmin(d[1], d[2])) < 0.0)
            continue; /* outside, an edge or a corner may be the nearest */
        for (int k = 0; k < 3; k++) {
            right += d[k] < 2.0 * R;
            check(d[k] > 2.0 * R || has(face, n, axis_of(&wall, k), d[k], x));
        }
        check(n == right);
    }
    walls_free(walls);
}

TEST(both_sides_of_a_slot_and_its_bottom_are_found)
{
    for (double width = 2.0 * R; width < 2.5 * R; width += 0.1 * R) {
        struct wall wall = room(vec3(width, 1.0, 1.0), vec3(0.0, 0.0, 0.0));
        struct walls *walls = walls_of(&wall, 1);
        struct wall_face face[MOST_WALL_FACES];
        const struct vec3 d = vec3(0.99 * R, 0.4, 0.99 * R), x = place_in(&wall, d);
        size_t n = walls_faces(walls, 0, x, 2.0 * R, face);
        check(n == 3);
        check(has(face, n, axis_of(&wall, 0), d.x, x));
        check(has(face, n, vec3_scale(-1.0, axis_of(&wall, 0)), width - d.x, x));
        check(has(face, n, axis_of(&wall, 2), d.z, x));
        walls_free(walls);
    }
}

/* A step between two floors: in its inner edge two faces hold, on its outer edge one does, which is
 * between those of the step, and inside a tube one. */
TEST(an_inner_edge_has_two_faces_and_an_outer_one_has_one)
{
    struct shape part[2] = {{.kind = SHAPE_BOX, .size = {2, 2, 1}, .center = {-1, 0, -0.5}},
                            {.kind = SHAPE_BOX, .size = {2, 2, 1}, .center = {1, 0, 0}}};
    struct wall step = {.name = "step",
                        .region = {.shape = {.kind = SHAPE_UNION, .n_children = 2, .child = part},
                                   .rotation = UPRIGHT},
                        .keep = KEEP_OUTSIDE};
    struct walls *walls = walls_of(&step, 1);
    struct wall_face face[MOST_WALL_FACES];
    struct vec3 x = vec3(-R, 0.2, R);
    check(walls_faces(walls, 0, x, 2.0 * R, face) == 2);
    check(has(face, 2, vec3(-1, 0, 0), R, x) && has(face, 2, vec3(0, 0, 1), R, x));
    x = vec3(-R, 0.2, 0.5 + R);
    check(walls_faces(walls, 0, x, 2.0 * R, face) == 1);
    check(has(face, 1, vec3(-sqrt(0.5), 0, sqrt(0.5)), sqrt(2.0) * R, x));
    walls_free(walls);

    struct wall tube = {.name = "tube",
                        .region = {.shape = {.kind = SHAPE_CYLINDER, .radius = 8 * R, .height = 4},
                                   .rotation = UPRIGHT},
                        .keep = KEEP_INSIDE};
    walls = walls_of(&tube, 1);
    x = vec3(0.6 * 7.1 * R, 0.8 * 7.1 * R, 0.0);
    check(walls_faces(walls, 0, x, 2.0 * R, face) == 1);
    check(has(face, 1, vec3(-0.6, -0.8, 0), 0.9 * R, x));
    walls_free(walls);
}

/* ---- who rests there ---- */

static double speed(const struct simulation *s)
{
    double largest = 0.0;
    for (size_t i = 0; i < s->particles.n; i++)
        largest = fmax(largest, vec3_norm(s->particles.velocity[i]));
    return largest;
}

/* Grains that gravity, along none of the axes, drives into the corner of a room: as long as they
 * keep still, they are in touch with three faces of one wall. */
TEST(a_grain_rests_in_the_corner_of_one_wall)
{
    for (int way = 0; way < 4; way++) {
        struct hand_scene h;
        struct simulation s;
        struct wall wall = room(vec3(2.0, 2.0, 2.0), vec3(0.0, 0.0, 0.0));
        begin(&h, 4, way % 2 ? AVERAGING_MASS_SPLITTING : AVERAGING_PARTICLE);
        h.scene.position.friction = way / 2 ? FRICTION_KEPT : FRICTION_OF_STEP;
        h.scene.contact.friction = h.scene.contact.static_friction = way / 2 ? 0.4 : 0.0;
        for (int k = 0; k < 3; k++)
            h.scene.gravity = vec3_axpy(h.scene.gravity, -G * (0.5 + 0.1 * k), axis_of(&wall, k));
        h.scene.n_walls = 1;
        h.scene.wall = &wall;
        add_body(&h, add_loose(&h), R, 3.0);
        add_particle(&h, place_in(&wall, vec3(R, R, R)), vec3(0.0, 0.0, 0.0));
        start(&h, &s);
        for (int k = 0; k < 400; k++)
            check_close(step_once(&s).energy_imbalance, 0.0, 1e-13, "energy_imbalance");
        check_close(speed(&s), 0.0, 1e-11, "speed");
        struct vec3 moved = vec3_sub(s.particles.position[0], h.rest[0]);
        /* no deeper than what iterations leave of a step's fall: 2 / 3 of it each */
        check_close(vec3_norm(moved), 0.0, G * 1e-6, "depth");
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* ---- what has slipped where ---- */

/* A block stands on a slope, its contacts with the floor have slipped. Then it is at the room's
 * side and gravity towards it: nothing moves it along the side. */
TEST(a_face_does_not_take_over_what_slipped_at_another)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = room(vec3(4.0, 4.0, 4.0), vec3(0.0, 0.0, 0.0));
    const struct vec3 x = axis_of(&wall, 0), y = axis_of(&wall, 1), z = axis_of(&wall, 2);
    begin(&h, 4, AVERAGING_PARTICLE);
    h.scene.position.friction = FRICTION_KEPT;
    h.scene.contact.friction = h.scene.contact.static_friction = 0.5;
    h.scene.time.max_step = 1.0 / 120.0;
    h.scene.gravity = vec3_axpy(vec3_scale(0.35 * G, x), -G, z);
    h.scene.n_walls = 1;
    h.scene.wall = &wall;
    add_body(&h, add_rigid(&h), R, 0.2);
    for (int k = 0; k < 27; k++) /* a block in the frame of the room */
        add_particle(&h,
                     place_in(&wall, vec3(2.0 + 2 * R * (k % 3), 2.0 + 2 * R * (k / 3 % 3),
                                          R + 2 * R * (k / 9))),
                     vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 60; k++)
        step_once(&s);
    /* one step in which the low edge of the block touches the side instead */
    h.scene.gravity = vec3_scale(-G, y);
    for (size_t i = 0; i < s.particles.n; i++) {
        s.particles.position[i] =
            vec3_add(s.particles.position[i], vec3_axpy(vec3_scale(-2.0 + R, y), 1.0, z));
        s.particles.velocity[i] = vec3(0.0, 0.0, 0.0);
    }
    struct ledger_row row = step_once(&s);
    check(row.support_impulse_y > 0.0);
    for (size_t i = 0; i < s.particles.n; i++)
        check_close(vec3_dot(s.particles.velocity[i], x), 0.0, 1e-6, "speed along the side");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- interruption ---- */

/* A block that slides down the edge of a room, kept by friction at two of its faces. */
static void begin_slide(struct hand_scene *h, struct wall *wall)
{
    *wall = room(vec3(4.0, 4.0, 4.0), vec3(0.0, 0.0, 0.0));
    begin(h, 4, AVERAGING_PARTICLE);
    h->scene.position.friction = FRICTION_KEPT;
    h->scene.contact.friction = 0.3;
    h->scene.contact.static_friction = 0.4;
    h->scene.time.max_step = 1.0 / 120.0;
    h->scene.gravity = vec3_scale(0.6 * G, axis_of(wall, 0));
    h->scene.gravity = vec3_axpy(h->scene.gravity, -0.5 * G, axis_of(wall, 1));
    h->scene.gravity = vec3_axpy(h->scene.gravity, -0.6 * G, axis_of(wall, 2));
    h->scene.n_walls = 1;
    h->scene.wall = wall;
    add_body(h, add_rigid(h), R, 0.2);
    for (int k = 0; k < 27; k++)
        add_particle(h,
                     place_in(wall, vec3(1.0 + 2 * R * (k % 3), R + 2 * R * (k / 3 % 3),
                                         R + 2 * R * (k / 9))),
                     vec3(0.0, 0.0, 0.0));
}

/* How many particles have slips at two faces of a wall. */
static size_t at_two_faces(const struct state_value *slips)
{
    double(*row)[8] = slips->data;
    size_t n = 0;
    for (size_t k = 1; k < slips->rows; k++)
        n += row[k][0] == row[k - 1][0] && row[k][1] == row[k - 1][1];
    return n;
}

TEST(a_slide_along_an_edge_goes_on_from_a_frame_to_the_bit)
{
    struct hand_scene h;
    struct wall wall;
    struct simulation s;
    struct state state;
    begin_slide(&h, &wall);
    start(&h, &s);
    for (int k = 0; k < 40; k++)
        step_once(&s);
    state_take(&state, &s);
    check(at_two_faces(state_find(&state, "slips")) > 0);
    check_goes_on(&s, h.rest, 20);
    check(vec3_norm(s.particles.velocity[0]) > 0.1);
    simulation_free(&s);
    state_free(&state);
    hand_scene_end(&h);
}

enum change { SWAPPED, REPEATED, NO_NORMAL, NOBODY, NO_NUMBER, CHANGES };

/* Changes a list of slips into one that no run leaves. */
static void change_slips(enum change change, double (*row)[8])
{
    switch (change) {
    case SWAPPED:
        row[0][0] = row[1][0] + 1.0;
        break;
    case REPEATED:
        memcpy(row[1], row[0], sizeof row[0]);
        break;
    case NO_NORMAL:
        row[0][7] *= 2.0;
        break;
    case NOBODY:
        row[0][1] += 1.0;
        break;
    default:
        row[0][2] = (double)NAN;
    }
}

TEST(a_frame_with_other_slips_is_refused)
{
    static const char *const says[CHANGES] = {
        "row 1 of slips repeats the row before it, or should come earlier",
        "row 1 of slips repeats the row before it, or should come earlier",
        "row 0 of slips names no contact", "row 0 of slips names no contact",
        "row 0 of slips names no contact"};
    struct hand_scene h;
    struct wall wall;
    struct simulation s, again;
    begin_slide(&h, &wall);
    start(&h, &s);
    for (int k = 0; k < 10; k++)
        step_once(&s);
    for (int change = 0; change < CHANGES; change++) {
        struct state state;
        struct error error = {0};
        check_equal(state_create(&state, &error), STATUS_OK, error.message);
        check_equal(simulation_take_state(&s, &state, &error), STATUS_OK, error.message);
        struct state_value *slips = state_find(&state, "slips");
        check(slips->rows > 2);
        change_slips((enum change)change, slips->data);
        check_equal(resume(&again, &s, &state, h.rest, &error), STATUS_INVALID, "status");
        check(strstr(error.message, says[change]));
        if (!strstr(error.message, says[change]))
            printf("# %s\n", error.message);
        state_free(&state);
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- time.courant: never ---- */

/* A block of bonds that break and one of grains fall into a box and onto each other. */
static void begin_heap(struct hand_scene *h, double courant)
{
    begin(h, 4, AVERAGING_PARTICLE);
    h->scene.time.courant = courant;
    h->scene.time.motion = CFL_RELATIVE;
    h->scene.time.max_step = 4e-3;
    h->scene.gravity = vec3(0.0, 0.0, -G);
    add_body(h, add_peridynamics(h, 1e5, 1.9, 0.0, 0.05), 0.05, 0.2);
    add_block(h, 4, 4, 3, vec3(0.0, 0.0, 0.1), vec3(0.2, 0.0, -3.0));
    add_body(h, add_loose(h), 0.05, 0.1);
    add_block(h, 3, 3, 3, vec3(0.03, 0.02, 0.45), vec3(0.0, 0.3, -5.0));
}

/* Contacts are looked for by one search in place of two, and that shows in no bit. */
TEST(searches_that_are_shared_change_nothing)
{
    struct hand_scene h[2];
    struct simulation s[2];
    struct wall wall = floor_at(0.0);
    double contacts = 0.0, broken = 0.0;
    for (int k = 0; k < 2; k++) {
        begin_heap(&h[k], k == 0 ? 100.0 : (double)INFINITY);
        h[k].scene.n_walls = 1;
        h[k].scene.wall = &wall;
        start(&h[k], &s[k]);
    }
    for (int step = 0; step < 100; step++) {
        struct ledger_row one = step_once(&s[0]), other = step_once(&s[1]);
        check(one.relative_displacement > 0.0 && other.relative_displacement == 0.0);
        one.relative_displacement = 0.0;
        check(memcmp(&one, &other, sizeof one) == 0);
        contacts += one.contacts;
        broken = ledger_value(&one, "broken_bonds");
    }
    check(contacts > 1000.0 && broken > 10.0);
    check(memcmp(s[0].particles.position, s[1].particles.position,
                 s[0].particles.n * sizeof(struct vec3)) == 0);
    check(detector_searches(s[0].detector) > 0 && detector_searches(s[1].detector) < 150);
    for (int k = 0; k < 2; k++) {
        simulation_free(&s[k]);
        hand_scene_end(&h[k]);
    }
}
