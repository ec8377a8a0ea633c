/* Systems of different kinds joined by meta-particles alone: MS 17-20; in the time step they are
 * in test_coupling_steps.c. */
#include "contact/synchronize.h"
#include "scenes.h"

/* ---- the equations ---- */

enum { MEMBERS = 6, ALONE = 2, ALL = MEMBERS + ALONE };

/* One group of six particles, owned two by two by three systems, and two particles alone. */
struct joint {
    struct particles particles;
    struct groups groups;
    struct motion motion;
    double extra[ALL];
    size_t first[4];
    struct owners owners;
};

static void joint_create(struct joint *j, uint64_t seed)
{
    struct error error = {0};
    *j = (struct joint){.first = {0, 2, 4, ALL}};
    j->owners = (struct owners){3, j->first};
    if (particles_create(&j->particles, ALL, &error) ||
        groups_create(&j->groups, &j->particles, &error) ||
        motion_create_for_several(&j->motion, ALL, &error))
        abort();
    const uint32_t member[MEMBERS] = {0, 1, 2, 3, 4, 5}, label[MEMBERS] = {0};
    for (uint32_t i = 0; i < ALL; i++) {
        j->particles.mass[i] = 1.0 + random_uniform(seed, 0, i, RANDOM_TEST);
        j->particles.force[i] = random_vector(seed + 1, i);
        j->motion.before[i] = random_vector(seed + 2, i < MEMBERS ? 0 : i);
        j->motion.own_after[i] = random_vector(seed + 3, i < MEMBERS ? i / 2 : i);
        j->motion.own_mean[i] = random_vector(seed + 4, i < MEMBERS ? i / 2 : i);
    }
    groups_assign(&j->groups, &j->particles, MEMBERS, member, label);
}

static void joint_free(struct joint *j)
{
    particles_free(&j->particles);
    groups_free(&j->groups);
    motion_free(&j->motion);
}

TEST(joint_velocity_is_the_average_by_mass)
{
    for (uint64_t seed = 1; seed < 200; seed++) {
        struct joint j;
        struct synchronize_report report;
        joint_create(&j, seed);
        synchronize_groups(
            synchronization_of(seed % 2 ? SYNCHRONIZATION_AVERAGE : SYNCHRONIZATION_OWN_MEMBERS),
            &j.groups, &j.particles, &j.owners, 1e-3, &j.motion, j.extra, &report);
        struct vec3 momentum = {0, 0, 0}, path = {0, 0, 0};
        double mass = 0.0, kinetic = 0.0;
        for (size_t i = 0; i < MEMBERS; i++) {
            double m = j.particles.mass[i];
            mass += m;
            momentum = vec3_axpy(momentum, m, j.motion.own_after[i]);
            path = vec3_axpy(path, m, j.motion.own_mean[i]);
            kinetic += 0.5 * m * vec3_norm2(j.motion.own_after[i]);
        }
        for (size_t i = 0; i < MEMBERS; i++) {
            check_close(vec3_norm(vec3_sub(vec3_scale(mass, j.motion.after[i]), momentum)), 0.0,
                        1e-14, "MS 17");
            check_close(vec3_norm(vec3_sub(vec3_scale(mass, j.motion.mean[i]), path)), 0.0, 1e-14,
                        "displacement");
        }
        double joined = 0.5 * mass * vec3_norm2(j.motion.after[0]);
        check_close(report.energy, kinetic - joined, 1e-13, "MS 18 and 19");
        check_close(j.extra[0], report.energy, 0.0, "to the virtual bond");
        check_equal(report.groups, 1, "groups");
        for (size_t i = MEMBERS; i < ALL; i++)
            check(memcmp(&j.motion.after[i], &j.motion.own_after[i], sizeof(struct vec3)) == 0);
        joint_free(&j);
    }
}

