/* Fragments, debris and the first through-crack: against brute force, by hand, and in a simulation.
 */
#include "base/memory.h"
#include "measure/fracture.h"
#include "scenes.h"

enum { BRITTLE, TOUGH };

/* Bonds made by hand: a matrix of who is joined to whom. */
struct web {
    struct hand_scene h;
    size_t n;
    uint8_t *joined, *cut; /* (n x n) */
    struct bonded bonded, second;
    size_t *start;
    uint32_t *neighbor;
    uint8_t *whole;
};

/* Bodies of the given sizes; every other one cannot break if `mixed`. */
static void web_begin(struct web *w, size_t n_bodies, const size_t *size, bool mixed)
{
    *w = (struct web){0};
    hand_scene_begin(&w->h);
    add_peridynamics(&w->h, 1.0, 2.0, 0.0, 0.1);
    add_peridynamics(&w->h, 1.0, 2.0, 0.0, (double)INFINITY);
    for (size_t b = 0; b < n_bodies; b++) {
        add_body(&w->h, mixed && b % 2 == 0 ? TOUGH : BRITTLE, 1.0, 1.0);
        for (size_t k = 0; k < size[b]; k++)
            add_particle(&w->h, vec3(2.0 * (double)k, 0, 0), vec3(0, 0, 0));
    }
    w->n = w->h.particles.n;
    w->joined = calloc(w->n * w->n, 1);
    w->cut = calloc(w->n * w->n, 1);
    w->start = calloc(w->n + 1, sizeof *w->start);
    w->neighbor = calloc(w->n * w->n, sizeof *w->neighbor);
    w->whole = calloc(w->n * w->n, 1);
    w->bonded = (struct bonded){
        .end = (uint32_t)w->n, .start = w->start, .neighbor = w->neighbor, .whole = w->whole};
}

/* From here on two systems own the bonds, one of them those of the particles from `first` on. */
static void divide(struct web *w, uint32_t first)
{
    w->second = w->bonded;
    w->second.begin = w->bonded.end = first;
    w->second.start = w->start + first;
    w->bonded.next = &w->second;
}

static void join(struct web *w, size_t i, size_t j)
{
    w->joined[i * w->n + j] = w->joined[j * w->n + i] = 1;
}

static void cut(struct web *w, size_t i, size_t j)
{
    w->cut[i * w->n + j] = w->cut[j * w->n + i] = 1;
}

/* The lists of the bonds; returns how many are broken. */
static size_t weave(struct web *w)
{
    size_t broken = 0, e = 0;
    for (size_t i = 0; i < w->n; i++) {
        for (size_t j = i + 1; j < w->n; j++) {
            if (!w->joined[i * w->n + j])
                continue;
            w->neighbor[e] = (uint32_t)j;
            w->whole[e++] = !w->cut[i * w->n + j];
            broken += w->cut[i * w->n + j];
        }
        w->start[i + 1] = e;
    }
    return broken;
}

static void web_end(struct web *w)
{
    free(w->joined);
    free(w->cut);
    free(w->start);
    free(w->neighbor);
    free(w->whole);
    hand_scene_end(&w->h);
}

static void create(struct web *w, struct fragments *f)
{
    struct error error = {0};
    weave(w);
    check_equal(fragments_create(f, &w->h.scene, &w->h.particles, &w->bonded, &error), STATUS_OK,
                error.message);
}

static bool breaks(const struct web *w, size_t i)
{
    return w->h.scene.body[w->h.particles.body[i]].material == BRITTLE;
}

/* Labels spread over bonds until nothing changes. */
static void spread_labels(const struct web *w, bool cuts, uint32_t *label)
{
    for (uint32_t i = 0; i < w->n; i++)
        label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < w->n; i++)
            for (size_t j = 0; j < w->n; j++)
                if (w->joined[i * w->n + j] && !(cuts && w->cut[i * w->n + j]) &&
                    label[j] < label[i]) {
                    label[i] = label[j];
                    changed = true;
                }
    }
}

