/* Links (the joints of sliding meta-particles) as plain data: pairs in touch, or about to be, each
 * with its direction. What a step must respect is that nobody approaches: with n_c the normal of
 * link c from particle i to particle j, and J its row,
 *
 *     (J v)_c = n_c . (v_j - v_i) >= -offset_c
 *
 * A wall is a j without a velocity. Contact finds the links, systems respect them; neither needs to
 * know the other.
 *
 * With friction a link has three rows in J, and everything by row has its three entries one behind
 * the other: the normal first, then two directions across it. Particles have no spin: speeds across
 * a link are those of the centers. Which directions they are has no meaning, and whoever solves may
 * turn them, together with all that belongs to their rows: the law of friction knows none.
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
#define LINK_WALL UINT32_MAX

struct link {
    uint32_t i, j;      /* particles, i < j, or j = LINK_WALL */
    struct vec3 normal; /* of length 1, from i to j or into the wall */
    double offset;      /* at least 0: what is left of the distance at the start, over dt, m/s */
    struct vec3 across; /* one of the directions across, of length 1; set by links_connect */
};

/* Coulomb's law: with N the impulse that presses the particles of a link together in a step, a link
 * sticks, which takes an impulse across it of at most sticking * N, or it slips, and the impulse is
 * sliding * N against the slip. */
struct link_friction {
    double sliding, sticking; /* coefficients, 0 <= sliding <= sticking */
    const double *pressed;    /* of each link: the part of N that other impulses than those in
                                 question contribute, at least 0, N s (links->n) */
};

/* Where a link is, along an axis. */
struct link_place {
    double x; /* m */
    uint32_t link;
};

struct links {
    size_t n;
    size_t rows_each;  /* 1, or 3 with friction; 1 after links_create */
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
    uint32_t *row;       /* those of all links, in the order of `member` (rows_each n) */

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

/* Room for n links and their rows in all arrays; the contents of `link` are kept. */
enum status links_reserve(struct links *links, size_t n, struct error *error);

/* Ends, components and rows of link[0..n-1]. Particles that are not free connect nobody. */
void links_connect(struct links *links, const struct particles *particles);

/* Gives a link another normal, of length 1, and a direction across that one. */
void link_turn(struct link *link, struct vec3 normal);

/* links_order.c: arranges links of one component so that eliminating them in this order fills
 * little: nested dissection (George, SIAM J. Numer. Anal. 10, 1973) by the positions of particles.
 */
void links_order(struct links *links, const struct particles *particles, uint32_t *member,
                 size_t n);

/* The link of a row, and the row of the normal of a link. */
static inline size_t links_of_row(const struct links *links, size_t row)
{
    return links->rows_each == 1 ? row : row / links->rows_each;
}

static inline size_t links_normal_row(const struct links *links, size_t c)
{
    return links->rows_each * c;
}

/* The direction of a row. */
static inline struct vec3 links_direction(const struct links *links, size_t row)
{
    size_t c = links_of_row(links, row), k = row - links->rows_each * c;
    const struct link *link = &links->link[c];
    return k == 0 ? link->normal : k == 1 ? link->across : vec3_cross(link->normal, link->across);
}

/* What a row of J says of velocities of ends (n_ends). */
static inline double links_speed(const struct links *links, size_t row, const struct vec3 *v)
{
    size_t c = links_of_row(links, row);
    struct vec3 direction = links_direction(links, row), vi = v[links->end_i[c]];
    if (links->end_j[c] == LINK_WALL)
        return -vec3_dot(direction, vi);
    return vec3_dot(direction, vec3_sub(v[links->end_j[c]], vi));
}

/* value += J^T impulse of a row, for vectors of ends (n_ends). */
static inline void links_push(const struct links *links, size_t row, double impulse,
                              struct vec3 *value)
{
    size_t c = links_of_row(links, row);
    struct vec3 direction = links_direction(links, row);
    uint32_t i = links->end_i[c], j = links->end_j[c];
    value[i] = vec3_axpy(value[i], -impulse, direction);
    if (j != LINK_WALL)
        value[j] = vec3_axpy(value[j], impulse, direction);
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

/* The same with nothing but what normals share with normals: the rows across are empty. */
enum status links_matrix_take_normals(struct links_matrix *normals,
                                      const struct links_matrix *matrix, size_t rows_each,
                                      struct error *error);

void links_matrix_free(struct links_matrix *matrix);

#endif
