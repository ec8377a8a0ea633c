#include "run/continued_parts.h"
#include "store/sha256.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judgement {
    const char *path; /* of the frame */
    const struct scene *was;
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
    return error_set(
        error, STATUS_INVALID,
        "%s:%d:%d: %s is %s instead of %s, but %s has particles that were made with "
        "that; of a body that stays, fixed, fixed_in, velocity, spin, density, particle_mass, "
        "material, self_contact and without_smoke may change",
        at->file, at->line, at->column, change->key, change->is ? change->is : "missing",
        change->was ? change->was : "missing", judgement->path);
}

/* Bodies are known by their names, and copies of one have names that another one may have had. */
static enum status check_names(const struct judgement *judgement,
                               const struct config_change *change, struct error *error)
{
    const char *name = change->key + strlen("bodies.");
    const struct origin *at = &change->origin;
    for (size_t b = 0; b < judgement->was->n_bodies; b++) {
        const char *own = judgement->was->body[b].name;
        const char *end = begins_with(own, name) ? own + strlen(name) : own;
        if (end > own && *end == '-')
            end += 1 + strspn(end + 1, "0123456789");
        if (*end == '\0')
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: '%s' comes, and %s has a body '%s', which may be taken for "
                             "it or for a copy of it; give it another name",
                             at->file, at->line, at->column, name, judgement->path, own);
    }
    return STATUS_OK;
}

static enum status take_change(void *context, const struct config_change *change,
                               struct error *error)
{
    struct judgement *judgement = context;
    const struct origin *at = &change->origin;
    const bool of_body = begins_with(change->key, "bodies.");
    if (of_body && *change->below && !is_free(change->below))
        return refuse_body(judgement, change, error);
    if (of_body && !*change->below && !change->was && check_names(judgement, change, error))
        return STATUS_INVALID;
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
    judgement->was = &scene;
    status = config_changes(was, is, take_change, judgement, error);
    scene_free(&scene);
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

/* Up to three places of changes. */
struct culprits {
    const char *path; /* of the frame, which is none */
    size_t n;
    char text[512];
};

static enum status note_place(void *context, const struct config_change *change,
                              struct error *error)
{
    struct culprits *culprits = context;
    const struct origin *at = &change->origin;
    const size_t end = strlen(culprits->text);
    (void)error;
    if (strcmp(at->file, culprits->path) != 0 && culprits->n++ < 3)
        snprintf(culprits->text + end, sizeof culprits->text - end, "%s%s:%d:%d",
                 end > 0 ? ", " : "", at->file, at->line, at->column);
    return STATUS_OK;
}

void continued_name_places(const struct continued *c, const struct config *was,
                           const struct config *is, struct error *error)
{
    struct culprits culprits = {.path = c->path};
    struct error none, before = *error;
    const size_t length = strlen(c->path);
    if (strncmp(before.message, c->path, length) != 0 || before.message[length] != ':' ||
        config_changes(was, is, note_place, &culprits, &none) || culprits.n == 0)
        return;
    error_set(error, STATUS_INVALID, "%.700s; what changed is at %s%s", before.message,
              culprits.text, culprits.n > 3 ? " and elsewhere" : "");
}
