#include "analysis/summary.h"

#include "analysis/summary_parts.h"

#include <math.h>
#include <string.h>

static const struct key {
    const char *name, *unit, *sentence;
    summary_compute *compute;
    const char *column;
} keys[] = {
    {"particles", "1", "number of particles", value_particles, NULL},
    {"frames", "1", "number of frames", value_frames, NULL},
    {"steps", "1", "time steps done", value_steps, NULL},
    {"time", "s", "time at the end", value_final, "time"},
    {"end", "", "why the run ended, null if that was not recorded", value_end, NULL},
    {"dt_min", "s", "shortest time step", value_min, "dt"},
    {"dt_mean", "s", "mean time step", value_mean, "dt"},
    {"dt_max", "s", "longest time step", value_max, "dt"},
    {"displacement_max", "1", "largest step of a particle over its radius", value_max,
     "displacement"},
    {"beyond_radius_steps", "1", "steps in which a particle moved farther than its radius",
     value_final, "beyond_radius_steps"},
    {"beyond_radius_max", "1", "most particles that did so in one step", value_max,
     "beyond_radius"},
    {"relative_displacement_max", "1",
     "largest relative displacement of particles nearly in touch over the smallest radius",
     value_max, "relative_displacement"},
    {"relative_displacement_steps", "1", "steps in which that was above 1", value_final,
     "relative_displacement_steps"},
    {"wave_particle_min", "1", "fewest steps of an elastic wave through a particle", value_min,
     "wave_particle"},
    {"wave_body_min", "1", "... through a body", value_min, "wave_body"},

    {"penetrated_max", "1", "most particles that have penetrated a sheet at any time", value_max,
     "penetrated"},
    {"penetrated_final", "1", "particles that have penetrated a sheet at the end", value_final,
     "penetrated"},
    {"penetrated_mass_max", "kg", "most mass that has penetrated a sheet at any time", value_max,
     "penetrated_mass"},
    {"penetrated_mass_final", "kg", "mass that has penetrated a sheet at the end", value_final,
     "penetrated_mass"},
    {"crossings", "1", "crossing events of the run", value_sum, "crossings"},
    {"overlap_max", "1", "largest overlap of different bodies", value_max, "overlap_max"},
    {"overlap_mean_max", "1", "largest mean overlap", value_max, "overlap_mean"},
    {"overlap_half_max", "1", "most pairs with an overlap above 1/2", value_max, "overlap_half"},
    {"overlap_depth_max", "1", "largest depth over the smaller radius", value_max, "overlap_depth"},
    {"deflection_max", "m", "largest drop of a sheet below its initial position", value_max,
     "deflection"},
    {"deflection_final", "m", "largest drop of a sheet at the end", value_final, "deflection"},
    {"strain_max", "1", "largest strain of a sheet's stretch springs", value_max, "strain"},
    {"strain_final", "1", "largest strain of a sheet's stretch springs at the end", value_final,
     "strain"},
    {"self_contacts_max", "1", "most touching pairs of one body that no whole bond joins",
     value_max, "self_contacts"},
    {"self_depth_max", "1", "largest depth of these over the smaller radius", value_max,
     "self_depth"},

    {"impact_step", "1", "first step after which different bodies touch", value_at_impact, "step"},
    {"impact_time", "s", "time at the end of that step", value_at_impact, "time"},
    {"impact_speed", "m/s", "largest speed then", value_final_if_touched, "impact_speed"},
    {"impact_kinetic", "J", "kinetic energy then", value_final_if_touched, "impact_kinetic"},
    {"impact_internal", "J", "of that, what is relative to the common center of mass",
     value_final_if_touched, "impact_internal"},
    {"energy_available", "J",
     "that energy and the most that gravity, moving supports, inlets and what was stored added",
     value_max_if_touched, "energy_available"},
    {"energy_created", "J", "energy that contact created, whatever else dissipated", value_max,
     "energy_created"},
    {"speed_allowed", "m/s", "speed that an elastic impact and gravity allow", value_max_if_touched,
     "speed_allowed"},
    {"energy_gain", "1", "largest energy gain over energy_available", value_max_if_touched,
     "energy_gain"},
    {"speed_ratio", "1", "largest 99.9th percentile of speed over speed_allowed then",
     value_max_if_touched, "speed_ratio"},
    {"speed_max", "m/s", "largest speed", value_max, "speed_max"},
    {"speed_of_motion_max", "m/s", "largest displacement of a step over its length", value_max,
     "speed_of_motion"},
    {"speed_of_motion_final", "m/s", "the same in the last step", value_final, "speed_of_motion"},
    {"not_finite", "", "first column that holds a value that is not finite", value_not_finite,
     NULL},
    {"unstable", "",
     "more energy or speed than physics allows (docs/measures.md), or a value not finite",
     value_unstable, "unstable"},
    {"interlocked_max", "1", "most pairs of bodies with a center inside the other particle",
     value_max, "interlocked"},
    {"interlocked_steps", "1", "steps after which there were such pairs", value_final,
     "interlocked_steps"},
    {"interlocked_final", "1", "such pairs at the end", value_final, "interlocked"},
    {"free_contact_time_final", "s",
     "time that bodies have touched until the end and nothing held them", value_final,
     "free_contact_time"},
    {"separation_time", "s", "time in which bodies that nothing holds must have parted",
     value_final_if_touched, "separation_time"},
    {"sticking", "",
     "at the end, interlocked_final above 0 or free_contact_time_final above separation_time",
     value_final_truth, "sticking"},

    {"momentum_drift", "1", "largest drift of momentum", value_max, "momentum_drift"},
    {"coupling_drift", "1", "largest part of it that synchronization causes", value_max,
     "coupling_drift"},
    {"solver_drift", "1", "largest part of it that the linear solver causes", value_max,
     "solver_drift"},
    {"momentum_remainder", "1", "largest drift of momentum less these parts", value_max,
     "momentum_remainder"},
    {"angular_drift", "1", "largest drift of angular momentum, free systems", value_max_if_defined,
     "angular_drift"},
    {"energy_imbalance_relative", "1", "largest sum of energy_imbalance over the largest energy",
     value_max, "energy_imbalance_relative"},
    {"energy_start", "J", "mechanical energy before the first step", value_final, "energy_start"},
    {"energy_final", "J", "mechanical energy at the end", value_final, "energy"},
    {"energy_kept", "1", "1 - mechanical energy lost since the impact over energy_available",
     value_energy_kept, "energy"},
    {"kinetic_final", "J", "kinetic energy at the end", value_final, "kinetic"},
    {"kinetic_of_motion_final", "J", "the same by the displacements of the last step", value_final,
     "kinetic_of_motion"},
    {"kinetic_max", "J", "largest kinetic energy", value_max, "kinetic"},
    {"merge_stored", "J", "put into virtual bonds by merging", value_sum, "merge_stored"},
    {"split_returned", "J", "kinetic energy that splitting added", value_sum, "split_returned"},
    {"merge_dissipated", "J", "kept back by alpha < 1", value_sum, "merge_dissipated"},
    {"sync_stored", "J", "put into virtual bonds by synchronizing", value_sum, "sync_stored"},
    {"sync_dissipated", "J", "kept back by beta < 1", value_sum, "sync_dissipated"},
    {"coupling", "J", "work of forces inside systems that synchronization does not pass on",
     value_sum, "coupling"},
    {"damping", "J", "dissipated by bond damping and viscosity", value_sum, "damping"},
    {"friction", "J", "dissipated by friction of contacts", value_sum, "friction"},
    {"numerical_dissipation", "J", "dissipated by the time integrator, of kinetic energy",
     value_sum, "numerical_dissipation"},
    {"lost_by_steps", "J",
     "what steps took, of kinetic and of elastic energy: numerical_dissipation - turn_work - "
     "linearization - rotation_renewal",
     value_lost_by_steps, NULL},
    {"turn_work", "J", "work of what keeps the spin of implicit bodies", value_sum, "turn_work"},
    {"spin_returned", "kg m2/s", "angular momentum kept in this way", value_sum, "spin_returned"},
    {"spin_lost", "kg m2/s", "angular momentum that forces inside implicit bodies took", value_sum,
     "spin_lost"},
    {"numerical_dissipation_fraction", "1",
     "the same since the impact over energy_available less the kinetic energy of common motion",
     value_final_if_touched, "numerical_dissipation_fraction"},
    {"linearization", "J", "elastic energy gained beyond the linearized work", value_sum,
     "linearization"},
    {"linearization_gain_max", "J", "largest rise of this sum above its lowest so far", value_max,
     "linearization_gain"},
    {"pressure_work", "J", "work done against the pressure of fluids", value_sum, "pressure_work"},
    {"contact_work", "J", "work done against the baselines' contact forces", value_sum,
     "contact_work"},
    {"residual_work", "J", "work of the solver's residual", value_sum, "residual_work"},
    {"broken_energy", "J", "elastic energy released by breaking bonds", value_sum, "broken_energy"},
    {"inlet_mass", "kg", "mass that flowed in", value_sum, "inlet_mass"},
    {"inlet_energy", "J", "energy that it brought, and work of prescribed particles", value_sum,
     "inlet_energy"},
    {"outlet_mass", "kg", "mass that flowed out", value_sum, "outlet_mass"},
    {"outlet_energy", "J", "energy that it took along", value_sum, "outlet_energy"},

    {"contacts_max", "1", "most pairs in contact", value_max, "contacts"},
    {"contacts_mean", "1", "mean number of pairs in contact", value_mean, "contacts"},
    {"approaching", "1", "approaching pairs, summed over steps", value_sum, "approaching"},
    {"late", "1", "pairs merged in later stages, summed over steps", value_sum, "late"},
    {"unresolved", "1", "pairs still approaching after the last stage, summed", value_sum,
     "unresolved"},
    {"unresolved_max", "1", "most of them in one step", value_max, "unresolved"},
    {"nearer", "1", "pairs in contact that motion brought nearer in a step, summed", value_sum,
     "nearer"},
    {"nearer_merged", "1", "of these, pairs of one meta-particle, summed", value_sum,
     "nearer_merged"},
    {"nearer_fraction", "1", "of pairs in contact, those that motion brought nearer in a step",
     value_nearer_fraction, NULL},
    {"nearer_unexplained", "1",
     "most of them in one step beyond those deferred or unresolved in it", value_nearer_unexplained,
     NULL},
    {"nearer_depth_max", "1", "the most that one came nearer, over the smaller radius", value_max,
     "nearer_depth"},
    {"deferred", "1", "pairs not merged because of the size limit, summed", value_sum, "deferred"},
    {"deferred_fraction", "1", "of approaching and late pairs", value_deferred_fraction, NULL},
    {"deferred_again_fraction", "1", "of deferred pairs, those deferred in the step before, too",
     value_deferred_again_fraction, NULL},
    {"deferred_longest", "1", "most steps in a row that a pair was deferred", value_max,
     "deferred_longest"},
    {"largest_group", "1", "members of the largest meta-particle", value_max, "largest_group"},
    {"groups_max", "1", "most meta-particles", value_max, "groups"},
    {"splits_with_root_fraction", "1", "of splits that had a real root of MS 13",
     value_splits_with_root_fraction, NULL},
    {"later_stage_fraction", "1", "of steps that needed more than one stage",
     value_later_stage_fraction, "stages"},
    {"stages_mean", "1", "mean number of stages", value_mean, "stages"},
    {"iterations_first_mean", "1", "mean solver iterations of the first stage", value_mean,
     "iterations_first"},
    {"iterations_later_mean", "1", "mean solver iterations of later stages", value_mean,
     "iterations_later"},
    {"later_iteration_ratio", "1", "iterations of later stages over those of the first",
     value_later_iteration_ratio, NULL},
    {"density_error_max", "1", "largest density error of a fluid's particle", value_max,
     "density_error_max"},
    {"density_error_mean_max", "1", "largest mean density error of fluids", value_max,
     "density_error_mean"},
    {"density_error_mean", "1", "mean of that over time", value_final, "density_error_so_far"},
    {"unsolved_steps", "1", "steps in which solves for pressure left more than their tolerance",
     value_final, "unsolved_steps"},
    {"pressure_left_max", "1", "the most that one left, over its tolerance", value_max,
     "pressure_left"},
    {"stopped", "1", "particles stopped by walls as a last resort, summed over steps", value_sum,
     "stopped"},
    {"residual_max", "1", "largest relative residual of a solve", value_max, "residual"},
    {"broken_bonds", "1", "bonds broken", value_final, "broken_bonds"},

    {"fragments", "1", "fragments of bodies that can break, at the end", value_final_if_breakable,
     "fragments"},
    {"chunks", "1", "fragments of more than 3 particles at the end", value_final_if_breakable,
     "chunks"},
    {"largest_fraction", "1",
     "of these bodies' particles, in the largest fragment of a body, at the end",
     value_final_if_breakable, "largest_fraction"},
    {"debris_fraction", "1", "of these bodies' particles, in fragments of at most 3, at the end",
     value_final_if_breakable, "debris_fraction"},
    {"detached_fraction", "1", "of the particles of one such body, in other chunks, at the end",
     value_final_if_breakable, "detached_fraction"},
    {"through_crack_step", "1", "first step that left a through-crack", value_at_through_crack,
     "step"},
    {"through_crack_time", "s", "time at the end of that step", value_at_through_crack, "time"},
    {"overlap_before", "1", "largest overlap up to then, or to the end", value_final_if_breakable,
     "overlap_before"},
    {"depth_before", "1", "largest depth over the smaller radius up to then, or to the end",
     value_final_if_breakable, "depth_before"},
    {"speed_before", "m/s", "largest speed up to then, or to the end", value_final_if_breakable,
     "speed_before"},
    {"speed_before_ratio", "1", "the same over the speed at impact", value_speed_before_ratio,
     NULL},
};

