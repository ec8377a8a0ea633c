/* Links (the joints of sliding meta-particles) as plain data: pairs in touch, or about to be, each
 * with its direction. What a step must respect is that nobody approaches: with n_c the normal of
 * link c from particle i to particle j, and J its row,
 *
 *     (J v)_c = n_c . (v_j - v_i) >= -offset_c
 *
 * A wall is a j without a velocity. Contact finds the links, systems respect them; neither needs to
 * know the other.
 *
 * The particles at links are numbered by themselves, `ends`, so that what is done for links costs
 * in proportion to them. Links that share a free particle are of one component: nothing is
 * transferred between two components. */
#ifndef PARTICLES_LINKS_H
#define PARTICLES_LINKS_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "base/vec3.h"
#include "particles/particles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In place of an end: a wall. */
enum { LINK_WALL = UINT32_MAX };

struct link {
    uint32_t i, j;      /* particles, i < j, or j = LINK_WALL */
    struct vec3 normal; /* of length 1, from i to j or into the wall */
    double offset;      /* at least 0: what is left of the distance at the start, over dt, m/s */
};

/* Where a link is, along an axis. */
struct link_place {
    double x; /* m */
    uint32_t link;
};

struct links {
    size_t n;
    struct link *link; /* ascending by (i, j) but for those at walls, which come last (n) */

    /* filled by links_connect */
    size_t n_ends;
    uint32_t *particle;      /* of each end, ascending (n_ends) */
    uint32_t *end_i, *end_j; /* ends of each link; LINK_WALL for a wall (n) */
    size_t *link_start;      /* of the links of each end in `link_of` (n_ends + 1) */
    uint32_t *link_of;       /* ascending for each end (link_start[n_ends]) */
    size_t n_components;
    size_t *start;       /* of each in `member` (n_components + 1) */
    uint32_t *member;    /* links, component by component, each in the order in which its equations
                            are best eliminated (n) */
    uint32_t *component; /* of each link (n) */

    /* scratch and room */
    size_t n_particles;
    uint32_t *end_of;         /* 1 + the end of each particle, 0: none (n_particles) */
    uint32_t *root;           /* (n) */
    struct link_place *place; /* (n) */
    size_t capacity;
};

/* An empty list for n particles. Release with links_free, also after a failure. */
enum status links_create(struct links *links, size_t n_particles, struct error *error);
void links_free(struct links *links);

/* No links; costs as much as there were ends. */
void links_clear(struct links *links);

/* Room for n links in all arrays; the contents of `link` are kept. */
enum status links_reserve(struct links *links, size_t n, struct error *error);

/* Ends and components of link[0..n-1]. Particles that are not free connect nobody. */
void links_connect(struct links *links, const struct particles *particles);

/* links_order.c: arranges links of one component so that eliminating them in this order fills
 * little: nested dissection (George, SIAM J. Numer. Anal. 10, 1973) by the positions of particles.
 */
void links_order(struct links *links, const struct particles *particles, uint32_t *member,
                 size_t n);

/* (J v)_c for velocities of ends (n_ends). */
static inline double links_speed(const struct links *links, size_t c, const struct vec3 *v)
{
    struct vec3 normal = links->link[c].normal, vi = v[links->end_i[c]];
    if (links->end_j[c] == LINK_WALL)
        return -vec3_dot(normal, vi);
    return vec3_dot(normal, vec3_sub(v[links->end_j[c]], vi));
}

/* value += J^T impulse of link c, for vectors of ends (n_ends). */
static inline void links_push(const struct links *links, size_t c, double impulse,
                              struct vec3 *value)
{
    struct vec3 normal = links->link[c].normal;
    uint32_t i = links->end_i[c], j = links->end_j[c];
    value[i] = vec3_axpy(value[i], -impulse, normal);
    if (j != LINK_WALL)
        value[j] = vec3_axpy(value[j], impulse, normal);
}

/* J D J^T, where D is the block diagonal matrix of how much each end gives way to an impulse, 1/kg
 * (n_ends); zero for whoever does not move. */
struct links_matrix {
    struct sparse_rows rows;
    size_t capacity, row_capacity;
};

/* Replaces the contents; an empty one is {0}. */
enum status links_matrix_build(struct links_matrix *matrix, const struct links *links,
                               const struct sym3 *mobility, struct error *error);

/* Leaves out what links that are kept, kept[c] != 0, share with those that are not. */
void links_matrix_keep(struct links_matrix *matrix, const uint8_t *kept);

void links_matrix_free(struct links_matrix *matrix);

#endif
