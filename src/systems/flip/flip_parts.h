/* What the files of FLIP share among themselves. A slot is a particle's place in the order of
 * tiles, and of particles within a tile. */
#ifndef SYSTEMS_FLIP_FLIP_PARTS_H
#define SYSTEMS_FLIP_FLIP_PARTS_H

#include "solvers/multigrid.h"
#include "systems/flip/flip.h"
#include "systems/flip/flip_grid.h"
#include "systems/flip/flip_model.h"

/* Sums over a tile of what a solve did. */
struct flip_sums {
    struct vec3 wall;       /* impulse of walls on the fluid, N s */
    double projection_loss; /* sum over faces of m_f |u'_f - u_f|^2 / 2, J */
    double crowding_work;   /* dt sum over cells of p_c s_c, J */
    double excess_max;      /* largest excess of a cell with fluid, 1 */
    double excess, cells;   /* the sum of it, and of how many cells */
};

/* Tiles by key, without moving them. */
struct flip_order {
    uint64_t key;
    uint32_t tile;
};

struct flip {
    struct system system; /* must be first */
    struct flip_material material;
    const struct walls *walls;    /* NULL: none */
    struct flip_walling *walling; /* for flip_walls.c; NULL without walls */
    struct flip_sheet *sheet;     /* for flip_sides.c; NULL: both sides share cells */
    double nearest;               /* that particles may be to a wall, m */
    double light; /* a face of less mass than this takes no part in the pressure, kg */
    bool
        later_stages_in_full; /* later stages deposit everything anew, and start from no pressure */

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
    uint8_t *is_dirty;     /* its particles' velocities are not those deposited */
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

    /* of a run that goes on: x, y, z and pressure of cells, until the first step */
    size_t n_restored;
    double (*restored)[4];
};

/* flip_sides.c: the sheet that has two sides, if the material says so, and who is behind it at the
 * positions of now; `status` for a particle beyond its rim. */
enum status flip_sides_create(struct flip *flip, const struct system_setting *setting,
                              struct error *error);
void flip_sides_free(struct flip *flip);
enum status flip_find_sides(struct flip *flip, const struct particles *particles,
                            enum status status, struct error *error);

/* flip_sort.c: who is in which tile; fills the grid's tiles, slots, places, masses and marks. */
enum status flip_sort(struct flip *flip, const struct particles *particles, struct error *error);

/* flip_walls.c: what walls make of the tiles that are new. */
enum status flip_walling_create(struct flip *flip, struct error *error);
enum status flip_find_walls(struct flip *flip, struct error *error);
void flip_confine(struct system *system, const struct particles *particles, double dt,
                  struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

/* flip_mark.c: which cells hold particles of which systems. */
void flip_mark(struct flip *flip, const struct particles *particles);

/* flip_deposit.c: how full cells are, once the particles are sorted; then, in each stage, masses
 * and velocities of faces from flip->fall, where tiles are dirty. */
void flip_deposit_volume(struct flip *flip, const struct particles *particles);
void flip_deposit(struct flip *flip);

/* flip_read.c: changes and velocities of particles from those of faces. */
void flip_read(struct flip *flip);

/* flip_affine.c, with APIC alone: adds what the gradients of a tile's particles bring to its pad;
 * finds those after the stage from the velocities of faces around the tile (first of each pair);
 * and makes them those of the particles, once per step. */
void flip_deposit_affine(const struct flip *flip, const struct flip_tile *tile);
void flip_read_affine(struct flip *flip, const struct flip_tile *tile, double (*const pad[3])[2]);
void flip_keep_affine(struct flip *flip);

/* flip_matrix.c: which cells carry pressure, and the equations for it. */
enum status flip_build_matrix(struct flip *flip, struct error *error);
/* a_f^2 h^4 / m_f of a tile's cell and axis; 0: the face takes no part. */
double flip_coefficient(const struct flip *flip, const struct flip_block *block, unsigned axis,
                        uint32_t cell);
/* Volume around a cell beyond what it holds, over that, >= 0. */
double flip_excess(const struct flip_block *block, uint32_t cell);
/* What leaves an unknown cell because it holds too much, or enters it because it holds too little,
 * m^3/s. */
double flip_source(const struct flip *flip, struct flip_place place);

/* flip_pressure.c: the pressure, and the velocities of faces with it. */
enum status flip_project(struct flip *flip, struct solve_report *report, struct error *error);

/* Lets the next solve start from 0. */
void flip_forget_pressure(struct flip *flip);

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
    FLIP_TERMS
};
extern const struct energy_term *const flip_terms[FLIP_TERMS];
void flip_account(struct system *system, const struct particles *particles,
                  const struct groups *groups, double dt, const struct motion *motion,
                  struct work_report *report);

/* flip_state.c */
enum { FLIP_STATES = 2 };
extern const struct system_state flip_states[FLIP_STATES];
/* Gives cells the pressures that were restored, once. */
void flip_put_restored(struct flip *flip);

#endif
