/* Rules for the fixed particles of a body, and for its motion at the start. */
#include "config/config_rules_parts.h"

static bool has_gradient(const struct node *body)
{
    static const char *const row[] = {"vx", "vy", "vz"};
    const struct node *gradient = sound(body, "velocity_gradient");
    for (size_t i = 0; i < 3; i++) {
        const struct node *value = sound(gradient, row[i]);
        if (value && !is_zero(value))
            return true;
    }
    return false;
}

const char *body_turning(const struct node *body)
{
    const struct node *spin = sound(body, "spin");
    if (spin && !is_zero(spin))
        return "spin";
    return has_gradient(body) ? "velocity_gradient" : NULL;
}

/* A word, or the first of a list of words, for which `wanted` is true; NULL if there is none. */
static const struct node *find_word(const struct node *words, bool (*wanted)(const char *word))
{
    if (!words)
        return NULL;
    if (words->kind == NODE_SCALAR)
        return wanted(words->text) ? words : NULL;
    for (size_t i = 0; i < words->n; i++)
        if (wanted(words->entry[i].value->text))
            return words->entry[i].value;
    return NULL;
}

static bool is_whole(const char *word)
{
    return strcmp(word, "none") == 0 || strcmp(word, "all") == 0;
}

static bool is_part_of_sheet(const char *word)
{
    return !is_whole(word);
}

static bool is_all_word(const char *word)
{
    return strcmp(word, "all") == 0;
}

static void rule_fixed_motion(struct reading *r, const struct node *body, const struct place *place)
{
    static const char *const motion[] = {"velocity", "spin"};
    for (size_t i = 0; i < 2; i++) {
        const struct node *value = sound(body, motion[i]);
        if (value && !is_zero(value))
            complain(r, value->origin, "'%s' is fixed but has a %s; leave one of them out",
                     place->path, motion[i]);
    }
    if (has_gradient(body))
        complain(r, node_get(body, "velocity_gradient")->origin,
                 "'%s' is fixed but has a velocity_gradient; leave one of them out", place->path);
}

static void rule_fixed_in(struct reading *r, const struct node *body, const struct place *place)
{
    const struct node *region = sound(body, "fixed_in");
    struct place below = place_below(place, key_shape(), "fixed_in");
    if (!region)
        return;
    rule_shape(r, region, &below);
    rule_region(r, region, &below);
    if (find_word(sound(body, "fixed"), is_all_word))
        complain(r, region->origin,
                 "'%s' is fixed as a whole and has fixed_in; leave one of them out", place->path);
    if (sound(body, "inlet"))
        complain(r, region->origin,
                 "'%s' has an inlet, whose particles all move, and fixed_in; leave one of them out",
                 place->path);
}

void rule_fixed(struct reading *r, const struct node *body, const struct place *place)
{
    const struct node *fixed = sound(body, "fixed"), *shape = sound(body, "shape");
    const struct node *part = find_word(fixed, is_part_of_sheet),
                      *whole = find_word(fixed, is_whole);
    const struct key *kind =
        shape && shape->n == 1 ? key_below(key_shape(), shape->entry[0].key) : NULL;
    if (part && kind && strcmp(key_leaf(kind), "sheet") != 0)
        complain(r, part->origin, "'%s.fixed' is %s, which only a sheet has; give none or all",
                 place->path, part->text);
    if (whole && fixed->kind == NODE_SEQUENCE && fixed->n > 1)
        complain(r, whole->origin, "'%s.fixed' is %s and more; give %s alone or leave it out",
                 place->path, whole->text, whole->text);
    if (find_word(fixed, is_all_word))
        rule_fixed_motion(r, body, place);
    rule_fixed_in(r, body, place);
}
