/* Properties of merging and splitting on thousands of random groups. The names carry the
 * claim of the paper that a test checks (M01: merging, ..., M07: two integrators). */
#include "config/scene.h"
#include "contact/synchronize.h"
#include "merge_trials.h"
#include "particles/motion.h"

static const double TOLERANCE = 1e-12; /* relative, of momentum and energy */
/* Worst relative errors that the checks of this test met. */
static struct {
    double momentum, energy, approach;
} worst;

/* NAME.momentum and NAME.energy, for the claims. */
static void measured_conservation(const char *name)
{
    char full[32];
    snprintf(full, sizeof full, "%s.momentum", name);
    measured(full, worst.momentum);
    snprintf(full, sizeof full, "%s.energy", name);
    measured(full, worst.energy);
}

struct totals {
    struct vec3 momentum;
    double energy, momentum_scale;
};

/* Of the free particles. */
static struct totals totals(const struct particles *p, const struct vec3 *velocity)
{
    struct totals sum = {{0.0, 0.0, 0.0}, 0.0, 0.0};
    for (size_t i = 0; i < p->n; i++) {
        if (p->state[i])
            continue;
        sum.momentum = vec3_axpy(sum.momentum, p->mass[i], velocity[i]);
        sum.energy += 0.5 * p->mass[i] * vec3_norm2(velocity[i]);
        sum.momentum_scale += p->mass[i] * vec3_norm(velocity[i]);
    }
    return sum;
}

static void check_momentum(struct totals a, struct totals b)
{
    double error = vec3_norm(vec3_sub(a.momentum, b.momentum));
    double scale = a.momentum_scale + b.momentum_scale;
    check_close(error, 0.0, TOLERANCE * scale, "momentum");
    worst.momentum = worse(worst.momentum, error / scale);
}

static void check_energy(double actual, double expected, double scale)
{
    check_close(actual, expected, TOLERANCE * scale, "energy");
    worst.energy = worse(worst.energy, fabs(actual - expected) / scale);
}

static double stored_energy(const struct merge_forest *forest)
{
    double sum = 0.0;
    for (size_t k = 0; k < forest->n_bonds; k++) {
        check(forest->made[k].energy >= 0.0);
        sum += forest->made[k].energy;
    }
    return sum;
}

TEST(m01_merging_conserves_momentum_and_stores_the_energy_it_takes)
{
    double least = 1.0; /* energy stored in one bond, over all there was */
    for (int round = 0; round < 3000; round++) {
        size_t n = 2 + below(63);
        struct trial t = trial_create(n, 6.0 * uniform());
        trial_connect(&t);
        struct totals before = totals(&t.p, t.p.velocity);
        trial_merge(&t, 64, 64, 1);
        struct totals after = totals(&t.p, t.velocity);
        check_equal(t.forest.n_bonds, n - 1, "merges");
        check_equal(t.groups.n_groups, 1, "groups");
        check_equal(t.merged.largest, n, "largest group");
        check_momentum(before, after);
        double stored = stored_energy(&t.forest);
        check_energy(after.energy + stored, before.energy, before.energy);
        for (size_t k = 0; k < t.forest.n_bonds; k++)
            least = -worse(-least, -t.forest.made[k].energy / before.energy);
        check_close(t.merged.energy, stored, TOLERANCE * before.energy, "energy reported");
        trial_free(&t);
    }
    measured_conservation("M01");
    measured("M01.least-stored", least);
}

/* The meta-particle's velocity after an integration that did anything. */
static void integrate(struct trial *t, double kick)
{
    struct vec3 change = normal_vector(kick);
    for (size_t i = 0; i < t->p.n; i++)
        t->velocity[i] = vec3_add(t->velocity[i], change);
}

/* MS 14 at every node of the forest; the tolerance is the rounding of the velocities. */
static void check_separation(const struct merge_forest *forest, const double *velocity_scale)
{
    for (size_t k = 0; k < forest->n_bonds; k++) {
        struct vec3 a = forest->velocity[forest->child[k][0]];
        struct vec3 b = forest->velocity[forest->child[k][1]];
        double approach = fmax(-vec3_dot(vec3_sub(b, a), forest->made[k].normal), 0.0);
        double scale = vec3_norm(a) + vec3_norm(b) + *velocity_scale;
        check_close(approach, 0.0, 1e-13 * scale, "approach, MS 14");
        worst.approach = worse(worst.approach, approach / scale);
    }
}

