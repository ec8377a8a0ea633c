#include "measure/sag.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum status sag_create(struct sag *sag, const struct particles *initial, size_t n_sheets,
                       const struct sheet *sheet, struct vec3 gravity, struct error *error)
{
    *sag = (struct sag){0};
    double strength = vec3_norm(gravity);
    if (strength > 0.0)
        sag->down = vec3_scale(1.0 / strength, gravity);

    size_t n = 0;
    for (size_t i = 0; i < initial->n; i++)
        n += sheets_have_body(n_sheets, sheet, initial->body[i]);
    enum status status =
        array_create(&sag->particle, n, sizeof *sag->particle, "particles of sheets", error);
    if (status == STATUS_OK)
        status = array_create(&sag->rest, n, sizeof *sag->rest, "rest heights of sheets", error);
    if (status != STATUS_OK)
        return status;
    for (uint32_t i = 0; i < initial->n; i++)
        if (sheets_have_body(n_sheets, sheet, initial->body[i])) {
            sag->particle[sag->n] = i;
            sag->rest[sag->n++] = vec3_dot(sag->down, initial->position[i]);
        }
    return STATUS_OK;
}

void sag_free(struct sag *sag)
{
    free(sag->particle);
    free(sag->rest);
    *sag = (struct sag){0};
}

struct hanging {
    const struct sag *sag;
    const struct vec3 *position;
};

static double largest_drop(size_t begin, size_t end, const void *context)
{
    const struct hanging *h = context;
    double largest = 0.0;
    for (size_t k = begin; k < end; k++) {
        double drop = vec3_dot(h->sag->down, h->position[h->sag->particle[k]]) - h->sag->rest[k];
        if (!(drop <= largest || isnan(largest)))
            largest = drop;
    }
    return largest;
}

double sag_measure(const struct sag *sag, const struct vec3 *position)
{
    struct hanging hanging = {sag, position};
    return sag->n == 0 ? 0.0 : blocks_max(sag->n, largest_drop, &hanging);
}
