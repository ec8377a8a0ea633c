#include "config/renamed.h"

#include <string.h>

/* `place` is the path of the mapping that contains the key, or of the key that has the word as a
 * choice. */
struct renamed {
    const char *place, *old, *new;
};

static const struct renamed keys[] = {
    {"", "outflows", "outlets"},
    {"contact", "joining", "synchronization"},
    {"materials.<name>", "stretch", "stretch_stiffness"},
    {"materials.<name>", "shear", "shear_stiffness"},
    {"materials.<name>", "bend", "bend_stiffness"},
    {"materials.<name>", "strength", "critical_stretch"},
    {"materials.<name>", "strength_spread", "critical_stretch_spread"},
    {"bodies.<name>", "inflow", "inlet"},
    {"bodies.<name>.inlet", "mouth", "point"},
    {"shape.sheet", "stretch", "initial_strain"},
    {0},
};

static const struct renamed words[] = {
    {"contact.synchronization", "shares", "own-members"},
    {"contact.synchronization", "in-turn", "sequential"},
    {"materials.<name>.critical_stretch", "never", "unset"},
    {0},
};

static const char *new_name(const struct renamed *row, const char *place, const char *old)
{
    for (; row->place; row++)
        if (strcmp(row->place, place) == 0 && strcmp(row->old, old) == 0)
            return row->new;
    return NULL;
}

const char *key_renamed(const struct key *parent, const char *name)
{
    return new_name(keys, parent ? parent->path : "", name);
}

const char *word_renamed(const struct key *row, const char *word)
{
    return new_name(words, row->path, word);
}
