/* A scheme of this file's own, carried out for contact.method: none, owns a field, a column and a
 * limit of the step: they appear in help, frames, restarts and the ledger, and no line of the
 * library names them. The tables of schemes and of contact methods are this file's own. */
#include "base/memory.h"
#include "config/config.h"
#include "config/contact_method.h"
#include "scenes.h"
#include "schemes/by_systems.h"
#include "state_values.h"
#include "step/scheme_classes.h"
#include "step/step.h"
#include "store/field.h"

#include <stdlib.h>
#include <string.h>

static const double LONGEST = 1e-3; /* s */

/* Moves particles as the paper's scheme does, and then takes 1/k of the velocity of a particle in
 * its k-th step. */
struct tiring {
    struct scheme scheme; /* must be first */
    struct scheme *inner;
    size_t n;
    double *steps; /* of each particle (n) */
    double taken;  /* energy, in the last step, J */
};

static void tiring_free(struct scheme *scheme)
{
    struct tiring *t = (struct tiring *)scheme;
    if (t->inner)
        velocity_level.free(t->inner);
    free(t->steps);
    free(t);
}

static const struct scheme_class tiring_class;

static enum status tiring_create(struct scheme **scheme, const struct step_view *view,
                                 struct error *error)
{
    struct tiring *t;
    if (array_create(&t, 1, sizeof *t, "the scheme", error))
        return STATUS_FAILED;
    t->scheme.class = &tiring_class;
    t->n = view->particles->n;
    enum status status = velocity_level.create(&t->inner, view, error);
    if (!status)
        status = array_create(&t->steps, t->n, sizeof *t->steps, "steps", error);
    if (status) {
        tiring_free(&t->scheme);
        return status;
    }
    t->scheme.seen = t->inner->seen;
    *scheme = &t->scheme;
    return STATUS_OK;
}

static enum status tiring_advance(struct scheme *scheme, const struct step_view *view,
                                  struct timing *timing, struct scheme_report *report,
                                  struct error *error)
{
    struct tiring *t = (struct tiring *)scheme;
    enum status status = velocity_level.advance(t->inner, view, timing, report, error);
    t->taken = 0.0;
    for (size_t i = 0; i < t->n && !status; i++) {
        struct vec3 v = view->velocity[i];
        double kept = 1.0 - 1.0 / (2.0 + t->steps[i]);
        t->steps[i] += 1.0;
        view->velocity[i] = vec3_scale(kept, v);
        t->taken += 0.5 * view->particles->mass[i] * (1.0 - kept * kept) * vec3_norm2(v);
    }
    return status;
}

static enum status tiring_limit(struct scheme *scheme, const struct step_view *view, double *dt,
                                struct error *error)
{
    *dt = fmin(*dt, LONGEST);
    return velocity_level.limit(((struct tiring *)scheme)->inner, view, dt, error);
}

static void tiring_account(struct scheme *scheme, const struct step_view *view,
                           struct step_work *work)
{
    velocity_level.account(((struct tiring *)scheme)->inner, view, work);
    work->term[N_COUPLING_TERMS].value = ((const struct tiring *)scheme)->taken;
}

static const struct state_field steps_field = {.name = "steps_taken",
                                               .element = ELEMENT_F64,
                                               .width = 1,
                                               .unit = "1",
                                               .sentence = "of each particle",
                                               .form = STATE_KEPT};

static enum status take_steps(void *owner, const struct particles *p, void *value,
                              struct error *error)
{
    (void)error;
    memcpy(value, ((struct tiring *)owner)->steps, p->n * sizeof(double));
    return STATUS_OK;
}

static enum status give_steps(void *owner, size_t n, const void *value, struct error *error)
{
    (void)error;
    memcpy(((struct tiring *)owner)->steps, value, n * sizeof(double));
    return STATUS_OK;
}

static const struct owned_state states[] = {
    {.field = &steps_field, .take = take_steps, .give = give_steps}};
static const struct energy_term taken = {.name = "tired",
                                         .unit = "J",
                                         .sentence = "taken by tiredness",
                                         .after = "damping",
                                         .sign = TERM_LEAVES};
