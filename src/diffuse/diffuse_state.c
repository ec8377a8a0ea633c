/* The list of diffuse particles in frames: four lists of the same length. */
#include "base/memory.h"
#include "diffuse/diffuse_parts.h"

#include <stdlib.h>
#include <string.h>

enum { POSITION, VELOCITY, BIRTH, SOURCE };

static const struct state_field fields[DIFFUSE_FIELDS] = {
    [POSITION] = {.name = "diffuse_position",
                  .element = ELEMENT_F64,
                  .width = 3,
                  .unit = "m",
                  .sentence = "where diffuse particles are, such as smoke; the next three fields "
                              "have the same order",
                  .form = STATE_LIST},
    [VELOCITY] = {.name = "diffuse_velocity",
                  .element = ELEMENT_F64,
                  .width = 3,
                  .unit = "m/s",
                  .sentence = "velocity of diffuse particles in the last step",
                  .form = STATE_LIST},
    [BIRTH] = {.name = "diffuse_birth",
               .element = ELEMENT_F64,
               .width = 1,
               .unit = "s",
               .sentence = "simulated time at which diffuse particles were born",
               .form = STATE_LIST},
    [SOURCE] = {.name = "diffuse_source",
                .element = ELEMENT_U32,
                .width = 1,
                .unit = "1",
                .sentence = "index of the source of diffuse particles, from 0, in the order of "
                            "their names",
                .form = STATE_LIST},
};

static void *array_of(const struct diffuse *d, size_t field)
{
    switch (field) {
    case POSITION:
        return d->position;
    case VELOCITY:
        return d->velocity;
    case BIRTH:
        return d->birth;
    default:
        return d->source;
    }
}

static size_t entry_size(size_t field)
{
    return fields[field].width * element_size(fields[field].element);
}

static enum status list(const void *owner, size_t field, size_t *rows, void **data,
                        struct error *error)
{
    const struct diffuse *d = owner;
    *rows = d->n;
    if (array_create(data, d->n, entry_size(field), fields[field].name, error))
        return STATUS_FAILED;
    if (d->n > 0)
        memcpy(*data, array_of(d, field), d->n * entry_size(field));
    return STATUS_OK;
}

/* A list of its own replaces the one with which the scene begins. */
static enum status give(void *owner, size_t field, size_t rows, const void *data,
                        struct error *error)
{
    struct diffuse *d = owner;
    const uint32_t *source = data;
    for (size_t k = 0; field == SOURCE && k < rows; k++)
        if (source[k] >= d->scene->n_diffuse)
            return error_set(error, STATUS_INVALID,
                             "entry %zu of diffuse_source is %u, and the scene has %zu sources", k,
                             source[k], d->scene->n_diffuse);
    if (diffuse_reserve(d, rows, error))
        return STATUS_FAILED;
    memcpy(array_of(d, field), data, rows * entry_size(field));
    d->n = d->given[field] = rows;
    return STATUS_OK;
}

/* The functions of one field, which its description does not get. */
#define FUNCTIONS_OF(field, name)                                                                  \
    static enum status list_##name(const void *owner, size_t *rows, void **data,                   \
                                   struct error *error)                                            \
    {                                                                                              \
        return list(owner, field, rows, data, error);                                              \
    }                                                                                              \
    static enum status give_##name(void *owner, size_t rows, const void *data,                     \
                                   struct error *error)                                            \
    {                                                                                              \
        return give(owner, field, rows, data, error);                                              \
    }

FUNCTIONS_OF(POSITION, position)
FUNCTIONS_OF(VELOCITY, velocity)
FUNCTIONS_OF(BIRTH, birth)
FUNCTIONS_OF(SOURCE, source)

static const struct owned_state states[DIFFUSE_FIELDS] = {
    {.field = &fields[POSITION], .list = list_position, .give = give_position},
    {.field = &fields[VELOCITY], .list = list_velocity, .give = give_velocity},
    {.field = &fields[BIRTH], .list = list_birth, .give = give_birth},
    {.field = &fields[SOURCE], .list = list_source, .give = give_source}};

const struct declaration diffuse_declaration = {
    .name = "diffuse", .n_state = DIFFUSE_FIELDS, .state = states};

enum status diffuse_check(const struct diffuse *d, struct error *error)
{
    for (size_t k = 0; k < DIFFUSE_FIELDS; k++)
        if (d->given[k] != d->given[0])
            return error_set(error, STATUS_INVALID,
                             "there are %zu entries of %s and %zu of %s; they should be the same",
                             d->given[0], fields[0].name, d->given[k], fields[k].name);
    return STATUS_OK;
}
