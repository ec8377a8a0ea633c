/* The constant matrices of bodies without meta-particles, and their factors for steps of the
 * largest length, half and a quarter of it. The factor for the nearest length preconditions the
 * solve for shape, which takes one iteration unless a meta-particle or another length changes the
 * matrix. A factor for shorter steps is made when a step first needs it, because most runs have no
 * such steps; making it takes as long as it saves in ten steps. A meta-particle g with own members
 * i is solved by weighted averages around the factor,
 *
 *     z = W^T A^-1 W r + (w_f^2 / m_f) r,  W(i, g) = a_ii / s_g,  w_f = m_f / s_g,
 *
 * where s_g is the sum of its members' diagonal entries a_ii and of m_f, the mass of members of
 * other systems: averages by stiffness, as in methods of substructures (Farhat and Roux, "A method
 * of finite element tearing and interconnecting and its parallel solution algorithm", Int. J.
 * Numer. Methods Eng. 32, 1991). A z then follows from A^-1 W r, whose product is known, and from
 * what averaging changed, which is near groups alone. */
#include "base/memory.h"
#include "systems/corotated/corotated_parts.h"
#include "systems/corotated/matrix.h"

#include <stdlib.h>
#include <string.h>

void corotated_constants_free(struct corotated *c)
{
    for (size_t k = 0; k < c->n_constants; k++) {
        for (size_t f = 0; f < COROTATED_FACTORS; f++)
            prefactored_free(c->constant[k].factor[f]);
        prefactored_plan_free(c->constant[k].plan);
        corotated_matrix_free(&c->constant[k].rows);
    }
    free(c->constant);
}

static bool has_equal_matrix(const struct corotated *c, const struct solid *a,
                             const struct solid *b)
{
    const size_t n = a->rest->n;
    return (a->rest == b->rest || rest_congruent(a->rest, b->rest)) &&
           memcmp(c->mass + a->begin, c->mass + b->begin, n * sizeof(double)) == 0 &&
           memcmp(c->held + a->begin, c->held + b->begin, n) == 0;
}

static enum status assemble(const struct corotated *c, const struct solid *solid, double dt,
                            struct sparse_rows *a, struct error *error)
{
    const struct corotated_matrix_setting setting = {.rest = solid->rest,
                                                     .mass = c->mass + solid->begin,
                                                     .held = c->held + solid->begin,
                                                     .mu = c->mu,
                                                     .control = c->control / c->mu,
                                                     .dt = dt};
    return corotated_matrix_create(a, &setting, error);
}

typedef enum status maker(const struct corotated *c, struct corotated_constant *own,
                          struct error *error);

/* Makes the factor for steps of the length that c->factor stands for. */
static enum status make_factor(const struct corotated *c, struct corotated_constant *own,
                               struct error *error)
{
    struct sparse_rows a;
    enum status status = assemble(c, own->solid, ldexp(c->constant_dt, -(int)c->factor), &a, error);
    if (status)
        return status;
    if (!own->plan)
        status = prefactored_plan_create(&own->plan, &a, error);
    if (!status)
        status = prefactored_create(&own->factor[c->factor], own->plan, &a, error);
    if (!status)
        own->accuracy[c->factor] = prefactored_accuracy(own->factor[c->factor], &a);
    corotated_matrix_free(&a);
    return status;
}

static enum status make_rows(const struct corotated *c, struct corotated_constant *own,
                             struct error *error)
{
    return assemble(c, own->solid, c->constant_dt, &own->rows, error);
}

static enum status find_constant(struct corotated *c, size_t k, maker *make, struct error *error)
{
    for (size_t b = 0; b < k; b++)
        if (has_equal_matrix(c, &c->solid[b], &c->solid[k])) {
            c->solid[k].constant = c->solid[b].constant;
            return STATUS_OK;
        }
    struct corotated_constant *own = &c->constant[c->n_constants++];
    c->solid[k].constant = own;
    own->solid = &c->solid[k];
    return make(c, own, error);
}

static enum status make_all(struct corotated *c, double dt, maker *make, struct error *error)
{
    c->constant_dt = dt;
    if (array_create(&c->constant, c->n_solids, sizeof *c->constant, "factors", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < c->n_solids; k++)
        if (find_constant(c, k, make, error))
            return STATUS_FAILED;
    return STATUS_OK;
}

enum status corotated_factors_create(struct corotated *c, double dt, struct error *error)
{
    return make_all(c, dt, make_factor, error);
}

enum status corotated_matrices_create(struct corotated *c, double dt, struct error *error)
{
    return make_all(c, dt, make_rows, error);
}

/* Finds the weights of group g, for each of its members in this system: W(i, g) and w_f^2 / m_f. */
static void weigh_group(struct corotated *c, size_t g)
{
    const struct groups *groups = c->groups;
    size_t first = c->system.first, end = first + c->system.n, one = c->system.n;
    double own = 0.0, sum = 0.0;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        uint32_t i = groups->member[k];
        if (i < first || i >= end)
            continue;
        if (one == c->system.n)
            one = i - first;
        own += c->mass[i - first];
        sum += c->mass[i - first] + c->dt * c->dt * c->shape_diagonal[i - first];
    }
    if (one == c->system.n)
        return;
    double foreign = fmax(groups->mass[first + one] - own, 0.0);
    sum += foreign;
    for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
        uint32_t i = groups->member[k];
        if (i < first || i >= end)
            continue;
        double a = c->mass[i - first] + c->dt * c->dt * c->shape_diagonal[i - first];
        c->share[i - first] = a / sum;
        c->alone[i - first] = foreign / (sum * sum);
    }
}

