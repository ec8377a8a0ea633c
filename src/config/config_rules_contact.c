/* Rules about contact: what the method can be combined with (contact_method.h). */
#include "config/config_rules_parts.h"
#include "config/contact_method.h"

#include <math.h>

static void rule_group_limits(struct reading *r, const struct node *root)
{
    const struct node *contact = sound(root, "contact");
    const struct node *min = sound(contact, "group_min"), *max = sound(contact, "group_max");
    if (min && max && min->count > max->count)
        complain(r, (max->given ? max : min)->origin,
                 "'contact.group_max' is %s, less than group_min, which is %s; give at least that",
                 max->text, min->text);
}

/* The methods that have the trait: "a", "a and b". */
static const char *methods_with(enum contact_trait trait, char *text, size_t size)
{
    const char *word, *before = "";
    size_t length = 0;
    for (size_t k = 0; (word = contact_method_word(k)); k++)
        if (contact_has((enum contact_method)k, trait) && length < size) {
            length += (size_t)snprintf(text + length, size - length, "%s%s", before, word);
            before = " and ";
        }
    return text;
}

/* Refuses a value of a key that asks for a trait which the method does not have; `right` is a value
 * that does not. */
static void need_trait(struct reading *r, const struct node *root, enum contact_trait trait,
                       const char *path, const struct node *value, const char *right)
{
    const struct contact_traits *method = rule_method_traits(root);
    const struct node *word = node_get(sound(root, "contact"), "method");
    char with[SHOWN_TEXT];
    if (method && !(method->has & trait))
        complain(r, node_culprit(r, value, word),
                 "'%s' is %s, which is for %s, but contact.method is %s; give %s, or such a method",
                 path, value->text, methods_with(trait, with, sizeof with), word->text, right);
}

/* If contacts are not found before they close, steps longer than the paper's let particles through.
 * Only corrections of positions may ask for no limit at all. */
static void rule_detection(struct reading *r, const struct node *root)
{
    const struct node *detection = sound(sound(root, "contact"), "detection");
    const struct node *courant = sound(sound(root, "time"), "courant");
    const struct contact_traits *method = rule_method_traits(root);
    const bool positions = method && method->has & METHOD_POSITIONS;
    if (courant && !isfinite(courant->number) && method && !positions)
        complain(r, courant->origin,
                 "'time.courant' is never, which is for contact.method: position-based; give a "
                 "number");
    else if (!detection)
        return;
    else if (CHOICE_OF(DETECTIONS, detection->text) == DETECTION_SWEPT)
        need_trait(r, root, METHOD_SWEPT, "contact.detection", detection, "discrete");
    else if (courant && courant->number > 1.0 && !positions)
        complain(r, courant->origin,
                 "'time.courant' is %s, and above 1 contact.detection: discrete misses contacts; "
                 "give at most 1, or swept",
                 courant->text);
}

/* Static friction is at least as strong as sliding friction. */
static void rule_friction(struct reading *r, const struct node *root)
{
    const struct node *contact = sound(root, "contact");
    const struct node *sliding = sound(contact, "friction");
    const struct node *sticking = sound(contact, "static_friction");
    if (!sliding || !sticking)
        return;
    if (sticking->number < sliding->number)
        complain(r, sticking->origin,
                 "'contact.static_friction' is %s, less than friction, which is %s; give at least "
                 "that, or kinetic",
                 sticking->text, sliding->text);
    if (sliding->number > 0)
        need_trait(r, root, METHOD_FRICTION, "contact.friction", sliding, "0");
    else if (isfinite(sticking->number) && sticking->number > 0)
        need_trait(r, root, METHOD_FRICTION, "contact.static_friction", sticking, "kinetic");
}

static void rule_roots(struct reading *r, const struct node *root)
{
    const struct node *roots = sound(sound(root, "contact"), "roots");
    if (roots && CHOICE_OF(ROOT_RULES, roots->text) == ROOTS_IGNORED)
        need_trait(r, root, METHOD_ROOTS, "contact.roots", roots, "taken");
}

/* Whether rigid bodies refuse the method (config_rules_rigid.c), so that nothing else matters. */
static bool refused_anyway(const struct node *root, const struct contact_traits *method)
{
    return !(method->has & METHOD_BODIES) && rule_body_excluding(root, EXCLUDES_SINGLE);
}

