#include "systems/sph/sph_points.h"

#include "sph/sph_kernel.h"
#include "systems/sph/sph_parts.h"

static struct vec3 place_of(const struct sph_points *points, uint32_t j)
{
    return vec3(points->grid->x[j], points->grid->y[j], points->grid->z[j]);
}

static double kernel_of(const struct sph *sph, const struct sph_points *points, uint32_t j,
                        struct vec3 x)
{
    return sph_wendland(sph->support, vec3_norm(vec3_sub(x, place_of(points, j))));
}

static struct sph_beside *list_of(struct sph *sph, const struct sph_points *points, size_t part)
{
    struct sph_part *p = &sph->neighbors.part[part];
    return points->solids ? &p->solids : &p->walls;
}

static struct vec3 position_of(const struct sph *sph, const struct particles *p, size_t slot)
{
    return p->position[sph->system.first + sph->neighbors.grid.point[slot]];
}

void sph_points_add_kernels(const struct sph *sph, const struct sph_points *points,
                            struct vec3 position, const struct sph_beside_slot *near, double *sum)
{
    for (size_t k = 0; k < near->n; k++)
        *sum +=
            points->point[near->point[k]].weight * kernel_of(sph, points, near->point[k], position);
}

double sph_points_rest(const struct sph *sph, double weight, double kernels)
{
    return weight * sph->own_density + sph->density_scale * kernels;
}

/* One thread sums, in the order of slots, because pairs of the fluid and points are few. */
void sph_points_sum(struct sph *sph, const struct particles *p, struct sph_points *points)
{
    for (size_t j = 0; points->grid && j < points->grid->n; j++)
        points->point[j].kernels = 0.0;
    for (size_t t = 0; points->grid && t < sph->neighbors.n_parts; t++) {
        const struct sph_beside *list = list_of(sph, points, t);
        const uint32_t *point = list->points.slot;
        for (size_t k = 0; k < list->n; k++) {
            struct vec3 x = position_of(sph, p, list->near[k].slot);
            for (size_t n = 0; n < list->near[k].n_points; n++, point++)
                points->point[*point].kernels += kernel_of(sph, points, *point, x);
        }
    }
}

struct vec3 sph_points_force(const struct sph *sph, const struct sph_points *points, uint32_t j,
                             struct vec3 from_x, double pressure)
{
    const struct sph_point *point = &points->point[j];
    struct vec3 x = vec3_sub(from_x, place_of(points, j));
    double slope = sph_wendland_slope(sph->support, vec3_norm(x));
    return vec3_scale(sph->fluid.mass * sph->density_scale * point->weight *
                          (pressure + point->pressure) * slope,
                      x);
}

/* Sets the pressure of a point; returns its density, 0 if it is at rest. */
static double press(const struct sph *sph, struct sph_point *point)
{
    double beyond = fmax(point->rest - sph->rest_density, 0.0);
    double density = point->rest - beyond + sph->density_scale * point->kernels;
    point->pressure = sph_in_units(sph, sph_pressure_term(sph, density));
    return point->pressure > 0.0 ? density : 0.0;
}

/* The forces on the slots of one part. */
static void push_part(struct sph *sph, const struct particles *p, const struct sph_points *points,
                      size_t part)
{
    struct sph_beside *list = list_of(sph, points, part);
    const uint32_t *point = list->points.slot;
    for (size_t k = 0; k < list->n; k++) {
        struct sph_near *near = &list->near[k];
        struct vec3 x = position_of(sph, p, near->slot), sum = vec3(0.0, 0.0, 0.0);
        double pressure = sph_slot_pressure(sph, near->slot);
        for (size_t n = 0; n < near->n_points; n++, point++)
            sum = vec3_add(sum, sph_points_force(sph, points, *point, x, pressure));
        near->force = sum;
    }
}

double sph_points_press(struct sph *sph, const struct particles *p, struct sph_points *points)
{
    size_t parts = sph->neighbors.n_parts;
    double densest = 0.0;
    for (size_t j = 0; points->grid && j < points->grid->n; j++)
        if (points->point[j].kernels > 0.0)
            densest = fmax(densest, press(sph, &points->point[j]));
#pragma omp parallel for schedule(static, 1) num_threads((int)parts) if (sph->system.n > ONE_THREAD)
    for (size_t t = 0; t < parts; t++)
        if (points->grid)
            push_part(sph, p, points, t);
    return densest;
}
