/* What the files of contacts share.
 *
 *     contacts        the prediction, an iteration, and the paper's friction
 *     contact_planes  the faces of walls that particles may touch
 *     contact_pairs   pairs of free particles, each once for both its ends
 *     contact_chunk   what they ask, four pairs side by side
 *     contacts_kept   friction that remembers how far contacts have slipped
 */
#ifndef CONSTRAINTS_CONTACTS_PARTS_H
#define CONSTRAINTS_CONTACTS_PARTS_H

#include "constraints/averaging.h"
#include "constraints/contact_pairs.h"
#include "constraints/contacts.h"
#include "constraints/pair_rows.h"
#include "constraints/rows.h"

/* Where a wall holds a particle: at n . x >= level. */
struct plane {
    struct vec3 normal;
    double level;   /* m */
    uint32_t owner; /* the particle */
    uint32_t wall;
};

/* How far a particle was from the walls that hold it, and where; zero at first. */
struct clear {
    struct vec3 at;
    double distance; /* m */
};

/* What one thread finds: the planes of particles [begin, end). */
struct planes_found {
    size_t begin, end, n, capacity;
    struct plane *plane; /* (capacity) */
    enum status status;
    struct error error;
};

/* What a contact adds up in the iterations of a step. */
struct held {
    double press;    /* multiplier along the normal, kg m */
    struct vec3 rub; /* ... across, with the sign that slows its first end, kg m */
    struct vec3
        slip;   /* how far its first end had slipped before the step relative to the other, m */
    bool slips; /* Coulomb's law bounds rub */
};

/* What an iteration changes about it. */
struct change {
    struct vec3 push, rub; /* of the multipliers, as vectors, kg m */
    double depth;          /* m */
};

struct contacts {
    struct constraint constraint; /* must be first */
    struct contact_setting setting;
    bool rough;
    const struct pair_list *near; /* of this step */
    struct pair_rows rows;        /* only if particles are without weight or friction is kept */
    size_t *
        plane_start; /* the planes of particle i are [plane_start[i], plane_start[i + 1]) (n + 1) */
    struct plane *plane; /* ascending by owner and wall, several of a corner (plane_capacity) */
    size_t n_planes, plane_capacity;
    struct clear *clear;        /* (n) */
    struct planes_found *found; /* one for each thread (n_found) */
    size_t n_found;
    double *number; /* of contacts that act on each particle in this iteration (n) */
    struct contact_pairs pairs;
    uint8_t *left_out;   /* of `pairs`: 1: touches a particle without weight (n) */
    uint8_t *unfinished; /* 1: is in `listed` (n) */
    uint32_t *listed;    /* particles left out or that have planes, ascending (n) */
    size_t n_listed;
    const struct corrections *corrections; /* of this iteration */

    /* If friction is kept; contacts are those of `near` and then the planes. */
    struct held *held;     /* (held_capacity) */
    struct change *change; /* (held_capacity) */
    size_t held_capacity;
    struct kept_slip *slip; /* after the last step (n_slips) */
    size_t n_slips, slip_capacity;
};

/* A contact acts from this depth on, in radii, the smaller of both: particles exactly in touch do
 * not count among a particle's constraints because of rounding. */
#define CONTACT_SHALLOWEST 1e-12

/* UPP 22, and 17 to 20 in bodies with fields, with the sign that moves both ends apart: the normal
 * from the pair's smaller end to its larger one; returns the depth, m. */
static inline double depth_of_pair(const struct contacts *c, const struct candidates *candidates,
                                   size_t i, size_t j, struct vec3 *normal)
{
    struct vec3 way = vec3_sub(candidates->at[j], candidates->at[i]);
    double length = vec3_norm(way);
    const double touch = c->setting.radius[i] + c->setting.radius[j], depth = touch - length;
    const struct field_point *field = candidates->field;
    *normal = length > 0.0 ? vec3_scale(1.0 / length, way) : vec3(0.0, 0.0, 1.0);
    return field ? depth_in_fields(&field[i], &field[j], touch, depth, normal) : depth;
}

/* The depth from which on a pair acts, m. */
static inline double least_depth(const struct contacts *c, size_t i, size_t j)
{
    return CONTACT_SHALLOWEST * fmin(c->setting.radius[i], c->setting.radius[j]);
}

static inline double depth_at_plane(const struct plane *plane, struct vec3 at)
{
    return plane->level - vec3_dot(plane->normal, at);
}

static inline struct vec3 way_since_start(const struct candidates *candidates, size_t i)
{
    return vec3_sub(candidates->at[i], candidates->start[i]);
}

static inline struct vec3 part_across(struct vec3 v, struct vec3 normal)
{
    return vec3_axpy(v, -vec3_dot(v, normal), normal);
}

/* ---- contact_planes.c ---- */

/* Finds the planes of the step, at the prediction. */
enum status contact_planes_find(struct contacts *c, const struct candidates *candidates,
                                struct error *error);

/* ---- contacts_kept.c ---- */

/* Begins the step: contacts that were there get their slips back. */
enum status kept_begin(struct contacts *c, struct error *error);
/* One iteration. */
void kept_solve(struct contacts *c, const struct candidates *candidates,
                struct corrections *corrections);
/* Ends the step. */
enum status kept_end(struct contacts *c, const struct candidates *candidates, struct error *error);

#endif
