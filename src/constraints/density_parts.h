/* What the files of density share.
 *
 *     density            an iteration, and the life of the group
 *     density_lattice    the constants of the fluid's lattice at rest
 *     density_neighbors  neighbors, once per step
 *     density_cohesion   the pull of particles of one fluid, at the end of the step
 *     density_drag       viscosity, and compression, likewise
 *     density_gas        what air and vortices do to gas, likewise
 */
#ifndef CONSTRAINTS_DENSITY_PARTS_H
#define CONSTRAINTS_DENSITY_PARTS_H

#include "base/lanes.h"
#include "base/mat3.h"
#include "constraints/density.h"
#include "particles/cell_grid.h"
#include "sph/wall_points.h"

#include <stdint.h>

/* Sums over the lattice. Lengths are in supports. */
struct density_lattice {
    double kernel;    /* S_0 */
    double gradients; /* sum of |grad W|^2 */
    double moment;    /* sum of -x dW/dx / S_0: 1 in the continuum */
    double spread;    /* sum of W x^2 / (2 S_0), for viscosity */
    double largest;   /* Lambda: the largest factor of an iteration, see density_lattice.c */
};
struct density_lattice density_lattice(double spacing);

/* What a particle is to a fluid nearby, in the order of the lists of neighbors. */
enum near_kind { NEAR_FLUID, NEAR_INFLOW, NEAR_SOLID, NEAR_HELD, NEAR_WALL, NEAR_KINDS };

/* Where nothing is, m. */
#define DENSITY_FAR 1e30

/* A place and one more number, read at once: C of a fluid's particle, c_p of a point of walls. */
struct place {
    double x, y, z; /* m */
    double value;
};

/* The neighbors of a slot, kind by kind. Each kind is filled up to a multiple of DENSITY_LANES with
 * a place so far away that the kernel is 0. */
enum { DENSITY_LANES = 4 };
struct near_row {
    size_t first; /* in the entries of its part */
    const uint32_t *entry;
    uint32_t n[NEAR_KINDS]; /* entries, with the filling */
};

/* What one thread found, and its scratch. */
struct density_part {
    size_t begin, end; /* slots */
    uint32_t *entry;
    size_t n_entries, entry_capacity;
    struct range_list ranges;   /* of a run of slots, */
    uint32_t *candidate;        /* its candidates, kind by kind, */
    double *x, *y, *z;          /* where they are, m, */
    size_t of_kind[NEAR_KINDS]; /* how many are of each kind (the last: 0), */
    size_t candidate_capacity;
    struct slot_list walls; /* and points of walls near it */
    enum status status;
    struct error error;
};

struct density_gas {
    const double *mass;         /* kg (n) */
    bool *is;                   /* (n) */
    double *drag, *baroclinity; /* 1/s (n) */
    bool driven;                /* some has baroclinity */
    struct vec3 *vortex;        /* omega, 1/s^2 (n) */
    struct vec3 gravity, wind;  /* m/s^2, m/s */
    struct enstrophy enstrophy;
};

struct density {
    struct constraint constraint; /* must be first */
    size_t n;                     /* particles of the scene */
    const uint8_t *state;         /* (n) */
    bool *flows;                  /* (n) */
    double *stick;                /* mass times viscosity of a fluid's particle, kg m^2/s (n) */
    bool viscous;                 /* some is not 0 */
    double *cohesion;             /* of its fluid, m/s^2 (n) */
    bool coheres;                 /* some is not 0 */
    uint32_t *fluid;              /* which of the set's fluids a particle is of (n) */
    uint32_t n_fluids;
    double support, solid_weight; /* h, m; s */
    struct density_lattice lattice;
    double denominator; /* shifts of a particle of weight w are w over this times the sum of
                           (C_i + C_j) slope x_ij, 1/(kg m) */
    struct wall_points points;
    struct place *wall; /* the points, in the order of their grid, and one far away */

    /* the step at hand, in slots: particles that take part, in the order of the grid */
    uint32_t *present;     /* their indices, at first by index (n) */
    struct cell_grid grid; /* grid.n slots */
    uint8_t *kind;         /* an enum near_kind (n) */
    struct place *place;   /* and one far away (n + 1) */
    double *excess;        /* C (n) */
    struct near_row *row;  /* (n) */
    void *memory[3];       /* behind place, wall and row */
    size_t n_parts;
    struct density_part *part;
    struct compression compression;
    struct density_gas *gas; /* NULL: no fluid is gas */
};

/* density_neighbors.c: finds slots and neighbors of the candidates. */
enum status density_find(struct constraint *constraint, const struct candidates *candidates,
                         struct error *error);
void density_part_free(struct density_part *part);

/* density.c: moves slots to where particles are, and finds C of fluids there. */
void density_fill(struct density *density, const struct vec3 *at);
/* S / S_0 - 1 of a slot with a particle of a fluid, where slots are now. */
double density_error(const struct density *density, size_t slot);

/* density_cohesion.c */
void density_cohere(struct constraint *constraint, const struct candidates *candidates,
                    const struct vec3 *velocity, struct corrections *corrections);

/* density_drag.c */
change_function density_drag;

/* density_gas.c: behind density_drag, which moves slots to where particles are. */
change_function density_drive, density_resist;
enum status density_gas_add(struct density *density, struct constraint_set *set,
                            const struct particles *particles, const struct density_fluid *fluid,
                            struct error *error);
void density_gas_free(struct density_gas *gas);

/* What the particle of a fluid in a slot sees around it. */
struct gas_view {
    struct vec3 normal;   /* UPP 30, 1/m: into the fluid, as long as the surface is near */
    struct mat3 gradient; /* of the velocity, 1/s: [r][c] that of component r along c */
};
struct gas_view density_gas_view(const struct density *density, size_t slot,
                                 const struct vec3 *velocity);
struct vec3 gas_curl(const struct gas_view *view);

/* Four neighbors as a particle sees them: vectors from them to it over the support, what is left of
 * the support beyond their lengths, and their values. */
struct four_near {
    lanes x, y, z, q, left, value;
};

static inline struct four_near look_at_four(const struct place *own, double per_support,
                                            const struct place *from, const uint32_t *entry)
{
    lanes row[DENSITY_LANES];
    for (int k = 0; k < DENSITY_LANES; k++)
        row[k] = lanes_load(&from[entry[k]].x);
    lanes_transpose(row);
    const lanes unit = lanes_all(per_support);
    lanes x = (lanes_all(own->x) - row[0]) * unit, y = (lanes_all(own->y) - row[1]) * unit;
    lanes z = (lanes_all(own->z) - row[2]) * unit, q = lanes_sqrt(x * x + y * y + z * z);
    return (struct four_near){x, y, z, q, lanes_max(lanes_all(1.0) - q, lanes_all(0.0)), row[3]};
}

/* Wendland's function of q, and minus its derivative over q. */
static inline lanes four_kernels(const struct four_near *near)
{
    const lanes left2 = near->left * near->left;
    return left2 * left2 * (lanes_all(1.0) + lanes_all(4.0) * near->q);
}

static inline lanes four_slopes(const struct four_near *near)
{
    return lanes_all(20.0) * near->left * near->left * near->left;
}

/* Where the entries of a kind begin in a row. */
static inline const uint32_t *near_entries(const struct near_row *row, enum near_kind kind)
{
    const uint32_t *entry = row->entry;
    for (enum near_kind k = 0; k < kind; k++)
        entry += row->n[k];
    return entry;
}

#endif
