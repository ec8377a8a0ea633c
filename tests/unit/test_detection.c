#include "base/memory.h"
#include "contact/detection.h"
#include "tap.h"

#include <omp.h>

/* A small generator of its own (splitmix64), so that the test depends on nothing it tests. */
static uint64_t state = 1;

static double uniform(void)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static struct vec3 direction(void)
{
    for (;;) {
        struct vec3 v = vec3(2.0 * uniform() - 1.0, 2.0 * uniform() - 1.0, 2.0 * uniform() - 1.0);
        double square = vec3_norm2(v);
        if (square > 0.01 && square < 1.0)
            return vec3_scale(1.0 / sqrt(square), v);
    }
}

/* Bonds that a test makes: a dense table on one side, the view on the other. */
struct bonds {
    size_t n;
    uint8_t *table; /* 0 none, 1 broken, 2 whole (n x n) */
    size_t *start;
    uint32_t *neighbor;
    uint8_t *whole;
    struct bonded view;
};

static struct particles cloud(size_t n, struct vec3 corner, struct vec3 size, double radius_min,
                              double radius_max)
{
    struct particles p;
    struct error error;
    if (particles_create(&p, n, &error))
        abort();
    for (size_t i = 0; i < n; i++) {
        p.position[i] = vec3(corner.x + size.x * uniform(), corner.y + size.y * uniform(),
                             corner.z + size.z * uniform());
        p.radius[i] = radius_min * pow(radius_max / radius_min, uniform());
        p.mass[i] = 1.0;
        double u = uniform();
        p.state[i] = u < 0.2    ? PARTICLE_FIXED
                     : u < 0.24 ? PARTICLE_PRESCRIBED
                     : u < 0.28 ? PARTICLE_GONE
                                : PARTICLE_FREE;
    }
    return p;
}

/* Bonds between all particles nearer than `reach`; each broken with the given probability. */
static struct bonds bonds_between(const struct particles *p, double reach, double broken)
{
    struct bonds b = {.n = p->n, .table = calloc(p->n * p->n, 1)};
    size_t ends = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++)
            if (vec3_norm(vec3_sub(p->position[j], p->position[i])) < reach) {
                b.table[i * p->n + j] = b.table[j * p->n + i] = uniform() < broken ? 1 : 2;
                ends += 2;
            }
    b.start = calloc(p->n + 1, sizeof *b.start);
    b.neighbor = calloc(ends + 1, sizeof *b.neighbor);
    b.whole = calloc(ends + 1, sizeof *b.whole);
    size_t k = 0;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = i + 1; j < p->n; j++)
            if (b.table[i * p->n + j]) {
                b.neighbor[k] = (uint32_t)j;
                b.whole[k++] = b.table[i * p->n + j] == 2;
            }
        b.start[i + 1] = k;
    }
    b.view = (struct bonded){
        .end = (uint32_t)p->n, .start = b.start, .neighbor = b.neighbor, .whole = b.whole};
    return b;
}

static void bonds_break(struct bonds *b, double probability)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = b->start[i]; k < b->start[i + 1]; k++) {
            size_t j = b->neighbor[k];
            if (b->whole[k] && uniform() < probability)
                b->table[i * b->n + j] = b->table[j * b->n + i] = 1;
        }
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = b->start[i]; k < b->start[i + 1]; k++)
            b->whole[k] = b->table[i * b->n + b->neighbor[k]] == 2;
}

static void bonds_free(struct bonds *b)
{
    free(b->table);
    free(b->start);
    free(b->neighbor);
    free(b->whole);
}

/* The definition, word by word. Returns the number of contacts. */
static size_t compare(struct detector *detector, const struct particles *p, const struct bonds *b)
{
    struct pair_list list = {0};
    struct error error = {0};
    check_equal(detector_find(detector, p, b ? &b->view : NULL, &list, &error), STATUS_OK,
                "status");
    size_t k = 0;
    bool same = true;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++) {
            struct vec3 d = vec3_sub(p->position[j], p->position[i]);
            double reach = p->radius[i] + p->radius[j];
            if (!(vec3_norm2(d) < reach * reach) || (p->state[i] && p->state[j]) ||
                p->state[i] == PARTICLE_PRESCRIBED || p->state[i] == PARTICLE_GONE ||
                p->state[j] == PARTICLE_PRESCRIBED || p->state[j] == PARTICLE_GONE ||
                (b && b->table[i * p->n + j] == 2))
                continue;
            same = same && k < list.n && list.pair[k].i == i && list.pair[k].j == j;
            k++;
        }
    check(same);
    check_equal(list.n, k, "contacts");
    pair_list_free(&list);
    return k;
}