TEST(two_systems_give_the_formulas_of_the_paper)
{
    struct joint j;
    struct synchronize_report report;
    joint_create(&j, 7);
    j.first[1] = 4; /* the second system owns the last two members, the third nobody */
    j.first[2] = ALL;
    for (size_t i = 2; i < 4; i++)
        j.motion.own_after[i] = j.motion.own_after[0];
    synchronize_groups(synchronization_of(SYNCHRONIZATION_AVERAGE), &j.groups, &j.particles,
                       &j.owners, 1e-3, &j.motion, j.extra, &report);
    const double *m = j.particles.mass;
    double m1 = m[0] + m[1] + m[2] + m[3], m2 = m[4] + m[5];
    struct vec3 apart = vec3_sub(j.motion.own_after[0], j.motion.own_after[4]);
    check_close(report.energy, m1 * m2 / (2.0 * (m1 + m2)) * vec3_norm2(apart), 1e-14, "MS 19");
    joint_free(&j);
}

/* Outside forces arrive whole, since every system applies all of them; of a system's own impulse
 * there arrives its fraction of the mass. */
TEST(what_eq_17_withholds)
{
    struct joint j;
    struct synchronize_report report;
    double dt = 1e-2;
    joint_create(&j, 11);
    struct vec3 outside = {0, 0, 0}, impulse[3], arrived, all = {0, 0, 0};
    double mass = 0.0, part[3] = {0};
    for (size_t i = 0; i < MEMBERS; i++) {
        outside = vec3_axpy(outside, dt, j.particles.force[i]);
        mass += j.particles.mass[i];
        part[i / 2] += j.particles.mass[i];
    }
    for (size_t s = 0; s < 3; s++) {
        impulse[s] = random_vector(23, s);
        struct vec3 change = vec3_scale(1.0 / mass, vec3_add(outside, impulse[s]));
        j.motion.own_after[2 * s] = j.motion.own_after[2 * s + 1] =
            vec3_add(j.motion.before[0], change);
        all = vec3_add(all, impulse[s]);
    }
    synchronize_groups(synchronization_of(SYNCHRONIZATION_AVERAGE), &j.groups, &j.particles,
                       &j.owners, dt, &j.motion, j.extra, &report);
    arrived = outside;
    for (size_t s = 0; s < 3; s++)
        arrived = vec3_axpy(arrived, part[s] / mass, impulse[s]);
    struct vec3 gained = vec3_scale(mass, vec3_sub(j.motion.after[0], j.motion.before[0]));
    check_close(vec3_norm(vec3_sub(gained, arrived)), 0.0, 1e-14, "momentum");
    struct vec3 missing = vec3_sub(vec3_add(outside, all), gained);
    check_close(vec3_norm(vec3_sub(report.withheld, missing)), 0.0, 1e-14, "withheld");
    check_close(report.work, vec3_dot(missing, j.motion.mean[0]), 1e-14, "its work");
    joint_free(&j);
}

/* Each system moves its own members by its own forces and theirs: MS 17 to 19 are the momentum
 * and the energy of a plastic merger. */
TEST(own_members_keep_momentum)
{
    struct joint j;
    struct synchronize_report report;
    double dt = 1e-2, mass = 0.0;
    joint_create(&j, 12);
    struct vec3 pushed = {0, 0, 0};
    for (size_t s = 0; s < 3; s++) {
        double own = j.particles.mass[2 * s] + j.particles.mass[2 * s + 1];
        struct vec3 impulse =
            vec3_axpy(random_vector(23, s), dt,
                      vec3_add(j.particles.force[2 * s], j.particles.force[2 * s + 1]));
        j.motion.own_after[2 * s] = j.motion.own_after[2 * s + 1] =
            vec3_axpy(j.motion.before[0], 1.0 / own, impulse);
        pushed = vec3_add(pushed, impulse);
        mass += own;
    }
    synchronize_groups(synchronization_of(SYNCHRONIZATION_OWN_MEMBERS), &j.groups, &j.particles,
                       &j.owners, dt, &j.motion, j.extra, &report);
    struct vec3 gained = vec3_scale(mass, vec3_sub(j.motion.after[0], j.motion.before[0]));
    check_close(vec3_norm(vec3_sub(gained, pushed)), 0.0, 1e-14, "momentum");
    check(vec3_norm(report.withheld) == 0.0 && report.work == 0.0);
    joint_free(&j);
}

