#include "base/memory.h"
#include "clouds.h"

#include <omp.h>

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
TEST(as_many_large_ones_as_small_ones_agree_with_all_pairs)
{
    struct particles p = cloud(600, vec3(-1, -1, -1), vec3(2, 2, 2), 0.05, 0.05);
    for (size_t i = 0; i < p.n; i++) {
        p.state[i] = PARTICLE_FREE;
        p.radius[i] = i % 2 ? 0.05 : 0.15;
    }
    check(compare_once(p) > 100);
}

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

/* Radii that change in every step, as those of swept detection, which has the way in them: one
 * search serves several steps, and none shows. Now and then one changes by much. */
TEST(changing_radii_agree_with_all_pairs_on_every_step)
{
    enum { STEPS = 200 };
    struct particles p = cloud(600, vec3(-1, -1, -1), vec3(1.5, 1.5, 1.5), 0.04, 0.12);
    struct detector *detector;
    struct error error = {0};
    check_equal(detector_create(&detector, &error), STATUS_OK, "status");
    detector_contacts_only(detector);
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < p.n; i++) {
            p.position[i] = vec3_axpy(p.position[i], 0.0005, direction());
            p.radius[i] *= 1.0 + 0.05 * (uniform() - 0.48);
        }
        if (step % 25 == 24) {
            p.radius[step] *= 0.45;
            p.radius[step + 1] *= 1.5;
        }
        check(compare(detector, &p, NULL) > 100);
    }
    check(detector_searches(detector) < 3 * STEPS / 4);
    p.radius[5] = -1.0;
    struct pair_list list = {0};
    check_equal(detector_find(detector, &p, NULL, &list, &error), STATUS_INVALID, "radius");
    pair_list_free(&list);
    detector_free(detector);
    particles_free(&p);
}

/* Particles that are fast, slow, and fast again: the skin becomes narrow, wide, and narrow again,
 * and must never show either. */
TEST(fast_and_slow_particles_agree_with_all_pairs_on_every_step)
{
    for (int contacts_only = 0; contacts_only < 2; contacts_only++) {
        struct particles p = cloud(600, vec3(-1, -1, -1), vec3(1.5, 1.5, 1.5), 0.04, 0.12);
        struct detector *detector;
        struct error error = {0};
        enum { PHASE = 60 };
        size_t searches[3], before = 0;
        check_equal(detector_create(&detector, &error), STATUS_OK, "status");
        if (contacts_only)
            detector_contacts_only(detector);
        for (int step = 0; step < 3 * PHASE; step++) {
            for (size_t i = 0; i < p.n; i++)
                p.position[i] =
                    vec3_axpy(p.position[i], step / PHASE == 1 ? 0.0005 : 0.05, direction());
            compare(detector, &p, NULL);
            searches[step / PHASE] = detector_searches(detector) - before;
            before = step % PHASE == PHASE - 1 ? detector_searches(detector) : before;
        }
        check(searches[0] > PHASE / 2 && searches[1] < PHASE / 6 && searches[2] > PHASE / 2);
        detector_free(detector);
        particles_free(&p);
    }
}

/* Contacts and pairs near each other in turn, as a scheme asks for them that predicts places: one
 * search serves both, and more steps if little moves, and none shows. */
TEST(contacts_and_near_pairs_share_searches)
{
    static const double lengths[] = {0.001, 0.01, 0.08};
    enum { STEPS = 60 };
    size_t searches[3];
    for (int k = 0; k < 3; k++) {
        struct particles p = cloud(600, vec3(-1, -1, -1), vec3(1.5, 1.5, 1.5), 0.04, 0.12);
        struct detector *detector;
        struct error error = {0};
        check_equal(detector_create(&detector, &error), STATUS_OK, "status");
        detector_contacts_only(detector);
        for (int step = 0; step < STEPS; step++) {
            for (size_t i = 0; i < p.n; i++)
                p.position[i] = vec3_axpy(p.position[i], lengths[k], direction());
            check(compare_near(detector, &p, NULL, step % 9 == 8 ? 0.05 : 0.008) > 0);
            for (size_t i = 0; i < p.n; i++)
                p.position[i] = vec3_axpy(p.position[i], 0.1 * lengths[k], direction());
            compare(detector, &p, NULL);
        }
        searches[k] = detector_searches(detector);
        detector_free(detector);
        particles_free(&p);
    }
    check(searches[0] < STEPS / 2 && searches[1] > STEPS / 2 && searches[1] < 3 * STEPS / 2);
    check(searches[2] >= STEPS && searches[2] < 5 * STEPS / 4);
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
            p.position[i] = vec3_axpy(p.position[i], 0.002 * uniform(), direction());
    }
    check(detector_searches(detector[0]) >= 2 && detector_searches(detector[0]) < 4);
    for (int t = 0; t < 5; t++) {
        detector_free(detector[t]);
        pair_list_free(&list[t]);
    }
    particles_free(&p);
}
