/* Names of earlier versions are refused, and the message gives the new name. */
#include "config_reader.h"

#define START "name: x\ntime: {end: 1, frame_interval: 1}\n"
#define SOLID "materials: {m: {model: loose}}\n"
#define BODY "bodies: {b: {material: m, radius: 0.1, density: 1, shape: {ball: {radius: 1}}}}\n"

TEST(keys_are_told_their_new_names)
{
    check_text_complaints(START SOLID BODY "outflows: {}\n",
                          "f:5:1: key 'outflows' is called 'outlets' now; write that\n");
    check_text_complaints(START SOLID BODY "contact: {joining: in-turn}\n",
                          "f:5:11: key 'joining' is called 'synchronization' now; write that\n");
    check_text_complaints(
        START "materials: {m: {model: mass-spring, stretch: 1, shear: 1, bend: 1}}\n" BODY,
        "f:3:37: key 'stretch' is called 'stretch_stiffness' now; write that\n"
        "f:3:49: key 'shear' is called 'shear_stiffness' now; write that\n"
        "f:3:59: key 'bend' is called 'bend_stiffness' now; write that\n");
    check_text_complaints(
        START "materials:\n"
              "  m: {model: peridynamics, stiffness: 1,\n"
              "      strength: 1, strength_spread: 0}\n" BODY,
        "f:5:7: key 'strength' is called 'critical_stretch' now; write that\n"
        "f:5:20: key 'strength_spread' is called 'critical_stretch_spread' now; write that\n");
}

TEST(keys_of_bodies_are_told_their_new_names)
{
    const char *const water =
        START "materials: {m: {model: fluid, pressure: 1, viscosity: 0}}\n"
              "bodies: {b: {material: m, radius: 0.1, density: 1, velocity: [1, 0, 0],\n";
    char text[512];
    snprintf(text, sizeof text, "%sinflow: {mouth: [0, 0, 0]}, shape: {ball: {radius: 1}}}}\n",
             water);
    check_text_complaints(text, "f:5:1: key 'inflow' is called 'inlet' now; write that\n");
    snprintf(text, sizeof text, "%sinlet: {mouth: [0, 0, 0]}, shape: {ball: {radius: 1}}}}\n",
             water);
    check_text_complaints(text, "f:5:9: key 'mouth' is called 'point' now; write that\n");
    check_text_complaints(START SOLID "bodies: {b: {material: m, radius: 0.1, density: 1,\n"
                                      "  shape: {sheet: {cells: [3, 3], stretch: 0.1}}}}\n",
                          "f:5:34: key 'stretch' is called 'initial_strain' now; write that\n");
}

TEST(words_of_choices_are_told_their_new_names)
{
    check_text_complaints(START SOLID BODY "contact: {synchronization: shares}\n",
                          "f:5:28: 'contact.synchronization' is shares, which is called "
                          "'own-members' now; write that\n");
    check_text_complaints(START SOLID BODY "contact: {synchronization: \"in-turn\"}\n",
                          "f:5:28: 'contact.synchronization' is \"in-turn\", which is called "
                          "'sequential' now; write that\n");
    check_text_complaints(
        START "materials: {m: {model: peridynamics, stiffness: 1, critical_stretch: never}}\n" BODY,
        "f:3:70: 'materials.m.critical_stretch' is never, which is called 'unset' now; write "
        "that\n");
}

/* A word that was never a name there is refused as any other. */
TEST(what_was_no_name_there_is_none)
{
    check_text_complaints(START SOLID BODY "solver: {joining: sum}\n",
                          "f:5:10: unknown key 'joining'; the keys here are integrator, tolerance, "
                          "max_iterations\n");
    check_text_complaints(START SOLID BODY "contact: {order: anew}\n",
                          "f:5:18: 'contact.order' is anew, which is not one of the choices; give "
                          "one of index, shuffled\n");
    check_text_complaints(START SOLID BODY "contact: {synchronization: sum}\n", "");
}
