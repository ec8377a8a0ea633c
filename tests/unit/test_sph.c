/* The fluid by itself: kernels, densities, forces; its step is in test_sph_step.c. */
#include "sph/sph_kernel.h"
#include "tanks.h"

static struct vec3 drag_of(const struct sph *sph, size_t i)
{
    const struct sph_drag *d = &sph->drag[i];
    return vec3((double)d->x, (double)d->y, (double)d->z);
}

/* ---- kernels ---- */

static double ball_integral(double (*kernel)(double h, double d), double h)
{
    enum { STEPS = 20000 };
    double sum = 0.0;
    for (int k = 0; k < STEPS; k++) {
        double d = h * (k + 0.5) / STEPS;
        sum += 4.0 * SPH_PI * d * d * kernel(h, d) * h / STEPS;
    }
    return sum;
}

static double wendland(double h, double d)
{
    return 21.0 / (2.0 * SPH_PI * h * h * h) * sph_wendland(h, d);
}

TEST(kernels_integrate_to_one)
{
    for (double h = 0.04; h < 4.0; h += 2.0) {
        check_close(ball_integral(wendland, h), 1.0, 1e-7, "Wendland");
        check_close(ball_integral(sph_spiky, h), 1.0, 1e-7, "spiky");
    }
}

TEST(slopes_are_derivatives)
{
    double h = 0.04, step = 1e-6 * h;
    for (double d = 0.1 * h; d < 0.95 * h; d += 0.1 * h) {
        double slope = (sph_spiky(h, d + step) - sph_spiky(h, d - step)) / (2.0 * step);
        check_close(-slope / sph_spiky_slope(h, d), 1.0, 1e-8, "spiky");
        slope = (sph_wendland(h, d + step) - sph_wendland(h, d - step)) / (2.0 * step);
        check_close(-slope / (d * sph_wendland_slope(h, d)), 1.0, 1e-8, "Wendland");
    }
}

/* ---- densities and forces ---- */

/* The textbook sums over all pairs. */
static double slow_density(const struct tank *t, size_t i)
{
    double sum = 0.0;
    const struct vec3 *x = t->particles.position;
    for (size_t j = 0; j < t->particles.n; j++)
        if (j != i)
            sum += sph_wendland(t->sph->support, vec3_norm(vec3_sub(x[j], x[i])));
    return t->sph->own_density + t->sph->density_scale * sum;
}

static double slow_pressure_term(const struct fluid *f, double rest, double density)
{
    double p = f->stiffness * (density * density / (rest * rest) - 1.0);
    return p > 0.0 ? p / (density * density) : 0.0;
}

/* What acts on particle i, N, in double precision. */
struct slow_force {
    struct vec3 push, drag;
    double scale; /* what it is a sum and difference of: speeds, pressures at twice the density */
};

static struct slow_force slow_force(const struct tank *t, const double *density, size_t i)
{
    const struct fluid *f = &t->sph->fluid;
    double h = t->sph->support, rest = f->mass / (8.0 * R * R * R);
    struct slow_force sum = {0};
    for (size_t j = 0; j < t->particles.n; j++) {
        struct vec3 x = vec3_sub(t->particles.position[i], t->particles.position[j]);
        struct vec3 vi = t->particles.velocity[i], vj = t->particles.velocity[j];
        double d = vec3_norm(x);
        if (j == i || d >= h)
            continue;
        struct vec3 e = vec3_scale(1.0 / d, x);
        double both =
            slow_pressure_term(f, rest, density[i]) + slow_pressure_term(f, rest, density[j]);
        double press = t->sph->density_scale * f->mass * d * sph_wendland_slope(h, d);
        double brake = 10.0 * f->viscosity * f->mass * f->mass / rest * sph_spiky_slope(h, d) /
                       (d * d + 0.01 * h * h);
        sum.push = vec3_axpy(sum.push, press * both, e);
        sum.drag = vec3_axpy(sum.drag, -brake * vec3_dot(vec3_sub(vi, vj), x), e);
        sum.scale += press * 2.0 * f->stiffness / (rest * rest) +
                     brake * d * (vec3_norm(vi) + vec3_norm(vj));
    }
    return sum;
}

