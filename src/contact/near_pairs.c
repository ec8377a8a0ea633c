#include "contact/near_pairs.h"

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
    if (!near->detector && create_detector(near, error))
        return STATUS_FAILED;
    detector_bonds_broke(near->detector); /* because they may have */
    return detector_find_near(near->detector, p, bonded, reach, &near->list, error);
}

void near_pairs_free(struct near_pairs *near)
{
    if (!near->lent)
        detector_free(near->detector);
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
