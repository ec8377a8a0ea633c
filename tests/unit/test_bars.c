/* Bars of the peridynamic bond network against continuum mechanics: the speed of a wave, the
 * deflection of a cantilever. (Where a bar breaks: test_bar_breaking.c.)
 *
 * The continuum of the network. A bond of length L along n under the strain E carries k n.E.n and
 * stores k L (n.E.n)^2 / 2. On a lattice of spacing s every particle stands for the volume s^3, so
 * with offsets xi (in spacings, L = s |xi|), each bond shared by two ends,
 *
 *     C_ijkl = k / (2 s^2)  sum over xi of |xi| n_i n_j n_k n_l .
 *
 * A thin bar along x is free to contract: for a strain e along it and -nu e across it, bonds store
 * k L e^2 (c - nu (1 - c))^2 / 2 with c = n_x^2. The nu of least energy leaves
 *
 *     E = k / (2 s^2) (P - Q^2 / R),   nu = Q / R,
 *     P = sum |xi| c^2,  Q = sum |xi| c (1 - c),  R = sum |xi| (1 - c)^2 ,
 *
 * Young's modulus, not the modulus C_11 = k P / (2 s^2) of a body that cannot contract. (In a strip
 * one particle thick the sums run over the plane, and E is that of plane stress.)
 *
 * The skin. Particles within a horizon of the surface lack bonds, so that a real bar is softer than
 * its continuum. The same sums over the bonds that a cross-section has give its own stiffness
 * against stretching, E A, with every bond counted once per end, and against bending, E I, with
 * bonds weighted by the square of the height of their middle over the axis, since there the strain
 * is curvature times height. Both take the contraction as affine, which makes them upper bounds. */
#include "scenes.h"

static const double spacing = 0.02, bond_constant = 1000.0, mass = 1e-3; /* m, N, kg */

enum { CLAMP = 3 }; /* slices that are held: as far as bonds reach */

struct lattice_sums {
    double p, q, r; /* as above */
};

static bool is_bond(int a, int b, int c, double horizon)
{
    int square = a * a + b * b + c * c;
    return square > 0 && square <= horizon * horizon * (1.0 + 1e-9);
}

static void add_bond(struct lattice_sums *sums, int a, int b, int c, double weight)
{
    double square = a * a + b * b + c * c, along = a * a / square, across = 1.0 - along;
    double w = weight * sqrt(square);
    sums->p += w * along * along;
    sums->q += w * along * across;
    sums->r += w * across * across;
}

/* In k / s^2 for moduli, k for E A, k s^2 for E I. */
static double relaxed(const struct lattice_sums *sums)
{
    return 0.5 * (sums->p - (sums->r > 0.0 ? sums->q * sums->q / sums->r : 0.0));
}

/* Of a particle with all its bonds; in a strip they stay in the plane. */
static struct lattice_sums continuum(double horizon, int nz)
{
    struct lattice_sums sums = {0};
    int m = (int)horizon, mz = nz == 1 ? 0 : m;
    for (int a = -m; a <= m; a++)
        for (int b = -m; b <= m; b++)
            for (int c = -mz; c <= mz; c++)
                if (is_bond(a, b, c, horizon))
                    add_bond(&sums, a, b, c, 1.0);
    return sums;
}

/* The bonds of row (y, z) of a section of ny x nz, once plainly and once by height squared. */
static void add_row(int y, int z, int ny, int nz, double horizon, struct lattice_sums *stretch,
                    struct lattice_sums *bend)
{
    int m = (int)horizon;
    for (int a = -m; a <= m; a++)
        for (int b = -m; b <= m; b++)
            for (int c = -m; c <= m; c++) {
                bool inside = y + b >= 0 && y + b < ny && z + c >= 0 && z + c < nz;
                double height = y + 0.5 * b - 0.5 * (ny - 1);
                if (!inside || !is_bond(a, b, c, horizon))
                    continue;
                add_bond(stretch, a, b, c, 1.0);
                add_bond(bend, a, b, c, height * height);
            }
}

/* What a bar of ny x nz particles resists with: its own bonds, and those of its continuum. */
struct bar_stiffness {
    double ea, ei;                     /* N, N m^2 */
    double continuum_ea, continuum_ei; /* with E of the continuum */
    double shear;                      /* G A of the continuum, N */
};

static struct bar_stiffness stiffness_of(int ny, int nz, double horizon)
{
    struct lattice_sums all = continuum(horizon, nz), stretch = {0}, bend = {0};
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            add_row(y, z, ny, nz, horizon, &stretch, &bend);
    double k = bond_constant, s2 = spacing * spacing, e = relaxed(&all);
    /* Cauchy's relation of central forces: C_44 = C_12; q holds as many C_12 as there are other
     * axes */
    double g = 0.5 * all.q / (nz == 1 ? 1 : 2);
    return (struct bar_stiffness){.ea = k * relaxed(&stretch),
                                  .ei = k * s2 * relaxed(&bend),
                                  .continuum_ea = k * e * ny * nz,
                                  .continuum_ei = k * s2 * e * nz * ny * ny * ny / 12.0,
                                  .shear = k * g * ny * nz};
}

