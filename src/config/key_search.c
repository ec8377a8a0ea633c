/* Looks for rows of the table of configuration keys. */
#include "base/words.h"
#include "config/config_keys.h"
#include "config/model_keys.h"

#include <stdint.h>
#include <string.h>

/* The beginning of the paths of the rows below `parent`. Shapes occur in several places, but are
 * listed once. */
static const char *prefix_below(const struct key *parent)
{
    if (!parent)
        return "";
    return parent->type == KEY_SHAPE ? "shape" : parent->path;
}

static bool is_below(const char *prefix, const char *path)
{
    size_t n = strlen(prefix);
    if (strncmp(path, prefix, n) != 0 || (n && path[n] != '.'))
        return false;
    return !strchr(path + n + (n > 0), '.');
}

const struct key *key_next_below(const struct key *parent, const struct key *row)
{
    const char *prefix = prefix_below(parent);
    bool of_material = is_below(prefix, MATERIAL_KEY("model"));
    do
        row = of_material ? key_next(row) : key_next_of_all(row);
    while (row && !is_below(prefix, row->path));
    return row;
}

const struct key *key_shape(void)
{
    const struct key *row = key_next_of_all(NULL);
    while (row->type != KEY_SHAPE)
        row = key_next_of_all(row);
    return row;
}

const char *key_leaf(const struct key *row)
{
    const char *dot = strrchr(row->path, '.');
    return dot ? dot + 1 : row->path;
}

const struct key *key_below(const struct key *parent, const char *name)
{
    bool any = parent && parent->type == KEY_NAMED;
    for (const struct key *row = NULL; (row = key_next_below(parent, row));)
        if (any || strcmp(key_leaf(row), name) == 0)
            return row;
    return NULL;
}

const struct key *key_nearest(const struct key *parent, const char *name)
{
    const struct key *nearest = NULL;
    size_t least = SIZE_MAX;
    for (const struct key *row = NULL; (row = key_next_below(parent, row));) {
        size_t distance = word_distance(key_leaf(row), name);
        if (word_is_near(distance, key_leaf(row)) && distance < least) {
            least = distance;
            nearest = row;
        }
    }
    return nearest;
}

const struct key *key_elsewhere(const char *name)
{
    const struct key *row = NULL, *of_scene = NULL;
    while ((row = key_next(row)) && (strcmp(key_leaf(row), name) != 0 || !strchr(row->path, '.')))
        of_scene = strcmp(key_leaf(row), name) == 0 ? row : of_scene;
    return row ? row : of_scene;
}

bool key_has_word(const struct key *row, const char *word)
{
    for (size_t k = 0; row->choice && row->choice(k).word; k++)
        if (strcmp(row->choice(k).word, word) == 0)
            return true;
    return row->words && words_contain(row->words, word);
}
