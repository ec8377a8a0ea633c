/* Bodies that come and go: a body of the new scene that the frame lacks is sampled as in a new run,
 * one of the frame that the new scene lacks is left out. */
#include "base/memory.h"
#include "run/continued_parts.h"
#include "sample/sample.h"
#include "store/frame_scene.h"
#include "systems/bonds/bond_models.h"

#include <stdlib.h>
#include <string.h>

/* ---- which are the same ones ---- */

static uint32_t body_named(const struct scene *scene, const char *name)
{
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (strcmp(scene->body[b].name, name) == 0)
            return (uint32_t)b;
    return NO_BODY;
}

/* The first body that ties itself to others; NULL: none does. */
static const struct body *tied(const struct scene *scene)
{
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (scene->body[b].ties != TIES_NONE)
            return &scene->body[b];
    return NULL;
}

/* Ties are found where bodies begin, and where a copy does is drawn by its number among the bodies.
 */
static enum status check_begins(const struct body *was, const struct body *is, const char *path,
                                struct error *error)
{
    if (vec3_equal(was->position, is->position) &&
        memcmp(was->rotation, is->rotation, sizeof is->rotation) == 0)
        return STATUS_OK;
    return error_set(
        error, STATUS_INVALID,
        "%s: where '%s' begins, and so which ties it has, is drawn by its number among "
        "the bodies and the seed, which are others now; let bodies that come have "
        "names behind it in the alphabet, and those before it, and the seed, stay",
        path, is->name);
}

static enum status check_body(const struct scene *was, size_t before, const struct scene *is,
                              size_t b, const char *path, struct error *error)
{
    const struct body *body = &is->body[b];
    const struct material *old = scene_material_of(was, before), *now = scene_material_of(is, b);
    const struct origin *at = &now->origin;
    if (old->model != now->model && !(old->model->flows && now->model->flows))
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: the model of material '%s' is %s, but body '%s' of %s is "
                         "%s and has the state of that; only a fluid can become another fluid",
                         at->file, at->line, at->column, now->name, now->model->name, body->name,
                         path, old->model->name);
    if (body->inlet.given && !vec3_equal(was->body[before].velocity, body->velocity))
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: the velocity of body '%s' is that of its inlet, which "
                         "cannot change",
                         body->origin.file, body->origin.line, body->origin.column, body->name);
    if (now->model == &mass_spring_model && tied(is))
        return check_begins(&was->body[before], body, path, error);
    return STATUS_OK;
}

/* Ties are found between the places where bodies begin, and those that were there have moved. */
static enum status check_ties(const struct scene *is, size_t b, struct error *error)
{
    const struct body *body = &is->body[b];
    const struct body *other = tied(is);
    const struct origin *at = &body->origin;
    if (scene_material_of(is, b)->model != &mass_spring_model || !other)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: body '%s' comes when bodies have moved, and '%s' ties itself to "
                     "mass-spring bodies where these begin; without ties, or with '%s' in the "
                     "scene from the start, it would be right",
                     at->file, at->line, at->column, body->name, other->name, body->name);
}

static enum status find_body(struct body_map *map, const struct scene *was, const struct scene *is,
                             size_t b, uint32_t *next, const char *path, struct error *error)
{
    const struct body *body = &is->body[b];
    const struct material *material = scene_material_of(is, b);
    const uint32_t before = body_named(was, body->name);
    map->was[b] = before;
    map->added[b] = before == NO_BODY;
    map->n_added += before == NO_BODY;
    if (before == NO_BODY)
        return check_ties(is, b, error);
    if (before < *next)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: with material '%s' body '%s' is not where it is in the "
                         "order of bodies of %s, which models give; keep the models",
                         material->origin.file, material->origin.line, material->origin.column,
                         material->name, body->name, path);
    *next = before + 1;
    map->is[before] = (uint32_t)b;
    return check_body(was, before, is, b, path, error);
}

enum status body_map_create(struct body_map *map, const struct scene *was, const struct scene *is,
                            const char *path, struct error *error)
{
    *map = (struct body_map){.n_was = was->n_bodies, .n_is = is->n_bodies};
    if (array_create(&map->was, map->n_is, sizeof *map->was, "bodies", error) ||
        array_create(&map->added, map->n_is, sizeof *map->added, "bodies", error) ||
        array_create(&map->is, map->n_was, sizeof *map->is, "bodies", error))
        return STATUS_FAILED;
    uint32_t next = 0;
    enum status status = STATUS_OK;
    for (size_t b = 0; b < map->n_was; b++)
        map->is[b] = NO_BODY;
    for (size_t b = 0; b < map->n_is && !status; b++)
        status = find_body(map, was, is, b, &next, path, error);
    map->n_others = map->n_added + (map->n_was + map->n_added - map->n_is);
    return status;
}

void body_map_free(struct body_map *map)
{
    free(map->was);
    free(map->added);
    free(map->is);
    *map = (struct body_map){0};
}

/* ---- particles ---- */

