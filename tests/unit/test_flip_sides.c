/* FLIP with cells of its own on either side of a sheet: which particles are on which side, and what
 * is refused. */
#include "flip_scenes.h"
#include "measure/crossing.h"
#include "shape/sheet.h"

#include <string.h>

/* A sheet over [0, 1]^2 that rises from 0 to 0.4 along x, in two folds that hang over: it is a
 * graph over (y, z). Straight from row to row. */
enum { FOLD_COLUMNS = 41, FOLD_ROWS = 6 };

static struct vec3 fold_at(uint32_t column, uint32_t row)
{
    double s = column / (FOLD_COLUMNS - 1.0);
    return vec3(s - 0.25 * sin(12.0 * s), row / (FOLD_ROWS - 1.0), 0.4 * s);
}

static double x_of_fold(double z)
{
    double s = fmin(fmax(z / 0.4, 0.0), 1.0) * (FOLD_COLUMNS - 1);
    uint32_t column = (uint32_t)fmin(s, FOLD_COLUMNS - 2);
    double from = fold_at(column, 0).x, to = fold_at(column + 1, 0).x;
    return from + (s - column) * (to - from);
}

/* Its normals point against x, and up. What is as high as the sheet is behind it if its x is
 * larger; what is lower than all of it is behind, too, what is higher is not. */
static bool is_behind_fold(struct vec3 x)
{
    if (x.z < 0.0 || x.z > 0.4)
        return x.z < 0.0;
    return x.x > x_of_fold(x.z);
}

/* Rotations: the axes in turn, none, one or two times; and half a turn about x. */
enum { ROTATIONS = 4 };

static struct vec3 turned(struct vec3 a, int rotation)
{
    if (rotation == 3)
        return vec3(a.x, -a.y, -a.z);
    for (int k = 0; k < rotation; k++)
        a = vec3(a.z, a.x, a.y);
    return a;
}

/* Lines along z meet the sheet there: its ends are at x = 0 and 1.13. */
static struct vec3 random_point(uint64_t index)
{
    struct vec3 r = random_vector(11, index);
    return vec3(0.5 + 0.35 * r.x, 0.5 + 0.49 * r.y, 0.2 + 0.35 * r.z);
}

enum { POINTS = 2000 };

static void fill_fold(struct hand_scene *h, int rotation)
{
    struct flip_material flip = flip_defaults();
    flip.sides = FLIP_SIDES_SEPARATE;
    hand_scene_begin(h);
    add_sheet(h, add_loose(h), FOLD_COLUMNS, FOLD_ROWS);
    for (uint32_t row = 0; row < FOLD_ROWS; row++)
        for (uint32_t column = 0; column < FOLD_COLUMNS; column++)
            add_particle(h, turned(fold_at(column, row), rotation), vec3(0.0, 0.0, 0.0));
    add_body(h, add_flip(h, flip), FLIP_R, FLIP_MASS);
    for (uint64_t k = 0; k < POINTS; k++)
        add_particle(h, turned(random_point(k), rotation), vec3(0.0, 0.0, 0.0));
}

static void check_fold(int rotation)
{
    struct hand_scene h;
    struct simulation s;
    size_t behind = 0, wrong = 0, first = FOLD_COLUMNS * FOLD_ROWS;
    fill_fold(&h, rotation);
    start(&h, &s);
    const struct flip *flip = flip_of(&s);
    for (uint64_t k = 0; k < POINTS; k++) {
        check(s.particles.body[first + k] == 1);
        behind += flip->is_behind[k];
        wrong += flip->is_behind[k] != is_behind_fold(random_point(k));
    }
    check(behind > POINTS / 4 && behind < POINTS - POINTS / 4);
    check_equal(wrong, 0, "points on the wrong side");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_sheet_with_folds_has_two_sides)
{
    for (int rotation = 0; rotation < ROTATIONS; rotation++)
        check_fold(rotation);
}

static void find_sides(struct simulation *s)
{
    struct error error = {0};
    check_equal(flip_find_sides(flip_of(s), &s->particles, STATUS_FAILED, &error), STATUS_OK,
                error.message);
}

/* Of particle i on its way, through all triangles. */
static unsigned crossings_of(const struct sheet *sheet, const struct vec3 *from,
                             const struct vec3 *to, size_t i)
{
    const struct moving_point point = {from[i], to[i]};
    unsigned n = 0;
    for (size_t t = 0; t < sheet->n_triangles; t++) {
        struct moving_triangle triangle;
        for (int corner = 0; corner < 3; corner++) {
            uint32_t v = sheet->triangle[t][corner];
            triangle.id[corner] = v;
            triangle.vertex[corner] = (struct moving_point){from[v], to[v]};
        }
        n += crossing_count(&point, &triangle);
    }
    return n;
}

/* Points move by up to three tenths of the sheet's height, and the sheet a little, column by
 * column. */
static void move_fold(struct vec3 *x, uint64_t step)
{
    size_t first = FOLD_COLUMNS * FOLD_ROWS;
    for (size_t i = 0; i < first; i++)
        x[i] = vec3_axpy(fold_at((uint32_t)i % FOLD_COLUMNS, (uint32_t)i / FOLD_COLUMNS), 0.01,
                         random_vector(step, i % FOLD_COLUMNS));
    for (size_t k = 0; k < POINTS; k++) {
        struct vec3 near = vec3_axpy(random_point(k), 0.06, random_vector(step, k + 100));
        x[first + k] = vec3(near.x, fmin(fmax(near.y, 0.02), 0.98), near.z);
    }
}

