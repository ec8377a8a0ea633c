/* Spin that the steps of a run will take from its bodies. */
#include "base/memory.h"
#include "particles/rigid_pieces.h"
#include "run/warning_parts.h"
#include "systems/system.h"

#include <math.h>
#include <stdlib.h>

/* A loss of spin below this is not worth a word. */
static const double little = 0.02;

/* z of a body: a turn by the angle theta in a step takes z theta^2 / 2 of its spin. `stretch` is
 * dt^2 sum k l sin^4 / I over bonds of k N per unit strain and length l at an angle to the axis:
 * how much the tangents stretch the body in a step against its inertia. */
static double loss_of(const struct run *run, size_t body, double stretch)
{
    const struct material *material = scene_material_of(&run->scene, body);
    const struct system_class *class = system_class_of(material);
    return class->spin_loss ? class->spin_loss(&run->scene, material, stretch) : 0.0;
}

/* 8/3 (c dt / r)^2 for an isotropic body of Poisson's ratio 1/4, where c is the speed of waves of
 * pressure and r the radius of gyration. */
static double stretch_of(const struct run *run, size_t body, const struct rigid_piece *piece)
{
    double dt = run->scene.time.max_step, rate = piece->angle / dt;
    double inertia = vec3_norm(piece->spin) / rate;
    double way = run->simulation.waves.body[body].speed * dt;
    return 8.0 / 3.0 * way * way * piece->mass / inertia;
}

/* Whether it is an elastic body that turns. */
static bool may_lose(const struct run *run, size_t body, const struct rigid_piece *piece)
{
    const struct scene *scene = &run->scene;
    return piece->hold != RIGID_HELD && piece->angle > 0.0 && !scene_body_flows(scene, body) &&
           run->simulation.waves.body[body].speed > 0.0;
}

static void warn_of_body(const struct run *run, const struct listener *to, size_t body,
                         const struct rigid_piece *piece)
{
    const struct scene *scene = &run->scene;
    double angle = piece->angle, steps = scene->time.end / scene->time.max_step;
    if (!may_lose(run, body, piece))
        return;
    double z = loss_of(run, body, stretch_of(run, body, piece));
    double lost = 1.0 - 1.0 / sqrt(1.0 + z * angle * angle * steps);
    if (lost > little)
        warn(to, "spin",
             "body \"%.64s\" turns once in %.3g steps of time.max_step, and the integrator will "
             "take some %.2g %% of its spin until time.end; shorter steps keep more of it",
             scene->body[body].name, 2.0 * M_PI / angle, 100.0 * lost);
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
    uint32_t *set;
    const struct rigid_state at = {run->scene.time.max_step, p->position, p->velocity, p->mass,
                                   p->state};
    if (!array_create(&set, p->n, sizeof *set, "bodies", &error) &&
        !rigid_pieces_create(&pieces, p->n, &error)) {
        sets_of_bodies(p, set);
        if (!rigid_pieces_assign(&pieces, p->n, set, &error)) {
            rigid_pieces_predict(&pieces, &at);
            for (size_t k = 0; k < pieces.n; k++)
                warn_of_body(run, to, p->body[pieces.member[pieces.piece[k].begin]],
                             &pieces.piece[k]);
        }
    }
    rigid_pieces_free(&pieces);
    free(set);
}
