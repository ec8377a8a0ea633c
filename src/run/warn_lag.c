/* What steps will do to the motion and to the rest of elastic bodies. */
#include "run/advice.h"
#include "run/warning_parts.h"

#include <stdio.h>

/* More than this would be seen. */
static const double MOST = 0.05;

static struct step_errors errors_of(const struct run *run, uint32_t body)
{
    const struct simulation *s = &run->simulation;
    struct step_errors worst = {0.0, 0.0};
    for (size_t k = 0; k < s->n_systems; k++) {
        const struct system_class *class = s->system[k]->class;
        if (!class->step_errors)
            continue;
        const struct step_errors errors =
            class->step_errors(s->system[k], &s->particles, body, run->scene.time.max_step);
        worst = errors.slower + errors.softer > worst.slower + worst.softer ? errors : worst;
    }
    return worst;
}

/* The body that a warning names, by which value it is the worst, and how many it speaks of. */
struct named {
    uint32_t worst;
    double value;
    size_t n;
};

static struct named bodies_that_lag(const struct run *run, bool softer)
{
    struct named named = {.n = 0};
    for (uint32_t b = 0; b < run->scene.n_bodies; b++) {
        const struct step_errors errors = errors_of(run, b);
        const double value = softer ? errors.softer : errors.slower;
        named.n += value > MOST;
        if (value > MOST && value > named.value) {
            named.worst = b;
            named.value = value;
        }
    }
    return named;
}

/* Whether the scene takes another solver for the material of a body. */
static bool takes_solver(const struct run *run, uint32_t body, const char *solver,
                         const struct listener *to)
{
    char setting[256];
    int length = snprintf(setting, sizeof setting, "materials.%s.solver=%s",
                          scene_material_of(&run->scene, body)->name, solver);
    return length < (int)sizeof setting && advice_fits(run, setting, to);
}

void warn_of_slow_swings(const struct run *run, const struct listener *to)
{
    const struct named slow = bodies_that_lag(run, false);
    char others[40];
    if (slow.n > 0)
        warn(to, "slow swings",
             "body \"%.64s\"%s takes about %.3g times as long to bend to and fro as it should, "
             "because rotations lag behind by a step of %g s; shorter steps%s would be right",
             run->scene.body[slow.worst].name, and_others(slow.n, others), 1.0 + slow.value,
             run->scene.time.max_step,
             takes_solver(run, slow.worst, "newton", to) ? ", or 'solver: newton' of its material,"
                                                         : "");
}

void warn_of_softness(const struct run *run, const struct listener *to)
{
    const struct named soft = bodies_that_lag(run, true);
    char others[40];
    if (soft.n > 0)
        warn(to, "soft",
             "body \"%.64s\"%s gives way by about %.2g %% more than it should at rest if it is "
             "stretched, and by at most as much if it bends, in steps of %g s, because shape "
             "and volume are solved for one after the other; %s would be right",
             run->scene.body[soft.worst].name, and_others(soft.n, others), 100.0 * soft.value,
             run->scene.time.max_step,
             takes_solver(run, soft.worst, "coupled", to) ? "'solver: coupled' of its material"
                                                          : "shorter steps");
}
