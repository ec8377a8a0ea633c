/* Declarations that the files of config_scene share: values of a complete tree, which are there and
 * right. */
#ifndef CONFIG_CONFIG_SCENE_PARTS_H
#define CONFIG_CONFIG_SCENE_PARTS_H

#include "config/config_tree.h"

static inline double number(const struct node *mapping, const char *key)
{
    return node_get(mapping, key)->number;
}

static inline uint32_t count(const struct node *mapping, const char *key)
{
    return (uint32_t)node_get(mapping, key)->count;
}

static inline const char *text(const struct node *mapping, const char *key)
{
    return node_get(mapping, key)->text;
}

static inline struct vec3 vector(const struct node *mapping, const char *key)
{
    const struct entry *e = node_get(mapping, key)->entry;
    return vec3(e[0].value->number, e[1].value->number, e[2].value->number);
}

/* The value of a choice: the tree was checked against the words of the same list. */
#define CHOSEN(list, mapping, key) CHOICE_OF(list, text(mapping, key))

/* Fills in what a scene has once: its groups of settings. */
void config_scene_settings(const struct node *root, struct scene *scene);

#endif