static void split_and_check(double alpha, double beta, enum use_of_roots use, double decades,
                            size_t rounds, size_t *roots, size_t *splits_without_root)
{
    const struct split_rule rule = {alpha, 1.0, use};
    for (size_t round = 0; round < rounds; round++) {
        size_t n = 2 + below(63);
        struct trial t = trial_create(n, decades * uniform());
        trial_connect(&t);
        trial_merge(&t, 64, 64, round);
        integrate(&t, power_of_ten(-4.0, 2.0));
        double scale = 1.0 + vec3_norm(t.velocity[0]), lost = power_of_ten(-3.0, 1.0);
        t.extra[t.groups.leader[0]] = beta * lost; /* read at the leader alone */
        for (size_t i = 1; i < n; i++)
            t.extra[i] = (double)NAN;
        struct totals before = totals(&t.p, t.velocity);
        double stored = stored_energy(&t.forest);
        split_forest(&t.forest, &rule, round % 2 || beta > 0.0 ? t.extra : NULL, t.velocity,
                     &t.split);
        double extra = round % 2 || beta > 0.0 ? beta * lost : 0.0;
        struct totals after = totals(&t.p, t.velocity);
        check_momentum(before, after);
        check_energy(after.energy, before.energy + alpha * stored + extra, after.energy);
        check_close(t.split.energy_out, alpha * stored + extra, TOLERANCE * after.energy,
                    "energy returned");
        check_close(t.split.energy_out, after.energy - before.energy, TOLERANCE * after.energy,
                    "energy returned, from the sums");
        check_close(t.split.energy_lost, (1.0 - alpha) * stored, TOLERANCE * stored,
                    "energy kept back");
        if (alpha == 1.0)
            check_close(t.split.energy_lost, 0.0, 0.0, "energy kept back by alpha = 1");
        check_separation(&t.forest, &scale);
        check_equal(t.split.roots + t.split.splits_without_root, n - 1, "splits counted");
        *roots += t.split.roots;
        *splits_without_root += t.split.splits_without_root;
        trial_free(&t);
    }
}

TEST(m02_m03_splitting_conserves_and_separates_for_any_velocity)
{
    const double alphas[] = {0.0, 0.5, 1.0};
    size_t roots = 0, splits_without_root = 0;
    for (int k = 0; k < 3; k++)
        split_and_check(alphas[k], 0.0, ROOTS_TAKEN, 6.0, 1000, &roots, &splits_without_root);
    check(roots > 5000 && splits_without_root > 5000); /* both cases were tried */
    measured_conservation("M02");
    measured("M02.splits_with_root", (double)roots);
    measured("M02.splits_without_root", (double)splits_without_root);
    measured("M03.approach", worst.approach);
}

TEST(m02_m07_energy_of_synchronizing_goes_back_at_the_root)
{
    size_t roots = 0, splits_without_root = 0;
    split_and_check(1.0, 1.0, ROOTS_TAKEN, 6.0, 500, &roots, &splits_without_root);
    split_and_check(0.3, 0.7, ROOTS_TAKEN, 2.0, 500, &roots, &splits_without_root);
    split_and_check(0.0, 1.0, ROOTS_TAKEN, 2.0, 500, &roots, &splits_without_root);
    check(roots > 1000 && splits_without_root > 1000);
    measured_conservation("M07.returned");
}

/* A group whose members [0, first) one system moves with velocity a and the others another with b;
 * joined by MS 17 into t->velocity, with the energy of MS 19 in t->extra. Returns the momentum
 * and the energy that the two systems found, by MS 18: each for its own members. */
static struct totals join_two_systems(struct trial *t, size_t first, struct vec3 a, struct vec3 b)
{
    size_t n = t->p.n;
    const size_t owned[] = {0, first, n};
    const struct owners owners = {2, owned};
    struct motion motion;
    struct synchronize_report report;
    struct error error;
    if (motion_create_for_several(&motion, n, &error))
        abort();
    for (size_t i = 0; i < n; i++) {
        motion.before[i] = t->velocity[i];
        motion.own_after[i] = motion.own_mean[i] = i < first ? a : b;
    }
    struct totals found = totals(&t->p, motion.own_after);
    synchronize_groups(synchronization_of(SYNCHRONIZATION_AVERAGE), &t->groups, &t->p, &owners,
                       1e-3, &motion, t->extra, &report);
    memcpy(t->velocity, motion.after, n * sizeof *t->velocity);
    motion_free(&motion);
    return found;
}

