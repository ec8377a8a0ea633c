/* The pressure of incompressible fluids by smoothed particle hydrodynamics, and of solids in them:
 * a complementarity problem instead of an equation of state. The operators are those of DFSPH
 * (Bender and Koschier, "Divergence-free SPH for incompressible and viscous fluids", IEEE
 * Transactions on Visualization and Computer Graphics 23, 2017), for particles of one radius r and
 * any masses, d = 2 r apart at rest, which see each other within h = 2 d:
 *
 *     V     = d^3                             volume of a particle
 *     c_i   = a + s sum_j V W_ij - limit_i    compression: 0 on the lattice, and grows like the
 *                                             number of particles in a volume
 *     g_ij  = s grad_i W_ij
 *     (J v)_i = sum_j V (v_i - v_j) . g_ij    rate of c_i
 *     f_i   = -V sum_j V (p_i + p_j) g_ij     impulse of p: f = -V J^T p, to the rounding of
 *                                             single precision
 *     A     = V J M^-1 J^T
 *
 * Points of walls (wall_points.h) count in c and do not move, and those at the surface have a p, as
 * particles that are not free (pressure_walls.c). M^-1 is that of groups: all members take the
 * impulses of all, over the mass of the group; 0 for particles that are not free.
 *
 * p >= 0 is pressure times dt, Pa s, and there are two problems, p . w = 0 in both:
 *
 *     velocity   w = A p - J v + room/dt >= 0,   room = -c min(-c/gap, 1) where c < 0, or 0
 *                nothing is compressed, and who has room may use it up within the step, of gaps
 *                between particles that lie close a part: 0 is admissible, so that kinetic energy
 *                never grows
 *     density    w = A p - J v - c/dt >= 0
 *                no compression is left at the end of the step
 *
 * Both are solved by conjugate gradients within the bounds (pressure_solve.c), or by the relaxed
 * Jacobi iteration of DFSPH. What is left is measured as complementarity: e_i = max(0, -w_i) where
 * p = 0, and |w_i|, on the positive side at most p_i A_ii, where p > 0; the mean over the particles
 * that take part, p > 0 or e > 0, which are taken to be at least 1 % of all.
 *
 * Each pair's push is computed at both of its ends from the same numbers, and impulses are summed
 * in double precision: momentum is exact, whatever is left of the problem. */
#ifndef SPH_PRESSURE_H
#define SPH_PRESSURE_H

#include "config/scene.h"
#include "particles/groups.h"
#include "particles/particles.h"
#include "sph/sph_neighbors.h"
#include "sph/wall_points.h"

/* The gap below which room is used up in parts, of c, and of c_w times the w of points of walls. */
#define PRESSURE_GAP 0.01

enum pressure_aim { PRESSURE_VELOCITY, PRESSURE_DENSITY };

struct pressure_settings {
    double radius;             /* r of every particle, m */
    struct pressure_keys keys; /* solver, tolerances of the means e dt and e T (T:
                                  pressure_horizon), and the most products with A of a solve */
};

/* What is gathered from neighbors in passes. */
struct pressure_place {
    uint32_t x, y, z; /* place */
    float p;          /* what a pass takes for p */
};
struct pressure_speed {
    float x, y, z;      /* what a pass takes for v, m/s */
    float inverse_mass; /* of the particle's group, 1/kg; 0: does not obey forces */
};

#define PRESSURE_NOBODY UINT32_MAX

/* A point of walls and a particle near it, seen from either: the other, and w (1 - q)^3 x/h for the
 * x, q h long, from the point to the particle. */
struct wall_pair {
    uint32_t other; /* number of the point, or slot of the particle */
    float x, y, z;
};

/* Pressures of walls. The unknown of the k-th point is the (grid.n + k)-th in the arrays by slot.
 */
struct pressure_walls {
    size_t most;      /* points that may have a pressure */
    double *room;     /* of wall_points_find_room; 0: the point has none (points.n) */
    uint32_t *number; /* of a point, k, if it has one in this step (points.n) */
    size_t n;         /* points near particles, in this step */
    uint32_t *row;    /* which of the points that may have a pressure they are (n) */
    uint32_t *point;  /* their slots in the grid of points, ascending (n) */
    size_t *of_point; /* where the pairs of each begin in to_particle (n + 1) */
    size_t n_beside;
    uint32_t *beside;  /* slots of particles near these points, ascending (n_beside) */
    size_t *of_beside; /* where the pairs of each begin in to_point (n_beside + 1) */
    size_t n_pairs;
    struct wall_pair *to_particle, *to_point; /* (n_pairs) */
    size_t beside_capacity, of_beside_capacity, to_particle_capacity, to_point_capacity;
};

/* The solver's memory for the particles [first, first + n) of a set. Arrays by slot are in the
 * order of neighbors.grid. Owned by whoever created it; release with pressure_free. */
struct pressure {
    struct pressure_settings settings;
    size_t first, n;
    double support;            /* h, m */
    double volume;             /* V, m^3 */
    double own, scale, slope;  /* c_i + limit_i = own + scale times the sum of sph_wendland; V g_ij
                                  is  -slope (1 - q)^3 x_ij / h, 1/m */
    struct wall_points points; /* of walls */
    struct pressure_walls walls;
    const struct groups *groups; /* of the last pressure_join; must outlive the solves */
    float *limit; /* limit_i, 1 unless the owner writes another, by index - first (n) */