TEST(sides_change_where_the_sheet_is_crossed_and_nowhere_else)
{
    struct hand_scene h;
    struct simulation s;
    struct sheet sheet;
    struct error error = {0};
    const uint32_t cells[2] = {FOLD_COLUMNS, FOLD_ROWS};
    size_t first = FOLD_COLUMNS * FOLD_ROWS, n = first + POINTS, wrong = 0, changes = 0;
    struct vec3 *from = calloc(n, sizeof *from);
    bool was_behind[POINTS];
    fill_fold(&h, 0);
    start(&h, &s);
    check_equal(sheet_triangles(&sheet, cells, 0, &error), STATUS_OK, error.message);
    for (uint64_t step = 20; step < 30; step++) {
        memcpy(from, s.particles.position, n * sizeof *from);
        memcpy(was_behind, flip_of(&s)->is_behind, sizeof was_behind);
        move_fold(s.particles.position, step);
        find_sides(&s);
        for (size_t k = 0; k < POINTS; k++) {
            bool changed = flip_of(&s)->is_behind[k] != was_behind[k];
            unsigned crossings = crossings_of(&sheet, from, s.particles.position, first + k);
            wrong += changed != crossings % 2;
            changes += changed;
        }
    }
    printf("# %zu changes of sides\n", changes);
    check(changes > 1000);
    check_equal(wrong, 0, "changes without a crossing, or crossings without a change");
    free(sheet.triangle);
    free(from);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_step_begins_with_the_sides_of_its_start)
{
    struct hand_scene h;
    struct simulation s;
    bool before[POINTS], begun[POINTS];
    fill_fold(&h, 0);
    start(&h, &s);
    memcpy(before, flip_of(&s)->is_behind, sizeof before);
    move_fold(s.particles.position, 20);
    integrate_alone(&s, 1e-3);
    memcpy(begun, flip_of(&s)->is_behind, sizeof begun);
    find_sides(&s);
    check(memcmp(begun, before, sizeof begun) != 0);
    check(memcmp(begun, flip_of(&s)->is_behind, sizeof begun) == 0);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Every line meets vertices or edges, to the bit: all coordinates are whole in a power of two. */
TEST(particles_right_above_vertices_and_edges_are_on_one_side)
{
    struct hand_scene h;
    struct simulation s;
    struct flip_material flip = flip_defaults();
    flip.sides = FLIP_SIDES_SEPARATE;
    hand_scene_begin(&h);
    add_sheet(&h, add_loose(&h), 9, 7);
    h.body[0].radius = 0x1p-6;
    add_block(&h, 9, 7, 1, vec3(-0.5, 0.25, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(&h, add_flip(&h, flip), 0x1p-7, FLIP_MASS);
    add_block(&h, 15, 11, 2, vec3(-0.5 + 0x1p-6, 0.25 + 0x1p-6, -0x1p-7), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    for (size_t k = 0; k < 15 * 11; k++)
        check(flip_of(&s)->is_behind[k] && !flip_of(&s)->is_behind[15 * 11 + k]);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- what is refused ---- */

static enum status begin_with_sheets(int sheets, double beside, struct error *error)
{
    struct hand_scene h;
    struct simulation s;
    const struct restart fresh = {0};
    struct flip_material flip = flip_defaults();
    flip.sides = FLIP_SIDES_SEPARATE;
    hand_scene_begin(&h);
    size_t loose = add_loose(&h), water = add_flip(&h, flip);
    h.material[water].origin = (struct origin){"scene.yaml", 7, 3};
    for (int k = 0; k < sheets; k++) {
        add_sheet(&h, loose, 9, 9);
        add_block(&h, 9, 9, 1, vec3(0.0, 0.0, 0.2 * k), vec3(0.0, 0.0, 0.0));
    }
    add_water(&h, water, 3, 3, 3, vec3(0.05 + beside, 0.05, 0.05), vec3(0.0, 0.0, 0.0));
    enum status status = simulation_create(&s, &h.scene, &h.particles, h.rest, &fresh, error);
    if (!status)
        simulation_free(&s);
    hand_scene_end(&h);
    return status;
}

TEST(separate_sides_need_one_sheet)
{
    struct error error = {0};
    check_equal(begin_with_sheets(1, 0.0, &error), STATUS_OK, "status");
    check_equal(begin_with_sheets(0, 0.0, &error), STATUS_INVALID, "status");
    check_contains(error.message, "scene.yaml:7:3: material 'flip' has separate sides, and there "
                                  "are 0 sheets; exactly one, or");
    check_equal(begin_with_sheets(2, 0.0, &error), STATUS_INVALID, "status");
    check_contains(error.message, "there are 2 sheets");
}

TEST(fluid_beyond_the_rim_is_refused)
{
    struct error error = {0};
    struct hand_scene h;
    struct simulation s;
    check_equal(begin_with_sheets(1, 0.1, &error), STATUS_INVALID, "status");
    check_contains(error.message, "beyond the rim of sheet 'cloth', so that it is on neither side; "
                                  "a sheet that reaches beyond the fluid, or sides: shared");
    fill_fold(&h, 0);
    start(&h, &s);
    s.particles.position[FOLD_COLUMNS * FOLD_ROWS + 5].y = 1.1;
    check_equal(flip_find_sides(flip_of(&s), &s.particles, STATUS_FAILED, &error), STATUS_FAILED,
                "status");
    char expected[64];
    snprintf(expected, sizeof expected, "particle %d of the fluid is at (",
             FOLD_COLUMNS * FOLD_ROWS + 5);
    check_contains(error.message, expected);
    simulation_free(&s);
    hand_scene_end(&h);
}
