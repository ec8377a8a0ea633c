#include "contact/synchronize.h"

#include "base/blocks.h"

/* The data that all groups share. */
struct meeting {
    const struct synchronization *synchronization;
    const struct groups *groups;
    const struct particles *particles;
    const struct owners *owners;
    double dt;
    struct motion *motion;
};

/* The next system's part of group g. */
static bool next_part(const struct meeting *m, size_t g, struct part *part)
{
    return groups_next_part(m->groups, m->owners, m->particles->mass, g, part);
}

/* Before the first part of group g. */
static struct part before_parts(const struct meeting *m, size_t g)
{
    return (struct part){.end = m->groups->start[g]};
}

/* The value that the system of a part found for the meta-particle. Every member of the part has
 * it. */
static struct vec3 found_by(const struct meeting *m, const struct part *part,
                            const struct vec3 *own)
{
    return own[m->groups->member[part->begin]];
}

/* MS 17: v' = sum m_s v_s / m. */
static struct vec3 average_of_systems(const struct meeting *m, size_t g, const struct vec3 *own)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double mass = 0.0;
    for (struct part part = before_parts(m, g); next_part(m, g, &part);) {
        sum = vec3_axpy(sum, part.mass, found_by(m, &part, own));
        mass += part.mass;
    }
    return vec3_scale(1.0 / mass, sum);
}

/* MS 18 and 19: the energy that the systems found, sum m_s |v_s|^2 / 2, beyond that of the
 * average v': dE = sum m_s |v_s - v'|^2 / 2. */
static double energy_of_averaging(const struct meeting *m, size_t g, struct vec3 joined)
{
    double energy = 0.0;
    for (struct part part = before_parts(m, g); next_part(m, g, &part);) {
        struct vec3 apart = vec3_sub(found_by(m, &part, m->motion->own_after), joined);
        energy += 0.5 * part.mass * vec3_norm2(apart);
    }
    return energy;
}

static struct vec3 force_on_group(const struct groups *groups, size_t g, const struct vec3 *force)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        sum = vec3_add(sum, force[groups->member[k]]);
    return sum;
}

/* ---- the ways of synchronizing ---- */

/* V + (dt F + sum J_s) / m. */
static struct vec3 sum_of_impulses(const struct meeting *m, size_t g, const struct vec3 *own)
{
    uint32_t leader = m->groups->member[m->groups->start[g]];
    struct vec3 force = force_on_group(m->groups, g, m->particles->force);
    struct vec3 fall = vec3_axpy(m->motion->before[leader], m->dt / m->groups->mass[leader], force);
    struct vec3 sum = fall;
    for (struct part part = before_parts(m, g); next_part(m, g, &part);)
        sum = vec3_add(sum, vec3_sub(found_by(m, &part, own), fall));
    return sum;
}

/* Systems are integrated one after the other, from the last to the first, so the first one's
 * solution has them all. */
static struct vec3 last_integrated(const struct meeting *m, size_t g, const struct vec3 *own)
{
    return own[m->groups->member[m->groups->start[g]]];
}

static double nothing(double own, double all)
{
    (void)own;
    (void)all;
    return 0.0;
}

static double fraction_of_others(double own, double all)
{
    return 1.0 - own / all;
}

static const struct synchronization own_members = {
    .in_parts = true, .averages = true, .join = average_of_systems, .withheld = nothing};
static const struct synchronization average = {
    .averages = true, .join = average_of_systems, .withheld = fraction_of_others};
static const struct synchronization sum = {.join = sum_of_impulses, .withheld = nothing};
static const struct synchronization sequential = {
    .sequential = true, .join = last_integrated, .withheld = nothing};

#define SYNCHRONIZATION(word, value, way) [value] = &way,

const struct synchronization *synchronization_of(enum way_of_synchronizing way)
{
    static const struct synchronization *const ways[] = {SYNCHRONIZATIONS(SYNCHRONIZATION)};
    return ways[way];
}

/* ---- for one group, and for all ---- */

static bool is_joint(const struct groups *groups, const struct owners *owners, size_t g)
{
    uint32_t leader = groups->member[groups->start[g]];
    uint32_t last = groups->member[groups->start[g + 1] - 1];
    return !groups->fixed[leader] && owner_of(owners, leader) != owner_of(owners, last);
}

/* m (v_s - V) - dt F for all of group g, with s the system of member i. */
static struct vec3 impulse_of_system(const struct groups *groups, size_t g, uint32_t i, double dt,
                                     const struct motion *motion, const struct vec3 *force)
{
    struct vec3 change = vec3_sub(motion->own_after[i], motion->before[i]);
    return vec3_axpy(vec3_scale(groups->mass[i], change), -dt, force_on_group(groups, g, force));
}

void pass_on_impulses(const struct groups *groups, const struct owners *owners, size_t s, double dt,
                      const struct motion *motion, struct vec3 *force)
{
    for (size_t g = 0; g < groups->n_groups; g++) {
        size_t k = groups->start[g];
        if (!is_joint(groups, owners, g))
            continue;
        while (k < groups->start[g + 1] && owner_of(owners, groups->member[k]) < s)
            k++;
        if (k == groups->start[g + 1] || owner_of(owners, groups->member[k]) != s)
            continue;
        uint32_t i = groups->member[k];
        struct vec3 impulse = impulse_of_system(groups, g, i, dt, motion, force);
        force[i] = vec3_axpy(force[i], 1.0 / dt, impulse);
    }
}

static void join(const struct meeting *m, size_t g)
{
    struct vec3 after = m->synchronization->join(m, g, m->motion->own_after);
    struct vec3 mean = m->synchronization->join(m, g, m->motion->own_mean);
    for (size_t k = m->groups->start[g]; k < m->groups->start[g + 1]; k++) {
        m->motion->after[m->groups->member[k]] = after;
        m->motion->mean[m->groups->member[k]] = mean;
    }
}

/* Adds the part of the systems' impulses that does not arrive, and its work. */
static void account_for_withheld(const struct meeting *m, size_t g,
                                 struct synchronize_report *report)
{
    uint32_t leader = m->groups->member[m->groups->start[g]];
    double mass = m->groups->mass[leader];
    struct vec3 withheld = vec3(0.0, 0.0, 0.0);
    for (struct part part = before_parts(m, g); next_part(m, g, &part);) {
        uint32_t i = m->groups->member[part.begin];
        struct vec3 impulse =
            impulse_of_system(m->groups, g, i, m->dt, m->motion, m->particles->force);
        withheld = vec3_axpy(withheld, m->synchronization->withheld(part.mass, mass), impulse);
    }
    report->withheld = vec3_add(report->withheld, withheld);
    report->work += vec3_dot(withheld, m->motion->mean[leader]);
}

void synchronize_groups(const struct synchronization *synchronization, const struct groups *groups,
                        const struct particles *p, const struct owners *owners, double dt,
                        struct motion *motion, double *extra, struct synchronize_report *report)
{
    const struct meeting meeting = {synchronization, groups, p, owners, dt, motion};
    *report = (struct synchronize_report){0};
    blocks_copy(motion->after, motion->own_after, p->n * sizeof *motion->after);
    blocks_copy(motion->mean, motion->own_mean, p->n * sizeof *motion->mean);
    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t leader = groups->member[groups->start[g]];
        extra[leader] = 0.0;
        if (!is_joint(groups, owners, g))
            continue;
        join(&meeting, g);
        if (synchronization->averages)
            extra[leader] = energy_of_averaging(&meeting, g, motion->after[leader]);
        account_for_withheld(&meeting, g, report);
        report->energy += extra[leader];
        report->groups++;
    }
}