static size_t compare_once(struct particles p)
{
    struct detector *detector;
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    size_t n = compare(detector, &p, NULL);
    detector_free(detector);
    particles_free(&p);
    return n;
}

TEST(equal_radii_agree_with_all_pairs)
{
    check(compare_once(cloud(2000, vec3(-1, -1, -1), vec3(1, 1, 1), 0.05, 0.05)) > 1000);
    check(compare_once(cloud(2000, vec3(-3, 0, 5), vec3(3, 3, 3), 0.05, 0.05)) > 30);
}

TEST(a_radius_ratio_of_ten_agrees_with_all_pairs)
{
    check(compare_once(cloud(2000, vec3(-1, -1, -1), vec3(2, 2, 2), 0.01, 0.1)) > 300);
    check(compare_once(cloud(2000, vec3(-5, -5, -5), vec3(9, 9, 9), 0.03, 0.3)) > 100);
}

TEST(any_radius_ratio_agrees_with_all_pairs)
{
    check(compare_once(cloud(700, vec3(-1, -1, -1), vec3(2, 2, 2), 1e-9, 0.5)) > 300);
    check(compare_once(cloud(300, vec3(-1, -1, -1), vec3(2, 2, 2), 1e-30, 1e30)) > 1000);
}

/* Spacings that doubles hold exactly do not touch (the rule is strict); an ulp less does. */
TEST(a_lattice_at_touching_distance)
{
    for (int nearer = 0; nearer < 2; nearer++) {
        struct particles p = cloud(1000, vec3(0, 0, 0), vec3(1, 1, 1), 0.125, 0.125);
        double spacing = nearer ? 0.25 * (1.0 - 0x1p-50) : 0.25;
        for (size_t i = 0; i < p.n; i++) {
            p.position[i] =
                vec3(spacing * (double)(i % 10) - 1.0, spacing * (double)(i / 10 % 10) - 1.0,
                     spacing * (double)(i / 100));
            p.state[i] = 0;
        }
        size_t n = compare_once(p);
        if (nearer)
            check(n > 0);
        else
            check_equal(n, 0, "contacts");
    }
    struct particles p = cloud(1000, vec3(0, 0, 0), vec3(1, 1, 1), 0.01, 0.01);
    for (size_t i = 0; i < p.n; i++) /* rounding decides: both sides must decide alike */
        p.position[i] =
            vec3(0.02 * (double)(i % 10), 0.02 * (double)(i / 10 % 10), 0.02 * (double)(i / 100));
    compare_once(p);
}

TEST(clusters_planes_lines_and_one_cell)
{
    struct particles p = cloud(1500, vec3(0, 0, 0), vec3(1, 1, 1), 0.05, 0.1);
    for (size_t i = 0; i < p.n; i++)
        p.position[i] = vec3_add(p.position[i], vec3_scale(1e4 * (double)(i % 7), direction()));
    compare_once(p);
    check(compare_once(cloud(1500, vec3(-2, 3, -2), vec3(4, 0, 4), 0.05, 0.1)) > 100);
    check(compare_once(cloud(1500, vec3(-200, 3, 3), vec3(400, 0, 0), 0.05, 0.1)) > 100);
    check(compare_once(cloud(300, vec3(-1, -1, -1), vec3(0.1, 0.1, 0.1), 0.05, 0.05)) > 10000);
    check(compare_once(cloud(200, vec3(-1, -1, -1), vec3(0, 0, 0), 0.05, 0.05)) > 10000);
}

TEST(huge_extents_agree_with_all_pairs)
{
    struct particles p = cloud(500, vec3(-1, -1, -1), vec3(2, 2, 2), 0.05, 0.2);
    p.position[3] = vec3(1e300, 0.0, -1e300);
    p.position[4] = vec3(-1e308, 1e308, 1e308);
    p.position[5] = vec3(1e17, 1e17, 1e17);
    p.position[6] = p.position[5];
    p.state[5] = p.state[6] = 0;
    p.position[7] = vec3(0.0, 1e9, 0.0);
    p.position[8] = vec3(0.1, 1e9, 0.0);
    p.radius[7] = p.radius[8] = 0.06;
    p.state[7] = p.state[8] = 0;
    check(compare_once(p) > 2);
}

