/* Contact by a barrier: the potential that the scheme incremental_potential minimizes together with
 * the inertia and the linearized forces of bodies. Particles of elastic bodies keep a gap, for any
 * length of the step. The barrier acts on gaps below REACH times the smallest radius.
 *
 * Fluids find their velocities by themselves and cannot be part of the minimum, so that scenes with
 * fluids are refused, as are integrators other than backward Euler. */
#include "base/memory.h"
#include "contact/barrier.h"
#include "contact/methods.h"
#include "contact/near_pairs.h"

#include <stdlib.h>

/* The gap below which the barrier acts, over the smallest radius: a bound on how far bodies that
 * touch stay apart. */
static const double REACH = 0.1;

struct barrier_contact {
    struct near_pairs near;   /* pairs that may come near each other in the step */
    struct near_pairs active; /* pairs within reach of the barrier now, for its potential energy */
    struct stiff_pairs stiff; /* the barrier, linearized */
};

static void barrier_contact_free(struct contact *contact)
{
    struct barrier_contact *b = contact->state;
    if (!b)
        return;
    near_pairs_free(&b->near);
    near_pairs_free(&b->active);
    stiff_pairs_free(&b->stiff);
    free(b);
}

static enum status barrier_contact_create(struct contact *contact,
                                          const struct method_setting *setting, struct error *error)
{
    struct barrier_contact *b;
    (void)setting;
    if (array_create(&b, 1, sizeof *b, "the barrier", error))
        return STATUS_FAILED;
    contact->state = b;
    return STATUS_OK;
}

static struct barrier barrier_of(const struct contact *contact, const struct particles *p)
{
    return (struct barrier){.stiffness = contact->settings.stiffness,
                            .distance = REACH * smallest_radius_here(p)};
}

static double gap_of(const struct particles *p, const struct vec3 *place, struct pair pair)
{
    struct vec3 x = vec3_sub(place[pair.j], place[pair.i]);
    return vec3_norm(x) - (p->radius[pair.i] + p->radius[pair.j]);
}

static enum status refuse_touch(struct pair pair, struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "particles %u and %u touch, which a barrier cannot undo; begin with a gap "
                     "between all that may collide, or give another contact.method",
                     pair.i, pair.j);
}

/* No forces before the scheme finds them. */
static enum status barrier_begin(struct contact *contact, struct particles *p,
                                 const struct pair_list *touching, struct error *error)
{
    struct barrier_contact *b = contact->state;
    b->stiff.n = 0;
    p->stiff = &b->stiff;
    return touching->n == 0 ? STATUS_OK : refuse_touch(touching->pair[0], error);
}

/* ---- the potential that is minimized ---- */

static enum status find_near(struct contact *contact, const struct particles *p, double travel,
                             struct error *error)
{
    struct barrier_contact *b = contact->state;
    return near_pairs_find(&b->near, p, contact->bonded, barrier_of(contact, p).distance + travel,
                           error);
}

static double energy_of(const struct contact *contact, const struct particles *p,
                        const struct vec3 *place, const struct pair_list *pairs)
{
    const struct barrier barrier = barrier_of(contact, p);
    double sum = 0.0;
    for (size_t k = 0; k < pairs->n; k++)
        sum += barrier_energy(barrier, gap_of(p, place, pairs->pair[k]));
    return sum;
}

static double energy_at(struct contact *contact, const struct particles *p,
                        const struct vec3 *place)
{
    const struct barrier_contact *b = contact->state;
    return energy_of(contact, p, place, &b->near.list);
}

/* The Hessian of a pair is b'' n n^T + b' / d (1 - n n^T). The second part is negative
 * semidefinite, so that the projection of the Hessian on positive semidefinite matrices is the
 * first part. */
static enum status linearize(struct contact *contact, const struct particles *p,
                             const struct vec3 *place, struct error *error)
{
    struct barrier_contact *b = contact->state;
    const struct barrier barrier = barrier_of(contact, p);
    const struct pair_list *near = &b->near.list;
    b->stiff.n = 0;
    if (array_reserve(&b->stiff.pair, &b->stiff.capacity, near->n, sizeof *b->stiff.pair,
                      "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < near->n; k++) {
        uint32_t i = near->pair[k].i, j = near->pair[k].j;
        double gap = gap_of(p, place, near->pair[k]);
        if (gap >= barrier.distance)
            continue;
        if (!(gap > 0.0))
            return refuse_touch(near->pair[k], error);
        struct vec3 x = vec3_sub(place[j], place[i]), normal = vec3_scale(1.0 / vec3_norm(x), x);
        struct vec3 gained = vec3_sub(x, vec3_sub(p->position[j], p->position[i]));
        b->stiff.pair[b->stiff.n++] =
            (struct stiff_pair){.i = i,
                                .j = j,
                                .normal = normal,
                                .stiffness = barrier_stiffness(barrier, gap),
                                .force = barrier_force(barrier, gap),
                                .at = vec3_dot(normal, gained)};
    }
    return STATUS_OK;
}

static double touch_on_the_way(struct contact *contact, const struct particles *p,
                               const struct vec3 *from, const struct vec3 *to)
{
    const struct barrier_contact *b = contact->state;
    double first = (double)INFINITY;
    for (size_t k = 0; k < b->near.list.n; k++) {
        uint32_t i = b->near.list.pair[k].i, j = b->near.list.pair[k].j;
        struct vec3 x = vec3_sub(from[j], from[i]), end = vec3_sub(to[j], to[i]);
        first = fmin(first, spheres_touch(x, vec3_sub(end, x), p->radius[i] + p->radius[j]));
    }
    return first;
}

static enum status barrier_potential(struct contact *contact, const struct particles *p,
                                     const struct pair_list *touching, double *energy,
                                     struct error *error)
{
    struct barrier_contact *b = contact->state;
    (void)touching;
    *energy = 0.0;
    if (!isfinite(smallest_radius_here(p)))
        return STATUS_OK;
    if (near_pairs_find(&b->active, p, contact->bonded, barrier_of(contact, p).distance, error))
        return STATUS_FAILED;
    *energy = energy_of(contact, p, p->position, &b->active.list);
    return STATUS_OK;
}

const struct incremental_potential_contact contact_barrier = {
    .contact = {.create = barrier_contact_create,
                .free = barrier_contact_free,
                .begin = barrier_begin,
                .potential = barrier_potential},
    .find_near = find_near,
    .energy = energy_at,
    .linearize = linearize,
    .touch = touch_on_the_way,
};
