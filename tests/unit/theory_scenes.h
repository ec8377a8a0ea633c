/* Scenes of which the theory of contact.method: position-based says what steps do. */
#ifndef TESTS_THEORY_SCENES_H
#define TESTS_THEORY_SCENES_H

#include "scenes.h"
#include "schemes/position_based.h"

static const double G = 9.81; /* m/s^2 */

static inline void begin(struct hand_scene *h, uint32_t iterations, double dt)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_POSITION_BASED;
    h->scene.time.courant = 1000.0;
    h->scene.time.max_step = dt;
    h->scene.position = (struct position_settings){.iterations = iterations,
                                                   .omega = 1.0,
                                                   .averaging = AVERAGING_PARTICLE,
                                                   .stiffness = BONDS_RIGID};
}

static struct wall ground = {.name = "floor",
                             .region = {.shape = {.kind = SHAPE_BOX, .size = {40.0, 40.0, 1.0}},
                                        .position = {0.0, 0.0, -0.5},
                                        .rotation = UPRIGHT},
                             .keep = KEEP_OUTSIDE,
                             .holds = HOLDS_ALL};

static inline void add_ground(struct hand_scene *h)
{
    h->scene.n_walls = 1;
    h->scene.wall = &ground;
}

static inline void add_gravity(struct hand_scene *h)
{
    h->scene.gravity = vec3(0.0, 0.0, -G);
}

static inline size_t add_rigid(struct hand_scene *h)
{
    return add_material(h, &rigid_model, (union hand_parameters){.rigid = {.stiffness = 1.0}});
}

static inline void report(double value, const char *format, double a, double b)
{
    char name[80];
    snprintf(name, sizeof name, format, a, b);
    measured(name, value);
}

static inline void leave(struct hand_scene *h, struct simulation *s)
{
    simulation_free(s);
    hand_scene_end(h);
}

#endif
