#include "analysis/derived.h"

#include "measure/stability.h"

#include <math.h>
#include <string.h>

const struct column derived_columns[DERIVED_WIDTH] = {
#define DERIVED_COLUMN(name, unit, sentence) {#name, unit, sentence},
    DERIVED_COLUMNS(DERIVED_COLUMN)
#undef DERIVED_COLUMN
};

/* The columns of the ledger that are needed here. */
enum {
    KINETIC,
    ELASTIC,
    GRAVITATIONAL,
    CONTACT_POTENTIAL,
    ENERGY_IMBALANCE,
    MOMENTUM,
    ANGULAR = MOMENTUM + 3,
    GRAVITY_IMPULSE = ANGULAR + 3,
    SUPPORT_IMPULSE = GRAVITY_IMPULSE + 3,
    COUPLING_IMPULSE = SUPPORT_IMPULSE + 3,
    RESIDUAL_IMPULSE = COUPLING_IMPULSE + 3,
    INLET_IMPULSE = RESIDUAL_IMPULSE + 3,
    IMPULSE_OF_AIR = INLET_IMPULSE + 3,
    OUTLET_IMPULSE = IMPULSE_OF_AIR + 3,
    MOMENTUM_SCALE = OUTLET_IMPULSE + 3,
    TIME,
    N_NEEDED
};
_Static_assert((int)N_NEEDED == (int)DERIVED_NEEDS, "derived.h says how many there are");

static const char *const needed[N_NEEDED] = {
    [KINETIC] = "kinetic",
    [ELASTIC] = "elastic",
    [GRAVITATIONAL] = "gravitational",
    [CONTACT_POTENTIAL] = "contact_potential",
    [ENERGY_IMBALANCE] = "energy_imbalance",
    [MOMENTUM] = "momentum_x",
    [MOMENTUM + 1] = "momentum_y",
    [MOMENTUM + 2] = "momentum_z",
    [ANGULAR] = "angular_x",
    [ANGULAR + 1] = "angular_y",
    [ANGULAR + 2] = "angular_z",
    [GRAVITY_IMPULSE] = "gravity_impulse_x",
    [GRAVITY_IMPULSE + 1] = "gravity_impulse_y",
    [GRAVITY_IMPULSE + 2] = "gravity_impulse_z",
    [SUPPORT_IMPULSE] = "support_impulse_x",
    [SUPPORT_IMPULSE + 1] = "support_impulse_y",
    [SUPPORT_IMPULSE + 2] = "support_impulse_z",
    [COUPLING_IMPULSE] = "coupling_impulse_x",
    [COUPLING_IMPULSE + 1] = "coupling_impulse_y",
    [COUPLING_IMPULSE + 2] = "coupling_impulse_z",
    [RESIDUAL_IMPULSE] = "residual_impulse_x",
    [RESIDUAL_IMPULSE + 1] = "residual_impulse_y",
    [RESIDUAL_IMPULSE + 2] = "residual_impulse_z",
    [INLET_IMPULSE] = "inlet_impulse_x",
    [INLET_IMPULSE + 1] = "inlet_impulse_y",
    [INLET_IMPULSE + 2] = "inlet_impulse_z",
    [IMPULSE_OF_AIR] = "air_impulse_x",
    [IMPULSE_OF_AIR + 1] = "air_impulse_y",
    [IMPULSE_OF_AIR + 2] = "air_impulse_z",
    [OUTLET_IMPULSE] = "outlet_impulse_x",
    [OUTLET_IMPULSE + 1] = "outlet_impulse_y",
    [OUTLET_IMPULSE + 2] = "outlet_impulse_z",
    [MOMENTUM_SCALE] = "momentum_scale",
    [TIME] = "time",
};

static double at(const struct derived *d, const double *row, int column)
{
    return row[d->place[column]];
}

static struct vec3 vector_at(const struct derived *d, const double *row, int column)
{
    return vec3(at(d, row, column), at(d, row, column + 1), at(d, row, column + 2));
}

static enum status find_columns(struct derived *d, const struct table *ledger, struct error *error)
{
    for (int i = 0; i < N_NEEDED && ledger->n_columns > 0; i++) {
        while (d->place[i] < ledger->n_columns &&
               strcmp(ledger->column[d->place[i]].name, needed[i]) != 0)
            d->place[i]++;
        if (d->place[i] == ledger->n_columns)
            return error_set(error, STATUS_INVALID,
                             "the ledger has no column '%s'; the frames are of another version",
                             needed[i]);
    }
    return STATUS_OK;
}

static void sum_add(struct exact_sum *sum, double x)
{
    double t = sum->value + x;
    if (fabs(sum->value) >= fabs(x))
        sum->rest += (sum->value - t) + x;
    else
        sum->rest += (x - t) + sum->value;
    sum->value = t;
}

static double sum_total(const struct exact_sum *sum)
{
    /* after an overflow the carried rest is nan, but the sum still has its sign */
    return isfinite(sum->value) ? sum->value + sum->rest : sum->value;
}

static struct vec3 sums_total(const struct exact_sum sum[3])
{
    return vec3(sum_total(&sum[0]), sum_total(&sum[1]), sum_total(&sum[2]));
}

static void sums_add(struct exact_sum sum[3], struct vec3 x)
{
    sum_add(&sum[0], x.x);
    sum_add(&sum[1], x.y);
    sum_add(&sum[2], x.z);
}

