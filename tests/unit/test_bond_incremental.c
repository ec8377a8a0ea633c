/* Later stages of a step, solved incrementally, against solving each of them in full. */
#include "network_bench.h"

/* A jittered bar with some fixed particles, damped, and loose ones beside it. Stiff ones have cells
 * (bond_cells.c), and are solved everywhere in each stage. */
static const double soft = 2.0, stiff = 60.0;

static void fill(struct bench *b, size_t length, double stiffness, double tolerance)
{
    struct hand_scene *h = &b->h;
    hand_scene_begin(h);
    h->scene.solver.tolerance = tolerance;
    add_body(h, add_peridynamics(h, stiffness, 2.0, 0.004, (double)INFINITY), 0.01, 2e-3);
    add_block(h, (int)length, 4, 4, vec3(0, 0, 0), vec3(0, 0, 0));
    add_body(h, add_loose(h), 0.01, 1e-2);
    add_block(h, 6, 1, 1, vec3(0.1, 0, 0.06), vec3(0, 0, 0));
    jitter(h, 0.003, 9);
    h->particles.state[3] = h->particles.state[30] = 1;
    for (size_t i = 0; i < h->particles.n; i++) {
        h->particles.force[i] = random_vector(11, i);
        h->particles.velocity[i] = random_vector(12, i);
    }
    bench_start(b);
}

static void prepare(struct bench *b, double dt)
{
    struct error error = {0};
    for (size_t i = 0; i < b->h.particles.n; i++)
        ((struct bond_implicit *)b->system)->warm_start[i] = b->h.particles.velocity[i];
    check_equal(b->system->class->prepare(b->system, &b->h.particles, dt, &error), STATUS_OK,
                "prepare");
}

/* Groups from a label of each particle, the smallest member; `before` by mass. */
static void group(struct bench *b, const uint32_t *label)
{
    const struct particles *p = &b->h.particles;
    uint32_t *member = calloc(p->n, sizeof *member), *of = calloc(p->n, sizeof *of);
    size_t n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        bool alone = label[i] == i;
        for (uint32_t j = i + 1; j < p->n && alone; j++)
            alone = label[j] != i;
        if (alone)
            continue;
        member[n] = i;
        of[n++] = label[i];
    }
    groups_dissolve(&b->groups, p);
    groups_assign(&b->groups, p, n, member, of);
    for (size_t i = 0; i < p->n; i++)
        b->motion.before[i] = p->state[i] ? vec3(0, 0, 0) : p->velocity[i];
    for (size_t g = 0; g < b->groups.n_groups; g++) {
        struct vec3 sum = vec3(0, 0, 0);
        double mass = 0.0;
        for (size_t k = b->groups.start[g]; k < b->groups.start[g + 1]; k++) {
            uint32_t i = b->groups.member[k];
            sum = vec3_axpy(sum, p->mass[i], p->velocity[i]);
            mass += p->mass[i];
        }
        for (size_t k = b->groups.start[g]; k < b->groups.start[g + 1]; k++) {
            uint32_t i = b->groups.member[k];
            b->motion.before[i] = b->groups.fixed[i] ? vec3(0, 0, 0) : vec3_scale(1.0 / mass, sum);
        }
    }
    free(member);
    free(of);
}

static struct solve_report integrate(struct bench *b, double dt)
{
    struct error error = {0};
    struct solve_report report;
    check_equal(b->system->class->integrate(b->system, &b->h.particles, &b->groups, dt, &b->motion,
                                            &report, &error),
                STATUS_OK, "integrate");
    return report;
}

/* Some of the particles in groups of two to five, others than for another `draw`, though not all.
 */
static void draw_labels(uint32_t *label, size_t n, uint64_t draw)
{
    bool *used = calloc(n, sizeof *used);
    for (uint32_t i = 0; i < n; i++)
        label[i] = i;
    for (uint64_t k = 0; k < 12; k++) {
        uint64_t which = k < 6 ? 100 + k : 1000 * draw + k;
        uint32_t leader = (uint32_t)random_integer(1, which, 0, RANDOM_TEST, 0, n - 8);
        size_t size = random_integer(2, which + (k < 3 ? draw : 0), 0, RANDOM_TEST, 2, 5);
        bool unused = true;
        for (uint32_t m = leader; m < leader + size; m++)
            unused &= !used[m];
        for (uint32_t m = leader; m < leader + size && unused; m++) {
            label[m] = leader;
            used[m] = true;
        }
    }
    /* across the bodies, and with the fixed particle in every other draw */
    label[n - 1] = label[n / 2];
    if (draw % 2)
        label[n - 2] = label[3];
    free(used);
}

