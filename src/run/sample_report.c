#include "run/sample_report.h"

#include "base/memory.h"
#include "sample/sample_warnings.h"
#include "shape/placed_solid.h"
#include "step/memory_need.h"

#include <stdlib.h>

/* Body b and the copies that follow it. */
static size_t n_copies(const struct scene *scene, size_t b)
{
    size_t n = 1;
    while (b + n < scene->n_bodies && scene->body[b + n].copy > 0)
        n++;
    return n;
}

/* The name of body b, "brick-1 to brick-1000" of copies. */
static void body_text(const struct scene *scene, size_t b, char *text, size_t size)
{
    const size_t n = n_copies(scene, b);
    if (n == 1)
        snprintf(text, size, "%s", scene->body[b].name);
    else
        snprintf(text, size, "%.140s to %.140s", scene->body[b].name, scene->body[b + n - 1].name);
}

/* The particles of a body, or of the copies of one, that have come and not gone. */
struct place {
    size_t n;
    struct vec3 low, high; /* of their surfaces, m */
};

/* Releases nothing on failure; (n_bodies). Those of copies are in that of the first. */
static enum status places_create(struct place **place, const struct scene *scene,
                                 const struct particles *p, struct error *error)
{
    size_t *first = NULL;
    enum status status = array_create(place, scene->n_bodies, sizeof **place, "bodies", error);
    if (!status)
        status = array_create(&first, scene->n_bodies, sizeof *first, "bodies", error);
    for (size_t b = 1; b < scene->n_bodies && !status; b++)
        first[b] = scene->body[b].copy > 0 ? first[b - 1] : b;
    for (size_t i = 0; i < p->n && !status; i++) {
        struct place *a = &(*place)[first[p->body[i]]];
        const struct vec3 x = p->position[i], r = vec3(p->radius[i], p->radius[i], p->radius[i]);
        const struct vec3 low = vec3_sub(x, r), high = vec3_add(x, r);
        if (p->state[i] == PARTICLE_GONE)
            continue;
        const struct place before = a->n++ ? *a : (struct place){0, low, high};
        a->low =
            vec3(fmin(before.low.x, low.x), fmin(before.low.y, low.y), fmin(before.low.z, low.z));
        a->high = vec3(fmax(before.high.x, high.x), fmax(before.high.y, high.y),
                       fmax(before.high.z, high.z));
    }
    free(first);
    return status;
}

/* Without what rounding makes of zero. */
static struct vec3 without_rounding(struct vec3 corner, double size)
{
    const double least = 1e-6 * size;
    return vec3(fabs(corner.x) < least ? 0.0 : corner.x, fabs(corner.y) < least ? 0.0 : corner.y,
                fabs(corner.z) < least ? 0.0 : corner.z);
}

static void place_print(FILE *stream, const struct place *place)
{
    const double size = vec3_norm(vec3_sub(place->high, place->low));
    const struct vec3 a = without_rounding(place->low, size);
    const struct vec3 b = without_rounding(place->high, size);
    if (place->n > 0)
        fprintf(stream, "[%.4g, %.4g] x [%.4g, %.4g] x [%.4g, %.4g]\n", a.x, b.x, a.y, b.y, a.z,
                b.z);
    else
        fputs("all gone\n", stream);
}

static void bodies_print(FILE *stream, const struct scene *scene, const struct sample *sample,
                         const struct place *place)
{
    fprintf(stream, "%-24s %10s %13s %9s %10s  %-26s %s\n", "body", "particles", "volume", "error",
            "thinnest", "size", "place");
    fprintf(stream, "%-24s %10s %13s %9s %10s  %-26s %s\n", "", "", "m^3", "%", "spacings", "m",
            "m");
    for (size_t b = 0; b < scene->n_bodies; b += n_copies(scene, b)) {
        const struct sample_report *report = &sample->report[b];
        char name[300], size[80];
        body_text(scene, b, name, sizeof name);
        snprintf(size, sizeof size, "%.4g x %.4g x %.4g", report->extent.x, report->extent.y,
                 report->extent.z);
        fprintf(stream, "%-24s %10zu %13.6g %9.3f %10.2f  %-26s ", name, report->particles,
                report->volume, 100 * report->volume_error,
                report->thinnest / (2 * scene->body[b].radius), size);
        place_print(stream, &place[b]);
    }
    for (size_t b = 0; b < scene->n_bodies; b += n_copies(scene, b))
        if (sample->report[b].left_out > 0)
            fprintf(stream, "%s: triangles without area, left out of its mesh: %zu\n",
                    scene->body[b].name, sample->report[b].left_out);
}

