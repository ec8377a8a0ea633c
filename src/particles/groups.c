#include "particles/groups.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void stand_alone(struct groups *groups, const struct particles *particles, uint32_t i)
{
    groups->leader[i] = i;
    groups->mass[i] = particles->mass[i];
    groups->fixed[i] = particles->state[i] != PARTICLE_FREE;
}

enum status groups_create(struct groups *groups, const struct particles *particles,
                          struct error *error)
{
    size_t n = particles->n;
    *groups = (struct groups){.n = n};
    if (array_create(&groups->leader, n, sizeof *groups->leader, "group leaders", error) ||
        array_create(&groups->mass, n, sizeof *groups->mass, "group masses", error) ||
        array_create(&groups->fixed, n, sizeof *groups->fixed, "group marks", error) ||
        array_create(&groups->start, n + 1, sizeof *groups->start, "group starts", error) ||
        array_create(&groups->member, n, sizeof *groups->member, "group members", error)) {
        groups_free(groups);
        return STATUS_FAILED;
    }
    for (uint32_t i = 0; i < n; i++)
        stand_alone(groups, particles, i);
    return STATUS_OK;
}

void groups_free(struct groups *groups)
{
    free(groups->leader);
    free(groups->mass);
    free(groups->fixed);
    free(groups->start);
    free(groups->member);
    *groups = (struct groups){0};
}

void groups_dissolve(struct groups *groups, const struct particles *particles)
{
    size_t n_members = groups_members(groups);
    for (size_t k = 0; k < n_members; k++)
        stand_alone(groups, particles, groups->member[k]);
    groups->n_groups = 0;
}

/* Groups are numbered in the order in which their leaders appear, and start[g + 1] counts the
 * members of group g until all are counted. A leader is the smallest member, so in ascending order
 * it comes before every other member of its group. */
void groups_assign(struct groups *groups, const struct particles *particles, size_t n_members,
                   const uint32_t *members, const uint32_t *label)
{
    groups_dissolve(groups, particles);
    size_t *start = groups->start;
    /* for now, leader[] of a leader holds the number of its group */
    for (size_t k = 0; k < n_members; k++) {
        if (label[k] == members[k]) {
            groups->leader[members[k]] = (uint32_t)groups->n_groups;
            start[++groups->n_groups] = 0;
        }
        start[groups->leader[label[k]] + 1]++;
    }
    start[0] = 0;
    for (size_t g = 0; g < groups->n_groups; g++)
        start[g + 1] += start[g];
    for (size_t k = 0; k < n_members; k++)
        groups->member[start[groups->leader[label[k]]]++] = members[k];
    for (size_t g = groups->n_groups; g > 0; g--)
        start[g] = start[g - 1];
    start[0] = 0;

    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t leader = groups->member[start[g]];
        double mass = 0.0;
        uint8_t fixed = 0;
        for (size_t k = start[g]; k < start[g + 1]; k++) {
            mass += particles->mass[groups->member[k]];
            fixed |= particles->state[groups->member[k]] != PARTICLE_FREE;
        }
        for (size_t k = start[g]; k < start[g + 1]; k++) {
            groups->leader[groups->member[k]] = leader;
            groups->mass[groups->member[k]] = mass;
            groups->fixed[groups->member[k]] = fixed;
        }
    }
}

/* Members are ascending, and so are the particles of systems, so that members of one system follow
 * each other. */
bool groups_next_part(const struct groups *groups, const struct owners *owners, const double *mass,
                      size_t g, struct part *part)
{
    size_t begin = part->end, end = groups->start[g + 1];
    if (begin == end)
        return false;
    *part = (struct part){
        .system = owner_of(owners, groups->member[begin]), .begin = begin, .end = begin};
    while (part->end < end && groups->member[part->end] < owners->first[part->system + 1])
        part->mass += mass[groups->member[part->end++]];
    return true;
}

/* The part becomes a group of its own. */
static void add_part(struct groups *parts, const struct part *part, uint8_t fixed)
{
    for (size_t k = part->begin; k < part->end; k++) {
        uint32_t i = parts->member[k];
        parts->leader[i] = parts->member[part->begin];
        parts->mass[i] = part->mass;
        parts->fixed[i] = fixed;
    }
    parts->start[parts->n_groups++] = part->begin;
    parts->start[parts->n_groups] = part->end;
}

void groups_cut(struct groups *parts, const struct groups *whole, const struct particles *particles,
                const struct owners *owners)
{
    groups_dissolve(parts, particles);
    for (size_t g = 0; g < whole->n_groups; g++) {
        size_t begin = whole->start[g], n = whole->start[g + 1] - begin;
        uint8_t fixed = whole->fixed[whole->member[begin]];
        memcpy(parts->member + begin, whole->member + begin, n * sizeof *whole->member);
        struct part part = {.end = begin};
        while (groups_next_part(whole, owners, particles->mass, g, &part))
            add_part(parts, &part, fixed);
    }
}
