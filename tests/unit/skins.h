/* Sampled bodies with their bonds, some of them broken, for the tests of surfaces of solids. */
#ifndef TESTS_SKINS_H
#define TESTS_SKINS_H

#include "bodies.h"
#include "particles/random.h"
#include "surface/mesh_measures.h"
#include "surface/rest_bonds.h"
#include "surface/solid_skin.h"

#include <omp.h>

struct skinned {
    struct body body;
    struct material material;
    struct scene scene;
    struct sample sample;
    struct solid *solid;
    struct rest_bonds bonds;
    struct rest_lattice lattice;
    struct solid_cells cells;
    struct solid_skin skin;
    uint32_t *fragment; /* of each particle */
};

#define MUST(call)                                                                                 \
    do {                                                                                           \
        struct error error = {0};                                                                  \
        if ((call) != STATUS_OK) {                                                                 \
            printf("#   %s\n", error.message);                                                     \
            fflush(stdout);                                                                        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

BODIES_UNUSED static struct body box_body(int nx, int ny, int nz)
{
    struct body body = ball_body(1.0, 0.05);
    body.shape.kind = SHAPE_BOX;
    body.shape.size = vec3(0.1 * nx, 0.1 * ny, 0.1 * nz);
    return body;
}

BODIES_UNUSED static void skinned_begin_of(struct skinned *s, const struct body *body,
                                           const struct material *material)
{
    *s = (struct skinned){.body = *body, .material = *material};
    s->scene = (struct scene){.seed = 7,
                              .n_materials = 1,
                              .material = &s->material,
                              .n_bodies = 1,
                              .body = &s->body,
                              .solver = {.tolerance = 1e-8, .max_iterations = 10}};
    s->sample = make(&s->body, 1);
    s->fragment = calloc(s->sample.particles.n, sizeof *s->fragment);
    MUST(solid_create(&s->solid, &s->body.shape, &error));
    MUST(rest_bonds_create(&s->bonds, &s->scene, &s->sample.particles, s->sample.rest_position,
                           s->sample.n_sheets, s->sample.sheet, 0, NULL, &error));
    MUST(rest_lattice_create(&s->lattice, s->solid, &s->body, 0, s->sample.particles.n, &error));
}

BODIES_UNUSED static void skinned_begin(struct skinned *s, const struct body *body)
{
    skinned_begin_of(s, body, &steel);
}

BODIES_UNUSED static void skinned_end(struct skinned *s)
{
    solid_skin_free(&s->skin);
    solid_cells_free(&s->cells);
    rest_lattice_free(&s->lattice);
    rest_bonds_free(&s->bonds);
    solid_free(s->solid);
    sample_free(&s->sample);
    free(s->fragment);
}

typedef bool bond_choice(const struct skinned *s, uint32_t i, uint32_t j);

/* Breaks the chosen bonds; the network is then as after a run. */
BODIES_UNUSED static void break_bonds(struct skinned *s, bond_choice *chosen)
{
    const struct bonded *own = s->bonds.list;
    size_t n = 0, all = own->start[own->end];
    uint64_t *list = calloc(all, sizeof *list);
    for (uint32_t i = 0; i < own->end; i++)
        for (size_t e = own->start[i]; e < own->start[i + 1]; e++)
            if (chosen(s, i, own->neighbor[e]))
                list[n++] = e;
    rest_bonds_free(&s->bonds);
    MUST(rest_bonds_create(&s->bonds, &s->scene, &s->sample.particles, s->sample.rest_position,
                           s->sample.n_sheets, s->sample.sheet, n, list, &error));
    free(list);
}

/* Finds fragments: labels spread along whole bonds until nothing changes. */
BODIES_UNUSED static void find_fragments(struct skinned *s)
{
    const struct bonded *own = s->bonds.list;
    for (uint32_t i = 0; i < own->end; i++)
        s->fragment[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < own->end; i++)
            for (size_t e = own->start[i]; e < own->start[i + 1]; e++) {
                uint32_t *a = &s->fragment[i], *b = &s->fragment[own->neighbor[e]];
                if (!own->whole[e] || *a == *b)
                    continue;
                *a = *b = *a < *b ? *a : *b;
                changed = true;
            }
    }
}

BODIES_UNUSED static void make_skin(struct skinned *s, const struct solid *solid)
{
    find_fragments(s);
    MUST(solid_cells_create(&s->cells, &s->lattice, s->bonds.list, s->fragment, NULL, &error));
    MUST(solid_skin_create(&s->skin, &s->cells, solid, &error));
}

/* The volume between the origin and the triangles of one fragment (UINT32_MAX: of all). */
BODIES_UNUSED static double volume_of(const struct skinned *s, uint32_t fragment)
{
    double sum = 0.0;
    const struct triangle_mesh *m = &s->skin.mesh;
    for (size_t t = 0; t < m->n_triangles; t++) {
        const uint32_t *c = m->triangle[t];
        if (fragment == UINT32_MAX || s->fragment[s->skin.owner[c[0]][0]] == fragment)
            sum += vec3_dot(m->vertex[c[0]], vec3_cross(m->vertex[c[1]], m->vertex[c[2]])) / 6.0;
    }
    return sum;
}

BODIES_UNUSED static struct mesh_measures measure(const struct skinned *s)
{
    struct mesh_measures measures;
    MUST(mesh_measure(&s->skin.mesh, &measures, &error));
    return measures;
}

#endif
