/* The diffuse particles of a section. */
#include "analysis/frame_diffuse.h"
#include "analysis/section.h"
#include "base/number.h"
#include "store/frame_scene.h"

#include <inttypes.h>

static void print_number(FILE *stream, double value)
{
    char text[NUMBER_TEXT];
    fprintf(stream, "%s,", number_format(value, text));
}

static void print_rows(FILE *stream, const struct section *section, const struct frame *frame,
                       const struct frame_diffuse *d, const struct scene *scene, bool displaced)
{
    for (size_t k = 0; k < section->n; k++) {
        const struct section_particle *s = &section->particle[k];
        const uint64_t id = frame->particles.n + s->id;
        fprintf(stream, "%" PRIu64 ",", id);
        print_number(stream, s->u);
        print_number(stream, s->v);
        print_number(stream, s->depth);
        fprintf(stream, "0,diffuse.%s,", scene->diffuse[d->source[s->id]].name);
        print_number(stream, vec3_norm(d->velocity[s->id]));
        fprintf(stream, "%" PRIu64 ",%" PRIu64 ",0,0%s\n", id, id, displaced ? ",nan" : "");
    }
}

enum status section_print_diffuse(FILE *stream, const struct frame *frame, const char *path,
                                  const struct plane *plane, double thickness, bool displaced,
                                  struct error *error)
{
    struct frame_diffuse d;
    struct section section = {0};
    struct scene scene = {0};
    enum status status = frame_diffuse_find(frame, &d, error);
    if (status)
        return error_prefix(error, "%s", path);
    if (d.n == 0)
        return STATUS_OK;
    status = frame_scene(frame, path, &scene, error);
    if (!status)
        status = frame_diffuse_check(&d, scene.n_diffuse, error);
    if (!status)
        status = section_create(d.position, d.n, NULL, plane, thickness, &section, error);
    if (!status)
        print_rows(stream, &section, frame, &d, &scene, displaced);
    section_free(&section);
    scene_free(&scene);
    return status;
}
