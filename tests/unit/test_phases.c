/* The phases of a step contain what their names say (schemes/timing.h): every function of systems
 * and of contact methods is called in the phase that it belongs to. In place of the classes of a
 * simulation stand copies that look at the phase and pass the call on. */
#include "contact/methods.h"
#include "flip_scenes.h"

/* The functions, and the phases in which each may be called. */
#define OF(phase) (1u << (phase))
#define INTEGRATION (OF(PHASE_FIRST_STAGE) | OF(PHASE_LATER_STAGES))
/* clang-format off */
#define CALLS(X)                                                                                   \
    X(limit,            "densities, forces or strains that limit the step", OF(PHASE_FIRST_STAGE)) \
    X(prepare,          "what all stages share",                 OF(PHASE_FIRST_STAGE))            \
    X(integrate,        "a stage",                               INTEGRATION)                      \
    X(linear,           "stages with links",                     INTEGRATION)                      \
    X(impulses,         "forces, for a line search",      INTEGRATION | OF(PHASE_SYNCHRONIZING))   \
    X(account,          "where the energy went",                 OF(PHASE_LEDGER))                 \
    X(confine,          "what walls stop, also to find late pairs",                                \
                                                          OF(PHASE_MOVING) | OF(PHASE_MERGING))    \
    X(finish,           "breaking",                              OF(PHASE_MOVING))                 \
    X(potential_energy, "forces at the new positions",           OF(PHASE_MOVING))                 \
    X(begin,            "forces and impulses of baselines",      OF(PHASE_OUTSIDE))                \
    X(merge,            "choosing pairs and merging",            OF(PHASE_MERGING))                \
    X(project,          "projecting",                            OF(PHASE_SYNCHRONIZING))          \
    X(split,            "splitting",                             OF(PHASE_SPLITTING))              \
    X(late,             "choosing late pairs",                   OF(PHASE_MERGING))                \
    X(contact_finish,   "deferring pairs",                       OF(PHASE_LEDGER))                 \
    X(potential,        "the energy of contact",                 OF(PHASE_LEDGER))                 \
    X(find_near,        "finding pairs",                         OF(PHASE_DETECTION))              \
    X(linearize,        "making forces of pairs",                OF(PHASE_MERGING))                \
    X(energy,           "a line search",                         OF(PHASE_SYNCHRONIZING))          \
    X(touch,            "a line search",                         OF(PHASE_SYNCHRONIZING))
/* clang-format on */

#define CALL_VALUE(name, what, phases) CALL_##name,
enum call { CALLS(CALL_VALUE) N_CALLS };

#define CALL_ROW(name, what, phases) {#name, what, phases},
static const struct {
    const char *name, *what;
    unsigned phases;
} row_of[] = {CALLS(CALL_ROW)};

#define PHASE_NAME(value, name) [value] = name,
static const char *const phase_name[] = {PHASES(PHASE_NAME)};

enum { MOST_SYSTEMS = 8 };

static struct {
    struct simulation *s;
    struct system_class system[MOST_SYSTEMS]; /* the copies */
    const struct system_class *system_class[MOST_SYSTEMS];
    size_t stages[MOST_SYSTEMS]; /* so far in the step */
    union {
        struct contact_class contact;
        struct velocity_level_contact stages;
        struct incremental_potential_contact minimized;
    } contact, copy; /* the contact method's class */
    size_t calls[N_CALLS];
} spy;

static void note(enum call call)
{
    enum phase phase = spy.s->timing.phase;
    spy.calls[call]++;
    if (row_of[call].phases & OF(phase))
        return;
    printf("#   %s (%s) is called in the phase \"%s\"\n", row_of[call].name, row_of[call].what,
           phase_name[phase]);
    check(row_of[call].phases & OF(phase));
}

static size_t place(const struct system *system)
{
    size_t k = 0;
    while (spy.s->system[k] != system)
        k++;
    return k;
}

static const struct system_class *class_of(const struct system *system)
{
    return spy.system_class[place(system)];
}

/* The first integration of a system in a step is the first stage; all others are later ones. */
static void note_stage(const struct system *system, enum call call)
{
    bool first = spy.stages[place(system)]++ == 0;
    note(call);
    check_equal(spy.s->timing.phase, first ? PHASE_FIRST_STAGE : PHASE_LATER_STAGES, "stage");
}

/* ---- systems ---- */

static enum status spy_limit(struct system *system, const struct particles *p, double *dt,
                             struct error *error)
{
    note(CALL_limit);
    return class_of(system)->limit(system, p, dt, error);
}

