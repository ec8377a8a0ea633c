/* Tests several corotated bodies in one system: which of them share a factor, and that each moves
 * as it would alone. Also tests what a step takes from earlier ones: the factor, pressures, and
 * changes of velocity. */
#include "scenes.h"
#include "systems/corotated/corotated_parts.h"

static const double RADIUS = 0.025, MASS = 0.125, YOUNG = 1e6, DT = 2e-3;
enum { STEPS = 20 };

static void begin(struct hand_scene *h)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_NONE;
    h->scene.solver.tolerance = 1e-12;
    h->scene.time.max_step = DT;
    h->scene.time.courant = 1e9;
    add_corotated(h, YOUNG, 0.3, 0.1);
}

static const struct corotated *solids(const struct simulation *s)
{
    return (const struct corotated *)s->system[0];
}

/* ---- copies ---- */

/* The rotation by an angle about an axis, rad. */
static struct mat3 turn_about(struct vec3 axis, double angle)
{
    double half = 0.5 * angle, size = sin(half) / vec3_norm(axis);
    return rotation_matrix(
        (struct rotation){cos(half), size * axis.x, size * axis.y, size * axis.z});
}

/* A block without any symmetry: 6 x 4 x 3 particles, displaced at random by a tenth of a spacing,
 * that begins with random velocities; turned, and then moved. */
static void add_copy(struct hand_scene *h, const struct mat3 *turn, struct vec3 by)
{
    add_body(h, 0, RADIUS, MASS);
    uint32_t first = add_block(h, 6, 4, 3, vec3(0, 0, 0), vec3(0, 0, 0));
    for (uint32_t i = first; i < h->particles.n; i++) {
        struct vec3 x = vec3_axpy(h->rest[i], 0.2 * RADIUS, random_vector(3, i - first));
        h->rest[i] = h->particles.position[i] = vec3_add(mat3_mul_vec3(turn, x), by);
        h->particles.velocity[i] = mat3_mul_vec3(turn, random_vector(4, i - first));
    }
}

/* A copy of a body that is turned, and another one that is only moved, need no factor of their own
 * and move as the first. */
