#include "systems/corotated/corotated.h"

#include "base/memory.h"
#include "config/contact_method.h"
#include "systems/corotated/corotated_parts.h"

#include <stdlib.h>
#include <string.h>

static void corotated_free(struct system *system)
{
    struct corotated *c = (struct corotated *)system;
    void *const arrays[] = {c->mass,
                            c->solid,
                            c->rotation,
                            c->past,
                            c->position,
                            c->shape_diagonal,
                            c->whole_diagonal,
                            c->unknown,
                            c->inertia,
                            c->inverse_mass,
                            c->preconditioner,
                            c->shape_turn,
                            c->volume_turn,
                            c->turning,
                            c->fallen,
                            c->shaped,
                            c->change,
                            c->next_increment,
                            c->right_side,
                            c->last_pressure,
                            c->earlier_pressure,
                            c->next_pressure,
                            c->present_gradient,
                            c->ahead,
                            c->ahead_rotation,
                            c->ahead_gradient,
                            c->place,
                            c->renewed,
                            c->gradient,
                            c->x_memory,
                            c->seen_memory,
                            c->moment_memory,
                            c->stress_memory,
                            c->body,
                            c->held,
                            c->share,
                            c->alone,
                            c->unforced,
                            c->spin,
                            c->pushed,
                            c->turns};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
    tied_bodies_free(&c->tied);
    corotated_volume_free(&c->volume);
    corotated_near_free(&c->near);
    corotated_constants_free(c);
    for (size_t k = 0; k < c->n_rests; k++)
        rest_free(&c->rest[k]);
    free(c->rest);
    rest_pairs_free(&c->bonded);
    free(c->unstressed);
    rigid_pieces_free(&c->pieces);
    cg_workspace_free(&c->work);
    free(c);
}

/* ---- bodies ---- */

static enum status create_rest(struct corotated *c, const struct system_setting *setting,
                               struct solid *solid, size_t n, struct error *error)
{
    size_t first = setting->first + solid->begin;
    const struct body *body = &setting->scene->body[setting->particles->body[first]];
    const struct corotated_material *material = setting->scene->material[body->material].parameters;
    const struct rest_setting at = corotated_rest(material, body, n, setting->rest + first);
    struct rest *rest = &c->rest[c->n_rests];
    enum status status = rest_create(rest, &at, error);
    if (status)
        return error_prefix(error, "%s:%d:%d: body '%s'", body->origin.file, body->origin.line,
                            body->origin.column, body->name);
    for (size_t k = 0; k < c->n_rests && !solid->rest; k++)
        if (rest_equal(&c->rest[k], rest))
            solid->rest = &c->rest[k];
    if (solid->rest) {
        rest_free(rest);
        return STATUS_OK;
    }
    solid->rest = rest;
    c->n_rests++;
    return STATUS_OK;
}

/* The particles of a body follow each other. */
static enum status create_solids(struct corotated *c, const struct system_setting *setting,
                                 struct error *error)
{
    const uint32_t *body = setting->particles->body + setting->first;
    enum status status = STATUS_OK;
    size_t bodies = setting->scene->n_bodies, pairs = 0;
    if (array_create(&c->solid, bodies, sizeof *c->solid, "solids", error) ||
        array_create(&c->rest, bodies, sizeof *c->rest, "solids", error))
        return STATUS_FAILED;
    for (size_t begin = 0, end; begin < setting->n && !status; begin = end) {
        for (end = begin; end < setting->n && body[end] == body[begin];)
            end++;
        struct solid *solid = &c->solid[c->n_solids++];
        solid->begin = begin;
        solid->first_pair = pairs;
        status = create_rest(c, setting, solid, end - begin, error);
        pairs += status ? 0 : solid->rest->start[solid->rest->n];
    }
    return status;
}

/* Particles of a body that are nearer than this at rest never collide, in spacings: as many as
 * peridynamic bonds are long unless their horizon says otherwise. Neighbors alone are too few,
 * because particles at two spacings are none: from half of its height on, a body that is squeezed
 * would be columns of hard spheres. */
static const double touches_from = 3.0 * (1.0 + 1e-9);

