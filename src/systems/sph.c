#include "systems/sph.h"

#include "base/memory.h"
#include "systems/sph_kernel.h"
#include "systems/sph_parts.h"

#include <omp.h>
#include <stdlib.h>

enum { CACHE_LINE = 64 };

static void sph_free(struct system *system)
{
    struct sph *sph = (struct sph *)system;
    cell_grid_free(&sph->grid);
    for (size_t t = 0; sph->part && t < sph->n_parts; t++)
        free(sph->part[t].list.slot);
    free(sph->part);
    free(sph->slot_memory);
    free(sph->n_neighbors);
    free(sph->pressure_force);
    free(sph->viscous_force);
    free(sph);
}

/* Everything was evaluated when the time step was chosen. */
static enum status sph_prepare(struct system *system, const struct particles *p, double dt,
                               struct error *error)
{
    (void)system;
    (void)p;
    (void)dt;
    (void)error;
    return STATUS_OK;
}

static enum status sph_finish(struct system *system, const struct particles *p, double *released,
                              struct error *error)
{
    (void)system;
    (void)p;
    (void)error;
    *released = 0.0;
    return STATUS_OK;
}

/* The pressure forces are no gradient of an energy, since density and pressure use different
 * kernels; their work has a column of its own. */
static double sph_potential_energy(const struct system *system, const struct particles *p)
{
    (void)system;
    (void)p;
    return 0.0;
}

static const struct system_class sph_class = {
    .name = "sph",
    .limit = sph_limit,
    .prepare = sph_prepare,
    .integrate = sph_integrate,
    .account = sph_account,
    .finish = sph_finish,
    .potential_energy = sph_potential_energy,
    .free = sph_free,
};

/* The kernel sum of an unbounded lattice with spacing h/2, 1/m^3. */
static double lattice_sum(double h)
{
    double sum = 0.0, s = 0.5 * h;
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
            for (int k = -2; k <= 2; k++)
                sum += sph_poly6(h, s * sqrt((double)(i * i + j * j + k * k)));
    return sum;
}

/* The lattice's sum of (h/2)^3 45/(pi h^6) (h - d)^2 z^2/d: what the kernel makes of a pressure
 * gradient of 1. */
static double lattice_gradient(double h)
{
    double s = 0.5 * h, sum = 0.0;
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
            for (int k = -2; k <= 2; k++) {
                double d = s * sqrt((double)(i * i + j * j + k * k)), z = s * k;
                if (d > 0.0 && d < h)
                    sum += (h - d) * (h - d) * z * z / d;
            }
    return s * s * s * sph_spiky_factor(h) * sum;
}

static enum status create_arrays(struct sph *sph, size_t n, struct error *error)
{
    sph->n_parts = (size_t)omp_get_max_threads();
    if (array_create(&sph->part, sph->n_parts, sizeof *sph->part, "neighbors", error) ||
        array_create(&sph->slot_memory, n * sizeof *sph->slot + CACHE_LINE, 1, "fluid", error) ||
        array_create(&sph->n_neighbors, n, sizeof *sph->n_neighbors, "neighbors", error) ||
        array_create(&sph->pressure_force, n, sizeof(struct vec3), "fluid forces", error) ||
        array_create(&sph->viscous_force, n, sizeof(struct vec3), "fluid forces", error))
        return STATUS_FAILED;
    uintptr_t address = (uintptr_t)sph->slot_memory;
    size_t shift = (CACHE_LINE - address % CACHE_LINE) % CACHE_LINE;
    sph->slot = (struct sph_slot *)(void *)((char *)sph->slot_memory + shift);
    return STATUS_OK;
}

enum status sph_create(struct system **system, const struct fluid *fluid, size_t first, size_t n,
                       struct error *error)
{
    struct sph *sph;
    *system = NULL;
    if (array_create(&sph, 1, sizeof *sph, "fluid", error))
        return STATUS_FAILED;
    double spacing = 2.0 * fluid->radius;
    sph->system = (struct system){.class = &sph_class, .first = first, .n = n};
    sph->fluid = *fluid;
    sph->support = 2.0 * spacing;
    sph->rest_density = fluid->mass / (spacing * spacing * spacing);
    sph->density_scale = sph->rest_density / lattice_sum(sph->support);
    sph->pressure_scale = 1.0 / lattice_gradient(sph->support);
    if (create_arrays(sph, n, error)) {
        sph_free(&sph->system);
        return STATUS_FAILED;
    }
    *system = &sph->system;
    return STATUS_OK;
}

void sph_densities(const struct system *system, double *density)
{
    const struct sph *sph = (const struct sph *)system;
    for (size_t s = 0; s < system->n; s++)
        density[sph->grid.point[s]] = sph->slot[s].density;
}
