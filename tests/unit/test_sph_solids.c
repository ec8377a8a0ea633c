/* Solids that displace a fluid, and walls that press on their own: one energy of compression, whose
 * gradient are all forces, with every contact method. */
#include "fluid_balance.h"
#include "scenes.h"
#include "step/simulation_parts.h"
#include "systems/sph/sph_parts.h"

static const double R = 0.01, S = 0.02; /* m */

/* A tank of 8 x 8 cells around the origin with water in it and a block of springs in the water. */
struct pool {
    struct hand_scene h;
    struct wall wall[1];
    struct simulation s;
};

static void pool_begin(struct pool *pool, bool walls)
{
    hand_scene_begin(&pool->h);
    pool->wall[0] = (struct wall){.name = "tank",
                                  .region = {.shape = {.kind = SHAPE_BOX,
                                                       .size = {8 * S, 8 * S, 1.0},
                                                       .center = {0.0, 0.0, 0.5}},
                                             .rotation = UPRIGHT},
                                  .keep = KEEP_INSIDE};
    pool->h.scene.wall = pool->wall;
    pool->h.scene.n_walls = walls ? 1 : 0;
    pool->h.scene.time.max_step = 1.0;
    pool->h.scene.gravity = vec3(0.0, 0.0, -9.81);
}

static size_t add_displaced(struct hand_scene *h, double pressure, double viscosity)
{
    size_t material = add_fluid(h, pressure, viscosity);
    h->parameters[material].fluid.solids = SOLIDS_DISPLACE;
    return material;
}

/* Water 8 x 8 x 6, but for 3 x 3 x 3 in its middle. */
static void add_water(struct pool *pool, double viscosity)
{
    struct hand_scene *h = &pool->h;
    add_body(h, add_displaced(h, 2e4, viscosity), R, 8e-3);
    for (int k = 0; k < 8 * 8 * 6; k++) {
        int x = k % 8, y = k / 8 % 8, z = k / 64;
        if (x < 3 || x > 5 || y < 3 || y > 5 || z < 2 || z > 4)
            add_particle(h, vec3((x - 3.5) * S, (y - 3.5) * S, (z + 0.5) * S), vec3(0, 0, 0));
    }
}

static void add_springy_block(struct pool *pool, double radius, double density)
{
    struct hand_scene *h = &pool->h;
    double s = 2.0 * radius;
    int n = (int)lrint(3.0 * S / s);
    add_body(h, add_springs(h, 400.0, 300.0, 200.0, 1e-3), radius, density * s * s * s);
    add_block(h, n, n, n, vec3(-S + radius, -S + radius, 2.0 * S + radius), vec3(0, 0, 0));
}

static void pool_end(struct pool *pool)
{
    simulation_free(&pool->s);
    hand_scene_end(&pool->h);
}

static struct sph *fluid_of(struct pool *pool)
{
    return (struct sph *)pool->s.system[pool->s.n_systems - 1];
}

/* ---- the energy, by all pairs ---- */

static double kernel(const struct sph *sph, struct vec3 x, struct vec3 y)
{
    double q = vec3_norm(vec3_sub(x, y)) / sph->support, g = 1.0 - q;
    return g > 0.0 ? g * g * g * g * (1.0 + 4.0 * q) : 0.0;
}

/* The integral of p / rho^2 from the density at rest on. */
static double per_mass(const struct sph *sph, double density)
{
    double ratio = density / sph->rest_density;
    return ratio > 1.0 ? sph->fluid.stiffness / sph->rest_density * (ratio + 1.0 / ratio - 2.0)
                       : 0.0;
}

/* What points around x count in the density there, kg/m^3, without x itself. */
static double counted(const struct sph *sph, const struct pool *pool, struct vec3 x,
                      const struct vec3 *solid)
{
    const struct cell_grid *wall = sph->wall.grid;
    double sum = 0.0;
    for (size_t j = 0; wall && !solid && j < wall->n; j++)
        sum += sph->wall.point[j].weight * kernel(sph, x, vec3(wall->x[j], wall->y[j], wall->z[j]));
    for (size_t j = 0; solid && j < sph->system.first; j++) {
        double ratio = pool->s.particles.radius[j] / R;
        sum += ratio * ratio * ratio * kernel(sph, x, solid[j]);
    }
    return sum;
}

