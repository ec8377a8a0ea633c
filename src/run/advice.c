#include "run/advice.h"

#include "config/config.h"
#include "run/warning_parts.h"

#include <stdlib.h>
#include <string.h>

bool advice_fits(const struct run *run, const char *setting, const struct listener *to)
{
    char *changed = NULL;
    struct error error = {0};
    enum status status = config_with(run->initial.config, setting, &changed, &error);
    bool fits = !status && strcmp(changed, run->initial.config) != 0;
    free(changed);
    if (status == STATUS_FAILED) {
        *to->status = status;
        *to->error = error;
    }
    return fits;
}

bool advice_any_elastic(const struct run *run)
{
    for (size_t b = 0; b < run->scene.n_bodies; b++) {
        const struct body_wave *wave = &run->simulation.waves.body[b];
        if (wave->speed > 0.0 && wave->moves && !scene_body_flows(&run->scene, b))
            return true;
    }
    return false;
}

bool advice_rests_in_long_steps(const struct run *run)
{
    bool pressed = vec3_norm2(run->scene.gravity) > 0.0 || run->scene.n_prescribed > 0;
    return pressed && run->allowance.supported &&
           run->scene.time.max_step > run->simulation.waves.particle;
}

bool advice_newmark(const struct run *run, const struct listener *to)
{
    return advice_any_elastic(run) && !advice_rests_in_long_steps(run) &&
           !run->simulation.contact.class->stiffness && /* whose energy it lets grow */
           advice_fits(run, "solver.integrator=newmark", to);
}