static size_t count_label(const struct web *w, const uint32_t *label, uint32_t value)
{
    size_t count = 0;
    for (size_t i = 0; i < w->n; i++)
        count += label[i] == value;
    return count;
}

/* Every number from its definition, fragment by fragment. */
static struct fragment_count count_slowly(const struct web *w, const uint32_t *piece,
                                          const uint32_t *fragment)
{
    struct fragment_count count = {0};
    double all = 0.0, debris = 0.0, kept = 0.0;
    for (uint32_t b = 0; b < w->h.scene.n_bodies; b++) {
        double particles = 0.0, loose = 0.0;
        for (uint32_t i = 0; i < w->n; i++) {
            if (w->h.particles.body[i] != b || !breaks(w, i))
                continue;
            particles += 1.0;
            if (piece[i] == i) { /* of its fragments, one of the largest stays */
                size_t largest = 0;
                for (uint32_t k = 0; k < w->n; k++)
                    if (piece[k] == i && fragment[k] == k && count_label(w, fragment, k) > largest)
                        largest = count_label(w, fragment, k);
                kept += (double)largest;
                loose -= largest > 3 ? (double)largest : 0.0;
            }
            if (fragment[i] == i) {
                size_t size = count_label(w, fragment, i);
                count.fragments++;
                count.chunks += size > 3;
                debris += size > 3 ? 0.0 : (double)size;
                loose += size > 3 ? (double)size : 0.0;
            }
        }
        if (particles > 0.0)
            count.detached_fraction = fmax(count.detached_fraction, loose / particles);
        all += particles;
    }
    count.largest_fraction = kept / all;
    count.debris_fraction = debris / all;
    return count;
}

static void check_count(const struct fragment_count *actual, const struct fragment_count *expected)
{
    check_equal(actual->fragments, expected->fragments, "fragments");
    check_equal(actual->chunks, expected->chunks, "chunks");
    check_close(actual->largest_fraction, expected->largest_fraction, 1e-15, "largest share");
    check_close(actual->debris_fraction, expected->debris_fraction, 1e-15, "debris share");
    check_close(actual->detached_fraction, expected->detached_fraction, 1e-15, "loose share");
}

/* Bonds at random within bodies, few enough for pieces; cut one after the other. */
static void compare_with_brute_force(uint64_t seed, struct fragment_count *total)
{
    const size_t size[] = {40, 70, 1, 60};
    struct web w;
    struct fragments f;
    web_begin(&w, 4, size, true);
    if (seed % 2)
        divide(&w, 40 + 70);
    uint32_t *piece = calloc(w.n, sizeof *piece), *fragment = calloc(w.n, sizeof *fragment);
    for (size_t i = 0; i < w.n; i++)
        for (size_t j = i + 1; j < w.n; j++)
            if (w.h.particles.body[i] == w.h.particles.body[j] &&
                random_uniform(seed, 0, i * w.n + j, RANDOM_TEST) < 0.04)
                join(&w, i, j);
    create(&w, &f);
    spread_labels(&w, false, piece);
    check(memcmp(f.piece, piece, w.n * sizeof *piece) == 0);
    for (uint64_t round = 1; round <= 6; round++) {
        for (size_t i = 0; i < w.n; i++)
            for (size_t j = i + 1; j < w.n; j++)
                if (breaks(&w, i) && random_uniform(seed, round, i * w.n + j, RANDOM_TEST) < 0.2)
                    cut(&w, i, j);
        fragments_update(&f, &w.bonded, weave(&w));
        spread_labels(&w, true, fragment);
        struct fragment_count expected = count_slowly(&w, piece, fragment);
        check(memcmp(f.fragment, fragment, w.n * sizeof *fragment) == 0);
        check_count(&f.count, &expected);
        total->chunks += expected.chunks;
        total->debris_fraction += expected.debris_fraction;
        total->detached_fraction += expected.detached_fraction;
    }
    fragments_free(&f);
    free(piece);
    free(fragment);
    web_end(&w);
}

