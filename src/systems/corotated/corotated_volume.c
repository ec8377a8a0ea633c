/* The matrix of the solve for volume (Eqs. 15-18, 30), for its conjugate gradients. With y_ij of
 * corotated_parts.h, a step's rotations fixed, and
 *
 *     a_ij = R_i y_ij,    t_i = sum_j x_ji . a_ij     the linear part of tr(R_i^T F_i)
 *
 * the force on particle i is that of lambda/2 sum_k V_k t_k^2:
 *
 *     f_i = sum_j lambda t_i V_i a_ij - lambda t_j V_j a_ji
 *
 * A product reads a vector of each pair twice, in place of the matrices of both its particles. */
#include "systems/corotated/corotated_parts.h"

/* One body, with arrays from its first particle and pair on. */
struct view {
    const struct rest *rest;
    struct corotated_pairs pairs;
    lanes *x;
    double *pressure;
};

static struct view view_of(const struct corotated *c, size_t k)
{
    const struct solid *solid = &c->solid[k];
    const struct corotated_pairs *all = &c->pairs;
    return (struct view){.rest = solid->rest,
                         .pairs = {.widening = all->widening + 3 * solid->first_pair,
                                   .reaction = all->reaction + 3 * solid->first_pair,
                                   .own = all->own + solid->begin},
                         .x = c->x + solid->begin,
                         .pressure = c->pressure + solid->begin};
}

static void put(double *vectors, size_t e, struct vec3 v)
{
    vectors[3 * e] = v.x;
    vectors[3 * e + 1] = v.y;
    vectors[3 * e + 2] = v.z;
}

/* R_i L_i, which makes a_ij of V_j grad W_ij. */
static void find_turn(const struct corotated *c, const struct solid *solid, size_t i)
{
    const struct mat3 turn =
        mat3_mul_sym3(&c->volume_turn[solid->begin + i], solid->rest->correction[i]);
    c->gradient[solid->begin + i] = turn;
}

/* - V_j a_ji = V_i R_j L_j V_j grad W_ij, because V_i grad W_ji = -(V_i / V_j) V_j grad W_ij. */
static void find_pairs(const struct view *v, const struct mat3 *turn, size_t i)
{
    const struct rest *rest = v->rest;
    struct vec3 own = vec3(0.0, 0.0, 0.0);
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        const struct mat3 *theirs = &turn[rest->neighbor[e]];
        struct vec3 a = mat3_mul_vec3(&turn[i], rest->gradient[e]);
        put(v->pairs.widening, e, a);
        put(v->pairs.reaction, e,
            vec3_scale(rest->volume[i], mat3_mul_vec3(theirs, rest->gradient[e])));
        own = vec3_axpy(own, rest->volume[i], a);
    }
    v->pairs.own[i] = own;
}

void corotated_volume_begin(struct corotated *c)
{
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct solid *solid = &c->solid[k];
        const struct view v = view_of(c, k);
#pragma omp parallel
        {
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                find_turn(c, solid, i);
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                find_pairs(&v, c->gradient + solid->begin, i);
        }
    }
}

/* lambda t_i. The fourth lane of x is 0. */
static double pressure_of(const struct view *v, double lambda, size_t i)
{
    const struct rest *rest = v->rest;
    const lanes own = v->x[i];
    lanes sum = lanes_all(0.0);
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
        sum += (v->x[rest->neighbor[e]] - own) * lanes_load(v->pairs.widening + 3 * e);
    return lambda * lanes_sum(sum);
}

static struct vec3 force_of(const struct view *v, size_t i)
{
    const struct rest *rest = v->rest;
    lanes force = lanes_all(0.0);
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
        force += lanes_all(v->pressure[rest->neighbor[e]]) * lanes_load(v->pairs.reaction + 3 * e);
    return vec3_axpy(vec3_of_lanes(force), v->pressure[i], v->pairs.own[i]);
}

void corotated_volume_product(struct corotated *c, const struct vec3 *x, struct vec3 *force)
{
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->x[i] = lanes_of_vec3(x[i]);
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct view v = view_of(c, k);
        struct vec3 *of_body = force + c->solid[k].begin;
#pragma omp parallel
        {
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                v.pressure[i] = pressure_of(&v, c->lambda, i);
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                of_body[i] = force_of(&v, i);
        }
    }
}
