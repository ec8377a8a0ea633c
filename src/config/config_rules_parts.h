/* Functions that the files of rules share. */
#ifndef CONFIG_CONFIG_RULES_PARTS_H
#define CONFIG_CONFIG_RULES_PARTS_H

#include "config/config_tree.h"

#include <string.h>

/* The value of a key, or NULL if it is absent or faulty: then there is nothing to compare. */
static inline const struct node *sound(const struct node *mapping, const char *key)
{
    const struct node *value = mapping ? node_get(mapping, key) : NULL;
    return value && !value->faulty ? value : NULL;
}

static inline bool is_word(const struct node *value, const char *word)
{
    return value && strcmp(value->text, word) == 0;
}

static inline bool is_zero(const struct node *vector)
{
    for (size_t i = 0; i < vector->n; i++)
        if (vector->entry[i].value->number != 0.0)
            return false;
    return true;
}

/* config_rules_shape.c: the measures of a shape must fit together; a region of space must be a
 * solid that needs no file. A wall may be a mesh, but not have one as a part: a distance from a
 * union or a difference is exact only without. */
void rule_shape(struct reading *reading, const struct node *shape, const struct place *place);
void rule_region(struct reading *reading, const struct node *shape, const struct place *place);
void rule_wall(struct reading *reading, const struct node *shape, const struct place *place);

/* config_rules_motion.c: fixed particles must not move. */
void rule_fixed(struct reading *reading, const struct node *body, const struct place *place);
/* The key of a motion that a body has beside its velocity, "spin" or "velocity_gradient"; NULL:
 * none. */
const char *body_turning(const struct node *body);

/* config_rules_parts.c: the model of a body's material; NULL if there is none, or if other faults
 * hide it. */
const struct material_model *rule_model_of(const struct node *root, const struct node *body);
/* Whether the material of a body is that of a fluid. */
bool rule_body_flows(const struct node *root, const struct node *body);
/* Whether a body is a fluid, or may be one while other faults hide its model. */
bool rule_any_fluid(const struct node *root);
/* The traits of contact.method; NULL if it is faulty. */
const struct contact_traits *rule_method_traits(const struct node *root);
/* The name of the first body whose model excludes this (enum model_exclusion); NULL: none does. */
const char *rule_body_excluding(const struct node *root, unsigned what);

/* config_rules_model.c: what the models of all bodies demand of these, and what they cannot be
 * combined with. */
void rule_models(struct reading *reading, const struct node *root);
/* The strain at which bonds of a body's material break, if it has a finite one; NULL: not. */
const struct node *rule_critical_stretch(const struct node *root, const struct node *body);

/* config_rules_rigid.c: what a rigid body begins with; positions: constraints of positions hold it
 * together. */
void rule_whole(struct reading *reading, const char *name, const struct node *body, bool positions);
/* Whether rigid bodies refuse the method. */
bool rule_rigid(struct reading *reading, const struct node *root, const struct node *method);
/* "a or b": the methods to advise in place of this one, with the integrator that there is; NULL:
 * none goes with all else, if some body is rigid. */
enum { METHODS_TEXT = 96 };
const char *rule_instead(const struct node *root, const struct contact_traits *method,
                         char text[METHODS_TEXT]);
/* The same with another integrator where there is none. */
const char *rule_advice(const struct node *root, const struct contact_traits *method,
                        char text[METHODS_TEXT]);

/* config_rules_contact.c: what contact.method can be combined with. */
void rule_contact(struct reading *reading, const struct node *root);

/* config_rules_prescribed.c */
void rule_prescribed(struct reading *reading, const struct node *root, const struct node *motion,
                     const struct place *place);

/* config_rules_diffuse.c: sources of diffuse particles make some. */
void rule_diffuse(struct reading *reading, const struct node *root);
/* Whether diffuse particles drift with the wind; true if a fault hides whether they do. */
bool rule_any_drifts(const struct node *root);

#endif
