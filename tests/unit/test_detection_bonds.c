#include "clouds.h"

#include <omp.h>

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

/* ... nor those of a body that were near each other before it was squeezed. */
TEST(particles_of_a_body_that_are_near_at_rest_do_not_touch)
{
    struct particles p = cloud(800, vec3(-1, -1, -1), vec3(1, 1, 1), 0.05, 0.05);
    struct bonds b = bonds_between(&p, 0.12, 0.3);
    struct vec3 *rest = calloc(p.n, sizeof *rest);
    size_t contacts[2];
    for (size_t i = 0; i < p.n; i++) {
        p.body[i] = (uint32_t)(i / 400);
        rest[i] = vec3_scale(2.0, p.position[i]);
    }
    for (int k = 0; k < 2; k++) {
        struct detector *detector;
        struct error error = {0};
        b.view.rest = k ? rest : NULL;
        b.view.rest_reach = 0.15;
        check_equal(detector_create(&detector, &error), STATUS_OK, "status");
        contacts[k] = compare(detector, &p, &b);
        detector_free(detector);
    }
    check(contacts[1] > 0 && contacts[1] < contacts[0] - 10);
    free(rest);
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

/* Three bodies, of which the first and the last do not collide with themselves, not even where
 * bonds break. */
TEST(particles_of_a_body_that_ignores_itself_do_not_touch)
{
    enum { N = 600, EACH = 200 };
    static uint32_t above[N];
    struct particles p = cloud(N, vec3(-1, -1, -1), vec3(1, 1, 1), 0.1, 0.2);
    struct bonds b = bonds_between(&p, 0.25, 0.0);
    struct detector *detector;
    struct error error = {0};
    for (size_t i = 0; i < N; i++) {
        const bool ignores = i / EACH != 1;
        above[i] = (uint32_t)(ignores ? EACH * (i / EACH + 1) : i + 1);
        for (size_t j = i + 1; ignores && j < above[i]; j++)
            b.table[i * N + j] = b.table[j * N + i] = 2;
    }
    b.view.above = above;
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    check(compare(detector, &p, &b) > 1000);
    for (size_t k = 0; k < b.start[N]; k++)
        b.whole[k] = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = i + 1; j < N; j++)
            if (j >= above[i])
                b.table[i * N + j] = b.table[j * N + i] = 0;
    detector_bonds_broke(detector);
    check(compare(detector, &p, &b) > 1000);
    check_equal(detector_searches(detector), 1, "searches");
    detector_free(detector);
    bonds_free(&b);
    particles_free(&p);
}
