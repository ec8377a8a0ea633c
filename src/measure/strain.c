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

/* The bond between two particles; NULL: there is none. */
static const uint8_t *bond_of(const struct bonded *bonded, uint32_t i, uint32_t j)
{
    const struct bonded *own = bonded_of(bonded, i);
    const size_t *start = own && own->start ? own->start + (i - own->begin) : NULL;
    for (size_t e = start ? start[0] : 0; start && e < start[1]; e++)
        if (own->neighbor[e] == j)
            return &own->whole[e];
    return NULL;
}

/* Those along the edges of triangles, most of them from both sides. */
static size_t springs_of_mesh(const struct sheet *sheet, const struct vec3 *rest,
                              const struct bonded *bonded, struct stretch_spring *spring)
{
    size_t n = 0;
    for (size_t t = 0; t < sheet->n_triangles; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t i = sheet->triangle[t][k], j = sheet->triangle[t][(k + 1) % 3];
            const uint8_t *there = bond_of(bonded, i, j), *back = bond_of(bonded, j, i);
            if (there || back)
                spring[n++] = (struct stretch_spring){i, j, there ? there : back,
                                                      vec3_norm(vec3_sub(rest[j], rest[i]))};
        }
    return n;
}

/* How many springs there may be at most. */
static size_t count_springs(const struct particles *p, const struct vec3 *rest,
                            const struct bonded *bonded, const struct sheet *sheet, bool of_mesh)
{
    size_t n = 0;
    for (uint32_t i = 0; i < p->n && !of_mesh; i++)
        if (p->body[i] == sheet->body)
            n += springs_of(p, rest, bonded, i, NULL);
    return of_mesh ? 3 * sheet->n_triangles : n;
}

enum status strain_create(struct strain *strain, const struct particles *particles,
                          const struct vec3 *rest, const struct bonded *bonded, size_t n_sheets,
                          const struct sheet *sheet, const bool *of_mesh, struct error *error)
{
    *strain = (struct strain){0};
    size_t most = 0;
    for (size_t s = 0; s < n_sheets; s++)
        most += count_springs(particles, rest, bonded, &sheet[s], of_mesh[s]);
    if (array_create(&strain->spring, most, sizeof *strain->spring, "springs of sheets", error))
        return STATUS_FAILED;
    for (size_t s = 0; s < n_sheets; s++) {
        if (of_mesh[s])
            strain->n += springs_of_mesh(&sheet[s], rest, bonded, strain->spring + strain->n);
        for (uint32_t i = 0; i < particles->n && !of_mesh[s]; i++)
            if (particles->body[i] == sheet[s].body)
                strain->n += springs_of(particles, rest, bonded, i, strain->spring + strain->n);
    }
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