static enum status spy_prepare(struct system *system, const struct particles *p, double dt,
                               struct error *error)
{
    note(CALL_prepare);
    return class_of(system)->prepare(system, p, dt, error);
}

static enum status spy_integrate(struct system *system, const struct particles *p,
                                 const struct groups *groups, double dt, struct motion *motion,
                                 struct solve_report *report, struct error *error)
{
    note_stage(system, CALL_integrate);
    return class_of(system)->integrate(system, p, groups, dt, motion, report, error);
}

static enum status spy_linear_begin(struct system *system, const struct particles *p,
                                    const struct groups *groups, double dt,
                                    const struct vec3 *before, struct linear_step *step,
                                    struct error *error)
{
    note_stage(system, CALL_linear);
    return class_of(system)->linear->begin(system, p, groups, dt, before, step, error);
}

static struct sym3 spy_mobility(const struct system *system, size_t i)
{
    return class_of(system)->linear->mobility(system, i);
}

static void spy_linear_end(struct system *system, const struct particles *p,
                           const struct linear_solution *solution, struct motion *motion)
{
    class_of(system)->linear->end(system, p, solution, motion);
}

static const struct linear_class spy_linear = {
    .begin = spy_linear_begin, .mobility = spy_mobility, .end = spy_linear_end};

static void spy_impulses(struct system *system, double dt, const struct vec3 *velocity,
                         struct vec3 *impulse)
{
    note(CALL_impulses);
    class_of(system)->impulses(system, dt, velocity, impulse);
}

static void spy_account(struct system *system, const struct particles *p,
                        const struct groups *groups, double dt, const struct motion *motion,
                        struct work_report *report)
{
    note(CALL_account);
    class_of(system)->account(system, p, groups, dt, motion, report);
}

static void spy_confine(struct system *system, const struct particles *p, double dt,
                        struct vec3 *mean, struct vec3 *velocity, struct confine_report *report)
{
    note(CALL_confine);
    class_of(system)->confine(system, p, dt, mean, velocity, report);
}

static enum status spy_finish(struct system *system, const struct particles *p,
                              struct term_value term[MOST_TERMS], struct error *error)
{
    note(CALL_finish);
    return class_of(system)->finish(system, p, term, error);
}

static double spy_potential_energy(struct system *system, const struct particles *p)
{
    note(CALL_potential_energy);
    return class_of(system)->potential_energy(system, p);
}

/* ---- contact ---- */

static enum status spy_begin(struct contact *contact, struct particles *p,
                             const struct pair_list *touching, struct error *error)
{
    note(CALL_begin);
    return spy.contact.contact.begin(contact, p, touching, error);
}

static enum status spy_merge(struct contact *contact, const struct stage *stage,
                             struct error *error)
{
    note(CALL_merge);
    return spy.contact.stages.merge(contact, stage, error);
}

static enum status spy_project(struct contact *contact, const struct stage *stage,
                               size_t *iterations, struct error *error)
{
    note(CALL_project);
    return spy.contact.stages.project(contact, stage, iterations, error);
}

static double spy_split(struct contact *contact, const struct stage *stage)
{
    note(CALL_split);
    return spy.contact.stages.split(contact, stage);
}

static size_t spy_late(struct contact *contact, const struct stage *stage)
{
    note(CALL_late);
    return spy.contact.stages.late(contact, stage);
}

static enum status spy_contact_finish(struct contact *contact, struct error *error)
{
    note(CALL_contact_finish);
    return spy.contact.stages.finish(contact, error);
}

static enum status spy_potential(struct contact *contact, const struct particles *p,
                                 const struct pair_list *touching, double *energy,
                                 struct error *error)
{
    note(CALL_potential);
    return spy.contact.contact.potential(contact, p, touching, energy, error);
}

static enum status spy_find_near(struct contact *contact, const struct particles *p, double travel,
                                 struct error *error)
{
    note(CALL_find_near);
    return spy.contact.minimized.find_near(contact, p, travel, error);
}

static double spy_energy(struct contact *contact, const struct particles *p,
                         const struct vec3 *place)
{
    note(CALL_energy);
    return spy.contact.minimized.energy(contact, p, place);
}

static enum status spy_linearize(struct contact *contact, const struct particles *p,
                                 const struct vec3 *place, struct error *error)
{
    note(CALL_linearize);
    return spy.contact.minimized.linearize(contact, p, place, error);
}

