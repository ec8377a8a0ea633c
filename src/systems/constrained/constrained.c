#include "systems/constrained/constrained.h"

#include "base/memory.h"
#include "constraints/shapes.h"
#include "systems/constrained/rigid_model.h"
#include "systems/spin.h"

#include <stdlib.h>
#include <string.h>

struct constrained {
    struct system system; /* must be first */
    size_t n_bodies;
    struct shape_body *body; /* (n_bodies) */
    struct vec3 *rest;       /* places at rest of the system's particles, m (n) */
};

static void constrained_free(struct system *system)
{
    struct constrained *c = (struct constrained *)system;
    free(c->body);
    free(c->rest);
    free(c);
}

/* A shape moves as a whole or not at all. */
static enum status check_fixed(const struct system_setting *setting, const struct shape_body *body,
                               struct error *error)
{
    const struct particles *p = setting->particles;
    const struct body *own = &setting->scene->body[p->body[body->first]];
    for (size_t i = body->first; i < body->first + body->n; i++)
        if (p->state[i] != p->state[body->first])
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: some particles of rigid body '%s' are fixed and others are "
                             "not; all or none would be right",
                             own->origin.file, own->origin.line, own->origin.column, own->name);
    return STATUS_OK;
}

/* Lists the bodies, whose particles follow each other. */
static enum status find_bodies(struct constrained *c, const struct system_setting *setting,
                               struct error *error)
{
    const struct particles *p = setting->particles;
    const size_t end = setting->first + setting->n;
    if (array_create(&c->body, setting->scene->n_bodies, sizeof *c->body, "bodies", error))
        return STATUS_FAILED;
    for (size_t i = setting->first; i < end;) {
        struct shape_body *body = &c->body[c->n_bodies++];
        const struct rigid_material *material =
            scene_material_of(setting->scene, p->body[i])->parameters;
        *body = (struct shape_body){.first = i, .stiffness = material->stiffness};
        while (i < end && p->body[i] == p->body[body->first])
            i++;
        body->n = i - body->first;
        enum status status = check_fixed(setting, body, error);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status constrained_create(struct system **system, const struct system_setting *setting,
                                      struct error *error)
{
    struct constrained *c;
    *system = NULL;
    if (array_create(&c, 1, sizeof *c, "bodies", error))
        return STATUS_FAILED;
    c->system = (struct system){.class = &constrained_class,
                                .first = setting->first,
                                .n = setting->n,
                                .bonded = {.begin = (uint32_t)setting->first,
                                           .end = (uint32_t)(setting->first + setting->n)}};
    enum status status = find_bodies(c, setting, error);
    if (!status)
        status = array_create(&c->rest, setting->n, sizeof *c->rest, "bodies", error);
    if (status) {
        constrained_free(&c->system);
        return status;
    }
    memcpy(c->rest, setting->rest + setting->first, setting->n * sizeof *c->rest);
    *system = &c->system;
    return STATUS_OK;
}

static enum status constrain(struct system *system, const struct particles *particles,
                             struct constraint_set *set, struct error *error)
{
    const struct constrained *c = (const struct constrained *)system;
    (void)particles;
    return shapes_add(set, c->n_bodies, c->body, c->rest, error);
}

static double spin_loss(const struct scene *scene, const struct material *material, double stretch,
                        bool far)
{
    (void)scene;
    (void)material;
    (void)stretch;
    (void)far;
    return POSITIONS_TAKE;
}

const struct system_class constrained_class = {
    .declares.name = "constrained bodies",
    .family = {.model = rigid_models},
    .create = constrained_create,
    .constrain = constrain,
    .spin_loss = spin_loss,
    .free = constrained_free,
};
