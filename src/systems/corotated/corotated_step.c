/* One step, in which outside forces act first, and the potential energy between steps. */
#include "systems/corotated/corotated_parts.h"

#include <string.h>

void corotated_move(struct corotated *c, const struct vec3 *x, const struct vec3 *v)
{
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->place[i] = vec3_axpy(x[i], c->dt, v[i]);
}

void corotated_see_change(struct corotated *c, const struct particles *p)
{
    const struct vec3 *x = p->position + c->system.first;
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->place[i] = vec3_axpy(x[i], c->dt, vec3_add(c->fallen[i], c->change[i]));
    corotated_gradients(c, c->place);
}

void corotated_turn(const struct corotated *c, const struct rotation *start,
                    struct rotation *turning, struct mat3 *r)
{
    const size_t n = c->system.n, most = ROTATIONS_AT_ONCE;
#pragma omp parallel for schedule(static) if (n > COROTATED_SOME)
    for (size_t i = 0; i < n; i += most)
        rotations_near(n - i < most ? n - i : most, &c->gradient[i], &start[i], &turning[i], &r[i]);
}

/* Turns the forces in c->right_side into impulses, summed over groups. */
static void gather_impulses(struct corotated *c)
{
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->right_side[i] = vec3_scale(c->dt, c->right_side[i]);
    corotated_groups_gather(c, c->right_side);
}

/* Makes the change that a solve found exact in momentum, and adds it to the velocity. */
static void take_change(struct corotated *c, const struct particles *p)
{
    struct vec3 *left = (struct vec3 *)(void *)c->work.residual;
    corotated_correct_momentum(c, p, left);
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++) {
        c->fallen[i] = vec3_add(c->fallen[i], c->change[i]);
        c->residual[i] = vec3_add(c->residual[i], left[i]);
    }
}

static enum status step_of_shape(struct corotated *c, const struct particles *p,
                                 struct solve_report *report, struct error *error)
{
    corotated_move(c, p->position + c->system.first, c->fallen);
    corotated_gradients(c, c->place);
    corotated_turn(c, c->rotation, c->turning, c->shape_turn);
    corotated_shape_forces(c, c->shape_turn, c->right_side);
    gather_impulses(c);
    enum status status = c->solver->shape(c, p, report, error);
    if (!status)
        take_change(c, p);
    return status;
}

/* Finds the rotations of the solve for volume, from the gradients after the solve for shape. That
 * the change was made exact in momentum since then moves bodies as a whole, which changes no
 * gradient. */
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
    if (status)
        return status;
    take_change(c, p);
    memcpy(c->next_increment, c->change, c->system.n * sizeof *c->next_increment);
    return STATUS_OK;
}

enum status corotated_step_in_parts(struct corotated *c, const struct particles *p,
                                    struct solve_report *report, struct error *error)
{
    enum status status = step_of_shape(c, p, report, error);
    return status ? status : step_of_volume(c, p, report, error);
}

enum status corotated_step_as_a_whole(struct corotated *c, const struct particles *p,
                                      struct solve_report *report, struct error *error)
{
    size_t n = c->system.n;
    corotated_move(c, p->position + c->system.first, c->fallen);
    corotated_gradients(c, c->place);
    corotated_turn(c, c->rotation, c->turning, c->volume_turn);
    corotated_whole_forces(c, c->volume_turn, 3.0, c->right_side);
    gather_impulses(c);
    enum status status = corotated_solve_whole(c, report, error);
    if (status)
        return status;
    take_change(c, p);
    memcpy(c->next_increment, c->change, n * sizeof *c->next_increment);
    memcpy(c->shape_turn, c->volume_turn, n * sizeof *c->shape_turn);
    corotated_move(c, p->position + c->system.first, c->fallen);
    memcpy(c->shaped, c->place, n * sizeof *c->shaped);
    return STATUS_OK;
}

enum status corotated_integrate(struct system *system, const struct particles *p,
                                const struct groups *groups, double dt, struct motion *motion,
                                struct solve_report *report, struct error *error)
{
    struct corotated *c = (struct corotated *)system;
    size_t bytes = system->n * sizeof(struct vec3);
    c->groups = groups;
    c->dt = dt;
    *report = (struct solve_report){0};
    memset(c->residual, 0, bytes);
    corotated_groups_begin(c, p);
    corotated_groups_fall(c, p, motion->before + system->first);
    corotated_control(c, p);
    if (c->solver->step(c, p, report, error))
        return error_prefix(error, "corotated solid");
    memcpy(motion->own_after + system->first, c->fallen, bytes);
    memcpy(motion->own_mean + system->first, c->fallen, bytes);
    return STATUS_OK;
}

/* What the last solve changed in this step and in the one before is the first guess of the next
 * one. */
enum status corotated_finish(struct system *system, const struct particles *p,
                             struct term_value term[MOST_TERMS], struct error *error)
{
    struct corotated *c = (struct corotated *)system;
    struct vec3 *past = c->earlier_increment;
    (void)p;
    (void)term;
    (void)error;
    c->earlier_increment = c->increment;
    c->increment = c->next_increment;
    c->next_increment = past;
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
    c->turned = true;
    c->given = false;
}

double corotated_potential_energy(struct system *system, const struct particles *p)
{
    struct corotated *c = (struct corotated *)system;
    const struct vec3 *x = p->position + system->first;
    size_t bytes = system->n * sizeof *x;
    if (c->turned && !c->given && memcmp(c->position, x, bytes) == 0)
        return c->energy;
    memcpy(c->position, x, bytes);
    corotated_gradients_alone(c, x);
    renew_rotations(c);
    c->energy =
        corotated_shape_energy(c, c->shape_turn) + corotated_volume_energy(c, c->shape_turn);
    return c->energy;
}
