#include "contact/near_pairs.h"

#include "base/memory.h"

#include <stdlib.h>

static enum status create_detector(struct near_pairs *near, struct error *error)
{
    enum status status = detector_create(&near->detector, error);
    if (!status)
        detector_contacts_only(near->detector);
    return status;
}

enum status near_pairs_find(struct near_pairs *near, const struct particles *p,
                            const struct bonded *bonded, double reach, struct error *error)
{
    struct particles larger = *p;
    if ((!near->detector && create_detector(near, error)) ||
        array_reserve(&near->radius, &near->capacity, p->n, sizeof *near->radius, "contacts",
                      error))
        return STATUS_FAILED;
    near->reach = reach;
    for (size_t i = 0; i < p->n; i++)
        near->radius[i] = p->radius[i] + 0.5 * reach;
    larger.radius = near->radius;
    detector_bonds_broke(near->detector); /* because they may have */
    return detector_find(near->detector, &larger, bonded, &near->list, error);
}

void near_pairs_free(struct near_pairs *near)
{
    detector_free(near->detector);
    free(near->radius);
    pair_list_free(&near->list);
    *near = (struct near_pairs){0};
}

double smallest_radius_here(const struct particles *p)
{
    double smallest = (double)INFINITY;
    for (size_t i = 0; i < p->n; i++)
        if (particle_is_here(p->state[i]) && p->radius[i] < smallest)
            smallest = p->radius[i];
    return smallest;
}
