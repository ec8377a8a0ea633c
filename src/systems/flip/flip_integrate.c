#include "systems/flip/flip_parts.h"

#include "base/memory.h"

#include <string.h>

/* ---- before all stages ---- */

static enum status reserve_tiles(struct flip *flip, struct error *error)
{
    size_t n = flip->grid.n;
    if (array_reserve(&flip->sums, &flip->tile_capacity, n, sizeof *flip->sums, "tiles", error) ||
        array_reserve(&flip->is_dirty, &flip->dirty_capacity, n, sizeof *flip->is_dirty, "tiles",
                      error) ||
        array_reserve(&flip->first_unknown, &flip->unknown_tile_capacity, n,
                      sizeof *flip->first_unknown, "tiles", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status flip_prepare(struct system *system, const struct particles *p, double dt,
                         struct error *error)
{
    struct flip *flip = (struct flip *)system;
    flip->dt = dt;
    flip->is_fresh = true;
    enum status status = flip_find_sides(flip, p, STATUS_FAILED, error);
    if (!status)
        status = flip_sort(flip, p, error);
    if (!status)
        status = flip_find_solids(flip, p, error);
    if (!status)
        status = reserve_tiles(flip, error);
    if (!status)
        status = flip_find_walls(flip, error);
    if (status)
        return status;
    flip_put_restored(flip);
    flip_mark(flip, p);
    flip_deposit_volume(flip, p);
    flip_share_volume(flip, p);
    return STATUS_OK;
}

/* ---- velocities without pressure ---- */

/* Fills motion->own_after with velocities without pressure, as if every particle were alone. */
static void fall_alone(const struct flip *flip, const struct particles *p,
                       const struct groups *groups, double dt, struct motion *motion)
{
    size_t first = flip->system.first, end = first + flip->system.n;
#pragma omp parallel for schedule(static)
    for (size_t i = first; i < end; i++)
        motion->own_after[i] = groups->fixed[i]
                                   ? motion->before[i]
                                   : vec3_axpy(motion->before[i], dt / p->mass[i], p->force[i]);
}

/* The velocity without pressure of a group, which feels the outside forces on all of its members.
 */
static struct vec3 fall_of(const struct particles *p, const struct groups *groups, size_t g,
                           double dt, const struct motion *motion)
{
    uint32_t leader = groups->member[groups->start[g]];
    struct vec3 force = vec3(0.0, 0.0, 0.0);
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        force = vec3_add(force, p->force[groups->member[k]]);
    return vec3_axpy(motion->before[leader], dt / groups->mass[leader], force);
}

static bool is_own(const struct flip *flip, uint32_t i)
{
    return i >= flip->system.first && i < flip->system.first + flip->system.n;
}

static void fall_in_groups(const struct flip *flip, const struct particles *p,
                           const struct groups *groups, double dt, struct motion *motion)
{
#pragma omp parallel for schedule(static)
    for (size_t g = 0; g < groups->n_groups; g++) {
        if (groups->fixed[groups->member[groups->start[g]]])
            continue;
        struct vec3 fall = fall_of(p, groups, g, dt, motion);
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
            if (is_own(flip, groups->member[k]))
                motion->own_after[groups->member[k]] = fall;
    }
}

/* Copies these velocities into slots. Tiles where one has changed since the last stage become
 * dirty. */
static void take_falls(struct flip *flip, const struct motion *motion)
{
    const struct vec3 *own = motion->own_after + flip->system.first;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < flip->grid.n; k++) {
        const struct flip_tile *tile = &flip->grid.tile[k];
        bool changed = flip->is_fresh;
        for (size_t s = tile->begin; s < tile->end; s++) {
            struct vec3 fall = own[flip->particle[s]];
            changed |= memcmp(&fall, &flip->fall[s], sizeof fall) != 0;
            flip->fall[s] = fall;
        }
        flip->is_dirty[k] = changed && tile->end > tile->begin;
    }
}

/* ---- velocities with pressure ---- */

struct vec3 flip_after(const struct flip *flip, size_t s)
{
    struct vec3 flipped = vec3_add(flip->fall[s], flip->change[s]);
    if (flip->material.transfer == FLIP_TRANSFER_APIC)
        return flip->grid_velocity[s];
    return vec3_axpy(flipped, 1.0 - flip->material.blend,
                     vec3_sub(flip->grid_velocity[s], flipped));
}

static void move_alone(const struct flip *flip, const struct groups *groups, struct motion *motion)
{
#pragma omp parallel for schedule(static)
    for (size_t s = 0; s < flip->n_slots; s++) {
        size_t i = flip->system.first + flip->particle[s];
        if (groups->fixed[i]) {
            motion->own_after[i] = motion->own_mean[i] = motion->before[i];
            continue;
        }
        motion->own_after[i] = flip_after(flip, s);
        motion->own_mean[i] = flip->grid_velocity[s];
    }
}

/* The velocity of a group that gets the impulses m_i (own_i - fall) from its members in this
 * system. */
static struct vec3 joined(const struct flip *flip, const struct particles *p,
                          const struct groups *groups, size_t g, struct vec3 fall,
                          const struct vec3 *own)
{
    struct vec3 impulse = vec3(0.0, 0.0, 0.0);
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        uint32_t i = groups->member[k];
        if (is_own(flip, i))
            impulse = vec3_axpy(impulse, p->mass[i], vec3_sub(own[i], fall));
    }
    return vec3_axpy(fall, 1.0 / groups->mass[groups->member[groups->start[g]]], impulse);
}

static void move_groups(const struct flip *flip, const struct particles *p,
                        const struct groups *groups, double dt, struct motion *motion)
{
#pragma omp parallel for schedule(static)
    for (size_t g = 0; g < groups->n_groups; g++) {
        if (groups->fixed[groups->member[groups->start[g]]])
            continue;
        struct vec3 fall = fall_of(p, groups, g, dt, motion);
        struct vec3 after = joined(flip, p, groups, g, fall, motion->own_after);
        struct vec3 mean = joined(flip, p, groups, g, fall, motion->own_mean);
        double mass = groups->mass[groups->member[groups->start[g]]];
        struct vec3 push = vec3_scale(1.0 / mass, flip_push_on_group(flip, groups, g));
        after = vec3_add(after, push);
        mean = vec3_add(mean, push);
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
            if (is_own(flip, groups->member[k])) {
                motion->own_after[groups->member[k]] = after;
                motion->own_mean[groups->member[k]] = mean;
            }
    }
}

/* Particles that are gone stay where they are. */
static void stop_gone(const struct flip *flip, const struct particles *p, struct motion *motion)
{
    if (flip->n_slots == flip->system.n)
        return;
    for (size_t i = flip->system.first; i < flip->system.first + flip->system.n; i++)
        if (p->state[i] == PARTICLE_GONE)
            motion->own_after[i] = motion->own_mean[i] = motion->before[i];
}

enum status flip_integrate(struct system *system, const struct particles *p,
                           const struct groups *groups, double dt, struct motion *motion,
                           struct solve_report *report, struct error *error)
{
    struct flip *flip = (struct flip *)system;
    enum status status = STATUS_OK;
    flip_expect_solids(flip, p, groups, dt, motion);
    fall_alone(flip, p, groups, dt, motion);
    fall_in_groups(flip, p, groups, dt, motion);
    take_falls(flip, motion);
    flip_deposit(flip);
    flip_share(flip, p, motion->before);
    if (flip->is_fresh)
        status = flip_build_matrix(flip, error);
    flip->is_fresh = false;
    if (!status)
        status = flip_project(flip, report, error);
    if (status)
        return status;
    flip_read(flip);
    flip_push_solids(flip, p);
    move_alone(flip, groups, motion);
    move_groups(flip, p, groups, dt, motion);
    stop_gone(flip, p, motion);
    flip_hand_over(flip, p, dt);
    return STATUS_OK;
}
