/* Elastic waves against the length of steps. */
#include "config/contact_method.h"
#include "measure/resolution.h"
#include "run/advice.h"
#include "run/warning_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a wave does in a body that moves; empty for others. */
static void describe_wave(const struct run *run, size_t b, char text[static 200])
{
    const struct body_wave *wave = &run->simulation.waves.body[b];
    const double dt = run->scene.time.max_step;
    text[0] = '\0';
    if (wave->speed > 0.0 && wave->moves)
        snprintf(text, 200,
                 "a wave of %.3g m/s takes %.3g steps of time.max_step, %g s, through a particle, "
                 "%.3g through the body",
                 wave->speed, wave->particle / dt, dt, wave->body / dt);
}

/* Copies of a body stand one after the other; one line is for all that are alike. */
void run_say_waves(const struct run *run, say_line *say, void *context)
{
    const size_t n = run->simulation.waves.n_bodies;
    char own[200], next[200], to[80], line[400];
    for (size_t b = 0, end; b < n; b = end) {
        describe_wave(run, b, own);
        for (end = b + 1; end < n; end++) {
            describe_wave(run, end, next);
            if (strcmp(own, next) != 0)
                break;
        }
        if (!own[0])
            continue;
        snprintf(to, sizeof to, " to \"%.64s\"", run->scene.body[end - 1].name);
        snprintf(line, sizeof line, "body \"%.64s\"%s: %s", run->scene.body[b].name,
                 end > b + 1 ? to : "", own);
        say(context, line);
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

/* How long a wave goes through a body that another one may hit, s: as the slower of the two, if it
 * rebounds itself; infinity if nothing rebounds from it. Fluids and bodies that can break are left
 * out: nothing rebounds from a fluid, and fracture takes more energy than any integrator. */
static double time_in_partner(const struct run *run, size_t b)
{
    const struct scene *scene = &run->scene;
    if (scene_body_flows(scene, b) || material_breaks(scene_material_of(scene, b)))
        return (double)INFINITY;
    return rebounds(run, b) ? run->simulation.waves.body[b].body : 0.0;
}

static double time_of_impact(const struct run *run, size_t a, size_t b)
{
    return 2.0 * fmax(run->simulation.waves.body[a].body, time_in_partner(run, b));
}

/* The partner whose time is the least, but for one; n_bodies: there is none. */
static size_t quickest_partner(const struct run *run, size_t but)
{
    size_t n = run->scene.n_bodies, found = n;
    double least = (double)INFINITY;
    for (size_t b = 0; b < n; b++) {
        double time = time_in_partner(run, b);
        if (b != but && time < least) {
            least = time;
            found = b;
        }
    }
    return found;
}

/* The first of those whose impact with a is over as soon as that with `quickest`. */
static const char *name_of_partner(const struct run *run, size_t a, size_t quickest)
{
    size_t b = 0;
    while (b == a || time_of_impact(run, a, b) > time_of_impact(run, a, quickest))
        b++;
    return run->scene.body[b].name;
}

static struct impact shortest_impact(const struct run *run)
{
    const struct scene *scene = &run->scene;
    const size_t n = scene->n_bodies, first = quickest_partner(run, n);
    const size_t second = quickest_partner(run, first);
    struct impact shortest = {.contact = INFINITY};
    size_t body = n;
    for (size_t a = 0; a < n; a++) {
        if (!rebounds(run, a))
            continue;
        const size_t b = a == first ? second : first;
        const double wave = 2.0 * run->simulation.waves.body[a].body;
        if (b < n && time_of_impact(run, a, b) < shortest.contact) {
            shortest =
                (struct impact){scene->body[a].name, NULL, "body", time_of_impact(run, a, b)};
            body = a;
        }
        for (size_t w = 0; w < scene->n_walls; w++)
            if (scene->wall[w].holds == HOLDS_ALL && wave < shortest.contact)
                shortest = (struct impact){scene->body[a].name, scene->wall[w].name, "wall", wave};
    }
    if (!shortest.other && body < n)
        shortest.other = name_of_partner(run, body, body == first ? second : first);
    return shortest;
}

/* A swing of less than this fraction is not worth a word. */
static const double swing_limit = 1e-3;

/* Verlet's method keeps an energy that is less than the true one by (dt omega)^2 / 4 of the elastic
 * energy of each mode: 0.08 of the square of the step over the time of a wave through a particle is
 * between 0.9 and 1.5 of what two balls gain while they touch. */
static void warn_of_swing(const struct run *run, const struct impact *impact,
                          const struct listener *to)
{
    double wave = run->simulation.waves.particle, dt = fmin(run->scene.time.max_step, wave);
    double gain = 0.08 * dt * dt / (wave * wave);
    if (gain > swing_limit)
        warn(
            to, "rebound",
            "in an impact of body \"%.64s\" on %s \"%.64s\" the energy that verlet keeps swings by "
            "some %.2g %% in steps of %.2g s, and comes back; steps below %.1g s would keep it to "
            "%g %%",
            impact->body, impact->kind, impact->other, 100.0 * gain, dt,
            wave * sqrt(swing_limit / 0.08), 100.0 * swing_limit);
}

static void warn_of_loss(const struct run *run, const struct impact *impact,
                         const struct listener *to)
{
    double dt = run->scene.time.max_step;
    if (dt <= resolution_rebound_step(impact->contact))
        return;
    warn(to, "rebound",
         "an impact of body \"%.64s\" on %s \"%.64s\" lasts about %.2g s, %.2g steps of "
         "time.max_step, and backward-euler would leave the rebound some %.2g %% of its energy; "
         "%ssteps would have to be below %.1g s",
         impact->body, impact->kind, impact->other, impact->contact, impact->contact / dt,
         100.0 * resolution_rebound_kept(dt, impact->contact),
         advice_newmark(run, to) ? "solver.integrator: newmark keeps it; " : "",
         resolution_rebound_step(impact->contact));
}

void warn_of_rebound(const struct run *run, const struct listener *to)
{
    const struct scene *scene = &run->scene;
    if (!contact_has(scene->contact.method, METHOD_MEETS))
        return;
    struct impact impact = shortest_impact(run);
    if (!isfinite(impact.contact))
        return;
    if (scene->solver.integrator == INTEGRATOR_BACKWARD_EULER)
        warn_of_loss(run, &impact, to);
    else if (scene->solver.integrator == INTEGRATOR_VERLET)
        warn_of_swing(run, &impact, to);
}
