/* Deformation gradients, forces and energies. Every particle gathers the contributions of its
 * neighbors, in the order of its list, so that results do not depend on the number of threads. */
#include "base/blocks.h"
#include "systems/corotated/corotated_parts.h"

/* A body, whose arrays begin with its first particle. */
struct view {
    const struct corotated *c;
    const struct rest *rest;
    const struct mat3 *turn;         /* rotations; NULL: none */
    const struct rotation *rotation; /* c->turning */
    lanes *x;                        /* positions or velocities */
    struct mat3 *gradient;
    struct columns *seen, *moment, *stress; /* `seen`: the gradient */
    struct vec3 *force;
};

static struct view view_of(const struct corotated *c, size_t k, const struct mat3 *turn,
                           struct vec3 *force)
{
    size_t begin = c->solid[k].begin;
    return (struct view){.c = c,
                         .rest = c->solid[k].rest,
                         .turn = turn ? turn + begin : NULL,
                         .rotation = c->turning + begin,
                         .x = c->x + begin,
                         .gradient = c->gradient + begin,
                         .seen = c->seen + begin,
                         .moment = c->moment + begin,
                         .stress = c->stress + begin,
                         .force = force ? force + begin : NULL};
}

static struct vec3 span_of(const struct rest *rest, size_t i, size_t e)
{
    return vec3_sub(rest->position[rest->neighbor[e]], rest->position[i]);
}

/* ---- deformation gradients ---- */

/* Finds F_i from sum_j x_ji (x) V_j grad W_ij. */
static void put_gradient(const struct view *v, size_t i, const struct columns *sum)
{
    v->seen[i] = columns_times_sym3(sum, v->rest->correction[i]);
    v->gradient[i] = columns_mat3(&v->seen[i]);
}

static void find_gradient(const struct view *v, size_t i)
{
    const struct rest *rest = v->rest;
    struct columns sum = columns_zero();
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
        columns_add_outer(&sum, v->x[rest->neighbor[e]] - v->x[i], rest->gradient[e]);
    put_gradient(v, i, &sum);
}

/* The moment is sum_j c_ij x_ji (x) X_ji over alpha mu, with c_ij X_ji = lever V_j grad W_ij. */
static void find_gradient_and_moment(const struct view *v, size_t i)
{
    const struct rest *rest = v->rest;
    struct columns sum = columns_zero(), moment = sum;
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        const lanes way = v->x[rest->neighbor[e]] - v->x[i];
        columns_add_outer(&sum, way, rest->gradient[e]);
        columns_add_outer(&moment, rest->lever[e] * way, rest->gradient[e]);
    }
    put_gradient(v, i, &sum);
    v->moment[i] = moment;
}

typedef void finder(const struct view *v, size_t i);

static void find_gradients(struct corotated *c, const struct vec3 *x, finder *find)
{
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->x[i] = lanes_of_vec3(x[i]);
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct view v = view_of(c, k, NULL, NULL);
#pragma omp parallel for schedule(static) if (v.rest->n > COROTATED_FEW)
        for (size_t i = 0; i < v.rest->n; i++)
            find(&v, i);
    }
}

void corotated_gradients(struct corotated *c, const struct vec3 *x)
{
    find_gradients(c, x, find_gradient_and_moment);
}

void corotated_gradients_alone(struct corotated *c, const struct vec3 *x)
{
    find_gradients(c, x, find_gradient);
}

/* ---- forces ---- */

/* e_ij = F_i X_ji - x_ji. */
static lanes error_of(const struct view *v, size_t i, size_t e, struct vec3 span)
{
    return columns_times(&v->seen[i], span) - (v->x[v->rest->neighbor[e]] - v->x[i]);
}

/* dE_z/dF_i / V_i, with E_z the part of neighborhood i: alpha mu / V_i sum_j c_ij e_ij (x) X_ji. */
static struct columns control_stress(const struct view *v, size_t i)
{
    const struct columns fitted = columns_times_sym3(&v->seen[i], v->rest->control_spread[i]);
    const struct columns stress = columns_axpy(&fitted, -1.0, &v->moment[i]);
    return columns_scale(v->c->control / v->rest->volume[i], &stress);
}

static void put_stress(const struct view *v, size_t i, const struct columns *stress)
{
    v->stress[i] = columns_times_sym3(stress, v->rest->correction[i]);
}

static void find_shape_stress(const struct view *v, size_t i)
{
    struct columns strain = v->seen[i];
    const struct columns control = control_stress(v, i);
    if (v->turn) {
        const struct columns turn = columns_of(&v->turn[i]);
        strain = columns_axpy(&strain, -1.0, &turn);
    }
    const struct columns both = columns_axpy(&control, 2.0 * v->c->mu, &strain);
    put_stress(v, i, &both);
}

