/* What classes of systems declare: fields of frames and restarts, columns of the ledger. The table
 * of classes is this file's own. */
#include "ledger_rows.h"
#include "state_values.h"
#include "step/simulation_parts.h"
#include "store/field.h"
#include "tap.h"

#include <string.h>
#include <unistd.h>

/* A system that keeps two numbers for each of its particles, and a list. */
struct clay {
    struct system system; /* must be first */
    float wetness[4][2];
    uint64_t crack[3];
    size_t n_cracks;
};

static const struct state_field wetness = {.name = "wetness",
                                           .element = ELEMENT_F32,
                                           .width = 2,
                                           .unit = "1",
                                           .sentence = "of clay",
                                           .form = STATE_KEPT,
                                           .high = 1.0};
static const struct state_field cracks = {.name = "cracks",
                                          .element = ELEMENT_U64,
                                          .width = 1,
                                          .unit = "1",
                                          .sentence = "of clay",
                                          .form = STATE_LIST,
                                          .ascends = true};

static enum status take_wetness(void *owner, const struct particles *particles, void *value,
                                struct error *error)
{
    struct system *system = owner;
    (void)particles, (void)error;
    memcpy(value, ((struct clay *)system)->wetness, system->n * 2 * sizeof(float));
    return STATUS_OK;
}

static enum status give_wetness(void *owner, size_t n, const void *value, struct error *error)
{
    struct system *system = owner;
    (void)error;
    check_equal(n, system->n, "entries of its own");
    memcpy(((struct clay *)system)->wetness, value, n * 2 * sizeof(float));
    return STATUS_OK;
}

static enum status list_cracks(const void *owner, size_t *n, void **data, struct error *error)
{
    const struct clay *clay = owner;
    (void)error;
    *n = clay->n_cracks;
    *data = malloc(sizeof clay->crack);
    memcpy(*data, clay->crack, sizeof clay->crack);
    return STATUS_OK;
}

static enum status give_cracks(void *owner, size_t n, const void *data, struct error *error)
{
    struct clay *clay = owner;
    if (n > 3)
        return error_set(error, STATUS_INVALID, "%zu cracks", n);
    clay->n_cracks = n;
    memcpy(clay->crack, data, n * sizeof *clay->crack);
    return STATUS_OK;
}

static const struct owned_state clay_states[] = {
    {.field = &wetness, .take = take_wetness, .give = give_wetness},
    {.field = &cracks, .list = list_cracks, .give = give_cracks}};
static const struct owned_state sand_states[] = {
    {.field = &wetness, .take = take_wetness, .give = give_wetness}};

static const struct energy_term plastic = {.name = "plastic",
                                           .unit = "J",
                                           .sentence = "work of plastic flow",
                                           .after = "damping",
                                           .sign = TERM_LEAVES};
static const struct energy_term heat = {.name = "heat",
                                        .unit = "J",
                                        .sentence = "from a fire",
                                        .after = "plastic",
                                        .sign = TERM_ENTERS};
static const struct energy_term worst = {.name = "worst",
                                         .unit = "1",
                                         .sentence = "largest error",
                                         .after = "speed_p999",
                                         .gather = TERM_MAX};
static const struct energy_term mean = {
    .name = "mean", .unit = "1", .sentence = "mean error", .after = "worst", .gather = TERM_MEAN};
static const struct energy_term unknown = {.name = "unknown", .after = "nothing"};
static const struct energy_term *const clay_terms[] = {&plastic, &heat, &mean};
static const struct energy_term *const sand_terms[] = {&worst, &mean, &plastic};
static const struct energy_term *const foreign_terms[] = {&unknown};

static const struct system_class clay_class = {.declares = {"clay", 2, clay_states, 3, clay_terms}};
static const struct system_class sand_class = {.declares = {"sand", 1, sand_states, 3, sand_terms}};
static const struct system_class foreign_class = {
    .declares = {"foreign", 0, NULL, 1, foreign_terms}};

/* Declares what a test needs for a moment. */
static struct system_class odd_class = {.declares.name = "odd"};
const struct system_class *const system_classes[] = {&clay_class, &sand_class, &odd_class, NULL};

