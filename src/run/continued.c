#include "run/continued.h"

#include "base/memory.h"
#include "run/continued_parts.h"
#include "sample/sample_check.h"
#include "shape/prescribed.h"
#include "step/guided.h"
#include "store/frame_list.h"
#include "store/frame_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- reading ---- */

/* The folder of a path, without what follows the last slash: "." if there is none. */
static void strip_name(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash && slash != path)
        *slash = '\0';
    else
        strcpy(path, slash ? "/" : ".");
}

/* RUN/initial.hdf of RUN/frames/000030.hdf and of RUN/checkpoint.hdf. */
static enum status find_initial(struct continued *c, struct error *error)
{
    char *folder;
    if (array_create(&folder, strlen(c->path) + 4, 1, "a path", error))
        return STATUS_FAILED;
    strcpy(folder, c->path);
    strip_name(folder);
    const char *name = strrchr(folder, '/');
    if (strcmp(name ? name + 1 : folder, "frames") == 0)
        strip_name(folder);
    enum status status = path_join(folder, "initial.hdf", &c->initial_path, error);
    free(folder);
    if (!status && access(c->initial_path, F_OK) != 0)
        return error_set(error, STATUS_INVALID,
                         "%s: there is no %s; give the initial frame of its run by --initial",
                         c->path, c->initial_path);
    return status;
}

static enum status name_initial(struct continued *c, const char *initial, struct error *error)
{
    if (!initial && c->frame.rest_position)
        initial = c->path;
    if (!initial)
        return find_initial(c, error);
    if (array_create(&c->initial_path, strlen(initial) + 1, 1, "a path", error))
        return STATUS_FAILED;
    strcpy(c->initial_path, initial);
    return STATUS_OK;
}

enum status continued_read(struct continued *c, const char *path, const char *initial,
                           struct error *error)
{
    *c = (struct continued){.path = path};
    enum status status = frame_read(path, &c->frame, error);
    if (!status && !c->frame.config)
        status = error_set(error, STATUS_INVALID,
                           "%s: has no configuration; give a frame of ms-simulate", path);
    if (!status)
        status = name_initial(c, initial, error);
    if (!status)
        status = frame_read(c->initial_path, &c->initial, error);
    return status ? status
                  : frame_check_initial(&c->frame, path, &c->initial, c->initial_path, error);
}

void continued_free(struct continued *c)
{
    frame_free(&c->frame);
    frame_free(&c->initial);
    free(c->initial_path);
    *c = (struct continued){0};
}

/* ---- checks ---- */

/* By how much a particle is away from its place at a time, m. */
static double away_from(const struct guided *guided, const struct scene *scene,
                        const struct particles *p, size_t k, double time)
{
    const struct prescribed *motion = &scene->prescribed[guided->motion[k]];
    const struct vec3 moved = prescribed_displacement(motion, guided->start[k], time);
    return vec3_norm(vec3_sub(p->position[guided->particle[k]], vec3_add(guided->start[k], moved)));
}

static const double nearly = 1e-6; /* radii */

/* Whether all particles of a motion are where they began, so that it may begin now. */
static bool none_moved(const struct guided *guided, const struct particles *p, size_t motion)
{
    for (size_t k = 0; k < guided->n; k++) {
        const size_t i = guided->particle[k];
        if (guided->motion[k] == motion &&
            vec3_norm(vec3_sub(p->position[i], guided->start[k])) > nearly * p->radius[i])
            return false;
    }
    return true;
}

static enum status refuse_leap(const struct continued *c, const struct scene *scene,
                               const struct guided *guided, size_t k, double away,
                               struct error *error)
{
    const struct prescribed *motion = &scene->prescribed[guided->motion[k]];
    char right[300];
    if (none_moved(guided, &c->initial.particles, guided->motion[k]))
        snprintf(right, sizeof right, "one that begins then (motions.%.100s.start)", motion->name);
    else
        snprintf(right, sizeof right, "one that leads there by then");
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: motion '%s' has particle %zu at t = %g s %.3g m away from where it "
                     "is in %s; %s would be right",
                     motion->origin.file, motion->origin.line, motion->origin.column, motion->name,
                     (size_t)guided->particle[k], c->frame.time, away, c->path, right);
}

