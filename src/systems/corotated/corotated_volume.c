/* The matrix of the solve for volume (Eqs. 15-18, 30), for its conjugate gradients. With y_ij of
 * corotated_parts.h, a step's rotations fixed, and
 *
 *     a_ij = R_i y_ij,    t_i = sum_j x_ji . a_ij     the linear part of tr(R_i^T F_i)
 *
 * the force on particle i is that of lambda/2 sum_k V_k t_k^2:
 *
 *     f_i = sum_j lambda t_i V_i a_ij - lambda t_j V_j a_ji
 *
 * A product reads two vectors of each pair, in place of the matrices of both its particles. Memory
 * bandwidth limits it, so that the vectors are in single precision. */
#include "base/memory.h"
#include "systems/corotated/corotated_parts.h"

/* A body, whose arrays begin with its first particle and pair. */
struct view {
    const struct rest *rest;
    struct corotated_pairs pairs;
    lanes *x;
    double *pressure;
};

static struct view view_of(const struct corotated *c, const struct solid *solid)
{
    const struct corotated_pairs *all = &c->pairs;
    return (struct view){.rest = solid->rest,
                         .pairs = {.widening = all->widening + 3 * solid->first_pair,
                                   .reaction = all->reaction + 3 * solid->first_pair,
                                   .own = all->own + solid->begin},
                         .x = c->x + solid->begin,
                         .pressure = c->pressure + solid->begin};
}

enum status corotated_stretches_create(struct corotated *c, struct error *error)
{
    size_t n = c->n_solids + c->system.n / COROTATED_STRETCH;
    if (array_create(&c->stretch, n, sizeof *c->stretch, "solids", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < c->n_solids; k++)
        for (size_t begin = 0, end; begin < c->solid[k].rest->n; begin = end) {
            const size_t left = c->solid[k].rest->n - begin;
            end = begin + (left < COROTATED_STRETCH ? left : COROTATED_STRETCH);
            c->stretch[c->n_stretches++] = (struct stretch){&c->solid[k], begin, end};
        }
    return STATUS_OK;
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

/* Finds the vectors of the pairs of particle i, with V_i grad W_ji = -(V_i / V_j) V_j grad W_ij, so
 * that -V_j a_ji = V_i R_j L_j V_j grad W_ij. Returns the force, from the vectors before they are
 * rounded. */
static struct vec3 find_pairs(const struct view *v, const struct columns *turn, size_t i)
{
    const struct rest *rest = v->rest;
    const size_t end = rest->start[i + 1];
    lanes own = lanes_all(0.0), force = own;
    for (size_t e = rest->start[i]; e < end; e++) {
        const uint32_t j = rest->neighbor[e];
        const lanes a = columns_times(&turn[i], rest->gradient[e]);
        const lanes reaction = rest->volume[i] * columns_times(&turn[j], rest->gradient[e]);
        put(v->pairs.widening, e, end, a);
        put(v->pairs.reaction, e, end, reaction);
        own += rest->volume[i] * a;
        force += v->pressure[j] * reaction;
    }
    v->pairs.own[i] = vec3_of_lanes(own);
    return vec3_of_lanes(force + v->pressure[i] * own);
}

/* In c->seen, R_i L_i takes the place of F: a_ij = R_i L_i V_j grad W_ij. */
static void find_turn(struct corotated *c, const struct rest *rest, size_t begin, size_t i)
{
    const struct mat3 *r = &c->volume_turn[begin + i];
    const struct columns turn = columns_of(r);
    c->seen[begin + i] = columns_times_sym3(&turn, rest->correction[i]);
    c->pressure[begin + i] = c->lambda * (mat3_dot(r, &c->gradient[begin + i]) - 3.0);
}

void corotated_volume_begin(struct corotated *c, struct vec3 *force)
{
#pragma omp parallel if (c->system.n > COROTATED_SOME)
    {
#pragma omp for schedule(static)
        for (size_t s = 0; s < c->n_stretches; s++) {
            const struct stretch *at = &c->stretch[s];
            for (size_t i = at->begin; i < at->end; i++)
                find_turn(c, at->solid->rest, at->solid->begin, i);
        }
#pragma omp for schedule(static)
        for (size_t s = 0; s < c->n_stretches; s++) {
            const struct view v = view_of(c, c->stretch[s].solid);
            const size_t first = c->stretch[s].solid->begin;
            for (size_t i = c->stretch[s].begin; i < c->stretch[s].end; i++)
                force[first + i] = find_pairs(&v, c->seen + first, i);
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

double corotated_volume_pressures(struct corotated *c, const struct stretch *at)
{
    const struct view v = view_of(c, at->solid);
    double sum = 0.0;
    for (size_t i = at->begin; i < at->end; i++) {
        const double t = widening_of(&v, i);
        v.pressure[i] = c->lambda * t;
        sum += v.pressure[i] * v.rest->volume[i] * t;
    }
    return sum;
}

void corotated_volume_reactions(const struct corotated *c, const struct stretch *at,
                                struct vec3 *force)
{
    const struct view v = view_of(c, at->solid);
    for (size_t i = at->begin; i < at->end; i++)
        force[at->solid->begin + i] = force_of(&v, i);
}
