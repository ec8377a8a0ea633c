/* Small scenes, in which every step is checked: momentum comes from gravity, supports and coupling,
 * energy goes where the ledger says. A test includes this once. */
#ifndef TESTS_YARDS_H
#define TESTS_YARDS_H

#include "scenes.h"
#include "step/simulation_parts.h"

static const double R = 0.01, G = 9.81; /* m, m/s^2 */

struct yard {
    struct hand_scene h;
    struct wall wall;
    struct simulation s;
    struct vec3 momentum; /* at the end of the last step, kg m/s */
};

/* Begins a scene with sliding contact. */
static inline void yard_begin(struct yard *y)
{
    hand_scene_begin(&y->h);
    y->h.scene.contact.method = CONTACT_SLIDING;
    y->h.scene.contact.stages = 8;
}

/* Adds a floor under z = 0. */
static inline void add_floor(struct yard *y)
{
    y->wall = (struct wall){.name = "floor",
                            .region = {.shape = {.kind = SHAPE_BOX,
                                                 .size = {2.0, 2.0, 1.0},
                                                 .center = {0.0, 0.0, -0.5}},
                                       .rotation = UPRIGHT},
                            .keep = KEEP_OUTSIDE,
                            .holds = HOLDS_ALL};
    y->h.scene.wall = &y->wall;
    y->h.scene.n_walls = 1;
}

static inline void yard_start(struct yard *y)
{
    start(&y->h, &y->s);
    y->momentum = y->s.totals.momentum;
}

static inline void yard_end(struct yard *y)
{
    simulation_free(&y->s);
    hand_scene_end(&y->h);
}

static inline struct ledger_row check_step(struct yard *y)
{
    struct ledger_row row = step_once(&y->s);
    struct vec3 outside = vec3_add(vec3(row.gravity_impulse_x + row.support_impulse_x,
                                        row.gravity_impulse_y + row.support_impulse_y,
                                        row.gravity_impulse_z + row.support_impulse_z),
                                   row_coupling(&row));
    struct vec3 drift =
        vec3_sub(vec3_sub(row_momentum(&row), y->momentum), vec3_add(outside, row_residual(&row)));
    double scale = row.momentum_scale + y->s.totals.mass * G * row.dt;
    check_close(vec3_norm(drift) / scale, 0.0, 1e-11, "momentum");
    double energy = row.kinetic + ledger_value(&row, "merge_stored") + fabs(row.gravitational);
    check_close(row.energy_imbalance, 0.0, 1e-11 * energy, "energy_imbalance");
    y->momentum = row_momentum(&row);
    return row;
}

static inline size_t add_stone(struct yard *y)
{
    size_t stone = add_peridynamics(&y->h, 1e3, 2.0, 1e-3, (double)INFINITY);
    add_body(&y->h, stone, R, 1.6e-2);
    return stone;
}

/* Ends a yard. The run with one thread comes first and sets `expected`; all others must end with
 * the same bits. */
static inline void check_same_end(struct yard *y, int threads, struct vec3 *expected)
{
    size_t bytes = y->s.particles.n * sizeof *expected;
    if (threads == 1)
        memcpy(expected, y->s.particles.position, bytes);
    check(memcmp(expected, y->s.particles.position, bytes) == 0);
    yard_end(y);
}

static inline struct vec3 row_angular(const struct ledger_row *row)
{
    return vec3(row->angular_x, row->angular_y, row->angular_z);
}

#endif
