/* Rigid bodies by the number of their particles: how many there are of a filled body and of a shell
 * (UPP, Figure 3), how deep small ones give way below a large one, how long steps may be for either
 * (UPP, Section 5), and how far the directions of their fields are off (Section 11). Values that
 * claims are about. */
#include "systems/constrained/rigid_field.h"
#include "trials.h"

enum { SIZES = 6 };

/* ---- particles of filled bodies and of shells ---- */

static const char counted[] =
    "name: counted\n"
    "time: {end: 1, max_step: 1e-3, frame_interval: 1}\n"
    "contact: {method: position-based}\n"
    "materials: {stone: {model: rigid}}\n"
    "bodies: {body: {material: stone, radius: %.17g, particle_mass: 1, shape: {%s}}}\n";

static double count(double radius, const char *shape)
{
    char text[1000];
    struct trial t;
    snprintf(text, sizeof text, counted, radius, shape);
    trial_create(&t, text);
    const double n = (double)t.s.particles.n;
    trial_free(&t);
    return n;
}

/* A ring, without its inside, of layers as thick as a particle. */
static const char *ring(char text[200], double radius)
{
    snprintf(text, 200,
             "difference: [{torus: {radius: 0.6, tube: 0.3}}, "
             "{torus: {radius: 0.6, tube: %.17g}}]",
             0.3 - 2.0 * radius);
    return text;
}

/* The slope of log y over log x. */
static double exponent(const double *x, const double *y)
{
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int k = 0; k < SIZES; k++) {
        const double a = log(x[k]), b = log(y[k]);
        sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    return (SIZES * sxy - sx * sy) / (SIZES * sxx - sx * sx);
}

TEST(a_filled_body_has_more_particles_than_a_shell_by_its_size)
{
    double radius[SIZES], whole[SIZES], thin[SIZES];
    for (int k = 0; k < SIZES; k++) {
        char text[200];
        radius[k] = 0.06 * pow(0.8, k);
        whole[k] = count(radius[k], "torus: {radius: 0.6, tube: 0.3}");
        thin[k] = count(radius[k], ring(text, radius[k]));
    }
    const double of_filled = -exponent(radius, whole), of_shells = -exponent(radius, thin);
    measured("UPP.shapes.filled", of_filled);
    measured("UPP.shapes.hollow", of_shells);
    check_close(of_filled, 3.0, 0.15, "r^-3");
    check_close(of_shells, 2.0, 0.15, "r^-2");
}

/* ---- large and small ---- */

static const char table_text[] =
    "name: table\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: 100, max_step: %.17g, courant: never, frame_interval: 100}\n"
    "contact: {method: position-based, friction: 0.5, static_friction: 0.5}\n"
    "position: {iterations: %d, friction: kept}\n"
    "materials: {stone: {model: rigid}}\n"
    "bodies:\n"
    "  leg: {material: stone, radius: 0.05, density: 1000, position: [%.17g, %.17g, 0.1],\n"
    "        copies: {counts: [2, 2, 1], spacing: [%.17g, %.17g, 0]}, shape: {box: {size: [0.2, "
    "0.2, 0.2]}}}\n"
    "  top: {material: stone, radius: 0.05, density: 1000, position: [0, 0, %.17g],\n"
    "        shape: {box: {size: [%.17g, %.17g, %.17g]}}}\n"
    "walls:\n"
    "  floor: {keep: outside, holds: all, position: [0, 0, -0.5], shape: {box: {size: [8, 8, "
    "1]}}}\n";

/* A cube of `across` times the size of the four cubes of 2 x 2 x 2 on which it lies; returns by how
 * much of a particle's radius it has come down after 1 s, in steps of `dt`. */
static double sunk(int across, int iterations, double dt)
{
    char text[sizeof table_text + 400];
    struct trial t;
    const double size = 0.2 * across, place = -0.5 * size + 0.1, apart = size - 0.2;
    double sum = 0.0, n = 0.0;
    snprintf(text, sizeof text, table_text, dt, iterations, place, place, apart, apart,
             0.2 + 0.5 * size, size, size, size);
    trial_create(&t, text);
    while (t.s.time < 1.0)
        step_once(&t.s);
    for (size_t i = 32; i < t.s.particles.n; i++, n += 1.0)
        sum += t.s.particles.position[i].z;
    trial_free(&t);
    return (0.2 + 0.5 * size - sum / n) / 0.05;
}

/* The legs are 4 radii high: what is on the floor has sunk by that. */
TEST(small_bodies_carry_large_ones_less_well_by_the_ratio_of_their_sizes)
{
    static const int across[] = {2, 4, 6};
    for (int k = 0; k < 3; k++) {
        char name[80];
        snprintf(name, sizeof name, "UPP.shapes.sunk.%02d", across[k]);
        measured(name, sunk(across[k], 4, 1.0 / 120.0));
    }
    measured("UPP.shapes.sunk.10.many", sunk(10, 64, 1.0 / 120.0));
}

/* ---- shells and long steps ---- */

enum { STARTS = 4 };

