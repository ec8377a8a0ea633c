/* Rigid bodies, fluids, cloth and ropes act on each other both ways (UPP, Section 10): one of a
 * kind flies towards one of another that is at rest, or of the same; and so do gas and cloth, where
 * air acts on gas, too (Figure 16). Values that claims are about. */
#include "ledger_rows.h"
#include "trials.h"

enum { KINDS = 4 };
static const char *const kind_name[KINDS] = {"rigid", "fluid", "cloth", "rope"};
static const char *const kind_of[KINDS] = {
    "material: stone, shape: {box: {size: [0.08, 0.08, 0.08]}}",
    "material: water, shape: {box: {size: [0.08, 0.08, 0.08]}}",
    "material: cloth, rotation: {axis: [0, 1, 0], degrees: 90}, shape: {sheet: {cells: [5, 5]}}",
    "material: cloth, shape: {box: {size: [0.02, 0.02, 0.16]}}"};

static const char scene_text[] =
    "name: exchange\n"
    "gravity: [0, 0, 0]\n"
    "time: {end: 100, max_step: 2e-3, courant: never, frame_interval: 100}\n"
    "contact: {method: position-based}\n"
    "position: {iterations: 4, averaging: %s}\n"
    "materials:\n"
    "  stone: {model: rigid}\n"
    "  water: {model: fluid, pressure: 2e4, viscosity: 0}\n"
    "  cloth: {model: mass-spring, stretch_stiffness: 1e3, shear_stiffness: 1e3, bend_stiffness: "
    "10}\n"
    "bodies:\n"
    "  one: {radius: 0.01, density: 1000, velocity: [1, 0, 0], %s}\n"
    "  other: {radius: 0.01, density: 1000, position: [0.12, 0.003, 0.002], %s}\n";

/* The momentum of one, or of the other, over that of one at the start. Bodies stand in the order of
 * their systems. */
static double share(const struct trial *t, bool other)
{
    const struct particles *p = &t->s.particles;
    const uint32_t one = strcmp(t->scene.body[0].name, "one") == 0 ? 0 : 1;
    double momentum = 0.0, mass = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        mass += p->body[i] == one ? p->mass[i] : 0.0;
        momentum += (p->body[i] != one) == other ? p->mass[i] * p->velocity[i].x : 0.0;
    }
    return momentum / mass;
}

struct exchange {
    double given, taken; /* over the momentum at the start */
};

static struct exchange meet(int one, int other, const char *averaging)
{
    char text[sizeof scene_text + 600];
    struct trial t;
    snprintf(text, sizeof text, scene_text, averaging, kind_of[one], kind_of[other]);
    trial_create(&t, text);
    while (t.s.time < 0.3)
        step_once(&t.s);
    const struct exchange e = {1.0 - share(&t, false), share(&t, true)};
    trial_free(&t);
    return e;
}

TEST(every_kind_gives_to_every_kind_what_it_loses)
{
    double least = 1.0, off = 0.0, averages = 0.0;
    for (int one = 0; one < KINDS; one++)
        for (int other = 0; other < KINDS; other++) {
            char name[80];
            const struct exchange e = meet(one, other, "mass-splitting");
            const struct exchange a = meet(one, other, "particle");
            snprintf(name, sizeof name, "UPP.exchange.%s.%s", kind_name[one], kind_name[other]);
            measured(name, e.taken);
            least = fmin(least, fmin(fmin(e.given, e.taken), fmin(a.given, a.taken)));
            off = fmax(off, fabs(e.given - e.taken));
            averages = fmax(averages, fabs(a.given - a.taken));
        }
    measured("UPP.exchange.least", least);
    measured("UPP.exchange.off", off);
    measured("UPP.exchange.averages", averages);
    check(least > 0.01 && off < 1e-10);
}

/* Gas that air slows and swirls is blown against a cloth. */
static const char gas_text[] =
    "name: curtain\n"
    "gravity: [0, 0, -1]\n"
    "time: {end: 100, max_step: 4e-3, courant: never, frame_interval: 100}\n"
    "contact: {method: position-based, friction: 0.5, static_friction: 0.5}\n"
    "position: {iterations: 6, averaging: %s}\n"
    "materials:\n"
    "  gas: {model: fluid, viscosity: 0, buoyancy: 1, drag: 5, baroclinity: 10}\n"
    "  cloth: {model: mass-spring, stretch_stiffness: 1e3, shear_stiffness: 1e3, bend_stiffness: "
    "10}\n"
    "bodies:\n"
    "  one: {radius: 0.02, density: 1, velocity: [1, 0, 0], material: gas, jitter: 0.1,"
    " shape: {box: {size: [0.16, 0.16, 0.16]}}}\n"
    "  other: {radius: 0.02, density: 10, position: [0.2, 0.003, 0.002], material: cloth,"
    " rotation: {axis: [0, 1, 0], degrees: 90}, shape: {sheet: {cells: [9, 9]}}}\n";

/* What gas has lost but for what air had of it. */
static struct exchange blow(const char *averaging)
{
    char text[sizeof gas_text + 20];
    struct trial t;
    double air = 0.0, mass = 0.0;
    snprintf(text, sizeof text, gas_text, averaging);
    trial_create(&t, text);
    const uint32_t gas = strcmp(t.scene.body[0].name, "one") == 0 ? 0 : 1;
    for (size_t i = 0; i < t.s.particles.n; i++)
        mass += t.s.particles.body[i] == gas ? t.s.particles.mass[i] : 0.0;
    while (t.s.time < 0.3) {
        const struct ledger_row row = step_once(&t.s);
        air += ledger_value(&row, "air_impulse_x") / mass;
    }
    const struct exchange e = {1.0 + air - share(&t, false), share(&t, true)};
    trial_free(&t);
    return e;
}

TEST(cloth_takes_what_gas_loses)
{
    const struct exchange e = blow("mass-splitting"), a = blow("particle");
    measured("U89.taken", e.taken);
    measured("U89.off", fabs(e.given - e.taken));
    measured("U89.averages", fabs(a.given - a.taken));
    check(e.taken > 0.1);
    check_close(e.given, e.taken, 1e-12, "what gas gives and cloth takes");
}
