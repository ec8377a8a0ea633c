/* The fields of incompressible fluids that frames hold: the pressure, from which the next solve
 * starts, also in a resumed run, and the density. */
#include "sph/pressure_terms.h"
#include "systems/dfsph/dfsph_parts.h"

#include <string.h>

static enum status take_pressure(void *owner, const struct particles *p, void *value,
                                 struct error *error)
{
    const struct dfsph *fluid = owner;
    (void)p;
    (void)error;
    memcpy(value, fluid->kept, fluid->system.n * sizeof *fluid->kept);
    return STATUS_OK;
}

static enum status give_pressure(void *owner, size_t rows, const void *data, struct error *error)
{
    struct dfsph *fluid = owner;
    (void)error;
    memcpy(fluid->kept, data, rows * sizeof *fluid->kept);
    return STATUS_OK;
}

static size_t wall_rows(const void *owner)
{
    return ((const struct dfsph *)owner)->at_walls.n;
}

static enum status list_walls(const void *owner, size_t *rows, void **data, struct error *error)
{
    return wall_memory_list(&((const struct dfsph *)owner)->at_walls, rows, data, error);
}

static enum status give_walls(void *owner, size_t rows, const void *data, struct error *error)
{
    (void)rows;
    (void)error;
    wall_memory_give(&((struct dfsph *)owner)->at_walls, data);
    return STATUS_OK;
}

/* Evaluates the densities anew: those of the last step belong to the positions before it. */
static enum status take_density(void *owner, const struct particles *p, void *value,
                                struct error *error)
{
    struct dfsph *fluid = owner;
    const struct pressure *pressure = &fluid->pressure;
    float *own = value;
    enum status status = pressure_find(&fluid->pressure, p, HUGE_VAL, error);
    if (status)
        return status;
    memset(own, 0, fluid->system.n * sizeof *own); /* for particles that are gone */
    for (size_t s = 0; s < pressure->neighbors.grid.n; s++) {
        uint32_t i = pressure->neighbors.grid.point[s];
        own[i] = (float)(fluid->density *
                         ((double)pressure->limit[i] + (double)pressure->compression[s]));
    }
    return STATUS_OK;
}

const struct owned_state dfsph_states[DFSPH_STATES] = {
    {.field = &pressure_field, .take = take_pressure, .give = give_pressure},
    {.field = &wall_pressure_field, .list = list_walls, .own_rows = wall_rows, .give = give_walls},
    {.field = &state_density, .take = take_density},
};
