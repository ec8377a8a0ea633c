#include "config/contact_method.h"
#include "contact/contact.h"
#include "contact/detection.h"
#include "particles/random.h"
#include "scenes.h"
#include "step/scheme_classes.h"

static const double PI = 3.14159265358979323846;
static uint64_t draws;

static double uniform(void)
{
    return random_uniform(7, 0, draws++, RANDOM_TEST);
}

static struct contact contact_named(const char *name, double stiffness, size_t n)
{
    struct scene scene = {.contact = {.stiffness = stiffness, .group_min = 8, .group_max = 64}};
    scene.contact.method = CHOICE_OF(CONTACT_METHODS, name);
    scene.contact.order = ORDER_INDEX;
    scene.contact.synchronization = SYNCHRONIZATION_AVERAGE;
    struct contact contact;
    struct error error = {0};
    struct particles particles = {.n = n};
    const struct method_setting setting = {.scene = &scene, .particles = &particles};
    if (contact_create(&contact, &setting, &error)) {
        printf("# %s\n", error.message);
        abort();
    }
    return contact;
}

/* Two particles at distance d along x. */
static struct particles two(double d, double r1, double r2, double m1, double m2)
{
    struct particles p;
    struct error error;
    if (particles_create(&p, 2, &error))
        abort();
    p.position[1].x = d;
    p.radius[0] = r1;
    p.radius[1] = r2;
    p.mass[0] = m1;
    p.mass[1] = m2;
    return p;
}

/* A heap of overlapping particles of many sizes and masses, some fixed. */
static struct particles heap(size_t n, double side)
{
    struct particles p;
    struct error error;
    if (particles_create(&p, n, &error))
        abort();
    for (size_t i = 0; i < n; i++) {
        p.position[i] = vec3(side * uniform(), side * uniform(), side * uniform());
        p.velocity[i] = vec3(uniform() - 0.5, uniform() - 0.5, uniform() - 0.5);
        p.radius[i] = 0.02 + 0.03 * uniform();
        p.mass[i] = pow(10.0, 2.0 * uniform() - 3.0);
        p.state[i] = uniform() < 0.1;
        if (p.state[i])
            p.velocity[i] = vec3(0.0, 0.0, 0.0);
    }
    return p;
}

static struct pair_list touching(const struct particles *p)
{
    struct pair_list list = {0};
    struct detector *detector;
    struct error error;
    if (detector_create(&detector, &error) || detector_find(detector, p, NULL, &list, &error))
        abort();
    detector_free(detector);
    return list;
}

static double potential(struct contact *contact, const struct particles *p)
{
    struct pair_list list = touching(p);
    struct error error;
    double energy = (double)NAN;
    check_equal(contact->class->potential(contact, p, &list, &energy, &error), STATUS_OK, "status");
    pair_list_free(&list);
    return energy;
}

static void begin(struct contact *contact, struct particles *p)
{
    struct pair_list list = touching(p);
    struct error error;
    check_equal(contact->class->begin(contact, p, &list, &error), STATUS_OK, "status");
    pair_list_free(&list);
}

TEST(every_method_has_a_class_and_a_row_of_its_own)
{
    const enum contact_method methods[] = {CONTACT_METHODS(CHOICE_VALUE)};
    const unsigned every =
        1 << INTEGRATOR_BACKWARD_EULER | 1 << INTEGRATOR_NEWMARK | 1 << INTEGRATOR_VERLET;
    for (int k = 0; k < (int)(sizeof methods / sizeof methods[0]); k++) {
        const struct contact_traits *traits = &contact_traits[k];
        check_equal(methods[k], k, "the words stand in the order of the values");
        for (int other = 0; other < k; other++)
            check(contact_class_of(methods[k]) != contact_class_of(methods[other]));
        check(traits->help && scheme_of(methods[k]));
        check_contains(CHOICE_WORDS(CONTACT_METHODS), contact_method_word((size_t)k));
        /* refusals say why, and what is possible instead */
        bool any_integrator = traits->integrators == every;
        bool for_all = traits->has & METHOD_FLUIDS && traits->has & METHOD_MOTIONS;
        check(traits->integrators & 1u << INTEGRATOR_BACKWARD_EULER);
        check(any_integrator || (traits->otherwise && traits->instead));
        check((for_all && !traits->excluded_by) || traits->instead);
    }
}

TEST(penalty_force_in_closed_form)
{
    struct particles p = two(0.03, 0.01, 0.025, 1.0, 2.0);
    struct contact contact = contact_named("penalty", 1000.0, 2);
    begin(&contact, &p);
    check_close(p.force[1].x, 1000.0 * 0.005, 1e-12, "force on the second");
    check_close(p.force[0].x, -1000.0 * 0.005, 1e-12, "force on the first");
    check_close(potential(&contact, &p), 500.0 * 0.005 * 0.005, 1e-15, "potential");
    p.velocity[0].x = -1.0; /* separating or not is all the same to it */
    struct vec3 before = p.force[1];
    begin(&contact, &p);
    check_close(p.force[1].x, 2.0 * before.x, 1e-12, "force added");
    contact_free(&contact);
    particles_free(&p);
}

