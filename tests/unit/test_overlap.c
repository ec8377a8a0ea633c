#include "failing_memory.h"
#include "measure/measures.h"
#include "measure/overlap.h"
#include "particles/random.h"
#include "tap.h"

#include <omp.h>

static double uniform(uint64_t index)
{
    return random_uniform(3, 0, index, RANDOM_TEST);
}

static struct particles row_of_particles(size_t n, double spacing)
{
    struct particles p;
    struct error error = {0};
    check(particles_create(&p, n, &error) == STATUS_OK);
    for (size_t i = 0; i < n; i++) {
        p.position[i] = vec3(spacing * (double)i, 0.0, 0.0);
        p.radius[i] = 1.0;
        p.body[i] = (uint32_t)i;
    }
    return p;
}

TEST(overlap_of_two_is_the_closed_form)
{
    struct particles p = row_of_particles(2, 1.5);
    struct pair pair = {0, 1};
    struct pair_list pairs = {1, 1, &pair};
    struct overlap o = overlap_measure(&p, &pairs);
    check_close(o.max, 0.25, 0.0, "max");
    check_close(o.mean, 0.25, 0.0, "mean");
    check_close(o.depth, 0.5, 0.0, "depth");
    check_equal(o.touching, 1, "touching");
    check_equal(o.half, 0, "half");
    check_equal(o.inside, 0, "no center inside");
    p.radius[1] = 3.0; /* unequal radii: 1 - 1.5 / 4 */
    o = overlap_measure(&p, &pairs);
    check_close(o.max, 0.625, 0.0, "max");
    check_close(o.depth, 2.5, 0.0, "depth in the smaller radius");
    check_equal(o.half, 1, "half");
    check_equal(o.inside, 1, "a center inside the larger");
    p.position[1].x = 3.0;
    check_equal(overlap_measure(&p, &pairs).inside, 0, "on its surface");
    p.position[1] = p.position[0];
    check_close(overlap_measure(&p, &pairs).max, 1.0, 0.0, "one center");
    particles_free(&p);
}

TEST(pairs_that_do_not_touch_or_are_of_one_body_do_not_count)
{
    struct particles p = row_of_particles(4, 1.0);
    p.body[1] = 0;
    p.position[2].x = 2.5;
    p.position[3].x = 4.5; /* just touches particle 2: delta = 0 */
    struct pair pair[] = {{0, 1}, {0, 2}, {1, 2}, {2, 3}};
    struct pair_list pairs = {4, 4, pair};
    struct overlap o = overlap_measure(&p, &pairs);
    check_equal(o.touching, 1, "touching");
    check_close(o.max, 0.25, 0.0, "max");
    check_close(o.mean, 0.25, 0.0, "mean");
    pairs.n = 2;
    o = overlap_measure(&p, &pairs);
    check_equal(o.touching, 0, "touching");
    check(o.max == 0.0 && o.mean == 0.0 && o.half == 0);
    pairs.n = 3;
    p.position[2].y = (double)NAN;
    o = overlap_measure(&p, &pairs);
    check(isnan(o.max) && isnan(o.mean));
    particles_free(&p);
}

