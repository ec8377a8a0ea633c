#include "systems/flip/flip.h"

#include "base/blocks.h"
#include "base/machine.h"
#include "base/memory.h"
#include "systems/flip/flip_parts.h"

#include <stdlib.h>
#include <string.h>

static void flip_free(struct system *system)
{
    struct flip *flip = (struct flip *)system;
    flip_grid_free(&flip->grid);
    multigrid_free(flip->multigrid);
    flip_sides_free(flip);
    flip_solids_free(flip);
    free(flip->walling);
    free(flip->tile_of);
    free(flip->count);
    free(flip->order);
    free(flip->particle);
    free(flip->place);
    free(flip->mass);
    free(flip->fall);
    free(flip->change);
    free(flip->grid_velocity);
    free(flip->stopped);
    free(flip->affine);
    free(flip->next_affine);
    free(flip->sums);
    free(flip->is_dirty);
    free(flip->first_unknown);
    free(flip->cell);
    free(flip->where);
    free(flip->right_side);
    free(flip->pressure);
    free(flip->restored);
    free(flip);
}

static enum status create_arrays(struct flip *flip, struct error *error)
{
    size_t n = flip->system.n;
    if (array_create(&flip->tile_of, n, sizeof *flip->tile_of, "fluid", error) ||
        array_create(&flip->particle, n, sizeof *flip->particle, "fluid", error) ||
        array_create(&flip->place, n, sizeof *flip->place, "fluid", error) ||
        array_create(&flip->mass, n, sizeof *flip->mass, "fluid", error) ||
        array_create(&flip->fall, n, sizeof *flip->fall, "fluid", error) ||
        array_create(&flip->change, n, sizeof *flip->change, "fluid", error) ||
        array_create(&flip->grid_velocity, n, sizeof *flip->grid_velocity, "fluid", error) ||
        array_create(&flip->stopped, n, sizeof *flip->stopped, "fluid", error))
        return STATUS_FAILED;
    if (flip->material.transfer == FLIP_TRANSFER_APIC &&
        (array_create(&flip->affine, n, sizeof *flip->affine, "fluid", error) ||
         array_create(&flip->next_affine, n, sizeof *flip->next_affine, "fluid", error)))
        return STATUS_FAILED;
    return multigrid_create(&flip->multigrid, error);
}

static struct vec3 axis_of(unsigned axis)
{
    return vec3(axis == 0, axis == 1, axis == 2);
}

/* The thickness of the thinnest layer that a solid fits in, between two planes perpendicular to one
 * of the solid's own axes, m. */
static double thickness_of(const struct solid *solid)
{
    double least = (double)INFINITY;
    for (unsigned a = 0; a < 3; a++)
        least = fmin(least, solid_support(solid, axis_of(a)) +
                                solid_support(solid, vec3_scale(-1.0, axis_of(a))));
    return least;
}

/* Refuses walls thinner than a cell, because fluid on a wall that stands between faces sinks
 * together (flip_walls.c). Thin parts of a wall that is thicker elsewhere are not found. */
static enum status check_walls(const struct flip *flip, struct error *error)
{
    size_t n = flip->walls ? walls_count(flip->walls) : 0;
    for (size_t k = 0; k < n; k++) {
        const struct wall *wall = walls_wall(flip->walls, k);
        double thickness = thickness_of(walls_solid(flip->walls, k)->solid);
        if (wall->keep == KEEP_OUTSIDE && thickness < flip->grid.edge * (1.0 - 1e-9))
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: wall '%s' is %g m thick, and a grid of cells of %g m may "
                             "not see it; a wall of a cell and more, or smaller particles, would "
                             "be right",
                             wall->origin.file, wall->origin.line, wall->origin.column, wall->name,
                             thickness, flip->grid.edge);
    }
    return STATUS_OK;
}

/* The edge of cells over the radius of particles: a cell at rest holds eight of them. */
static const double CELL = 4.0;

/* The part of the memory available at the start of a run that tiles may take. */
static const double PART_OF_MEMORY = 0.5;

