#include "measure/measures.h"

#include "base/blocks.h"
#include "measure/overlap.h"

#include <string.h>

const struct column measure_columns[MEASURE_WIDTH] = {
#define MEASURE_COLUMN(name, unit, sentence) {#name, unit, sentence},
    MEASURE_COLUMNS(MEASURE_COLUMN)
#undef MEASURE_COLUMN
};

enum status measures_create(struct measures *measures, const struct measured *m,
                            struct error *error)
{
    *measures = (struct measures){0};
    if (m->initial->n != m->particles->n)
        return error_set(error, STATUS_INVALID,
                         "%zu particles at the start but %zu now; both must be the same run's",
                         m->initial->n, m->particles->n);
    enum status status =
        penetration_create(&measures->penetration, m->particles, m->n_sheets, m->sheet, error);
    if (!status)
        status = deflection_create(&measures->deflection, m->initial, m->n_sheets, m->sheet,
                                   m->gravity, error);
    if (!status)
        status = strain_create(&measures->strain, m->particles, m->rest, m->bonded, m->n_sheets,
                               m->sheet, m->of_mesh, error);
    return status;
}

void measures_free(struct measures *measures)
{
    penetration_free(&measures->penetration);
    deflection_free(&measures->deflection);
    strain_free(&measures->strain);
}

const uint32_t *measures_penetrated(const struct measures *measures)
{
    return measures->penetration.penetrated;
}

void measures_restore(struct measures *measures, const uint32_t *penetrated)
{
    memcpy(measures->penetration.penetrated, penetrated,
           measures->penetration.n * sizeof *penetrated);
}

struct penetrators {
    const double *mass;         /* kg (n) */
    const uint32_t *penetrated; /* (n) */
};

static double penetrated_mass_of_block(size_t begin, size_t end, const void *context)
{
    const struct penetrators *p = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += p->penetrated[i] ? p->mass[i] : 0.0;
    return sum;
}

void measures_update(struct measures *measures, const struct vec3 *from,
                     const struct particles *after, const struct pair_list *touching,
                     struct measure_row *row)
{
    struct penetration_count count =
        penetration_update(&measures->penetration, from, after->position);
    struct overlap overlap = overlap_measure(after, touching);
    struct overlap within = overlap_measure_within(after, touching);
    struct penetrators penetrators = {after->mass, measures->penetration.penetrated};
    *row = (struct measure_row){
        .penetrated = (double)count.penetrated,
        .penetrated_mass = blocks_sum(after->n, penetrated_mass_of_block, &penetrators),
        .crossings = (double)count.crossings,
        .overlap_max = overlap.max,
        .overlap_mean = overlap.mean,
        .overlap_depth = overlap.depth,
        .overlap_half = (double)overlap.half,
        .interlocked = (double)overlap.inside,
        .deflection = deflection_measure(&measures->deflection, after->position),
        .strain = strain_measure(&measures->strain, after->position),
        .self_contacts = (double)within.touching,
        .self_depth = within.depth};
}
