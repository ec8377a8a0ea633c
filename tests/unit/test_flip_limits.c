/* FLIP: what it refuses, and the memory that it takes. */
#include "base/memory.h"
#include "flip_scenes.h"
#include "systems/confine.h"

#include <string.h>

static void fill_small(struct hand_scene *h, struct wall *tank)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -9.81);
    add_tank(h, tank, vec3(0.0, 0.0, 0.0), vec3(0.2, 0.2, 0.4));
    add_water(h, add_flip(h, flip_defaults()), 6, 6, 6, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    jitter(h, 0.2 * FLIP_R, 5);
}

static enum status step_with(struct simulation *s, struct error *error)
{
    struct ledger_row row;
    return simulation_step(s, s->scene->time.end, &row, error);
}

TEST(a_particle_that_is_too_far_away_is_a_failure)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    struct error error = {0};
    fill_small(&h, &tank);
    h.scene.n_walls = 0;
    start(&h, &s);
    s.particles.position[5].y = 1e5;
    check_equal(step_with(&s, &error), STATUS_FAILED, "status");
    check_contains(error.message, "particle 5 of the fluid is at (");
    check_contains(error.message, "where a grid of cells of 0.04 m does not reach");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(more_cells_than_fit_are_a_failure)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    struct error error = {0};
    fill_small(&h, &tank);
    start(&h, &s);
    flip_of(&s)->grid.most_bytes = 10.0;
    check_equal(step_with(&s, &error), STATUS_FAILED, "status");
    check_contains(error.message, "tiles of 512 cells with edges of 0.04 m");
    check_contains(error.message, "larger particles");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A plate under the water: a cell is 0.04 m. */
static enum status begin_on_plate(double thickness, struct error *error)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall[2];
    const struct restart fresh = {0};
    fill_small(&h, &wall[0]);
    wall[1] = wall[0];
    wall[1].name = "plate";
    wall[1].keep = KEEP_OUTSIDE;
    wall[1].region.shape.size = vec3(0.1, thickness, 0.1);
    wall[1].region.position = vec3(0.1, 0.1, 0.3);
    wall[1].origin = (struct origin){"scene.yaml", 8, 3};
    h.scene.wall = wall;
    h.scene.n_walls = 2;
    enum status status = simulation_create(&s, &h.scene, &h.particles, h.rest, &fresh, error);
    if (!status)
        simulation_free(&s);
    hand_scene_end(&h);
    return status;
}

TEST(walls_thinner_than_a_cell_are_refused)
{
    struct error error = {0};
    check_equal(begin_on_plate(0.039, &error), STATUS_INVALID, "status");
    check_contains(error.message, "scene.yaml:8:3: wall 'plate' is 0.039 m thick, and a grid of "
                                  "cells of 0.04 m may not see it");
    check_equal(begin_on_plate(0.04, &error), STATUS_OK, "status");
}

/* A tank without air, and `more` of the layers of its water twice. */
static enum status step_in_full_tank(int more, struct error *error)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    hand_scene_begin(&h);
    add_tank(&h, &tank, vec3(0.0, 0.0, 0.0), vec3(0.2, 0.2, 0.2));
    size_t water = add_flip(&h, flip_defaults());
    add_water(&h, water, 10, 10, 10, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    for (int k = 0; k < more; k++)
        add_water(&h, water, 10, 10, 1, vec3(0.0, 0.0, 0.02 * k), vec3(0.0, 0.0, 0.0));
    jitter(&h, 0.2 * FLIP_R, 5);
    start(&h, &s);
    enum status status = step_with(&s, error);
    simulation_free(&s);
    hand_scene_end(&h);
    return status;
}

TEST(fluid_without_room_is_a_failure)
{
    struct error error = {0};
    check_equal(step_in_full_tank(0, &error), STATUS_OK, "status");
    check_equal(step_in_full_tank(10, &error), STATUS_FAILED, "status");
    check_contains(error.message, "step 1, t = 0 s: the fluid fills a space without air and should "
                                  "lose 5 % of its volume in this step, but has nowhere to go");
}

