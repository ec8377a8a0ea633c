/* Merging-and-splitting of scenes with rigid bodies: pairs in touch become joints (joints.h) in
 * place of groups, and bodies turn. Stages, active and late pairs are those of
 * merging_and_splitting.c, but joints only push, and what they stop passes on to what touches it
 * (settle). Systems find the velocities of their own particles alone, and joints are
 * restored afterwards, which adds up the impulses of all systems (contact.synchronization: sum): no
 * energy is lost in between, and beta has nothing to return. An implicit system would give way to a
 * body whose mass it does not know; scenes with one are refused. Joints have no limit of size. */
#include "base/blocks.h"
#include "base/memory.h"
#include "contact/active_pairs.h"
#include "contact/joints.h"
#include "contact/merge.h"
#include "contact/methods.h"

#include <stdlib.h>

struct merging {
    uint64_t seed;
    struct vec3 gravity;
    struct active_pairs chosen;
    struct joints joints;
    struct vec3
        *alone; /* by which particles would move in a stage without joints, m/s (particles) */
    struct vec3 *path; /* scratch, m/s (particles) */

    /* of the last stage */
    enum status status; /* of what cannot fail where it is called */
    struct error error;
    double stored; /* J */
    struct joint_report parted;
    struct joint_supports merged, held, split; /* in merging, project and splitting */
};

static void bodies_free(struct contact *contact)
{
    struct merging *m = contact->state;
    if (!m)
        return;
    active_pairs_free(&m->chosen);
    joints_free(&m->joints);
    free(m->alone);
    free(m->path);
    free(m);
}

static enum status bodies_create(struct contact *contact, const struct method_setting *setting,
                                 struct error *error)
{
    struct merging *m;
    size_t first, end;
    if (array_create(&m, 1, sizeof *m, "merging", error))
        return STATUS_FAILED;
    contact->state = m;
    m->seed = setting->scene->seed;
    m->gravity = setting->scene->gravity;
    contact_find_rigid(setting->scene, setting->particles, &first, &end);
    const size_t n = setting->particles->n;
    if (array_create(&m->alone, n, sizeof *m->alone, "merging", error) ||
        array_create(&m->path, n, sizeof *m->path, "merging", error))
        return STATUS_FAILED;
    return joints_create(&m->joints, setting->particles, first, end, error);
}

/* Releases pairs at which joints would pull. Returns whether there are any. */
static bool release(struct merging *m, const struct stage *stage)
{
    static const double rounding = 1e-9;
    bool any = false;
    double largest = 0.0;
    for (size_t k = 0; k < m->joints.n; k++)
        largest = fmax(largest, m->joints.joint[k].push);
    for (size_t k = 0; k < m->joints.n; k++) {
        const struct joint *joint = &m->joints.joint[k];
        const struct pair pair = {joint->end[0].particle, joint->end[1].particle};
        if (joint->push < -rounding * largest)
            any |= active_pairs_release(&m->chosen, stage, pair);
    }
    return any;
}

/* Pairs that joints imply move alike but for rounding: of velocities, m/s. */
static double rounding_of(const struct merging *m, const struct stage *stage,
                          const struct vec3 *velocity)
{
    static const double rounding = 1e-12;
    double largest = stage->dt * stage->dt * vec3_norm2(m->gravity);
    for (size_t i = 0; i < stage->particles->n; i++)
        largest = fmax(largest, vec3_norm2(velocity[i]));
    return rounding * sqrt(largest);
}

/* Finds which pairs have to be joined so that none approaches by a velocity, m/s. The load of a
 * stack goes down by one contact at a time: what a joint stops may stop what is on it. And a wheel
 * that lands on its next spoke is not held by the last one, at which the joint would pull. Ends,
 * because roles of pairs only go on; each time around, one does. */
static enum status settle(struct merging *m, const struct contact *contact,
                          const struct stage *stage, const struct vec3 *velocity, double least,
                          struct error *error)
{
    struct stage foreseen = *stage;
    struct joint_supports unused = {0};
    enum status status;
    foreseen.path = m->path;
    do {
        active_pairs_list(&m->chosen, stage, &contact->settings, m->seed);
        status = joints_make(&m->joints, &m->chosen.pairs, error);
        if (status)
            return status;
        blocks_copy(m->path, velocity, stage->particles->n * sizeof *m->path);
        joints_hold(&m->joints, m->path, false, &unused);
    } while (release(m, stage) || active_pairs_late(&m->chosen, &foreseen, least) > 0);
    return STATUS_OK;
}

