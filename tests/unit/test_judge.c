/* The step of the program against the naive one of naive_step.h, on small random scenes in which a
 * cloth, a block, loose particles and a fluid run into each other. */
#include "judge_scenes.h"

/* Of settings that only choose among formulas. */
enum { FEWER = SCENES / 2 };

/* ---- comparing ---- */

/* What happened in all steps of all scenes; a comparison that never merged would prove nothing. */
struct record {
    double worst;       /* largest difference in velocity, over the largest speed */
    double steps, ties; /* of which those that rounding decides */
    double late, unresolved, deferred, coupled, splits_without_root, roots, third_stages, held;
};

static void compare_counts(const struct naive_counts *c, const struct ledger_row *row)
{
    check_equal(row->contacts, c->contacts, "contacts");
    check_equal(row->approaching, c->approaching, "approaching");
    check_equal(row->stages, c->stages, "stages");
    check_equal(row->late, c->late, "late");
    check_equal(row->unresolved, c->unresolved, "unresolved");
    check_equal(row->groups, c->groups, "groups");
    check_equal(ledger_value(row, "largest_group"), c->largest, "largest group");
    check_equal(ledger_value(row, "deferred"), c->deferred, "deferred");
    check_equal(ledger_value(row, "coupled"), c->coupled, "coupled groups");
    check_equal(ledger_value(row, "splits_with_root"), c->roots, "splits_with_root");
    check_equal(ledger_value(row, "splits_without_root"), c->splits_without_root,
                "splits_without_root");
    check_close(ledger_value(row, "merge_stored"), c->merge_stored, 1e-11 * row->kinetic,
                "into virtual bonds");
    check_close(ledger_value(row, "split_returned"), c->split_returned, 1e-11 * row->kinetic,
                "out of virtual bonds");
    check_close(ledger_value(row, "sync_stored"), c->sync_stored, 1e-11 * row->kinetic,
                "by synchronizing");
}

/* Over the largest speed and, after splitting, over what this made of an error of 1. */
static double largest_difference(const struct simulation *s, const struct naive *naive)
{
    double worst = 0.0, scale = 0.0, dt = naive->dt;
    for (size_t i = 0; i < naive->n; i++) {
        struct vec3 apart = vec3_sub(s->particles.velocity[i], naive->v[i]);
        struct vec3 moved_apart = vec3_sub(s->particles.position[i], naive->x[i]);
        worst = worse(worst, vec3_norm(apart) / naive->growth[i]);
        worst = worse(worst, vec3_norm(moved_apart) / dt);
        scale = fmax(scale, vec3_norm(naive->v[i]));
    }
    return worst / scale;
}

static void note(struct record *record, const struct simulation *s, const struct naive *naive)
{
    const struct naive_counts *c = &naive->counts;
    record->worst = worse(record->worst, largest_difference(s, naive));
    record->late += (double)c->late;
    record->unresolved += (double)c->unresolved;
    record->deferred += (double)c->deferred;
    record->coupled += (double)c->coupled;
    record->roots += (double)c->roots;
    record->splits_without_root += (double)c->splits_without_root;
    record->third_stages += c->stages > 2;
    for (size_t i = 0; i < naive->n; i++)
        record->held += !naive->fixed[i] && naive->top[i]->fixed;
}

/* Every step begins with the same bits, and with velocities disturbed a little at random. Without
 * that, two particles that were split by MS 15 and 16, or that fall side by side, neither part
 * nor approach but for rounding, and rounding would decide. */
static void step_both(struct simulation *s, struct naive *naive, struct record *record)
{
    for (size_t i = 0; i < naive->n; i++)
        if (!naive->fixed[i])
            s->particles.velocity[i] =
                vec3_axpy(s->particles.velocity[i], 0.01, random_vector(s->step + 100, i));
    memcpy(naive->x, s->particles.position, naive->n * sizeof *naive->x);
    memcpy(naive->v, s->particles.velocity, naive->n * sizeof *naive->v);
    struct ledger_row row = step_once(s);
    naive_step(naive, row.dt);
    record->steps++;
    if (naive->counts.ties > 0) {
        record->ties++;
        return;
    }
    compare_counts(&naive->counts, &row);
    note(record, s, naive);
}