    struct sph_neighbors neighbors; /* by index - first; walls.near[].force: sum of w (1 - q)^3 x/h
                                       over points of walls */
    struct pressure_place *place;   /* by slot (n + walls.most), as all that follow */
    struct pressure_speed *speed;   /* (n) */
    float *compression;             /* c */
    float *inverse_diagonal;        /* 1/A_ii; 0: the particle has no equation, p = 0 */
    float *p;                       /* Pa s */
    float *slope_of_p; /* A p - b of the problem at hand, 1/s; with Jacobi's iteration -b */
    float *image;      /* A times a direction, or a rate, 1/s */
    float *p_before, *slope_before; /* where p was before it went beyond its bounds */
    uint8_t *works;                 /* takes part in the directions */

    /* Groups with several particles among these; empty without any. */
    size_t n_joined, n_members;
    size_t *joined;           /* first member of each (n_joined + 1) */
    uint32_t *member;         /* slots of the members (n_members) */
    struct vec3 *member_push; /* f of the members, N s (n_members) */
    uint32_t
        *slot_of; /* slot of a particle; PRESSURE_NOBODY: it takes no part; by index - first (n) */
    uint32_t *member_of; /* which member a slot is; PRESSURE_NOBODY: none (n) */
    size_t joined_capacity, member_capacity, push_capacity, slot_capacity, place_capacity;
};

/* Creates the memory for particles [first, first + n) within `walls` (NULL: none). After a failure
 * it is freed. */
enum status pressure_create(struct pressure *pressure, const struct pressure_settings *settings,
                            const struct walls *walls, size_t first, size_t n, struct error *error);
void pressure_free(struct pressure *pressure);

/* Finds neighbors and compressions at the particles' positions. `margin`: as in sph_neighbors_find.
 */
enum status pressure_find(struct pressure *pressure, const struct particles *particles,
                          double margin, struct error *error);

/* After pressure_find, of a body alone: what a fluid at rest around it would add to c (by index -
 * first, n; of particles that are here). */
enum status pressure_find_room(struct pressure *pressure, float *room, struct error *error);

/* After pressure_find: takes the masses of groups, and finds the diagonal of A. */
enum status pressure_join(struct pressure *pressure, const struct groups *groups,
                          struct error *error);

struct pressure_problem {
    enum pressure_aim aim;
    double dt;             /* s */
    double horizon;        /* T, s; for the velocity problem */
    struct vec3 *velocity; /* v, changed to v + M^-1 f, m/s (all particles of the set) */
    float *p;              /* guess, changed to the solution, Pa s, by index - first (n); NULL: the
                              guess is 0 */
    struct vec3 *impulse;  /* f, which is added here, N s, by index - first (n); NULL: nowhere */
    float *of_walls;    /* guess and solution for the points of walls, likewise (walls.most); NULL
                           where p is */
    const bool *marked; /* by index - first (n); NULL: none is marked */
};

struct pressure_report {
    size_t products;             /* with A */
    double left;                 /* mean e T or e dt */
    bool met;                    /* it is within the tolerance */
    struct vec3 walls;           /* impulse of their points on particles, N s */
    struct vec3 walls_on_marked; /* ... on those that are marked */
};

/* After pressure_join: solves a problem. */
struct pressure_report pressure_solve(struct pressure *pressure,
                                      const struct pressure_problem *problem);

/* Changes velocities as the guess of a velocity problem alone would, or not at all if that left
 * them with more energy, and keeps the guess. Returns the products with A. */
size_t pressure_foresee(struct pressure *pressure, const struct pressure_problem *problem);

/* The time in which a particle passes its own diameter, at the speed `fastest`, m/s, or from rest
 * with this outside acceleration, m/s^2; infinity if both are 0. */
double pressure_horizon(double radius, double fastest, double acceleration);

/* What is kept of walls between steps: their pressures, Pa, and those times dt of the step at hand,
 * Pa s, which are a problem's of_walls. */
struct wall_memory {
    size_t n;          /* walls.most */
    float *last, *now; /* (n) */
};
enum status wall_memory_create(struct wall_memory *memory, const struct pressure *pressure,
                               struct error *error);
void wall_memory_free(struct wall_memory *memory);
void wall_memory_begin(struct wall_memory *memory, double dt);
void wall_memory_end(struct wall_memory *memory, double dt);

/* As functions of wall_pressure_field (declared/state_field.h). */
enum status wall_memory_list(const struct wall_memory *memory, size_t *rows, void **data,
                             struct error *error);
void wall_memory_give(struct wall_memory *memory, const void *data);

/* How much denser particles are than they may be, of those that are here and take part. */
struct pressure_crowding {
    double worst, sum, n; /* largest and sum of c >= 0, and the number of particles */
};
struct pressure_crowding pressure_crowding(const struct pressure *pressure,
                                           const struct particles *particles);

#endif