/* Two integrators disagree about a group; with alpha = beta = 1 the particles end with the momentum
 * that the meta-particle had before splitting, which is that of the two systems, with the mean of
 * their two kinetic energies, and with all that merging stored. */
TEST(m07_two_integrators_lose_neither_momentum_nor_energy)
{
    for (int round = 0; round < 1000; round++) {
        size_t n = 2 + below(30), first = 1 + below(n - 1);
        struct trial t = trial_create(n, 3.0);
        trial_connect(&t);
        trial_merge(&t, 64, 64, 1);
        struct vec3 a = vec3_add(t.velocity[0], normal_vector(1.0));
        struct vec3 b = vec3_add(t.velocity[0], normal_vector(1.0));
        struct totals found = join_two_systems(&t, first, a, b);
        struct totals merged = totals(&t.p, t.velocity);
        double stored = stored_energy(&t.forest);
        split_forest(&t.forest, &ALL_BACK, t.extra, t.velocity, &t.split);
        struct totals after = totals(&t.p, t.velocity);
        check_momentum(found, merged);
        check_momentum(merged, after);
        check_energy(after.energy, found.energy + stored, after.energy);
        check_energy(t.split.energy_out, after.energy - merged.energy, after.energy);
        trial_free(&t);
    }
    measured_conservation("M07");
}

/* Fixed particles have infinite mass: they keep their velocity exactly, their mass entry is never
 * read, and the free ones of a held group share what all of them had (relative to the support). */
static void hold_and_check(enum use_of_roots use)
{
    for (int round = 0; round < 3000; round++) {
        size_t n = 2 + below(63), held = below(n);
        struct trial t = trial_create(n, 6.0 * uniform());
        trial_connect(&t);
        t.p.state[held] = 1;
        t.p.velocity[held] = vec3(0.0, 0.0, 0.0);
        t.p.mass[held] = round % 2 ? (double)NAN : 1e-9;
        struct totals before = totals(&t.p, t.p.velocity);
        trial_merge(&t, 64, 64, 1);
        check_equal(t.groups.n_groups, 1, "groups");
        double scale = 1.0;
        for (size_t i = 0; i < n; i++) {
            check(t.groups.fixed[i] == 1);
            check(vec3_norm(t.velocity[i]) == 0.0); /* exactly: a limit, not a large number */
        }
        double stored = stored_energy(&t.forest), alpha = round % 3 ? 1.0 : 0.4;
        check_close(stored, before.energy, TOLERANCE * before.energy, "energy stored");
        const struct split_rule rule = {alpha, 1.0, use};
        split_forest(&t.forest, &rule, NULL, t.velocity, &t.split);
        struct totals after = totals(&t.p, t.velocity);
        check(vec3_norm(t.velocity[held]) == 0.0);
        check_energy(after.energy, alpha * before.energy, before.energy);
        check_energy(t.split.energy_out, after.energy, before.energy);
        check_separation(&t.forest, &scale);
        trial_free(&t);
    }
}

TEST(m01_m02_m03_groups_held_by_a_fixed_particle)
{
    hold_and_check(ROOTS_TAKEN);
    measured("M02.held.energy", worst.energy);
    measured("M03.held.approach", worst.approach);
}

/* Any point of the sphere of MS 10 conserves both, and those of its circle across n separate. */
TEST(m50_splitting_conserves_and_separates_where_real_roots_are_ignored)
{
    const double alphas[] = {0.0, 0.5, 1.0};
    size_t roots = 0, splits = 0;
    for (int k = 0; k < 3; k++)
        split_and_check(alphas[k], 0.0, ROOTS_IGNORED, 6.0, 1000, &roots, &splits);
    split_and_check(0.3, 0.7, ROOTS_IGNORED, 2.0, 500, &roots, &splits);
    check(roots == 0 && splits > 50000);
    hold_and_check(ROOTS_IGNORED);
    measured_conservation("M50");
    measured("M50.splits", (double)splits);
    measured("M50.approach", worst.approach);
}

/* Two layers of a square lattice meet face to face at speed one, with some noise; every particle
 * touches up to four of the other layer. */
