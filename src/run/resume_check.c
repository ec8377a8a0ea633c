#include "run/resume_check.h"

#include "config/config.h"
#include "store/frame_scene.h"

#include <math.h>
#include <string.h>

/* Fixed particles stay fixed, none returns upstream of an inlet, and only outlets
 * and a lack of smoke remove particles. */
static bool can_become(const struct scene *scene, enum particle_state was, enum particle_state now)
{
    return was == now || (was == PARTICLE_PRESCRIBED && now == PARTICLE_FREE) ||
           (was != PARTICLE_FIXED && now == PARTICLE_GONE &&
            (scene->n_outlets > 0 || scene_some_fluid_leaves(scene)));
}

/* A fixed particle that no motion moves is where it began. */
static bool has_moved(const struct run *run, const struct particles *now, size_t i)
{
    const struct particles *was = &run->initial.particles;
    return now->state[i] == PARTICLE_FIXED && run->scene.n_prescribed == 0 &&
           !(vec3_equal(now->position[i], was->position[i]) &&
             vec3_equal(now->velocity[i], was->velocity[i]));
}

static enum status check_particles(const struct run *run, const struct frame *frame,
                                   const char *path, struct error *error)
{
    const struct particles *was = &run->initial.particles, *now = &frame->particles;
    for (size_t i = 0; i < now->n; i++) {
        if (now->body[i] != was->body[i])
            return error_set(error, STATUS_INVALID,
                             "%s: body of particle %zu is %u; in the initial frame it is %u", path,
                             i, now->body[i], was->body[i]);
        if (!can_become(&run->scene, was->state[i], now->state[i]))
            return error_set(
                error, STATUS_INVALID,
                "%s: state of particle %zu is %u; in the initial frame it is %u, which "
                "cannot become that",
                path, i, now->state[i], was->state[i]);
        if (has_moved(run, now, i))
            return error_set(
                error, STATUS_INVALID,
                "%s: particle %zu is fixed, but not where it is, or as fast, as in the "
                "initial frame",
                path, i);
    }
    return STATUS_OK;
}

enum status resume_check_frame(const struct run *run, const struct frame *frame, const char *path,
                               const char *advice, struct error *error)
{
    struct config_difference difference;
    if (config_difference(frame->config, run->initial.config, &difference))
        return error_set(error, STATUS_INVALID,
                         "%s: belongs to another configuration, in which %s is %s instead of %s; "
                         "%s",
                         path, difference.key, difference.a, difference.b, advice);
    if (!frame_same_origin(frame, &run->initial))
        return error_set(error, STATUS_INVALID,
                         "%s: goes on from another frame than the initial state; %s", path, advice);
    if (frame->particles.n != run->initial.particles.n)
        return error_set(error, STATUS_INVALID,
                         "%s: has %zu particles, the initial frame of the same configuration has "
                         "%zu: another version of ms-sample made one of them; %s",
                         path, frame->particles.n, run->initial.particles.n, advice);
    enum status status = check_particles(run, frame, path, error);
    return status ? status : frame_fits_scene(frame, &run->scene, path, error);
}

static enum status check_penetrated(const struct run *run, const struct frame *frame,
                                    const char *path, struct error *error)
{
    size_t n_sheets = run->initial.n_sheets, found = 0;
    for (size_t i = 0; frame->penetrated && i < run->simulation.particles.n; i++) {
        found += frame->penetrated[i] != 0;
        if (n_sheets < 32 && frame->penetrated[i] >> n_sheets != 0)
            return error_set(error, STATUS_INVALID,
                             "%s: penetrated of particle %zu is %u; there are %zu sheets", path, i,
                             frame->penetrated[i], n_sheets);
    }
    if (frame->penetrated && (double)found != run->last.penetrated)
        return error_set(error, STATUS_INVALID,
                         "%s: %zu particles have penetrated a sheet, and by the last row of its "
                         "measures %.0f; remove it to go on from the frame before it",
                         path, found, run->last.penetrated);
    return STATUS_OK;
}

/* What is left to other compilers and libraries, of the scale of a quantity; see
 * scripts/tolerances.py. */
static const double TOLERANCE = 1e-9;

static double farthest(const struct particles *particles)
{
    double reach = 0.0;
    for (size_t i = 0; i < particles->n; i++)
        if (particle_is_here(particles->state[i]))
            reach = fmax(reach, vec3_norm(particles->position[i]));
    return reach;
}

static double in_last_row(const struct table *table, const char *column)
{
    struct series row = table_series(table, column);
    return row.value[(row.n - 1) * row.stride];
}

static enum status check_totals(const struct run *run, const struct frame *frame, const char *path,
                                struct error *error)
{
    const struct simulation *s = &run->simulation;
    const struct energies *energy = &s->energy;
    const struct vec3 momentum = s->totals.momentum, angular = s->totals.angular;
    double joules = fabs(energy->kinetic) + fabs(energy->elastic) + fabs(energy->gravitational);
    double impulse = in_last_row(&frame->ledger, "momentum_scale");
    double turning = impulse * farthest(&s->particles);
    const struct {
        const char *column;
        double now, scale;
    } check[] = {{"kinetic", energy->kinetic, joules},
                 {"elastic", energy->elastic, joules},
                 {"gravitational", energy->gravitational, joules},
                 {"momentum_x", momentum.x, impulse},
                 {"momentum_y", momentum.y, impulse},
                 {"momentum_z", momentum.z, impulse},
                 {"angular_x", angular.x, turning},
                 {"angular_y", angular.y, turning},
                 {"angular_z", angular.z, turning}};
    for (size_t k = 0; k < sizeof check / sizeof *check; k++) {
        double was = in_last_row(&frame->ledger, check[k].column);
        bool same = memcmp(&was, &check[k].now, sizeof was) == 0;
        if (!same && !(fabs(was - check[k].now) <= TOLERANCE * check[k].scale))
            return error_set(error, STATUS_INVALID,
                             "%s: %s of its particles is %.9g, and by the last row of its ledger "
                             "%.9g; remove it to go on from the frame before it",
                             path, check[k].column, check[k].now, was);
    }
    return STATUS_OK;
}

enum status resume_check_state(const struct run *run, const struct frame *frame, const char *path,
                               struct error *error)
{
    enum status status = STATUS_OK;
    if (frame->ledger.n_rows > 0)
        status = check_totals(run, frame, path, error);
    if (!status && frame->step > run->initial.step)
        status = check_penetrated(run, frame, path, error);
    return status;
}
