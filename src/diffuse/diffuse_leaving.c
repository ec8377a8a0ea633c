/* Fluid that no diffuse particle is near (Macklin et al. 2014, Section 7.2.2). Each particle of
 * fluid looks for them by itself, and whether there is one depends on no order. */
#include "diffuse/diffuse_parts.h"

#include <omp.h>

static bool may_leave(const struct diffuse *d, const struct particles *p, size_t i)
{
    return p->state[i] == PARTICLE_FREE && d->scene->body[p->body[i]].without_smoke == FLUID_LEAVES;
}

/* Whether a diffuse particle is within the particle's kernel. */
static bool is_seen(const struct diffuse *d, const struct particles *p, size_t i,
                    struct diffuse_thread *thread)
{
    struct slot_list *list = &thread->near.list;
    list->n = 0;
    enum status status = cell_grid_append(&d->seen, p->position[i],
                                          fluid_around_support(p->radius[i]), list, &thread->error);
    if (status)
        thread->status = status;
    return list->n > 0;
}

enum status diffuse_find_leaving(struct diffuse *d, const struct particles *p, struct error *error)
{
    if (!d->leaves)
        return STATUS_OK;
    d->seen.n = 0;
    if (diffuse_prepare_threads(d, error) ||
        (d->n > 0 && cell_grid_build(&d->seen, d->n, NULL, d->position, d->around.support, error)))
        return STATUS_FAILED;
#pragma omp parallel for schedule(dynamic, 256)
    for (size_t i = 0; i < p->n; i++)
        d->leaves[i] =
            may_leave(d, p, i) && !(d->n > 0 && is_seen(d, p, i, &d->thread[omp_get_thread_num()]));
    return diffuse_threads_status(d, error);
}