/* How large the walls are, and where: the units of a mesh show there. */
static enum status walls_print(FILE *stream, const struct scene *scene, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t w = 0; w < scene->n_walls && !status; w++) {
        const struct wall *wall = &scene->wall[w];
        struct placed_solid solid = {0};
        status = placed_solid_create(&solid, &wall->region, error);
        if (!status) {
            const struct vec3 size = vec3_sub(solid.high, solid.low);
            const struct place place = {1, solid.low, solid.high};
            char text[80];
            snprintf(text, sizeof text, "%.4g x %.4g x %.4g", size.x, size.y, size.z);
            fprintf(stream, "wall %-67s %-26s ", wall->name, text);
            place_print(stream, &place);
        }
        placed_solid_free(&solid);
    }
    return status;
}

enum status bodies_report_print(FILE *stream, const struct scene *scene,
                                const struct particles *particles, struct error *error)
{
    struct place *place = NULL;
    enum status status = places_create(&place, scene, particles, error);
    if (!status)
        fprintf(stream, "%-24s %10s  %s\n%-24s %10s  %s\n", "body", "particles", "place", "", "",
                "m");
    for (size_t b = 0; b < scene->n_bodies && !status; b += n_copies(scene, b)) {
        char name[300];
        body_text(scene, b, name, sizeof name);
        fprintf(stream, "%-24s %10zu  ", name, place[b].n);
        place_print(stream, &place[b]);
    }
    free(place);
    return status;
}

/* What cracks in the bodies cost, all zero for those that cannot break (scene->n_bodies). */
static enum status fracture_find(const struct scene *scene, const struct sample *sample,
                                 struct fracture_report **report, struct error *error)
{
    enum status status =
        array_create(report, scene->n_bodies, sizeof **report, "reports on bodies", error);
    for (size_t b = 0, first = 0; b < scene->n_bodies && !status; b++) {
        const struct material *material = scene_material_of(scene, b);
        const size_t n = sample->report[b].particles;
        if (material_breaks(material))
            status = material->model->fracture(&scene->body[b], material, n,
                                               sample->rest_position + first, &(*report)[b], error);
        first += n;
    }
    return status;
}

/* At which strain the bonds of bodies that can break do so, and what a crack across them costs. */
static void fracture_print(FILE *stream, const struct scene *scene,
                           const struct fracture_report *report)
{
    bool any = false;
    for (size_t b = 0; b < scene->n_bodies; b += n_copies(scene, b)) {
        if (!material_breaks(scene_material_of(scene, b)))
            continue;
        if (!any)
            fprintf(stream, "%-24s %10s   %s\n%-24s %10s   %s\n", "bodies that can break",
                    "critical", "a crack across its x, y, z axis costs", "", "stretch", "J/m^2");
        fprintf(stream, "%-24s %10.4g   %.4g, %.4g, %.4g\n", scene->body[b].name,
                report[b].critical_stretch, report[b].energy[0], report[b].energy[1],
                report[b].energy[2]);
        any = true;
    }
}

enum status sample_report_print(FILE *stream, const struct config *config,
                                const struct scene *scene, const struct sample *sample,
                                struct error *error)
{
    char *text = NULL;
    struct fracture_report *fracture = NULL;
    struct place *place = NULL;
    enum status status = config_effective(config, &text, error);
    if (!status)
        status = fracture_find(scene, sample, &fracture, error);
    if (!status)
        status = places_create(&place, scene, &sample->particles, error);
    if (!status) {
        bodies_print(stream, scene, sample, place);
        status = walls_print(stream, scene, error);
    }
    if (!status) {
        fprintf(stream, "memory to simulate: about %.2g GB\n",
                memory_need(scene, &sample->particles, sample->rest_position) / 1e9);
        fracture_print(stream, scene, fracture);
        sample_print_warnings(stream, scene, sample, fracture, text);
    }
    free(place);
    free(fracture);
    free(text);
    return status;
}