static double worst_difference(const struct bench *a, const struct bench *b)
{
    double worst = 0.0;
    for (size_t i = 0; i < a->h.particles.n; i++) {
        worst = fmax(worst, vec3_norm(vec3_sub(a->motion.own_after[i], b->motion.own_after[i])));
        worst = fmax(worst, vec3_norm(vec3_sub(a->motion.own_mean[i], b->motion.own_mean[i])));
    }
    return worst;
}

TEST(every_stage_has_the_solution_of_a_step_of_its_own)
{
    const double dt = 2e-3, tolerance = 1e-10;
    for (uint64_t round = 0; round < 8; round++) {
        const double stiffness = round < 4 ? soft : stiff;
        struct bench staged, alone;
        uint32_t label[1000];
        fill(&staged, 20, stiffness, tolerance);
        fill(&alone, 20, stiffness, tolerance);
        prepare(&staged, dt);
        for (uint64_t stage = 0; stage < 4; stage++) {
            draw_labels(label, staged.h.particles.n, 10 * round + stage);
            group(&staged, label);
            group(&alone, label);
            prepare(&alone, dt);
            struct solve_report report = integrate(&staged, dt);
            integrate(&alone, dt);
            check(report.residual <= tolerance);
            check_close(worst_difference(&staged, &alone), 0.0, 1e-8, "velocities");
        }
        bench_end(&staged);
        bench_end(&alone);
    }
}

struct second_stage {
    double iterations, full; /* of the stage, and of a step that begins with its groups */
    double touched;          /* the fraction of particles that move otherwise than before */
};

/* Two particles merge at one end of a long bar: of what is out of reach every bit stays. */
static void merge_at_the_end(double stiffness, double tolerance, struct second_stage *sum)
{
    const double dt = 2e-3;
    struct bench b;
    uint32_t label[4000];
    fill(&b, 200, stiffness, tolerance);
    size_t n = b.h.particles.n, changed = 0;
    for (uint32_t i = 0; i < n; i++)
        label[i] = i;
    prepare(&b, dt);
    group(&b, label);
    integrate(&b, dt);
    struct vec3 *kept = calloc(n, sizeof *kept);
    memcpy(kept, b.motion.own_after, n * sizeof *kept);
    label[1] = 0;
    group(&b, label);
    sum->iterations += (double)integrate(&b, dt).iterations;
    for (size_t i = 0; i < n; i++)
        changed += memcmp(&kept[i], &b.motion.own_after[i], sizeof *kept) != 0;
    sum->touched = fmax(sum->touched, (double)changed / (double)n);
    prepare(&b, dt);
    sum->full += (double)integrate(&b, dt).iterations;
    check(changed >= 2);
    check_equal(((struct bond_implicit *)b.system)->by_cells, stiffness == stiff, "cells");
    free(kept);
    bench_end(&b);
}

TEST(what_is_out_of_reach_is_not_touched)
{
    struct second_stage soft_bar = {0}, stiff_bar = {0};
    for (double tolerance = 1e-2; tolerance > 1e-7; tolerance *= 0.1) {
        merge_at_the_end(soft, tolerance, &soft_bar);
        merge_at_the_end(stiff, tolerance, &stiff_bar);
    }
    const double ratio =
        fmax(soft_bar.iterations / soft_bar.full, stiff_bar.iterations / stiff_bar.full);
    measured("M33.iterations", ratio);
    measured("M33.touched", soft_bar.touched);
    check(soft_bar.iterations > 0.0 && stiff_bar.iterations > 0.0 && ratio < 1.0);
    check(soft_bar.touched < 0.9);
}

/* An incremental solve asks for a tenth of the tolerance, where the groups are: one decade. */
TEST(the_same_groups_need_a_tenth_of_the_tolerance)
{
    struct bench b;
    uint32_t label[1000];
    fill(&b, 20, soft, 1e-6);
    draw_labels(label, b.h.particles.n, 1);
    prepare(&b, 1e-3);
    group(&b, label);
    size_t full = integrate(&b, 1e-3).iterations, again = integrate(&b, 1e-3).iterations;
    printf("# %zu iterations, then %zu\n", full, again);
    check(again > 0 && 2 * again < full);
    check_equal(integrate(&b, 1e-3).iterations, 0, "iterations of a third solve");
    bench_end(&b);
}
