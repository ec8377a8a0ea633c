/* Rules about values that must fit together. */
#include "base/words.h"
#include "config/config_rules_parts.h"

#include <math.h>
#include <stdint.h>

static void rule_group_limits(struct reading *r, const struct node *root)
{
    const struct node *contact = sound(root, "contact");
    const struct node *min = sound(contact, "group_min"), *max = sound(contact, "group_max");
    if (min && max && min->count > max->count)
        complain(r, (max->given ? max : min)->origin,
                 "'contact.group_max' is %s, less than group_min, which is %s; give at least that",
                 max->text, min->text);
}

/* Frames are numbered with six digits, and the ledger counts steps in doubles. */
static void rule_time(struct reading *r, const struct node *root)
{
    static const double most_frames = 999999, most_steps = 9007199254740992.0;
    const struct node *time = sound(root, "time"), *end = sound(time, "end");
    const struct node *interval = sound(time, "frame_interval"), *step = sound(time, "max_step");
    if (end && interval && end->number / interval->number > most_frames)
        complain(r, interval->origin,
                 "'time.frame_interval' is %s s, which makes more than %g frames until time.end; "
                 "give at least %.4g s",
                 interval->text, most_frames, 1.001 * end->number / most_frames);
    if (end && step && end->number / step->number > most_steps)
        complain(
            r, (step->given ? step : end)->origin,
            "'time.max_step' is %s s, which makes more than 2^53 steps until time.end; give at "
            "least %.4g s",
            step->text, 1.001 * end->number / most_steps);
}

static bool was_meant(const struct node *mapping, const char *key)
{
    for (size_t i = 0; i < mapping->n; i++)
        if (mapping->entry[i].meant && strcmp(key_leaf(mapping->entry[i].meant), key) == 0)
            return true;
    return false;
}

static void rule_mass(struct reading *r, const struct node *body, const struct place *place)
{
    const struct node *density = node_get(body, "density"), *mass = node_get(body, "particle_mass");
    const struct node *radius = sound(body, "radius"), *from = sound(body, "mass_from");
    if (mass && from && CHOICE_OF(MASSES_FROM, from->text) == MASS_FROM_VOLUME)
        complain(r, from->origin, "'%s' has particle_mass and mass_from: volume; give density",
                 place->path);
    if (density && mass)
        complain(r, mass->origin, "'%s' has both density and particle_mass; keep one of them",
                 place->path);
    else if (!density && !mass && !was_meant(body, "density") && !was_meant(body, "particle_mass"))
        complain(r, body->origin,
                 "'%s' has no mass; give density, in kg/m^3, or particle_mass, "
                 "in kg",
                 place->path);
    if (!density || density->faulty || !radius)
        return;
    double spacing = 2 * radius->number, product = density->number * spacing * spacing * spacing;
    if (!(product > 0 && isfinite(product)))
        complain(r, density->origin,
                 "'%s': density x (2 radius)^3 is %g kg; give a particle a "
                 "mass that a double can hold",
                 place->path, product);
}

static void rule_material(struct reading *r, const struct node *root, const struct node *body,
                          const struct place *place)
{
    const struct node *wanted = sound(body, "material"), *materials = sound(root, "materials");
    if (!wanted || !materials || node_get(materials, wanted->text))
        return;
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < materials->n; i++) {
        const char *name = materials->entry[i].key;
        size_t distance = word_distance(name, wanted->text);
        if (word_is_near(distance, name) && distance < least) {
            least = distance;
            nearest = name;
        }
    }
    char shown[SHOWN_TEXT], near[SHOWN_TEXT];
    text_shown(wanted->text, shown);
    if (nearest)
        complain(r, wanted->origin, "'%s.material' is %s, which is unknown; did you mean '%s'?",
                 place->path, shown, text_shown(nearest, near));
    else
        complain(r, wanted->origin,
                 "'%s.material' is %s, which is unknown; give the name of one of the materials",
                 place->path, shown);
}

static void rule_turn(struct reading *r, const struct node *body, const struct place *place,
                      const char *key)
{
    const struct node *turn = sound(body, key);
    const struct node *axis = sound(turn, "axis"), *degrees = sound(turn, "degrees");
    if (axis && degrees && axis->given != degrees->given)
        complain(r, turn->origin, "'%s.%s' has no %s; give axis and degrees together", place->path,
                 key, axis->given ? "degrees" : "axis");
}

static bool may_be_fluid(const struct node *root, const struct node *body)
{
    const struct material_model *model = rule_model_of(root, body);
    return !model || model->flows;
}

/* The barrier is part of a potential that backward Euler minimizes, and everything that moves has
 * to take part in it. */
