/* The explicit control of zero-energy modes (Ganzenmueller, "An hourglass control algorithm for
 * Lagrangian smooth particle hydrodynamics", Comput. Methods Appl. Mech. Eng. 286, 2015), with
 * which the paper compares its own: the part of a pair's distance that the gradients at both ends
 * do not predict pushes the particles apart or together. With n = x_ji / |x_ji| and x_ji = x_j -
 * x_i,
 *
 *     f_i = -1/2 alpha' E sum_j V_i V_j W_ij / |X_ij|^2 (d_i + d_j) n,
 *     d_k = (F_k X_ji - x_ji) . n
 *
 * at the positions where a step begins. The solve does not include these forces, so that they are
 * stable for small alpha' dt^2 only. They have no energy. */
#include "systems/corotated/corotated_parts.h"

#include <string.h>

/* The force on particle i of a body, whose arrays begin with its first particle. */
static struct vec3 force_on(const struct rest *rest, double stiffness, const struct vec3 *x,
                            const struct mat3 *gradient, size_t i)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        uint32_t j = rest->neighbor[e];
        struct vec3 span = vec3_sub(rest->position[j], rest->position[i]),
                    way = vec3_sub(x[j], x[i]);
        double distance = vec3_norm(way);
        if (!(distance > 0.0))
            continue; /* at one point there is no direction to push */
        struct vec3 n = vec3_scale(1.0 / distance, way);
        double own = vec3_dot(mat3_mul_vec3(&gradient[i], span), n) - distance;
        double theirs = vec3_dot(mat3_mul_vec3(&gradient[j], span), n) - distance;
        sum = vec3_axpy(sum, -stiffness * rest->control[e] * (own + theirs), n);
    }
    return sum;
}

void corotated_control_forces(struct corotated *c, const struct vec3 *x, struct vec3 *force)
{
    corotated_gradients_alone(c, x);
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct solid *solid = &c->solid[k];
#pragma omp parallel for schedule(static) if (solid->rest->n > COROTATED_FEW)
        for (size_t i = 0; i < solid->rest->n; i++)
            force[solid->begin + i] =
                force_on(solid->rest, c->push, x + solid->begin, c->gradient + solid->begin, i);
    }
}

void corotated_control(struct corotated *c, const struct particles *p)
{
    const double *mass = c->groups->mass + c->system.first;
    if (!c->pushed)
        return;
    corotated_control_forces(c, p->position + c->system.first, c->pushed);
    for (size_t i = 0; i < c->system.n; i++)
        c->pushed[i] = vec3_scale(c->dt, c->pushed[i]);
    memcpy(c->right_side, c->pushed, c->system.n * sizeof *c->right_side);
    corotated_groups_gather(c, c->right_side);
    for (size_t i = 0; i < c->system.n; i++)
        c->fallen[i] = vec3_axpy(c->fallen[i], 1.0 / mass[i], c->right_side[i]);
}

void corotated_control_account(const struct corotated *c, const struct groups *groups,
                               const struct vec3 *mean, struct work_report *report)
{
    double work = 0.0;
    for (size_t i = 0; c->pushed && i < c->system.n; i++) {
        work += vec3_dot(c->pushed[i], mean[i]);
        if (groups->fixed[c->system.first + i])
            report_on_support(report, c->pushed[i], mean[i]);
    }
    report->term[COROTATED_CONTROL].value = -work;
}
