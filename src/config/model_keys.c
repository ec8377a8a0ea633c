#include "config/model_keys.h"

#include <stdio.h>
#include <string.h>

bool model_has_key(const struct material_model *model, const struct key *row)
{
    for (size_t k = 0; k < model->n_keys; k++)
        if (strcmp(model->key[k].row.path, row->path) == 0)
            return true;
    return false;
}

bool model_key_is(const struct key *row)
{
    const struct material_model *model = NULL;
    if (strncmp(row->path, MATERIAL_KEY(""), strlen(MATERIAL_KEY(""))) != 0)
        return false;
    while ((model = material_model_next(model)) && !model_has_key(model, row))
        continue;
    return model;
}

static bool comes_again(const struct material_model *model, const struct key *row)
{
    while ((model = material_model_next(model)) && !model_has_key(model, row))
        continue;
    return model;
}

const struct key *model_key_next(const struct key *row)
{
    bool found = !row;
    for (const struct material_model *m = NULL; (m = material_model_next(m));)
        for (size_t k = 0; k < m->n_keys; k++) {
            const struct key *own = &m->key[k].row;
            if (found && !comes_again(m, own))
                return own;
            found |= own == row;
        }
    return NULL;
}

void model_key_owners(const struct key *row, const char *between, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (const struct material_model *m = NULL; (m = material_model_next(m));)
        if (model_has_key(m, row) && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? between : "", m->name);
}
