/* Springs that break: cloth and ropes that tear. */
#include "trials.h"

static const char scene_text[] =
    "name: tearing\n"
    "gravity: [0, 0, %g]\n"
    "time: {end: 10, max_step: 1e-3, frame_interval: 10}\n"
    "contact: {method: %s}\n"
    "materials:\n"
    "  silk: {model: mass-spring, stretch_stiffness: 100, shear_stiffness: %g, bend_stiffness: 0,\n"
    "         damping: 1e-3, critical_stretch: %.17g}\n"
    "bodies:\n"
    "  cloth: {material: silk, radius: 0.01, particle_mass: 0.01, self_contact: ignored, %s}\n";

static const double MASS = 0.01, STIFFNESS = 100.0, SPACING = 0.02, G = 10.0;
static const char *const method[] = {
    "merging-and-splitting",
    "position-based}\nposition: {iterations: 64, stiffness: material, averaging: mass-splitting"};

static void make(struct trial *t, double gravity, int way, double shear, double critical,
                 const char *shape)
{
    char text[sizeof scene_text + 500];
    snprintf(text, sizeof text, scene_text, gravity, method[way], shear, critical, shape);
    trial_create(t, text);
}

static bool is_whole(const struct trial *t, uint32_t i, uint32_t j)
{
    return bonded_whole(t->s.bonded, i, j);
}

/* Springs that are stretched too far at once, of which those that are the most stretched at both
 * their ends break, step by step, whichever end of the row has the first number. */
TEST(the_most_stretched_of_all_springs_at_a_particle_breaks_first)
{
    enum { HELD = 9, SPRINGS = HELD - 1 };
    static const double strain[SPRINGS] = {0.21, 0.35, 0.2, 0.16, 0.3, 0.4, 0.22, 0.05};
    static const int step_of[SPRINGS] = {2, 1, 2, 3, 2, 1, 2, 0}; /* 2 is above 3, 4 is above 3 */
    for (int way = 0; way < 4; way++) {
        const bool turned = way / 2;
        struct trial t;
        double x = 0.0;
        make(&t, 0.0, way % 2, 0.0, 0.1,
             "shape: {box: {size: [0.2, 0.02, 0.02]}}, fixed_in: {box: {center: [-0.01, 0, 0], "
             "size: [0.18, 1, 1]}}");
        struct particles *p = &t.s.particles;
        check(p->n == HELD + 1 && p->state[HELD - 1] && !p->state[HELD]);
        for (int i = 0; i <= HELD; i++) {
            p->position[i] = vec3(x, 0.0, 0.0);
            const double own = i < SPRINGS ? strain[turned ? SPRINGS - 1 - i : i] : 0.0;
            x += SPACING * (1.0 + own);
        }
        for (int step = 1; step <= 3; step++) {
            step_once(&t.s);
            for (uint32_t i = 0; i < SPRINGS; i++) {
                const int breaks = step_of[turned ? SPRINGS - 1 - i : i];
                check(is_whole(&t, i, i + 1) == (breaks == 0 || breaks > step));
            }
        }
        trial_free(&t);
    }
}

/* A rope of n masses that hangs at rest strains its first spring by n m g / k; it holds what is
 * less than its critical stretch and tears there at what is more. */
static uint32_t hang(int way, double critical)
{
    enum { N = 8 };
    struct trial t;
    make(&t, -G, way, 0.0, critical,
         "rotation: {axis: [0, 1, 0], degrees: 90}, fixed_in: {ball: {center: [-0.08, 0, 0], "
         "radius: 0.005}}, shape: {box: {size: [0.18, 0.02, 0.02]}}");
    struct particles *p = &t.s.particles;
    check(p->n == N + 1 && p->state[0] == PARTICLE_FIXED && p->position[0].z > p->position[N].z);
    for (int i = 1; i <= N; i++) { /* at rest but for 3 % of its strain */
        double strain = 0.97 * (N + 1 - i) * MASS * G / STIFFNESS;
        p->position[i] =
            vec3_axpy(p->position[i - 1], SPACING * (1.0 + strain), vec3(0.0, 0.0, -1.0));
    }
    uint32_t broken = 0, where = UINT32_MAX;
    for (int k = 0; k < 1000 && broken == 0; k++) {
        step_once(&t.s);
        for (size_t i = 0; i < p->n; i++)
            p->velocity[i] = vec3_scale(0.9, p->velocity[i]);
        for (uint32_t i = 0; i < N; i++)
            if (!is_whole(&t, i, i + 1)) {
                broken++;
                where = i;
            }
    }
    check(broken <= 1);
    trial_free(&t);
    return where;
}

