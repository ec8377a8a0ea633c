/* Sliding meta-particles (contact.method: sliding): contact takes away the velocity of approach
 * along normals, and nothing else. */
#include "yards.h"

/* ---- along a plane ---- */

/* Down a slope from rest: v = g sin(angle) t. */
static void check_slope(double degrees, double dt, enum time_integration integrator)
{
    struct yard y;
    double angle = degrees * acos(-1.0) / 180.0;
    yard_begin(&y);
    add_floor(&y);
    y.h.scene.time.max_step = dt;
    y.h.scene.solver.integrator = integrator;
    y.h.scene.gravity = vec3(sin(angle) * G, 0.0, -cos(angle) * G);
    add_stone(&y);
    add_block(&y.h, 5, 4, 3, vec3(0.0, 0.0, 0.999 * R), vec3(0.0, 0.0, 0.0));
    yard_start(&y);
    struct ledger_row row = {0};
    while (y.s.time < 0.1)
        row = check_step(&y);
    double ideal = G * sin(angle) * y.s.time;
    check_close(row.momentum_x / y.s.totals.mass / ideal, 1.0, 1e-5, "acceleration");
    check_equal(row.unresolved, 0, "unresolved");
    yard_end(&y);
}

TEST(a_block_slides_down_a_plane_at_every_angle_and_step)
{
    static const double degrees[] = {10.0, 30.0, 60.0}, dt[] = {1e-3, 5e-4, 2e-4};
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++)
            check_slope(degrees[a], dt[k], INTEGRATOR_BACKWARD_EULER);
    check_slope(30.0, 1e-3, INTEGRATOR_NEWMARK);
    check_slope(30.0, 1e-3, INTEGRATOR_VERLET);
}

/* ---- loose particles ---- */

/* Two heaps of particles of different sizes run through each other. */
TEST(collisions_keep_momenta_and_energy)
{
    struct yard y;
    yard_begin(&y);
    size_t loose = add_loose(&y.h);
    add_body(&y.h, loose, R, 1.6e-2);
    add_ball(&y.h, 5.0 * R, vec3(0.0, 0.0, 0.0), vec3(0.3, 0.1, 0.0));
    add_body(&y.h, loose, 0.7 * R, 0.5e-2);
    add_ball(&y.h, 4.0 * R, vec3(12.0 * R, 3.0 * R, R), vec3(-1.0, 0.0, 0.0));
    jitter(&y.h, 0.02 * R, 3);
    yard_start(&y);
    const struct particles *p = &y.s.particles;
    struct vec3 angular = y.s.totals.angular, momentum = y.s.totals.momentum;
    double kinetic = y.s.totals.kinetic, speeds = 0.0, spins = 0.0, worst[3] = {0.0}, loaded = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double speed = p->mass[i] * vec3_norm(p->velocity[i]);
        speeds += speed;
        spins += speed * vec3_norm(p->position[i]);
    }
    for (int k = 0; k < 300; k++) {
        struct ledger_row row = check_step(&y);
        struct vec3 drift = vec3_sub(row_momentum(&row), momentum);
        struct vec3 turn = vec3_sub(row_angular(&row), angular);
        worst[0] = fmax(worst[0], vec3_norm(drift) / speeds);
        worst[1] = fmax(worst[1], vec3_norm(turn) / spins);
        worst[2] = fmax(worst[2], fabs(row.kinetic / kinetic - 1.0));
        loaded += ledger_value(&row, "loaded");
        check(row.nearer_depth < 1e-12);
    }
    check_close(worst[0], 0.0, 1e-13, "momentum");
    check_close(worst[1], 0.0, 1e-13, "angular momentum");
    check_close(worst[2], 0.0, 1e-12, "energy");
    check(loaded > 300.0);
    measured("SLIDING.momentum", worst[0]);
    measured("SLIDING.angular", worst[1]);
    measured("SLIDING.energy", worst[2]);
    yard_end(&y);
}

/* Two particles, one of which hits the other off its center. Fills how much momentum, angular
 * momentum and energy change, each over what there is of it. */
