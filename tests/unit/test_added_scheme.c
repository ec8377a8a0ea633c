/* A scheme of this file's own, carried out for contact.method: none, that solves for positions: it
 * asks systems for their constraints and leaves exact positions, as position-based dynamics does
 * (Mueller et al. 2007). It owns a field, columns and a limit of the step, which appear in help,
 * frames, restarts and the ledger, and no line of the library names it. The system whose particles
 * only constraints move is this file's own, too, as are the tables of schemes, systems and contact
 * methods. */
#include "base/memory.h"
#include "config/config.h"
#include "config/contact_method.h"
#include "endings.h"
#include "state_values.h"
#include "step/scheme_classes.h"
#include "step/simulation_parts.h"
#include "store/field.h"
#include "systems/sph/sph.h"

#include <stdlib.h>
#include <string.h>

static const double LONGEST = 2.5e-4; /* s */
static const double FLOOR = -0.09;    /* m */
enum { MOST = 8 };

struct constraint_set {
    size_t n;
    struct {
        uint32_t i, j;
        double length; /* m */
    } rod[MOST];
};

/* ---- a system: two particles after each other are the ends of a rod, above a floor ---- */

static const struct material_model rods_model = {.name = "rods", .help = "rods of two particles"};
static const struct material_model *const rods_models[] = {&rods_model, NULL};
static const struct system_class rods_class;

static enum status rods_create(struct system **system, const struct system_setting *setting,
                               struct error *error)
{
    if (array_create(system, 1, sizeof **system, "rods", error))
        return STATUS_FAILED;
    **system = (struct system){.class = &rods_class, .first = setting->first, .n = setting->n};
    (*system)->bonded = (struct bonded){.begin = (uint32_t)setting->first,
                                        .end = (uint32_t)(setting->first + setting->n),
                                        .no_contacts = true};
    return STATUS_OK;
}

static enum status rods_constrain(struct system *system, const struct particles *p,
                                  struct constraint_set *set, struct error *error)
{
    for (size_t i = system->first; i + 1 < system->first + system->n; i += 2) {
        if (set->n == MOST)
            return error_set(error, STATUS_INVALID, "%d rods are the most", MOST);
        set->rod[set->n].i = (uint32_t)i;
        set->rod[set->n].j = (uint32_t)i + 1;
        set->rod[set->n++].length = vec3_norm(vec3_sub(p->position[i + 1], p->position[i]));
    }
    return STATUS_OK;
}

static void rods_confine(struct system *system, const struct particles *p, double dt,
                         struct vec3 *mean, struct vec3 *velocity, struct confine_report *report)
{
    for (size_t i = system->first; i < system->first + system->n; i++)
        if (p->position[i].z + dt * mean[i].z < FLOOR) {
            mean[i].z = (FLOOR - p->position[i].z) / dt;
            velocity[i].z = 0.0;
            report->stopped++;
        }
}

static void rods_free(struct system *system)
{
    free(system);
}

static const struct system_class rods_class = {.declares.name = "rods",
                                               .family = {.model = rods_models},
                                               .create = rods_create,
                                               .constrain = rods_constrain,
                                               .confine = rods_confine,
                                               .free = rods_free};

const struct system_class *const system_classes[] = {&rods_class, &sph_class, NULL};

/* ---- the scheme ---- */

struct positions {
    struct scheme scheme; /* must be first */
    struct constraint_set set;
    bool asked;         /* systems for their constraints */
    size_t n;           /* particles */
    struct vec3 *place; /* m (n) */
    double *corrected;  /* how often each particle has been (n) */
    double work;        /* of constraints in the last step, J */
};

static const struct scheme_class positions_class;

static void positions_free(struct scheme *scheme)
{
    struct positions *s = (struct positions *)scheme;
    free(s->place);
    free(s->corrected);
    free(s);
}

static enum status positions_create(struct scheme **scheme, const struct step_view *view,
                                    struct error *error)
{
    struct positions *s;
    if (array_create(&s, 1, sizeof *s, "the scheme", error))
        return STATUS_FAILED;
    *s = (struct positions){.scheme = {.class = &positions_class, .seen = view->groups},
                            .n = view->particles->n};
    if (motion_create(view->motion, s->n, error) ||
        array_create(&s->place, s->n, sizeof *s->place, "places", error) ||
        array_create(&s->corrected, s->n, sizeof *s->corrected, "counts", error)) {
        positions_free(&s->scheme);
        return STATUS_FAILED;
    }
    s->scheme.place = s->place;
    *scheme = &s->scheme;
    return STATUS_OK;
}

static enum status ask(struct positions *s, const struct step_view *view, struct error *error)
{
    for (size_t k = 0; k < view->owners.n_systems; k++) {
        const struct system_class *class = view->system[k]->class;
        if (!class->constrain)
            return error_set(error, STATUS_INVALID, "'%s' has no constraints",
                             class->declares.name);
        if (class->constrain(view->system[k], view->particles, &s->set, error))
            return STATUS_INVALID;
    }
    s->asked = true;
    return STATUS_OK;
}