/* Each neighborhood's energy acts on its particle and on the neighbors through F: f_i = V_i sum_j
 * (T_i + T_j) V_j grad W_ij, because V_i grad W_ji = -(V_i / V_j) V_j grad W_ij. */
static struct vec3 stress_force(const struct view *v, size_t i)
{
    const struct rest *rest = v->rest;
    lanes force = columns_times(&v->stress[i], rest->gradient_sum[i]);
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
        force += columns_times(&v->stress[rest->neighbor[e]], rest->gradient[e]);
    return vec3_scale(rest->volume[i], vec3_of_lanes(force));
}

/* The same, plus the force of E_z through x_ji: sum_j c_ij (e_ji - e_ij), since c_ij = c_ji, which
 * is sum_j c_ij (2 x_ji - (F_i + F_j) X_ji). */
static struct vec3 stress_and_control_force(const struct view *v, size_t i)
{
    const struct rest *rest = v->rest;
    const lanes own = v->x[i];
    lanes stress = columns_times(&v->stress[i], rest->gradient_sum[i]);
    lanes control = -columns_times(&v->seen[i], rest->control_sum[i]);
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        const uint32_t j = rest->neighbor[e];
        const struct vec3 gradient = rest->gradient[e];
        stress += columns_times(&v->stress[j], gradient);
        control += 2.0 * rest->control[e] * (v->x[j] - own) -
                   rest->lever[e] * columns_times(&v->seen[j], gradient);
    }
    return vec3_of_lanes(rest->volume[i] * stress + v->c->control * control);
}

void corotated_shape_forces(struct corotated *c, const struct mat3 *r, struct vec3 *force)
{
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct view v = view_of(c, k, r, force);
#pragma omp parallel if (v.rest->n > COROTATED_FEW)
        {
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                find_shape_stress(&v, i);
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                v.force[i] = stress_and_control_force(&v, i);
        }
    }
}

void corotated_forces_near(struct corotated *c)
{
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct view v = view_of(c, k, NULL, c->near.force);
        const struct vec3 *jump = c->near.jump + c->solid[k].begin;
        const uint32_t *near = corotated_near_list(c, k);
        const size_t read = corotated_near_count(c, k, NEAR_STEPS);
        const size_t seen = corotated_near_count(c, k, NEAR_FORCES + 1);
        const size_t found = corotated_near_count(c, k, NEAR_FORCES);
#pragma omp parallel if (found > COROTATED_FEW)
        {
#pragma omp for schedule(static)
            for (size_t e = 0; e < read; e++)
                v.x[near[e]] = lanes_of_vec3(jump[near[e]]);
#pragma omp for schedule(static)
            for (size_t e = 0; e < seen; e++) {
                find_gradient_and_moment(&v, near[e]);
                find_shape_stress(&v, near[e]);
            }
#pragma omp for schedule(static)
            for (size_t e = 0; e < found; e++)
                v.force[near[e]] = stress_and_control_force(&v, near[e]);
        }
    }
}

static void find_pressure_stress(const struct view *v, double pressure, size_t i)
{
    const struct columns turn = columns_of(&v->turn[i]);
    const struct columns stress = columns_scale(pressure, &turn);
    put_stress(v, i, &stress);
}

static void find_volume_stress(const struct view *v, double at_rest, size_t i)
{
    const double gain = mat3_dot(&v->turn[i], &v->gradient[i]) - at_rest * v->rest->directions[i];
    find_pressure_stress(v, v->c->lambda * gain, i);
}

void corotated_volume_forces(struct corotated *c, const struct mat3 *r, double at_rest,
                             struct vec3 *force)
{
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct view v = view_of(c, k, r, force);
#pragma omp parallel if (v.rest->n > COROTATED_FEW)
        {
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                find_volume_stress(&v, at_rest, i);
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                v.force[i] = stress_force(&v, i);
        }
    }
}

void corotated_pressure_forces(struct corotated *c, const struct mat3 *r, const double *pressure,
                               struct vec3 *force)
{
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct view v = view_of(c, k, r, force);
        const double *own = pressure + c->solid[k].begin;
#pragma omp parallel if (v.rest->n > COROTATED_FEW)
        {
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                find_pressure_stress(&v, own[i], i);
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                v.force[i] = stress_force(&v, i);
        }
    }
}

/* At rest F is R and tr(R^T F) is `directions`; the linear part has 0 in place of both. */
static struct columns whole_stress(const struct view *v, double at_rest, size_t i)
{
    const struct columns turn = columns_of(&v->turn[i]), control = control_stress(v, i);
    double gain = mat3_dot(&v->turn[i], &v->gradient[i]) - at_rest * v->rest->directions[i];
    const struct columns strain = columns_axpy(&v->seen[i], -at_rest, &turn);
    const struct columns shape = columns_axpy(&control, 2.0 * v->c->mu, &strain);
    return columns_axpy(&shape, v->c->lambda * gain, &turn);
}

