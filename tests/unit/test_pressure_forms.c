/* The pressure of incompressible fluids: closed forms. */
#include "pressure_clouds.h"

/* Two particles that are as dense as they may be meet inelastically along the line between them;
 * with a small gap they come nearer by as much as closes a part of it, with more room by all. */
static void check_two(double room, double closed)
{
    struct cloud c;
    struct error error = {0};
    cloud_create(&c, 1, 2, 1.0, false);
    c.particles.position[0] = vec3(0, 0, 0);
    c.particles.position[1] = vec3(0.8 * D, 0, 0.6 * D);
    struct vec3 e = vec3(0.8, 0, 0.6), v0 = vec3(1, 0.5, 0), v1 = vec3(-1, 0, 0.25);
    double m0 = c.particles.mass[0], m1 = c.particles.mass[1];
    c.particles.velocity[0] = v0;
    c.particles.velocity[1] = v1;
    ok(pressure_find(&c.pressure, &c.particles, (double)INFINITY, &error), &error);
    for (size_t i = 0; i < 2; i++)
        c.pressure.limit[i] += c.pressure.compression[i] + (float)room;
    cloud_find(&c);
    float p[2] = {0.0f, 0.0f};
    c.pressure.settings.keys.divergence_tolerance = 1e-7;
    double per_way = vec3_norm(dense_gradient(&c, vec3_scale(D, e), 1.0));
    double left = closed / c.dt / per_way;
    double meet = (vec3_dot(vec3_sub(v0, v1), e) - left) * m0 * m1 / (m0 + m1);
    struct pressure_problem problem = problem_of(&c, PRESSURE_VELOCITY, p);
    pressure_solve(&c.pressure, &problem);
    check_close(vec3_norm(vec3_sub(c.particles.velocity[0], vec3_axpy(v0, -meet / m0, e))), 0.0,
                1e-4, "first");
    check_close(vec3_norm(vec3_sub(c.particles.velocity[1], vec3_axpy(v1, meet / m1, e))), 0.0,
                1e-4, "second");
    cloud_free(&c);
}

TEST(two_particles_in_dense_surroundings)
{
    check_two(0.0, 0.0);
    check_two(0.05 * PRESSURE_GAP, 0.0025 * PRESSURE_GAP);
    check_two(0.1 * PRESSURE_GAP, 0.01 * PRESSURE_GAP);
}

/* Compression, and the room beside it, of a particle of a block of 4 x 4 x n on a lattice with this
 * spacing. */
struct beside {
    double compression, room;
};

static struct beside beside_block(size_t n, double spacing, size_t particle)
{
    struct cloud c;
    struct error error = {0};
    struct beside found = {0.0, 0.0};
    float room[MOST];
    cloud_create(&c, 1, 16 * n, 1.0, false);
    for (size_t i = 0; i < c.n; i++)
        c.particles.position[i] =
            vec3_scale(spacing, vec3((double)(i % 4), (double)(i / 4 % 4), (double)(i / 16)));
    ok(pressure_find(&c.pressure, &c.particles, (double)INFINITY, &error), &error);
    ok(pressure_find_room(&c.pressure, room, &error), &error);
    for (size_t s = 0; s < c.n; s++)
        if (c.pressure.neighbors.grid.point[s] == particle)
            found = (struct beside){(double)c.pressure.compression[s], (double)room[particle]};
    cloud_free(&c);
    return found;
}

/* A fluid at rest adds all that is missing at the faces of a lattice, less at its edges, and
 * nothing inside and to a sheet; at the face of a denser block what it would add at that of the
 * lattice. */
TEST(the_room_around_a_block)
{
    enum { INSIDE = 1 + 4 + 16, FACE = 1 + 4, EDGE = 1, CORNER = 0 };
    for (size_t particle = 0; particle <= INSIDE; particle++) {
        struct beside b = beside_block(4, D, particle);
        check(b.room < 1e-6 - b.compression);
    }
    struct beside inside = beside_block(4, D, INSIDE), face = beside_block(4, D, FACE),
                  edge = beside_block(4, D, EDGE), corner = beside_block(4, D, CORNER);
    check_close(inside.room, 0.0, 1e-6, "inside");
    check_close(face.room + face.compression, 0.0, 1e-6, "at a face");
    check(edge.room > face.room && corner.room > edge.room);
    check_close(beside_block(1, D, FACE).room, 0.0, 1e-6, "in a sheet");
    struct beside denser = beside_block(4, 0.95 * D, FACE);
    check_close(denser.room, face.room, 0.1 * face.room, "at the face of a dense block");
}

