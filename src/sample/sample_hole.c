#include "sample/sample_hole.h"

#include "base/memory.h"
#include "particles/cell_grid.h"
#include "shape/shape.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A shape that is cut out of a body. */
struct cut {
    const struct body *body;
    struct solid *solid;
};

/* Distance of a place in the world from the surface of the cut, positive outside of it. */
static double distance_from(const struct cut *cut, struct vec3 place)
{
    const double *r = cut->body->rotation;
    struct vec3 d = vec3_sub(place, cut->body->position);
    struct vec3 own =
        vec3(r[0] * d.x + r[3] * d.y + r[6] * d.z, r[1] * d.x + r[4] * d.y + r[7] * d.z,
             r[2] * d.x + r[5] * d.y + r[8] * d.z);
    return solid_distance(cut->solid, own);
}

static bool holds_any(const struct cut *cut, const struct particles *p, size_t n,
                      const uint32_t *inner)
{
    for (size_t k = 0; k < n; k++)
        if (distance_from(cut, p->position[inner[k]]) < 0.0)
            return true;
    return false;
}

static bool overlaps_one(const struct particles *p, size_t i, size_t n, const uint32_t *found)
{
    for (size_t f = 0; f < n; f++)
        if (vec3_norm(vec3_sub(p->position[i], p->position[found[f]])) <
            p->radius[i] + p->radius[found[f]])
            return true;
    return false;
}

/* The farthest from the cut of the particles of `outer` that overlap the inner body. */
static enum status farthest(const struct cut *cut, const struct particles *p, size_t outer,
                            size_t n, const uint32_t *inner, double *wider, struct error *error)
{
    struct cell_grid grid = {0};
    uint32_t *found = NULL;
    double reach = cut->body->radius + p->radius[inner[0]];
    enum status status = array_create(&found, cell_grid_room(n), sizeof *found, "neighbors", error);
    if (!status)
        status = cell_grid_build(&grid, n, inner, p->position, reach, error);
    for (size_t i = 0; i < p->n && !status; i++)
        if (p->body[i] == outer &&
            overlaps_one(p, i, cell_grid_within(&grid, p->position[i], reach, found), found))
            *wider = fmax(*wider, distance_from(cut, p->position[i]));
    cell_grid_free(&grid);
    free(found);
    return status;
}

static enum status try_cut(const struct shape *shape, const struct body *body,
                           const struct particles *p, size_t outer, size_t n, const uint32_t *inner,
                           struct hole *hole, struct error *error)
{
    struct cut cut = {.body = body};
    enum status status = solid_create(&cut.solid, shape, error);
    if (!status && holds_any(&cut, p, n, inner)) {
        hole->shape = shape;
        status = farthest(&cut, p, outer, n, inner, &hole->wider, error);
    }
    solid_free(cut.solid);
    return status;
}

enum status sample_hole(const struct scene *scene, const struct particles *p, size_t outer,
                        size_t inner, struct hole *hole, struct error *error)
{
    const struct body *body = &scene->body[outer];
    uint32_t *members = NULL;
    size_t n = 0;
    *hole = (struct hole){0};
    if (body->shape.kind != SHAPE_DIFFERENCE)
        return STATUS_OK;
    enum status status = array_create(&members, p->n, sizeof *members, "particles", error);
    for (size_t i = 0; i < p->n && !status; i++)
        if (p->body[i] == inner)
            members[n++] = (uint32_t)i;
    for (size_t k = 1; k < body->shape.n_children && n > 0 && !status && !hole->shape; k++)
        status = try_cut(&body->shape.child[k], body, p, outer, n, members, hole, error);
    free(members);
    return status;
}
