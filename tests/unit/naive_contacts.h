/* An iteration of contacts between particles, one particle after the other, for comparison bit for
 * bit: UPP 12, 13, 17 to 20, 22 to 24, each pair anew at both its ends. */
#ifndef TESTS_NAIVE_CONTACTS_H
#define TESTS_NAIVE_CONTACTS_H

#include "constraints/contacts.h"

struct naive_contact {
    bool acts;
    double depth;
    struct vec3 normal, across; /* from i to j, and what i slipped relative to j */
};

/* UPP 17 to 20 of a contact that acts, as seen from i: the normal, and the depth. */
static inline void naive_fields(const struct candidates *c, const double *radius, size_t i,
                                size_t j, struct naive_contact *contact)
{
    const struct field_point *a = &c->field[i < j ? i : j], *b = &c->field[i < j ? j : i];
    if (a->rule == FIELD_NONE || b->rule == FIELD_NONE || !contact->acts)
        return;
    const struct field_point *least = b->depth < a->depth ? b : a;
    const bool own = least == &c->field[i];
    const struct vec3 g = vec3_scale(own ? 1.0 : -1.0, least->outward);
    const double in = vec3_dot(contact->normal, g);
    if (least->rule == FIELD_DEPTH || least->depth >= radius[i] + radius[j]) {
        contact->normal = g;
        contact->depth = least->depth;
    } else if (in < 0.0) {
        contact->normal = vec3_axpy(contact->normal, -2.0 * in, g);
    }
}

static inline struct naive_contact naive_contact_of(const struct candidates *c,
                                                    const double *radius, size_t i, size_t j)
{
    const struct vec3 way = vec3_sub(c->at[j], c->at[i]);
    const double length = vec3_norm(way), depth = radius[i] + radius[j] - length;
    const struct vec3 slipped =
        vec3_sub(vec3_sub(c->at[i], c->start[i]), vec3_sub(c->at[j], c->start[j]));
    const struct vec3 normal =
        length > 0.0 ? vec3_scale(1.0 / length, way) : vec3(0.0, 0.0, i < j ? 1.0 : -1.0);
    struct naive_contact contact = {.acts = depth > 1e-12 * fmin(radius[i], radius[j]) &&
                                            c->weight[i] + c->weight[j] > 0.0,
                                    .depth = depth,
                                    .normal = normal};
    if (c->field)
        naive_fields(c, radius, i, j, &contact);
    contact.across = vec3_axpy(slipped, -vec3_dot(slipped, contact.normal), contact.normal);
    return contact;
}

/* Whether k is the other end of pair e at i; then j is k. */
static inline bool naive_other(const struct pair_list *pairs, size_t e, size_t i, size_t *j)
{
    const struct pair pair = pairs->pair[e];
    *j = pair.i == i ? pair.j : pair.i;
    return pair.i == i || pair.j == i;
}

static inline double naive_number(const struct candidates *c, const double *radius, size_t i)
{
    double number = 0.0;
    for (size_t e = 0, j; e < c->near->n; e++)
        if (naive_other(c->near, e, i, &j))
            number += naive_contact_of(c, radius, i, j).acts;
    return number;
}

/* How much of the way across friction takes. */
static inline double naive_part(const struct contact_setting *s,
                                const struct naive_contact *contact)
{
    const double length = vec3_norm(contact->across);
    if (length < s->static_friction * contact->depth || length == 0.0)
        return 1.0;
    return fmin(s->friction * contact->depth / length, 1.0);
}

/* Shift of particle i and what of it is friction, in ascending order of the other ends; `number`
 * has that of all particles. */
static inline void naive_contacts(const struct candidates *c, const struct contact_setting *s,
                                  const double *number, size_t i, struct vec3 *shift,
                                  struct vec3 *rubbed, double *violation)
{
    *shift = *rubbed = vec3(0.0, 0.0, 0.0);
    *violation = 0.0;
    for (size_t e = 0, j; e < c->near->n && c->weight[i] > 0.0; e++) {
        if (!naive_other(c->near, e, i, &j))
            continue;
        const struct naive_contact contact = naive_contact_of(c, s->radius, i, j);
        if (!contact.acts)
            continue;
        const double n_i = c->averaging.split ? number[i] : 1.0;
        const double n_j = c->averaging.split ? number[j] : 1.0;
        const double share =
            c->averaging.omega * c->scaled[i] / (n_i * c->scaled[i] + n_j * c->scaled[j]);
        const struct vec3 push = vec3_scale(-share * contact.depth, contact.normal);
        const struct vec3 rub =
            vec3_scale(-share, vec3_scale(naive_part(s, &contact), contact.across));
        *shift = vec3_add(*shift, vec3_add(push, rub));
        *rubbed = vec3_add(*rubbed, rub);
        *violation = fmax(*violation, contact.depth);
    }
    if (c->averaging.split || number[i] == 0.0)
        return;
    *shift = vec3_scale(1.0 / number[i], *shift);
    *rubbed = vec3_scale(1.0 / number[i], *rubbed);
}

#endif
