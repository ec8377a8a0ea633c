#include "analysis/derived.h"

#include "base/memory.h"

#include <math.h>

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
    OUTLET_IMPULSE = INLET_IMPULSE + 3,
    MOMENTUM_SCALE = OUTLET_IMPULSE + 3,
    N_NEEDED
};

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
    [OUTLET_IMPULSE] = "outlet_impulse_x",
    [OUTLET_IMPULSE + 1] = "outlet_impulse_y",
    [OUTLET_IMPULSE + 2] = "outlet_impulse_z",
    [MOMENTUM_SCALE] = "momentum_scale",
};

struct columns {
    size_t n;
    struct series of[N_NEEDED];
};

static double at(const struct columns *c, int column, size_t row)
{
    return c->of[column].value[row * c->of[column].stride];
}

static struct vec3 vector_at(const struct columns *c, int column, size_t row)
{
    return vec3(at(c, column, row), at(c, column + 1, row), at(c, column + 2, row));
}

static enum status find_columns(const struct record *record, struct columns *c, struct error *error)
{
    *c = (struct columns){.n = record->ledger.n_rows};
    for (int i = 0; i < N_NEEDED && record->ledger.n_columns > 0; i++) {
        c->of[i] = table_series(&record->ledger, needed[i]);
        if (c->of[i].stride == 0)
            return error_set(error, STATUS_INVALID,
                             "the ledger has no column '%s'; the frames are of another version",
                             needed[i]);
    }
    return STATUS_OK;
}

/* A sum with the rounding errors carried along (Neumaier): drifts are differences of sums over
 * thousands of steps and must show the rounding of the simulation, not that of the analysis. */
struct sum {
    double value, rest;
};

static void sum_add(struct sum *sum, double x)
{
    double t = sum->value + x;
    if (fabs(sum->value) >= fabs(x))
        sum->rest += (sum->value - t) + x;
    else
        sum->rest += (x - t) + sum->value;
    sum->value = t;
}

static double sum_total(const struct sum *sum)
{
    /* after an overflow the carried rest is nan, but the sum still has its sign */
    return isfinite(sum->value) ? sum->value + sum->rest : sum->value;
}

static struct vec3 sums_total(const struct sum sum[3])
{
    return vec3(sum_total(&sum[0]), sum_total(&sum[1]), sum_total(&sum[2]));
}

static void sums_add(struct sum sum[3], struct vec3 x)
{
    sum_add(&sum[0], x.x);
    sum_add(&sum[1], x.y);
    sum_add(&sum[2], x.z);
}

/* The state in which a run began. */
struct run_start {
    struct vec3 momentum, angular; /* kg m/s, kg m^2/s about the origin */
    double size;                   /* largest distance of a particle from the center of mass, m */
    bool free; /* no particle is ever fixed, flows out or touches a wall, and there is no gravity:
                  angular momentum is conserved */
};

static struct run_start start_of_particles(const struct particles *p)
{
    struct run_start start = {.free = true};
    struct sum mass = {0}, momentum[3] = {0}, angular[3] = {0}, center[3] = {0};
    for (size_t i = 0; i < p->n; i++) {
        sum_add(&mass, p->mass[i]);
        sums_add(center, vec3_scale(p->mass[i], p->position[i]));
        start.free = start.free && !p->state[i];
        if (p->state[i])
            continue;
        struct vec3 impulse = vec3_scale(p->mass[i], p->velocity[i]);
        sums_add(momentum, impulse);
        sums_add(angular, vec3_cross(p->position[i], impulse));
    }
    start.momentum = sums_total(momentum);
    start.angular = sums_total(angular);
    struct vec3 middle = vec3_scale(1.0 / sum_total(&mass), sums_total(center));
    for (size_t i = 0; i < p->n; i++)
        start.size = fmax(start.size, vec3_norm(vec3_sub(p->position[i], middle)));
    return start;
}

static double energy_after(const struct columns *c, size_t row)
{
    return at(c, KINETIC, row) + at(c, ELASTIC, row) + at(c, GRAVITATIONAL, row);
}

/* All energy that is there, by parts that do not cancel. Where nothing moves yet, the balance is
 * off by the rounding of the gravitational one, whatever the origin of heights. */
static double energy_there(const struct columns *c, size_t row)
{
    return at(c, KINETIC, row) + at(c, ELASTIC, row) + fabs(at(c, GRAVITATIONAL, row));
}

