/* Solids in a fluid that they displace: their particles take room in it (sph_points.h), and get the
 * reaction of its forces as outside forces (particles->force), in which every system, group and
 * contact method takes part as in gravity. */
#ifndef SYSTEMS_SPH_SPH_SOLIDS_H
#define SYSTEMS_SPH_SPH_SOLIDS_H

#include "systems/sph/sph_points.h"
#include "systems/system.h"

struct sph_solids {
    size_t n;
    uint32_t *particle; /* those of all solids, ascending (n) */
    double *weight;     /* volume over that of a particle of the fluid (n) */
    size_t *start;      /* of the neighbors at rest of each, in the same body (n + 1) */
    struct sph_rest_pair *rest;
    size_t rest_capacity;

    /* the step at hand */
    size_t n_near;
    uint32_t *near;        /* those that may be near the fluid, as numbers below n (n_near) */
    struct vec3 *place;    /* where they are, m (n_near) */
    struct cell_grid grid; /* of these places */
    struct vec3 *force;    /* of the fluid on them, N (n_near, by slot of the grid) */
    struct sph_points points;
};

/* A neighbor at rest of a particle of a solid. */
struct sph_rest_pair {
    uint32_t other;  /* among solids->particle */
    float distance2; /* at rest, m^2 */
};

/* Takes the solids of a scene. Release with sph_solids_free, also after a failure. */
enum status sph_solids_create(struct sph *sph, const struct system_setting *setting,
                              struct error *error);
void sph_solids_free(struct sph_solids *solids);

/* Before neighbors are found: finds which solids may be near the fluid. */
enum status sph_solids_find(struct sph *sph, const struct particles *particles,
                            struct error *error);

/* After densities are found: finds the forces between the fluid and solids, and adds those on
 * solids to particles->force and particles->reaction. Returns the largest density of a point. */
double sph_solids_press(struct sph *sph, const struct particles *particles);

/* By how much longer steps could be without solids: a light particle of a solid swings faster
 * between those of a fluid than one of the fluid does, by the root of (1 + rho0 / density) / 2. */
double sph_solids_shorten(const struct sph *sph, const struct particles *particles);

/* Adds the work of the fluid's forces on solids to the report, with their impulse, and that on
 * those that do not obey forces. */
void sph_solids_account(const struct sph *sph, const struct groups *groups, double dt,
                        const struct motion *motion, struct work_report *report);

#endif
