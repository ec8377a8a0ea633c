#include "analysis/digest.h"

#include "analysis/summary.h"

/* A value of the summary with the words around it; left out if the run has none. */
struct part {
    const char *before, *key, *after;
};

enum { PARTS = 4 };

/* A line is left out if its first part is. */
static const struct line {
    const char *title;
    struct part part[PARTS];
} lines[] = {
    {"run", {{"", "time", " s"}, {" in ", "steps", " steps"}, {", ended: ", "end", ""}}},
    {"particles", {{"", "particles", ""}, {", in steps of ", "dt_mean", " s on average"}}},
    {"impact", {{"at ", "impact_time", " s"}, {", ", "impact_speed", " m/s"}}},
    {"through",
     {{"", "penetrated_max", " particles at once on the wrong side of a sheet"},
      {", ", "penetrated_final", " at the end"}}},
    {"overlap",
     {{"", "overlap_max", " of the distance at which bodies touch"},
      {", in itself ", "self_depth_max", " radii"}}},
    {"sticking",
     {{"", "sticking", ""}, {", ", "interlocked_final", " pairs interlocked at the end"}}},
    {"energy",
     {{"", "energy_start", " J at the start"},
      {", ", "energy_final", " J at the end"},
      {", kept since the impact: ", "energy_kept", ""}}},
    {"lost",
     {{"to damping and viscosity ", "damping", " J"},
      {", to friction ", "friction", " J"},
      {", to steps ", "lost_by_steps", " J"},
      {", since the impact ", "numerical_dissipation_fraction", " of the energy there was"}}},
    {"contact", {{"made ", "energy_created", " J out of nowhere"}}},
    {"drift",
     {{"of momentum ", "momentum_drift", ""}, {", of angular momentum ", "angular_drift", ""}}},
    {"ledger", {{"closes to ", "energy_imbalance_relative", " of the energy"}}},
    {"cracks",
     {{"", "fragments", " fragments"},
      {", ", "broken_bonds", " bonds broken"},
      {", in debris ", "debris_fraction", " of the particles"}}},
    {"unstable",
     {{"", "unstable", ""},
      {", energy_gain ", "energy_gain", ""},
      {", speed_ratio ", "speed_ratio", ""}}},
};

static void print_part(FILE *stream, const struct part *part, struct value value)
{
    if (value.kind == VALUE_NUMBER)
        fprintf(stream, "%s%.4g%s", part->before, value.number, part->after);
    else if (value.kind == VALUE_TRUTH)
        fprintf(stream, "%s%s%s", part->before, value.number != 0.0 ? "yes" : "no", part->after);
    else
        fprintf(stream, "%s%s%s", part->before, value.text, part->after);
}

void digest_print(FILE *stream, const struct analysis *analysis)
{
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const struct line *line = &lines[i];
        if (summary_value(analysis, line->part[0].key).kind == VALUE_NONE)
            continue;
        fprintf(stream, "%-11s ", line->title);
        for (size_t k = 0; k < PARTS && line->part[k].key; k++) {
            struct value value = summary_value(analysis, line->part[k].key);
            if (value.kind != VALUE_NONE)
                print_part(stream, &line->part[k], value);
        }
        fputc('\n', stream);
    }
}
