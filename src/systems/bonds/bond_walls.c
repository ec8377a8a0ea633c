#include "systems/bonds/bond_walls.h"

#include "base/memory.h"
#include "shape/wall_touch.h"
#include "systems/confine.h"

#include <math.h>
#include <stdlib.h>

enum status bond_walls_create(struct bond_walls *w, const struct walls *walls, size_t n,
                              struct error *error)
{
    *w = (struct bond_walls){.walls = walls, .n = walls ? n : 0};
    if (walls && (array_create(&w->near, n, sizeof *w->near, "walls", error) ||
                  array_create(&w->hold_of, n, sizeof *w->hold_of, "walls", error) ||
                  array_create(&w->held, n, sizeof *w->held, "walls", error)))
        return STATUS_FAILED;
    return STATUS_OK;
}

void bond_walls_free(struct bond_walls *w)
{
    free(w->near);
    free(w->touch);
    free(w->hold);
    free(w->hold_of);
    free(w->held);
    *w = (struct bond_walls){0};
}

/* ---- contacts with walls ---- */

/* Marks the free particles that are near a wall; returns their number. */
static size_t find_near(struct bond_walls *w, const struct particles *p)
{
    size_t count = 0;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < w->n; i++)
        w->near[i] = p->state[i] == PARTICLE_FREE &&
                     walls_distance(w->walls, p->position[i]) < 2.0 * p->radius[i];
    for (size_t i = 0; i < w->n; i++)
        count += w->near[i];
    return count;
}

static void find_touches_of(struct bond_walls *w, const struct particles *p, uint32_t i)
{
    struct wall_meeting met[MOST_WALL_TOUCHES];
    size_t n = walls_meet(w->walls, p->position[i], p->radius[i], met);
    for (size_t k = 0; k < n; k++)
        w->touch[w->n_touches++] = (struct wall_touch){.particle = i, .normal = met[k].normal};
}

enum status bond_walls_find(struct bond_walls *w, const struct particles *p, struct error *error)
{
    w->n_touches = 0;
    bond_walls_release(w);
    size_t n_near = find_near(w, p);
    if (array_reserve(&w->touch, &w->touch_capacity, MOST_WALL_TOUCHES * n_near, sizeof *w->touch,
                      "walls", error) ||
        array_reserve(&w->hold, &w->hold_capacity, n_near, sizeof *w->hold, "walls", error))
        return STATUS_FAILED;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->near[i])
            find_touches_of(w, p, i);
    return STATUS_OK;
}

/* ---- choice of held particles ---- */

static void forget_holds(struct bond_walls *w)
{
    for (size_t k = 0; k < w->n_held; k++)
        w->hold_of[w->held[k]] = 0;
    w->n_held = 0;
    w->n_holds = 0;
}

void bond_walls_release(struct bond_walls *w)
{
    for (size_t k = 0; k < w->n_touches; k++)
        w->touch[k].held = false;
    forget_holds(w);
}

size_t bond_walls_hold(struct bond_walls *w, const struct groups *groups,
                       const struct vec3 *velocity)
{
    size_t more = 0;
    for (size_t k = 0; k < w->n_touches; k++) {
        struct wall_touch *touch = &w->touch[k];
        if (touch->held || groups->fixed[touch->particle] ||
            !(vec3_dot(touch->normal, velocity[touch->particle]) < 0.0))
            continue;
        touch->held = true;
        more++;
    }
    return more;
}

void bond_walls_expect(struct bond_walls *w, const struct groups *groups, const struct particles *p,
                       double dt, const struct vec3 *before, const struct vec3 *force)
{
    for (size_t k = 0; k < w->n_touches; k++) {
        struct wall_touch *touch = &w->touch[k];
        uint32_t i = touch->particle;
        double per_mass = dt / p->mass[i], rising = vec3_dot(touch->normal, before[i]);
        double outside = per_mass * vec3_dot(touch->normal, p->force[i]);
        double inside = per_mass * vec3_dot(touch->normal, force[i]);
        if (!groups->fixed[i] && rising <= fabs(outside) && rising + outside + inside < 0.0)
            touch->held = true;
    }
}

/* Adds a direction to those held, unless these span it already (Gram and Schmidt). */
static void add_direction(struct wall_hold *hold, struct vec3 normal)
{
    static const double same = 1e-6; /* the sine of an angle */
    for (int twice = 0; twice < 2; twice++)
        for (size_t k = 0; k < hold->n; k++)
            normal = vec3_axpy(normal, -vec3_dot(normal, hold->direction[k]), hold->direction[k]);
    double length = vec3_norm(normal);
    if (hold->n < 3 && length > same)
        hold->direction[hold->n++] = vec3_scale(1.0 / length, normal);
}