TEST(bonded_neighbors_do_not_touch)
{
    struct particles p = cloud(800, vec3(-1, -1, -1), vec3(1, 1, 1), 0.05, 0.05);
    struct bonds b = bonds_between(&p, 0.12, 0.3);
    struct detector *detector;
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    size_t before = compare(detector, &p, NULL);
    detector_free(detector);
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    size_t bonded = compare(detector, &p, &b);
    check(bonded < before / 2 && bonded > 0);
    detector_free(detector);
    bonds_free(&b);
    particles_free(&p);
}

/* Bonds of all lengths, up to far beyond the skin, break little by little, while the particles move
 * less than a search allows: the candidates of the first search are kept, with what broke. */
TEST(broken_bonds_need_no_search)
{
    struct particles p = cloud(900, vec3(-1, -1, -1), vec3(1, 1, 1), 0.05, 0.05);
    struct bonds b = bonds_between(&p, 0.5, 0.3);
    struct detector *detector;
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    size_t contacts = compare(detector, &p, &b), first = contacts;
    for (int step = 0; step < 12; step++) {
        for (size_t i = 0; i < p.n; i++)
            p.position[i] = vec3_axpy(p.position[i], 0.003, direction());
        if (step % 3 != 2)
            bonds_break(&b, step % 2 ? 0.01 : 0.2);
        detector_bonds_broke(detector);
        contacts = compare(detector, &p, &b);
    }
    check(contacts > first + 100);
    check_equal(detector_searches(detector), 1, "searches");
    detector_free(detector);
    bonds_free(&b);
    particles_free(&p);
}

/* The bonds of two systems with a fluid between them. */
TEST(bonds_of_several_systems_break)
{
    struct particles p = cloud(600, vec3(-1, -1, -1), vec3(1, 1, 1), 0.1, 0.1);
    struct bonds b = bonds_between(&p, 0.25, 0.0);
    size_t *start = calloc(201, sizeof *start);
    for (size_t i = 0; i < p.n; i++) /* no bonds from one to another, none in the fluid */
        for (size_t j = i + 1; j < p.n; j++)
            if (i / 200 != j / 200 || i / 200 == 1)
                b.table[i * p.n + j] = b.table[j * p.n + i] = i / 200 == 1 && j < 400 ? 2 : 0;
    size_t kept = 0;
    for (size_t i = 0, k = 0; i < p.n; i++) {
        for (; k < b.start[i + 1]; k++)
            if (i / 200 != 1 && i / 200 == b.neighbor[k] / 200) {
                b.neighbor[kept] = b.neighbor[k];
                b.whole[kept++] = 1;
            }
        *(i < 400 ? &b.start[i + 1] : &start[i - 399]) = kept;
    }
    memcpy(b.start + 401, start + 1, 200 * sizeof *start);
    start[0] = b.start[400];
    const struct bonded last = {
        .begin = 400, .end = 600, .start = start, .neighbor = b.neighbor, .whole = b.whole};
    const struct bonded fluid = {.begin = 200, .end = 400, .no_contacts = true, .next = &last};
    b.view.end = 200;
    b.view.next = &fluid;
    struct detector *detector;
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    size_t contacts = compare(detector, &p, &b), first = contacts;
    for (int step = 0; step < 3; step++) {
        bonds_break(&b, 0.3);
        detector_bonds_broke(detector);
        contacts = compare(detector, &p, &b);
    }
    check(contacts > first + 100);
    check_equal(detector_searches(detector), 1, "searches");
    detector_free(detector);
    bonds_free(&b);
    free(start);
    particles_free(&p);
}

/* The contacts of particles outside the fluid [first, end) with all others, and of any two of them;
 * by all pairs of which at least one is outside. */
