/* Scenes made by hand for contact.method: position-based. */
#ifndef TESTS_POSITION_SCENES_H
#define TESTS_POSITION_SCENES_H

#include "scenes.h"
#include "schemes/position_based.h"

static const double G = 10.0; /* m/s^2 */

static inline void begin(struct hand_scene *h, uint32_t iterations, enum way_of_averaging averaging)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_POSITION_BASED;
    h->scene.time.courant = 100.0;
    h->scene.position = (struct position_settings){
        .iterations = iterations, .omega = 1.0, .averaging = averaging, .stiffness = BONDS_RIGID};
}

static inline struct vec3 unbalanced(const struct ledger_row *row)
{
    return vec3(ledger_value(row, "unbalanced_impulse_x"),
                ledger_value(row, "unbalanced_impulse_y"),
                ledger_value(row, "unbalanced_impulse_z"));
}

static inline struct wall floor_at(double z)
{
    return (struct wall){.name = "floor",
                         .region = {.shape = {.kind = SHAPE_BOX, .size = {4.0, 4.0, 1.0}},
                                    .position = {0.0, 0.0, z - 0.5},
                                    .rotation = UPRIGHT},
                         .keep = KEEP_OUTSIDE,
                         .holds = HOLDS_ALL};
}

static inline size_t add_rigid(struct hand_scene *h)
{
    const union hand_parameters parameters = {.rigid = {.stiffness = 1.0}};
    return add_material(h, &rigid_model, parameters);
}

#endif
