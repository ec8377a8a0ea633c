#include "contact/late_rule.h"

#include "contact/contact.h"

static bool by_split(const struct stage_end *end, struct pair pair)
{
    return pair_approaches(end->position, end->split, pair);
}

/* Two members of one meta-particle never approach: they move alike, to the bit. */
static bool by_integrated(const struct stage_end *end, struct pair pair)
{
    return pair_approaches(end->position, end->moving, pair);
}

static bool by_either(const struct stage_end *end, struct pair pair)
{
    return by_split(end, pair) || by_integrated(end, pair);
}

#define RULE(word, value, function) [value] = function,

bool pair_is_late(enum lateness rule, const struct stage_end *end, struct pair pair)
{
    static bool (*const is_late[])(const struct stage_end *, struct pair) = {LATE_RULES(RULE)};
    return is_late[rule](end, pair);
}
