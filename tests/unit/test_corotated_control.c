/* Tests the explicit control of zero-energy modes: its forces against their definition, motions
 * that must cause none, and the step from which on it is unstable. */
#include "particles/cubic_spline.h"
#include "scenes.h"
#include "systems/corotated/corotated_parts.h"

static const double YOUNG = 1e6, SPACING = 0.1;

/* A block, alone. */
static void fill(struct hand_scene *h, int n, double weight, enum corotated_way way)
{
    hand_scene_begin(h);
    size_t rubber = add_corotated(h, YOUNG, 0.3, weight);
    h->parameters[rubber].corotated.way = way;
    h->parameters[rubber].corotated.solver = COROTATED_PREFACTORED; /* as in the paper */
    add_body(h, rubber, 0.5 * SPACING, 1000.0 * SPACING * SPACING * SPACING);
    add_block(h, n, n, n, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
}

static struct corotated *system_of(const struct hand_scene *h)
{
    struct error error = {0};
    struct system *system = NULL;
    struct system_setting setting = {
        .scene = &h->scene, .particles = &h->particles, .rest = h->rest, .n = h->particles.n};
    check_equal(corotated_class.create(&system, &setting, &error), STATUS_OK, error.message);
    return (struct corotated *)system;
}

enum { MOST = 128 };

/* Computes the forces from their definition, by the cubic spline and sums over pairs. */
static void forces_by_definition(const struct hand_scene *h, double weight, const struct vec3 *x,
                                 const struct mat3 *gradient, struct vec3 *force)
{
    const double volume = SPACING * SPACING * SPACING, h2 = 2.0 * SPACING;
    for (size_t i = 0; i < h->particles.n; i++) {
        force[i] = vec3(0.0, 0.0, 0.0);
        for (size_t j = 0; j < h->particles.n; j++) {
            struct vec3 span = vec3_sub(h->rest[j], h->rest[i]), way = vec3_sub(x[j], x[i]);
            double apart = vec3_norm(span), now = vec3_norm(way);
            if (i == j || apart > h2 * (1.0 - 1e-9))
                continue;
            struct vec3 n = vec3_scale(1.0 / now, way);
            struct vec3 unseen = vec3_sub(mat3_mul_vec3(&gradient[i], span), way);
            unseen = vec3_add(unseen, vec3_sub(mat3_mul_vec3(&gradient[j], span), way));
            double pull = -0.5 * weight * YOUNG * volume * volume * cubic_spline(h2, apart) /
                          (apart * apart) * vec3_dot(unseen, n);
            force[i] = vec3_axpy(force[i], pull, n);
        }
    }
}

TEST(forces_are_those_of_the_definition)
{
    struct hand_scene h;
    struct vec3 x[MOST], force[MOST], expected[MOST], sum = {0, 0, 0}, torque = {0, 0, 0};
    double largest = 0.0, off = 0.0;
    fill(&h, 4, 0.7, COROTATED_EXPLICIT);
    struct corotated *c = system_of(&h);
    size_t n = h.particles.n;
    for (size_t i = 0; i < n; i++)
        x[i] = vec3_axpy(h.rest[i], 0.2 * SPACING, random_vector(5, i));
    corotated_control_forces(c, x, force);
    forces_by_definition(&h, 0.7, x, c->gradient, expected);
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, vec3_norm(expected[i]));
        off = fmax(off, vec3_norm(vec3_sub(force[i], expected[i])));
        sum = vec3_add(sum, force[i]);
        torque = vec3_add(torque, vec3_cross(x[i], force[i]));
    }
    check(largest > 0.0);
    check_close(off / largest, 0.0, 1e-12, "forces");
    check_close(vec3_norm(sum) / largest, 0.0, 1e-12, "sum of forces");
    check_close(vec3_norm(torque) / largest, 0.0, 1e-12, "torque");
    corotated_class.free(&c->system);
    hand_scene_end(&h);
}

TEST(affine_motions_have_none)
{
    struct hand_scene h;
    struct vec3 x[MOST], force[MOST];
    const struct mat3 map = {{{0.3, -1.2, 0.1}, {0.9, 0.4, -0.2}, {0.1, 0.3, 1.4}}};
    double largest = 0.0;
    fill(&h, 4, 1.0, COROTATED_EXPLICIT);
    struct corotated *c = system_of(&h);
    for (size_t i = 0; i < h.particles.n; i++)
        x[i] = vec3_add(mat3_mul_vec3(&map, h.rest[i]), vec3(2.0, 3.0, 5.0));
    corotated_control_forces(c, x, force);
    for (size_t i = 0; i < h.particles.n; i++)
        largest = fmax(largest, vec3_norm(force[i]));
    check_close(largest / (YOUNG * SPACING * SPACING), 0.0, 1e-12, "largest force");
    corotated_class.free(&c->system);
    hand_scene_end(&h);
}

/* The largest speed, m/s, after a hundred steps of dt of a cube whose particles begin a little off
 * their places. */
static double speed_after(double weight, enum corotated_way way, double dt)
{
    struct hand_scene h;
    struct simulation s;
    double largest = 0.0;
    fill(&h, 5, weight, way);
    h.scene.time.max_step = dt;
    h.scene.time.courant = 1e9;
    h.scene.contact.method = CONTACT_NONE;
    h.scene.time.end = 100.0 * dt;
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.position[i] =
            vec3_axpy(h.particles.position[i], 1e-6 * SPACING, random_vector(9, i));
    start(&h, &s);
    while (s.time < h.scene.time.end && largest < 1.0)
        largest = step_once(&s).speed_max;
    simulation_free(&s);
    hand_scene_end(&h);
    return largest;
}

static const double LONGEST = 0.256;

/* The longest step, of factors of two, that does not blow up. */
static double longest_step(double weight, enum corotated_way way)
{
    double dt = LONGEST;
    while (dt > 1e-5 && speed_after(weight, way, dt) > 1e-3)
        dt *= 0.5;
    return dt;
}

TEST(the_explicit_control_is_stable_in_short_steps_alone)
{
    double step[3];
    for (int k = 0; k < 3; k++)
        step[k] = longest_step(pow(10.0, k - 1), COROTATED_EXPLICIT);
    printf("# longest steps: %g s with 0.1, %g s with 1, %g s with 10\n", step[0], step[1],
           step[2]);
    for (int k = 0; k < 3; k++)
        check(step[k] < LONGEST && step[k] > 1e-5);
    check(step[0] > step[1] && step[1] > step[2]);
    measured("C10.falls", step[0] / step[2]);
    measured("C10.explicit", step[2]);
    double implicit = longest_step(10.0, COROTATED_IMPLICIT);
    check_close(implicit, LONGEST, 0.0, "none is too long for the implicit one");
    measured("C10.implicit", implicit);
}
