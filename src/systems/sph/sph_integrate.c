/* The explicit step of the fluid, symplectic Euler: v' = v + dt F / m, x' = x + dt v'. A
 * meta-particle feels the fluid's forces on its members in this system, the outside forces on all
 * its members, and has the mass of the whole group. */
#include "base/blocks.h"
#include "sph/pressure_terms.h"
#include "systems/sph/sph_parts.h"

static void move_alone(const struct sph *sph, const struct particles *p, double dt,
                       const struct groups *groups, struct motion *motion)
{
    size_t first = sph->system.first;
#pragma omp parallel for schedule(static) if (sph->system.n > ONE_THREAD)
    for (size_t i = 0; i < sph->system.n; i++) {
        struct vec3 v = motion->before[first + i];
        if (!groups->fixed[first + i])
            v = vec3_axpy(v, dt / groups->mass[first + i],
                          vec3_add(sph->force[i], p->force[first + i]));
        motion->own_after[first + i] = motion->own_mean[first + i] = v;
    }
}

static void move_groups(const struct sph *sph, const struct particles *p, double dt,
                        const struct groups *groups, struct motion *motion)
{
    size_t first = sph->system.first, end = first + sph->system.n;
    for (size_t g = 0; g < groups->n_groups; g++) {
        const uint32_t *member = groups->member + groups->start[g];
        size_t n = groups->start[g + 1] - groups->start[g];
        struct vec3 force = vec3(0.0, 0.0, 0.0);
        if (groups->fixed[member[0]])
            continue;
        for (size_t k = 0; k < n; k++) {
            force = vec3_add(force, p->force[member[k]]);
            if (member[k] >= first && member[k] < end)
                force = vec3_add(force, sph->force[member[k] - first]);
        }
        double inverse_mass = 1.0 / groups->mass[member[0]];
        for (size_t k = 0; k < n; k++)
            if (member[k] >= first && member[k] < end)
                motion->own_after[member[k]] = motion->own_mean[member[k]] =
                    vec3_axpy(motion->before[member[k]], dt * inverse_mass, force);
    }
}

enum status sph_integrate(struct system *system, const struct particles *p,
                          const struct groups *groups, double dt, struct motion *motion,
                          struct solve_report *report, struct error *error)
{
    (void)error;
    const struct sph *sph = (const struct sph *)system;
    move_alone(sph, p, dt, groups, motion);
    move_groups(sph, p, dt, groups, motion);
    *report = (struct solve_report){0};
    return STATUS_OK;
}

/* ---- where the energy went ---- */

const struct energy_term *const sph_terms[SPH_TERMS] = {
    [SPH_PRESSURE_WORK] = &energy_pressure_work,
    [SPH_COMPRESSION_MAX] = &energy_density_error_max,
    [SPH_COMPRESSION_MEAN] = &energy_density_error_mean,
    [SPH_IMPULSE] = &energy_fluid_impulse[0],
    [SPH_IMPULSE + 1] = &energy_fluid_impulse[1],
    [SPH_IMPULSE + 2] = &energy_fluid_impulse[2],
};

struct account_context {
    const struct sph *sph;
    const struct particles *particles;
    const struct motion *motion;
};

enum { PRESSURE_POWER, VISCOUS_POWER, N_POWERS };

static void add_powers(size_t begin, size_t end, const void *context, double *sum)
{
    const struct account_context *c = context;
    const struct vec3 *mean = c->motion->mean + c->sph->system.first;
    for (size_t i = begin; i < end; i++) {
        const struct sph_drag *d = &c->sph->drag[i];
        struct vec3 drag = vec3((double)d->x, (double)d->y, (double)d->z);
        sum[PRESSURE_POWER] += vec3_dot(mean[i], vec3_sub(c->sph->force[i], drag));
        sum[VISCOUS_POWER] += vec3_dot(mean[i], drag);
    }
}

static void report_compression(const struct sph *sph, struct work_report *report)
{
    struct sph_block all = {0};
    for (size_t b = 0; b < sph_blocks(sph); b++) {
        all.compression_max = fmax(all.compression_max, sph->block[b].compression_max);
        all.compression += sph->block[b].compression;
        all.n_here += sph->block[b].n_here;
    }
    report->term[SPH_COMPRESSION_MAX].value = all.compression_max;
    report->term[SPH_COMPRESSION_MEAN] = (struct term_value){all.compression, all.n_here};
}

void sph_account(struct system *system, const struct particles *p, const struct groups *groups,
                 double dt, const struct motion *motion, struct work_report *report)
{
    const struct sph *sph = (const struct sph *)system;
    const struct account_context context = {sph, p, motion};
    double power[N_POWERS];
    blocks_sums(system->n, N_POWERS, add_powers, &context, power);
    *report = (struct work_report){.damping = -dt * power[VISCOUS_POWER]};
    report->term[SPH_PRESSURE_WORK].value = -dt * power[PRESSURE_POWER];
    sph_solids_account(sph, groups, dt, motion, report);
    report_compression(sph, report);
    for (size_t i = 0; i < system->n; i++) {
        if (!groups->fixed[system->first + i])
            continue;
        struct vec3 impulse = vec3_scale(dt, sph->force[i]);
        if (p->state[system->first + i] == PARTICLE_PRESCRIBED) {
            report->on_prescribed = vec3_add(report->on_prescribed, impulse);
            report->prescribed_work -= vec3_dot(motion->mean[system->first + i], impulse);
        } else {
            report_on_support(report, impulse, motion->mean[system->first + i]);
        }
    }
    report->on_supports = vec3_sub(report->on_supports, sph_wall_impulse(sph, p, dt));
}
