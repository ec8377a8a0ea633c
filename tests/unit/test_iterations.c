/* Two things keep the solver's iterations few: a solve begins with the expected solution, and the
 * preconditioner stays positive however stiff the bonds inside a group are. */
#include "network_bench.h"
#include "step/simulation_parts.h"

static const double R = 0.01; /* m */

/* ---- the first guess ---- */

/* Where nothing but gravity acts, every step changes velocities as the one before did: from the
 * second step on, the guess is the solution but for what the solver left of the tolerance. */
TEST(a_falling_body_needs_hardly_any_iterations)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    h.scene.time.courant = 1e6; /* steps of one length */
    h.scene.time.end = 1.0;
    add_body(&h, add_peridynamics(&h, 100.0, 2.0, 0.0, (double)INFINITY), R, 8e-3);
    add_block(&h, 4, 4, 4, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    double first = step_once(&s).iterations_first;
    for (int k = 0; k < 20; k++)
        check(step_once(&s).iterations_first <= 0.25 * first);
    printf("# %g iterations in the first step\n", first);
    simulation_free(&s);
    hand_scene_end(&h);
}

static struct particles copy_of(const struct particles *p)
{
    struct particles copy;
    struct error error;
    if (particles_create(&copy, p->n, &error))
        abort();
    memcpy(copy.position, p->position, p->n * sizeof *p->position);
    memcpy(copy.velocity, p->velocity, p->n * sizeof *p->velocity);
    memcpy(copy.mass, p->mass, p->n * sizeof *p->mass);
    memcpy(copy.radius, p->radius, p->n * sizeof *p->radius);
    memcpy(copy.body, p->body, p->n * sizeof *p->body);
    memcpy(copy.state, p->state, p->n * sizeof *p->state);
    return copy;
}

/* Iterations of one step from the state of now, with the velocities of now for a guess. */
static double without_memory(const struct simulation *s, const struct vec3 *rest)
{
    struct particles particles = copy_of(&s->particles);
    const struct restart restart = {.time = s->time, .step = s->step};
    struct simulation cold;
    struct error error;
    check_equal(simulation_create(&cold, s->scene, &particles, rest, &restart, &error), STATUS_OK,
                "creation");
    double iterations = step_once(&cold).iterations_first;
    simulation_free(&cold);
    return iterations;
}

/* A sheet that swings under its weight: a step changes velocities much as the one before did, and
 * to expect that saves at least a tenth of the iterations. */
TEST(a_warm_start_saves_iterations)
{
    struct hand_scene h;
    struct simulation s;
    double warm = 0.0, cold = 0.0;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    h.scene.time.max_step = 2e-4;
    add_body(&h, add_springs(&h, 100.0, 100.0, 10.0, 1e-4), R, 8e-3);
    uint32_t corner = add_block(&h, 12, 12, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    h.particles.state[corner] = h.particles.state[corner + 11] = PARTICLE_FIXED;
    start(&h, &s);
    for (int k = 0; k < 100; k++) {
        cold += without_memory(&s, h.rest);
        warm += step_once(&s).iterations_first;
    }
    printf("# %g iterations, %g without memory\n", warm, cold);
    check(warm < 0.9 * cold);
    measured("ITERATIONS.warm_fraction", warm / cold);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- the preconditioner ---- */

/* Masses over four orders of magnitude on soft bonds: every particle's own block is most of its
 * equation, and whoever knows it needs few iterations. Without a preconditioner these are far more
 * than a hundred. */
TEST(different_masses_cost_few_iterations)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_body(&h, add_springs(&h, 4.0, 4.0, 1.0, 0.0), R, 1.0);
    add_block(&h, 12, 12, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    jitter(&h, 0.1 * R, 4);
    for (size_t i = 0; i < h.particles.n; i++) {
        h.particles.mass[i] = pow(10.0, -3.0 + 4.0 * random_uniform(6, 0, i, RANDOM_TEST));
        h.particles.velocity[i] = vec3_scale(0.1, random_vector(8, i));
    }
    start(&h, &s);
    double most = 0.0;
    for (int k = 0; k < 20; k++)
        most = fmax(most, step_once(&s).iterations_first);
    printf("# at most %g iterations\n", most);
    check(most < 30.0);
    simulation_free(&s);
    hand_scene_end(&h);
}

enum { CUBES = 12, CUBE = 8, MEMBERS = CUBES * (1 + CUBE) };

/* A sheet with cubes of bonds of this stiffness on it; each cube forms one group with the particle
 * of the sheet that is below its first one. */
static void start_cubes(struct bench *b, double stiffness)
{
    uint32_t member[MEMBERS], label[MEMBERS], cube[CUBES];
    hand_scene_begin(&b->h);
    add_body(&b->h, add_springs(&b->h, 40.0, 40.0, 5.0, 0.0), R, 8e-3);
    add_block(&b->h, 10, 10, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    size_t m = add_peridynamics(&b->h, stiffness, 2.0, 0.0, (double)INFINITY);
    for (int c = 0; c < CUBES; c++) {
        add_body(&b->h, m, R, 8e-3);
        cube[c] = add_block(&b->h, 2, 2, 2, vec3(4 * R * (c % 4), 6 * R * (c / 4), 1.9 * R),
                            vec3(0.0, 0.0, 0.0));
    }
    jitter(&b->h, 0.1 * R, 5);
    for (uint32_t c = 0; c < CUBES; c++) {
        member[c] = label[c] = c % 4 * 2 + c / 4 * 30;
        for (uint32_t k = 0; k < CUBE; k++) {
            member[CUBES + CUBE * c + k] = cube[c] + k;
            label[CUBES + CUBE * c + k] = c % 4 * 2 + c / 4 * 30;
        }
    }
    for (size_t i = 0; i < 100; i++)
        b->h.particles.velocity[i] = random_vector(9, i);
    bench_start(b);
    groups_assign(&b->groups, &b->h.particles, MEMBERS, member, label);
    for (size_t i = 0; i < b->h.particles.n; i++)
        b->motion.before[i] = b->h.particles.velocity[b->groups.leader[i]];
}

static size_t solve_cubes(struct bench *b)
{
    struct error error = {0};
    struct solve_report report = {0};
    struct system *system = b->system;
    check_equal(system->class->prepare(system, &b->h.particles, 1e-3, &error), STATUS_OK, "");
    check_equal(system->class->integrate(system, &b->h.particles, &b->groups, 1e-3, &b->motion,
                                         &report, &error),
                STATUS_OK, error.message);
    return report.iterations;
}

static void check_positive(struct bench *b)
{
    for (uint64_t trial = 0; trial < 20; trial++)
        for (size_t i = 0; i < b->h.particles.n; i++) {
            struct vec3 r = random_vector(trial, i), z;
            bond_precondition((struct bond_implicit *)b->system, i, i + 1, &r - i, &z - i);
            check(vec3_dot(r, z) > 0.0);
        }
}

/* Bonds inside a group cancel in its equation, but for rounding to single precision, which with
 * bonds of 1e12 N is worth more than the group's mass. */
TEST(stiff_groups_keep_the_preconditioner_positive)
{
    struct bench soft, stiff;
    start_cubes(&soft, 100.0);
    start_cubes(&stiff, 1e12);
    size_t few = solve_cubes(&soft), more = solve_cubes(&stiff);
    check_positive(&stiff);
    printf("# %zu iterations, %zu with stiff groups\n", few, more);
    check(more < 6 * few);
    bench_end(&soft);
    bench_end(&stiff);
}
