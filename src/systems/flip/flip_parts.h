/* Declarations that the files of FLIP share. A slot is a particle's place in the order of tiles,
 * and of particles within a tile.
 *
 *     flip_grid       the tiles of cells near the fluid
 *     flip_sort       particles into tiles
 *     flip_sides      the fluid behind a sheet (`sides: separate`)
 *     flip_stencil    the weights of the faces around a particle
 *     flip_deposit    from particles to faces
 *     flip_read       and back
 *     flip_solids     the solids that displace the fluid (`solids: displace`)
 *     flip_shares     how they share faces with it
 *     flip_react      what it does to them
 *     flip_affine     the gradients of APIC
 *     flip_walls      open fractions of faces and cells
 *     flip_mark       which cells hold particles
 *     flip_matrix     which cells carry pressure, and the equations for it
 *     flip_pressure   solves them (solvers/multigrid.h) and changes the velocities of faces
 *     flip_integrate  the stages, with meta-particles
 *     flip_account    the terms of the ledger
 *     flip_state      what frames store
 */
#ifndef SYSTEMS_FLIP_FLIP_PARTS_H
#define SYSTEMS_FLIP_FLIP_PARTS_H

#include "config/fluid_keys.h"
#include "solvers/multigrid.h"
#include "systems/flip/flip.h"
#include "systems/flip/flip_grid.h"
#include "systems/flip/flip_model.h"

/* Sums over a tile, for the account of a solve. */
struct flip_sums {
    struct vec3 wall;       /* impulse of walls on the fluid, N s */
    double projection_loss; /* sum over faces of m_f |u'_f - u_f|^2 / 2, J */
    double crowding_work;   /* dt sum over cells of p_c s_c, J */
    double excess_max;      /* largest excess of a cell with fluid, 1 */
    double excess, cells;   /* its sum over cells with fluid, and their number */
};

/* An entry of the order of tiles by key. */
struct flip_order {
    uint64_t key;
    uint32_t tile;
};

/* What a particle brings to a face that is almost a cell away, over its mass: next to nothing. */
static const double FLIP_LIGHTEST = 1e-6;

/* A particle of a solid, or a part of it, on the grid. */
struct flip_point {
    uint32_t particle;
    uint32_t tile;  /* NO_TILE: it is beside the grid */
    uint32_t at[3]; /* coordinates of the tile */
    bool is_sheet;
    double part;     /* of the particle's mass and volume, (0, 1] */
    double place[3]; /* in cells, from the lowest corner of the tile */
};

/* Solids that displace the fluid. */
struct flip_solids {
    size_t n, n_bodies;
    uint32_t *particle;            /* those of solids, ascending (n) */
    bool *is_solid;                /* (by particle of the whole set) */
    bool *is_wet, *is_sheet;       /* whether a body touches the fluid, and what it is (n_bodies) */
    bool *touches;                 /* whether a particle touches cells with fluid (n) */
    double light;                  /* a face with less mass of solids than this has none, kg */
    struct vec3 *outside, *others; /* forces on a particle without the fluid's, N, and which of them
                                      is a reaction of other fluids (n) */
    struct vec3 *inner; /* acceleration beyond outside forces in the last step, m/s^2; 0 if
                           it is no solid (by particle of the whole set, as what follows) */
    struct vec3
        *fall; /* velocity without the fluid's pressure, m/s (by particle of the whole set) */
    struct vec3 *impulse;      /* of the fluid's pressure, N s (by particle of the whole set) */
    size_t n_points, n_sorted; /* points, and those on the grid */
    struct flip_point *point, *sorted; /* ... by particle, and by tile */
    struct vec3 *push;                 /* the impulse on each of the sorted ones, N s */
    size_t point_capacity, sorted_capacity, push_capacity;
};

struct flip {
    struct system system; /* must be first */
    struct flip_material material;
    const struct walls *walls;    /* NULL: none */
    struct flip_walling *walling; /* for flip_walls.c; NULL without walls */
    struct flip_sheet *sheet;     /* for flip_sides.c; NULL: both sides share cells */
    struct flip_solids *solids;   /* for flip_solids.c; NULL: no solid displaces the fluid */
    double nearest;               /* the least distance of particles from walls, m */
    double light;     /* a face of less mass than this takes no part in the pressure, kg */
    double tolerance; /* of the pressure: relative residual, (0, 1) */
    double
        divergence; /* largest relative change of a cell's volume in a step that it leaves, > 0 */

