#include "surface/rest_bonds.h"

#include "systems/bonds/bond_network.h"

/* The network is the first system, and has the first particles. */
static size_t count_particles(const struct scene *scene, const struct particles *p)
{
    size_t n = 0;
    while (n < p->n && system_class_of(scene_material_of(scene, p->body[n])) == &bond_network_class)
        n++;
    return n;
}

enum status rest_bonds_create(struct system **bonds, const struct scene *scene,
                              const struct particles *particles, const struct vec3 *rest,
                              size_t n_broken, const uint64_t *broken, struct error *error)
{
    struct system_setting setting = {.scene = scene,
                                     .particles = particles,
                                     .rest = rest,
                                     .n = count_particles(scene, particles)};
    *bonds = NULL;
    if (setting.n == 0)
        return STATUS_OK;
    enum status status = bond_network_class.create(bonds, &setting, error);
    if (!status)
        status = bond_network_break(*bonds, n_broken, broken, error);
    if (status) {
        rest_bonds_free(*bonds);
        *bonds = NULL;
    }
    return status;
}

void rest_bonds_free(struct system *bonds)
{
    if (bonds)
        bonds->class->free(bonds);
}