/* Nothing that moves as prescribed may leap. */
static enum status check_guided(const struct continued *c, const struct scene *scene,
                                struct error *error)
{
    const struct particles *p = &c->initial.particles;
    struct guided guided;
    enum status status = guided_create(&guided, scene, p, c->initial.rest_position, error);
    for (size_t k = 0; k < guided.n && !status; k++) {
        const double away = away_from(&guided, scene, p, k, c->frame.time);
        if (away > nearly * p->radius[guided.particle[k]])
            status = refuse_leap(c, scene, &guided, k, away, error);
    }
    guided_free(&guided);
    return status;
}

/* ---- the frame ---- */

static void forget(struct state_value *value)
{
    free(value->data);
    *value = (struct state_value){.field = value->field};
}

static void take_state(struct frame *initial, struct frame *frame, bool other_walls)
{
    state_free(&initial->state);
    initial->state = frame->state;
    frame->state = (struct state){0};
    for (size_t k = 0; k < initial->state.n; k++)
        if (initial->state.value[k].field->of_walls && other_walls)
            forget(&initial->state.value[k]);
}

/* What no run is given: it would be that of the old configuration. */
static void forget_shown(struct state *state)
{
    for (size_t k = 0; k < state->n; k++)
        if (state->value[k].field->form == STATE_SHOWN)
            forget(&state->value[k]);
}

/* Hands over what the frame has; what it has no more is in the initial frame. */
static void take_over(struct continued *c, bool other_walls)
{
    struct frame *initial = &c->initial, *frame = &c->frame;
    initial->number = 0;
    initial->step = frame->step;
    initial->time = frame->time;
    particles_free(&initial->particles);
    initial->particles = frame->particles;
    frame->particles = (struct particles){0};
    free(initial->penetrated);
    initial->penetrated = frame->penetrated;
    frame->penetrated = NULL;
    take_state(initial, frame, other_walls);
}

/* ---- what it would begin with ---- */

static size_t count_torn(size_t n, const float *damage)
{
    size_t torn = 0;
    for (size_t i = 0; damage && i < n; i++)
        torn += damage[i] > 0.0f;
    return torn;
}

/* The fraction of its bonds that each particle has lost tells whether the bonds are the same ones.
 */
static enum status check_torn(const struct continued *c, struct simulation *s, struct error *error)
{
    const float *damage = frame_state(&c->initial, "damage");
    const size_t n = c->initial.particles.n, torn = count_torn(n, damage);
    struct state state = {0};
    enum status status = torn ? state_create(&state, error) : STATUS_OK;
    if (!status && torn)
        status = simulation_take_state(s, &state, error);
    const struct state_value *now = status ? NULL : state_find(&state, "damage");
    if (torn && !status &&
        !(now && now->data && memcmp(now->data, damage, n * sizeof *damage) == 0))
        status =
            error_set(error, STATUS_INVALID,
                      "%s: %zu of its particles have torn bonds, and other bonds under the "
                      "changed configuration; keep the model and the horizon of their material",
                      c->path, torn);
    state_free(&state);
    return status;
}

enum status continued_begin(struct beginning *b, const struct frame *frame, const char *path,
                            const struct state *state, struct error *error)
{
    struct particles copy = {0};
    const struct restart restart = {.time = frame->time,
                                    .step = frame->step,
                                    .state = state,
                                    .n_sheets = frame->n_sheets,
                                    .sheet = frame->sheet,
                                    .begins = true};
    enum status status = frame_scene(frame, path, &b->scene, error);
    if (status)
        return status;
    status = particles_copy(&copy, &frame->particles, error);
    if (!status)
        status = simulation_create(&b->simulation, &b->scene, &copy, frame->rest_position, &restart,
                                   error);
    if (status == STATUS_INVALID)
        error_prefix(error, "%s: under the changed configuration", path);
    if (status)
        scene_free(&b->scene);
    return status;
}

void beginning_free(struct beginning *b)
{
    simulation_free(&b->simulation);
    scene_free(&b->scene);
}