static void collide(double ratio, enum way_of_detecting detection, double worst[3])
{
    struct yard y;
    const double mass = 1.6e-2, off = 0.8 * R, speed = 1.0;
    yard_begin(&y);
    y.h.scene.contact.detection = detection;
    size_t loose = add_loose(&y.h);
    add_body(&y.h, loose, R, mass);
    add_particle(&y.h, vec3(0.0, 0.0, 0.0), vec3(speed, 0.0, 0.0));
    add_body(&y.h, loose, R, ratio * mass);
    add_particle(&y.h, vec3(2.5 * R, off, 0.3 * R), vec3(0.0, 0.0, 0.1 * speed));
    yard_start(&y);
    struct vec3 angular = y.s.totals.angular, momentum = y.s.totals.momentum;
    double kinetic = y.s.totals.kinetic, spins = mass * speed * off, loaded = 0.0;
    for (int k = 0; k < 30; k++) {
        struct ledger_row row = check_step(&y);
        struct vec3 drift = vec3_sub(row_momentum(&row), momentum);
        struct vec3 turn = vec3_sub(row_angular(&row), angular);
        worst[0] = fmax(worst[0], vec3_norm(drift) / vec3_norm(momentum));
        worst[1] = fmax(worst[1], vec3_norm(turn) / spins);
        worst[2] = fmax(worst[2], fabs(row.kinetic / kinetic - 1.0));
        loaded += ledger_value(&row, "loaded");
    }
    check(loaded > 0.0 && y.s.particles.velocity[1].x > 0.01 * speed);
    yard_end(&y);
}

TEST(two_particles_collide_exactly_at_every_ratio_of_masses)
{
    static const double ratios[] = {1.0 / 64.0, 1.0, 64.0};
    for (int k = 0; k < 3; k++) {
        double worst[3] = {0.0};
        collide(ratios[k], DETECTION_DISCRETE, worst);
        collide(ratios[k], DETECTION_SWEPT, worst);
        printf("# ratio %g: momentum off by %.1e, angular momentum by %.1e, energy by %.1e\n",
               ratios[k], worst[0], worst[1], worst[2]);
        check_close(worst[0], 0.0, 1e-12, "momentum");
        check_close(worst[1], 0.0, 1e-12, "angular momentum");
        check_close(worst[2], 0.0, 1e-12, "energy");
    }
}

/* What comes back from a wall and from another particle, and what slides along stays. */
TEST(a_bounce_returns_the_root_of_alpha)
{
    for (double alpha = 0.0; alpha <= 1.0; alpha += 0.25) {
        struct yard y;
        yard_begin(&y);
        add_floor(&y);
        y.h.scene.contact.alpha = alpha;
        add_body(&y.h, add_loose(&y.h), R, 1.6e-2);
        add_particle(&y.h, vec3(0.0, 0.0, 1.5 * R), vec3(0.7, 0.0, -2.0));
        add_particle(&y.h, vec3(0.0, 0.5, 5.0 * R), vec3(1.0, 0.0, 0.0));
        add_particle(&y.h, vec3(3.0 * R, 0.5, 5.0 * R), vec3(-1.0, 0.0, 0.0));
        yard_start(&y);
        for (int k = 0; k < 20; k++)
            check_step(&y);
        const struct vec3 *v = y.s.particles.velocity;
        check_vec3(v[0], vec3(0.7, 0.0, 2.0 * sqrt(alpha)), 1e-12, "from the wall");
        check_vec3(v[1], vec3(-sqrt(alpha), 0.0, 0.0), 1e-12, "from another");
        check_vec3(v[2], vec3(sqrt(alpha), 0.0, 0.0), 1e-12, "the other");
        yard_end(&y);
    }
}

/* ---- rest ---- */

/* Steps a scene at rest and checks that it stays there; returns how far a particle drifts. */
static double check_rest(struct yard *y, int steps, const char *what)
{
    size_t n = y->s.particles.n;
    struct vec3 *start_at = malloc(n * sizeof *start_at);
    double speed = 0.0, drift = 0.0;
    if (!start_at)
        abort();
    memcpy(start_at, y->s.particles.position, n * sizeof *start_at);
    for (int k = 0; k < steps; k++)
        speed = fmax(speed, check_step(y).speed_max);
    for (size_t i = 0; i < n; i++)
        drift = fmax(drift, vec3_norm(vec3_sub(start_at[i], y->s.particles.position[i])));
    printf("# %s: speed %.1e m/s, drift %.1e m\n", what, speed, drift);
    check(speed < 1e-12);
    check(drift < 1e-12);
    free(start_at);
    return drift;
}