    /* the step at hand */
    struct flip_grid grid;
    double dt;         /* s */
    bool is_fresh;     /* prepared, and not integrated yet */
    bool *is_behind;   /* whether a particle is behind the sheet (system.n); NULL: there are no
                          sides */
    uint32_t *tile_of; /* a particle's tile; NO_TILE: it is gone (system.n) */
    uint32_t *count;   /* particles of each part in each tile (SORT_PARTS x tiles) */
    struct flip_order *order;
    size_t count_capacity, order_capacity;
    size_t n_slots;             /* particles that are not gone */
    uint32_t *particle;         /* index - first (n_slots, as all that follows) */
    double (*place)[3];         /* in cells, from the lowest corner of the tile */
    double *mass;               /* kg */
    struct vec3 *fall;          /* velocity without pressure, m/s */
    struct vec3 *change;        /* the grid's change of it, du, m/s */
    struct vec3 *grid_velocity; /* pic, m/s; both as of the last integrate */
    bool *stopped;              /* walls stop the particle on its way; for flip_confine */
    double (*affine)[9];      /* gradient of the velocity, row by row, 1/s (system.n, by particle);
                                 NULL without APIC */
    double (*next_affine)[9]; /* ... after the stage */

    /* tiles: as many as the grid's */
    struct flip_sums *sums;
    uint8_t *is_dirty;     /* whether its particles' velocities differ from those deposited */
    size_t *first_unknown; /* number of its first unknown */
    size_t tile_capacity, dirty_capacity, unknown_tile_capacity;

    /* unknowns: cells that carry pressure */
    struct multigrid *multigrid;
    size_t n_unknowns;
    struct lattice_cell *cell;
    struct flip_place *where;
    double *right_side; /* m^3/s^2 */
    double *pressure;   /* Pa */
    size_t cell_capacity, where_capacity, right_capacity, pressure_capacity;

    /* of a resumed run: x, y, z and pressure of cells, until the first step */
    size_t n_restored;
    double (*restored)[4];
};

/* flip_sides.c: creates the sheet, if the material separates its sides; and finds which particles
 * are behind it at their current positions. Returns `status` if a particle is beyond its rim. */
enum status flip_sides_create(struct flip *flip, const struct system_setting *setting,
                              struct error *error);
void flip_sides_free(struct flip *flip);
enum status flip_find_sides(struct flip *flip, const struct particles *particles,
                            enum status status, struct error *error);

/* Whether a place is behind the sheet. */
bool flip_is_behind(const struct flip *flip, const struct particles *particles, struct vec3 x);

/* flip_solids.c: creates what solids need; finds, once particles of the fluid are sorted, which
 * displace it and in which tiles, and adds tiles. */
enum status flip_solids_create(struct flip *flip, const struct system_setting *setting,
                               struct error *error);
void flip_solids_free(struct flip *flip);
/* Bytes for compact bodies that are in the fluid, with cells of this edge, m. */
double flip_solids_memory(const struct system_setting *setting, double edge);
enum status flip_find_solids(struct flip *flip, const struct particles *particles,
                             struct error *error);

/* flip_shares.c: adds the volume of solids to that of the fluid, after flip_deposit_volume; then,
 * in each stage after flip_deposit, finds how shared faces would move. */
void flip_share_volume(struct flip *flip, const struct particles *particles);
void flip_share(struct flip *flip, const struct particles *particles, const struct vec3 *before);
/* Finds the velocities at a face of a mixed tile after an impulse, N s, on what shares it, which
 * becomes 0 if nothing does. Returns the kinetic energy of the change, J. The second function is
 * for faces that walls close. */
double flip_push_mixture(const struct flip *flip, struct flip_block *block, unsigned axis,
                         uint32_t cell, double *impulse);
void flip_close_mixture(struct flip_block *block, unsigned axis, uint32_t cell);

/* flip_react.c: what solids would do without the fluid; their impulses, which become outside forces
 * on them; and what is to be expected of them in the next step. */
void flip_expect_solids(struct flip *flip, const struct particles *particles,
                        const struct groups *groups, double dt, const struct motion *motion);
