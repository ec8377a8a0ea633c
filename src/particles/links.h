/* Links (the joints of sliding meta-particles) as plain data: pairs in touch, or about to be, each
 * with its direction. A step must respect that no two linked particles approach: with n_c the
 * normal of link c from particle i to particle j, row c of J says that
 *
 *     (J v)_c = n_c . (v_j - v_i) >= -offset_c
 *
 * A wall takes the place of j and has no velocity. Contact finds the links, systems respect them;
 * neither needs to know the other.
 *
 * With friction a link has three rows in J, and every array over rows has three entries for it, one
 * after the other: first that of the normal, then those of two directions across it. Speeds across
 * a link are those of the surfaces in touch, which turn with the pieces that particles belong to
 * (link_pieces.h). The law of friction is isotropic: any two directions will do, and a solver may
 * turn them, together with the entries of their rows.
 *
 * The particles at links are the `ends` and have their own numbers, so that work on links costs in
 * proportion to them. Links that share a free particle belong to one component; no impulse passes
 * between two components. */
#ifndef PARTICLES_LINKS_H
#define PARTICLES_LINKS_H

#include "base/contact_side.h"
#include "base/error.h"
#include "base/sparse_rows.h"
#include "base/vec3.h"
#include "particles/link_bodies.h"
#include "particles/link_pieces.h"
#include "particles/particles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands for a wall in place of a particle or an end. */
#define LINK_WALL UINT32_MAX

struct link {
    uint32_t i, j;       /* particles, i < j, or j = LINK_WALL */
    struct vec3 normal;  /* of length 1, from i to j or into the wall */
    double offset;       /* >= 0: the gap at the start of the step, over dt, m/s */
    double arm_i, arm_j; /* how far along the normal the place of contact is from each center, m;
                            between particles their sum is the distance of the centers */
    struct vec3 across;  /* one of the directions across, of length 1; set by links_connect */
};

/* Coulomb's law. N is the impulse that presses the particles of a link together in a step. A link
 * either sticks, by an impulse across it of at most sticking * N, or it slips, with an impulse of
 * sliding * N against the slip. */
struct link_friction {
    double sliding, sticking; /* coefficients, 0 <= sliding <= sticking */
    const double *pressed; /* of each link: the part of N that comes from impulses other than those
                              solved for, >= 0, N s (links->n) */
};

/* The place of a link along an axis. */
struct link_place {
    double x; /* m */
    uint32_t link;
};

struct links {
    size_t n;
    size_t rows_each;  /* 1, or 3 with friction; 1 after links_create */
    struct link *link; /* ascending by (i, j), except those at walls, which come last (n) */

