/* Rules about a body and its material's model: what the model demands, and what it cannot be
 * combined with. */
#include "config/config_rules_parts.h"
#include "config/contact_method.h"
#include "config/fluid_keys.h"
#include "config/model_keys.h"

#include <math.h>

/* Mass of a body's particles, kg; 0 if it is not known. */
static double particle_mass(const struct node *body)
{
    const struct node *mass = sound(body, "particle_mass"), *density = sound(body, "density");
    const struct node *radius = sound(body, "radius");
    if (mass)
        return mass->number;
    return density && radius ? density->number * pow(2 * radius->number, 3) : 0;
}

/* If a material is a system of its own, all its bodies must have equal particles. */
static void rule_same_particles(struct reading *r, const struct node *body, const char *name,
                                const struct node *first, const char *first_name, const char *kind)
{
    const struct node *radius = sound(body, "radius"), *wanted = sound(first, "radius");
    double mass = particle_mass(body), first_mass = particle_mass(first);
    if (radius && wanted && radius->number != wanted->number)
        complain(r, radius->origin,
                 "'bodies.%s.radius' is %s m, but '%s', of the same %s, has %s m; give them one "
                 "radius or a material each",
                 name, radius->text, first_name, kind, wanted->text);
    else if (mass > 0 && first_mass > 0 && fabs(mass - first_mass) > 1e-12 * mass)
        complain(r, body->origin,
                 "a particle of 'bodies.%s' weighs %g kg, but one of '%s', of the same %s, %g "
                 "kg; give them one mass or a material each",
                 name, mass, first_name, kind, first_mass);
}

/* Particles of fluids weigh what their lattice does, and if a material is a system of its own, all
 * its particles weigh the same, of whichever body. */
static void rule_mass_from(struct reading *r, const struct node *bodies, size_t i, bool flows)
{
    const struct node *body = bodies->entry[i].value, *from = sound(body, "mass_from");
    const char *material = sound(body, "material")->text;
    size_t n = 0;
    for (size_t k = 0; k < bodies->n; k++)
        n += is_word(sound(bodies->entry[k].value, "material"), material);
    if (from && CHOICE_OF(MASSES_FROM, from->text) == MASS_FROM_VOLUME && (flows || n > 1))
        complain(
            r, from->origin, "'bodies.%s.mass_from' is volume, but %s; %s", bodies->entry[i].key,
            flows ? "particles of a fluid weigh what its density asks for at their spacing"
                  : "other bodies are of the same material, all of whose particles weigh the same",
            flows ? "give spacing" : "give it a material of its own, or spacing");
}

static void rule_equal_to_first(struct reading *r, const struct node *bodies, size_t i,
                                const char *kind)
{
    const struct entry *own = &bodies->entry[i];
    const char *material = sound(own->value, "material")->text;
    for (size_t k = 0; k < i; k++) {
        const struct entry *first = &bodies->entry[k];
        if (first->value->faulty || !is_word(sound(first->value, "material"), material))
            continue;
        rule_same_particles(r, own->value, own->key, first->value, first->key, kind);
        return;
    }
}

/* Whether one of the first n bodies is of this material. */
static bool any_of_material(const struct node *bodies, size_t n, const char *material)
{
    for (size_t i = 0; i < n; i++)
        if (is_word(sound(bodies->entry[i].value, "material"), material))
            return true;
    return false;
}

/* The material of the first body of this model; there is one. */
static const char *first_material(const struct node *root, const struct node *bodies,
                                  const struct material_model *model)
{
    size_t i = 0;
    while (bodies->entry[i].value->faulty || rule_model_of(root, bodies->entry[i].value) != model)
        i++;
    return sound(bodies->entry[i].value, "material")->text;
}

/* If all materials of a model are one system, their values must be equal: the material of the i-th
 * body is compared with that of the first such body. */
static void rule_alike(struct reading *r, const struct node *root, const struct node *bodies,
                       size_t i, const struct material_model *model)
{
    const struct node *materials = sound(root, "materials");
    const char *name = sound(bodies->entry[i].value, "material")->text;
    const char *first_name = first_material(root, bodies, model);
    if (strcmp(name, first_name) == 0 || any_of_material(bodies, i, name))
        return;
    for (size_t k = 0; k < model->n_keys; k++) {
        const char *leaf = key_leaf(&model->key[k].row);
        const struct node *own = sound(sound(materials, name), leaf);
        const struct node *first = sound(sound(materials, first_name), leaf);
        if (own && first && strcmp(own->text, first->text) != 0)
            complain(r, (own->given ? own : first)->origin,
                     "'materials.%s.%s' is %s, but '%s', which is %s too, has %s, and materials of "
                     "this model are one system; give both the same",
                     name, leaf, own->text, first_name, model->name, first->text);
    }
}