/* ... and one that meets a floor, or a group that does not move, stops across it. */
TEST(particle_and_wall_and_particle_and_fixed_group)
{
    for (int floor = 0; floor < 2; floor++) {
        struct cloud c;
        struct error error = {0};
        cloud_create(&c, 1, 3, 1.0, floor);
        c.particles.position[0] = vec3(0.5 * D, 0.5 * D, R);
        c.particles.position[1] = vec3(0.5 * D, 0.5 * D + (floor ? 9 : 1) * D, R);
        c.particles.position[2] = vec3(0.5 * D, 0.5 * D + (floor ? 18 : 2) * D, R);
        struct vec3 e = floor ? vec3(0, 0, -1) : vec3(0, 1, 0);
        static const uint32_t member[2] = {1, 2}, label[2] = {1, 1};
        c.particles.state[1] = PARTICLE_FIXED;
        groups_assign(&c.groups, &c.particles, 2, member, label);
        c.particles.velocity[0] = vec3_axpy(vec3(0.5, 0, 0), 2.0, e);
        c.particles.velocity[1] = c.particles.velocity[2] = vec3(0, 0, 0);
        ok(pressure_find(&c.pressure, &c.particles, (double)INFINITY, &error), &error);
        for (size_t s = 0; s < 3; s++)
            c.pressure.limit[c.pressure.neighbors.grid.point[s]] += c.pressure.compression[s];
        cloud_find(&c);
        float p[3] = {0.0f, 0.0f, 0.0f};
        c.pressure.settings.keys.divergence_tolerance = 1e-7;
        struct pressure_problem problem = problem_of(&c, PRESSURE_VELOCITY, p);
        struct vec3 wall = pressure_solve(&c.pressure, &problem).walls;
        check_close(vec3_norm(vec3_sub(c.particles.velocity[0], vec3(0.5, 0, 0))), 0.0, 1e-5,
                    "stopped");
        check_close(vec3_norm(c.particles.velocity[1]), 0.0, 0.0, "held");
        if (floor)
            check_close(wall.z / (2.0 * c.particles.mass[0]), 1.0, 1e-5, "impulse of the floor");
        cloud_free(&c);
    }
}

TEST(a_lattice_falls_freely)
{
    struct cloud c;
    cloud_create(&c, 1, 64, 1.0, false);
    for (size_t i = 0; i < c.n; i++) {
        c.particles.position[i] =
            vec3_scale(D, vec3((double)(i % 4), (double)(i / 4 % 4), (double)(i / 16)));
        c.particles.velocity[i] = vec3(0.1, -0.2, -3.0);
    }
    float p[MOST] = {0.0f};
    for (int aim = PRESSURE_VELOCITY; aim <= PRESSURE_DENSITY; aim++) {
        cloud_find(&c);
        struct pressure_problem problem = problem_of(&c, (enum pressure_aim)aim, p);
        struct pressure_report report = pressure_solve(&c.pressure, &problem);
        check(report.products <= 1 && report.met);
        for (size_t i = 0; i < c.n; i++)
            check(p[i] == 0.0f && vec3_equal(c.particles.velocity[i], vec3(0.1, -0.2, -3.0)));
    }
    cloud_free(&c);
}

/* In a group all members change alike, by the impulses of all. */
TEST(groups_move_as_one_and_fixed_ones_not_at_all)
{
    struct cloud c;
    struct vec3 push[MOST] = {{0}}, before[MOST];
    cloud_create(&c, 12, 60, 3.0, true);
    cloud_join(&c);
    memcpy(before, c.particles.velocity, sizeof before);
    cloud_find(&c);
    struct pressure_problem problem = problem_of(&c, PRESSURE_VELOCITY, NULL);
    problem.impulse = push;
    pressure_solve(&c.pressure, &problem);
    const struct vec3 *v = c.particles.velocity;
    check(vec3_equal(v[0], v[1]) && vec3_equal(v[0], v[2]) && vec3_equal(v[3], v[4]));
    struct vec3 sum = vec3_add(vec3_add(push[0], push[1]), push[2]);
    struct vec3 change = vec3_scale(c.groups.mass[0], vec3_sub(v[0], before[0]));
    check(vec3_norm(sum) > 0.0);
    check_close(vec3_norm(vec3_sub(change, sum)) / vec3_norm(sum), 0.0, 1e-12, "impulse");
    for (size_t i = 5; i < 8; i++)
        check(vec3_equal(v[i], before[i]));
    cloud_free(&c);
}