TEST(a_group_is_cut_by_systems)
{
    struct joint j;
    struct groups parts;
    struct error error = {0};
    joint_create(&j, 5);
    if (groups_create(&parts, &j.particles, &error))
        abort();
    for (int fixed = 0; fixed < 2; fixed++) {
        for (size_t i = 0; i < MEMBERS; i++)
            j.groups.fixed[i] = (uint8_t)fixed;
        groups_cut(&parts, &j.groups, &j.particles, &j.owners);
        check_equal(parts.n_groups, 3, "parts");
        for (uint32_t i = 0; i < MEMBERS; i++) {
            uint32_t first = i / 2 * 2;
            check_equal(parts.leader[i], first, "leader");
            check_equal(parts.fixed[i], (size_t)fixed, "fixed as the whole is");
            check_close(parts.mass[i], j.particles.mass[first] + j.particles.mass[first + 1], 0.0,
                        "mass");
        }
        for (uint32_t i = MEMBERS; i < ALL; i++)
            check(parts.leader[i] == i && parts.mass[i] == j.particles.mass[i]);
    }
    j.first[2] = 5; /* systems own particles 0 and 1, 2 to 4, and from 5 on */
    groups_cut(&parts, &j.groups, &j.particles, &j.owners);
    check(parts.n_groups == 3 && parts.leader[4] == 2 && parts.leader[5] == 5 && parts.fixed[5]);
    groups_dissolve(&parts, &j.particles);
    for (uint32_t i = 0; i < ALL; i++)
        check(parts.leader[i] == i && parts.mass[i] == j.particles.mass[i] && !parts.fixed[i]);
    groups_free(&parts);
    joint_free(&j);
}

TEST(the_sum_of_impulses_keeps_momentum)
{
    struct joint j;
    struct synchronize_report report;
    double dt = 1e-2, mass = 0.0;
    joint_create(&j, 13);
    struct vec3 gained = {0, 0, 0}, outside = {0, 0, 0};
    for (size_t i = 0; i < MEMBERS; i++) {
        mass += j.particles.mass[i];
        outside = vec3_axpy(outside, dt, j.particles.force[i]);
    }
    for (size_t s = 0; s < 3; s++) {
        struct vec3 change = vec3_sub(j.motion.own_after[2 * s], j.motion.before[0]);
        gained = vec3_add(gained, vec3_sub(vec3_scale(mass, change), outside));
    }
    gained = vec3_add(gained, outside);
    synchronize_groups(synchronization_of(SYNCHRONIZATION_SUM), &j.groups, &j.particles, &j.owners,
                       dt, &j.motion, j.extra, &report);
    struct vec3 change = vec3_scale(mass, vec3_sub(j.motion.after[0], j.motion.before[0]));
    check_close(vec3_norm(vec3_sub(change, gained)), 0.0, 1e-13, "momentum");
    check(vec3_norm(report.withheld) == 0.0 && report.work == 0.0 && report.energy == 0.0);
    joint_free(&j);
}

TEST(groups_of_one_system_and_fixed_ones_stay_as_they_are)
{
    struct joint j;
    struct synchronize_report report;
    joint_create(&j, 3);
    j.first[1] = j.first[2] = ALL;
    for (size_t i = 0; i < MEMBERS; i++)
        j.motion.own_after[i] = j.motion.own_mean[i] = j.motion.before[0];
    for (int fixed = 0; fixed < 2; fixed++) {
        synchronize_groups(synchronization_of(SYNCHRONIZATION_AVERAGE), &j.groups, &j.particles,
                           &j.owners, 1e-3, &j.motion, j.extra, &report);
        check(memcmp(j.motion.after, j.motion.own_after, ALL * sizeof(struct vec3)) == 0);
        check(memcmp(j.motion.mean, j.motion.own_mean, ALL * sizeof(struct vec3)) == 0);
        check(report.groups == 0 && report.energy == 0.0 && j.extra[0] == 0.0);
        j.first[1] = 2;
        for (size_t i = 0; i < MEMBERS; i++)
            j.groups.fixed[i] = 1;
    }
    joint_free(&j);
}

/* ---- in the time step ---- */