/* Single precision has a relative rounding of 6e-8, and places are rounded to 1.2e-7 supports. */
static const double SINGLE = 1e-6;

/* The tank stands `away` from the origin, m. */
static void compare_with_all_pairs(const struct fluid *fluid, double tightness, double away)
{
    struct tank t;
    tank_create(&t, fluid, 7, tightness, 0.3);
    size_t n = t.particles.n, pressed = 0;
    double *density = calloc(n, sizeof *density), *fast = calloc(n, sizeof *fast);
    struct slow_force *slow = calloc(n, sizeof *slow);
    for (size_t i = 0; i < n; i++)
        t.particles.position[i] = vec3_add(t.particles.position[i], vec3(away, -2.0 * away, away));
    for (size_t i = 0; i < n; i++)
        density[i] = slow_density(&t, i);
    for (size_t i = 0; i < n; i++)
        slow[i] = slow_force(&t, density, i);
    tank_prepare(&t);
    sph_densities(&t.sph->system, fast);
    for (size_t i = 0; i < n; i++) {
        check_close(fast[i] / density[i], 1.0, SINGLE, "density");
        pressed += density[i] > t.sph->rest_density;
    }
    check(pressed > 20 || tightness > 1.0);
    for (size_t i = 0; i < n; i++) {
        struct vec3 drag = drag_of(t.sph, i), push = vec3_sub(t.sph->force[i], drag);
        check_close(vec3_norm(vec3_sub(push, slow[i].push)) / slow[i].scale, 0.0, SINGLE, "push");
        check_close(vec3_norm(vec3_sub(drag, slow[i].drag)) / slow[i].scale, 0.0, SINGLE, "drag");
    }
    free(density);
    free(fast);
    free(slow);
    tank_free(&t);
}

TEST(a_cloud_agrees_with_all_pairs)
{
    compare_with_all_pairs(&water, 0.9, 0.0);
    compare_with_all_pairs(&water, 1.3, 0.0);
}

TEST(forces_are_as_accurate_far_from_the_origin)
{
    compare_with_all_pairs(&water, 0.9, 1e5);
}

/* A pressure term that grows linearly along z, on the lattice: -dp/dz times the volume. */
TEST(a_pressure_gradient_on_the_lattice_is_exact)
{
    struct tank t;
    tank_create(&t, &water, 7, 1.0, 0.0);
    tank_prepare(&t);
    double slope = 1000.0;
    for (size_t s = 0; s < t.particles.n; s++)
        t.sph->slot[s].pressure =
            (float)((1000.0 + slope * t.particles.position[t.sph->neighbors.grid.point[s]].z) /
                    t.sph->fluid.stiffness);
    sph_find_forces(t.sph);
    size_t inside = 3 + 7 * 3 + 49 * 3;
    double scale = 1000.0 * 4.0 * R * R; /* what the pressures on opposite sides add up to */
    struct vec3 force = vec3_sub(t.sph->force[inside], drag_of(t.sph, inside));
    check_close((force.z + slope * 8.0 * R * R * R) / scale, 0.0, SINGLE, "force less gradient");
    check_close(force.x / scale, 0.0, SINGLE, "across");
    tank_free(&t);
}

/* The energy of compression: the integral of p/rho^2 for every kilogram. */
static double compression_energy(struct tank *t)
{
    const struct fluid *f = &t->sph->fluid;
    double rest = t->sph->rest_density, sum = 0.0;
    for (size_t i = 0; i < t->particles.n; i++) {
        double rho = slow_density(t, i);
        if (rho > rest)
            sum += f->mass * f->stiffness * (rho / (rest * rest) + 1.0 / rho - 2.0 / rest);
    }
    return sum;
}

TEST(pressure_forces_are_a_gradient)
{
    struct tank t;
    tank_create(&t, &water, 5, 0.8, 0.3);
    tank_prepare(&t);
    double step = 1e-7, off = 0.0, largest = 0.0;
    for (size_t i = 0; i < t.particles.n; i += 7) {
        double *x = &t.particles.position[i].x, here = *x;
        double force = vec3_sub(t.sph->force[i], drag_of(t.sph, i)).x;
        *x = here + step;
        double above = compression_energy(&t);
        *x = here - step;
        double below = compression_energy(&t);
        *x = here;
        off = worse(off, fabs(force - (below - above) / (2.0 * step)));
        largest = fmax(largest, fabs(force));
    }
    check_close(off / largest, 0.0, 1e-5, "force");
    measured("FORCES.fluid.pressure", off / largest);
    tank_free(&t);
}

