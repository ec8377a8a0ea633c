/* What the contacts of a problem move: bodies and particles, in the order in which contacts come to
 * them, and the pattern of the linear system for their motion (coulomb_motion.c), which has a block
 * for each pair of these that share a contact. */
#include "base/memory.h"
#include "solvers/coulomb_parts.h"
#include "solvers/dissection.h"

#include <stdlib.h>
#include <string.h>

void coulomb_motion_free(struct coulomb_motion *m)
{
    free(m->width);
    free(m->first);
    free(m->contacts_start);
    free(m->contacts);
    free(m->near_start);
    free(m->near);
    free(m->block);
    free(m->other_start);
    free(m->other);
    free(m->order);
    free(m->place);
    free(m->number);
    free(m->seen);
    free(m->unknown);
    free(m->unknown_place);
    free(m->matrix.start);
    free(m->matrix.column);
    free(m->matrix.value);
    free(m->matrix.diagonal);
    free(m->vectors);
    sparse_factor_free(&m->factor);
    *m = (struct coulomb_motion){0};
}

/* ---- what moves ---- */

static enum status reserve_moved(struct coulomb_motion *m, size_t n, struct error *error)
{
    const size_t from = m->capacity, to = array_room(from, n);
    if (n <= from && from > 0)
        return STATUS_OK;
    if (array_grow(&m->width, from, to, sizeof *m->width, "contacts", error) ||
        array_grow(&m->first, from, to + 1, sizeof *m->first, "contacts", error) ||
        array_grow(&m->contacts_start, from, to + 1, sizeof *m->contacts_start, "contacts",
                   error) ||
        array_grow(&m->near_start, from, to + 1, sizeof *m->near_start, "contacts", error) ||
        array_grow(&m->other_start, from, to + 1, sizeof *m->other_start, "contacts", error) ||
        array_grow(&m->order, from, to, sizeof *m->order, "contacts", error) ||
        array_grow(&m->place, from, to, sizeof *m->place, "contacts", error) ||
        array_grow(&m->seen, from, to, sizeof *m->seen, "contacts", error))
        return STATUS_FAILED;
    m->capacity = to;
    return STATUS_OK;
}

static enum status reserve_numbers(struct coulomb_motion *m, size_t n, struct error *error)
{
    const size_t had = m->number_capacity;
    if (array_reserve(&m->number, &m->number_capacity, n, sizeof *m->number, "contacts", error))
        return STATUS_FAILED;
    for (size_t k = had; k < m->number_capacity; k++)
        m->number[k] = SIDE_STANDS;
    return STATUS_OK;
}

/* Numbers what the contacts move, as they come. There is room for two of each contact. */
static void number_moved(struct coulomb_cones *s)
{
    struct coulomb_motion *m = &s->motion;
    m->n = 0;
    for (size_t k = 0; k < s->n; k++)
        for (size_t at = 0; at < 2; at++) {
            const struct contact_side *side = &s->contact[k].side[at];
            s->contact[k].moved[at] = SIDE_STANDS;
            if (side->moved == SIDE_STANDS)
                continue;
            if (m->number[side->moved] == SIDE_STANDS) {
                m->number[side->moved] = (uint32_t)m->n;
                m->width[m->n++] = side->width;
            }
            s->contact[k].moved[at] = m->number[side->moved];
        }
    for (size_t k = 0; k < s->n; k++)
        for (size_t at = 0; at < 2; at++)
            if (s->contact[k].side[at].moved != SIDE_STANDS)
                m->number[s->contact[k].side[at].moved] = SIDE_STANDS;
    m->first[0] = 0;
    for (size_t b = 0; b < m->n; b++)
        m->first[b + 1] = m->first[b] + m->width[b];
    m->n_unknowns = m->first[m->n];
}

static void list_contacts(struct coulomb_cones *s)
{
    struct coulomb_motion *m = &s->motion;
    size_t *start = m->contacts_start;
    memset(start, 0, (m->n + 1) * sizeof *start);
    for (size_t k = 0; k < 2 * s->n; k++)
        if (s->contact[k / 2].moved[k % 2] != SIDE_STANDS)
            start[s->contact[k / 2].moved[k % 2] + 1]++;
    for (size_t b = 0; b < m->n; b++)
        start[b + 1] += start[b];
    for (size_t k = 0; k < 2 * s->n; k++)
        if (s->contact[k / 2].moved[k % 2] != SIDE_STANDS)
            m->contacts[start[s->contact[k / 2].moved[k % 2]]++] = (uint32_t)k;
    for (size_t b = m->n; b > 0; b--)
        start[b] = start[b - 1];
    start[0] = 0;
}

/* ---- the pattern ---- */

/* The block of b with another, which is added if it is new. */
static size_t block_of(struct coulomb_motion *m, size_t b, uint32_t other, size_t *n)
{
    if (m->seen[other] >= *n || m->seen[other] < m->near_start[b] ||
        m->near[m->seen[other]] != other) {
        m->seen[other] = (uint32_t)*n;
        m->near[(*n)++] = other;
    }
    return m->seen[other];
}

