/* A step of the fluid by itself: groups, the account of energy, threads, what fails. */
#include "base/memory.h"
#include "tanks.h"

#include <omp.h>

static void tank_integrate(struct tank *t, double dt)
{
    struct solve_report report;
    struct error error;
    if (t->sph->system.class->integrate(&t->sph->system, &t->particles, &t->groups, dt, &t->motion,
                                        &report, &error))
        fail(&error);
}

TEST(a_group_moves_by_the_forces_on_all_its_members)
{
    struct tank t;
    tank_create(&t, &water, 4, 0.9, 0.2);
    const uint32_t member[] = {3, 10, 20, 30, 40}, label[] = {3, 3, 3, 30, 30};
    t.particles.state[40] = 1;
    t.particles.force[10] = vec3(1.0, 2.0, 3.0);
    groups_assign(&t.groups, &t.particles, 5, member, label);
    for (size_t k = 0; k < 3; k++)
        t.motion.before[member[k]] = vec3(0.5, 0.6, 0.7);
    t.motion.before[30] = t.motion.before[40] = vec3(0.0, 0.0, 0.0);
    tank_prepare(&t);
    double dt = 1e-3;
    tank_integrate(&t, dt);
    struct vec3 force = t.particles.force[10];
    for (size_t k = 0; k < 3; k++)
        force = vec3_add(force, t.sph->force[member[k]]);
    struct vec3 expected = vec3_axpy(vec3(0.5, 0.6, 0.7), dt / (3.0 * water.mass), force);
    for (size_t k = 0; k < 3; k++) {
        check_close(vec3_norm(vec3_sub(t.motion.after[member[k]], expected)), 0.0, 1e-14, "after");
        check_close(vec3_norm(vec3_sub(t.motion.mean[member[k]], expected)), 0.0, 1e-14, "mean");
    }
    check_close(vec3_norm(t.motion.after[30]), 0.0, 0.0, "held by a support");
    struct vec3 alone = t.sph->force[5];
    check_close(vec3_norm(vec3_sub(t.motion.after[5],
                                   vec3_axpy(t.motion.before[5], dt / water.mass, alone))),
                0.0, 1e-15, "alone");
    tank_free(&t);
}

TEST(the_account_of_a_step_closes)
{
    struct tank t;
    tank_create(&t, &water, 6, 0.9, 0.2);
    const uint32_t member[] = {3, 10, 20}, label[] = {3, 3, 3};
    groups_assign(&t.groups, &t.particles, 3, member, label);
    for (size_t k = 0; k < 3; k++)
        t.motion.before[member[k]] = vec3(0.1, 0.2, 0.3);
    tank_prepare(&t);
    double dt = 1e-4, change = 0.0, numerical = 0.0, scale = 0.0;
    tank_integrate(&t, dt);
    for (size_t i = 0; i < t.particles.n; i++) {
        struct vec3 v = t.motion.before[i], dv = vec3_sub(t.motion.after[i], v);
        change += 0.5 * water.mass * (vec3_norm2(t.motion.after[i]) - vec3_norm2(v));
        numerical += 0.5 * water.mass * vec3_norm2(dv); /* symplectic Euler: mean = after */
        scale += 0.5 * water.mass * vec3_norm2(t.motion.before[i]);
    }
    struct work_report work;
    t.sph->system.class->account(&t.sph->system, &t.particles, &t.groups, dt, &t.motion, &work);
    double pressure = work.term[SPH_PRESSURE_WORK].value;
    check(fabs(pressure) > 1e-6 * scale && work.damping > 1e-6 * scale);
    check_close((change + work.damping + pressure + numerical) / scale, 0.0, 1e-14,
                "energy_imbalance");
    tank_free(&t);
}

TEST(the_number_of_threads_changes_no_bit)
{
    enum { SIDE = 14, COUNT = SIDE * SIDE * SIDE };
    static struct vec3 expected[COUNT];
    const int threads[] = {1, 2, 3, 7};
    for (int k = 0; k < 4; k++) {
        omp_set_num_threads(threads[k]);
        struct tank t;
        tank_create(&t, &water, SIDE, 0.9, 0.3);
        for (int step = 0; step < 3; step++) {
            tank_prepare(&t);
            tank_integrate(&t, 1e-4);
            for (size_t i = 0; i < COUNT; i++) {
                t.particles.velocity[i] = t.motion.before[i] = t.motion.after[i];
                t.particles.position[i] =
                    vec3_axpy(t.particles.position[i], 1e-4, t.motion.mean[i]);
            }
        }
        if (k == 0)
            memcpy(expected, t.motion.after, sizeof expected);
        check(memcmp(expected, t.motion.after, sizeof expected) == 0);
        tank_free(&t);
    }
}

TEST(memory_that_runs_out_is_an_error)
{
    for (long n = 0; n < 60; n++) {
        struct tank t;
        struct error error = {0};
        struct system *system = NULL;
        memory_fail_after(-1);
        tank_create(&t, &water, 4, 0.9, 0.2);
        memory_fail_after(n);
        enum status status = sph_create(&system, &water, NULL, 0, 64, &error);
        if (!status)
            status = system->class->limit(system, &t.particles, &(double){0}, &error);
        memory_fail_after(-1);
        check((status == STATUS_OK) == (error.message[0] == '\0'));
        if (n == 0 || n == 8)
            check_equal(status, STATUS_FAILED, "status");
        if (n == 59)
            check_equal(status, STATUS_OK, "status");
        if (system)
            system->class->free(system);
        tank_free(&t);
    }
}

TEST(a_position_that_is_not_finite_is_an_error)
{
    struct tank t;
    tank_create(&t, &water, 4, 0.9, 0.2);
    t.particles.position[17].y = (double)NAN;
    struct error error;
    check_equal(t.sph->system.class->limit(&t.sph->system, &t.particles, &(double){0}, &error),
                STATUS_FAILED, "status");
    check_contains(error.message, "particle 17");
    tank_free(&t);
}
