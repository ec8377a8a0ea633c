/* One collision of two loose particles, step by step, and two splits of one meta-particle: the
 * numbers of the drawings that explain the method (the paper's Figures 1 and 2). In units of a
 * radius and a second. */
#include "scenes.h"

#include "contact/split.h"

static void tell_velocity(const char *stage, const char *who, struct vec3 v)
{
    char name[64];
    snprintf(name, sizeof name, "ONE.%s-%s.vx", stage, who);
    measured(name, v.x);
    snprintf(name, sizeof name, "ONE.%s-%s.vz", stage, who);
    measured(name, v.z);
}

static void tell_place(const char *stage, const char *who, struct vec3 x)
{
    char name[64];
    snprintf(name, sizeof name, "ONE.%s-%s.x", stage, who);
    measured(name, x.x);
    snprintf(name, sizeof name, "ONE.%s-%s.z", stage, who);
    measured(name, x.z);
}

static const double dt = 0.25;

/* Light and heavy, which touch and approach each other while they fall. */
static void make_pair(struct hand_scene *h)
{
    hand_scene_begin(h);
    h->scene.time.max_step = dt;
    h->scene.gravity = vec3(0, 0, -4);
    size_t loose = add_loose(h);
    add_body(h, loose, 1.0, 1.0);
    add_particle(h, vec3(0, 0, 0), vec3(2.4, 0, 0.9));
    add_body(h, loose, 1.0, 2.0);
    add_particle(h, vec3(1.75, 0, 0.55), vec3(-1.6, 0, 0.6));
}

/* MS 1-4, by hand. */
static struct virtual_bond merge_by_hand(const struct particles *p)
{
    struct virtual_bond bond = {.mass = {p->mass[0], p->mass[1]},
                                .velocity = {p->velocity[0], p->velocity[1]}};
    struct vec3 apart = vec3_sub(p->position[1], p->position[0]);
    double reduced = p->mass[0] * p->mass[1] / (p->mass[0] + p->mass[1]);
    bond.normal = vec3_scale(1.0 / vec3_norm(apart), apart);
    bond.energy = 0.5 * reduced * vec3_norm2(vec3_sub(p->velocity[0], p->velocity[1]));
    return bond;
}

static struct vec3 mean(const struct particles *p, const struct vec3 *of)
{
    double all = p->mass[0] + p->mass[1];
    return vec3_add(vec3_scale(p->mass[0] / all, of[0]), vec3_scale(p->mass[1] / all, of[1]));
}

/* The time step of the programs, against the formulas of its three parts. */
TEST(a_step_merges_integrates_and_splits)
{
    struct hand_scene h;
    struct simulation s;
    make_pair(&h);
    struct vec3 x[2] = {h.particles.position[0], h.particles.position[1]}, out[2];
    struct virtual_bond bond = merge_by_hand(&h.particles);
    struct vec3 center = mean(&h.particles, h.particles.position);
    struct vec3 merged = mean(&h.particles, h.particles.velocity);
    struct vec3 after = vec3_axpy(merged, dt, h.scene.gravity);
    tell_velocity("before", "light", bond.velocity[0]);
    tell_velocity("before", "heavy", bond.velocity[1]);
    tell_place("before", "light", x[0]);
    tell_place("before", "heavy", x[1]);
    tell_place("merged", "both", center);
    tell_velocity("merged", "both", merged);
    start(&h, &s);
    struct ledger_row row = step_once(&s);
    check_close(row.dt, dt, 0.0, "step");
    struct vec3 moved = mean(&s.particles, s.particles.position);
    check_vec3(moved, vec3_axpy(center, dt, after), 1e-14, "the meta-particle's place");
    check(split_bond(&bond, after, bond.energy, ROOTS_TAKEN, out));
    double worst = 0.0;
    for (int k = 0; k < 2; k++) {
        struct vec3 to = vec3_axpy(x[k], dt, after);
        worst = worse(worst, vec3_norm(vec3_sub(s.particles.position[k], to)));
        worst = worse(worst, vec3_norm(vec3_sub(s.particles.velocity[k], out[k])));
        tell_place("split", k ? "heavy" : "light", s.particles.position[k]);
        tell_velocity("split", k ? "heavy" : "light", s.particles.velocity[k]);
    }
    tell_place("integrated", "both", moved);
    tell_velocity("integrated", "both", vec3_scale(1.0 / dt, vec3_sub(moved, center)));
    check_close(worst, 0.0, 1e-14, "place and velocity of each");
    measured("ONE.step-error", worst);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* What MS 8-16 ask of a split; `real`: MS 13 has a root. */
static void split_and_tell(const char *stage, struct vec3 merged, bool real)
{
    char name[64];
    struct vec3 out[2];
    struct virtual_bond bond = {.mass = {1.0, 1.0},
                                .velocity = {vec3(0.9, 0, 0.3), vec3(-0.7, 0, -0.3)},
                                .normal = vec3(1, 0, 0)};
    bond.energy = 0.25 * vec3_norm2(vec3_sub(bond.velocity[0], bond.velocity[1]));
    double radius = sqrt(bond.energy); /* MS 11 with masses of 1 */
    check(split_bond(&bond, merged, bond.energy, ROOTS_TAKEN, out) == real);
    struct vec3 offset = vec3_sub(out[0], merged), change = vec3_sub(out[0], bond.velocity[0]);
    check_close(vec3_norm(offset), radius, 1e-15, "on the sphere");
    check_vec3(vec3_add(out[0], out[1]), vec3_scale(2.0, merged), 1e-15, "momentum");
    check(vec3_dot(vec3_sub(out[1], out[0]), bond.normal) >= 0.0);
    if (real) {
        check_close(change.z, 0.0, 1e-15, "along the normal from v1");
        check(offset.x < 0.0); /* the smaller root */
    } else {
        check_close(offset.x, 0.0, 1e-15, "across the normal");
        check(fabs(merged.z - bond.velocity[0].z) > radius);
    }
    tell_velocity(stage, "first", bond.velocity[0]);
    tell_velocity(stage, "second", bond.velocity[1]);
    tell_velocity(stage, "merged", merged);
    tell_velocity(stage, "after", out[0]);
    tell_velocity(stage, "partner", out[1]);
    snprintf(name, sizeof name, "ONE.%s-sphere.radius", stage);
    measured(name, radius);
}

TEST(a_split_has_a_root_if_integration_turned_the_pair_little)
{
    split_and_tell("root", vec3(0.05, 0, -0.15), true);
}

TEST(a_split_has_no_root_if_integration_pushed_the_pair_far_aside)
{
    split_and_tell("no-root", vec3(0.05, 0, -1.0), false);
}