/* Equal particles: rho / rho0 = 1 + W(d, 2r) / W(0, 2r) = 1 + q^3 with q = 1 - d / 2r. */
TEST(sph_force_in_closed_form)
{
    double r = 0.01, m = 0.008, d = 0.015, k = 2000.0, h = 2.0 * r, q = 1.0 - d / h;
    struct particles p = two(d, r, r, m, m);
    struct contact contact = contact_named("sph", k, 2);
    begin(&contact, &p);
    double rest = m * 15.0 / (PI * h * h * h), rho = rest * (1.0 + q * q * q);
    double pressure = k * q * q * q;
    double force =
        2.0 * m * m * pressure / (rho * rho) * 45.0 / (PI * pow(h, 6)) * (h - d) * (h - d);
    check_close(p.force[1].x / force, 1.0, 1e-13, "force on the second");
    check_close(p.force[0].x / force, -1.0, 1e-13, "force on the first");
    double energy = 2.0 * m * k / rest * (log(rho / rest) + rest / rho - 1.0);
    check_close(potential(&contact, &p) / energy, 1.0, 1e-11, "potential");
    contact_free(&contact);
    particles_free(&p);
}

/* The largest error of a force against the slope of the potential, over the largest force. */
static double check_gradient(const char *name, double stiffness)
{
    enum { N = 60 };
    struct particles p = heap(N, 0.2);
    struct contact contact = contact_named(name, stiffness, N);
    begin(&contact, &p);
    double largest = 0.0, off = 0.0, step = 1e-7;
    for (size_t i = 0; i < N; i++)
        largest = fmax(largest, vec3_norm(p.force[i]));
    check(largest > 0.0);
    for (size_t i = 0; i < N; i++) {
        double *x[3] = {&p.position[i].x, &p.position[i].y, &p.position[i].z};
        double force[3] = {p.force[i].x, p.force[i].y, p.force[i].z};
        for (int a = 0; a < 3; a++) {
            double kept = *x[a];
            *x[a] = kept + step;
            double above = potential(&contact, &p);
            *x[a] = kept - step;
            double below = potential(&contact, &p);
            *x[a] = kept;
            off = worse(off, fabs(force[a] + (above - below) / (2.0 * step)));
        }
    }
    check_close(off / largest, 0.0, 2e-6, "force against the slope of the potential");
    contact_free(&contact);
    particles_free(&p);
    return off / largest;
}

TEST(penalty_force_is_the_gradient_of_its_potential)
{
    measured("FORCES.contact.penalty", check_gradient("penalty", 1e4));
}

TEST(sph_force_is_the_gradient_of_its_potential)
{
    measured("FORCES.contact.sph", check_gradient("sph", 1e4));
    measured("FORCES.contact.sph-soft", check_gradient("sph", 1.0));
}

static void check_antisymmetry(const char *name)
{
    struct contact contact = contact_named(name, 1e5, 2);
    for (int k = 0; k < 2000; k++) {
        double r1 = 0.01 + 0.1 * uniform(), r2 = 0.01 + 0.1 * uniform();
        struct particles p = two(0.0, r1, r2, pow(10.0, -6.0 * uniform()), uniform() + 0.01);
        p.position[0] = vec3(uniform(), -uniform(), uniform());
        double away = (r1 + r2) * uniform() / sqrt(3.0);
        p.position[1] = vec3_add(p.position[0], vec3(away, -away * uniform(), away * uniform()));
        begin(&contact, &p);
        struct vec3 opposite = vec3_scale(-1.0, p.force[1]);
        check(p.force[0].x == opposite.x && p.force[0].y == opposite.y &&
              p.force[0].z == opposite.z);
        check(vec3_dot(p.force[1], vec3_sub(p.position[1], p.position[0])) > 0.0); /* repels */
        particles_free(&p);
    }
    contact_free(&contact);
}

TEST(forces_of_a_pair_are_opposite_bit_for_bit)
{
    check_antisymmetry("penalty");
    check_antisymmetry("sph");
}

TEST(coinciding_centers_are_left_alone)
{
    const char *names[] = {"penalty", "sph", "impulse"};
    for (int k = 0; k < 3; k++) {
        struct particles p = two(0.0, 0.01, 0.01, 1.0, 1.0);
        p.velocity[0].x = 1.0;
        struct contact contact = contact_named(names[k], 1e5, 2);
        begin(&contact, &p);
        check_close(vec3_norm(p.force[0]) + vec3_norm(p.force[1]), 0.0, 0.0, "force");
        check_close(p.velocity[0].x, 1.0, 0.0, "velocity");
        if (contact.class->potential)
            check(potential(&contact, &p) > 0.0);
        contact_free(&contact);
        particles_free(&p);
    }
}

