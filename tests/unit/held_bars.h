/* Bars of corotated solids of which one end is held, and the other is held where it was moved to.
 * The middle is far from both: what moving the end took is its energy, U = c^2 / 2 times what a
 * unit takes, and how far the middle follows is seen there, so that neither end counts. */
#ifndef TESTS_HELD_BARS_H
#define TESTS_HELD_BARS_H

#include "config_reader.h"
#include "sample/sample.h"
#include "step/simulation.h"
#include "tap.h"

#include <omp.h>
#include <stdlib.h>

static const double PI = 3.14159265358979324;

/* Lengths in m, Young's modulus in Pa. How far an end is moved, m or rad, is little enough for
 * linear theory. */
static const double WIDTH = 0.12, HELD = 0.08, DENSITY = 1000.0, YOUNG = 1e6, MOVED = 1e-3;
static const double TILT = 2e-4; /* of gravity */

enum { LATTICES = 3, RATIOS = 3 };
static const int LAYERS[LATTICES] = {3, 6, 12};
static const double POISSON[RATIOS] = {0.0, 0.3, 0.45};

/* A bar along z. */
struct setting {
    const char *filling; /* how particles are placed: keys of the body */
    const char *solver;
    bool round;
    double length; /* between what is held */
    double poisson, control;
    double dt;
    int layers;     /* across */
    double gravity; /* against z, m/s^2; where there is any, the upper end is free */
};

/* On a lattice, solved by Newton's method for rest in steps that are all but endless. */
static const struct setting SQUARE = {.filling = "jitter: 0",
                                      .solver = "newton",
                                      .length = 0.44,
                                      .poisson = 0.3,
                                      .control = 0.1,
                                      .dt = 10.0,
                                      .layers = 6};

static inline double spacing_of(const struct setting *set)
{
    return WIDTH / set->layers;
}

struct bar {
    struct config *config;
    struct scene scene;
    struct sample sample;
    struct simulation simulation;
    size_t n;
    struct vec3 *rest; /* places without load, m (n) */
};

static inline void give_up(const struct error *error)
{
    printf("#   %s\n", error->message);
    fflush(stdout);
    _exit(1);
}

static const char bar_text[] =
    "name: bar\n"
    "time: {end: 1e9, max_step: %g, frame_interval: 1e9}\n"
    "gravity: [0, %g, -%g]\n"
    "contact: {method: none}\n"
    "solver: {tolerance: 1e-10}\n"
    "materials:\n"
    "  rubber: {model: corotated, young_modulus: %g, poisson_ratio: %g, solver: %s,\n"
    "           zero_energy_control: %g}\n"
    "bodies:\n"
    "  bar: {material: rubber, radius: %.17g, density: %g, %s, shape: {%s},\n"
    "        fixed_in: {union: [{box: {center: [0, 0, %g], size: [1, 1, %g]}},\n"
    "                           {box: {center: [0, 0, -%g], size: [1, 1, %g]}}]}}\n";

static inline void bar_create(struct bar *bar, const struct setting *set)
{
    const double all = set->length + 2.0 * HELD, held = 1.0 + HELD;
    const double below = 0.5 * (all - HELD + 1.0), above = below + (set->gravity > 0.0 ? all : 0.0);
    char text[2048], shape[128];
    struct error error = {0};
    omp_set_num_threads(1); /* tests run side by side */
    if (set->round)
        snprintf(shape, sizeof shape, "cylinder: {radius: %g, height: %g}", 0.5 * WIDTH, all);
    else
        snprintf(shape, sizeof shape, "box: {size: [%g, %g, %g]}", WIDTH, WIDTH, all);
    snprintf(text, sizeof text, bar_text, set->dt, TILT * set->gravity, set->gravity, YOUNG,
             set->poisson, set->solver, set->control, 0.5 * spacing_of(set), DENSITY, set->filling,
             shape, above, held, below, held);
    struct outcome o = outcome_of_text(text);
    outcome_print(&o);
    *bar = (struct bar){.config = o.config};
    if (o.status || config_scene(o.config, &bar->scene, &error) ||
        sample_scene(&bar->scene, &bar->sample, &error))
        give_up(&error);
    complaints_free(&o.complaints);
    bar->n = bar->sample.particles.n;
    bar->rest = calloc(bar->n, sizeof *bar->rest);
    memcpy(bar->rest, bar->sample.particles.position, bar->n * sizeof *bar->rest);
}

static inline void bar_free(struct bar *bar)
{
    simulation_free(&bar->simulation);
    sample_free(&bar->sample);
    scene_free(&bar->scene);
    config_free(bar->config);
    free(bar->rest);
}

/* ---- loads ---- */

struct load {
    const char *name;
    struct vec3 (*move)(struct vec3 x);  /* what moving the end does to a place in it */
    struct vec3 (*field)(struct vec3 x); /* how sections move for each m or rad */
    double square, round;                /* rigidity over E, or G, and that power of the area */
    double power;
    bool shears; /* G counts, and not E */
};

static struct vec3 stretched(struct vec3 x)
{
    return vec3(x.x, x.y, x.z + MOVED);
}

static struct vec3 along(struct vec3 x)
{
    (void)x;
    return vec3(0.0, 0.0, 1.0);
}

