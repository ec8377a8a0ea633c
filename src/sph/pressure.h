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
 * Points of walls (wall_points.h) count in c, and neither move nor have a p: a particle is pushed
 * by its own p alone, so that forces stay the transpose of rates. M^-1 is that of groups: all
 * members take the impulses of all, over the mass of the group; 0 for particles that are not free.
 *
 * p >= 0 is pressure times dt, Pa s, and there are two problems, p . w = 0 in both:
 *
 *     velocity   w = A p - J v + max(0, -c)/dt >= 0
 *                nothing is compressed, and who has room may use it up within the step: 0 is
 *                admissible, so that kinetic energy never grows
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
    const struct groups *groups; /* of the last pressure_join; must outlive the solves */
    float *limit; /* limit_i, 1 unless the owner writes another, by index - first (n) */

    struct sph_neighbors neighbors; /* by index - first; walls.near[].force: sum of w (1 - q)^3 x/h
                                       over points of walls */
    struct pressure_place *place;   /* by slot (n), as all that follow */
    struct pressure_speed *speed;
    float *compression;      /* c */
    float *inverse_diagonal; /* 1/A_ii; 0: the particle has no equation, p = 0 */
    float *p;                /* Pa s */
    float *slope_of_p;       /* A p - b of the problem at hand, 1/s; with Jacobi's iteration -b */
    float *image;            /* A times a direction, or a rate, 1/s */
    uint8_t *works;          /* takes part in the directions */

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
};

struct pressure_report {
    size_t products;   /* with A */
    double left;       /* mean e T or e dt */
    bool met;          /* it is within the tolerance */
    struct vec3 walls; /* impulse of their points on particles, N s */
};

/* After pressure_join: solves a problem. */
struct pressure_report pressure_solve(struct pressure *pressure,
                                      const struct pressure_problem *problem);

/* The time in which a particle passes its own diameter, at the speed `fastest`, m/s, or from rest
 * with this outside acceleration, m/s^2; infinity if both are 0. */
double pressure_horizon(double radius, double fastest, double acceleration);

/* How much denser particles are than they may be, of those that are here and take part. */
struct pressure_crowding {
    double worst, sum, n; /* largest and sum of c >= 0, and the number of particles */
};
struct pressure_crowding pressure_crowding(const struct pressure *pressure,
                                           const struct particles *particles);

#endif
