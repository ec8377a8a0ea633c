#include "shape/walls.h"

#include "base/memory.h"
#include "shape/placed_solid.h"

#include <stdlib.h>

struct walls {
    const struct wall **wall; /* of the scene (n) */
    size_t n;
    struct placed_solid *solid; /* (n) */
    struct walls *of_solids;    /* NULL: none of them holds elastic bodies */
};

static size_t count_holding(const struct scene *scene, enum wall_holds holds)
{
    size_t count = 0;
    for (size_t k = 0; k < scene->n_walls; k++)
        count += scene->wall[k].holds >= holds;
    return count;
}

/* Creates room for n walls. */
static enum status create_room(struct walls **walls, size_t n, struct error *error)
{
    if (array_create(walls, 1, sizeof **walls, "walls", error) ||
        array_create(&(*walls)->wall, n, sizeof *(*walls)->wall, "walls", error) ||
        array_create(&(*walls)->solid, n, sizeof *(*walls)->solid, "walls", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

/* Creates the walls that hold at least this much; NULL if there are none. */
static enum status create_holding(struct walls **walls, const struct scene *scene,
                                  enum wall_holds holds, struct error *error)
{
    size_t n = count_holding(scene, holds);
    *walls = NULL;
    if (n == 0)
        return STATUS_OK;
    enum status status = create_room(walls, n, error);
    for (size_t k = 0; k < scene->n_walls && !status; k++) {
        const struct wall *wall = &scene->wall[k];
        if (wall->holds < holds)
            continue;
        (*walls)->wall[(*walls)->n] = wall;
        status = placed_solid_create(&(*walls)->solid[(*walls)->n++], &wall->region, error);
    }
    if (status) {
        walls_free(*walls);
        *walls = NULL;
    }
    return status;
}

enum status walls_create(struct walls **walls, const struct scene *scene, struct error *error)
{
    enum status status = create_holding(walls, scene, HOLDS_FLUIDS, error);
    if (status || !*walls)
        return status;
    status = create_holding(&(*walls)->of_solids, scene, HOLDS_ALL, error);
    if (status) {
        walls_free(*walls);
        *walls = NULL;
    }
    return status;
}

void walls_free(struct walls *walls)
{
    if (!walls)
        return;
    for (size_t k = 0; k < walls->n; k++)
        placed_solid_free(&walls->solid[k]);
    walls_free(walls->of_solids);
    free(walls->solid);
    free(walls->wall);
    free(walls);
}

const struct walls *walls_of_solids(const struct walls *walls)
{
    return walls ? walls->of_solids : NULL;
}

size_t walls_count(const struct walls *walls)
{
    return walls ? walls->n : 0;
}

/* The sign that makes the shape's distance positive where the scene is. */
static double sign_of(const struct wall *wall)
{
    return wall->keep == KEEP_INSIDE ? -1.0 : 1.0;
}

double walls_distance_of(const struct walls *walls, size_t k, struct vec3 point)
{
    return sign_of(walls->wall[k]) * placed_solid_distance(&walls->solid[k], point);
}

double walls_distance(const struct walls *walls, struct vec3 point)
{
    double least = (double)INFINITY;
    for (size_t k = 0; k < walls->n; k++)
        least = fmin(least, walls_distance_of(walls, k, point));
    return least;
}

struct vec3 walls_normal_of(const struct walls *walls, size_t k, struct vec3 point, double h)
{
    return vec3_scale(sign_of(walls->wall[k]), placed_solid_normal(&walls->solid[k], point, h));
}

/* Moves the point away from one wall after the other, and again while one of them is too near, as
 * in the edge of a tank. A distance that is too short by no more than rounding is accepted. */
bool walls_push_out(const struct walls *walls, double least, struct vec3 *point)
{
    enum { ROUNDS = 64 };
    const double rounding = 1e-9 * least, h = 1e-4 * least;
    struct vec3 x = *point;
    for (int round = 0; round < ROUNDS; round++) {
        bool moved = false;
        for (size_t k = 0; k < walls->n; k++) {
            double missing = least - walls_distance_of(walls, k, x);
            if (!(missing > rounding))
                continue;
            struct vec3 normal = walls_normal_of(walls, k, x, h);
            double length = vec3_norm(normal);
            if (!(length > 0.0))
                return false;
            x = vec3_axpy(x, missing / length, normal);
            moved = true;
        }
        if (!moved) {
            *point = x;
            return true;
        }
    }
    return false;
}

const struct wall *walls_wall(const struct walls *walls, size_t k)
{
    return walls->wall[k];
}

const struct placed_solid *walls_solid(const struct walls *walls, size_t k)
{
    return &walls->solid[k];
}
