#include "base/memory.h"
#include "particles/random.h"
#include "surface/coloring.h"
#include "surface/preview.h"
#include "tap.h"

#include <omp.h>

enum { WIDTH = 67, HEIGHT = 41, N = 60 };

/* Some of it in front of the camera, some beside and behind it, some hidden. */
struct trial {
    struct particles p;
    uint8_t color[N], hidden[N];
    struct camera camera;
    struct pixels pixels;
    const uint8_t *clear; /* not owned */
    struct puffs *puffs;  /* not owned */
};

static double spread(uint64_t seed, uint64_t index, double reach)
{
    return reach * (2.0 * random_uniform(seed, 0, index, RANDOM_TEST) - 1.0);
}

static struct trial trial_of(uint64_t seed)
{
    struct trial t = {0};
    check_equal(particles_create(&t.p, N, NULL), STATUS_OK, "status");
    for (size_t k = 0; k < N; k++) {
        struct particles *p = &t.p;
        p->position[k] = vec3(spread(seed, 4 * k, 3.0), spread(seed, 4 * k + 1, 3.0),
                              spread(seed, 4 * k + 2, 3.0));
        p->radius[k] = 0.001 + fabs(spread(seed, 4 * k + 3, 0.6));
        t.color[k] = (uint8_t)(k % COLORS);
        t.hidden[k] = k % 7 == 0;
    }
    t.p.position[5].x = NAN;
    t.camera = (struct camera){vec3(1.0, -4.0, 2.0), vec3(0.1, 0.2, 0.3), 50.0};
    check_equal(pixels_create(&t.pixels, WIDTH, HEIGHT, NULL), STATUS_OK, "status");
    return t;
}

static void trial_free(struct trial *t)
{
    particles_free(&t->p);
    pixels_free(&t->pixels);
}

static void draw(struct trial *t)
{
    struct error error = {0};
    check_equal(preview_draw(&t->pixels, &t->p, t->color, t->hidden, t->clear, t->puffs, &t->camera,
                             &error),
                STATUS_OK, error.message);
}

/* The definition, in double precision: which particle a sample shows; N: none. */
static size_t seen_at(const struct trial *t, double x, double y)
{
    const struct particles *p = &t->p;
    struct vec3 view = vec3_sub(t->camera.look_at, t->camera.location);
    view = vec3_scale(1.0 / vec3_norm(view), view);
    struct vec3 right = vec3_cross(view, vec3(0, 0, 1));
    right = vec3_scale(1.0 / vec3_norm(right), right);
    struct vec3 up = vec3_cross(right, view);
    double scale = WIDTH / tan(t->camera.angle * M_PI / 360.0), nearest = INFINITY;
    size_t who = N;
    for (size_t k = 0; k < N; k++) {
        struct vec3 at = vec3_sub(p->position[k], t->camera.location);
        double depth = vec3_dot(at, view), radius = fmax(scale * p->radius[k] / depth, 0.75);
        if (t->hidden[k] || !(depth > p->radius[k]))
            continue;
        double u = (x - WIDTH - scale * vec3_dot(at, right) / depth) / radius;
        double v = (HEIGHT - y - scale * vec3_dot(at, up) / depth) / radius;
        double front = depth - p->radius[k] * sqrt(fmax(1.0 - u * u - v * v, 0.0));
        if (u * u + v * v <= 1.0 && front < nearest)
            nearest = front, who = k;
    }
    return who;
}

/* A pixel is white, or has the hue of what its samples show where all show one thing. Rounding may
 * decide at the rim of a disc: hardly ever. */
TEST(every_sample_shows_the_nearest_surface)
{
    size_t compared = 0, wrong = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct trial t = trial_of(seed);
        draw(&t);
        for (size_t y = 0; y < HEIGHT; y++)
            for (size_t x = 0; x < WIDTH; x++) {
                size_t who[4];
                for (size_t k = 0; k < 4; k++)
                    who[k] =
                        seen_at(&t, (double)(2 * x + k % 2) + 0.5, (double)(2 * y + k / 2) + 0.5);
                if (who[0] != who[1] || who[0] != who[2] || who[0] != who[3])
                    continue;
                const uint8_t *rgb = t.pixels.rgb + 3 * (y * WIDTH + x);
                uint32_t color = who[0] == N ? 0xffffff : color_rgb(t.color[who[0]]);
                double strong = fmax(fmax(color >> 16, color >> 8 & 0xff), color & 0xff);
                double bright = strong > 0.0 ? fmax(fmax(rgb[0], rgb[1]), rgb[2]) / strong : 0.0;
                bool fits = who[0] == N ? bright == 1.0 : bright > 0.34 && bright < 1.01;
                for (int c = 0; c < 3; c++)
                    fits &= fabs(rgb[c] - bright * (color >> (16 - 8 * c) & 0xff)) <= 2.0;
                compared++;
                wrong += !fits;
            }
        trial_free(&t);
    }
    check(compared > 10000);
    check(wrong <= 2);
}

