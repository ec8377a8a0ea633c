/* Which particles of solids displace the fluid, and where they are on the grid. A body takes part
 * if it touches cells with fluid. Then all of it does, with tiles for where there is no fluid, so
 * that the pressure on its surface is one that the whole body bears; a sheet only where the fluid
 * is.
 *
 * With separate sides, a particle of the sheet is half on either side, so that no pressure joins
 * them. */
#include "base/memory.h"
#include "systems/flip/flip_parts.h"

#include <stdlib.h>
#include <string.h>

enum status flip_solids_create(struct flip *flip, const struct system_setting *setting,
                               struct error *error)
{
    const struct particles *p = setting->particles;
    const struct scene *scene = setting->scene;
    if (flip->material.solids != SOLIDS_DISPLACE || setting->n == p->n)
        return STATUS_OK;
    if (array_create(&flip->solids, 1, sizeof *flip->solids, "solids", error))
        return STATUS_FAILED;
    struct flip_solids *s = flip->solids;
    s->n_bodies = scene->n_bodies;
    s->light = (double)INFINITY;
    if (array_create(&s->particle, p->n, sizeof *s->particle, "solids", error) ||
        array_create(&s->is_solid, p->n, sizeof *s->is_solid, "solids", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++) {
        s->is_solid[i] = !scene_material_of(scene, p->body[i])->model->flows;
        if (!s->is_solid[i])
            continue;
        s->particle[s->n++] = (uint32_t)i;
        s->light = fmin(s->light, FLIP_LIGHTEST * p->mass[i]);
    }
    if (array_create(&s->is_wet, s->n_bodies, sizeof *s->is_wet, "bodies", error) ||
        array_create(&s->is_sheet, s->n_bodies, sizeof *s->is_sheet, "bodies", error) ||
        array_create(&s->touches, s->n, sizeof *s->touches, "solids", error) ||
        array_create(&s->inner, p->n, sizeof *s->inner, "solids", error) ||
        array_create(&s->fall, p->n, sizeof *s->fall, "solids", error) ||
        array_create(&s->outside, s->n, sizeof *s->outside, "solids", error) ||
        array_create(&s->others, s->n, sizeof *s->others, "solids", error) ||
        array_create(&s->impulse, p->n, sizeof *s->impulse, "solids", error))
        return STATUS_FAILED;
    for (size_t b = 0; b < s->n_bodies; b++)
        s->is_sheet[b] = scene->body[b].shape.kind == SHAPE_SHEET;
    flip->system.pushes_others = s->n > 0;
    return STATUS_OK;
}

void flip_solids_free(struct flip *flip)
{
    struct flip_solids *s = flip->solids;
    if (s) {
        free(s->particle);
        free(s->is_wet);
        free(s->is_sheet);
        free(s->is_solid);
        free(s->touches);
        free(s->inner);
        free(s->fall);
        free(s->outside);
        free(s->others);
        free(s->impulse);
        free(s->point);
        free(s->sorted);
        free(s->push);
    }
    free(s);
    flip->solids = NULL;
}

/* Whether a body before these particles, which are of one, is of the same system. */
static bool is_later(const struct system_setting *setting)
{
    const struct particles *p = setting->particles;
    const struct material_model *own =
        scene_material_of(setting->scene, p->body[setting->first])->model;
    return setting->first > 0 &&
           scene_material_of(setting->scene, p->body[setting->first - 1])->model == own;
}

/* The tiles of a box around particles [begin, end), and those around them. */
static double tiles_around(const struct particles *p, size_t begin, size_t end, double edge)
{
    struct vec3 low = p->position[begin], high = low;
    for (size_t i = begin; i < end; i++) {
        const struct vec3 x = p->position[i];
        low = vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return (floor(high.x / edge) - floor(low.x / edge) + 3.0) *
           (floor(high.y / edge) - floor(low.y / edge) + 3.0) *
           (floor(high.z / edge) - floor(low.z / edge) + 3.0);
}

double flip_solids_memory(const struct system_setting *setting, double edge)
{
    const struct particles *p = setting->particles;
    double tiles = 0.0;
    for (size_t begin = 0, end; begin < p->n && !is_later(setting); begin = end) {
        for (end = begin; end < p->n && p->body[end] == p->body[begin];)
            end++;
        if (!scene_body_flows(setting->scene, p->body[begin]))
            tiles += tiles_around(p, begin, end, TILE_EDGE * edge);
    }
    return tiles * (double)sizeof(struct flip_mixture);
}

/* ---- which bodies touch the fluid ---- */

/* The tile of a place and the place within it; false: the lattice ends before. */
static bool locate(const struct flip *flip, const double cells[3], bool behind, uint32_t at[3],
                   double place[3])
{
    for (int a = 0; a < 3; a++) {
        double cell = floor(cells[a]) + LATTICE_MIDDLE;
        if (!(cell >= 2 * TILE_EDGE && cell < 2.0 * LATTICE_MIDDLE - 2 * TILE_EDGE))
            return false;
        at[a] = (uint32_t)cell / TILE_EDGE;
        place[a] = cells[a] - flip_lowest(&flip->grid, at, (unsigned)a);
        if (!(place[a] < TILE_EDGE))
            place[a] = nextafter(TILE_EDGE, 0.0);
    }
    at[0] += behind ? BEHIND_TILES : 0;
    return true;
}

static bool has_fluid(const struct flip *flip, struct flip_place place)
{
    return place.tile != NO_TILE &&
           flip->grid.tile[place.tile].block->mark[place.cell] & CELL_HAS_FLUID;
}

/* Whether the cell at a place, or one of its six neighbors, has fluid. */
static bool touches_at(const struct flip *flip, const double cells[3], bool behind)
{
    uint32_t at[3];
    double place[3];
    if (!locate(flip, cells, behind, at, place))
        return false;
    struct flip_place cell = {
        flip_map_find(&flip->grid.map, lattice_morton(at)),
        flip_cell((uint32_t)place[0], (uint32_t)place[1], (uint32_t)place[2])};
    if (cell.tile == NO_TILE)
        return false;
    bool touches = has_fluid(flip, cell);
    for (unsigned a = 0; a < 3 && !touches; a++)
        touches = has_fluid(flip, flip_above(&flip->grid, cell, a)) ||
                  has_fluid(flip, flip_below(&flip->grid, cell, a));
    return touches;
}

static void cells_of(const struct flip *flip, struct vec3 x, double cells[3])
{
    cells[0] = x.x / flip->grid.edge;
    cells[1] = x.y / flip->grid.edge;
    cells[2] = x.z / flip->grid.edge;
}

static void find_wet(struct flip *flip, const struct particles *p)
{
    struct flip_solids *s = flip->solids;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < s->n; k++) {
        uint32_t i = s->particle[k];
        double cells[3];
        cells_of(flip, p->position[i], cells);
        s->touches[k] = particle_is_here(p->state[i]) &&
                        (touches_at(flip, cells, false) ||
                         (flip->grid.has_sides && touches_at(flip, cells, true)));
    }
    memset(s->is_wet, 0, s->n_bodies * sizeof *s->is_wet);
    for (size_t k = 0; k < s->n; k++)
        s->is_wet[p->body[s->particle[k]]] |= s->touches[k];
}

/* ---- points ---- */

static enum status add_point(struct flip *flip, uint32_t i, bool is_sheet, const double cells[3],
                             double part, bool behind, struct error *error)
{
    struct flip_solids *s = flip->solids;
    if (array_reserve(&s->point, &s->point_capacity, s->n_points + 1, sizeof *s->point, "solids",
                      error))
        return STATUS_FAILED;
    struct flip_point *point = &s->point[s->n_points];
    *point = (struct flip_point){.particle = i, .part = part, .is_sheet = is_sheet};
    s->n_points += locate(flip, cells, behind, point->at, point->place);
    return STATUS_OK;
}

static enum status add_points_of(struct flip *flip, const struct particles *p, uint32_t i,
                                 struct error *error)
{
    bool is_sheet = flip->solids->is_sheet[p->body[i]], both = flip->sheet && is_sheet;
    bool behind = flip->sheet && !both && flip_is_behind(flip, p, p->position[i]);
    double cells[3];
    cells_of(flip, p->position[i], cells);
    if (both && add_point(flip, i, is_sheet, cells, 0.5, true, error))
        return STATUS_FAILED;
    return add_point(flip, i, is_sheet, cells, both ? 0.5 : 1.0, behind, error);
}

static enum status add_points(struct flip *flip, const struct particles *p, struct error *error)
{
    struct flip_solids *s = flip->solids;
    s->n_points = 0;
    for (size_t k = 0; k < s->n; k++) {
        uint32_t i = s->particle[k];
        if (s->is_wet[p->body[i]] && particle_is_here(p->state[i]) &&
            add_points_of(flip, p, i, error))
            return STATUS_FAILED;
    }
    return STATUS_OK;
}

/* ---- tiles ---- */

/* Whether a place has faces in another tile than its own. */
static bool is_at_border(const double place[3])
{
    for (int a = 0; a < 3; a++)
        if (place[a] < 1.0 || place[a] >= TILE_EDGE - 1)
            return true;
    return false;
}

static enum status add_tile(struct flip *flip, const uint32_t at[3], size_t *n_next,
                            struct error *error)
{
    uint64_t key = lattice_morton(at);
    if (flip_map_find(&flip->grid.map, key) != NO_TILE)
        return STATUS_OK;
    if (flip_map_add(&flip->grid.map, key, (uint32_t)*n_next, error))
        return STATUS_FAILED;
    return flip_grid_append(&flip->grid, at, n_next, error);
}

static enum status add_tiles_of(struct flip *flip, const struct flip_point *point, size_t *n_next,
                                struct error *error)
{
    if (add_tile(flip, point->at, n_next, error))
        return STATUS_FAILED;
    for (uint32_t m = 0; m < TILE_NEIGHBORS && is_at_border(point->place); m++) {
        uint32_t at[3] = {point->at[0] + m % 3 - 1, point->at[1] + m / 3 % 3 - 1,
                          point->at[2] + m / 9 - 1};
        bool reached = true;
        for (int a = 0; a < 3; a++) {
            if (at[a] < point->at[a])
                reached &= point->place[a] < 1.0;
            if (at[a] > point->at[a])
                reached &= point->place[a] >= TILE_EDGE - 1;
        }
        if (reached && add_tile(flip, at, n_next, error))
            return STATUS_FAILED;
    }
    return STATUS_OK;
}

/* Adds the tiles that bodies other than sheets reach to those that the fluid reaches. */
static enum status add_tiles(struct flip *flip, struct error *error)
{
    struct flip_solids *s = flip->solids;
    struct flip_grid *grid = &flip->grid;
    size_t n_next = 0, n = grid->n;
    for (size_t k = 0; k < n; k++) {
        if (flip_grid_append(grid, grid->tile[k].at, &n_next, error))
            return STATUS_FAILED;
        grid->next[k] = grid->tile[k];
        grid->next[k].block = NULL;
    }
    for (size_t k = 0; k < s->n_points; k++)
        if (!s->point[k].is_sheet && add_tiles_of(flip, &s->point[k], &n_next, error))
            return STATUS_FAILED;
    return n_next > n ? flip_grid_take(grid, n_next, error) : STATUS_OK;
}

/* Sorts points by tile, and by particle within a tile. Those without a tile are left out. */
static enum status sort_points(struct flip *flip, struct error *error)
{
    struct flip_solids *s = flip->solids;
    struct flip_grid *grid = &flip->grid;
    if (array_reserve(&s->sorted, &s->sorted_capacity, s->n_points, sizeof *s->sorted, "solids",
                      error) ||
        array_reserve(&s->push, &s->push_capacity, s->n_points, sizeof *s->push, "solids", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < grid->n; k++)
        grid->tile[k].solid_end = 0;
    for (size_t k = 0; k < s->n_points; k++) {
        s->point[k].tile = flip_map_find(&grid->map, lattice_morton(s->point[k].at));
        if (s->point[k].tile != NO_TILE)
            grid->tile[s->point[k].tile].solid_end++;
    }
    s->n_sorted = 0;
    for (size_t k = 0; k < grid->n; k++) {
        size_t n = grid->tile[k].solid_end;
        grid->tile[k].solid_begin = grid->tile[k].solid_end = s->n_sorted;
        s->n_sorted += n;
    }
    for (size_t k = 0; k < s->n_points; k++)
        if (s->point[k].tile != NO_TILE)
            s->sorted[grid->tile[s->point[k].tile].solid_end++] = s->point[k];
    return STATUS_OK;
}

/* A tile is mixed if it or a neighbor has points of solids. */
static enum status find_mixed(struct flip_grid *grid, struct error *error)
{
    for (size_t k = 0; k < grid->n; k++) {
        const struct flip_tile *tile = &grid->tile[k];
        struct flip_block *block = tile->block;
        block->is_mixed = false;
        for (int m = 0; m < TILE_NEIGHBORS; m++)
            if (tile->neighbor[m] != NO_TILE)
                block->is_mixed |= grid->tile[tile->neighbor[m]].solid_end >
                                   grid->tile[tile->neighbor[m]].solid_begin;
        if (block->is_mixed && !block->mixture &&
            array_create(&block->mixture, 1, sizeof *block->mixture, "solids in a tile", error))
            return STATUS_FAILED;
    }
    return STATUS_OK;
}

enum status flip_find_solids(struct flip *flip, const struct particles *p, struct error *error)
{
    struct flip_solids *s = flip->solids;
    if (!s)
        return STATUS_OK;
    for (size_t k = 0; k < s->n; k++) {
        s->outside[k] = p->force[s->particle[k]];
        s->others[k] = p->reaction ? p->reaction[s->particle[k]] : vec3(0.0, 0.0, 0.0);
        s->impulse[s->particle[k]] = vec3(0.0, 0.0, 0.0);
    }
    flip_mark_fluid(flip);
    find_wet(flip, p);
    if (add_points(flip, p, error))
        return STATUS_FAILED;
    enum status status = add_tiles(flip, error);
    if (status || sort_points(flip, error) || find_mixed(&flip->grid, error))
        return status ? status : STATUS_FAILED;
    return STATUS_OK;
}