/* The factor for the length nearest to c->dt, by the ratio of both. */
static size_t nearest_factor(const struct corotated *c)
{
    static const double half_way = 0.70710678118654752;
    size_t k = 0;
    while (k + 1 < COROTATED_FACTORS && c->dt < half_way * ldexp(c->constant_dt, -(int)k))
        k++;
    return k;
}

enum status corotated_factors_begin(struct corotated *c, struct error *error)
{
    c->factor = nearest_factor(c);
    for (size_t k = 0; k < c->n_constants; k++)
        if (!c->constant[k].factor[c->factor] && make_factor(c, &c->constant[k], error))
            return STATUS_FAILED;
    for (size_t i = 0; i < c->system.n; i++) {
        c->share[i] = 1.0;
        c->alone[i] = 0.0;
    }
    for (size_t g = 0; g < c->groups->n_groups; g++)
        if (!c->groups->fixed[c->groups->member[c->groups->start[g]]])
            weigh_group(c, g);
    return STATUS_OK;
}

/* The length of a step is rounded, which a factor in single precision cannot tell. */
bool corotated_factors_are_exact(const struct corotated *c)
{
    static const double rounding = 1e-9;
    const double length = ldexp(c->dt / c->constant_dt, (int)c->factor);
    return c->groups->n_groups == 0 && fabs(length - 1.0) < rounding;
}

double corotated_factors_accuracy(const struct corotated *c)
{
    double worst = 0.0;
    for (size_t k = 0; k < c->n_constants; k++)
        worst = fmax(worst, c->constant[k].accuracy[c->factor]);
    return worst;
}

/* z = A^-1 W r, and c->place = W r. */
static void solve_bodies(struct corotated *c, const struct vec3 *r, struct vec3 *z)
{
    struct vec3 *part = c->place;
    const uint8_t *fixed = c->groups->fixed + c->system.first;
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        part[i] = vec3_scale(fixed[i] ? 0.0 : c->share[i], r[i]);
    for (size_t k = 0; k < c->n_solids; k++)
        prefactored_solve(c->solid[k].constant->factor[c->factor], part + c->solid[k].begin,
                          z + c->solid[k].begin);
}

/* z = W^T z + (w_f^2 / m_f) r. */
static void average(struct corotated *c, const struct vec3 *r, struct vec3 *z)
{
    if (c->groups->n_groups > 0)
        for (size_t i = 0; i < c->system.n; i++)
            z[i] = vec3_scale(c->share[i], z[i]);
    corotated_groups_gather(c, z);
    if (c->groups->n_groups > 0)
        for (size_t i = 0; i < c->system.n; i++)
            z[i] = vec3_axpy(z[i], c->alone[i], r[i]);
}

void corotated_factors_solve(struct corotated *c, const struct vec3 *r, struct vec3 *z)
{
    solve_bodies(c, r, z);
    average(c, r, z);
}

/* w = A y, for y = A_0^-1 W r with the matrix A_0 of a step dt_0: A is s A_0 + (1 - s) M with s =
 * (dt / dt_0)^2. */
static void multiply_solution(const struct corotated *c, const struct vec3 *y, struct vec3 *w)
{
    const double shorter = ldexp(c->dt / c->constant_dt, (int)c->factor), s = shorter * shorter;
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        w[i] = vec3_axpy(vec3_scale(s, c->place[i]), (1.0 - s) * c->mass[i], y[i]);
}

/* Adds s times `value` to the jumps of members. */
static void add_jumps(struct corotated *c, double s, const struct vec3 *value)
{
    struct vec3 *jump = c->near.jump;
    for (size_t k = 0; k < c->n_solids; k++) {
        const size_t begin = c->solid[k].begin, members = corotated_near_count(c, k, 0);
        const uint32_t *near = corotated_near_list(c, k);
        for (size_t e = 0; e < members; e++)
            jump[begin + near[e]] = vec3_axpy(jump[begin + near[e]], s, value[begin + near[e]]);
    }
}

/* w += A (z - y) + D z, with jumps z - y, which become 0. */
static void multiply_jumps(struct corotated *c, const struct vec3 *z, struct vec3 *w)
{
    const double dt2 = c->dt * c->dt;
    corotated_forces_near(c);
    for (size_t k = 0; k < c->n_solids; k++) {
        const size_t begin = c->solid[k].begin, near = corotated_near_count(c, k, NEAR_FORCES);
        const uint32_t *list = corotated_near_list(c, k);
        for (size_t e = 0; e < near; e++) {
            const size_t i = begin + list[e];
            const double foreign = corotated_inertia(c, i) - c->mass[i];
            w[i] = vec3_axpy(w[i], c->mass[i], c->near.jump[i]);
            w[i] = vec3_axpy(w[i], -dt2, c->near.force[i]);
            w[i] = vec3_axpy(w[i], foreign, z[i]);
            c->near.jump[i] = vec3(0.0, 0.0, 0.0);
        }
    }
}

/* With y = A_0^-1 W r, z differs from y at members of groups alone: A z = A y + A (z - y). */
void corotated_factors_solve_and_multiply(struct corotated *c, const struct vec3 *r, struct vec3 *z,
                                          struct vec3 *w)
{
    solve_bodies(c, r, z);
    multiply_solution(c, z, w);
    add_jumps(c, -1.0, z);
    average(c, r, z);
    add_jumps(c, 1.0, z);
    multiply_jumps(c, z, w);
    corotated_groups_gather(c, w);
}
