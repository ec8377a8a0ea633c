/* Springs of a body whose particles are the vertices of a surface: one of the stretch constant
 * along each edge of its triangles, and one of the bend constant across it, between the third
 * vertices of the two triangles there. None is a shear spring: triangles cannot shear without
 * stretching. */
#ifndef SYSTEMS_BONDS_BOND_SURFACE_H
#define SYSTEMS_BONDS_BOND_SURFACE_H

#include "systems/bonds/bond_network_parts.h"

/* Indices into the kinds of a mass-spring rule (bond_rules.h). */
enum { SPRING_STRETCH, SPRING_SHEAR, SPRING_BEND };

struct surface_spring {
    uint32_t i, j; /* i < j */
    int spring;    /* along an edge or across one; along, if both */
};

/* The springs of a surface, ascending by (i, j), which the caller owns. */
enum status surface_springs_create(struct surface_spring **spring, size_t *n,
                                   const struct sheet *sheet, struct error *error);

/* The triangles of a body at vertices, which must be among those of the setting. */
enum status surface_find(const struct sheet **sheet, const struct system_setting *setting,
                         uint32_t body, struct error *error);

/* Whether bodies of the material can be these particles: see struct material_model. */
enum status surface_check_body(const struct body *body, const struct material *material,
                               const struct sheet *surface, struct error *error);

/* Finds the bodies whose material gives them a volume: net->inflated and n_inflated. */
enum status bond_inflated_create(struct bond_network *net, const struct system_setting *setting,
                                 struct error *error);

/* Adds the volumes that the network's bodies keep as long as no spring along an edge breaks. */
enum status bond_inflated_constrain(const struct bond_network *net,
                                    const struct particles *particles, struct constraint_set *set,
                                    struct error *error);

#endif
