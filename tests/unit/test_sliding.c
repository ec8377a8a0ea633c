/* Sliding meta-particles (contact.method: sliding): contact takes what approaches along normals, and
 * nothing else. */
#include "scenes.h"
#include "step/step.h"

static const double R = 0.01, G = 9.81; /* m, m/s^2 */

#define UPRIGHT                                                                                    \
    {                                                                                              \
        1, 0, 0, 0, 1, 0, 0, 0, 1                                                                  \
    }

struct yard {
    struct hand_scene h;
    struct wall wall;
    struct simulation s;
    struct vec3 momentum; /* at the end of the last step, kg m/s */
};

static void yard_begin(struct yard *y)
{
    hand_scene_begin(&y->h);
    y->h.scene.contact.method = CONTACT_SLIDING;
    y->h.scene.contact.stages = 8;
}

/* A floor under z = 0. */
static void add_floor(struct yard *y)
{
    y->wall = (struct wall){.name = "floor",
                            .region = {.shape = {.kind = SHAPE_BOX,
                                                 .size = {99.0, 99.0, 1.0},
                                                 .center = {0.0, 0.0, -0.5}},
                                       .rotation = UPRIGHT},
                            .keep = KEEP_OUTSIDE,
                            .holds = HOLDS_ALL};
    y->h.scene.wall = &y->wall;
    y->h.scene.n_walls = 1;
}

static void yard_start(struct yard *y)
{
    start(&y->h, &y->s);
    y->momentum = y->s.totals.momentum;
}

static void yard_end(struct yard *y)
{
    simulation_free(&y->s);
    hand_scene_end(&y->h);
}

/* Momentum comes from gravity and supports, energy goes where the ledger says. */
static struct ledger_row check_step(struct yard *y)
{
    struct ledger_row row = step_once(&y->s);
    struct vec3 outside =
        vec3(row.gravity_impulse_x + row.support_impulse_x, row.gravity_impulse_y + row.support_impulse_y,
             row.gravity_impulse_z + row.support_impulse_z);
    struct vec3 drift =
        vec3_sub(vec3_sub(row_momentum(&row), y->momentum), vec3_add(outside, row_residual(&row)));
    double scale = row.momentum_scale + y->s.totals.mass * G * row.dt;
    check_close(vec3_norm(drift) / scale, 0.0, 1e-11, "momentum");
    check_close(row.energy_imbalance / (row.kinetic + row.merge_stored + fabs(row.gravitational)), 0.0, 1e-11,
                "energy_imbalance");
    y->momentum = row_momentum(&row);
    return row;
}

static size_t add_stone(struct yard *y)
{
    size_t stone = add_peridynamics(&y->h, 1e3, 2.0, 1e-3, (double)INFINITY);
    add_body(&y->h, stone, R, 1.6e-2);
    return stone;
}

static void slope(double degrees, double dt, enum time_integration integrator)
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
    double stages = 0, worst=0, it=0;
    size_t steps = 0, unresolved = 0;
    while (y.s.time < 0.2) {
        row = check_step(&y);
        stages += row.stages;
        it += row.iterations_first+row.iterations_later;
        unresolved += (size_t)row.unresolved;
        worst = fmax(worst, row.nearer_depth);
        steps++;
    }
    printf("# %g deg dt %g: v/(g sin t) %.6f stages %.2f unresolved %zu worst depth %g it %g\n", degrees, dt,
           row.momentum_x / y.s.totals.mass / (G * sin(angle) * y.s.time), stages / steps, unresolved, worst, it/steps);
    yard_end(&y);
}

TEST(a_block_slides_down_a_slope)
{
    double a[] = {10, 30, 60};
    double dt[] = {1e-3, 5e-4, 2e-4};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            slope(a[i], dt[k], INTEGRATOR_BACKWARD_EULER);
            slope(a[i], dt[k], INTEGRATOR_NEWMARK);
        }
    slope(30, 1e-3, INTEGRATOR_VERLET);
}


static struct vec3 angular(const struct ledger_row *row)
{
    return vec3(row->angular_x, row->angular_y, row->angular_z);
}

