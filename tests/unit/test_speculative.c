/* Speculative links (contact.detection: swept): contacts that close within the step are respected
 * as well, so that nothing overlaps, whatever the length of the step, and a bounce returns what it
 * should. */
#include "yards.h"

enum { N_STEPS = 3 };
static const double courants[N_STEPS] = {1.0, 2.5, 5.0};

static void swept_begin(struct yard *y, double courant)
{
    yard_begin(y);
    y->h.scene.contact.detection = DETECTION_SWEPT;
    y->h.scene.time.courant = courant;
    y->h.scene.time.max_step = 1.0;
}

/* ---- closed forms ---- */

/* Two particles of masses m and 2 m, head-on from many distances: at the end of the step in which
 * they meet they touch, and part with sqrt(alpha) of the speed at which they met. Returns the error
 * of the velocities at the end, over that speed. */
static double bounce_head_on(double courant, double away, double alpha)
{
    struct yard y;
    const double v = 1.5, center = v / 3.0;
    swept_begin(&y, courant);
    y.h.scene.contact.alpha = alpha;
    size_t loose = add_loose(&y.h);
    add_body(&y.h, loose, R, 1e-2);
    add_particle(&y.h, vec3(0.0, 0.0, 0.0), vec3(v, 0.0, 0.2));
    add_body(&y.h, loose, R, 2e-2);
    add_particle(&y.h, vec3(2.0 * R + away, 0.0, 0.0), vec3(0.0, 0.0, 0.2));
    yard_start(&y);
    const struct particles *p = &y.s.particles;
    bool met = false;
    while (y.s.time < 3.0 * away / v) {
        struct ledger_row row = check_step(&y);
        double apart = p->position[1].x - p->position[0].x;
        check(apart >= 2.0 * R * (1.0 - 1e-11));
        if (!met && ledger_value(&row, "loaded") > 0.0) {
            check_close(apart / (2.0 * R), 1.0, 1e-11, "distance on arrival");
            met = true;
        }
    }
    check(met);
    double back = sqrt(alpha) * v;
    struct vec3 light = vec3(center - back * 2.0 / 3.0, 0.0, 0.2);
    struct vec3 heavy = vec3(center + back / 3.0, 0.0, 0.2);
    double error = fmax(vec3_norm(vec3_sub(p->velocity[0], light)),
                        vec3_norm(vec3_sub(p->velocity[1], heavy)));
    yard_end(&y);
    return error / v;
}

TEST(a_pair_meets_head_on)
{
    double worst = 0.0;
    for (int k = 0; k < N_STEPS; k++)
        for (double away = 0.13 * R; away < 7.0 * R; away += 0.91 * R)
            for (double alpha = 0.0; alpha <= 1.0; alpha += 0.25)
                worst = fmax(worst, bounce_head_on(courants[k], away, alpha));
    check_close(worst, 0.0, 1e-13, "velocities after the bounce");
    measured("SPECULATIVE.bounce", worst);
}

/* A particle falls on a floor and slides along it; it never enters it. Returns the error of its
 * velocity at the end, over the speed of the fall. */
static double bounce_off_wall(double courant, double height, double alpha)
{
    struct yard y;
    const double v = 2.0, along = 0.7;
    swept_begin(&y, courant);
    add_floor(&y);
    y.h.scene.contact.alpha = alpha;
    add_body(&y.h, add_loose(&y.h), R, 1.6e-2);
    add_particle(&y.h, vec3(0.0, 0.0, height), vec3(along, 0.0, -v));
    yard_start(&y);
    while (y.s.time < 10.0 * R / v) {
        check_step(&y);
        check(y.s.particles.position[0].z >= R * (1.0 - 1e-11));
    }
    struct vec3 back = vec3(along, 0.0, v * sqrt(alpha));
    double error = vec3_norm(vec3_sub(y.s.particles.velocity[0], back));
    yard_end(&y);
    return error / v;
}

TEST(a_particle_meets_a_wall)
{
    double worst = 0.0;
    for (int k = 0; k < N_STEPS; k++)
        for (double height = 1.05 * R; height < 9.0 * R; height += 1.3 * R)
            for (double alpha = 0.0; alpha <= 1.0; alpha += 0.5)
                worst = fmax(worst, bounce_off_wall(courants[k], height, alpha));
    check_close(worst, 0.0, 1e-12, "velocity after the bounce");
    measured("SPECULATIVE.wall", worst);
}

/* M08 with swept detection: a beam against a row of targets, each pair with its own start and the
 * impact parameter `offset`, as in test_step.c. How many went on as if nothing had been there. */