static const char clash_text[] =
    "name: clash\n"
    "time: {end: 100, max_step: %.17g, courant: never, frame_interval: 100}\n"
    "contact: {method: position-based}\n"
    "materials: {stone: {model: rigid, field: %s}}\n"
    "bodies:\n"
    "  left: {material: stone, radius: 0.05, particle_mass: 1, position: [-0.41, 0, 0],\n"
    "         velocity: [1, 0, 0], shape: {%s}}\n"
    "  right: {material: stone, radius: 0.05, particle_mass: 1, position: [%.17g, 0.02, 0.03],\n"
    "          velocity: [-1, 0, 0], shape: {%s}}\n";

static const char filled[] = "box: {size: [0.8, 0.8, 0.8]}";
static const char hollow[] =
    "difference: [{box: {size: [0.8, 0.8, 0.8]}}, {box: {size: [0.6, 0.6, 0.6]}}]";

/* Two cubes meet at 2 m/s; the surfaces move by `way` spacings towards each other in a step, and
 * have `gap` of that way between them at first. Whether they are still in each other, or have
 * changed places, after thirty steps. */
static bool locks(const char *shape, const char *field, double way, double gap)
{
    char text[sizeof clash_text + 600];
    struct trial t;
    const double dt = 0.05 * way;
    snprintf(text, sizeof text, clash_text, dt, field, shape, 0.41 + gap * 2.0 * dt, shape);
    trial_create(&t, text);
    const struct particles *p = &t.s.particles;
    const size_t half = p->n / 2;
    for (int k = 0; k < 30; k++)
        step_once(&t.s);
    bool in = p->position[0].x > p->position[half].x;
    for (size_t i = 0; i < half && !in; i++)
        for (size_t j = half; j < p->n && !in; j++)
            in = vec3_norm(vec3_sub(p->position[i], p->position[j])) < 0.05;
    trial_free(&t);
    return in;
}

/* The shortest way in a step, in spacings, with which bodies stay in each other from at least half
 * of the gaps. */
static double shortest(const char *shape, const char *field)
{
    double way = 0.0;
    int locked = 0;
    while (2 * locked < STARTS && way < 8.0) {
        way += 0.25;
        locked = 0;
        for (int k = 0; k < STARTS; k++)
            locked += locks(shape, field, way, (double)k / STARTS);
    }
    return way;
}

/* A filled body knows by its field how deep others are in it; a shell of one layer has no inside to
 * know it from. */
TEST(shells_lock_in_shorter_steps_than_filled_bodies_with_a_field)
{
    const double with = shortest(filled, "one-sided");
    measured("UPP.shapes.locks.field", with);
    measured("UPP.shapes.locks.filled", shortest(filled, "none"));
    const double shell = shortest(hollow, "none");
    measured("UPP.shapes.locks.hollow", shell);
    check(shell < with);
}

/* ---- directions of the field ---- */

enum { MOST = 40 * 40 * 40, DIRECTIONS = 2000 };

struct angles {
    double field, plain; /* means, degrees */
};

/* A ball of `across` particles that a particle of the same size touches from outside, from any
 * side: the mean angles between the direction of the ball's surface, and that of the field of the
 * touched particle, and that from this to the one outside. */
static struct angles directions(int across)
{
    static struct vec3 at[MOST];
    static struct field_point field[MOST];
    const double ball = 0.5 * across, degree = 180.0 / acos(-1.0);
    struct body body = {
        .name = "body", .radius = 0.5, .shape = {.kind = SHAPE_BALL, .radius = ball}};
    struct error error = {0};
    struct angles sum = {0};
    size_t n = 0;
    for (int i = 0; i < across * across * across; i++) {
        const double mid = 0.5 * (across - 1);
        const struct vec3 x =
            vec3(i % across - mid, i / across % across - mid, i / across / across - mid);
        if (vec3_norm(x) < ball)
            at[n++] = x;
    }
    check_equal(rigid_field_find(&body, n, at, FIELD_ONE_SIDED, field, &error), STATUS_OK,
                error.message);
    for (int k = 0; k < DIRECTIONS; k++) {
        const double z = (2 * k + 1.0) / DIRECTIONS - 1.0, turn = 2.39996322972865332 * k;
        const struct vec3 out = vec3(sqrt(1 - z * z) * cos(turn), sqrt(1 - z * z) * sin(turn), z);
        double far = 0.0;
        size_t touched = 0;
        for (size_t i = 0; i < n; i++) { /* where on its way inward it would stop first */
            const double along = vec3_dot(at[i], out);
            const double across2 = vec3_dot(at[i], at[i]) - along * along;
            if (across2 < 1.0 && along + sqrt(1.0 - across2) > far) {
                far = along + sqrt(1.0 - across2);
                touched = i;
            }
        }
        const struct vec3 u = vec3_sub(vec3_scale(far, out), at[touched]);
        sum.plain += degree * acos(fmin(1.0, vec3_dot(u, out) / vec3_norm(u)));
        sum.field += degree * acos(fmin(1.0, vec3_dot(field[touched].outward, out)));
    }
    return (struct angles){sum.field / DIRECTIONS, sum.plain / DIRECTIONS};
}

TEST(directions_of_coarse_bodies_are_far_off)
{
    double before = 180.0;
    for (int across = 4; across <= 32; across *= 2) {
        char name[80];
        const struct angles mean = directions(across);
        snprintf(name, sizeof name, "UPP.shapes.angle.field.%02d", across);
        measured(name, mean.field);
        snprintf(name, sizeof name, "UPP.shapes.angle.plain.%02d", across);
        measured(name, mean.plain);
        check(mean.field < before);
        before = mean.field;
    }
}
