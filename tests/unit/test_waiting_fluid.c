/* Fluid that waits upstream of an inlet is left out of a step, and does not affect free fluid. */
#include "particles/random.h"
#include "sph/sph_present.h"
#include "systems/sph/sph_parts.h"
#include "tap.h"

#include <omp.h>
#include <string.h>

enum { ALONG = 40, ACROSS = 6, ALL = ALONG * ACROSS * ACROSS };

static const double R = 0.01; /* m */

struct jet {
    struct particles particles;
    struct groups groups;
    struct sph *sph;
};

/* A compressed, shaken column along x. It is prescribed from x = 12 layers on if `side` is 1, and
 * the same mirrored if it is -1, so that the waiting end is at the low side. */
static void jet_create(struct jet *jet, double side)
{
    const struct fluid fluid = {
        .radius = R, .mass = 8e-3, .stiffness = 2e4, .viscosity = 0.02, .support = 2.0};
    struct error error;
    struct system *system = NULL;
    *jet = (struct jet){0};
    if (particles_create(&jet->particles, ALL, &error))
        abort();
    for (size_t i = 0; i < ALL; i++) {
        struct vec3 place =
            vec3((double)(i % ALONG), (double)(i / ALONG % ACROSS), (double)(i / ALONG / ACROSS));
        struct vec3 shake = vec3(random_uniform(3, 0, i, RANDOM_JITTER_X) - 0.5,
                                 random_uniform(3, 0, i, RANDOM_JITTER_Y) - 0.5,
                                 random_uniform(3, 0, i, RANDOM_JITTER_Z) - 0.5);
        struct vec3 x = vec3_scale(1.9 * R, vec3_axpy(place, 0.4, shake));
        jet->particles.position[i] = vec3(side * x.x, x.y, x.z);
        jet->particles.velocity[i] = shake;
        jet->particles.mass[i] = fluid.mass;
        jet->particles.radius[i] = R;
        jet->particles.state[i] = i % ALONG < 12 ? PARTICLE_FREE : PARTICLE_PRESCRIBED;
    }
    if (groups_create(&jet->groups, &jet->particles, &error) ||
        sph_create(&system, &fluid, NULL, 0, ALL, &error))
        abort();
    jet->sph = (struct sph *)system;
}

static void jet_free(struct jet *jet)
{
    sph_class.free(&jet->sph->system);
    groups_free(&jet->groups);
    particles_free(&jet->particles);
}

/* The forces with the waiting fluid, and those of a step, which leaves it out. */
struct forces {
    struct vec3 with[2][ALL], without[2][ALL]; /* all, viscous */
};

static void keep_forces(const struct sph *sph, struct vec3 all[ALL], struct vec3 viscous[ALL])
{
    memcpy(all, sph->force, ALL * sizeof *all);
    for (size_t i = 0; i < ALL; i++)
        viscous[i] = vec3((double)sph->drag[i].x, (double)sph->drag[i].y, (double)sph->drag[i].z);
}

static double find_forces(struct jet *jet, struct forces *f)
{
    struct error error;
    double dt;
    struct sph *sph = jet->sph;
    check_equal(sph_find_densities(sph, &jet->particles, HUGE_VAL, &error), STATUS_OK, "all");
    check_equal(sph->neighbors.grid.n, ALL, "particles that take part");
    sph_find_forces(sph);
    keep_forces(sph, f->with[0], f->with[1]);
    check_equal(sph_class.limit(&sph->system, &jet->particles, &dt, &error), STATUS_OK, "limit");
    keep_forces(sph, f->without[0], f->without[1]);
    return dt;
}

/* The largest difference of forces on free particles over the largest force. */
static double difference(const struct jet *jet, const struct forces *f)
{
    double difference = 0.0, largest = 0.0;
    for (size_t i = 0; i < ALL; i++)
        for (size_t k = 0; k < 2 && jet->particles.state[i] == PARTICLE_FREE; k++) {
            largest = fmax(largest, vec3_norm(f->with[k][i]));
            difference = fmax(difference, vec3_norm(vec3_sub(f->with[k][i], f->without[k][i])));
        }
    return difference / largest;
}

/* To the bit where the waiting end does not move the corner of the cells; else neighbors are
 * summed in another order, and a pressure that follows may be rounded to the next number in single
 * precision, whose relative distance is at most 1.2e-7. */
TEST(free_fluid_does_not_notice_what_waits)
{
    static struct forces f;
    for (int side = -1; side <= 1; side += 2) {
        struct jet jet;
        jet_create(&jet, side);
        double dt = find_forces(&jet, &f);
        size_t waiting = ALL - jet.sph->neighbors.grid.n;
        printf("# side %d: %zu of %d wait, difference %.1e\n", side, waiting, ALL,
               difference(&jet, &f));
        /* 28 layers are prescribed; 4 r see two layers and a bit, twice that five */
        check(waiting >= 22 * ACROSS * ACROSS && waiting <= 24 * ACROSS * ACROSS);
        check(dt > 0.0 && isfinite(dt));
        check(difference(&jet, &f) <= (side > 0 ? 0.0 : 1.2e-7));
        jet_free(&jet);
    }
}