static size_t compare_with_fluid(struct detector *detector, const struct particles *p,
                                 const struct bonded *bonded, size_t first, size_t end)
{
    struct pair_list list = {0};
    struct error error = {0};
    check_equal(detector_find(detector, p, bonded, &list, &error), STATUS_OK, "status");
    size_t n = 0, k = 0;
    bool same = true;
    for (size_t i = 0; i < p->n; i++) {
        bool fluid = i >= first && i < end;
        for (size_t j = fluid ? end : i + 1; j < p->n; j++) {
            double reach = p->radius[i] + p->radius[j];
            if (!(vec3_norm2(vec3_sub(p->position[j], p->position[i])) < reach * reach) ||
                (p->state[i] && p->state[j]) || !particle_is_here(p->state[i]) ||
                !particle_is_here(p->state[j]))
                continue;
            n++;
            same = same && k < list.n && list.pair[k].i == i && list.pair[k].j == j;
            k++;
        }
    }
    check(same);
    check_equal(list.n, k, "contacts");
    pair_list_free(&list);
    return n;
}

/* A fluid so large that most of it is far from a solid and from dust, of which one follows and one
 * precedes it. All move; fluid comes near and goes away, some of it appears, some grows. */
TEST(a_large_fluid_is_searched_near_others_only)
{
    enum { SOLID = 60, FLUID = 9000, DUST = 40, STEPS = 120 };
    struct particles p = cloud(SOLID + FLUID + DUST, vec3(-2, -2, -2), vec3(4, 4, 4), 0.03, 0.05);
    for (size_t i = 0; i < p.n; i++) {
        bool fluid = i >= SOLID && i < SOLID + FLUID;
        if (!fluid)
            p.position[i] = vec3(0.3 * uniform(), 1.0 + 0.4 * uniform(), 0.1 * uniform());
        p.velocity[i] = vec3(fluid ? 0.5 : 0.1, fluid ? -0.3 : 0.0, 0.05 * uniform());
    }
    const struct bonded fluid = {.begin = SOLID, .end = SOLID + FLUID, .no_contacts = true};
    struct detector *detector;
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    size_t total = 0;
    for (int step = 0; step < STEPS; step++) {
        omp_set_num_threads(1 + step % 3);
        for (size_t i = 0; i < p.n; i++) {
            p.position[i] = vec3_axpy(p.position[i], 0.02, p.velocity[i]);
            if (p.position[i].x > 2.0)
                p.position[i].x -= 4.0;
        }
        p.state[SOLID + (size_t)(71 * step) % FLUID] = PARTICLE_FREE;
        if (step % 30 == 20)
            p.radius[SOLID + (size_t)(77 * step) % FLUID] = 0.06 + 0.0005 * (double)step;
        if (step == 80) /* beyond the old map */
            for (size_t i = 0; i < SOLID; i++)
                p.position[i].z += 1.5;
        total += compare_with_fluid(detector, &p, &fluid, SOLID, SOLID + FLUID);
    }
    check(total > 100 * STEPS);
    check(detector_searches(detector) > 10 && detector_searches(detector) < STEPS / 3 * 2);
    detector_free(detector);
    particles_free(&p);
}

/* Nothing moves but one particle of the fluid, which was far from the solid or not there: it jumps
 * beside it, appears, or grows until it touches. */
TEST(single_particles_of_a_large_fluid_come_near)
{
    enum { SOLID = 20, FLUID = 6000 };
    struct particles p = cloud(SOLID + FLUID, vec3(-2, -2, -2), vec3(4, 4, 0.5), 0.03, 0.03);
    for (size_t i = 0; i < p.n; i++)
        p.state[i] = PARTICLE_FREE;
    for (size_t i = 0; i < SOLID; i++)
        p.position[i] = vec3(0.2 * (double)i - 1.9, 0.0, 1.0);
    const struct bonded fluid = {.begin = SOLID, .end = SOLID + FLUID, .no_contacts = true};
    enum { JUMPS = SOLID + 100, APPEARS = SOLID + 3000, GROWS = SOLID + 5999 };
    p.state[APPEARS] = PARTICLE_PRESCRIBED;
    p.position[APPEARS] = vec3(0.1, 0.03, 1.0);
    struct detector *detector;
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    check_equal(compare_with_fluid(detector, &p, &fluid, SOLID, SOLID + FLUID), 0, "at first");
    p.position[JUMPS] = vec3(-1.9, 0.03, 1.0);
    check_equal(compare_with_fluid(detector, &p, &fluid, SOLID, SOLID + FLUID), 1, "jumped");
    p.state[APPEARS] = PARTICLE_FREE;
    check_equal(compare_with_fluid(detector, &p, &fluid, SOLID, SOLID + FLUID), 2, "appeared");
    p.position[GROWS] = vec3(1.9, 0.0, 0.0);
    check_equal(compare_with_fluid(detector, &p, &fluid, SOLID, SOLID + FLUID), 2, "far");
    p.radius[GROWS] = 0.98;
    check_equal(compare_with_fluid(detector, &p, &fluid, SOLID, SOLID + FLUID), 3, "grown");
    detector_free(detector);
    particles_free(&p);
}

