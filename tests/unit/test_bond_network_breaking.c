/* Bonds that break: by which rule, at which strains, and after a restart. */
#include "failing_memory.h"
#include "networks.h"

static double finish(struct bond_network *net, const struct particles *p)
{
    struct term_value term[MOST_TERMS] = {{0}};
    struct error error = {0};
    check_equal(net->system.class->finish(&net->system, p, term, &error), STATUS_OK, "finish");
    check_close(term[BOND_BROKEN_COUNT].value, (double)net->n_broken, 0.0, "broken bonds");
    return term[BOND_RELEASED].value;
}

/* Breaks every bond that is shorter than at rest by this strain, so that what counts only whole
 * bonds finds others as the shortest. */
static void break_shortest(struct bond_network *net, const struct vec3 *x, double strain)
{
    struct error error = {0};
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            const uint64_t list[] = {e};
            if (strain_of(net, x, i, e) < strain)
                check_equal(bond_network_break(&net->system, 1, list, &error), STATUS_OK, "break");
        }
}

/* The same bonds break as by the rule, word by word, and give the same energy. */
static void check_breaking(double broken_before)
{
    struct hand_scene h;
    fill_mixed(&h);
    h.parameters[3].bonds.critical_stretch = 0.15;
    h.parameters[3].bonds.critical_stretch_spread = 0.2;
    jitter(&h, 0.004, 3);
    struct bond_network *net = create(&h);
    size_t n = h.particles.n;
    const struct vec3 *x = h.particles.position;
    break_shortest(net, x, broken_before);
    const size_t before = net->n_broken;
    size_t n_broken = before;
    double *least = calloc(n, sizeof *least), expected = 0.0;
    bool *breaks = calloc(net->n_bonds, sizeof *breaks);
    for (size_t i = 0; i < n; i++)
        least[i] = (double)INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            double strain = net->kind[e] ? strain_of(net, x, i, e) : (double)INFINITY;
            least[i] = fmin(least[i], strain);
            least[net->neighbor[e]] = fmin(least[net->neighbor[e]], strain);
        }
    for (size_t i = 0; i < n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            uint32_t j = net->neighbor[e];
            double strain = strain_of(net, x, i, e);
            breaks[e] = !net->kind[e] || strain > fmin(net->critical_stretch[i] - 0.25 * least[i],
                                                       net->critical_stretch[j] - 0.25 * least[j]);
            n_broken += net->kind[e] && breaks[e];
            if (net->kind[e] && breaks[e])
                expected += 0.5 * net->kinds[net->kind[e]].stiffness * net->rest_length[e] *
                            strain * strain;
        }
    double released = finish(net, &h.particles);
    check(n_broken > before + 10 && n_broken < net->n_bonds / 2);
    check_equal(net->n_broken, n_broken, "broken bonds");
    for (size_t e = 0; e < net->n_bonds; e++)
        check(breaks[e] == (net->kind[e] == 0));
    check_close(released, expected, 1e-13, "released");
    printf("# %zu of %zu bonds broke, %zu of them before\n", n_broken, net->n_bonds, before);
    free(least);
    free(breaks);
    destroy(net);
    hand_scene_end(&h);
}

TEST(breaking_against_the_rule_word_by_word)
{
    check_breaking(-1.0);
}

TEST(broken_bonds_do_not_hold_others)
{
    check_breaking(-0.2);
}

/* A line of four particles at the given strains of its three bonds; s0 = 0.1, k = 50 N, L = 0.02 m.
 */
static struct bond_network *strained_line(struct hand_scene *h, const double strain[3])
{
    hand_scene_begin(h);
    add_body(h, add_peridynamics(h, 50.0, 1.0, 0.0, 0.1), 0.01, 1e-3);
    add_block(h, 4, 1, 1, vec3(0, 0, 0), vec3(0, 0, 0));
    double x = 0.0;
    for (int k = 0; k < 3; k++) {
        x += 0.02 * (1.0 + strain[k]);
        h->particles.position[k + 1].x = x;
    }
    return create(h);
}

static void check_middle(double outer, double middle, bool breaks)
{
    struct hand_scene h;
    const double strain[3] = {outer, middle, outer};
    struct bond_network *net = strained_line(&h, strain);
    double before = energy(net, &h.particles);
    uint64_t changes = net->system.changes;
    double released = finish(net, &h.particles);
    check_equal(net->n_broken, breaks, "broken");
    check_equal(bonded_whole(&net->system.bonded, 1, 2), !breaks, "whole");
    check_equal(bonded_whole(&net->system.bonded, 2, 1), !breaks, "whole, other end");
    check(bonded_whole(&net->system.bonded, 0, 1) && bonded_whole(&net->system.bonded, 2, 3));
    check_equal(net->system.changes > changes, breaks, "noticed");
    check_close(released, breaks ? 0.5 * 50.0 * 0.02 * middle * middle : 0.0, 1e-12, "released");
    check_close(before - energy(net, &h.particles), released, 1e-12, "energy lost");
    check_close(finish(net, &h.particles), 0.0, 0.0, "released again");
    destroy(net);
    hand_scene_end(&h);
}

