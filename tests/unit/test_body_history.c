/* Rows per frame and body, and the rebound that follows from them, on motions with known answers.
 */
#include "analysis/body_history.h"
#include "analysis/rebound.h"
#include "base/memory.h"
#include "frame_random.h"
#include "tap.h"

static void add(struct body_history *history, const struct frame *frame)
{
    struct error error = {0};
    check_equal(body_history_add(history, frame, &error), STATUS_OK, error.message);
}

/* A column of the last frame by brute force: sum of mass times value over the free particles. */
static double mean_of(const struct particles *p, uint32_t body, double (*value)(struct vec3),
                      const struct vec3 *of)
{
    long double sum = 0.0L, mass = 0.0L;
    for (size_t i = 0; i < p->n; i++)
        if (p->body[i] == body && !p->state[i]) {
            sum += (long double)p->mass[i] * (long double)value(of[i]);
            mass += (long double)p->mass[i];
        }
    return (double)(sum / mass);
}

static double x_of(struct vec3 v)
{
    return v.x;
}

static double y_of(struct vec3 v)
{
    return v.y;
}

static double half_square(struct vec3 v)
{
    return 0.5 * vec3_norm2(v);
}

/* Gravity along -y: height is y. How many heights of the body are at most `height`. */
static size_t not_higher(const struct particles *p, uint32_t body, double height, size_t *n)
{
    size_t count = 0;
    *n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->body[i] == body && !p->state[i]) {
            count += p->position[i].y <= height;
            ++*n;
        }
    return count;
}

TEST(a_row_is_what_a_plain_sum_says)
{
    random_state = 11;
    struct body_history history;
    body_history_begin(&history, 2, vec3(0, -9.81, 0));
    struct frame frame = random_frame(301, 1);
    struct particles *p = &frame.particles;
    for (size_t i = 0; i < p->n; i++)
        p->velocity[i] = vec3(random_unit(), random_unit(), random_unit());
    add(&history, &frame);
    check_close(history.gravity, 9.81, 1e-15, "gravity");
    for (uint32_t b = 0; b < 2; b++) {
        const struct body_row *row = &history.row[b];
        size_t n, below = not_higher(p, b, row->height_p50, &n);
        check_equal(row->body, b, "body");
        check_equal(row->particles, n, "free particles");
        check_close(row->x, mean_of(p, b, x_of, p->position), 1e-13, "x");
        check_close(row->height, mean_of(p, b, y_of, p->position), 1e-13, "height");
        check_close(row->velocity_y, mean_of(p, b, y_of, p->velocity), 1e-13, "velocity");
        check_close(row->kinetic / row->mass, mean_of(p, b, half_square, p->velocity), 1e-13,
                    "kinetic energy");
        check_equal(below, (n + 1) / 2, "half of the heights are not above the median");
        check_equal(not_higher(p, b, row->height_p01, &n), (n + 99) / 100, "1 % are not");
        check_equal(not_higher(p, b, row->height_p99, &n), (99 * n + 99) / 100, "99 % are not");
        check_equal(not_higher(p, b, row->min_y, &n), 1, "the lowest");
        check_equal(not_higher(p, b, row->max_y, &n), n, "the highest");
    }
    body_history_free(&history);
    frame_free(&frame);
}

TEST(a_body_without_free_particles_has_a_row_without_numbers)
{
    random_state = 12;
    struct body_history history;
    body_history_begin(&history, 2, vec3(0, 0, 0));
    struct frame frame = random_frame(20, 1);
    for (size_t i = 0; i < 20; i++)
        frame.particles.state[i] = frame.particles.body[i] == 1;
    add(&history, &frame);
    check_equal(history.row[1].particles, 0, "free particles");
    check_equal(history.row[1].mass, 0, "their mass");
    check(isnan(history.row[1].x) && isnan(history.row[1].height_p50));
    check(isfinite(history.row[0].height));
    check(isnan(rebound_measure(&history, 1, 0.5).rebound_height));
    body_history_free(&history);
    frame_free(&frame);
}

/* One particle of 2 kg that falls from 3 m, turns at once at 1 m with `kept` of its speed, and is
 * seen in frames of 1/64 s. Gravity 8 m/s^2: at 1 m it has 16 J/kg. */
