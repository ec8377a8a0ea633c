/* What averages and over-relaxation do in contact.method: position-based: values that claims about
 * unified particle physics are about. */
#include "scenes.h"
#include "schemes/position_based.h"

static const double G = 9.81; /* m/s^2 */

static void begin(struct hand_scene *h, uint32_t iterations, double omega)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_POSITION_BASED;
    h->scene.time.courant = 1000.0;
    h->scene.time.max_step = 1.0 / 120.0;
    h->scene.position = (struct position_settings){.iterations = iterations,
                                                   .omega = omega,
                                                   .averaging = AVERAGING_PARTICLE,
                                                   .stiffness = BONDS_RIGID};
}

static struct wall box = {.name = "box",
                          .region = {.shape = {.kind = SHAPE_BOX, .size = {0.72, 0.72, 4.0}},
                                     .position = {0.0, 0.0, 2.0},
                                     .rotation = UPRIGHT},
                          .keep = KEEP_INSIDE,
                          .holds = HOLDS_ALL};

static void add_box(struct hand_scene *h)
{
    h->scene.gravity = vec3(0.0, 0.0, -G);
    h->scene.n_walls = 1;
    h->scene.wall = &box;
}

static size_t add_rigid(struct hand_scene *h)
{
    return add_material(h, &rigid_model, (union hand_parameters){.rigid = {.stiffness = 1.0}});
}

static void leave(struct hand_scene *h, struct simulation *s)
{
    simulation_free(s);
    hand_scene_end(h);
}

/* ---- momentum ---- */

enum { TWO_GRAINS, GRAINS, SHAPES, COLLISIONS };
static const char *const collision_name[] = {"two", "grains", "shapes"};

/* Two blocks that hit each other aside, without gravity: the change of their momentum over that of
 * the one that moves. Its particles fall into hollows between those of the other. */
static double drift(int kind, enum way_of_averaging averaging)
{
    struct hand_scene h;
    struct simulation s;
    const struct vec3 still = vec3(0.0, 0.0, 0.0), falls = vec3(0.0, 0.0, -3.0);
    begin(&h, 4, 1.0);
    h.scene.time.max_step = 1.0 / 480.0;
    h.scene.position.averaging = averaging;
    const size_t material = kind == SHAPES ? add_rigid(&h) : add_loose(&h);
    add_body(&h, material, 0.05, 0.2);
    const int n = kind == TWO_GRAINS ? 1 : 3;
    add_block(&h, n, n, n, still, still);
    add_body(&h, material, 0.05, 0.1);
    add_block(&h, n, n, kind == TWO_GRAINS ? 1 : 2, vec3(0.05, 0.04, 0.1 * n - 0.015), falls);
    start(&h, &s);
    const struct vec3 before = s.totals.momentum;
    for (int k = 0; k < 60; k++)
        step_once(&s);
    double change = vec3_norm(vec3_sub(s.totals.momentum, before)) / vec3_norm(before);
    leave(&h, &s);
    return change;
}

TEST(averages_do_not_keep_momentum)
{
    for (int kind = 0; kind < COLLISIONS; kind++)
        for (int split = 0; split < 2; split++) {
            char name[60];
            double lost = drift(kind, split ? AVERAGING_MASS_SPLITTING : AVERAGING_PARTICLE);
            snprintf(name, sizeof name, "UPP.drift.%s.%s", collision_name[kind],
                     split ? "split" : "averaged");
            measured(name, lost);
            check(kind == TWO_GRAINS || split ? lost < 1e-10 : lost > 0.01);
        }
}

/* ---- over-relaxation ---- */

enum { CLOTH, STACK, PILE, OMEGA_SCENES };
static const char *const scene_name[] = {"cloth", "stack", "pile"};

static double begin_scene(struct hand_scene *h, int kind)
{
    const struct vec3 still = vec3(0.0, 0.0, 0.0);
    if (kind == CLOTH) {
        h->scene.gravity = vec3(0.0, G, 0.0);
        add_body(h, add_peridynamics(h, 1e3, 1.5, 0.0, (double)INFINITY), 0.05, 0.2);
        add_block(h, 8, 20, 1, still, still);
        for (int i = 0; i < 8; i++)
            h->particles.state[i] = PARTICLE_FIXED;
        return 1.9;
    }
    add_box(h);
    if (kind == STACK) {
        const size_t stone = add_rigid(h);
        for (int k = 0; k < 10; k++) {
            add_body(h, stone, 0.03125, 0.25);
            add_block(h, 4, 4, 4, vec3(-0.09375, -0.09375, 0.03125 + 0.25 * k), still);
        }
        return 2.5;
    }
    add_body(h, add_loose(h), 0.05, 0.2);
    for (int i = 0; i < 216; i++)
        add_particle(h,
                     vec3_axpy(vec3(0.11 * (i % 6) - 0.275, 0.11 * (i / 6 % 6) - 0.275,
                                    0.06 + 0.11 * (i / 36)),
                               0.005, random_vector(5, (uint64_t)i)),
                     still);
    return 0.7;
}

