/* Rules for sources of diffuse particles. */
#include "config/config_rules_parts.h"

#include <math.h>

bool rule_any_drifts(const struct node *root)
{
    const struct node *sources = node_get(root, "diffuse");
    if (!sources || sources->faulty)
        return sources != NULL;
    for (size_t i = 0; i < sources->n; i++) {
        const struct node *source = sources->entry[i].value;
        if (source->faulty || !sound(source, "alone") || is_word(sound(source, "alone"), "drifts"))
            return true;
    }
    return false;
}

/* Refuses a value of emission other than the default where nothing is emitted. */
static void rule_idle(struct reading *r, const struct node *source, const char *key,
                      double fallback, const struct place *place)
{
    const struct node *value = sound(source, key);
    if (value && value->number != fallback)
        complain(r, value->origin,
                 "'%s.%s' is for sources with a rate, and its rate is 0; leave it out, or give a "
                 "rate",
                 place->path, key);
}

/* Refuses a source that emits nothing before the run ends. */
static void rule_start(struct reading *r, const struct node *root, const struct node *source,
                       const struct place *place)
{
    const struct node *start = sound(source, "start"), *rate = sound(source, "rate");
    const struct node *end = sound(sound(root, "time"), "end");
    if (start && rate && end && rate->number > 0.0 && start->number >= end->number)
        complain(r, start->origin,
                 "'%s.start' is %s s, and the run ends at %s s (time.end), so that it emits "
                 "nothing; give less than that",
                 place->path, start->text, end->text);
}

static void rule_source(struct reading *r, const struct node *source, const struct place *place)
{
    const struct node *number = sound(source, "number"), *rate = sound(source, "rate");
    const struct node *start = sound(source, "start"), *stop = sound(source, "stop");
    if (number && rate && number->count == 0 && rate->number == 0.0)
        complain(r, source->origin,
                 "'%s' makes no particles; give number, for those at the start, or rate, for "
                 "those added in a second",
                 place->path);
    else if (rate && rate->number == 0.0) {
        rule_idle(r, source, "start", 0.0, place);
        rule_idle(r, source, "stop", (double)INFINITY, place);
    }
    if (start && stop && !(stop->number > start->number))
        complain(r, stop->origin, "'%s.stop' is %s s, but it starts at %s s; give more than that",
                 place->path, stop->text, start->text);
}

/* There may be as many as a frame can list. */
static void rule_most(struct reading *r, const struct node *root, const struct node *source,
                      const struct place *place)
{
    static const double most = 4294967294.0;
    const struct node *number = sound(source, "number"), *rate = sound(source, "rate");
    const struct node *lifetime = sound(source, "lifetime"),
                      *end = sound(sound(root, "time"), "end");
    if (!number || !rate || !lifetime || !end)
        return;
    const double time = lifetime->number < end->number ? lifetime->number : end->number;
    if ((double)number->count + rate->number * time > most)
        complain(r, (rate->number * time > 0.5 * most ? rate : number)->origin,
                 "'%s' makes 2^32 particles or more until they are gone, %s at the start and %s in "
                 "a second; give fewer, or a shorter lifetime",
                 place->path, number->text, rate->text);
}

void rule_diffuse(struct reading *r, const struct node *root)
{
    const struct node *sources = sound(root, "diffuse");
    const struct place top = {.row = NULL};
    for (size_t i = 0; sources && i < sources->n && r->status == STATUS_OK; i++) {
        const struct node *source = sources->entry[i].value;
        struct place named = place_below(&top, NULL, "diffuse");
        struct place place = place_below(&named, NULL, sources->entry[i].key);
        if (source->faulty)
            continue;
        rule_source(r, source, &place);
        rule_start(r, root, source, &place);
        rule_most(r, root, source, &place);
    }
}