static void find_whole_stress(const struct view *v, double at_rest, size_t i)
{
    const struct columns stress = whole_stress(v, at_rest, i);
    put_stress(v, i, &stress);
}

void corotated_whole_forces(struct corotated *c, const struct mat3 *r, double at_rest,
                            struct vec3 *force)
{
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct view v = view_of(c, k, r, force);
#pragma omp parallel if (v.rest->n > COROTATED_FEW)
        {
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                find_whole_stress(&v, at_rest, i);
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                v.force[i] = stress_and_control_force(&v, i);
        }
    }
}

/* The linear part if rotations follow F. With w, a and S of corotated_newton.c, dR = R [w]x takes
 * (2 mu - lambda (tr(S) - 3)) dR = R [spin a]x from the stress. */
static void find_tangent_stress(const struct view *v, const struct sym3 *spin, size_t i)
{
    const struct columns fixed = whole_stress(v, 0.0, i);
    /* v->turn has no more than what a blind particle sees. */
    const struct mat3 whole =
        v->rest->directions[i] < 3.0 ? rotation_matrix(v->rotation[i]) : v->turn[i];
    const struct mat3 b = mat3_transposed_mul(&whole, &v->gradient[i]);
    struct vec3 a = vec3(b.a[2][1] - b.a[1][2], b.a[0][2] - b.a[2][0], b.a[1][0] - b.a[0][1]);
    struct vec3 w = sym3_mul(spin[i], a);
    const struct mat3 cross = {{{0.0, -w.z, w.y}, {w.z, 0.0, -w.x}, {-w.y, w.x, 0.0}}};
    const struct mat3 product = mat3_mul(&whole, &cross);
    const struct columns turning = columns_of(&product);
    const struct columns all = columns_axpy(&fixed, -1.0, &turning);
    put_stress(v, i, &all);
}

void corotated_tangent_forces(struct corotated *c, const struct mat3 *r, const struct sym3 *spin,
                              struct vec3 *force)
{
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct view v = view_of(c, k, r, force);
        const struct sym3 *own = spin + c->solid[k].begin;
#pragma omp parallel if (v.rest->n > COROTATED_FEW)
        {
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                find_tangent_stress(&v, own, i);
#pragma omp for schedule(static)
            for (size_t i = 0; i < v.rest->n; i++)
                v.force[i] = stress_and_control_force(&v, i);
        }
    }
}

/* ---- energies ---- */

/* Of a body; arrays begin with its first particle. */
struct at_rotations {
    const struct corotated *c;
    const struct rest *rest;
    const struct mat3 *gradient, *turn;
};

static double shape_energy_of_block(size_t begin, size_t end, const void *context)
{
    const struct at_rotations *at = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        const struct mat3 strain = mat3_axpy(&at->gradient[i], -1.0, &at->turn[i]);
        sum += at->c->mu * at->rest->volume[i] * mat3_dot(&strain, &strain);
    }
    return sum;
}

static double volume_energy_of_block(size_t begin, size_t end, const void *context)
{
    const struct at_rotations *at = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        double gain = mat3_dot(&at->turn[i], &at->gradient[i]) - at->rest->directions[i];
        sum += 0.5 * at->c->lambda * at->rest->volume[i] * gain * gain;
    }
    return sum;
}

static double sum_over_bodies(const struct corotated *c, const struct mat3 *f, const struct mat3 *r,
                              block_sum *sum)
{
    double energy = 0.0;
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct solid *solid = &c->solid[k];
        const struct at_rotations at = {c, solid->rest, f + solid->begin, r + solid->begin};
        energy += blocks_sum(solid->rest->n, sum, &at);
    }
    return energy;
}

double corotated_shape_energy(const struct corotated *c, const struct mat3 *f, const struct mat3 *r)
{
    return sum_over_bodies(c, f, r, shape_energy_of_block);
}

double corotated_volume_energy(const struct corotated *c, const struct mat3 *f,
                               const struct mat3 *r)
{
    return sum_over_bodies(c, f, r, volume_energy_of_block);
}

static double control_energy_of_block(size_t begin, size_t end, const void *context)
{
    const struct view *v = context;
    const struct rest *rest = v->rest;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
            sum += rest->control[e] *
                   vec3_norm2(vec3_of_lanes(error_of(v, i, e, span_of(rest, i, e))));
    return 0.5 * v->c->control * sum;
}

double corotated_control_energy(const struct corotated *c)
{
    double energy = 0.0;
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct view v = view_of(c, k, NULL, NULL);
        energy += blocks_sum(v.rest->n, control_energy_of_block, &v);
    }
    return energy;
}
