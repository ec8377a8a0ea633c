#include "step/simulation.h"

#include "base/memory.h"
#include "step/scheme_classes.h"
#include "step/simulation_parts.h"

#include <stdlib.h>
#include <string.h>

static enum status create_arrays(struct simulation *s, struct error *error)
{
    if (array_create(&s->body_motion, s->scene->n_bodies, sizeof *s->body_motion, "bodies",
                     error) ||
        box_tree_create(&s->body_tree, s->scene->n_bodies, MOTION_WIDTH, error) ||
        groups_create(&s->groups, &s->particles, error) || detector_create(&s->detector, error))
        return STATUS_FAILED;
    if (!isfinite(s->scene->time.courant))
        detector_contacts_only(s->detector);
    return STATUS_OK;
}

static const struct material *material_of(const struct simulation *s, size_t particle)
{
    return scene_material_of(s->scene, s->particles.body[particle]);
}

/* The end of the particles from `first` on that share a system of the class. */
static size_t end_of_system(const struct simulation *s, const struct system_class *class,
                            size_t first)
{
    size_t end = first;
    while (end < s->particles.n && system_class_of(material_of(s, end)) == class &&
           (!class->family.apart || material_of(s, end) == material_of(s, first)))
        end++;
    return end;
}

/* Whether frames and the ledger have all that an owner declares. */
static enum status check_declaration(const struct simulation *s, const struct declaration *declares,
                                     struct error *error)
{
    enum status status = state_check(declares, error);
    return status ? status : energy_check(&s->columns.terms, declares, error);
}

static enum status create_system(struct simulation *s, const struct system_class *class,
                                 struct system_setting *setting, struct error *error)
{
    setting->n = end_of_system(s, class, setting->first) - setting->first;
    struct system **system = &s->system[s->n_systems];
    enum status status = class->create(system, setting, error);
    if (status)
        return status;
    s->first[s->n_systems++] = setting->first;
    setting->first += setting->n;
    s->first[s->n_systems] = setting->first;
    return check_declaration(s, &class->declares, error);
}

static void note_torn(struct system_setting *setting, const struct state *state)
{
    const struct state_value *broken = state ? state_find(state, "broken") : NULL;
    if (broken && broken->data) {
        setting->n_torn = broken->rows;
        setting->torn = broken->data;
    }
}

/* Particles are in the order of the classes, and of materials where a class keeps these apart, so
 * that there are at most as many systems as bodies. */
static enum status create_systems(struct simulation *s, const struct vec3 *rest,
                                  const struct restart *restart, struct error *error)
{
    struct system_setting setting = {.scene = s->scene,
                                     .particles = &s->particles,
                                     .rest = rest,
                                     .walls = s->walls,
                                     .moves = true,
                                     .n_sheets = restart->n_sheets,
                                     .sheet = restart->sheet};
    size_t n = s->scene->n_bodies;
    note_torn(&setting, restart->state);
    if (array_create(&s->system, n, sizeof(struct system *), "systems", error) ||
        array_create(&s->first, n + 1, sizeof *s->first, "systems", error))
        return STATUS_FAILED;
    enum status status = STATUS_OK;
    while (setting.first < s->particles.n && !status)
        status = create_system(s, system_class_of(material_of(s, setting.first)), &setting, error);
    for (size_t k = s->n_systems; k-- > 0;) {
        s->system[k]->bonded.next = s->bonded;
        s->bonded = &s->system[k]->bonded;
    }
    return status;
}

static bool any_ignores_itself(const struct scene *scene)
{
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (!scene_body_meets_itself(scene, b))
            return true;
    return false;
}

/* Tells systems which of their bodies do not collide with themselves. The particles of a body
 * follow each other. */
static enum status keep_bodies_apart(struct simulation *s, struct error *error)
{
    const struct particles *p = &s->particles;
    if (!any_ignores_itself(s->scene))
        return STATUS_OK;
    if (array_create(&s->above, p->n, sizeof *s->above, "contacts", error))
        return STATUS_FAILED;
    for (uint32_t i = (uint32_t)p->n, end = i; i-- > 0;) {
        if ((size_t)i + 1 < p->n && p->body[i] != p->body[i + 1])
            end = i + 1;
        s->above[i] = scene_body_meets_itself(s->scene, p->body[i]) ? i + 1 : end;
    }
    for (size_t k = 0; k < s->n_systems; k++)
        s->system[k]->bonded.above = s->above + s->system[k]->bonded.begin;
    return STATUS_OK;
}

