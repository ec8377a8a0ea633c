#include "run/warnings.h"

#include "measure/resolution.h"

#include <math.h>
#include <stdio.h>

enum { LINE = 512 };

void run_say_waves(const struct run *run, say_line *say)
{
    const struct simulation *s = &run->simulation;
    for (size_t b = 0; b < s->waves.n_bodies; b++) {
        const struct body_wave *wave = &s->waves.body[b];
        double dt = run->scene.time.max_step;
        char line[LINE];
        if (!(wave->speed > 0.0) || !wave->moves)
            continue;
        snprintf(
            line, sizeof line,
            "body \"%.64s\": a wave of %.3g m/s takes %.3g steps of time.max_step, %g s, through "
            "a particle, %.3g through the body",
            run->scene.body[b].name, wave->speed, wave->particle / dt, dt, wave->body / dt);
        say(line);
    }
}

/* An impact of a body on another body or on a wall. */
struct impact {
    const char *body, *other, *kind;
    double contact; /* time that a wave takes to and fro through the slower body, s */
};

/* Whether the rebound of body b is of interest: it is elastic, cannot break and is not wholly
 * fixed. */
static bool rebounds(const struct run *run, size_t b)
{
    const struct body_wave *wave = &run->simulation.waves.body[b];
    const struct material *material = scene_material_of(&run->scene, b);
    return wave->speed > 0.0 && wave->moves && isfinite(wave->body) && !material->model->flows &&
           !material_breaks(material);
}

static void keep_shorter(struct impact *shortest, struct impact impact)
{
    if (impact.contact < shortest->contact)
        *shortest = impact;
}

/* Fluids and bodies that can break are left out: nothing rebounds from a fluid, and fracture takes
 * more energy than any integrator. */
static struct impact shortest_impact(const struct run *run)
{
    struct impact shortest = {.contact = INFINITY};
    const struct scene *scene = &run->scene;
    const struct body_wave *wave = run->simulation.waves.body;
    for (size_t a = 0; a < scene->n_bodies; a++) {
        if (!rebounds(run, a))
            continue;
        for (size_t b = 0; b < scene->n_bodies; b++) {
            if (b == a || scene_body_flows(scene, b) ||
                material_breaks(scene_material_of(scene, b)))
                continue;
            double slower = rebounds(run, b) ? fmax(wave[a].body, wave[b].body) : wave[a].body;
            keep_shorter(&shortest, (struct impact){scene->body[a].name, scene->body[b].name,
                                                    "body", 2.0 * slower});
        }
        for (size_t w = 0; w < scene->n_walls; w++)
            if (scene->wall[w].holds == HOLDS_ALL)
                keep_shorter(&shortest, (struct impact){scene->body[a].name, scene->wall[w].name,
                                                        "wall", 2.0 * wave[a].body});
    }
    return shortest;
}

void run_say_rebound(const struct run *run, say_line *say)
{
    const struct scene *scene = &run->scene;
    double dt = scene->time.max_step;
    char line[LINE];
    if (scene->solver.integrator != INTEGRATOR_BACKWARD_EULER ||
        scene->contact.method == CONTACT_NONE)
        return;
    struct impact impact = shortest_impact(run);
    if (!isfinite(impact.contact) || dt <= resolution_rebound_step(impact.contact))
        return;
    snprintf(
        line, sizeof line,
        "warning: an impact of body \"%.64s\" on %s \"%.64s\" lasts about %.2g s, %.2g steps of "
        "time.max_step: backward-euler would leave the rebound some %.2g %% of its energy; "
        "solver.integrator: newmark keeps it; steps would have to be below %.1g s",
        impact.body, impact.kind, impact.other, impact.contact, impact.contact / dt,
        100.0 * resolution_rebound_kept(dt, impact.contact),
        resolution_rebound_step(impact.contact));
    say(line);
}

static void warn_of_instability(const struct measure_row *row, say_line *say)
{
    char line[LINE];
    if (row->unstable == 0.0)
        return;
    snprintf(line, sizeof line,
             "warning: unstable: energy_gain %.3g, speed_ratio %.3g; contact made %.3g J out of "
             "nowhere",
             row->energy_gain, row->speed_ratio, row->energy_created);
    say(line);
}

static void warn_of_sticking(const struct measure_row *row, say_line *say)
{
    char line[LINE];
    if (row->sticking == 0.0)
        return;
    if (row->interlocked > 0.0)
        snprintf(line, sizeof line,
                 "warning: sticking: bodies are interlocked, %.0f pairs of particles with a center "
                 "inside the other; shorter steps or slower bodies would part",
                 row->interlocked);
    else
        snprintf(
            line, sizeof line,
            "warning: sticking: bodies have touched for %.3g s though nothing holds them; they "
            "should have parted within %.3g s",
            row->free_contact_time, row->separation_time);
    say(line);
}

static void warn_of_interlocking(const struct run *run, say_line *say)
{
    const struct measure_row *row = &run->last;
    char line[LINE];
    if (row->interlocked_steps == 0.0 || row->interlocked > 0.0)
        return;
    snprintf(line, sizeof line,
             "warning: after %.0f of %llu steps bodies were interlocked, with centers of particles "
             "inside others (interlocked_steps)",
             row->interlocked_steps, (unsigned long long)run->simulation.step);
    say(line);
}

static void warn_of_dissipation(const struct measure_row *row, say_line *say)
{
    char line[LINE];
    if (row->numerical_dissipation_fraction <= resolution_fraction_limit)
        return;
    snprintf(
        line, sizeof line,
        "warning: the time integrator dissipated %.3g %% of the energy since the impact "
        "(numerical_dissipation_fraction); shorter steps would keep more of it, and for elastic "
        "bodies solver.integrator: newmark",
        100.0 * row->numerical_dissipation_fraction);
    say(line);
}

static void warn_of_beyond_radius_steps(const struct run *run, say_line *say)
{
    const struct measure_row *row = &run->last;
    unsigned long long steps = run->simulation.step;
    char line[LINE];
    if (run->simulation.scene->time.courant > 1.0)
        return; /* a factor above 1 asks for such steps */
    if (run->simulation.cfl_rule->limits_approach && row->relative_displacement_steps > 0.0)
        snprintf(
            line, sizeof line,
            "warning: in %.0f of %llu steps two particles nearly in touch moved by more than "
            "a radius relative to each other (relative_displacement_steps); lower time.courant",
            row->relative_displacement_steps, steps);
    else if (!run->simulation.cfl_rule->limits_approach && row->beyond_radius_steps > 0.0)
        snprintf(line, sizeof line,
                 "warning: in %.0f of %llu steps a particle moved by more than its radius "
                 "(beyond_radius_steps); lower time.courant",
                 row->beyond_radius_steps, steps);
    else
        return;
    say(line);
}

void run_say_warnings(const struct run *run, say_line *say)
{
    warn_of_instability(&run->last, say);
    warn_of_sticking(&run->last, say);
    warn_of_interlocking(run, say);
    warn_of_dissipation(&run->last, say);
    warn_of_beyond_radius_steps(run, say);
}