/* Pairs pull at both of their ends or at none, so that momentum is conserved, and no force of an
 * earlier step is left on what waits. */
TEST(forces_that_are_left_add_up_to_nothing)
{
    static struct forces f;
    struct jet jet;
    jet_create(&jet, 1);
    find_forces(&jet, &f);
    struct vec3 sum = {0.0, 0.0, 0.0};
    double size = 0.0;
    for (size_t i = 0; i < ALL; i++) {
        sum = vec3_add(sum, f.without[0][i]);
        size += vec3_norm(f.without[0][i]);
    }
    check(size > 0.0);
    check_close(vec3_norm(sum) / size, 0.0, 1e-14, "sum of forces");
    for (size_t k = jet.sph->neighbors.grid.n; k < ALL; k++) {
        uint32_t i = jet.sph->neighbors.present[k];
        check(vec3_norm(f.with[0][i]) > 0.0);
        check_close(vec3_norm(f.without[0][i]) + vec3_norm(f.without[1][i]), 0.0, 0.0, "force");
    }
    jet_free(&jet);
}

/* Frames show the densities of all fluid, what waits included. */
TEST(an_evaluation_leaves_nobody_out)
{
    static double all[ALL], step[ALL];
    struct jet jet;
    struct error error;
    double dt;
    jet_create(&jet, 1);
    check_equal(sph_class.limit(&jet.sph->system, &jet.particles, &dt, &error), STATUS_OK, "limit");
    sph_densities(&jet.sph->system, step);
    check_equal(sph_evaluate(&jet.sph->system, &jet.particles, &error), STATUS_OK, "evaluate");
    sph_densities(&jet.sph->system, all);
    size_t waiting = 0;
    for (size_t i = 0; i < ALL; i++) {
        check(all[i] > 300.0);
        waiting += step[i] == 0.0;
        if (jet.particles.state[i] == PARTICLE_FREE)
            check_close(step[i], all[i], 0.0, "density");
    }
    check(waiting > 0);
    jet_free(&jet);
}

/* By the definition, for a cloud in which all states are mixed. */
TEST(who_takes_part_is_as_defined)
{
    enum { N = 500 };
    static struct vec3 x[N];
    static uint8_t state[N];
    static uint32_t order[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = vec3(random_uniform(7, 1, i, RANDOM_TEST), random_uniform(7, 2, i, RANDOM_TEST),
                    random_uniform(7, 3, i, RANDOM_TEST));
        bool inside = fmax(fmax(fabs(x[i].x - 0.5), fabs(x[i].y - 0.5)), fabs(x[i].z - 0.5)) < 0.2;
        state[i] = i % 9 == 4 ? PARTICLE_GONE
                   : !inside  ? PARTICLE_PRESCRIBED
                   : i % 2    ? PARTICLE_FREE
                              : PARTICLE_FIXED;
    }
    const double margins[] = {0.0, 0.1, HUGE_VAL};
    for (size_t k = 0; k < 3; k++) {
        size_t n = sph_present_find(N, x, state, margins[k], order), expected = 0;
        bool listed[N] = {false};
        for (size_t i = 0; i < N; i++) {
            struct vec3 low = {1.0, 1.0, 1.0}, high = {0.0, 0.0, 0.0};
            for (size_t j = 0; j < N; j++)
                if (state[j] == PARTICLE_FREE || state[j] == PARTICLE_FIXED) {
                    low = vec3(fmin(low.x, x[j].x), fmin(low.y, x[j].y), fmin(low.z, x[j].z));
                    high = vec3(fmax(high.x, x[j].x), fmax(high.y, x[j].y), fmax(high.z, x[j].z));
                }
            double far = fmax(
                fmax(fmax(low.x - x[i].x, x[i].x - high.x), fmax(low.y - x[i].y, x[i].y - high.y)),
                fmax(low.z - x[i].z, x[i].z - high.z));
            bool present = state[i] != PARTICLE_GONE && far <= margins[k];
            check(present == (expected < n && order[expected] == i));
            expected += present;
        }
        check_equal(n, expected, "how many");
        for (size_t i = 0; i < N; i++) {
            check(!listed[order[i]]);
            listed[order[i]] = true;
        }
        printf("# margin %g: %zu of %d\n", margins[k], n, N);
        check(n > 20 && n < N);
    }
    memset(state, PARTICLE_FREE, sizeof state);
    check_equal(sph_present_find(N, x, state, 0.1, order), N, "all");
    memset(state, PARTICLE_PRESCRIBED, sizeof state);
    check_equal(sph_present_find(N, x, state, 0.1, order), 0, "nobody is free");
}

TEST(a_place_that_is_no_number_takes_part)
{
    struct vec3 x[3] = {{0.0, 0.0, 0.0}, {9.0, 0.0, 0.0}, {9.0, 0.0, 0.0}};
    uint8_t state[3] = {PARTICLE_FREE, PARTICLE_PRESCRIBED, PARTICLE_PRESCRIBED};
    uint32_t order[3];
    x[1].y = (double)NAN;
    check_equal(sph_present_find(3, x, state, 1.0, order), 2, "how many");
    check(order[0] == 0 && order[1] == 1 && order[2] == 2);
}