/* A sphere in the middle: its picture is a disc of the projected radius, brighter above on the
 * right. */
TEST(a_sphere_is_a_disc_of_its_projected_size)
{
    struct trial t = trial_of(1);
    memset(t.hidden, 1, sizeof t.hidden);
    t.hidden[3] = 0;
    t.p.position[3] = t.camera.look_at;
    t.p.radius[3] = 0.5;
    draw(&t);
    double distance = vec3_norm(vec3_sub(t.camera.look_at, t.camera.location));
    double radius = 0.5 * WIDTH / tan(25.0 * M_PI / 180.0) * 0.5 / distance, area = 0.0;
    for (size_t k = 0; k < WIDTH * HEIGHT; k++)
        area += memcmp(t.pixels.rgb + 3 * k, "\xff\xff\xff", 3) != 0;
    check_close(area, M_PI * radius * radius, 2.0 * M_PI * radius, "pixels");
    const uint8_t *middle = t.pixels.rgb + 3 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
    check(middle[3 * 3 - 3 * 3 * WIDTH] > middle[3 * 3 * WIDTH - 3 * 3]);
    trial_free(&t);
}

TEST(a_particle_smaller_than_a_pixel_is_seen)
{
    struct trial t = trial_of(1);
    memset(t.hidden, 1, sizeof t.hidden);
    t.hidden[3] = 0;
    t.p.position[3] = vec3(0.1, 0.2, 0.31);
    t.p.radius[3] = 1e-9;
    draw(&t);
    size_t dark = 0;
    for (size_t k = 0; k < WIDTH * HEIGHT; k++)
        dark += t.pixels.rgb[3 * k] < 0xff;
    check(dark >= 1 && dark <= 4);
    trial_free(&t);
}

TEST(determinism_any_number_of_threads_draws_the_same_bytes)
{
    struct trial one = trial_of(2), many = trial_of(2);
    int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    draw(&one);
    for (int n = 2; n <= 7; n++) {
        omp_set_num_threads(n);
        memset(many.pixels.rgb, 0, WIDTH * HEIGHT * 3);
        draw(&many);
        check(memcmp(one.pixels.rgb, many.pixels.rgb, WIDTH * HEIGHT * 3) == 0);
    }
    omp_set_num_threads(threads);
    trial_free(&one);
    trial_free(&many);
}

TEST(nothing_and_too_large_pictures)
{
    struct pixels pixels;
    struct error error = {0};
    struct trial t = trial_of(3);
    memset(t.hidden, 1, sizeof t.hidden);
    draw(&t);
    for (size_t k = 0; k < WIDTH * HEIGHT * 3; k++)
        check(t.pixels.rgb[k] == 0xff);
    trial_free(&t);
    check_equal(pixels_create(&pixels, 0, 5, &error), STATUS_INVALID, "status");
    check_equal(pixels_create(&pixels, 5, PIXELS_SIDE_MAX + 1, &error), STATUS_INVALID, "status");
    pixels_free(&pixels);
}

/* In the middle of a picture exp(-depth) of what is behind comes through, whatever the order; what
 * is in front stays as it was, and so does all that is beside the puffs. */
