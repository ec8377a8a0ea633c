/* Rules for shapes, wherever they are. */
#include "config/config_rules_parts.h"

#include <stdint.h>

/* `small` <= factor x `large` */
static void rule_at_most(struct reading *r, const struct node *shape, const struct place *place,
                         const char *small, const char *large, double factor)
{
    const struct node *a = sound(shape, small), *b = sound(shape, large);
    if (a && b && a->number > factor * b->number)
        complain(r, a->origin, "'%s.%s' is %s m; give at most %g x %s, which is %s m", place->path,
                 small, a->text, factor, large, b->text);
}

static void rule_sheet_size(struct reading *r, const struct node *sheet, const struct place *place)
{
    const struct node *cells = sound(sheet, "cells");
    if (cells && cells->entry[0].value->count * cells->entry[1].value->count >= UINT32_MAX)
        complain(r, cells->origin, "'%s.cells' makes 2^32 particles or more; give fewer",
                 place->path);
}

void rule_shape(struct reading *r, const struct node *shape, const struct place *place)
{
    for (size_t i = 0; !shape->faulty && i < shape->n; i++) {
        const struct node *value = shape->entry[i].value;
        const char *kind = shape->entry[i].key;
        const struct key *row = key_below(key_shape(), kind);
        struct place below = place_below(place, row, kind);
        if (value->faulty)
            continue;
        if (strcmp(kind, "torus") == 0)
            rule_at_most(r, value, &below, "tube", "radius", 1);
        if (strcmp(kind, "bowl") == 0) {
            rule_at_most(r, value, &below, "thickness", "radius", 1);
            rule_at_most(r, value, &below, "height", "radius", 2);
        }
        if (strcmp(kind, "sheet") == 0)
            rule_sheet_size(r, value, &below);
        for (size_t j = 0; row && row->type == KEY_SHAPES && j < value->n; j++) {
            struct place entry = place_entry(&below, key_shape(), j);
            const struct node *child = value->entry[j].value;
            if (node_get(child, "sheet"))
                complain(r, child->origin,
                         "'%s' is a sheet, which is always a whole shape; give a solid",
                         entry.path);
            rule_shape(r, child, &entry);
        }
    }
}

void rule_wall(struct reading *r, const struct node *shape, const struct place *place)
{
    if (!node_get(shape, "mesh"))
        rule_region(r, shape, place);
}

void rule_region(struct reading *r, const struct node *shape, const struct place *place)
{
    static const char *const other[] = {"sheet", "mesh"};
    for (size_t k = 0; k < 2; k++) {
        const struct node *value = node_get(shape, other[k]);
        if (value)
            complain(r, value->origin,
                     "'%s' is a %s, which is no region of space here; give a ball, "
                     "a box or another solid",
                     place->path, other[k]);
    }
    static const char *const lists[] = {"union", "difference"};
    for (size_t k = 0; k < 2; k++) {
        const struct node *list = sound(shape, lists[k]);
        struct place below = place_below(place, NULL, lists[k]);
        for (size_t i = 0; list && i < list->n; i++) {
            struct place entry = place_entry(&below, NULL, i);
            if (!list->entry[i].value->faulty && !node_get(list->entry[i].value, "sheet"))
                rule_region(r, list->entry[i].value, &entry);
        }
    }
}
