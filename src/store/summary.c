#include "store/summary.h"

#include "store/json.h"
#include "store/rebound.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond these a run counts as unstable (docs/measures.md). */
static const double gain_limit = 0.5, speed_limit = 3.0;

static struct value number(double x)
{
    return (struct value){VALUE_NUMBER, x, NULL};
}

static struct value truth(bool x)
{
    return (struct value){VALUE_TRUTH, x ? 1.0 : 0.0, NULL};
}

static struct value text(const char *x)
{
    return (struct value){x ? VALUE_TEXT : VALUE_NONE, 0.0, x};
}

static const struct value none = {VALUE_NONE, 0.0, NULL};

/* A column of whichever table has it. */
static struct series series_of(const struct analysis *a, const char *column)
{
    struct series s = table_series(&a->record->ledger, column);
    if (s.stride == 0)
        s = table_series(&a->record->measure, column);
    if (s.stride == 0)
        s = table_series(&a->derived, column);
    return s;
}

static struct value max_of(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    return s.n ? number(gsl_stats_max(s.value, s.stride, s.n)) : none;
}

static struct value min_of(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    return s.n ? number(gsl_stats_min(s.value, s.stride, s.n)) : none;
}

static struct value mean_of(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    return s.n ? number(gsl_stats_mean(s.value, s.stride, s.n)) : none;
}

static struct value final_of(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    return s.n ? number(s.value[(s.n - 1) * s.stride]) : none;
}

static struct value sum_of(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    double sum = 0.0;
    for (size_t i = 0; i < s.n; i++)
        sum += s.value[i * s.stride];
    return s.stride > 0 ? number(sum) : none;
}

/* As max_of, but a column of nan means that it has no meaning for this run. */
static struct value max_if_defined(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    size_t i = 0;
    while (i < s.n && isnan(s.value[i * s.stride]))
        i++;
    return i < s.n ? max_of(a, column) : none;
}

/* Whether bodies ever touched; the columns of stability are 0 until then. */
static bool touched(const struct analysis *a)
{
    return final_of(a, "impact_kinetic").number > 0.0;
}

static struct value final_if_touched(const struct analysis *a, const char *column)
{
    return touched(a) ? final_of(a, column) : none;
}

static struct value max_if_touched(const struct analysis *a, const char *column)
{
    return touched(a) ? max_of(a, column) : none;
}

/* The value in the first row after the impact. */
static struct value at_impact(const struct analysis *a, const char *column)
{
    struct series impact = series_of(a, "impact_kinetic"), s = series_of(a, column);
    for (size_t i = 0; i < impact.n && i < s.n; i++)
        if (impact.value[i * impact.stride] > 0.0)
            return number(s.value[i * s.stride]);
    return none;
}

static struct value particles(const struct analysis *a, const char *column)
{
    (void)column;
    return number((double)a->record->initial.particles.n);
}

static struct value steps(const struct analysis *a, const char *column)
{
    (void)column;
    return number((double)a->record->ledger.n_rows);
}

static struct value frames(const struct analysis *a, const char *column)
{
    (void)column;
    return number((double)a->record->n_frames);
}

static struct value end(const struct analysis *a, const char *column)
{
    (void)column;
    return text(a->record->end);
}

/* The first column with a value that is no number, if any. */
static const char *not_finite_column(const struct table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        for (size_t row = 0; row < table->n_rows; row++)
            if (!isfinite(table->value[row * table->n_columns + i]))
                return table->column[i].name;
    return NULL;
}

static struct value not_finite(const struct analysis *a, const char *column)
{
    (void)column;
    const char *name = not_finite_column(&a->record->ledger);
    return text(name ? name : not_finite_column(&a->record->measure));
}

static struct value unstable(const struct analysis *a, const char *column)
{
    struct value gain = max_if_touched(a, "energy_gain"), ratio = max_if_touched(a, "speed_ratio");
    bool fast = ratio.kind == VALUE_NUMBER && !(ratio.number <= speed_limit);
    bool gained = gain.kind == VALUE_NUMBER && !(gain.number <= gain_limit);
    return truth(fast || gained || not_finite(a, column).kind != VALUE_NONE);
}

/* What the impact's kinetic energy has become: 1 if nothing was lost since. Without meaning if
 * anything flowed in or out since: then there is more, or less, than that to lose. */