/* Particles on their way in all directions, some of them through a wall. */
static void send_all_over(struct simulation *s)
{
    for (size_t i = 0; i < s->particles.n; i++)
        s->motion.mean[i] = s->velocity[i] = vec3_scale(30.0, random_vector(11, i));
}

/* Every particle of the fluid in the order of slots, whether it may hit a wall or not. */
static struct confine_report confine_one_by_one(struct simulation *s, double dt, struct vec3 *mean,
                                                struct vec3 *velocity)
{
    const struct flip *flip = flip_of(s);
    struct confine_report report = {0};
    for (size_t k = 0; k < flip->n_slots; k++)
        confine_to_walls(flip->walls, flip->nearest, &s->particles,
                         flip->system.first + flip->particle[k], dt, mean, velocity, &report);
    return report;
}

TEST(walls_stop_particles_as_they_would_one_by_one)
{
    const double dt = 1e-3;
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    fill_small(&h, &tank);
    start(&h, &s);
    step_once(&s);
    size_t n = s.particles.n, bytes = n * sizeof(struct vec3);
    struct vec3 *mean = malloc(bytes), *velocity = malloc(bytes);
    check(mean && velocity);
    integrate_alone(&s, dt); /* tiles and slots of where particles are */
    send_all_over(&s);
    memcpy(mean, s.motion.mean, bytes);
    memcpy(velocity, s.velocity, bytes);
    struct confine_report expected = confine_one_by_one(&s, dt, mean, velocity);
    check(expected.stopped > 20 && expected.stopped < n / 2);
    for (int threads = 1; threads <= 3; threads++) {
        struct confine_report report = {0};
        omp_set_num_threads(threads);
        send_all_over(&s);
        flip_class.confine(&flip_of(&s)->system, &s.particles, dt, s.motion.mean, s.velocity,
                           &report);
        check_equal(report.stopped, expected.stopped, "stopped");
        check(memcmp(&report.impulse, &expected.impulse, sizeof report.impulse) == 0);
        check(memcmp(&report.shift, &expected.shift, sizeof report.shift) == 0);
        check_equal(report.kinetic, expected.kinetic, "kinetic energy");
        check(memcmp(mean, s.motion.mean, bytes) == 0);
        check(memcmp(velocity, s.velocity, bytes) == 0);
    }
    free(mean), free(velocity);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* From the beginning of a run to the end of its first step. */
static enum status begin_with_failure(long n, struct error *error)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    const struct restart fresh = {0};
    fill_small(&h, &tank);
    memory_fail_after(n);
    enum status status = simulation_create(&s, &h.scene, &h.particles, h.rest, &fresh, error);
    if (!status) {
        status = step_with(&s, error);
        memory_fail_after(-1);
        simulation_free(&s);
    }
    memory_fail_after(-1);
    hand_scene_end(&h);
    return status;
}

TEST(every_failed_allocation_is_survived)
{
    for (long n = 0; n < 1000; n++) {
        struct error error = {0};
        enum status status = begin_with_failure(n, &error);
        if (status == STATUS_OK) {
            printf("# %ld allocations\n", n);
            check(n > 60);
            return;
        }
        check_equal(status, STATUS_FAILED, "status");
        check_contains(error.message, "out of memory");
    }
    check(false && "never succeeded");
}

TEST(steps_allocate_nothing_once_grown)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    struct error error = {0};
    fill_small(&h, &tank);
    start(&h, &s);
    for (int k = 0; k < 50; k++)
        step_once(&s);
    memory_fail_after(0);
    for (int k = 0; k < 5; k++)
        check_equal(step_with(&s, &error), STATUS_OK, error.message);
    memory_fail_after(-1);
    simulation_free(&s);
    hand_scene_end(&h);
}