/* Whether a run can begin: everything is created as ms-simulate will do it. */
static enum status try_out(const struct continued *c, struct error *error)
{
    struct beginning beginning;
    enum status status =
        continued_begin(&beginning, &c->initial, c->path, &c->initial.state, error);
    if (status)
        return status;
    status = check_torn(c, &beginning.simulation, error);
    beginning_free(&beginning);
    return status;
}

static enum status check_end(const struct continued *c, const struct scene *scene,
                             struct error *error)
{
    if (scene->time.end > c->frame.time)
        return STATUS_OK;
    return error_set(
        error, STATUS_INVALID,
        "%s: it is of t = %.15g s, and time.end is %.15g s; the clock goes on, so give "
        "a later end",
        c->path, c->frame.time, scene->time.end);
}

static enum status check_sample(const struct continued *c, const struct body_map *map,
                                const struct scene *scene, bool other_walls, struct error *error)
{
    const struct sample sample = {.particles = c->initial.particles,
                                  .rest_position = c->initial.rest_position,
                                  .n_sheets = c->initial.n_sheets,
                                  .sheet = c->initial.sheet};
    return sample_check_again(scene, &sample, other_walls, map->n_added ? map->added : NULL, error);
}

/* ---- all of it ---- */

/* Configuration and origin of the new run; whether these may be. */
static enum status rename_run(struct continued *c, const struct config *was,
                              const struct config *is, double brought, bool *other_walls,
                              struct error *error)
{
    char *line = NULL, *text = NULL;
    enum status status = continued_judge(c, was, is, brought, &line, other_walls, error);
    if (!status)
        status = config_effective(is, &text, error);
    if (status) {
        free(line);
        return status;
    }
    free(c->initial.config);
    free(c->initial.origin);
    c->initial.config = text;
    c->initial.origin = line;
    return STATUS_OK;
}

static enum status change(struct continued *c, const struct body_map *map, const struct scene *was,
                          const struct scene *is, bool other_walls, struct error *error)
{
    struct renumbering numbers = {0};
    const bool others = map->n_others > 0;
    enum status status = others ? renumbering_begin(&numbers, c, map, error) : STATUS_OK;
    if (!status)
        take_over(c, other_walls);
    if (!status && others)
        status = continued_put_bodies(c, is, &numbers, error);
    if (!status)
        status = continued_keep_sources(was, is, c->path, &c->initial.state, error);
    if (!status)
        status = continued_change_particles(c, map, was, is, error);
    if (!status)
        status = check_guided(c, is, error);
    if (!status)
        status = check_sample(c, map, is, other_walls, error);
    if (!status && others)
        status = continued_put_state(c, was, &numbers, error);
    if (!status)
        status = try_out(c, error);
    forget_shown(&c->initial.state);
    renumbering_free(&numbers);
    return status;
}

static enum status make(struct continued *c, const struct config *old, const struct scene *was,
                        const struct config *config, const struct scene *is, struct error *error)
{
    struct body_map map = {0};
    bool other_walls = false;
    enum status status = body_map_create(&map, was, is, c->path, error);
    if (!status)
        map.n_others += continued_count_beginners(&c->frame.state, &map, was, is);
    if (!status)
        status = rename_run(c, old, config, continued_brought(&c->frame, was, is, &map),
                            &other_walls, error);
    if (!status)
        status = check_end(c, is, error);
    if (!status)
        status = change(c, &map, was, is, other_walls, error);
    if (status == STATUS_INVALID)
        continued_name_places(c, old, config, error);
    body_map_free(&map);
    return status;
}

enum status continued_make(struct continued *c, const struct config *config,
                           const struct scene *scene, struct error *error)
{
    struct complaints complaints = {0};
    struct config *old = NULL;
    struct scene was = {0};
    enum status status = config_parse(&old, c->path, c->frame.config, &complaints, error);
    complaints_free(&complaints);
    if (!status)
        status = config_scene(old, &was, error);
    if (!status)
        status = make(c, old, &was, config, scene, error);
    scene_free(&was);
    config_free(old);
    return status;
}
