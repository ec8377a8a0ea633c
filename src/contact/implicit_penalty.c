/* Penalty forces that an implicit solve finds (Baraff and Witkin, "Large steps in cloth
 * simulation", SIGGRAPH 1998, as for any stiff spring): the spring of penalty.h, linearized at the
 * start of the step, so that
 *
 *     f = k (depth - n . w),   w = x_j - x_i gained in the step
 *
 * with the normal n at the start. The stiffness across the normal, which is negative, is left out.
 * A spring pushes but does not pull. Stages find the springs that push at the end of the step: the
 * first stage assumes those that overlap, and each further stage those that push by the motion that
 * the stage before found, until nothing changes or contact.stages stages are done. This is a Newton
 * method with an active set. Pairs that do not overlap yet take part as well: otherwise they would
 * be found only once they overlap deeply, with a potential energy that came from no work.
 *
 * If a particle of a pair is not in the implicit system (fluids; all particles with
 * solver.integrator: verlet), the pair has the force of the start of the step, as with
 * `penalty`. */
#include "base/memory.h"
#include "contact/methods.h"
#include "contact/near_pairs.h"
#include "contact/penalty.h"

#include <stdlib.h>

struct implicit_penalty {
    const struct scene *scene;
    struct near_pairs near;
    struct stiff_pairs springs; /* of the near pairs whose force the implicit solve finds */
    uint8_t *pushes;            /* of each spring: whether it is assumed to push (springs.n) */
    size_t capacity;
    struct stiff_pairs pushing; /* the springs assumed to push; particles->stiff points here */
};

/* In units of the smallest radius. The rule for the length of a step (time.motion: relative) lets
 * two particles approach each other by no more than this. */
static const double reach = 2.0;

static void implicit_penalty_free(struct contact *contact)
{
    struct implicit_penalty *m = contact->state;
    if (!m)
        return;
    near_pairs_free(&m->near);
    stiff_pairs_free(&m->springs);
    stiff_pairs_free(&m->pushing);
    free(m->pushes);
    free(m);
}

static enum status implicit_penalty_create(struct contact *contact,
                                           const struct method_setting *setting,
                                           struct error *error)
{
    struct implicit_penalty *m;
    if (array_create(&m, 1, sizeof *m, "contact forces", error))
        return STATUS_FAILED;
    m->scene = setting->scene;
    contact->state = m;
    return STATUS_OK;
}

static enum status reserve(struct implicit_penalty *m, size_t n, struct error *error)
{
    if (array_reserve(&m->springs.pair, &m->springs.capacity, n, sizeof *m->springs.pair,
                      "contacts", error) ||
        array_reserve(&m->pushing.pair, &m->pushing.capacity, n, sizeof *m->pushing.pair,
                      "contacts", error))
        return STATUS_FAILED;
    return array_reserve(&m->pushes, &m->capacity, n, sizeof *m->pushes, "contacts", error);
}

static bool is_implicit(const struct implicit_penalty *m, const struct particles *p, uint32_t i)
{
    return scene_body_is_implicit(m->scene, p->body[i]);
}

/* Adds the spring of a pair; its depth is negative if the two do not overlap. */
static void add_spring(struct implicit_penalty *m, const struct particles *p, double stiffness,
                       struct pair pair)
{
    struct vec3 x = vec3_sub(p->position[pair.j], p->position[pair.i]);
    double distance = vec3_norm(x), depth = p->radius[pair.i] + p->radius[pair.j] - distance;
    if (!(distance > 0.0))
        return; /* at one point there is no direction to push */
    m->pushes[m->springs.n] = depth > 0.0;
    m->springs.pair[m->springs.n++] = (struct stiff_pair){.i = pair.i,
                                                          .j = pair.j,
                                                          .normal = vec3_scale(1.0 / distance, x),
                                                          .stiffness = stiffness,
                                                          .force = stiffness * depth};
}

static void gather_pushing(struct implicit_penalty *m)
{
    m->pushing.n = 0;
    for (size_t k = 0; k < m->springs.n; k++)
        if (m->pushes[k])
            m->pushing.pair[m->pushing.n++] = m->springs.pair[k];
}

static enum status implicit_penalty_begin(struct contact *contact, struct particles *p,
                                          const struct pair_list *touching, struct error *error)
{
    struct implicit_penalty *m = contact->state;
    double stiffness = contact->settings.stiffness, far = reach * smallest_radius_here(p);
    (void)touching;
    m->springs.n = 0;
    enum status status =
        isfinite(far) ? near_pairs_find(&m->near, p, contact->bonded, far, error) : STATUS_OK;
    const struct pair_list *near = &m->near.list;
    if (!status)
        status = reserve(m, near->n, error);
    if (status)
        return status;
    for (size_t k = 0; k < near->n; k++) {
        struct pair pair = near->pair[k];
        if (is_implicit(m, p, pair.i) && is_implicit(m, p, pair.j))
            add_spring(m, p, stiffness, pair);
        else
            penalty_push(p, stiffness, pair);
    }
    gather_pushing(m);
    p->stiff = &m->pushing;
    return STATUS_OK;
}

/* Counts the springs that push at the end of the step although they were assumed not to, or the
 * reverse, and corrects the assumption. */
static size_t implicit_penalty_late(struct contact *contact, const struct stage *stage)
{
    struct implicit_penalty *m = contact->state;
    size_t changed = 0;
    for (size_t k = 0; k < m->springs.n; k++) {
        bool pushes = stiff_pair_force(&m->springs.pair[k], stage->dt, stage->motion->mean) > 0.0;
        changed += pushes != m->pushes[k];
        m->pushes[k] = pushes;
    }
    if (stage->number < contact->settings.stages)
        gather_pushing(m);
    return changed;
}

static double implicit_penalty_stiffness(const struct scene *scene, size_t body, size_t other)
{
    bool implicit = scene_body_is_implicit(scene, body) && scene_body_is_implicit(scene, other);
    return implicit ? 0.0 : scene->contact.stiffness;
}

const struct velocity_level_contact contact_implicit_penalty = {
    .contact = {.create = implicit_penalty_create,
                .free = implicit_penalty_free,
                .begin = implicit_penalty_begin,
                .potential = penalty_potential,
                .stiffness = implicit_penalty_stiffness},
    .late = implicit_penalty_late,
};
