/* The ledger of a position-based step. Corrections are impulses: from before to after,
 *
 *     m (after - before) = dt (f + m lift) + sum over groups of m total / dt
 *                          + sum over changes of velocities alone of m shift / dt
 *
 * so that the work of a group on a particle is m total . mean / dt. Works on supports that move are
 * added with the opposite sign, as the ledger has the work of supports in a column of its own. */
#include "base/blocks.h"
#include "schemes/position_based.h"
#include "sph/pressure_terms.h"
#include "systems/energy.h"

struct summing {
    const struct position_based *s;
    const struct step_view *view;
};

enum {
    FRICTION = CONSTRAINT_KINDS,
    IMPULSE_X,
    IMPULSE_Y,
    IMPULSE_Z,
    LIFT_X,
    LIFT_Y,
    LIFT_Z,
    LIFT_WORK,
    N_SUMS
};

/* Adds an impulse, and its work along the motion. */
static void add_impulse(double *sum, struct vec3 impulse, struct vec3 mean)
{
    sum[0] += impulse.x;
    sum[1] += impulse.y;
    sum[2] += impulse.z;
    sum[3] += vec3_dot(impulse, mean);
}

static void add_works(size_t begin, size_t end, const void *context, double *sum)
{
    const struct summing *c = context;
    const struct position_based *s = c->s;
    for (size_t i = begin; i < end; i++) {
        if (!(s->weight[i] > 0.0))
            continue;
        const double rate = c->view->particles->mass[i] / c->view->dt;
        const struct vec3 mean = c->view->motion->mean[i];
        for (size_t k = 0; k < CONSTRAINT_KINDS; k++) {
            if (!s->set.group[k])
                continue;
            struct vec3 impulse = vec3_scale(rate, s->total[k][i]);
            sum[k] += vec3_dot(impulse, mean);
            sum[IMPULSE_X] += impulse.x;
            sum[IMPULSE_Y] += impulse.y;
            sum[IMPULSE_Z] += impulse.z;
        }
        sum[FRICTION] += rate * vec3_dot(s->rubbed[i], mean);
        if (s->set.lift)
            add_impulse(sum + LIFT_X, vec3_scale(rate * c->view->dt * c->view->dt, s->set.lift[i]),
                        mean);
    }
}

void position_sum_up(struct position_based *s, const struct step_view *view)
{
    const struct summing summing = {s, view};
    struct position_report *report = &s->report;
    double sum[N_SUMS];
    blocks_sums(s->candidates.n, N_SUMS, add_works, &summing, sum);
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
        report->work[k] = sum[k] - report->support_work[k] - report->inflow_work[k];
    report->friction = sum[FRICTION] - report->rubbed_work;
    const struct vec3 outer = vec3_add(report->support, report->inflow);
    report->unbalanced = vec3_add(
        report->unbalanced, vec3_sub(vec3(sum[IMPULSE_X], sum[IMPULSE_Y], sum[IMPULSE_Z]), outer));
    report->air = vec3_add(report->air, vec3(sum[LIFT_X], sum[LIFT_Y], sum[LIFT_Z]));
    report->air_work += sum[LIFT_WORK];
}

enum { CHANGE_X, CHANGE_Y, CHANGE_Z, CHANGE_WORK, N_CHANGE_SUMS };

static void add_change(size_t begin, size_t end, const void *context, double *sum)
{
    const struct summing *c = context;
    for (size_t i = begin; i < end; i++) {
        const double rate = c->view->particles->mass[i] / c->view->dt;
        add_impulse(sum + CHANGE_X, vec3_scale(rate, c->s->corrections.shift[i]),
                    c->view->motion->mean[i]);
    }
}

void position_add_change(struct position_based *s, const struct step_view *view,
                         enum velocity_change kind)
{
    const struct summing summing = {s, view};
    const struct corrections *c = &s->corrections;
    struct position_report *report = &s->report;
    double sum[N_CHANGE_SUMS];
    blocks_sums(s->candidates.n, N_CHANGE_SUMS, add_change, &summing, sum);
    struct vec3 *of_kind = kind <= CHANGE_VISCOUS ? &report->unbalanced : &report->air;
    *of_kind = vec3_add(*of_kind, vec3(sum[CHANGE_X], sum[CHANGE_Y], sum[CHANGE_Z]));
    report->changed[kind] += sum[CHANGE_WORK] - c->inflow_work;
    report->inflow = vec3_add(report->inflow, c->inflow);
    report->changed_work += c->inflow_work;
}

static const struct energy_term shape_work = {
    .name = "shape_work",
    .unit = "J",
    .sentence =
        "taken by constraints that keep the shape of rigid bodies, by rigid bonds and tethers",
    .after = "friction",
    .sign = TERM_LEAVES};
static const struct energy_term cohesion_work = {.name = "cohesion_work",
                                                 .unit = "J",
                                                 .sentence =
                                                     "work of the cohesion of fluids on them",
                                                 .after = "pressure_work",
                                                 .sign = TERM_ENTERS};
