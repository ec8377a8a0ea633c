/* Densities and pressures, from neighbors found anew. */
#include "base/lanes.h"
#include "systems/sph/sph_kernel.h"
#include "systems/sph/sph_parts.h"

/* The kernel sum over n neighbors, n a multiple of 4; 1 for each that is slot s itself. */
static double kernel_sum(const struct cell_grid *grid, double support, size_t s,
                         const uint32_t *slot, size_t n)
{
    const double *x = grid->x, *y = grid->y, *z = grid->z;
    lanes xs = lanes_all(x[s]), ys = lanes_all(y[s]), zs = lanes_all(z[s]);
    lanes sum = lanes_all(0.0), one = lanes_all(1.0), inverse = lanes_all(1.0 / support);
    for (size_t k = 0; k < n; k += NEIGHBOR_LANES) {
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

/* Slot s: its particle, and what the neighbors from `entry` on and n_points points of walls make of
 * it. */
static void fill_slot(struct sph *sph, const struct particles *p, size_t s, const uint32_t *entry,
                      const uint32_t *point, size_t n_points)
{
    const struct sph_neighbors *neighbors = &sph->neighbors;
    const struct cell_grid *grid = &neighbors->grid;
    size_t n = sph_neighbors_entries(neighbors, s), n_self = n - neighbors->n_found[s] + 1;
    struct vec3 v = p->velocity[sph->system.first + grid->point[s]];
    struct sph_slot *slot = &sph->slot[s];
    *slot = (struct sph_slot){
        .x = grid->x[s], .y = grid->y[s], .z = grid->z[s], .vx = v.x, .vy = v.y, .vz = v.z};
    double sum = kernel_sum(grid, sph->support, s, entry, n) - (double)n_self;
    sph_add_wall_kernels(sph, slot, point, n_points, &sum);
    slot->density = sph->own_density + sph->density_scale * sum;
    slot->pressure = pressure_term(sph, slot->density);
}

struct filling {
    struct sph_visitor visitor; /* must be first */
    struct sph *sph;
    const struct particles *particles;
};

static void fill_slot_of(const struct sph_visitor *visitor, size_t s, const uint32_t *entry,
                         const uint32_t *point, size_t n_points)
{
    const struct filling *filling = (const struct filling *)visitor;
    fill_slot(filling->sph, filling->particles, s, entry, point, n_points);
}

/* No force is left on particles that take no part. */
static void clear_forces_of_others(struct sph *sph)
{
    const struct vec3 none = {0.0, 0.0, 0.0};
    for (size_t k = sph->neighbors.grid.n; k < sph->system.n; k++) {
        uint32_t i = sph->neighbors.present[k];
        sph->pressure_force[i] = sph->viscous_force[i] = none;
        if (sph->wall_force)
            sph->wall_force[i] = none;
    }
}

enum status sph_find_densities(struct sph *sph, const struct particles *p, double margin,
                               struct error *error)
{
    const size_t first = sph->system.first;
    const struct cell_grid *walls = sph->wall_points.n > 0 ? &sph->wall_points.grid : NULL;
    const struct filling filling = {{fill_slot_of}, sph, p};
    enum status status =
        sph_neighbors_find(&sph->neighbors, sph->system.n, p->position + first, p->state + first,
                           sph->support, margin, walls, &filling.visitor, error);
    if (!status)
        clear_forces_of_others(sph);
    return status;
}
