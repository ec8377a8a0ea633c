#include "systems/constrained/rigid_step.h"

#include "base/memory.h"
#include "base/rotation.h"

#include <stdlib.h>

enum { FEW_BODIES = 16 };

enum status rigid_step_create(struct rigid_step *step, const struct particles *p, size_t first,
                              size_t n, struct error *error)
{
    *step = (struct rigid_step){0};
    if (rigid_bodies_create(&step->bodies, p, first, first + n, error))
        return STATUS_FAILED;
    enum status status = array_create(&step->inner, n, sizeof *step->inner, "bodies", error);
    return status ? status
                  : array_create(&step->work, step->bodies.n, sizeof *step->work, "bodies", error);
}

void rigid_step_free(struct rigid_step *step)
{
    rigid_bodies_free(&step->bodies);
    free(step->inner);
    free(step->work);
    *step = (struct rigid_step){0};
}

/* ---- the step without contact ---- */

/* Adds what outside forces change in dt. */
static void push(const struct rigid_body *body, const struct particles *p, double dt,
                 struct rigid_motion *motion)
{
    struct vec3 force = vec3(0.0, 0.0, 0.0), moment = force;
    for (size_t i = body->begin; i < body->end; i++) {
        const struct vec3 r = vec3_sub(p->position[i], body->center);
        force = vec3_add(force, p->force[i]);
        moment = vec3_add(moment, vec3_cross(r, p->force[i]));
    }
    const struct rigid_motion more =
        rigid_response(body, vec3_scale(dt, force), vec3_scale(dt, moment));
    motion->velocity = vec3_add(motion->velocity, more.velocity);
    motion->rate = vec3_add(motion->rate, more.rate);
}

static void integrate(const struct rigid_step *step, const struct rigid_body *body,
                      const struct particles *p, double dt, struct motion *m)
{
    struct rigid_motion motion = rigid_motion_of(body, p->mass, p->position, m->before);
    push(body, p, dt, &motion);
    for (size_t i = body->begin; i < body->end; i++) {
        const struct vec3 r = vec3_sub(p->position[i], body->center);
        m->own_after[i] = m->own_mean[i] = rigid_velocity(motion, r);
        const struct vec3 change = vec3_scale(p->mass[i], vec3_sub(m->own_after[i], m->before[i]));
        step->inner[i - step->bodies.first] = vec3_axpy(change, -dt, p->force[i]);
    }
}

/* A body that does not obey forces moves as it is told. */
static void keep(const struct rigid_step *step, const struct rigid_body *body, struct motion *m)
{
    for (size_t i = body->begin; i < body->end; i++) {
        m->own_after[i] = m->own_mean[i] = m->before[i];
        step->inner[i - step->bodies.first] = vec3(0.0, 0.0, 0.0);
    }
}

void rigid_step_integrate(struct rigid_step *step, const struct particles *p, double dt,
                          struct motion *motion)
{
#pragma omp parallel for schedule(dynamic) if (step->bodies.n > FEW_BODIES)
    for (size_t k = 0; k < step->bodies.n; k++) {
        const struct rigid_body *body = &step->bodies.body[k];
        if (body->fixed)
            keep(step, body, motion);
        else
            integrate(step, body, p, dt, motion);
    }
}

/* ---- the turn ---- */

/* How a body goes and turns in a step. */
struct turn {
    const struct rigid_body *body;
    const struct particles *p;
    double dt;
    struct vec3 way;      /* displacement of the center over dt, m/s */
    struct mat3 rotation; /* R */
};

/* What corrects displacements alone turns the body a little farther. */
static struct turn turn_of(const struct rigid_body *body, const struct particles *p, double dt,
                           const struct motion *m, struct rigid_motion after)
{
    const struct rigid_motion mean = rigid_motion_of(body, p->mass, p->position, m->mean);
    const struct mat3 own = rigid_turn_by(body, after.rate, dt);
    const struct mat3 more = rotation_by(vec3_scale(dt, vec3_sub(mean.rate, after.rate)));
    return (struct turn){body, p, dt, mean.velocity, mat3_mul(&more, &own)};
}

/* The motion after the turn, about the new place: angular momentum stays. */
static struct rigid_motion turned(const struct turn *t, struct rigid_motion motion)
{
    const struct vec3 moment = sym3_mul(t->body->inertia, motion.rate);
    const struct vec3 in_body = mat3_transposed_mul_vec3(&t->rotation, moment);
    motion.rate = mat3_mul_vec3(&t->rotation, sym3_mul(t->body->yields, in_body));
    return motion;
}

/* Returns the work of what keeps the shape. */
static double carry(const struct rigid_step *step, const struct rigid_body *body,
                    const struct particles *p, double dt, struct motion *m)
{
    const struct rigid_motion after = rigid_motion_of(body, p->mass, p->position, m->after);
    const struct turn t = turn_of(body, p, dt, m, after);
    const struct rigid_motion late = turned(&t, after);
    double work = 0.0;
    for (size_t i = body->begin; i < body->end; i++) {
        const struct vec3 r = vec3_sub(p->position[i], body->center);
        const struct vec3 to = mat3_mul_vec3(&t.rotation, r);
        const struct vec3 now = rigid_velocity(late, to);
        const struct vec3 way = vec3_axpy(t.way, 1.0 / dt, vec3_sub(to, r));
        const struct vec3 contact = vec3_sub(m->after[i], m->own_after[i]);
        const struct vec3 inner =
            vec3_axpy(step->inner[i - step->bodies.first], p->mass[i], vec3_sub(now, m->after[i]));
        work += vec3_dot(inner, way);
        work += p->mass[i] * vec3_dot(contact, vec3_sub(way, m->mean[i]));
        m->after[i] = now;
        m->mean[i] = way;
    }
    return work;
}

void rigid_step_carry(struct rigid_step *step, const struct particles *p, double dt,
                      struct motion *motion)
{
#pragma omp parallel for schedule(dynamic) if (step->bodies.n > FEW_BODIES)
    for (size_t k = 0; k < step->bodies.n; k++)
        if (!step->bodies.body[k].fixed)
            step->work[k] = carry(step, &step->bodies.body[k], p, dt, motion);
}

double rigid_step_work(const struct rigid_step *step)
{
    double sum = 0.0;
    for (size_t k = 0; k < step->bodies.n; k++)
        sum += step->work[k];
    return sum;
}
