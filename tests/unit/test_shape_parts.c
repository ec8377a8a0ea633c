/* Bodies of several shapes, which bend. Values that a claim is about. */
#include "base/rotation.h"
#include "constraints/shape_parts.h"
#include "trials.h"

static const char bridge_text[] =
    "name: bridge\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: 100, max_step: 8.33333333333e-3, courant: never, frame_interval: 100}\n"
    "contact: {method: position-based, friction: 0.6, static_friction: 0.6}\n"
    "position: {friction: kept}\n"
    "materials: {beam: {model: rigid, shapes: %d}, stone: {model: rigid}}\n"
    "bodies:\n"
    "  bar: {material: beam, radius: 0.05, density: 1000, position: [0, 0, 0.35],\n"
    "        shape: {box: {size: [2.4, 0.3, 0.3]}}}\n"
    "  pier: {material: stone, radius: 0.05, density: 1000, position: [-1.1, 0, 0.1], fixed: all,\n"
    "         copies: {counts: [2, 1, 1], spacing: [2.2, 0, 0]}, shape: {box: {size: [0.2, 0.3, "
    "0.2]}}}\n";

/* How far the middle of a bar that lies on two piers is below its ends after 2 s, in spacings. */
static double sag(int shapes)
{
    char text[sizeof bridge_text + 20];
    struct trial t;
    double ends = 0.0, middle = 0.0;
    snprintf(text, sizeof text, bridge_text, shapes);
    trial_create(&t, text);
    while (t.s.time < 2.0)
        step_once(&t.s);
    const struct particles *p = &t.s.particles;
    for (size_t i = 0; i < 216; i++) {
        const double x = t.sample.rest_position[i].x;
        ends += fabs(x) > 1.1 ? p->position[i].z / 18.0 : 0.0;
        middle += fabs(x) < 0.1 ? p->position[i].z / 18.0 : 0.0;
    }
    trial_free(&t);
    return (ends - middle) / 0.1;
}

TEST(a_body_of_more_shapes_bends_more)
{
    double before = -1.0;
    for (int shapes = 1; shapes <= 8; shapes *= 2) {
        const double now = sag(shapes);
        char name[40];
        snprintf(name, sizeof name, "UPP.shapes.sag.%d", shapes);
        measured(name, now);
        check(now > before);
        before = now;
    }
}

/* One iteration from any places keeps the center of mass and, if the body only turned, all places.
 */
TEST(several_shapes_keep_momentum_and_turn_as_one)
{
    enum { N = 48 };
    struct vec3 rest[N], at[N], shift[N];
    double violation[N];
    struct shape_parts *parts;
    struct error error = {0};
    const struct mat3 turn = rotation_by(vec3(0.3, -1.2, 2.0));
    for (int i = 0; i < N; i++)
        rest[i] = vec3(i % 12, i / 12 % 2, i / 24);
    check_equal(shape_parts_create(&parts, 4, N, rest, &error), STATUS_OK, error.message);
    for (int bent = 0; bent < 2; bent++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        double most = 0.0;
        for (int i = 0; i < N; i++) {
            const double up = bent ? 0.01 * rest[i].x * rest[i].x : 0.0;
            at[i] = mat3_mul_vec3(&turn, vec3(rest[i].x, rest[i].y, rest[i].z + up));
        }
        shape_parts_match(parts, 1.0, at, shift, violation);
        for (int i = 0; i < N; i++) {
            sum = vec3_add(sum, shift[i]);
            most = fmax(most, vec3_norm(shift[i]));
        }
        check_close(vec3_norm(sum), 0.0, 1e-13, "sum of ways");
        check(bent ? most > 0.01 : most < 1e-13);
    }
    shape_parts_free(parts);
}

/* Of four layers, two shapes have three each. */
TEST(parts_of_fewer_layers_are_refused)
{
    const struct body body = {.name = "bar", .origin = {"scene.yaml", 5, 10}, .radius = 0.5};
    const struct rigid_material rigid = {.stiffness = 1.0, .shapes = 3};
    const struct material material = {.model = &rigid_model, .parameters = &rigid};
    const struct vec3 rest[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    struct error error = {0};
    check_equal(rigid_model.check_body(&body, &material, 4, rest, NULL, &error), STATUS_INVALID,
                "three shapes");
    check_contains(error.message, "scene.yaml:5:10: body 'bar' is 4 layers of particles long, too "
                                  "few for 3 shapes of three layers that overlap by half; shapes: "
                                  "2 would be right");
}
