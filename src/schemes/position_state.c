/* What a position-based run keeps from step to step, beside positions and velocities. */
#include "base/memory.h"
#include "constraints/contacts.h"
#include "constraints/density.h"
#include "schemes/position_based.h"
#include "systems/sph/fluid_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct state_field slips = {
    .name = "slips",
    .element = ELEMENT_F64,
    .width = 8,
    .unit = "1, 1, m, m, m, 1, 1, 1",
    .sentence = "of each contact that pushed in the last step (position.friction: kept): its two "
                "particles, or a particle and the number of particles plus that of a wall; how "
                "far the first has slipped relative to the second; and the wall's normal, or 0",
    .form = STATE_LIST,
    .of_walls = true,
    .particles = 2,
};

static enum status list_slips(const void *owner, size_t *n, void **data, struct error *error)
{
    const struct position_based *s = owner;
    const struct kept_slip *slip = contacts_slips(s->set.group[CONSTRAINT_CONTACTS], n);
    double(*row)[8];
    if (array_create(&row, *n, sizeof *row, "slips", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < *n; k++) {
        const struct vec3 way = slip[k].slip, normal = slip[k].normal;
        const double value[8] = {slip[k].first, slip[k].second, way.x,    way.y,
                                 way.z,         normal.x,       normal.y, normal.z};
        memcpy(row[k], value, sizeof value);
    }
    *data = row;
    return STATUS_OK;
}

/* Whether the row can be one of the list: its ends are particles, or a particle and a wall that has
 * a normal here. */
static bool is_slip(const struct position_based *s, const double row[8])
{
    const double n = (double)s->candidates.n, walls = (double)s->n_walls;
    const double length = vec3_norm(vec3(row[5], row[6], row[7])), right = row[1] < n ? 0.0 : 1.0;
    return row[0] == floor(row[0]) && row[1] == floor(row[1]) && row[0] >= 0.0 && row[0] < row[1] &&
           row[0] < n && row[1] < n + walls && isfinite(row[2] + row[3] + row[4]) &&
           fabs(length - right) < 1e-9;
}

/* Whether pairs come before walls, each ascending; a wall may come several times with one particle,
 * by its faces. */
static bool ascend(const struct position_based *s, const double first[8], const double second[8])
{
    const double n = (double)s->candidates.n;
    if ((first[1] < n) != (second[1] < n))
        return first[1] < n;
    if (first[0] != second[0])
        return first[0] < second[0];
    return first[1] < second[1] ||
           (first[1] == second[1] && first[1] >= n && memcmp(first + 5, second + 5, 24) != 0);
}

static struct kept_slip slip_of(const double row[8])
{
    return (struct kept_slip){(uint32_t)row[0], (uint32_t)row[1], vec3(row[2], row[3], row[4]),
                              vec3(row[5], row[6], row[7])};
}

static enum status give_slips(void *owner, size_t n, const void *data, struct error *error)
{
    struct position_based *s = owner;
    const double *row = data;
    struct kept_slip *slip;
    enum status status = STATUS_OK;
    if (array_create(&slip, n, sizeof *slip, "slips", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n && !status; k++) {
        if (!is_slip(s, row + 8 * k))
            status = error_set(error, STATUS_INVALID,
                               "row %zu of slips names no contact of this scene", k);
        else if (k > 0 && !ascend(s, row + 8 * (k - 1), row + 8 * k))
            status =
                error_set(error, STATUS_INVALID,
                          "row %zu of slips repeats the row before it, or should come earlier: "
                          "pairs of particles come first, and each row has larger numbers "
                          "than the one before",
                          k);
        else
            slip[k] = slip_of(row + 8 * k);
    }
    if (!status)
        status = contacts_give_slips(s->set.group[CONSTRAINT_CONTACTS], n, slip, error);
    free(slip);
    return status;
}

static bool is_gas(const struct scene *scene, size_t body)
{
    const struct material *material = scene_material_of(scene, body);
    return material->model == &fluid_model && fluid_is_gas(material->parameters);
}

static const struct state_field vortices = {
    .name = "vortices",
    .element = ELEMENT_F64,
    .width = 3,
    .unit = "1/s^2",
    .sentence = "of each particle of gas, in their order: its vortex, which drives it and others "
                "around it (UPP 31)",
    .form = STATE_LIST,
    .of_body = is_gas,
};

/* The particles of gas, their vortices and which they are; 0: there is none. */
static size_t find_gas(const struct position_based *s, struct vec3 **vortex, const bool **is_gas)
{
    struct constraint *density = s->set.group[CONSTRAINT_DENSITY];
    size_t n = 0;
    *vortex = density ? density_vortices(density, is_gas) : NULL;
    for (size_t i = 0; *vortex && i < s->candidates.n; i++)
        n += (*is_gas)[i];
    return n;
}

static enum status list_vortices(const void *owner, size_t *n, void **data, struct error *error)
{
    const struct position_based *s = owner;
    const bool *is_gas;
    struct vec3 *vortex, *row;
    *n = find_gas(s, &vortex, &is_gas);
    if (array_create(&row, *n, sizeof *row, "vortices", error))
        return STATUS_FAILED;
    *data = row;
    for (size_t i = 0; *n > 0 && i < s->candidates.n; i++)
        if (is_gas[i])
            *row++ = vortex[i];
    return STATUS_OK;
}

static enum status give_vortices(void *owner, size_t n, const void *data, struct error *error)
{
    const struct position_based *s = owner;
    const struct vec3 *row = data;
    const bool *is_gas;
    struct vec3 *vortex;
    const size_t n_gas = find_gas(s, &vortex, &is_gas);
    if (n != n_gas)
        return error_set(error, STATUS_INVALID,
                         "vortices has %zu rows; the scene has %zu particles of gas", n, n_gas);
    for (size_t i = 0; n > 0 && i < s->candidates.n; i++)
        if (is_gas[i])
            vortex[i] = *row++;
    return STATUS_OK;
}

const struct owned_state position_states[POSITION_STATES] = {
    {.field = &slips, .list = list_slips, .give = give_slips},
    {.field = &vortices, .list = list_vortices, .give = give_vortices}};