static double energy_of_fluid(const struct pool *pool, const struct sph *sph)
{
    const struct particles *p = &pool->s.particles;
    double energy = 0.0;
    for (size_t i = sph->system.first; i < p->n; i++) {
        struct vec3 x = p->position[i];
        double sum = counted(sph, pool, x, NULL) + counted(sph, pool, x, p->position);
        for (size_t j = sph->system.first; j < p->n; j++)
            sum += j == i ? 0.0 : kernel(sph, x, p->position[j]);
        energy += sph->fluid.mass * per_mass(sph, sph->own_density + sph->density_scale * sum);
    }
    return energy;
}

/* At a point of this weight, around which others count `around`. */
static double energy_at(const struct pool *pool, const struct sph *sph, struct vec3 x,
                        double weight, double around)
{
    const struct particles *p = &pool->s.particles;
    double rest = weight * sph->own_density +
                  sph->density_scale * (around - weight * kernel(sph, x, x)),
           sum = 0.0;
    for (size_t i = sph->system.first; i < p->n; i++)
        sum += kernel(sph, x, p->position[i]);
    return sph->fluid.mass * weight *
           per_mass(sph, fmin(rest, sph->rest_density) + sph->density_scale * sum);
}

static double energy_of(const struct pool *pool, const struct sph *sph)
{
    const struct particles *p = &pool->s.particles;
    const struct cell_grid *wall = sph->wall.grid;
    double energy = energy_of_fluid(pool, sph);
    for (size_t j = 0; j < sph->system.first; j++) {
        double ratio = p->radius[j] / R;
        energy += energy_at(pool, sph, p->position[j], ratio * ratio * ratio,
                            counted(sph, pool, pool->h.rest[j], pool->h.rest));
    }
    for (size_t j = 0; wall && j < wall->n; j++) {
        struct vec3 x = vec3(wall->x[j], wall->y[j], wall->z[j]);
        if (x.z < 8.0 * S)
            energy +=
                energy_at(pool, sph, x, sph->wall.point[j].weight, counted(sph, pool, x, NULL));
    }
    return energy;
}

static struct vec3 slope(struct pool *pool, const struct sph *sph, size_t i)
{
    static const double d = 1e-6; /* m */
    double *x[3] = {&pool->s.particles.position[i].x, &pool->s.particles.position[i].y,
                    &pool->s.particles.position[i].z},
           found[3];
    for (int a = 0; a < 3; a++) {
        double before = *x[a];
        *x[a] = before + d;
        double above = energy_of(pool, sph);
        *x[a] = before - d;
        found[a] = (above - energy_of(pool, sph)) / (2.0 * d);
        *x[a] = before;
    }
    return vec3(found[0], found[1], found[2]);
}

static void find_forces(struct pool *pool)
{
    struct particles *p = &pool->s.particles;
    struct system *system = pool->s.system[pool->s.n_systems - 1];
    struct error error = {0};
    double dt;
    memset(p->force, 0, p->n * sizeof *p->force);
    memset(p->reaction, 0, p->n * sizeof *p->reaction);
    check_equal(system->class->limit(system, p, &dt, &error), STATUS_OK, error.message);
}

static void check_gradient(double radius, double support)
{
    struct pool pool;
    pool_begin(&pool, true);
    add_springy_block(&pool, radius, 500.0);
    add_water(&pool, 0.0);
    pool.h.parameters[1].fluid.support = support;
    jitter(&pool.h, 0.2 * R, 3);
    start(&pool.h, &pool.s);
    struct sph *sph = fluid_of(&pool);
    find_forces(&pool);
    const struct particles *p = &pool.s.particles;
    double scale = 0.0;
    size_t pressed = 0;
    for (size_t i = 0; i < sph->system.n; i++)
        scale = fmax(scale, vec3_norm(sph->force[i]));
    for (size_t i = 0; i < p->n; i += 67) {
        bool solid = i < sph->system.first;
        struct vec3 force = solid ? p->reaction[i] : sph->force[i - sph->system.first];
        check_vec3(vec3_scale(1.0 / scale, force), vec3_scale(-1.0 / scale, slope(&pool, sph, i)),
                   2e-5, "force");
        pressed += solid && vec3_norm(force) > 0.01 * scale;
    }
    check(pressed > 0);
    pool_end(&pool);
}

TEST(all_forces_are_the_slope_of_one_energy)
{
    check_gradient(R, 2.0);
    check_gradient(0.75 * R, 2.7);
}

/* ---- momentum and energy ---- */

