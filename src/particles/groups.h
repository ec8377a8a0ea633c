/* Meta-particles as plain data: which particles move as one during a step. Contact builds them,
 * systems read them; neither needs to know the other.
 *
 * Most particles are alone. Only groups of two or more are listed; what a system needs of its own
 * particle's group is mirrored at every member, so that a loop over particles needs no indirection:
 * a vector over groups is an array over particles in which the members hold equal values and the
 * leader (the smallest member) speaks for the group in sums. */
#ifndef PARTICLES_GROUPS_H
#define PARTICLES_GROUPS_H

#include "base/error.h"
#include "particles/particles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct groups {
    size_t n;         /* particles */
    uint32_t *leader; /* smallest member of the particle's group; itself when alone (n) */
    double *mass;     /* of the whole group, kg; meaningless for a fixed group (n) */
    uint8_t *fixed;   /* not 0: the group holds a particle that is not free; forces do not move it
                         (n) */
    size_t n_groups;  /* groups of two or more, ascending by leader; after groups_cut, parts */
    size_t *start;    /* first member of each (n_groups + 1) */
    uint32_t *member; /* ascending within each group */
};

/* Particles in groups of two or more. */
static inline size_t groups_members(const struct groups *groups)
{
    return groups->n_groups ? groups->start[groups->n_groups] : 0;
}

/* Every particle alone. Release with groups_free, also after a failure. */
enum status groups_create(struct groups *groups, const struct particles *particles,
                          struct error *error);
void groups_free(struct groups *groups);

/* Every particle alone again; costs as much as there are members. */
void groups_dissolve(struct groups *groups, const struct particles *particles);

/* Replaces the groups. members[0..n_members) are the particles in groups, ascending, and label[i]
 * is the leader of the group of members[i]. All other particles stay alone. */
void groups_assign(struct groups *groups, const struct particles *particles, size_t n_members,
                   const uint32_t *members, const uint32_t *label);

/* The particles that each system owns: system s owns those from first[s] to first[s + 1] - 1. */
struct owners {
    size_t n_systems;
    const size_t *first; /* ascending (n_systems + 1) */
};

/* The members of one group that belong to one system: groups->member[begin] to [end - 1]. */
struct part {
    size_t system, begin, end;
    double mass; /* kg */
};

/* The parts of group g, one after the other, ascending by system: set part->end to
 * groups->start[g] and call until false. `mass` is that of each particle, kg (n). */
bool groups_next_part(const struct groups *groups, const struct owners *owners, const double *mass,
                      size_t g, struct part *part);

/* Cuts each group of `whole` into parts, one for each system that has members in it: a part moves
 * as one, has the mass of its own members, and does not move if the whole group does not. Parts of
 * one member are listed, too; parts follow each other in the order of the whole groups. */
void groups_cut(struct groups *parts, const struct groups *whole, const struct particles *particles,
                const struct owners *owners);

/* The system that owns particle i. */
static inline size_t owner_of(const struct owners *owners, uint32_t i)
{
    size_t s = 0;
    while (i >= owners->first[s + 1])
        s++;
    return s;
}

#endif
