/* Ropes: bodies of one row of particles, each a spring from the next, and from the next but one if
 * they resist bending. The same scene under forces and under constraints of positions, against
 * closed forms. */
#include "trials.h"

static const char scene_text[] =
    "name: rope\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: 100, max_step: 1e-3, frame_interval: 100}\n"
    "contact: {method: %s}\n"
    "materials:\n"
    "  hemp: {model: mass-spring, stretch_stiffness: 3000, shear_stiffness: 0, bend_stiffness: "
    "%g}\n"
    "bodies:\n"
    "  rope: {material: hemp, radius: 0.01, particle_mass: 8e-3, self_contact: ignored,\n"
    "         shape: {box: {size: [%.17g, 0.02, 0.02]}},\n"
    "         fixed_in: {union: [{ball: {center: [%.17g, 0, 0], radius: %.17g}},\n"
    "                            {ball: {center: [%.17g, 0, 0], radius: 0.001}}]}}\n";

static const double SPACING = 0.02, G = 9.81;

enum way { FORCES, CONSTRAINTS, WAYS };
static const char *const method[WAYS] = {
    "merging-and-splitting",
    "position-based}\nposition: {iterations: 64, stiffness: material, averaging: mass-splitting"};
static const char *const name[WAYS] = {"forces", "constraints"};

/* A rope of n particles along x, of which the first `held` do not move, nor does the last one if
 * both ends hold. */
static void rope_create(struct trial *t, enum way way, size_t n, size_t held, bool both,
                        double bend)
{
    char text[sizeof scene_text + 300];
    const double length = (double)n * SPACING, end = 0.5 * (length - SPACING);
    size_t still = 0;
    snprintf(text, sizeof text, scene_text, method[way], bend, length, -end,
             ((double)held - 0.5) * SPACING, both ? end : -end);
    trial_create(t, text);
    for (size_t i = 0; i < t->s.particles.n; i++)
        still += t->s.particles.state[i] != PARTICLE_FREE;
    check(t->s.particles.n == n && still == held + both);
}

static void report(const char *what, enum way way, double value)
{
    char text[60];
    snprintf(text, sizeof text, "rope.%s.%s", what, name[way]);
    measured(text, value);
}

/* Steps until it rests; what it moves with is taken away. */
static void settle(struct trial *t, int steps)
{
    for (int k = 0; k < steps; k++) {
        struct ledger_row row = step_once(&t->s);
        for (size_t i = 0; i < t->s.particles.n; i++)
            t->s.particles.velocity[i] = vec3_scale(0.97, t->s.particles.velocity[i]);
        if (k == steps - 1)
            check(row.speed_max < 1e-3);
    }
}

/* ---- a catenary ---- */

/* z = a (cosh(x / a) - cosh(D / 2a)) between supports D apart, 2 a sinh(D / 2a) = S. */
static double parameter_of(double distance, double length)
{
    double low = 0.01 * distance, high = 100.0 * distance;
    for (int k = 0; k < 200; k++) {
        double a = 0.5 * (low + high);
        if (2.0 * a * sinh(0.5 * distance / a) > length)
            low = a;
        else
            high = a;
    }
    return low;
}

TEST(a_rope_between_two_supports_hangs_as_a_catenary)
{
    enum { N = 41 };
    const double length = (N - 1) * SPACING, distance = 0.7 * length;
    const double a = parameter_of(distance, length), sag = a * (cosh(0.5 * distance / a) - 1.0);
    for (enum way way = 0; way < WAYS; way++) {
        struct trial t;
        double worst = 0.0;
        rope_create(&t, way, N, 1, true, 0.0);
        struct particles *p = &t.s.particles;
        for (size_t i = 0; i < N; i++) { /* a roof that hangs down */
            double along = distance * ((double)i / (N - 1) - 0.5);
            double deep = sqrt(0.25 * (length * length - distance * distance));
            p->position[i] = vec3(along, 0.0, deep * (fabs(2.0 * along / distance) - 1.0));
        }
        settle(&t, 1200);
        for (size_t i = 0; i < N; i++) {
            double z = a * (cosh(p->position[i].x / a) - cosh(0.5 * distance / a));
            worst = fmax(worst, fabs(p->position[i].z - z) / sag);
        }
        report("catenary", way, worst);
        check(worst < 0.01);
        trial_free(&t);
    }
}

/* ---- a pendulum ---- */

/* The polynomial of Laguerre, which gives the swings of a chain of n equal masses that hangs by a
 * fixed one: omega^2 = x g / l where L_n(x) = 0, and L_i(x) is the way of the i-th mass from below.
 */
static double laguerre(int n, double x)
{
    double before = 0.0, now = 1.0;
    for (int k = 0; k < n; k++) {
        double next = ((2 * k + 1 - x) * now - k * before) / (k + 1);
        before = now;
        now = next;
    }
    return now;
}

static double slowest_swing(int n)
{
    double low = 0.0, high = 0.0;
    while (laguerre(n, high) > 0.0)
        high += 0.01 / n;
    for (int k = 0; k < 100; k++)
        *(laguerre(n, 0.5 * (low + high)) > 0.0 ? &low : &high) = 0.5 * (low + high);
    return sqrt(low * G / SPACING);
}

