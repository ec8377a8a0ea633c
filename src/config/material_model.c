#include "config/material_model.h"

#include <string.h>

const struct material_model *material_model_next(const struct material_model *model)
{
    bool found = !model;
    for (size_t f = 0; model_family_at(f); f++)
        for (const struct material_model *const *m = model_family_at(f)->model; m && *m; m++) {
            if (found)
                return *m;
            found = *m == model;
        }
    return NULL;
}

const struct material_model *material_model_find(const char *name)
{
    const struct material_model *model = NULL;
    while ((model = material_model_next(model)) && strcmp(model->name, name) != 0)
        continue;
    return model;
}

size_t material_model_family(const struct material_model *model)
{
    size_t family = 0;
    for (; model_family_at(family); family++)
        for (const struct material_model *const *m = model_family_at(family)->model; m && *m; m++)
            if (*m == model)
                return family;
    return family;
}
