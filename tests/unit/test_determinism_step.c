/* The bits of a run depend neither on the number of threads nor on the run. */
#include "endings.h"
#include "measure/fracture.h"

/* Enough particles for several blocks of every sum and every loop. */
static void fill(struct hand_scene *h, const char *method, const char *integrator)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -9.81);
    h->scene.contact.method = CHOICE_OF(CONTACT_METHODS, method);
    h->scene.contact.correction = 0.5;
    h->scene.solver.integrator = CHOICE_OF(INTEGRATORS, integrator);
    size_t cloth = add_springs(h, 40.0, 40.0, 20.0, 1e-3);
    size_t brittle = add_peridynamics(h, 60.0, 2.0, 1e-3, 0.02);
    h->parameters[brittle].bonds.critical_stretch_spread = 0.1;
    add_body(h, add_loose(h), 0.01, 8e-3);
    fix_from(h, add_block(h, 20, 20, 1, vec3(-0.19, -0.19, -0.0199), vec3(0, 0, 0)));
    add_body(h, cloth, 0.01, 8e-3);
    add_block(h, 60, 60, 1, vec3(-0.59, -0.59, 0.0), vec3(0, 0, 0));
    add_body(h, brittle, 0.01, 2e-2);
    add_ball(h, 0.11, vec3(0.003, 0.002, 0.125), vec3(0.1, 0.2, -6.0));
    add_body(h, brittle, 0.013, 2e-2);
    add_ball(h, 0.08, vec3(0.3, 0.1, 0.093), vec3(0, 0, -6.0));
}

/* The same without touches, which a barrier cannot undo: gaps between the cloth and the floor, and
 * the smaller ball. They close in the first steps. */
static void fill_apart(struct hand_scene *h, const char *method, const char *integrator)
{
    fill(h, method, integrator);
    h->scene.contact.stages = 64;
    for (size_t i = 0; i < 400; i++)
        h->particles.position[i].z -= 2e-4;
    for (size_t i = 0; i < h->particles.n; i++)
        if (h->particles.radius[i] > 0.01)
            h->particles.position[i].z += 9e-3;
}

/* A wall whose quarters fly apart and whose particles jump about, hit by a heavy ball: fragments of
 * all sizes from the first steps on. */
static void fill_fracture(struct hand_scene *h, const char *method, const char *integrator)
{
    hand_scene_begin(h);
    h->scene.contact.method = CHOICE_OF(CONTACT_METHODS, method);
    h->scene.contact.correction = 0.5;
    h->scene.solver.integrator = CHOICE_OF(INTEGRATORS, integrator);
    size_t brittle = add_peridynamics(h, 100.0, 2.0, 1e-4, 0.01);
    size_t soft = add_peridynamics(h, 100.0, 2.0, 1e-4, (double)INFINITY);
    h->parameters[brittle].bonds.critical_stretch_spread = 0.1;
    add_body(h, brittle, 0.01, 8e-3);
    add_block(h, 36, 36, 4, vec3(-0.35, -0.35, -0.03), vec3(0, 0, 0));
    for (size_t i = 0; i < h->particles.n; i++) {
        struct vec3 x = h->particles.position[i];
        struct vec3 away = vec3(x.x > 0.0 ? 6.0 : -6.0, x.y > 0.0 ? 5.0 : -5.0, 0.0);
        h->particles.velocity[i] = vec3_axpy(away, 3.0, random_vector(8, i));
    }
    add_body(h, soft, 0.01, 0.16);
    add_ball(h, 0.06, vec3(0.003, 0.004, 0.105), vec3(0, 0, -20));
}

typedef void filler(struct hand_scene *h, const char *method, const char *integrator);

struct outcome {
    struct ending end;
    struct fragments fragments;
    struct measure_row measure; /* the columns of fracture */
};

static void begin_fragments(struct outcome *out, const struct simulation *s)
{
    struct error error = {0};
    check_equal(fragments_create(&out->fragments, s->scene, &s->particles, s->bonded, &error),
                STATUS_OK, "fragments");
}

static size_t n_broken(const struct state *state)
{
    const struct state_value *broken = state_find(state, "broken");
    return broken ? broken->rows : 0;
}

static struct ledger_row step_and_measure(struct outcome *out, struct simulation *s)
{
    struct measure_row before = out->measure;
    struct ledger_row row = step_once(s);
    fragments_update(&out->fragments, s->bonded, simulation_changes(s));
    fracture_update(&before, &out->fragments, s->time, row.speed_max, &out->measure);
    return row;
}

static struct outcome run(filler *fill_scene, const char *method, const char *integrator,
                          int threads, int steps)
{
    struct hand_scene h;
    struct simulation s;
    struct outcome out = {0};
    struct ledger_row row = {0};
    fill_scene(&h, method, integrator);
    omp_set_num_threads(threads);
    start(&h, &s);
    begin_fragments(&out, &s);
    for (int k = 0; k < steps; k++)
        row = step_and_measure(&out, &s);
    out.end = ending_of(&s, row);
    simulation_free(&s);
    hand_scene_end(&h);
    return out;
}