static void find_blocks(struct coulomb_cones *s)
{
    struct coulomb_motion *m = &s->motion;
    size_t n = 0;
    memset(m->seen, 0, m->n * sizeof *m->seen);
    for (uint32_t b = 0; b < m->n; b++) {
        m->near_start[b] = n;
        block_of(m, b, b, &n);
        for (size_t e = m->contacts_start[b]; e < m->contacts_start[b + 1]; e++) {
            struct coulomb_contact *c = &s->contact[m->contacts[e] / 2];
            const size_t at = m->contacts[e] % 2;
            c->first[at] = m->first[b];
            for (size_t to = 0; to < 2; to++)
                if (c->moved[to] != SIDE_STANDS)
                    c->block[at][to] = block_of(m, b, c->moved[to], &n);
        }
    }
    m->near_start[m->n] = n;
}

/* Two or fewer need no order. */
static enum status find_order(struct coulomb_motion *m, struct error *error)
{
    enum { FEW = 2 };
    size_t entries = 0, n = 0;
    for (size_t b = 0; b < m->n; b++) {
        m->order[b] = m->place[b] = (uint32_t)b;
        m->other_start[b] = entries;
        for (size_t e = m->near_start[b] + 1; e < m->near_start[b + 1]; e++)
            m->other[entries++] = m->near[e];
    }
    m->other_start[m->n] = entries;
    if (m->n > FEW && entries > 0 &&
        dissection_order(m->n, m->other_start, m->other, m->order, m->place, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < m->n; k++)
        for (size_t i = m->first[m->order[k]]; i < m->first[m->order[k] + 1]; i++, n++) {
            m->unknown[n] = (uint32_t)i;
            m->unknown_place[i] = (uint32_t)n;
        }
    return STATUS_OK;
}

static enum status reserve_matrix(struct coulomb_motion *m, struct error *error)
{
    enum { ROOMS = sizeof m->room / sizeof *m->room };
    const size_t from = m->unknown_capacity, to = array_room(from, m->n_unknowns);
    size_t entries = 0;
    for (size_t b = 0; b < m->n; b++)
        for (size_t e = m->near_start[b]; e < m->near_start[b + 1]; e++)
            entries += (size_t)m->width[b] * m->width[m->near[e]];
    if (entries > m->entry_capacity || m->entry_capacity == 0) {
        const size_t room = array_room(m->entry_capacity, entries);
        if (array_grow(&m->matrix.column, m->entry_capacity, room, sizeof *m->matrix.column,
                       "contacts", error) ||
            array_grow(&m->matrix.value, m->entry_capacity, room, sizeof *m->matrix.value,
                       "contacts", error))
            return STATUS_FAILED;
        m->entry_capacity = room;
    }
    if (m->n_unknowns > from || from == 0) {
        if (array_grow(&m->matrix.diagonal, from, to, sizeof *m->matrix.diagonal, "contacts",
                       error) ||
            array_grow(&m->matrix.start, from, to + 1, sizeof *m->matrix.start, "contacts",
                       error) ||
            array_grow(&m->unknown, from, to, sizeof *m->unknown, "contacts", error) ||
            array_grow(&m->unknown_place, from, to, sizeof *m->unknown_place, "contacts", error))
            return STATUS_FAILED;
        m->unknown_capacity = to;
    }
    if (array_reserve(&m->vectors, &m->vector_capacity, ROOMS * m->n_unknowns, sizeof *m->vectors,
                      "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < ROOMS; k++)
        m->room[k] = m->vectors + k * m->n_unknowns;
    m->matrix.n = m->n_unknowns;
    return STATUS_OK;
}

static enum status reserve_contacts(struct coulomb_motion *m, size_t n, struct error *error)
{
    const size_t from = m->contact_capacity, to = array_room(from, n);
    if (n <= from && from > 0)
        return STATUS_OK;
    if (array_grow(&m->contacts, 2 * from, 2 * to, sizeof *m->contacts, "contacts", error) ||
        array_grow(&m->near, 4 * from, 4 * to, sizeof *m->near, "contacts", error) ||
        array_grow(&m->other, 2 * from, 2 * to, sizeof *m->other, "contacts", error))
        return STATUS_FAILED;
    m->contact_capacity = to;
    return STATUS_OK;
}

enum status coulomb_motion_take(struct coulomb_cones *s, size_t n_numbers, struct error *error)
{
    struct coulomb_motion *m = &s->motion;
    if (reserve_moved(m, 2 * s->n, error) || reserve_numbers(m, n_numbers, error) ||
        reserve_contacts(m, s->n, error))
        return STATUS_FAILED;
    number_moved(s);
    list_contacts(s);
    find_blocks(s);
    if (array_reserve(&m->block, &m->near_capacity, m->near_start[m->n], sizeof *m->block,
                      "contacts", error) ||
        reserve_matrix(m, error))
        return STATUS_FAILED;
    return find_order(m, error);
}