/* Whether supports acted in the step of this row: their impulse is above rounding if particles are
 * fixed or walls are touched. */
static bool is_supported(const struct columns *c, size_t row)
{
    return vec3_norm(vector_at(c, SUPPORT_IMPULSE, row)) > 1e-12 * at(c, MOMENTUM_SCALE, row);
}

static struct run_start find_start(const struct record *record, const struct columns *c)
{
    struct run_start start = start_of_particles(&record->initial.particles);
    for (size_t row = 0; row < c->n; row++)
        start.free = start.free && vec3_norm2(vector_at(c, GRAVITY_IMPULSE, row)) == 0.0 &&
                     vec3_norm2(vector_at(c, OUTLET_IMPULSE, row)) == 0.0 && !is_supported(c, row);
    return start;
}

/* Sums and maxima from the start to the current row. */
struct history {
    struct sum energy_imbalance, impulse[3], coupling[3], residual[3];
    double momentum_scale, energy_scale;
};

static double larger(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}

static double ratio(double a, double b)
{
    return a == 0.0 ? 0.0 : a / b;
}

/* The angular momentum to which its drift is relative: that of the start, unless this is next to
 * nothing, or mostly of motion past the origin. `most` is what these particles could have. */
static double angular_scale(const struct run_start *start, double most)
{
    const double begun = vec3_norm(start->angular);
    return begun >= 0.01 * most && begun <= most ? begun : most;
}

static struct derived_row derive(const struct columns *c, const struct run_start *start,
                                 struct history *history, size_t row)
{
    struct derived_row d;
    double stored = energy_after(c, row);
    sum_add(&history->energy_imbalance, at(c, ENERGY_IMBALANCE, row));
    sums_add(history->impulse, vector_at(c, GRAVITY_IMPULSE, row));
    sums_add(history->impulse, vector_at(c, SUPPORT_IMPULSE, row));
    sums_add(history->impulse, vector_at(c, INLET_IMPULSE, row));
    sums_add(history->impulse, vec3_scale(-1.0, vector_at(c, OUTLET_IMPULSE, row)));
    sums_add(history->coupling, vector_at(c, COUPLING_IMPULSE, row));
    sums_add(history->residual, vector_at(c, RESIDUAL_IMPULSE, row));
    history->momentum_scale = larger(history->momentum_scale, at(c, MOMENTUM_SCALE, row));
    history->energy_scale = larger(history->energy_scale, energy_there(c, row));
    struct vec3 moved = vec3_sub(vector_at(c, MOMENTUM, row), start->momentum);
    struct vec3 turned = vec3_sub(vector_at(c, ANGULAR, row), start->angular);
    d.energy = stored + at(c, CONTACT_POTENTIAL, row);
    struct vec3 drift = vec3_sub(moved, sums_total(history->impulse));
    struct vec3 coupling = sums_total(history->coupling);
    struct vec3 residual = sums_total(history->residual);
    struct vec3 rest = vec3_sub(vec3_sub(drift, coupling), residual);
    d.momentum_drift = ratio(vec3_norm(drift), history->momentum_scale);
    d.coupling_drift = ratio(vec3_norm(coupling), history->momentum_scale);
    d.solver_drift = ratio(vec3_norm(residual), history->momentum_scale);
    d.momentum_remainder = ratio(vec3_norm(rest), history->momentum_scale);
    double scale = angular_scale(start, history->momentum_scale * start->size);
    d.angular_drift = start->free ? ratio(vec3_norm(turned), scale) : (double)NAN;
    d.energy_imbalance_relative =
        ratio(fabs(sum_total(&history->energy_imbalance)), history->energy_scale);
    return d;
}

enum status derived_create(const struct record *record, struct table *table, struct error *error)
{
    struct columns c;
    struct derived_row *rows;
    *table = (struct table){DERIVED_WIDTH, derived_columns, record->ledger.n_rows, NULL};
    enum status status = find_columns(record, &c, error);
    if (status == STATUS_OK)
        status = array_create(&rows, c.n, sizeof *rows, "derived columns", error);
    if (status != STATUS_OK)
        return status;
    struct run_start start = find_start(record, &c);
    struct history history = {0};
    for (size_t row = 0; row < c.n; row++)
        rows[row] = derive(&c, &start, &history, row);
    table->value = (double *)rows;
    return STATUS_OK;
}
