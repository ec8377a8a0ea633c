/* Finds the pressure of a stage, and the velocities of faces with it. */
#include "systems/flip/flip_parts.h"

static double open_area(const struct flip *flip, const struct flip_block *block, unsigned axis,
                        uint32_t cell)
{
    double open = block->is_walled ? block->walled->open[axis][cell] : 1.0;
    return open * flip->grid.edge * flip->grid.edge;
}

/* The flow through the lower face of a cell if there is no pressure, upwards, m^3/s. */
static double flow(const struct flip *flip, struct flip_place place, unsigned axis)
{
    if (place.tile == NO_TILE)
        return 0.0;
    const struct flip_block *block = flip->grid.tile[place.tile].block;
    double velocity =
        block->is_mixed ? block->mixture->flow[axis][place.cell] : block->fall[axis][place.cell];
    return open_area(flip, block, axis, place.cell) * velocity;
}

static double outflow(const struct flip *flip, struct flip_place place)
{
    double sum = 0.0;
    for (unsigned a = 0; a < 3; a++)
        sum += flow(flip, flip_above(&flip->grid, place, a), a) - flow(flip, place, a);
    return sum;
}

/* Fills the right side and the first guess of the pressure. */
static void fill_right_side(struct flip *flip)
{
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < flip->n_unknowns; n++) {
        struct flip_place place = flip->where[n];
        const struct flip_block *block = flip->grid.tile[place.tile].block;
        double source = flip_source(flip, place);
        flip->right_side[n] = (source - outflow(flip, place)) / flip->dt;
        flip->pressure[n] = block->pressure[place.cell];
    }
}

static void put_pressure(struct flip *flip)
{
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < flip->n_unknowns; n++)
        flip->grid.tile[flip->where[n].tile].block->pressure[flip->where[n].cell] =
            flip->pressure[n];
}

/* ---- velocities ---- */

static double pressure_at(const struct flip *flip, struct flip_place place)
{
    return place.tile == NO_TILE ? 0.0 : flip->grid.tile[place.tile].block->pressure[place.cell];
}

static double impulse_on(const struct flip *flip, struct flip_place place, unsigned axis,
                         double area)
{
    const struct flip_block *block = flip->grid.tile[place.tile].block;
    double below = pressure_at(flip, flip_below(&flip->grid, place, axis));
    return flip->dt * area * (below - block->pressure[place.cell]);
}

/* Finds the velocity of a face with pressure. Faces that walls close, or that have walls on both
 * sides, stand still. */
static void push_face(const struct flip *flip, struct flip_place place, unsigned axis,
                      double *wall_impulse, double *loss)
{
    struct flip_block *block = flip->grid.tile[place.tile].block;
    double mass = block->mass[axis][place.cell], fall = block->fall[axis][place.cell];
    double area = open_area(flip, block, axis, place.cell), impulse = 0.0, after = fall;
    if (area == 0.0) {
        impulse = -mass * fall;
        after = 0.0;
    } else if (mass > flip->light) {
        impulse = impulse_on(flip, place, axis, area);
        after = fall + impulse / mass;
    }
    block->after[axis][place.cell] = after;
    *wall_impulse += impulse;
    *loss += 0.5 * mass * (after - fall) * (after - fall);
}

/* The same for a face that solids may share. */
static void push_mixed_face(const struct flip *flip, struct flip_place place, unsigned axis,
                            double *wall_impulse, double *loss)
{
    struct flip_block *block = flip->grid.tile[place.tile].block;
    double area = open_area(flip, block, axis, place.cell);
    if (area == 0.0) {
        push_face(flip, place, axis, wall_impulse, loss);
        flip_close_mixture(block, axis, place.cell);
        return;
    }
    double impulse = impulse_on(flip, place, axis, area);
    *loss += flip_push_mixture(flip, block, axis, place.cell, &impulse);
    *wall_impulse += impulse;
}

static void add_crowding(const struct flip *flip, struct flip_place place, struct flip_sums *sums)
{
    const struct flip_block *block = flip->grid.tile[place.tile].block;
    const uint32_t cell = place.cell;
    if (block->unknown[cell] != LATTICE_NONE)
        sums->crowding_work += flip->dt * block->pressure[cell] * flip_source(flip, place);
    if (block->mark[cell] & CELL_HAS_FLUID) {
        double excess = flip_excess(block, cell);
        sums->excess_max = fmax(sums->excess_max, excess);
        sums->excess += excess;
        sums->cells += 1.0;
    }
}

/* Finds the velocities of a tile's faces with pressure. The forces of the pressure between cells
 * cancel; the rest of their sum, and the impulses that stop closed faces, come from walls. */
static void push_tile(const struct flip *flip, uint32_t tile, struct flip_sums *sums)
{
    double impulse[3] = {0.0, 0.0, 0.0};
    bool mixed = flip->grid.tile[tile].block->is_mixed;
    *sums = (struct flip_sums){0};
    for (uint32_t cell = 0; cell < TILE_CELLS; cell++) {
        for (unsigned a = 0; a < 3; a++)
            (mixed ? push_mixed_face : push_face)(flip, (struct flip_place){tile, cell}, a,
                                                  &impulse[a], &sums->projection_loss);
        add_crowding(flip, (struct flip_place){tile, cell}, sums);
    }
    sums->wall = vec3(impulse[0], impulse[1], impulse[2]);
}

/* The largest surplus of fluid that fills a closed space without air, over the volume of the space,
 * as flip_source counts it; the mean of the sources is left out there. Water that fills a tank
 * exactly, with particles off their lattice by up to a fifth of their spacing, has a surplus of
 * 0.009; fluid that is spread as unevenly as possible has one of 0.25, because only a quarter of a
 * deficit counts, and at most a half of a cell as surplus. A larger surplus was forced in. */
static const double MOST_TOO_MUCH = 0.25;

static enum status check_room(const struct flip *flip, const struct multigrid_report *solve,
                              struct error *error)
{
    double h = flip->grid.edge;
    double part = solve->left_out.most * flip->dt * flip->dt / (h * h * h);
    if (part <= fmax(MOST_TOO_MUCH * flip->material.crowding, flip->divergence))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "the fluid fills a space without air and should lose %.2g %% of its volume in "
                     "this step, but has nowhere to go; less fluid, or an outlet, would be right",
                     100.0 * part);
}

enum { MOST_ITERATIONS = 1000 }; /* for the pressure; a step that needs more fails */

enum status flip_project(struct flip *flip, struct solve_report *report, struct error *error)
{
    double h = flip->grid.edge;
    const struct multigrid_goal goal = {.tolerance = flip->tolerance,
                                        .largest =
                                            flip->divergence * h * h * h / (flip->dt * flip->dt),
                                        .max_iterations = MOST_ITERATIONS};
    struct multigrid_report solve;
    fill_right_side(flip);
    enum status status =
        multigrid_solve(flip->multigrid, flip->right_side, flip->pressure, &goal, &solve, error);
    if (check_room(flip, &solve, error)) /* whether or not a pressure was found for the rest */
        return STATUS_FAILED;
    if (status) {
        error_prefix(error, "pressure of %zu cells", flip->n_unknowns);
        return status;
    }
    put_pressure(flip);
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < flip->grid.n; k++)
        push_tile(flip, (uint32_t)k, &flip->sums[k]);
    *report = (struct solve_report){
        solve.iterations, solve.right_side > 0.0 ? solve.residual / solve.right_side : 0.0};
    return STATUS_OK;
}
