#include "sample/sample_warnings.h"

#include "config/config.h"
#include "config/contact_method.h"
#include "config/material_model.h"

#include <math.h>
#include <stdlib.h>

/* A body that weighs more or less than its shape by this fraction is warned of. */
static const double worth_a_word = 0.03;

/* Layers of particles without which a part does not bend as a solid does. */
static const double least_layers = 3.0;

/* A body whose cracks cost less than this fraction of what was asked for is warned of. */
static const double least_cost = 0.8;

static bool is_taken(const char *text, const char *body)
{
    char setting[160], *changed;
    struct error error = {0};
    snprintf(setting, sizeof setting, "bodies.%.100s.mass_from=volume", body);
    bool taken = config_with(text, setting, &changed, &error) == STATUS_OK;
    free(changed);
    return taken;
}

static void warn_of_mass(FILE *stream, const struct body *body, const struct sample_report *report,
                         const char *text)
{
    double error = report->volume_error;
    if (body->density == 0.0 || body->mass_from == MASS_FROM_VOLUME || fabs(error) <= worth_a_word)
        return;
    fprintf(stream,
            "warning: mass: body \"%s\" weighs %.3g kg, %.1f %% %s than its density and volume "
            "say; smaller particles%s would be right\n",
            body->name, (double)report->particles * body->particle_mass, 100.0 * fabs(error),
            error > 0.0 ? "more" : "less",
            is_taken(text, body->name) ? ", or mass_from: volume," : "");
}

/* Only parts of solids that deform count; a model without parameters has no forces. */
static void warn_of_thin_parts(FILE *stream, const struct body *body,
                               const struct material *material, const struct sample_report *report)
{
    double layers = report->thinnest / (2.0 * body->radius);
    const struct material_model *model = material->model;
    bool deforms = !model->flows && !model->rigid && model->n_keys > 0;
    if (body->shape.kind == SHAPE_SHEET || body->sampling.method == SAMPLING_VERTICES || !deforms ||
        (body->fixed & FIXED_ALL) || layers >= least_layers * (1.0 - 1e-9))
        return;
    fprintf(stream,
            "warning: thin: body \"%s\" has parts of %.3g layers of particles, %.3g m thick; %g "
            "layers, particles of radius %.2g m, would bend as a solid does\n",
            body->name, layers, report->thinnest, least_layers,
            report->thinnest / (2.0 * least_layers));
}

/* The dearest of cracks across the axes counts: others also lack bonds in a thick body that is
 * flat. */
static void warn_of_cheap_cracks(FILE *stream, const struct body *body,
                                 const struct fracture_report *report)
{
    const double *energy = report->energy;
    const double most = fmax(energy[0], fmax(energy[1], energy[2]));
    if (isinf(report->asked) || most >= least_cost * report->asked)
        return;
    fprintf(
        stream,
        "warning: cracks: a crack through body \"%s\" costs at most %.2g of the fracture energy "
        "of its material, because bonds are missing at its surfaces; a fracture_energy %.3g "
        "times as large, or more layers of particles, would be right\n",
        body->name, most / report->asked, report->asked / most);
}

/* Longest step, over d / sqrt(g H), with which water at rest of the depth H keeps its volume by a
 * solved pressure. A step takes the directions of its forces from where particles were: beyond this
 * they push each other past one another, and a tank falls together. Tried with 16 to 67 layers and
 * steps of 1.5 to 5 ms: 0.38 always holds, 0.47 with 33 layers and not with 67, 0.54 with neither,
 * whatever the tolerances. */
static const double most_of_wave = 0.4;

/* How far apart the highest and the lowest particle of a body are along gravity, m; 0: there is no
 * gravity. What waits upstream of an inlet does not count. */