static void set_lengths(struct flip *flip, const struct system_setting *setting)
{
    double radius = 0.0, least = (double)INFINITY, mass = (double)INFINITY;
    for (size_t i = setting->first; i < setting->first + setting->n; i++) {
        radius = fmax(radius, setting->particles->radius[i]);
        least = fmin(least, setting->particles->radius[i]);
        mass = fmin(mass, setting->particles->mass[i]);
    }
    flip->grid.edge = CELL * radius;
    flip->grid.most_bytes = PART_OF_MEMORY * memory_available();
    flip->nearest = WALL_NEAREST * least;
    flip->light = FLIP_LIGHTEST * mass;
}

static enum status flip_create(struct system **system, const struct system_setting *setting,
                               struct error *error)
{
    struct flip *flip;
    *system = NULL;
    if (array_create(&flip, 1, sizeof *flip, "fluid", error))
        return STATUS_FAILED;
    /* those of all bodies are the same (flip_model.c: alike) */
    const struct material *material =
        scene_material_of(setting->scene, setting->particles->body[setting->first]);
    memcpy(&flip->material, material->parameters, sizeof flip->material);
    flip->walls = setting->walls;
    flip->system = (struct system){.class = &flip_class, .first = setting->first, .n = setting->n};
    flip->system.bonded = (struct bonded){.begin = (uint32_t)setting->first,
                                          .end = (uint32_t)(setting->first + setting->n),
                                          .no_contacts = true};
    flip->tolerance = 1e-6;
    flip->divergence = 1e-4;
    set_lengths(flip, setting);
    enum status status = check_walls(flip, error);
    if (!status)
        status = create_arrays(flip, error);
    if (!status)
        status = flip_walling_create(flip, error);
    if (!status)
        status = flip_sides_create(flip, setting, error);
    if (!status)
        status = flip_solids_create(flip, setting, error);
    if (!status)
        status = flip_find_sides(flip, setting->particles, STATUS_INVALID, error);
    flip->grid.too_large = STATUS_INVALID; /* no particle has moved yet */
    if (!status)
        status = flip_sort(flip, setting->particles, error);
    flip->grid.too_large = STATUS_FAILED;
    if (status) {
        flip_free(&flip->system);
        return status;
    }
    *system = &flip->system;
    return STATUS_OK;
}

static double largest_speed2(size_t begin, size_t end, const void *context)
{
    const struct vec3 *velocity = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        largest = fmax(largest, vec3_norm2(velocity[i]));
    return largest;
}

/* No particle may move farther than a cell in a step: it would not see what it runs into. */
static enum status flip_limit(struct system *system, const struct particles *p, double *dt,
                              struct error *error)
{
    const struct flip *flip = (const struct flip *)system;
    double speed2 = blocks_max(system->n, largest_speed2, p->velocity + system->first);
    (void)error;
    *dt = speed2 > 0.0 ? flip->grid.edge / sqrt(speed2) : (double)INFINITY;
    return STATUS_OK;
}

/* Bytes for a compact body: for its particles, and for the cells that it fills, with their share of
 * tiles that are not full and of the pressure solver. Measured with cells of 2 to 8 radii. */
static double flip_memory(const struct system_setting *setting)
{
    static const double per_particle = 160.0, per_cell = 640.0;
    static const double per_gradient = 300.0; /* of APIC, half of it while frames are written */
    const struct flip_material *material =
        scene_material_of(setting->scene, setting->particles->body[setting->first])->parameters;
    const double cells = 8.0 / (CELL * CELL * CELL); /* per particle */
    bool has_gradients = material->transfer == FLIP_TRANSFER_APIC;
    const double of_solids =
        material->solids == SOLIDS_DISPLACE
            ? flip_solids_memory(setting, CELL * setting->particles->radius[setting->first])
            : 0.0;
    return of_solids + (double)setting->n *
                           (per_particle + per_cell * cells + (has_gradients ? per_gradient : 0.0));
}

/* There are no waves, and no potential energy: the work on the fluid has a column of its own. */
const struct system_class flip_class = {
    .declares.name = "flip",
    .family = {.model = flip_models},
    .declares.n_energy = FLIP_TERMS,
    .declares.energy = flip_terms,
    .declares.n_state = FLIP_STATES,
    .declares.state = flip_states,
    .create = flip_create,
    .limit = flip_limit,
    .prepare = flip_prepare,
    .integrate = flip_integrate,
    .account = flip_account,
    .confine = flip_confine,
    .memory = flip_memory,
    .free = flip_free,
};
