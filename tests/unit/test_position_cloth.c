/* Cloth whose particles are farther apart than contacts reach: from which spacing on others fall
 * through it (UPP, Section 8). Values that claims are
 * about. */
#include "theory_scenes.h"

enum { SIDE = 13, FALLING = 7 };

static const double SPACING = 0.1;

/* Adds a sheet of n x n particles, rods apart from springs of no length but their own; its
 * particles are smaller than those that it was made of by `ratio`, spacing over contact distance.
 */
static void add_cloth(struct hand_scene *h, size_t material, int n, double ratio, double turn,
                      double z)
{
    const size_t first = h->particles.n;
    const uint32_t b = add_body(h, material, 0.5 * SPACING, 0.01);
    h->body[b].self_contact = SELF_CONTACT_IGNORED;
    for (int i = 0; i < n * n; i++) {
        const double x = SPACING * (i % n - n / 2), y = SPACING * (i / n - n / 2);
        add_particle(h, vec3(cos(turn) * x - sin(turn) * y, sin(turn) * x + cos(turn) * y, z),
                     vec3(0.0, 0.0, 0.0));
        h->particles.radius[first + (size_t)i] = 0.5 * SPACING / ratio;
    }
}

/* Adds grains in layers, one spacing of the cloth apart and shifted at random by less. */
static void add_grains(struct hand_scene *h, double radius)
{
    const double most = fmax(0.5 * (SPACING - 2.0 * radius), 0.0);
    add_body(h, add_loose(h), radius, 0.001);
    for (uint64_t i = 0; i < 100; i++) {
        const double shift[2] = {most * (2.0 * random_uniform(1, 0, 2 * i, RANDOM_TEST) - 1.0),
                                 most * (2.0 * random_uniform(1, 0, 2 * i + 1, RANDOM_TEST) - 1.0)};
        const struct vec3 at = {(double)(i % 5), (double)(i / 5 % 5), (double)(i / 25)};
        add_particle(h,
                     vec3(SPACING * (at.x - 2.0 + 0.3 * at.z) + shift[0],
                          SPACING * (at.y - 2.0 + 0.3 * at.z) + shift[1],
                          0.15 + 1.5 * SPACING * at.z),
                     vec3(0.0, 0.0, -1.0));
    }
}

/* Whether the point is a spacing lower than that of the cloth's particles, the first n, which is
 * nearest to it seen from above; not if it is beside the cloth. */
static bool is_below(const struct particles *p, size_t n, struct vec3 at)
{
    double nearest = (double)INFINITY, height = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double far = hypot(p->position[i].x - at.x, p->position[i].y - at.y);
        if (far < nearest)
            nearest = far, height = p->position[i].z;
    }
    return nearest < SPACING && at.z < height - SPACING;
}

/* On a cloth that is held at its rim grains fall, or a smaller cloth; returns how many of their
 * particles are below it in the end. */
static double drop(double ratio, bool grains)
{
    struct hand_scene h;
    struct simulation s;
    const double radius = 0.5 * SPACING / ratio;
    begin(&h, 16, fmin(2e-3, 0.25 * radius));
    add_gravity(&h);
    const size_t cloth = add_springs(&h, 1e4, 1e4, 0.0, 0.0);
    add_cloth(&h, cloth, SIDE, ratio, 0.0, 0.0);
    for (int i = 0; i < SIDE * SIDE; i++)
        if (i % SIDE == 0 || i % SIDE == SIDE - 1 || i / SIDE == 0 || i / SIDE == SIDE - 1)
            h.particles.state[i] = PARTICLE_FIXED;
    const size_t falling = h.particles.n;
    if (grains)
        add_grains(&h, radius);
    else
        add_cloth(&h, cloth, FALLING, ratio, 0.5, 0.15);
    start(&h, &s);
    while (s.time < 0.6)
        step_once(&s);
    double below = 0.0;
    for (size_t i = falling; i < s.particles.n; i++)
        below += is_below(&s.particles, falling, s.particles.position[i]);
    leave(&h, &s);
    return below;
}

/* A grain rests on four particles that are less than sqrt(2) contact distances apart. */
TEST(cloth_lets_others_through_if_its_particles_are_far_apart)
{
    static const double ratio[] = {1.0, 1.2, 1.4, 1.6, 2.0, 3.0};
    for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++) {
        const double grains = drop(ratio[k], true);
        report(grains, "UPP.cloth.grains.%g", ratio[k], 0);
        report(drop(ratio[k], false), "UPP.cloth.cloth.%g", ratio[k], 0);
        check((ratio[k] > sqrt(2.0)) == (grains > 0.0) || ratio[k] == 1.4);
    }
}
