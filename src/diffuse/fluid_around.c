#include "diffuse/fluid_around.h"

#include "base/lanes.h"
#include "base/memory.h"

#include <stdlib.h>

/* Of the kernel, in radii: two spacings. */
static const double support_in_radii = 4.0;

double fluid_around_support(double radius)
{
    return support_in_radii * radius;
}

enum status fluid_around_create(struct fluid_around *around, const struct scene *scene,
                                const struct particles *p, struct error *error)
{
    *around = (struct fluid_around){.scene = scene};
    for (size_t i = 0; i < p->n; i++)
        if (scene_body_flows(scene, p->body[i]))
            around->support = fmax(around->support, fluid_around_support(p->radius[i]));
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
        const double h = fluid_around_support(p->radius[i]);
        around->velocity[s] = velocity[i];
        around->narrow[s] = 1.0 / (h * h);
    }
    return STATUS_OK;
}

/* ---- the particles near a place ---- */

static enum status reserve(struct fluid_near *near, size_t n, struct error *error)
{
    double **const array[] = {&near->x,  &near->y,  &near->z, &near->narrow,
                              &near->vx, &near->vy, &near->vz};
    const size_t room = array_room(near->room, n);
    if (n <= near->room)
        return STATUS_OK;
    for (size_t k = 0; k < sizeof array / sizeof array[0]; k++)
        if (array_grow(array[k], near->room, room, sizeof(double), "fluids", error))
            return STATUS_FAILED;
    near->room = room;
    return STATUS_OK;
}

static void put(struct fluid_near *near, struct vec3 place, double narrow, struct vec3 velocity)
{
    const size_t k = near->n++;
    near->x[k] = place.x;
    near->y[k] = place.y;
    near->z[k] = place.z;
    near->narrow[k] = narrow;
    near->vx[k] = velocity.x;
    near->vy[k] = velocity.y;
    near->vz[k] = velocity.z;
}

enum status fluid_near_find(struct fluid_near *near, const struct fluid_around *around,
                            struct vec3 center, double within, struct error *error)
{
    const struct cell_grid *grid = &around->grid;
    const double reach = around->support + within;
    near->list.n = near->n = 0;
    if (cell_grid_append(grid, center, reach, &near->list, error) ||
        reserve(near, near->list.n + CELL_GRID_LANES, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < near->list.n; k++) {
        const size_t s = near->list.slot[k];
        put(near, vec3(grid->x[s], grid->y[s], grid->z[s]), around->narrow[s], around->velocity[s]);
    }
    const struct vec3 far = vec3_add(center, vec3(2.0 * reach, 2.0 * reach, 2.0 * reach));
    while (near->n % CELL_GRID_LANES != 0)
        put(near, far, 1.0 / (around->support * around->support), vec3(0.0, 0.0, 0.0));
    return STATUS_OK;
}

void fluid_near_free(struct fluid_near *near)
{
    free(near->list.slot);
    free(near->x);
    free(near->y);
    free(near->z);
    free(near->narrow);
    free(near->vx);
    free(near->vy);
    free(near->vz);
    *near = (struct fluid_near){0};
}

/* 1 - d^2/h^2 of four particles; 0 beyond their supports. */
static inline lanes nearness(const struct fluid_near *near, size_t k, const lanes place[3])
{
    const lanes dx = lanes_load(near->x + k) - place[0], dy = lanes_load(near->y + k) - place[1];
    const lanes dz = lanes_load(near->z + k) - place[2], one = lanes_all(1.0);
    const lanes distance2 = dx * dx + dy * dy + dz * dz;
    return lanes_max(one - distance2 * lanes_load(near->narrow + k), lanes_all(0.0));
}

bool fluid_near_velocity(const struct fluid_near *near, struct vec3 place, struct vec3 *velocity)
{
    const lanes at[3] = {lanes_all(place.x), lanes_all(place.y), lanes_all(place.z)};
    lanes weights = lanes_all(0.0), x = weights, y = weights, z = weights;
    for (size_t k = 0; k < near->n; k += CELL_GRID_LANES) {
        const lanes q = nearness(near, k, at), w = q * q * q;
        weights += w;
        x += w * lanes_load(near->vx + k);
        y += w * lanes_load(near->vy + k);
        z += w * lanes_load(near->vz + k);
    }
    const double all = lanes_sum(weights);
    if (all > 0.0)
        *velocity = vec3_scale(1.0 / all, vec3(lanes_sum(x), lanes_sum(y), lanes_sum(z)));
    return all > 0.0;
}

size_t fluid_near_count(const struct fluid_near *near, struct vec3 place)
{
    const lanes at[3] = {lanes_all(place.x), lanes_all(place.y), lanes_all(place.z)};
    size_t n = 0;
    for (size_t k = 0; k < near->n; k += CELL_GRID_LANES)
        n += lanes_chosen_count[lanes_below(lanes_all(0.0), nearness(near, k, at))];
    return n;
}