static void add_held(struct bond_walls *w, uint32_t i, uint32_t hold)
{
    if (!w->hold_of[i])
        w->held[w->n_held++] = i;
    w->hold_of[i] = hold;
}

/* Adds the other members of held groups to their holds, and their outside forces. */
static void mirror(struct bond_walls *w, const struct groups *groups, const struct particles *p)
{
    for (size_t g = 0; g < groups->n_groups; g++) {
        uint32_t leader = groups->member[groups->start[g]];
        uint32_t hold = leader < w->n ? w->hold_of[leader] : 0;
        if (!hold)
            continue;
        w->hold[hold - 1].outside = vec3(0.0, 0.0, 0.0);
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            uint32_t i = groups->member[k];
            w->hold[hold - 1].outside = vec3_add(w->hold[hold - 1].outside, p->force[i]);
            if (i < w->n)
                add_held(w, i, hold);
        }
    }
}

void bond_walls_gather(struct bond_walls *w, const struct groups *groups, const struct particles *p)
{
    forget_holds(w);
    for (size_t k = 0; k < w->n_touches; k++) {
        const struct wall_touch *touch = &w->touch[k];
        uint32_t leader = groups->leader[touch->particle];
        if (!touch->held || groups->fixed[leader]) /* in a later stage a support may hold it */
            continue;
        if (!w->hold_of[leader]) {
            w->hold[w->n_holds++] =
                (struct wall_hold){.leader = leader, .outside = p->force[leader]};
            add_held(w, leader, (uint32_t)w->n_holds);
        }
        add_direction(&w->hold[w->hold_of[leader] - 1], touch->normal);
    }
    if (w->n_holds > 0)
        mirror(w, groups, p);
}

/* ---- effect of holds ---- */

static struct vec3 part_held(const struct wall_hold *hold, struct vec3 value)
{
    struct vec3 part = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < hold->n; k++)
        part = vec3_axpy(part, vec3_dot(value, hold->direction[k]), hold->direction[k]);
    return part;
}

/* Removes the part along the directions held. This is done twice, because the first time rounding
 * leaves a remainder along directions that are not axes. No iteration of the solver can reduce that
 * remainder, and for a body at rest it exceeds the residual that is asked for. */
static struct vec3 part_free(const struct wall_hold *hold, struct vec3 value)
{
    for (int twice = 0; twice < 2; twice++)
        value = vec3_sub(value, part_held(hold, value));
    return value;
}

void bond_walls_project(const struct bond_walls *w, struct vec3 *value)
{
    for (size_t k = 0; k < w->n_held; k++) {
        uint32_t i = w->held[k];
        value[i] = part_free(&w->hold[w->hold_of[i] - 1], value[i]);
    }
}

void bond_walls_project_range(const struct bond_walls *w, size_t begin, size_t end,
                              struct vec3 *value)
{
    if (w->n_holds == 0)
        return;
    for (size_t i = begin; i < end; i++)
        if (w->hold_of[i])
            value[i] = part_free(&w->hold[w->hold_of[i] - 1], value[i]);
}

void bond_walls_stop(const struct bond_walls *w, const struct vec3 *before, struct vec3 *change)
{
    for (size_t k = 0; k < w->n_held; k++) {
        uint32_t i = w->held[k];
        struct vec3 sum = vec3_add(change[i], before[i]);
        change[i] = vec3_sub(change[i], part_held(&w->hold[w->hold_of[i] - 1], sum));
    }
}

void bond_walls_account(const struct bond_walls *w, const struct vec3 *mean,
                        struct work_report *report)
{
    for (size_t k = 0; k < w->n_holds; k++) {
        const struct wall_hold *hold = &w->hold[k];
        struct vec3 impulse = part_held(hold, hold->impulse);
        report->on_supports = vec3_sub(report->on_supports, impulse);
        report->wall_dissipation -= vec3_dot(impulse, mean[hold->leader]);
    }
}

/* A particle two radii away, or more, gets too near only if it moves farther than its radius. */
void bond_walls_confine(const struct bond_walls *w, const struct particles *p, double dt,
                        struct vec3 *mean, struct vec3 *velocity, struct confine_report *report)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->near[i] || dt * vec3_norm(mean[i]) > p->radius[i])
            confine_to_walls(w->walls, WALL_NEAREST * p->radius[i], p, i, dt, mean, velocity,
                             report);
}
