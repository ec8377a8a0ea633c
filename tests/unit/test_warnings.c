#include "particles/random.h"
#include "run/run_parts.h"
#include "run/warning_parts.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct said {
    size_t n;
    char last[700];
};

static void hear(void *context, const char *line)
{
    struct said *said = context;
    said->n++;
    snprintf(said->last, sizeof said->last, "%s", line);
}

/* Whether a warning about such a run says one line with this text; NULL: none. */
static void check_said(warning *about, const struct run *run, const char *text)
{
    struct said said = {0};
    enum status status = STATUS_OK;
    struct error error = {0};
    about(run, &(struct listener){hear, &said, &status, &error});
    check(status == STATUS_OK);
    if (!check(text ? said.n == 1 && strstr(said.last, text) : said.n == 0))
        printf("#   said %zu: %s\n", said.n, said.last);
}

static char any_config[] = "name: x\n";

TEST(fractions_beyond_all_energy_are_called_by_their_name)
{
    struct run run = {.initial = {.config = any_config}};
    struct measure_row *row = &run.last;
    row->numerical_dissipation_fraction = 0.1;
    check_said(warn_of_dissipation, &run, NULL);
    row->numerical_dissipation_fraction = 0.25;
    check_said(warn_of_dissipation, &run,
               "dissipation: the time integrator dissipated 25 % of the energy that there was");
    row->numerical_dissipation_fraction = 1.5;
    row->numerical_dissipation_since_impact = 3.0;
    check_said(warn_of_dissipation, &run, "dissipated 3 J since the impact, 1.5 times all energy");
    row->energy_passed = 0.9;
    check_said(warn_of_dissipation, &run, "came from nowhere");
    row->energy_passed = 2.0;
    check_said(warn_of_dissipation, &run,
               "dissipated 3 J since the impact, 75 % of the energy that there was and that "
               "supports and inlets brought");
}

TEST(elastic_energy_from_nothing_is_warned_of_when_it_is_most_of_all)
{
    struct run run = {.initial = {.config = any_config}};
    struct measure_row *row = &run.last;
    row->energy_so_far = 8.0;
    row->linearization_gain_so_far = 4.0;
    check_said(warn_of_linearization, &run, NULL);
    row->linearization_gain_so_far = 6.0;
    check_said(warn_of_linearization, &run,
               "linearization: steps made 6 J of elastic energy from nothing (linearization_gain), "
               "75 % of the most");
    check_said(warn_of_linearization, &run, "know of; shorter steps");
    run.scene.contact.method = CONTACT_CORRECTED_PENALTY;
    check_said(warn_of_linearization, &run, "contacts move particles without forces");
    run.least_energy = 7.0;
    check_said(warn_of_linearization, &run, NULL);
    run.least_energy = 0.0;
    row->linearization_gain_so_far = row->energy_so_far = (double)INFINITY;
    check_said(warn_of_linearization, &run, NULL);
}

TEST(nothing_elastic_no_advice_for_it)
{
    struct run run = {.initial = {.config = any_config}};
    struct said said = {0};
    run.last.numerical_dissipation_fraction = 0.25;
    enum status status = STATUS_OK;
    struct error error = {0};
    warn_of_dissipation(&run, &(struct listener){hear, &said, &status, &error});
    check(said.n == 1 && !strstr(said.last, "newmark"));
}

static const struct material_model elastic = {.flows = false};
static struct material solid = {.model = &elastic};
static struct body block = {.name = "block"};
static struct body_wave wave = {.speed = 10.0, .moves = true};

/* A run with one elastic body on a support, in steps twice as long as a wave takes through a
 * particle. */
