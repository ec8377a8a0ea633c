/* FLIP against a textbook step, and a later stage against one that does everything anew. */
#include "naive_flip.h"

/* Water in a box of 6 x 5 x 6 cells, in a corner and with a hole, moving at random. */
static void fill(struct hand_scene *h, struct wall *tank, struct flip_material flip)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.3, -0.6, -9.81);
    add_tank(h, tank, vec3(0.0, 0.0, 0.0), vec3(0.24, 0.2, 0.24));
    size_t water = add_flip(h, flip);
    add_water(h, water, 12, 6, 3, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_water(h, water, 4, 7, 5, vec3(0.03, 0.02, 0.06), vec3(0.0, 0.0, 0.0));
    jitter(h, 0.5 * FLIP_R, 21);
    for (size_t i = 0; i < h->particles.n; i++)
        h->particles.velocity[i] = random_vector(22, i);
}

static void check_step(double crowding, double blend)
{
    static struct naive_flip naive;
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    struct flip_material flip = flip_defaults();
    const double dt = 1e-3;
    double after = 0.0, mean = 0.0, excess = 0.0;
    flip.crowding = crowding;
    flip.blend = blend;
    fill(&h, &tank, flip);
    start(&h, &s);
    solve_exactly(&s, 1e-13);
    integrate_alone(&s, dt);
    naive = (struct naive_flip){.edge = 4.0 * FLIP_R, .n = {6, 5, 6}};
    naive_deposit(&naive, &s.particles, h.scene.gravity, dt);
    naive_project(&naive, crowding, dt);
    for (size_t i = 0; i < s.particles.n; i++) {
        struct vec3 v, u;
        naive_read(&naive, &s.particles, i, h.scene.gravity, dt, blend, &v, &u);
        after = fmax(after, vec3_norm(vec3_sub(s.motion.own_after[i], v)));
        mean = fmax(mean, vec3_norm(vec3_sub(s.motion.own_mean[i], u)));
    }
    for (int k = 0; k < NAIVE_CELLS; k++)
        excess = fmax(excess, naive.filled[k] - 1.0);
    check(excess > 0.05);
    check_close(after, 0.0, 1e-10, "velocity");
    check_close(mean, 0.0, 1e-10, "velocity of the move");
    printf("# excess %.3f; off by %.1e and %.1e m/s\n", excess, after, mean);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_step_is_that_of_the_textbook)
{
    check_step(0.0, 1.0);
    check_step(0.1, 0.97);
    check_step(0.1, 0.0);
}

/* ---- later stages ---- */

/* Some particles near the floor have been slowed down a little. */
static void slow_down(struct simulation *s)
{
    for (size_t i = 0; i < s->particles.n / 4; i += 5)
        s->motion.before[i] = vec3_scale(0.99, s->motion.before[i]);
}

static size_t integrate_again(struct simulation *s, double dt)
{
    struct solve_report report;
    struct error error = {0};
    check_equal(flip_class.integrate(&flip_of(s)->system, &s->particles, &s->groups, dt, &s->motion,
                                     &report, &error),
                STATUS_OK, error.message);
    return report.iterations;
}

TEST(a_later_stage_is_that_done_anew)
{
    struct hand_scene h, h2;
    struct simulation s, anew;
    struct wall tank, tank2;
    const double dt = 1e-3;
    double off = 0.0, step = 0.0;
    struct error error;
    fill(&h, &tank, flip_defaults());
    fill(&h2, &tank2, flip_defaults());
    start(&h, &s);
    start(&h2, &anew);
    solve_exactly(&s, 1e-13);
    solve_exactly(&anew, 1e-13);
    integrate_alone(&s, dt);
    integrate_alone(&anew, dt);
    for (size_t i = 0; i < s.particles.n; i++)
        step = fmax(step, vec3_norm(s.motion.own_after[i]));
    slow_down(&s);
    slow_down(&anew);
    size_t n = integrate_again(&s, dt);
    check_equal(flip_class.prepare(&flip_of(&anew)->system, &anew.particles, dt, &error), STATUS_OK,
                error.message);
    size_t n_anew = integrate_again(&anew, dt);
    for (size_t i = 0; i < s.particles.n; i++)
        off = fmax(off, vec3_norm(vec3_sub(s.motion.own_after[i], anew.motion.own_after[i])));
    printf("# %zu iterations, %zu anew; off by %.1e of %.1e m/s\n", n, n_anew, off, step);
    check_close(off / step, 0.0, 1e-10, "velocity");
    simulation_free(&s);
    simulation_free(&anew);
    hand_scene_end(&h);
    hand_scene_end(&h2);
}