TEST(random_bonds_agree_with_brute_force)
{
    struct fragment_count total = {0};
    for (uint64_t seed = 0; seed < 20; seed++)
        compare_with_brute_force(seed, &total);
    check(total.chunks > 200 && total.debris_fraction > 10.0 && total.detached_fraction > 1.0);
}

/* A chain of n: joined to the next and the one after that. */
static void join_chain(struct web *w, size_t first, size_t n)
{
    for (size_t i = first; i + 1 < first + n; i++) {
        join(w, i, i + 1);
        if (i + 2 < first + n)
            join(w, i, i + 2);
    }
}

/* Between particles k - 1 and k. */
static void cut_chain(struct web *w, size_t k)
{
    cut(w, k - 1, k);
    if (k > 1)
        cut(w, k - 2, k);
    if (k + 1 < w->n)
        cut(w, k - 1, k + 1);
}

TEST(a_bar_cut_in_two_is_two_fragments)
{
    const size_t size[] = {20, 10};
    struct web w;
    struct fragments f;
    web_begin(&w, 2, size, false);
    join_chain(&w, 0, 20);
    join_chain(&w, 20, 10);
    create(&w, &f);
    check_count(&f.count, &(struct fragment_count){2, 2, 1.0, 0.0, 0.0});
    cut(&w, 11, 12); /* not through: 11 - 13 and 10 - 12 hold */
    fragments_update(&f, &w.bonded, weave(&w));
    check_count(&f.count, &(struct fragment_count){2, 2, 1.0, 0.0, 0.0});
    cut_chain(&w, 12);
    fragments_update(&f, &w.bonded, weave(&w));
    check_count(&f.count, &(struct fragment_count){3, 3, 22.0 / 30.0, 0.0, 8.0 / 20.0});
    for (uint32_t i = 0; i < 30; i++)
        check_equal(f.fragment[i], i < 12 ? 0 : i < 20 ? 12 : 20, "smallest id");
    fragments_free(&f);
    web_end(&w);
}

TEST(fragments_of_at_most_three_are_debris)
{
    const size_t size[] = {100};
    struct web w;
    struct fragments f;
    web_begin(&w, 1, size, false);
    join_chain(&w, 0, 100);
    create(&w, &f);
    const size_t at[] = {1, 3, 6}; /* fragments of 1, 2, 3 and 94 */
    for (size_t k = 0; k < 3; k++)
        cut_chain(&w, at[k]);
    fragments_update(&f, &w.bonded, weave(&w));
    check_count(&f.count, &(struct fragment_count){4, 1, 0.94, 0.06, 0.0});
    cut_chain(&w, 96); /* 4 more come off: a chunk */
    fragments_update(&f, &w.bonded, weave(&w));
    check_count(&f.count, &(struct fragment_count){5, 2, 0.90, 0.06, 0.04});
    fragments_free(&f);
    web_end(&w);
}

TEST(a_body_in_two_pieces_from_the_start_has_no_crack)
{
    const size_t size[] = {40};
    struct web w;
    struct fragments f;
    web_begin(&w, 1, size, false);
    join_chain(&w, 0, 10);
    join_chain(&w, 10, 30);
    create(&w, &f);
    check_count(&f.count, &(struct fragment_count){2, 2, 1.0, 0.0, 0.0});
    cut_chain(&w, 5); /* the smaller piece breaks */
    fragments_update(&f, &w.bonded, weave(&w));
    check_count(&f.count, &(struct fragment_count){3, 3, 35.0 / 40.0, 0.0, 5.0 / 40.0});
    fragments_free(&f);
    web_end(&w);
}

/* Only a changed number of broken bonds makes it look again. */
TEST(nothing_is_looked_at_before_a_bond_breaks)
{
    const size_t size[] = {8};
    struct web w;
    struct fragments f;
    web_begin(&w, 1, size, false);
    join_chain(&w, 0, 8);
    create(&w, &f);
    cut_chain(&w, 4);
    size_t broken = weave(&w);
    fragments_update(&f, &w.bonded, 0);
    check_equal(f.count.fragments, 1, "the same number: not looked at");
    fragments_update(&f, &w.bonded, broken);
    check_equal(f.count.fragments, 2, "fragments");
    fragments_free(&f);
    web_end(&w);
}