static void follow_bounce(struct body_history *history, double kept)
{
    struct frame frame = random_frame(2, 0);
    struct particles *p = &frame.particles;
    const double g = 8.0, fall = sqrt(2.0 * 2.0 / g), speed = g * fall;
    body_history_begin(history, 2, vec3(0, 0, -g));
    for (uint32_t i = 0; i < 2; i++) {
        p->body[i] = i;
        p->state[i] = i == 1;
        p->mass[i] = 2.0;
    }
    for (size_t f = 0; f <= 80; f++) {
        double t = (double)f / 64.0, after = t - fall, v = kept * speed;
        frame.time = t;
        p->position[0] = vec3(
            0, 0, after < 0.0 ? 3.0 - g * t * t / 2.0 : 1.0 + v * after - g * after * after / 2.0);
        p->velocity[0] = vec3(0, 0, after < 0.0 ? -g * t : v - g * after);
        add(history, &frame);
    }
    frame_free(&frame);
}

TEST(a_bouncing_particle_rises_by_the_square_of_what_is_left_of_its_speed)
{
    struct body_history history;
    follow_bounce(&history, 0.5);
    struct rebound r = rebound_measure(&history, 0, sqrt(0.5));
    /* between frames the extrema are missed by at most one frame at the speed there */
    check_close(r.lowest_time, sqrt(0.5), 1.0 / 64.0, "time of the turn");
    check_close(r.lowest_height, 1.0, 5.7 / 64.0, "height of the turn");
    check_close(r.rebound_height + r.lowest_height, 1.5, 8.0 / 8.0 / 64.0 / 64.0, "top");
    check_close(r.rebound_time, sqrt(0.5) * 1.5, 1.0 / 64.0, "time of the top");
    check_close(r.energy_impact, 2.0 * 8.0 * (3.0 - r.lowest_height), 1e-12, "before");
    check_close(r.energy_kept * r.energy_impact, 2.0 * 8.0 * (1.5 - r.lowest_height), 1e-12,
                "after");
    check(r.energy_returned >= r.energy_kept);
    body_history_free(&history);
}

TEST(an_elastic_bounce_keeps_everything)
{
    struct body_history history;
    follow_bounce(&history, 1.0);
    struct rebound r = rebound_measure(&history, 0, sqrt(0.5));
    check_close(r.energy_kept, 1.0, 1e-13, "kept");
    check_close(r.energy_returned, 1.0, 1e-13, "returned");
    check(isnan(rebound_measure(&history, 0, (double)NAN).energy_kept));
    body_history_free(&history);
}

TEST(a_body_that_gains_particles_has_no_rebound)
{
    struct body_history history;
    struct frame frame = random_frame(2, 0);
    body_history_begin(&history, 2, vec3(0, 0, -1));
    for (size_t f = 0; f < 2; f++) {
        frame.particles.body[0] = frame.particles.body[1] = 0;
        frame.particles.state[0] = 0;
        frame.particles.state[1] = f == 0;
        add(&history, &frame);
    }
    check_equal(history.row[2].particles, 2, "particles at last");
    check(isnan(rebound_measure(&history, 0, 0.0).rebound_height));
    body_history_free(&history);
    frame_free(&frame);
}

TEST(another_number_of_bodies_is_refused)
{
    struct body_history history;
    struct error error = {0};
    struct frame frame = random_frame(3, 0);
    body_history_begin(&history, 3, vec3(0, 0, 0));
    check_equal(body_history_add(&history, &frame, &error), STATUS_INVALID, "status");
    check_contains(error.message, "2 bodies, but 3 at the start");
    body_history_free(&history);
    body_history_begin(&history, 2, vec3(0, 0, 0));
    for (long n = 0; n < 2; n++) {
        memory_fail_after(n);
        check_equal(body_history_add(&history, &frame, &error), STATUS_FAILED, "no memory");
        memory_fail_after(-1);
        body_history_free(&history);
        body_history_begin(&history, 2, vec3(0, 0, 0));
    }
    frame_free(&frame);
}
