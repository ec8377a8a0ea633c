/* The fluid under schemes that solve for positions: its particles keep their density by constraints
 * (constraints/density.h), and pressure plays no part. */
#include "constraints/density.h"
#include "systems/sph/sph_parts.h"

enum status sph_constrain(struct system *system, const struct particles *particles,
                          struct constraint_set *set, struct error *error)
{
    const struct sph *sph = (const struct sph *)system;
    const struct fluid *own = &sph->fluid;
    const struct density_fluid fluid = {.first = system->first,
                                        .n = system->n,
                                        .spacing = 2.0 * own->radius,
                                        .support = sph->support,
                                        .viscosity = own->viscosity,
                                        .cohesion = own->cohesion,
                                        .walls = sph->walls,
                                        .gas = {.buoyancy = own->buoyancy,
                                                .drag = own->drag,
                                                .baroclinity = own->baroclinity,
                                                .gravity = own->gravity,
                                                .wind = own->wind}};
    return density_add(set, particles, &fluid, error);
}
