/* contact.method: pressure between solids: momentum, energy, order of bodies, bodies that are dense
 * at rest, supports that move, and what a run keeps. */
#include "ledger_rows.h"
#include "scenes.h"
#include "systems/dfsph/dfsph_model.h"

static const double R = 0.01, M = 8e-3;

static void begin(struct hand_scene *h)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_PRESSURE;
    h->scene.pressure = (struct pressure_keys){
        .density_tolerance = 1e-4, .divergence_tolerance = 1e-4, .most_iterations = 200};
}

/* Two blocks of different masses that fly into each other, the bodies in either order. */
static void add_two(struct hand_scene *h, bool other_first)
{
    size_t material = add_peridynamics(h, 100.0, 2.0, 0.0, (double)INFINITY);
    for (int k = 0; k < 2; k++)
        if ((k == 1) == other_first) {
            add_body(h, material, R, M);
            add_block(h, 4, 4, 4, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.2, 0.0));
        } else {
            add_body(h, material, R, 5.0 * M);
            add_block(h, 3, 4, 5, vec3(0.086, 0.007, -0.012), vec3(-1.0, 0.0, 0.1));
        }
}

/* The mean position of body b. */
static struct vec3 center(const struct simulation *s, uint32_t b)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double n = 0.0;
    for (size_t i = 0; i < s->particles.n; i++)
        if (s->particles.body[i] == b) {
            sum = vec3_add(sum, s->particles.position[i]);
            n += 1.0;
        }
    return vec3_scale(1.0 / n, sum);
}