static void rule_barrier(struct reading *r, const struct node *root)
{
    const struct node *method = sound(sound(root, "contact"), "method");
    const struct node *integrator = sound(sound(root, "solver"), "integrator");
    const struct node *bodies = sound(root, "bodies");
    if (!method || CHOICE_OF(CONTACT_METHODS, method->text) != CONTACT_BARRIER)
        return;
    if (integrator && CHOICE_OF(INTEGRATORS, integrator->text) != INTEGRATOR_BACKWARD_EULER)
        complain(r, integrator->origin,
                 "'solver.integrator' is %s, but contact.method is barrier, which needs "
                 "backward-euler; give backward-euler, or contact.method: merging-and-splitting",
                 integrator->text);
    for (size_t i = 0; bodies && i < bodies->n; i++) {
        const struct material_model *model = rule_model_of(root, bodies->entry[i].value);
        if (model && model->flows)
            complain(r, method->origin,
                     "'contact.method' is barrier, which fluids cannot take part in, and "
                     "'bodies.%s' is one; give merging-and-splitting",
                     bodies->entry[i].key);
    }
}

/* Particles that will touch within the step can share a velocity, but exert no force yet, so that
 * only two methods can use them. If they are not detected, steps longer than the paper's let
 * particles through. */
static void rule_detection(struct reading *r, const struct node *root)
{
    const struct node *contact = sound(root, "contact"), *method = sound(contact, "method");
    const struct node *detection = sound(contact, "detection");
    const struct node *courant = sound(sound(root, "time"), "courant");
    if (!method || !detection)
        return;
    unsigned chosen = CHOICE_OF(CONTACT_METHODS, method->text);
    bool swept = CHOICE_OF(DETECTIONS, detection->text) == DETECTION_SWEPT;
    if (swept && chosen != CONTACT_SLIDING && chosen != CONTACT_MERGING_AND_SPLITTING)
        complain(r, detection->origin,
                 "'contact.detection' is swept, which is for merging-and-splitting and sliding, "
                 "but contact.method is %s; give discrete, or one of these methods",
                 method->text);
    else if (!swept && courant && courant->number > 1.0)
        complain(r, courant->origin,
                 "'time.courant' is %s, and above 1 contact.detection: discrete misses contacts; "
                 "give at most 1, or swept",
                 courant->text);
}

/* Verlet's method knows the velocities at the end of a step, for which links would hold, only after
 * particles have moved by others. Their impulses then do work out of nothing: a third of the energy
 * of an impact at a hundredth of the wave speed, and still a fifth in steps of a thirtieth of a
 * wave's time through a particle. */
static void rule_links(struct reading *r, const struct node *root)
{
    const struct node *method = sound(sound(root, "contact"), "method");
    const struct node *integrator = sound(sound(root, "solver"), "integrator");
    if (method && integrator && CHOICE_OF(CONTACT_METHODS, method->text) == CONTACT_SLIDING &&
        CHOICE_OF(INTEGRATORS, integrator->text) == INTEGRATOR_VERLET)
        complain(
            r, integrator->origin,
            "'solver.integrator' is verlet, with which contact.method: sliding creates energy; "
            "give newmark or backward-euler, or contact.method: merging-and-splitting");
}

/* Impulses after the integration move particles by dt p / m against elastic forces that do not know
 * of it. Backward Euler takes what these gain in short steps, as it takes all that is fast; other
 * methods keep it: a fifth of an impact's energy in steps of an eighth of a wave's time through a
 * particle. */
static void rule_late_impulses(struct reading *r, const struct node *root)
{
    const struct node *method = sound(sound(root, "contact"), "method");
    const struct node *integrator = sound(sound(root, "solver"), "integrator");
    if (!method || !integrator ||
        CHOICE_OF(INTEGRATORS, integrator->text) == INTEGRATOR_BACKWARD_EULER)
        return;
    unsigned chosen = CHOICE_OF(CONTACT_METHODS, method->text);
    if (chosen == CONTACT_ITERATED_IMPULSE || chosen == CONTACT_CORRECTED_IMPULSE)
        complain(r, integrator->origin,
                 "'solver.integrator' is %s, with which contact.method: %s creates energy; give "
                 "backward-euler, or contact.method: impulse",
                 integrator->text, method->text);
}

/* Only merging-and-splitting solves Eq. 13. */
static void rule_roots(struct reading *r, const struct node *root)
{
    const struct node *contact = sound(root, "contact");
    const struct node *method = sound(contact, "method"), *roots = sound(contact, "roots");
    if (method && roots && CHOICE_OF(ROOT_RULES, roots->text) == ROOTS_IGNORED &&
        CHOICE_OF(CONTACT_METHODS, method->text) != CONTACT_MERGING_AND_SPLITTING)
        complain(r, roots->origin,
                 "'contact.roots' is %s, which is for merging-and-splitting, but contact.method is "
                 "%s; give taken, or that method",
                 roots->text, method->text);
}

/* Refuses what friction cannot be combined with. `given` is the value of `key`, which asks for
 * friction. */
static void refuse_friction(struct reading *r, const struct node *root, const char *key,
                            const struct node *given)
{
    const struct node *method = sound(sound(root, "contact"), "method");
    if (method && CHOICE_OF(CONTACT_METHODS, method->text) != CONTACT_SLIDING)
        complain(r, given->origin,
                 "'contact.%s' is %s, but contact.method is %s, which has no friction; give %s, or "
                 "contact.method: sliding",
                 key, given->text, method->text, strcmp(key, "friction") == 0 ? "0" : "kinetic");
}