TEST(what_cannot_break_costs_nothing)
{
    const size_t size[] = {5};
    struct web w;
    struct fragments f;
    web_begin(&w, 1, size, true);
    join_chain(&w, 0, 5);
    create(&w, &f);
    check(f.n == 0 && !f.fragment && !f.piece);
    fragments_update(&f, &w.bonded, 3);
    struct measure_row before = {0}, row = {.overlap_max = 0.5}, same = row;
    fracture_update(&before, &f, 1.0, 2.0, &row);
    check(memcmp(&row, &same, sizeof row) == 0);
    fragments_free(&f);
    web_end(&w);
}

TEST(a_failed_allocation_is_an_error)
{
    const size_t size[] = {5};
    struct web w;
    struct fragments f;
    struct error error = {0};
    web_begin(&w, 1, size, false);
    join_chain(&w, 0, 5);
    weave(&w);
    long k = 0;
    for (enum status status = STATUS_FAILED; status; k++) {
        memory_fail_after(k);
        status = fragments_create(&f, &w.h.scene, &w.h.particles, &w.bonded, &error);
        memory_fail_after(-1);
        check(status == STATUS_OK || status == STATUS_FAILED);
        fragments_free(&f);
    }
    check(k > 4);
    web_end(&w);
}

/* A body of 1000 in which chunks of `size` come off a plate that stays. */
static double loose_after(size_t n_chunks, size_t size_of_chunk)
{
    const size_t size[] = {1000};
    struct web w;
    struct fragments f;
    web_begin(&w, 1, size, false);
    join_chain(&w, 0, 1000);
    create(&w, &f);
    for (size_t k = 1; k <= n_chunks; k++)
        cut_chain(&w, k * size_of_chunk);
    fragments_update(&f, &w.bonded, weave(&w));
    struct measure_row before = {0}, row = {0};
    fracture_update(&before, &f, 0.25, 0.0, &row);
    check_close(row.detached_fraction, f.count.detached_fraction, 0.0, "loose share");
    fragments_free(&f);
    web_end(&w);
    return row.through_crack;
}

TEST(a_through_crack_takes_off_more_than_a_hundredth_that_is_no_debris)
{
    check_close(loose_after(1, 10), 0.0, 0.0, "a hundredth");
    check_close(loose_after(1, 11), 0.25, 0.0, "more than that in one chunk");
    check_close(loose_after(3, 4), 0.25, 0.0, "more than that in three");
    check_close(loose_after(100, 3), 0.0, 0.0, "debris does not count");
}

TEST(the_window_closes_with_the_first_through_crack)
{
    const size_t size[] = {20};
    struct web w;
    struct fragments f;
    web_begin(&w, 1, size, false);
    join_chain(&w, 0, 20);
    create(&w, &f);
    struct measure_row row[5] = {{.overlap_max = 0.1, .overlap_depth = 0.3},
                                 {.overlap_max = 0.05, .overlap_depth = 0.4},
                                 {.overlap_max = 0.2, .overlap_depth = 0.1},
                                 {.overlap_max = 0.9, .overlap_depth = 1.8}};
    const double speed[] = {5.0, 7.0, 6.0, 50.0};
    struct measure_row before = {0};
    for (int k = 0; k < 4; k++) {
        if (k == 2)
            cut_chain(&w, 8);
        fragments_update(&f, &w.bonded, weave(&w));
        fracture_update(&before, &f, 0.5 * (k + 1), speed[k], &row[k]);
        before = row[k];
    }
    const double through[] = {0.0, 0.0, 1.5, 1.5}, overlap[] = {0.1, 0.1, 0.2, 0.2};
    const double depth[] = {0.3, 0.4, 0.4, 0.4}, fastest[] = {5.0, 7.0, 7.0, 7.0};
    for (int k = 0; k < 4; k++) {
        check_close(row[k].through_crack, through[k], 0.0, "through-crack");
        check_close(row[k].overlap_before, overlap[k], 0.0, "overlap before");
        check_close(row[k].depth_before, depth[k], 0.0, "depth before");
        check_close(row[k].speed_before, fastest[k], 0.0, "speed before");
        check_close(row[k].fragments, k < 2 ? 1.0 : 2.0, 0.0, "fragments");
    }
    row[4].overlap_max = row[4].overlap_depth = (double)NAN;
    fracture_update(&row[1], &f, 3.0, (double)NAN, &row[4]);
    check(isinf(row[4].overlap_before) && isinf(row[4].depth_before) && isinf(row[4].speed_before));
    fragments_free(&f);
    web_end(&w);
}