TEST(loose)
{
    struct yard y;
    yard_begin(&y);
    size_t loose = add_loose(&y.h);
    add_body(&y.h, loose, R, 1.6e-2);
    add_ball(&y.h, 5 * R, vec3(0, 0, 0), vec3(0.3, 0.1, 0));
    add_body(&y.h, loose, 0.7 * R, 0.5e-2);
    add_ball(&y.h, 4 * R, vec3(12 * R, 3 * R, 1 * R), vec3(-1.0, 0, 0));
    jitter(&y.h, 0.02 * R, 3);
    yard_start(&y);
    struct vec3 l0 = y.s.totals.angular, p0 = y.s.totals.momentum;
    double e0 = y.s.totals.kinetic, lscale = 0, pscale = 0;
    for (size_t i = 0; i < y.s.particles.n; i++) {
        pscale += y.s.particles.mass[i] * vec3_norm(y.s.particles.velocity[i]);
        lscale += y.s.particles.mass[i] * vec3_norm(y.s.particles.velocity[i]) * vec3_norm(y.s.particles.position[i]);
    }
    double dl = 0, de = 0, dp = 0, depth = 0, comp=0, stages = 0;
    size_t un = 0;
    for (int k = 0; k < 300; k++) {
        struct ledger_row row = check_step(&y);
        dl = fmax(dl, vec3_norm(vec3_sub(angular(&row), l0)) / lscale);
        dp = fmax(dp, vec3_norm(vec3_sub(row_momentum(&row), p0)) / pscale);
        de = fmax(de, fabs(row.kinetic / e0 - 1));
        depth = fmax(depth, row.nearer_depth);
        comp = fmax(comp, row.links);
        un += (size_t) row.unresolved;
        stages = fmax(stages, row.stages);
    }
    printf("# loose n %zu dP %g dL %g dE %g depth %g links %g stages %g un %zu\n", y.s.particles.n, dp, dl, de, depth, comp, stages, un);
    yard_end(&y);
}

TEST(column)
{
    for (double alpha = 0; alpha < 1.5; alpha += 1) {
    struct yard y;
    yard_begin(&y);
    y.h.scene.contact.alpha = alpha;
    y.h.scene.gravity = vec3(0, 0, -G);
    size_t loose = add_loose(&y.h);
    add_body(&y.h, loose, R, 1.6e-2);
    for (int k = 0; k < 5; k++)
        add_particle(&y.h, vec3(0, 0, 1.9999 * R * k), vec3(0, 0, 0));
    y.h.particles.state[0] = 1;
    yard_start(&y);
    struct vec3 x0[5];
    memcpy(x0, y.s.particles.position, sizeof x0);
    double v = 0, depth = 0, stages = 0, drift = 0;
    for (int k = 0; k < 1000; k++) {
        struct ledger_row row = check_step(&y);
        v = fmax(v, row.speed_max);
        depth = fmax(depth, row.nearer_depth);
        stages += row.stages;
    }
    for (int k = 0; k < 5; k++)
        drift = fmax(drift, vec3_norm(vec3_sub(x0[k], y.s.particles.position[k])));
    printf("# column alpha %g v %g depth %g stages %g drift %g\n", alpha, v, depth, stages / 1000, drift);
    yard_end(&y);
    }
}

TEST(pyramid)
{
    struct yard y;
    yard_begin(&y);
    y.h.scene.gravity = vec3(0, 0, -G);
    size_t loose = add_loose(&y.h);
    add_body(&y.h, loose, R, 1.6e-2);
    double d = 2 * R * 0.9999;
    for (int layer = 0; layer < 5; layer++)
        for (int i = 0; i < 5 - layer; i++)
            for (int j = 0; j < 5 - layer; j++) {
                uint32_t p = add_particle(&y.h, vec3(1.05*d * (i + 0.5 * layer), 1.05*d * (j + 0.5 * layer), layer * d * sqrt(1 - 0.5*1.05*1.05)), vec3(0, 0, 0));
                y.h.particles.state[p] = layer == 0;
            }
    yard_start(&y);
    double v = 0, depth = 0, stages = 0, drift = 0;
    size_t n = y.s.particles.n;
    struct vec3 x0[64];
    memcpy(x0, y.s.particles.position, n * sizeof *x0);
    for (int k = 0; k < 1000; k++) {
        struct ledger_row row = check_step(&y);
        v = fmax(v, row.speed_max);
        depth = fmax(depth, row.nearer_depth);
        stages += row.stages;
        if (k % 250 == 0) printf("# links %g loaded %g v %g it %g %g\n", row.links, row.loaded, row.speed_max, row.iterations_first, row.iterations_later);
    }
    for (size_t k = 0; k < n; k++)
        drift = fmax(drift, vec3_norm(vec3_sub(x0[k], y.s.particles.position[k])));
    printf("# pyramid v %g depth %g stages %g drift %g\n", v, depth, stages / 1000, drift);
    yard_end(&y);
}

