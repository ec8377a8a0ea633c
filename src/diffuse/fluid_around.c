#include "diffuse/fluid_around.h"

#include "base/memory.h"

#include <stdlib.h>

/* Of the kernel, in radii: two spacings. */
static const double support_in_radii = 4.0;

enum status fluid_around_create(struct fluid_around *around, const struct scene *scene,
                                const struct particles *p, struct error *error)
{
    *around = (struct fluid_around){.scene = scene};
    for (size_t i = 0; i < p->n; i++)
        if (scene_body_flows(scene, p->body[i]))
            around->support = fmax(around->support, support_in_radii * p->radius[i]);
    if (array_create(&around->present, p->n, sizeof *around->present, "fluids", error) ||
        array_create(&around->velocity, p->n, sizeof *around->velocity, "fluids", error) ||
        array_create(&around->narrow, p->n, sizeof *around->narrow, "fluids", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void fluid_around_free(struct fluid_around *around)
{
    cell_grid_free(&around->grid);
    free(around->present);
    free(around->velocity);
    free(around->narrow);
    *around = (struct fluid_around){0};
}

enum status fluid_around_find(struct fluid_around *around, const struct particles *p,
                              const struct vec3 *velocity, struct error *error)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->state[i] != PARTICLE_GONE && scene_body_flows(around->scene, p->body[i]))
            around->present[n++] = (uint32_t)i;
    around->grid.n = 0;
    if (n == 0)
        return STATUS_OK;
    if (cell_grid_build(&around->grid, n, around->present, p->position, around->support, error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static)
    for (size_t s = 0; s < n; s++) {
        const size_t i = around->grid.point[s];
        const double h = support_in_radii * p->radius[i];
        around->velocity[s] = velocity[i];
        around->narrow[s] = 1.0 / (h * h);
    }
    return STATUS_OK;
}

enum status fluid_around_velocity(const struct fluid_around *around, struct vec3 place,
                                  struct slot_list *list, struct vec3 *velocity, bool *any,
                                  struct error *error)
{
    const struct cell_grid *grid = &around->grid;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double weights = 0.0;
    list->n = 0;
    if (cell_grid_append(grid, place, around->support, list, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < list->n; k++) {
        const size_t s = list->slot[k];
        const struct vec3 apart = vec3_sub(place, vec3(grid->x[s], grid->y[s], grid->z[s]));
        const double q = fmax(1.0 - vec3_norm2(apart) * around->narrow[s], 0.0), w = q * q * q;
        sum = vec3_axpy(sum, w, around->velocity[s]);
        weights += w;
    }
    *any = weights > 0.0;
    if (*any)
        *velocity = vec3_scale(1.0 / weights, sum);
    return STATUS_OK;
}