static struct value energy_kept(const struct analysis *a, const char *column)
{
    struct value impact = at_impact(a, column), end = final_of(a, column);
    double passed = final_of(a, "energy_passed").number - at_impact(a, "energy_passed").number;
    if (impact.kind == VALUE_NONE || passed != 0.0)
        return none;
    return number(1.0 - (impact.number - end.number) / final_of(a, "impact_kinetic").number);
}

/* part / (part + rest), or a column over another, from their sums. */
static struct value share(double part, double whole)
{
    return whole != 0.0 ? number(part / whole) : none;
}

static struct value root_share(const struct analysis *a, const char *column)
{
    (void)column;
    double roots = sum_of(a, "roots").number;
    return share(roots, roots + sum_of(a, "rootless").number);
}

/* The last stage of a step is to merge the approaching and the late ones. */
static struct value skipped_share(const struct analysis *a, const char *column)
{
    (void)column;
    double wanted = sum_of(a, "approaching").number + sum_of(a, "late").number;
    return share(sum_of(a, "skipped").number, wanted);
}

static struct value again_share(const struct analysis *a, const char *column)
{
    (void)column;
    return share(sum_of(a, "skipped_again").number, sum_of(a, "skipped").number);
}

/* Steps that needed more than one stage. */
static struct value later_stage_share(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    double count = 0.0;
    for (size_t i = 0; i < s.n; i++)
        count += s.value[i * s.stride] > 1.0;
    return share(count, (double)s.n);
}

/* Solver iterations of the later stages over those of the first, in steps that had later ones. */
static struct value later_iteration_share(const struct analysis *a, const char *column)
{
    (void)column;
    struct series first = series_of(a, "iterations_first"),
                  later = series_of(a, "iterations_later");
    struct series stages = series_of(a, "stages");
    double sum_first = 0.0, sum_later = 0.0;
    if (first.n != stages.n || later.n != stages.n)
        return none;
    for (size_t i = 0; i < stages.n; i++)
        if (stages.value[i * stages.stride] > 1.0) {
            sum_first += first.value[i * first.stride];
            sum_later += later.value[i * later.stride];
        }
    return share(sum_later, sum_first);
}

