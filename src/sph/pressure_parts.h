/* Declarations that the files of the pressure share. */
#ifndef SPH_PRESSURE_PARTS_H
#define SPH_PRESSURE_PARTS_H

#include "sph/pressure.h"

/* pressure_passes.c. Each goes once through the lists. */

/* 1/A_ii from speed[].inverse_mass; rows below PRESSURE_LEAST of the largest have none. Where
 * several members of a group are neighbors of one particle, A_ii is an estimate. */
#define PRESSURE_LEAST 1e-6
void pressure_find_diagonal(struct pressure *pressure);

/* speed = -M^-1 f of place[].p, as if every particle were alone: what A takes the rate of. */
void pressure_push(struct pressure *pressure);

/* f of place[].p, summed in double precision: adds f over the mass to the velocities of particles
 * that are alone (all particles of the set), and f to impulse (by index - first; NULL: nowhere).
 * Those of members of groups are in member_push. */
struct pressure_moved {
    const struct groups *groups;
    struct vec3 *velocity, *impulse;
};
void pressure_push_exactly(struct pressure *pressure, const struct pressure_moved *moved);

/* An impulse on the particle in a slot, of those that pressure_push_exactly sums. */
void pressure_give(struct pressure *pressure, const struct pressure_moved *moved, size_t slot,
                   struct vec3 impulse);

/* pressure->image = J speed. */
void pressure_rate(struct pressure *pressure);

/* pressure_solve.c */

/* A solve under way: slope_of_p = A p - b of the unknowns, slots and points of walls. */
struct pressure_solve {
    struct pressure *pressure;
    const struct pressure_problem *problem;
    size_t n;                /* unknowns */
    double scale, tolerance; /* of the mean e: s, and of their product */
    struct pressure_report report;
};

/* image = A place[].p */
void pressure_multiply(struct pressure_solve *solve);

/* place[].p = p */
void pressure_take_p(struct pressure *pressure);

/* Takes the guess as p; returns whether any of it is positive. */
bool pressure_take_guess(struct pressure_solve *solve);

/* Adds what is left of unknowns and how many of them take part (a block_sums of struct pressure).
 */
enum { LEFT, PART, N_MEASURES };
void pressure_measure(size_t begin, size_t end, const void *context, double *sum);

/* The mean of `part` unknowns, in units of the tolerance. */
double pressure_mean_of(const struct pressure_solve *solve, double sum, double part);

/* Whether no product is left, and whether the problem is solved, with `least` products unless it is
 * from the beginning, or has to be left as it is. */
bool pressure_is_spent(const struct pressure_solve *solve);
bool pressure_is_done(struct pressure_solve *solve, const double *sum, size_t least);

/* pressure_conjugate.c, from slope_of_p = -b: takes the guess, and solves from there. */
void pressure_find_slope(struct pressure_solve *solve);
void pressure_solve_conjugate(struct pressure_solve *solve);

/* pressure_walls.c */

/* Creates the points of walls, and those of their pressures. */
enum status pressure_walls_create(struct pressure *pressure, const struct walls *walls,
                                  struct error *error);
void pressure_walls_free(struct pressure_walls *walls);

/* Finds the pairs and compressions, once neighbors are found. `position`: by index - first. */
enum status pressure_walls_find(struct pressure *pressure, const struct vec3 *position,
                                struct error *error);

/* The parts of the passes above: the diagonals of points in image, what their p adds to speed or to
 * impulses, and their rates in image. */
void pressure_walls_diagonal(struct pressure *pressure);
void pressure_walls_push(struct pressure *pressure);
void pressure_walls_push_exactly(struct pressure *pressure, const struct pressure_moved *moved);
void pressure_walls_rate(struct pressure *pressure);

/* Takes the p of points from a guess (walls.most; NULL: 0), and gives it back. */
void pressure_walls_take(struct pressure *pressure, const float *guess);
void pressure_walls_give(const struct pressure *pressure, float *of_walls);

/* The impulse of walls on particles `of` (by index - first; NULL: all) under pressure->p and
 * place[].p, which are equal. */
struct vec3 pressure_walls_impulse(const struct pressure *pressure, const bool *of);

#endif
