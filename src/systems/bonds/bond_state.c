/* The fields of the bond network that frames hold, and that a resumed run gives back to it. */
#include "systems/bonds/bond_implicit.h"
#include "systems/bonds/bond_network.h"
#include "systems/bonds/bond_still.h"

#include <string.h>

static enum status take_warm_start(void *owner, const struct particles *p, void *value,
                                   struct error *error)
{
    struct system *system = owner;
    const struct bond_implicit *step = owner;
    (void)p;
    (void)error;
    memcpy(value, step->warm_start, system->n * sizeof *step->warm_start);
    return STATUS_OK;
}

/* Both, since a scheme that does not integrate bonds keeps them as they are. */
static enum status give_warm_start(void *owner, size_t n, const void *value, struct error *error)
{
    struct bond_implicit *step = owner;
    (void)error;
    memcpy(step->warm_start, value, n * sizeof *step->warm_start);
    memcpy(step->next_warm_start, value, n * sizeof *step->warm_start);
    return STATUS_OK;
}

static const struct state_field damage = {
    .name = "damage",
    .element = ELEMENT_F32,
    .width = 1,
    .unit = "1",
    .sentence = "fraction of the particle's bonds that broke",
    .form = STATE_SHOWN,
    .high = 1.0,
};

static enum status take_damage(void *owner, const struct particles *p, void *value,
                               struct error *error)
{
    struct system *system = owner;
    (void)p;
    (void)error;
    bond_network_damage(system, value);
    return STATUS_OK;
}

static const struct state_field broken = {
    .name = "broken",
    .element = ELEMENT_U64,
    .width = 1,
    .unit = "1",
    .sentence = "indices of the bonds broken so far, ascending",
    .form = STATE_LIST,
    .ascends = true,
};

static enum status list_broken(const void *owner, size_t *n, void **data, struct error *error)
{
    const struct system *system = owner;
    uint64_t *list = NULL;
    enum status status = bond_network_broken(system, n, &list, error);
    *data = list;
    return status;
}

static enum status give_broken(void *owner, size_t n, const void *data, struct error *error)
{
    struct system *system = owner;
    return bond_network_break(system, n, data, error);
}

static void number_bonds(const void *owner, const struct particles *p, size_t n_bodies,
                         uint64_t *first)
{
    bond_numbers_of_bodies(owner, p->body, n_bodies, first);
}

const struct owned_state bond_states[BOND_STATES] = {
    {.field = &state_warm_start, .take = take_warm_start, .give = give_warm_start},
    {.field = &damage, .take = take_damage},
    {.field = &broken, .list = list_broken, .give = give_broken, .numbers = number_bonds},
};