/* Only links have friction, and static friction is at least as strong as sliding friction. */
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
        refuse_friction(r, root, "friction", sliding);
    else if (isfinite(sticking->number) && sticking->number > 0)
        refuse_friction(r, root, "static_friction", sticking);
}

/* Only a fluid that moves along a straight line can have an inlet. */
static void rule_inlet(struct reading *r, const struct node *root, const struct node *body,
                       const struct place *place)
{
    const struct node *inlet = sound(body, "inlet");
    const struct node *velocity = sound(body, "velocity");
    const char *turns = body_turning(body);
    if (!sound(inlet, "point"))
        return;
    if (!may_be_fluid(root, body))
        complain(r, inlet->origin,
                 "'%s.inlet' is for fluids, and the material of '%s' is none; leave it out",
                 place->path, place->path);
    else if (velocity && is_zero(velocity))
        complain(r, (velocity->given ? velocity : inlet)->origin,
                 "'%s' has an inlet, but its velocity is zero; give the velocity of the jet",
                 place->path);
    if (turns)
        complain(r, node_get(body, turns)->origin,
                 "'%s' has an inlet, which moves straight on, and a %s; leave one of them out",
                 place->path, turns);
}

/* What a shape may be. */
typedef void rule_solid(struct reading *reading, const struct node *shape,
                        const struct place *place);

static void rule_placed(struct reading *r, const struct node *placed, const struct place *place,
                        rule_solid *rule)
{
    const struct node *shape = sound(placed, "shape");
    struct place below = place_below(place, key_shape(), "shape");
    rule_turn(r, placed, place, "rotation");
    if (!shape)
        return;
    rule_shape(r, shape, &below);
    rule(r, shape, &below);
}

static bool any_fluid(const struct node *root, const struct node *bodies)
{
    for (size_t i = 0; bodies && i < bodies->n; i++)
        if (bodies->entry[i].value->faulty || may_be_fluid(root, bodies->entry[i].value))
            return true;
    return false;
}

/* Walls may be for elastic bodies, too; one whose holds is faulty may be for either. */
static bool is_for_fluids(const struct node *region)
{
    const struct node *holds = node_get(region, "holds");
    return !holds || (!holds->faulty && CHOICE_OF(WALL_HOLDS, holds->text) == HOLDS_FLUIDS);
}

static void rule_motions(struct reading *r, const struct node *root)
{
    const struct node *motions = sound(root, "motions");
    const struct place top = {.row = NULL};
    for (size_t i = 0; motions && i < motions->n && r->status == STATUS_OK; i++) {
        const struct node *motion = motions->entry[i].value;
        struct place named = place_below(&top, NULL, "motions");
        struct place place = place_below(&named, NULL, motions->entry[i].key);
        if (!motion->faulty)
            rule_prescribed(r, root, motion, &place);
    }
}

/* Outlets and walls: shapes in the world. */
static void rule_regions(struct reading *r, const struct node *root, const char *kind,
                         rule_solid *rule)
{
    const struct node *regions = sound(root, kind), *bodies = sound(root, "bodies");
    const struct place top = {.row = NULL};
    for (size_t i = 0; regions && i < regions->n && r->status == STATUS_OK; i++) {
        const struct node *region = regions->entry[i].value;
        struct place named = place_below(&top, NULL, kind);
        struct place place = place_below(&named, NULL, regions->entry[i].key);
        if (!region->faulty)
            rule_placed(r, region, &place, rule);
        if (bodies && is_for_fluids(region) && !any_fluid(root, bodies))
            complain(r, regions->entry[i].origin,
                     "'%s' is for fluids, and no body is one; leave it out", place.path);
    }
}

static void rule_body(struct reading *r, const struct node *root, const struct node *body,
                      const struct place *place)
{
    const struct node *shape = sound(body, "shape");
    rule_material(r, root, body, place);
    rule_mass(r, body, place);
    rule_fixed(r, body, place);
    rule_turn(r, body, place, "rotation");
    rule_turn(r, body, place, "lattice_rotation");
    rule_inlet(r, root, body, place);
    struct place below = place_below(place, key_shape(), "shape");
    if (shape)
        rule_shape(r, shape, &below);
}

void tree_check_rules(struct reading *r, struct node *root)
{
    const struct node *bodies = sound(root, "bodies");
    const struct place top = {.row = NULL};
    rule_time(r, root);
    rule_group_limits(r, root);
    rule_barrier(r, root);
    rule_detection(r, root);
    rule_links(r, root);
    rule_late_impulses(r, root);
    rule_roots(r, root);
    rule_friction(r, root);
    for (size_t i = 0; bodies && i < bodies->n && r->status == STATUS_OK; i++) {
        const struct node *body = bodies->entry[i].value;
        struct place named = place_below(&top, NULL, "bodies");
        struct place place = place_below(&named, NULL, bodies->entry[i].key);
        if (!body->faulty)
            rule_body(r, root, body, &place);
    }
    rule_models(r, root);
    rule_motions(r, root);
    rule_regions(r, root, "outlets", rule_region);
    rule_regions(r, root, "walls", rule_wall);
}
