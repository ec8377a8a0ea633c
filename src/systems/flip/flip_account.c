/* Where the energy and the momentum of a step went. The impulse on a particle of the fluid is that
 * of the grid, m du, plus that of blending, m (v' - fall - du), which sums to zero over all
 * particles. */
#include "base/blocks.h"
#include "sph/pressure_terms.h"
#include "systems/flip/flip_parts.h"

static const struct energy_term crowding_work = {
    .name = "crowding_work",
    .unit = "J",
    .sentence = "of pressure_work, what letting out crowded fluid put in (FLIP)",
    .after = "pressure_work",
};

static const struct energy_term projection_loss = {
    .name = "projection_loss",
    .unit = "J",
    .sentence = "of the motion on the grid, what making it free of divergence took (FLIP)",
    .after = "crowding_work",
};

static const struct energy_term transfer_loss = {
    .name = "transfer_loss",
    .unit = "J",
    .sentence = "energy of the grid's changes of velocity less that of the particles' (FLIP)",
    .after = "projection_loss",
};

const struct energy_term *const flip_terms[FLIP_TERMS] = {
    [FLIP_PRESSURE_WORK] = &energy_pressure_work,  [FLIP_CROWDING_WORK] = &crowding_work,
    [FLIP_PROJECTION_LOSS] = &projection_loss,     [FLIP_TRANSFER_LOSS] = &transfer_loss,
    [FLIP_EXCESS_MAX] = &energy_density_error_max, [FLIP_EXCESS_MEAN] = &energy_density_error_mean,
    [FLIP_IMPULSE] = &energy_fluid_impulse[0],     [FLIP_IMPULSE + 1] = &energy_fluid_impulse[1],
    [FLIP_IMPULSE + 2] = &energy_fluid_impulse[2],
};

struct account_context {
    const struct flip *flip;
    const struct particles *particles;
    const struct groups *groups;
    const struct motion *motion;
};

/* The impulse that blending gives the particle in a slot, over its mass. */
static struct vec3 blending(const struct flip *flip, size_t s)
{
    return vec3_sub(flip_after(flip, s), vec3_add(flip->fall[s], flip->change[s]));
}

enum {
    PRESSURE_WORK,
    DAMPING,
    CHANGES, /* m |du|^2 / 2 */
    SUPPORT, /* impulse on fixed groups */
    SUPPORT_WORK = SUPPORT + 3,
    PRESCRIBED = SUPPORT_WORK + 1,
    PRESCRIBED_WORK = PRESCRIBED + 3,
    ON_SOLIDS = PRESCRIBED_WORK + 1,
    N_SUMS = ON_SOLIDS + 3
};

static void add_vec3(double *sum, struct vec3 a)
{
    sum[0] += a.x;
    sum[1] += a.y;
    sum[2] += a.z;
}

static void add_works(size_t begin, size_t end, const void *context, double *sum)
{
    const struct account_context *c = context;
    const struct flip *flip = c->flip;
    for (size_t s = begin; s < end; s++) {
        size_t i = flip->system.first + flip->particle[s];
        double m = flip->mass[s];
        struct vec3 pressure = vec3_scale(m, flip->change[s]);
        struct vec3 blend = vec3_scale(m, blending(flip, s)), mean = c->motion->mean[i];
        struct vec3 all = vec3_add(pressure, blend);
        sum[CHANGES] += 0.5 * vec3_dot(pressure, flip->change[s]);
        sum[PRESSURE_WORK] -= vec3_dot(pressure, mean);
        sum[DAMPING] -= vec3_dot(blend, mean);
        if (!c->groups->fixed[i])
            continue;
        if (c->particles->state[i] == PARTICLE_PRESCRIBED) {
            add_vec3(sum + PRESCRIBED, all);
            sum[PRESCRIBED_WORK] -= vec3_dot(all, mean);
        } else {
            add_vec3(sum + SUPPORT, all);
            sum[SUPPORT_WORK] -= vec3_dot(all, mean);
        }
    }
}

/* The same for solids that displace the fluid, by their number among them. */
static void add_solids(size_t begin, size_t end, const void *context, double *sum)
{
    const struct account_context *c = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = c->flip->solids->particle[k];
        struct vec3 impulse = c->flip->solids->impulse[i], mean = c->motion->mean[i];
        sum[PRESSURE_WORK] -= vec3_dot(impulse, mean);
        add_vec3(sum + ON_SOLIDS, impulse);
        if (c->groups->fixed[i]) {
            add_vec3(sum + SUPPORT, impulse);
            sum[SUPPORT_WORK] -= vec3_dot(impulse, mean);
        }
    }
}

static struct flip_sums add_tiles(const struct flip *flip)
{
    struct flip_sums sum = {0};
    for (size_t k = 0; k < flip->grid.n; k++) {
        const struct flip_sums *tile = &flip->sums[k];
        sum.wall = vec3_add(sum.wall, tile->wall);
        sum.projection_loss += tile->projection_loss;
        sum.crowding_work += tile->crowding_work;
        sum.excess_max = fmax(sum.excess_max, tile->excess_max);
        sum.excess += tile->excess;
        sum.cells += tile->cells;
    }
    return sum;
}

void flip_account(struct system *system, const struct particles *p, const struct groups *groups,
                  double dt, const struct motion *motion, struct work_report *report)
{
    struct flip *flip = (struct flip *)system;
    const struct account_context context = {flip, p, groups, motion};
    double sum[N_SUMS], of_solids[N_SUMS] = {0.0};
    blocks_sums(flip->n_slots, N_SUMS, add_works, &context, sum);
    if (flip->solids)
        blocks_sums(flip->solids->n, N_SUMS, add_solids, &context, of_solids);
    for (int k = 0; k < N_SUMS; k++)
        sum[k] += of_solids[k];
    flip_keep_inner(flip, p, groups, dt, motion);
    struct flip_sums tiles = add_tiles(flip);
    flip_keep_affine(flip);
    *report = (struct work_report){
        .damping = sum[DAMPING],
        .on_supports = vec3(sum[SUPPORT], sum[SUPPORT + 1], sum[SUPPORT + 2]),
        .support_work = sum[SUPPORT_WORK],
        .on_prescribed = vec3(sum[PRESCRIBED], sum[PRESCRIBED + 1], sum[PRESCRIBED + 2]),
        .prescribed_work = sum[PRESCRIBED_WORK]};
    report->on_supports = vec3_sub(report->on_supports, tiles.wall);
    report->term[FLIP_PRESSURE_WORK].value = sum[PRESSURE_WORK];
    report->term[FLIP_CROWDING_WORK].value = tiles.crowding_work;
    report->term[FLIP_PROJECTION_LOSS].value = tiles.projection_loss;
    report->term[FLIP_TRANSFER_LOSS].value = tiles.projection_loss - sum[CHANGES];
    report->term[FLIP_EXCESS_MAX].value = tiles.excess_max;
    report->term[FLIP_EXCESS_MEAN] = (struct term_value){tiles.excess, tiles.cells};
    for (int a = 0; a < 3; a++)
        report->term[FLIP_IMPULSE + a].value = sum[ON_SOLIDS + a];
}