TEST(a_bond_breaks_beyond_its_threshold)
{
    check_middle(0.0, 0.0999, false);
    check_middle(0.0, 0.1001, true);
    /* compression at both ends raises it to 0.1 + 0.25 x 0.2 */
    check_middle(-0.2, 0.1499, false);
    check_middle(-0.2, 0.1501, true);
    /* tension all around lowers it to 0.1 - 0.25 x 0.04 */
    check_middle(0.04, 0.0899, false);
    check_middle(0.04, 0.0901, true);
}

/* The weaker end decides. */
TEST(compression_at_one_end_is_not_enough)
{
    struct hand_scene h;
    const double strain[3] = {-0.2, 0.11, 0.0};
    struct bond_network *net = strained_line(&h, strain);
    finish(net, &h.particles);
    check_equal(net->n_broken, 1, "broken");
    float damage[4];
    bond_network_damage(&net->system, damage);
    check(damage[0] == 0.0F && damage[1] == 0.5F && damage[2] == 0.5F && damage[3] == 0.0F);
    destroy(net);
    hand_scene_end(&h);
}

TEST(critical_stretches_are_spread_around_s0)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    size_t m = add_peridynamics(&h, 50.0, 1.5, 0.0, 0.1);
    h.parameters[m].bonds.critical_stretch_spread = 0.3;
    add_body(&h, m, 0.01, 1e-3);
    add_block(&h, 20, 20, 10, vec3(0, 0, 0), vec3(0, 0, 0));
    struct bond_network *net = create(&h);
    double sum = 0.0, squares = 0.0, n = (double)h.particles.n;
    for (size_t i = 0; i < h.particles.n; i++) {
        double off = net->critical_stretch[i] / 0.1 - 1.0;
        sum += off;
        squares += off * off;
    }
    check_close(sum / n, 0.0, 4.0 * 0.1 / sqrt(n), "mean"); /* four standard errors */
    check_close(sqrt(squares / n), 0.1, 0.005, "deviation");
    destroy(net);
    hand_scene_end(&h);
}

TEST(critical_stretches_that_are_not_positive_are_refused)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    size_t m = add_peridynamics(&h, 50.0, 1.5, 0.0, 0.1);
    h.material[m].origin = (struct origin){"scene.yaml", 9, 1};
    h.parameters[m].bonds.critical_stretch_spread = 0.99;
    add_body(&h, m, 0.01, 1e-3);
    add_block(&h, 20, 20, 10, vec3(0, 0, 0), vec3(0, 0, 0)); /* 1 in 800 of them, 3 deviations */
    struct system *system;
    struct error error = {0};
    check_equal(create_network(&h, &system, &error), STATUS_INVALID, "status");
    check(strncmp(error.message, "scene.yaml:9:1: ", 16) == 0);
    check_contains(error.message, "not positive; at most 0.34 would be right");
    check(system == NULL);
    h.parameters[m].bonds.critical_stretch_spread = 0.34;
    destroy(create(&h));
    hand_scene_end(&h);
}

TEST(broken_bonds_survive_a_restart)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_body(&h, add_peridynamics(&h, 50.0, 3.0, 0.0, 0.1), 0.01, 1e-3);
    add_ball(&h, 0.08, vec3(0, 0, 0), vec3(0, 0, 0));
    jitter(&h, 0.004, 6);
    struct bond_network *net = create(&h), *again = create(&h);
    finish(net, &h.particles);
    check(net->n_broken > 100 && net->n_broken < net->n_bonds);
    size_t n;
    uint64_t *list;
    struct error error = {0};
    check_equal(bond_network_broken(&net->system, &n, &list, &error), STATUS_OK, "list");
    check_equal(n, net->n_broken, "length");
    for (size_t k = 1; k < n; k++)
        check(list[k] > list[k - 1]);
    check_equal(bond_network_break(&again->system, n, list, &error), STATUS_OK, "break");
    check_equal(again->n_broken, n, "broken again");
    check(memcmp(net->kind, again->kind, net->n_bonds) == 0);
    const uint64_t absent = net->n_bonds;
    check_equal(bond_network_break(&again->system, 1, &absent, &error), STATUS_INVALID, "absent");
    check_contains(error.message, "is none of the");
    free(list);
    destroy(net);
    destroy(again);
    hand_scene_end(&h);
}

/* Under valgrind this finds leaks too. */
TEST(creation_survives_every_failed_allocation)
{
    struct hand_scene h;
    fill_mixed(&h);
    h.parameters[3].bonds.critical_stretch = 0.1;
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct system *system;
        memory.status = create_network(&h, &system, &memory.error);
        memory_works(&memory);
        if (memory.status)
            check(system == NULL);
        else
            destroy((struct bond_network *)system);
    }
    check(memory.n > 25);
    hand_scene_end(&h);
}
