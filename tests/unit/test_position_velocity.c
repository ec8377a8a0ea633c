/* Velocities after steps of contact.method: position-based, and scaled masses: values that claims
 * about unified particle physics are about. */
#include "theory_scenes.h"

/* ---- velocities, scaled masses ---- */

/* UPP 6: what a step leaves of velocity is what it moved. */
TEST(velocity_is_the_way_over_the_step)
{
    struct hand_scene h;
    struct simulation s;
    struct particles before;
    double worst = 0.0;
    begin(&h, 3, 1.0 / 240.0);
    add_gravity(&h);
    add_ground(&h);
    add_body(&h, add_loose(&h), 0.05, 0.4);
    add_block(&h, 2, 2, 2, vec3(0.03, 0.02, 0.42), vec3(0.0, 0.0, -2.0));
    add_body(&h, add_rigid(&h), 0.05, 0.2);
    add_block(&h, 3, 3, 3, vec3(0.0, 0.0, 0.06), vec3(0.5, 0.0, -1.0));
    start(&h, &s);
    for (int k = 0; k < 60; k++) {
        copy_particles(&before, &s.particles);
        step_once(&s);
        for (size_t i = 0; i < s.particles.n; i++) {
            struct vec3 way = vec3_sub(s.particles.position[i], before.position[i]);
            struct vec3 off = vec3_axpy(s.particles.velocity[i], -240.0, way);
            worst = worse(worst, vec3_norm(off) / 2.0);
        }
        particles_free(&before);
    }
    measured("UPP.velocity", worst);
    check(worst < 1e-12);
    leave(&h, &s);
}

/* UPP 21: neighbors a distance apart in height differ in mass by exp(-k distance). */
TEST(scaled_masses_fall_with_height)
{
    struct hand_scene h;
    struct simulation s;
    double worst = 0.0;
    begin(&h, 1, 1.0 / 240.0);
    add_gravity(&h);
    h.scene.position.mass_scaling = 5.0;
    add_body(&h, add_loose(&h), 0.05, 0.2);
    add_block(&h, 1, 1, 12, vec3(0.0, 0.0, 0.3), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    step_once(&s);
    const struct position_based *p = (const struct position_based *)s.scheme;
    for (size_t i = 0; i + 1 < 12; i++)
        worst = worse(worst, fabs(p->scaled[i] / p->scaled[i + 1] / exp(-5.0 * 0.1) - 1.0));
    measured("UPP.scaled.ratio", worst);
    check(worst < 1e-13);
    leave(&h, &s);
}

/* Places after a tenth of a second of what touches nothing: a body that turns, one of bonds, and a
 * grain. */
static void fly(double scaling, struct vec3 *position)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, 4, 1.0 / 240.0);
    add_gravity(&h);
    h.scene.position.mass_scaling = scaling;
    add_body(&h, add_peridynamics(&h, 1e3, 1.8, 0.0, (double)INFINITY), 0.05, 0.2);
    add_block(&h, 4, 4, 1, vec3(2.0, 0.0, 0.3), vec3(0.0, 0.0, 0.0));
    add_body(&h, add_loose(&h), 0.05, 0.2);
    add_particle(&h, vec3(0.0, 3.0, 1.0), vec3(1.0, 0.0, 0.0));
    add_body(&h, add_rigid(&h), 0.05, 0.2);
    add_block(&h, 3, 4, 2, vec3(0.0, 0.0, 0.3), vec3(0.0, 0.0, 0.0));
    for (size_t i = 0; i < 41; i++)
        h.particles.velocity[i] = vec3_cross(vec3(1.0, 2.0, 3.0), h.particles.position[i]);
    start(&h, &s);
    for (int k = 0; k < 24; k++)
        step_once(&s);
    memcpy(position, s.particles.position, 41 * sizeof *position);
    leave(&h, &s);
}

TEST(scaled_masses_act_in_contacts_only)
{
    struct vec3 scaled[41], plain[41];
    fly(5.0, scaled);
    fly(0.0, plain);
    bool same = memcmp(scaled, plain, sizeof scaled) == 0;
    measured("UPP.scaled.elsewhere", same ? 0.0 : 1.0);
    check(same);
}

/* Masses that differ by more than numbers can say are refused, those of a high scene are not. */
TEST(masses_are_scaled_as_far_as_numbers_go)
{
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        struct error error = {0};
        struct ledger_row row;
        begin(&h, 1, 1.0 / 240.0);
        add_gravity(&h);
        h.scene.position.mass_scaling = k ? 1e4 : 5.0;
        add_body(&h, add_loose(&h), 0.05, 0.2);
        add_particle(&h, vec3(0.0, 0.0, 1000.0), vec3(0.0, 0.0, 0.0));
        add_particle(&h, vec3(0.0, 0.0, 1100.0), vec3(0.0, 0.0, 0.0));
        start(&h, &s);
        enum status status = simulation_step(&s, 1.0 / 240.0, &row, &error);
        check_equal(status, k ? STATUS_FAILED : STATUS_OK, "status");
        if (k)
            check_contains(error.message, "over a height of 100 m differ by more than numbers can "
                                          "say; give at most 6 1/m");
        leave(&h, &s);
    }
}

/* Contacts are at the sum of the radii, whatever these are. */
TEST(grains_of_two_sizes_rest_at_the_sum_of_their_radii)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h, 2, 1.0 / 240.0);
    add_gravity(&h);
    const size_t loose = add_loose(&h);
    add_body(&h, loose, 0.1, 1.0);
    fix_from(&h, add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    add_body(&h, loose, 0.05, 0.2);
    add_particle(&h, vec3(0.0, 0.0, 0.2), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < 240; k++)
        step_once(&s);
    double off = fabs(s.particles.position[1].z - 0.15);
    measured("UPP.radii", off);
    check(off < 1e-12);
    leave(&h, &s);
}

/* Two grains that meet have the velocity of their center of mass from the step in which they touch
 * on: no restitution is a constant of the material. */
TEST(grains_that_meet_go_on_together)
{
    double worst = 0.0;
    for (int ratio = 1; ratio <= 1000; ratio *= 10) {
        struct hand_scene h;
        struct simulation s;
        begin(&h, 1, 1e-3);
        const size_t loose = add_loose(&h);
        add_body(&h, loose, 0.1, ratio);
        add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(2.0, 0.0, 0.0));
        add_body(&h, loose, 0.1, 1.0);
        add_particle(&h, vec3(0.201, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        start(&h, &s);
        step_once(&s);
        step_once(&s);
        for (size_t i = 0; i < 2; i++)
            worst = worse(worst, fabs(s.particles.velocity[i].x - 2.0 * ratio / (ratio + 1.0)));
        leave(&h, &s);
    }
    measured("UPP.grains", worst);
    check(worst < 1e-12);
}
