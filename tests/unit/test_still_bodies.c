/* Bonds of bodies that never move: left out where nothing needs them, and missed by nobody. */
#include "base/memory.h"
#include "measure/fragments.h"
#include "networks.h"
#include "systems/bonds/bond_network.h"
#include "systems/bonds/bond_still.h"

enum { FLOOR, BALL, N_BODIES };

/* A ball that breaks, above a floor of the same material; the floor comes first. */
static uint32_t fill(struct hand_scene *h)
{
    hand_scene_begin(h);
    size_t brittle = add_peridynamics(h, 40.0, 2.0, 0.0, 0.02);
    add_body(h, brittle, 0.01, 8e-3);
    uint32_t first = add_block(h, 6, 6, 3, vec3(-0.05, -0.05, -0.04), vec3(0, 0, 0));
    fix_from(h, first);
    add_body(h, brittle, 0.01, 8e-3);
    return add_ball(h, 0.04, vec3(0.003, 0.002, 0.06), vec3(0, 0, -10));
}

/* A motion of some of the floor's particles keeps the floor's bonds, even if it never begins. */
static void keep(struct hand_scene *h, struct prescribed *motion, struct shape *region)
{
    static const double upright[9] = UPRIGHT;
    memcpy(h->body[FLOOR].rotation, upright, sizeof upright);
    *region = (struct shape){.kind = SHAPE_BALL, .radius = 0.03};
    *motion = (struct prescribed){.name = "never",
                                  .body = FLOOR,
                                  .region = region,
                                  .velocity = vec3(0, 0, 1),
                                  .axis = vec3(0, 0, 1),
                                  .start = 1e5,
                                  .stop = 2e5};
    h->scene.n_prescribed = 1;
    h->scene.prescribed = motion;
}

static size_t bonds_if_torn(struct hand_scene *h, uint32_t end, size_t n_torn, const uint64_t *torn)
{
    struct error error = {0};
    struct system *system;
    const struct system_setting setting = {.scene = &h->scene,
                                           .particles = &h->particles,
                                           .rest = h->rest,
                                           .n_torn = n_torn,
                                           .torn = torn,
                                           .n = h->particles.n,
                                           .moves = true};
    check_equal(bond_network_class.create(&system, &setting, &error), STATUS_OK, "create");
    const struct bond_network *net = (const struct bond_network *)system;
    size_t n = net->start[end];
    check(!net->still || n == 0);
    system->class->free(system);
    return n;
}

static size_t bonds_of(struct hand_scene *h, uint32_t end)
{
    return bonds_if_torn(h, end, 0, NULL);
}

/* ---- who needs them ---- */

TEST(only_bodies_that_never_move_do_without)
{
    struct hand_scene h;
    struct prescribed motion;
    struct shape region;
    uint32_t end = fill(&h);
    struct bond_network *all = create(&h);
    const size_t n = all->start[end];
    destroy(all);
    check(n > 500);
    check_equal(bonds_of(&h, end), 0, "bonds of the floor");
    h.particles.state[end / 2] = PARTICLE_FREE;
    check_equal(bonds_of(&h, end), n, "one particle is free");
    h.particles.state[end / 2] = PARTICLE_FIXED;
    keep(&h, &motion, &region);
    check_equal(bonds_of(&h, end), n, "a part of it moves");
    motion.region = NULL;
    check_equal(bonds_of(&h, end), 0, "it moves as a whole");
    h.scene.contact.method = CONTACT_PRESSURE;
    check_equal(bonds_of(&h, end), n, "its contact is pressure");
    hand_scene_end(&h);
}

/* In another place and turned, a body is as at rest; in another shape it is not. */
TEST(a_deformed_body_keeps_its_bonds)
{
    struct hand_scene h;
    uint32_t end = fill(&h);
    struct bond_network *all = create(&h);
    const size_t n = all->start[end];
    destroy(all);
    struct vec3 *x = h.particles.position;
    for (uint32_t i = 0; i < end; i++) /* a quarter of a turn, 2 m away */
        x[i] = vec3(2.0 - x[i].y, x[i].x, x[i].z);
    check_equal(bonds_of(&h, end), 0, "turned and moved");
    for (uint32_t i = 0; i < end; i++)
        x[i].x += 1e-3 * x[i].z; /* less than 0.06 mm: 6e-3 radii */
    check_equal(bonds_of(&h, end), n, "sheared");
    for (uint32_t i = 0; i < end; i++)
        x[i].x -= 1e-3 * x[i].z;
    check_equal(bonds_of(&h, end), 0, "back again");
    for (uint32_t i = 0; i < end; i++) { /* about the vertical axis, by its height: a screw */
        const double angle = 1e-3 * x[i].z / 0.05, c = cos(angle), s = sin(angle);
        x[i] = vec3(c * x[i].x - s * x[i].y, s * x[i].x + c * x[i].y, x[i].z);
    }
    check_equal(bonds_of(&h, end), n, "twisted");
    hand_scene_end(&h);
}