static bool method_has(const struct node *root, enum contact_trait trait)
{
    const struct contact_traits *method = rule_method_traits(root);
    return method && method->has & trait;
}

/* The longest step if no system limits it, s. */
static double longest_step(const struct node *root)
{
    const struct node *step = sound(sound(root, "time"), "max_step");
    return method_has(root, METHOD_POSITIONS) && step ? step->number : (double)NAN;
}

/* Refuses bodies that displace the i-th one, a fluid, with particles coarser than its own: between
 * them and the fluid a gap would be left that is too narrow for either. */
static void rule_displacing(struct reading *r, const struct node *root, const struct node *bodies,
                            size_t i)
{
    const struct contact_traits *method = rule_method_traits(root);
    const struct node *fluid = bodies->entry[i].value, *most = sound(fluid, "radius");
    const struct node *name = sound(fluid, "material");
    const struct node *solids = sound(sound(sound(root, "materials"), name->text), "solids");
    if (!solids || !most || !method || method->has & METHOD_POSITIONS ||
        CHOICE_OF(SOLIDS_IN_FLUIDS, solids->text) != SOLIDS_DISPLACE)
        return;
    for (size_t k = 0; k < bodies->n; k++) {
        const struct node *body = bodies->entry[k].value;
        const struct node *radius = body->faulty ? NULL : sound(body, "radius");
        if (!radius || !rule_model_of(root, body) || rule_body_flows(root, body) ||
            !(radius->number > most->number * (1.0 + 1e-9)))
            continue;
        complain(r, radius->origin,
                 "'bodies.%s.radius' is %s m, but '%s', which it displaces, has particles of %s m; "
                 "give it at most that, or materials.%s.solids: ignored",
                 bodies->entry[k].key, radius->text, bodies->entry[i].key, most->text, name->text);
        return;
    }
}

const struct node *rule_critical_stretch(const struct node *root, const struct node *body)
{
    const struct node *material = sound(sound(root, "materials"), sound(body, "material")->text);
    const struct node *stretch = sound(material, "critical_stretch");
    return stretch && isfinite(stretch->number) ? stretch : NULL;
}

/* Sliding contact knows no momentum of bodies that bonds join, and fragments are those of one body.
 */
static void rule_ties(struct reading *r, const struct node *root, const char *name,
                      const struct node *body, const struct material_model *model)
{
    const struct node *ties = sound(body, "ties");
    if (!ties || CHOICE_OF(BODY_TIES, ties->text) == TIES_NONE)
        return;
    if (!model->check_ties)
        complain(r, ties->origin,
                 "'bodies.%s.ties' is %s, which is for springs, but its model is %s; give "
                 "mass-spring, or leave it out",
                 name, ties->text, model->name);
    else if (rule_critical_stretch(root, body))
        complain(r, rule_critical_stretch(root, body)->origin,
                 "'bodies.%s' ties itself to others, and its material has a critical_stretch; "
                 "leave one of the two out",
                 name);
    else if (method_has(root, METHOD_LINKS))
        complain(r, ties->origin,
                 "'bodies.%s.ties' is %s, which does not go with contact.method: %s; give "
                 "merging-and-splitting or position-based",
                 name, ties->text, node_get(sound(root, "contact"), "method")->text);
}

static bool at_vertices(const struct node *body)
{
    const struct node *method = sound(sound(body, "sampling"), "method");
    return method && CHOICE_OF(SAMPLINGS, method->text) == SAMPLING_VERTICES;
}

/* Whether all bodies of the material of this one are at vertices. */
static bool all_at_vertices(const struct node *bodies, const struct node *body)
{
    const struct node *name = sound(body, "material");
    for (size_t i = 0; i < bodies->n; i++) {
        const struct node *other = bodies->entry[i].value;
        const struct node *its = other->faulty ? NULL : sound(other, "material");
        if (its && name && strcmp(its->text, name->text) == 0 && !at_vertices(other))
            return false;
    }
    return true;
}

/* Its magnitude; NAN: not known. */
static double gravity_of(const struct node *root)
{
    const struct node *gravity = sound(root, "gravity");
    double sum = gravity ? 0.0 : (double)NAN;
    for (size_t i = 0; gravity && i < gravity->n; i++)
        sum = hypot(sum, gravity->entry[i].value->number);
    return sum;
}

/* Only springs are at vertices, and a lattice from which sampling starts has no part in it. */
static void rule_vertices(struct reading *r, const char *name, const struct node *body,
                          const struct material_model *model)
{
    static const double fallback = 0.95; /* the effective configuration always has it */
    const struct node *start = sound(sound(body, "sampling"), "start");
    if (!at_vertices(body))
        return;
    if (!model->at_vertices)
        complain(r, sound(body, "sampling")->origin,
                 "'bodies.%s.sampling.method' is vertices, which is for springs, but its model is "
                 "%s; give mass-spring, or another method",
                 name, model->name);
    if (start && start->number != fallback)
        complain(r, start->origin,
                 "'bodies.%s.sampling.start' is the spacing of a lattice, and particles at "
                 "vertices begin on none; leave it out",
                 name);
}

