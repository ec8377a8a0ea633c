/* Reads configurations and checks the complaints, for the tests of the configuration. */
#ifndef TESTS_CONFIG_READER_H
#define TESTS_CONFIG_READER_H

#include "config/config.h"
#include "config/model_keys.h"
#include "tap.h"

/* Whether the key is one of this model, and of no other. */
static inline bool is_only_for(const struct key *row, const char *model)
{
    char owners[256];
    model_key_owners(row, "|", owners, sizeof owners);
    return strcmp(owners, model) == 0;
}

/* One reading of a configuration, and its results. */
struct outcome {
    enum status status;
    struct config *config;
    struct complaints complaints;
    struct error error;
};

static inline struct outcome outcome_of_text(const char *text)
{
    struct outcome o = {0};
    o.status = config_parse(&o.config, "f", text, &o.complaints, &o.error);
    return o;
}

static inline void outcome_free(struct outcome *o)
{
    config_free(o->config);
    complaints_free(&o->complaints);
}

static inline void outcome_print(const struct outcome *o)
{
    for (size_t i = 0; i < o->complaints.n; i++)
        printf("#     %s\n", o->complaints.line[i]);
}

/* Checks that there are exactly these complaints, one to a line of `lines`, in this order. */
static inline void check_complaints(const struct outcome *o, const char *lines)
{
    char all[65536] = "";
    for (size_t i = 0; i < o->complaints.n; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s\n", o->complaints.line[i]);
    }
    if (!check(strcmp(all, lines) == 0))
        printf("#   expected\n%s#   got\n%s", lines, all);
    check_equal(o->status, lines[0] ? STATUS_INVALID : STATUS_OK, "status");
}

static inline void check_text_complaints(const char *text, const char *lines)
{
    struct outcome o = outcome_of_text(text);
    check_complaints(&o, lines);
    outcome_free(&o);
}

/* Whether there is ":<number from 1>:<number from 1>: " at p. */
static inline bool is_place(const char *p)
{
    for (int i = 0; i < 2; i++) {
        size_t digits = *p == ':' ? strspn(p + 1, "0123456789") : 0;
        if (digits == 0 || p[1] == '0')
            return false;
        p += 1 + digits;
    }
    return p[0] == ':' && p[1] == ' ';
}

/* Whether a complaint has the form that all promise: "file:line:column: wrong; right", in one
 * line. */
static inline bool complaint_is_well_formed(const char *line)
{
    bool placed = false;
    for (const char *p = line; *p; p++) {
        placed |= p > line && is_place(p);
        if ((unsigned char)*p < 0x20)
            return false;
    }
    return placed && strstr(line, "; ");
}

/* A configuration with every kind of material and of shape, one body each, named like it. */
static const char config_complete_text[] =
    "name: complete\n"
    "time: {end: 1, frame_interval: 0.01}\n"
    "materials:\n"
    "  spring: {model: mass-spring, stretch_stiffness: 40, shear_stiffness: 20, bend_stiffness: "
    "10}\n"
    "  brittle: {model: peridynamics, stiffness: 100, critical_stretch: 0.01}\n"
    "  tough: {model: peridynamics, stiffness: 100, fracture_energy: 10}\n"
    "  sand: {model: loose}\n"
    "  water: {model: fluid, pressure: 1e4, viscosity: 0.01, solids: ignored}\n"
    "  lake: {model: flip, solids: ignored}\n"
    "  sea: {model: dfsph, viscosity: 0.01}\n"
    "  crate: {model: rigid}\n"
    "  rubber: {model: corotated, young_modulus: 1e6, poisson_ratio: 0.3}\n"
    "bodies:\n"
    "  ball: {material: spring, radius: 0.5, density: 1e3, shape: {ball: {radius: 1}}}\n"
    "  box: {material: brittle, radius: 0.5, particle_mass: 2, shape: {box: {size: [1, 2, 3]}}}\n"
    "  cylinder: {material: sand, radius: 1, density: 1, shape: {cylinder: {radius: 1, height: "
    "2}}}\n"
    "  torus: {material: sand, radius: 1, density: 1, shape: {torus: {radius: 2, tube: 1}}}\n"
    "  bowl: {material: sand, radius: 1, density: 1,\n"
    "         shape: {bowl: {radius: 2, thickness: 0.5, height: 2}}}\n"
    "  sheet: {material: spring, radius: 1, density: 1, fixed: rim, shape: {sheet: {cells: [3, "
    "4]}}}\n"
    "  mesh: {material: sand, radius: 1, density: 1, shape: {mesh: {file: a.obj}}}\n"
    "  union: {material: sand, radius: 1, density: 1,\n"
    "          shape: {union: [{ball: {radius: 1}}, {box: {size: [1, 1, 1]}}]}}\n"
    "  difference: {material: sand, radius: 1, density: 1,\n"
    "               shape: {difference: [{ball: {radius: 2}}, {ball: {radius: 1}}]}}\n"
    "  jet: {material: water, radius: 0.1, density: 1, velocity: [1, 0, 0],\n"
    "        inlet: {point: [0, 0, 0]}, shape: {box: {size: [1, 1, 1]}}}\n"
    "  heap: {material: sand, radius: 1, density: 1, shape: {ball: {radius: 1}},\n"
    "         copies: {counts: [1, 2, 3], spacing: [9, 9, 9]}}\n"
    "  pool: {material: lake, radius: 0.5, density: 1, shape: {box: {size: [1, 1, 1]}}}\n"
    "  bay: {material: sea, radius: 0.5, density: 1, shape: {box: {size: [1, 1, 1]}}}\n"
    "motions:\n"
    "  swing: {body: sheet, amplitude: [0, 0, 1], frequency: 2, velocity: [1, 0, 0],\n"
    "          turning: {axis: [0, 0, 1], turns: 1}}\n"
    "outlets:\n"
    "  drain: {position: [9, 0, 0], shape: {box: {size: [1, 1, 1]}}}\n"
    "diffuse:\n"
    "  smoke: {rate: 9, shape: {box: {size: [1, 1, 1]}}}\n"
    "walls:\n"
    "  tank: {keep: inside, shape: {box: {size: [9, 9, 9]}}}\n";

#endif
