#include "systems/system.h"

static bool moves(const struct system_class *class, enum material_model model)
{
    for (size_t k = 0; k < class->n_models; k++)
        if (class->model[k] == model)
            return true;
    return false;
}

const struct system_class *system_class_of(const struct material *material)
{
    const struct system_class *const *class = system_classes;
    while (*class && !moves(*class, material->model))
        class ++;
    return *class;
}
