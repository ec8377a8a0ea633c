#include "analysis/section.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum status plane_create(struct vec3 normal, double offset, struct plane *plane,
                         struct error *error)
{
    double length = vec3_norm(normal);
    if (!isfinite(length) || length == 0.0 || !isfinite(offset))
        return error_set(error, STATUS_INVALID,
                         "a plane needs a normal other than 0,0,0 and finite numbers");
    struct vec3 n = vec3_scale(1.0 / length, normal);
    bool horizontal = fabs(n.z) > 1.0 - 1e-9;
    struct vec3 high = horizontal ? vec3(0, 1, 0) : vec3(0, 0, 1);
    struct vec3 up = vec3_axpy(high, -vec3_dot(high, n), n);
    up = vec3_scale(1.0 / vec3_norm(up), up);
    struct vec3 right = vec3_cross(n, up);
    if (right.x < -1e-12 || (fabs(right.x) <= 1e-12 && right.y < 0.0))
        right = vec3_scale(-1.0, right);
    struct vec3 away = vec3_cross(up, right);
    *plane = (struct plane){n, offset, right, up, away};
    return STATUS_OK;
}

double plane_depth(const struct plane *plane, struct vec3 x)
{
    double distance = vec3_dot(plane->normal, x) - plane->offset;
    return vec3_dot(plane->away, plane->normal) > 0.0 ? distance : -distance;
}

static int compare_depths(const void *left, const void *right)
{
    const struct section_particle *a = left, *b = right;
    if (a->depth != b->depth)
        return a->depth > b->depth ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

enum status section_create(const struct vec3 *position, size_t n, const uint8_t *hidden,
                           const struct plane *plane, double thickness, struct section *section,
                           struct error *error)
{
    *section = (struct section){0};
    if (array_create(&section->particle, n, sizeof *section->particle, "a section", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++) {
        struct vec3 x = position[i];
        double depth = plane_depth(plane, x);
        if (hidden && hidden[i])
            continue;
        if (!vec3_finite(x))
            section->n_not_finite++;
        else if (fabs(depth) <= 0.5 * thickness)
            section->particle[section->n++] = (struct section_particle){
                (uint32_t)i, vec3_dot(plane->right, x), vec3_dot(plane->up, x), depth};
    }
    qsort(section->particle, section->n, sizeof *section->particle, compare_depths);
    return STATUS_OK;
}

void section_free(struct section *section)
{
    free(section->particle);
    *section = (struct section){0};
}

static void print_number(FILE *stream, double value)
{
    char text[NUMBER_TEXT];
    fprintf(stream, "%s,", number_format(value, text));
}

static void print_particle(FILE *stream, const struct section_particle *s,
                           const struct frame *frame)
{
    const struct particles *p = &frame->particles;
    const float *damage = frame_state(frame, "damage");
    uint32_t i = s->id;
    fprintf(stream, "%" PRIu32 ",", i);
    print_number(stream, s->u);
    print_number(stream, s->v);
    print_number(stream, s->depth);
    print_number(stream, p->radius[i]);
    csv_print_text(stream, frame->body_name[p->body[i]]);
    fputc(',', stream);
    print_number(stream, vec3_norm(p->velocity[i]));
    fprintf(stream, "%" PRIu32 ",", frame->group ? frame->group[i] : i);
    fprintf(stream, "%" PRIu32 ",", frame->fragment ? frame->fragment[i] : i);
    print_number(stream, damage ? (double)damage[i] : 0.0);
    fprintf(stream, "%" PRIu32, frame->penetrated ? frame->penetrated[i] : 0);
}

void section_print(FILE *stream, const struct section *section, const struct frame *frame,
                   const struct frame *initial)
{
    char text[NUMBER_TEXT];
    fprintf(stream, "id,u,v,depth,radius,body,speed,group,fragment,damage,penetrated%s\n",
            initial ? ",displacement" : "");
    for (size_t k = 0; k < section->n; k++) {
        uint32_t i = section->particle[k].id;
        print_particle(stream, &section->particle[k], frame);
        if (initial) {
            struct vec3 way =
                vec3_sub(frame->particles.position[i], initial->particles.position[i]);
            fprintf(stream, ",%s", number_format(vec3_norm(way), text));
        }
        fputc('\n', stream);
    }
}
