/* Constants of materials against closed forms: the stretch at which bonds break, the damping of a
 * vibration, the bend stiffness of a sheet, the viscosity of a fluid. Each is measured from the
 * motion of a body, as an experimenter would, over what the key of the material says. */
#include "scenes.h"
#include "sph/sph_kernel.h"

static const double PI = 3.14159265358979323846;
static const double FIRST_ZERO = 4.493409457909064; /* of j1 */
static const double SPACING = 0.02, MASS = 1e-3;    /* m, kg */

static void begin(struct hand_scene *h)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_NONE;
    h->scene.time.end = 1e12;
    h->scene.solver.tolerance = 1e-10;
    h->scene.solver.max_iterations = 100000;
}

/* ---- the stretch at which bonds break ---- */

enum { BAR = 24, GRIP = 3, ROWS = 3 };

static const double CRITICAL_STRETCH = 0.02, BOND = 1000.0; /* 1, N */

/* A bar of ROWS x ROWS rows of bonds between nearest neighbors alone, which do not know of each
 * other, so that the strain is the same everywhere. */
static void start_bar(struct hand_scene *h, struct simulation *s)
{
    begin(h);
    add_body(h, add_peridynamics(h, BOND, 1.0, 0.0, CRITICAL_STRETCH), 0.5 * SPACING, MASS);
    add_block(h, BAR, ROWS, ROWS, vec3(0, 0, 0), vec3(0, 0, 0));
    for (size_t i = 0; i < h->particles.n; i++) {
        int x = (int)(i % BAR);
        h->particles.state[i] = x < GRIP || x >= BAR - GRIP ? PARTICLE_FIXED : PARTICLE_FREE;
    }
    h->scene.time.max_step = 1e3 * BAR * sqrt(MASS * SPACING / BOND); /* forgets the mass */
    start(h, s);
}

/* Stretches the bar, grips and all, by a further strain of what it was at rest. */
static void pull(struct simulation *s, const struct vec3 *rest, double strain)
{
    for (size_t i = 0; i < s->particles.n; i++)
        if (s->particles.state[i] == PARTICLE_FIXED)
            s->particles.position[i].x = rest[i].x * (1.0 + strain);
}

/* The force that the right grip pulls with, N, from the elastic energy: F = dE / dl. */
static double strength(double energy, double strain)
{
    return 2.0 * energy / (strain * (BAR - 1) * SPACING);
}

/* All bonds of a particle have the same strain s along the bar and none across it, so that its
 * least strain is 0 and the threshold of bond_break.c is s0. At that stretch all rows carry
 * k s0 each. */