static const struct key {
    const char *name, *unit, *sentence;
    struct value (*compute)(const struct analysis *, const char *column);
    const char *column;
} keys[] = {
    {"particles", "1", "number of particles", particles, NULL},
    {"frames", "1", "number of frames", frames, NULL},
    {"steps", "1", "time steps done", steps, NULL},
    {"time", "s", "time at the end", final_of, "time"},
    {"end", "", "why the run ended, null if that was not recorded", end, NULL},
    {"dt_min", "s", "shortest time step", min_of, "dt"},
    {"dt_mean", "s", "mean time step", mean_of, "dt"},
    {"dt_max", "s", "longest time step", max_of, "dt"},
    {"displacement_max", "1", "largest step of a particle over its radius", max_of, "displacement"},

    {"wrong_side_max", "1", "most particles on the wrong side at any time", max_of, "wrong_side"},
    {"wrong_side_final", "1", "particles on the wrong side at the end", final_of, "wrong_side"},
    {"wrong_side_mass_max", "kg", "most mass on the wrong side at any time", max_of,
     "wrong_side_mass"},
    {"wrong_side_mass_final", "kg", "mass on the wrong side at the end", final_of,
     "wrong_side_mass"},
    {"crossings", "1", "crossing events of the run", sum_of, "crossings"},
    {"overlap_max", "1", "largest overlap of different bodies", max_of, "overlap_max"},
    {"overlap_mean_max", "1", "largest mean overlap", max_of, "overlap_mean"},
    {"overlap_half_max", "1", "most pairs with an overlap above 1/2", max_of, "overlap_half"},
    {"sag_max", "m", "largest drop of a sheet below its initial position", max_of, "sag"},
    {"sag_final", "m", "largest drop of a sheet at the end", final_of, "sag"},

    {"impact_step", "1", "first step after which different bodies touch", at_impact, "step"},
    {"impact_time", "s", "time at the end of that step", at_impact, "time"},
    {"impact_speed", "m/s", "largest speed then", final_if_touched, "impact_speed"},
    {"impact_kinetic", "J", "kinetic energy then", final_if_touched, "impact_kinetic"},
    {"energy_gain", "1", "largest energy gain over the kinetic energy at impact", max_if_touched,
     "energy_gain"},
    {"speed_ratio", "1", "largest 99.9th percentile of speed over impact speed", max_if_touched,
     "speed_ratio"},
    {"speed_max", "m/s", "largest speed", max_of, "speed_max"},
    {"not_finite", "", "first column that holds a value that is not finite", not_finite, NULL},
    {"unstable", "", "gain above 0.5, ratio above 3, or a value not finite", unstable, NULL},

    {"momentum_drift", "1", "largest drift of momentum", max_of, "momentum_drift"},
    {"coupling_drift", "1", "largest part of it that Eq. 17 causes", max_of, "coupling_drift"},
    {"momentum_rest", "1", "largest drift of momentum less that part", max_of, "momentum_rest"},
    {"angular_drift", "1", "largest drift of angular momentum, free systems", max_if_defined,
     "angular_drift"},
    {"energy_closure", "1", "largest sum of closure over the largest energy", max_of,
     "closure_sum"},
    {"energy_start", "J", "mechanical energy before the first step", final_of, "energy_start"},
    {"energy_final", "J", "mechanical energy at the end", final_of, "energy"},
    {"energy_kept", "1", "1 - mechanical energy lost since the impact over the kinetic energy then",
     energy_kept, "energy"},
    {"kinetic_final", "J", "kinetic energy at the end", final_of, "kinetic"},
    {"kinetic_max", "J", "largest kinetic energy", max_of, "kinetic"},
    {"bond_in", "J", "put into virtual bonds by merging", sum_of, "bond_in"},
    {"bond_out", "J", "returned from virtual bonds by splitting", sum_of, "bond_out"},
    {"bond_lost", "J", "kept back by alpha < 1", sum_of, "bond_lost"},
    {"sync_in", "J", "put into virtual bonds by synchronizing", sum_of, "sync_in"},
    {"sync_lost", "J", "kept back by beta < 1", sum_of, "sync_lost"},
    {"coupling", "J", "work that Eq. 17 does not pass on", sum_of, "coupling"},
    {"damping", "J", "dissipated by bond damping and viscosity", sum_of, "damping"},
    {"numerical", "J", "dissipated by the time integrator", sum_of, "numerical"},
    {"linearization", "J", "elastic energy gained beyond the linearized work", sum_of,
     "linearization"},
    {"fluid", "J", "work done against the pressure of fluids", sum_of, "fluid"},
    {"contact_work", "J", "work done against the rivals' contact forces", sum_of, "contact_work"},
    {"residual_work", "J", "work of the solver's residual", sum_of, "residual_work"},
    {"broken", "J", "elastic energy released by breaking bonds", sum_of, "broken"},
    {"inflow_mass", "kg", "mass that flowed in", sum_of, "inflow_mass"},
    {"inflow_energy", "J", "energy that it brought, and work of driven particles", sum_of,
     "inflow_energy"},
    {"outflow_mass", "kg", "mass that flowed out", sum_of, "outflow_mass"},
    {"outflow_energy", "J", "energy that it took along", sum_of, "outflow_energy"},

    {"contacts_max", "1", "most pairs in contact", max_of, "contacts"},
    {"contacts_mean", "1", "mean number of pairs in contact", mean_of, "contacts"},
    {"approaching", "1", "approaching pairs, summed over steps", sum_of, "approaching"},
    {"late", "1", "pairs merged in later stages, summed over steps", sum_of, "late"},
    {"unresolved", "1", "pairs still approaching after the last stage, summed", sum_of,
     "unresolved"},
    {"unresolved_max", "1", "most of them in one step", max_of, "unresolved"},
    {"skipped", "1", "pairs not merged because of the size limit, summed", sum_of, "skipped"},
    {"skipped_share", "1", "of approaching and late pairs", skipped_share, NULL},
    {"skipped_again_share", "1", "of skipped pairs, those skipped in the step before, too",
     again_share, NULL},
    {"skipped_longest", "1", "most steps in a row that a pair was skipped", max_of,
     "skipped_longest"},
    {"largest_group", "1", "members of the largest meta-particle", max_of, "largest_group"},
    {"groups_max", "1", "most meta-particles", max_of, "groups"},
    {"root_share", "1", "of splits that had a real root of Eq. 13", root_share, NULL},
    {"later_stage_share", "1", "of steps that needed more than one stage", later_stage_share,
     "stages"},
    {"stages_mean", "1", "mean number of stages", mean_of, "stages"},
    {"iterations_first_mean", "1", "mean solver iterations of the first stage", mean_of,
     "iterations_first"},
    {"iterations_later_mean", "1", "mean solver iterations of later stages", mean_of,
     "iterations_later"},
    {"later_iteration_share", "1", "iterations of later stages over those of the first",
     later_iteration_share, NULL},
    {"density_error_max", "1", "largest density error of a fluid's particle", max_of,
     "density_error_max"},
    {"density_error_mean_max", "1", "largest mean density error of fluids", max_of,
     "density_error_mean"},
    {"stopped", "1", "fluid particles stopped by walls, summed over steps", sum_of, "stopped"},
    {"residual_max", "1", "largest relative residual of a solve", max_of, "residual"},
    {"broken_bonds", "1", "bonds broken", final_of, "broken_bonds"},
};

