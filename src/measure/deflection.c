#include "measure/deflection.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum status deflection_create(struct deflection *deflection, const struct particles *initial,
                              size_t n_sheets, const struct sheet *sheet, struct vec3 gravity,
                              struct error *error)
{
    *deflection = (struct deflection){0};
    double magnitude = vec3_norm(gravity);
    if (magnitude > 0.0)
        deflection->down = vec3_scale(1.0 / magnitude, gravity);

    size_t n = 0;
    for (size_t i = 0; i < initial->n; i++)
        n += sheets_have_body(n_sheets, sheet, initial->body[i]);
    enum status status = array_create(&deflection->particle, n, sizeof *deflection->particle,
                                      "particles of sheets", error);
    if (status == STATUS_OK)
        status = array_create(&deflection->rest, n, sizeof *deflection->rest,
                              "rest heights of sheets", error);
    if (status != STATUS_OK)
        return status;
    for (uint32_t i = 0; i < initial->n; i++)
        if (sheets_have_body(n_sheets, sheet, initial->body[i])) {
            deflection->particle[deflection->n] = i;
            deflection->rest[deflection->n++] = vec3_dot(deflection->down, initial->position[i]);
        }
    return STATUS_OK;
}

void deflection_free(struct deflection *deflection)
{
    free(deflection->particle);
    free(deflection->rest);
    *deflection = (struct deflection){0};
}

struct hanging {
    const struct deflection *deflection;
    const struct vec3 *position;
};

static double largest_drop(size_t begin, size_t end, const void *context)
{
    const struct hanging *h = context;
    double largest = 0.0;
    for (size_t k = begin; k < end; k++) {
        double drop = vec3_dot(h->deflection->down, h->position[h->deflection->particle[k]]) -
                      h->deflection->rest[k];
        if (!(drop <= largest || isnan(largest)))
            largest = drop;
    }
    return largest;
}

double deflection_measure(const struct deflection *deflection, const struct vec3 *position)
{
    struct hanging hanging = {deflection, position};
    return deflection->n == 0 ? 0.0 : blocks_max(deflection->n, largest_drop, &hanging);
}
