#include "config/config_rules_parts.h"

#include "config/contact_method.h"

const struct material_model *rule_model_of(const struct node *root, const struct node *body)
{
    const struct node *name = sound(body, "material"), *materials = sound(root, "materials");
    const struct node *material = name ? sound(materials, name->text) : NULL;
    const struct node *model = sound(material, "model");
    return model ? material_model_find(model->text) : NULL;
}

bool rule_body_flows(const struct node *root, const struct node *body)
{
    const struct material_model *model = rule_model_of(root, body);
    return model && model->flows;
}

bool rule_any_fluid(const struct node *root)
{
    const struct node *bodies = sound(root, "bodies");
    for (size_t i = 0; bodies && i < bodies->n; i++) {
        const struct node *body = bodies->entry[i].value;
        const struct material_model *model = body->faulty ? NULL : rule_model_of(root, body);
        if (!model || model->flows)
            return true;
    }
    return !bodies;
}

const struct contact_traits *rule_method_traits(const struct node *root)
{
    const struct node *method = sound(sound(root, "contact"), "method");
    return method ? &contact_traits[CHOICE_OF(CONTACT_METHODS, method->text)] : NULL;
}

const char *rule_body_excluding(const struct node *root, unsigned what)
{
    const struct node *bodies = sound(root, "bodies");
    for (size_t i = 0; bodies && i < bodies->n; i++) {
        const struct node *body = bodies->entry[i].value;
        const struct material_model *model = body->faulty ? NULL : rule_model_of(root, body);
        if (model && (model->excludes & what))
            return bodies->entry[i].key;
    }
    return NULL;
}