void flip_push_solids(struct flip *flip, const struct particles *particles);
struct vec3 flip_push_on_group(const struct flip *flip, const struct groups *groups, size_t g);
void flip_hand_over(struct flip *flip, const struct particles *particles, double dt);
void flip_keep_inner(struct flip *flip, const struct particles *particles,
                     const struct groups *groups, double dt, const struct motion *motion);

/* flip_sort.c: sorts the particles into tiles; fills the grid's tiles, slots, places and masses. */
enum status flip_sort(struct flip *flip, const struct particles *particles, struct error *error);

/* flip_walls.c: finds how walls cut the cells of tiles that are new. */
enum status flip_walling_create(struct flip *flip, struct error *error);
enum status flip_find_walls(struct flip *flip, struct error *error);
void flip_confine(struct system *system, const struct particles *particles, double dt,
                  struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

/* flip_mark.c: marks cells that hold particles of the fluid, and of other systems. */
void flip_mark_fluid(struct flip *flip);
void flip_mark(struct flip *flip, const struct particles *particles);

/* flip_deposit.c: finds how full cells are, once the particles are sorted; then, in each stage,
 * masses and velocities of faces from flip->fall, where tiles are dirty. */
void flip_deposit_volume(struct flip *flip, const struct particles *particles);
void flip_deposit(struct flip *flip);

/* flip_read.c: finds changes and velocities of particles from those of faces. */
void flip_read(struct flip *flip);

/* flip_affine.c, with APIC alone. The first function adds the momentum that the velocity gradients
 * of a tile's particles bring to its pad; the second finds the gradients after the stage from the
 * velocities of faces around the tile (the first of each pair); the third makes these the gradients
 * of the particles, once per step. */
void flip_deposit_affine(const struct flip *flip, const struct flip_tile *tile);
void flip_read_affine(struct flip *flip, const struct flip_tile *tile, double (*const pad[3])[2]);
void flip_keep_affine(struct flip *flip);

/* flip_matrix.c: finds which cells carry pressure, and sets up the equations for it. */
enum status flip_build_matrix(struct flip *flip, struct error *error);
/* a_f^2 h^4 / m_f of the lower face of a tile's cell along an axis; 0: the face takes no part. */
double flip_coefficient(const struct flip *flip, const struct flip_block *block, unsigned axis,
                        uint32_t cell);
/* How much more volume is around the center of a cell than the cell can hold, over the
 * latter, >= 0. */
double flip_excess(const struct flip_block *block, uint32_t cell);
/* The source s_c of an unknown cell: what leaves it because it holds too much, or enters it,
 * negative, because it holds too little, m^3/s. */
double flip_source(const struct flip *flip, struct flip_place place);

/* flip_pressure.c: finds the pressure, and the velocities of faces with it. */
enum status flip_project(struct flip *flip, struct solve_report *report, struct error *error);

/* flip_integrate.c */
enum status flip_prepare(struct system *system, const struct particles *particles, double dt,
                         struct error *error);
enum status flip_integrate(struct system *system, const struct particles *particles,
                           const struct groups *groups, double dt, struct motion *motion,
                           struct solve_report *report, struct error *error);

/* v' of the particle in a slot, as if it were alone, m/s. */
struct vec3 flip_after(const struct flip *flip, size_t slot);

/* flip_account.c: what the fluid reports of a step. */
enum flip_term {
    FLIP_PRESSURE_WORK,
    FLIP_CROWDING_WORK,
    FLIP_PROJECTION_LOSS,
    FLIP_TRANSFER_LOSS,
    FLIP_EXCESS_MAX,
    FLIP_EXCESS_MEAN,
    FLIP_IMPULSE, /* on solids that displace it, x, y, z */
    FLIP_TERMS = FLIP_IMPULSE + 3
};
extern const struct energy_term *const flip_terms[FLIP_TERMS];
void flip_account(struct system *system, const struct particles *particles,
                  const struct groups *groups, double dt, const struct motion *motion,
                  struct work_report *report);

/* flip_state.c */
enum { FLIP_STATES = 3 };
extern const struct owned_state flip_states[FLIP_STATES];
/* Gives cells the pressures that were restored, once. */
void flip_put_restored(struct flip *flip);

#endif