TEST(overlap_agrees_with_a_plain_loop_for_any_number_of_threads_determinism)
{
    enum { N = 300, PAIRS = N * (N - 1) / 2 };
    struct particles p = row_of_particles(N, 0.0);
    static struct pair pair[PAIRS];
    struct pair_list pairs = {0, PAIRS, pair};
    long double sum = 0;
    double max = 0.0;
    size_t touching = 0, half = 0, within = 0;
    double deepest = 0.0; /* of one body */
    for (uint32_t i = 0; i < N; i++) {
        p.position[i] = vec3(5 * uniform(4 * i), 5 * uniform(4 * i + 1), 5 * uniform(4 * i + 2));
        p.radius[i] = 0.2 + uniform(4 * i + 3);
        p.body[i] = i % 3;
    }
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t j = i + 1; j < N; j++) {
            pair[pairs.n++] = (struct pair){i, j};
            double d = vec3_norm(vec3_sub(p.position[i], p.position[j]));
            double delta = 1.0 - d / (p.radius[i] + p.radius[j]);
            if (delta <= 0.0)
                continue;
            if (p.body[i] == p.body[j]) {
                within++;
                double depth = (p.radius[i] + p.radius[j] - d) / fmin(p.radius[i], p.radius[j]);
                deepest = fmax(deepest, depth);
                continue;
            }
            sum += (long double)delta;
            max = delta > max ? delta : max;
            touching++;
            half += delta > 0.5;
        }
    struct overlap first = {0};
    for (int threads = 1; threads <= 4; threads++) {
        omp_set_num_threads(threads);
        struct overlap o = overlap_measure(&p, &pairs);
        check_equal(o.touching, touching, "touching");
        check_equal(o.half, half, "half");
        check_close(o.max, max, 0.0, "max");
        check_close(o.mean, (double)(sum / touching), 1e-14, "mean");
        struct overlap own = overlap_measure_within(&p, &pairs);
        check_equal(own.touching, within, "touching, of one body");
        check_close(own.depth, deepest, 1e-14 * deepest, "depth, of one body");
        if (threads == 1)
            first = o;
        check(o.mean == first.mean && o.max == first.max);
    }
    check(half > 100 && touching > 1000 && within > 500);
    particles_free(&p);
}

/* A sheet of four particles in a plane inclined to gravity, and a fifth particle elsewhere. */
static struct particles four_and_one(uint32_t triangle[2][3], struct sheet *sheet)
{
    struct particles p = row_of_particles(5, 10.0);
    for (uint32_t i = 0; i < 4; i++) {
        p.position[i] = vec3(i % 2, i / 2, 0.5 * (i % 2));
        p.body[i] = 7;
    }
    p.position[4] = vec3(0.75, 0.25, 1.0);
    memcpy(triangle, (uint32_t[2][3]){{0, 1, 3}, {0, 3, 2}}, 6 * sizeof(uint32_t));
    *sheet = (struct sheet){.body = 7, .n_triangles = 2, .triangle = triangle};
    return p;
}

TEST(deflection_is_the_largest_drop_along_gravity)
{
    uint32_t triangle[2][3];
    struct sheet sheet;
    struct particles p = four_and_one(triangle, &sheet);
    struct deflection deflection, weightless;
    struct error error = {0};
    check(deflection_create(&deflection, &p, 1, &sheet, vec3(0, 0, -9.81), &error) == STATUS_OK);
    check(deflection_create(&weightless, &p, 1, &sheet, vec3(0, 0, 0), &error) == STATUS_OK);
    check_equal(deflection.n, 4, "particles of the sheet");
    check_close(deflection_measure(&deflection, p.position), 0.0, 0.0, "at rest");
    p.position[4].z -= 100.0;
    p.position[0].x += 5.0;
    p.position[1].z += 2.0;
    check_close(deflection_measure(&deflection, p.position), 0.0, 0.0,
                "sideways, up, another body");
    p.position[2].z -= 0.25;
    p.position[3].z -= 0.125;
    check_close(deflection_measure(&deflection, p.position), 0.25, 1e-15, "lowest");
    check_close(deflection_measure(&weightless, p.position), 0.0, 0.0, "without gravity");
    p.position[3].z = (double)NAN;
    check(isnan(deflection_measure(&deflection, p.position)));
    deflection_free(&deflection);
    deflection_free(&weightless);
    check(deflection_create(&deflection, &p, 0, NULL, vec3(0, 0, -1), &error) == STATUS_OK);
    check_close(deflection_measure(&deflection, p.position), 0.0, 0.0, "without sheets");
    deflection_free(&deflection);
    particles_free(&p);
}

