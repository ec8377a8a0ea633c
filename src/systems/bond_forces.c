/* Forces, energies and matrix blocks of the bonds at given positions. */
#include "base/blocks.h"
#include "systems/bond_network_parts.h"

/* One bond seen from its end i, at the positions given. */
struct bond_state {
    struct vec3 direction; /* unit vector towards the neighbor */
    double rate;           /* k / L, N/m */
    double tension;        /* k (l/L - 1), N */
    double transverse;     /* stiffness across the bond, N/m; not negative */
    double damping;        /* k tau / L, N s/m */
};

/* Across a compressed bond the stiffness k/L (1 - L/l) would be negative and could make the matrix
 * indefinite; it is left out there. */
static inline struct bond_state bond_at(const struct bond_network *net, const struct vec3 *x,
                                        size_t i, size_t e)
{
    const struct bond_kind *kind = &net->kinds[net->kind[e]];
    struct vec3 d = vec3_sub(x[net->neighbor[e]], x[i]);
    double length = vec3_norm(d);
    struct bond_state bond;
    bond.direction = vec3_scale(1.0 / length, d);
    bond.rate = kind->stiffness / net->rest_length[e];
    bond.tension = bond.rate * (length - net->rest_length[e]);
    bond.transverse = bond.tension > 0.0 ? bond.tension / length : 0.0;
    bond.damping = bond.rate * kind->damping;
    return bond;
}

enum status bond_network_prepare(struct system *system, const struct particles *p, double dt,
                                 struct error *error)
{
    struct bond_network *net = (struct bond_network *)system;
    (void)error;
    const struct vec3 *x = p->position + system->first;
    double stiffness_scale = dt * dt * net->scheme.gamma * net->scheme.kappa;
    double damping_scale = dt * net->scheme.gamma;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < system->n; i++) {
        struct vec3 force = vec3(0.0, 0.0, 0.0);
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            if (!net->whole[e]) {
                net->block[e] = (struct bond_block){0};
                continue;
            }
            struct bond_state bond = bond_at(net, x, i, e);
            force = vec3_axpy(force, bond.tension, bond.direction);
            double t = stiffness_scale * bond.transverse;
            double g = sqrt(stiffness_scale * bond.rate + damping_scale * bond.damping - t);
            net->block[e] = (struct bond_block){g * bond.direction.x, g * bond.direction.y,
                                                g * bond.direction.z, t};
        }
        net->elastic_force[i] = force;
    }
    bond_network_invert_blocks(net);
    return STATUS_OK;
}

void bond_network_impulses(const struct bond_network *net, const struct particles *p, double dt,
                           const struct vec3 *before, const struct vec3 *after,
                           const struct vec3 *mean, struct vec3 *elastic, struct vec3 *damping)
{
    const struct vec3 *x = p->position + net->system.first;
    double gamma = net->scheme.gamma;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++) {
        struct vec3 stretch = vec3(0.0, 0.0, 0.0), drag = vec3(0.0, 0.0, 0.0);
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            if (!net->whole[e])
                continue;
            size_t j = net->neighbor[e];
            struct bond_state bond = bond_at(net, x, i, e);
            struct vec3 u = vec3_sub(mean[j], mean[i]);
            double along = vec3_dot(u, bond.direction);
            stretch = vec3_axpy(stretch, (bond.rate - bond.transverse) * along, bond.direction);
            stretch = vec3_axpy(stretch, bond.transverse, u);
            struct vec3 rate = vec3_axpy(vec3_scale(1.0 - gamma, vec3_sub(before[j], before[i])),
                                         gamma, vec3_sub(after[j], after[i]));
            drag = vec3_axpy(drag, bond.damping * vec3_dot(rate, bond.direction), bond.direction);
        }
        elastic[i] = vec3_axpy(vec3_scale(dt, net->elastic_force[i]), dt * dt * gamma, stretch);
        damping[i] = vec3_scale(dt, drag);
    }
}

struct energy_context {
    const struct bond_network *net;
    const struct vec3 *position;
};

/* k L s^2 / 2 for each bond, half of it at either end. */
static double energy_of_rows(size_t begin, size_t end, const void *context)
{
    const struct energy_context *c = context;
    const struct bond_network *net = c->net;
    double energy = 0.0;
    for (size_t i = begin; i < end; i++) {
        double row = 0.0;
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            if (!net->whole[e])
                continue;
            double length = vec3_norm(vec3_sub(c->position[net->neighbor[e]], c->position[i]));
            double extension = length - net->rest_length[e];
            row += net->kinds[net->kind[e]].stiffness / net->rest_length[e] * extension * extension;
        }
        energy += 0.25 * row;
    }
    return energy;
}

double bond_network_elastic_energy(const struct system *system, const struct particles *p)
{
    const struct energy_context context = {(const struct bond_network *)system,
                                           p->position + system->first};
    return blocks_sum(system->n, energy_of_rows, &context);
}