static void run_both(const struct variant *variant, uint64_t seed, struct record *record)
{
    static struct naive naive;
    struct hand_scene h;
    struct simulation s;
    fill(&h, seed);
    choose(&h, variant);
    prepare_naive(&naive, &h, variant);
    start(&h, &s);
    for (int k = 0; k < STEPS && !tap_failed; k++)
        step_both(&s, &naive, record);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* That many scenes. The largest difference is a matter of rounding, and the tolerance leaves it a
 * factor of ten or more. */
static struct record compare_some(const struct variant *variant, uint64_t scenes)
{
    struct record record = {0};
    for (uint64_t seed = 1; seed <= scenes && !tap_failed; seed++)
        run_both(variant, seed, &record);
    printf("# %s: off by %.1e; %g late, %g unresolved, %g deferred, %g coupled, %g with and "
           "%g without roots, %g third stages, %g held; %g of %g steps tied\n",
           variant->synchronization, record.worst, record.late, record.unresolved, record.deferred,
           record.coupled, record.roots, record.splits_without_root, record.third_stages,
           record.held, record.ties, record.steps);
    check_close(record.worst, 0.0, 1e-12, "velocities");
    check(record.coupled > 100.0 && record.splits_without_root > 100.0);
    check(record.roots > 100.0 || variant->alpha == 0.0 || strcmp(variant->roots, "taken") != 0);
    check(record.late > 100.0 || variant->stages == 1);
    check(record.held > 100.0);
    check(record.steps == (double)scenes * STEPS && record.ties < 0.1 * record.steps);
    return record;
}

static struct record compare(const struct variant *variant)
{
    return compare_some(variant, SCENES);
}

TEST(the_step_is_that_of_the_paper)
{
    struct record r = compare(&(struct variant){"own-members", 2, 8, 64, 1.0, 0.0, "taken"});
    check(r.unresolved > 0.0 && r.third_stages == 0.0);
    measured("JUDGE.difference", r.worst);
}

TEST(systems_sequential)
{
    struct record r = compare(&(struct variant){"sequential", 2, 8, 64, 1.0, 0.0, "taken"});
    measured("JUDGE.sequential.difference", r.worst);
}

TEST(systems_averaged)
{
    compare_some(&(struct variant){"average", 2, 8, 64, 1.0, 1.0, "taken"}, FEWER);
}

TEST(one_stage_alone)
{
    compare_some(&(struct variant){"sequential", 1, 8, 64, 1.0, 1.0, "taken"}, FEWER);
}

TEST(four_stages)
{
    struct record r = compare(&(struct variant){"own-members", 4, 8, 64, 0.7, 0.4, "taken"});
    check(r.third_stages > 30.0);
}

TEST(small_groups_defer_pairs)
{
    struct record r =
        compare_some(&(struct variant){"sequential", 3, 2, 5, 0.5, 1.0, "taken"}, FEWER);
    check(r.deferred > 100.0);
}

TEST(the_sum_of_impulses)
{
    compare_some(&(struct variant){"sum", 2, 4, 12, 1.0, 0.5, "taken"}, FEWER);
}

TEST(nothing_restored)
{
    compare_some(&(struct variant){"average", 2, 8, 64, 0.0, 0.0, "taken"}, FEWER);
}

TEST(real_roots_ignored)
{
    struct variant variant = {"sequential", 2, 8, 64, 1.0, 0.0, "ignored"};
    struct record r = compare(&variant);
    check(r.roots < 0.01 * r.splits_without_root);
    measured("JUDGE.ignored.difference", r.worst);
}
