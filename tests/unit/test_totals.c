/* Single columns of the ledger against sums by hand, and contacts that a broken bond sets free. */
#include "scenes.h"
#include "step/totals.h"

static const double R = 0.01; /* m */

static double component(struct vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* sum x_i p_j - x_j p_i, axis by axis; a fixed particle and one that is gone count nowhere. */
TEST(totals_are_the_textbook_sums)
{
    struct hand_scene h;
    const struct vec3 gravity = {1.0, 2.0, -9.81};
    struct totals expected = {0};
    double angular[3] = {0.0};
    hand_scene_begin(&h);
    add_body(&h, add_loose(&h), R, 8e-3);
    for (uint64_t k = 0; k < 3000; k++) {
        add_particle(&h, random_vector(1, k), random_vector(2, k));
        h.particles.mass[k] = 0.1 + random_uniform(3, 0, k, RANDOM_TEST);
        h.particles.state[k] = k % 5 == 1 ? PARTICLE_FIXED : k % 5 == 2 ? PARTICLE_GONE : 0;
        double m = h.particles.mass[k];
        struct vec3 x = h.particles.position[k], v = h.particles.velocity[k];
        if (h.particles.state[k])
            continue;
        expected.mass += m;
        expected.kinetic += 0.5 * m * (v.x * v.x + v.y * v.y + v.z * v.z);
        expected.gravitational -= m * (gravity.x * x.x + gravity.y * x.y + gravity.z * x.z);
        expected.momentum = vec3_axpy(expected.momentum, m, v);
        for (int a = 0; a < 3; a++)
            angular[a] += m * (component(x, (a + 1) % 3) * component(v, (a + 2) % 3) -
                               component(x, (a + 2) % 3) * component(v, (a + 1) % 3));
    }
    struct totals t = totals_of(&h.particles, gravity);
    check_close(t.mass / expected.mass, 1.0, 1e-13, "mass");
    check_close(t.kinetic / expected.kinetic, 1.0, 1e-13, "kinetic energy");
    check_close(t.gravitational, expected.gravitational, 1e-10, "gravitational energy");
    check_vec3(t.momentum, expected.momentum, 1e-11, "momentum");
    check_vec3(t.angular, vec3(angular[0], angular[1], angular[2]), 1e-11, "angular momentum");
    hand_scene_end(&h);
}

/* Two particles on one damped bond: its force of damping is k tau / L times the rate of its length,
 * which backward Euler takes at the end of the step, and so is the distance that it works along. */
TEST(damping_is_the_power_of_its_force)
{
    struct hand_scene h;
    struct simulation s;
    const double k = 50.0, tau = 1e-3, rest = 2.0 * R;
    hand_scene_begin(&h);
    add_body(&h, add_springs(&h, k, 0.0, 0.0, tau), R, 8e-3);
    add_block(&h, 2, 1, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    h.particles.velocity[0] = vec3(-0.2, 0.0, 0.0);
    h.particles.velocity[1] = vec3(0.3, 0.0, 0.0);
    start(&h, &s);
    for (int step = 0; step < 50; step++) {
        struct ledger_row row = step_once(&s);
        double rate = s.motion.after[1].x - s.motion.after[0].x;
        check_close(row.damping / (row.dt * k * tau / rest * rate * rate), 1.0, 1e-6, "damping");
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Two particles that overlap all the time: bonded they do not touch, and as soon as the bond is
 * broken they do. */
TEST(ends_of_a_broken_bond_touch)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_body(&h, add_peridynamics(&h, 10.0, 2.0, 0.0, 0.05), R, 8e-3);
    add_block(&h, 2, 1, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    h.particles.velocity[1] = vec3(1.0, 0.0, 0.0);
    h.particles.radius[0] = h.particles.radius[1] = 3.0 * R;
    start(&h, &s);
    check_equal(s.touching.n, 0, "contacts of bonded particles");
    double broken = 0.0;
    for (int k = 0; k < 20 && broken == 0.0; k++) {
        check_equal(s.touching.n, 0, "contacts");
        struct ledger_row row = step_once(&s);
        broken = ledger_value(&row, "broken_bonds");
    }
    check(broken == 1.0);
    check_equal(s.touching.n, 1, "contacts of what was bonded");
    simulation_free(&s);
    hand_scene_end(&h);
}
