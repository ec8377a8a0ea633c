/* What the network's forces do during a step, as the implicit step sees them. */
#include "systems/bonds/bond_network_parts.h"

enum status bond_network_prepare(struct system *system, const struct particles *p, double dt,
                                 struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    (void)error;
    bond_evaluate_at(net, p->position + system->first);
    bond_matrix_build(net, dt);
    net->solved = 0.0;
    return STATUS_OK;
}

/* Whether damping and stiffness enter an impulse in the proportion in which the matrix holds them:
 * then B alone gives their sum. */
static bool proportional(const struct bond_network *net)
{
    return !net->damped || (net->scheme.kappa == net->scheme.gamma && net->scheme.eta == 0.0);
}

/* The damping that B leaves out: dt C (rate - gamma / kappa mean). */
static void add_drag(struct bond_network *net, double dt, const struct vec3 *rate,
                     const struct vec3 *mean, struct vec3 *out)
{
    struct vec3 *drag = net->work.direction;
    double share = net->scheme.gamma / net->scheme.kappa;
    for (size_t i = 0; i < net->system.n; i++)
        drag[i] = vec3_axpy(rate[i], -share, mean[i]);
    bond_drag(net, drag, drag);
    for (size_t i = 0; i < net->system.n; i++)
        out[i] = vec3_axpy(out[i], dt, drag[i]);
}

void bond_network_impulses(struct bond_network *net, double dt, const struct vec3 *rate,
                           const struct vec3 *mean, struct vec3 *out)
{
    const struct vec3 *force = net->evaluation.force;
    double share = -1.0 / net->scheme.kappa;
    bond_matrix_pull(net, NULL, 0, mean);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < net->chunks.n; k++) {
        const struct bond_chunk *chunk = &net->chunks.chunk[k];
        for (size_t i = chunk->begin; i < chunk->end; i++)
            out[i] = vec3_axpy(vec3_scale(dt, force[i]), share, bond_pull_at(chunk, i));
    }
    if (!proportional(net))
        add_drag(net, dt, rate, mean, out);
}
