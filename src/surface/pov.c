#include "surface/pov.h"

#include "base/number.h"
#include "surface/coloring.h"

#include <math.h>
#include <stddef.h>

static bool is_hidden(const struct particles *p, const uint8_t *hidden, size_t i)
{
    return (hidden && hidden[i]) || !vec3_finite(p->position[i]);
}

struct camera camera_for(const struct particles *p, const uint8_t *hidden, double angle)
{
    struct vec3 low = vec3(0, 0, 0), high = low;
    double radius = 0.0;
    bool any = false;
    for (size_t i = 0; i < p->n; i++) {
        struct vec3 x = p->position[i];
        if (is_hidden(p, hidden, i))
            continue;
        low = any ? vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)) : x;
        high = any ? vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)) : x;
        radius = fmax(radius, p->radius[i]);
        any = true;
    }
    struct vec3 middle = vec3_scale(0.5, vec3_add(low, high));
    double reach = 0.5 * vec3_norm(vec3_sub(high, low)) + radius;
    /* pictures are wider than high, at most as 16 : 9, so that the vertical angle is the narrower
     * one */
    double distance = fmax(reach, 1e-9) / sin(0.5 * 9.0 / 16.0 * angle * M_PI / 180.0);
    struct vec3 towards = vec3(0.35, -1.0, 0.45);
    double scale = distance / vec3_norm(towards);
    return (struct camera){vec3_axpy(middle, scale, towards), middle, angle};
}

static void print_vector(FILE *stream, struct vec3 x)
{
    char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];
    number_write(x.x, a);
    number_write(x.y, b);
    number_write(x.z, c);
    fprintf(stream, "<%s, %s, %s>", a, b, c);
}

/* POV-Ray's world is left-handed; a mirrored `right` makes it ours. */
static void print_camera(FILE *stream, const struct camera *camera)
{
    fputs("camera {\n  perspective\n  location ", stream);
    print_vector(stream, camera->location);
    fputs("\n  sky <0, 0, 1>\n  right -x * image_width / image_height\n", stream);
    fprintf(stream, "  angle %.9g\n  look_at ", camera->angle);
    print_vector(stream, camera->look_at);
    fputs("\n}\n", stream);
}

/* Two lights far away, so that shadows are the same for any size of the scene. */
static void print_lights(FILE *stream, const struct camera *camera)
{
    struct vec3 view = vec3_sub(camera->location, camera->look_at);
    double far = 100.0 * vec3_norm(view);
    fputs("light_source { ", stream);
    print_vector(stream, vec3_axpy(camera->look_at, far, vec3(0.5, -0.6, 1.0)));
    fputs(", rgb 1.0 parallel point_at ", stream);
    print_vector(stream, camera->look_at);
    fputs(" }\nlight_source { ", stream);
    print_vector(stream, vec3_axpy(camera->look_at, 100.0, view));
    fputs(", rgb 0.35 shadowless }\n", stream);
}

/* Prints the particles of one color. A single one is no union, of which POV-Ray would warn. */
static void print_color(FILE *stream, const struct particles *p, const uint8_t *color,
                        uint8_t this_color, size_t count, const uint8_t *hidden)
{
    char radius[NUMBER_TEXT];
    fputs(count > 1 ? "union {\n" : "object {\n", stream);
    for (size_t i = 0; i < p->n; i++) {
        if (color[i] != this_color || is_hidden(p, hidden, i))
            continue;
        number_write(p->radius[i], radius);
        fputs("sphere{", stream);
        print_vector(stream, p->position[i]);
        fprintf(stream, ",%s}\n", radius);
    }
    unsigned rgb = color_rgb(this_color);
    fprintf(stream,
            "texture { pigment { srgb <%u, %u, %u> / 255 } finish { Particle_Finish } } }\n",
            rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
}

void pov_print_spheres(FILE *stream, const struct particles *p, const uint8_t *color,
                       const uint8_t *hidden)
{
    size_t count[COLORS] = {0};
    for (size_t i = 0; i < p->n; i++)
        count[color[i]] += !is_hidden(p, hidden, i);
    fputs("#ifndef (Particle_Finish)\n#declare Particle_Finish = "
          "finish { ambient 0.12 diffuse 0.75 specular 0.15 roughness 0.05 }\n#end\n",
          stream);
    for (uint8_t c = 0; c < COLORS; c++)
        if (count[c] > 0)
            print_color(stream, p, color, c, count[c], hidden);
}

void pov_print_scene(FILE *stream, const struct particles *p, const uint8_t *color,
                     const uint8_t *hidden, const struct camera *camera)
{
    fputs("#version 3.7;\nglobal_settings { assumed_gamma 1.0 }\nbackground { rgb 1.0 }\n", stream);
    print_camera(stream, camera);
    print_lights(stream, camera);
    pov_print_spheres(stream, p, color, hidden);
}

void pov_print_smoke(FILE *stream, const struct puffs *puffs)
{
    char radius[NUMBER_TEXT];
    if (puffs->n == 0)
        return;
    fputs("#ifndef (Smoke_Texture)\n#declare Smoke_Texture = texture { pigment { rgbt <0.25, 0.25, "
          "0.27, 0.4> } finish { ambient 0.3 diffuse 0.6 } }\n#end\n",
          stream);
    fputs(puffs->n > 1 ? "union {\n" : "object {\n", stream);
    for (size_t i = 0; i < puffs->n; i++) {
        number_write(0.125 * (double)puffs->radius[i], radius);
        fputs("sphere{", stream);
        print_vector(stream, puffs->position[i]);
        fprintf(stream, ",%s}\n", radius);
    }
    fputs("texture { Smoke_Texture } no_shadow }\n", stream);
}

void pov_print_ground(FILE *stream, double height)
{
    char text[NUMBER_TEXT];
    number_write(height, text);
    fprintf(stream,
            "plane { <0, 0, 1>, %s texture { pigment { rgb 0.9 } finish { ambient 0.25 diffuse 0.7 "
            "} } }\n",
            text);
}
