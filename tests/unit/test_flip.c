/* FLIP: what its transfers and its pressure must fulfil to rounding. */
#include "flip_scenes.h"

static struct vec3 momentum_of(const struct simulation *s)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = 0; i < s->particles.n; i++)
        sum = vec3_axpy(sum, s->particles.mass[i], s->particles.velocity[i]);
    return sum;
}

static double speeds_of(const struct simulation *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->particles.n; i++)
        sum += s->particles.mass[i] * vec3_norm(s->particles.velocity[i]);
    return sum;
}

/* ---- transfers ---- */

/* A block that touches floor and two sides of a tank, or flies far from it. */
static void fill_cloud(struct hand_scene *h, struct wall *tank, struct vec3 low)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, 0.0);
    add_tank(h, tank, vec3(0.0, 0.0, 0.0), vec3(0.4, 0.4, 0.4));
    add_water(h, add_flip(h, flip_defaults()), 11, 10, 9, low, vec3(0.0, 0.0, 0.0));
    jitter(h, 0.4 * FLIP_R, 3);
    for (size_t i = 0; i < h->particles.n; i++)
        h->particles.velocity[i] = random_vector(4, i);
}

static void check_momentum_of_faces(struct vec3 low)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    fill_cloud(&h, &tank, low);
    start(&h, &s);
    const struct flip *flip = integrate_alone(&s, 1e-4);
    struct vec3 momentum = momentum_of(&s);
    for (unsigned a = 0; a < 3; a++) {
        double sum = 0.0, mass = 0.0;
        for (size_t k = 0; k < flip->grid.n; k++)
            for (size_t c = 0; c < TILE_CELLS; c++) {
                const struct flip_block *block = flip->grid.tile[k].block;
                sum += block->mass[a][c] * block->fall[a][c];
                mass += block->mass[a][c];
            }
        check_close(sum, component(momentum, a), 1e-13 * speeds_of(&s), "momentum of faces");
        check_close(mass / (FLIP_MASS * (double)s.particles.n), 1.0, 1e-13, "mass of faces");
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(faces_have_the_mass_and_momentum_of_particles)
{
    check_momentum_of_faces(vec3(0.111, 0.093, 0.122));
    check_momentum_of_faces(vec3(0.0, 0.0, 0.0));
    check_momentum_of_faces(vec3(0.18, 0.2, 0.22));
}

/* Of the grid's velocity, as if there were no pressure. */
static void read_falls(struct flip *flip)
{
    for (size_t k = 0; k < flip->grid.n; k++)
        memcpy(flip->grid.tile[k].block->after, flip->grid.tile[k].block->fall,
               sizeof flip->grid.tile[k].block->fall);
    flip_read(flip);
}

static void check_uniform(struct vec3 low)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    fill_cloud(&h, &tank, low);
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.velocity[i] = vec3(0.3, -0.2, 0.5);
    start(&h, &s);
    struct flip *flip = integrate_alone(&s, 1e-4);
    read_falls(flip);
    double worst = 0.0;
    for (size_t k = 0; k < flip->n_slots; k++)
        worst = fmax(worst, vec3_norm(vec3_sub(flip->grid_velocity[k], vec3(0.3, -0.2, 0.5))));
    check_close(worst, 0.0, 1e-13, "a uniform velocity, there and back");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_uniform_velocity_comes_back)
{
    check_uniform(vec3(0.111, 0.093, 0.122));
    check_uniform(vec3(0.0, 0.0, 0.0));
}

static struct vec3 linear_at(const double g[9], struct vec3 x)
{
    return vec3(0.1 + g[0] * x.x + g[1] * x.y + g[2] * x.z,
                0.2 + g[3] * x.x + g[4] * x.y + g[5] * x.z,
                0.3 + g[6] * x.x + g[7] * x.y + g[8] * x.z);
}