TEST(a_column_stands)
{
    double drift = 0.0;
    for (double alpha = 0.0; alpha <= 1.0; alpha += 1.0) {
        struct yard y;
        yard_begin(&y);
        y.h.scene.contact.alpha = alpha;
        y.h.scene.gravity = vec3(0.0, 0.0, -G);
        add_body(&y.h, add_loose(&y.h), R, 1.6e-2);
        for (int k = 0; k < 5; k++)
            add_particle(&y.h, vec3(0.0, 0.0, 1.9999 * R * k), vec3(0.0, 0.0, 0.0));
        y.h.particles.state[0] = PARTICLE_FIXED;
        yard_start(&y);
        drift = fmax(drift, check_rest(&y, 100000, "column of 4"));
        yard_end(&y);
    }
    measured("REST.column.drift", drift);
}

/* Thirty particles in the pockets of a layer that is fixed: 120 contacts, of which 90 are
 * independent of each other. */
TEST(a_pyramid_stands)
{
    struct yard y;
    const double spread = 1.05, d = 2.0 * R * 0.9999,
                 height = d * sqrt(1.0 - 0.5 * spread * spread);
    yard_begin(&y);
    y.h.scene.gravity = vec3(0.0, 0.0, -G);
    add_body(&y.h, add_loose(&y.h), R, 1.6e-2);
    for (int layer = 0; layer < 5; layer++)
        for (int i = 0; i < 5 - layer; i++)
            for (int j = 0; j < 5 - layer; j++) {
                struct vec3 x = vec3(spread * d * (i + 0.5 * layer), spread * d * (j + 0.5 * layer),
                                     height * layer);
                uint32_t particle = add_particle(&y.h, x, vec3(0.0, 0.0, 0.0));
                y.h.particles.state[particle] = layer == 0 ? PARTICLE_FIXED : PARTICLE_FREE;
            }
    yard_start(&y);
    const struct ledger_row row = check_step(&y);
    check_equal(ledger_value(&row, "links"), 120, "contacts");
    check_rest(&y, 2000, "pyramid of 30");
    yard_end(&y);
}

/* Walls around a box over z = 0, open above. */
static void add_box(struct yard *y, double width)
{
    add_floor(y);
    y->wall.region.shape.size = vec3(width, width, 1.0);
    y->wall.region.shape.center = vec3(0.0, 0.0, 0.5);
    y->wall.keep = KEEP_INSIDE;
}

/* Particles fall into a box, without any order, and come to rest: what bears load
 * stands; what bears none may slide on, because nothing holds it, at a speed that stays. */
TEST(a_heap_comes_to_rest)
{
    enum { FALLING = 1500, RESTING = 200 };
    static struct vec3 before[SCENE_PARTICLES];
    struct yard y;
    double stages = 0.0, kick = 0.0, depth = 0.0, loaded = 0.0;
    yard_begin(&y);
    y.h.scene.gravity = vec3(0.0, 0.0, -G);
    y.h.scene.contact.alpha = 0.0;
    y.h.scene.solver.tolerance = 1e-5; /* the default */
    add_box(&y, 7.0 * R);
    add_body(&y.h, add_loose(&y.h), R, 8e-3);
    add_block(&y.h, 3, 3, 6, vec3(-2.3 * R, -2.3 * R, 1.5 * R), vec3(0.0, 0.0, 0.0));
    jitter(&y.h, 0.2 * R, 5);
    yard_start(&y);
    const struct particles *p = &y.s.particles;
    for (int k = 0; k < FALLING + RESTING; k++) {
        memcpy(before, p->velocity, p->n * sizeof *before);
        struct ledger_row row = check_step(&y);
        depth = fmax(depth, row.nearer_depth);
        check_equal(row.unresolved, 0, "unresolved");
        stages += row.stages;
        loaded = ledger_value(&row, "loaded");
        for (size_t i = 0; i < p->n && k >= FALLING; i++)
            kick = fmax(kick, vec3_norm(vec3_sub(p->velocity[i], before[i])));
    }
    printf("# %.0f links loaded, %.2f stages, nearer by %.1e, change of speed %.1e m/s\n", loaded,
           stages / (FALLING + RESTING), depth, kick);
    check(loaded > 2.0 * (double)p->n);
    check(kick < 1e-9 && depth < 1e-9);
    check(stages < 2.5 * (FALLING + RESTING));
    yard_end(&y);
}

/* ---- elastic bodies ---- */

