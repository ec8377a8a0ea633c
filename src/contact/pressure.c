/* One pressure for fluids and solids (Kugelstadt, Bender, Fernandez-Fernandez, Jeske, Loschner and
 * Longva, "Fast corotated elastic SPH solids with implicit zero-energy mode control", 2021, Section
 * 6): elastic and all other forces come first, and at the end of the step one solve over all
 * particles of the scene and the walls lets nothing be compressed. Contact, and contact of a body
 * with itself, is nothing but that: there is no friction, no rebound, and solids that press on each
 * other stand about a spacing apart.
 *
 * The solve is that of sph/pressure.h. Particles that do not obey forces have a pressure, too.
 * Solids may be denser than fluids where their sampling is (pressure_rest.h).
 *
 * Before it the viscosity of fluids acts, also between them and solids (pressure_viscosity.h).
 *
 * With pressure.correction: displacement, the first solve makes the velocities admissible, and the
 * second moves particles without giving them velocities. With velocity both change velocities. */
#include "sph/pressure.h"
#include "base/blocks.h"
#include "base/memory.h"
#include "contact/methods.h"
#include "contact/pressure_bonded.h"
#include "contact/pressure_rest.h"
#include "contact/pressure_viscosity.h"
#include "sph/pressure_terms.h"

#include <stdlib.h>
#include <string.h>

struct pressing {
    struct pressure pressure;
    struct vec3 *rest;   /* places at rest, m (n); NULL unless solids are compressible */
    double acceleration; /* of everything, m/s^2 */
    struct wall_memory at_walls;
    float *last;                 /* pressure of the last step, Pa (n) */
    float *now;                  /* ... times dt of this step, Pa s (n) */
    bool *solid;                 /* particles of solids (n) */
    struct vec3 *impulse;        /* of this step, N s (n) */
    struct vec3 walls_on_solids; /* the part of walls in those of solids, N s */
    struct pressure_viscosity viscosity;
    double dt; /* s */
    struct pressure_crowding crowding;
    struct pressure_report velocity, density; /* of the two solves */
};

static void pressing_free(struct contact *contact)
{
    struct pressing *s = contact->state;
    if (!s)
        return;
    pressure_viscosity_free(&s->viscosity);
    pressure_free(&s->pressure);
    free(s->rest);
    wall_memory_free(&s->at_walls);
    free(s->last);
    free(s->now);
    free(s->solid);
    free(s->impulse);
    free(s);
}

/* ---- creation ---- */

