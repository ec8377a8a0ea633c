/* How walls cut the cells of a tile: open fractions of faces (Batty, Bertails and Bridson, "A fast
 * variational framework for accurate solid-fluid coupling", 2007), and of cells, from distances at
 * points within the cells. Walls never move, so this is done once for each tile near them. Walls
 * that run along faces are exact; beside others water at rest trembles more.
 *
 * A wall thinner than a cell may stand between faces. The grid does not see it then: particles stop
 * at it one by one, and fluid that rests on it sinks together (water 12 cells deep on a plate of
 * half a cell by a tenth of its depth). Walls that are thinner than a cell everywhere are refused
 * before the run (flip.c). */
#include "base/memory.h"
#include "systems/confine.h"
#include "systems/flip/flip_parts.h"

enum {
    FINE = 4,                        /* points along an edge of a cell */
    FINE_EDGE = PAD_EDGE * FINE + 1, /* ... of a tile with its pad */
    FINE_POINTS = FINE_EDGE * FINE_EDGE * FINE_EDGE,
    CELL_POINTS = (FINE + 1) * (FINE + 1) * (FINE + 1),
    CELL_SAMPLES = FINE * FINE * FINE /* in the middle between points */
};

/* A wall nearer to a point than this, in edges of cells, counts as being on the point, so that
 * rounding opens no cracks beside walls that run along faces. */
static const double CLOSE = 0.01;

/* A cell that is nowhere farther from walls than this, over the least distance that particles keep,
 * counts as part of them: it never holds a particle, and faces with next to no mass would carry
 * what little flow there is. */
static const double SLIVER = 0.96;

/* Scratch data of a tile with its pad. */
struct flip_walling {
    double distance[FINE_POINTS];          /* of points from walls, in edges of cells; where no wall
                                              is near, only its sign is right */
    bool is_solid[PAD_CELLS];              /* the cell counts as part of walls */
    bool has_wall[PAD_CELLS];              /* walls fill a part of the cell */
    float filled[PAD_CELLS][CELL_SAMPLES]; /* part of the small cube around each sample that walls
                                              fill */
    double weight[TILE_NEIGHBORS][CELL_SAMPLES]; /* of samples of a cell and its neighbors */
};

enum status flip_walling_create(struct flip *flip, struct error *error)
{
    return flip->walls ? array_create(&flip->walling, 1, sizeof *flip->walling, "walls", error)
                       : STATUS_OK;
}

static uint32_t point_at(uint32_t x, uint32_t y, uint32_t z)
{
    return x + FINE_EDGE * (y + FINE_EDGE * z);
}

/* The world's coordinates of a place in the pad, in cells from its lowest corner. */
static struct vec3 place_of(const struct flip_grid *grid, const struct flip_tile *tile, double x,
                            double y, double z)
{
    double low[3];
    for (unsigned a = 0; a < 3; a++)
        low[a] = flip_lowest(grid, tile->at, a) - 1.0;
    return vec3(grid->edge * (low[0] + x), grid->edge * (low[1] + y), grid->edge * (low[2] + z));
}

/* ---- fractions ---- */

/* The part of a triangle where the linear function with these values at its corners is positive. */
static double open_triangle(double a, double b, double c)
{
    int open = (a > 0.0) + (b > 0.0) + (c > 0.0);
    double odd = a, u = b, v = c; /* the corner that is unlike the others */
    if (open == 0 || open == 3)
        return open / 3;
    if ((b > 0.0) == (open == 1)) {
        odd = b;
        u = a;
    } else if ((c > 0.0) == (open == 1)) {
        odd = c;
        v = a;
    }
    double part = odd / (odd - u) * (odd / (odd - v));
    return open == 1 ? part : 1.0 - part;
}