    /* filled by links_connect */
    size_t n_ends;
    uint32_t *particle;      /* of each end, ascending (n_ends) */
    uint32_t *end_i, *end_j; /* ends of each link; LINK_WALL for a wall (n) */
    size_t *link_start;      /* where the links of each end begin in `link_of` (n_ends + 1) */
    uint32_t *link_of;       /* ascending for each end (link_start[n_ends]) */
    size_t n_components;
    size_t *start;       /* where each component begins in `member` (n_components + 1) */
    uint32_t *member;    /* links, component by component, each in the order in which its equations
                            are best eliminated (n) */
    uint32_t *component; /* of each link (n) */
    uint32_t *row;       /* the rows of all links, in the order of `member` (rows_each n) */
    struct link_pieces turning; /* what turns with the ends; links_connect knows of nothing */
    struct link_bodies rigid;   /* whose particles are ends; all 0: there are none */

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

/* Removes all links; costs as much as there were ends. */
void links_clear(struct links *links);

/* Room for n links and their rows in all arrays; the contents of `link` are kept. */
enum status links_reserve(struct links *links, size_t n, struct error *error);

/* Finds the ends, components and rows of link[0..n-1]. Particles that are not free connect no
 * links. */
void links_connect(struct links *links, const struct particles *particles);

/* Gives a link another normal, of length 1, and a direction across that one. */
void link_turn(struct link *link, struct vec3 normal);

/* links_order.c: arranges links of one component so that eliminating them in this order causes
 * little fill-in: nested dissection (George, SIAM J. Numer. Anal. 10, 1973) by the positions of
 * particles. */
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

/* The piece that turns with an end; NULL: none. */
static inline struct link_piece *links_piece(const struct links *links, uint32_t end)
{
    const struct link_pieces *t = &links->turning;
    if (t->n == 0 || end == LINK_WALL || t->of_end[end] == LINK_NO_PIECE)
        return NULL;
    return &t->piece[t->of_end[end]];
}

/* How far along the normal from its center an end is pushed where it is of a rigid body: the place
 * of contact, or the center of a particle that nothing turns with. */
static inline double links_reach(const struct links *links, size_t c, bool at_j)
{
    const struct link *link = &links->link[c];
    const uint32_t other = at_j ? links->end_i[c] : links->end_j[c];
    const bool alone =
        other != LINK_WALL && link_bodies_free(&links->rigid, other) && !links_piece(links, other);
    return (at_j ? link->arm_j : link->arm_i) + (alone ? (at_j ? link->arm_i : link->arm_j) : 0.0);
}

/* The same as links_slip, for ends of rigid bodies, whose rates are behind the velocities of ends
 * in v. */
static inline struct vec3 links_slip_of_bodies(const struct links *links, size_t c,
                                               struct vec3 apart, const struct vec3 *v)
{
    const uint32_t i = links->end_i[c], j = links->end_j[c];
    const struct vec3 n = links->link[c].normal;
    const uint32_t a = link_body_at(&links->rigid, i);
    const uint32_t b = j == LINK_WALL ? LINK_NO_BODY : link_body_at(&links->rigid, j);
    if (a != LINK_NO_BODY)
        apart =
            vec3_axpy(apart, -links_reach(links, c, false), vec3_cross(v[links->n_ends + a], n));
    if (b != LINK_NO_BODY)
        apart = vec3_axpy(apart, -links_reach(links, c, true), vec3_cross(v[links->n_ends + b], n));
    return apart;
}

/* The velocity of the second of a link's surfaces relative to the first, where that of the centers
 * is `apart` and pieces turn at the rates that were last looked at, m/s. */
static inline struct vec3 links_slip(const struct links *links, size_t c, struct vec3 apart)
{
    const struct link *link = &links->link[c];
    const struct link_piece *i = links_piece(links, links->end_i[c]);
    const struct link_piece *j = links_piece(links, links->end_j[c]);
    if (i)
        apart = vec3_axpy(apart, -link->arm_i, vec3_cross(i->rate, link->normal));
    if (j)
        apart = vec3_axpy(apart, -link->arm_j, vec3_cross(j->rate, link->normal));
    return apart;
}

/* The transpose: adds the couples of an impulse on the second particle to the pieces. */
static inline void links_twist(const struct links *links, size_t c, struct vec3 impulse)
{
    const struct link *link = &links->link[c];
    struct link_piece *i = links_piece(links, links->end_i[c]);
    struct link_piece *j = links_piece(links, links->end_j[c]);
    struct vec3 couple = vec3_cross(link->normal, impulse);
    if (i)
        i->couple = vec3_axpy(i->couple, -link->arm_i, couple);
    if (j)
        j->couple = vec3_axpy(j->couple, -link->arm_j, couple);
}

/* A row of J times the velocities of ends (n_ends), and the rates of rigid bodies behind them
 * (rigid.n), m/s. */
static inline double links_speed(const struct links *links, size_t row, const struct vec3 *v)
{
    size_t c = links_of_row(links, row);
    struct vec3 apart = vec3_scale(-1.0, v[links->end_i[c]]);
    if (links->end_j[c] != LINK_WALL)
        apart = vec3_add(v[links->end_j[c]], apart);
    if (row != links_normal_row(links, c)) {
        apart = links_slip(links, c, apart);
        apart = links->rigid.n > 0 ? links_slip_of_bodies(links, c, apart, v) : apart;
    }
    return vec3_dot(links_direction(links, row), apart);
}

/* value += J^T impulse of a row, for vectors of ends (n_ends); couples wait in their pieces. */
static inline void links_push(const struct links *links, size_t row, double impulse,
                              struct vec3 *value)
{
    size_t c = links_of_row(links, row);
    struct vec3 given = vec3_scale(impulse, links_direction(links, row));
    uint32_t i = links->end_i[c], j = links->end_j[c];
    value[i] = vec3_sub(value[i], given);
    if (j != LINK_WALL)
        value[j] = vec3_add(value[j], given);
    if (row != links_normal_row(links, c))
        links_twist(links, c, given);
}

/* The place at which a link pushes an end, from the center of its rigid body, m. */
struct vec3 links_lever(const struct links *links, size_t c, uint32_t end);

/* The direction in which an impulse of a row acts on an end of its link: the row's own at j, the
 * opposite at i. */
static inline struct vec3 links_direction_at(const struct links *links, size_t row, uint32_t end)
{
    struct vec3 direction = links_direction(links, row);
    return links->end_i[links_of_row(links, row)] == end ? vec3_scale(-1.0, direction) : direction;
}

/* links_sides.c: what each link moves (2 n), numbered by ends, those of a rigid body by its first.
 * `mobility`: see links_matrix. Pieces do not turn. */
void links_find_sides(const struct links *links, const struct sym3 *mobility,
                      struct contact_side *side);

/* J D J^T without the turning of pieces, where D is the block diagonal matrix of the ends'
 * mobilities (n_ends): an end's velocity per impulse on it, 1/kg, which is zero for an end that
 * does not move. */
struct links_matrix {
    struct sparse_rows rows;
    size_t capacity, row_capacity;
};

/* Replaces the contents of `matrix`; an empty matrix is {0}. There must be no rigid bodies. */
enum status links_matrix_build(struct links_matrix *matrix, const struct links *links,
                               const struct sym3 *mobility, struct error *error);

/* Does the same with the diagonal alone, by what links move; there may be rigid bodies. */
enum status links_matrix_take_diagonal(struct links_matrix *matrix, const struct links *links,
                                       const struct contact_side *side, struct error *error);

/* Removes the entries that couple rows that are kept, kept[row] != 0, with rows that are not. */
void links_matrix_keep(struct links_matrix *matrix, const uint8_t *kept);

/* Sets `normals` to the entries of `matrix` that couple normals with normals; rows across them have
 * only their diagonal. */
enum status links_matrix_take_normals(struct links_matrix *normals,
                                      const struct links_matrix *matrix, size_t rows_each,
                                      struct error *error);

void links_matrix_free(struct links_matrix *matrix);

#endif
