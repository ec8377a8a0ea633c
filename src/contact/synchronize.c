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

static double share_of_mass(double own, double all)
{
    return own / all;
}

static double whole(double own, double all)
{
    (void)own;
    (void)all;
    return 1.0;
}

const struct joining *joining_find(const char *name)
{
    static const struct joining joinings[] = {
        {"average", share_of_mass, true},
        {"sum", whole, false},
    };
    for (size_t k = 0; k < sizeof joinings / sizeof joinings[0]; k++)
        if (strcmp(joinings[k].name, name) == 0)
            return &joinings[k];
    return NULL;
}

/* What all groups have in common. */
struct meeting {
    const struct joining *joining;
    const struct groups *groups;
    const struct particles *particles;
    const struct owners *owners;
    double dt;
    struct motion *motion;
};

static struct vec3 outside_impulse(const struct meeting *m, size_t g)
{
    struct vec3 force = vec3(0.0, 0.0, 0.0);
    for (size_t k = m->groups->start[g]; k < m->groups->start[g + 1]; k++)
        force = vec3_add(force, m->particles->force[m->groups->member[k]]);
    return vec3_scale(m->dt, force);
}

/* Velocity and displacement of group g, Eq. 17 in the form V + (dt F + sum share_s J_s) / m. */
static void join(const struct meeting *m, size_t g)
{
    size_t begin = m->groups->start[g], end = m->groups->start[g + 1];
    const uint32_t *member = m->groups->member;
    double mass = m->groups->mass[member[begin]];
    struct vec3 before = m->motion->before[member[begin]];
    struct vec3 fall = vec3_axpy(before, 1.0 / mass, outside_impulse(m, g));
    struct vec3 after = fall, mean = fall;
    for (size_t k = begin; k < end;) {
        struct share share = share_from(m->groups, m->particles, m->owners, k, end);
        double part = m->joining->share(share.mass, mass);
        after = vec3_axpy(after, part, vec3_sub(m->motion->own_after[member[k]], fall));
        mean = vec3_axpy(mean, part, vec3_sub(m->motion->own_mean[member[k]], fall));
        k = share.end;
    }
    for (size_t k = begin; k < end; k++) {
        m->motion->after[member[k]] = after;
        m->motion->mean[member[k]] = mean;
    }
}

/* Returns Eq. 19; adds what is withheld to the report. */
static double account_for(const struct meeting *m, size_t g, struct synchronize_report *report)
{
    size_t begin = m->groups->start[g], end = m->groups->start[g + 1];
    const uint32_t *member = m->groups->member;
    uint32_t leader = member[begin];
    double mass = m->groups->mass[leader], energy = 0.0;
    struct vec3 outside = outside_impulse(m, g), withheld = vec3(0.0, 0.0, 0.0);
    for (size_t k = begin; k < end;) {
        struct share share = share_from(m->groups, m->particles, m->owners, k, end);
        struct vec3 own = m->motion->own_after[member[k]];
        struct vec3 change = vec3_sub(own, m->motion->before[leader]);
        struct vec3 impulse = vec3_sub(vec3_scale(mass, change), outside);
        withheld = vec3_axpy(withheld, 1.0 - m->joining->share(share.mass, mass), impulse);
        if (m->joining->averages)
            energy += 0.5 * share.mass * vec3_norm2(vec3_sub(own, m->motion->after[leader]));
        k = share.end;
    }
    report->groups++;
    report->energy += energy;
    report->withheld = vec3_add(report->withheld, withheld);
    report->work += vec3_dot(withheld, m->motion->mean[leader]);
    return energy;
}

void synchronize_groups(const struct joining *joining, const struct groups *groups,
                        const struct particles *p, const struct owners *owners, double dt,
                        struct motion *motion, double *extra, struct synchronize_report *report)
{
    const struct meeting meeting = {joining, groups, p, owners, dt, motion};
    *report = (struct synchronize_report){0};
    memcpy(motion->after, motion->own_after, p->n * sizeof *motion->after);
    memcpy(motion->mean, motion->own_mean, p->n * sizeof *motion->mean);
    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t leader = groups->member[groups->start[g]];
        uint32_t last = groups->member[groups->start[g + 1] - 1];
        extra[leader] = 0.0;
        if (groups->fixed[leader] || owner_of(owners, leader) == owner_of(owners, last))
            continue;
        join(&meeting, g);
        extra[leader] = account_for(&meeting, g, report);
    }
}
