/* Rules for prescribed motions: which particles they move, along which path, and when. */
#include "config/config_rules_parts.h"
#include "config/contact_method.h"

/* Whether the value of a key is not zero; a faulty value counts as if it were not. */
static bool is_not_zero(const struct node *mapping, const char *key)
{
    const struct node *value = mapping ? node_get(mapping, key) : NULL;
    if (!value || value->faulty)
        return value != NULL;
    return value->kind == NODE_SEQUENCE ? !is_zero(value) : value->number != 0.0;
}

/* The one of two keys that is not given although the other is; NULL: both are, or none. */
static const char *missing_of(const struct node *mapping, const char *a, const char *b)
{
    const struct node *first = sound(mapping, a), *second = sound(mapping, b);
    if (!first || !second || first->given == second->given)
        return NULL;
    return first->given ? b : a;
}

/* A swing has a width and a frequency, and a turn an axis and a speed. */
static void rule_path(struct reading *r, const struct node *motion, const struct place *place)
{
    const struct node *turning = sound(motion, "turning");
    const char *swing = missing_of(motion, "amplitude", "frequency");
    const char *turn = missing_of(turning, "axis", "turns");
    if (swing)
        complain(r, motion->origin, "'%s' has no %s; give amplitude and frequency together",
                 place->path, swing);
    else if (turn)
        complain(r, turning->origin, "'%s.turning' has no %s; give axis and turns together",
                 place->path, turn);
    else if (!is_not_zero(motion, "velocity") && !is_not_zero(turning, "turns") &&
             !(is_not_zero(motion, "amplitude") && is_not_zero(motion, "frequency")))
        complain(r, motion->origin,
                 "'%s' moves nothing; give it a velocity, an amplitude and a frequency, or turns",
                 place->path);
}

static void rule_clock(struct reading *r, const struct node *motion, const struct place *place)
{
    const struct node *start = sound(motion, "start"), *stop = sound(motion, "stop");
    const struct node *ramp = sound(motion, "ramp");
    if (!start || !stop || !ramp)
        return;
    double least = start->number + 2.0 * ramp->number;
    if (!(stop->number > start->number))
        complain(r, stop->origin, "'%s.stop' is %s s, but it starts at %s s; give more than that",
                 place->path, stop->text, start->text);
    else if (stop->number < least)
        complain(r, ramp->origin,
                 "'%s.ramp' is %s s, which two ramps between start and stop have no room for; "
                 "give at most %g s",
                 place->path, ramp->text, 0.5 * (stop->number - start->number));
}

/* A motion without a region moves the fixed particles of its body: whether there may be any. */
static bool holds_anybody(const struct node *body)
{
    const struct node *fixed = node_get(body, "fixed");
    return node_get(body, "fixed_in") || !is_word(fixed, "none");
}

static void rule_whose(struct reading *r, const struct node *root, const struct node *motion,
                       const struct place *place)
{
    const struct node *wanted = sound(motion, "body"), *bodies = sound(root, "bodies");
    const struct node *body = wanted && bodies ? node_get(bodies, wanted->text) : NULL;
    char shown[SHOWN_TEXT];
    if (!wanted || !bodies || (body && body->faulty))
        return;
    if (!body)
        complain(r, wanted->origin,
                 "'%s.body' is %s, which is unknown; give the name of one of the bodies",
                 place->path, text_shown(wanted->text, shown));
    else if (rule_body_flows(root, body))
        complain(r, wanted->origin,
                 "'%s.body' is %s, a fluid, and motions are for elastic bodies; give one of these",
                 place->path, text_shown(wanted->text, shown));
    else if (!node_get(motion, "region") && !holds_anybody(body))
        complain(
            r, node_culprit(r, motion, wanted),
            "'%s' has no region, and nothing of body '%s' is fixed; give the region that moves",
            place->path, wanted->text);
}

static void rule_moving_supports(struct reading *r, const struct node *root,
                                 const struct node *motion, const struct place *place)
{
    const struct contact_traits *method = rule_method_traits(root);
    if (!method || method->has & METHOD_MOTIONS)
        return;
    const struct node *word = node_get(sound(root, "contact"), "method");
    complain(r, node_culprit(r, motion, word),
             "'%s' does not go with contact.method: %s; leave it out, or give %s", place->path,
             word->text, method->instead);
}

void rule_prescribed(struct reading *r, const struct node *root, const struct node *motion,
                     const struct place *place)
{
    const struct node *region = sound(motion, "region");
    struct place below = place_below(place, key_shape(), "region");
    rule_whose(r, root, motion, place);
    rule_path(r, motion, place);
    rule_clock(r, motion, place);
    rule_moving_supports(r, root, motion, place);
    if (!region)
        return;
    rule_shape(r, region, &below);
    rule_region(r, region, &below);
}
