/* Tests Newton's method of corotated solids: its matrix, and starts far from any solution. */
#include "scenes.h"
#include "systems/corotated/corotated_parts.h"

static const double RADIUS = 0.05, YOUNG = 1e6;

/* A free block, and the arrays of a matrix product. */
struct block {
    struct hand_scene h;
    struct simulation s;
    struct corotated *c;
    size_t n;
    struct vec3 *x, *step, *force, *other;
};

static void block_create(struct block *b, double poisson)
{
    enum { LONG = 6, WIDE = 4 };
    hand_scene_begin(&b->h);
    b->h.scene.contact.method = CONTACT_NONE;
    b->h.scene.gravity = vec3(0.0, 0.0, 0.0);
    b->h.scene.solver.tolerance = 1e-6;
    b->h.scene.time.max_step = 1e-2;
    b->h.scene.time.courant = 1e9;
    size_t rubber = add_corotated(&b->h, YOUNG, poisson, 1.0);
    b->h.parameters[rubber].corotated.solver = COROTATED_NEWTON;
    add_body(&b->h, rubber, RADIUS, 1.0);
    add_block(&b->h, LONG, WIDE, WIDE, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    start(&b->h, &b->s);
    b->c = (struct corotated *)b->s.system[0];
    b->n = b->s.particles.n;
    b->x = calloc(b->n, sizeof *b->x);
    b->step = calloc(b->n, sizeof *b->step);
    b->force = calloc(b->n, sizeof *b->force);
    b->other = calloc(b->n, sizeof *b->other);
}

static void block_free(struct block *b)
{
    free(b->x);
    free(b->step);
    free(b->force);
    free(b->other);
    simulation_free(&b->s);
    hand_scene_end(&b->h);
}

/* Stretched by `by` in all directions, turned about z, and shaken by `noise` radii. */
static void deform(struct block *b, double by, double noise)
{
    for (size_t i = 0; i < b->n; i++) {
        struct vec3 at =
            vec3_axpy(vec3_scale(by, b->h.rest[i]), noise * RADIUS, random_vector(5, i));
        b->x[i] = vec3(0.6 * at.x - 0.8 * at.y, 0.8 * at.x + 0.6 * at.y, at.z);
        b->step[i] = random_vector(6, i);
    }
}

static void find_rotations(struct block *b, const struct vec3 *x)
{
    corotated_gradients(b->c, x);
    for (size_t i = 0; i < b->n; i++)
        b->c->volume_turn[i] = rotation_matrix(rotation_nearest(&b->c->gradient[i]));
}

/* All forces at x, with the rotations there. */
static void find_forces(struct block *b, const struct vec3 *x, struct vec3 *force)
{
    find_rotations(b, x);
    corotated_whole_forces(b->c, b->c->volume_turn, 1.0, force);
}

/* b->force = what b->step changes of the forces at b->x, by the matrix. */
static void find_tangent(struct block *b)
{
    find_rotations(b, b->x);
    corotated_find_spin(b->c);
    corotated_gradients(b->c, b->step);
    corotated_tangent_forces(b->c, b->c->volume_turn, b->c->spin, b->force);
}

/* In tension nothing is left out. */
TEST(the_matrix_is_the_derivative_of_the_forces)
{
    static const double h = 1e-7;
    struct block b;
    struct vec3 ahead[128], above[128];
    block_create(&b, 0.3);
    deform(&b, 1.15, 0.02);
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < b.n; i++)
            ahead[i] = vec3_axpy(b.x[i], side * h, b.step[i]);
        find_forces(&b, ahead, side < 0 ? b.other : above);
    }
    find_tangent(&b);
    double off = 0.0, most = 0.0;
    for (size_t i = 0; i < b.n; i++) {
        struct vec3 change = vec3_scale(0.5 / h, vec3_sub(above[i], b.other[i]));
        off = worse(off, vec3_norm(vec3_sub(change, b.force[i])));
        most = fmax(most, vec3_norm(change));
    }
    printf("# off by %.1e of the largest\n", off / most);
    check_close(off / most, 0.0, 1e-6, "derivative");
    block_free(&b);
}

static void check_definite(double by, double noise)
{
    struct block b;
    block_create(&b, 0.45);
    deform(&b, by, noise);
    double least = INFINITY;
    for (uint64_t k = 0; k < 200; k++) {
        double product = 0.0, square = 0.0;
        for (size_t i = 0; i < b.n; i++)
            b.step[i] = random_vector(100 + k, i);
        /* also along rotations, which cost least: w x X */
        for (size_t i = 0; i < b.n && k % 2 == 0; i++)
            b.step[i] = vec3_cross(random_vector(7, k), b.x[i]);
        find_tangent(&b);
        for (size_t i = 0; i < b.n; i++) {
            product -= vec3_dot(b.step[i], b.force[i]);
            square += vec3_norm2(b.step[i]);
        }
        least = fmin(least, product / square);
    }
    printf("# stretched by %g, shaken by %g radii: at least %.3g N/m\n", by, noise, least);
    check(least > -1e-9 * YOUNG * RADIUS);
    block_free(&b);
}

TEST(the_matrix_is_never_indefinite)
{
    check_definite(0.7, 0.1);
    check_definite(1.3, 0.1);
    check_definite(1.0, 2.0);
}

/* Stretched by half and shaken by a radius: backward Euler takes energy in each of its long steps.
 */
TEST(a_strained_block_loses_energy_in_every_step)
{
    struct block b;
    block_create(&b, 0.3);
    deform(&b, 1.5, 1.0);
    memcpy(b.s.particles.position, b.x, b.n * sizeof *b.x);
    double before = corotated_potential_energy(&b.c->system, &b.s.particles), begun = before;
    for (int k = 0; k < 30; k++) {
        struct ledger_row row = step_once(&b.s);
        check(row.kinetic + row.elastic <= before * (1.0 + 1e-9));
        before = row.kinetic + row.elastic;
    }
    printf("# %.3g J of %.3g J are left\n", before, begun);
    check(before < 0.2 * begun);
    block_free(&b);
}

/* Random places in a smaller box: collapsed and inverted neighborhoods. */
TEST(a_scrambled_block_is_refused_with_a_reason)
{
    struct block b;
    struct ledger_row row;
    struct error error = {0};
    block_create(&b, 0.3);
    for (size_t i = 0; i < b.n; i++)
        b.s.particles.position[i] = vec3_scale(3.0 * RADIUS, random_vector(8, i));
    corotated_potential_energy(&b.c->system, &b.s.particles);
    check_equal(simulation_step(&b.s, b.s.scene->time.end, &row, &error), STATUS_FAILED, "status");
    check_contains(error.message, "Newton's method stopped at a residual");
    check_contains(error.message, "another 'solver' of the material goes on");
    block_free(&b);
}