static enum status create_arrays(struct pressing *s, size_t n, struct error *error)
{
    if (array_create(&s->last, n, sizeof *s->last, "pressures", error) ||
        array_create(&s->now, n, sizeof *s->now, "pressures", error) ||
        array_create(&s->solid, n, sizeof *s->solid, "pressures", error) ||
        array_create(&s->impulse, n, sizeof *s->impulse, "pressures", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

static enum status pressing_create(struct contact *contact, const struct method_setting *setting,
                                   struct error *error)
{
    const size_t n = setting->particles->n;
    const struct pressure_settings settings = {setting->scene->body[0].radius,
                                               setting->scene->pressure};
    struct pressing *s;
    if (array_create(&s, 1, sizeof *s, "pressures", error))
        return STATUS_FAILED;
    contact->state = s;
    s->acceleration = vec3_norm(setting->scene->gravity);
    enum status status = create_arrays(s, n, error);
    if (!status && setting->scene->pressure.solids == SOLIDS_COMPRESSIBLE) {
        status = array_create(&s->rest, n, sizeof *s->rest, "positions", error);
        if (!status)
            memcpy(s->rest, setting->rest, n * sizeof *s->rest);
    }
    for (size_t i = 0; !status && i < n; i++)
        s->solid[i] = !scene_body_flows(setting->scene, setting->particles->body[i]);
    if (!status)
        status = pressure_create(&s->pressure, &settings, setting->walls, 0, n, error);
    if (!status)
        status = wall_memory_create(&s->at_walls, &s->pressure, error);
    if (!status)
        status = pressure_limit_solids(&s->pressure, setting, s->solid, error);
    if (!status)
        status = pressure_viscosity_create(&s->viscosity, setting, &s->pressure, error);
    return status;
}

/* ---- the step ---- */

static double largest_speed2(size_t begin, size_t end, const void *context)
{
    const struct vec3 *velocity = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        largest = fmax(largest, vec3_norm2(velocity[i]));
    return largest;
}

/* A scene whose particles are this much too dense in the mean does not fit into its walls. */
static const double most_crowded = 0.1;

static enum status check_crowding(const struct pressing *s, struct error *error)
{
    const struct pressure_crowding *c = &s->crowding;
    if (!(c->sum > most_crowded * c->n))
        return STATUS_OK;
    return error_set(
        error, STATUS_FAILED,
        "particles are %.3g %% too dense in the mean: they do not fit in the room that walls and "
        "fixed bodies leave, or pressure.most_iterations, %u, ends solves too early; fewer "
        "particles, more room or more iterations would be right",
        100.0 * c->sum / c->n, (unsigned)s->pressure.settings.keys.most_iterations);
}

/* Adds `sign` times the velocities after the step to the mean ones: what changes the former between
 * a call with -1 and one with 1 changes the latter as well. */
static void add_after(const struct stage *stage, double sign)
{
    struct motion *m = stage->motion;
    const size_t n = stage->particles->n;
#pragma omp parallel for schedule(static) if (n > ONE_THREAD)
    for (size_t i = 0; i < n; i++)
        m->mean[i] = vec3_axpy(m->mean[i], sign, m->after[i]);
}

/* Lets viscosity act, and makes velocities admissible. */
static enum status accelerate(struct pressing *s, const struct stage *stage, double fastest,
                              struct error *error)
{
    const struct pressure_problem admissible = {
        .aim = PRESSURE_VELOCITY,
        .dt = stage->dt,
        .horizon = pressure_horizon(s->pressure.settings.radius, fastest, s->acceleration),
        .velocity = stage->motion->after,
        .p = s->now,
        .of_walls = s->at_walls.now,
        .impulse = s->impulse,
        .marked = s->solid};
    add_after(stage, -1.0);
    enum status status =
        pressure_viscosity_act(&s->viscosity, &s->pressure, &admissible, stage, error);
    if (!status)
        s->velocity = pressure_solve(&s->pressure, &admissible);
    s->velocity.products += s->viscosity.foreseen;
    s->walls_on_solids = s->velocity.walls_on_marked;
    add_after(stage, 1.0);
    return status;
}

static void repair_density(struct pressing *s, const struct stage *stage)
{
    const bool moves = s->pressure.settings.keys.correction == CORRECTION_BY_DISPLACEMENT;
    struct motion *m = stage->motion;
    const struct pressure_problem dense = {.aim = PRESSURE_DENSITY,
                                           .dt = stage->dt,
                                           .velocity = moves ? m->mean : m->after,
                                           .impulse = moves ? NULL : s->impulse,
                                           .marked = s->solid};
    if (!moves)
        add_after(stage, -1.0);
    s->density = pressure_solve(&s->pressure, &dense);
    if (moves)
        return;
    add_after(stage, 1.0);
    s->walls_on_solids = vec3_add(s->walls_on_solids, s->density.walls_on_marked);
}

/* How far upstream of free fluid particles take part, in supports, as in SPH. */
static const double seen_upstream = 2.0;

static enum status pressing_project(struct contact *contact, const struct stage *stage,
                                    size_t *iterations, struct error *error)
{
    struct pressing *s = contact->state;
    struct pressure *pressure = &s->pressure;
    const size_t n = stage->particles->n;
    double fastest = sqrt(blocks_max(n, largest_speed2, stage->motion->after));
    enum status status =
        pressure_find(pressure, stage->particles, seen_upstream * pressure->support, error);
    if (!status && s->rest)
        pressure_leave_bonded(pressure, stage->particles, contact->bonded, s->rest);
    if (!status)
        status = pressure_join(pressure, stage->groups, error);
    if (status)
        return status;
    s->dt = stage->dt;
    s->crowding = pressure_crowding(pressure, stage->particles);
    memset(s->impulse, 0, n * sizeof *s->impulse);
    for (size_t i = 0; i < n; i++)
        s->now[i] = (float)((double)s->last[i] * stage->dt);
    wall_memory_begin(&s->at_walls, stage->dt);
    status = accelerate(s, stage, fastest, error);
    if (status)
        return status;
    repair_density(s, stage);
    *iterations += s->velocity.products + s->density.products + s->viscosity.report.iterations;
    return check_crowding(s, error);
}

static enum status pressing_finish(struct contact *contact, struct error *error)
{
    struct pressing *s = contact->state;
    (void)error;
    for (size_t i = 0; i < s->pressure.n; i++)
        s->last[i] = (float)((double)s->now[i] / s->dt);
    wall_memory_end(&s->at_walls, s->dt);
    return STATUS_OK;
}

/* ---- what it declares ---- */

static struct vec3 drag_on(const struct pressing *s, size_t i)
{
    return s->viscosity.acts ? s->viscosity.impulse[i] : vec3(0.0, 0.0, 0.0);
}

/* Impulses on particles that do not obey forces are, with the other sign, those of these on free
 * ones, and walls that are no particles do no work. */
static void pressing_supports(const struct contact *contact, const struct particles *p,
                              const struct motion *motion, struct supports_report *report)
{
    const struct pressing *s = contact->state;
    report->damping += s->viscosity.report.taken;
    for (size_t i = 0; i < p->n; i++) {
        struct vec3 drag = drag_on(s, i), impulse = vec3_add(s->impulse[i], drag);
        double work = vec3_dot(impulse, motion->mean[i]);
        if (p->state[i] == PARTICLE_FIXED)
            report->work -= work;
        if (p->state[i] != PARTICLE_PRESCRIBED)
            continue;
        report->prescribed = vec3_sub(report->prescribed, impulse);
        report->prescribed_work -= work;
    }
}

static struct pressing *pressing_of(void *owner)
{
    return ((struct contact *)owner)->state;
}

static enum status take_pressure(void *owner, const struct particles *p, void *value,
                                 struct error *error)
{
    (void)error;
    memcpy(value, pressing_of(owner)->last, p->n * sizeof(float));
    return STATUS_OK;
}

static enum status give_pressure(void *owner, size_t n, const void *value, struct error *error)
{
    (void)error;
    memcpy(pressing_of(owner)->last, value, n * sizeof(float));
    return STATUS_OK;
}

static size_t wall_rows(const void *owner)
{
    const struct pressing *s = ((const struct contact *)owner)->state;
    return s->at_walls.n;
}

static enum status list_walls(const void *owner, size_t *rows, void **data, struct error *error)
{
    const struct pressing *s = ((const struct contact *)owner)->state;
    return wall_memory_list(&s->at_walls, rows, data, error);
}

static enum status give_walls(void *owner, size_t rows, const void *data, struct error *error)
{
    (void)rows;
    (void)error;
    wall_memory_give(&pressing_of(owner)->at_walls, data);
    return STATUS_OK;
}

static const struct owned_state states[] = {
    {.field = &pressure_field, .take = take_pressure, .give = give_pressure},
    {.field = &wall_pressure_field, .list = list_walls, .own_rows = wall_rows, .give = give_walls}};

/* The impulse of fluids on solids: that of viscosity and of all pressure on these, in which pairs
 * of them cancel, less that of walls. */
static struct vec3 impulse_on_solids(const struct pressing *s)
{
    struct vec3 sum = vec3_scale(-1.0, s->walls_on_solids);
    for (size_t i = 0; i < s->pressure.n; i++)
        if (s->solid[i])
            sum = vec3_add(sum, vec3_add(s->impulse[i], drag_on(s, i)));
    return sum;
}

enum {
    CROWDED_MOST,
    CROWDED,
    DIVERGENCE,
    LEFT,
    VELOCITY_PRODUCTS,
    DENSITY_PRODUCTS,
    VISCOSITY_PRODUCTS,
    ON_SOLIDS,
    N_TERMS = ON_SOLIDS + 3
};
static const struct energy_term *const terms[N_TERMS] = {
    [CROWDED_MOST] = &energy_density_error_max,
    [CROWDED] = &energy_density_error_mean,
    [DIVERGENCE] = &energy_divergence_error,
    [LEFT] = &energy_pressure_left,
    [VELOCITY_PRODUCTS] = &energy_velocity_iterations,
    [DENSITY_PRODUCTS] = &energy_displacement_iterations,
    [VISCOSITY_PRODUCTS] = &energy_viscosity_iterations,
    [ON_SOLIDS] = &energy_fluid_impulse[0],
    [ON_SOLIDS + 1] = &energy_fluid_impulse[1],
    [ON_SOLIDS + 2] = &energy_fluid_impulse[2],
};

static void pressing_account(const struct contact *contact, struct term_value term[MOST_TERMS])
{
    const struct pressing *s = contact->state;
    term[CROWDED_MOST].value = s->crowding.worst;
    term[CROWDED] = (struct term_value){s->crowding.sum, s->crowding.n};
    term[DIVERGENCE].value = s->velocity.left;
    term[LEFT].value = pressure_left(&s->pressure.settings.keys, s->velocity.left, s->density.left);
    term[VELOCITY_PRODUCTS].value = (double)s->velocity.products;
    term[DENSITY_PRODUCTS].value = (double)s->density.products;
    term[VISCOSITY_PRODUCTS].value = (double)s->viscosity.report.iterations;
    const struct vec3 impulse = impulse_on_solids(s);
    term[ON_SOLIDS].value = impulse.x;
    term[ON_SOLIDS + 1].value = impulse.y;
    term[ON_SOLIDS + 2].value = impulse.z;
}

const struct velocity_level_contact contact_pressure = {
    .contact = {.declares = {.name = "pressure",
                             .n_state = sizeof states / sizeof states[0],
                             .state = states,
                             .n_energy = N_TERMS,
                             .energy = terms},
                .create = pressing_create,
                .free = pressing_free,
                .account = pressing_account},
    .project = pressing_project,
    .supports = pressing_supports,
    .finish = pressing_finish,
};
