/* Viscosity of fluids as an implicit step (Weiler, Koschier, Brand and Bender, "A physically
 * consistent implicit viscosity solver for SPH fluids", Computer Graphics Forum 37 (2018)). The
 * force of particle j on i, N, is along the line between them,
 *
 *     f_ij = -mu_ij V_i V_j w(|x_ij|) (v_ij . x_ij) x_ij,
 *
 * with the harmonic mean mu_ij = 2 mu_i mu_j / (mu_i + mu_j), so that the stress is the same on
 * both sides of an interface. With f = -C v the step solves
 *
 *     (M + dt C) v = M v*,   v' = v* + dt M^-1 f(v):
 *
 * forces are evaluated once more from the solution, so that linear and angular momentum are exact
 * however well it is solved. C is symmetric and positive semidefinite, and a rigid motion has no
 * force: viscosity only takes energy, in steps of any length.
 *
 * Weiler et al. leave the kernel open; it enters by its slope alone, w = 10 |grad W| / (r (r^2 +
 * 0.01 h^2)) in three dimensions. A support of two spacings holds few neighbors, and with the usual
 * kernels the nearest of them outweigh all others: the viscosity of a lattice is then 0.6 times
 * what was asked for along its axes and 1.5 times along diagonals. A sum of pairs is isotropic on a
 * cubic lattice if sum w x^4 = 3 sum w x^2 y^2. The kernel whose w is proportional to (1 - q)^2
 * (1 - q/2), q = r/h, is so to 2 %; its factor is that of the continuum (sph_kernel.h). On the
 * lattice the viscosity is then 1.08 to 1.10 times mu in every direction, and in settled disorder,
 * where the usual kernels have 0.91 to 0.98, 1.02 to 1.04.
 *
 * Walls: where a fluid sticks to them, their points take part with velocities mirrored at the
 * surface (Morris, Fox and Zhu, "Modeling low Reynolds number incompressible flows using SPH",
 * Journal of Computational Physics 136 (1997), Eq. 23): for a particle `height` above the plane of
 * the surface below which the point lies `depth` deep, v_ij is v_i (1 + depth / height), the factor
 * at most 5. This is exact for a velocity that grows linearly from the wall. Particles of solids
 * are such points without a plane: the factor is 2, that of a particle as far above the surface as
 * the point is below it, and on a lattice there are no others within reach.
 *
 * Forces of pairs are found in single precision from exact differences of places, and their
 * products with these differences and all sums are doubles: both ends of a pair compute the same
 * bits, and torques cancel like forces. */
#ifndef SPH_VISCOUS_H
#define SPH_VISCOUS_H

#include "particles/groups.h"
#include "solvers/conjugate_gradients.h"
#include "sph/sph_neighbors.h"
#include "sph/wall_points.h"

/* What a body is made of. */
struct viscosity {
    double fluid; /* mu, Pa s: 0: none; infinity: a solid, of which no two particles rub */
    double wall;  /* between a fluid and walls and solids, Pa s; 0: it slips, mu: it sticks; of a
                     solid 0 */
};

/* The plane of the surface nearest to each point of walls. */
struct wall_planes {
    const struct wall_points *points;
    struct vec3 *normal; /* to where the scene is; 0 where the surface has none (n, by slot) */
    double *depth;       /* of the point below the surface, m (n, by slot) */
};

/* The points must outlive the planes. Release with wall_planes_free, also after a failure. */
enum status wall_planes_create(struct wall_planes *planes, const struct wall_points *points,
                               const struct walls *walls, double spacing, struct error *error);
void wall_planes_free(struct wall_planes *planes);

/* What a solve is about. The lists are of particles `first`, `first` + 1, ...; all other arrays are
 * by particle of the whole set. */
struct viscous_problem {
    struct sph_neighbors *neighbors; /* found for the current positions */
    size_t first;
    double support;                  /* h of the lists, m; volumes are (h / 2)^3 */
    const struct vec3 *position;     /* m */
    const uint32_t *body;            /* NULL: all are of body 0 */
    const struct viscosity *kind;    /* by body */
    const struct groups *groups;     /* a group moves as one with the mass of all its members */
    const struct wall_planes *walls; /* of the points that the lists were found with; NULL: none */
};

struct viscous_report {
    size_t iterations;
    double residual;   /* relative, at the end */
    double taken;      /* dt v . C v >= 0 of the solution v: the energy that viscosity takes, J */
    struct vec3 walls; /* impulse of walls on particles, N s */
};

/* Data of a particle from which the forces on its neighbors are found: half a cache line. */
struct viscous_slot {
    uint32_t x, y, z; /* place */
    float fluidity;   /* 1 / mu, 1/(Pa s) */
    float vx, vy, vz; /* m/s */
    float solid;      /* between it and solids, Pa s: 2 wall */
};

/* The slots of a part of the lists that are near walls: the force of walls on them is -block v. */
struct viscous_part {
    size_t n, capacity;
    struct sym3 *block; /* in the order of the part's walls.near, kg/s (n) */
    enum status status;
    struct error error;
};

/* Memory of the solver, reused from step to step. Arrays are by slot of the lists, (n). Unknowns
 * are changes of velocity times the square root of the mass. */
struct viscous {
    size_t n;
    void *slot_memory; /* in which `slot` lies */
    struct viscous_slot *slot;
    double *inverse_root;   /* 1 / sqrt(mass of the group), 0 where forces move nothing */
    uint8_t *counts;        /* 1: the unknown is this slot's own; 0: it has none, or mirrors one */
    struct sym3 *diagonal;  /* inverse of the blocks of the matrix */
    double *force, *change; /* (n x 3) */
    uint32_t *slot_of;      /* by index - first; UINT32_MAX: in none */
    struct cg_workspace work;
    size_t n_parts;
    struct viscous_part *part; /* (n_parts) */
};

/* For these lists of n particles. Release with viscous_free, also after a failure. */
enum status viscous_create(struct viscous *viscous, size_t n, const struct sph_neighbors *neighbors,
                           struct error *error);
void viscous_free(struct viscous *viscous);

/* Changes the velocities (by particle of the whole set, m/s) of the particles in the lists by
 * viscosity over dt, which brakes the flow v* (by particle, too; it may be the velocities). Writes
 * the impulses of viscosity, walls included, on each particle, also on those that forces do not
 * move, N s (by index - first; 0 for a particle in no slot). Members of a group must have equal
 * velocities, and all change alike. The change is found to a relative error of 1e-4. */
enum status viscous_solve(struct viscous *viscous, const struct viscous_problem *problem, double dt,
                          const struct vec3 *flow, struct vec3 *velocity, struct vec3 *impulse,
                          struct viscous_report *report, struct error *error);

#endif