/* The first particle of each body, and the end of the last. */
static void find_first(const struct particles *p, size_t n_bodies, size_t *first)
{
    for (size_t b = 0, i = 0; b <= n_bodies; b++) {
        while (i < p->n && p->body[i] < b)
            i++;
        first[b] = i;
    }
}

static void put_particles(struct frame *to, size_t first, const struct frame *from, size_t begin,
                          size_t n, size_t body)
{
    struct particles *p = &to->particles;
    const struct particles *own = &from->particles;
    memcpy(p->position + first, own->position + begin, n * sizeof *p->position);
    memcpy(p->velocity + first, own->velocity + begin, n * sizeof *p->velocity);
    memcpy(p->mass + first, own->mass + begin, n * sizeof *p->mass);
    memcpy(p->radius + first, own->radius + begin, n * sizeof *p->radius);
    memcpy(p->state + first, own->state + begin, n * sizeof *p->state);
    memcpy(to->rest_position + first, from->rest_position + begin, n * sizeof *to->rest_position);
    for (size_t i = first; i < first + n; i++)
        p->body[i] = (uint32_t)body;
}

/* The sheet of a body; NULL: it is none. */
static const struct sheet *sheet_of(const struct frame *frame, size_t body)
{
    for (size_t s = 0; s < frame->n_sheets; s++)
        if (frame->sheet[s].body == body)
            return &frame->sheet[s];
    return NULL;
}

/* Appends the sheet of a body whose particles began at `begin`, and begin at `first` now. */
static enum status put_sheet(struct frame *to, const struct sheet *from, size_t begin, size_t first,
                             size_t body, struct error *error)
{
    struct sheet *sheet = &to->sheet[to->n_sheets];
    if (array_create(&sheet->triangle, from->n_triangles, sizeof *sheet->triangle,
                     "triangles of a sheet", error))
        return STATUS_FAILED;
    to->n_sheets++;
    sheet->body = (uint32_t)body;
    sheet->n_triangles = from->n_triangles;
    for (size_t k = 0; k < 3 * from->n_triangles; k++)
        sheet->triangle[k / 3][k % 3] = (uint32_t)(from->triangle[k / 3][k % 3] - begin + first);
    return STATUS_OK;
}

/* Which sheets a particle has penetrated: bit s is of sheet s. */
static void put_penetrated(struct frame *to, const struct frame *from,
                           const struct renumbering *numbers)
{
    for (size_t s = 0; s < to->n_sheets; s++) {
        const uint32_t was = numbers->map->was[to->sheet[s].body];
        const struct sheet *before = was == NO_BODY ? NULL : sheet_of(from, was);
        for (size_t i = 0; before && i < numbers->n_was; i++)
            if (numbers->is[i] != NO_BODY && from->penetrated[i] >> (before - from->sheet) & 1U)
                to->penetrated[numbers->is[i]] |= 1U << s;
    }
}

static enum status create_particles(struct frame *to, size_t n, size_t n_bodies, bool penetrated,
                                    struct error *error)
{
    enum status status = particles_create(&to->particles, n, error);
    if (!status)
        status =
            array_create(&to->rest_position, n, sizeof *to->rest_position, "rest positions", error);
    if (!status && penetrated)
        status = array_create(&to->penetrated, n, sizeof *to->penetrated, "crossings", error);
    if (!status)
        status = array_create(&to->sheet, n_bodies, sizeof *to->sheet, "sheets", error);
    return status;
}

/* The bodies of the frame that stay, and those that were sampled. */
static enum status put_together(struct frame *to, const struct frame *from,
                                const struct frame *sampled, const size_t *sampled_first,
                                struct renumbering *numbers, struct error *error)
{
    const struct body_map *map = numbers->map;
    enum status status = STATUS_OK;
    for (size_t b = 0; b < map->n_is && !status; b++) {
        const bool added = map->added[b];
        const size_t own = added ? b : map->was[b], first = numbers->first_is[b];
        const size_t begin = added ? sampled_first[own] : numbers->first_was[own];
        const struct sheet *sheet = sheet_of(added ? sampled : from, own);
        const size_t n = numbers->first_is[b + 1] - first;
        put_particles(to, first, added ? sampled : from, begin, n, b);
        for (size_t i = 0; i < n && !added; i++)
            numbers->is[begin + i] = (uint32_t)(first + i);
        if (sheet)
            status = put_sheet(to, sheet, begin, first, b, error);
    }
    if (!status && from->penetrated)
        put_penetrated(to, from, numbers);
    return status;
}

/* Hands over to c->initial what was put together. */
static void replace(struct frame *initial, struct frame *with)
{
    for (size_t s = 0; s < initial->n_sheets; s++)
        free(initial->sheet[s].triangle);
    particles_free(&initial->particles);
    free(initial->rest_position);
    free(initial->penetrated);
    free(initial->sheet);
    initial->particles = with->particles;
    initial->rest_position = with->rest_position;
    initial->penetrated = with->penetrated;
    initial->sheet = with->sheet;
    initial->n_sheets = with->n_sheets;
    with->particles = (struct particles){0};
    with->rest_position = NULL;
    with->penetrated = NULL;
    with->sheet = NULL;
    with->n_sheets = 0;
}

