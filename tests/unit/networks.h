/* The bond network of a scene made by hand, for its tests. */
#ifndef TESTS_NETWORKS_H
#define TESTS_NETWORKS_H

#include "scenes.h"

static struct bond_network *create(struct hand_scene *h)
{
    struct system *system;
    struct error error = {0};
    if (create_network(h, &system, &error)) {
        printf("#   %s\n", error.message);
        fflush(stdout);
        _exit(1);
    }
    return (struct bond_network *)system;
}

static void destroy(struct bond_network *net)
{
    net->system.class->free(&net->system);
}

static inline double energy(struct bond_network *net, const struct particles *p)
{
    return net->system.class->potential_energy(&net->system, p);
}

/* Bodies of all three models and two radii; nobody is bonded across bodies. */
static inline void fill_mixed(struct hand_scene *h)
{
    hand_scene_begin(h);
    size_t springs = add_springs(h, 40.0, 30.0, 20.0, 0.001);
    size_t loose = add_loose(h);
    size_t near = add_peridynamics(h, 100.0, 1.5, 0.002, (double)INFINITY);
    size_t far = add_peridynamics(h, 50.0, 3.0, 0.0, (double)INFINITY);
    add_body(h, springs, 0.01, 8e-3);
    add_block(h, 5, 4, 3, vec3(0, 0, 0), vec3(0, 0, 0));
    add_body(h, loose, 0.01, 8e-3);
    add_block(h, 3, 3, 3, vec3(0.1, 0, 0), vec3(0, 0, 0));
    add_body(h, near, 0.02, 5e-3);
    add_ball(h, 0.08, vec3(0, 0.2, 0), vec3(0, 0, 0));
    add_body(h, far, 0.01, 8e-3);
    add_ball(h, 0.06, vec3(0, 0, 0.14), vec3(0, 0, 0));
}

static inline double strain_of(const struct bond_network *net, const struct vec3 *x, size_t i,
                               size_t e)
{
    return vec3_norm(vec3_sub(x[net->neighbor[e]], x[i])) / net->rest_length[e] - 1.0;
}

#endif
