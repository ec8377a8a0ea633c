#include "frame_random.h"
#include "surface/coloring.h"
#include "surface/pov.h"
#include "tap.h"

TEST(the_default_camera_sees_every_particle)
{
    for (int i = 0; i < 200; i++) {
        struct frame frame = random_frame(20, 0);
        struct camera camera = camera_for(&frame.particles, NULL, 40.0);
        struct vec3 view = vec3_sub(camera.look_at, camera.location);
        for (size_t k = 0; k < 20; k++) {
            struct vec3 x = vec3_sub(frame.particles.position[k], camera.location);
            double distance = vec3_norm(x);
            double angle = acos(vec3_dot(x, view) / (distance * vec3_norm(view)));
            angle += asin(frame.particles.radius[k] / distance);
            check(angle < 9.0 / 16.0 * 20.0 * M_PI / 180.0);
        }
        frame_free(&frame);
    }
}

enum { N = 12 };

/* Body 0 cannot break; body 1 can: a fragment of five from particle 2 on, of four from 7, debris.
 */
static const uint32_t bodies[N] = {0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const uint32_t fragments[N] = {0, 0, 2, 2, 2, 2, 2, 7, 7, 7, 7, 11};
static const enum body_kind kind[2] = {BODY_LASTS, BODY_BREAKS};

/* The colors of these particles, of which `fragment` says the fragments. */
static void color_fragments(const uint32_t *fragment, uint8_t color[N])
{
    struct particles p;
    check_equal(particles_create(&p, N, NULL), STATUS_OK, "status");
    memcpy(p.body, bodies, sizeof bodies);
    check_equal(color_by_fragment(&p, 2, kind, fragment, 3, color, NULL), STATUS_OK, "status");
    particles_free(&p);
}

static bool is_chunk(uint8_t color)
{
    return color >= COLOR_CHUNK && color < COLOR_DEBRIS;
}

TEST(largest_fragments_are_calm_debris_is_debris_and_all_others_are_chunks)
{
    uint8_t color[N];
    color_fragments(fragments, color);
    check_equal(color[0], COLOR_BODY, "a body that cannot break");
    check_equal(color[2], COLOR_CALM + 1, "the largest fragment");
    check(is_chunk(color[7]));
    check_equal(color[11], COLOR_DEBRIS, "debris");
    for (size_t i = 0; i < N; i++)
        check_equal(color[i], color[fragments[i]], "one fragment, one color");
}

TEST(a_chunk_keeps_its_color_when_others_break)
{
    static const uint32_t later[N] = {0, 0, 2, 2, 2, 2, 6, 7, 7, 7, 7, 11};
    static const uint32_t last[N] = {0, 0, 2, 2, 2, 5, 6, 7, 7, 7, 10, 11};
    uint8_t before[N], after[N];
    color_fragments(fragments, before);
    color_fragments(later, after);
    check_equal(after[2], COLOR_CALM + 1, "the first of two largest");
    check_equal(after[7], before[7], "a chunk");
    color_fragments(last, after);
    check_equal(after[2], COLOR_CALM + 1, "the largest, though no larger than debris");
    check_equal(after[7], COLOR_DEBRIS, "another one of that size");
}

TEST(chunks_use_all_their_colors_about_equally)
{
    enum { CHUNKS = 900 };
    struct particles p;
    uint8_t color[4 * CHUNKS + 5];
    uint32_t fragment[4 * CHUNKS + 5];
    size_t n = sizeof color, count[COLORS] = {0};
    check_equal(particles_create(&p, n, NULL), STATUS_OK, "status");
    for (uint32_t i = 0; i < n; i++)
        fragment[i] = i < 4 * CHUNKS ? i / 4 * 4 : 4 * CHUNKS;
    check_equal(color_by_fragment(&p, 1, (enum body_kind[]){BODY_BREAKS}, fragment, 3, color, NULL),
                STATUS_OK, "status");
    for (size_t i = 0; i < n; i += 4)
        count[color[i]]++;
    check_equal(count[COLOR_CALM], 2, "the largest");
    for (size_t c = COLOR_CHUNK; c < COLOR_DEBRIS; c++)
        check_close((double)count[c], 100.0, 40.0, "chunks of one color");
    memory_fail_after(1);
    check_equal(color_by_fragment(&p, 1, (enum body_kind[]){BODY_BREAKS}, fragment, 3, color, NULL),
                STATUS_FAILED, "memory");
    memory_fail_after(-1);
    particles_free(&p);
}

/* As seen in gray: Rec. 709 luminance of sRGB. */
static double luminance(uint8_t color)
{
    static const double weight[] = {0.0722, 0.7152, 0.2126};
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += weight[k] * pow((color_rgb(color) >> (8 * k) & 0xff) / 255.0, 2.2);
    return sum;
}

TEST(damage_goes_from_light_to_dark)
{
    struct particles p;
    uint8_t color[N];
    static const float damage[N] = {0.5f, 0, 0, 0.25f, 0.5f, 1, 0.01f, 0.02f, 2, -1, 0, 0};
    check_equal(particles_create(&p, N, NULL), STATUS_OK, "status");
    memcpy(p.body, bodies, sizeof bodies);
    color_by_damage(&p, kind, damage, color);
    check_equal(color[0], COLOR_CALM, "a body that cannot break");
    check_equal(color[2], COLOR_DAMAGE, "none");
    check_equal(color[3], COLOR_DAMAGE + 8, "a quarter");
    check_equal(color[4], COLOR_DAMAGE + 16, "half");
    check_equal(color[5], COLORS - 1, "all");
    check_equal(color[6], COLOR_DAMAGE, "rounded down");
    check_equal(color[7], COLOR_DAMAGE + 1, "rounded up");
    check_equal(color[8], COLORS - 1, "more than all");
    check_equal(color[9], COLOR_DAMAGE, "less than none");
    for (uint8_t c = COLOR_DAMAGE + 1; c < COLORS; c++)
        check(luminance(c) < luminance((uint8_t)(c - 1)));
    particles_free(&p);
}

TEST(a_fluid_has_its_own_color_whatever_the_others_are_colored_by)
{
    static const enum body_kind wet[2] = {BODY_FLOWS, BODY_BREAKS},
                                two[2] = {BODY_FLOWS, BODY_FLOWS};
    static const float damage[N] = {1};
    struct particles p;
    uint8_t color[3][N];
    check_equal(particles_create(&p, N, NULL), STATUS_OK, "status");
    memcpy(p.body, bodies, sizeof bodies);
    color_by_body(&p, wet, color[0]);
    color_by_damage(&p, wet, damage, color[1]);
    check_equal(color_by_fragment(&p, 2, wet, fragments, 3, color[2], NULL), STATUS_OK, "status");
    for (int c = 0; c < 3; c++) {
        check_equal(color[c][0], COLOR_FLUID, "a fluid");
        check(color[c][2] < COLOR_FLUID || color[c][2] >= COLOR_CALM);
    }
    color_by_body(&p, two, color[0]);
    check(color[0][0] != color[0][2] && color[0][2] >= COLOR_FLUID && color[0][2] < COLOR_CALM);
    particles_free(&p);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

TEST(a_scene_has_a_sphere_for_every_particle_that_is_not_hidden)
{
    struct frame frame = random_frame(50, 0);
    static char text[65536];
    uint8_t hidden[50] = {[3] = 1, [20] = 1}, color[50];
    frame.particles.position[7].x = (double)INFINITY;
    frame.particles.position[3] = vec3(1e6, 0.0, 0.0);
    for (size_t i = 0; i < 50; i++)
        frame.particles.body[i] = i == 9;
    frame.particles.body[20] = 2;
    color_by_body(&frame.particles, (enum body_kind[3]){BODY_LASTS}, color);
    struct camera camera = camera_for(&frame.particles, hidden, 35.0);
    check(vec3_finite(camera.location) && vec3_norm(camera.location) < 1e3);
    FILE *stream = fmemopen(text, sizeof text, "w");
    pov_print_scene(stream, &frame.particles, color, hidden, &camera);
    fclose(stream);
    check_equal(count(text, "sphere{"), 47, "spheres");
    check(!strstr(text, "inf") && !strstr(text, "nan"));
    check_equal(count(text, "texture {"), 2, "colors that are seen");
    check_equal(count(text, "union {"), 1, "colors of several particles");
    check_contains(text, "srgb <230, 159, 0> / 255");
    const char *spheres = strstr(text, "#ifndef (Particle_Finish)");
    static char alone[65536];
    stream = fmemopen(alone, sizeof alone, "w");
    pov_print_spheres(stream, &frame.particles, color, hidden);
    fclose(stream);
    check(spheres && strcmp(spheres, alone) == 0);
    frame_free(&frame);
}
