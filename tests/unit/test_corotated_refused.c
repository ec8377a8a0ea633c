/* Tests that impossible corotated solids are refused, with a line that gives the reason. */
#include "base/memory.h"
#include "config_reader.h"
#include "scenes.h"
#include "systems/corotated/corotated.h"

static void check_refused(struct hand_scene *h, const char *part)
{
    struct error error = {0};
    struct system *system = NULL;
    h->material[0].origin = (struct origin){"s.yaml", 3, 5};
    h->body[0].origin = (struct origin){"s.yaml", 7, 9};
    struct system_setting setting = {
        .scene = &h->scene, .particles = &h->particles, .rest = h->rest, .n = h->particles.n};
    check_equal(corotated_class.create(&system, &setting, &error), STATUS_INVALID, "status");
    check(!system);
    check_contains(error.message, part);
    hand_scene_end(h);
}

static void block(struct hand_scene *h, int nx, int ny, int nz)
{
    hand_scene_begin(h);
    add_body(h, add_corotated(h, 1e5, 0.3, 0.1), 0.01, 8e-3);
    add_block(h, nx, ny, nz, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
}

TEST(bodies_without_a_deformation_gradient_are_refused)
{
    static const int size[4][3] = {{6, 6, 1}, {8, 1, 1}, {2, 1, 1}, {1, 1, 1}};
    for (int k = 0; k < 4; k++) {
        struct hand_scene h;
        block(&h, size[k][0], size[k][1], size[k][2]);
        check_refused(&h, "s.yaml:7:9: body 'body': the ");
    }
}

TEST(the_model_refuses_thin_bodies_before_a_run)
{
    struct hand_scene h;
    struct error error = {0};
    block(&h, 6, 6, 1);
    h.body[0].origin = (struct origin){"s.yaml", 7, 9};
    check_equal(
        corotated_model.check_body(&h.body[0], &h.material[0], h.particles.n, h.rest, NULL, &error),
        STATUS_INVALID, "status");
    check_contains(error.message, "s.yaml:7:9: body 'body': the ");
    hand_scene_end(&h);
}

#define SOLIDS                                                                                     \
    "name: t\ntime: {end: 1, frame_interval: 1}\nmaterials: {a: {model: loose},\n"                 \
    "  m: {model: corotated, young_modulus: 1e5, poisson_ratio: 0.3}}\nbodies:\n"                  \
    "  b: {material: a, radius: 1, density: 1, shape: {ball: {radius: 4}}}\n"                      \
    "  c: {material: m, radius: 1, density: 1, shape: {ball: {radius: 4}}}\n"
#define NOT_POSSIBLE ", which is not possible with the model of 'bodies.c', corotated; give "

TEST(what_corotated_solids_cannot_be_combined_with_is_refused)
{
    check_text_complaints("solver: {integrator: newmark}\n" SOLIDS,
                          "f:1:22: 'solver.integrator' is newmark" NOT_POSSIBLE "backward-euler\n");
    check_text_complaints("contact: {method: implicit-penalty}\n" SOLIDS,
                          "f:1:19: 'contact.method' is implicit-penalty" NOT_POSSIBLE "penalty\n");
    check_text_complaints("contact: {method: barrier}\n" SOLIDS,
                          "f:1:19: 'contact.method' is barrier" NOT_POSSIBLE
                          "merging-and-splitting\n");
    check_text_complaints(
        "walls: {floor: {keep: inside, holds: all, shape: {ball: {radius: 9}}}}\n" SOLIDS,
        "f:1:38: 'walls.floor.holds' is all" NOT_POSSIBLE
        "fluids, or without any leave it out, and put a fixed body in its place, or give "
        "contact.method: sliding\n");
    check_text_complaints("contact: {method: sliding}\nwalls: {floor: {keep: inside, holds: all, "
                          "shape: {ball: {radius: 9}}}}\n" SOLIDS,
                          "");
    check_text_complaints("contact: {method: iterated-impulse}\n" SOLIDS, "");
}

TEST(solvers_that_sliding_contact_cannot_use_are_refused)
{
    static const char *const solver[] = {"prefactored", "assembled", "newton", "coupled", "whole"};
    for (int k = 0; k < 5; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "name: t\ntime: {end: 1, frame_interval: 1}\ncontact: {method: sliding}\n"
                 "materials:\n  m: {solver: %s, model: corotated, young_modulus: 1e5, "
                 "poisson_ratio: 0.3}\nbodies:\n"
                 "  b: {material: m, radius: 1, density: 1, shape: {ball: {radius: 4}}}\n",
                 solver[k]);
        check_text_complaints(
            text, k < 3 ? "f:5:15: 'solver' is neither coupled nor whole, and contact.method: "
                          "sliding needs one that finds all forces of a step at once, with "
                          "rotations that are known; give coupled\n"
                        : "");
    }
}

TEST(incompressible_solids_are_refused)
{
    char text[1024];
    static const char frame[] =
        "name: t\ntime: {end: 1, frame_interval: 1}\nmaterials:\n"
        "  m: {model: corotated, young_modulus: 1e5, poisson_ratio: %s}\nbodies:\n"
        "  b: {material: m, radius: 1, density: 1, shape: {ball: {radius: 4}}}\n";
    snprintf(text, sizeof text, frame, "0.5");
    check_text_complaints(text, "f:4:60: 'materials.m.poisson_ratio' is 0.5, which is out of "
                                "range; give a number >= 0 and < 0.5\n");
    snprintf(text, sizeof text, frame, "0.499");
    check_text_complaints(text, "");
}

/* Every failing allocation ends in an error, and leaves nothing behind. */
TEST(every_failing_allocation_is_an_error)
{
    long n = 0;
    for (bool failed = true; failed && n < 1000; n++) {
        struct hand_scene h;
        struct error error = {0};
        struct system *system = NULL;
        block(&h, 3, 3, 3);
        struct system_setting setting = {
            .scene = &h.scene, .particles = &h.particles, .rest = h.rest, .n = h.particles.n};
        memory_fail_after(n);
        failed = corotated_class.create(&system, &setting, &error) != STATUS_OK;
        memory_fail_after(-1);
        if (failed)
            check(!system && error.message[0]);
        else
            corotated_class.free(system);
        hand_scene_end(&h);
    }
    check(n > 40 && n < 1000);
}
