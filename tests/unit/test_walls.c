/* Walls of fluids: where they are, what they add to densities and forces, and that nothing gets
 * through. */
#include "base/memory.h"
#include "scenes.h"
#include "step/simulation_parts.h"
#include "systems/sph/sph_parts.h"

static const double R = 0.01, S = 0.02; /* m */

static struct wall box_wall(enum wall_side keep, struct vec3 size, struct vec3 center)
{
    return (struct wall){.name = "box",
                         .region = {.shape = {.kind = SHAPE_BOX, .size = size, .center = center},
                                    .rotation = UPRIGHT},
                         .keep = keep};
}

static struct wall ball_wall(enum wall_side keep, double radius)
{
    return (struct wall){
        .name = "ball",
        .region = {.shape = {.kind = SHAPE_BALL, .radius = radius}, .rotation = UPRIGHT},
        .keep = keep};
}

static struct walls *walls_of(struct wall *wall, size_t n)
{
    struct scene scene = {.n_walls = n, .wall = wall};
    struct walls *walls = NULL;
    struct error error = {0};
    check_equal(walls_create(&walls, &scene, &error), STATUS_OK, error.message);
    return walls;
}

static double volume_of(const struct wall_points *points)
{
    double sum = 0.0;
    for (size_t k = 0; k < points->n; k++)
        sum += points->weight[k];
    return sum * S * S * S;
}

/* ---- where they are ---- */

TEST(points_fill_a_wall_as_deep_as_the_kernel_reaches)
{
    struct wall tank = box_wall(KEEP_INSIDE, vec3(10 * S, 8 * S, 6 * S), vec3(0, 0, 0));
    struct walls *walls = walls_of(&tank, 1);
    struct wall_points points;
    struct error error = {0};
    check_equal(wall_points_create(&points, walls, S, 2 * S, &error), STATUS_OK, error.message);
    size_t whole = 14 * 12 * 10, room = 10 * 8 * 6, out_of_reach = 7 * 8 + 4 * (10 + 8 + 6);
    /* of the two outer layers, no more than 2 S from the tank: neither the outermost edge nor what
     * is around the corners */
    check(points.n >= whole - room - out_of_reach && points.n <= whole - room);
    for (size_t k = 0; k < points.n; k++) {
        check_close(points.weight[k], 1.0, 1e-9, "weight");
        check(walls_distance(walls, points.position[k]) < -0.49 * S);
        double cells = points.position[k].x / S - 0.5;
        check_close(cells, round(cells), 1e-9, "on the lattice");
    }
    wall_points_free(&points);
    walls_free(walls);
}

/* Planes along the lattice exactly; curved surfaces up to their bend within a quarter cell,
 * (S / 4)^2 / (2 radius)^2, and as much again for the surface's place on the lattice. */
TEST(points_of_any_surface_fill_its_volume)
{
    const double pi = 3.14159265358979323846;
    for (double radius = 1.3 * S; radius < 2.0 * S; radius += 0.113 * S) {
        struct wall ball = ball_wall(KEEP_OUTSIDE, radius);
        struct walls *walls = walls_of(&ball, 1);
        struct wall_points points;
        struct error error = {0};
        check_equal(wall_points_create(&points, walls, S, 2 * S, &error), STATUS_OK, "status");
        check_close(volume_of(&points) / (4.0 / 3.0 * pi * pow(radius, 3)), 1.0,
                    S * S / 32.0 / (radius * radius), "volume");
        for (size_t k = 0; k < points.n; k++)
            check(walls_distance(walls, points.position[k]) < 1e-9 * S);
        wall_points_free(&points);
        walls_free(walls);
    }
    for (double cut = 0.0; cut < 1.0; cut += 0.17) { /* a slab, at any place on the lattice */
        struct wall slab = box_wall(KEEP_OUTSIDE, vec3(6 * S, 6 * S, (3 + cut) * S), vec3(0, 0, 0));
        struct walls *walls = walls_of(&slab, 1);
        struct wall_points points;
        struct error error = {0};
        check_equal(wall_points_create(&points, walls, S, 2 * S, &error), STATUS_OK, "status");
        check_close(volume_of(&points) / (36 * (3 + cut) * S * S * S), 1.0, 1e-9, "volume");
        wall_points_free(&points);
        walls_free(walls);
    }
}