TEST(a_field_that_two_classes_declare_is_one)
{
    const struct state_field *state[MOST_STATE_FIELDS];
    const size_t n = state_fields(state);
    struct fields all;
    size_t found = 0, at = 0, velocity = 0;
    check(n > 2); /* some of contact methods and schemes */
    check(state[0] == &wetness && state[1] == &cracks);
    for (size_t k = 2; k < n; k++)
        check(state[k] != &wetness && state[k] != &cracks);
    fields_find(&all);
    for (size_t i = 0; i < all.n; i++) {
        const char *name = all.field[i].name;
        found += strcmp(name, "wetness") == 0;
        at = strcmp(name, "wetness") == 0 ? i : at;
        velocity = strcmp(name, "velocity") == 0 ? i : velocity;
        check(strcmp(name, "damage") != 0); /* of classes that are not in this table */
    }
    check_equal(found, 1, "wetness");
    check(at > velocity);
    const struct field *field = &all.field[at];
    check(field_is_of_particles(field) && field->width == 2 && field->element == ELEMENT_F32);
}

/* Seven particles: three of clay, two of sand, two of clay again. */
struct world {
    struct clay first, sand, last;
    struct system *system[3];
    struct scheme scheme;
    struct simulation s;
};

static void begin(struct world *w, size_t n_systems)
{
    *w = (struct world){.first = {.system = {.class = &clay_class, .first = 0, .n = 3}},
                        .sand = {.system = {.class = &sand_class, .first = 3, .n = 2}},
                        .last = {.system = {.class = &clay_class, .first = 5, .n = 2}}};
    w->system[0] = &w->first.system;
    w->system[1] = &w->sand.system;
    w->system[2] = &w->last.system;
    w->s.system = w->system;
    w->s.n_systems = n_systems;
    w->s.contact.class = contact_class_of(CONTACT_NONE);
    w->scheme.class = &velocity_level;
    w->s.scheme = &w->scheme;
    if (particles_create(&w->s.particles, 7, NULL))
        abort();
    for (size_t i = 0; i < 3; i++)
        w->first.wetness[i][1] = 0.125F * (float)(i + 1);
    for (size_t i = 0; i < 2; i++)
        w->sand.wetness[i][0] = 0.5F;
    w->first.n_cracks = 2;
    w->first.crack[0] = 7;
    w->first.crack[1] = 9;
}

TEST(every_particle_has_the_entry_of_its_own_system)
{
    struct world w;
    struct state state;
    struct error error = {0};
    begin(&w, 2);
    check_equal(state_create(&state, &error), STATUS_OK, error.message);
    for (int again = 0; again < 2; again++) /* the second time into the same memory */
        check_equal(simulation_take_state(&w.s, &state, &error), STATUS_OK, error.message);
    const float(*value)[2] = state_data(&state, "wetness");
    check_equal(state_find(&state, "wetness")->rows, 7, "rows");
    for (size_t i = 0; i < 7; i++) {
        check_close((double)value[i][0], i == 3 || i == 4 ? 0.5 : 0.0, 0.0, "first number");
        check_close((double)value[i][1], i < 3 ? 0.125 * (double)(i + 1) : 0.0, 0.0, "second");
    }
    const uint64_t *crack = state_data(&state, "cracks");
    check_equal(state_find(&state, "cracks")->rows, 2, "cracks");
    check(crack[0] == 7 && crack[1] == 9);

    struct world other;
    begin(&other, 2);
    memset(other.first.wetness, 0, sizeof other.first.wetness);
    memset(other.sand.wetness, 0, sizeof other.sand.wetness);
    other.first.n_cracks = 0;
    check_equal(simulation_give_state(&other.s, &state, true, &error), STATUS_OK, error.message);
    check(memcmp(&other.first.wetness, &w.first.wetness, sizeof w.first.wetness) == 0);
    check(memcmp(&other.sand.wetness, &w.sand.wetness, sizeof w.sand.wetness) == 0);
    check_equal(other.first.n_cracks, 2, "cracks given back");
    check(other.first.crack[1] == 9);
    check_equal(simulation_give_state(&other.s, NULL, true, &error), STATUS_OK, "nothing to give");
    state_free(&state);
    particles_free(&w.s.particles);
    particles_free(&other.s.particles);
}

/* A run of sand alone: nothing of clay is in its frames. */
TEST(a_run_has_the_fields_of_its_own_systems)
{
    struct world w;
    struct state state;
    struct error error = {0};
    begin(&w, 1);
    w.system[0] = &w.sand.system;
    check_equal(state_create(&state, &error), STATUS_OK, error.message);
    check_equal(simulation_take_state(&w.s, &state, &error), STATUS_OK, error.message);
    check_equal(state_find(&state, "wetness")->rows, 7, "which clay declares, too");
    check_equal(state_find(&state, "cracks")->rows, 0, "cracks");
    w.s.n_systems = 0;
    state_clear(&state);
    check_equal(simulation_take_state(&w.s, &state, &error), STATUS_OK, error.message);
    check_equal(state_find(&state, "wetness")->rows, 0, "without systems");
    state_free(&state);
    particles_free(&w.s.particles);
}