/* Somebody else is beyond all bounds, nowhere, or not there at all. */
TEST(a_large_fluid_with_others_anywhere)
{
    enum { FLUID = 6000, OTHERS = 3 };
    const double places[] = {0.0, 1e3, 1e9, 1e200, -1.7e308};
    const struct bonded fluid = {.end = FLUID, .no_contacts = true};
    struct error error = {0};
    for (int k = 0; k < 5; k++) {
        struct particles p = cloud(FLUID + OTHERS, vec3(-1, -1, -1), vec3(2, 2, 2), 0.05, 0.05);
        struct detector *detector;
        check_equal(detector_create(&detector, &error), STATUS_OK, "status");
        for (size_t i = FLUID; i < p.n; i++)
            p.state[i] = PARTICLE_FREE;
        p.position[FLUID] = vec3(places[k], 0.0, -places[k]);
        p.position[FLUID + 1] = vec3(-places[k], 0.5, places[k]);
        check(compare_with_fluid(detector, &p, &fluid, 0, FLUID) > 0);
        for (size_t i = FLUID; i < p.n; i++)
            p.state[i] = PARTICLE_GONE;
        check_equal(compare_with_fluid(detector, &p, &fluid, 0, FLUID), 0, "with nobody there");
        struct pair_list list = {0};
        for (size_t i = FLUID; i < p.n; i++)
            p.state[i] = PARTICLE_FREE;
        p.position[17].x = HUGE_VAL;
        p.state[17] = PARTICLE_FREE;
        check_equal(detector_find(detector, &p, &fluid, &list, &error), STATUS_FAILED, "position");
        check_contains(error.message, "particle 17 is not finite");
        pair_list_free(&list);
        detector_free(detector);
        particles_free(&p);
    }
}

TEST(the_bonded_view_finds_every_whole_bond)
{
    struct particles p = cloud(200, vec3(-1, -1, -1), vec3(1, 1, 1), 0.05, 0.05);
    struct bonds b = bonds_between(&p, 0.3, 0.3);
    struct bonded none = {0};
    for (uint32_t i = 0; i < p.n; i++)
        for (uint32_t j = 0; j < p.n; j++) {
            check_equal(bonded_whole(&b.view, i, j), b.table[i * p.n + j] == 2, "whole");
            check(!bonded_whole(&none, i, j) && !bonded_whole(NULL, i, j));
        }
    bonds_free(&b);
    particles_free(&p);
}

/* Everything moves a little, now and then a jump, a broken bond, a changed radius or state; the
 * candidates are used again and again and must never show. */
TEST(moving_particles_agree_with_all_pairs_on_every_step)
{
    struct particles p = cloud(600, vec3(-1, -1, -1), vec3(1.5, 1.5, 1.5), 0.04, 0.12);
    struct bonds b = bonds_between(&p, 0.1, 0.0);
    struct detector *detector;
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    size_t total = 0;
    enum { STEPS = 300 };
    for (int step = 0; step < STEPS; step++) {
        double length = step % 60 == 59 ? 0.5 : step % 3 == 0 ? 0.012 : 0.0015;
        for (size_t i = 0; i < p.n; i++)
            p.position[i] = vec3_axpy(p.position[i], length * uniform(), direction());
        if (step % 50 == 20) {
            bonds_break(&b, 0.1);
            detector_bonds_broke(detector);
        }
        if (step % 70 == 30)
            p.radius[(size_t)step] *= 1.5;
        if (step % 35 == 31)
            p.state[(size_t)step] = (uint8_t)((p.state[step] + 1) % PARTICLE_STATES);
        total += compare(detector, &p, &b);
    }
    check(total > 100 * STEPS);
    check(detector_searches(detector) > 20 && detector_searches(detector) < STEPS / 2);
    detector_free(detector);
    bonds_free(&b);
    particles_free(&p);
}