TEST(a_place_in_two_walls_counts_once)
{
    struct wall both[2] = {box_wall(KEEP_OUTSIDE, vec3(4 * S, 4 * S, 4 * S), vec3(0, 0, 0)),
                           box_wall(KEEP_OUTSIDE, vec3(4 * S, 4 * S, 4 * S), vec3(2 * S, 0, 0))};
    struct walls *walls = walls_of(both, 2);
    struct wall_points points;
    struct error error = {0};
    check_equal(wall_points_create(&points, walls, S, 2 * S, &error), STATUS_OK, "status");
    check_close(volume_of(&points) / (6 * 4 * 4 * S * S * S), 1.0, 1e-9, "volume");
    wall_points_free(&points);
    walls_free(walls);
}

TEST(a_wall_of_too_many_points_is_refused)
{
    struct wall tank = box_wall(KEEP_INSIDE, vec3(1e4, 1e4, 1e4), vec3(0, 0, 0));
    tank.origin = (struct origin){"scene.yaml", 7, 3};
    struct walls *walls = walls_of(&tank, 1);
    struct wall_points points;
    struct error error = {0};
    check_equal(wall_points_create(&points, walls, S, 2 * S, &error), STATUS_INVALID, "status");
    check_contains(error.message, "scene.yaml:7:3: wall 'box' would need about 3e+12 points");
    walls_free(walls);
}

/* Edges, corners and curves: whoever is pushed out is out, and was moved by no more than needed for
 * a corner of three planes. */
TEST(whoever_is_pushed_out_is_out)
{
    struct wall wall[3] = {box_wall(KEEP_INSIDE, vec3(1, 1, 1), vec3(0, 0, 0)),
                           ball_wall(KEEP_OUTSIDE, 0.2),
                           box_wall(KEEP_OUTSIDE, vec3(0.4, 0.4, 0.4), vec3(0.5, 0.5, -0.5))};
    wall[0].region.rotation[0] = wall[0].region.rotation[4] = 0.8;
    wall[0].region.rotation[1] = -0.6;
    wall[0].region.rotation[3] = 0.6;
    struct walls *walls = walls_of(wall, 3);
    size_t outside = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        struct vec3 x = vec3_scale(0.6, random_vector(3, i)), moved = x;
        double before = walls_distance(walls, x), least = 0.03;
        outside += before < least;
        if (!check(walls_push_out(walls, least, &moved)))
            break;
        check(walls_distance(walls, moved) >= least * (1.0 - 2e-9));
        double way = vec3_norm(vec3_sub(moved, x));
        check(before >= least ? way == 0.0 : way >= (least - before) * (1.0 - 1e-6));
        check(way <= 3.0 * fmax(least - before, 0.0));
    }
    check(outside > 2000);
    walls_free(walls);
}

TEST(nobody_is_pushed_out_of_a_gap_too_narrow)
{
    struct wall wall[2] = {box_wall(KEEP_OUTSIDE, vec3(1, 1, 1), vec3(0, 0, -0.501)),
                           box_wall(KEEP_OUTSIDE, vec3(1, 1, 1), vec3(0, 0, 0.501))};
    struct walls *walls = walls_of(wall, 2);
    struct vec3 x = vec3(0.01, 0.02, 0.0002), before = x;
    check(!walls_push_out(walls, 0.005, &x));
    check(memcmp(&x, &before, sizeof x) == 0);
    walls_free(walls);
}

/* ---- the fluid in a tank ---- */

struct tank {
    struct hand_scene h;
    struct wall wall[2];
    struct simulation s;
};

/* A tank of nx x ny x height cells around the origin, its floor at z = 0. */
static void tank_begin(struct tank *t, int nx, int ny, int height, double pressure)
{
    hand_scene_begin(&t->h);
    t->wall[0] = box_wall(KEEP_INSIDE, vec3(nx * S, ny * S, height * S), vec3(0, 0, height * R));
    t->h.scene.wall = t->wall;
    t->h.scene.n_walls = 1;
    t->h.scene.time.max_step = 1.0;
    add_body(&t->h, add_fluid(&t->h, pressure, 0.02), R, 8e-3);
}

static void tank_fill(struct tank *t, int nx, int ny, int nz)
{
    add_block(&t->h, nx, ny, nz, vec3(-(nx - 1) * R, -(ny - 1) * R, R), vec3(0, 0, 0));
}

static void tank_end(struct tank *t)
{
    simulation_free(&t->s);
    hand_scene_end(&t->h);
}

static struct sph *fluid_of(struct tank *t)
{
    return (struct sph *)t->s.system[0];
}

