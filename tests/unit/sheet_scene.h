/* A flat sheet and the particles of another body; the tests of penetration count those that pass
 * through it. A test includes this once and need not use every function. */
#ifndef TESTS_SHEET_SCENE_H
#define TESTS_SHEET_SCENE_H

#include "measure/penetration.h"
#include "random_points.h"
#include "tap.h"

#define SHEET_UNUSED __attribute__((unused))

/* A square sheet of cells x cells squares of side 1 about the origin, in the plane z = 0, and
 * particles of another body after its vertices. */
struct scene {
    size_t side, n_sheet;
    struct particles particles; /* positions: at the end of the last step */
    struct vec3 *next;          /* positions at the end of the next step */
    struct sheet sheet;
    struct penetration penetration;
};

SHEET_UNUSED static void scene_create(struct scene *s, size_t cells, size_t n_points)
{
    struct error error = {0};
    s->side = cells + 1;
    s->n_sheet = s->side * s->side;
    check(particles_create(&s->particles, s->n_sheet + n_points, &error) == STATUS_OK);
    s->next = calloc(s->particles.n, sizeof *s->next);
    s->sheet = (struct sheet){.body = 0, .n_triangles = 2 * cells * cells};
    s->sheet.triangle = calloc(s->sheet.n_triangles, sizeof *s->sheet.triangle);
    for (size_t i = 0; i < s->particles.n; i++) {
        s->particles.radius[i] = 0.5;
        s->particles.body[i] = i >= s->n_sheet;
    }
    for (size_t i = 0; i < s->n_sheet; i++)
        s->particles.position[i] = vec3((double)(i % s->side) - 0.5 * (double)cells,
                                        (double)(i / s->side) - 0.5 * (double)cells, 0.0);
    uint32_t(*t)[3] = s->sheet.triangle;
    for (size_t row = 0; row < cells; row++)
        for (size_t column = 0; column < cells; column++, t += 2) {
            uint32_t v = (uint32_t)(row * s->side + column), w = v + (uint32_t)s->side;
            memcpy(t, (uint32_t[2][3]){{v, v + 1, w + 1}, {v, w + 1, w}}, 2 * sizeof *t);
        }
    memcpy(s->next, s->particles.position, s->particles.n * sizeof *s->next);
}

/* Begins to measure; called after the points have been placed. */
SHEET_UNUSED static void scene_start(struct scene *s)
{
    struct error error = {0};
    memcpy(s->next, s->particles.position, s->particles.n * sizeof *s->next);
    check(penetration_create(&s->penetration, &s->particles, 1, &s->sheet, &error) == STATUS_OK);
}

SHEET_UNUSED static struct penetration_count scene_step(struct scene *s)
{
    struct penetration_count count =
        penetration_update(&s->penetration, s->particles.position, s->next);
    memcpy(s->particles.position, s->next, s->particles.n * sizeof *s->next);
    return count;
}

SHEET_UNUSED static void scene_free_all(struct scene *s)
{
    penetration_free(&s->penetration);
    particles_free(&s->particles);
    free(s->next);
    free(s->sheet.triangle);
}

#endif