static enum status bodies_merge(struct contact *contact, const struct stage *stage,
                                struct error *error)
{
    struct merging *m = contact->state;
    const struct vec3 *velocity = stage->particles->velocity;
    enum status status = active_pairs_find(&m->chosen, stage, &contact->settings, m->seed, error);
    if (!status && stage->number == 1)
        status = settle(m, contact, stage, velocity, rounding_of(m, stage, velocity), error);
    else if (!status)
        status = joints_make(&m->joints, &m->chosen.pairs, error);
    if (status)
        return status;
    blocks_copy(stage->motion->before, stage->particles->velocity,
                stage->particles->n * sizeof *stage->motion->before);
    m->merged = (struct joint_supports){0};
    m->stored = joints_hold(&m->joints, stage->motion->before, true, &m->merged);
    return STATUS_OK;
}

static enum status bodies_project(struct contact *contact, const struct stage *stage,
                                  size_t *iterations, struct error *error)
{
    struct merging *m = contact->state;
    struct joint_supports unused = {0};
    (void)iterations, (void)error;
    m->held = (struct joint_supports){0};
    const struct motion *motion = stage->motion;
    for (size_t i = 0; i < stage->particles->n; i++)
        m->alone[i] =
            vec3_add(stage->particles->velocity[i], vec3_sub(motion->mean[i], motion->before[i]));
    joints_hold(&m->joints, stage->motion->after, false, &m->held);
    joints_hold(&m->joints, stage->motion->mean, false, &unused);
    return STATUS_OK;
}

static double bodies_split(struct contact *contact, const struct stage *stage)
{
    struct merging *m = contact->state;
    const struct contact_settings *settings = &contact->settings;
    const struct split_rule rule = {settings->alpha, settings->beta, settings->roots};
    m->split = (struct joint_supports){0};
    m->parted = (struct joint_report){0};
    if (!m->status)
        m->status = joints_move(&m->joints, stage->motion->mean, stage->dt, &m->error);
    if (m->status)
        return 0.0;
    joints_split(&m->joints, &rule, stage->velocity, &m->split, &m->parted);
    return 0.0;
}

static enum status bodies_finish(struct contact *contact, struct error *error)
{
    const struct merging *m = contact->state;
    if (m->status)
        *error = m->error;
    return m->status;
}

static size_t bodies_late(struct contact *contact, const struct stage *stage)
{
    struct merging *m = contact->state;
    const double least = rounding_of(m, stage, stage->path);
    const size_t late = active_pairs_late(&m->chosen, stage, least);
    if (late == 0 || stage->number == contact->settings.stages || m->status)
        return late;
    m->status = settle(m, contact, stage, m->alone, least, &m->error);
    return late;
}

static void bodies_supports(const struct contact *contact, const struct particles *particles,
                            const struct motion *motion, struct supports_report *report)
{
    const struct merging *m = contact->state;
    (void)particles, (void)motion;
    report->exchanged = vec3_add(m->merged.impulse, m->split.impulse);
    report->exchanged_work = m->merged.work + m->split.work;
    report->work = m->held.work;
}

enum { ROOTS = N_MERGE_TERMS, NO_ROOTS, TERMS };

static void bodies_account(const struct contact *contact, struct term_value term[MOST_TERMS])
{
    const struct merging *m = contact->state;
    term[0].value = m->stored;
    term[1].value = m->parted.given;
    term[2].value = m->stored - m->parted.given;
    term[ROOTS].value = (double)m->parted.roots;
    term[NO_ROOTS].value = (double)m->parted.without;
}

static const struct energy_term *const terms[TERMS] = {
    MERGE_TERMS, [ROOTS] = &merge_roots[0], [NO_ROOTS] = &merge_roots[1]};

const struct velocity_level_contact contact_merging_bodies = {
    .contact = {.declares = {.name = "merging-and-splitting", .n_energy = TERMS, .energy = terms},
                .create = bodies_create,
                .free = bodies_free,
                .account = bodies_account},
    .merge = bodies_merge,
    .project = bodies_project,
    .supports = bodies_supports,
    .split = bodies_split,
    .late = bodies_late,
    .finish = bodies_finish,
};