static double spy_touch(struct contact *contact, const struct particles *p, const struct vec3 *from,
                        const struct vec3 *to)
{
    note(CALL_touch);
    return spy.contact.minimized.touch(contact, p, from, to);
}

/* ---- the copies ---- */

#define WATCH(copy, name) (copy).name = (copy).name ? spy_##name : NULL

static void watch_system(size_t k)
{
    struct system_class *copy = &spy.system[k];
    spy.system_class[k] = spy.s->system[k]->class;
    *copy = *spy.system_class[k];
    WATCH(*copy, limit);
    WATCH(*copy, prepare);
    WATCH(*copy, integrate);
    if (copy->linear)
        copy->linear = &spy_linear;
    WATCH(*copy, impulses);
    WATCH(*copy, account);
    WATCH(*copy, confine);
    WATCH(*copy, finish);
    WATCH(*copy, potential_energy);
    spy.s->system[k]->class = copy;
}

static void watch_contact(void)
{
    const struct contact_class *class = spy.s->contact.class;
    const struct scheme_class *scheme = spy.s->scheme->class;
    if (scheme == &velocity_level)
        spy.contact.stages = *(const struct velocity_level_contact *)class;
    else if (scheme == &incremental_potential)
        spy.contact.minimized = *(const struct incremental_potential_contact *)class;
    else
        spy.contact.contact = *class;
    spy.copy = spy.contact;
    WATCH(spy.copy.contact, begin);
    WATCH(spy.copy.contact, potential);
    if (scheme == &velocity_level) {
        WATCH(spy.copy.stages, merge);
        WATCH(spy.copy.stages, project);
        WATCH(spy.copy.stages, split);
        WATCH(spy.copy.stages, late);
        if (spy.copy.stages.finish)
            spy.copy.stages.finish = spy_contact_finish;
    }
    if (scheme == &incremental_potential)
        spy.copy.minimized = (struct incremental_potential_contact){
            spy.copy.contact, spy_find_near, spy_energy, spy_linearize, spy_touch};
    spy.s->contact.class = &spy.copy.contact;
}

/* ---- scenes ---- */

/* All of the time that a simulation took until now is that of its preparation. */
static void check_prepared(const struct simulation *s)
{
    check_equal(s->timing.phase, PHASE_PREPARING, "before the first step");
    for (size_t k = 0; k < N_PHASES; k++)
        check_equal(s->timing.spent[k], 0.0, "another phase before the first step");
}

/* Takes steps and watches who is called when; `expected` names functions that must have been. */
static void check_phases(struct hand_scene *h, int steps, const enum call *expected, size_t n)
{
    struct simulation s;
    start(h, &s);
    check_prepared(&s);
    memset(&spy, 0, sizeof spy);
    spy.s = &s;
    check(s.n_systems <= MOST_SYSTEMS);
    for (size_t k = 0; k < s.n_systems; k++)
        watch_system(k);
    watch_contact();
    for (int k = 0; k < steps; k++) {
        memset(spy.stages, 0, sizeof spy.stages);
        step_once(&s);
        for (size_t i = 0; i < s.n_systems; i++)
            check(spy.stages[i] > 0);
        check_equal(s.timing.phase, PHASE_MEASURES, "after the step");
    }
    for (size_t k = 0; k < n; k++)
        if (spy.calls[expected[k]] == 0) {
            printf("#   %s was never called\n", row_of[expected[k]].name);
            check(spy.calls[expected[k]] > 0);
        }
    simulation_free(&s);
    hand_scene_end(h);
}

#define CHECK_PHASES(h, steps, ...)                                                                \
    check_phases(h, steps, (const enum call[]){__VA_ARGS__},                                       \
                 sizeof((const enum call[]){__VA_ARGS__}) / sizeof(enum call))

/* A block falls on a cloth; a fluid, if there is one, comes from below. All of them touch. */
static void fill(struct hand_scene *h, const char *method, bool fluid)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -9.81);
    h->scene.contact.method = CHOICE_OF(CONTACT_METHODS, method);
    h->scene.contact.correction = 0.5;
    add_body(h, add_springs(h, 60.0, 40.0, 5.0, 2e-3), 0.01, 8e-3);
    add_block(h, 8, 8, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(h, add_peridynamics(h, 200.0, 1.8, 0.0, 0.5), 0.01, 2e-2);
    add_block(h, 4, 3, 2, vec3(0.03, 0.035, 0.019), vec3(0.1, 0.0, -2.0));
    if (!fluid)
        return;
    add_body(h, add_fluid(h, 2e3, 0.02), 0.01, 8e-3);
    add_block(h, 5, 5, 2, vec3(0.02, 0.03, -0.039), vec3(0.0, 0.1, 2.0));
}