TEST(a_bar_breaks_at_the_critical_stretch)
{
    static const double increment = 7e-5;
    struct hand_scene h;
    struct simulation s;
    start_bar(&h, &s);
    double whole = 0.0, energy = 0.0, broken = 0.0;
    for (int k = 1; broken == 0.0 && k < 1000; k++) {
        pull(&s, h.rest, k * increment);
        struct ledger_row row = step_once(&s);
        if (ledger_value(&row, "broken_bonds") > 0.0) {
            broken = k * increment;
        } else {
            whole = k * increment;
            energy = row.elastic;
        }
    }
    check(whole <= CRITICAL_STRETCH * (1.0 + 1e-9));
    check(broken >= CRITICAL_STRETCH * (1.0 - 1e-9));
    double force = strength(energy, whole) / (ROWS * ROWS * BOND * CRITICAL_STRETCH);
    check_close(force, 1.0, 2.0 * increment / CRITICAL_STRETCH, "strength");
    measured("CONSTANT.break.whole", whole / CRITICAL_STRETCH);
    measured("CONSTANT.break.broken", broken / CRITICAL_STRETCH);
    measured("CONSTANT.break.strength", force);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- damping ---- */

static const double DAMPING = 5e-5; /* s */

/* The first mode of a free row: particle i moves by cos(pi (i + 1/2) / n), with
 * omega = 2 sqrt(k / (L m)) sin(pi / (2 n)). */
static double set_mode(struct hand_scene *h, int n, double amplitude)
{
    for (int i = 0; i < n; i++)
        h->particles.position[i].x += amplitude * SPACING * cos(PI * (i + 0.5) / n);
    return 2.0 * sqrt(BOND / (SPACING * MASS)) * sin(0.5 * PI / n);
}

/* Bonds with the damping k tau have a damping ratio of omega tau / 2, here 3 %: the energy falls
 * with exp(-omega^2 tau t), and the logarithmic decrement of the motion is pi omega tau. Returns
 * the decrement over that, from the energy after ten periods. */
static double decrement(uint32_t integrator, bool springs)
{
    enum { N = 20, PERIODS = 10, STEPS = 400 };
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    h.scene.solver.integrator = integrator;
    size_t material = springs ? add_springs(&h, BOND, 0.0, 0.0, DAMPING)
                              : add_peridynamics(&h, BOND, 1.0, DAMPING, (double)INFINITY);
    add_body(&h, material, 0.5 * SPACING, MASS);
    add_block(&h, N, 1, 1, vec3(0, 0, 0), vec3(0, 0, 0));
    double omega = set_mode(&h, N, 1e-4);
    h.scene.time.max_step = 2.0 * PI / omega / STEPS;
    start(&h, &s);
    double begun = s.energy.elastic, end = 0.0, lost = 0.0;
    for (int k = 0; k < PERIODS * STEPS; k++) {
        struct ledger_row row = step_once(&s);
        end = row.kinetic + row.elastic;
        lost += row.damping;
    }
    check_close(lost / (begun - end), 1.0, 1e-3, "the ledger's damping is what was lost");
    simulation_free(&s);
    hand_scene_end(&h);
    return 0.5 * log(begun / end) / PERIODS / (PI * omega * DAMPING);
}

TEST(a_mode_decays_by_the_damping_of_its_bonds)
{
    double newmark = decrement(INTEGRATOR_NEWMARK, false);
    double verlet = decrement(INTEGRATOR_VERLET, false);
    double springs = decrement(INTEGRATOR_NEWMARK, true);
    check_close(newmark, 1.0, 0.004, "Newmark");
    check_close(verlet, 1.0, 0.004, "Verlet");
    check_close(springs, 1.0, 0.004, "springs");
    measured("CONSTANT.damping.newmark", newmark);
    measured("CONSTANT.damping.verlet", verlet);
    measured("CONSTANT.damping.springs", springs);
}

/* ---- bend stiffness of sheets ---- */

enum { FREE = 10 }; /* joints of a strip, each with a bend spring across it */

/* A strip that sags from a clamp: chords of one spacing, turned by `turn` at each joint. */
struct strip {
    double turn[FREE];
    double x[FREE + 1], z[FREE + 1]; /* of the ends of chords, from the first joint on, m */
};

static void place_strip(struct strip *strip)
{
    double slope = 0.0;
    strip->x[0] = strip->z[0] = 0.0;
    for (int j = 0; j < FREE; j++) {
        slope += strip->turn[j];
        strip->x[j + 1] = strip->x[j] + SPACING * cos(slope);
        strip->z[j + 1] = strip->z[j] - SPACING * sin(slope);
    }
}

/* A bend spring of constant k between the neighbors of a joint is 2 s cos(turn / 2) long, and its
 * moment about the joint is k (1 - cos(turn / 2)) s sin(turn / 2): its inverse, by bisection. */
static double turn_of(double moment, double bend)
{
    double low = 0.0, high = 2.0;
    for (int k = 0; k < 60; k++) {
        double half = 0.25 * (low + high);
        bool less = bend * (1.0 - cos(half)) * SPACING * sin(half) < moment;
        *(less ? &low : &high) = 2.0 * half;
    }
    return low;
}

/* Statics of a strip whose chords keep their length: at each joint the bend spring carries the
 * weights beyond it. Found by going to and fro between moments and turns. */
static struct strip sagging_strip(double weight, double bend)
{
    struct strip strip = {0};
    place_strip(&strip);
    for (int round = 0; round < 2000; round++) {
        for (int j = 0; j < FREE; j++) {
            double moment = 0.0;
            for (int i = j + 1; i <= FREE; i++)
                moment += weight * (strip.x[i] - strip.x[j]);
            strip.turn[j] = 0.9 * strip.turn[j] + 0.1 * turn_of(moment, bend);
        }
        place_strip(&strip);
    }
    return strip;
}

/* How far the end of a sheet of `width` rows, held by two columns, sags under gravity. */
static double sag(int width, double gravity, double bend)
{
    enum { HELD = 2, NX = HELD + FREE };
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    h.scene.gravity = vec3(0, 0, -gravity);
    add_body(&h, add_springs(&h, 1e6, 1e6, bend, 0.0), 0.5 * SPACING, MASS);
    add_block(&h, NX, width, 1, vec3(0, 0, 0), vec3(0, 0, 0));
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.state[i] = i % NX < HELD ? PARTICLE_FIXED : PARTICLE_FREE;
    h.scene.time.max_step = 0.02;
    h.scene.solver.tolerance = 1e-7; /* near rest, less would be rounding */
    start(&h, &s);
    double speed = 0.0;
    for (int k = 0; k < 1000 && (k < 100 || speed > 1e-5); k++)
        speed = step_once(&s).speed_max;
    double sum = 0.0;
    for (int row = 0; row < width; row++)
        sum -= s.particles.position[row * NX + NX - 1].z / width;
    check(speed <= 1e-5);
    simulation_free(&s);
    hand_scene_end(&h);
    return sum;
}

TEST(a_sheet_sags_as_its_bend_springs_say)
{
    static const double bend = 20.0, gravity = 0.1;
    double expected = -sagging_strip(MASS * gravity, bend).z[FREE];
    double row = sag(1, gravity, bend) / expected, sheet = sag(4, gravity, bend) / expected;
    check(expected > 2.0 * SPACING && expected < 8.0 * SPACING);
    check_close(row, 1.0, 0.005, "row");
    check_close(sheet, 1.0, 0.005, "sheet");
    measured("CONSTANT.sag.row", row);
    measured("CONSTANT.sag.sheet", sheet);
}

/* ---- viscosity ---- */

static const double VISCOSITY = 0.05; /* m^2/s */

/* The viscosity of pairs on a lattice, over that of the material, for motion along one axis that
 * changes along another one across it: what its forces make of the parabola u = b^2 of Poiseuille
 * flow, b = x.across, over the continuum's 2 nu. */
static double lattice_viscosity(struct vec3 along, struct vec3 across)
{
    double h = 2.0, sum = 0.0; /* spacings */
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            for (int z = -1; z <= 1; z++) {
                struct vec3 place = vec3(x, y, z);
                double d = vec3_norm(place), a = vec3_dot(place, along);
                double b = vec3_dot(place, across);
                if (d > 0.0 && d < h)
                    sum += sph_spiky_slope(h, d) / (d * d + 0.01 * h * h) * a * a * b * b / d;
            }
    return 10.0 * sum / 2.0;
}

/* A ball of fluid of radius a turns inside a shell that is held, with the speed j1(k r) sin theta,
 * k a = 4.4934 (the first zero of the spherical Bessel function j1). In this mode a shear wave
 * decays the most slowly, with nu k^2. Here is its velocity at x over its amplitude. */
static struct vec3 mode_at(struct vec3 x, double k)
{
    double y = k * vec3_norm(x);
    double shape = y < 1e-3 ? 1.0 / 3.0 : (sin(y) / y - cos(y)) / (y * y); /* j1(y) / y */
    return vec3_scale(shape * k, vec3_cross(vec3(0, 0, 1), x));
}

/* How much of the mode is in the motion. */
static double amplitude(const struct particles *p, double k)
{
    double product = 0.0, square = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        struct vec3 mode = mode_at(p->position[i], k);
        if (p->state[i] == PARTICLE_FIXED)
            continue;
        product += vec3_dot(mode, p->velocity[i]);
        square += vec3_dot(mode, mode);
    }
    return product / square;
}