/* The largest change of angular momentum in an off-center collision, over what there was. */
static double turn_in_collision(enum contact_method method, double dt)
{
    struct yard y;
    double worst = 0.0;
    yard_begin(&y);
    y.h.scene.contact.method = method;
    y.h.scene.contact.stiffness = 1e5;
    y.h.scene.time.max_step = dt;
    for (int k = 0; k < 2; k++) {
        add_stone(&y);
        add_block(&y.h, 4, 6, 4, vec3_scale(k, vec3(8.3 * R, 6.3 * R, 0.7 * R)),
                  vec3(0.5 - k, 0.0, 0.0));
    }
    yard_start(&y);
    struct vec3 angular = y.s.totals.angular;
    while (y.s.time < 0.1) {
        struct ledger_row row = check_step(&y);
        worst = fmax(worst, vec3_norm(vec3_sub(row_angular(&row), angular)));
        check(method != CONTACT_SLIDING || (row.nearer_depth < 1e-6 && row.unresolved == 0.0));
    }
    yard_end(&y);
    return worst / vec3_norm(angular);
}

/* Neither contact nor the integrator changes it. What is left at links is the solver's residual. */
TEST(angular_momentum_stays)
{
    static const double dt[] = {1e-3, 5e-4};
    for (int k = 0; k < 2; k++) {
        double sliding = turn_in_collision(CONTACT_SLIDING, dt[k]);
        double penalty = turn_in_collision(CONTACT_PENALTY, dt[k]);
        printf("# dt %g: sliding %.2e, penalty %.2e\n", dt[k], sliding, penalty);
        check_close(sliding, 0.0, 1e-6, "angular momentum with links");
        check_close(penalty, 0.0, 1e-12, "angular momentum with penalty forces");
    }
}

/* ---- the same bits ---- */

TEST(the_number_of_threads_changes_no_bit)
{
    static struct vec3 expected[SCENE_PARTICLES];
    for (int threads = 1; threads <= 3; threads++) {
        struct yard y;
        yard_begin(&y);
        add_floor(&y);
        y.h.scene.gravity = vec3(1.0, 0.0, -G);
        y.h.scene.solver.tolerance = 1e-5;
        add_stone(&y);
        add_block(&y.h, 12, 12, 5, vec3(0.0, 0.0, 1.0 * R), vec3(0.2, 0.1, -1.0));
        add_body(&y.h, add_fluid(&y.h, 4e3, 0.02), R, 8e-3);
        add_block(&y.h, 8, 8, 4, vec3(4.0 * R, 4.0 * R, 10.8 * R), vec3(0.0, 0.0, -1.0));
        jitter(&y.h, 0.05 * R, 6);
        omp_set_num_threads(threads);
        start(&y.h, &y.s);
        for (int step = 0; step < 10; step++)
            step_once(&y.s);
        check(y.s.scheme != NULL && y.s.particles.n > 900);
        check_same_end(&y, threads, expected);
    }
    omp_set_num_threads(1);
}

/* A fluid falls onto a plate that nothing holds; its particles are as many times as heavy. */
static void begin_splash(struct yard *y, double ratio)
{
    yard_begin(y);
    add_stone(y);
    add_block(&y->h, 5, 5, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(&y->h, add_fluid(&y->h, 4e3, 0.02), R, 1.6e-2 * ratio);
    add_block(&y->h, 4, 4, 3, vec3(R, R, 1.8 * R), vec3(0.3, 0.0, -1.5));
}

/* However early a solve ends, what it leaves undone is no momentum: neither that of the plate nor
 * that of the foreign particles that links tie to it. */
TEST(a_rough_solve_keeps_the_momentum_of_what_links_tie)
{
    struct yard y;
    double loaded = 0.0, left = 0.0;
    begin_splash(&y, 8.0);
    y.h.scene.solver.tolerance = 0.05;
    yard_start(&y);
    for (int step = 0; step < 40; step++) {
        struct ledger_row row = check_step(&y);
        loaded += ledger_value(&row, "loaded");
        left = fmax(left, row.residual);
        check(vec3_norm(row_residual(&row)) < 1e-13 * row.momentum_scale);
    }
    printf("# largest residual %.2g\n", left);
    check(loaded > 30.0 && left > 1e-6);
    yard_end(&y);
}

/* Momentum to rounding, whatever the masses. */
TEST(fluids_and_solids_share_momentum_at_every_ratio_of_masses)
{
    for (double ratio = 1.0 / 64.0; ratio <= 64.0; ratio *= 8.0) {
        struct yard y;
        begin_splash(&y, ratio);
        yard_start(&y);
        double loaded = 0.0;
        for (int step = 0; step < 40; step++) {
            struct ledger_row row = check_step(&y);
            loaded += ledger_value(&row, "loaded");
            check(row.nearer_depth < 1e-9 && row.unresolved == 0.0);
        }
        check(loaded > 30.0);
        yard_end(&y);
    }
}