/* Seen by the density as it is: m/rho is the volume of a particle. */
TEST(a_lattice_pressed_together_grows_as_dense_as_it_is)
{
    double density[2][343], tightness[2] = {1.0, 0.9999};
    for (int k = 0; k < 2; k++) {
        struct tank t;
        tank_create(&t, &water, 7, tightness[k], 0.0);
        tank_prepare(&t);
        sph_densities(&t.sph->system, density[k]);
        tank_free(&t);
    }
    size_t inside = 3 + 7 * 3 + 49 * 3;
    check_close(density[1][inside] / density[0][inside], pow(0.9999, -3.0), 1e-6, "density");
}

TEST(the_inside_of_a_lattice_has_the_rest_density)
{
    struct tank t;
    tank_create(&t, &water, 7, 1.0, 0.0);
    tank_prepare(&t);
    double density[343];
    sph_densities(&t.sph->system, density);
    size_t inside = 3 + 7 * 3 + 49 * 3;
    struct vec3 push = vec3_sub(t.sph->force[inside], drag_of(t.sph, inside));
    check_close(density[inside] / 1000.0, 1.0, SINGLE, "density");
    check_close(vec3_norm(push) / (4.0 * R * R * water.stiffness), 0.0, SINGLE, "force");
    check(density[0] < 700.0);
    tank_free(&t);
}

/* Two particles: forces opposite to the last bit. */
TEST(pair_forces_are_exactly_opposite)
{
    struct tank t;
    tank_create(&t, &water, 2, 1.0, 0.2);
    for (size_t i = 2; i < 8; i++)
        t.particles.position[i] = vec3(1.0 + (double)i, 0.0, 0.0);
    tank_prepare(&t);
    const struct vec3 *p = t.sph->force;
    const struct sph_drag *v = t.sph->drag;
    check(p[0].x != 0.0 && v[0].x != 0.0f);
    check(p[0].x == -p[1].x && p[0].y == -p[1].y && p[0].z == -p[1].z);
    check(v[0].x == -v[1].x && v[0].y == -v[1].y && v[0].z == -v[1].z);
    tank_free(&t);
}

TEST(momentum_and_angular_momentum_are_kept)
{
    struct tank t;
    tank_create(&t, &water, 9, 0.9, 0.3);
    tank_prepare(&t);
    struct vec3 force = {0, 0, 0}, torque = {0, 0, 0};
    double scale = 0.0;
    for (size_t i = 0; i < t.particles.n; i++) {
        struct vec3 f = t.sph->force[i];
        force = vec3_add(force, f);
        torque = vec3_add(torque, vec3_cross(t.particles.position[i], f));
        scale += vec3_norm(f);
    }
    check(scale > 100.0);
    check_close(vec3_norm(force) / scale, 0.0, 1e-15, "sum of forces");
    /* forces are along the distance of places, which are rounded at random */
    check_close(vec3_norm(torque) / (0.2 * scale), 0.0, 1e-8, "sum of torques");
    tank_free(&t);
}

TEST(viscosity_brakes_shear_but_no_rigid_motion)
{
    struct tank t;
    tank_create(&t, &water, 7, 0.9, 0.3);
    tank_prepare(&t);
    double power = 0.0;
    for (size_t i = 0; i < t.particles.n; i++)
        power += vec3_dot(t.particles.velocity[i], drag_of(t.sph, i));
    check(power < -0.1);
    for (size_t i = 0; i < t.particles.n; i++)
        t.particles.velocity[i] = vec3_add(
            vec3(1.0, 2.0, 3.0), vec3_cross(vec3(3.0, -2.0, 1.0), t.particles.position[i]));
    tank_prepare(&t);
    double density[343];
    sph_densities(&t.sph->system, density);
    for (size_t i = 0; i < t.particles.n; i++)
        check_close(vec3_norm(drag_of(t.sph, i)) / slow_force(&t, density, i).scale, 0.0, SINGLE,
                    "viscous force");
    tank_free(&t);
}

/* ---- the step ---- */
