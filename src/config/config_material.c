/* The parameters of a material, as its model declares them. */
#include "base/words.h"
#include "config/config_rules_parts.h"
#include "config/model_keys.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static struct vec3 vector_of(const struct node *value)
{
    const struct entry *e = value ? value->entry : NULL;
    double none = (double)NAN;
    return e ? vec3(e[0].value->number, e[1].value->number, e[2].value->number)
             : vec3(none, none, none);
}

static uint32_t position_of(const struct key *row, const struct node *value)
{
    return value ? (uint32_t)word_position(row->words, value->text) : 0;
}

static void read_parameter(const struct key *row, const struct node *value, void *field)
{
    double number = value ? value->number : (double)NAN;
    uint32_t whole = row->type == KEY_CHOICE ? position_of(row, value)
                     : value                 ? (uint32_t)value->count
                                             : 0;
    struct vec3 vector;
    switch (row->type) {
    case KEY_NUMBER:
        memcpy(field, &number, sizeof number);
        return;
    case KEY_COUNT:
    case KEY_CHOICE:
        memcpy(field, &whole, sizeof whole);
        return;
    case KEY_VECTOR:
        vector = vector_of(value);
        memcpy(field, &vector, sizeof vector);
        return;
    default: /* material_model.h says which types there are */
        return;
    }
}

void tree_read_parameters(const struct node *material, const struct material_model *model,
                          void *parameters)
{
    for (size_t k = 0; k < model->n_keys; k++) {
        const struct model_key *key = &model->key[k];
        read_parameter(&key->row, sound(material, key_leaf(&key->row)),
                       (char *)parameters + key->offset);
    }
}

void tree_check_material(struct reading *r, const struct node *material,
                         const struct material_model *model, struct model_check *check)
{
    void *parameters = NULL;
    if (!model->check || r->status != STATUS_OK)
        return;
    r->status = arena_array(r->arena, &parameters, 1, model->size, "a material", r->error);
    if (r->status != STATUS_OK)
        return;
    tree_read_parameters(material, model, parameters);
    check->material = material;
    check->reading = r;
    model->check(check, parameters);
}

void model_complain(struct model_check *check, const char *key, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const struct node *value = node_get(check->material, key);
    if (value) /* a required key that is missing has its own complaint */
        complain(check->reading, value->origin, "%s", message);
}
