#include "config/config_copies.h"

#include "config/config_rules_parts.h"
#include "particles/random.h"

#include <math.h>
#include <stdlib.h>

static const struct node *entry_of(const struct node *copies, const char *key, size_t i)
{
    return node_get(copies, key)->entry[i].value;
}

double copies_number(const struct node *body)
{
    const struct node *copies = node_get(body, "copies");
    double n = 1.0;
    for (size_t i = 0; copies && i < 3; i++)
        n *= (double)entry_of(copies, "counts", i)->count;
    return n;
}

/* A vector each of whose components is uniform in [-1, 1). */
static struct vec3 drawn(uint64_t seed, size_t index, enum random_purpose first)
{
    double d[3];
    for (unsigned i = 0; i < 3; i++)
        d[i] = 2.0 * random_uniform(seed, 0, index, (enum random_purpose)(first + i)) - 1.0;
    return vec3(d[0], d[1], d[2]);
}

/* A direction, all equally likely. */
static struct vec3 direction(uint64_t seed, size_t index)
{
    const double z = 2.0 * random_uniform(seed, 0, index, RANDOM_COPY_HEIGHT) - 1.0;
    const double a = 2.0 * M_PI * random_uniform(seed, 0, index, RANDOM_COPY_ANGLE);
    return vec3(sqrt(1.0 - z * z) * cos(a), sqrt(1.0 - z * z) * sin(a), z);
}

/* Turns the columns of a matrix by Rodrigues' formula. */
static void turn(double matrix[9], struct vec3 axis, double angle)
{
    for (size_t i = 0; i < 3; i++) {
        struct vec3 v = vec3(matrix[i], matrix[3 + i], matrix[6 + i]);
        struct vec3 turned = vec3_scale(cos(angle), v);
        turned = vec3_axpy(turned, sin(angle), vec3_cross(axis, v));
        turned = vec3_axpy(turned, (1.0 - cos(angle)) * vec3_dot(axis, v), axis);
        matrix[i] = turned.x;
        matrix[3 + i] = turned.y;
        matrix[6 + i] = turned.z;
    }
}

/* The place of a copy in the grid relative to that of the first: they are counted along x first
 * and along z last. */
static struct vec3 offset_of(const struct node *copies, size_t copy)
{
    double along[3];
    for (size_t i = 0; i < 3; i++) {
        const size_t n = entry_of(copies, "counts", i)->count;
        along[i] = (double)(copy % n) * entry_of(copies, "spacing", i)->number;
        copy /= n;
    }
    return vec3(along[0], along[1], along[2]);
}

void copies_place(const struct node *node, uint64_t seed, size_t index, struct body *body)
{
    const struct node *copies = node_get(node, "copies");
    const double shift = node_get(copies, "shift")->number;
    const double angle = node_get(copies, "turn")->number * M_PI / 180.0;
    body->position = vec3_add(body->position, offset_of(copies, body->copy));
    if (shift > 0.0)
        body->position = vec3_axpy(body->position, shift, drawn(seed, index, RANDOM_COPY_SHIFT_X));
    if (angle > 0.0)
        turn(body->rotation, direction(seed, index),
             angle * (2.0 * random_uniform(seed, 0, index, RANDOM_COPY_TURN) - 1.0));
}

/* ---- rules ---- */

static void rule_single(struct reading *r, const struct node *root, const struct entry *body)
{
    const struct node *copies = sound(body->value, "copies"), *motions = sound(root, "motions");
    if (sound(body->value, "inlet"))
        complain(r, copies->origin,
                 "'bodies.%s' has copies and an inlet, which is that of one body; give one of them",
                 body->key);
    for (size_t i = 0; motions && i < motions->n; i++)
        if (is_word(sound(motions->entry[i].value, "body"), body->key))
            complain(
                r, motions->entry[i].origin,
                "'motions.%s' is that of one body, and 'bodies.%s' has copies; leave the motion "
                "out, or give it a body without copies",
                motions->entry[i].key, body->key);
}

/* Copies are called "brick-1", "brick-2" ... */
static void rule_names(struct reading *r, const struct node *bodies, const struct entry *body)
{
    const size_t length = strlen(body->key);
    for (size_t i = 0; i < bodies->n; i++) {
        const char *other = bodies->entry[i].key, *number = other + length + 1;
        if (strncmp(other, body->key, length) != 0 || other[length] != '-' || *number == '0' ||
            number[strspn(number, "0123456789")] != '\0')
            continue;
        if (strtod(number, NULL) <= copies_number(body->value))
            complain(r, bodies->entry[i].origin,
                     "'bodies.%s' is also the name of a copy of 'bodies.%s'; give one of them "
                     "another name",
                     other, body->key);
    }
}

void rule_copies(struct reading *r, const struct node *root)
{
    const struct node *bodies = sound(root, "bodies");
    double n = 0.0;
    for (size_t i = 0; bodies && i < bodies->n; i++) {
        const struct entry *body = &bodies->entry[i];
        const struct node *copies = body->value->faulty ? NULL : sound(body->value, "copies");
        if (!copies || !sound(copies, "counts"))
            continue;
        n += copies_number(body->value);
        if (n > MOST_BODIES)
            complain(
                r, copies->origin,
                "'bodies.%s.copies' makes %.10g bodies of one, and a scene has at most %d; give "
                "smaller counts",
                body->key, copies_number(body->value), MOST_BODIES);
        rule_single(r, root, body);
        rule_names(r, bodies, body);
    }
}