static double mass_per_length(int ny, int nz)
{
    return ny * nz * mass / spacing;
}

static void begin_bar(struct hand_scene *h, double horizon)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_NONE;
    h->scene.time.end = 1e12;
    h->scene.solver.tolerance = 1e-9;
    h->scene.solver.max_iterations = 100000;
    add_body(h, add_peridynamics(h, bond_constant, horizon, 0.0, (double)INFINITY), 0.5 * spacing,
             mass);
}

/* The closed forms by hand. */
TEST(lattice_sums_of_bars_that_are_known)
{
    /* a single row with bonds to the third neighbor: k (1 + 2 + 3), a bond of length a crosses a
     * cross-sections */
    check_close(stiffness_of(1, 1, 3.0).ea, 6.0 * bond_constant, 1e-9, "E A of a row");
    /* horizon 1: rows that know nothing of each other */
    check_close(stiffness_of(3, 4, 1.0).ea, 12.0 * bond_constant, 1e-9, "E A of rows");
    /* the square lattice with diagonals: P = 2 + sqrt(2), Q = sqrt(2), R = P */
    double p = 2.0 + sqrt(2.0);
    check_close(relaxed(&(struct lattice_sums){p, sqrt(2.0), p}), sqrt(2.0), 1e-12, "E by hand");
    struct lattice_sums square = continuum(1.5, 1);
    check_close(relaxed(&square), sqrt(2.0), 1e-12, "E of the square lattice");
    /* the skin matters less the thicker the bar is: like 1/n */
    for (int n = 6; n <= 48; n *= 2) {
        struct bar_stiffness one = stiffness_of(n, 1, 3.0), two = stiffness_of(2 * n, 1, 3.0);
        double lack = 1.0 - one.ei / one.continuum_ei, less = 1.0 - two.ei / two.continuum_ei;
        check(less > 0.0 && less < 0.6 * lack);
    }
}

/* ---- waves ---- */

static double slice_speed(const struct simulation *s, int nx, int rows, int slice)
{
    double sum = 0.0;
    for (int row = 0; row < rows; row++)
        sum += s->particles.velocity[row * nx + slice].x;
    return sum / rows;
}

/* When a station sees the crest of the pulse: the vertex of the parabola through the largest value
 * and its neighbors. */
struct crest {
    double last[3], best, time;
};

static void watch_crest(struct crest *c, double value, double time, double dt)
{
    c->last[0] = c->last[1];
    c->last[1] = c->last[2];
    c->last[2] = value;
    double rise = c->last[1] - c->last[0], fall = c->last[1] - c->last[2];
    if (c->last[1] <= c->best || rise < 0.0 || fall < 0.0)
        return;
    c->best = c->last[1];
    c->time = time - dt + 0.5 * dt * (rise - fall) / (rise + fall);
}

/* A push in the shape of a bell, `width` slices wide, sends one pulse either way; weak enough to be
 * linear. */
static void push_slice(struct hand_scene *h, int slice, double width, double speed)
{
    for (size_t i = 0; i < h->particles.n; i++) {
        double x = (h->particles.position[i].x / spacing - slice) / width;
        h->particles.velocity[i].x = 1e-5 * speed * exp(-0.5 * x * x);
    }
}

/* The speed of a pulse between two slices of a bar, m/s. Newmark's method adds no damping. */
static double wave_speed(int ny, int nz, double horizon, int width)
{
    enum { NX = 190, FROM = 50, NEAR = 85, FAR = 125 };
    struct hand_scene h;
    begin_bar(&h, horizon);
    h.scene.solver.integrator = INTEGRATOR_NEWMARK;
    add_block(&h, NX, ny, nz, vec3(0, 0, 0), vec3(0, 0, 0));
    double expected = sqrt(stiffness_of(ny, nz, horizon).ea / mass_per_length(ny, nz));
    push_slice(&h, FROM, width, expected);
    double dt = h.scene.time.max_step = 0.5 * spacing / expected;
    struct simulation s;
    start(&h, &s);
    struct crest near = {0}, far = {0};
    while (s.time * expected / spacing < FAR - FROM + 2 * width) {
        step_once(&s);
        watch_crest(&near, slice_speed(&s, NX, ny * nz, NEAR), s.time, dt);
        watch_crest(&far, slice_speed(&s, NX, ny * nz, FAR), s.time, dt);
    }
    check(near.time > 0.0 && far.time > near.time);
    simulation_free(&s);
    hand_scene_end(&h);
    return (FAR - NEAR) * spacing / (far.time - near.time);
}

/* Relative to sqrt(E / rho) of the bar with the bonds that it has. */
static double wave_error(int ny, int nz, double horizon, int width)
{
    double expected = sqrt(stiffness_of(ny, nz, horizon).ea / mass_per_length(ny, nz));
    return wave_speed(ny, nz, horizon, width) / expected - 1.0;
}

/* Pulses of few slices are slower: bonds of some length and lateral inertia (Pochhammer) disperse
 * them, both by a share that falls with the square of the width. The modulus of a body that cannot
 * contract would make them 13 % faster. */
