/* What steps will do to the motion and to the rest of elastic bodies. */
#include "base/memory.h"
#include "run/advice.h"
#include "run/warning_parts.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Whether the scene takes another solver for the material of a body. Every material is asked once,
 * because asking reads the whole configuration: known[m] is 0 until then, 1 for no and 2 for yes.
 */
static bool takes_solver(const struct run *run, uint32_t body, const char *solver, char *known,
                         const struct listener *to)
{
    const size_t m = run->scene.body[body].material;
    char setting[256];
    if (!known[m]) {
        int length = snprintf(setting, sizeof setting, "materials.%s.solver=%s",
                              run->scene.material[m].name, solver);
        known[m] = length < (int)sizeof setting && advice_fits(run, setting, to) ? 2 : 1;
    }
    return known[m] == 2;
}

static char *no_answers(const struct run *run, const struct listener *to)
{
    char *known = NULL;
    if (array_create(&known, run->scene.n_materials, 1, "warnings", to->error))
        *to->status = STATUS_FAILED;
    return known;
}

void warn_of_slow_swings(const struct run *run, const struct listener *to)
{
    char *known = no_answers(run, to);
    for (uint32_t b = 0; known && b < run->scene.n_bodies; b++) {
        const double slower = errors_of(run, b).slower;
        if (slower > MOST)
            warn(to, "slow swings",
                 "body \"%.64s\" takes about %.3g times as long to bend to and fro as it should, "
                 "because rotations lag behind by a step of %g s; shorter steps%s would be right",
                 run->scene.body[b].name, 1.0 + slower, run->scene.time.max_step,
                 takes_solver(run, b, "newton", known, to)
                     ? ", or 'solver: newton' of its material,"
                     : "");
    }
    free(known);
}

void warn_of_softness(const struct run *run, const struct listener *to)
{
    char *known = no_answers(run, to);
    for (uint32_t b = 0; known && b < run->scene.n_bodies; b++) {
        const double softer = errors_of(run, b).softer;
        if (softer > MOST)
            warn(to, "soft",
                 "body \"%.64s\" gives way by about %.2g %% more than it should at rest if it is "
                 "stretched, and by at most as much if it bends, in steps of %g s, because shape "
                 "and volume are solved for one after the other; %s would be right",
                 run->scene.body[b].name, 100.0 * softer, run->scene.time.max_step,
                 takes_solver(run, b, "coupled", known, to) ? "'solver: coupled' of its material"
                                                            : "shorter steps");
    }
    free(known);
}