/* The same for a square with these values at its corners, in turn. */
static double open_square(const double d[4])
{
    double middle = 0.25 * (d[0] + d[1] + d[2] + d[3]), sum = 0.0;
    for (int k = 0; k < 4; k++)
        sum += open_triangle(middle, d[k], d[(k + 1) % 4]);
    return 0.25 * sum;
}

static bool solid_below(const struct flip_walling *w, const uint32_t at[3], unsigned axis)
{
    uint32_t below[3] = {at[0], at[1], at[2]};
    if (at[axis] == 0)
        return true;
    below[axis]--;
    return w->is_solid[flip_pad(below[0], below[1], below[2])];
}

/* The open fraction of the lower face of a cell of the pad, summed over small squares. */
static double open_face(const struct flip_walling *w, const uint32_t at[3], unsigned axis)
{
    static const uint32_t around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    unsigned u = (axis + 1) % 3, v = (axis + 2) % 3;
    double sum = 0.0;
    if (w->is_solid[flip_pad(at[0], at[1], at[2])] || solid_below(w, at, axis))
        return 0.0;
    for (uint32_t square = 0; square < FINE * FINE; square++) {
        double d[4];
        for (int k = 0; k < 4; k++) {
            uint32_t p[3] = {at[0] * FINE, at[1] * FINE, at[2] * FINE};
            p[u] += square % FINE + around[k][0];
            p[v] += square / FINE + around[k][1];
            d[k] = w->distance[point_at(p[0], p[1], p[2])];
        }
        sum += open_square(d);
    }
    return sum / (FINE * FINE);
}

static double sample_place(uint32_t k)
{
    return (k + 0.5) / FINE;
}

/* The part of a small cube that walls fill if they are this far from its middle, in edges of cells;
 * exact for a wall along faces. */
static float filled_part(double distance)
{
    return (float)fmin(fmax(0.5 - FINE * distance, 0.0), 1.0);
}

/* ---- a tile ---- */

static const double HALF_DIAGONAL = 0.87; /* of a cell, over its edge, rounded up */

static void coordinates(uint32_t cell, uint32_t at[3])
{
    at[0] = cell % PAD_EDGE;
    at[1] = cell / PAD_EDGE % PAD_EDGE;
    at[2] = cell / PAD_EDGE / PAD_EDGE;
}

/* The distance of a place in the pad from walls, in edges of cells. */
static double distance_at(const struct flip *flip, const struct flip_tile *tile, double x, double y,
                          double z)
{
    struct vec3 place = place_of(&flip->grid, tile, x, y, z);
    double distance = walls_distance(flip->walls, place) / flip->grid.edge;
    return fabs(distance) > CLOSE ? distance : 0.0;
}

static void measure_points(const struct flip *flip, const struct flip_tile *tile, uint32_t cell,
                           bool near, struct flip_walling *w)
{
    uint32_t at[3];
    coordinates(cell, at);
    double middle = distance_at(flip, tile, at[0] + 0.5, at[1] + 0.5, at[2] + 0.5);
    if (near != (fabs(middle) <= HALF_DIAGONAL))
        return;
    for (uint32_t k = 0; k < CELL_POINTS; k++) {
        uint32_t x = at[0] * FINE + k % (FINE + 1), y = at[1] * FINE + k / (FINE + 1) % (FINE + 1),
                 z = at[2] * FINE + k / (FINE + 1) / (FINE + 1);
        w->distance[point_at(x, y, z)] =
            near ? distance_at(flip, tile, (double)x / FINE, (double)y / FINE, (double)z / FINE)
                 : middle;
    }
}