/* Two particles far apart close in by steps just within the skin: the contact must not be late. */
TEST(a_slow_approach_is_never_missed)
{
    struct particles p = cloud(2, vec3(0, 0, 0), vec3(0, 0, 0), 1.0, 1.0);
    p.state[0] = p.state[1] = 0;
    struct detector *detector;
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    for (double gap = 3.0; gap > -1.0; gap -= 0.001) {
        p.position[0].x = -1.0 - 0.5 * gap;
        p.position[1].x = 1.0 + 0.5 * gap;
        compare(detector, &p, NULL);
    }
    check(detector_searches(detector) < 10);
    detector_free(detector);
    particles_free(&p);
}

TEST(a_resumed_run_finds_the_same_pairs)
{
    struct particles p = cloud(1000, vec3(-1, -1, -1), vec3(1, 1, 1), 0.05, 0.05);
    struct detector *old, *fresh;
    struct pair_list a = {0}, b = {0};
    struct error error = {0};
    check_equal(detector_create(&old, &error), STATUS_OK, "status");
    for (int step = 0; step < 20; step++) {
        for (size_t i = 0; i < p.n; i++)
            p.position[i] = vec3_axpy(p.position[i], 0.01 * uniform(), direction());
        check_equal(detector_find(old, &p, NULL, &a, &error), STATUS_OK, "status");
        check_equal(detector_create(&fresh, &error), STATUS_OK, "status");
        check_equal(detector_find(fresh, &p, NULL, &b, &error), STATUS_OK, "status");
        check_equal(a.n, b.n, "contacts");
        check(memcmp(a.pair, b.pair, a.n * sizeof *a.pair) == 0);
        detector_free(fresh);
    }
    pair_list_free(&a);
    pair_list_free(&b);
    detector_free(old);
    particles_free(&p);
}

TEST(a_broken_state_is_an_error_and_recoverable)
{
    struct particles p = cloud(100, vec3(-1, -1, -1), vec3(1, 1, 1), 0.1, 0.2);
    struct particles none = {0};
    struct detector *detector;
    struct pair_list list = {0};
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    check_equal(detector_find(detector, &none, NULL, &list, &error), STATUS_OK, "no particles");
    check_equal(list.n, 0, "contacts of no particles");
    size_t before = compare(detector, &p, NULL);
    struct vec3 kept = p.position[42];
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        p.position[42].y = bad[k];
        check_equal(detector_find(detector, &p, NULL, &list, &error), STATUS_FAILED, "position");
        check_contains(error.message, "particle 42 is not finite");
        check_equal(list.n, 0, "contacts after an error");
    }
    p.position[42] = kept;
    check_equal(compare(detector, &p, NULL), before, "contacts afterwards");
    const double radii[] = {0.0, -1.0, (double)NAN, HUGE_VAL};
    for (int k = 0; k < 4; k++) {
        p.radius[17] = radii[k];
        check_equal(detector_find(detector, &p, NULL, &list, &error), STATUS_INVALID, "radius");
        check_contains(error.message, "radius of particle 17");
    }
    pair_list_free(&list);
    detector_free(detector);
    particles_free(&p);
}

TEST(every_failed_allocation_is_reported)
{
    struct particles p = cloud(500, vec3(-1, -1, -1), vec3(1, 1, 1), 0.1, 0.5);
    omp_set_num_threads(1);
    long n = 0;
    for (; n < 1000; n++) {
        struct detector *detector;
        struct pair_list list = {0};
        struct error error = {0};
        memory_fail_after(n);
        enum status status = detector_create(&detector, &error);
        if (status == STATUS_OK)
            status = detector_find(detector, &p, NULL, &list, &error);
        memory_fail_after(-1);
        if (status != STATUS_OK && detector) { /* it must work the next time */
            check_contains(error.message, "out of memory");
            compare(detector, &p, NULL);
        }
        detector_free(detector);
        pair_list_free(&list);
        if (status == STATUS_OK)
            break;
    }
    check(n > 20 && n < 1000);
    particles_free(&p);
}