/* Particles that are near at rest never collide; others of the same body may. */
static enum status create_bonded(struct corotated *c, const struct system_setting *setting,
                                 struct error *error)
{
    const struct rest **rest;
    if (array_create(&rest, c->n_solids, sizeof *rest, "solids", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < c->n_solids; k++)
        rest[k] = c->solid[k].rest;
    enum status status = rest_pairs_create(&c->bonded, c->n_solids, rest, c->system.first, error);
    free(rest);
    if (!status)
        status = array_create(&c->unstressed, c->system.n, sizeof *c->unstressed, "solids", error);
    if (status)
        return status;
    memcpy(c->unstressed, setting->rest + setting->first, c->system.n * sizeof *c->unstressed);
    c->system.bonded = c->bonded.bonded;
    c->system.bonded.rest = c->unstressed;
    c->system.bonded.rest_reach = touches_from * 2.0 * setting->particles->radius[setting->first];
    return STATUS_OK;
}

/* ---- arrays ---- */

static enum status create_columns(struct columns **array, void **memory, size_t n,
                                  struct error *error)
{
    lanes *columns;
    enum status status = lanes_create(&columns, memory, 3 * n, "gradients", error);
    *array = (struct columns *)(void *)columns;
    return status;
}

static enum status create_step(struct corotated *c, struct error *error)
{
    size_t n = c->system.n;
    if (array_create(&c->unknown, n, sizeof *c->unknown, "unknowns", error) ||
        array_create(&c->inertia, n, sizeof *c->inertia, "masses", error) ||
        array_create(&c->inverse_mass, n, sizeof *c->inverse_mass, "masses", error) ||
        array_create(&c->share, n, sizeof *c->share, "preconditioner", error) ||
        array_create(&c->alone, n, sizeof *c->alone, "preconditioner", error) ||
        array_create(&c->preconditioner, n, sizeof *c->preconditioner, "preconditioner", error) ||
        array_create(&c->shape_diagonal, n, sizeof(double), "preconditioner", error) ||
        array_create(&c->whole_diagonal, n, sizeof(double), "preconditioner", error) ||
        array_create(&c->shape_turn, n, sizeof(struct mat3), "rotations", error) ||
        array_create(&c->volume_turn, n, sizeof(struct mat3), "rotations", error) ||
        array_create(&c->renewed, n, sizeof(struct mat3), "rotations", error) ||
        array_create(&c->turning, n, sizeof(struct rotation), "rotations", error) ||
        array_create(&c->fallen, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&c->shaped, n, sizeof(struct vec3), "positions", error) ||
        array_create(&c->change, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&c->right_side, n, sizeof(struct vec3), "right side", error) ||
        array_create(&c->unforced, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&c->spin, n, sizeof(struct sym3), "rotations", error) ||
        array_create(&c->place, n, sizeof(struct vec3), "positions", error) ||
        array_create(&c->gradient, n, sizeof(struct mat3), "gradients", error) ||
        array_create(&c->ahead, n, sizeof(struct vec3), "positions", error) ||
        array_create(&c->ahead_rotation, n, sizeof(struct rotation), "rotations", error) ||
        array_create(&c->ahead_gradient, n, sizeof(struct mat3), "gradients", error) ||
        array_create(&c->present_gradient, n, sizeof(struct mat3), "gradients", error) ||
        (c->solver->pairs && corotated_volume_create(c, error)) ||
        (c->solver->pairs && corotated_near_create(c, error)) ||
        create_columns(&c->seen, &c->seen_memory, n, error) ||
        create_columns(&c->moment, &c->moment_memory, n, error) ||
        create_columns(&c->stress, &c->stress_memory, n, error) ||
        lanes_create(&c->x, &c->x_memory, n, "positions", error))
        return STATUS_FAILED;
    return cg_workspace_create(&c->work, n, 3, error);
}

static enum status create_state(struct corotated *c, const struct system_setting *setting,
                                struct error *error)
{
    size_t n = c->system.n;
    c->n_bodies = setting->scene->n_bodies;
    if (array_create(&c->mass, n, sizeof *c->mass, "masses", error) ||
        array_create(&c->held, n, sizeof *c->held, "masses", error) ||
        array_create(&c->rotation, n, sizeof *c->rotation, "rotations", error) ||
        array_create(&c->past, n, sizeof *c->past, "velocities", error) ||
        array_create(&c->next_increment, n, sizeof *c->next_increment, "velocities", error) ||
        array_create(&c->last_pressure, n, sizeof *c->last_pressure, "pressures", error) ||
        array_create(&c->earlier_pressure, n, sizeof *c->earlier_pressure, "pressures", error) ||
        array_create(&c->next_pressure, n, sizeof *c->next_pressure, "pressures", error) ||
        array_create(&c->position, n, sizeof *c->position, "positions", error) ||
        array_create(&c->body, n, sizeof *c->body, "bodies", error) ||
        tied_bodies_reserve(&c->tied, c->n_bodies, error))
        return STATUS_FAILED;
    memcpy(c->mass, setting->particles->mass + setting->first, n * sizeof *c->mass);
    for (size_t i = 0; i < n; i++)
        c->held[i] = setting->particles->state[setting->first + i] != PARTICLE_FREE;
    memcpy(c->body, setting->particles->body + setting->first, n * sizeof *c->body);
    return STATUS_OK;
}

/* ---- creation ---- */

static enum status fill(struct corotated *c, const struct system_setting *setting,
                        struct error *error)
{
    enum status status = create_solids(c, setting, error);
    if (!status)
        status = create_bonded(c, setting, error);
    if (!status)
        status = create_state(c, setting, error);
    if (!status)
        status = create_step(c, error);
    if (!status)
        status = corotated_spin_create(c, error);
    if (!status && c->push > 0.0)
        status = array_create(&c->pushed, c->system.n, sizeof *c->pushed, "impulses", error);
    if (status)
        return status;
    corotated_diagonals(c);
    if (!c->solver->create)
        return STATUS_OK;
    /* There is a frame at each multiple of the interval, whatever limit steps have. */
    const struct time_settings *time = &setting->scene->time;
    return c->solver->create(c, fmin(time->max_step, time->frame_interval), error);
}

static enum status corotated_create(struct system **system, const struct system_setting *setting,
                                    struct error *error)
{
    const struct scene *scene = setting->scene;
    const struct corotated_material *material =
        scene_material_of(scene, setting->particles->body[setting->first])->parameters;
    struct corotated *c;
    *system = NULL;
    if (array_create(&c, 1, sizeof *c, "corotated solids", error))
        return STATUS_FAILED;
    c->system =
        (struct system){.class = &corotated_class, .first = setting->first, .n = setting->n};
    c->mu = corotated_mu(material);
    c->lambda = corotated_lambda(material);
    if (material->way == COROTATED_EXPLICIT)
        c->push = 0.5 * material->control * material->young;
    else
        c->control = material->control * c->mu;
    c->solver = &corotated_solvers[material->solver];
    c->walls = walls_of_solids(setting->walls);
    c->volume_rotations = (enum corotated_turning)material->turning;
    c->tolerance = scene->solver.tolerance;
    c->max_iterations = scene->solver.max_iterations;
    enum status status = fill(c, setting, error);
    if (status) {
        corotated_free(&c->system);
        return status;
    }
    *system = &c->system;
    return STATUS_OK;
}

/* Longitudinal waves in an unbounded solid: c^2 = (lambda + 2 mu) / rho. */
static enum status wave_speeds(const struct system *system, const struct particles *p,
                               const struct vec3 *rest, size_t n_bodies, double *speed,
                               struct error *error)
{
    const struct corotated *c = (const struct corotated *)system;
    (void)rest;
    (void)n_bodies;
    (void)error;
    for (size_t i = system->first; i < system->first + system->n; i++) {
        double spacing = 2.0 * p->radius[i], density = p->mass[i] / (spacing * spacing * spacing);
        speed[p->body[i]] = sqrt((c->lambda + 2.0 * c->mu) / density);
    }
    return STATUS_OK;
}

/* The bytes per particle are those of 26 neighbors with their gradients, of the arrays of a step,
 * and of what the solver keeps. This is a factor, whose entries per particle grow with the body
 * (measured between 4000 and 32000 particles: the peak while it is made, and what two more factors
 * keep), or a matrix that couples a particle with 124 neighbors of neighbors. A separate solve for
 * volume also needs vectors of pairs, and what is near to meta-particles is listed. */
static double memory(const struct system_setting *setting)
{
    static const double neighbors = 26.0, per_pair = 44.0 + 2.5, per_particle = 1833.0;
    static const double coupled = 124.0, per_entry = 12.0, apart = 26.0 * 24.0 + 149.0;
    const struct corotated_material *material =
        scene_material_of(setting->scene, setting->particles->body[setting->first])->parameters;
    const double size = (double)setting->n / 32000.0, more = COROTATED_FACTORS - 1;
    const double factors = 6000.0 * (1.0 + size) + more * (900.0 + 2300.0 * size);
    const double solver[] = {
        [COROTATED_COUPLED] = factors + apart,
        [COROTATED_PREFACTORED] = factors + apart,
        [COROTATED_ASSEMBLED] = coupled * per_entry + apart,
        [COROTATED_WHOLE] = 0.0,
        [COROTATED_NEWTON] = factors,
    };
    return (double)setting->n * (neighbors * per_pair + per_particle + solver[material->solver]);
}

const struct system_class corotated_class = {
    .declares.name = "corotated",
    .family = {.model = corotated_models, .apart = true},
    .declares.n_energy = COROTATED_TERMS,
    .declares.energy = corotated_terms,
    .declares.n_state = COROTATED_STATES,
    .declares.state = corotated_states,
    .create = corotated_create,
    .prepare = corotated_prepare,
    .integrate = corotated_integrate,
    .linear = &corotated_linear,
    .pieces = corotated_pieces,
    .confine = corotated_confine,
    .account = corotated_account,
    .finish = corotated_finish,
    .wave_speeds = wave_speeds,
    .step_errors = corotated_step_errors,
    .spin_loss = corotated_spin_loss,
    .memory = memory,
    .potential_energy = corotated_potential_energy,
    .free = corotated_free,
};
