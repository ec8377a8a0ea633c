/* Solids that displace FLIP: Archimedes, the first acceleration of what is let go, floating, and
 * that momentum and energy close. */
#include "flip_scenes.h"
#include "fluid_balance.h"

#include <string.h>

static const double S = 0.02, G = 9.81; /* spacing, m; gravity, m/s^2 */

/* A tank of nx x nx x nz lattice sites above `low`, filled with water but for the sites within
 * `reach` of a center, which is in sites. */
struct pool {
    struct hand_scene h;
    struct wall tank;
    struct simulation s;
};

static struct vec3 site(double low, int x, int y, int z)
{
    return vec3(low + (x + 0.5) * S, low + (y + 0.5) * S, low + (z + 0.5) * S);
}

static bool in_ball(int x, int y, int z, const double center[3], double reach)
{
    double a = x + 0.5 - center[0], b = y + 0.5 - center[1], c = z + 0.5 - center[2];
    return a * a + b * b + c * c < reach * reach;
}

static void pool_begin(struct pool *pool, double low, int nx, int nz)
{
    hand_scene_begin(&pool->h);
    pool->h.scene.gravity = vec3(0.0, 0.0, -G);
    add_tank(&pool->h, &pool->tank, vec3(low, low, low),
             vec3(low + nx * S, low + nx * S, low + (nz + 8) * S));
}

/* Returns how many particles it adds: those of the ball, or of the water around it. */
static int add_sites(struct pool *pool, double low, int nx, int nz, const double center[3],
                     double reach, bool inside)
{
    int n = 0;
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < nx; y++)
            for (int x = 0; x < nx; x++)
                if (in_ball(x, y, z, center, reach) == inside) {
                    add_particle(&pool->h, site(low, x, y, z), vec3(0.0, 0.0, 0.0));
                    n++;
                }
    return n;
}

static int add_ball_in_water(struct pool *pool, size_t material, double density, double low, int nx,
                             int nz, const double center[3], double reach)
{
    struct flip_material flip = flip_defaults();
    flip.crowding = 0.0;
    add_body(&pool->h, material, FLIP_R, density * S * S * S);
    int n = add_sites(pool, low, nx, nz, center, reach, true);
    add_body(&pool->h, add_flip(&pool->h, flip), FLIP_R, FLIP_MASS);
    add_sites(pool, low, nx, nz, center, reach, false);
    return n;
}

static void pool_end(struct pool *pool)
{
    simulation_free(&pool->s);
    hand_scene_end(&pool->h);
}

static struct vec3 impulse_on(const struct pool *pool, int n)
{
    const struct flip *flip = flip_of(&pool->s);
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < n; i++)
        sum = vec3_add(sum, flip->solids->impulse[i]);
    return sum;
}

/* ---- what water does to a body ---- */

/* Water at rest on its lattice: exactly what it displaces if walls run along faces of cells; beside
 * walls that do not, water is not quite at rest. */
TEST(a_held_ball_feels_the_weight_of_what_it_displaces)
{
    const double reach[] = {1.2, 2.1, 3.3}, depth[] = {5.0, 8.0, 11.0}, low[] = {0.0, 0.013};
    for (int k = 0; k < 18; k++) {
        struct pool pool;
        const double center[3] = {6.0, 6.0, depth[k % 3]}, at = low[k / 9];
        pool_begin(&pool, at, 12, 16);
        int n = add_ball_in_water(&pool, add_loose(&pool.h), 500.0, at, 12, 16, center,
                                  reach[k / 3 % 3]);
        fix_from(&pool.h, 0);
        for (size_t i = (size_t)n; i < pool.h.particles.n; i++)
            pool.h.particles.state[i] = PARTICLE_FREE;
        start(&pool.h, &pool.s);
        solve_exactly(&pool.s, 1e-10);
        integrate_alone(&pool.s, 1e-3);
        struct vec3 push = vec3_scale(1.0 / (1e-3 * n * FLIP_MASS * G), impulse_on(&pool, n));
        check_vec3(push, vec3(0.0, 0.0, 1.0), at > 0.0 ? 2e-3 : 1e-7,
                   "push over the weight of the water displaced");
        pool_end(&pool);
    }
}

/* A ball 4 cells wide in a tank of 12, beside a ball in water without end. A ball so light that
 * what is taken for its surface moves as the water does is a fifth too fast. */
