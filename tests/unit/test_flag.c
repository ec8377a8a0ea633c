/* A flag of 40 x 40 particles that a wind swings round and folds: whether contacts of its particles
 * keep it from passing through itself. */
#include "measure/crossing.h"
#include "measure/sweep_tree.h"
#include "trials.h"

/* The scene of experiments/upp-cloth/flag.yaml, with contacts of the flag with itself or without.
 */
static const char scene_text[] =
    "name: flag\n"
    "time: {end: 10, max_step: 2e-3, frame_interval: 10}\n"
    "air: {density: 1.2, wind: [-10, 1, 0]}\n"
    "contact: {method: position-based}\n"
    "position: {iterations: 4, tether: 0.02}\n"
    "materials:\n"
    "  cloth: {model: mass-spring, stretch_stiffness: 200, shear_stiffness: 200,\n"
    "          bend_stiffness: 2, damping: 2e-4}\n"
    "bodies:\n"
    "  flag: {material: cloth, radius: 0.0125, density: 8, self_contact: %s,\n"
    "         rotation: {axis: [1, 0, 0], degrees: 90}, shape: {sheet: {cells: [40, 40]}},\n"
    "         fixed: left}\n";

enum { SIDE = 40 };

static bool is_corner(const uint32_t triangle[3], uint32_t i)
{
    return triangle[0] == i || triangle[1] == i || triangle[2] == i;
}

/* How often a point on its way passes through triangles on theirs, without those with the corners a
 * or b. */
static unsigned crossings_of(const struct sweep_tree *tree, const struct moving_point *point,
                             uint32_t a, uint32_t b, const struct vec3 *from, const struct vec3 *to)
{
    const struct box box = box_of_sweep(point->from, point->to, 1e-9);
    unsigned n = 0;
    for (size_t leaf = sweep_tree_first(tree, &box); leaf; leaf = sweep_tree_next(tree, leaf, &box))
        for (size_t k = sweep_tree_begin(tree, leaf); k < sweep_tree_end(tree, leaf); k++) {
            const uint32_t *v = tree->vertex[k];
            if (is_corner(v, a) || is_corner(v, b))
                continue;
            struct moving_triangle triangle = {.id = {v[0], v[1], v[2]}};
            for (int c = 0; c < 3; c++)
                triangle.vertex[c] = (struct moving_point){from[v[c]], to[v[c]]};
            n += crossing_count(point, &triangle);
        }
    return n;
}

/* Particles that pass through triangles in a step, by continuous collision detection. */
static size_t particles_through(struct sweep_tree *tree, size_t n, const struct vec3 *from,
                                const struct vec3 *to)
{
    size_t sum = 0;
    sweep_tree_follow(tree, from, to);
    for (uint32_t i = 0; i < n; i++)
        sum += crossings_of(tree, &(struct moving_point){from[i], to[i]}, i, i, from, to);
    return sum;
}

/* Edges between neighbors that go through triangles. */
static size_t edges_through(struct sweep_tree *tree, const struct vec3 *x)
{
    size_t sum = 0;
    sweep_tree_follow(tree, x, x);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE + 1 < SIDE)
            sum += crossings_of(tree, &(struct moving_point){x[i], x[i + 1]}, i, i + 1, x, x);
        if (i + SIDE < SIDE * SIDE)
            sum += crossings_of(tree, &(struct moving_point){x[i], x[i + SIDE]}, i, i + SIDE, x, x);
    }
    return sum;
}

/* Counts both over a run, and the most contacts of the flag with itself. */
static size_t crossings_of_flag(const char *self_contact, double end, double *contacts)
{
    struct trial t;
    struct error error = {0};
    struct sheet sheet = {0};
    struct sweep_tree tree = {0};
    char text[sizeof scene_text + 20];
    size_t n = 0;
    snprintf(text, sizeof text, scene_text, self_contact);
    trial_create(&t, text);
    const struct particles *p = &t.s.particles;
    struct vec3 *before = malloc(p->n * sizeof *before);
    check_equal(sheet_triangles(&sheet, (uint32_t[2]){SIDE, SIDE}, 0, &error), STATUS_OK,
                error.message);
    check_equal(sweep_tree_create(&tree, &sheet, p->position, &error), STATUS_OK, error.message);
    *contacts = 0.0;
    while (t.s.time < end) {
        memcpy(before, p->position, p->n * sizeof *before);
        struct ledger_row row = step_once(&t.s);
        *contacts = fmax(*contacts, (double)row.contacts);
        n += particles_through(&tree, p->n, before, p->position);
        if ((uint64_t)row.step % 10 == 0)
            n += edges_through(&tree, p->position);
    }
    free(before);
    free(sheet.triangle);
    sweep_tree_free(&tree);
    trial_free(&t);
    return n;
}

TEST(contacts_keep_a_flag_from_passing_through_itself)
{
    double contacts, none;
    const size_t with = crossings_of_flag("detected", 0.6, &contacts);
    const size_t without = crossings_of_flag("ignored", 0.3, &none);
    measured("UPP.flag.crossings", (double)with);
    measured("UPP.flag.without", (double)without);
    measured("UPP.flag.contacts", contacts);
    check(with == 0);
    check(without > 0 && contacts > 50.0);
}
