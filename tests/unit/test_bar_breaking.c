/* A bar of the peridynamic bond network, pulled apart, breaks where its weakest cross-section was
 * planted: at a notch, or where the bonds are weaker. */
#include "scenes.h"

static const double spacing = 0.02, bond_constant = 1000.0, mass = 1e-3; /* m, N, kg */

enum { NX = 48, NY = 5, GRIP = 4 };

/* How the slices [slice, slice + slices) were made weak. */
struct plant {
    int slice, slices;
    int depth;               /* rows cut away */
    double critical_stretch; /* of particles there, over that of others */
};

static bool is_planted(const struct plant *plant, int x)
{
    return x >= plant->slice && x < plant->slice + plant->slices;
}

static void add_notched_bar(struct hand_scene *h, const struct plant *plant)
{
    for (int z = 0; z < NY; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                if (is_planted(plant, x) && y < plant->depth)
                    continue;
                uint32_t i = add_particle(h, vec3_scale(spacing, vec3(x, y, z)), vec3(0, 0, 0));
                bool held = x < GRIP || x >= NX - GRIP;
                h->particles.state[i] = held ? PARTICLE_FIXED : PARTICLE_FREE;
            }
}

static void weaken(struct simulation *s, const struct vec3 *rest, const struct plant *plant)
{
    struct bond_network *net = (struct bond_network *)s->system[0];
    for (size_t i = 0; i < net->system.n; i++)
        if (is_planted(plant, (int)lround(rest[i].x / spacing)))
            net->critical_stretch[i] *= plant->critical_stretch;
}

/* Moves the grips apart by a strain of the bar. */
static void pull(struct simulation *s, double strain)
{
    double half = 0.5 * strain * (NX - 2 * GRIP) * spacing;
    double middle = 0.5 * (NX - 1) * spacing;
    for (size_t i = 0; i < s->particles.n; i++)
        if (s->particles.state[i] == PARTICLE_FIXED)
            s->particles.position[i].x += s->particles.position[i].x < middle ? -half : half;
}

/* Where a bar broke. */
struct fracture {
    int widest; /* the gap that opened most, between this slice and the next */
    double
        opened; /* fraction of the bar's lengthening in the gaps in and next to what was planted */
    double broken; /* fraction of the broken bonds whose middle is there */
};

/* How far the gap behind each slice opened, m. */
static void find_openings(const struct simulation *s, const struct vec3 *rest,
                          double opening[NX - 1])
{
    double mean[NX] = {0.0};
    int count[NX] = {0};
    for (size_t i = 0; i < s->particles.n; i++) {
        int slice = (int)lround(rest[i].x / spacing);
        mean[slice] += s->particles.position[i].x - rest[i].x;
        count[slice]++;
    }
    for (int x = 0; x + 1 < NX; x++)
        opening[x] = mean[x + 1] / count[x + 1] - mean[x] / count[x];
}

static struct fracture find_fracture(const struct simulation *s, const struct vec3 *rest,
                                     const struct plant *plant)
{
    double opening[NX - 1], all = 0.0, near = 0.0;
    double from = plant->slice - 2, to = plant->slice + plant->slices + 1; /* bonds reach so far */
    struct fracture fracture = {0};
    find_openings(s, rest, opening);
    for (int x = 0; x + 1 < NX; x++) {
        all += opening[x];
        near += x >= from && x < to ? opening[x] : 0.0;
        fracture.widest = opening[x] > opening[fracture.widest] ? x : fracture.widest;
    }
    fracture.opened = near / all;
    const struct bonded *bonded = &s->system[0]->bonded;
    double broken = 0.0, there = 0.0;
    for (size_t i = 0; i < s->particles.n; i++)
        for (size_t e = bonded->start[i]; e < bonded->start[i + 1]; e++) {
            double x = 0.5 * (rest[i].x + rest[bonded->neighbor[e]].x) / spacing;
            broken += !bonded->whole[e];
            there += !bonded->whole[e] && x >= from && x <= to;
        }
    fracture.broken = there / broken;
    return fracture;
}

/* Pulls slowly against the bar's vibrations until it carries nothing any more: until a twentieth of
 * the most energy is left. (Threads of particles that hang on a bond or two span the crack for
 * longer.) */
static struct fracture break_bar(const struct plant *plant, uint64_t seed)
{
    static const double increment = 5e-4;
    struct hand_scene h;
    hand_scene_begin(&h);
    h.scene.contact.method = CONTACT_NONE;
    add_body(&h, add_peridynamics(&h, bond_constant, 2.0, 0.0, 0.02), 0.5 * spacing, mass);
    h.parameters[0].bonds.critical_stretch_spread = 0.1; /* as in Levine et al. (2014) */
    h.scene.seed = seed;
    h.scene.solver.tolerance = 1e-6;
    add_notched_bar(&h, plant);
    /* ten times as long as a wave takes along the bar; E = 4.5 k / s^2 by the sums of test_bars.c
     */
    h.scene.time.max_step = 10.0 * NX * sqrt(mass * spacing / (4.5 * bond_constant));
    struct simulation s;
    start(&h, &s);
    weaken(&s, h.rest, plant);
    double now = 0.0, most = 0.0;
    for (int steps = 0; steps < 100 && now >= 0.05 * most; steps++) {
        pull(&s, increment);
        now = step_once(&s).elastic;
        most = fmax(most, now);
    }
    check(now < 0.05 * most);
    struct fracture fracture = find_fracture(&s, h.rest, plant);
    simulation_free(&s);
    hand_scene_end(&h);
    return fracture;
}

/* The same plant in three places; returns the largest distance of the crack from it, slices. */
static int break_bars(int slices, int depth, double critical_stretch)
{
    int farthest = 0;
    for (int slice = 12; slice <= 34; slice += 11) {
        const struct plant plant = {slice, slices, depth, critical_stretch};
        struct fracture fracture = break_bar(&plant, (uint64_t)slice);
        int before = slice - 1 - fracture.widest, behind = fracture.widest - (slice + slices - 1);
        int far = before > behind ? before : behind;
        farthest = far > farthest ? far : farthest;
        check(fracture.opened > 0.9);
        check(fracture.broken > 0.9);
    }
    return farthest;
}

/* Bonds reach over two spacings, so a notch must be as long to cut them. */
TEST(a_bar_breaks_at_its_notch)
{
    int far = break_bars(2, 2, 1.0);
    check_equal(far, 0, "slices between notch and crack");
    measured("BAR.break.notch", far);
}

/* By three times more than critical stretches scatter: without any plant the bar breaks at its
 * grips, which keep it from contracting. */
TEST(a_bar_breaks_where_its_bonds_are_weakest)
{
    int far = break_bars(1, 0, 0.7);
    check_equal(far, 0, "slices between weak section and crack");
    measured("BAR.break.weak", far);
    int widest = break_bar(&(struct plant){24, 1, 0, 1.0}, 24).widest;
    check(widest <= GRIP + 1 || widest >= NX - GRIP - 3);
}