TEST(copies_share_a_factor_however_they_are_turned)
{
    enum { COPIES = 4 };
    struct hand_scene h;
    struct simulation s;
    struct mat3 turn[COPIES];
    struct vec3 by[COPIES];
    begin(&h);
    for (int k = 0; k < COPIES; k++) {
        turn[k] = turn_about(vec3(1.0, 2.0 * k, -3.0), 0.7 * (k > 1 ? k : 0));
        by[k] = vec3(k, 2.0 * k, 0.1 * k);
        add_copy(&h, &turn[k], by[k]);
    }
    start(&h, &s);
    for (int k = 0; k < STEPS; k++)
        step_once(&s);
    measured("C37.factors", (double)solids(&s)->n_constants);
    check_equal(solids(&s)->n_constants, 1, "factors");
    size_t n = s.particles.n / COPIES;
    double off = 0.0;
    for (size_t k = 1; k < COPIES; k++)
        for (size_t i = 0; i < n; i++) {
            struct vec3 expected =
                vec3_add(mat3_mul_vec3(&turn[k], s.particles.position[i]), by[k]);
            struct vec3 is = s.particles.position[k * n + i];
            off = fmax(off, vec3_norm(vec3_sub(is, expected)) / RADIUS);
        }
    measured("C37.apart", off);
    check_close(off, 0.0, 1e-8, "places, radii");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Four bodies of two shapes. */
TEST(two_unique_bodies_need_two_factors)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    for (int k = 0; k < 4; k++) {
        add_body(&h, 0, RADIUS, MASS);
        add_block(&h, 3 + k % 2, 3, 3, vec3(k, 0, 0), vec3(0, 0, 0));
    }
    start(&h, &s);
    measured("C71.factors", (double)solids(&s)->n_constants);
    check_equal(solids(&s)->n_constants, 2, "factors");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Neither a mirror image, nor a body of other masses, nor one that is held somewhere is a copy. */
TEST(other_bodies_have_factors_of_their_own)
{
    struct hand_scene h;
    struct simulation s;
    const struct mat3 one = turn_about(vec3(0, 0, 1), 0.0);
    begin(&h);
    for (int k = 0; k < 4; k++)
        add_copy(&h, &one, vec3(k, 0, 0));
    for (size_t i = 72; i < 144; i++)
        h.rest[i].z = h.particles.position[i].z *= -1.0;
    for (size_t i = 144; i < 216; i++)
        h.particles.mass[i] *= 1.1;
    h.particles.state[216] = PARTICLE_FIXED;
    h.particles.velocity[216] = vec3(0, 0, 0);
    start(&h, &s);
    check_equal(solids(&s)->n_constants, 4, "factors");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- different bodies ---- */

/* A long bar and a cube, with one face held, whose particles come first or last. */
enum order { LONG_FIRST, CUBE_FIRST };

static uint32_t add_held(struct hand_scene *h, int n, int m, double y, bool held_last)
{
    const double spacing = 2.0 * RADIUS;
    uint32_t first = (uint32_t)h->particles.n;
    add_body(h, 0, RADIUS, MASS);
    for (int k = 0; k < n; k++) {
        int layer = held_last ? n - 1 - k : k;
        uint32_t begun = add_block(h, 1, m, m, vec3(layer * spacing, y, 0), vec3(0, 0, 0));
        for (uint32_t i = begun; i < h->particles.n; i++)
            h->particles.velocity[i] = random_vector(9, (uint64_t)(layer * m * m) + i - begun);
        if (layer == 0)
            fix_from(h, begun);
    }
    return first;
}

/* Where the particles of the bar are at the end, layer by layer. */
static void moved(enum order order, bool held_last, struct vec3 *place, double *held)
{
    enum { LONG = 12, WIDE = 4, CUBE = 6, LAYER = WIDE * WIDE };
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    if (order == CUBE_FIRST)
        add_held(&h, CUBE, CUBE, 1.0, held_last);
    uint32_t bar = add_held(&h, LONG, WIDE, 0.0, held_last);
    if (order == LONG_FIRST)
        add_held(&h, CUBE, CUBE, 1.0, held_last);
    start(&h, &s);
    for (int k = 0; k < STEPS; k++)
        step_once(&s);
    check_equal(solids(&s)->n_constants, 2, "factors");
    for (int k = 0; k < LONG * LAYER; k++) {
        int layer = held_last ? LONG - 1 - k / LAYER : k / LAYER;
        place[layer * LAYER + k % LAYER] = s.particles.position[bar + (uint32_t)k];
    }
    for (size_t i = 0; i < s.particles.n; i++)
        if (s.particles.state[i])
            *held = fmax(*held, vec3_norm(vec3_sub(s.particles.position[i], h.rest[i])));
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(bodies_of_unequal_size_move_alike_in_any_order)
{
    static struct vec3 place[4][12 * 16];
    double held = 0.0, off = 0.0, far = 0.0;
    for (int k = 0; k < 4; k++)
        moved(k / 2 ? CUBE_FIRST : LONG_FIRST, k % 2, place[k], &held);
    for (int k = 1; k < 4; k++)
        for (size_t i = 0; i < sizeof place[0] / sizeof place[0][0]; i++)
            off = fmax(off, vec3_norm(vec3_sub(place[k][i], place[0][i])) / RADIUS);
    for (size_t i = 0; i < 16; i++)
        far = fmax(far, vec3_norm(vec3_sub(place[0][176 + i], vec3(0.55, 0, 0))));
    check(far > RADIUS); /* it did move */
    measured("C77.apart", off);
    measured("C77.held", held);
    check_close(off, 0.0, 1e-8, "places, radii");
    check_close(held, 0.0, 0.0, "held particles");
}

/* ---- particles that do not see all directions ---- */

struct limp {
    double energy, speed, imbalance; /* at the start, J; the largest, m/s; the largest, J */
};

/* A plate of one layer with a rod of one row, turned, for ten steps. */
static struct limp limp_with(uint32_t flat, enum corotated_solving solver, double speed)
{
    struct hand_scene h;
    struct simulation s;
    struct limp limp = {0};
    const struct mat3 turn = turn_about(vec3(1.0, -2.0, 0.5), 0.8);
    begin(&h);
    h.scene.solver.tolerance = 1e-9;
    h.parameters[0].corotated.flat = flat;
    h.parameters[0].corotated.solver = solver;
    add_body(&h, 0, RADIUS, MASS);
    add_block(&h, 5, 4, 1, vec3(0, 0, 0), vec3(0, 0, 0));
    add_block(&h, 3, 1, 1, vec3(10.0 * RADIUS, 0, 0), vec3(0, 0, 0));
    for (uint32_t i = 0; i < h.particles.n; i++) {
        h.particles.position[i] = mat3_mul_vec3(&turn, h.rest[i]);
        h.particles.velocity[i] = vec3_scale(speed, random_vector(6, i));
    }
    start(&h, &s);
    limp.energy = s.energy.elastic;
    for (int k = 0; k < 10; k++) {
        const struct ledger_row row = step_once(&s);
        limp.imbalance = fmax(limp.imbalance, fabs(row.energy_imbalance));
        limp.speed = fmax(limp.speed, row.speed_max);
    }
    simulation_free(&s);
    hand_scene_end(&h);
    return limp;
}

TEST(blind_particles_are_at_rest_where_the_body_is)
{
    static const enum corotated_solving solvers[] = {COROTATED_COUPLED, COROTATED_PREFACTORED,
                                                     COROTATED_WHOLE, COROTATED_NEWTON};
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++) {
        const struct limp still = limp_with(REST_FLAT_BLIND, solvers[k], 0.0);
        check_close(still.energy, 0.0, 1e-18, "energy at rest");
        check_close(still.speed, 0.0, 1e-9, "speed from rest");
        const struct limp moving = limp_with(REST_FLAT_BLIND, solvers[k], 1.0);
        check_close(moving.imbalance, 0.0, 1e-12, "energy imbalance");
        check(moving.speed < 2.0);
    }
}

/* ... which they are not with the energies of others. */
TEST(strained_particles_push_their_neighbors_apart)
{
    const struct limp strained = limp_with(REST_FLAT_STRAINED, COROTATED_PREFACTORED, 0.0);
    check(strained.energy > 1.0 && strained.speed > 1.0);
    check_close(strained.imbalance, 0.0, 1e-12 * strained.energy, "energy imbalance");
}

/* ---- what is kept from step to step ---- */

/* What the first guess of a step's last solve is made of. */
enum memory { NOTHING, LAST_STEP, ALL_STEPS };

static void forget(struct corotated *c, enum memory memory)
{
    const size_t pressures = c->system.n * sizeof *c->last_pressure;
    const size_t known = memory == NOTHING ? 0 : 1;
    if (memory == ALL_STEPS)
        return;
    if (memory == NOTHING)
        memset(c->last_pressure, 0, pressures);
    memcpy(c->earlier_pressure, c->last_pressure, pressures); /* twice it less itself */
    for (size_t i = 0; i < c->system.n; i++)
        memset(c->past[i].increment[known], 0,
               (COROTATED_PAST - known) * sizeof c->past[i].increment[0]);
}

/* The mean iterations of steps of a bar that falls on one end. */
static double mean_iterations(enum corotated_solving solver, enum memory memory)
{
    struct hand_scene h;
    struct simulation s;
    double sum = 0.0;
    begin(&h);
    h.scene.solver.tolerance = 1e-4;
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    h.parameters[0].corotated.solver = solver;
    add_held(&h, 20, 5, 0.0, false);
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.velocity[i] = vec3(0, 0, 0);
    start(&h, &s);
    for (int k = 0; k < 100; k++) {
        forget((struct corotated *)s.system[0], memory);
        sum += (double)step_once(&s).iterations_first;
    }
    simulation_free(&s);
    hand_scene_end(&h);
    return sum / 100.0;
}

TEST(pressures_of_two_steps_are_a_good_first_guess)
{
    double cold = mean_iterations(COROTATED_PREFACTORED, NOTHING),
           warm = mean_iterations(COROTATED_PREFACTORED, LAST_STEP),
           expected = mean_iterations(COROTATED_PREFACTORED, ALL_STEPS);
    printf("# iterations of a step: %.2f from nothing, %.2f from the last pressures, %.2f from "
           "those of two steps\n",
           cold, warm, expected);
    measured("C16.cold", cold);
    measured("C16.warm", warm);
    measured("C16.expected", expected);
    check(warm < cold);
    check(expected < warm);
}

/* ... and changes of velocity, if all forces are solved for at once. */
static void check_increments(enum corotated_solving solver)
{
    double cold = mean_iterations(solver, NOTHING), warm = mean_iterations(solver, LAST_STEP),
           expected = mean_iterations(solver, ALL_STEPS);
    printf("# iterations of a step: %.2f, %.2f and %.2f\n", cold, warm, expected);
    check(warm < cold);
    check(expected < 0.8 * warm);
}

TEST(increments_of_the_last_steps_are_a_good_first_guess)
{
    check_increments(COROTATED_COUPLED);
    check_increments(COROTATED_WHOLE);
}

/* Two damped swings, of other frequencies in another body, k steps ago. */
static struct vec3 two_swings(size_t i, bool other, int k)
{
    const double slow = other ? 0.5 : 0.3, fast = other ? 1.7 : 1.1;
    const double phase = random_vector(7, i).x;
    const struct vec3 first = vec3_scale(exp(0.1 * k) * cos(slow * k + phase), random_vector(5, i));
    return vec3_axpy(first, exp(0.2 * k) * sin(fast * k + 2.0 * phase), random_vector(6, i));
}

/* ... which a recurrence of four steps describes: five steps tell the next one, up to their
 * rounding to single precision. */
TEST(each_body_goes_on_with_its_own_swings)
{
    struct hand_scene h;
    struct simulation s;
    double worst = 0.0;
    begin(&h);
    for (int k = 0; k < 2; k++)
        add_copy(&h, &(struct mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, vec3(0, 0, 10.0 * k));
    start(&h, &s);
    step_once(&s);
    struct corotated *c = (struct corotated *)s.system[0];
    for (int k = COROTATED_PAST; k > 0; k--) {
        for (size_t i = 0; i < c->system.n; i++)
            c->next_increment[i] = two_swings(i, i >= c->solid[1].begin, k);
        corotated_remember(c);
    }
    corotated_expect(c);
    for (size_t i = 0; i < c->system.n; i++) {
        const struct vec3 next = two_swings(i, i >= c->solid[1].begin, 0);
        worst = fmax(worst, vec3_norm(vec3_sub(c->change[i], next)));
    }
    check_close(worst, 0.0, 1e-4, "what the last steps lead to expect");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* The matrix is that of the beginning after any deformation: solved with the same factor, in one
 * iteration. */
TEST(the_factor_of_the_beginning_serves_every_step)
{
    struct hand_scene h;
    struct simulation s;
    double most = 0.0;
    begin(&h);
    h.parameters[0].corotated.poisson = 0.0;
    h.scene.solver.tolerance = 1e-6;
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    add_held(&h, 20, 5, 0.0, false);
    start(&h, &s);
    const struct corotated_constant *constant = solids(&s)->constant;
    const struct prefactored *factor = constant->factor[0];
    for (int k = 0; k < 200; k++)
        most = fmax(most, (double)step_once(&s).iterations_first);
    measured("C11.iterations", most);
    measured("C11.factors", (double)solids(&s)->n_constants);
    check_close(most, 1.0, 0.0, "iterations");
    check(solids(&s)->constant == constant && constant->factor[0] == factor);
    simulation_free(&s);
    hand_scene_end(&h);
}