/* What tore and is in its shape again, and fixed, has its bonds: frames know the torn ones. A torn
 * bond of another body is none of its own. */
TEST(a_torn_body_keeps_its_bonds)
{
    struct hand_scene h;
    uint32_t end = fill(&h);
    struct bond_network *all = create(&h);
    const size_t n = all->start[end];
    destroy(all);
    const uint64_t torn[2] = {n - 1, n};
    check_equal(bonds_if_torn(&h, end, 2, torn), n, "its last one is torn");
    check_equal(bonds_if_torn(&h, end, 1, torn + 1), 0, "the first of the ball is");
    hand_scene_end(&h);
}

/* ---- nobody misses them ---- */

/* Takes the ball into the floor, until some of it broke. */
static void run(struct simulation *s)
{
    while (s->time < 0.02 && !tap_failed)
        step_once(s);
}

static struct bond_network *network_of(const struct simulation *s)
{
    return (struct bond_network *)s->system[0];
}

static void check_same_broken(const struct simulation *with, const struct simulation *without)
{
    struct error error = {0};
    uint64_t *a, *b;
    size_t n, m;
    check_equal(bond_network_broken(with->system[0], &n, &a, &error), STATUS_OK, "broken");
    check_equal(bond_network_broken(without->system[0], &m, &b, &error), STATUS_OK, "broken");
    check_equal(m, n, "broken bonds");
    check(n > 10 && m == n && memcmp(a, b, n * sizeof *a) == 0);
    printf("# %zu broken bonds, the first of them %llu\n", n, (unsigned long long)a[0]);
    free(a);
    free(b);
}

static void check_same_fragments(struct hand_scene *h, const struct simulation *with,
                                 const struct simulation *without)
{
    struct fragments f[2];
    struct error error = {0};
    const struct simulation *s[2] = {with, without};
    for (int k = 0; k < 2; k++) {
        check_equal(fragments_create(&f[k], &h->scene, &s[k]->particles, s[k]->bonded, &error),
                    STATUS_OK, "fragments");
        fragments_update(&f[k], s[k]->bonded, 1);
    }
    check(f[0].count.fragments > 2);
    check(memcmp(&f[0].count, &f[1].count, sizeof f[0].count) == 0);
    check(memcmp(f[0].fragment, f[1].fragment, f[0].n * sizeof *f[0].fragment) == 0);
    fragments_free(&f[0]);
    fragments_free(&f[1]);
}

static void check_same_run(enum time_integration integrator)
{
    struct hand_scene h[2];
    struct simulation s[2];
    struct prescribed motion;
    struct shape region;
    for (int k = 0; k < 2; k++) {
        fill(&h[k]);
        h[k].scene.solver.integrator = integrator;
        if (k == 0)
            keep(&h[k], &motion, &region);
        start(&h[k], &s[k]);
        run(&s[k]);
    }
    const struct particles *p = &s[0].particles, *q = &s[1].particles;
    check(network_of(&s[1])->still && !network_of(&s[0])->still);
    check(network_of(&s[1])->n_bonds < network_of(&s[0])->n_bonds);
    check(memcmp(p->position, q->position, p->n * sizeof *p->position) == 0);
    check(memcmp(p->velocity, q->velocity, p->n * sizeof *p->velocity) == 0);
    check_same_broken(&s[0], &s[1]);
    check_same_fragments(&h[1], &s[0], &s[1]);
    for (int k = 0; k < 2; k++) {
        simulation_free(&s[k]);
        hand_scene_end(&h[k]);
    }
}

TEST(implicit_runs_are_the_same)
{
    check_same_run(INTEGRATOR_BACKWARD_EULER);
}

TEST(explicit_runs_are_the_same)
{
    check_same_run(INTEGRATOR_VERLET);
}

/* ---- numbers ---- */

/* Every bond that was not left out has the number that it would have among all. */
TEST(bonds_have_the_numbers_of_all)
{
    struct bond_gap gap[] = {{0, 3}, {4, 2}, {4, 5}, {9, 1}};
    struct bond_network net = {.n_bonds = 9, .n_gaps = 4, .gap = gap};
    const size_t is[] = {3, 4, 5, 6, 14, 15, 16, 17, 18};
    size_t next = 0;
    for (uint64_t number = 0; number < 25; number++) {
        const bool there = next < 9 && number == is[next];
        check_equal(bond_of_number(&net, number), there ? next : net.n_bonds, "bond");
        if (there)
            check_equal(bond_number_of(&net, next++), number, "number");
    }
    check_equal(next, 9, "bonds");
}