enum { N_KEYS = sizeof keys / sizeof keys[0] };

enum status analysis_create(const struct record *record, struct analysis *analysis,
                            struct error *error)
{
    *analysis = (struct analysis){.record = record};
    return derived_create(record, &analysis->derived, error);
}

void analysis_free(struct analysis *analysis)
{
    free(analysis->derived.value);
    *analysis = (struct analysis){0};
}

struct value summary_value(const struct analysis *analysis, const char *key)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].name, key) == 0)
            return keys[i].compute(analysis, keys[i].column);
    return none;
}

static void print_value(struct json *json, const char *key, struct value value)
{
    if (value.kind == VALUE_NUMBER)
        json_number(json, key, value.number);
    else if (value.kind == VALUE_TRUTH)
        json_truth(json, key, value.number != 0.0);
    else
        json_text(json, key, value.text);
}

/* Values with the names of columns as keys; nan has no meaning. */
static void print_columns(struct json *json, size_t n, const struct column *column,
                          const double *value)
{
    for (size_t i = 0; i < n; i++)
        print_value(json, column[i].name, isnan(value[i]) ? none : number(value[i]));
}

static void print_bodies(struct json *json, const struct analysis *analysis)
{
    const struct body_history *bodies = analysis->bodies;
    struct value impact = at_impact(analysis, "time");
    double time = impact.kind == VALUE_NUMBER ? impact.number : (double)NAN;
    json_object(json, "bodies");
    for (size_t b = 0; b < bodies->n_bodies; b++) {
        struct rebound rebound = rebound_measure(bodies, b, time);
        json_object(json, analysis->record->initial.body_name[b]);
        print_columns(json, REBOUND_WIDTH, rebound_columns, (const double *)&rebound);
        json_close(json);
    }
    json_close(json);
}

static void print_sheets(struct json *json, const struct analysis *analysis)
{
    const struct spectrum *spectrum = analysis->spectrum;
    json_object(json, "sheets");
    for (size_t k = 0; k < spectrum->n_sheets; k++) {
        struct bending bending = spectrum_bending(spectrum, k);
        json_object(json, analysis->record->initial.body_name[spectrum->sheet[k].body]);
        print_columns(json, BENDING_WIDTH, bending_columns, (const double *)&bending);
        json_close(json);
    }
    json_close(json);
}

void summary_print(FILE *stream, const struct analysis *analysis)
{
    struct json json = json_open(stream);
    for (size_t i = 0; i < N_KEYS; i++)
        print_value(&json, keys[i].name, keys[i].compute(analysis, keys[i].column));
    if (analysis->bodies)
        print_bodies(&json, analysis);
    if (analysis->spectrum)
        print_sheets(&json, analysis);
    json_close(&json);
}

void summary_print_keys(FILE *stream)
{
    fputs("\nsummary.json:\n", stream);
    for (size_t i = 0; i < N_KEYS; i++)
        fprintf(stream, "  %-22s %-8s %s\n", keys[i].name, keys[i].unit, keys[i].sentence);
    columns_print(stream, "bodies.NAME of summary.json", REBOUND_WIDTH, rebound_columns);
    columns_print(stream, "sheets.NAME of summary.json", BENDING_WIDTH, bending_columns);
}