static void rule_integrator(struct reading *r, const struct node *root,
                            const struct contact_traits *method)
{
    const struct node *integrator = sound(sound(root, "solver"), "integrator");
    char other[METHODS_TEXT];
    if (!integrator || method->integrators & 1u << CHOICE_OF(INTEGRATORS, integrator->text) ||
        refused_anyway(root, method))
        return;
    const char *instead = rule_instead(root, method, other);
    complain(
        r, integrator->origin,
        "'solver.integrator' is %s, with which contact.method: %s %s; give %sbackward-euler%s%s",
        integrator->text, node_get(sound(root, "contact"), "method")->text, method->otherwise,
        method->integrators & 1u << INTEGRATOR_NEWMARK ? "newmark or " : "",
        instead ? ", or contact.method: " : "", instead ? instead : "");
}

static void rule_fluids(struct reading *r, const struct node *root,
                        const struct contact_traits *chosen)
{
    const struct node *method = node_get(sound(root, "contact"), "method");
    const struct node *bodies = sound(root, "bodies");
    char other[METHODS_TEXT], right[METHODS_TEXT + 8];
    if (chosen->has & METHOD_FLUIDS || refused_anyway(root, chosen))
        return;
    snprintf(right, sizeof right, "give %s", rule_advice(root, chosen, other));
    for (size_t i = 0; bodies && i < bodies->n; i++)
        if (rule_body_flows(root, bodies->entry[i].value))
            complain(r, method->origin,
                     "'contact.method' is %s, which fluids cannot take part in, and 'bodies.%s' is "
                     "one; %s",
                     method->text, bodies->entry[i].key, right);
}

/* The density of fluids is one group of constraints, or everything has one pressure, of one
 * lattice. Bodies of one fluid have one radius anyway (config_rules_model.c). */
static void rule_one_lattice(struct reading *r, const struct node *root, bool solids)
{
    const struct node *bodies = sound(root, "bodies");
    const struct entry *first = NULL;
    for (size_t i = 0; bodies && i < bodies->n; i++) {
        const struct entry *own = &bodies->entry[i];
        const struct node *radius = sound(own->value, "radius");
        if (!radius || !(solids || rule_body_flows(root, own->value)))
            continue;
        first = first ? first : own;
        const struct node *wanted = sound(first->value, "radius");
        const struct node *material = sound(first->value, "material");
        if (radius->number != wanted->number &&
            !(material && rule_body_flows(root, own->value) &&
              is_word(sound(own->value, "material"), material->text)))
            complain(r, radius->origin,
                     "'bodies.%s.radius' is %s m, but '%s'%s has %s m, and contact.method: %s has "
                     "one lattice for all%s; give them one radius",
                     own->key, radius->text, first->key, solids ? "" : ", a fluid as well,",
                     wanted->text, solids ? "pressure" : "position-based", solids ? "" : " fluids");
    }
}

/* Pressure does not hold what comes through between particles that stand too far apart. */
static void rule_closed_sheets(struct reading *r, const struct node *root)
{
    static const double most = 0.1;
    const struct node *bodies = sound(root, "bodies");
    for (size_t i = 0; bodies && i < bodies->n; i++) {
        const struct node *shape = sound(bodies->entry[i].value, "shape");
        const struct node *strain = sound(sound(shape, "sheet"), "initial_strain");
        if (strain && strain->number > most)
            complain(r, strain->origin,
                     "'bodies.%s.shape.sheet.initial_strain' is %s, and with contact.method: "
                     "pressure fluids come through a sheet that is so open; give at most %g",
                     bodies->entry[i].key, strain->text, most);
    }
}

/* One solve has one set of walls. */
static void rule_walls_hold_all(struct reading *r, const struct node *root)
{
    const struct node *walls = sound(root, "walls"), *bodies = sound(root, "bodies");
    bool solids = false, fluids = false;
    for (size_t i = 0; bodies && i < bodies->n; i++) {
        bool flows = rule_body_flows(root, bodies->entry[i].value);
        fluids |= flows;
        solids |= !flows;
    }
    for (size_t i = 0; solids && fluids && walls && i < walls->n; i++) {
        const struct node *holds = sound(walls->entry[i].value, "holds");
        if (holds && CHOICE_OF(WALL_HOLDS, holds->text) != HOLDS_ALL)
            complain(r, holds->given ? holds->origin : walls->entry[i].value->origin,
                     "'walls.%s.holds' is %s, but contact.method: pressure has the same walls for "
                     "fluids and solids; give all",
                     walls->entry[i].key, holds->text);
    }
}

/* Whether a fluid has its pressure solved for, or may have while other faults hide its model. */
static bool any_pressure(const struct node *root)
{
    const struct node *bodies = sound(root, "bodies");
    for (size_t i = 0; bodies && i < bodies->n; i++) {
        const struct material_model *model = rule_model_of(root, bodies->entry[i].value);
        if (!model || model->viscosity)
            return true;
    }
    return !bodies;
}

