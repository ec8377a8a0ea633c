/* Where the energy and the momentum of a step went. Viscosity takes what its forces do along the
 * velocities that they were found from; what they do along those that pressure adds counts as work
 * of pressure. Displacements that repair the density have no impulse: what they lift shows in the
 * ledger's numerical_dissipation. */
#include "base/blocks.h"
#include "sph/pressure_terms.h"
#include "systems/dfsph/dfsph_parts.h"

const struct energy_term *const dfsph_terms[DFSPH_TERMS] = {
    [DFSPH_PRESSURE_WORK] = &energy_pressure_work,
    [DFSPH_COMPRESSION_MAX] = &energy_density_error_max,
    [DFSPH_COMPRESSION_MEAN] = &energy_density_error_mean,
    [DFSPH_DIVERGENCE] = &energy_divergence_error,
    [DFSPH_LEFT] = &energy_pressure_left,
    [DFSPH_VELOCITY_PRODUCTS] = &energy_velocity_iterations,
    [DFSPH_DISPLACEMENT_PRODUCTS] = &energy_displacement_iterations,
    [DFSPH_VISCOSITY_PRODUCTS] = &energy_viscosity_iterations,
};

struct account_context {
    const struct dfsph *fluid;
    const struct vec3 *mean; /* by index - first */
};

enum { PRESSURE_POWER, VISCOUS_POWER, N_POWERS };

static void add_powers(size_t begin, size_t end, const void *context, double *sum)
{
    const struct account_context *c = context;
    const struct dfsph *fluid = c->fluid;
    for (size_t i = begin; i < end; i++) {
        sum[PRESSURE_POWER] += vec3_dot(c->mean[i], fluid->impulse[i]);
        if (fluid->drag)
            sum[VISCOUS_POWER] += vec3_dot(c->mean[i], fluid->drag[i]);
    }
}

void dfsph_account(struct system *system, const struct particles *p, const struct groups *groups,
                   double dt, const struct motion *motion, struct work_report *report)
{
    const struct dfsph *fluid = (const struct dfsph *)system;
    const struct vec3 *mean = motion->mean + system->first;
    const struct account_context context = {fluid, mean};
    (void)dt;
    double power[N_POWERS];
    blocks_sums(system->n, N_POWERS, add_powers, &context, power);
    const double taken = fluid->viscosity.taken;
    *report = (struct work_report){.damping = taken};
    report->term[DFSPH_PRESSURE_WORK].value = -power[PRESSURE_POWER] - power[VISCOUS_POWER] - taken;
    report->term[DFSPH_COMPRESSION_MAX].value = fluid->crowding.worst;
    report->term[DFSPH_COMPRESSION_MEAN] =
        (struct term_value){fluid->crowding.sum, fluid->crowding.n};
    report->term[DFSPH_DIVERGENCE].value = fluid->velocity.left;
    report->term[DFSPH_LEFT].value =
        pressure_left(&fluid->pressure.settings.keys, fluid->velocity.left, fluid->repair.left);
    report->term[DFSPH_VELOCITY_PRODUCTS].value = (double)fluid->velocity_products;
    report->term[DFSPH_DISPLACEMENT_PRODUCTS].value = (double)fluid->displacement_products;
    report->term[DFSPH_VISCOSITY_PRODUCTS].value = (double)fluid->viscosity_products;
    for (size_t i = 0; i < system->n; i++) {
        if (!groups->fixed[system->first + i])
            continue;
        struct vec3 impulse = fluid->impulse[i];
        if (fluid->drag)
            impulse = vec3_add(impulse, fluid->drag[i]);
        if (p->state[system->first + i] == PARTICLE_PRESCRIBED) {
            report->on_prescribed = vec3_add(report->on_prescribed, impulse);
            report->prescribed_work -= vec3_dot(mean[i], impulse);
        } else {
            report_on_support(report, impulse, mean[i]);
        }
    }
    report->on_supports = vec3_sub(report->on_supports, fluid->of_walls);
}
