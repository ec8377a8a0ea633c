/* The state of a frame under the numbers that particles, bonds and walls have beside other bodies.
 * What comes has the state that a run that begins gives it. */
#include "base/memory.h"
#include "run/continued_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct move {
    const struct renumbering *numbers;
    const struct scene *was, *is;
    const uint64_t *bond_is; /* as numbers->bond_was, in the new run (map->n_is + 1) */
    const char *path;
};

static size_t size_of(const struct state_field *field)
{
    return field->width * element_size(field->element);
}

/* ---- an entry per particle ---- */

static enum status move_entries(const struct move *m, struct state_value *value,
                                struct state_value *fresh, struct error *error)
{
    const struct renumbering *numbers = m->numbers;
    const size_t size = size_of(value->field);
    char *now = fresh->data;
    if (value->rows != numbers->n_was)
        return error_set(error, STATUS_INVALID, "%s: '%s' has %zu rows where %zu would be right",
                         m->path, value->field->name, value->rows, numbers->n_was);
    for (size_t i = 0; now && i < numbers->n_was; i++)
        if (numbers->is[i] != NO_BODY)
            memcpy(now + numbers->is[i] * size, (char *)value->data + i * size, size);
    free(value->data);
    value->data = now;
    value->rows = now ? numbers->n_is : 0;
    fresh->data = NULL;
    return STATUS_OK;
}

/* ---- lists whose entries begin with particles ---- */

static double number_at(const struct state_field *field, const char *row, size_t k)
{
    if (field->element == ELEMENT_U32)
        return ((const uint32_t *)(const void *)row)[k];
    return ((const double *)(const void *)row)[k];
}

static void put_number(const struct state_field *field, char *row, size_t k, double number)
{
    if (field->element == ELEMENT_U32)
        ((uint32_t *)(void *)row)[k] = (uint32_t)number;
    else
        ((double *)(void *)row)[k] = number;
}

/* The new number of a particle, of a wall, which come after them, or of what is neither; < 0: the
 * particle is gone. */
static double renumbered(const struct renumbering *numbers, double number)
{
    if (number == (double)UINT32_MAX)
        return number;
    if (number >= (double)numbers->n_was)
        return number - (double)numbers->n_was + (double)numbers->n_is;
    const uint32_t is = numbers->is[(size_t)number];
    return is == NO_BODY ? -1.0 : (double)is;
}

/* Puts the entry under its new numbers to row *n, unless one of its particles is gone. */
static void move_row(const struct move *m, const struct state_value *value, size_t k, size_t *n)
{
    const struct state_field *field = value->field;
    const size_t size = size_of(field);
    char *from = (char *)value->data + k * size, *to = (char *)value->data + *n * size;
    for (size_t c = 0; c < field->particles; c++) {
        const double number = renumbered(m->numbers, number_at(field, from, c));
        if (number < 0.0)
            return;
        put_number(field, from, c, number);
    }
    memmove(to, from, size);
    ++*n;
}

/* Whether body b of the new run has entries in the list and had none: it comes, or has become what
 * has some, as a body that begins to yield. */
static bool begins(const struct body_map *map, const struct scene *was, const struct scene *is,
                   const struct state_field *field, size_t b)
{
    return map->added[b] ||
           (field->of_body && field->of_body(is, b) && !field->of_body(was, map->was[b]));
}

size_t continued_count_beginners(const struct state *state, const struct body_map *map,
                                 const struct scene *was, const struct scene *is)
{
    size_t n = 0;
    for (size_t k = 0; k < state->n; k++)
        for (size_t b = 0; state->value[k].data && b < map->n_is; b++)
            n += !map->added[b] && begins(map, was, is, state->value[k].field, b);
    return n;
}

/* Whether the entry, of the state of a run that begins, is of a body that begins to have some. */
static bool comes(const struct move *m, const struct state_field *field, const char *row)
{
    const struct renumbering *numbers = m->numbers;
    const double i = number_at(field, row, 0);
    size_t b = 0;
    while (b < numbers->map->n_is && (double)numbers->first_is[b + 1] <= i)
        b++;
    return b < numbers->map->n_is && begins(numbers->map, m->was, m->is, field, b);
}

/* Both lists are in the order of their first particles: what begins has no contacts yet, so that
 * lists of pairs are empty. */