static size_t count_missed(enum contact_method method, double courant, double offset)
{
    struct yard y;
    enum { PAIRS = 200 };
    swept_begin(&y, courant);
    y.h.scene.contact.method = method;
    size_t loose = add_loose(&y.h);
    for (int side = 0; side < 2; side++) {
        add_body(&y.h, loose, R, 1e-3);
        for (size_t k = 0; k < PAIRS; k++) {
            double away = 0.05 + 0.04 * random_uniform(7, 0, k, RANDOM_TEST);
            double angle = 6.28 * random_uniform(7, 1, k, RANDOM_TEST);
            struct vec3 x = vec3(0.3 * (double)k, 0.0, side == 0 ? -away : 0.03);
            if (side == 1)
                x = vec3_axpy(x, offset, vec3(cos(angle), sin(angle), 0.0));
            add_particle(&y.h, x, vec3(0.0, 0.0, side == 0 ? 5.0 : -5.0));
        }
    }
    yard_start(&y);
    while (y.s.time < 0.03)
        check_equal(step_once(&y.s).unresolved, 0, "unresolved");
    size_t missed = 0;
    for (size_t k = 0; k < PAIRS; k++)
        missed += y.s.particles.velocity[k].z == 5.0;
    check(missed == 0 || missed == PAIRS);
    yard_end(&y);
    return missed;
}

TEST(no_grazing_collision_is_missed)
{
    static const double offsets[] = {0.0, 0.4, 0.8, 1.2, 1.7, 1.99}; /* over the radius */
    static const enum contact_method methods[] = {CONTACT_SLIDING, CONTACT_MERGING_AND_SPLITTING};
    size_t missed = 0;
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < N_STEPS; k++) {
            for (int o = 0; o < 6; o++)
                missed += count_missed(methods[m], courants[k], offsets[o] * R);
            check(count_missed(methods[m], courants[k], 2.03 * R) > 0); /* never in touch */
        }
    check_equal(missed, 0, "missed");
    measured("M08.swept", (double)missed);
}

/* ---- nothing overlaps ---- */

/* The least distance of any two particles that may collide, anywhere on their ways, over the sum of
 * their radii. */
static double least_distance(const struct simulation *s, const struct vec3 *from)
{
    const struct particles *p = &s->particles;
    double least = (double)INFINITY;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++) {
            if (p->body[i] == p->body[j] &&
                !scene_material_of(s->scene, p->body[i])->model->flows &&
                scene_material_of(s->scene, p->body[i])->model != &loose_model)
                continue;
            struct vec3 x = vec3_sub(from[j], from[i]);
            struct vec3 end = vec3_sub(p->position[j], p->position[i]);
            double distance = sqrt(swept_least2(x, vec3_sub(end, x)));
            least = fmin(least, distance / (p->radius[i] + p->radius[j]));
        }
    return least;
}

static double step_and_look(struct yard *y, struct ledger_row *row)
{
    static struct vec3 from[SCENE_PARTICLES];
    memcpy(from, y->s.particles.position, y->s.particles.n * sizeof *from);
    *row = check_step(y);
    return least_distance(&y->s, from);
}

/* Two heaps of loose particles of different sizes run through each other. */
TEST(collisions_keep_momenta_and_energy)
{
    double all[3] = {0.0};
    for (int k = 0; k < N_STEPS; k++) {
        struct yard y;
        swept_begin(&y, courants[k]);
        size_t loose = add_loose(&y.h);
        add_body(&y.h, loose, R, 1.6e-2);
        add_ball(&y.h, 5.0 * R, vec3(0.0, 0.0, 0.0), vec3(0.3, 0.1, 0.0));
        add_body(&y.h, loose, 0.7 * R, 0.5e-2);
        add_ball(&y.h, 4.0 * R, vec3(12.0 * R, 3.0 * R, R), vec3(-1.0, 0.0, 0.0));
        for (size_t i = 0; i < y.h.particles.n; i++) /* a lattice with gaps */
            y.h.particles.position[i] = vec3_scale(1.05, y.h.particles.position[i]);
        jitter(&y.h, 0.02 * R, 3);
        yard_start(&y);
        const struct particles *p = &y.s.particles;
        struct vec3 angular = y.s.totals.angular, momentum = y.s.totals.momentum;
        double kinetic = y.s.totals.kinetic, speeds = 0.0, spins = 0.0, loaded = 0.0;
        double worst[3] = {0.0}, least = 1.0;
        for (size_t i = 0; i < p->n; i++) {
            double speed = p->mass[i] * vec3_norm(p->velocity[i]);
            speeds += speed;
            spins += speed * vec3_norm(p->position[i]);
        }
        while (y.s.time < 0.4) {
            struct ledger_row row;
            least = fmin(least, step_and_look(&y, &row));
            struct vec3 drift = vec3_sub(row_momentum(&row), momentum);
            struct vec3 turn = vec3_sub(row_angular(&row), angular);
            worst[0] = fmax(worst[0], vec3_norm(drift) / speeds);
            worst[1] = fmax(worst[1], vec3_norm(turn) / spins);
            worst[2] = fmax(worst[2], fabs(row.kinetic / kinetic - 1.0));
            loaded += ledger_value(&row, "loaded");
            check_equal(row.unresolved, 0, "unresolved");
        }
        printf("# %g radii a step: %.1e %.1e %.1e, least distance 1 - %.1e, %g loaded\n",
               courants[k], worst[0], worst[1], worst[2], 1.0 - least, loaded);
        check_close(worst[0], 0.0, 1e-13, "momentum");
        check_close(worst[1], 0.0, 1e-12, "angular momentum");
        check_close(worst[2], 0.0, 1e-12, "energy");
        check_close(fmax(1.0 - least, 0.0), 0.0, 1e-9, "overlap");
        check(loaded > 200.0);
        for (int w = 0; w < 3; w++)
            all[w] = fmax(all[w], worst[w]);
        yard_end(&y);
    }
    measured("SPECULATIVE.momentum", all[0]);
    measured("SPECULATIVE.angular", all[1]);
    measured("SPECULATIVE.energy", all[2]);
}