TEST(a_row_holds_everything_and_a_restart_goes_on)
{
    uint32_t triangle[2][3];
    struct sheet sheet;
    struct particles p = four_and_one(triangle, &sheet), initial = four_and_one(triangle, &sheet);
    struct error error = {0};
    struct vec3 from[5], down = {0, 0, -1};
    struct pair pair[] = {{0, 1}, {1, 4}}; /* the first of one body */
    struct pair_list pairs = {2, 2, pair};
    struct measures m, later;
    const size_t start[] = {0, 1, 1, 1, 1, 1}; /* a spring of the sheet, from 0 to 2 */
    const uint32_t neighbor = 2;
    const uint8_t whole = 1;
    const struct bonded bonded = {
        .end = (uint32_t)p.n, .start = start, .neighbor = &neighbor, .whole = &whole};
    const struct measured measured = {&initial, &p,     initial.position, &bonded,
                                      1,        &sheet, &(bool){false},   down};
    check(measures_create(&m, &measured, &error) == STATUS_OK);

    struct measure_row row;
    memcpy(from, p.position, sizeof from);
    for (size_t i = 0; i < 5; i++)
        p.mass[i] = 1.0 + (double)i;
    p.position[4] = vec3(0.75, 0.25, -0.5);
    p.position[2].z -= 0.125;
    measures_update(&m, from, &p, &pairs, &row);
    check_close(row.penetrated, 1.0, 0.0, "penetrated");
    check_close(row.penetrated_mass, 5.0, 0.0, "the last particle's mass");
    check_close(row.crossings, 1.0, 0.0, "crossings");
    double delta = 1.0 - sqrt(0.0625 + 0.0625 + 1.0) / 2.0;
    check_close(row.overlap_max, delta, 1e-15, "overlap_max");
    check_close(row.overlap_mean, delta, 1e-15, "overlap_mean");
    check_close(row.overlap_depth, 2.0 * delta, 1e-15, "overlap_depth");
    check_close(row.overlap_half, 0.0, 0.0, "overlap_half");
    check_close(row.deflection, 0.125, 0.0, "deflection");
    check_close(row.strain, sqrt(1.0 + 0.125 * 0.125) - 1.0, 1e-15, "strain");
    check_close(row.self_contacts, 1.0, 0.0, "self_contacts");
    check_close(row.self_depth, 2.0 - sqrt(1.25), 1e-15, "self_depth");

    check(measures_create(&later, &measured, &error) == STATUS_OK);
    measures_restore(&later, measures_penetrated(&m));
    memcpy(from, p.position, sizeof from);
    measures_update(&later, from, &p, &pairs, &row); /* nothing moves */
    check_close(row.penetrated, 1.0, 0.0, "penetrated, as before");
    check_close(row.crossings, 0.0, 0.0, "crossings");
    check_close(row.deflection, 0.125, 0.0, "deflection from the first positions");
    p.position[4].z = 1.0;
    measures_update(&later, from, &p, &pairs, &row);
    check_close(row.penetrated, 0.0, 0.0, "back");
    check_close(row.penetrated_mass, 0.0, 0.0, "nothing");
    check_close(row.crossings, 1.0, 0.0, "crossings");
    measures_free(&later);
    measures_free(&m);

    struct particles fewer = row_of_particles(3, 1.0);
    const struct measured mixed = {&fewer, &p,     fewer.position,    &bonded,
                                   1,      &sheet, (bool[40]){false}, down};
    check_equal(measures_create(&m, &mixed, &error), STATUS_INVALID, "status");
    measures_free(&m);
    particles_free(&fewer);
    particles_free(&initial);
    particles_free(&p);
}

TEST(every_failed_allocation_is_reported)
{
    uint32_t triangle[2][3];
    struct sheet sheet;
    struct particles p = four_and_one(triangle, &sheet);
    struct measures m;
    const size_t start[] = {0, 1, 1, 1, 1, 1};
    const uint32_t neighbor = 1;
    const uint8_t whole = 1;
    const struct bonded bonded = {
        .end = (uint32_t)p.n, .start = start, .neighbor = &neighbor, .whole = &whole};
    const struct measured measured = {&p, &p,     p.position,     &bonded,
                                      1,  &sheet, &(bool){false}, vec3(0.0, 0.0, -1.0)};
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        memory.status = measures_create(&m, &measured, &memory.error);
        memory_works(&memory);
        measures_free(&m);
    }
    check(memory.n > 8);
    particles_free(&p);
}
