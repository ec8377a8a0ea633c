#include "run/continued_parts.h"
#include "store/sha256.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judgement {
    const char *path; /* of the frame */
    FILE *line;
    bool walls;
    size_t n; /* changes so far */
};

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Whether the key below a body's name may change without its particles being others. */
static bool is_free(const char *below)
{
    static const char *const word[] = {"fixed",    "fixed_in",     "velocity",
                                       "spin",     "density",      "particle_mass",
                                       "material", "self_contact", "without_smoke"};
    for (size_t k = 0; k < sizeof word / sizeof *word; k++) {
        const char *end = below + strlen(word[k]);
        if (begins_with(below, word[k]) && (*end == '\0' || *end == '.'))
            return true;
    }
    return false;
}

static enum status refuse_body(const struct judgement *judgement,
                               const struct config_change *change, struct error *error)
{
    const struct origin *at = &change->origin;
    const bool whole = *change->below == '\0';
    if (whole && !change->was)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: %s is not in %s; what comes later stands in the scene from the "
                         "start, with fixed: all, and is released by fixed: none",
                         at->file, at->line, at->column, change->key, judgement->path);
    if (whole)
        return error_set(error, STATUS_INVALID,
                         "%s: %s is in it and has to stay in the configuration", judgement->path,
                         change->key);
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: %s is %s instead of %s, but %s has particles that were made with "
                     "that; of a body, fixed, fixed_in, velocity, spin, density, particle_mass, "
                     "material, self_contact and without_smoke may change",
                     at->file, at->line, at->column, change->key,
                     change->is ? change->is : "missing", change->was ? change->was : "missing",
                     judgement->path);
}

static enum status take_change(void *context, const struct config_change *change,
                               struct error *error)
{
    struct judgement *judgement = context;
    const struct origin *at = &change->origin;
    if (begins_with(change->key, "bodies.") && !is_free(change->below))
        return refuse_body(judgement, change, error);
    if (strcmp(change->key, "nudge") == 0)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: nudge displaces particles where a body begins, and those of %s "
                         "are on their way; leave it as it is, %s",
                         at->file, at->line, at->column, judgement->path, change->was);
    judgement->walls = judgement->walls || begins_with(change->key, "walls.");
    fprintf(judgement->line, "%s %s %s -> %s", judgement->n++ ? "," : "; changed:", change->key,
            change->was ? change->was : "missing", change->is ? change->is : "missing");
    return STATUS_OK;
}

/* "frame 30 of run 'settle' at 0.3 s, step 612, sha256 0a1b...; changed: gravity ... -> ..." */
static enum status write_line(const struct continued *c, const struct config *was,
                              const struct config *is, struct judgement *judgement,
                              struct error *error)
{
    char sum[SHA256_TEXT];
    struct scene scene;
    enum status status = sha256_file(c->path, sum, error);
    if (!status)
        status = config_scene(was, &scene, error);
    if (status)
        return status;
    fprintf(judgement->line, "frame %llu of run '%s' at %.15g s, step %llu, sha256 %s",
            (unsigned long long)c->frame.number, scene.name, c->frame.time,
            (unsigned long long)c->frame.step, sum);
    scene_free(&scene);
    status = config_changes(was, is, take_change, judgement, error);
    if (!status && judgement->n == 0)
        fputs("; nothing changed", judgement->line);
    return status;
}

enum status continued_judge(const struct continued *c, const struct config *was,
                            const struct config *is, double brought, char **line, bool *walls,
                            struct error *error)
{
    size_t size;
    struct judgement judgement = {.path = c->path, .line = open_memstream(line, &size)};
    if (!judgement.line)
        return error_set(error, STATUS_FAILED, "no memory for the origin of a run: %s",
                         strerror(errno));
    if (c->initial.origin)
        fprintf(judgement.line, "%s\n", c->initial.origin);
    enum status status = write_line(c, was, is, &judgement, error);
    if (brought != 0.0)
        fprintf(judgement.line,
                "; what is compressed of fluids holds %.4g J %s by that, in the ledger as "
                "pressure_work",
                fabs(brought), brought > 0.0 ? "more" : "less");
    const bool lost = ferror(judgement.line) != 0;
    if ((fclose(judgement.line) != 0 || lost) && !status)
        status = error_set(error, STATUS_FAILED, "no memory for the origin of a run");
    *walls = judgement.walls;
    return status;
}

enum status continued_check_bodies(const struct scene *was, const struct scene *is,
                                   const char *path, struct error *error)
{
    for (size_t b = 0; b < is->n_bodies; b++) {
        const struct body *body = &is->body[b];
        const struct material *before = scene_material_of(was, b), *now = scene_material_of(is, b);
        const struct origin *at = &now->origin;
        if (b >= was->n_bodies || strcmp(was->body[b].name, body->name) != 0)
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: with material '%s' body '%s' is not where it is in the "
                             "order of bodies of %s, which models give; keep the models",
                             at->file, at->line, at->column, now->name, body->name, path);
        if (before->model != now->model && !(before->model->flows && now->model->flows))
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: the model of material '%s' is %s, but body '%s' of %s is "
                             "%s and has the state of that; only a fluid can become another fluid",
                             at->file, at->line, at->column, now->name, now->model->name,
                             body->name, path, before->model->name);
        if (body->inlet.given && !vec3_equal(was->body[b].velocity, body->velocity))
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: the velocity of body '%s' is that of its inlet, which "
                             "cannot change",
                             body->origin.file, body->origin.line, body->origin.column, body->name);
    }
    return STATUS_OK;
}