static const struct energy_term vorticity_work = {
    .name = "vorticity_work",
    .unit = "J",
    .sentence = "work of the vortices that gas carries, on gas",
    .after = "air_work",
    .sign = TERM_ENTERS};
static const struct energy_term enstrophy = {
    .name = "enstrophy",
    .unit = "1/s2",
    .sentence = "squared curl of the velocity of gas that positions give, mean over its particles",
    .after = "density_error_mean",
    .gather = TERM_MEAN};
static const struct energy_term volume_work = {
    .name = "volume_work",
    .unit = "J",
    .sentence = "taken by constraints that keep the volume of closed surfaces",
    .after = "shape_work",
    .sign = TERM_LEAVES};
static const struct energy_term unbalanced[3] = {
    {.name = "unbalanced_impulse_x",
     .unit = "kg m/s",
     .sentence = "what the averaging of corrections of positions adds to momentum",
     .after = "coupling_impulse_z"},
    {.name = "unbalanced_impulse_y",
     .unit = "kg m/s",
     .sentence = "what the averaging of corrections of positions adds to momentum",
     .after = "unbalanced_impulse_x"},
    {.name = "unbalanced_impulse_z",
     .unit = "kg m/s",
     .sentence = "what the averaging of corrections of positions adds to momentum",
     .after = "unbalanced_impulse_y"}};
const struct energy_term *const position_terms[POSITION_TERMS] = {
    [POSITION_FRICTION] = &contact_friction,
    [POSITION_SHAPES] = &shape_work,
    [POSITION_VOLUMES] = &volume_work,
    [POSITION_PRESSURE] = &energy_pressure_work,
    [POSITION_COMPRESSION_MAX] = &energy_density_error_max,
    [POSITION_COMPRESSION_MEAN] = &energy_density_error_mean,
    [POSITION_COHESION] = &cohesion_work,
    [POSITION_VORTICITY] = &vorticity_work,
    [POSITION_ENSTROPHY] = &enstrophy,
    [POSITION_UNBALANCED] = &unbalanced[0],
    [POSITION_UNBALANCED + 1] = &unbalanced[1],
    [POSITION_UNBALANCED + 2] = &unbalanced[2],
    [POSITION_AIR + AIR_WORK] = &air_work,
    [POSITION_AIR + AIR_IMPULSE] = &air_impulse[0],
    [POSITION_AIR + AIR_IMPULSE + 1] = &air_impulse[1],
    [POSITION_AIR + AIR_IMPULSE + 2] = &air_impulse[2],
};

void position_account(struct scheme *scheme, const struct step_view *view, struct step_work *work)
{
    const struct position_based *s = (const struct position_based *)scheme;
    const struct position_report *report = &s->report;
    (void)view;
    work->contact_work -= report->work[CONSTRAINT_CONTACTS] - report->friction;
    double shapes = report->work[CONSTRAINT_SHAPES] + report->work[CONSTRAINT_TETHERS];
    if (s->set.compliant)
        work->linearization += report->work[CONSTRAINT_DISTANCES];
    else
        shapes += report->work[CONSTRAINT_DISTANCES];
    work->support = vec3_add(work->support, report->support);
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
        work->support_work += report->support_work[k];
    work->prescribed = vec3_add(work->prescribed, report->inflow);
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
        work->prescribed_work += report->inflow_work[k];
    work->prescribed_work += report->changed_work;
    work->damping -= report->changed[CHANGE_VISCOUS];
    work->term[POSITION_FRICTION].value = -report->friction;
    work->term[POSITION_SHAPES].value = -shapes;
    work->term[POSITION_VOLUMES].value = -report->work[CONSTRAINT_VOLUMES];
    work->term[POSITION_PRESSURE].value = -report->work[CONSTRAINT_DENSITY];
    work->term[POSITION_COMPRESSION_MAX].value = report->compression.largest;
    work->term[POSITION_COMPRESSION_MEAN] =
        (struct term_value){report->compression.sum, report->compression.n};
    work->term[POSITION_COHESION].value = report->changed[CHANGE_COHESIVE];
    work->term[POSITION_VORTICITY].value = report->changed[CHANGE_VORTICAL];
    work->term[POSITION_ENSTROPHY] =
        (struct term_value){report->enstrophy.sum, report->enstrophy.n};
    work->term[POSITION_AIR + AIR_WORK].value = report->air_work + report->changed[CHANGE_AIR];
    work->term[POSITION_AIR + AIR_IMPULSE].value = report->air.x;
    work->term[POSITION_AIR + AIR_IMPULSE + 1].value = report->air.y;
    work->term[POSITION_AIR + AIR_IMPULSE + 2].value = report->air.z;
    work->term[POSITION_UNBALANCED].value = report->unbalanced.x;
    work->term[POSITION_UNBALANCED + 1].value = report->unbalanced.y;
    work->term[POSITION_UNBALANCED + 2].value = report->unbalanced.z;
}