/* Strengths are drawn by the numbers of particles, which therefore have to stay. */
static enum status check_draws(const struct renumbering *numbers, const struct scene *is,
                               const char *path, struct error *error)
{
    const struct body_map *map = numbers->map;
    for (size_t b = 0; b < map->n_is; b++) {
        const struct material *material = scene_material_of(is, b);
        if (map->added[b] || material->model != &peridynamics_model || !material_breaks(material))
            continue;
        const struct peridynamics *bonds = material->parameters;
        const size_t now = numbers->first_is[b], before = numbers->first_was[map->was[b]];
        if (bonds->critical_stretch_spread > 0.0 && now != before)
            return error_set(error, STATUS_INVALID,
                             "%s: body '%s' draws how firmly its particles hold their bonds by "
                             "their numbers (critical_stretch_spread), from %zu on, which would "
                             "be from %zu on; let elastic bodies that come have names behind it "
                             "in the alphabet, and those that go, if theirs are before it, stay",
                             path, is->body[b].name, before, now);
    }
    return STATUS_OK;
}

static enum status number_bodies(struct renumbering *numbers, const size_t *sampled_first,
                                 struct error *error)
{
    const struct body_map *map = numbers->map;
    size_t n = 0;
    if (array_create(&numbers->first_is, map->n_is + 1, sizeof *numbers->first_is, "bodies", error))
        return STATUS_FAILED;
    for (size_t b = 0; b < map->n_is; b++) {
        const size_t *first = map->added[b] ? sampled_first + b : numbers->first_was + map->was[b];
        numbers->first_is[b] = n;
        n += first[1] - first[0];
    }
    numbers->first_is[map->n_is] = numbers->n_is = n;
    return STATUS_OK;
}

static enum status put_sampled(struct continued *c, const struct scene *is,
                               const struct sample *sample, struct renumbering *numbers,
                               struct error *error)
{
    struct frame *initial = &c->initial;
    const struct frame sampled = {.particles = sample->particles,
                                  .rest_position = sample->rest_position,
                                  .n_sheets = sample->n_sheets,
                                  .sheet = sample->sheet};
    struct frame to = {0};
    size_t *first = NULL;
    enum status status = array_create(&first, is->n_bodies + 1, sizeof *first, "bodies", error);
    if (!status) {
        find_first(&sample->particles, is->n_bodies, first);
        status = number_bodies(numbers, first, error);
    }
    if (!status)
        status = check_draws(numbers, is, c->path, error);
    if (!status)
        status = create_particles(&to, numbers->n_is, is->n_bodies, initial->penetrated, error);
    if (!status)
        status = put_together(&to, initial, &sampled, first, numbers, error);
    if (!status)
        replace(initial, &to);
    frame_free(&to);
    free(first);
    return status;
}

enum status continued_put_bodies(struct continued *c, const struct scene *is,
                                 struct renumbering *numbers, struct error *error)
{
    struct sample sample = {0};
    enum status status = STATUS_OK;
    if (numbers->map->n_added > 0)
        status = sample_bodies(is, numbers->map->added, &sample, error);
    if (!status)
        status = put_sampled(c, is, &sample, numbers, error);
    if (!status)
        status = frame_name_bodies(&c->initial, is, error);
    sample_free(&sample);
    return status;
}

/* ---- numbers ---- */

static enum status number_bonds(struct renumbering *numbers, const struct continued *c,
                                struct error *error)
{
    struct beginning beginning;
    struct frame was = c->frame;
    was.sheet = c->initial.sheet;
    was.n_sheets = c->initial.n_sheets;
    was.rest_position = c->initial.rest_position;
    enum status status = array_create(&numbers->bond_was, numbers->map->n_was + 1,
                                      sizeof *numbers->bond_was, "bonds", error);
    if (!status)
        status = continued_begin(&beginning, &was, c->path, NULL, error);
    if (status)
        return status;
    for (size_t k = 0; k < c->frame.state.n; k++)
        if (simulation_numbers(&beginning.simulation, c->frame.state.value[k].field,
                               numbers->bond_was))
            break;
    beginning_free(&beginning);
    return STATUS_OK;
}

enum status renumbering_begin(struct renumbering *numbers, const struct continued *c,
                              const struct body_map *map, struct error *error)
{
    const struct particles *p = &c->frame.particles;
    *numbers = (struct renumbering){.map = map, .n_was = p->n};
    if (array_create(&numbers->is, p->n, sizeof *numbers->is, "particles", error) ||
        array_create(&numbers->first_was, map->n_was + 1, sizeof *numbers->first_was, "bodies",
                     error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++)
        numbers->is[i] = NO_BODY;
    find_first(p, map->n_was, numbers->first_was);
    const struct state_value *broken = state_find(&c->frame.state, "broken");
    return broken && broken->rows > 0 ? number_bonds(numbers, c, error) : STATUS_OK;
}

void renumbering_free(struct renumbering *numbers)
{
    free(numbers->is);
    free(numbers->first_was);
    free(numbers->first_is);
    free(numbers->bond_was);
    *numbers = (struct renumbering){0};
}
