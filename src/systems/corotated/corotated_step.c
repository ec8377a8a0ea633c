/* One step, in which outside forces act first, and the potential energy between steps. */
#include "systems/corotated/corotated_parts.h"

#include <string.h>

void corotated_move(struct corotated *c, const struct vec3 *x, const struct vec3 *v)
{
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->place[i] = vec3_axpy(x[i], c->dt, v[i]);
}

void corotated_follow_change(struct corotated *c, const struct particles *p)
{
    const struct vec3 *x = p->position + c->system.first;
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->place[i] = vec3_axpy(x[i], c->dt, vec3_add(c->fallen[i], c->change[i]));
}

void corotated_see_change(struct corotated *c, const struct particles *p)
{
    corotated_follow_change(c, p);
    corotated_gradients_alone(c, c->place);
}

/* Blind particles have R P in the place of R, with P onto what they see: F is that at rest. */
static void look_away(const struct corotated *c, struct mat3 *r)
{
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct rest *rest = c->solid[k].rest;
        for (size_t b = 0; b < rest->n_blind; b++) {
            struct mat3 *own = &r[c->solid[k].begin + rest->blind[b].particle];
            *own = mat3_mul_sym3(own, rest->blind[b].sight);
        }
    }
}

void corotated_turn(const struct corotated *c, const struct rotation *start,
                    struct rotation *turning, struct mat3 *r)
{
    const size_t n = c->system.n, most = ROTATIONS_AT_ONCE;
#pragma omp parallel for schedule(static) if (n > COROTATED_SOME)
    for (size_t i = 0; i < n; i += most)
        rotations_near(n - i < most ? n - i : most, &c->gradient[i], &start[i], &turning[i], &r[i]);
    look_away(c, r);
}

/* Turns the forces in c->right_side into impulses, summed over groups. */
static void gather_impulses(struct corotated *c)
{
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->right_side[i] = vec3_scale(c->dt, c->right_side[i]);
    corotated_groups_gather(c, c->right_side);
}

static void take_change(struct corotated *c)
{
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->fallen[i] = vec3_add(c->fallen[i], c->change[i]);
}

static enum status step_of_shape(struct corotated *c, const struct particles *p,
                                 struct solve_report *report, struct error *error)
{
    corotated_move(c, p->position + c->system.first, c->fallen);
    corotated_gradients(c, c->place);
    corotated_turn(c, c->rotation, c->turning, c->shape_turn);
    corotated_shape_forces(c, c->shape_turn, c->right_side);
    gather_impulses(c);
    enum status status = c->solver->solve(c, p, report, error);
    if (!status)
        take_change(c);
    return status;
}

/* Finds the rotations of the solve for volume, from the gradients after the solve for shape. */
static void turn_for_volume(struct corotated *c)
{
    if (c->volume_rotations == COROTATED_RENEWED)
        corotated_turn(c, c->turning, c->turning, c->volume_turn);
    else
        memcpy(c->volume_turn, c->shape_turn, c->system.n * sizeof *c->volume_turn);
}

static enum status step_of_volume(struct corotated *c, const struct particles *p,
                                  struct solve_report *report, struct error *error)
{
    corotated_move(c, p->position + c->system.first, c->fallen);
    memcpy(c->shaped, c->place, c->system.n * sizeof *c->shaped);
    turn_for_volume(c);
    corotated_volume_begin(c, c->right_side);
    gather_impulses(c);
    enum status status = corotated_solve_volume(c, report, error);
    if (!status)
        take_change(c);
    return status;
}

enum status corotated_step_in_parts(struct corotated *c, const struct particles *p,
                                    struct solve_report *report, struct error *error)
{
    enum status status = step_of_shape(c, p, report, error);
    return status ? status : step_of_volume(c, p, report, error);
}

void corotated_begin_whole(struct corotated *c, const struct particles *p)
{
    corotated_move(c, p->position + c->system.first, c->before);
    corotated_gradients_alone(c, c->place);
    corotated_turn(c, c->rotation, c->turning, c->volume_turn);
    corotated_move(c, p->position + c->system.first, c->fallen);
    corotated_gradients(c, c->place);
    corotated_whole_forces(c, c->volume_turn, 1.0, c->right_side);
    gather_impulses(c);
}

void corotated_end_whole(struct corotated *c, const struct particles *p)
{
    memcpy(c->shape_turn, c->volume_turn, c->system.n * sizeof *c->shape_turn);
    corotated_move(c, p->position + c->system.first, c->fallen);
    memcpy(c->shaped, c->place, c->system.n * sizeof *c->shaped);
}