/* Not even a frame that is right can be gone on from without what a system keeps. */
TEST(a_run_does_not_go_on_without_what_a_system_keeps)
{
    struct world w;
    struct state state;
    struct error error = {0};
    begin(&w, 2);
    check_equal(state_create(&state, &error), STATUS_OK, error.message);
    check_equal(simulation_give_state(&w.s, &state, true, &error), STATUS_OK, "at first");
    check_equal(simulation_give_state(&w.s, &state, false, &error), STATUS_INVALID, "status");
    check_contains(error.message, "there is no 'wetness', which 'clay' needs");
    state_free(&state);
    particles_free(&w.s.particles);
}

/* No frame would hold it. */
TEST(fields_of_a_class_outside_the_table_are_refused)
{
    static const struct state_field field = {.name = "color", .width = 1, .form = STATE_KEPT};
    static const struct owned_state state[] = {{.field = &field}};
    static const struct system_class outside = {.declares = {"outside", 1, state, 0, NULL}};
    struct error error = {0};
    check_equal(state_check(&clay_class.declares, &error), STATUS_OK, error.message);
    check_equal(state_check(&outside.declares, &error), STATUS_INVALID, "status");
    check_contains(error.message, "declares the field 'color' of 'outside'");
}

/* Nothing in a list tells whose its entries are. */
TEST(two_systems_cannot_have_one_list)
{
    struct world w;
    struct error error = {0};
    begin(&w, 3);
    check_equal(simulation_give_state(&w.s, NULL, true, &error), STATUS_INVALID, "status");
    check_contains(error.message, "'clay' and 'clay' both have a list 'cracks'");
    particles_free(&w.s.particles);
}

TEST(declared_fields_return_from_a_frame)
{
    char path[] = "/tmp/test_declared.XXXXXX";
    char config[] = "seed: 1\n", name[] = "lump", *names[] = {name};
    struct frame frame = {.config = config, .n_bodies = 1, .body_name = names}, back;
    struct error error = {0};
    close(mkstemp(path));
    if (particles_create(&frame.particles, 7, &error))
        abort();
    for (size_t i = 0; i < 7; i++)
        frame.particles.mass[i] = frame.particles.radius[i] = 1.0;
    float(*value)[2] = state_add(&frame.state, "wetness", 7);
    value[6][1] = 0.25F;
    uint64_t *crack = state_add(&frame.state, "cracks", 2);
    crack[0] = 3;
    crack[1] = 5;
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    check_equal(frame_read(path, &back, &error), STATUS_OK, error.message);
    check(memcmp(frame_state(&back, "wetness"), value, 7 * sizeof *value) == 0);
    check(memcmp(frame_state(&back, "cracks"), crack, 2 * sizeof *crack) == 0);
    check(!frame_state(&back, "damage"));
    frame_free(&back);
    value[4][0] = 1.5F;
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    check_equal(frame_read(path, &back, &error), STATUS_INVALID, "status");
    check_contains(error.message,
                   "wetness of particle 4 is (1.5, 0); it should be a number from 0");
    value[4][0] = 0.0F;
    crack[1] = 3;
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    check_equal(frame_read(path, &back, &error), STATUS_INVALID, "status");
    check_contains(error.message, "entry 1 of cracks is 3 after 3; they should ascend");
    state_free(&frame.state);
    particles_free(&frame.particles);
    unlink(path);
}

static size_t column_at(const struct ledger_columns *columns, const char *name)
{
    size_t k = 0;
    while (k < columns->n && strcmp(columns->column[k].name, name) != 0)
        k++;
    return k;
}

TEST(a_term_is_a_column_behind_the_one_it_names)
{
    static struct ledger_columns columns;
    struct error error = {0};
    check_equal(ledger_columns_find(&columns, &error), STATUS_OK, error.message);
    check(columns.terms.term[2] == &mean && columns.terms.term[3] == &worst);
    check(columns.terms.n > 4); /* those of contact methods and schemes follow */
    size_t damping = column_at(&columns, "damping"), fast = column_at(&columns, "speed_p999");
    check_equal(column_at(&columns, "plastic"), damping + 1, "behind damping");
    check_equal(column_at(&columns, "heat"), damping + 2, "behind plastic");
    check_equal(column_at(&columns, "worst"), fast + 1, "behind the last");
    check_equal(column_at(&columns, "mean"), fast + 2, "behind that");
    check_equal(column_at(&columns, "fluid"), columns.n, "of a class that is not there");
    check_equal(energy_check(&columns.terms, &clay_class.declares, &error), STATUS_OK,
                error.message);
    check_equal(energy_check(&columns.terms, &foreign_class.declares, &error), STATUS_INVALID,
                "status");
    check_contains(error.message, "the term 'unknown' of 'foreign' has no place");
}

