/* The matrix of volume (CES 15 to 18, CES 30), for conjugate gradients. With y_ij of
 * corotated_parts.h, the stress of CES 16, the derivatives of F of CES 17 and the forces of CES 15,
 * a step's rotations fixed, and
 *
 *     a_ij = R_i y_ij,    t_i(v) = sum_j v_ji . a_ij,    g_i = tr(R_i^T F_i) - 3
 *
 * the pressures p_i = lambda g_i exert the forces
 *
 *     f_i(p) = sum_j p_i V_i a_ij - p_j V_j a_ji
 *
 * and the solve for volume ends with M dv = dt f(p), p / lambda = g + dt t(dv), where g is that
 * before. The paper eliminates p and solves for dv (CES 30). Here dv is eliminated, which leaves
 * one unknown of each particle in place of three:
 *
 *     V p / lambda - dt^2 V t(M^-1 f(p)) = V g
 *
 * Both matrices are as badly conditioned, but the diagonal of this one tells particles at surfaces,
 * whose gradients are larger, from those inside; that of the other does not, and its conjugate
 * gradients take up to twice as many iterations.
 *
 * A product reads two vectors of each pair, in place of the matrices of both its particles. Memory
 * bandwidth limits it, so that the vectors are in single precision. */
#include "base/memory.h"
#include "systems/corotated/corotated_parts.h"

#include <stdlib.h>

/* A body, whose arrays begin with its first particle and pair. */
struct view {
    const struct rest *rest;
    struct corotated_pairs pairs;
    const lanes *x;
    const double *pressure, *inverse_mass;
};

static struct view view_of(const struct corotated *c, const struct solid *solid)
{
    const struct corotated_pairs *all = &c->volume.pairs;
    return (struct view){.rest = solid->rest,
                         .pairs = {.widening = all->widening + 3 * solid->first_pair,
                                   .reaction = all->reaction + 3 * solid->first_pair,
                                   .own = all->own + solid->begin},
                         .x = c->x + solid->begin,
                         .pressure = c->volume.pressure + solid->begin,
                         .inverse_mass = c->inverse_mass + solid->begin};
}

/* ---- memory ---- */

void corotated_volume_free(struct corotated_volume *v)
{
    void *const arrays[] = {
        v->pairs.memory[0], v->pairs.memory[1], v->pairs.own, v->stretch,  v->sums,     v->gain,
        v->diagonal,        v->weight,          v->pressure,  v->pressing, v->widening, v->missing};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
}

static enum status create_pairs(struct corotated *c, struct error *error)
{
    const struct solid *last = &c->solid[c->n_solids - 1];
    const size_t numbers = 3 * (last->first_pair + last->rest->start[last->rest->n]) + 1;
    struct corotated_pairs *pair = &c->volume.pairs;
    void **memory = pair->memory;
    if (array_create_large(&pair->widening, &memory[0], numbers, sizeof(float), "pairs", error) ||
        array_create_large(&pair->reaction, &memory[1], numbers, sizeof(float), "pairs", error))
        return STATUS_FAILED;
    return array_create(&pair->own, c->system.n, sizeof(struct vec3), "pairs", error);
}

static enum status create_pressures(struct corotated *c, struct error *error)
{
    const size_t n = c->system.n;
    struct corotated_volume *v = &c->volume;
    double **const arrays[] = {&v->gain,     &v->diagonal, &v->weight,
                               &v->pressure, &v->widening, &v->missing};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        if (array_create(arrays[k], n, sizeof **arrays[k], "pressures", error))
            return STATUS_FAILED;
    return array_create(&v->pressing, n, sizeof *v->pressing, "pressures", error);
}