TEST(a_rope_that_hangs_swings_in_its_period)
{
    enum { MASSES = 20 };
    const double omega = slowest_swing(MASSES), x = omega * omega * SPACING / G;
    check_close(omega / (1.2024 * sqrt(G / (MASSES * SPACING))), 1.0, 0.03, "that of a long rope");
    for (enum way way = 0; way < WAYS; way++) {
        struct trial t;
        rope_create(&t, way, MASSES + 1, 1, false, 0.0);
        struct particles *p = &t.s.particles;
        for (int i = 0; i <= MASSES; i++)
            p->position[i] =
                vec3(0.004 * laguerre(MASSES - i, x), 0.0, -SPACING * (1.0 + 1e-4) * i);
        p->position[0].x = 0.0;
        double before = 1.0, first = 0.0, last = 0.0;
        int crossings = 0;
        while (crossings < 5) {
            double at = p->position[MASSES].x;
            if (before * at < 0.0) {
                last = t.s.time - 1e-3 * at / (at - before);
                first = crossings++ ? first : last;
            }
            before = at;
            step_once(&t.s);
        }
        double ratio = (last - first) / 2.0 / (2.0 * acos(-1.0) / omega);
        report("period", way, ratio);
        check_close(ratio, 1.0, 0.01, "period over that of the chain");
        trial_free(&t);
    }
}

/* ---- a cantilever ---- */

/* Where two links of length l meet at an angle t, the spring k of length 2 l across them is 1 -
 * cos(t / 2) too short. If links are stiff, its moment is k l (1 - cos(t / 2)) sin(t / 2), of third
 * order: a rope gives way to small forces. */
static double angle_at(double moment, double stiffness)
{
    double low = 0.0, high = acos(-1.0);
    for (int k = 0; k < 60; k++) {
        double t = 0.5 * (low + high);
        *(stiffness * SPACING * (1.0 - cos(0.5 * t)) * sin(0.5 * t) < moment ? &low : &high) = t;
    }
    return low;
}

/* Angles of links below the horizontal, of which each turns by what the moment of the weights
 * beyond it asks for. */
static void bend(int links, double weight, double stiffness, double *slope)
{
    for (int round = 0; round < 2000; round++) {
        double next[16], moment = 0.0, sum = 0.0;
        for (int k = links - 1; k >= 0; k--) { /* about the particle where link k begins */
            moment += (links - k) * weight * SPACING * cos(slope[k]);
            next[k] = angle_at(moment, stiffness);
        }
        for (int k = 0; k < links; k++) {
            sum += next[k];
            slope[k] += 0.2 * (sum - slope[k]);
        }
    }
}

TEST(a_cantilever_bends_by_the_law_of_its_springs)
{
    enum { LINKS = 4 };
    const double stiffness = 60.0;
    double slope[LINKS] = {0.0}, depth = 0.0;
    bend(LINKS, 8e-3 * G, stiffness, slope);
    for (int k = 0; k < LINKS; k++)
        depth += SPACING * sin(slope[k]);
    for (enum way way = 0; way < WAYS; way++) {
        struct trial t;
        rope_create(&t, way, LINKS + 2, 2, false, stiffness);
        settle(&t, 1200);
        const struct vec3 *x = t.s.particles.position;
        double ratio = (x[0].z - x[LINKS + 1].z) / depth;
        report("cantilever", way, ratio);
        check_close(ratio, 1.0, 0.01, "depth of its end");
        trial_free(&t);
    }
}

/* ---- twist ---- */

/* Springs between particles of one row pull along it, so that a rope has no twist: a bar that spins
 * at its end spins on. */
static const char bar_text[] =
    "name: bar\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: 100, max_step: 1e-3, frame_interval: 100}\n"
    "contact: {method: %s}\n"
    "materials:\n"
    "  hemp: {model: mass-spring, stretch_stiffness: 3000, shear_stiffness: 3000, "
    "bend_stiffness: 3000}\n"
    "bodies:\n"
    "  bar: {material: hemp, radius: 0.01, particle_mass: 8e-3, self_contact: ignored, spin: [0, "
    "0, "
    "3], shape: {box: {size: [0.1, 0.02, 0.02]}}}\n"
    "  rope: {material: hemp, radius: 0.01, particle_mass: 8e-3, self_contact: ignored, ties: "
    "touching, position: [0, 0, 0.11],\n"
    "         shape: {box: {size: [0.02, 0.02, 0.2]}}, fixed_in: {ball: {center: [0, 0, 0.09], "
    "radius: 0.001}}}\n";

TEST(a_rope_does_not_resist_twist)
{
    for (enum way way = 0; way < WAYS; way++) {
        char text[sizeof bar_text + 200];
        struct trial t;
        double turned = 0.0, before = 0.0;
        snprintf(text, sizeof text, bar_text, method[way]);
        trial_create(&t, text);
        const struct particles *p = &t.s.particles;
        for (int k = 0; k < 4000; k++) {
            step_once(&t.s);
            const struct vec3 along = vec3_sub(p->position[4], p->position[0]);
            const double angle = atan2(along.y, along.x);
            turned += remainder(angle - before, 2.0 * acos(-1.0));
            before = angle;
        }
        report("twist", way, turned / (3.0 * t.s.time));
        trial_free(&t);
    }
}
