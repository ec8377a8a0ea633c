/* Bounds have the last word on where particles go. A meta-particle moves as one: if a wall ends the
 * path of one member, all members are set back alike. Otherwise the other members would move into
 * the one that was stopped, by a little more in every step. Setting a meta-particle back from one
 * wall may take a member into another wall, as in a corner; then it is set back again, until no
 * wall stops any member. */
#include "schemes/bounds.h"

#include "base/memory.h"
#include "systems/confine.h"

#include <stdlib.h>

/* Paths that are being bounded. */
struct bounding {
    struct wall_stops *bounds;
    const struct step_view *view;
    struct vec3 *mean, *velocity;
    struct confine_report *report;
};

static void confine_systems(const struct bounding *b)
{
    const struct step_view *view = b->view;
    for (size_t k = 0; k < view->owners.n_systems; k++) {
        struct system *system = view->system[k];
        if (system->class->confine)
            system->class->confine(system, view->particles, view->dt, b->mean, b->velocity,
                                   b->report);
    }
}

static enum status keep_paths(const struct bounding *b, struct error *error)
{
    const struct groups *groups = b->view->groups;
    size_t n = groups_members(groups);
    if (array_reserve(&b->bounds->unbounded, &b->bounds->capacity, n, sizeof *b->bounds->unbounded,
                      "merged particles", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++)
        b->bounds->unbounded[k] = b->mean[groups->member[k]];
    return STATUS_OK;
}

/* The change of mean velocity that sets a group back at least as far as each of its members was,
 * along the direction in which a wall pushed that member; zero if none was. */
static struct vec3 set_back(const struct bounding *b, size_t g)
{
    const struct groups *groups = b->view->groups;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        struct vec3 back = vec3_sub(b->mean[groups->member[k]], b->bounds->unbounded[k]);
        double length2 = vec3_norm2(back), missing = length2 - vec3_dot(sum, back);
        if (missing > 0.0)
            sum = vec3_axpy(sum, missing / length2, back);
    }
    return sum;
}

/* Changes the path of the k-th of all members of groups. As the group does, it does not rebound: if
 * it went on with its own velocity, the wall would lift it against gravity for nothing. */
static void set_path(const struct bounding *b, size_t k, struct vec3 path)
{
    const struct particles *p = b->view->particles;
    uint32_t i = b->view->groups->member[k];
    struct vec3 more = vec3_scale(b->view->dt, vec3_sub(path, b->mean[i]));
    struct vec3 back = vec3_sub(path, b->bounds->unbounded[k]);
    b->report->shift = vec3_axpy(b->report->shift, p->mass[i], more);
    b->mean[i] = path;
    confine_velocity(p, i, back, path, b->velocity, b->report);
}

static void move_alike(const struct bounding *b, size_t g, struct vec3 back)
{
    const struct groups *groups = b->view->groups;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        set_path(b, k, vec3_add(b->bounds->unbounded[k], back));
}

/* Leaves a group where it is, however little a wall sets it back. */
static void stay(const struct bounding *b, size_t g, struct vec3 back)
{
    const struct groups *groups = b->view->groups;
    (void)back;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++)
        set_path(b, k, vec3(0.0, 0.0, 0.0));
}

/* What to do with a group that walls set back by `back`. */
typedef void stop_group(const struct bounding *b, size_t g, struct vec3 back);

/* Calls `stop` for every group that walls set back; returns whether there was any. */
static bool confine_groups(const struct bounding *b, stop_group *stop)
{
    const struct groups *groups = b->view->groups;
    bool any = false;
    for (size_t g = 0; g < groups->n_groups; g++) {
        struct vec3 back = set_back(b, g);
        if (groups->fixed[groups->member[groups->start[g]]] || !(vec3_norm2(back) > 0.0))
            continue;
        stop(b, g, back);
        any = true;
    }
    return any;
}

/* A group that walls still stop after MOST_TIMES changes of its path stays where it is. */
enum status bounds_keep(struct wall_stops *bounds, const struct step_view *view, struct vec3 *mean,
                        struct vec3 *velocity, struct confine_report *report, struct error *error)
{
    enum { MOST_TIMES = 64 };
    const struct bounding b = {bounds, view, mean, velocity, report};
    bool stopped = true;
    for (int times = 0; stopped; times++) {
        enum status status = keep_paths(&b, error);
        if (status)
            return status;
        confine_systems(&b);
        stopped = times <= MOST_TIMES && confine_groups(&b, times < MOST_TIMES ? move_alike : stay);
    }
    return STATUS_OK;
}

void bounds_free(struct wall_stops *bounds)
{
    free(bounds->unbounded);
    *bounds = (struct wall_stops){0};
}
