/* Rules about values that must fit together. */
#include "base/words.h"
#include "config/config_copies.h"
#include "config/config_rules_parts.h"

#include <math.h>
#include <stdint.h>

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

/* Only a fluid leaves without smoke, and only where there may be some. */
static void rule_without_smoke(struct reading *r, const struct node *root, const struct node *body,
                               const struct place *place)
{
    const struct node *alone = sound(body, "without_smoke"), *sources = sound(root, "diffuse");
    if (!alone || CHOICE_OF(FLUID_ALONE, alone->text) == FLUID_STAYS)
        return;
    if (!may_be_fluid(root, body))
        complain(r, alone->origin,
                 "'%s.without_smoke' is for fluids, and the material of '%s' is none; leave it out",
                 place->path, place->path);
    else if (sources && sources->n == 0)
        complain(r, alone->origin,
                 "'%s.without_smoke' is leaves, but there is no diffuse.<name>, so that all would "
                 "leave at once; give a source of smoke, or leave it out",
                 place->path);
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

/* What a frame has is left out by a layer on top of it. */
static void complain_of_no_fluid(struct reading *r, struct origin origin, const char *path)
{
    if (origin.file == r->base)
        complain(r, origin, "'%s' is for fluids, and no body is one; leave it out by '%s=~'", path,
                 path);
    else
        complain(r, origin, "'%s' is for fluids, and no body is one; leave it out", path);
}

/* Outlets and walls: shapes in the world. */
static void rule_regions(struct reading *r, const struct node *root, const char *kind,
                         rule_solid *rule)
{
    const struct node *regions = sound(root, kind);
    const struct place top = {.row = NULL};
    for (size_t i = 0; regions && i < regions->n && r->status == STATUS_OK; i++) {
        const struct node *region = regions->entry[i].value;
        struct place named = place_below(&top, NULL, kind);
        struct place place = place_below(&named, NULL, regions->entry[i].key);
        if (!region->faulty)
            rule_placed(r, region, &place, rule);
        if (is_for_fluids(region) && !rule_any_fluid(root))
            complain_of_no_fluid(r, regions->entry[i].origin, place.path);
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
    rule_without_smoke(r, root, body, place);
    struct place below = place_below(place, key_shape(), "shape");
    if (shape)
        rule_shape(r, shape, &below);
}

/* Whether a body is a sheet of a solid. Complains about one that may tear: air would press on what
 * is no longer there. */
static bool rule_sheet_in_air(struct reading *r, const struct node *root, const struct entry *body)
{
    const struct material_model *model = rule_model_of(root, body->value);
    if (!model || model->flows || !sound(sound(body->value, "shape"), "sheet"))
        return false;
    if (model->breaks && (!model->check_ties || rule_critical_stretch(root, body->value)))
        complain(
            r, sound(body->value, "material")->origin,
            "'bodies.%s.material' is %s, whose sheets may tear, and air presses on whole ones; "
            "give a material of the model mass-spring without critical_stretch, or air.density 0",
            body->key, model->name);
    return true;
}

/* Whether a fluid feels the air around it. */
static bool rule_gas_in_air(const struct node *root)
{
    const struct node *materials = sound(root, "materials");
    bool any = false;
    for (size_t i = 0; materials && i < materials->n; i++) {
        const struct node *drag = sound(materials->entry[i].value, "drag");
        any |= drag && drag->number > 0.0;
    }
    return any;
}

/* Refuses a value without effect, one that is not the default. */
static void rule_no_air(struct reading *r, const struct node *air, const char *key, bool chosen)
{
    if (chosen)
        complain(r, sound(air, key)->origin,
                 "'air.%s' is for scenes with air, and air.density is 0; leave it out, or give a "
                 "density",
                 key);
}

static void rule_air(struct reading *r, const struct node *root)
{
    const struct node *air = sound(root, "air"), *bodies = sound(root, "bodies");
    const struct node *density = sound(air, "density"), *wind = sound(air, "wind");
    const struct node *drag = sound(air, "drag"), *lift = sound(air, "lift");
    bool any = false;
    if (density && density->number == 0.0) {
        const bool felt = rule_any_drifts(root) || rule_gas_in_air(root);
        rule_no_air(r, air, "wind", wind && !is_zero(wind) && !felt);
        rule_no_air(r, air, "drag", drag && drag->number != 1.0);
        rule_no_air(r, air, "lift", lift && lift->number != 1.0);
    }
    if (!density || density->number == 0.0)
        return;
    for (size_t i = 0; bodies && i < bodies->n; i++)
        any |= rule_sheet_in_air(r, root, &bodies->entry[i]);
    if (bodies && !any)
        complain(r, density->origin,
                 "'air.density' is %s, but air presses on sheets of solids, and no body is one; "
                 "leave it out",
                 density->text);
}

void tree_check_rules(struct reading *r, struct node *root)
{
    const struct node *bodies = sound(root, "bodies");
    const struct place top = {.row = NULL};
    rule_time(r, root);
    rule_contact(r, root);
    rule_air(r, root);
    for (size_t i = 0; bodies && i < bodies->n && r->status == STATUS_OK; i++) {
        const struct node *body = bodies->entry[i].value;
        struct place named = place_below(&top, NULL, "bodies");
        struct place place = place_below(&named, NULL, bodies->entry[i].key);
        if (!body->faulty)
            rule_body(r, root, body, &place);
    }
    rule_copies(r, root);
    rule_models(r, root);
    rule_motions(r, root);
    rule_regions(r, root, "outlets", rule_region);
    rule_regions(r, root, "walls", rule_wall);
    rule_regions(r, root, "diffuse", rule_region);
    rule_diffuse(r, root);
}