static enum status create_stretches(struct corotated *c, struct error *error)
{
    size_t n = c->n_solids + c->system.n / COROTATED_STRETCH;
    if (array_create(&c->volume.stretch, n, sizeof *c->volume.stretch, "solids", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < c->n_solids; k++)
        for (size_t begin = 0, end; begin < c->solid[k].rest->n; begin = end) {
            const size_t left = c->solid[k].rest->n - begin;
            end = begin + (left < COROTATED_STRETCH ? left : COROTATED_STRETCH);
            c->volume.stretch[c->volume.n_stretches++] = (struct stretch){&c->solid[k], begin, end};
        }
    return array_create(&c->volume.sums, c->volume.n_stretches, sizeof *c->volume.sums, "sums",
                        error);
}

enum status corotated_volume_create(struct corotated *c, struct error *error)
{
    if (create_pairs(c, error) || create_pressures(c, error))
        return STATUS_FAILED;
    return create_stretches(c, error);
}

/* ---- pairs, for the rotations of a step ---- */

/* Writes four numbers, of which the fourth is in the place of the next pair, which is written
 * afterwards. The last pair of a particle gets only three, because the next one may be written by
 * another thread. */
static void put(float *vectors, size_t e, size_t end, lanes v)
{
    const four_floats rounded = __builtin_convertvector(v, four_floats);
    if (e + 1 < end)
        *(four_floats *)(void *)(vectors + 3 * e) = rounded;
    else
        for (size_t k = 0; k < 3; k++)
            vectors[3 * e + k] = rounded[k];
}

static lanes get(const float *vectors, size_t e)
{
    return lanes_of_floats((const four_floats *)(const void *)(vectors + 3 * e));
}

/* What is found of a particle beside the vectors of its pairs: the force on it, from the vectors
 * before they are rounded, and the diagonal of -V t(M^-1 f(p)). */
struct found {
    struct vec3 force;
    double diagonal;
};

/* Finds the vectors of the pairs of particle i, with V_i grad W_ji = -(V_i / V_j) V_j grad W_ij, so
 * that -V_j a_ji = V_i R_j L_j V_j grad W_ij. */
static struct found find_pairs(const struct view *v, const struct columns *turn, size_t i)
{
    const struct rest *rest = v->rest;
    const size_t end = rest->start[i + 1];
    const double volume = rest->volume[i];
    lanes own = lanes_all(0.0), force = own, squares = own;
    for (size_t e = rest->start[i]; e < end; e++) {
        const uint32_t j = rest->neighbor[e];
        const lanes a = columns_times(&turn[i], rest->gradient[e]);
        const lanes reaction = volume * columns_times(&turn[j], rest->gradient[e]);
        put(v->pairs.widening, e, end, a);
        put(v->pairs.reaction, e, end, reaction);
        own += a;
        force += v->pressure[j] * reaction;
        squares += v->inverse_mass[j] * (a * a);
    }
    v->pairs.own[i] = vec3_of_lanes(volume * own);
    squares += v->inverse_mass[i] * (own * own);
    return (struct found){vec3_of_lanes(force + v->pressure[i] * volume * own),
                          volume * volume * lanes_sum(squares)};
}

/* In c->seen, R_i L_i takes the place of F: a_ij = R_i L_i V_j grad W_ij. */
static void find_turn(struct corotated *c, const struct rest *rest, size_t begin, size_t i)
{
    const struct mat3 *r = &c->volume_turn[begin + i];
    const struct columns turn = columns_of(r);
    c->seen[begin + i] = columns_times_sym3(&turn, rest->correction[i]);
    c->volume.gain[begin + i] = mat3_dot(r, &c->gradient[begin + i]) - rest->directions[i];
    c->volume.pressure[begin + i] = c->lambda * c->volume.gain[begin + i];
}

void corotated_volume_begin(struct corotated *c, struct vec3 *force)
{
#pragma omp parallel if (c->system.n > COROTATED_SOME)
    {
#pragma omp for schedule(static)
        for (size_t s = 0; s < c->volume.n_stretches; s++) {
            const struct stretch *at = &c->volume.stretch[s];
            for (size_t i = at->begin; i < at->end; i++)
                find_turn(c, at->solid->rest, at->solid->begin, i);
        }
#pragma omp for schedule(static)
        for (size_t s = 0; s < c->volume.n_stretches; s++) {
            const struct view v = view_of(c, c->volume.stretch[s].solid);
            const size_t first = c->volume.stretch[s].solid->begin;
            for (size_t i = c->volume.stretch[s].begin; i < c->volume.stretch[s].end; i++) {
                const struct found found = find_pairs(&v, c->seen + first, i);
                force[first + i] = found.force;
                c->volume.diagonal[first + i] = found.diagonal;
            }
        }
    }
}

/* ---- products ---- */

/* t_i. Even and odd pairs have separate sums, since each addition waits for the one before.
 * The fourth lane of x is 0, so that the fourth number of a vector does not count. */
static double widening_of(const struct view *v, size_t i)
{
    const struct rest *rest = v->rest;
    const uint32_t *to = rest->neighbor;
    const float *a = v->pairs.widening;
    const lanes own = v->x[i];
    const size_t end = rest->start[i + 1];
    lanes even = lanes_all(0.0), odd = even;
    size_t e = rest->start[i];
    for (; e + 1 < end; e += 2) {
        even += (v->x[to[e]] - own) * get(a, e);
        odd += (v->x[to[e + 1]] - own) * get(a, e + 1);
    }
    if (e < end)
        even += (v->x[to[e]] - own) * get(a, e);
    return lanes_sum(even + odd);
}

static struct vec3 force_of(const struct view *v, size_t i)
{
    const struct rest *rest = v->rest;
    const uint32_t *to = rest->neighbor;
    const float *a = v->pairs.reaction;
    const double *pressure = v->pressure;
    const size_t end = rest->start[i + 1];
    lanes even = lanes_all(0.0), odd = even;
    size_t e = rest->start[i];
    for (; e + 1 < end; e += 2) {
        even += pressure[to[e]] * get(a, e);
        odd += pressure[to[e + 1]] * get(a, e + 1);
    }
    if (e < end)
        even += pressure[to[e]] * get(a, e);
    return vec3_axpy(vec3_of_lanes(even + odd), pressure[i], v->pairs.own[i]);
}

void corotated_volume_widening(const struct corotated *c, const struct stretch *at,
                               double *widening)
{
    const struct view v = view_of(c, at->solid);
    for (size_t i = at->begin; i < at->end; i++)
        widening[at->solid->begin + i] = widening_of(&v, i);
}

void corotated_volume_reactions(const struct corotated *c, const struct stretch *at,
                                struct vec3 *force)
{
    const struct view v = view_of(c, at->solid);
    for (size_t i = at->begin; i < at->end; i++)
        force[at->solid->begin + i] = force_of(&v, i);
}

/* ---- for velocities, in place of pressures ---- */

/* `pressure` is that which velocities c->x make per time. */
static void press(const struct corotated *c, const struct stretch *at)
{
    const size_t first = at->solid->begin;
    double *pressure = c->volume.pressure;
    corotated_volume_widening(c, at, pressure);
    for (size_t i = first + at->begin; i < first + at->end; i++)
        pressure[i] *= c->lambda;
}

static void add_impulses(const struct corotated *c, const struct stretch *at, struct vec3 *w)
{
    const double dt2 = c->dt * c->dt;
    const size_t first = at->solid->begin;
    for (size_t i = first + at->begin; i < first + at->end; i++)
        if (c->inverse_mass[i] > 0.0) /* w of fixed ones stays 0 */
            w[i] = vec3_axpy(w[i], -dt2, c->volume.pressing[i]);
}

void corotated_volume_multiply(struct corotated *c, const struct vec3 *z, struct vec3 *w)
{
    const struct corotated_volume *v = &c->volume;
    const bool grouped = c->groups->n_groups > 0;
#pragma omp parallel if (c->system.n > COROTATED_SOME)
    {
#pragma omp for schedule(static)
        for (size_t i = 0; i < c->system.n; i++)
            c->x[i] = lanes_of_vec3(z[i]);
#pragma omp for schedule(static)
        for (size_t k = 0; k < v->n_stretches; k++)
            press(c, &v->stretch[k]);
#pragma omp for schedule(static)
        for (size_t k = 0; k < v->n_stretches; k++) {
            corotated_volume_reactions(c, &v->stretch[k], v->pressing);
            if (!grouped)
                add_impulses(c, &v->stretch[k], w);
        }
    }
    if (!grouped)
        return;
    corotated_groups_gather(c, v->pressing);
    for (size_t k = 0; k < v->n_stretches; k++)
        add_impulses(c, &v->stretch[k], w);
}