static double depth_of(const struct scene *scene, const struct particles *p, uint32_t body)
{
    const double gravity = vec3_norm(scene->gravity);
    const struct vec3 down = vec3_scale(gravity > 0.0 ? 1.0 / gravity : 0.0, scene->gravity);
    double low = -(double)INFINITY, high = (double)INFINITY;
    if (!(gravity > 0.0))
        return 0.0;
    for (size_t i = 0; i < p->n; i++) {
        if (p->body[i] != body || p->state[i] != PARTICLE_FREE)
            continue;
        const double at = vec3_dot(down, p->position[i]);
        low = fmax(low, at + p->radius[i]);
        high = fmin(high, at - p->radius[i]);
    }
    return low > high ? low - high : 0.0;
}

/* Of a fluid whose pressure is solved for, where steps are as long as they may be. */
static void warn_of_depth(FILE *stream, const struct scene *scene, const struct particles *p,
                          uint32_t body)
{
    const double gravity = vec3_norm(scene->gravity);
    const bool solved = scene_material_of(scene, body)->model->viscosity != NULL;
    const double depth = solved ? depth_of(scene, p, body) : 0.0;
    const double most = 2.0 * scene->body[body].radius * most_of_wave / sqrt(gravity * depth);
    if (depth > 0.0 && scene->time.max_step > most)
        fprintf(stream,
                "warning: deep: fluid \"%s\" is %.3g m deep, and at the pressure there its "
                "particles push each other past one another in steps of more than %.2g s; "
                "time.max_step, %g s, of at most that would be right\n",
                scene->body[body].name, depth, most, scene->time.max_step);
}

/* The mass of the lightest particle that is not fixed, kg. */
static double lightest(const struct particles *p)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < p->n; i++)
        if (p->state[i] != PARTICLE_FIXED)
            least = fmin(least, p->mass[i]);
    return least;
}

/* The mass of a body's particles, kg. */
static double mass_of(const struct particles *p, uint32_t body)
{
    size_t i = 0;
    while (p->body[i] != body)
        i++;
    return p->mass[i];
}

/* Constraints of positions have one denominator, that of the lightest particles, by which
 * corrections of those R times as heavy are R times too small. In m iterations a fluid of depth H
 * and spacing d is compressed by its own weight as H g dt^2 R / (d^2 m) grows: by 10 % at 0.26,
 * with 4 iterations and R = 8, and with 16 and R = 33. */
static void warn_of_crushing(FILE *stream, const struct scene *scene, const struct particles *p,
                             uint32_t body)
{
    static const double most = 0.26;
    const struct body *fluid = &scene->body[body];
    const double ratio = mass_of(p, body) / lightest(p), spacing = 2.0 * fluid->radius;
    const double step = scene->time.max_step, iterations = (double)scene->position.iterations;
    if (!contact_has(scene->contact.method, METHOD_POSITIONS) || ratio < 2.0 ||
        !scene_body_flows(scene, body))
        return;
    const double falls = vec3_norm(scene->gravity) * step * step * depth_of(scene, p, body);
    const double needed = falls * ratio / (spacing * spacing * most);
    if (needed > iterations)
        fprintf(stream,
                "warning: crushed: particles of fluid \"%s\" are %.3g times as heavy as the "
                "lightest here, and %g iterations let its weight compress it by more than a tenth; "
                "%.0f (position.iterations), or time.max_step of %.2g s, would be right\n",
                fluid->name, ratio, iterations, ceil(needed), step * sqrt(iterations / needed));
}

void sample_print_warnings(FILE *stream, const struct scene *scene, const struct sample *sample,
                           const struct fracture_report *fracture, const char *text)
{
    for (size_t b = 0; b < scene->n_bodies; b++) {
        const struct sample_report *report = &sample->report[b];
        if (scene->body[b].copy > 0)
            continue;
        warn_of_mass(stream, &scene->body[b], report, text);
        warn_of_thin_parts(stream, &scene->body[b], scene_material_of(scene, b), report);
        warn_of_cheap_cracks(stream, &scene->body[b], &fracture[b]);
        warn_of_depth(stream, scene, &sample->particles, (uint32_t)b);
        warn_of_crushing(stream, scene, &sample->particles, (uint32_t)b);
    }
}
