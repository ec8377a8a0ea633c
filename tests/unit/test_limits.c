/* The limits of the length of a step, and what a step reports of its own length. */
#include "scenes.h"
#include "step/simulation_parts.h"
#include "systems/sph/sph_parts.h"

static const double R = 0.01; /* m */

/* ---- displacement ---- */

/* A chain that swings, struck by a particle: accelerated, so that the velocities before and after
 * a step, and after splitting, all differ from the mean one, by which particles move. */
static void start_chain(struct hand_scene *h, struct simulation *s, const char *integrator)
{
    hand_scene_begin(h);
    h->scene.solver.integrator = CHOICE_OF(INTEGRATORS, integrator);
    h->scene.gravity = vec3(0.0, 0.0, -9.81);
    add_body(h, add_springs(h, 300.0, 0.0, 1.0, 1e-4), R, 5e-3);
    add_block(h, 6, 1, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    h->particles.state[0] = PARTICLE_FIXED;
    add_body(h, add_loose(h), 0.5 * R, 8e-3);
    add_particle(h, vec3(9.0 * R, 0.3 * R, 1.4 * R), vec3(0.0, 0.0, -1.0));
    start(h, s);
}

static double largest_displacement(const struct simulation *s, const struct vec3 *from)
{
    double most = 0.0;
    for (size_t i = 0; i < s->particles.n; i++) {
        double path = vec3_norm(vec3_sub(s->particles.position[i], from[i]));
        most = fmax(most, path / s->particles.radius[i]);
    }
    return most;
}

TEST(displacement_is_how_far_particles_moved)
{
    static const char *const integrators[] = {"backward-euler", "newmark", "verlet"};
    for (int k = 0; k < 3; k++) {
        struct hand_scene h;
        struct simulation s;
        struct vec3 from[7];
        start_chain(&h, &s, integrators[k]);
        double groups = 0.0;
        for (int step = 0; step < 60; step++) {
            memcpy(from, s.particles.position, sizeof from);
            struct ledger_row row = step_once(&s);
            check_close(row.displacement / largest_displacement(&s, from), 1.0, 1e-9,
                        integrators[k]);
            groups += row.groups;
        }
        check(groups > 0.0);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* ---- radii ---- */

static double first_step(struct hand_scene *h)
{
    struct simulation s;
    start(h, &s);
    double dt = step_once(&s).dt;
    simulation_free(&s);
    hand_scene_end(h);
    return dt;
}

/* A fluid of small particles that left through an outlet limits nobody; one that is there does. */
TEST(the_radius_of_the_gone_does_not_count)
{
    double dt[3];
    for (int k = 0; k < 3; k++) {
        struct hand_scene h;
        hand_scene_begin(&h);
        h.scene.time.max_step = 1.0;
        add_body(&h, add_loose(&h), 2.0 * R, 8e-3);
        add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(5.0, 0.0, 0.0));
        add_particle(&h, vec3(1.0, 0.0, 0.0), vec3(-5.0, 0.0, 0.0));
        if (k > 0) {
            add_body(&h, add_fluid(&h, 1e-9, 0.0), 0.1 * R, 8e-3);
            uint32_t small = add_particle(&h, vec3(0.0, 3.0, 0.0), vec3(0.0, 0.0, 0.0));
            h.particles.state[small] = k == 1 ? PARTICLE_GONE : PARTICLE_FREE;
        }
        dt[k] = first_step(&h);
    }
    check_close(dt[1] / dt[0], 1.0, 1e-6, "with a small particle that is gone");
    check(dt[2] < 0.2 * dt[0]);
}

/* Two bodies far from each other and each at rest on average, but with particles that fly: none of
 * them may pass one of the other body unseen. */
TEST(particles_that_fly_about_limit_the_step)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.time.max_step = 1.0;
    h.scene.time.motion = CFL_RELATIVE;
    size_t loose = add_loose(&h);
    for (int b = 0; b < 2; b++) {
        add_body(&h, loose, R, 8e-3);
        add_particle(&h, vec3(b, 0.0, 0.0), vec3(5.0, 0.0, 0.0));
        add_particle(&h, vec3(b, 1.0, 0.0), vec3(-5.0, 0.0, 0.0));
    }
    start(&h, &s);
    double reach = detector_reach(s.detector);
    check_close(step_once(&s).dt * 10.0 / (R + reach), 1.0, 0.02, "relative motion in a step");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- what a fluid's forces allow ---- */

/* A fluid particle, and others at one place `distance` from it, which do nothing to each other. The
 * largest force and density go to *force, N, and *density, kg/m^3. */
static double crowd_limit(const struct fluid_material *wanted, double distance, int others,
                          double *force, double *density)
{
    struct hand_scene h;
    struct simulation s;
    struct error error;
    double dt;
    hand_scene_begin(&h);
    add_body(&h, add_material(&h, &fluid_model, (union hand_parameters){.fluid = *wanted}), R,
             8e-3);
    add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    for (int k = 0; k < others; k++)
        add_particle(&h, vec3(distance, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    struct system *fluid = s.system[0];
    check_equal(fluid->class->limit(fluid, &s.particles, &dt, &error), STATUS_OK, "status");
    const struct sph *sph = (const struct sph *)fluid;
    *force = *density = 0.0;
    for (int k = 0; k <= others; k++) {
        *force = fmax(*force, vec3_norm(sph->force[k]));
        *density = fmax(*density, (double)sph->slot[k].density);
    }
    simulation_free(&s);
    hand_scene_end(&h);
    return dt;
}

static double fluid_limit(const struct fluid_material *wanted, double distance)
{
    double force, density;
    return crowd_limit(wanted, distance, 2, &force, &density);
}

/* The formulas of sph_limit.c, each where it is the shortest: with m = 8 g in cubes of 2 cm the
 * fluid has 1000 kg/m^3, and s = 2 r. */
TEST(every_limit_of_a_fluid_is_felt)
{
    const double s = 2.0 * R, rest = 1000.0;
    const struct fluid_material sound = {.pressure = 1e6, .support = 2.0};
    check_close(fluid_limit(&sound, 0.1) / (0.4 * s * sqrt(rest / (2.0 * 1e6))), 1.0, 1e-12,
                "sound");
    const struct fluid_material thick = {.pressure = 1e-3, .viscosity = 2.0, .support = 2.0};
    check_close(fluid_limit(&thick, 0.1) / (0.0625 * s * s / 2.0), 1.0, 1e-12, "viscosity");
}

/* A crowd pushes one. With many of them the sound of the crowd allows a step that is longer by a
 * factor of up to 1.6: both lengths fall with the root of their number. */
TEST(strong_forces_shorten_the_step)
{
    const double s = 2.0 * R, m = 8e-3, rest = 1000.0;
    const struct fluid_material stiff = {.pressure = 1e4, .support = 2.0};
    double force, density, limit = crowd_limit(&stiff, R, 40, &force, &density);
    check_close(limit / (0.25 * sqrt(s * m / force)), 1.0, 1e-12, "force");
    check(limit < 0.8 * 0.4 * s * rest / sqrt(2.0 * 1e4 * density));
}
