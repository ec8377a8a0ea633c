#include "inlets/inlets.h"

#include "base/memory.h"

#include <stdlib.h>

static void create_inlets(struct inlets *s, const struct scene *scene, const struct particles *p)
{
    for (size_t begin = 0, end; begin < p->n; begin = end) {
        const struct body *body = &scene->body[p->body[begin]];
        size_t upstream = 0;
        for (end = begin; end < p->n && p->body[end] == p->body[begin]; end++)
            upstream += p->state[end] == PARTICLE_PRESCRIBED;
        if (body->inlet.given && upstream > 0)
            s->inlet[s->n_inlets++] =
                (struct open_inlet){begin, end, upstream, body->inlet.point, body->velocity};
    }
}

enum status inlets_create(struct inlets *s, const struct scene *scene, const struct particles *p,
                          struct error *error)
{
    *s = (struct inlets){.scene = scene};
    if (array_create(&s->inlet, scene->n_bodies, sizeof *s->inlet, "inlets", error) ||
        array_create(&s->outlet, scene->n_outlets, sizeof *s->outlet, "outlets", error))
        return STATUS_FAILED;
    create_inlets(s, scene, p);
    s->some_leave = scene_some_fluid_leaves(scene);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < scene->n_outlets && !status; k++)
        status = placed_solid_create(&s->outlet[s->n_outlets++], &scene->outlet[k].region, error);
    return status;
}

void inlets_free(struct inlets *s)
{
    for (size_t k = 0; k < s->n_outlets; k++)
        placed_solid_free(&s->outlet[k]);
    free(s->outlet);
    free(s->inlet);
    *s = (struct inlets){0};
}

static void add(struct passage *passage, const struct particles *p, size_t i, struct vec3 gravity)
{
    double mass = p->mass[i];
    struct vec3 v = p->velocity[i];
    passage->mass += mass;
    double kinetic = 0.5 * mass * vec3_norm2(v);
    passage->kinetic += kinetic;
    passage->energy += kinetic - mass * vec3_dot(gravity, p->position[i]);
    passage->momentum = vec3_axpy(passage->momentum, mass, v);
}

static void set_state(const struct inlets_state *state, size_t i, enum particle_state to)
{
    state->particles->state[i] = state->groups->fixed[i] = (uint8_t)to;
    if (state->parts->n > 0)
        state->parts->fixed[i] = (uint8_t)to;
}

static void release(struct open_inlet *inlet, const struct inlets_state *state, struct vec3 gravity,
                    struct passage *in)
{
    struct particles *p = state->particles;
    for (size_t i = inlet->begin; i < inlet->end && inlet->upstream > 0; i++) {
        if (p->state[i] != PARTICLE_PRESCRIBED ||
            vec3_dot(vec3_sub(p->position[i], inlet->point), inlet->velocity) < 0.0)
            continue;
        set_state(state, i, PARTICLE_FREE);
        add(in, p, i, gravity);
        inlet->upstream--;
    }
}

static bool is_in_outlet(const struct inlets *s, struct vec3 point)
{
    for (size_t k = 0; k < s->n_outlets; k++)
        if (placed_solid_holds(&s->outlet[k], point))
            return true;
    return false;
}

void inlets_pass(struct inlets *s, const struct inlets_state *state, const uint8_t *leaves,
                 struct vec3 gravity, struct passage *in, struct passage *out)
{
    struct particles *p = state->particles;
    for (size_t k = 0; k < s->n_inlets; k++)
        release(&s->inlet[k], state, gravity, in);
    for (size_t i = 0; (s->n_outlets > 0 || leaves) && i < p->n; i++) {
        if (p->state[i] != PARTICLE_FREE || !scene_body_flows(s->scene, p->body[i]) ||
            !((leaves && leaves[i]) || is_in_outlet(s, p->position[i])))
            continue;
        add(out, p, i, gravity);
        set_state(state, i, PARTICLE_GONE);
        p->velocity[i] = vec3(0.0, 0.0, 0.0);
    }
}