TEST(phases_of_merging_and_splitting)
{
    struct hand_scene h;
    fill(&h, "merging-and-splitting", true);
    CHECK_PHASES(&h, 12, CALL_limit, CALL_prepare, CALL_integrate, CALL_account, CALL_finish,
                 CALL_potential_energy, CALL_merge, CALL_split, CALL_late);
    check(spy.calls[CALL_merge] > 12); /* there were later stages */
}

TEST(phases_with_a_fluid_in_a_tank)
{
    struct hand_scene h;
    struct wall tank;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    add_body(&h, add_springs(&h, 60.0, 60.0, 2.0, 1e-3), FLIP_R, 2e-3);
    add_block(&h, 8, 8, 1, vec3(-0.07, -0.07, 0.06), vec3(0.0, 0.0, 0.0));
    add_tank(&h, &tank, vec3(-0.1, -0.1, 0.0), vec3(0.1, 0.1, 0.3));
    add_water(&h, add_flip(&h, flip_defaults()), 6, 6, 5, vec3(-0.06, -0.05, 0.08),
              vec3(0.0, 0.1, -2.0));
    CHECK_PHASES(&h, 8, CALL_limit, CALL_prepare, CALL_integrate, CALL_confine, CALL_merge);
}

TEST(phases_of_explicit_bonds)
{
    struct hand_scene h;
    fill(&h, "merging-and-splitting", true);
    h.scene.solver.integrator = INTEGRATOR_VERLET;
    CHECK_PHASES(&h, 12, CALL_limit, CALL_integrate, CALL_account, CALL_finish);
}

TEST(phases_of_corotated_solids)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    size_t soft = add_corotated(&h, 2e5, 0.3, 0.5);
    for (int k = 0; k < 2; k++) {
        add_body(&h, soft, 0.01, 8e-3);
        add_ball(&h, 0.05, vec3(k ? 0.06 : -0.06, 0.0, 0.0), vec3(k ? -3.0 : 3.0, 0.0, 0.1));
    }
    CHECK_PHASES(&h, 12, CALL_prepare, CALL_integrate, CALL_account, CALL_potential_energy,
                 CALL_merge, CALL_split);
}

TEST(phases_of_links)
{
    for (int friction = 0; friction < 2; friction++) {
        struct hand_scene h;
        fill(&h, "sliding", true);
        h.scene.contact.friction = h.scene.contact.static_friction = 0.3 * friction;
        CHECK_PHASES(&h, 12, CALL_limit, CALL_prepare, CALL_integrate, CALL_linear, CALL_account,
                     CALL_finish, CALL_potential_energy);
    }
}

TEST(phases_of_forces_and_impulses)
{
    const char *methods[] = {"penalty", "sph", "implicit-penalty", "impulse"};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        struct hand_scene h;
        fill(&h, methods[k], true);
        CHECK_PHASES(&h, 5, CALL_begin, CALL_limit, CALL_prepare, CALL_integrate, CALL_account);
    }
    struct hand_scene h;
    fill(&h, "iterated-impulse", true);
    CHECK_PHASES(&h, 5, CALL_project, CALL_integrate, CALL_account);
}

TEST(phases_of_a_barrier)
{
    struct hand_scene h;
    fill(&h, "barrier", false);
    h.scene.contact.stages = 64;
    for (size_t i = 64; i < h.particles.n; i++)
        h.particles.position[i].z += 4e-3;
    CHECK_PHASES(&h, 8, CALL_prepare, CALL_integrate, CALL_impulses, CALL_account, CALL_finish,
                 CALL_potential_energy, CALL_find_near, CALL_linearize, CALL_energy, CALL_touch);
}

/* Phases follow each other without a gap: what they took adds up to the whole. */
TEST(phases_are_all_of_the_time)
{
    struct hand_scene h;
    struct simulation s;
    fill(&h, "merging-and-splitting", true);
    start(&h, &s);
    double begin = s.timing.since, sum = 0.0;
    for (int k = 0; k < 5; k++)
        step_once(&s);
    for (size_t k = 0; k < N_PHASES; k++)
        sum += s.timing.spent[k];
    check(begin > 0.0 && s.timing.since > begin);
    check_close(sum, s.timing.since - begin, 1e-12 * s.timing.since, "all phases, s");
    simulation_free(&s);
    hand_scene_end(&h);
}