/* Refuses a value that nothing would take. */
typedef void rule_value(struct reading *reading, const struct node *root, const char *path,
                        const struct node *value, const char *right);

/* Whether a body has particles that hold still or move as told, or may have while its faults hide
 * them. */
static bool any_fixed(const struct node *root, const struct node *bodies)
{
    const struct node *motions = node_get(root, "motions");
    if (motions && (motions->faulty || motions->n > 0))
        return true;
    for (size_t i = 0; bodies && i < bodies->n; i++) {
        const struct node *body = bodies->entry[i].value, *fixed = node_get(body, "fixed");
        if (body->faulty || node_get(body, "fixed_in") ||
            (fixed && fixed->given && !is_word(fixed, "none")))
            return true;
    }
    return !bodies;
}

static void rule_position(struct reading *r, const struct node *root, const char *path,
                          const struct node *value, const char *right)
{
    const struct node *bodies = sound(root, "bodies");
    need_trait(r, root, METHOD_POSITIONS, path, value, right);
    if (strcmp(path, "position.tether") == 0 && !any_fixed(root, bodies))
        complain(r, value->origin,
                 "'%s' is %s, but no body has fixed particles to be held to; give %s", path,
                 value->text, right);
    if (strcmp(path, "position.solid_weight") == 0 && !rule_any_fluid(root))
        complain(r, value->origin,
                 "'%s' is %s, which is for solids in fluids, and no body is a fluid; give %s", path,
                 value->text, right);
}

static void rule_pressure(struct reading *r, const struct node *root, const char *path,
                          const struct node *value, const char *right)
{
    const struct contact_traits *method = rule_method_traits(root);
    if (strcmp(path, "pressure.solids") == 0)
        need_trait(r, root, METHOD_PRESSURE, path, value, right);
    else if (method && !(method->has & METHOD_PRESSURE) && !any_pressure(root))
        complain(r, value->origin,
                 "'%s' is %s, which is for fluids of the model dfsph and contact.method: pressure, "
                 "and there are none; give %s",
                 path, value->text, right);
}

/* Joints of rigid bodies have no limit of size and lose nothing to synchronizing: they add up the
 * impulses of all systems. */
static void rule_joints(struct reading *r, const struct node *root, const char *path,
                        const struct node *value, const char *right)
{
    static const char *const keys[] = {"contact.group_min", "contact.group_max", "contact.beta",
                                       "contact.synchronization"};
    const char *rigid = rule_body_excluding(root, EXCLUDES_SINGLE);
    const struct contact_traits *method = rule_method_traits(root);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (rigid && method && method->has & METHOD_ROOTS && strcmp(path, keys[k]) == 0 &&
            !is_word(value, "sum"))
            complain(r, value->origin,
                     "'%s' is %s, which is for meta-particles, and 'bodies.%s' is rigid, whose "
                     "contacts are joints; give %s",
                     path, value->text, rigid, right);
}

/* The values of a group that are not the defaults, which every effective configuration has. */
static void rule_each_chosen(struct reading *r, const struct node *root, const char *name,
                             rule_value *rule)
{
    const struct key *group = key_below(NULL, name);
    const struct node *values = sound(root, name);
    for (const struct key *row = NULL; values && (row = key_next_below(group, row));) {
        const struct place place = {row, ""};
        const struct node *value = sound(values, key_leaf(row));
        struct node *fallback =
            tree_parse(r, "default", NULL, row->fallback, strlen(row->fallback));
        if (!fallback)
            return;
        value_check(r, fallback, &place);
        if (value && value->given && strcmp(value->text, fallback->text) != 0)
            rule(r, root, row->path, value, fallback->text);
    }
}

void rule_contact(struct reading *r, const struct node *root)
{
    const struct contact_traits *method = rule_method_traits(root);
    rule_group_limits(r, root);
    if (method)
        rule_fluids(r, root, method);
    if (method && method->has & METHOD_POSITIONS)
        rule_one_lattice(r, root, false);
    if (method && method->has & METHOD_PRESSURE) {
        rule_one_lattice(r, root, true);
        rule_closed_sheets(r, root);
        rule_walls_hold_all(r, root);
    }
    if (method)
        rule_integrator(r, root, method);
    rule_detection(r, root);
    rule_roots(r, root);
    rule_friction(r, root);
    rule_each_chosen(r, root, "contact", rule_joints);
    rule_each_chosen(r, root, "position", rule_position);
    rule_each_chosen(r, root, "pressure", rule_pressure);
}