static struct run resting_run(enum contact_method method, enum time_integration integrator)
{
    return (struct run){.initial = {.config = any_config},
                        .scene = {.n_bodies = 1,
                                  .body = &block,
                                  .n_materials = 1,
                                  .material = &solid,
                                  .gravity = {0.0, 0.0, -9.81},
                                  .time = {.max_step = 2e-3},
                                  .contact = {.method = method},
                                  .solver = {.integrator = integrator}},
                        .simulation = {.waves = {.n_bodies = 1, .body = &wave, .particle = 1e-3}},
                        .allowance = {.supported = true}};
}

TEST(integrators_that_make_energy_are_warned_of_before)
{
    struct run run = resting_run(CONTACT_SLIDING, INTEGRATOR_NEWMARK);
    check_said(warn_of_lasting_contact, &run, NULL);
    run = resting_run(CONTACT_MERGING_AND_SPLITTING, INTEGRATOR_NEWMARK);
    check_said(warn_of_lasting_contact, &run, "0.002 s, are longer than the 0.001 s");
    run.scene.time.max_step = 1e-3;
    check_said(warn_of_lasting_contact, &run, NULL);
    run = resting_run(CONTACT_PENALTY, INTEGRATOR_NEWMARK);
    check_said(warn_of_lasting_contact, &run, "may make energy in contacts that last");
    run.scene.gravity = vec3(0.0, 0.0, 0.0);
    check_said(warn_of_lasting_contact, &run, NULL);
    run = resting_run(CONTACT_PENALTY, INTEGRATOR_BACKWARD_EULER);
    check_said(warn_of_lasting_contact, &run, NULL);
}

TEST(overlaps_are_warned_of_by_their_depth)
{
    struct run run = {.initial = {.config = any_config}};
    struct measure_row *row = &run.last;
    row->overlap_depth_so_far = row->self_depth_so_far = 0.5;
    check_said(warn_of_overlap, &run, NULL);
    check_said(warn_of_self_overlap, &run, NULL);
    row->overlap_depth_so_far = row->self_depth_so_far = 0.75;
    check_said(warn_of_overlap, &run,
               "overlap: particles of different bodies were up to 0.75 radii");
    check_said(warn_of_overlap, &run, "shorter steps keep them apart");
    run.scene.contact.method = CONTACT_PRESSURE;
    check_said(warn_of_overlap, &run, "corners enter so far in steps of any length");
    check_said(warn_of_self_overlap, &run, "self-overlap: particles of one body that no bond");
    row->interlocked_steps = 1.0; /* warned of elsewhere */
    check_said(warn_of_overlap, &run, NULL);
    check_said(warn_of_interlocking, &run, "interlocked: after 1 of 0 steps");
}

TEST(contacts_that_are_not_solved_are_warned_of)
{
    struct run run = {.simulation.step = 70,
                      .scene.contact = {.method = CONTACT_SLIDING, .stages = 8}};
    check_said(warn_of_unresolved_contacts, &run, NULL);
    run.last.unresolved_steps = 7.0;
    run.last.unresolved_so_far = 12.0;
    check_said(warn_of_unresolved_contacts, &run,
               "unresolved contacts: in 7 of 70 steps contacts and their friction were not solved "
               "to tolerance, up to 12 of them in a step (unresolved); shorter steps or more "
               "contact.stages than 8");
    run.scene.contact.method = CONTACT_MERGING_AND_SPLITTING; /* which leaves some to the next */
    check_said(warn_of_unresolved_contacts, &run, NULL);
}

TEST(pressure_that_is_not_solved_is_warned_of)
{
    struct run run = {.simulation.step = 70, .scene.pressure.most_iterations = 5};
    run.last.pressure_left_so_far = 1.0;
    check_said(warn_of_unsolved_pressure, &run, NULL);
    run.last.unsolved_steps = 7.0;
    run.last.pressure_left_so_far = 12.34;
    check_said(warn_of_unsolved_pressure, &run,
               "unsolved pressure: in 7 of 70 steps solves for the pressure ended after "
               "pressure.most_iterations, 5, and left up to 12.3 times their tolerance");
}

static double law(const void *parameters, double ratio)
{
    (void)parameters;
    return ratio;
}

