#include "systems/constrained/constrained.h"

#include "base/memory.h"
#include "config/contact_method.h"
#include "constraints/shapes.h"
#include "systems/constrained/rigid_field.h"
#include "systems/constrained/rigid_model.h"
#include "systems/constrained/rigid_step.h"
#include "systems/spin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct constrained {
    struct system system; /* must be first */
    size_t n_bodies;
    struct shape_body *body;         /* (n_bodies) */
    struct vec3 *rest;               /* places at rest of the system's particles, m (n) */
    struct field_point *field;       /* at rest, (n); NULL: no body has one */
    const struct constraint *shapes; /* the group of the bodies, which belongs to the scheme */
    struct rigid_step step;          /* of other schemes */
};

static void constrained_free(struct system *system)
{
    struct constrained *c = (struct constrained *)system;
    free(c->body);
    free(c->rest);
    free(c->field);
    rigid_step_free(&c->step);
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
        const double radius = p->radius[i];
        *body = (struct shape_body){.first = i,
                                    .stiffness = material->stiffness,
                                    .field = material->field != FIELD_NONE,
                                    .parts = material->shapes,
                                    .yield = material->yield * radius,
                                    .creep = material->creep,
                                    .lost = material->field_limit * radius};
        while (i < end && p->body[i] == p->body[body->first])
            i++;
        body->n = i - body->first;
        enum status status = check_fixed(setting, body, error);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status find_fields(struct constrained *c, const struct system_setting *setting,
                               struct error *error)
{
    for (size_t k = 0; k < c->n_bodies; k++) {
        const struct shape_body *shape = &c->body[k];
        const struct body *body = &setting->scene->body[setting->particles->body[shape->first]];
        const struct rigid_material *material =
            scene_material_of(setting->scene, setting->particles->body[shape->first])->parameters;
        if (!shape->field)
            continue;
        if (!c->field && array_create(&c->field, setting->n, sizeof *c->field, "fields", error))
            return STATUS_FAILED;
        enum status status =
            rigid_field_find(body, shape->n, setting->rest + shape->first, material->field,
                             c->field + (shape->first - setting->first), error);
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
    if (!status)
        status = find_fields(c, setting, error);
    if (!status)
        status = rigid_step_create(&c->step, setting->particles, setting->first, setting->n, error);
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
    struct constrained *c = (struct constrained *)system;
    enum status status = shapes_add(set, c->n_bodies, c->body, c->rest, error);
    if (!status && c->field)
        status = shapes_add_fields(set, particles->n, c->field, error);
    c->shapes = set->group[CONSTRAINT_SHAPES];
    return status;
}

/* ---- steps of other schemes ---- */

static enum status prepare(struct system *system, const struct particles *particles, double dt,
                           struct error *error)
{
    (void)dt, (void)error;
    rigid_bodies_place(&((struct constrained *)system)->step.bodies, particles->mass,
                       particles->position);
    return STATUS_OK;
}

static enum status integrate(struct system *system, const struct particles *particles,
                             const struct groups *groups, double dt, struct motion *motion,
                             struct solve_report *report, struct error *error)
{
    (void)groups, (void)error; /* contact joins bodies, not their particles */
    *report = (struct solve_report){0};
    rigid_step_integrate(&((struct constrained *)system)->step, particles, dt, motion);
    return STATUS_OK;
}

static void carry(struct system *system, const struct particles *particles, double dt,
                  struct motion *motion)
{
    rigid_step_carry(&((struct constrained *)system)->step, particles, dt, motion);
}

/* What keeps the shape is the limit of stiff elastic forces, which store nothing. */
static void account(struct system *system, const struct particles *particles,
                    const struct groups *groups, double dt, const struct motion *motion,
                    struct work_report *report)
{
    (void)particles, (void)groups, (void)dt, (void)motion;
    *report = (struct work_report){.linear_elastic =
                                       rigid_step_work(&((struct constrained *)system)->step)};
}

/* ---- what frames keep ---- */

/* What the scene says of a rigid body; NULL: it is none. */
static const struct rigid_material *rigid_of(const struct scene *scene, size_t body)
{
    const struct material *material = scene_material_of(scene, body);
    return material->model == &rigid_model ? material->parameters : NULL;
}

static bool has_field(const struct scene *scene, size_t body)
{
    const struct rigid_material *rigid = rigid_of(scene, body);
    return rigid && rigid->field != FIELD_NONE;
}

static bool yields(const struct scene *scene, size_t body)
{
    const struct rigid_material *rigid = rigid_of(scene, body);
    return rigid && rigid->creep > 0.0;
}

static const struct state_field fields = {
    .name = "fields",
    .element = ELEMENT_F64,
    .width = 5,
    .unit = "1, m, 1, 1, 1",
    .sentence =
        "of each particle of a rigid body that has a field (field: depth or one-sided): its "
        "number, how deep it lies in the body, and the direction of the nearest surface, in "
        "the body's frame",
    .form = STATE_LIST,
    .particles = 1,
    .of_body = has_field,
};

/* The fields of the scheme, which a run may change. */
static struct field_point *fields_now(const struct constrained *c)
{
    return c->field && c->shapes ? shapes_fields(c->shapes) : NULL;
}

static enum status list_fields(const void *owner, size_t *n, void **data, struct error *error)
{
    const struct constrained *c = owner;
    const struct field_point *field = fields_now(c);
    double(*row)[5];
    *n = 0;
    if (array_create(&row, field ? c->system.n : 0, sizeof *row, "fields", error))
        return STATUS_FAILED;
    for (size_t i = 0; field && i < c->system.n; i++) {
        const struct vec3 out = field[i].outward;
        const double value[5] = {(double)(c->system.first + i), field[i].depth, out.x, out.y,
                                 out.z};
        if (field[i].depth > 0.0)
            memcpy(row[(*n)++], value, sizeof value);
    }
    *data = row;
    return STATUS_OK;
}

/* Whether the row can be that of a particle of this system from `next` on. */
static bool is_field(const struct constrained *c, size_t next, const double row[5])
{
    const double length = vec3_norm(vec3(row[2], row[3], row[4]));
    return row[0] == floor(row[0]) && row[0] >= (double)(c->system.first + next) &&
           row[0] < (double)(c->system.first + c->system.n) &&
           c->field[(size_t)row[0] - c->system.first].rule != FIELD_NONE && row[1] > 0.0 &&
           isfinite(row[1]) && fabs(length - 1.0) < 1e-9;
}

/* Particles without a row have lost theirs. */
static enum status give_fields(void *owner, size_t n, const void *data, struct error *error)
{
    struct constrained *c = owner;
    struct field_point *field = fields_now(c);
    const double *row = data;
    size_t next = 0;
    for (size_t k = 0; k < n; k++, row += 5) {
        if (!field || !is_field(c, next, row))
            return error_set(error, STATUS_INVALID,
                             "row %zu of fields is of no particle of this scene that has a field, "
                             "or repeats the row before it, or should come earlier",
                             k);
        for (const size_t own = (size_t)row[0] - c->system.first; next < own; next++)
            field[next] = (struct field_point){0};
        field[next].depth = row[1];
        field[next++].outward = vec3(row[2], row[3], row[4]);
    }
    for (; field && next < c->system.n; next++)
        field[next] = (struct field_point){0};
    return STATUS_OK;
}

static const struct state_field places = {
    .name = "places",
    .element = ELEMENT_F64,
    .width = 4,
    .unit = "1, m, m, m",
    .sentence =
        "of each particle of a rigid body that yields (yield, creep): its number, and its place "
        "in the body at rest, relative to the center",
    .form = STATE_LIST,
    .particles = 1,
    .of_body = yields,
};

static enum status list_places(const void *owner, size_t *n, void **data, struct error *error)
{
    const struct constrained *c = owner;
    double(*row)[4];
    *n = 0;
    if (array_create(&row, c->shapes ? c->system.n : 0, sizeof *row, "places", error))
        return STATUS_FAILED;
    for (size_t k = 0; c->shapes && k < c->n_bodies; k++) {
        const struct vec3 *rest = shapes_rest(c->shapes, k);
        for (size_t i = 0; c->body[k].creep > 0.0 && i < c->body[k].n; i++) {
            const double value[4] = {(double)(c->body[k].first + i), rest[i].x, rest[i].y,
                                     rest[i].z};
            memcpy(row[(*n)++], value, sizeof value);
        }
    }
    *data = row;
    return STATUS_OK;
}

static enum status give_places(void *owner, size_t n, const void *data, struct error *error)
{
    struct constrained *c = owner;
    const double *row = data;
    size_t next = 0;
    for (size_t k = 0; c->shapes && k < c->n_bodies; k++) {
        struct vec3 *rest = shapes_rest(c->shapes, k);
        for (size_t i = 0; c->body[k].creep > 0.0 && i < c->body[k].n; i++, next++, row += 4) {
            if (next == n || row[0] != (double)(c->body[k].first + i))
                goto wrong;
            rest[i] = vec3(row[1], row[2], row[3]);
        }
    }
    if (next == n)
        return STATUS_OK;
wrong:
    return error_set(error, STATUS_INVALID,
                     "row %zu of places should be of the next particle of a body that yields, one "
                     "for each of them; the bodies that yield have to be the same",
                     next);
}

static const struct owned_state state[] = {
    {.field = &fields, .list = list_fields, .give = give_fields},
    {.field = &places, .list = list_places, .give = give_places}};

static double spin_loss(const struct scene *scene, const struct material *material, double stretch,
                        bool far)
{
    (void)material;
    (void)stretch;
    (void)far;
    return contact_has(scene->contact.method, METHOD_POSITIONS) ? POSITIONS_TAKE : 0.0;
}

/* Whether particles may be at links that an implicit solve moves. */
static bool has_implicit(const struct scene *scene)
{
    for (size_t m = 0; m < scene->n_materials; m++)
        if (system_class_of(&scene->material[m])->linear)
            return true;
    return false;
}

/* The bytes of a link: 2.8 kB between rigid bodies without friction and 3.0 with, measured between
 * faces of 40 x 40 and 100 x 100; 5.0 and 7.4 on a cloth, of 40 x 40 and 80 x 80. */
static double bytes_of_link(const struct scene *scene)
{
    static const double between = 2900.0, smooth = 5000.0, rough = 7400.0;
    if (!has_implicit(scene))
        return between;
    return scene->contact.static_friction > 0.0 ? rough : smooth;
}

/* The bytes of links of a body that rests on another: of as many as its largest side has particles.
 */
static double memory(const struct system_setting *setting)
{
    const struct particles *p = setting->particles;
    const struct vec3 *rest = setting->rest + setting->first;
    struct vec3 low = rest[0], high = rest[0];
    if (!contact_has(setting->scene->contact.method, METHOD_LINKS) ||
        p->state[setting->first] != PARTICLE_FREE)
        return 0.0;
    for (size_t i = 0; i < setting->n; i++) {
        low = vec3(fmin(low.x, rest[i].x), fmin(low.y, rest[i].y), fmin(low.z, rest[i].z));
        high = vec3(fmax(high.x, rest[i].x), fmax(high.y, rest[i].y), fmax(high.z, rest[i].z));
    }
    const struct vec3 size = vec3_scale(0.5 / p->radius[setting->first], vec3_sub(high, low));
    const double x = size.x + 1.0, y = size.y + 1.0, z = size.z + 1.0;
    return bytes_of_link(setting->scene) *
           fmin(x * y * z / fmin(x, fmin(y, z)), (double)setting->n);
}

const struct system_class constrained_class = {
    .declares = {.name = "constrained bodies", .n_state = 2, .state = state},
    .family = {.model = rigid_models},
    .create = constrained_create,
    .constrain = constrain,
    .prepare = prepare,
    .integrate = integrate,
    .carry = carry,
    .account = account,
    .spin_loss = spin_loss,
    .memory = memory,
    .free = constrained_free,
};