static void blocks(double dt, double off, double alpha, enum contact_method method, enum time_integration integrator)
{
    struct yard y;
    yard_begin(&y);
    y.h.scene.contact.method = method;
    y.h.scene.contact.alpha = alpha;
    if (method != CONTACT_SLIDING) y.h.scene.contact.stages = 2;
    y.h.scene.contact.stiffness = 1e5;
    y.h.scene.time.max_step = dt;
    y.h.scene.solver.integrator = integrator;
    add_stone(&y);
    add_block(&y.h, 4, 6, 4, vec3(0, 0, 0), vec3(0.5, 0, 0));
    size_t stone = add_peridynamics(&y.h, 1e3, 2.0, 1e-3, (double)INFINITY);
    add_body(&y.h, stone, R, 1.6e-2);
    add_block(&y.h, 4, 6, 4, vec3(8.3 * R, off * R, 0.7*R), vec3(-0.5, 0, 0));
    yard_start(&y);
    double lscale = 0, e0 = y.s.totals.kinetic, stages = 0, maxst = 0, depth = 0, it = 0;
    struct vec3 l0 = y.s.totals.angular;
    for (size_t i = 0; i < y.s.particles.n; i++)
        lscale += y.s.particles.mass[i] * vec3_norm(y.s.particles.velocity[i]) * vec3_norm(y.s.particles.position[i]);
    double dl = 0, steps = 0, e = 0, links = 0;
    size_t un = 0;
    while (y.s.time < 0.15) {
        struct ledger_row row = check_step(&y);
        dl = fmax(dl, vec3_norm(vec3_sub(angular(&row), l0)) / vec3_norm(l0));
        e = row.kinetic + row.elastic;
        stages += row.stages; steps++;
        it += row.iterations_first + row.iterations_later;
        maxst = fmax(maxst, row.stages);
        links = fmax(links, row.links);
        depth = fmax(depth, row.nearer_depth);
        un += (size_t)row.unresolved;
    }
    struct vec3 p1 = vec3(0,0,0);
    for (size_t i = 0; i < y.s.particles.n / 2; i++) p1 = vec3_axpy(p1, y.s.particles.mass[i], y.s.particles.velocity[i]);
    printf("# blocks method %d int %d dt %g off %g alpha %g: dL %g E/E0 %g v1 %.4f stages %g max %g un %zu depth %g links %g it/step %g\n", method, integrator, dt, off, alpha, dl, e / e0, p1.x / (0.5*y.s.totals.mass), stages / steps, maxst, un, depth, links, it/steps);
    yard_end(&y);
}
TEST(two_blocks)
{
    for (int k = 0; k < 3; k++) {
        double dt[] = {1e-3, 5e-4, 1e-4};
        blocks(dt[k], 6.3, 1, CONTACT_SLIDING, INTEGRATOR_BACKWARD_EULER);
        blocks(dt[k], 6.3, 1, CONTACT_MERGING_AND_SPLITTING, INTEGRATOR_BACKWARD_EULER);
        blocks(dt[k], 6.3, 1, CONTACT_PENALTY, INTEGRATOR_BACKWARD_EULER);
        blocks(dt[k], 6.3, 1, CONTACT_SLIDING, INTEGRATOR_NEWMARK);
        blocks(dt[k], 6.3, 1, CONTACT_PENALTY, INTEGRATOR_NEWMARK);
        blocks(dt[k], 0, 1, CONTACT_SLIDING, INTEGRATOR_NEWMARK);
    }
    blocks(1e-3, 6.3, 1, CONTACT_SLIDING, INTEGRATOR_VERLET);
}

TAP_MAIN(TAP_ENTRY(two_blocks))