enum status corotated_step_as_a_whole(struct corotated *c, const struct particles *p,
                                      struct solve_report *report, struct error *error)
{
    corotated_begin_whole(c, p);
    enum status status = c->solver->solve(c, p, report, error);
    if (status)
        return status;
    take_change(c);
    memcpy(c->next_increment, c->change, c->system.n * sizeof *c->next_increment);
    corotated_end_whole(c, p);
    return STATUS_OK;
}

void corotated_begin_step(struct corotated *c, const struct particles *p,
                          const struct groups *groups, double dt, const struct vec3 *before)
{
    c->groups = groups;
    c->dt = dt;
    c->before = before;
    c->constrained = NULL;
    corotated_groups_begin(c, p);
    corotated_groups_fall(c, p, before);
    corotated_control(c, p);
    memcpy(c->unforced, c->fallen, c->system.n * sizeof *c->unforced);
}

enum status corotated_integrate(struct system *system, const struct particles *p,
                                const struct groups *groups, double dt, struct motion *motion,
                                struct solve_report *report, struct error *error)
{
    struct corotated *c = (struct corotated *)system;
    size_t bytes = system->n * sizeof(struct vec3);
    *report = (struct solve_report){0};
    corotated_begin_step(c, p, groups, dt, motion->before + system->first);
    if (c->solver->step(c, p, report, error))
        return error_prefix(error, "corotated solid");
    corotated_correct_momentum(c, p);
    memcpy(motion->own_after + system->first, c->fallen, bytes);
    if (!c->solver->splits)
        corotated_return_spin(c, p, motion->own_after + system->first);
    memcpy(motion->own_mean + system->first, motion->own_after + system->first, bytes);
    return STATUS_OK;
}

/* What the last solves found is the first guess of the next one. */
enum status corotated_finish(struct system *system, const struct particles *p,
                             struct term_value term[MOST_TERMS], struct error *error)
{
    struct corotated *c = (struct corotated *)system;
    double *pressure = c->earlier_pressure;
    (void)p;
    (void)term;
    (void)error;
    corotated_remember(c);
    c->earlier_pressure = c->last_pressure;
    c->last_pressure = c->next_pressure;
    c->next_pressure = pressure;
    return STATUS_OK;
}

/* Finds the rotations at the present positions. The first ones of a run have no start to iterate
 * from; those from a frame belong to these positions already. */
static void renew_rotations(struct corotated *c)
{
    for (size_t i = 0; !c->turned && i < c->system.n; i++)
        c->turning[i] = rotation_nearest(&c->gradient[i]);
    if (!c->given)
        corotated_turn(c, c->turning, c->rotation, c->shape_turn);
    for (size_t i = 0; c->given && i < c->system.n; i++)
        c->shape_turn[i] = rotation_matrix(c->rotation[i]);
    if (c->given)
        look_away(c, c->shape_turn);
    c->turned = true;
    c->given = false;
}

static bool are_at(const struct vec3 *place, const struct corotated *c, const struct vec3 *x)
{
    return memcmp(place, x, c->system.n * sizeof *x) == 0;
}

/* Takes over what the account found of these positions. */
static void arrive(struct corotated *c)
{
    struct rotation *rotation = c->rotation;
    struct mat3 *gradient = c->present_gradient;
    c->rotation = c->ahead_rotation;
    c->ahead_rotation = rotation;
    c->present_gradient = c->ahead_gradient;
    c->ahead_gradient = gradient;
    c->energy = c->ahead_energy;
}

static void evaluate(struct corotated *c, const struct vec3 *x)
{
    struct mat3 *gradient = c->present_gradient;
    corotated_gradients_alone(c, x);
    renew_rotations(c);
    c->energy.turned = corotated_shape_energy(c, c->gradient, c->shape_turn) +
                       corotated_volume_energy(c, c->gradient, c->shape_turn);
    c->energy.control = corotated_control_energy(c);
    c->present_gradient = c->gradient;
    c->gradient = gradient;
}

double corotated_potential_energy(struct system *system, const struct particles *p)
{
    struct corotated *c = (struct corotated *)system;
    const struct vec3 *x = p->position + system->first;
    if (!c->turned || c->given || !are_at(c->position, c, x)) {
        if (c->turned && !c->given && c->looked_ahead && are_at(c->ahead, c, x))
            arrive(c);
        else
            evaluate(c, x);
        memcpy(c->position, x, system->n * sizeof *x);
    }
    c->looked_ahead = false;
    return c->energy.turned + c->energy.control;
}