TEST(two_blocks_that_collide_keep_momentum_and_do_not_meet)
{
    struct hand_scene h;
    struct simulation s;
    struct ledger_row row;
    begin(&h);
    add_two(&h, false);
    h.scene.time.max_step = 2e-4;
    start(&h, &s);
    const double mass[2] = {64 * M, 60 * 5.0 * M};
    const struct vec3 expected = vec3(mass[0] - mass[1], 0.2 * mass[0], 0.1 * mass[1]);
    double pushed = 0.0, most = 0.0, energy = 0.5 * (mass[0] * 1.04 + mass[1] * 1.01);
    for (int k = 0; k < 400; k++) {
        row = step_once(&s);
        pushed += row.contact_iterations;
        check_vec3(row_momentum(&row), expected, 1e-14 * mass[1], "momentum");
        check_close(row.energy_imbalance, 0.0, 1e-13 * energy, "energy_imbalance");
        most = fmax(most, row.kinetic + row.elastic);
    }
    printf("# energy at most %g, at the end %g\n", most / energy,
           (row.kinetic + row.elastic) / energy);
    check(pushed > 0.0 && most < 1.05 * energy);
    check(center(&s, 1).x - center(&s, 0).x > 0.06);
    check_close(row.support_impulse_x, 0.0, 1e-15, "no support");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(the_order_of_bodies_does_not_matter)
{
    struct vec3 end[2][2];
    for (int way = 0; way < 2; way++) {
        struct hand_scene h;
        struct simulation s;
        begin(&h);
        add_two(&h, way == 1);
        start(&h, &s);
        for (int k = 0; k < 60; k++)
            step_once(&s);
        for (int b = 0; b < 2; b++)
            end[way][b == way] = center(&s, (uint32_t)b);
        simulation_free(&s);
        hand_scene_end(&h);
    }
    for (int b = 0; b < 2; b++)
        check_vec3(end[0][b], end[1][b], 1e-4 * R, "center");
}

/* A solid that is packed more densely than its particles' cubes is not pushed apart by itself. */
TEST(a_body_that_is_dense_at_rest_stays)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    add_body(&h, add_peridynamics(&h, 100.0, 2.0, 0.0, (double)INFINITY), R, M);
    add_block(&h, 5, 5, 5, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.position[i] = h.rest[i] = vec3_scale(0.93, h.rest[i]);
    start(&h, &s);
    for (int k = 0; k < 10; k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.kinetic, 0.0, 1e-12, "motion");
        check(ledger_value(&row, "density_error_max") < 1e-6);
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

/* How near, in spacings, the layers of a small fluid and of a solid come whose lattice has been
 * shrunk. Faces stand one spacing apart, edges may come nearer. */
static double nearest_to(double shrunk)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    add_body(&h, add_loose(&h), R, 1e6 * M);
    add_block(&h, 7, 7, 4, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.position[i] = h.rest[i] = vec3_scale(shrunk, h.rest[i]);
    add_body(&h, add_dfsph(&h, 1e-6), R, M);
    add_block(&h, 3, 3, 3, vec3(0.04, 0.04, 0.06 + 1.6 * 2.0 * R), vec3(0.0, 0.0, -0.2));
    start(&h, &s);
    for (int step = 0; step < 100; step++)
        step_once(&s);
    double apart = (center(&s, 1).z - center(&s, 0).z) / (2.0 * R);
    simulation_free(&s);
    hand_scene_end(&h);
    return apart - 1.5 * shrunk - 1.0;
}

/* It is no reason to keep a fluid out of its reach, which is two spacings. */
TEST(a_fluid_comes_near_a_body_that_is_dense_at_rest)
{
    double lattice = nearest_to(1.0), dense = nearest_to(0.95);
    printf("# %g of a spacing, and %g\n", lattice, dense);
    check(lattice > 0.7 && lattice < 1.0);
    check(fabs(dense - lattice) < 0.15);
}

/* What a block shorter by a twentieth in all directions meets: the largest compression. */
static double squeezed(enum pressure_solids solids, double *iterations)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    h.scene.pressure.solids = solids;
    add_body(&h, add_corotated(&h, 4e5, 0.0, 0.1), R, M);
    add_block(&h, 5, 5, 5, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.position[i] = vec3_scale(0.95, h.rest[i]);
    start(&h, &s);
    struct ledger_row row = step_once(&s);
    *iterations = row.contact_iterations;
    double error = ledger_value(&row, "density_error_max");
    simulation_free(&s);
    hand_scene_end(&h);
    return error;
}

TEST(a_compressible_solid_may_be_denser_than_at_rest)
{
    double iterations;
    check(squeezed(SOLIDS_INCOMPRESSIBLE, &iterations) > 0.1);
    check(iterations > 1.0);
    check_close(squeezed(SOLIDS_COMPRESSIBLE, &iterations), 0.0, 1e-6, "compression");
    check(iterations <= 1.0);
}

TEST(but_two_do_not_meet)
{
    struct hand_scene h;
    struct simulation s;
    struct ledger_row row;
    begin(&h);
    h.scene.pressure.solids = SOLIDS_COMPRESSIBLE;
    add_two(&h, false);
    start(&h, &s);
    for (int k = 0; k < 80; k++)
        row = step_once(&s);
    check_vec3(row_momentum(&row), vec3(64 * M - 300 * M, 12.8 * M, 30.0 * M), 1e-12 * M * 300,
               "momentum");
    check(center(&s, 1).x - center(&s, 0).x > 0.06);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Momentum of the particles of body b, kg m/s. */
static struct vec3 momentum(const struct simulation *s, uint32_t b)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = 0; i < s->particles.n; i++)
        if (s->particles.body[i] == b)
            sum = vec3_axpy(sum, s->particles.mass[i], s->particles.velocity[i]);
    return sum;
}

/* A block between a thin fluid and a thick one sticks to both and takes them along. */
TEST(viscosity_between_bodies_takes_energy_and_no_momentum)
{
    struct hand_scene h;
    struct simulation s;
    double products = 0.0;
    begin(&h);
    add_body(&h, add_loose(&h), R, 3.0 * M);
    add_block(&h, 3, 3, 3, vec3(0.0, 0.0, 0.0), vec3(0.5, 0.0, 0.0));
    for (int k = 0; k < 2; k++) {
        size_t material = add_dfsph(&h, k == 0 ? 1e-2 : 1.0);
        h.parameters[material].dfsph.wall_viscosity = 0.3;
        add_body(&h, material, R, M);
        add_block(&h, 3, 3, 3, vec3(0.0, 0.0, k == 0 ? -0.06 : 0.06), vec3(0.0, 0.3 * k, 0.0));
    }
    start(&h, &s);
    const struct vec3 all = vec3(27.0 * 3.0 * M * 0.5, 27.0 * M * 0.3, 0.0);
    for (int k = 0; k < 20; k++) {
        struct ledger_row row = step_once(&s);
        check_vec3(row_momentum(&row), all, 1e-14 * vec3_norm(all), "momentum");
        check_close(row.energy_imbalance, 0.0, 1e-15, "energy");
        check(row.damping > 0.0);
        products += ledger_value(&row, "viscosity_iterations");
    }
    for (uint32_t b = 1; b < 3; b++)
        check(momentum(&s, b).x > 0.05 * all.x);
    check(momentum(&s, 0).y > 0.05 * all.y);
    check(products > 0.0);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A bar falls on water: what changes its momentum is gravity and the impulse that is reported, with
 * either way to repair the density. */
TEST(the_impulse_of_a_fluid_on_a_solid_is_that_of_the_column)
{
    for (int way = 0; way < 2; way++) {
        struct hand_scene h;
        struct simulation s;
        double pushed = 0.0;
        begin(&h);
        h.scene.gravity = vec3(0.0, 0.0, -9.81);
        h.scene.pressure.correction = way ? CORRECTION_BY_VELOCITY : CORRECTION_BY_DISPLACEMENT;
        add_body(&h, add_loose(&h), R, 0.5 * M);
        add_block(&h, 3, 3, 2, vec3(0.03, 0.03, 0.13), vec3(0.3, 0.0, -1.0));
        add_body(&h, add_dfsph(&h, 1e-3), R, M);
        add_block(&h, 6, 6, 6, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        start(&h, &s);
        struct vec3 before = momentum(&s, 0);
        for (int k = 0; k < 20; k++) {
            struct ledger_row row = step_once(&s);
            struct vec3 on =
                vec3(ledger_value(&row, "fluid_impulse_x"), ledger_value(&row, "fluid_impulse_y"),
                     ledger_value(&row, "fluid_impulse_z"));
            on = vec3_axpy(on, 9.0 * M * row.dt, h.scene.gravity);
            check_vec3(vec3_sub(momentum(&s, 0), before), on, 1e-14, "momentum of the bar");
            before = momentum(&s, 0);
            pushed += ledger_value(&row, "fluid_impulse_z");
        }
        check(pushed > 0.1 * 9.0 * M);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}
