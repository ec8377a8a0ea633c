/* Bounds have the last word on where particles go. A meta-particle moves as one: if a wall ends the
 * path of one member, all members are set back alike. Otherwise the others would go on into the one
 * that was stopped, by a little more in every step. */
#include "base/memory.h"
#include "step/step.h"

static void confine_systems(struct simulation *s, double dt, struct ledger_row *row)
{
    for (size_t k = 0; k < s->n_systems; k++) {
        struct system *system = s->system[k];
        struct confine_report report = {0};
        if (!system->class->confine)
            continue;
        system->class->confine(system, &s->particles, dt, s->motion.mean, s->velocity, &report);
        account_confined(s, &report, row);
    }
}

static enum status keep_paths(struct simulation *s, struct error *error)
{
    const struct groups *groups = &s->groups;
    size_t n = groups_members(groups);
    if (array_reserve(&s->unbounded, &s->unbounded_capacity, n, sizeof *s->unbounded,
                      "merged particles", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++)
        s->unbounded[k] = s->motion.mean[groups->member[k]];
    return STATUS_OK;
}

/* The change of velocity that takes a group as far back as its members were, each along the
 * direction in which a wall pushed it; zero if none was. */
static struct vec3 set_back(const struct simulation *s, size_t g)
{
    const struct groups *groups = &s->groups;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        struct vec3 back = vec3_sub(s->motion.mean[groups->member[k]], s->unbounded[k]);
        double length2 = vec3_norm2(back), missing = length2 - vec3_dot(sum, back);
        if (missing > 0.0)
            sum = vec3_axpy(sum, missing / length2, back);
    }
    return sum;
}

/* Velocities stay: each member goes on with its own. */
static void move_alike(struct simulation *s, size_t g, struct vec3 back, double dt,
                       struct confine_report *report)
{
    const struct groups *groups = &s->groups;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        uint32_t i = groups->member[k];
        struct vec3 path = vec3_add(s->unbounded[k], back);
        struct vec3 more = vec3_scale(dt, vec3_sub(path, s->motion.mean[i]));
        report->shift = vec3_axpy(report->shift, s->particles.mass[i], more);
        s->motion.mean[i] = path;
    }
}

/* Whether any group was set back. */
static bool confine_groups(struct simulation *s, double dt, struct ledger_row *row)
{
    struct confine_report report = {0};
    bool any = false;
    for (size_t g = 0; g < s->groups.n_groups; g++) {
        struct vec3 back = set_back(s, g);
        if (s->groups.fixed[s->groups.member[s->groups.start[g]]] || !(vec3_norm2(back) > 0.0))
            continue;
        move_alike(s, g, back, dt, &report);
        any = true;
    }
    account_confined(s, &report, row);
    return any;
}

enum status confine(struct simulation *s, double dt, struct ledger_row *row, struct error *error)
{
    if (!s->walls)
        return STATUS_OK;
    enum status status = keep_paths(s, error);
    if (status)
        return status;
    confine_systems(s, dt, row);
    if (confine_groups(s, dt, row))
        confine_systems(s, dt, row); /* a group must not take its members into another wall */
    return STATUS_OK;
}