/* What is left of the constraints, relative: how much longer the cloth is, how much lower the
 * stack, and the mean overlap of particles of the pile that touch. */
static double error_of(int kind, const struct particles *p)
{
    const struct vec3 *x = p->position;
    double deep = 0.0, pairs = 0.0;
    if (kind != PILE)
        return kind == CLOTH ? x[8 * 19 + 4].y / 1.9 - 1.0 : 1.0 - x[p->n - 1].z / 2.46875;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < i; j++) {
            double d = 1.0 - vec3_norm(vec3_sub(x[i], x[j])) / 0.1;
            deep += d > 0.0 ? d : 0.0;
            pairs += d > 0.0;
        }
    return deep / fmax(pairs, 1.0);
}

/* The mean of that from 2 s to 4 s; *speed: the largest, over that of a fall from the scene's
 * height. */
static double left(int kind, uint32_t iterations, double omega, double *speed)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, iterations, omega);
    const double height = begin_scene(&h, kind);
    start(&h, &s);
    double sum = 0.0;
    *speed = 0.0;
    for (int k = 0; k < 480; k++) {
        step_once(&s);
        for (size_t i = 0; i < s.particles.n; i++)
            *speed = fmax(*speed, vec3_norm(s.particles.velocity[i]) / sqrt(2.0 * G * height));
        sum += k >= 240 ? error_of(kind, &s.particles) : 0.0;
    }
    leave(&h, &s);
    return sum / 240.0;
}

TEST(corrections_beyond_averages_converge_sooner)
{
    static const double omega[] = {1.0, 1.25, 1.5, 2.0};
    double fastest[2] = {0.0, 0.0};
    for (int kind = 0; kind < OMEGA_SCENES; kind++)
        for (size_t k = 0; k < 4; k++) {
            char name[60];
            double speed, error = left(kind, 8, omega[k], &speed);
            snprintf(name, sizeof name, "UPP.omega.%s-%g", scene_name[kind], omega[k]);
            measured(name, error);
            fastest[k > 0] = fmax(fastest[k > 0], speed);
        }
    measured("UPP.omega.speed-1", fastest[0]);
    measured("UPP.omega.speed-above", fastest[1]);
    check(fastest[0] < 3.0);
}

/* ---- the margin of the search ---- */

struct search {
    double pairs;   /* that were looked at, of a particle and step */
    double touches; /* at the end of steps, likewise */
    double missed;  /* the part of these that were not looked at */
};

static bool is_listed(const struct pair_list *list, struct pair pair)
{
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct pair at = list->pair[middle];
        if (at.i < pair.i || (at.i == pair.i && at.j < pair.j))
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->n && list->pair[low].i == pair.i && list->pair[low].j == pair.j;
}

/* Grains that fall into a box and come to rest. */
static struct search search_with(double margin)
{
    struct hand_scene h;
    struct simulation s;
    struct search found = {0.0, 0.0, 0.0};
    begin(&h, 8, 1.0);
    begin_scene(&h, PILE);
    start(&h, &s);
    struct position_based *p = (struct position_based *)s.scheme;
    p->margin = margin;
    for (int k = 0; k < 240; k++) {
        step_once(&s);
        found.pairs += 2.0 * (double)p->near.list.n;
        found.touches += 2.0 * (double)s.touching.n;
        for (size_t t = 0; t < s.touching.n; t++)
            found.missed += 2.0 * !is_listed(&p->near.list, s.touching.pair[t]);
    }
    const double steps = 240.0 * (double)s.particles.n;
    leave(&h, &s);
    return (struct search){found.pairs / steps, found.touches / steps,
                           found.missed / found.touches};
}

TEST(a_margin_of_the_search_misses_fewer_contacts)
{
    static const double margin[] = {0.0, 0.1, 0.2, 0.5};
    struct search found[4];
    for (size_t k = 0; k < 4; k++) {
        char name[60];
        found[k] = search_with(margin[k]);
        snprintf(name, sizeof name, "UPP.margin.missed-%g", margin[k]);
        measured(name, found[k].missed);
        snprintf(name, sizeof name, "UPP.margin.pairs-%g", margin[k]);
        measured(name, found[k].pairs);
        check(found[k].touches > 1.0);
    }
    check(found[0].missed > 0.0 && found[2].missed < 0.01);
}