TEST(compressed_fluids_are_warned_of_unless_they_may_be)
{
    static const struct material_model stiff = {.flows = true,
                                                .nearly_incompressible = true,
                                                .pressure = law},
                                       solved = {.flows = true, .nearly_incompressible = true},
                                       on_grid = {.flows = true};
    struct material material[2] = {{.model = &elastic}, {.model = &stiff}};
    struct body body[2] = {{.material = 0}, {.material = 1}};
    struct run run = {
        .scene = {.n_bodies = 2, .body = body, .n_materials = 2, .material = material}};
    run.last.density_error_so_far = 0.01;
    check_said(warn_of_compression, &run, NULL);
    run.last.density_error_so_far = 0.0123;
    check_said(warn_of_compression, &run,
               "compressed: fluids were 1.23 % denser than at rest, mean of particles and time "
               "(density_error_mean); a larger pressure of their materials");
    run.scene.contact.method = CONTACT_POSITION_BASED;
    check_said(warn_of_compression, &run, NULL);
    run.scene.contact.method = CONTACT_PRESSURE;
    material[1].model = &solved;
    check_said(warn_of_compression, &run, "a smaller pressure.density_tolerance");
    material[0].model = &on_grid;
    check_said(warn_of_compression, &run, NULL);
}

/* The sheet and the partner, by looking at all pairs. */
TEST(the_widest_mesh_is_that_of_all_pairs)
{
    enum { BODIES = 6 };
    struct body body[BODIES];
    struct run run = {.scene = {.n_bodies = BODIES, .body = body}};
    for (uint64_t draw = 0; draw < 200; draw++) {
        const struct body *sheet = NULL, *other = NULL;
        double widest = (double)INFINITY;
        for (uint64_t b = 0; b < BODIES; b++) {
            body[b] = (struct body){.name = (const char *[]){"a", "b", "c", "d", "e", "f"}[b]};
            body[b].radius = 1e-3 * (double)random_integer(1, draw, b, RANDOM_TEST, 1, 9);
            body[b].shape.kind =
                random_integer(2, draw, b, RANDOM_TEST, 0, 1) ? SHAPE_SHEET : SHAPE_BOX;
        }
        for (size_t b = 0; b < BODIES; b++)
            for (size_t o = 0; o < BODIES; o++) {
                double width = (1.0 + body[o].radius / body[b].radius) / sqrt(2.0) - 1.0;
                if (body[b].shape.kind == SHAPE_SHEET && o != b && width < widest) {
                    sheet = &body[b];
                    other = &body[o];
                    widest = width;
                }
            }
        char said[200];
        snprintf(
            said, sizeof said,
            "holes: particles of body \"%s\", radius %g m, pass between those of the sheet \"%s\"",
            widest < 0.0 ? other->name : "", widest < 0.0 ? other->radius : 0.0,
            widest < 0.0 ? sheet->name : "");
        check_said(warn_of_holes, &run, widest < 0.0 ? said : NULL);
    }
}

/* Three vertices 3 cm apart leave a hole of 3 cm / sqrt 3. */
TEST(meshes_have_holes_between_three_vertices)
{
    struct vec3 rest[3] = {{0.0, 0.0, 0.0}, {0.03, 0.0, 0.0}, {0.015, 0.015 * sqrt(3.0), 0.0}};
    uint32_t triangle[1][3] = {{0, 1, 2}};
    struct sheet mesh = {.body = 0, .n_triangles = 1, .triangle = triangle};
    struct body body[2] = {
        {.name = "skin", .radius = 0.01, .sampling = {.method = SAMPLING_VERTICES}},
        {.name = "sand", .radius = 0.01}};
    struct run run = {.scene = {.n_bodies = 2, .body = body},
                      .initial = {.n_sheets = 1, .sheet = &mesh, .rest_position = rest}};
    struct error error = {0};
    check_equal(run_find_holes(&run, &error), STATUS_OK, error.message);
    run.last.strain_so_far = 0.15; /* 0.02 sqrt 3 / 0.03 - 1 = 0.1547 */
    check_said(warn_of_stretched_sheets, &run, NULL);
    check_said(warn_of_holes, &run, NULL);
    run.last.strain_so_far = 0.16;
    check_said(warn_of_stretched_sheets, &run, "from 15.5 % on");
    body[1].radius = 0.007;
    check_said(warn_of_holes, &run, "radius 0.01 m; from 0.74 of its radius on");
    rest[2] =
        vec3(0.015, 0.001, 0.0); /* nothing is farther from all than the middle of the longest */
    free(run.mesh_hole);
    check_equal(run_find_holes(&run, &error), STATUS_OK, error.message);
    check_said(warn_of_holes, &run, NULL);
    free(run.mesh_hole);
}

