/* The fields of FLIP that frames hold, and that a resumed run gives back to it: the pressure from
 * which the next solve starts, and with APIC the gradients of the particles' velocities. */
#include "base/memory.h"
#include "systems/flip/flip_parts.h"

#include <stdlib.h>
#include <string.h>

static const struct state_field cell_pressure = {
    .name = "cell_pressure",
    .element = ELEMENT_F64,
    .width = 4,
    .unit = "1,1,1,Pa",
    .sentence = "cells of FLIP's grid: whole coordinates in edges of cells, and pressure; behind a "
                "sheet with separate sides x is larger by 524288",
    .form = STATE_LIST,
};

/* Before the first step of a resumed run, lists the pressures that were given back. */
static enum status list_pressure(const void *owner, size_t *rows, void **data, struct error *error)
{
    const struct flip *flip = owner;
    double(*list)[4];
    *rows = flip->restored ? flip->n_restored : flip->n_unknowns;
    if (array_create(&list, *rows, sizeof *list, "pressures", error))
        return STATUS_FAILED;
    if (flip->restored)
        memcpy(list, flip->restored, *rows * sizeof *list);
    for (size_t n = 0; !flip->restored && n < *rows; n++) {
        for (int a = 0; a < 3; a++)
            list[n][a] = (double)flip->cell[n].at[a] - LATTICE_MIDDLE;
        list[n][3] = flip->pressure[n];
    }
    *data = list;
    return STATUS_OK;
}

static enum status give_pressure(void *owner, size_t rows, const void *data, struct error *error)
{
    struct flip *flip = owner;
    free(flip->restored);
    flip->restored = NULL;
    if (array_create(&flip->restored, rows, sizeof *flip->restored, "pressures", error))
        return STATUS_FAILED;
    if (rows > 0)
        memcpy(flip->restored, data, rows * sizeof *flip->restored);
    flip->n_restored = rows;
    for (size_t n = 0; n < rows; n++)
        for (int a = 0; a < 3; a++) {
            double at = flip->restored[n][a];
            if (!(fabs(at) < LATTICE_MIDDLE && at == floor(at)))
                return error_set(error, STATUS_INVALID,
                                 "'cell_pressure' has a cell at %g in row %zu, which no grid has",
                                 at, n);
        }
    return STATUS_OK;
}

void flip_put_restored(struct flip *flip)
{
    for (size_t n = 0; flip->restored && n < flip->n_restored; n++) {
        uint32_t at[3], tile_at[3];
        for (int a = 0; a < 3; a++) {
            at[a] = (uint32_t)((int64_t)flip->restored[n][a] + LATTICE_MIDDLE);
            tile_at[a] = at[a] / TILE_EDGE;
        }
        uint32_t tile = flip_map_find(&flip->grid.map, lattice_morton(tile_at));
        if (tile != NO_TILE)
            flip->grid.tile[tile].block->pressure[flip_cell(
                at[0] % TILE_EDGE, at[1] % TILE_EDGE, at[2] % TILE_EDGE)] = flip->restored[n][3];
    }
    free(flip->restored);
    flip->restored = NULL;
    flip->n_restored = 0;
}

static bool is_flip(const struct scene *scene, size_t body)
{
    return scene_material_of(scene, body)->model == &flip_model;
}

static const struct state_field velocity_gradient = {
    .name = "velocity_gradient",
    .element = ELEMENT_F64,
    .width = 9,
    .unit = "1/s",
    .sentence = "of the particles of FLIP's fluid, row by row; empty without APIC",
    .form = STATE_LIST,
    .of_body = is_flip,
};

static enum status list_gradients(const void *owner, size_t *rows, void **data, struct error *error)
{
    const struct system *system = owner;
    const struct flip *flip = owner;
    double(*list)[9];
    *rows = flip->affine ? system->n : 0;
    if (array_create(&list, *rows, sizeof *list, "gradients", error))
        return STATUS_FAILED;
    if (*rows > 0)
        memcpy(list, flip->affine, *rows * sizeof *list);
    *data = list;
    return STATUS_OK;
}

static enum status give_gradients(void *owner, size_t rows, const void *data, struct error *error)
{
    struct system *system = owner;
    struct flip *flip = owner;
    if (rows != (flip->affine ? system->n : 0))
        return error_set(error, STATUS_INVALID,
                         "'velocity_gradient' has %zu rows where %zu would be right", rows,
                         flip->affine ? system->n : 0);
    if (rows > 0)
        memcpy(flip->affine, data, rows * sizeof *flip->affine);
    return STATUS_OK;
}

static bool is_solid(const struct scene *scene, size_t body)
{
    return !scene_body_flows(scene, body);
}

static const struct state_field inner_acceleration = {
    .name = "inner_acceleration",
    .element = ELEMENT_F64,
    .width = 3,
    .unit = "m/s^2",
    .sentence =
        "of particles of solids, in the order of particles, beyond that by outside forces, in "
        "the last step, which FLIP expects of the next one; empty if none displaces it",
    .form = STATE_LIST,
    .of_body = is_solid,
};

static enum status list_inner(const void *owner, size_t *rows, void **data, struct error *error)
{
    const struct flip_solids *s = ((const struct flip *)owner)->solids;
    struct vec3 *list;
    *rows = s ? s->n : 0;
    if (array_create(&list, *rows, sizeof *list, "accelerations", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < *rows; k++)
        list[k] = s->inner[s->particle[k]];
    *data = list;
    return STATUS_OK;
}

static enum status give_inner(void *owner, size_t rows, const void *data, struct error *error)
{
    struct flip_solids *s = ((struct flip *)owner)->solids;
    const struct vec3 *list = data;
    if (rows != (s ? s->n : 0))
        return error_set(error, STATUS_INVALID,
                         "'inner_acceleration' has %zu rows where %zu would be right", rows,
                         s ? s->n : 0);
    for (size_t k = 0; k < rows; k++)
        s->inner[s->particle[k]] = list[k];
    return STATUS_OK;
}

const struct owned_state flip_states[FLIP_STATES] = {
    {.field = &cell_pressure, .list = list_pressure, .give = give_pressure},
    {.field = &velocity_gradient, .list = list_gradients, .give = give_gradients},
    {.field = &inner_acceleration, .list = list_inner, .give = give_inner},
};