static enum status move_rows(const struct move *m, struct state_value *value,
                             const struct state_value *fresh, struct error *error)
{
    const struct state_field *field = value->field;
    const size_t size = size_of(field);
    size_t kept = 0, n = 0;
    char *list;
    if (array_create(&list, value->rows + fresh->rows, size, field->name, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < value->rows; k++)
        move_row(m, value, k, &kept);
    for (size_t k = 0, f = 0; k < kept || f < fresh->rows;) {
        const char *own = (const char *)value->data + k * size;
        const char *new = (const char *)fresh->data + f *size;
        const bool is_new =
            f < fresh->rows && (k == kept || number_at(field, new, 0) < number_at(field, own, 0));
        if (!is_new || comes(m, field, new))
            memcpy(list + n++ * size, is_new ? new : own, size);
        f += is_new;
        k += !is_new;
    }
    free(value->data);
    value->data = list;
    value->rows = n;
    return STATUS_OK;
}

/* ---- lists with an entry for each particle of some bodies ---- */

static void forget(struct state_value *value)
{
    free(value->data);
    *value = (struct state_value){.field = value->field};
}

/* How many entries come before those of each body, and all (n_bodies + 1); owned by the caller. */
static enum status entries_create(size_t **before, const struct state_field *field,
                                  const struct scene *scene, const size_t *first,
                                  struct error *error)
{
    const size_t n = scene->n_bodies;
    if (array_create(before, n + 1, sizeof **before, "bodies", error))
        return STATUS_FAILED;
    for (size_t b = 0; b < n; b++)
        (*before)[b + 1] = (*before)[b] + (field->of_body(scene, b) ? first[b + 1] - first[b] : 0);
    return STATUS_OK;
}

/* Leaves alone what is empty, because nobody needs it, in the frame or in the new run. A body that
 * had no entries and has some now, as water that becomes gas, begins with those of a new run. */
static enum status move_bodies(const struct move *m, struct state_value *value,
                               struct state_value *fresh, struct error *error)
{
    const struct renumbering *numbers = m->numbers;
    const struct body_map *map = numbers->map;
    const size_t size = size_of(value->field);
    size_t *was = NULL, *is = NULL;
    enum status status = entries_create(&was, value->field, m->was, numbers->first_was, error);
    if (!status)
        status = entries_create(&is, value->field, m->is, numbers->first_is, error);
    const bool fits = !status && value->rows == was[map->n_was] && fresh->rows == is[map->n_is];
    for (size_t b = 0; fits && b < map->n_is; b++)
        if (!map->added[b] && value->field->of_body(m->was, map->was[b]))
            memcpy((char *)fresh->data + is[b] * size,
                   (const char *)value->data + was[map->was[b]] * size, (is[b + 1] - is[b]) * size);
    if (!status && !fits && value->rows > 0 && fresh->rows > 0)
        status = error_set(error, STATUS_INVALID,
                           "%s: '%s' has %zu rows, and it is not known which of them are of bodies "
                           "that stay; leave the bodies as they are",
                           m->path, value->field->name, value->rows);
    forget(value);
    if (fits) {
        value->data = fresh->data;
        value->rows = fresh->rows;
        fresh->data = NULL;
    }
    free(was);
    free(is);
    return status;
}

/* ---- lists of numbers of bonds ---- */

static enum status move_numbers(const struct move *m, struct state_value *value,
                                struct error *error)
{
    const struct body_map *map = m->numbers->map;
    const uint64_t *was = m->numbers->bond_was;
    uint64_t *list = value->data;
    size_t n = 0;
    for (size_t k = 0, b = 0; k < value->rows; k++) {
        while (b + 1 < map->n_was && was[b + 1] <= list[k])
            b++;
        const uint32_t now = map->is[b];
        if (now == NO_BODY)
            continue;
        if (m->bond_is[now + 1] - m->bond_is[now] != was[b + 1] - was[b])
            return error_set(error, STATUS_INVALID,
                             "%s: body '%s' has torn bonds, and other bonds under the changed "
                             "configuration; keep the model and the horizon of its material",
                             m->path, m->is->body[now].name);
        list[n++] = list[k] - was[b] + m->bond_is[now];
    }
    value->rows = n;
    return STATUS_OK;
}

/* ---- all of it ---- */

static enum status move_value(struct move *m, struct simulation *new, struct state_value *value,
                              struct state_value *fresh, uint64_t *bonds, struct error *error)
{
    const struct state_field *field = value->field;
    if (!value->data)
        return STATUS_OK;
    if (!fresh->data) { /* nobody has it any more */
        forget(value);
        return STATUS_OK;
    }
    if (field->form != STATE_LIST)
        return move_entries(m, value, fresh, error);
    if (field->particles > 0)
        return move_rows(m, value, fresh, error);
    if (field->of_body)
        return move_bodies(m, value, fresh, error);
    m->bond_is = bonds;
    if (value->rows > 0 && simulation_numbers(new, field, bonds))
        return move_numbers(m, value, error);
    if (field->of_walls && value->rows != fresh->rows)
        forget(value);
    return STATUS_OK;
}

enum status continued_put_state(struct continued *c, const struct scene *was,
                                const struct renumbering *numbers, struct error *error)
{
    struct state fresh = {0}, *state = &c->initial.state;
    struct beginning new = {0};
    struct move m = {.numbers = numbers, .was = was, .path = c->path};
    uint64_t *bonds = NULL;
    enum status status = continued_begin(&new, &c->initial, c->path, NULL, error);
    if (status)
        return status;
    m.is = &new.scene;
    status = array_create(&bonds, m.is->n_bodies + 1, sizeof *bonds, "bonds", error);
    if (!status)
        status = state_create(&fresh, error);
    if (!status)
        status = simulation_take_state(&new.simulation, &fresh, error);
    for (size_t k = 0; k < state->n && !status; k++)
        status = move_value(&m, &new.simulation, &state->value[k], &fresh.value[k], bonds, error);
    state_free(&fresh);
    free(bonds);
    beginning_free(&new);
    return status;
}