static void release(struct outcome *out)
{
    ending_free(&out->end);
    fragments_free(&out->fragments);
}

static void check_same(const struct outcome *a, const struct outcome *b)
{
    size_t filled = 0;
    check_same_ending(&a->end, &b->end);
    for (size_t k = 0; k < a->end.state.n; k++)
        filled += a->end.state.value[k].rows > 0;
    check(filled > 0);
    check(memcmp(a->fragments.fragment, b->fragments.fragment, a->end.n * sizeof(uint32_t)) == 0);
    check(memcmp(&a->measure, &b->measure, sizeof a->measure) == 0);
}

/* With two threads, which may divide blocks evenly, and three, which then do not; more only wait.
 */
static void check_threads(filler *fill_scene, const char *method, const char *integrator, int steps)
{
    const int threads[] = {2, 3};
    struct outcome first = run(fill_scene, method, integrator, 1, steps);
    check(first.end.row.approaching + first.end.row.late + first.end.row.contact_potential > 0.0);
    for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
        struct outcome other = run(fill_scene, method, integrator, threads[k], steps);
        check_same(&first, &other);
        release(&other);
    }
    printf("# %s, %s: %zu particles, %zu broken bonds, %zu fragments, %g late\n", method,
           integrator, first.end.n, n_broken(&first.end.state), first.fragments.count.fragments,
           first.end.row.late);
    release(&first);
}

/* One more time with one thread: a run does not depend on what the process did before. */
TEST(determinism_of_a_repetition)
{
    struct outcome first = run(fill_fracture, "merging-and-splitting", "backward-euler", 1, 12);
    struct outcome again = run(fill_fracture, "merging-and-splitting", "backward-euler", 1, 12);
    check_same(&first, &again);
    release(&again);
    release(&first);
}

TEST(determinism_of_merging_and_splitting)
{
    check_threads(fill, "merging-and-splitting", "backward-euler", 12);
    check_threads(fill, "merging-and-splitting", "newmark", 6);
    check_threads(fill, "merging-and-splitting", "verlet", 30);
}

TEST(determinism_of_fragments)
{
    check_threads(fill_fracture, "merging-and-splitting", "backward-euler", 12);
    check_threads(fill_fracture, "impulse", "backward-euler", 12);
}

TEST(determinism_of_the_baselines)
{
    const char *methods[] = {"penalty", "sph", "impulse", "implicit-penalty", "corrected-impulse"};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
        check_threads(fill, methods[k], "backward-euler", 5);
    check_threads(fill_apart, "barrier", "backward-euler", 8);
}

static void fill_rubbing(struct hand_scene *h, const char *method, const char *integrator)
{
    fill(h, method, integrator);
    h->scene.contact.friction = 0.3;
    h->scene.contact.static_friction = 0.4;
}

TEST(determinism_of_links)
{
    const char *integrators[] = {"backward-euler", "newmark"};
    for (size_t k = 0; k < 2; k++)
        check_threads(fill, "sliding", integrators[k], 5);
    check_threads(fill_rubbing, "sliding", "backward-euler", 5);
    check_threads(fill_fracture, "sliding", "backward-euler", 12);
}

/* A run stopped after some steps and started again from positions, velocities and the state of its
 * systems goes on to the same bits. */
static void check_restart(filler *fill_scene, const char *method, const char *integrator, int stop,
                          int steps, size_t fragments_then)
{
    struct hand_scene h;
    struct simulation s, again;
    struct error error = {0};
    struct state state;
    struct outcome straight = {0}, resumed = {0};
    struct ledger_row row = {0}, row_again = {0};
    fill_scene(&h, method, integrator);
    omp_set_num_threads(2);
    start(&h, &s);
    begin_fragments(&straight, &s);
    for (int k = 0; k < stop; k++)
        step_and_measure(&straight, &s);
    check(straight.fragments.count.fragments >= fragments_then);
    state_take(&state, &s);
    check(n_broken(&state) > 0);
    check_equal(resume(&again, &s, &state, h.rest, &error), STATUS_OK, error.message);
    state_free(&state);
    resumed.measure = straight.measure;
    begin_fragments(&resumed, &again);
    for (int k = stop; k < steps; k++) {
        row = step_and_measure(&straight, &s);
        row_again = step_and_measure(&resumed, &again);
    }
    straight.end = ending_of(&s, row);
    resumed.end = ending_of(&again, row_again);
    check_same(&straight, &resumed);
    release(&straight);
    release(&resumed);
    simulation_free(&s);
    simulation_free(&again);
    hand_scene_end(&h);
}

TEST(determinism_of_a_restart)
{
    check_restart(fill, "merging-and-splitting", "backward-euler", 7, 12, 2); /* whole */
    check_restart(fill_fracture, "merging-and-splitting", "backward-euler", 7, 12,
                  10); /* in the middle of the fracture */
    check_restart(fill, "merging-and-splitting", "verlet", 38, 45, 2);
    check_restart(fill, "sliding", "backward-euler", 7, 9, 2);
    check_restart(fill_rubbing, "sliding", "backward-euler", 7, 9, 2);
}