/* v = v0 + A x at particles, with the gradient A: at faces, and back at particles. */
static void check_linear(struct vec3 low, const double gradient[9])
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    double worst = 0.0;
    fill_cloud(&h, &tank, low);
    h.parameters[0].flip.transfer = FLIP_TRANSFER_APIC;
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.velocity[i] = linear_at(gradient, h.particles.position[i]);
    start(&h, &s);
    for (size_t i = 0; i < s.particles.n; i++)
        memcpy(flip_of(&s)->affine[i], gradient, 9 * sizeof(double));
    struct flip *flip = integrate_alone(&s, 1e-4);
    read_falls(flip);
    for (size_t k = 0; k < flip->n_slots; k++) {
        size_t i = flip->particle[k];
        struct vec3 expected = linear_at(gradient, s.particles.position[i]);
        worst = fmax(worst, vec3_norm(vec3_sub(flip->grid_velocity[k], expected)));
        for (int g = 0; g < 9; g++)
            worst = fmax(worst, FLIP_R * fabs(flip->next_affine[i][g] - gradient[g]));
    }
    check_close(worst, 0.0, 1e-13, "a linear velocity");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_linear_velocity_comes_back_with_apic)
{
    const double gradient[9] = {1.0, -0.5, 0.2, 0.7, -0.3, 1.1, -0.4, 0.6, 0.9};
    check_linear(vec3(0.111, 0.093, 0.122), gradient);
}

/* ---- pressure ---- */

/* What flows out of a cell, over its volume, 1/s: from the faces alone, by coordinates. */
static double divergence_of(const struct flip *flip, size_t tile, uint32_t cell)
{
    const struct flip_place place = {(uint32_t)tile, cell};
    double h = flip->grid.edge, sum = 0.0;
    for (unsigned a = 0; a < 3; a++) {
        struct flip_place above = flip_above(&flip->grid, place, a);
        double up =
            above.tile == NO_TILE ? 0.0 : flip->grid.tile[above.tile].block->after[a][above.cell];
        sum += up - flip->grid.tile[tile].block->after[a][cell];
    }
    return sum / h;
}

TEST(what_carries_pressure_is_free_of_divergence)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    const double dt = 1e-3;
    fill_cloud(&h, &tank, vec3(0.0, 0.0, 0.0));
    h.parameters[0].flip.crowding = 0.0;
    h.scene.gravity = vec3(1.0, 0.0, -9.81);
    start(&h, &s);
    const struct flip *flip = integrate_alone(&s, dt);
    double worst = 0.0, before = 0.0;
    size_t n = 0;
    for (size_t k = 0; k < flip->grid.n; k++)
        for (uint32_t c = 0; c < TILE_CELLS; c++)
            if (flip->grid.tile[k].block->mark[c] & CELL_HAS_FLUID) {
                worst = fmax(worst, fabs(divergence_of(flip, k, c)));
                before = fmax(before, vec3_norm(flip->sums[k].wall));
                n++;
            }
    check_equal(n, flip->n_unknowns, "cells with fluid");
    check(n > 100 && before > 0.0);
    check_close(worst * dt, 0.0, 1e-4, "divergence");
    simulation_free(&s);
    hand_scene_end(&h);
}

static void check_free_fall(enum flip_transfer transfer, struct vec3 low)
{
    struct hand_scene h;
    struct simulation s;
    struct flip_material flip = flip_defaults();
    flip.transfer = transfer;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    add_water(&h, add_flip(&h, flip), 12, 12, 12, low, vec3(1.0, -0.5, 2.0));
    double start_x = h.particles.position[7].x;
    start(&h, &s);
    for (int k = 0; k < 50; k++)
        step_once(&s);
    double worst = 0.0;
    for (size_t i = 0; i < s.particles.n; i++)
        worst = fmax(worst, vec3_norm(vec3_sub(s.particles.velocity[i],
                                               vec3(1.0, -0.5, 2.0 - 9.81 * s.time))));
    check_close(worst, 0.0, 1e-10, "velocity");
    check_close(s.particles.position[7].x - start_x, s.time, 1e-10, "place");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* In free fall there is no pressure, however the fluid moves as a whole; not even if particles are
 * exactly on faces, and those beside them have no mass. */
TEST(a_free_body_falls)
{
    const struct vec3 anywhere = vec3(0.113, -0.227, 1.0), on_faces = vec3(0.03, 0.03, 0.03);
    check_free_fall(FLIP_TRANSFER_FLIP, anywhere);
    check_free_fall(FLIP_TRANSFER_FLIP, on_faces);
    check_free_fall(FLIP_TRANSFER_APIC, anywhere);
    check_free_fall(FLIP_TRANSFER_APIC, on_faces);
}
