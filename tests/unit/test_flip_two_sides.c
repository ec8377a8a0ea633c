/* FLIP with cells of its own on either side of a sheet: nothing passes from one to the other. */
#include "flip_scenes.h"

#include <string.h>

enum { BELOW = 1, ABOVE = 2 };

/* Water above a sheet and below it that share cells, and touch floor and walls of a tank. All of it
 * flows toward the sheet, inwards along x, and at random. */
static void fill_tank(struct hand_scene *h, struct wall *tank, uint32_t sides, uint32_t solids,
                      int parts)
{
    struct flip_material flip = flip_defaults();
    flip.sides = sides;
    flip.solids = solids;
    hand_scene_begin(h);
    add_tank(h, tank, vec3(0.0, 0.0, 0.0), vec3(0.24, 0.2, 0.4));
    add_sheet(h, add_loose(h), 15, 13);
    fix_from(h, add_block(h, 15, 13, 1, vec3(-0.02, -0.02, 0.193), vec3(0.0, 0.0, 0.0)));
    size_t water = add_flip(h, flip);
    if (parts & BELOW)
        add_water(h, water, 12, 10, 9, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    if (parts & ABOVE)
        add_water(h, water, 12, 10, 4, vec3(0.0, 0.0, 0.207), vec3(0.0, 0.0, 0.0));
    jitter(h, 0.2 * FLIP_R, 3);
    for (size_t i = 15 * 13; i < h->particles.n; i++) {
        struct vec3 x = h->particles.position[i];
        struct vec3 mean = vec3(3.0 * (0.12 - x.x), 0.3, x.z > 0.193 ? -0.5 : 0.5);
        h->particles.velocity[i] = vec3_axpy(mean, 0.2, random_vector(4, (uint64_t)(1e6 * x.z)));
    }
}

/* Sums over the particles on one side; `speeds`: of the magnitudes. */
static struct vec3 momentum_of(const struct simulation *s, bool behind, double *mass,
                               double *speeds)
{
    const struct flip *flip = flip_of(s);
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    *mass = *speeds = 0.0;
    for (size_t k = 0; k < flip->system.n; k++) {
        size_t i = flip->system.first + k;
        if (flip->is_behind[k] != behind)
            continue;
        *mass += s->particles.mass[i];
        *speeds += s->particles.mass[i] * vec3_norm(s->particles.velocity[i]);
        sum = vec3_axpy(sum, s->particles.mass[i], s->particles.velocity[i]);
    }
    return sum;
}

static void check_momentum_of_side(const struct simulation *s, bool behind)
{
    const struct flip *flip = flip_of(s);
    double all, speeds;
    struct vec3 momentum = momentum_of(s, behind, &all, &speeds);
    for (unsigned a = 0; a < 3; a++) {
        double sum = 0.0, mass = 0.0;
        for (size_t k = 0; k < flip->grid.n; k++)
            for (size_t c = 0; c < TILE_CELLS; c++) {
                const struct flip_tile *tile = &flip->grid.tile[k];
                if (flip_tile_is_behind(&flip->grid, tile->at) != behind)
                    continue;
                sum += tile->block->mass[a][c] * tile->block->fall[a][c];
                mass += tile->block->mass[a][c];
            }
        check(all > 3.0);
        check_close(mass / all, 1.0, 1e-13, "mass of faces");
        check_close(sum / speeds, component(momentum, a) / speeds, 1e-13, "momentum of faces");
    }
}

TEST(faces_of_each_side_have_the_mass_and_momentum_of_its_particles)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    fill_tank(&h, &tank, FLIP_SIDES_SEPARATE, SOLIDS_IGNORED, BELOW | ABOVE);
    start(&h, &s);
    solve_exactly(&s, 1e-12);
    integrate_alone(&s, 1e-4);
    check_momentum_of_side(&s, false);
    check_momentum_of_side(&s, true);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* The velocities of a step, from the first particle of the water on. */
static size_t step_alone(uint32_t sides, uint32_t solids, int parts, struct vec3 *velocity)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    fill_tank(&h, &tank, sides, solids, parts);
    start(&h, &s);
    solve_exactly(&s, 1e-12);
    const struct flip *flip = integrate_alone(&s, 1e-3);
    memcpy(velocity, s.motion.own_after + flip->system.first, flip->system.n * sizeof *velocity);
    size_t n = flip->system.n;
    simulation_free(&s);
    hand_scene_end(&h);
    return n;
}