TEST(a_full_tank_is_at_rest)
{
    struct tank t;
    tank_begin(&t, 5, 4, 3, 2e4);
    tank_fill(&t, 5, 4, 3);
    start(&t.h, &t.s);
    double density[60], dt;
    struct error error;
    struct system *system = t.s.system[0];
    check_equal(system->class->limit(system, &t.s.particles, &dt, &error), STATUS_OK, "status");
    sph_densities(system, density);
    for (size_t i = 0; i < 60; i++) {
        check_close(density[i] / 1000.0, 1.0, 1e-7, "density");
        check_close(vec3_norm(fluid_of(&t)->force[i]) / (2e4 * S * S), 0.0, 1e-7, "force");
    }
    tank_end(&t);
}

/* Every bit of momentum goes to or comes from somewhere: gravity, walls. */
static void check_step(struct tank *t, struct vec3 *momentum)
{
    struct ledger_row row = step_once(&t->s);
    struct vec3 outside = vec3(row.gravity_impulse_x + row.support_impulse_x,
                               row.gravity_impulse_y + row.support_impulse_y,
                               row.gravity_impulse_z + row.support_impulse_z);
    struct vec3 drift = vec3_sub(vec3_sub(row_momentum(&row), *momentum), outside);
    check_close(vec3_norm(drift) / row.momentum_scale, 0.0, 1e-13, "momentum");
    check_close(row.energy_imbalance / (row.kinetic + fabs(row.gravitational)), 0.0, 1e-13,
                "energy_imbalance");
    check(row.wall_dissipation >= -1e-15);
    *momentum = row_momentum(&row);
    for (size_t i = 0; i < t->s.particles.n; i++)
        check(walls_distance(t->s.walls, t->s.particles.position[i]) >
              (1.0 - 1e-6) * WALL_NEAREST * R);
}

/* Shot at 50 m/s into the corner of a tank: nothing gets out, and the ledger closes. */
TEST(a_fast_drop_stays_in_its_corner)
{
    struct tank t;
    tank_begin(&t, 16, 16, 16, 2e4);
    t.h.scene.gravity = vec3(0.0, 0.0, -9.81);
    add_ball(&t.h, 4.2 * R, vec3(6 * R, -6 * R, 6 * R), vec3(50.0, -50.0, -50.0));
    start(&t.h, &t.s);
    struct vec3 momentum = t.s.totals.momentum;
    double stopped = 0.0;
    while (t.s.step < 400) {
        check_step(&t, &momentum);
        stopped += fluid_of(&t)->neighbors.part[0].walls.n > 0;
    }
    check(stopped > 300);
    tank_end(&t);
}

TEST(a_ball_and_a_cylinder_hold_fast_drops)
{
    for (int k = 0; k < 2; k++) {
        struct tank t;
        tank_begin(&t, 16, 16, 16, 2e4);
        t.wall[0] = ball_wall(KEEP_INSIDE, 0.13);
        t.h.scene.n_walls = 2;
        t.wall[1] = (struct wall){.name = "pillar",
                                  .region = {.shape = {.kind = SHAPE_CYLINDER,
                                                       .radius = 0.03,
                                                       .height = 0.5,
                                                       .center = {0.05, 0.0, 0.0}},
                                             .rotation = UPRIGHT},
                                  .keep = KEEP_OUTSIDE};
        add_ball(&t.h, 4.2 * R, vec3(-0.05, 0.0, 0.0), vec3(k ? 30.0 : -30.0, 1.0, 2.0));
        start(&t.h, &t.s);
        struct vec3 momentum = t.s.totals.momentum;
        while (t.s.step < 400)
            check_step(&t, &momentum);
        tank_end(&t);
    }
}

/* A solid, which no wall holds, drives water into the corners: members of meta-particles, too, end
 * their path at the wall. */