TEST(smoke_dims_what_is_behind_it_by_beers_law)
{
    struct vec3 position[2] = {vec3(0.1, 0.2, 0.3), vec3(0.0, -0.2, 0.5)};
    float radius[2] = {1.0f, 1.2f}, depth[2] = {0.7f, 0.4f};
    struct puffs puffs = {2, position, radius, depth};
    struct trial t = trial_of(5);
    const size_t middle = 3 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
    t.camera.look_at = position[0];
    position[1] = vec3_axpy(position[0], 0.3, vec3_sub(t.camera.location, position[0]));
    memset(t.hidden, 1, sizeof t.hidden);
    t.puffs = &puffs;
    draw(&t);
    const double through = exp(-1.1);
    for (size_t c = 0; c < 3; c++)
        check_close(t.pixels.rgb[middle + c], through * 255.0 + (1.0 - through) * 62.0, 2.0,
                    "smoke before white");
    check_equal(t.pixels.rgb[0], 255, "beside the smoke");
    uint8_t *before = malloc(3 * WIDTH * HEIGHT);
    memcpy(before, t.pixels.rgb, 3 * WIDTH * HEIGHT);
    position[1] = position[0];
    radius[1] = radius[0];
    position[0] = vec3_axpy(position[1], 0.3, vec3_sub(t.camera.location, position[1]));
    radius[0] = 1.2f;
    depth[0] = 0.4f, depth[1] = 0.7f;
    draw(&t);
    check(memcmp(before, t.pixels.rgb, 3 * WIDTH * HEIGHT) == 0);
    t.hidden[0] = 0; /* between the two */
    t.p.position[0] = vec3_axpy(position[1], 0.15, vec3_sub(t.camera.location, position[1]));
    t.p.radius[0] = 0.1;
    puffs.n = 0;
    draw(&t);
    const double bare = t.pixels.rgb[middle];
    puffs.n = 2;
    draw(&t);
    check_close(t.pixels.rgb[middle], exp(-0.4) * bare + (1.0 - exp(-0.4)) * 62.0, 2.0,
                "smoke before a particle, and behind it");
    free(before);
    trial_free(&t);
}

/* Half of the color of what is clear is that of the nearest behind it that is not; the camera is in
 * line with all of them, so that they are as bright. Before nothing it is as if it were not clear,
 * and what is in front stays as it is. */
TEST(what_is_behind_something_clear_shows_through)
{
    struct trial t = trial_of(6);
    uint8_t clear[N] = {0};
    const size_t middle = 3 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
    const size_t order[4] = {10, 11, 12, 13}; /* from the camera on: two clear ones, two others */
    double seen[4][3];
    memset(t.hidden, 1, sizeof t.hidden);
    t.clear = clear;
    for (size_t k = 0; k < 4; k++) {
        struct vec3 way = vec3_sub(t.camera.look_at, t.camera.location);
        t.p.position[order[k]] = vec3_axpy(t.camera.location, 0.5 + 0.1 * (double)k, way);
        t.p.radius[order[k]] = 0.2 * (0.5 + 0.1 * (double)k);
        t.color[order[k]] = (uint8_t)k;
        clear[order[k]] = k < 2;
    }
    for (size_t k = 0; k < 4; k++) { /* each alone */
        t.hidden[order[k]] = 0;
        draw(&t);
        for (size_t c = 0; c < 3; c++)
            seen[k][c] = t.pixels.rgb[middle + c];
        t.hidden[order[k]] = 1;
    }
    for (size_t k = 0; k < 4; k++)
        t.hidden[order[k]] = 0;
    draw(&t);
    for (size_t c = 0; c < 3; c++)
        check_close(t.pixels.rgb[middle + c], 0.5 * (seen[0][c] + seen[2][c]), 2.0, "through");
    check(fabs(seen[0][0] - seen[2][0]) + fabs(seen[0][1] - seen[2][1]) > 40.0);
    clear[order[0]] = 0;
    draw(&t);
    for (size_t c = 0; c < 3; c++)
        check_close(t.pixels.rgb[middle + c], seen[0][c], 0.0, "in front");
    trial_free(&t);
}

TEST(a_lack_of_memory_is_an_error)
{
    struct trial t = trial_of(4);
    FILE *nowhere = fopen("/dev/null", "w");
    enum status status = STATUS_FAILED;
    int failures = 0;
    for (long n = 0; status && n < 20; n++) {
        struct error error = {0};
        memory_fail_after(n);
        status =
            preview_draw(&t.pixels, &t.p, t.color, t.hidden, t.clear, t.puffs, &t.camera, &error);
        if (!status)
            status = pixels_print_png(nowhere, &t.pixels, &error);
        failures += status == STATUS_FAILED;
    }
    memory_fail_after(-1);
    check_equal(failures, 6, "failures");
    fclose(nowhere);
    trial_free(&t);
}