static const struct energy_term *const terms[] = {COUPLING_TERMS, &taken};

static const struct scheme_class tiring_class = {
    .declares = {"tiring", 1, states, N_COUPLING_TERMS + 1, terms},
    .create = tiring_create,
    .advance = tiring_advance,
    .limit = tiring_limit,
    .account = tiring_account,
    .free = tiring_free};

const struct scheme_class *const scheme_classes[] = {&velocity_level, &tiring_class, NULL};
const struct scheme_class *scheme_of(enum contact_method method)
{
    return method == CONTACT_NONE ? &tiring_class : &velocity_level;
}

const struct contact_traits contact_traits[] = {
    [CONTACT_NONE] = {.help = "particles tire", .has = METHOD_FLUIDS}};

/* One particle that falls. */
static void begin(struct hand_scene *h)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_NONE;
    h->scene.gravity = vec3(0.0, 0.0, -10.0);
    h->scene.time.end = 1.0;
    h->scene.time.max_step = 0.01;
    add_body(h, add_loose(h), 0.01, 8e-3);
    add_particle(h, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0));
}

TEST(it_is_in_the_help_and_in_the_table_of_fields)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    config_help(stream, "contact.method");
    fields_print(stream);
    check(fclose(stream) == 0);
    check_contains(text, "none: particles tire");
    check_contains(text, "steps_taken");
    free(text);
}

TEST(it_limits_steps_and_its_column_closes_the_balance)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    start(&h, &s);
    size_t column = 0;
    while (column < s.columns.n && strcmp(s.columns.column[column].name, "tired") != 0)
        column++;
    check(column < s.columns.n);
    struct vec3 v = vec3(1.0, 0.0, 0.0);
    for (int k = 1; k <= 5; k++) {
        struct ledger_row row = step_once(&s);
        double kept = 1.0 - 1.0 / (1.0 + k);
        check_close(row.dt, LONGEST, 1e-15, "dt");
        v = vec3_axpy(v, row.dt, h.scene.gravity);
        double energy = 0.5 * 8e-3 * (1.0 - kept * kept) * vec3_norm2(v);
        v = vec3_scale(kept, v);
        check_close(s.particles.velocity[0].x, v.x, 1e-14, "velocity");
        check_close(ledger_value(&row, "tired"), energy, 1e-15, "tired");
        check_close(row.energy_imbalance, 0.0, 1e-15, "energy_imbalance");
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(what_it_keeps_returns_from_a_frame)
{
    struct hand_scene h;
    struct simulation s, again;
    struct state state;
    struct error error = {0};
    struct particles copy;
    begin(&h);
    start(&h, &s);
    for (int k = 0; k < 4; k++)
        step_once(&s);
    check_equal(state_create(&state, &error), STATUS_OK, error.message);
    check_equal(simulation_take_state(&s, &state, &error), STATUS_OK, error.message);
    check_close(((const double *)state_data(&state, "steps_taken"))[0], 4.0, 0.0, "steps");
    copy_particles(&copy, &s.particles);
    const struct restart restart = {s.time, s.step, &state};
    check_equal(simulation_create(&again, &h.scene, &copy, h.rest, &restart, &error), STATUS_OK,
                error.message);
    struct ledger_row one = step_once(&s), other = step_once(&again);
    check(memcmp(&one, &other, sizeof one) == 0);
    check(memcmp(s.particles.velocity, again.particles.velocity, sizeof(struct vec3)) == 0);
    simulation_free(&again);
    struct state_value *kept = state_find(&state, "steps_taken");
    free(kept->data);
    kept->data = NULL;
    copy_particles(&copy, &s.particles);
    check_equal(simulation_create(&again, &h.scene, &copy, h.rest, &restart, &error),
                STATUS_INVALID, "without its field");
    check_contains(error.message, "there is no 'steps_taken', which 'tiring' needs");
    state_free(&state);
    simulation_free(&s);
    hand_scene_end(&h);
}
