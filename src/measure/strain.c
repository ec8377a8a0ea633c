#include "measure/strain.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <stdlib.h>

/* A length in spacings 2 r between those of neighbors along an axis, 1, and along a diagonal, 1.41:
 * the bound by which systems/bonds/bond_rules.c tells springs apart. */
static const double NEXT_NEIGHBOR = 1.2;

/* Writes the springs of particle i to `spring`, or only counts them if it is NULL; returns their
 * number. */
static size_t springs_of(const struct particles *p, const struct vec3 *rest,
                         const struct bonded *bonded, uint32_t i, struct stretch_spring *spring)
{
    const struct bonded *own = bonded_of(bonded, i);
    const size_t *start = own && own->start ? own->start + (i - own->begin) : NULL;
    size_t n = 0;
    for (size_t e = start ? start[0] : 0; start && e < start[1]; e++) {
        uint32_t j = own->neighbor[e];
        if (p->body[j] != p->body[i])
            continue;
        double length = vec3_norm(vec3_sub(rest[j], rest[i]));
        if (length > NEXT_NEIGHBOR * (p->radius[i] + p->radius[j]))
            continue;
        if (spring)
            spring[n] = (struct stretch_spring){i, j, &own->whole[e], length};
        n++;
    }
    return n;
}

enum status strain_create(struct strain *strain, const struct particles *particles,
                          const struct vec3 *rest, const struct bonded *bonded, size_t n_sheets,
                          const struct sheet *sheet, struct error *error)
{
    *strain = (struct strain){0};
    size_t n = 0;
    for (uint32_t i = 0; i < particles->n; i++)
        if (sheets_have_body(n_sheets, sheet, particles->body[i]))
            n += springs_of(particles, rest, bonded, i, NULL);
    if (array_create(&strain->spring, n, sizeof *strain->spring, "springs of sheets", error))
        return STATUS_FAILED;
    for (uint32_t i = 0; i < particles->n; i++)
        if (sheets_have_body(n_sheets, sheet, particles->body[i]))
            strain->n += springs_of(particles, rest, bonded, i, strain->spring + strain->n);
    return STATUS_OK;
}

void strain_free(struct strain *strain)
{
    free(strain->spring);
    *strain = (struct strain){0};
}

struct strained {
    const struct strain *strain;
    const struct vec3 *position;
};

static double largest_strain(size_t begin, size_t end, const void *context)
{
    const struct strained *s = context;
    double largest = 0.0;
    for (size_t k = begin; k < end; k++) {
        const struct stretch_spring *spring = &s->strain->spring[k];
        if (!*spring->whole)
            continue;
        struct vec3 d = vec3_sub(s->position[spring->j], s->position[spring->i]);
        double strain = vec3_norm(d) / spring->length - 1.0;
        if (!(strain <= largest || isnan(largest))) /* keeps NaN */
            largest = strain;
    }
    return largest;
}

double strain_measure(const struct strain *strain, const struct vec3 *position)
{
    const struct strained strained = {strain, position};
    return strain->n == 0 ? 0.0 : blocks_max(strain->n, largest_strain, &strained);
}