static void balance_with(enum contact_method method, enum way_of_synchronizing way, bool held,
                         const char *what)
{
    struct pool pool;
    pool_begin(&pool, true);
    pool.h.scene.contact.method = method;
    pool.h.scene.contact.synchronization = way;
    pool.h.scene.contact.stages = method == CONTACT_MERGING_AND_SPLITTING ? 2 : 1;
    add_springy_block(&pool, R, 300.0);
    if (held)
        fix_from(&pool.h, 9);
    add_water(&pool, 1e-3);
    jitter(&pool.h, 0.1 * R, 5);
    start(&pool.h, &pool.s);
    check_balance(&pool.s, 60, what);
    pool_end(&pool);
}

TEST(momentum_and_energy_close_with_every_contact_method)
{
    balance_with_every_method(balance_with);
}

/* Two fluids, which do not see each other, and bodies of several systems between them. */
TEST(momentum_and_energy_close_with_several_fluids_and_systems)
{
    struct pool pool;
    pool_begin(&pool, false);
    pool.h.scene.gravity = vec3(0, 0, 0);
    struct hand_scene *h = &pool.h;
    add_springy_block(&pool, R, 800.0);
    add_body(h, add_peridynamics(h, 50.0, 3.0, 1e-3, (double)INFINITY), R, 4e-3);
    add_block(h, 3, 3, 2, vec3(2.6 * S, 0, 2.0 * S), vec3(-1, 0, 0));
    add_body(h, add_displaced(h, 2e4, 1e-3), R, 8e-3);
    add_block(h, 5, 5, 3, vec3(-1.5 * S, -1.5 * S, 5.6 * S), vec3(0, 0, -1));
    add_body(h, add_displaced(h, 1e4, 1e-3), R, 4e-3);
    add_block(h, 5, 5, 3, vec3(-1.5 * S, -1.5 * S, -1.1 * S), vec3(0, 0, 1));
    start(h, &pool.s);
    check_balance(&pool.s, 200, "two fluids");
    pool_end(&pool);
}

/* ---- rest densities, steps ---- */

/* Where a body is torn apart, its parts take up their own room only. */
TEST(a_crack_lets_the_fluid_in)
{
    struct pool pool;
    pool_begin(&pool, false);
    add_springy_block(&pool, R, 500.0);
    add_water(&pool, 0.0);
    for (size_t i = 18; i < 27; i++)
        pool.h.particles.position[i].z += 2.0 * S;
    start(&pool.h, &pool.s);
    struct sph *sph = fluid_of(&pool);
    find_forces(&pool);
    const struct sph_solids *solids = &sph->solids;
    for (uint32_t s = 0; s < solids->n_near; s++) {
        uint32_t i = solids->particle[solids->near[solids->grid.point[s]]];
        double sum = 0.0;
        for (uint32_t j = 0; j < 27; j++)
            if (j != i && (j < 18) == (i < 18))
                sum += kernel(sph, pool.h.rest[i], pool.h.rest[j]);
        check_close(solids->points.point[s].rest, sph->own_density + sph->density_scale * sum, 1e-3,
                    "density at rest");
    }
    check_equal(solids->n_near, 27, "solids");
    pool_end(&pool);
}

static double limit_with(double density)
{
    struct pool pool;
    pool_begin(&pool, true);
    add_springy_block(&pool, R, density);
    add_water(&pool, 0.0);
    start(&pool.h, &pool.s);
    struct error error = {0};
    struct system *system = pool.s.system[1];
    double dt;
    check_equal(system->class->limit(system, &pool.s.particles, &dt, &error), STATUS_OK, "limit");
    pool_end(&pool);
    return dt;
}

TEST(light_solids_shorten_the_step)
{
    check_close(limit_with(2000.0) / limit_with(1000.0), 1.0, 1e-12, "heavy ones do not");
    check_close(limit_with(1000.0) / limit_with(100.0), sqrt(5.5), 1e-12, "a tenth of the density");
}

/* On the lattice a block is more of the water: nothing is pushed. */
TEST(a_block_on_the_lattice_of_the_fluid_is_at_rest)
{
    for (int k = 0; k < 3; k++) {
        struct pool pool;
        pool_begin(&pool, true);
        add_springy_block(&pool, R, 1000.0);
        add_water(&pool, 0.0);
        pool.h.parameters[1].fluid.support = 2.0 + 0.5 * k;
        start(&pool.h, &pool.s);
        find_forces(&pool);
        for (size_t i = 0; i < 27; i++)
            check_close(vec3_norm(pool.s.particles.reaction[i]) / (2e4 * S * S), 0.0, 1e-6,
                        "force");
        check_close(fluid_of(&pool)->slot[0].density, 1000.0, 1e-3, "density in a corner");
        pool_end(&pool);
    }
}