TEST(a_ball_let_go_starts_as_potential_flow_has_it)
{
    const double ratio[] = {0.25, 0.5, 0.75, 2.0, 4.0};
    for (int k = 0; k < 5; k++) {
        struct pool pool;
        const double center[3] = {12.0, 12.0, 12.0};
        pool_begin(&pool, 0.0, 24, 24);
        int n = add_ball_in_water(&pool, add_loose(&pool.h), 1000.0 * ratio[k], 0.0, 24, 24, center,
                                  4.1);
        start(&pool.h, &pool.s);
        solve_exactly(&pool.s, 1e-8);
        integrate_alone(&pool.s, 1e-3);
        double weight = n * FLIP_MASS * ratio[k] * G * 1e-3;
        double found = impulse_on(&pool, n).z / weight - 1.0;
        double right = (1.0 - ratio[k]) / (ratio[k] + 0.5);
        printf("# density ratio %g: %.3f g, by theory %.3f g\n", ratio[k], found, right);
        check_close(found / right, 1.0, ratio[k] < 0.5 ? 0.2 : 0.1, "first acceleration");
        pool_end(&pool);
    }
}

/* ---- floating ---- */

/* A block of 6 x 6 x 6 sites that begins with `wet` layers of them in the water, where it floats.
 */
static void check_floats(int wet)
{
    struct pool pool;
    struct hand_scene *h = &pool.h;
    const double wide = 16 * S, block = 6 * S, ratio = wet / 6.0;
    double mean = 0.0;
    pool_begin(&pool, 0.0, 16, 9);
    h->scene.time.max_step = 2e-3;
    add_body(h, add_peridynamics(h, 1000.0, 3.0, 1e-4, (double)INFINITY), FLIP_R,
             ratio * FLIP_MASS);
    add_block(h, 6, 6, 6, site(0.0, 5, 5, 9 - wet), vec3(0.0, 0.0, 0.0));
    add_body(h, add_flip(h, flip_defaults()), FLIP_R, FLIP_MASS);
    int n = 0;
    for (int k = 0; k < 16 * 16 * 9; k++) {
        int x = k % 16, y = k / 16 % 16, z = k / 256;
        if (x >= 5 && x < 11 && y >= 5 && y < 11 && z >= 9 - wet)
            continue;
        add_particle(h, site(0.0, x, y, z), vec3(0.0, 0.0, 0.0));
        n++;
    }
    start(h, &pool.s);
    for (int k = 0; k < 300; k++) {
        step_once(&pool.s);
        for (int i = 0; k >= 150 && i < 216; i++)
            mean += pool.s.particles.position[i].z / (150 * 216);
    }
    double level = (n * S * S * S + ratio * block * block * block) / (wide * wide);
    printf("# density ratio %.2f: center at %.4f m, right at %.4f m\n", ratio, mean,
           level + (0.5 - ratio) * block);
    check_close(mean, level + (0.5 - ratio) * block, 0.1 * S + 0.02 * block, "center of the block");
    pool_end(&pool);
}

TEST(blocks_float_as_deep_as_they_are_heavy)
{
    for (int wet = 2; wet <= 4; wet += 2)
        check_floats(wet);
}

/* ---- momentum and energy ---- */

/* A block of springs, some of it held, comes down in water. */
static void balance_with(enum contact_method method, enum way_of_synchronizing way,
                         enum time_integration integrator, bool held, const char *what)
{
    struct pool pool;
    struct hand_scene *h = &pool.h;
    const double middle[3] = {4.0, 4.0, 4.0};
    pool_begin(&pool, 0.0, 8, 7);
    h->scene.contact.method = method;
    h->scene.contact.synchronization = way;
    h->scene.contact.stiffness = 200.0;
    h->scene.contact.stages = method == CONTACT_MERGING_AND_SPLITTING ? 3 : 1;
    h->scene.solver.integrator = integrator;
    add_body(h, add_springs(h, 400.0, 300.0, 200.0, 1e-3), FLIP_R, 0.3 * FLIP_MASS);
    add_block(h, 3, 3, 3, site(0.0, 3, 3, 4), vec3(0.1, 0.0, -1.0));
    if (held)
        fix_from(h, 9);
    add_body(h, add_flip(h, flip_defaults()), FLIP_R, FLIP_MASS);
    add_sites(&pool, 0.0, 8, 7, middle, 0.0, false);
    for (size_t i = 27; i < h->particles.n; i++) { /* out of the block's way */
        struct vec3 *x = &h->particles.position[i];
        if (fabs(x->x - 0.08) < 0.045 && fabs(x->y - 0.08) < 0.045 && x->z > 0.07)
            x->z += 0.16;
    }
    jitter(h, 0.1 * FLIP_R, 5);
    start(h, &pool.s);
    check_balance(&pool.s, 40, what);
    pool_end(&pool);
}

static void balance(enum contact_method method, enum way_of_synchronizing way, bool held,
                    const char *what)
{
    balance_with(method, way,
                 method == CONTACT_MERGING_AND_SPLITTING ? INTEGRATOR_NEWMARK
                                                         : INTEGRATOR_BACKWARD_EULER,
                 held, what);
}

TEST(momentum_and_energy_close_with_every_contact_method)
{
    balance_with_every_method(balance);
    balance_with(CONTACT_MERGING_AND_SPLITTING, SYNCHRONIZATION_SEQUENTIAL, INTEGRATOR_VERLET,
                 false, "merging, an explicit solid");
}
