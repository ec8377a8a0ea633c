#include "contact/pressure_bonded.h"

#include "sph/sph_kernel.h"

struct leaving {
    struct sph_pass pass; /* must be first */
    struct pressure *pressure;
    const struct particles *particles;
    const struct bonded *bonded;
    const struct vec3 *rest;
};

static bool are_held(const struct leaving *l, uint32_t i, uint32_t j)
{
    return l->particles->body[i] == l->particles->body[j] &&
           (bonded_whole(l->bonded, i, j) || bonded_at_rest(l->bonded, i, j));
}

/* What the pair adds to c at rest, less what it adds now. */
static double change_of(const struct leaving *l, uint32_t i, uint32_t j)
{
    const double h = l->pressure->support;
    const struct vec3 *x = l->particles->position;
    double before = vec3_norm(vec3_sub(l->rest[j], l->rest[i]));
    return sph_wendland(h, before) - sph_wendland(h, vec3_norm(vec3_sub(x[j], x[i])));
}

/* An entry of a pair that is left out becomes one of the slot itself, as those are that fill the
 * list up: it is at no distance and adds nothing to any sum. */
static void leave(const struct sph_pass *pass, const struct sph_listed *listed)
{
    const struct leaving *l = (const struct leaving *)pass;
    const uint32_t *point = l->pressure->neighbors.grid.point;
    uint32_t i = point[listed->slot];
    const struct bonded *own = bonded_of(l->bonded, i);
    double change = 0.0;
    size_t self = 0;
    if (!own || own->no_contacts)
        return;
    while (listed->candidate[listed->entry[self]] != listed->slot)
        self++;
    for (size_t k = 0; k < listed->n; k++) {
        uint32_t j = point[listed->candidate[listed->entry[k]]];
        if (j == i || !are_held(l, i, j))
            continue;
        change += change_of(l, i, j);
        listed->entry[k] = listed->entry[self];
    }
    l->pressure->compression[listed->slot] += (float)(l->pressure->scale * change);
}

void pressure_leave_bonded(struct pressure *pressure, const struct particles *particles,
                           const struct bonded *bonded, const struct vec3 *rest)
{
    const struct leaving leaving = {{leave}, pressure, particles, bonded, rest};
    sph_neighbors_pass(&pressure->neighbors, &leaving.pass);
}