static struct trial layers(size_t side)
{
    size_t layer = side * side;
    struct trial t = trial_create(2 * layer, 0.0);
    for (size_t i = 0; i < 2 * layer; i++) {
        double up = i < layer ? 0.0 : 1.0;
        struct vec3 place =
            vec3((double)(i % side) + 0.5 * up, (double)(i % layer / side) + 0.5 * up, 0.65 * up);
        t.p.position[i] = vec3_add(place, normal_vector(0.02));
        t.p.velocity[i] = vec3_add(vec3(0.0, 0.0, 0.5 - up), normal_vector(0.02));
    }
    for (uint32_t i = 0; i < layer; i++)
        for (uint32_t j = (uint32_t)layer; j < 2 * layer; j++) {
            struct vec3 x = vec3_sub(t.p.position[j], t.p.position[i]);
            if (vec3_norm(x) < 1.0 && vec3_dot(x, vec3_sub(t.p.velocity[j], t.p.velocity[i])) < 0.0)
                trial_add_pair(&t, i, j);
        }
    return t;
}

/* Merges and splits in two orders. Whatever the order, the meta-particles, the stored energy and
 * the sums after splitting are the same; what differs are the members' own velocities. Adds the
 * squares of that difference and of the velocities' spread around the meta-particle's. */
static void compare_orders(struct trial *t, double *difference2, double *spread2)
{
    size_t n = t->p.n;
    struct vec3 *whole = calloc(n, sizeof *whole), *first = calloc(n, sizeof *first);
    trial_merge(t, 64, SCENE_UNLIMITED, 1);
    memcpy(whole, t->velocity, n * sizeof *whole);
    double stored = stored_energy(&t->forest);
    split_forest(&t->forest, &ALL_BACK, NULL, t->velocity, &t->split);
    struct totals one = totals(&t->p, t->velocity);
    memcpy(first, t->velocity, n * sizeof *first);
    shuffle_pairs(t);
    trial_merge(t, 64, SCENE_UNLIMITED, 1);
    for (size_t i = 0; i < n; i++)
        check_close(vec3_norm(vec3_sub(t->velocity[i], whole[i])), 0.0, TOLERANCE,
                    "velocity of the meta-particle");
    check_close(stored_energy(&t->forest), stored, TOLERANCE * stored, "stored energy");
    split_forest(&t->forest, &ALL_BACK, NULL, t->velocity, &t->split);
    struct totals two = totals(&t->p, t->velocity);
    check_momentum(one, two);
    check_close(two.energy, one.energy, TOLERANCE * one.energy, "energy");
    for (size_t i = 0; i < n; i++) {
        *difference2 += t->p.mass[i] * vec3_norm2(vec3_sub(t->velocity[i], first[i]));
        *spread2 += t->p.mass[i] * vec3_norm2(vec3_sub(first[i], whole[i]));
    }
    free(whole);
    free(first);
}

/* How far the velocities differ between two orders, over their spread, root mean square. */
static void measured_order(const char *what, size_t n, double difference2, double spread2)
{
    char name[32];
    snprintf(name, sizeof name, "M06.%s-%zu", what, n);
    measured(name, sqrt(difference2 / spread2));
}

TEST(m06_order_of_merging)
{
    enum { CASES = 300 };
    const size_t sizes[] = {2, 3, 8, 32}, sides[] = {2, 4};
    for (int k = 0; k < 4; k++) {
        double difference2 = 0.0, spread2 = 0.0;
        for (int round = 0; round < CASES; round++) {
            struct trial t = trial_create(sizes[k], 1.0);
            trial_connect(&t);
            compare_orders(&t, &difference2, &spread2);
            trial_free(&t);
        }
        measured_order("random", sizes[k], difference2, spread2);
        if (sizes[k] == 2)
            check_close(difference2, 0.0, 0.0, "the only order there is");
    }
    for (int k = 0; k < 2; k++) {
        double difference2 = 0.0, spread2 = 0.0;
        for (int round = 0; round < CASES; round++) {
            struct trial t = layers(sides[k]);
            check(t.pairs.n > t.p.n / 4);
            compare_orders(&t, &difference2, &spread2);
            trial_free(&t);
        }
        measured_order("layers", sides[k] * sides[k], difference2, spread2);
    }
}
