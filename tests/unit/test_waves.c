#include "scenes.h"

static const struct waves *waves_of(struct hand_scene *h, struct simulation *s)
{
    start(h, s);
    return &s->waves;
}

/* Springs k between neighbors 2 r apart: c = sqrt(k 2 r / m). */
TEST(a_chain_of_springs_is_the_closed_form)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_body(&h, add_springs(&h, 50.0, 0.0, 0.0, 1e-3), 0.01, 0.002);
    add_block(&h, 11, 1, 1, vec3(3.0, 0.0, 0.0), vec3(7.0, 0.0, 0.0));
    const struct waves *w = waves_of(&h, &s);
    double c = sqrt(50.0 * 0.02 / 0.002);
    check_close(w->body[0].speed, c, 1e-9 * c, "speed");
    check_close(w->particle, 0.02 / c, 1e-9, "through a particle");
    check_close(w->size, 0.22, 1e-12, "size");
    check_close(w->shortest, 0.22 / c, 1e-9, "through the body");
    check_close(w->longest, 0.22 / c, 1e-9, "the only one");
    struct ledger_row row = step_once(&s);
    check_close(row.wave_particle, w->particle / row.dt, 1e-12, "steps through a particle");
    check_close(row.wave_body, w->shortest / row.dt, 1e-12, "steps through a body");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A wave that a chain really carries: how long its far end takes to notice a push. */
TEST(a_pulse_arrives_when_it_should)
{
    enum { N = 200 };
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.solver.integrator = INTEGRATOR_NEWMARK;
    add_body(&h, add_springs(&h, 50.0, 0.0, 0.0, 0.0), 0.01, 0.002);
    add_block(&h, N, 1, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    h.particles.velocity[0] = vec3(0.01, 0.0, 0.0);
    h.scene.time.max_step = 1e-4;
    const struct waves *w = waves_of(&h, &s);
    double expected = w->shortest;
    while (s.particles.velocity[N - 1].x < 0.002 && s.time < 3.0 * expected)
        step_once(&s);
    check_close(s.time / expected, 1.0, 0.1, "time of arrival");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Along x, n . e = 1 for the neighbors on the axis and 1/sqrt 2 for four diagonals. */
TEST(a_block_has_its_fastest_direction)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_body(&h, add_peridynamics(&h, 30.0, 1.5, 0.0, (double)INFINITY), 0.5, 2.0);
    add_block(&h, 5, 5, 5, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    const struct waves *w = waves_of(&h, &s);
    double root = sqrt(2.0);
    double axis = 2.0 + 8.0 * root / 4.0; /* sum of L (e . n)^4 */
    double diagonal = 4.0 / 4.0 + root * (2.0 + 8.0 / 16.0);
    double c = sqrt(30.0 / (2.0 * 2.0) * fmax(axis, diagonal));
    check_close(w->body[0].speed, c, 1e-9, "speed");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(fluids_have_a_speed_of_sound_and_the_fixed_do_not_count)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_body(&h, add_springs(&h, 50.0, 0.0, 0.0, 0.0), 0.01, 0.002);
    uint32_t first = add_block(&h, 3, 1, 1, vec3(0.0, 0.0, -1.0), vec3(0.0, 0.0, 0.0));
    fix_from(&h, first);
    add_body(&h, add_loose(&h), 0.01, 0.002);
    add_particle(&h, vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0));
    add_body(&h, add_fluid(&h, 2e5, 1e-4), 0.01, 0.008);
    add_block(&h, 3, 3, 3, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    const struct waves *w = waves_of(&h, &s);
    check_close(w->body[0].speed, 0.0, 0.0, "fixed");
    check_close(w->body[1].speed, 0.0, 0.0, "loose");
    check_close(w->body[2].speed, 20.0, 1e-9, "sqrt(2 p / rho)");
    check_close(w->particle, 1e-3, 1e-12, "through a particle");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(without_waves_the_columns_are_zero)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_body(&h, add_loose(&h), 0.01, 0.002);
    add_particle(&h, vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0));
    waves_of(&h, &s);
    struct ledger_row row = step_once(&s);
    check(row.wave_particle == 0.0 && row.wave_body == 0.0);
    simulation_free(&s);
    hand_scene_end(&h);
}