static void start_with_particles(struct derived *d, const struct particles *p)
{
    struct exact_sum mass = {0}, momentum[3] = {0}, angular[3] = {0}, center[3] = {0};
    d->free = true;
    for (size_t i = 0; i < p->n; i++) {
        sum_add(&mass, p->mass[i]);
        sums_add(center, vec3_scale(p->mass[i], p->position[i]));
        d->free = d->free && !p->state[i];
        if (p->state[i])
            continue;
        struct vec3 impulse = vec3_scale(p->mass[i], p->velocity[i]);
        sums_add(momentum, impulse);
        sums_add(angular, vec3_cross(p->position[i], impulse));
    }
    d->momentum = sums_total(momentum);
    d->angular = sums_total(angular);
    d->mass = sum_total(&mass);
    d->least = stability_least_energy(p, 1.0);
    struct vec3 middle = vec3_scale(1.0 / d->mass, sums_total(center));
    for (size_t i = 0; i < p->n; i++)
        d->size = fmax(d->size, vec3_norm(vec3_sub(p->position[i], middle)));
}

enum status derived_begin(struct derived *d, const struct particles *initial,
                          const struct table *ledger, struct error *error)
{
    *d = (struct derived){0};
    start_with_particles(d, initial);
    return find_columns(d, ledger, error);
}

void derived_again(struct derived *d)
{
    static const struct exact_sum zero;
    d->energy_imbalance = zero;
    for (int k = 0; k < 3; k++)
        d->impulse[k] = d->coupling[k] = d->residual[k] = zero;
    d->momentum_scale = d->energy_scale = 0.0;
}

/* ---- a step ---- */

static double energy_after(const struct derived *d, const double *row)
{
    return at(d, row, KINETIC) + at(d, row, ELASTIC) + at(d, row, GRAVITATIONAL);
}

/* All energy that is there, by parts that do not cancel. Where nothing moves yet, the balance is
 * off by the rounding of the gravitational one, whatever the origin of heights. */
static double energy_there(const struct derived *d, const double *row)
{
    return at(d, row, KINETIC) + at(d, row, ELASTIC) + fabs(at(d, row, GRAVITATIONAL));
}

/* Whether supports acted in the step of this row: their impulse is above rounding if particles are
 * fixed or walls are touched. */
static bool is_supported(const struct derived *d, const double *row)
{
    return vec3_norm(vector_at(d, row, SUPPORT_IMPULSE)) > 1e-12 * at(d, row, MOMENTUM_SCALE);
}

static bool is_free(const struct derived *d, const double *row)
{
    return vec3_norm2(vector_at(d, row, GRAVITY_IMPULSE)) == 0.0 &&
           vec3_norm2(vector_at(d, row, OUTLET_IMPULSE)) == 0.0 &&
           vec3_norm2(vector_at(d, row, IMPULSE_OF_AIR)) == 0.0 && !is_supported(d, row);
}

static double larger(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}

static double ratio(double a, double b)
{
    return a == 0.0 ? 0.0 : a / b;
}

/* The angular momentum to which its drift is relative: that of the start, unless this is next to
 * nothing, or mostly of motion past the origin. The most that particles of this mass and energy
 * have is (2 m E)^(1/2) R. */
static double angular_scale(const struct derived *d)
{
    const double begun = vec3_norm(d->angular);
    const double most = sqrt(2.0 * d->mass * d->energy_scale) * d->size;
    return begun >= 0.01 * most && begun <= most ? begun : most;
}

/* What is above rounding: energy in all the time so far, and the most momentum that it gives. */
static void raise_scales(struct derived *d, const double *row)
{
    const double time = at(d, row, TIME), least = d->least / (time * time);
    d->momentum_scale = larger(d->momentum_scale, at(d, row, MOMENTUM_SCALE));
    d->energy_scale = larger(d->energy_scale, energy_there(d, row));
    d->momentum_least = sqrt(2.0 * d->mass * least);
    d->energy_least = least;
}

static void add_row(struct derived *d, const double *row)
{
    d->free = d->free && is_free(d, row);
    sum_add(&d->energy_imbalance, at(d, row, ENERGY_IMBALANCE));
    sums_add(d->impulse, vector_at(d, row, GRAVITY_IMPULSE));
    sums_add(d->impulse, vector_at(d, row, SUPPORT_IMPULSE));
    sums_add(d->impulse, vector_at(d, row, INLET_IMPULSE));
    sums_add(d->impulse, vector_at(d, row, IMPULSE_OF_AIR));
    sums_add(d->impulse, vec3_scale(-1.0, vector_at(d, row, OUTLET_IMPULSE)));
    sums_add(d->coupling, vector_at(d, row, COUPLING_IMPULSE));
    sums_add(d->residual, vector_at(d, row, RESIDUAL_IMPULSE));
    raise_scales(d, row);
}

struct derived_row derived_next(struct derived *d, const double *row)
{
    struct derived_row out;
    add_row(d, row);
    struct vec3 moved = vec3_sub(vector_at(d, row, MOMENTUM), d->momentum);
    struct vec3 turned = vec3_sub(vector_at(d, row, ANGULAR), d->angular);
    out.energy = energy_after(d, row) + at(d, row, CONTACT_POTENTIAL);
    struct vec3 drift = vec3_sub(moved, sums_total(d->impulse));
    struct vec3 coupling = sums_total(d->coupling);
    struct vec3 residual = sums_total(d->residual);
    const double scale = larger(d->momentum_scale, d->momentum_least);
    struct vec3 rest = vec3_sub(vec3_sub(drift, coupling), residual);
    out.momentum_drift = ratio(vec3_norm(drift), scale);
    out.coupling_drift = ratio(vec3_norm(coupling), scale);
    out.solver_drift = ratio(vec3_norm(residual), scale);
    out.momentum_remainder = ratio(vec3_norm(rest), scale);
    out.angular_drift = d->free ? ratio(vec3_norm(turned), angular_scale(d)) : (double)NAN;
    out.energy_imbalance_relative =
        ratio(fabs(sum_total(&d->energy_imbalance)), larger(d->energy_scale, d->energy_least));
    return out;
}
