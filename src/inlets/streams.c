#include "inlets/streams.h"

#include "base/memory.h"

#include <stdlib.h>

static void create_inflows(struct streams *s, const struct scene *scene, const struct particles *p)
{
    for (size_t begin = 0, end; begin < p->n; begin = end) {
        const struct body *body = &scene->body[p->body[begin]];
        size_t waiting = 0;
        for (end = begin; end < p->n && p->body[end] == p->body[begin]; end++)
            waiting += p->state[end] == PARTICLE_DRIVEN;
        if (body->inflow.given && waiting > 0)
            s->inflow[s->n_inflows++] =
                (struct inflow_stream){begin, end, waiting, body->inflow.mouth, body->velocity};
    }
}

enum status streams_create(struct streams *s, const struct scene *scene, const struct particles *p,
                           struct error *error)
{
    *s = (struct streams){.scene = scene};
    if (array_create(&s->inflow, scene->n_bodies, sizeof *s->inflow, "inflows", error) ||
        array_create(&s->outflow, scene->n_outflows, sizeof *s->outflow, "outflows", error))
        return STATUS_FAILED;
    create_inflows(s, scene, p);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < scene->n_outflows && !status; k++)
        status =
            placed_solid_create(&s->outflow[s->n_outflows++], &scene->outflow[k].region, error);
    return status;
}

void streams_free(struct streams *s)
{
    for (size_t k = 0; k < s->n_outflows; k++)
        placed_solid_free(&s->outflow[k]);
    free(s->outflow);
    free(s->inflow);
    *s = (struct streams){0};
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

static void set_state(const struct streams_state *state, size_t i, enum particle_state to)
{
    state->particles->state[i] = state->groups->fixed[i] = (uint8_t)to;
    if (state->parts->n > 0)
        state->parts->fixed[i] = (uint8_t)to;
}

static void release(struct inflow_stream *inflow, const struct streams_state *state,
                    struct vec3 gravity, struct passage *in)
{
    struct particles *p = state->particles;
    for (size_t i = inflow->begin; i < inflow->end && inflow->waiting > 0; i++) {
        if (p->state[i] != PARTICLE_DRIVEN ||
            vec3_dot(vec3_sub(p->position[i], inflow->mouth), inflow->velocity) < 0.0)
            continue;
        set_state(state, i, PARTICLE_FREE);
        add(in, p, i, gravity);
        inflow->waiting--;
    }
}

static bool is_in_outflow(const struct streams *s, struct vec3 point)
{
    for (size_t k = 0; k < s->n_outflows; k++)
        if (placed_solid_holds(&s->outflow[k], point))
            return true;
    return false;
}

void streams_pass(struct streams *s, const struct streams_state *state, struct vec3 gravity,
                  struct passage *in, struct passage *out)
{
    struct particles *p = state->particles;
    for (size_t k = 0; k < s->n_inflows; k++)
        release(&s->inflow[k], state, gravity, in);
    for (size_t i = 0; s->n_outflows > 0 && i < p->n; i++) {
        if (p->state[i] != PARTICLE_FREE || !scene_body_flows(s->scene, p->body[i]) ||
            !is_in_outflow(s, p->position[i]))
            continue;
        add(out, p, i, gravity);
        set_state(state, i, PARTICLE_GONE);
        p->velocity[i] = vec3(0.0, 0.0, 0.0);
    }
}