TEST(sheets_have_holes_when_they_are_stretched)
{
    struct body body[2] = {{.name = "cloth", .radius = 0.01, .shape = {.kind = SHAPE_SHEET}},
                           {.name = "sand", .radius = 0.01}};
    struct run run = {.scene = {.n_bodies = 2, .body = body}};
    run.last.strain_so_far = 0.41;
    check_said(warn_of_stretched_sheets, &run, NULL);
    check_said(warn_of_holes, &run, NULL);
    run.last.strain_so_far = 0.42;
    check_said(warn_of_stretched_sheets, &run, "stretched: a sheet was stretched by up to 42 %");
    body[1].radius = 0.0045; /* 1.45 / sqrt 2 - 1 = 0.025 */
    run.last.strain_so_far = 0.03;
    check_said(warn_of_stretched_sheets, &run, "from 2.53 % on");
    check_said(warn_of_holes, &run, NULL);
    body[1].radius = 0.004;
    check_said(warn_of_stretched_sheets, &run, NULL);
    check_said(warn_of_holes, &run, "holes: particles of body \"sand\", radius 0.004 m, pass");
    run.last.penetrated = 7.0;
    check_said(warn_of_penetration, &run,
               "on the other side of a sheet than at the start: 7 particles");
}

/* Two particles of a fluid, and a solid that the wall does not hold. */
TEST(what_is_beyond_a_wall_is_counted)
{
    static const struct material_model water = {.flows = true}, rubber = {.flows = false};
    struct material material[2] = {{.model = &water}, {.model = &rubber}};
    struct body body[2] = {{.material = 0}, {.material = 1}};
    struct wall tank = {.name = "tank",
                        .region = {.shape = {.kind = SHAPE_BALL, .radius = 1.0},
                                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                        .keep = KEEP_INSIDE,
                        .holds = HOLDS_FLUIDS};
    struct vec3 position[3] = {{0.9, 0.0, 0.0}, {0.0, 1.1, 0.0}, {0.0, 0.0, -1.2}};
    uint8_t state[3] = {PARTICLE_FREE, PARTICLE_FREE, PARTICLE_FREE};
    uint32_t of_body[3] = {0, 0, 1};
    struct error error = {0};
    struct run run = {.scene = {.n_bodies = 2,
                                .body = body,
                                .n_materials = 2,
                                .material = material,
                                .n_walls = 1,
                                .wall = &tank}};
    struct particles *p = &run.simulation.particles;
    *p = (struct particles){.n = 3, .position = position, .state = state, .body = of_body};
    check_equal(walls_create(&run.simulation.walls, &run.scene, &error), STATUS_OK, error.message);
    check_said(warn_of_particles_outside, &run,
               "leak: beyond the wall \"tank\", which should hold them: 1 particles");
    position[1].y = 0.99;
    check_said(warn_of_particles_outside, &run, NULL);
    tank.holds = HOLDS_ALL;
    check_said(warn_of_particles_outside, &run, "should hold them: 1 particles");
    walls_free(run.simulation.walls);
}
