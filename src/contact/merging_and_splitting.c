/* Merging-and-splitting (Sections 3 and 5): in every stage, pairs in touch that approach are merged
 * before integration (merge.c) and split after it (split.c); pairs that part are marked.
 *
 * Late pairs: "If the marked particles at the end of the time-step integration have velocities
 * pointing towards each other, we recompute the time-step integration in a second stage by merging
 * those marked particles in the beginning of the time-step" (Section 5.1). Integration ends before
 * splitting: Section 3 and Section 4 use the same words for the velocity that is then split, and
 * call the split ones final; and Section 7 says that particles "do not penetrate further during the
 * time step". So a pair is late by the velocities that its particles move with. Then no pair in
 * touch comes nearer in a step: paths are straight, so that with n . (u_j - u_i) >= 0 at their
 * start the distance never falls. The exceptions are pairs that the limit of groups defers, and
 * those found after the last stage. By the velocities after splitting, meta-particles carry
 * together particles whose own velocities part: in random clouds 1.5 % of the pairs in touch came
 * nearer within a step, and at the wall of Figure 6 the largest overlap was 0.30 to 0.55 radii
 * instead of 0.08 to 0.23. */
#include "base/memory.h"
#include "contact/active_pairs.h"
#include "contact/deferred_pairs.h"
#include "contact/merge.h"
#include "contact/methods.h"

#include <stdlib.h>

struct merging {
    uint64_t seed;
    size_t n_particles;
    struct group_limits limits;
    struct merge_forest forest;
    struct active_pairs chosen;
    struct deferred_pairs deferred; /* pairs not merged in the last stage of the last step */

    /* of the last stage */
    struct merge_report merged;
    struct split_report parted;
    struct deferral_report again;
};

static void merging_free(struct contact *contact)
{
    struct merging *m = contact->state;
    if (!m)
        return;
    merge_forest_free(&m->forest);
    active_pairs_free(&m->chosen);
    deferred_pairs_free(&m->deferred);
    free(m);
}

static enum status merging_create(struct contact *contact, const struct method_setting *setting,
                                  struct error *error)
{
    struct merging *m;
    if (array_create(&m, 1, sizeof *m, "merging", error))
        return STATUS_FAILED;
    contact->state = m;
    const struct scene *scene = setting->scene;
    m->seed = scene->seed;
    m->n_particles = setting->particles->n;
    m->limits = (struct group_limits){
        .min = scene->contact.group_min, .max = scene->contact.group_max, .seed = scene->seed};
    return merge_forest_create(&m->forest, m->n_particles, error);
}

/* MS 1-5 for all active pairs, in the chosen order. */
static enum status merging_merge(struct contact *contact, const struct stage *stage,
                                 struct error *error)
{
    struct merging *m = contact->state;
    enum status status = active_pairs_find(&m->chosen, stage, &contact->settings, m->seed, error);
    if (status)
        return status;
    status = merge_pairs(&m->forest, stage->particles, &m->chosen.pairs, &m->limits, stage->step,
                         stage->groups, &m->merged, error);
    if (status)
        return status;
    merged_velocities(&m->forest, stage->motion->before);
    return STATUS_OK;
}

/* MS 8-16 and 20, in the inverse order. */
static double merging_split(struct contact *contact, const struct stage *stage)
{
    struct merging *m = contact->state;
    const struct contact_settings *settings = &contact->settings;
    const struct split_rule rule = {settings->alpha, settings->beta, settings->roots};
    split_forest(&m->forest, &rule, stage->synchronized_energy, stage->velocity, &m->parted);
    return m->parted.extra_lost;
}

/* Marked pairs that have to be merged after all become active. Two members of one meta-particle
 * never approach: they move alike, to the bit. */
static size_t merging_late(struct contact *contact, const struct stage *stage)
{
    struct merging *m = contact->state;
    return active_pairs_late(&m->chosen, stage, 0.0);
}

static enum status merging_finish(struct contact *contact, struct error *error)
{
    struct merging *m = contact->state;
    return deferred_pairs_update(&m->deferred, &m->forest.deferred, &m->again, error);
}

/* ---- what it owns ---- */

enum { LARGEST = N_MERGE_TERMS, DEFERRED, AGAIN, LONGEST, ROOTS, NO_ROOTS, TERMS };

#define COUNT(called, behind, says)                                                                \
    &(const struct energy_term)                                                                    \
    {                                                                                              \
        .name = called, .unit = "1", .sentence = says, .after = behind                             \
    }

static const struct energy_term *const terms[TERMS] = {
    MERGE_TERMS,
    [LARGEST] = COUNT("largest_group", "coupled", "members of the largest meta-particle"),
    [DEFERRED] = COUNT("deferred", "largest_group",
                       "approaching pairs not merged because of the size limit"),
    [AGAIN] =
        COUNT("deferred_again", "deferred", "of these, pairs deferred in the step before, too"),
    [LONGEST] = COUNT("deferred_longest", "deferred_again",
                      "most steps in a row that one of them has been deferred"),
    [ROOTS] = &merge_roots[0],
    [NO_ROOTS] = &merge_roots[1],
};

static void merging_account(const struct contact *contact, struct term_value term[MOST_TERMS])
{
    const struct merging *m = contact->state;
    term[0].value = m->merged.energy;
    term[1].value = m->parted.energy_out;
    term[2].value = m->parted.energy_lost;
    term[LARGEST].value = (double)m->merged.largest;
    term[DEFERRED].value = (double)m->merged.deferred;
    term[AGAIN].value = (double)m->again.again;
    term[LONGEST].value = (double)m->again.longest;
    term[ROOTS].value = (double)m->parted.roots;
    term[NO_ROOTS].value = (double)m->parted.splits_without_root;
}

static const struct state_field deferred_field = {
    .name = "deferred",
    .element = ELEMENT_U32,
    .width = 3,
    .unit = "1",
    .sentence = "pairs not merged because of the size limit: two ids, for how many steps in a row",
    .form = STATE_LIST,
    .particles = 2,
};

static enum status list_deferred(const void *owner, size_t *n, void **data, struct error *error)
{
    const struct merging *m = ((const struct contact *)owner)->state;
    return deferred_pairs_list(&m->deferred, n, data, error);
}

static enum status give_deferred(void *owner, size_t n, const void *data, struct error *error)
{
    struct merging *m = ((struct contact *)owner)->state;
    return deferred_pairs_restore(&m->deferred, n, data, m->n_particles, error);
}

static const struct owned_state states[] = {
    {.field = &deferred_field, .list = list_deferred, .give = give_deferred}};

const struct velocity_level_contact contact_merging_and_splitting = {
    .contact = {.declares = {"merging-and-splitting", 1, states, TERMS, terms},
                .create = merging_create,
                .free = merging_free,
                .account = merging_account,
                .of_bodies = &contact_merging_bodies.contact},
    .merge = merging_merge,
    .split = merging_split,
    .late = merging_late,
    .finish = merging_finish,
};