TEST(names_are_used_once)
{
    static const struct energy_term twin = {.name = "plastic", .after = "damping"};
    static const struct energy_term *const twins[] = {&twin};
    static const struct state_field field = {.name = "velocity", .width = 1, .form = STATE_SHOWN};
    static const struct owned_state state[] = {{.field = &field}};
    static struct ledger_columns columns;
    char config[] = "seed: 1\n";
    struct frame frame = {.config = config};
    struct error error = {0};
    odd_class.declares.n_energy = 1;
    odd_class.declares.energy = twins;
    check_equal(ledger_columns_find(&columns, &error), STATUS_INVALID, "status");
    check_contains(error.message, "two columns of the ledger are called 'plastic'");
    odd_class.declares.energy = foreign_terms;
    check_equal(ledger_columns_find(&columns, &error), STATUS_INVALID, "status");
    check_contains(error.message, "no column 'nothing', behind which 'unknown' should stand");
    odd_class = (struct system_class){.declares = {"odd", 1, state, 0, NULL}};
    if (particles_create(&frame.particles, 1, &error))
        abort();
    check_equal(frame_write("/tmp/test_declared.none", &frame, &error), STATUS_FAILED, "status");
    check_contains(error.message, "two different fields are called velocity");
    odd_class = (struct system_class){.declares.name = "odd"};
    particles_free(&frame.particles);
}

/* Sums, the largest, and the mean over all particles, not over systems. */
TEST(terms_of_several_systems_are_gathered)
{
    struct world w;
    struct error error = {0};
    struct energy_sums sums = {0};
    struct ledger_row row = {0};
    double stored[LEDGER_MOST];
    begin(&w, 2);
    check_equal(ledger_columns_find(&w.s.columns, &error), STATUS_OK, error.message);
    sums.terms = &w.s.columns.terms;
    const struct term_value clay[MOST_TERMS] = {{.value = 3.0}, {.value = 0.5}, {2.0, 1.0}};
    const struct term_value sand[MOST_TERMS] = {{.value = 4.0}, {10.0, 3.0}, {.value = 0.25}};
    const struct term_value less[MOST_TERMS] = {{.value = 1.0}};
    energy_add(&sums, &clay_class.declares, clay);
    energy_add(&sums, &sand_class.declares, sand);
    energy_add(&sums, &sand_class.declares, less);
    for (size_t k = 0; k < sums.terms->n; k++)
        row.term[k] = energy_value(&sums, k);
    check_close(ledger_value(&row, "plastic"), 3.25, 0.0, "sum");
    check_close(ledger_value(&row, "heat"), 0.5, 0.0, "sum of one");
    check_close(ledger_value(&row, "worst"), 4.0, 0.0, "largest");
    check_close(ledger_value(&row, "mean"), 3.0, 0.0, "mean");
    check(ledger_value(&row, "transfer_loss") != ledger_value(&row, "transfer_loss"));
    ledger_columns_fill(&w.s.columns, &row, stored);
    check_close(stored[column_at(&w.s.columns, "plastic")], 3.25, 0.0, "in its column");
    particles_free(&w.s.particles);
}

TEST(the_balance_follows_from_the_roles_of_all_columns)
{
    static struct ledger_columns columns;
    struct error error = {0};
    const struct ledger_row before = {.kinetic = 10.0, .elastic = 1.0, .damping = 77.0};
    struct ledger_row row = {.kinetic = 6.0, .elastic = 2.0, .damping = 2.0};
    test_set_term(&row, "sync_stored", 0.125);
    check_equal(ledger_columns_find(&columns, &error), STATUS_OK, error.message);
    check_close(ledger_energy_imbalance(&columns, &before, &row), -4.0 + 1.0 + 2.0 - 0.125, 0.0,
                "energy_imbalance");
    row.term[0] = 1.5;  /* plastic work leaves */
    row.term[1] = 0.25; /* heat enters */
    row.term[2] = row.term[3] = row.gravity_work = 100.0;
    test_set_term(&row, "merge_stored", 100.0);
    check_close(ledger_energy_imbalance(&columns, &before, &row), -1.125 + 1.5 - 0.25, 0.0,
                "with terms");
}