/* A brittle bar whose halves fly apart; held at one end if `held`: the supports are particles like
 * any other. The strain that the jump of velocity sends out, about v / sqrt(E / rho) = 0.05, is
 * beyond s0. A ball lies apart and never touches. */
static void tear_bar(bool held)
{
    struct hand_scene h;
    struct simulation s;
    struct fragments f;
    struct error error = {0};
    hand_scene_begin(&h);
    size_t brittle = add_peridynamics(&h, 100.0, 2.0, 0.0, 0.02);
    size_t soft = add_peridynamics(&h, 100.0, 2.0, 0.0, (double)INFINITY);
    add_body(&h, brittle, 0.01, 1e-2);
    add_block(&h, 3, 3, 20, vec3(0, 0, 0), vec3(0, 0, 0));
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.velocity[i].z = h.particles.position[i].z > 0.19 ? 3.0 : held ? 0.0 : -3.0;
    for (size_t i = 0; held && i < 18; i++)
        h.particles.state[i] = PARTICLE_FIXED;
    add_body(&h, soft, 0.01, 1e-2);
    add_ball(&h, 0.03, vec3(1, 0, 0), vec3(0, 0, 0));
    h.scene.time.max_step = 1e-4;
    start(&h, &s);
    check_equal(fragments_create(&f, &h.scene, &s.particles, s.bonded, &error), STATUS_OK, "");
    struct measure_row before = {0};
    double cracked = 0.0, first = 0.0;
    for (int k = 0; k < 100; k++) {
        struct ledger_row ledger = step_once(&s);
        struct measure_row row = {0};
        fragments_update(&f, s.bonded, simulation_changes(&s));
        fracture_update(&before, &f, s.time, ledger.speed_max, &row);
        check_close(row.largest_fraction + row.debris_fraction + row.detached_fraction, 1.0, 1e-12,
                    "largest, debris and other chunks of one body are all of it");
        first = first == 0.0 && ledger_value(&ledger, "broken_bonds") > 0.0 ? s.time : first;
        cracked = cracked == 0.0 && row.detached_fraction > 0.01 ? s.time : cracked;
        check_close(row.through_crack, cracked, 0.0, "the first through-crack, for good");
        check(row.speed_before >= 3.0 * 0.5 && row.overlap_before == 0.0);
        before = row;
    }
    printf("# %s: first bond breaks at %.4f s, through-crack at %.4f s, %g fragments, %g chunks\n",
           held ? "held" : "free", first, cracked, before.fragments, before.chunks);
    check(first > 0.0 && cracked >= first && before.chunks >= 2.0);
    check_close(before.largest_fraction, 0.5, 0.25, "about two halves");
    for (size_t i = 0; i < s.particles.n; i++) { /* bond by bond */
        for (size_t e = s.bonded->start[i]; e < s.bonded->start[i + 1]; e++)
            if (s.bonded->whole[e])
                check_equal(f.fragment[s.bonded->neighbor[e]], f.fragment[i], "whole bonds join");
        check(i < 180 || f.fragment[i] == 180);
    }
    fragments_free(&f);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_bar_torn_apart_has_a_through_crack)
{
    tear_bar(false);
    tear_bar(true);
}