/* Checks what the model of the i-th body's material requires, and the system that moves the body.
 */
static void rule_model(struct reading *r, const struct node *root, const struct node *bodies,
                       size_t i)
{
    const struct node *body = bodies->entry[i].value;
    const struct material_model *model = body->faulty ? NULL : rule_model_of(root, body);
    if (!model)
        return;
    const struct node *radius = sound(body, "radius"), *end = sound(sound(root, "time"), "end");
    double mass = particle_mass(body);
    struct model_check check = {
        .radius = radius ? radius->number : (double)NAN,
        .particle_mass = mass > 0 ? mass : (double)NAN,
        .end = end ? end->number : (double)NAN,
        .longest = longest_step(root),
        .positions = method_has(root, METHOD_POSITIONS),
        .gravity = gravity_of(root),
        .vertices = at_vertices(body),
        .all_vertices = all_at_vertices(bodies, body),
        .links = method_has(root, METHOD_LINKS),
    };
    tree_check_material(r, sound(sound(root, "materials"), sound(body, "material")->text), model,
                        &check);
    if (model_family_at(material_model_family(model))->apart) {
        rule_equal_to_first(r, bodies, i, model->flows ? "fluid" : "material");
        rule_mass_from(r, bodies, i, model->flows);
    }
    rule_vertices(r, bodies->entry[i].key, body, model);
    if (model->rigid)
        rule_whole(r, bodies->entry[i].key, body, check.positions);
    rule_ties(r, root, bodies->entry[i].key, body, model);
    if (model->alike)
        rule_alike(r, root, bodies, i, model);
    if (model->flows)
        rule_displacing(r, root, bodies, i);
}

/* Refuses a value that the models of some bodies exclude; `right` says what they allow. */
static void refuse_value(struct reading *r, const struct node *root, unsigned what,
                         const char *path, const struct node *value, const char *right)
{
    const char *name = rule_body_excluding(root, what);
    if (!name)
        return;
    const struct node *body = node_get(sound(root, "bodies"), name);
    complain(r, value->origin,
             "'%s' is %s, which is not possible with the model of 'bodies.%s', %s; %s", path,
             value->text, name, rule_model_of(root, body)->name, right);
}

/* Bodies whose systems do not do what the contact method asks of a solve. */
static void rule_method(struct reading *r, const struct node *root, const struct node *method)
{
    const struct contact_traits *traits = rule_method_traits(root);
    char other[METHODS_TEXT], right[METHODS_TEXT + 8];
    if (rule_rigid(r, root, method))
        return;
    snprintf(right, sizeof right, "give %s", rule_advice(root, traits, other));
    refuse_value(r, root, traits->excluded_by, "contact.method", method, right);
}

static void rule_walls_of_solids(struct reading *r, const struct node *root)
{
    const struct node *walls = sound(root, "walls");
    const struct place top = {.row = NULL};
    const bool held = method_has(root, METHOD_LINKS) || method_has(root, METHOD_PRESSURE) ||
                      method_has(root, METHOD_POSITIONS);
    for (size_t i = 0; walls && !held && i < walls->n; i++) {
        const struct node *holds = sound(walls->entry[i].value, "holds");
        struct place all = place_below(&top, NULL, "walls");
        struct place wall = place_below(&all, NULL, walls->entry[i].key);
        struct place place = place_below(&wall, NULL, "holds");
        if (holds && CHOICE_OF(WALL_HOLDS, holds->text) == HOLDS_ALL)
            refuse_value(
                r, root, EXCLUDES_WALLS, place.path, holds,
                "give fluids, or without any leave it out, and put a fixed body in its place, or "
                "give contact.method: sliding");
    }
}

void rule_models(struct reading *r, const struct node *root)
{
    const struct node *bodies = sound(root, "bodies");
    const struct node *method = sound(sound(root, "contact"), "method");
    const struct node *integrator = sound(sound(root, "solver"), "integrator");
    for (size_t i = 0; bodies && i < bodies->n && r->status == STATUS_OK; i++)
        rule_model(r, root, bodies, i);
    if (integrator && CHOICE_OF(INTEGRATORS, integrator->text) != INTEGRATOR_BACKWARD_EULER)
        refuse_value(r, root, EXCLUDES_OTHER_INTEGRATORS, "solver.integrator", integrator,
                     "give backward-euler");
    if (method)
        rule_method(r, root, method);
    rule_walls_of_solids(r, root);
}
