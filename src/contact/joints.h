/* Joints: contacts at which two bodies share their velocity for a step. They are meta-particles of
 * bodies that turn: what merges is not all of two bodies, but the velocities of their material at
 * the place of contact, and each body answers with the mass that it has there, (1/m + the part of
 * I^-1) per direction.
 *
 * Each joint is three rows of J, J v = the velocity of the second particle's body relative to the
 * first's, along the normal and two directions across it. With J M^-1 J^T = L L^T (Cholesky), the
 * columns of M^-1 J^T L^-T are orthonormal in the metric of mass, so that
 *
 *     y = L^-1 J v,   E = |y|^2 / 2
 *
 * are the components of v that joints take, and the energy that merging stores (MS 4): of two loose
 * particles m1 m2 / (2 m) |v1 - v2|^2. Rows that others already imply have no y. Normals come
 * before all other rows, in the order of merging: those of a box that lands on its face then act as
 * one, whichever is the first.
 *
 * Splitting solves MS 9 and 12 for each joint, as for particles: along the line on which its
 * normal's y varies and those across stay, it finds the place with alpha of the energy at which the
 * two part (MS 13, 14), or scales those across where there is none (MS 15, 16). Impulses of a joint
 * are opposite and at one place, so momentum and angular momentum of bodies never change. Between
 * two particles without bodies they act at the centers, as in the paper. */
#ifndef CONTACT_JOINTS_H
#define CONTACT_JOINTS_H

#include "config/scene.h"
#include "contact/split.h"
#include "particles/pairs.h"
#include "particles/rigid_bodies.h"

/* What one side of a joint is. */
struct joint_end {
    uint32_t particle;
    const struct rigid_body *body; /* NULL: the particle alone, or one that does not move */
    double yields;                 /* 1 / mass of the particle alone, else 0, 1/kg */
    struct vec3 arm;               /* of the place from the body's center, m */
};

struct joint {
    struct joint_end end[2];
    struct vec3 direction[3]; /* normal, from the first to the second, and two across */
    uint32_t part;            /* the smallest representative of all that it is joined with */
    double y[3];              /* what merging took of each row, sqrt(J) */
    double own[3];            /* what it has when it is split, sqrt(J) */
    bool holds[3];            /* whether the row has a y */
    double push;              /* impulse along the normal that joints_hold gave, N s */
};

/* A row that has a y. */
struct joint_row {
    uint32_t joint;
    uint8_t d;
    size_t first; /* the first row of its part */
    size_t lower; /* where its entries of L begin, from `first` to its own */
};

struct joints {
    struct rigid_bodies bodies;
    const struct particles *particles;
    size_t n, capacity;
    struct joint *joint;
    size_t n_rows, row_capacity;
    struct joint_row *row; /* by part, in the order of elimination (n_rows) */
    double *value;         /* of each row, scratch (n_rows) */
    double *lower;
    size_t n_lower, lower_capacity;
    uint32_t *parent;            /* disjoint sets of particles (particles) */
    const struct vec3 *x;        /* the places that joints are made for, m (particles) */
    struct vec3 *moved;          /* those after the step (particles) */
    struct rigid_motion *motion; /* of each body, scratch (bodies.n) */
    uint8_t *touched;            /* 1: the body has a joint (bodies.n) */
};

/* What joints did with supports: the impulse that particles which do not move gave to free ones,
 * and its work where they are moved, J. */
struct joint_supports {
    struct vec3 impulse; /* N s */
    double work;
};

/* Joints between particles of which [first, end) are of rigid bodies. Release with joints_free,
 * also after a failure. `particles` must outlive them. */
enum status joints_create(struct joints *joints, const struct particles *particles, size_t first,
                          size_t end, struct error *error);
void joints_free(struct joints *joints);

/* Replaces the joints by those of the pairs, in their order, at the present places. */
enum status joints_make(struct joints *joints, const struct pair_list *pairs, struct error *error);

/* Removes from velocities, by particle of the whole set (m/s), what joints do not allow. Returns
 * the energy that this takes, J. `keep`: it is kept in joint->y, for joints_split. */
double joints_hold(struct joints *joints, struct vec3 *velocity, bool keep,
                   struct joint_supports *supports);

/* Makes the joints again for places to which particles move by `mean` in dt, s: impulses that are
 * given back act there. Directions stay. */
enum status joints_move(struct joints *joints, const struct vec3 *mean, double dt,
                        struct error *error);

/* Gives back what joints_hold kept, by the rule. */
struct joint_report {
    double given; /* energy given back, J */
    size_t roots; /* joints split with a real root of MS 13, and without one */
    size_t without;
};
void joints_split(struct joints *joints, const struct split_rule *rule, struct vec3 *velocity,
                  struct joint_supports *supports, struct joint_report *report);

#endif