static double difference(const struct vec3 *a, const struct vec3 *b, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, vec3_norm(vec3_sub(a[i], b[i])));
    return most;
}

/* jitter() moves a particle by its index: the lower water comes first, and the upper one is the
 * rest of the same scene. */
TEST(each_side_moves_as_if_there_were_no_other)
{
    static struct vec3 both[SCENE_PARTICLES], shared[SCENE_PARTICLES], alone[SCENE_PARTICLES];
    size_t n = step_alone(FLIP_SIDES_SEPARATE, SOLIDS_IGNORED, BELOW | ABOVE, both);
    size_t n_below = step_alone(FLIP_SIDES_SHARED, SOLIDS_IGNORED, BELOW, alone);
    check(n > n_below && n_below > 1000);
    check_equal(step_alone(FLIP_SIDES_SHARED, SOLIDS_IGNORED, BELOW | ABOVE, shared), n,
                "particles");
    double separate_off = difference(both, alone, n_below);
    double shared_off = difference(shared, alone, n_below);
    printf("# beside other water: off by %.1e m/s, with shared cells by %.1e\n", separate_off,
           shared_off);
    check_close(separate_off, 0.0, 1e-9, "velocities below the sheet, m/s");
    check(shared_off > 0.1);
}

/* A sheet that displaces both waters does so with half of it on either side, which no pressure
 * joins. */
TEST(each_side_moves_alone_if_the_sheet_displaces_it)
{
    static struct vec3 both[SCENE_PARTICLES], alone[SCENE_PARTICLES], ignored[SCENE_PARTICLES];
    size_t n = step_alone(FLIP_SIDES_SEPARATE, SOLIDS_DISPLACE, BELOW, alone);
    step_alone(FLIP_SIDES_SEPARATE, SOLIDS_DISPLACE, BELOW | ABOVE, both);
    step_alone(FLIP_SIDES_SEPARATE, SOLIDS_IGNORED, BELOW, ignored);
    check_close(difference(both, alone, n), 0.0, 1e-9, "velocities below the sheet, m/s");
    check(difference(ignored, alone, n) > 0.01);
}

/* Without gravity and walls the momentum of each side stays as it is, though pressure pushes. */
TEST(no_momentum_passes_the_sheet)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    fill_tank(&h, &tank, FLIP_SIDES_SEPARATE, SOLIDS_IGNORED, BELOW | ABOVE);
    h.scene.n_walls = 0;
    start(&h, &s);
    solve_exactly(&s, 1e-12);
    const struct flip *flip = integrate_alone(&s, 1e-3);
    double mass, speeds, pushed = 0.0;
    for (int behind = 0; behind < 2; behind++) {
        struct vec3 change = vec3_scale(-1.0, momentum_of(&s, behind, &mass, &speeds));
        for (size_t k = 0; k < flip->system.n; k++) {
            size_t i = flip->system.first + k;
            struct vec3 after = s.motion.own_after[i];
            if (flip->is_behind[k] != behind)
                continue;
            change = vec3_axpy(change, s.particles.mass[i], after);
            pushed += s.particles.mass[i] * vec3_norm(vec3_sub(after, s.particles.velocity[i]));
        }
        check_close(vec3_norm(change) / speeds, 0.0, 1e-12, "momentum of a side");
    }
    check(pushed > 0.1 * speeds);
    simulation_free(&s);
    hand_scene_end(&h);
}
