/* Bodies that spin and swing, and what becomes of their angular momentum and energy. */
#ifndef TESTS_SPINNING_H
#define TESTS_SPINNING_H

#include "scenes.h"

static const double turn_rate = 62.831853071795865; /* a turn in 0.1 s: 100 steps of 1 ms, 1/s */

static inline struct vec3 center_of(const struct particles *p)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = 0; i < p->n; i++)
        sum = vec3_add(sum, p->position[i]);
    return vec3_scale(1.0 / (double)p->n, sum);
}

static inline void spin(struct particles *p, struct vec3 rate)
{
    const struct vec3 center = center_of(p);
    for (size_t i = 0; i < p->n; i++)
        p->velocity[i] = vec3_cross(rate, vec3_sub(p->position[i], center));
}

struct motion_sums {
    double energy, returned, lost, imbalance, most; /* of all steps */
    struct vec3 angular, momentum;
};

static inline void take(struct motion_sums *sums, const struct ledger_row *row)
{
    sums->energy = row->kinetic + row->elastic + row->gravitational;
    sums->most = fmax(sums->most, sums->energy);
    sums->angular = vec3(row->angular_x, row->angular_y, row->angular_z);
    sums->momentum = row_momentum(row);
    sums->returned += ledger_value(row, "spin_returned");
    sums->lost += ledger_value(row, "spin_lost");
    sums->imbalance = fmax(sums->imbalance, fabs(row->energy_imbalance));
}

static inline struct motion_sums run(struct simulation *s, int steps)
{
    struct motion_sums sums = {0};
    for (int k = 0; k < steps; k++) {
        const struct ledger_row row = step_once(s);
        take(&sums, &row);
    }
    return sums;
}

/* Five turns after one in which the body finds its shape. `energy`: the part that may be lost. */
static inline void check_free(struct hand_scene *h, const char *name, double energy)
{
    struct simulation s;
    start(h, &s);
    struct motion_sums before = run(&s, 100), after = run(&s, 500);
    double change = vec3_norm(vec3_sub(after.angular, before.angular)) / vec3_norm(before.angular);
    double kept = after.energy / before.energy;
    printf("# %s: angular momentum off by %.1e, energy %.4f of it, at most %.4f; given back %.3g "
           "times\n",
           name, change, kept, after.most / before.energy,
           after.returned / vec3_norm(before.angular));
    check_close(change, 0.0, 1e-6, name);
    check(kept > 1.0 - energy && after.most < 1.02 * before.energy);
    check_close(after.imbalance, 0.0, 1e-12 * before.energy, "energy imbalance of a step");
    check_close(after.lost, 0.0, 0.0, "spin lost");
    simulation_free(&s);
    hand_scene_end(h);
}

/* What holds a block of 6 particles along x and 4 along y: its first particle, two at the ends of
 * an edge, or all four of that edge, like a hinge. */
enum swing { SWING_POINT, SWING_ENDS, SWING_HINGE, SWINGS };

/* Swings it from there. */
static inline void check_swing(struct hand_scene *h, enum swing from)
{
    struct simulation s;
    h->scene.gravity = vec3(0, 0, -9.81);
    const char *name[] = {"a point", "an axis", "a hinge"};
    const size_t apart[] = {24, 18, 6};
    for (size_t i = 0; i < 24; i += apart[from])
        h->particles.state[i] = PARTICLE_FIXED;
    start(h, &s);
    double begun = s.energy.gravitational + s.energy.elastic, fastest = 0.0;
    struct motion_sums sums = {0};
    for (int k = 0; k < 2000; k++) {
        const struct ledger_row row = step_once(&s);
        take(&sums, &row);
        fastest = fmax(fastest, row.kinetic);
    }
    printf("# from %s: energy off by %.4f of the largest kinetic energy, %.1e a step\n", name[from],
           (sums.energy - begun) / fastest, sums.imbalance / fastest);
    check_close((sums.energy - begun) / fastest, 0.0, 0.02, "energy");
    check_close(sums.imbalance / fastest, 0.0, 1e-12, "energy imbalance of a step");
    simulation_free(&s);
    hand_scene_end(h);
}

/* A block of 4 x 4 x 4 particles is hit off its center by another. Both spin and part. What contact
 * does to angular momentum is the method's; what follows keeps it. */
static inline void check_hit(struct hand_scene *h)
{
    struct simulation s;
    add_body(h, 0, 0.02, 0.064);
    add_block(h, 4, 4, 4, vec3(0.18, 0.08, 0.01), vec3(-3.0, 0, 0));
    start(h, &s);
    struct motion_sums sums = {0}, parted = {0};
    struct vec3 momentum = vec3(0.064 * 64.0 * -3.0, 0, 0);
    bool touched = false;
    double begun = s.energy.kinetic, parted_for = 0.0;
    for (int k = 0; k < 400; k++) {
        const struct ledger_row row = step_once(&s);
        take(&sums, &row);
        touched |= row.contacts > 0.0 || ledger_value(&row, "links") > 0.0;
        parted_for = row.contacts > 0.0 || ledger_value(&row, "links") > 0.0 || !touched
                         ? 0.0
                         : parted_for + 1.0;
        if (parted_for == 1.0)
            parted = sums;
    }
    printf(
        "# method %d: energy %.4f of it, at most %.4f; apart for %g steps; given back %.2g, lost "
        "%.2g kg m^2/s\n",
        (int)h->scene.contact.method, sums.energy / begun, sums.most / begun, parted_for,
        sums.returned, sums.lost);
    check(touched && parted_for > 50.0);
    check(sums.most < 1.02 * begun);
    check_close(vec3_norm(vec3_sub(sums.momentum, momentum)) / vec3_norm(momentum), 0.0, 1e-12,
                "momentum");
    check_close(vec3_norm(vec3_sub(sums.angular, parted.angular)) / vec3_norm(parted.angular), 0.0,
                1e-6, "angular momentum after the hit");
    check_close(sums.imbalance, 0.0, 1e-12 * begun, "energy imbalance of a step");
    simulation_free(&s);
    hand_scene_end(h);
}

/* Five turns after which less than `most_left` of the spin is left, and the ledger says how much is
 * lost, within this fraction. */
static inline void check_loss_is_reported(struct simulation *s, double most_left, double within)
{
    double begun = s->totals.angular.z;
    struct motion_sums sums = run(s, 500);
    printf("# lost %.3f of the spin, reported %.3f\n", 1.0 - sums.angular.z / begun,
           sums.lost / begun);
    check(sums.angular.z < most_left * begun);
    check_close(sums.lost / (begun - sums.angular.z), 1.0, within, "spin lost");
    check_close(sums.returned, 0.0, 0.0, "spin given back");
}

#endif