static void measure_cell(const struct flip *flip, const struct flip_tile *tile, uint32_t cell,
                         struct flip_walling *w)
{
    uint32_t at[3];
    double deepest = 0.0;
    bool near;
    coordinates(cell, at);
    double middle = distance_at(flip, tile, at[0] + 0.5, at[1] + 0.5, at[2] + 0.5);
    near = fabs(middle) <= HALF_DIAGONAL;
    for (uint32_t k = 0; k < CELL_POINTS; k++)
        deepest = fmax(deepest, w->distance[point_at(at[0] * FINE + k % (FINE + 1),
                                                     at[1] * FINE + k / (FINE + 1) % (FINE + 1),
                                                     at[2] * FINE + k / (FINE + 1) / (FINE + 1))]);
    w->is_solid[cell] = deepest * flip->grid.edge < SLIVER * flip->nearest;
    w->has_wall[cell] = near || middle < 0.0;
    for (uint32_t k = 0; k < CELL_SAMPLES; k++) {
        double x = at[0] + sample_place(k % FINE), y = at[1] + sample_place(k / FINE % FINE),
               z = at[2] + sample_place(k / FINE / FINE);
        w->filled[cell][k] = filled_part(near ? distance_at(flip, tile, x, y, z) : middle);
    }
}

/* Fills in the weights with which the samples of 27 cells count in the volume around the center of
 * the middle one, which are those of particles. */
static void weigh_samples(struct flip_walling *w)
{
    for (uint32_t m = 0; m < TILE_NEIGHBORS; m++)
        for (uint32_t k = 0; k < CELL_SAMPLES; k++) {
            double x = m % 3 + sample_place(k % FINE) - 1.5;
            double y = m / 3 % 3 + sample_place(k / FINE % FINE) - 1.5;
            double z = m / 9 + sample_place(k / FINE / FINE) - 1.5;
            w->weight[m][k] = fmax(1.0 - fabs(x), 0.0) * fmax(1.0 - fabs(y), 0.0) *
                              fmax(1.0 - fabs(z), 0.0) / CELL_SAMPLES;
        }
}

static double missing_of(const struct flip_walling *w, uint32_t x, uint32_t y, uint32_t z)
{
    double sum = 0.0;
    for (uint32_t m = 0; m < TILE_NEIGHBORS; m++) {
        uint32_t cell = flip_pad(x + m % 3 - 1, y + m / 3 % 3 - 1, z + m / 9 - 1);
        for (uint32_t k = 0; w->has_wall[cell] && k < CELL_SAMPLES; k++)
            sum += w->weight[m][k] * (double)w->filled[cell][k];
    }
    return sum;
}

/* The open fraction of a cell, at least a little unless the cell counts as part of walls. */
static double volume_of(const struct flip_walling *w, uint32_t cell)
{
    double open = CELL_SAMPLES;
    for (uint32_t k = 0; k < CELL_SAMPLES; k++)
        open -= (double)w->filled[cell][k];
    return w->is_solid[cell] ? 0.0 : fmax(open / CELL_SAMPLES, 1e-3);
}

static void fill_beyond(const struct flip_walling *w, struct flip_walled *walled)
{
    for (uint32_t c = 0; c < PAD_CELLS; c++) {
        const uint32_t at[3] = {c % PAD_EDGE, c / PAD_EDGE % PAD_EDGE, c / PAD_EDGE / PAD_EDGE};
        walled->beyond[c] = 0;
        for (unsigned a = 0; a < 3; a++)
            if (w->is_solid[c] && solid_below(w, at, a))
                walled->beyond[c] |= (uint8_t)(1U << a);
    }
}

static void fill_cells(const struct flip *flip, const struct flip_tile *tile,
                       const struct flip_walling *w, struct flip_walled *walled)
{
    for (uint32_t c = 0; c < TILE_CELLS; c++) {
        const uint32_t at[3] = {c % TILE_EDGE + 1, c / TILE_EDGE % TILE_EDGE + 1,
                                c / TILE_EDGE / TILE_EDGE + 1};
        uint32_t pad = flip_pad(at[0], at[1], at[2]);
        for (unsigned a = 0; a < 3; a++)
            walled->open[a][c] = open_face(w, at, a);
        walled->volume[c] = volume_of(w, pad);
        walled->missing[c] = missing_of(w, at[0], at[1], at[2]);
        walled->distance[c] = walls_distance(
            flip->walls, place_of(&flip->grid, tile, at[0] + 0.5, at[1] + 0.5, at[2] + 0.5));
    }
}