TEST(groups_do_not_carry_a_fluid_through_walls)
{
    struct tank t;
    tank_begin(&t, 8, 8, 16, 2e4);
    t.h.scene.n_bodies = 0; /* solids come before fluids */
    add_body(&t.h, add_springs(&t.h, 400.0, 400.0, 20.0, 1e-4), R, 2e-2);
    add_block(&t.h, 6, 6, 3, vec3(-5 * R, -5 * R, 9.2 * R), vec3(0.3, -0.2, -8.0));
    add_body(&t.h, 0, R, 8e-3);
    tank_fill(&t, 8, 8, 4);
    start(&t.h, &t.s);
    struct vec3 momentum = t.s.totals.momentum;
    double stopped = 0.0, coupled = 0.0;
    for (int k = 0; k < 150; k++) {
        struct ledger_row row = step_once(&t.s);
        struct vec3 outside =
            vec3_add(vec3(row.support_impulse_x, row.support_impulse_y, row.support_impulse_z),
                     row_coupling(&row));
        struct vec3 drift = vec3_sub(vec3_sub(row_momentum(&row), momentum), outside);
        check_close(vec3_norm(drift) / row.momentum_scale, 0.0, 1e-13, "momentum");
        check_close(row.energy_imbalance / row.kinetic, 0.0, 1e-12, "energy_imbalance");
        momentum = row_momentum(&row);
        stopped += row.stopped;
        coupled += ledger_value(&row, "coupled");
        for (size_t i = t.s.system[1]->first; i < t.s.particles.n; i++)
            check(walls_distance(t.s.walls, t.s.particles.position[i]) >
                  (1.0 - 1e-6) * WALL_NEAREST * R);
    }
    check(stopped > 0.0 && coupled > 100.0);
    tank_end(&t);
}

static void mirror_pressure(struct tank *t)
{
    t->h.parameters[0].fluid.wall_pressure = WALL_PRESSURE_MIRRORED;
}

/* A drop without pressure just below a ceiling: hydrostatics continued into the ceiling would be a
 * pull, which no wall has. Below the floor's pressure it pushes. Walls with a pressure of their own
 * do neither to a lone drop. */
static double push_of_floor(double below, bool mirrored)
{
    struct tank t;
    tank_begin(&t, 8, 8, 8, 2e4);
    if (mirrored)
        mirror_pressure(&t);
    t.h.scene.gravity = vec3(0.0, 0.0, -9.81);
    add_particle(&t.h, vec3(0.1 * R, 0.2 * R, 16 * R - below), vec3(0, 0, 0));
    add_particle(&t.h, vec3(0.1 * R, 0.2 * R, below), vec3(0, 0, 0));
    start(&t.h, &t.s);
    double dt;
    struct error error;
    struct system *system = t.s.system[0];
    check_equal(system->class->limit(system, &t.s.particles, &dt, &error), STATUS_OK, "");
    const struct vec3 *force = fluid_of(&t)->force; /* of walls alone */
    check(force[0].z <= 0.0 && force[1].z >= 0.0);
    double push = force[1].z;
    tank_end(&t);
    return push;
}

TEST(walls_never_pull)
{
    double pushed = 0.0;
    for (int k = 0; k < 40; k++) {
        double below = (0.3 + 0.08 * k) * R;
        pushed += push_of_floor(below, true) > 0.0;
        check(push_of_floor(below, false) == 0.0);
    }
    check(pushed > 0.0);
}

TEST(walls_not_touched_do_nothing)
{
    struct tank t;
    tank_begin(&t, 30, 30, 30, 2e4);
    add_ball(&t.h, 0.09, vec3(0.0, 0.0, 0.3), vec3(0.0, 0.0, 0.0));
    jitter(&t.h, 0.3 * R, 4);
    start(&t.h, &t.s);
    struct vec3 begun = t.s.totals.momentum;
    for (int k = 0; k < 100; k++) {
        struct ledger_row row = step_once(&t.s);
        check(row.support_impulse_x == 0.0 && row.support_impulse_y == 0.0 &&
              row.support_impulse_z == 0.0 && row.stopped == 0.0 && row.wall_dissipation == 0.0);
        check_close(vec3_norm(vec3_sub(row_momentum(&row), begun)) / row.momentum_scale, 0.0, 1e-14,
                    "momentum");
    }
    tank_end(&t);
}

/* A dam in the middle of a tank breaks to both sides alike. */
TEST(a_symmetric_scene_stays_symmetric)
{
    struct tank t;
    tank_begin(&t, 16, 4, 12, 2e4);
    t.h.scene.gravity = vec3(0.0, 0.0, -9.81);
    tank_fill(&t, 6, 4, 6);
    start(&t.h, &t.s);
    while (t.s.time < 0.15)
        step_once(&t.s);
    const struct vec3 *x = t.s.particles.position;
    double widest = 0.0;
    for (size_t i = 0; i < t.s.particles.n; i++) {
        size_t column = i % 6, twin = i - column + 5 - column;
        check_close(x[i].x + x[twin].x, 0.0, 1e-7, "x");
        check_close(x[i].z - x[twin].z, 0.0, 1e-7, "z");
        widest = fmax(widest, x[i].x);
    }
    check(widest > 8 * R);
    tank_end(&t);
}

