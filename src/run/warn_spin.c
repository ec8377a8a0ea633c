/* Spin that the steps of a run will take from its bodies. */
#include "base/memory.h"
#include "config/contact_method.h"
#include "particles/rigid_pieces.h"
#include "run/warning_parts.h"
#include "systems/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A loss of spin below this is not worth a word. */
static const double little = 0.02;

/* So that two digits of a step are not above what they stand for. */
static const double safe = 0.95;

/* z of a body: a turn by the angle theta in a step takes z theta^2 / 2 of its spin. `stretch` is
 * dt^2 sum k l sin^4 / I over bonds of k N per unit strain and length l at an angle to the axis:
 * how much the tangents stretch the body in a step against its inertia. */
static double loss_of(const struct run *run, size_t body, double stretch, bool far)
{
    const struct material *material = scene_material_of(&run->scene, body);
    const struct system_class *class = system_class_of(material);
    return class->spin_loss ? class->spin_loss(&run->scene, material, stretch, far) : 0.0;
}

/* A body that turns. */
struct turning {
    size_t body;
    const struct rigid_piece *piece;
    double rate; /* 1/s */
    double dt;   /* its longest step, s */
};

/* 8/3 (c dt / r)^2 for an isotropic body of Poisson's ratio 1/4, where c is the speed of waves of
 * pressure and r the radius of gyration. */
static double stretch_of(const struct run *run, const struct turning *t)
{
    double inertia = vec3_norm(t->piece->spin) / t->rate;
    double way = run->simulation.waves.body[t->body].speed * t->dt;
    return 8.0 / 3.0 * way * way * t->piece->mass / inertia;
}

/* Whether it is a solid body that turns. */
static bool may_lose(const struct run *run, size_t body, const struct rigid_piece *piece)
{
    const struct scene *scene = &run->scene;
    return piece->hold != RIGID_HELD && piece->angle > 0.0 && !scene_body_flows(scene, body);
}

/* The largest deviation of its particles from their mean velocity, m/s. */
static double spread_of(const struct run *run, const struct rigid_pieces *pieces,
                        const struct rigid_piece *piece)
{
    const struct vec3 *v = run->simulation.particles.velocity;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double spread = 0.0;
    for (size_t k = piece->begin; k < piece->end; k++)
        sum = vec3_add(sum, v[pieces->member[k]]);
    struct vec3 mean = vec3_scale(1.0 / (double)(piece->end - piece->begin), sum);
    for (size_t k = piece->begin; k < piece->end; k++)
        spread = fmax(spread, vec3_norm(vec3_sub(v[pieces->member[k]], mean)));
    return spread;
}

/* The bodies of which a warning speaks: the one that it names, and how many there are. */
struct named {
    struct turning worst;
    double value; /* by which it is the worst */
    size_t n;
};

static void name(struct named *named, const struct turning *t, double value)
{
    if (named->n++ == 0 || value > named->value) {
        named->worst = *t;
        named->value = value;
    }
}

/* How much it takes depends on how stiff they are: all of it, or nothing where spinning tears a
 * body apart at once. */
static void warn_of_far_turns(const struct run *run, const struct listener *to,
                              const struct named *far)
{
    const struct turning *t = &far->worst;
    char others[40];
    if (far->n > 0)
        warn(to, "spin",
             "body \"%.64s\"%s turns by %.2g rad in a step of %.2g s, and beyond %g rad the "
             "integrator takes spin from stiff bodies; steps below %.2g s keep it",
             run->scene.body[t->body].name, and_others(far->n, others), t->rate * t->dt, t->dt,
             RIGID_FARTHEST, safe * RIGID_FARTHEST / t->rate);
}

static void warn_of_losses(const struct run *run, const struct listener *to,
                           const struct named *lost)
{
    const struct turning *t = &lost->worst;
    const bool positions = contact_has(run->scene.contact.method, METHOD_POSITIONS);
    char others[40];
    if (lost->n > 0)
        warn(to, "spin",
             "body \"%.64s\"%s turns once in %.3g steps of %.2g s, and %s will take some %.2g %% "
             "of its spin until time.end; shorter steps keep more of it",
             run->scene.body[t->body].name, and_others(lost->n, others),
             2.0 * M_PI / (t->rate * t->dt), t->dt,
             positions ? "contact.method: position-based" : "the integrator", 100.0 * lost->value);
}

static void judge_body(const struct run *run, const struct rigid_pieces *pieces,
                       const struct rigid_piece *piece, struct named *lost, struct named *far)
{
    const struct simulation *s = &run->simulation;
    const double dt = run->scene.time.max_step;
    struct turning t = {s->particles.body[pieces->member[piece->begin]], piece, piece->angle / dt,
                        dt};
    if (!may_lose(run, t.body, piece))
        return;
    t.dt = fmin(dt, s->cfl_rule->of_body(s, t.body, spread_of(run, pieces, piece)));
    const double stretch = stretch_of(run, &t), angle = t.rate * t.dt;
    const double z = loss_of(run, t.body, stretch, false);
    const double loss = 1.0 - 1.0 / sqrt(1.0 + z * angle * angle * run->scene.time.end / t.dt);
    if (loss > little)
        name(lost, &t, loss);
    else if (z == 0.0 && angle > RIGID_FARTHEST && loss_of(run, t.body, stretch, true) > 0.0)
        name(far, &t, angle);
}

/* The set of each particle: its body. */
static void sets_of_bodies(const struct particles *p, uint32_t *set)
{
    for (uint32_t i = 0; i < p->n; i++)
        set[i] = i > 0 && p->body[i] == p->body[i - 1] ? set[i - 1] : i;
}

void warn_of_spin(const struct run *run, const struct listener *to)
{
    const struct particles *p = &run->simulation.particles;
    struct rigid_pieces pieces = {0};
    struct error error = {0};
    struct named lost = {.n = 0}, far = {.n = 0};
    uint32_t *set;
    const struct rigid_state at = {run->scene.time.max_step, p->position, p->velocity, p->mass,
                                   p->state};
    if (!array_create(&set, p->n, sizeof *set, "bodies", &error) &&
        !rigid_pieces_create(&pieces, p->n, &error)) {
        sets_of_bodies(p, set);
        if (!rigid_pieces_assign(&pieces, p->n, set, &error)) {
            rigid_pieces_predict(&pieces, &at);
            for (size_t k = 0; k < pieces.n; k++)
                judge_body(run, &pieces, &pieces.piece[k], &lost, &far);
            warn_of_losses(run, to, &lost);
            warn_of_far_turns(run, to, &far);
        }
    }
    rigid_pieces_free(&pieces);
    free(set);
}
