/* Densities and pressures, from neighbors found anew. */
#include "sph/sph_sums.h"
#include "systems/sph/sph_parts.h"

#include <string.h>

double sph_pressure_term(const struct sph *sph, double density)
{
    double ratio = density / sph->rest_density, compressed = ratio * ratio - 1.0;
    return compressed > 0.0 ? compressed / (ratio * ratio) : 0.0;
}

/* Updates the largest density and the compression in the slot's block. A density below that at rest
 * marks a surface; one above it is an error, because the fluid should be incompressible. */
static void account_density(const struct sph *sph, size_t slot, double density, bool here)
{
    struct sph_block *block = &sph->block[slot / SPH_BLOCK];
    double compression = density / sph->rest_density - 1.0;
    if (density > block->density_max)
        block->density_max = density;
    if (!here)
        return;
    block->n_here += 1.0;
    if (compression > 0.0)
        block->compression += compression;
    if (compression > block->compression_max)
        block->compression_max = compression;
}

struct filling {
    struct sph_visitor visitor; /* must be first */
    struct sph *sph;
    const struct particles *particles;
};

/* Fills a slot with the state, density and pressure of its particle, and keeps the force of walls
 * with mirrored pressure on it. */
static void fill_slot(const struct sph_visitor *visitor, const struct sph_found *found)
{
    const struct filling *filling = (const struct filling *)visitor;
    const struct sph *sph = filling->sph;
    const struct particles *p = filling->particles;
    const struct sph_neighbors *neighbors = &sph->neighbors;
    size_t s = found->slot, i = sph->system.first + neighbors->grid.point[s];
    double sum = sph_sum_found(found);
    if (found->walls.near)
        sph_points_add_kernels(sph, &sph->wall, p->position[i], &found->walls, &sum);
    if (found->solids.near)
        sph_points_add_kernels(sph, &sph->solids.points, p->position[i], &found->solids, &sum);
    double density = sph->own_density + sph->density_scale * sum;
    double pressure = sph_pressure_term(sph, density);
    if (found->walls.near && sph->fluid.mirrored)
        found->walls.near->force =
            sph_force_of_walls(sph, p->position[i], density, sph_in_units(sph, pressure),
                               found->walls.point, found->walls.n);
    struct vec3 v = p->velocity[i];
    sph->slot[s] = (struct sph_slot){.x = neighbors->x[s],
                                     .y = neighbors->y[s],
                                     .z = neighbors->z[s],
                                     .pressure = (float)pressure,
                                     .vx = (float)v.x,
                                     .vy = (float)v.y,
                                     .vz = (float)v.z,
                                     .density = (float)density};
    account_density(sph, s, density, particle_is_here(p->state[i]));
}

/* Clears the forces on particles that take no part in the step. */
static void clear_forces_of_others(struct sph *sph)
{
    for (size_t k = sph->neighbors.grid.n; k < sph->system.n; k++) {
        uint32_t i = sph->neighbors.present[k];
        sph->force[i] = vec3(0.0, 0.0, 0.0);
        sph->drag[i] = (struct sph_drag){0.0f, 0.0f, 0.0f};
    }
}

enum status sph_find_densities(struct sph *sph, const struct particles *p, double margin,
                               struct error *error)
{
    const size_t first = sph->system.first, n = sph->system.n;
    memset(sph->block, 0, (n / SPH_BLOCK + 1) * sizeof *sph->block);
    enum status status = sph_solids_find(sph, p, error);
    const struct filling filling = {{fill_slot, sph->solids.points.grid}, sph, p};
    if (!status)
        status = sph_neighbors_find(&sph->neighbors, n, p->position + first, p->state + first,
                                    sph->support, margin, sph->wall.grid, &filling.visitor, error);
    if (!status)
        clear_forces_of_others(sph);
    return status;
}