static enum status positions_limit(struct scheme *scheme, const struct step_view *view, double *dt,
                                   struct error *error)
{
    struct positions *s = (struct positions *)scheme;
    *dt = fmin(*dt, LONGEST);
    return s->asked ? STATUS_OK : ask(s, view, error);
}

/* Gives both ends of a rod its length, and returns the work of that, J. */
static double hold(struct positions *s, const struct step_view *view, size_t rod)
{
    const struct particles *p = view->particles;
    uint32_t end[2] = {s->set.rod[rod].i, s->set.rod[rod].j};
    double weight[2], work = 0.0;
    struct vec3 x = vec3_sub(s->place[end[1]], s->place[end[0]]);
    for (int e = 0; e < 2; e++)
        weight[e] = p->state[end[e]] ? 0.0 : 1.0 / p->mass[end[e]];
    double excess = (vec3_norm(x) - s->set.rod[rod].length) / vec3_norm(x);
    for (int e = 0; e < 2; e++) {
        double share = (e ? -excess : excess) * weight[e] / (weight[0] + weight[1]);
        s->place[end[e]] = vec3_axpy(s->place[end[e]], share, x);
        s->corrected[end[e]] += 1.0;
        if (weight[e] > 0.0)
            work += p->mass[end[e]] * share / (view->dt * view->dt) *
                    vec3_dot(x, vec3_sub(s->place[end[e]], p->position[end[e]]));
    }
    return work;
}

static enum status positions_advance(struct scheme *scheme, const struct step_view *view,
                                     struct timing *timing, struct scheme_report *report,
                                     struct error *error)
{
    struct positions *s = (struct positions *)scheme;
    const struct particles *p = view->particles;
    struct motion *m = view->motion;
    (void)timing, (void)error;
    for (size_t i = 0; i < p->n; i++) {
        double dt = p->state[i] ? 0.0 : view->dt;
        s->place[i] = vec3_axpy(vec3_axpy(p->position[i], view->dt, p->velocity[i]),
                                view->dt * dt / p->mass[i], p->force[i]);
    }
    s->work = 0.0;
    for (size_t k = 0; k < s->set.n; k++)
        s->work += hold(s, view, k);
    for (size_t i = 0; i < p->n; i++) {
        m->before[i] = p->velocity[i];
        m->mean[i] = displacement_to(s->place[i], p->position[i], view->dt);
        view->velocity[i] = m->after[i] = m->mean[i];
    }
    report->stages = report->iterations_first = 1;
    return STATUS_OK;
}

enum { WORK, KEPT, TERMS };

static void positions_account(struct scheme *scheme, const struct step_view *view,
                              struct step_work *work)
{
    (void)view;
    work->term[WORK].value = ((const struct positions *)scheme)->work;
}

/* Particles are where they were sent. */
static enum status positions_finish(struct scheme *scheme, const struct step_view *view,
                                    struct step_work *work, struct error *error)
{
    const struct positions *s = (const struct positions *)scheme;
    const struct vec3 *x = view->particles->position;
    (void)error;
    for (size_t k = 0; k < s->set.n; k++) {
        double length = vec3_norm(vec3_sub(x[s->set.rod[k].j], x[s->set.rod[k].i]));
        work->term[KEPT].value += fabs(length / s->set.rod[k].length - 1.0) < 1e-14;
    }
    return STATUS_OK;
}

static const struct state_field corrected_field = {.name = "corrected",
                                                   .element = ELEMENT_F64,
                                                   .width = 1,
                                                   .unit = "1",
                                                   .sentence = "how often, of each particle",
                                                   .form = STATE_KEPT};

static enum status take_corrected(void *owner, const struct particles *p, void *value,
                                  struct error *error)
{
    (void)error;
    memcpy(value, ((struct positions *)owner)->corrected, p->n * sizeof(double));
    return STATUS_OK;
}

static enum status give_corrected(void *owner, size_t n, const void *value, struct error *error)
{
    (void)error;
    memcpy(((struct positions *)owner)->corrected, value, n * sizeof(double));
    return STATUS_OK;
}

static const struct owned_state states[] = {
    {.field = &corrected_field, .take = take_corrected, .give = give_corrected}};
static const struct energy_term constraint_work = {.name = "constraint_work",
                                                   .unit = "J",
                                                   .sentence = "work of constraints",
                                                   .after = "damping",
                                                   .sign = TERM_ENTERS};
static const struct energy_term kept = {.name = "kept",
                                        .unit = "1",
                                        .sentence = "rods that have their length, after",
                                        .after = "residual"};
static const struct energy_term *const terms[TERMS] = {[WORK] = &constraint_work, [KEPT] = &kept};

static const struct scheme_class positions_class = {.declares = {"positions", 1, states, 2, terms},
                                                    .create = positions_create,
                                                    .limit = positions_limit,
                                                    .advance = positions_advance,
                                                    .account = positions_account,
                                                    .finish = positions_finish,
                                                    .free = positions_free};