enum { N_KEYS = sizeof keys / sizeof keys[0] };

struct value summary_value(const struct analysis *analysis, const char *key)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].name, key) == 0)
            return keys[i].compute(analysis, keys[i].column);
    return value_none();
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

void summary_print_columns(struct json *json, size_t n, const struct column *column,
                           const double *value)
{
    for (size_t i = 0; i < n; i++)
        print_value(json, column[i].name, isnan(value[i]) ? value_none() : value_number(value[i]));
}

/* Writes a value of the configuration. */
static void print_setting(void *context, const char *key, enum config_item item, const char *text,
                          bool is_number)
{
    struct json *json = context;
    key = item == CONFIG_ENTRY ? NULL : key;
    if (item == CONFIG_LIST)
        json_list(json, key);
    else if (item == CONFIG_LIST_END)
        json_list_close(json);
    else if (is_number)
        json_number_text(json, key, text);
    else
        json_text(json, key, text);
}

void summary_print(FILE *stream, const struct analysis *analysis)
{
    struct json json = json_open(stream);
    for (size_t i = 0; i < N_KEYS; i++)
        print_value(&json, keys[i].name, keys[i].compute(analysis, keys[i].column));
    for (size_t i = 0; analysis->history && run_tables[i]; i++)
        if (run_tables[i]->summarize)
            run_tables[i]->summarize(&json, analysis->history[i], analysis);
    if (analysis->config) {
        json_object(&json, "config");
        config_list(analysis->config, print_setting, &json);
        json_close(&json);
    }
    json_close(&json);
}

void summary_print_keys(FILE *stream)
{
    fputs("\nsummary.json:\n", stream);
    for (size_t i = 0; i < N_KEYS; i++)
        fprintf(stream, "  %-30s %-8s %s\n", keys[i].name, keys[i].unit, keys[i].sentence);
    for (size_t i = 0; run_tables[i]; i++)
        if (run_tables[i]->explain_summary)
            run_tables[i]->explain_summary(stream);
    fputs(
        "\nconfig of summary.json: every key of ms-sample --help-config, as \"time.end\", with the "
        "value of this run.\n",
        stream);
}
