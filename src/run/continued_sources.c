/* Diffuse particles of a frame keep their source, by its name: other sources may have come, and
 * frames have its index. */
#include "run/continued_parts.h"

#include <string.h>

/* n_diffuse: there is none. */
static size_t source_named(const struct scene *scene, const char *name)
{
    size_t k = 0;
    while (k < scene->n_diffuse && strcmp(scene->diffuse[k].name, name) != 0)
        k++;
    return k;
}

/* Those that a source has at the start are of the start of the first run. */
static enum status check_number(const struct scene *was, const struct diffuse_source *source,
                                struct error *error)
{
    const size_t before = source_named(was, source->name);
    const uint32_t number = before < was->n_diffuse ? was->diffuse[before].number : 0;
    const struct origin *at = &source->origin;
    if (source->number == number)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: diffuse.%s.number is %u instead of %u, but it is how many the "
                     "first run has at its start; leave it, and give a rate and a start",
                     at->file, at->line, at->column, source->name, source->number, number);
}

static enum status rename_entries(const struct scene *was, const struct scene *is, const char *path,
                                  size_t n, uint32_t *source, struct error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (source[i] >= was->n_diffuse)
            return error_set(error, STATUS_INVALID,
                             "%s: entry %zu of diffuse_source is %u, and it has %zu sources", path,
                             i, source[i], was->n_diffuse);
        const char *name = was->diffuse[source[i]].name;
        const size_t now = source_named(is, name);
        if (now == is->n_diffuse)
            return error_set(error, STATUS_INVALID,
                             "%s: has diffuse particles of diffuse.%s, which has to stay in the "
                             "configuration; rate: 0 ends it",
                             path, name);
        source[i] = (uint32_t)now;
    }
    return STATUS_OK;
}

enum status continued_keep_sources(const struct scene *was, const struct scene *is,
                                   const char *path, struct state *state, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < is->n_diffuse && !status; k++)
        status = check_number(was, &is->diffuse[k], error);
    const struct state_value *source = state_find(state, "diffuse_source");
    if (status || !source || !source->data)
        return status;
    return rename_entries(was, is, path, source->rows, source->data, error);
}