/* An edge of a block hits a stiff cloth obliquely: contacts open and close all the time. */
TEST(elastic_bodies_never_overlap)
{
    static const enum time_integration integrators[] = {INTEGRATOR_BACKWARD_EULER,
                                                        INTEGRATOR_NEWMARK, INTEGRATOR_VERLET};
    for (int k = 0; k < 2 * N_STEPS; k++) {
        struct yard y;
        double least = 1.0, loaded = 0.0, stages = 0.0, longest = 0.0;
        swept_begin(&y, courants[k % N_STEPS]);
        y.h.scene.solver.integrator = integrators[k / N_STEPS];
        y.h.scene.gravity = vec3(0.0, 0.0, -G);
        add_body(&y.h, add_springs(&y.h, 400.0, 400.0, 20.0, 2e-4), R, 8e-3);
        add_block(&y.h, 11, 11, 1, vec3(-10.0 * R, -10.0 * R, 0.0), vec3(0.0, 0.0, 0.0));
        for (size_t i = 0; i < y.h.particles.n; i++) {
            struct vec3 x = y.h.particles.position[i];
            if (fmax(fabs(x.x), fabs(x.y)) > 9.0 * R)
                y.h.particles.state[i] = PARTICLE_FIXED;
        }
        add_body(&y.h, add_peridynamics(&y.h, 100.0, 3.0, 2e-4, (double)INFINITY), R, 8e-3);
        add_block(&y.h, 4, 4, 3, vec3(-2.7 * R, -3.4 * R, 5.0 * R), vec3(1.0, 0.5, -5.0));
        yard_start(&y);
        while (y.s.time < 0.06) {
            struct ledger_row row;
            least = fmin(least, step_and_look(&y, &row));
            loaded += ledger_value(&row, "loaded");
            stages += row.stages;
            longest = fmax(longest, row.displacement);
        }
        printf("# %g radii a step: least distance 1 - %.1e, %g loaded, %.2f stages\n", longest,
               1.0 - least, loaded, stages / (double)y.s.step);
        check_close(fmax(1.0 - least, 0.0), 0.0, 1e-9, "overlap");
        check(loaded > 50.0);
        yard_end(&y);
    }
}

/* What stands does not begin to move because contacts are found before they close. */
TEST(a_column_stands)
{
    struct yard y;
    swept_begin(&y, 5.0);
    y.h.scene.time.max_step = 5e-3;
    y.h.scene.gravity = vec3(0.0, 0.0, -G);
    add_body(&y.h, add_loose(&y.h), R, 1.6e-2);
    for (int k = 0; k < 5; k++)
        add_particle(&y.h, vec3(0.0, 0.0, 2.0 * R * k), vec3(0.0, 0.0, 0.0));
    y.h.particles.state[0] = PARTICLE_FIXED;
    yard_start(&y);
    for (int k = 0; k < 2000; k++)
        check(check_step(&y).speed_max < 1e-12);
    /* 1e-12 of g dt^2 in each step */
    check_close(y.s.particles.position[4].z, 8.0 * R, 1e-13, "height");
    yard_end(&y);
}

/* ---- the same bits ---- */

TEST(the_number_of_threads_changes_no_bit)
{
    static struct vec3 expected[SCENE_PARTICLES];
    for (int threads = 1; threads <= 3; threads++) {
        struct yard y;
        swept_begin(&y, 2.5);
        add_floor(&y);
        y.h.scene.gravity = vec3(1.0, 0.0, -G);
        y.h.scene.solver.tolerance = 1e-5;
        add_body(&y.h, add_peridynamics(&y.h, 1e3, 2.0, 1e-3, (double)INFINITY), R, 1.6e-2);
        add_block(&y.h, 12, 12, 5, vec3(0.0, 0.0, 4.0 * R), vec3(0.2, 0.1, -3.0));
        add_body(&y.h, add_fluid(&y.h, 4e3, 0.02), R, 8e-3);
        add_block(&y.h, 8, 8, 4, vec3(4.0 * R, 4.0 * R, 14.8 * R), vec3(0.0, 0.0, -6.0));
        jitter(&y.h, 0.05 * R, 6);
        omp_set_num_threads(threads);
        start(&y.h, &y.s);
        for (int step = 0; step < 10; step++)
            step_once(&y.s);
        check_same_end(&y, threads, expected);
    }
    omp_set_num_threads(1);
}
