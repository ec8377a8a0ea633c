/* Neighbors, densities and pressures. Slots are particles in the order of the cell grid, (cell,
 * index): neighbors in space are neighbors in memory. */
#include "base/lanes.h"
#include "base/memory.h"
#include "systems/sph/sph_kernel.h"
#include "systems/sph/sph_parts.h"

#include <string.h>

enum { LANES = 4, NEIGHBORS = 40 /* of one particle, to begin with; the lists grow */ };

/* Appends the neighbors of slot s and fills up with the slot itself, `extra` times. */
static enum status find_neighbors(struct sph *sph, struct sph_part *part, size_t s, size_t *extra)
{
    const struct cell_grid *grid = &sph->grid;
    struct slot_list *list = &part->list;
    struct vec3 center = vec3(grid->x[s], grid->y[s], grid->z[s]);
    size_t begin = list->n;
    if (cell_grid_append(grid, center, sph->support, list, &part->error) ||
        array_reserve(&list->slot, &list->capacity, list->n + LANES, sizeof *list->slot,
                      "neighbors", &part->error))
        return STATUS_FAILED;
    for (*extra = 0; (list->n - begin) % LANES; ++*extra)
        list->slot[list->n++] = (uint32_t)s;
    sph->n_neighbors[s] = (uint32_t)(list->n - begin);
    return STATUS_OK;
}

/* The kernel sum over n neighbors, n a multiple of 4; 1 for each that is slot s itself. */
static double kernel_sum(const struct cell_grid *grid, double support, size_t s,
                         const uint32_t *slot, size_t n)
{
    const double *x = grid->x, *y = grid->y, *z = grid->z;
    lanes xs = lanes_all(x[s]), ys = lanes_all(y[s]), zs = lanes_all(z[s]);
    lanes sum = lanes_all(0.0), one = lanes_all(1.0), inverse = lanes_all(1.0 / support);
    for (size_t k = 0; k < n; k += LANES) {
        const uint32_t *j = slot + k;
        lanes dx = (lanes){x[j[0]], x[j[1]], x[j[2]], x[j[3]]} - xs;
        lanes dy = (lanes){y[j[0]], y[j[1]], y[j[2]], y[j[3]]} - ys;
        lanes dz = (lanes){z[j[0]], z[j[1]], z[j[2]], z[j[3]]} - zs;
        lanes q = inverse * lanes_sqrt(dx * dx + dy * dy + dz * dz);
        lanes g = lanes_max(one - q, lanes_all(0.0)), g2 = g * g;
        sum += g2 * g2 * (one + lanes_all(4.0) * q);
    }
    return lanes_sum(sum);
}

/* p / rho^2 with p = k ((rho / rho0)^2 - 1) >= 0. */
static double pressure_term(const struct sph *sph, double density)
{
    double ratio = density / sph->rest_density;
    double pressure = sph->fluid.stiffness * (ratio * ratio - 1.0);
    return pressure > 0.0 ? pressure / (density * density) : 0.0;
}

static enum status fill_part(struct sph *sph, const struct particles *p, struct sph_part *part)
{
    const struct cell_grid *grid = &sph->grid;
    double h = sph->support;
    part->list.n = part->wall_list.n = part->n_near = 0;
    if (array_reserve(&part->list.slot, &part->list.capacity, (part->end - part->begin) * NEIGHBORS,
                      sizeof *part->list.slot, "neighbors", &part->error))
        return STATUS_FAILED;
    for (size_t s = part->begin; s < part->end; s++) {
        size_t begin = part->list.n, extra;
        if (find_neighbors(sph, part, s, &extra))
            return STATUS_FAILED;
        double sum = kernel_sum(grid, h, s, part->list.slot + begin, part->list.n - begin);
        sum -= (double)extra + 1.0;
        size_t i = sph->system.first + grid->point[s];
        bool walled = sph->wall_points.n > 0 && p->state[i] != PARTICLE_DRIVEN;
        if (walled && sph_find_walls(sph, part, s, &sum))
            return STATUS_FAILED;
        double density = sph->own_density + sph->density_scale * sum;
        struct vec3 v = p->velocity[i];
        sph->slot[s] =
            (struct sph_slot){grid->x[s], grid->y[s], grid->z[s], pressure_term(sph, density),
                              v.x,        v.y,        v.z,        density};
    }
    return STATUS_OK;
}

static void set_no_force(struct sph *sph, size_t i)
{
    sph->pressure_force[i] = sph->viscous_force[i] = vec3(0.0, 0.0, 0.0);
    if (sph->wall_force)
        sph->wall_force[i] = vec3(0.0, 0.0, 0.0);
}

/* The particles that are not gone, NULL for all of them; no force is left on the others. */
static const uint32_t *find_present(struct sph *sph, const uint8_t *state, size_t *n)
{
    *n = sph->system.n;
    if (!memchr(state, PARTICLE_GONE, *n))
        return NULL;
    *n = 0;
    for (uint32_t i = 0; i < sph->system.n; i++) {
        sph->present[*n] = i;
        *n += state[i] != PARTICLE_GONE;
    }
    for (size_t i = 0; i < sph->system.n; i++)
        if (state[i] == PARTICLE_GONE)
            set_no_force(sph, i);
    return sph->present;
}

enum status sph_find_densities(struct sph *sph, const struct particles *p, struct error *error)
{
    size_t n, parts = sph->n_parts;
    const uint32_t *present = find_present(sph, p->state + sph->system.first, &n);
    enum status status = cell_grid_build(&sph->grid, n, present, p->position + sph->system.first,
                                         sph->support, error);
    if (status)
        return status;
#pragma omp parallel for schedule(static, 1) num_threads((int)parts) if (n > ONE_THREAD)
    for (size_t t = 0; t < parts; t++) {
        struct sph_part *part = &sph->part[t];
        part->begin = n * t / parts;
        part->end = n * (t + 1) / parts;
        part->status = fill_part(sph, p, part);
    }
    for (size_t t = 0; t < parts; t++)
        if (sph->part[t].status)
            return error_set(error, sph->part[t].status, "%s", sph->part[t].error.message);
    return STATUS_OK;
}
