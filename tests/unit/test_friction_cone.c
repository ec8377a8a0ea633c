/* The nearest impulse that Coulomb's law allows: against a search over the cone, and its changes
 * against differences. */
#include "particles/random.h"
#include "solvers/friction_cone.h"
#include "tap.h"

static double draw(uint64_t seed, uint64_t index, double most)
{
    return most * (2.0 * random_uniform(seed, 3, index, RANDOM_TEST) - 1.0);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2.0) + pow(a[1] - b[1], 2.0) + pow(a[2] - b[2], 2.0));
}

static bool allowed(struct friction_cone cone, const double y[3], double slack)
{
    return y[0] >= -slack && hypot(y[1], y[2]) <= cone.mu * (y[0] + cone.pressed) + slack;
}

/* Cones with and without friction, of contacts that something else presses or not. */
static struct friction_cone cone_of(uint64_t seed)
{
    return (struct friction_cone){seed % 4 == 0 ? 0.0 : 0.3 * (double)(seed % 5),
                                  seed % 3 == 0 ? 0.0 : 0.5};
}

TEST(no_allowed_impulse_is_nearer)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct friction_cone cone = cone_of(seed);
        double y[3] = {draw(seed, 0, 2.0), draw(seed, 1, 1.0), draw(seed, 2, 1.0)};
        struct cone_place place = friction_cone_nearest(cone, y);
        check(allowed(cone, place.impulse, 1e-15));
        for (uint64_t k = 0; k < 200; k++) {
            double step = pow(10.0, -(double)(k % 4)), other[3];
            for (uint64_t d = 0; d < 3; d++)
                other[d] = place.impulse[d] + draw(seed, 3 + 3 * k + d, step);
            if (allowed(cone, other, 0.0))
                check(distance(y, other) >= distance(y, place.impulse) - 1e-15);
        }
    }
}

/* The derivative in a direction that `part`, `d` and `across` describe. */
static void predict(struct friction_cone cone, const struct cone_place *place, const double y[3],
                    double to[3])
{
    double along = place->d[0] * y[1] + place->d[1] * y[2];
    double across = place->d[0] * y[2] - place->d[1] * y[1];
    double edge =
        place->part == CONE_SIDE ? (y[0] + cone.mu * along) / (1.0 + cone.mu * cone.mu) : 0.0;
    to[0] = place->part == CONE_INSIDE ? y[0] : edge;
    for (int k = 0; k < 2; k++) {
        double turned = k == 0 ? -place->d[1] : place->d[0];
        to[1 + k] = place->part == CONE_INSIDE || place->part == CONE_FLOOR
                        ? y[1 + k]
                        : cone.mu * edge * place->d[k] + place->across * across * turned;
    }
}

TEST(changes_are_those_of_its_part)
{
    static const double little = 1e-7;
    size_t seen[5] = {0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct friction_cone cone = cone_of(seed);
        double y[3], way[3], other[3], change[3];
        for (uint64_t d = 0; d < 3; d++) {
            y[d] = draw(seed, d, d == 0 ? 2.0 : 1.0);
            way[d] = draw(seed, 3 + d, 1.0);
            other[d] = y[d] + little * way[d];
        }
        struct cone_place place = friction_cone_nearest(cone, y);
        struct cone_place next = friction_cone_nearest(cone, other);
        seen[place.part]++;
        if (next.part != place.part)
            continue;
        predict(cone, &place, way, change);
        for (int d = 0; d < 3; d++)
            check_close((next.impulse[d] - place.impulse[d]) / little, change[d], 1e-5, "change");
    }
    for (int k = 0; k < 5; k++)
        check(seen[k] > 20);
}

TEST(an_allowed_impulse_stays)
{
    struct friction_cone cone = {0.5, 0.0};
    const double y[3] = {2.0, 0.6, -0.8};
    struct cone_place place = friction_cone_nearest(cone, y);
    check_equal(place.part, CONE_INSIDE, "part");
    check(distance(place.impulse, y) == 0.0);
}
