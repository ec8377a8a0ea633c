/* Cells of particles and their matrix. */
#include "failing_memory.h"
#include "network_bench.h"

/* A sheet with two fixed particles, a block, and some loose particles. */
static void fill(struct bench *b, double stiffness)
{
    struct hand_scene *h = &b->h;
    hand_scene_begin(h);
    h->scene.solver.tolerance = 1e-10;
    add_body(h, add_springs(h, stiffness, stiffness, 0.01 * stiffness, 2e-4), 0.01, 4e-3);
    add_block(h, 30, 30, 1, vec3(0, 0, 0), vec3(0, 0, 0));
    add_body(h, add_peridynamics(h, 60.0, 2.0, 2e-4, (double)INFINITY), 0.01, 4e-3);
    add_block(h, 6, 6, 6, vec3(0.2, 0.2, 0.02), vec3(0, 0, 0));
    add_body(h, add_loose(h), 0.01, 4e-3);
    add_block(h, 3, 1, 1, vec3(0, 0, 1), vec3(0, 0, 0));
    jitter(h, 0.001, 9);
    h->particles.state[0] = h->particles.state[45] = 1;
    for (size_t i = 0; i < h->particles.n; i++)
        h->particles.velocity[i] = h->particles.state[i] ? vec3(0, 0, 0) : random_vector(12, i);
    bench_start(b);
}

static struct bond_implicit *step_of(struct bench *b)
{
    return (struct bond_implicit *)b->system;
}

TEST(every_free_particle_is_in_one_cell)
{
    struct bench b;
    fill(&b, 500.0);
    const struct bond_coarse *coarse = &step_of(&b)->coarse;
    const size_t n = step_of(&b)->net.system.n;
    size_t found = 0;
    for (size_t k = 0; k < coarse->n; k++)
        for (size_t m = coarse->first[k]; m < coarse->first[k + 1]; m++, found++) {
            check_equal(coarse->cell[coarse->member[m]], k, "cell");
            check(m == coarse->first[k] || coarse->member[m] > coarse->member[m - 1]);
        }
    for (size_t i = 0; i < n; i++)
        check((coarse->cell[i] == COARSE_NONE) == (b.h.particles.state[i] != 0));
    check_equal(found, n - 2, "members");
    printf("# %zu cells\n", coarse->n);
    /* most have 9 particles in the sheet, 27 in the block */
    check(coarse->n >= 900 / 9 && coarse->n < (900 + 216) / 6);
    bench_end(&b);
}

/* (M + B) x of particles with half the stiffness of bonds at rest, where fixed ones stay. */
static void apply_at_rest(const struct bond_implicit *step, const uint8_t *state, double dt,
                          const double *x, double *y)
{
    const struct bond_network *net = &step->net;
    for (size_t i = 0; i < net->system.n; i++)
        y[i] = net->mass[i] * x[i];
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            const size_t j = net->neighbor[e];
            const double rate = bond_stiffness(net, e) / net->rest_length[e];
            const double pull = 0.5 * (dt * dt + dt * net->kinds[net->kind[e]].damping) * rate *
                                ((state[i] ? 0.0 : x[i]) - (state[j] ? 0.0 : x[j]));
            y[i] += pull;
            y[j] -= pull;
        }
}

/* Solves for Z^T (M + B) Z c and expects c. */
static void check_factor(struct bench *b, double dt)
{
    struct error error = {0};
    struct bond_implicit *step = step_of(b);
    struct bond_coarse *coarse = &step->coarse;
    const size_t n = step->net.system.n;
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    struct vec3 *r = calloc(n, sizeof *r);
    check_equal(bond_coarse_prepare(coarse, &step->net, dt * dt, dt, &error), STATUS_OK, "factor");
    for (size_t i = 0; i < n; i++)
        coarse->down[i] = coarse->up[i] = 1.0F;
    for (size_t i = 0; i < n; i++)
        x[i] = coarse->cell[i] == COARSE_NONE ? 0.0 : random_vector(3, coarse->cell[i]).x;
    apply_at_rest(step, b->h.particles.state, dt, x, y);
    for (size_t i = 0; i < n; i++)
        r[i] = vec3(y[i], 2.0 * y[i], -y[i]);
    bond_coarse_restrict(coarse, r);
    bond_coarse_solve(coarse);
    bond_coarse_prolong(coarse, n, r);
    for (size_t i = 0; i < n; i++)
        check_close(vec3_norm(vec3_sub(r[i], vec3(x[i], 2.0 * x[i], -x[i]))), 0.0, 1e-9, "value");
    free(x);
    free(y);
    free(r);
}

TEST(cells_are_solved_with_their_matrix)
{
    struct bench b;
    fill(&b, 500.0);
    check_factor(&b, 1e-3);
    check_factor(&b, 2e-4);
    check_factor(&b, 1e-3);
    step_of(&b)->net.kind[0] = step_of(&b)->net.kind[700] = 0; /* they break */
    step_of(&b)->net.system.changes++;
    check_factor(&b, 1e-3);
    bench_end(&b);
}

TEST(cells_survive_every_failed_allocation)
{
    struct bench b;
    struct failing_memory memory = {0};
    fill(&b, 500.0);
    while (memory_fails(&memory)) {
        struct bond_coarse coarse;
        memory.status =
            bond_coarse_create(&coarse, &step_of(&b)->net, b.h.particles.state, &memory.error);
        memory_works(&memory);
        bond_coarse_free(&coarse);
        check(coarse.n == 0 && coarse.cell == NULL);
    }
    bench_end(&b);
}