/* Adds a ball of so many spacings in its shell, in motion; returns the wave number of the mode in a
 * sphere with as much volume as the particles that move. There is next to no pressure, and speeds
 * are so small that particles stay where they are. */
static double add_turning_ball(struct hand_scene *h, int spacings, double disorder)
{
    double radius = (spacings + 0.25) * SPACING, inside = 0.0;
    add_body(h, add_fluid(h, 1e-6, VISCOSITY), 0.5 * SPACING, 8e-3);
    add_ball(h, radius + 2.0 * SPACING, vec3(0, 0, 0), vec3(0, 0, 0));
    jitter(h, disorder * SPACING, 1);
    for (size_t i = 0; i < h->particles.n; i++) {
        h->particles.state[i] = vec3_norm(h->rest[i]) < radius ? PARTICLE_FREE : PARTICLE_FIXED;
        inside += h->particles.state[i] == PARTICLE_FREE;
    }
    double k = FIRST_ZERO / (SPACING * cbrt(inside * 3.0 / (4.0 * PI)));
    for (size_t i = 0; i < h->particles.n; i++)
        if (h->particles.state[i] == PARTICLE_FREE)
            h->particles.velocity[i] = vec3_scale(1e-4, mode_at(h->particles.position[i], k));
    return k;
}

/* The viscosity that the ball decays with, over that of the material. */
static double measured_viscosity(int spacings, double disorder)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    h.scene.time.max_step = 1.0;
    double k = add_turning_ball(&h, spacings, disorder), rate = VISCOSITY * k * k;
    start(&h, &s);
    while (s.time * rate < 0.3)
        step_once(&s);
    double from = s.time, early = amplitude(&s.particles, k);
    while (s.time * rate < 1.0)
        step_once(&s);
    double decayed = log(early / amplitude(&s.particles, k));
    double found = decayed / ((s.time - from) * rate);
    simulation_free(&s);
    hand_scene_end(&h);
    return found;
}

/* Particles see two spacings far, so that few neighbors carry the stress: on a lattice the
 * viscosity depends on the direction, and where particles stand at random, weak places yield. The
 * ball turns through all directions. */
TEST(a_turning_ball_decays_by_the_viscosity)
{
    double r = sqrt(0.5), least = lattice_viscosity(vec3(1, 0, 0), vec3(0, 0, 1));
    double most = lattice_viscosity(vec3(r, r, 0), vec3(r, -r, 0));
    double lattice = measured_viscosity(10, 0.0), disordered = measured_viscosity(10, 0.25);
    check_close(least, 0.654, 1e-3, "along axes");
    check_close(most, 1.342, 1e-3, "along diagonals");
    check(lattice > least && lattice < most);
    check(disordered > least && disordered < lattice);
    measured("CONSTANT.viscosity.axes", least);
    measured("CONSTANT.viscosity.diagonals", most);
    measured("CONSTANT.viscosity.lattice", lattice);
    measured("CONSTANT.viscosity.disordered", disordered);
}
