#include "systems/system.h"

const struct model_family *model_family_at(size_t k)
{
    const struct system_class *const *class = system_classes;
    while (*class && k-- > 0)
        class ++;
    return *class ? &(*class)->family : NULL;
}

const struct system_class *system_class_of(const struct material *material)
{
    return system_classes[material_model_family(material->model)];
}
