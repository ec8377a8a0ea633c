#include "run/run_parts.h"

#include "base/memory.h"
#include "base/number.h"
#include "config/contact_method.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum status run_path(const struct run *run, const char *name, char *path, struct error *error)
{
    int length = snprintf(path, PATH_ROOM, "%s/%s", run->folder, name);
    if (length < 0 || length >= PATH_ROOM)
        return error_set(error, STATUS_INVALID, "%.200s...: the path is too long", run->folder);
    return STATUS_OK;
}

enum status run_frame_path(const struct run *run, uint64_t number, char *path, struct error *error)
{
    char name[64];
    snprintf(name, sizeof name, "frames/%06llu.hdf", (unsigned long long)number);
    return run_path(run, name, path, error);
}

enum status run_lock(struct run *run, struct error *error)
{
    char path[PATH_ROOM];
    struct stat there;
    if (run->lock.path || stat(run->folder, &there) != 0 || !S_ISDIR(there.st_mode))
        return STATUS_OK;
    enum status status = run_path(run, "lock", path, error);
    return status ? status : lock_file_take(&run->lock, path, error);
}

double run_frame_time(const struct run *run, uint64_t number, double end)
{
    const double since = (double)number * run->scene.time.frame_interval;
    double time = number_rounded(run->initial.time + since);
    return time < end ? time : end;
}

static bool any_of_two_bodies(const struct particles *p, const struct pair_list *pairs)
{
    for (size_t k = 0; k < pairs->n; k++)
        if (p->body[pairs->pair[k].i] != p->body[pairs->pair[k].j])
            return true;
    return false;
}

/* Whether particles of two bodies are in contact. A barrier keeps particles from ever touching, so
 * that its potential tells instead. Pairs that swept detection found may separate within the step,
 * and count too. */
static bool bodies_touch(const struct simulation *s)
{
    if (contact_has(s->scene->contact.method, METHOD_GAPS))
        return s->energy.contact_potential > 0.0;
    return any_of_two_bodies(&s->particles, &s->touching) ||
           any_of_two_bodies(&s->particles, &s->meeting.list);
}

/* The kinetic energy without that of the common motion, which no impact can dissipate unless
 * something fixed is hit. */
static double internal_energy(const struct run *run)
{
    const struct totals *t = &run->simulation.totals;
    if (run->allowance.supported || !(t->mass > 0.0))
        return t->kinetic;
    return fmax(t->kinetic - 0.5 * vec3_norm2(t->momentum) / t->mass, 0.0);
}

struct stability_input run_stability(const struct run *run, double speed_max, double speed_p999)
{
    const struct simulation *s = &run->simulation;
    const struct energies *e = &s->energy;
    double stored = e->elastic + e->contact_potential;
    double allowed =
        fmax(allowance_speed(&run->allowance, &s->particles, run->last.stored_start - stored),
             run->last.speed_allowed);
    double limit = stability_speed_limit * allowed;
    return (struct stability_input){
        .energy = e->kinetic + e->gravitational + stored,
        .stored = stored,
        .kinetic = e->kinetic,
        .internal = internal_energy(run),
        .speed_max = speed_max,
        .speed_p999 = speed_p999,
        .allowed = allowed,
        .excess = speed_p999 > limit ? allowance_excess(&s->particles, limit) : 0.0,
        .least = run->least_energy,
        .touching = bodies_touch(s)};
}

/* Whether an impulse is more than rounding; forces between free particles cancel only to
 * rounding. */
static bool is_push(double x, double y, double z, double scale)
{
    return vec3_norm(vec3(x, y, z)) > 1e-12 * scale;
}

struct sticking_input run_sticking(const struct run *run, const struct ledger_row *row)
{
    const struct simulation *s = &run->simulation;
    bool pushed = is_push(row->support_impulse_x, row->support_impulse_y, row->support_impulse_z,
                          row->momentum_scale);
    bool prescribed = is_push(row->inlet_impulse_x, row->inlet_impulse_y, row->inlet_impulse_z,
                              row->momentum_scale);
    return (struct sticking_input){.dt = row->dt,
                                   .touching = bodies_touch(s),
                                   .held = pushed || prescribed,
                                   .size = s->waves.size,
                                   .wave = s->waves.longest};
}
