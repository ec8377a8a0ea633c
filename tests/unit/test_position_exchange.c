/* Rigid bodies, fluids, cloth and ropes act on each other both ways (UPP, Section 10): one of a
 * kind flies towards one of another that is at rest, or of the same. Values that a claim is about.
 */
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