TEST(the_number_of_threads_changes_no_bit)
{
    enum { MOST = 3000 };
    static struct vec3 expected[MOST];
    const int threads[] = {1, 2, 5};
    for (int k = 0; k < 3; k++) {
        struct tank t;
        tank_begin(&t, 14, 12, 20, 2e4);
        t.h.scene.gravity = vec3(1.0, 2.0, -9.81);
        tank_fill(&t, 14, 12, 12);
        jitter(&t.h, 0.4 * R, 5);
        omp_set_num_threads(threads[k]);
        start(&t.h, &t.s);
        struct ledger_row row = {0};
        for (int step = 0; step < 60; step++)
            row = step_once(&t.s);
        static struct ledger_row first;
        if (k == 0) {
            memcpy(expected, t.s.particles.position, t.s.particles.n * sizeof *expected);
            first = row;
        }
        check(memcmp(expected, t.s.particles.position, t.s.particles.n * sizeof *expected) == 0);
        check(memcmp(&first, &row, sizeof row) == 0);
        tank_end(&t);
    }
}

/* ---- pressure ---- */

/* Pressures of the particles near a depth, away from the side walls by the support. */
static double mean_pressure(struct tank *t, double half, double low, double high)
{
    const struct sph *sph = fluid_of(t);
    double sum = 0.0, n = 0.0;
    for (size_t s = 0; s < sph->system.n; s++) {
        struct vec3 x = t->s.particles.position[sph->neighbors.grid.point[s]];
        double ratio = (double)sph->slot[s].density / sph->rest_density;
        if (fabs(x.x) > half || fabs(x.y) > half || x.z < low || x.z >= high)
            continue;
        sum += (double)sph->slot[s].pressure * sph->fluid.stiffness * ratio * ratio;
        n += 1.0;
    }
    return sum / n;
}

/* Thrown together at random, then at rest: the pressure is that of the water above. */
static void check_column(double jitter_fraction, double settle, double most)
{
    struct tank t;
    const int width = 8, height = 16;
    tank_begin(&t, width, width, 3 * height, 1e5);
    t.h.scene.gravity = vec3(0.0, 0.0, -9.81);
    tank_fill(&t, width, width, height);
    jitter(&t.h, jitter_fraction * R, 7);
    start(&t.h, &t.s);
    while (t.s.time < settle)
        step_once(&t.s);
    double mean[16] = {0}, steps = 0.0;
    while (t.s.time < settle + 0.2) {
        struct ledger_row row = step_once(&t.s);
        for (int k = 0; k < height; k++)
            mean[k] += mean_pressure(&t, (width / 2 - 2) * S, k * S, (k + 1) * S);
        steps++;
        check(ledger_value(&row, "density_error_max") < 0.03);
        check(ledger_value(&row, "density_error_mean") < 0.02);
    }
    /* the support away from the floor, and where 5 % are more than the weight of a quarter layer */
    for (int k = 2; k < height - 5; k++) {
        double hydrostatic = 1000.0 * 9.81 * (height - k - 0.5) * S;
        check_close(mean[k] / steps / hydrostatic, 1.0, most, "pressure over hydrostatic pressure");
    }
    tank_end(&t);
}

TEST(a_standing_column_has_hydrostatic_pressure)
{
    check_column(0.95, 1.0, 0.05);
}

TEST(memory_that_runs_out_is_an_error)
{
    for (long n = 0; n < 40; n++) {
        struct wall tank = box_wall(KEEP_INSIDE, vec3(10 * S, 8 * S, 6 * S), vec3(0, 0, 0));
        struct scene scene = {.n_walls = 1, .wall = &tank};
        struct walls *walls = NULL;
        struct wall_points points = {0};
        struct error error = {0};
        memory_fail_after(n);
        enum status status = walls_create(&walls, &scene, &error);
        if (!status)
            status = wall_points_create(&points, walls, S, 2 * S, &error);
        memory_fail_after(-1);
        check((status == STATUS_OK) == (error.message[0] == '\0'));
        check(n > 3 || status == STATUS_FAILED);
        check(n < 39 || status == STATUS_OK);
        wall_points_free(&points);
        walls_free(walls);
    }
}
