/* Bodies within others: the advice on the hole is followed, and must be right and not too much. */
#include "bodies.h"
#include "systems/sph/fluid_model.h"

static struct origin at_tank = {"tank.yaml", 3, 1}, at_hole = {"tank.yaml", 5, 9};

/* Water in a box, without a second shape at first, and a turned and displaced ball in it. */
struct tank {
    struct shape part[3];
    struct body body[2];
    struct material material[2];
    struct scene scene;
};

static void tank_make(struct tank *t, size_t outer)
{
    size_t inner = 1 - outer;
    *t = (struct tank){.material = {steel, {.name = "water", .model = &fluid_model}}};
    t->part[0] = (struct shape){.kind = SHAPE_BOX, .size = {0.3, 0.32, 0.34}};
    t->body[outer] = ball_body(0.0, 0.008);
    t->body[outer].name = "water";
    t->body[outer].material = 1;
    t->body[outer].shape =
        (struct shape){.kind = SHAPE_DIFFERENCE, .child = t->part, .origin = at_tank};
    t->body[outer].position = vec3(0.02, -0.03, 0.5);
    t->body[inner] = ball_body(0.05, 0.01);
    t->body[inner].position = vec3(0.031, -0.02, 0.507);
    turn(t->body[outer].rotation, 0.7);
    turn(t->body[inner].lattice_rotation, 0.4);
    t->scene = (struct scene){
        .name = "trial", .n_materials = 2, .material = t->material, .n_bodies = 2, .body = t->body};
}

/* Cuts a ball around the other, and a corner that has nothing to do with it. */
static void tank_cut(struct tank *t, size_t outer, double radius)
{
    const double *r = t->body[outer].rotation;
    struct vec3 d = vec3_sub(t->body[1 - outer].position, t->body[outer].position);
    t->part[1] = (struct shape){.kind = SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
    t->part[1].center = vec3(0.15, 0.16, 0.17);
    t->part[2] = (struct shape){.kind = SHAPE_BALL, .radius = radius, .origin = at_hole};
    t->part[2].center =
        vec3(r[0] * d.x + r[3] * d.y + r[6] * d.z, r[1] * d.x + r[4] * d.y + r[7] * d.z,
             r[2] * d.x + r[5] * d.y + r[8] * d.z);
    t->body[outer].shape.n_children = 3;
}

/* What sampling says; the empty string if nothing overlaps. */
static struct error said(const struct tank *t)
{
    struct sample sample;
    struct error error = {0};
    sample_scene(&t->scene, &sample, &error);
    sample_free(&sample);
    return error;
}

/* The number in front of ` m ` after some words; nan without them. */
static double number_after(const struct error *error, const char *words)
{
    const char *found = strstr(error->message, words);
    double number = (double)NAN;
    if (found)
        sscanf(found + strlen(words), "%lf m ", &number);
    return number;
}

TEST(a_hole_that_is_too_narrow_gets_as_wide_as_it_has_to_be)
{
    static const double radius[] = {0.069, 0.06, 0.05, 0.03, 0.01};
    for (size_t k = 0; k < 2 * sizeof radius / sizeof radius[0]; k++) {
        size_t outer = k % 2;
        struct tank t;
        tank_make(&t, outer);
        tank_cut(&t, outer, radius[k / 2]);
        struct error error = said(&t);
        if (k / 2 == 0 && error.message[0] == '\0')
            continue;
        check_contains(error.message, "tank.yaml:5:9: bodies '");
        double wider = number_after(&error, "a hole in 'water' whose surface is ");
        check(wider > 0.0);
        tank_cut(&t, outer, radius[k / 2] + 0.98 * wider);
        check(said(&t).message[0] != '\0');
        tank_cut(&t, outer, radius[k / 2] + wider);
        check_equal(said(&t).message[0], '\0', "nothing overlaps");
    }
}

TEST(a_hole_that_is_missing_is_asked_for)
{
    struct tank t;
    tank_make(&t, 1);
    t.body[1].shape.n_children = 1;
    struct error error = said(&t);
    check_contains(error.message, "tank.yaml:3:1: bodies 'ball' and 'water' overlap");
    double beyond = number_after(&error, "a hole in 'water', cut by a difference whose second "
                                         "shape reaches ");
    check(beyond > 0.018 && beyond < 0.0183);
    tank_cut(&t, 1, 0.05 + beyond);
    check_equal(said(&t).message[0], '\0', "nothing overlaps");
}

TEST(bodies_side_by_side_are_to_be_moved)
{
    struct tank t;
    tank_make(&t, 1);
    t.body[1].shape.n_children = 1;
    t.body[0].position.z += 0.2;
    check_contains(said(&t).message, "moving 'water' by ");
    tank_make(&t, 1);
    t.body[1].shape.n_children = 1;
    t.body[1].material = 0; /* a ball within a solid */
    check_contains(said(&t).message, "moving 'water' by ");
}
