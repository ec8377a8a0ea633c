#include "contact/late_rule.h"

#include "contact/contact.h"

#include <string.h>

static bool by_split(const struct stage_end *end, struct pair pair)
{
    return pair_approaches(end->position, end->split, pair);
}

/* Never two of one meta-particle: they move alike, to the bit. */
static bool by_integrated(const struct stage_end *end, struct pair pair)
{
    return pair_approaches(end->position, end->moving, pair);
}

static bool by_either(const struct stage_end *end, struct pair pair)
{
    return by_split(end, pair) || by_integrated(end, pair);
}

const struct late_rule *late_rule_find(const char *name)
{
    static const struct late_rule rules[] = {
        {"split", by_split}, {"integrated", by_integrated}, {"either", by_either}};
    for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++)
        if (strcmp(rules[k].name, name) == 0)
            return &rules[k];
    return NULL;
}
