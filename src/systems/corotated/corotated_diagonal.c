/* The diagonals of the matrices for shape and for all forces, for preconditioners: second
 * derivatives of the energies with respect to one particle. The part of volume depends on
 * rotations, but its mean over x, y and z does not. */
#include "systems/corotated/corotated_parts.h"

/* What the zero-energy control of neighborhood i needs: sums over its pairs of c_ij X_ji (x) X_ji,
 * of c_ij X_ji, of c_ij, and of y_ij. */
struct moments {
    struct mat3 second;
    struct vec3 first, y;
    double zeroth;
};

static struct moments moments_of(const struct corotated *c, const struct rest *rest, size_t i)
{
    struct moments m = {.second = mat3_zero()};
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        struct vec3 span = vec3_sub(rest->position[rest->neighbor[e]], rest->position[i]);
        double weight = c->control * rest->control[e];
        mat3_add_outer(&m.second, vec3_scale(weight, span), span);
        m.first = vec3_axpy(m.first, weight, span);
        m.y = vec3_add(m.y, rest_corrected(rest, i, e));
        m.zeroth += weight;
    }
    return m;
}

static double second_derivative(const struct moments *m, struct vec3 y)
{
    return vec3_dot(y, mat3_mul_vec3(&m->second, y));
}

/* Adds the second derivatives of the energy of neighborhood i. Moving a neighbor k changes F by
 * y_ik and x_ki, which is in e_ik alone; moving the particle itself changes F by minus the sum of
 * y, and every x_ji. */
static void add_neighborhood(struct corotated *c, const struct solid *solid, size_t i)
{
    const struct rest *rest = solid->rest;
    const struct moments m = moments_of(c, rest, i);
    double *shape = c->shape_diagonal + solid->begin, *whole = c->whole_diagonal + solid->begin;
    double by_shape = 2.0 * c->mu * rest->volume[i], by_volume = c->lambda * rest->volume[i] / 3.0;
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        uint32_t k = rest->neighbor[e];
        struct vec3 span = vec3_sub(rest->position[k], rest->position[i]);
        struct vec3 y = rest_corrected(rest, i, e);
        double weight = c->control * rest->control[e];
        shape[k] += by_shape * vec3_norm2(y) + second_derivative(&m, y) +
                    weight * (1.0 - 2.0 * vec3_dot(y, span));
        whole[k] += by_volume * vec3_norm2(y);
    }
    shape[i] += by_shape * vec3_norm2(m.y) + second_derivative(&m, m.y) -
                2.0 * vec3_dot(m.y, m.first) + m.zeroth;
    whole[i] += by_volume * vec3_norm2(m.y);
}

void corotated_diagonals(struct corotated *c)
{
    for (size_t k = 0; k < c->n_solids; k++)
        for (size_t i = 0; i < c->solid[k].rest->n; i++)
            add_neighborhood(c, &c->solid[k], i);
    for (size_t i = 0; i < c->system.n; i++)
        c->whole_diagonal[i] += c->shape_diagonal[i];
}