const struct scheme_class *const scheme_classes[] = {&velocity_level, &positions_class, NULL};

const struct scheme_class *scheme_of(enum contact_method method)
{
    return method == CONTACT_NONE ? &positions_class : &velocity_level;
}

const struct contact_traits contact_traits[] = {
    [CONTACT_NONE] = {.help = "rods keep their lengths", .has = METHOD_FLUIDS}};

/* ---- tests ---- */

/* A pendulum that begins level, and a rod that falls and turns. */
static void begin(struct hand_scene *h)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_NONE;
    h->scene.gravity = vec3(0.0, 0.0, -10.0);
    h->scene.time.end = 1.0;
    h->scene.time.max_step = 0.01;
    size_t rods = add_material(h, &rods_model, (union hand_parameters){0});
    add_body(h, rods, 0.01, 8e-3);
    fix_from(h, add_particle(h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    add_particle(h, vec3(0.05, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_particle(h, vec3(0.1, 0.1, 0.1), vec3(0.0, 0.0, 1.0));
    add_particle(h, vec3(0.13, 0.1, 0.1), vec3(0.0, 0.3, -1.0));
}

TEST(it_is_in_the_help_and_in_the_table_of_fields)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    config_help(stream, "contact.method");
    config_help(stream, "model");
    fields_print(stream);
    check(fclose(stream) == 0);
    check_contains(text, "none: rods keep their lengths");
    check_contains(text, "rods of two particles");
    check_contains(text, "corrected");
    free(text);
}

TEST(it_limits_steps_and_its_columns_close_the_balance)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    start(&h, &s);
    double worked = 0.0, fastest = 0.0;
    for (int k = 1; k <= 560; k++) {
        struct ledger_row row = step_once(&s);
        const struct vec3 *place = ((const struct positions *)s.scheme)->place;
        check_close(row.dt, LONGEST, 1e-15, "dt");
        check(memcmp(s.particles.position, place, s.particles.n * sizeof *place) == 0);
        check_equal(ledger_value(&row, "kept"), 2.0, "rods that keep their length");
        check_close(row.energy_imbalance, 0.0, 1e-15, "energy_imbalance");
        worked = fmax(worked, fabs(ledger_value(&row, "constraint_work")));
        fastest = fmax(fastest, vec3_norm(s.particles.velocity[1]));
    }
    check(worked > 1e-6);
    check_close(fastest, sqrt(2.0 * 10.0 * 0.05), 0.01, "speed of the pendulum at the bottom");
    double x = 0.5 * (s.particles.position[2].x + s.particles.position[3].x);
    check_close(x, 0.115, 1e-13, "what falls freely keeps its momentum");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(bounds_stop_what_it_sent_farther)
{
    struct hand_scene h;
    struct simulation s;
    struct wall floor = {.name = "floor",
                         .region = {.shape = {.kind = SHAPE_BOX, .size = {1.0, 1.0, 1.0}},
                                    .position = {0.0, 0.0, FLOOR - 0.6},
                                    .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    begin(&h);
    h.scene.n_walls = 1;
    h.scene.wall = &floor;
    h.particles.velocity[2].z = -2.0;
    start(&h, &s);
    double stopped = 0.0;
    for (int k = 0; k < 480; k++)
        stopped += step_once(&s).stopped;
    check(stopped > 0.0);
    check(s.particles.position[2].z >= FLOOR - 1e-15 && s.particles.position[2].z < FLOOR + 0.02);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_system_without_constraints_is_refused)
{
    struct hand_scene h;
    struct simulation s;
    struct ledger_row row;
    struct error error = {0};
    begin(&h);
    h.scene.n_materials = 0;
    add_fluid(&h, 1e4, 0.0);
    start(&h, &s);
    struct system_class without = *s.system[0]->class;
    without.constrain = NULL;
    s.system[0]->class = &without;
    check_equal(simulation_step(&s, 1.0, &row, &error), STATUS_INVALID, "a fluid");
    check_contains(error.message, "has no constraints");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(what_it_keeps_returns_from_a_frame)
{
    struct hand_scene h;
    struct simulation s, again;
    struct state state;
    struct error error = {0};
    begin(&h);
    start(&h, &s);
    for (int k = 0; k < 4; k++)
        step_once(&s);
    state_take(&state, &s);
    check_close(((const double *)state_data(&state, "corrected"))[1], 4.0, 0.0, "corrections");
    check_equal(resume(&again, &s, &state, h.rest, &error), STATUS_OK, error.message);
    step_once(&again);
    check_close(((const struct positions *)again.scheme)->corrected[1], 5.0, 0.0, "of both runs");
    simulation_free(&again);
    struct state_value *field = state_find(&state, "corrected");
    free(field->data);
    field->data = NULL;
    check_equal(resume(&again, &s, &state, h.rest, &error), STATUS_INVALID, "without its field");
    check_contains(error.message, "there is no 'corrected', which 'positions' needs");
    state_free(&state);
    simulation_free(&s);
    hand_scene_end(&h);
}
