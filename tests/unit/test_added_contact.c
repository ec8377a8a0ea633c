/* A contact method of this file's own, chosen by contact.method: impulse, owns a field and a column
 * that is in the energy balance: they appear in the table of fields, in restarts and in the ledger,
 * and no line of the library names them. The table of contact methods is this file's own. */
#include "base/memory.h"
#include "contact/methods.h"
#include "endings.h"
#include "state_values.h"
#include "step/simulation_parts.h"
#include "store/field.h"

#include <stdlib.h>
#include <string.h>

/* Each particle that touches another loses 1/(k + 1) of its velocity in its k-th touch, before
 * anything moves. */
struct rubbing {
    size_t n;
    double *touches; /* of each particle (n) */
    double taken;    /* energy, in the last step, J */
};

static void rubbing_free(struct contact *contact)
{
    struct rubbing *r = contact->state;
    if (r)
        free(r->touches);
    free(r);
}

static enum status rubbing_create(struct contact *contact, const struct method_setting *setting,
                                  struct error *error)
{
    struct rubbing *r;
    if (array_create(&r, 1, sizeof *r, "rubbing", error))
        return STATUS_FAILED;
    contact->state = r;
    r->n = setting->particles->n;
    return array_create(&r->touches, r->n, sizeof *r->touches, "rubbing", error);
}

static void rub(struct rubbing *r, struct particles *p, uint32_t i)
{
    double kept = 1.0 - 1.0 / (2.0 + r->touches[i]);
    r->touches[i] += 1.0;
    r->taken += 0.5 * p->mass[i] * (1.0 - kept * kept) * vec3_norm2(p->velocity[i]);
    p->velocity[i] = vec3_scale(kept, p->velocity[i]);
}

static enum status rubbing_begin(struct contact *contact, struct particles *p,
                                 const struct pair_list *touching, struct error *error)
{
    struct rubbing *r = contact->state;
    (void)error;
    r->taken = 0.0;
    for (size_t k = 0; k < touching->n; k++) {
        rub(r, p, touching->pair[k].i);
        rub(r, p, touching->pair[k].j);
    }
    return STATUS_OK;
}

static void rubbing_account(const struct contact *contact, struct term_value term[MOST_TERMS])
{
    term[0].value = ((const struct rubbing *)contact->state)->taken;
}

static const struct state_field touches_field = {.name = "touches",
                                                 .element = ELEMENT_F64,
                                                 .width = 1,
                                                 .unit = "1",
                                                 .sentence = "of each particle",
                                                 .form = STATE_KEPT};

static struct rubbing *rubbing_of(void *owner)
{
    return ((struct contact *)owner)->state;
}

static enum status take_touches(void *owner, const struct particles *p, void *value,
                                struct error *error)
{
    (void)error;
    memcpy(value, rubbing_of(owner)->touches, p->n * sizeof(double));
    return STATUS_OK;
}

static enum status give_touches(void *owner, size_t n, const void *value, struct error *error)
{
    (void)error;
    memcpy(rubbing_of(owner)->touches, value, n * sizeof(double));
    return STATUS_OK;
}

static const struct owned_state states[] = {
    {.field = &touches_field, .take = take_touches, .give = give_touches}};
static const struct energy_term rubbed = {.name = "rubbed",
                                          .unit = "J",
                                          .sentence = "taken by rubbing",
                                          .after = "contact_gain",
                                          .sign = TERM_LEAVES};
static const struct energy_term *const terms[] = {&rubbed};

/* In the place of the table of the library. */
const struct contact_class *contact_class_of(enum contact_method method)
{
    static const struct velocity_level_contact none = {.contact.declares.name = "none"};
    static const struct velocity_level_contact rubbing = {
        .contact = {.declares = {"rubbing", 1, states, 1, terms},
                    .create = rubbing_create,
                    .free = rubbing_free,
                    .begin = rubbing_begin,
                    .account = rubbing_account}};
    return method == CONTACT_IMPULSE ? &rubbing.contact : &none.contact;
}

/* Two particles that touch and fly together. */
static void begin(struct hand_scene *h)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_IMPULSE;
    h->scene.time.max_step = 1e-3;
    size_t loose = add_loose(h);
    for (int b = 0; b < 2; b++) {
        add_body(h, loose, 0.01, 8e-3);
        add_particle(h, vec3(0.019 * b, 0.0, 0.0), vec3(1.0, 0.0, 0.0));
    }
}

TEST(its_field_is_in_the_table_of_fields)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fields_print(stream);
    check(fclose(stream) == 0);
    check_contains(text, "touches");
    check(!strstr(text, "deferred")); /* of a method that is not in this table */
    free(text);
}

TEST(its_column_closes_the_balance)
{
    struct hand_scene h;
    struct simulation s;
    begin(&h);
    start(&h, &s);
    size_t column = 0;
    while (column < s.columns.n && strcmp(s.columns.column[column].name, "rubbed") != 0)
        column++;
    check(column < s.columns.n);
    check(isnan(ledger_value(&(struct ledger_row){0}, "largest_group")));
    double v = 1.0;
    for (int k = 1; k <= 5; k++) {
        struct ledger_row row = step_once(&s);
        double kept = 1.0 - 1.0 / (1.0 + k);
        check_close(ledger_value(&row, "rubbed"), 8e-3 * (1.0 - kept * kept) * v * v, 1e-17,
                    "rubbed");
        v *= kept;
        check_close(s.particles.velocity[0].x, v, 1e-15, "velocity");
        check_close(row.kinetic, 8e-3 * v * v, 1e-17, "kinetic");
        check_close(row.energy_imbalance, 0.0, 1e-17, "energy_imbalance");
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(what_it_keeps_returns_from_a_frame)
{
    struct hand_scene h;
    struct simulation s;
    struct state state;
    begin(&h);
    start(&h, &s);
    for (int k = 0; k < 4; k++)
        step_once(&s);
    state_take(&state, &s);
    check_close(((const double *)state_data(&state, "touches"))[0], 4.0, 0.0, "touches");
    check_goes_on(&s, h.rest, 1);
    state_free(&state);
    simulation_free(&s);
    hand_scene_end(&h);
}
