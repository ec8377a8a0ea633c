#include "contact/contact.h"

const struct energy_term contact_friction = {.name = "friction",
                                             .unit = "J",
                                             .sentence = "dissipated by friction at contacts",
                                             .after = "link_work",
                                             .sign = TERM_LEAVES};

void contact_find_rigid(const struct scene *scene, const struct particles *p, size_t *first,
                        size_t *end)
{
    *first = *end = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!scene_material_of(scene, p->body[i])->model->rigid)
            continue;
        *first = *end == 0 ? i : *first;
        *end = i + 1;
    }
}

static const struct contact_class *class_for(const struct method_setting *setting)
{
    const struct contact_class *class = contact_class_of(setting->scene->contact.method);
    size_t first, end;
    if (!class->of_bodies)
        return class;
    contact_find_rigid(setting->scene, setting->particles, &first, &end);
    return end > first ? class->of_bodies : class;
}

enum status contact_create(struct contact *contact, const struct method_setting *setting,
                           struct error *error)
{
    const struct contact_settings *settings = &setting->scene->contact;
    *contact = (struct contact){
        .class = class_for(setting), .settings = *settings, .bonded = setting->bonded};
    if (!contact->class->create)
        return STATUS_OK;
    enum status status = contact->class->create(contact, setting, error);
    if (status)
        contact_free(contact);
    return status;
}

void contact_free(struct contact *contact)
{
    if (contact->class && contact->class->free)
        contact->class->free(contact);
    *contact = (struct contact){0};
}

void contact_account(const struct contact *contact, struct term_value term[MOST_TERMS])
{
    for (size_t k = 0; k < MOST_TERMS; k++)
        term[k] = (struct term_value){0};
    if (contact->class->account)
        contact->class->account(contact, term);
}

bool pair_approaches(const struct vec3 *position, const struct vec3 *velocity, struct pair pair)
{
    struct vec3 n = vec3_sub(position[pair.j], position[pair.i]);
    return vec3_dot(n, vec3_sub(velocity[pair.j], velocity[pair.i])) < 0.0;
}

size_t count_approaching(const struct particles *particles, const struct pair_list *pairs)
{
    size_t count = 0;
    for (size_t k = 0; k < pairs->n; k++)
        count += pair_approaches(particles->position, particles->velocity, pairs->pair[k]);
    return count;
}
