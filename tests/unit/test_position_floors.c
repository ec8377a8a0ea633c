/* Floors of fixed particles and of planes under position-based steps (Section 9 of Unified Particle
 * Physics: particles are a poor choice for large walls). Values that claims are about. */
#include "theory_scenes.h"

/* A layer of grains, or one, on a floor of fixed particles as large as they are, 2 r apart, or on a
 * plane; without friction. */
static void begin_floor(struct hand_scene *h, bool of_particles, int grains, struct vec3 velocity)
{
    static const double r = 0.05;
    const size_t loose = add_loose(h);
    if (of_particles) {
        add_body(h, loose, r, 1.0);
        const size_t first = h->particles.n;
        add_block(h, 40, 12, 1, vec3(-0.5, -0.5, -r), vec3(0.0, 0.0, 0.0));
        for (size_t i = first; i < h->particles.n; i++)
            h->particles.state[i] = PARTICLE_FIXED;
    } else
        add_ground(h);
    add_body(h, loose, r, 1.0);
    add_block(h, grains, grains, 1, vec3(0.0, 0.0, r), velocity);
}

/* A grain that slides over a floor: the range of its height, in radii, and how much of its speed is
 * left after 0.5 s. */
static void slide(bool of_particles, double *range, double *left)
{
    struct hand_scene h;
    struct simulation s;
    double least = (double)INFINITY, most = -(double)INFINITY;
    begin(&h, 4, 1.0 / 240.0);
    add_gravity(&h);
    begin_floor(&h, of_particles, 1, vec3(1.0, 0.0, 0.0));
    start(&h, &s);
    const size_t grain = s.particles.n - 1;
    for (int k = 0; k < 120; k++) {
        step_once(&s);
        least = fmin(least, s.particles.position[grain].z);
        most = fmax(most, s.particles.position[grain].z);
    }
    *range = (most - least) / 0.05;
    *left = s.particles.velocity[grain].x;
    leave(&h, &s);
}

/* Pairs that the steps of a layer at rest look at, for each of its grains. */
static double pairs_of_layer(bool of_particles)
{
    enum { EDGE = 8, STEPS = 20 };
    struct hand_scene h;
    struct simulation s;
    double sum = 0.0;
    begin(&h, 4, 1.0 / 240.0);
    add_gravity(&h);
    begin_floor(&h, of_particles, EDGE, vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (int k = 0; k < STEPS; k++) {
        step_once(&s);
        sum += (double)((struct position_based *)s.scheme)->near.list.n;
    }
    leave(&h, &s);
    return sum / (EDGE * EDGE * STEPS);
}

TEST(floors_of_particles_are_rough_and_dear)
{
    double range[2], left[2];
    for (int of_particles = 0; of_particles < 2; of_particles++) {
        slide(of_particles, &range[of_particles], &left[of_particles]);
        measured(of_particles ? "UPP.floor.particles.range" : "UPP.floor.plane.range",
                 range[of_particles]);
        measured(of_particles ? "UPP.floor.particles.left" : "UPP.floor.plane.left",
                 left[of_particles]);
    }
    const double plane = pairs_of_layer(false), particles = pairs_of_layer(true);
    measured("UPP.floor.plane.pairs", plane);
    measured("UPP.floor.particles.pairs", particles);
    check(range[0] < 1e-9 && range[1] > 0.1);
    check(fabs(left[0] - 1.0) < 1e-12);
    check(particles > plane);
}