/* Cells near walls are measured later than others, because points between two such cells are to
 * have the values of the cell near a wall. */
static void find_walls_of(const struct flip *flip, const struct flip_tile *tile)
{
    struct flip_walling *w = flip->walling;
    for (uint32_t c = 0; c < PAD_CELLS; c++)
        measure_points(flip, tile, c, false, w);
    for (uint32_t c = 0; c < PAD_CELLS; c++)
        measure_points(flip, tile, c, true, w);
    for (uint32_t c = 0; c < PAD_CELLS; c++)
        measure_cell(flip, tile, c, w);
    weigh_samples(w);
    fill_beyond(w, tile->block->walled);
    fill_cells(flip, tile, w, tile->block->walled);
}

/* Whether a wall is in the tile or in its pad. */
static bool is_near_walls(const struct flip *flip, const struct flip_tile *tile)
{
    const double middle = 0.5 * PAD_EDGE, half_diagonal = 0.5 * PAD_EDGE * sqrt(3.0);
    double d = walls_distance(flip->walls, place_of(&flip->grid, tile, middle, middle, middle));
    return !(d > half_diagonal * flip->grid.edge);
}

enum status flip_find_walls(struct flip *flip, struct error *error)
{
    struct flip_grid *grid = &flip->grid;
    if (!flip->walls)
        return STATUS_OK;
    for (size_t k = 0; k < grid->n; k++) {
        struct flip_block *block = grid->tile[k].block;
        if (block->knows_walls)
            continue;
        block->is_walled = is_near_walls(flip, &grid->tile[k]);
        if (block->is_walled && !block->walled &&
            array_create(&block->walled, 1, sizeof *block->walled, "walls of a tile", error))
            return STATUS_FAILED;
    }
    for (size_t k = 0; k < grid->n; k++) {
        struct flip_block *block = grid->tile[k].block;
        if (!block->knows_walls && block->is_walled)
            find_walls_of(flip, &grid->tile[k]);
        block->knows_walls = true;
    }
    return STATUS_OK;
}

/* ---- the last resort ---- */

/* Whether a particle that moves by this much may come nearer to a wall than it should. */
static bool may_hit(const struct flip *flip, const struct flip_block *block, const double place[3],
                    double path)
{
    double h = flip->grid.edge, half_diagonal = 0.5 * h * sqrt(3.0);
    uint32_t cell = flip_cell((uint32_t)place[0], (uint32_t)place[1], (uint32_t)place[2]);
    if (!block->is_walled) /* the nearest wall is a cell or more away */
        return path > h;
    return block->walled->distance[cell] < half_diagonal + path + flip->nearest;
}

/* All threads find the particles to be stopped, which takes long; one thread stops them, in the
 * order of slots, which does not depend on the number of threads. */
void flip_confine(struct system *system, const struct particles *p, double dt, struct vec3 *mean,
                  struct vec3 *velocity, struct confine_report *report)
{
    const struct flip *flip = (const struct flip *)system;
    if (!flip->walls)
        return;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < flip->grid.n; k++) {
        const struct flip_tile *tile = &flip->grid.tile[k];
        for (size_t s = tile->begin; s < tile->end; s++) {
            size_t i = system->first + flip->particle[s];
            flip->stopped[s] =
                may_hit(flip, tile->block, flip->place[s], dt * vec3_norm(mean[i])) &&
                ends_near_walls(flip->walls, flip->nearest, p, i, dt, mean);
        }
    }
    for (size_t s = 0; s < flip->n_slots; s++)
        if (flip->stopped[s])
            confine_to_walls(flip->walls, flip->nearest, p, system->first + flip->particle[s], dt,
                             mean, velocity, report);
}