TEST(a_rope_tears_where_it_hangs_and_at_its_own_weight)
{
    const double strain = 8 * MASS * G / STIFFNESS;
    for (int way = 0; way < 2; way++) {
        check(hang(way, 1.01 * strain) == UINT32_MAX);
        check(hang(way, 0.99 * strain) == 0);
    }
}

/* Between two masses of a long row a plane cuts the spring of one spacing d and two of 2 d, over an
 * area of d^2. */
TEST(what_a_tear_costs_is_the_energy_of_its_springs)
{
    enum { N = 40 };
    const struct mass_spring springs = {
        .stretch_stiffness = 7.0, .bend_stiffness = 3.0, .critical_stretch = 0.2};
    const struct material silk = {.model = &mass_spring_model, .parameters = &springs};
    const struct body body = {.radius = 0.5 * SPACING};
    struct fracture_report cost = {0};
    struct error error = {0};
    struct vec3 rest[N];
    for (int i = 0; i < N; i++)
        rest[i] = vec3(SPACING * i, 0.0, 0.0);
    check_equal(mass_spring_model.fracture(&body, &silk, N, rest, &cost, &error), STATUS_OK,
                error.message);
    check_close(cost.critical_stretch, 0.2, 0.0, "critical stretch");
    check_close(cost.energy[0] / (0.5 * 0.04 / SPACING * (7.0 + 4.0 * 3.0)), 1.0, 1e-9, "energy");
}

/* A cloth that two of its edges pull apart: the same bonds break with any threads, and after a
 * restart from the middle of the tear. */
TEST(a_tear_is_the_same_with_any_threads_and_after_a_restart)
{
    for (int way = 0; way < 2; way++) {
        struct trial t;
        struct simulation again;
        struct error error = {0};
        struct particles copy;
        struct state state;
        struct ledger_row row;
        make(&t, 0.0, way, 50.0, 0.08,
             "shape: {sheet: {cells: [24, 16]}}, velocity_gradient: {vx: [12, 3, 0]}");
        size_t begun = 0;
        do {
            row = step_once(&t.s);
            check_close(row.energy_imbalance / row.kinetic, 0.0, 1e-12, "energy");
            begun++;
        } while (ledger_value(&row, "broken_bonds") < 30 && begun < 200);
        check(begun < 200);
        check_equal(state_create(&state, &error), STATUS_OK, error.message);
        check_equal(simulation_take_state(&t.s, &state, &error), STATUS_OK, error.message);
        copy_particles(&copy, &t.s.particles);
        const struct restart restart = {.time = t.s.time, .step = t.s.step, .state = &state};
        omp_set_num_threads(3);
        check_equal(
            simulation_create(&again, &t.scene, &copy, t.sample.rest_position, &restart, &error),
            STATUS_OK, error.message);
        const double before = ledger_value(&row, "broken_bonds");
        for (int k = 0; k < 15; k++) {
            omp_set_num_threads(1);
            row = step_once(&t.s);
            omp_set_num_threads(3);
            struct ledger_row other = step_once(&again);
            check(memcmp(&row, &other, sizeof row) == 0);
        }
        check(ledger_value(&row, "broken_bonds") > before);
        check(memcmp(t.s.particles.position, again.particles.position,
                     copy.n * sizeof(struct vec3)) == 0);
        simulation_free(&again);
        state_free(&state);
        trial_free(&t);
    }
}
