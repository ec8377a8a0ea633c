/* Rules about rigid bodies: what they can be, and which contact methods go with them and with what
 * else there is. */
#include "config/config_rules_parts.h"
#include "config/contact_method.h"

#include <math.h>

/* A rigid body only moves and turns, from places that are its shape unless constraints restore it.
 */
void rule_whole(struct reading *r, const char *name, const struct node *body, bool positions)
{
    const struct node *begins = sound(body, "start");
    const char *turning = body_turning(body);
    if (is_word(begins, "scattered") && !positions)
        complain(r, begins->origin,
                 "'bodies.%s.start' is scattered, which would be the body's shape for ever; give "
                 "unstressed, or contact.method: position-based",
                 name);
    if (turning && strcmp(turning, "velocity_gradient") == 0)
        complain(r, node_get(body, turning)->origin,
                 "'bodies.%s.velocity_gradient' deforms a body, and a rigid one only turns; give "
                 "spin",
                 name);
}

/* What solver.integrator has to be, whether or not it is. */
static unsigned integrator_of(const struct node *root)
{
    const struct node *integrator = sound(sound(root, "solver"), "integrator");
    if (!integrator || rule_body_excluding(root, EXCLUDES_OTHER_INTEGRATORS))
        return INTEGRATOR_BACKWARD_EULER;
    return CHOICE_OF(INTEGRATORS, integrator->text);
}

/* The name of the first solid that an implicit solve moves; NULL: there is none. */
static const char *first_implicit(const struct node *root)
{
    const struct node *bodies = sound(root, "bodies");
    const bool verlet = integrator_of(root) == INTEGRATOR_VERLET;
    for (size_t i = 0; bodies && i < bodies->n && !verlet; i++) {
        const struct node *body = bodies->entry[i].value;
        const struct material_model *model = body->faulty ? NULL : rule_model_of(root, body);
        if (model && !model->flows && !model->rigid && model->n_keys > 0)
            return bodies->entry[i].key;
    }
    return NULL;
}

/* Whether a wall holds solids. */
static bool any_wall_of_solids(const struct node *root)
{
    const struct node *walls = sound(root, "walls");
    for (size_t i = 0; walls && i < walls->n; i++) {
        const struct node *holds = sound(walls->entry[i].value, "holds");
        if (holds && CHOICE_OF(WALL_HOLDS, holds->text) == HOLDS_ALL)
            return true;
    }
    return false;
}

static bool any_friction(const struct node *root)
{
    const struct node *contact = sound(root, "contact");
    const struct node *sliding = sound(contact, "friction");
    const struct node *sticking = sound(contact, "static_friction");
    return (sliding && sliding->number > 0.0) ||
           (sticking && isfinite(sticking->number) && sticking->number > 0.0);
}

/* Whether a method that moves rigid bodies as a whole goes with all else. */
static bool goes(const struct node *root, const struct contact_traits *method)
{
    const unsigned moves = METHOD_ROOTS | METHOD_LINKS | METHOD_POSITIONS;
    return method->has & METHOD_BODIES && method->has & moves &&
           !rule_body_excluding(root, method->excluded_by) &&
           method->integrators & 1u << integrator_of(root) &&
           !(method->has & METHOD_ROOTS && (first_implicit(root) || any_wall_of_solids(root))) &&
           (method->has & METHOD_FRICTION || !any_friction(root));
}

const char *rule_instead(const struct node *root, const struct contact_traits *method,
                         char text[METHODS_TEXT])
{
    const char *word, *before = "";
    size_t length = 0;
    if (!rule_body_excluding(root, EXCLUDES_SINGLE))
        return method->instead ? method->instead : "another";
    for (size_t k = 0; (word = contact_method_word(k)); k++)
        if (goes(root, &contact_traits[k]) && length < METHODS_TEXT) {
            length += (size_t)snprintf(text + length, METHODS_TEXT - length, "%s%s", before, word);
            before = " or ";
        }
    return length > 0 ? text : NULL;
}

const char *rule_advice(const struct node *root, const struct contact_traits *method,
                        char text[METHODS_TEXT])
{
    const char *instead = rule_instead(root, method, text);
    return instead ? instead : "sliding, and solver.integrator: backward-euler";
}

/* Merging joins rigid bodies to others after these were integrated. An implicit solve would give
 * way to a body whose mass it does not know: a ball would sink through a cloth. */
bool rule_rigid(struct reading *r, const struct node *root, const struct node *method)
{
    const struct contact_traits *traits = rule_method_traits(root);
    const char *rigid = rule_body_excluding(root, EXCLUDES_SINGLE), *other = first_implicit(root);
    char right[METHODS_TEXT];
    if (!rigid)
        return false;
    if (!(traits->has & METHOD_BODIES))
        complain(r, method->origin,
                 "'contact.method' is %s, which moves particles one by one, and 'bodies.%s' is "
                 "rigid; give %s",
                 method->text, rigid, rule_advice(root, traits, right));
    else if (traits->has & METHOD_ROOTS && other)
        complain(r, method->origin,
                 "'contact.method' is %s, with which the implicit solve of 'bodies.%s' does not "
                 "know the mass of 'bodies.%s', which is rigid; give %s",
                 method->text, other, rigid, rule_advice(root, traits, right));
    else
        return false;
    return true;
}
