/* Bounds have the last word on where particles go. A meta-particle moves as one: if a wall ends the
 * path of one member, all members are set back alike. Otherwise the other members would move into
 * the one that was stopped, by a little more in every step. Setting a meta-particle back from one
 * wall may take a member into another wall, as in a corner; then it is set back again, until no
 * wall stops any member. */
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

/* The change of mean velocity that sets a group back at least as far as each of its members was,
 * along the direction in which a wall pushed that member; zero if none was. */
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

/* Changes the path of particle i. Its velocity stays, so that each member goes on with its own. */
static void set_path(struct simulation *s, uint32_t i, struct vec3 path, double dt,
                     struct confine_report *report)
{
    struct vec3 more = vec3_scale(dt, vec3_sub(path, s->motion.mean[i]));
    report->shift = vec3_axpy(report->shift, s->particles.mass[i], more);
    s->motion.mean[i] = path;
}

static void move_alike(struct simulation *s, size_t g, struct vec3 back, double dt,
                       struct confine_report *report)
{
    const struct groups *groups = &s->groups;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        set_path(s, groups->member[k], vec3_add(s->unbounded[k], back), dt, report);
}

/* Leaves a group where it is, however little a wall sets it back. */
static void stay(struct simulation *s, size_t g, struct vec3 back, double dt,
                 struct confine_report *report)
{
    const struct groups *groups = &s->groups;
    (void)back;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        set_path(s, groups->member[k], vec3(0.0, 0.0, 0.0), dt, report);
}

/* What to do with a group that walls set back by `back`. */
typedef void stop_group(struct simulation *s, size_t g, struct vec3 back, double dt,
                        struct confine_report *report);

/* Calls `stop` for every group that walls set back; returns whether there was any. */
static bool confine_groups(struct simulation *s, stop_group *stop, double dt,
                           struct ledger_row *row)
{
    struct confine_report report = {0};
    bool any = false;
    for (size_t g = 0; g < s->groups.n_groups; g++) {
        struct vec3 back = set_back(s, g);
        if (s->groups.fixed[s->groups.member[s->groups.start[g]]] || !(vec3_norm2(back) > 0.0))
            continue;
        stop(s, g, back, dt, &report);
        any = true;
    }
    account_confined(s, &report, row);
    return any;
}

/* A group that walls still stop after MOST_TIMES changes of its path stays where it is. */
enum status confine(struct simulation *s, double dt, struct ledger_row *row, struct error *error)
{
    enum { MOST_TIMES = 64 };
    if (!s->walls)
        return STATUS_OK;
    bool stopped = true;
    for (int times = 0; stopped; times++) {
        enum status status = keep_paths(s, error);
        if (status)
            return status;
        confine_systems(s, dt, row);
        stopped = times <= MOST_TIMES &&
                  confine_groups(s, times < MOST_TIMES ? move_alike : stay, dt, row);
    }
    return STATUS_OK;
}