/* About the center of the bar, which leaves no force across. */
static struct vec3 bent(struct vec3 x)
{
    const double c = cos(MOVED), s = sin(MOVED);
    return vec3(x.x, c * x.y + s * x.z, c * x.z - s * x.y);
}

static struct vec3 inclined(struct vec3 x)
{
    return vec3(0.0, 0.0, -x.y);
}

static struct vec3 twisted(struct vec3 x)
{
    const double c = cos(MOVED), s = sin(MOVED);
    return vec3(c * x.x - s * x.y, s * x.x + c * x.y, x.z);
}

static struct vec3 turned(struct vec3 x)
{
    return vec3(-x.y, x.x, 0.0);
}

enum { STRETCH, BEND, TWIST, LOADS };

/* Saint-Venant's torsion of a square bar: 0.140577 a^4. */
static const struct load LOAD[LOADS] = {
    {"stretch", stretched, along, 1.0, 1.0, 1.0, false},
    {"bend", bent, inclined, 1.0 / 12.0, 0.25 / PI, 2.0, false},
    {"twist", twisted, turned, 0.140577, 0.5 / PI, 2.0, true},
};

/* How much of the load a place has, if the bar follows evenly. */
static inline double part_at(const struct setting *set, double z)
{
    return fmax(0.0, fmin(1.0, 0.5 + z / set->length));
}

static inline void begin(struct bar *bar, const struct setting *set, const struct load *load)
{
    for (size_t i = 0; i < bar->n; i++) {
        const struct vec3 x = bar->rest[i], way = vec3_sub(load->move(x), x);
        bar->sample.particles.position[i] = vec3_axpy(x, part_at(set, x.z), way);
    }
}

/* ---- rest ---- */

/* Stops the bar whenever its kinetic energy falls, until that changes nothing; returns the elastic
 * energy, J. A step of Newton's method that is all but endless ends at rest. */
static inline double find_rest(struct bar *bar, bool endless)
{
    struct simulation *s = &bar->simulation;
    const struct restart fresh = {0};
    struct error error = {0};
    double kinetic = 0.0, last = INFINITY, elastic = 0.0;
    int steps = 0;
    bar->scene.time.courant = 1e9;
    if (simulation_create(s, &bar->scene, &bar->sample.particles, bar->sample.rest_position, &fresh,
                          &error))
        give_up(&error);
    while (steps++ < 20000 && !(fabs(elastic - last) < 1e-7 * elastic)) {
        struct ledger_row row;
        if (simulation_step(s, bar->scene.time.end, &row, &error))
            give_up(&error);
        if (endless || row.kinetic < kinetic) {
            last = elastic;
            elastic = row.elastic;
            memset(s->particles.velocity, 0, bar->n * sizeof *s->particles.velocity);
        }
        kinetic = endless || row.kinetic < kinetic ? 0.0 : row.kinetic;
    }
    check(fabs(elastic - last) < 1e-7 * elastic);
    return elastic;
}

/* The growth of a field along the middle of the bar, per m, by least squares. */
static inline double rate_of(const struct bar *bar, const struct setting *set,
                             const struct load *load)
{
    double ff = 0.0, fz = 0.0, zz = 0.0, uf = 0.0, uz = 0.0;
    for (size_t i = 0; i < bar->n; i++) {
        const struct vec3 x = bar->rest[i], f = load->field(x);
        if (fabs(x.z) > 0.27 * set->length)
            continue;
        const double f2 = vec3_norm2(f),
                     u = vec3_dot(f, vec3_sub(bar->simulation.particles.position[i], x));
        ff += f2;
        fz += f2 * x.z;
        zz += f2 * x.z * x.z;
        uf += u;
        uz += u * x.z;
    }
    return (ff * uz - fz * uf) / (ff * zz - fz * fz);
}

struct response {
    double rigidity; /* force or couple over rate, over that of theory */
    double energy;   /* J */
    double clamp;    /* how much longer the bar seems to be at each end, spacings */
    double area;     /* of the particles, over that of the shape */
};

static inline struct response response_of(const struct setting *set, int number)
{
    const struct load *load = &LOAD[number];
    struct response r;
    struct bar bar;
    bar_create(&bar, set);
    begin(&bar, set, load);
    r.energy = find_rest(&bar, set->dt > 1.0);
    const double rate = rate_of(&bar, set, load), all = set->length + 2.0 * HELD;
    const double area = (double)bar.n * pow(spacing_of(set), 3) / all;
    const double modulus = load->shears ? YOUNG / (2.0 * (1.0 + set->poisson)) : YOUNG;
    const double theory =
        modulus * (set->round ? load->round : load->square) * pow(area, load->power);
    r.rigidity = 2.0 * r.energy / MOVED / rate / theory;
    r.clamp = 0.5 * (MOVED / rate - set->length) / spacing_of(set);
    r.area = area / (WIDTH * WIDTH * (set->round ? PI / 4.0 : 1.0));
    bar_free(&bar);
    return r;
}

/* Of convergence, from lattices of which one is twice as fine. */
static inline double order(double coarse, double fine)
{
    return log2(fabs(1.0 - coarse) / fabs(1.0 - fine));
}

#endif