struct step_view view_of(struct simulation *s, double dt)
{
    bool swept = s->scene->contact.detection == DETECTION_SWEPT;
    return (struct step_view){.dt = dt,
                              .step = s->step,
                              .scene = s->scene,
                              .particles = &s->particles,
                              .meeting = swept ? &s->meeting.list : &s->touching,
                              .detector = s->detector,
                              .walls = s->walls,
                              .system = s->system,
                              .owners = {s->n_systems, s->first},
                              .contact = &s->contact,
                              .groups = &s->groups,
                              .motion = &s->motion,
                              .velocity = s->velocity};
}

static enum status create_contact(struct simulation *s, const struct vec3 *rest,
                                  struct error *error)
{
    const struct method_setting setting = {.scene = s->scene,
                                           .particles = &s->particles,
                                           .rest = rest,
                                           .bonded = s->bonded,
                                           .walls = s->walls};
    return contact_create(&s->contact, &setting, error);
}

/* Where fluids keep how they push what displaces them. */
static enum status create_reaction(struct simulation *s, struct error *error)
{
    struct particles *p = &s->particles;
    for (size_t k = 0; k < s->n_systems; k++)
        if (s->system[k]->pushes_others)
            return array_create(&p->reaction, p->n, sizeof *p->reaction, "reactions", error);
    return STATUS_OK;
}

static enum status create_scheme(struct simulation *s, struct error *error)
{
    const struct step_view view = view_of(s, 0.0);
    const struct scheme_class *class = scheme_of(s->scene->contact.method);
    enum status status = check_declaration(s, &s->contact.class->declares, error);
    if (!status)
        status = check_declaration(s, &class->declares, error);
    return status ? status : class->create(&s->scheme, &view, error);
}

static enum status create_velocities(struct simulation *s, struct error *error)
{
    s->velocity = s->motion.after;
    return s->motion.alone ? STATUS_OK
                           : array_create(&s->velocity, s->particles.n, sizeof *s->velocity,
                                          "velocities", error);
}

/* Whether the next step is the first of its run. */
static bool is_first(const struct restart *restart)
{
    return restart->begins || restart->step == 0;
}

enum status simulation_create(struct simulation *s, const struct scene *scene,
                              struct particles *particles, const struct vec3 *rest,
                              const struct restart *restart, struct error *error)
{
    *s = (struct simulation){
        .scene = scene, .particles = *particles, .time = restart->time, .step = restart->step};
    *particles = (struct particles){0};
    timing_begin(&s->timing, PHASE_PREPARING);
    enum status status = create_arrays(s, error);
    s->cfl_rule = cfl_rule_of(&scene->time);
    if (!status)
        status = ledger_columns_find(&s->columns, error);
    if (!status)
        status = walls_create(&s->walls, scene, error);
    if (!status)
        status = create_systems(s, rest, restart, error);
    if (!status)
        status = keep_bodies_apart(s, error);
    if (!status)
        status = create_reaction(s, error);
    if (!status)
        status =
            waves_create(&s->waves, scene, &s->particles, rest, s->n_systems, s->system, error);
    if (!status)
        status = create_contact(s, rest, error);
    if (!status)
        status = create_scheme(s, error);
    if (!status)
        status = create_velocities(s, error);
    if (!status)
        status = diffuse_create(&s->diffuse, scene, &s->particles, is_first(restart), error);
    if (!status)
        status = simulation_give_state(s, restart->state, is_first(restart), error);
    if (!status)
        status = diffuse_check(&s->diffuse, error);
    if (!status)
        status = inlets_create(&s->inlets, scene, &s->particles, error);
    if (!status)
        status = air_create(&s->air, scene, &s->particles, error);
    if (!status)
        status = guided_create(&s->guided, scene, &s->particles, rest, error);
    if (!status)
        status = detector_find(s->detector, &s->particles, s->bonded, &s->touching, error);
    if (!status)
        status = take_stock(s, elastic_energy(s), error);
    if (status)
        simulation_free(s);
    return status;
}

void simulation_free(struct simulation *s)
{
    for (size_t k = 0; k < s->n_systems; k++)
        s->system[k]->class->free(s->system[k]);
    free(s->system);
    free(s->first);
    free(s->above);
    walls_free(s->walls);
    if (s->scheme)
        s->scheme->class->free(s->scheme);
    contact_free(&s->contact);
    air_free(&s->air);
    inlets_free(&s->inlets);
    diffuse_free(&s->diffuse);
    guided_free(&s->guided);
    waves_free(&s->waves);
    particles_free(&s->particles);
    groups_free(&s->groups);
    detector_free(s->detector);
    pair_list_free(&s->touching);
    swept_pairs_free(&s->meeting);
    if (!s->motion.alone)
        free(s->velocity);
    motion_free(&s->motion);
    bounds_free(&s->bounds);
    free(s->body_motion);
    box_tree_free(&s->body_tree);
    *s = (struct simulation){0};
}
