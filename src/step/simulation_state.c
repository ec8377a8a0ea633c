/* The fields that the owners of a simulation declare, gathered over all of its particles, and given
 * back. */
#include "step/simulation_parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* One of those who own state: a system, the contact method, the scheme or the diffuse particles. */
struct owner {
    const struct declaration *declares;
    void *self;      /* struct system, contact, scheme or diffuse */
    size_t first, n; /* its particles: [first, first + n) */
};

/* The systems, the contact method, the scheme, the diffuse particles. */
static size_t count_owners(const struct simulation *s)
{
    return s->n_systems + 3;
}

static struct owner owner_at(struct simulation *s, size_t k)
{
    if (k < s->n_systems) {
        struct system *system = s->system[k];
        return (struct owner){&system->class->declares, system, system->first, system->n};
    }
    if (k == s->n_systems)
        return (struct owner){&s->contact.class->declares, &s->contact, 0, s->particles.n};
    if (k == s->n_systems + 1)
        return (struct owner){&s->scheme->class->declares, s->scheme, 0, s->particles.n};
    return (struct owner){&diffuse_declaration, &s->diffuse, 0, s->particles.n};
}

static const struct owned_state *state_of(const struct owner *owner,
                                          const struct state_field *field)
{
    for (size_t k = 0; k < owner->declares->n_state; k++)
        if (owner->declares->state[k].field == field)
            return &owner->declares->state[k];
    return NULL;
}

/* Bytes of an entry. */
static size_t entry_size(const struct state_field *field)
{
    return field->width * element_size(field->element);
}

/* Whether any owner has the field; otherwise the frames of the run do not hold it. */
static bool is_had(struct simulation *s, const struct state_field *field)
{
    for (size_t k = 0; k < count_owners(s); k++) {
        const struct owner owner = owner_at(s, k);
        if (state_of(&owner, field))
            return true;
    }
    return false;
}

static enum status take_entries(struct simulation *s, struct state_value *value,
                                struct error *error)
{
    const struct state_field *field = value->field;
    size_t n = s->particles.n, size = entry_size(field);
    if (!value->data && state_value_create(value, n, error))
        return STATUS_FAILED;
    if (field->elsewhere)
        field->elsewhere(&s->particles, value->data);
    else
        memset(value->data, 0, n * size);
    for (size_t k = 0; k < count_owners(s); k++) {
        const struct owner owner = owner_at(s, k);
        const struct owned_state *state = state_of(&owner, field);
        void *own = (char *)value->data + owner.first * size;
        enum status status = STATUS_OK;
        if (state)
            status = state->take(owner.self, &s->particles, own, error);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* Appends an owner's part of a list. */
static enum status append_list(struct state_value *value, const struct owner *owner,
                               const struct owned_state *state, struct error *error)
{
    const size_t size = entry_size(value->field);
    size_t rows, room = value->rows;
    void *data = NULL;
    enum status status = state->list(owner->self, &rows, &data, error);
    if (!status)
        status = array_reserve(&value->data, &room, value->rows + rows + 1, size,
                               value->field->name, error);
    if (!status && rows > 0)
        memcpy((char *)value->data + value->rows * size, data, rows * size);
    if (!status)
        value->rows += rows;
    free(data);
    return status;
}

static enum status take_list(struct simulation *s, struct state_value *value, struct error *error)
{
    free(value->data);
    value->data = NULL;
    value->rows = 0;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < count_owners(s) && !status; k++) {
        const struct owner owner = owner_at(s, k);
        const struct owned_state *state = state_of(&owner, value->field);
        if (state && !state->own_rows)
            return state->list(owner.self, &value->rows, &value->data, error);
        if (state)
            status = append_list(value, &owner, state, error);
    }
    return status;
}

enum status simulation_take_state(struct simulation *s, struct state *state, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < state->n && !status; k++) {
        if (!is_had(s, state->value[k].field))
            continue;
        status = state->value[k].field->form == STATE_LIST
                     ? take_list(s, &state->value[k], error)
                     : take_entries(s, &state->value[k], error);
    }
    return status;
}

bool simulation_numbers(struct simulation *s, const struct state_field *field, uint64_t *first)
{
    for (size_t k = 0; k < count_owners(s); k++) {
        const struct owner owner = owner_at(s, k);
        const struct owned_state *state = state_of(&owner, field);
        if (!state || !state->numbers)
            continue;
        state->numbers(owner.self, &s->particles, s->scene->n_bodies, first);
        return true;
    }
    return false;
}

/* Refuses a list that two owners have, because its entries do not tell to which they belong. */
static enum status check_list(struct simulation *s, const struct state_field *field,
                              const struct owner *owner, struct error *error)
{
    bool single = field->form == STATE_LIST && !state_of(owner, field)->own_rows;
    for (size_t k = 0; single && k < count_owners(s); k++) {
        const struct owner other = owner_at(s, k);
        if (other.self != owner->self && state_of(&other, field))
            return error_set(error, STATUS_INVALID,
                             "the systems '%s' and '%s' both have a list '%s'; let all bodies be "
                             "of one of them",
                             owner->declares->name, other.declares->name, field->name);
    }
    return STATUS_OK;
}

/* Gives an owner those entries of a list that are its own: they follow those of the owners
 * before it. */
static enum status give_own_rows(struct simulation *s, const struct owner *owner,
                                 const struct owned_state *own, const struct state_value *value,
                                 struct error *error)
{
    size_t before = 0, all = 0;
    for (size_t k = 0; k < count_owners(s); k++) {
        const struct owner other = owner_at(s, k);
        const struct owned_state *state = state_of(&other, own->field);
        if (other.self == owner->self)
            before = all;
        all += state ? state->own_rows(other.self) : 0;
    }
    if (value->rows != all)
        return error_set(error, STATUS_INVALID, "'%s' has %zu rows where %zu would be right",
                         own->field->name, value->rows, all);
    return own->give(owner->self, own->own_rows(owner->self),
                     (const char *)value->data + before * entry_size(own->field), error);
}

/* Gives an owner its part of a field. Before the first step of a run, it is in its initial state
 * and needs nothing. */
static enum status give_value(struct simulation *s, const struct owner *owner,
                              const struct owned_state *own, const struct state_value *value,
                              bool first, struct error *error)
{
    bool given = value && value->data;
    if (!given && own->field->form == STATE_KEPT && !first)
        return error_set(error, STATUS_INVALID,
                         "there is no '%s', which '%s' needs to go on; start anew",
                         own->field->name, owner->declares->name);
    if (!own->give || !given)
        return STATUS_OK;
    if (own->own_rows)
        return give_own_rows(s, owner, own, value, error);
    if (own->field->form == STATE_LIST)
        return own->give(owner->self, value->rows, value->data, error);
    const char *own_first = (const char *)value->data + owner->first * entry_size(own->field);
    return own->give(owner->self, owner->n, own_first, error);
}

enum status simulation_give_state(struct simulation *s, const struct state *state, bool first,
                                  struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < count_owners(s); k++) {
        const struct owner owner = owner_at(s, k);
        for (size_t e = 0; e < owner.declares->n_state && !status; e++) {
            const struct owned_state *own = &owner.declares->state[e];
            status = check_list(s, own->field, &owner, error);
            if (!status && state)
                status =
                    give_value(s, &owner, own, state_find(state, own->field->name), first, error);
        }
    }
    return status;
}

uint64_t simulation_changes(const struct simulation *s)
{
    uint64_t changes = 0;
    for (size_t k = 0; k < s->n_systems; k++)
        changes += s->system[k]->changes;
    return changes;
}
