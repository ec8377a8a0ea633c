/* Sampling: what is drawn at random. */
#include "bodies.h"

TEST(jitter_stays_within_bounds_and_is_repeatable)
{
    struct body body = ball_body(0.12, 0.01);
    struct sample plain = make(&body, 1);
    body.jitter = 0.25;
    struct sample first = make(&body, 1), second = make(&body, 1);
    check_equal(first.particles.n, plain.particles.n, "particles");
    double largest = 0, sum = 0;
    for (size_t i = 0; i < plain.particles.n; i++) {
        struct vec3 d = vec3_sub(first.rest_position[i], plain.rest_position[i]);
        largest = fmax(largest, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
        sum += d.x + d.y + d.z;
    }
    check(largest <= 0.25 * 0.02 + 1e-15 && largest > 0.95 * 0.25 * 0.02);
    check_close(sum / (3 * 912), 0, 5 * 0.005 / sqrt(3 * 3 * 912), "mean displacement");
    check(memcmp(first.particles.position, second.particles.position,
                 first.particles.n * sizeof(struct vec3)) == 0);
    sample_free(&plain);
    sample_free(&first);
    sample_free(&second);
}

TEST(a_jittered_sheet_stays_plane)
{
    struct body body = sheet_body(20, 20, 0.01);
    body.jitter = 0.1;
    struct sample sample = make(&body, 1);
    double largest = 0;
    for (size_t i = 0; i < sample.particles.n; i++) {
        struct vec3 r = sample.rest_position[i];
        double dx = r.x - 0.02 * ((double)(i % 20) - 9.5),
               dy = r.y - 0.02 * ((double)(i / 20) - 9.5);
        largest = fmax(largest, fabs(dx));
        check(fabs(dx) <= 0.002 + 1e-15 && fabs(dy) <= 0.002 + 1e-15);
        check(r.z == 0);
    }
    check(largest > 0.0015);
    sample_free(&sample);
}

static struct sample nudged(struct body *body, size_t n, uint64_t nudge)
{
    struct scene scene = {.name = "trial",
                          .n_materials = 1,
                          .material = &steel,
                          .n_bodies = n,
                          .body = body,
                          .nudge = nudge};
    struct sample sample;
    struct error error = {0};
    check_equal(sample_scene(&scene, &sample, &error), STATUS_OK, error.message);
    return sample;
}

TEST(a_nudge_is_as_small_as_rounding)
{
    struct body body = ball_body(0.12, 0.01);
    body.position = vec3(0.1, 0.2, 0.3);
    struct sample plain = nudged(&body, 1, 0), first = nudged(&body, 1, 1),
                  second = nudged(&body, 1, 2);
    size_t bytes = plain.particles.n * sizeof(struct vec3), same = 0;
    check(memcmp(plain.rest_position, first.rest_position, bytes) == 0);
    double largest = 0;
    for (size_t i = 0; i < plain.particles.n; i++) {
        struct vec3 x = first.particles.position[i];
        struct vec3 d = vec3_sub(x, plain.particles.position[i]);
        largest = fmax(largest, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
        same += memcmp(&x, &second.particles.position[i], sizeof x) == 0;
    }
    check(largest < 1.01e-14 && largest > 0.95e-14); /* 1e-12 radii, and rounding */
    check_equal(same, 0, "the same with another number");
    sample_free(&plain);
    sample_free(&first);
    sample_free(&second);
}

TEST(what_is_held_is_not_nudged)
{
    struct body body[2] = {ball_body(0.05, 0.01), ball_body(0.05, 0.01)};
    body[0].fixed = FIXED_ALL;
    body[1].position = vec3(0.2, 0, 0);
    struct sample plain = nudged(body, 2, 0), other = nudged(body, 2, 1);
    for (size_t i = 0; i < plain.particles.n; i++) {
        bool same = memcmp(&plain.particles.position[i], &other.particles.position[i],
                           sizeof(struct vec3)) == 0;
        check(same == (plain.particles.state[i] == PARTICLE_FIXED));
    }
    sample_free(&plain);
    sample_free(&other);
}
