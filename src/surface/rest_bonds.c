#include "surface/rest_bonds.h"

#include "base/memory.h"
#include "systems/bonds/bond_network.h"
#include "systems/constrained/constrained.h"
#include "systems/corotated/corotated.h"

#include <stdlib.h>

/* Counts the particles from `first` on that belong to systems of one class; they follow each
 * other. */
static size_t count_particles(const struct scene *scene, const struct particles *p, size_t first,
                              const struct system_class *class)
{
    size_t n = 0;
    while (first + n < p->n &&
           system_class_of(scene_material_of(scene, p->body[first + n])) == class)
        n++;
    return n;
}

/* Makes the bond network, which is the first system and has the first particles. */
static enum status create_network(struct rest_bonds *bonds, const struct system_setting *setting,
                                  size_t n_broken, const uint64_t *broken, struct error *error)
{
    if (setting->n == 0)
        return STATUS_OK;
    enum status status = bond_network_class.create(&bonds->network, setting, error);
    if (!status)
        status = bond_network_break(bonds->network, n_broken, broken, error);
    return status;
}

/* Makes the rest shapes of the bodies with the n particles from `first` on. Only their neighbor
 * lists are used. So neighborhoods may be flat, and all neighbors are taken, even if only some of
 * them have forces. */
static enum status create_rests(struct rest *rest, size_t *n_rests, const struct scene *scene,
                                const struct particles *p, const struct vec3 *position,
                                size_t first, size_t n, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t begin = first, end; begin < first + n && !status; begin = end) {
        for (end = begin; end < first + n && p->body[end] == p->body[begin];)
            end++;
        const struct rest_setting setting = {.n = end - begin,
                                             .position = position + begin,
                                             .spacing = 2.0 * scene->body[p->body[begin]].radius,
                                             .volume = REST_VOLUME_UNIFORM,
                                             .flat = REST_FLAT_BLIND,
                                             .most = REST_ALL_NEIGHBORS};
        status = rest_create(&rest[*n_rests], &setting, error);
        *n_rests += status == STATUS_OK;
    }
    return status;
}

/* Makes the neighbors of corotated and of rigid bodies, whose particles follow those of the network
 * and each other. */
static enum status create_neighbors(struct rest_bonds *bonds, const struct scene *scene,
                                    const struct particles *p, const struct vec3 *position,
                                    size_t first, struct error *error)
{
    const size_t corotated = count_particles(scene, p, first, &corotated_class);
    const size_t n = corotated + count_particles(scene, p, first + corotated, &constrained_class);
    struct rest *rest = NULL;
    const struct rest **body = NULL;
    size_t n_rests = 0;
    if (n == 0)
        return STATUS_OK;
    enum status status = array_create(&rest, scene->n_bodies, sizeof *rest, "bodies", error);
    if (!status)
        status = array_create(&body, scene->n_bodies, sizeof *body, "bodies", error);
    if (!status)
        status = create_rests(rest, &n_rests, scene, p, position, first, n, error);
    for (size_t k = 0; k < n_rests; k++)
        body[k] = &rest[k];
    if (!status)
        status = rest_pairs_create(&bonds->neighbors, n_rests, body, first, error);
    for (size_t k = 0; k < n_rests; k++)
        rest_free(&rest[k]);
    free(rest);
    free(body);
    return status;
}

enum status rest_bonds_create(struct rest_bonds *bonds, const struct scene *scene,
                              const struct particles *particles, const struct vec3 *rest,
                              size_t n_sheets, const struct sheet *sheet, size_t n_broken,
                              const uint64_t *broken, struct error *error)
{
    const struct system_setting setting = {
        .scene = scene,
        .particles = particles,
        .rest = rest,
        .n_sheets = n_sheets,
        .sheet = sheet,
        .n = count_particles(scene, particles, 0, &bond_network_class)};
    *bonds = (struct rest_bonds){0};
    enum status status = create_network(bonds, &setting, n_broken, broken, error);
    if (!status)
        status = create_neighbors(bonds, scene, particles, rest, setting.n, error);
    if (status) {
        rest_bonds_free(bonds);
        return status;
    }
    if (bonds->neighbors.start)
        bonds->list = &bonds->neighbors.bonded;
    if (bonds->network) {
        bonds->network->bonded.next = bonds->list;
        bonds->list = &bonds->network->bonded;
    }
    return STATUS_OK;
}

void rest_bonds_free(struct rest_bonds *bonds)
{
    if (bonds->network)
        bonds->network->class->free(bonds->network);
    rest_pairs_free(&bonds->neighbors);
    *bonds = (struct rest_bonds){0};
}
