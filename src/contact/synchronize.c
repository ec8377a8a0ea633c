#include "contact/synchronize.h"

#include <string.h>

/* The members of one group that belong to one system: groups->member[begin..end). */
struct share {
    size_t begin, end;
    double mass; /* m_s, kg */
};

static size_t owner_of(const struct owners *owners, uint32_t i)
{
    size_t s = 0;
    while (i >= owners->first[s + 1])
        s++;
    return s;
}

/* Members are ascending, and so are systems: those of one system follow each other. */
static struct share share_from(const struct groups *groups, const struct particles *p,
                               const struct owners *owners, size_t begin, size_t group_end)
{
    size_t s = owner_of(owners, groups->member[begin]);
    struct share share = {.begin = begin, .end = begin};
    while (share.end < group_end && groups->member[share.end] < owners->first[s + 1])
        share.mass += p->mass[groups->member[share.end++]];
    return share;
}

static struct vec3 outside_impulse(const struct groups *groups, const struct particles *p, size_t g,
                                   double dt)
{
    struct vec3 force = vec3(0.0, 0.0, 0.0);
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        force = vec3_add(force, p->force[groups->member[k]]);
    return vec3_scale(dt, force);
}

/* Eq. 17 for velocities and displacements. */
static void join(const struct groups *groups, const struct particles *p,
                 const struct owners *owners, size_t g, struct motion *motion)
{
    size_t begin = groups->start[g], end = groups->start[g + 1];
    double inverse_mass = 1.0 / groups->mass[groups->member[begin]];
    struct vec3 after = vec3(0.0, 0.0, 0.0), mean = after;
    for (size_t k = begin; k < end;) {
        struct share share = share_from(groups, p, owners, k, end);
        after = vec3_axpy(after, share.mass, motion->own_after[groups->member[k]]);
        mean = vec3_axpy(mean, share.mass, motion->own_mean[groups->member[k]]);
        k = share.end;
    }
    for (size_t k = begin; k < end; k++) {
        motion->after[groups->member[k]] = vec3_scale(inverse_mass, after);
        motion->mean[groups->member[k]] = vec3_scale(inverse_mass, mean);
    }
}

/* Returns Eq. 19; adds what is withheld to the report. */
static double account_for(const struct groups *groups, const struct particles *p,
                          const struct owners *owners, size_t g, double dt,
                          const struct motion *motion, struct synchronize_report *report)
{
    size_t begin = groups->start[g], end = groups->start[g + 1];
    uint32_t leader = groups->member[begin];
    double mass = groups->mass[leader], energy = 0.0;
    struct vec3 outside = outside_impulse(groups, p, g, dt), withheld = vec3(0.0, 0.0, 0.0);
    for (size_t k = begin; k < end;) {
        struct share share = share_from(groups, p, owners, k, end);
        struct vec3 own = motion->own_after[groups->member[k]];
        struct vec3 change = vec3_sub(own, motion->before[leader]);
        struct vec3 impulse = vec3_sub(vec3_scale(mass, change), outside);
        withheld = vec3_axpy(withheld, 1.0 - share.mass / mass, impulse);
        energy += 0.5 * share.mass * vec3_norm2(vec3_sub(own, motion->after[leader]));
        k = share.end;
    }
    report->groups++;
    report->energy += energy;
    report->withheld = vec3_add(report->withheld, withheld);
    report->work += vec3_dot(withheld, motion->mean[leader]);
    return energy;
}

void synchronize_groups(const struct groups *groups, const struct particles *p,
                        const struct owners *owners, double dt, struct motion *motion,
                        double *extra, struct synchronize_report *report)
{
    *report = (struct synchronize_report){0};
    memcpy(motion->after, motion->own_after, p->n * sizeof *motion->after);
    memcpy(motion->mean, motion->own_mean, p->n * sizeof *motion->mean);
    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t leader = groups->member[groups->start[g]];
        uint32_t last = groups->member[groups->start[g + 1] - 1];
        extra[leader] = 0.0;
        if (groups->fixed[leader] || owner_of(owners, leader) == owner_of(owners, last))
            continue;
        join(groups, p, owners, g, motion);
        extra[leader] = account_for(groups, p, owners, g, dt, motion, report);
    }
}