TEST(impulses_of_two_bodies_in_closed_form)
{
    struct contact contact = contact_named("impulse", 1.0, 2);
    struct particles p = two(0.015, 0.01, 0.01, 1.0, 3.0);
    p.velocity[0] = vec3(2.0, 0.5, 0.0);
    p.velocity[1] = vec3(-2.0, 0.0, 0.25);
    begin(&contact, &p); /* textbook: v1' = ((m1 - m2) v1 + 2 m2 v2) / (m1 + m2) */
    check_close(p.velocity[0].x, (-2.0 * 2.0 + 6.0 * -2.0) / 4.0, 1e-14, "first");
    check_close(p.velocity[1].x, (2.0 * -2.0 + 2.0 * 2.0) / 4.0, 1e-14, "second");
    check_close(p.velocity[0].y, 0.5, 0.0, "sliding of the first");
    check_close(p.velocity[1].z, 0.25, 0.0, "sliding of the second");
    struct vec3 kept = p.velocity[0];
    begin(&contact, &p); /* now they separate */
    check(memcmp(&kept, &p.velocity[0], sizeof kept) == 0);
    p.state[1] = 1;
    p.velocity[0] = vec3(2.0, 0.5, 0.0);
    p.velocity[1] = vec3(0.0, 0.0, 0.0);
    begin(&contact, &p);
    check_close(p.velocity[0].x, -2.0, 1e-14, "reflected by a fixed one");
    check_close(p.velocity[0].y, 0.5, 0.0, "sliding along a fixed one");
    check_close(vec3_norm(p.velocity[1]), 0.0, 0.0, "fixed");
    contact_free(&contact);
    particles_free(&p);
}

/* 0 hits 1, and in the same sweep 1 hits 2: the pairs see the velocities of the moment. */
TEST(impulses_travel_along_a_row_in_index_order)
{
    struct particles p;
    struct error error;
    check_equal(particles_create(&p, 3, &error), STATUS_OK, "status");
    for (int i = 0; i < 3; i++) {
        p.position[i].x = 0.015 * i;
        p.radius[i] = 0.01;
        p.mass[i] = 0.1;
    }
    p.velocity[0].x = 1.0;
    struct contact contact = contact_named("impulse", 1.0, 3);
    begin(&contact, &p);
    check_close(p.velocity[0].x, 0.0, 1e-15, "first");
    check_close(p.velocity[1].x, 0.0, 1e-15, "second");
    check_close(p.velocity[2].x, 1.0, 1e-15, "third");
    contact_free(&contact);
    particles_free(&p);
}

TEST(impulses_conserve_momentum_and_energy)
{
    enum { N = 400 };
    for (int round = 0; round < 20; round++) {
        struct particles p = heap(N, 0.4);
        for (size_t i = 0; i < N && round % 2 == 0; i++)
            p.state[i] = 0;
        double energy[2], scale = 0.0;
        size_t moved = 0;
        struct vec3 momentum[2], before[N];
        memcpy(before, p.velocity, sizeof before);
        struct contact contact = contact_named("impulse", 1.0, N);
        for (int k = 0; k < 2; k++) {
            energy[k] = 0.0;
            momentum[k] = vec3(0.0, 0.0, 0.0);
            for (size_t i = 0; i < N; i++) {
                energy[k] += 0.5 * p.mass[i] * vec3_norm2(p.velocity[i]);
                momentum[k] = vec3_axpy(momentum[k], p.mass[i], p.velocity[i]);
                scale += p.mass[i] * vec3_norm(p.velocity[i]);
            }
            if (k == 0)
                begin(&contact, &p);
        }
        for (size_t i = 0; i < N; i++)
            moved += vec3_norm(vec3_sub(p.velocity[i], before[i])) > 1e-3;
        check(moved > N / 2);
        check_close(energy[1] / energy[0], 1.0, 1e-13, "kinetic energy");
        if (round % 2 == 0)
            check_close(vec3_norm(vec3_sub(momentum[1], momentum[0])), 0.0, 1e-14 * scale,
                        "momentum");
        contact_free(&contact);
        particles_free(&p);
    }
}

/* Impulses act before forces are evaluated: in the very step of the impact, a fluid particle that
 * was hit drags its neighbor along. */
TEST(viscosity_sees_the_impulses)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.contact.method = CONTACT_IMPULSE;
    add_body(&h, add_loose(&h), 0.01, 8e-3);
    add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0));
    add_body(&h, add_fluid(&h, 1e3, 0.01), 0.01, 8e-3);
    add_particle(&h, vec3(0.019, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_particle(&h, vec3(0.040, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    step_once(&s);
    check_close(s.particles.velocity[0].x, 0.0, 1e-15, "the one that hit");
    check(s.particles.velocity[1].x < 1.0);
    check(s.particles.velocity[2].x > 0.0);
    check_close(s.particles.velocity[1].x + s.particles.velocity[2].x, 1.0, 1e-14, "both");
    simulation_free(&s);
    hand_scene_end(&h);
}