TEST(a_wave_travels_at_the_speed_of_the_network)
{
    double row = wave_error(1, 1, 3.0, 16), bar = wave_error(4, 4, 3.0, 16);
    double strip = wave_error(12, 1, 3.0, 16), shorter = wave_error(4, 4, 3.0, 8);
    check_close(row, 0.0, 0.05, "row of particles");
    check_close(bar, 0.0, 0.05, "bar of 4 x 4");
    check_close(strip, 0.0, 0.05, "strip of 12");
    check(fabs(bar) < 0.5 * fabs(shorter));
    /* a strip of twelve rows has nearly the stiffness of its continuum */
    struct bar_stiffness own = stiffness_of(12, 1, 3.0);
    double slower = sqrt(own.ea / own.continuum_ea);
    check_close((1.0 + strip) * slower, 1.0, 0.05, "strip, against its continuum");
    measured("BAR.wave.row", fabs(row));
    measured("BAR.wave.bar", fabs(bar));
    measured("BAR.wave.strip", fabs(strip));
    measured("BAR.wave.strip.continuum", fabs((1.0 + strip) * slower - 1.0));
}

/* ---- cantilevers ---- */

/* Deflection of a beam under its weight per length q at x from the clamp, with shear (Timoshenko;
 * 5/6 for a rectangle). */
static double beam_deflection(double q, double length, double x, double ei, double shear)
{
    double bend = q / (24.0 * ei) * x * x * (x * x - 4.0 * length * x + 6.0 * length * length);
    return bend + q / (5.0 / 6.0 * shear) * (length * x - 0.5 * x * x);
}

/* How far the deflection of the last slice is off that of beam theory, relative: with E of the
 * continuum, and with the stiffness of the section's own bonds. */
struct deflection_error {
    double continuum, own;
};

/* Statics as one implicit step of very many periods, which forgets the mass; the load is so small
 * that the step's linearization is exact. */
static double static_deflection(struct hand_scene *h, int nx, double period)
{
    double deflection = 0.0;
    h->scene.time.max_step = 1e4 * period;
    struct simulation s;
    start(h, &s);
    step_once(&s);
    int rows = (int)s.particles.n / nx;
    for (int row = 0; row < rows; row++) {
        int i = row * nx + nx - 1;
        deflection += (h->rest[i].y - s.particles.position[i].y) / rows;
    }
    simulation_free(&s);
    return deflection;
}

static struct deflection_error cantilever(int ny, int nz, int slender, double horizon)
{
    struct hand_scene h;
    begin_bar(&h, horizon);
    int nx = slender * ny + CLAMP;
    add_block(&h, nx, ny, nz, vec3(0, 0, 0), vec3(0, 0, 0));
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.state[i] = (int)i % nx < CLAMP ? PARTICLE_FIXED : PARTICLE_FREE;
    struct bar_stiffness bar = stiffness_of(ny, nz, horizon);
    /* the clamp ends halfway between held and free slices */
    double length = slender * ny * spacing, x = length - 0.5 * spacing;
    double g =
        1e-4 * spacing / beam_deflection(mass_per_length(ny, nz), length, x, bar.ei, bar.shear);
    double q = mass_per_length(ny, nz) * g;
    h.scene.gravity = vec3(0, -g, 0);
    double period = slender * length / sqrt(bar.ea / mass_per_length(ny, nz));
    double deflection = static_deflection(&h, nx, period);
    hand_scene_end(&h);
    return (struct deflection_error){
        fabs(deflection / beam_deflection(q, length, x, bar.continuum_ei, bar.shear) - 1.0),
        fabs(deflection / beam_deflection(q, length, x, bar.ei, bar.shear) - 1.0)};
}

static void measured_deflection(const char *section, int rows, struct deflection_error error)
{
    char name[64];
    snprintf(name, sizeof name, "BAR.deflection.%s-%d", section, rows);
    measured(name, error.continuum);
    snprintf(name, sizeof name, "BAR.own-deflection.%s-%d", section, rows);
    measured(name, error.own);
}

/* Measured against the continuum, the error is the skin: it halves with the spacing. Against the
 * section's own bonds little is left, of the clamp and of the affine contraction. */
TEST(a_cantilever_bends_as_beam_theory_says)
{
    struct deflection_error strip[3], bar[3];
    for (int k = 0; k < 3; k++) {
        strip[k] = cantilever(8 << k, 1, 10, 3.0);
        measured_deflection("strip", 8 << k, strip[k]);
        bar[k] = cantilever(4 + 4 * k, 4 + 4 * k, 10, 3.0);
        measured_deflection("bar", 4 + 4 * k, bar[k]);
    }
    for (int k = 1; k < 3; k++) {
        check(strip[k].continuum < 0.6 * strip[k - 1].continuum);
        check(strip[k].own < strip[k - 1].own);
        check(bar[k].continuum < bar[k - 1].continuum);
        check(bar[k].own < bar[k - 1].own);
    }
    check_close(strip[2].continuum, 0.0, 0.1, "strip of 32 rows, against its continuum");
    check_close(bar[2].own, 0.0, 0.1, "bar of 12 x 12, against its own bonds");
}