/* Enough particles that threads share the work of searching and of testing. */
TEST(determinism_pairs_are_the_same_for_any_number_of_threads)
{
    const int threads[] = {1, 2, 3, 4, 7};
    struct particles p = cloud(40000, vec3(-1, -1, -1), vec3(1, 1, 1), 0.005, 0.05);
    struct detector *detector[5];
    struct pair_list list[5] = {{0}};
    struct error error = {0};
    for (int t = 0; t < 5; t++)
        check_equal(detector_create(&detector[t], &error), STATUS_OK, "status");
    for (int step = 0; step < 4; step++) {
        for (int t = 0; t < 5; t++) {
            omp_set_num_threads(threads[(t + step) % 5]); /* the number may also change */
            check_equal(detector_find(detector[t], &p, NULL, &list[t], &error), STATUS_OK,
                        "status");
            check_equal(list[t].n, list[0].n, "contacts");
            check(memcmp(list[t].pair, list[0].pair, list[0].n * sizeof *list[0].pair) == 0);
        }
        check(list[0].n > 100000);
        for (size_t i = 0; i < p.n; i++)
            p.position[i] = vec3_axpy(p.position[i], 0.004 * uniform(), direction());
    }
    check(detector_searches(detector[0]) >= 2 && detector_searches(detector[0]) < 4);
    for (int t = 0; t < 5; t++) {
        detector_free(detector[t]);
        pair_list_free(&list[t]);
    }
    particles_free(&p);
}

/* Leaves only the bonds among the particles before `end`. */
static void bonds_keep_before(struct bonds *b, size_t end)
{
    size_t kept = 0, k = 0;
    for (size_t i = 0; i < b->n; i++) {
        for (; k < b->start[i + 1]; k++) {
            size_t j = b->neighbor[k];
            if (i < end && j < end) {
                b->neighbor[kept] = (uint32_t)j;
                b->whole[kept++] = b->whole[k];
            } else {
                b->table[i * b->n + j] = b->table[j * b->n + i] = 0;
            }
        }
        b->start[i + 1] = kept;
    }
    b->view.end = (uint32_t)end;
}

/* Two fluids one behind the other, and others below and above them. */
TEST(particles_of_one_fluid_do_not_touch)
{
    for (size_t above = 0; above < 2; above++) {
        struct particles p = cloud(600, vec3(-1, -1, -1), vec3(1, 1, 1), 0.1, 0.2);
        struct bonds b = bonds_between(&p, 0.05, 0.0);
        const struct bonded last = {.begin = 350, .end = above ? 500 : 600, .no_contacts = true};
        const struct bonded first = {.begin = 200, .end = 350, .no_contacts = true, .next = &last};
        bonds_keep_before(&b, 200);
        b.view.next = &first;
        for (size_t i = 200; i < p.n; i++)
            for (size_t j = i + 1; j < p.n; j++) {
                const struct bonded *own = bonded_of(&b.view, (uint32_t)i);
                bool fluid = own && own->no_contacts && j < own->end;
                b.table[i * p.n + j] = b.table[j * p.n + i] = fluid ? 2 : 0;
            }
        struct detector *detector;
        struct error error = {0};
        check_equal(detector_create(&detector, &error), STATUS_OK, "status");
        check(compare(detector, &p, &b) > 1000);
        detector_free(detector);
        bonds_free(&b);
        particles_free(&p);
    }
}

TAP_MAIN(TAP_ENTRY(equal_radii_agree_with_all_pairs),
         TAP_ENTRY(a_radius_ratio_of_ten_agrees_with_all_pairs),
         TAP_ENTRY(any_radius_ratio_agrees_with_all_pairs),
         TAP_ENTRY(a_lattice_at_touching_distance), TAP_ENTRY(clusters_planes_lines_and_one_cell),
         TAP_ENTRY(huge_extents_agree_with_all_pairs), TAP_ENTRY(bonded_neighbors_do_not_touch),
         TAP_ENTRY(particles_of_one_fluid_do_not_touch), TAP_ENTRY(broken_bonds_need_no_search),
         TAP_ENTRY(bonds_of_several_systems_break),
         TAP_ENTRY(a_large_fluid_is_searched_near_others_only),
         TAP_ENTRY(a_large_fluid_with_others_anywhere),
         TAP_ENTRY(single_particles_of_a_large_fluid_come_near),
         TAP_ENTRY(the_bonded_view_finds_every_whole_bond),
         TAP_ENTRY(moving_particles_agree_with_all_pairs_on_every_step),
         TAP_ENTRY(a_slow_approach_is_never_missed), TAP_ENTRY(a_resumed_run_finds_the_same_pairs),
         TAP_ENTRY(a_broken_state_is_an_error_and_recoverable),
         TAP_ENTRY(every_failed_allocation_is_reported),
         TAP_ENTRY(determinism_pairs_are_the_same_for_any_number_of_threads))
