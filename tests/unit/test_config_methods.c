/* Wrong configurations by the rules of what goes with contact.method: the complaints and their
 * places. */
#include "config_reader.h"
#include "config_texts.h"

TEST(rules_of_the_barrier)
{
    check_text_complaints("contact: {method: barrier}\n" SCENE, "");
    check_text_complaints("contact: {method: barrier}\nsolver: {integrator: newmark}\n" SCENE,
                          "f:2:22: 'solver.integrator' is newmark, with which contact.method: "
                          "barrier has no potential to minimize; give backward-euler, or "
                          "contact.method: merging-and-splitting\n");
    check_text_complaints("contact: {method: barrier}\nname: x\n" TIME WATER
                          "bodies: {b: {material: water, radius: 1, density: 1, shape: {ball: "
                          "{radius: 3}}}}\n",
                          "f:1:19: 'contact.method' is barrier, which fluids cannot take part in, "
                          "and 'bodies.b' is one; give merging-and-splitting\n");
}

TEST(rules_of_swept_detection)
{
    check_text_complaints("contact: {detection: swept}\n" SCENE, "");
    check_text_complaints("contact: {detection: swept, method: sliding}\n" SCENE, "");
    check_text_complaints(
        "contact: {detection: swept, method: penalty}\n" SCENE,
        "f:1:22: 'contact.detection' is swept, which is for merging-and-splitting "
        "and sliding, but contact.method is penalty; give discrete, or such a method\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1, courant: 2.5}\n" SAND
                          "contact: {detection: swept}\nbodies: {b: {" BALL "}}\n",
                          "");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1, courant: 2.5}\n" SAND
                          "bodies: {b: {" BALL "}}\n",
                          "f:2:46: 'time.courant' is 2.5, and above 1 contact.detection: discrete "
                          "misses contacts; give at most 1, or swept\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1, courant: never}\n" SAND
                          "contact: {detection: swept}\nbodies: {b: {" BALL "}}\n",
                          "f:2:46: 'time.courant' is never, which is for contact.method: "
                          "position-based; give a number\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1}\n"
                          "materials: {w: {model: fluid, viscosity: 0}}\n"
                          "contact: {method: position-based}\n"
                          "bodies: {b: {material: w, radius: 0.1, density: 1000, shape: {ball: "
                          "{radius: 0.5}}}}\n",
                          "");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1}\n"
                          "materials: {w: {model: fluid, viscosity: 0}}\n"
                          "bodies: {b: {material: w, radius: 0.1, density: 1000, shape: {ball: "
                          "{radius: 0.5}}}}\n",
                          "f:3:16: a fluid without 'pressure' is for contact.method: "
                          "position-based; give it one, in Pa, above 0\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1}\n"
                          "materials: {w: {model: fluid, viscosity: 0, buoyancy: 1.2, drag: 50, "
                          "baroclinity: 2}}\ncontact: {method: position-based}\n"
                          "air: {wind: [1, 0, 0]}\n"
                          "bodies: {b: {material: w, radius: 0.1, density: 1000, shape: {ball: "
                          "{radius: 0.5}}}}\n",
                          "");
    check_text_complaints(
        "name: x\ntime: {end: 1, frame_interval: 0.1, max_step: 8e-3}\n"
        "materials: {w: {model: fluid, viscosity: 0, cohesion: 10}}\n"
        "contact: {method: position-based}\n"
        "bodies: {b: {material: w, radius: 0.0125, density: 1, shape: {ball: {radius: 0.1}}}}\n",
        "f:3:55: a cohesion of 10 m/s^2 tears the fluid apart in steps of 0.008 s (time.max_step); "
        "give at most 5.03 m/s^2, or steps of at most 0.00567 s\n");
    check_text_complaints(
        "name: x\ntime: {end: 1, frame_interval: 0.1, max_step: 8e-3}\n"
        "materials: {w: {model: fluid, viscosity: 0, baroclinity: 1e6}}\n"
        "contact: {method: position-based}\n"
        "bodies: {b: {material: w, radius: 0.0125, density: 1, shape: {ball: {radius: 0.1}}}}\n",
        "f:3:58: a rate of 1000000 1/s makes vortices in a step of 0.008 s (time.max_step) that "
        "throw particles past each other; give at most 4.93e+03 1/s, or steps of at most 0.00136 "
        "s\n");
    check_text_complaints(
        "name: x\ntime: {end: 1, frame_interval: 0.1}\ngravity: [0, 0, 0]\n"
        "materials: {w: {model: fluid, viscosity: 0, buoyancy: 1, drag: 5, baroclinity: 1}}\n"
        "contact: {method: position-based}\n"
        "bodies: {b: {material: w, radius: 0.0125, density: 1, shape: {ball: {radius: 0.1}}}}\n",
        "f:4:55: 'buoyancy' is a part of weight, and there is no gravity; leave it out, or give a "
        "gravity\n"
        "f:4:80: 'baroclinity' is a part of weight, and there is no gravity; leave it out, or give "
        "a gravity\n");
    check_text_complaints(
        "name: x\ntime: {end: 1, frame_interval: 0.1}\nmaterials: {w: {model: rigid}}\n"
        "bodies: {b: {material: w, radius: 0.1, density: 1, shape: {ball: {radius: 0.5}}, "
        "start: scattered, velocity_gradient: {vx: [1, 0, 0]}}}\n",
        "f:4:89: 'bodies.b.start' is scattered, which would be the body's shape for ever; give "
        "unstressed, or contact.method: position-based\n"
        "f:4:119: 'bodies.b.velocity_gradient' deforms a body, and a rigid one only turns; give "
        "spin\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1}\n"
                          "materials: {w: {model: rigid, shapes: 2, field: depth}}\n"
                          "contact: {method: position-based}\n"
                          "bodies: {b: {material: w, radius: 0.1, density: 1000, shape: {ball: "
                          "{radius: 0.5}}}}\n",
                          "f:3:39: bodies of several shapes have no 'field' and do not flow; 1, or "
                          "neither 'field' nor 'creep', would be right\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1}\n"
                          "materials: {w: {model: fluid, viscosity: 0, pressure: 1e4, drag: 50}}\n"
                          "bodies: {b: {material: w, radius: 0.1, density: 1000, shape: {ball: "
                          "{radius: 0.5}}}}\n",
                          "f:3:66: it is for contact.method: position-based, where fluids keep "
                          "their density without a pressure; leave it out\n");
    check_text_complaints(
        "name: x\ntime: {end: 1, frame_interval: 0.1}\n"
        "materials: {w: {model: fluid, viscosity: 0, pressure: 1e4, cohesion: 2}}\n"
        "bodies: {b: {material: w, radius: 0.1, density: 1000, shape: {ball: {radius: 0.5}}}}\n",
        "f:3:70: it is for contact.method: position-based, where fluids keep their density without "
        "a pressure; leave it out\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1, courant: never}\n" SAND
                          "contact: {method: position-based}\nbodies: {b: {" BALL "}}\n",
                          "");
}

TEST(rules_of_roots)
{
    check_text_complaints("contact: {roots: ignored}\n" SCENE, "");
    check_text_complaints("contact: {roots: taken, method: sliding}\n" SCENE, "");
    check_text_complaints(
        "contact: {roots: ignored, method: sliding}\n" SCENE,
        "f:1:18: 'contact.roots' is ignored, which is for merging-and-splitting, but "
        "contact.method is sliding; give taken, or such a method\n");
}

TEST(rules_of_friction)
{
    check_text_complaints("contact: {method: sliding, friction: 0.3}\n" SCENE, "");
    check_text_complaints("contact: {method: sliding, static_friction: 0.3}\n" SCENE, "");
    check_text_complaints("contact: {method: sliding, friction: 0.3, static_friction: 0.2}\n" SCENE,
                          "f:1:60: 'contact.static_friction' is 0.2, less than friction, which is "
                          "0.3; give at least that, or kinetic\n");
    check_text_complaints("contact: {friction: 0.3}\n" SCENE,
                          "f:1:21: 'contact.friction' is 0.3, which is for sliding and "
                          "position-based, but "
                          "contact.method is merging-and-splitting; give 0, or such a method\n");
    check_text_complaints(
        "contact: {method: sliding, detection: swept, static_friction: 0.3}\n" SCENE, "");
}

#define CRATE(method, keys, other)                                                                 \
    "contact: {method: " method "}\nname: x\n" TIME "materials: {stone: {model: rigid" keys        \
    "}, sand: {model: loose}, c: {model: peridynamics, stiffness: 1e9, damping: 0, horizon: "      \
    "3, fracture_energy: 1}}\nbodies:\n  a: {material: stone, radius: 0.1, density: 1, shape: "    \
    "{ball: {radius: 1}}}\n" other

TEST(rules_of_rigid_bodies)
{
    static const char grains[] = "  b: {material: sand, position: [4, 0, 0], radius: 0.1, "
                                 "density: 1, shape: {ball: {radius: 1}}}\n";
    static const char cloth[] = "  b: {material: c, position: [4, 0, 0], radius: 0.1, "
                                "density: 1, shape: {ball: {radius: 1}}}\n";
    char text[1024];
    check_text_complaints(CRATE("merging-and-splitting", "", ""), "");
    check_text_complaints(CRATE("sliding", "", ""), "");
    check_text_complaints(CRATE("penalty", "", ""), "");
    check_text_complaints(CRATE("position-based", ", field: depth", ""), "");
    check_text_complaints(CRATE("impulse", "", ""),
                          "f:1:19: 'contact.method' is impulse, which moves particles one by one, "
                          "and 'bodies.a' is rigid; give merging-and-splitting or sliding or "
                          "position-based\n");
    check_text_complaints(CRATE("impulse, friction: 0.3", "", ""),
                          "f:1:38: 'contact.friction' is 0.3, which is for sliding and "
                          "position-based, but contact.method is impulse; give 0, or such a "
                          "method\n"
                          "f:1:19: 'contact.method' is impulse, which moves particles one by one, "
                          "and 'bodies.a' is rigid; give sliding or position-based\n");
    check_text_complaints(CRATE("merging-and-splitting, synchronization: sum", "", ""), "");
    check_text_complaints(CRATE("sliding, group_max: 16", "", ""), "");
    check_text_complaints(CRATE("merging-and-splitting, group_max: 16", "", ""),
                          "f:1:53: 'contact.group_max' is 16, which is for meta-particles, and "
                          "'bodies.a' is rigid, whose contacts are joints; give 64\n");
    check_text_complaints(CRATE("sliding", ", field: depth", ""),
                          "f:4:42: it is for contact.method: position-based; leave it out\n");
    snprintf(text, sizeof text, "%s%s", CRATE("merging-and-splitting", "", ""), grains);
    check_text_complaints(text, "");
    snprintf(text, sizeof text, "%s%s", CRATE("sliding", "", ""), cloth);
    check_text_complaints(text, "");
    snprintf(text, sizeof text, "solver: {integrator: verlet}\n%s%s",
             CRATE("merging-and-splitting", "", ""), cloth);
    check_text_complaints(text, "");
    snprintf(text, sizeof text, "%s%s", CRATE("merging-and-splitting", "", ""), cloth);
    check_text_complaints(text, "f:1:19: 'contact.method' is merging-and-splitting, with which the "
                                "implicit solve of 'bodies.b' does not know the mass of "
                                "'bodies.a', which is rigid; give sliding or position-based\n");
    snprintf(text, sizeof text, "solver: {integrator: verlet}\n%s%s", CRATE("barrier", "", ""),
             cloth);
    check_text_complaints(text, "f:2:19: 'contact.method' is barrier, which moves particles one "
                                "by one, and 'bodies.a' is rigid; give merging-and-splitting or "
                                "position-based\n");
}

#define WATERS                                                                                     \
    "contact: {method: position-based}\nname: x\n" TIME                                            \
    "materials: {a: {model: fluid, pressure: 1, viscosity: 0}, b: {model: fluid, pressure: 1, "    \
    "viscosity: 1e-3}}\nbodies:\n  a: {material: a, radius: 0.1, density: 1, shape: {ball: "       \
    "{radius: 1}}}\n  b: {material: b, density: 1, position: [4, 0, 0], shape: {ball: {radius: "   \
    "1}}, "

TEST(rules_of_fluids_by_constraints_of_positions)
{
    check_text_complaints(WATERS "radius: 0.1}\n", "");
    check_text_complaints(WATERS "radius: 0.2}\n",
                          "f:7:89: 'bodies.b.radius' is 0.2 m, but 'a', a fluid as well, has 0.1 "
                          "m, and contact.method: position-based has one lattice for all fluids; "
                          "give them one radius\n");
    check_text_complaints("contact: {method: position-based}\nname: x\n" TIME
                          "materials: {w: {model: flip}}\nbodies: {b: {material: w, radius: 0.1, "
                          "density: 1, shape: {ball: {radius: 1}}}}\n",
                          "f:1:19: 'contact.method' is position-based, which is not possible with "
                          "the model of 'bodies.b', flip; give merging-and-splitting\n");
}

#define PRESSED(a, b)                                                                              \
    "contact: {method: pressure}\nname: x\n" TIME                                                  \
    "materials: {s: {model: loose}, w: {model: flip}}\nbodies:\n  a: {density: 1, " a "}\n  b: {"  \
    "position: [4, 0, 0], density: 1, " b "}\n"

TEST(rules_of_one_pressure)
{
    check_text_complaints(PRESSED("material: s, radius: 0.1, shape: {ball: {radius: 1}}",
                                  "material: s, radius: 0.2, shape: {ball: {radius: 1}}"),
                          "f:7:61: 'bodies.b.radius' is 0.2 m, but 'a' has 0.1 m, and "
                          "contact.method: pressure has one lattice for all; give them one "
                          "radius\n");
    check_text_complaints(
        PRESSED("radius: 0.1, shape: {ball: {radius: 1}}",
                "material: w, radius: 0.2, shape: {ball: {radius: 1}}"),
        "f:6:6: key 'bodies.a.material' is missing; give a name of letters, digits, '.', '_' and "
        "'-'\n"
        "f:7:61: 'bodies.b.radius' is 0.2 m, but 'a' has 0.1 m, and contact.method: pressure has "
        "one lattice for all; give them one radius\n"
        "f:1:19: 'contact.method' is pressure, which is not possible with the model of 'bodies.b', "
        "flip; give merging-and-splitting\n");
    check_text_complaints(
        PRESSED("material: w, radius: 0.1, shape: {ball: {radius: 1}}",
                "material: s, radius: 0.1, shape: {sheet: {cells: [2, 2], "
                "initial_strain: 0.2}}") "walls: {t: {keep: inside, shape: {ball: {radius: 9}}}}\n",
        "f:7:113: 'bodies.b.shape.sheet.initial_strain' is 0.2, and with "
        "contact.method: pressure fluids come through a sheet that is so open; "
        "give at most 0.1\n"
        "f:8:12: 'walls.t.holds' is fluids, but contact.method: pressure has "
        "the same walls for fluids and solids; give all\n"
        "f:1:19: 'contact.method' is pressure, which is not possible with the "
        "model of 'bodies.a', flip; give merging-and-splitting\n");
}

/* A viscosity of 1 m^2/s in the longest step takes c = nu dt / (sum of W x^2 / (2 S_0)) > 1. */
/* A value that is the default takes nothing away: all effective configurations have it. */
TEST(keys_that_nothing_takes)
{
    check_text_complaints(
        "position: {iterations: 5, omega: 1.0, stiffness: material}\n" SCENE,
        "f:1:24: 'position.iterations' is 5, which is for position-based, but contact.method is "
        "merging-and-splitting; give 4, or such a method\n"
        "f:1:50: 'position.stiffness' is material, which is for position-based, but "
        "contact.method is merging-and-splitting; give rigid, or such a method\n");
    check_text_complaints("position: {iterations: 5}\ncontact: {method: position-based}\n" SCENE,
                          "");
    check_text_complaints(
        "position: {tether: 0.02, solid_weight: 0.5}\ncontact: {method: position-based}\n" SCENE,
        "f:1:20: 'position.tether' is 0.02, but no body has fixed particles to be held to; give "
        "never\n"
        "f:1:40: 'position.solid_weight' is 0.5, which is for solids in fluids, and no body is a "
        "fluid; give 1\n");
    check_text_complaints(
        "pressure: {solver: jacobi, density_tolerance: 0.0002, solids: compressible}\n" SCENE,
        "f:1:20: 'pressure.solver' is jacobi, which is for fluids of the model dfsph and "
        "contact.method: pressure, and there are none; give conjugate\n"
        "f:1:63: 'pressure.solids' is compressible, which is for pressure, but contact.method is "
        "merging-and-splitting; give incompressible, or such a method\n");
    check_text_complaints("pressure: {solver: jacobi, solids: compressible}\n"
                          "contact: {method: pressure}\n" SCENE,
                          "");
    check_text_complaints("pressure: {solver: jacobi}\nname: x\n" TIME
                          "materials: {water: {model: dfsph, viscosity: 0}}\n"
                          "bodies: {b: {material: water, radius: 1, density: 1, shape: {ball: "
                          "{radius: 3}}}}\n",
                          "");
}

TEST(rule_of_viscosity_by_constraints_of_positions)
{
    check_text_complaints("contact: {method: position-based}\nname: x\n" TIME WATER
                          "bodies: {b: {material: water, radius: 0.01, density: 1, shape: {ball: "
                          "{radius: 0.1}}}}\n",
                          "f:4:81: a viscosity of 1 m^2/s takes more than all motion in a step of "
                          "0.0005 s (time.max_step); give at most 0.0979 m^2/s, or steps of at "
                          "most 4.9e-05 s\n");
}

/* The advice is accepted. */
TEST(links_need_velocities_at_the_end)
{
    check_text_complaints("contact: {method: sliding}\n"
                          "solver: {integrator: verlet}\n" SCENE,
                          "f:2:22: 'solver.integrator' is verlet, with which contact.method: "
                          "sliding creates energy; give newmark or backward-euler, or "
                          "contact.method: merging-and-splitting\n");
    check_text_complaints("contact: {method: sliding}\nsolver: {integrator: newmark}\n" SCENE, "");
    check_text_complaints("contact: {method: sliding}\n"
                          "solver: {integrator: backward-euler}\n" SCENE,
                          "");
    check_text_complaints("contact: {method: merging-and-splitting}\n"
                          "solver: {integrator: verlet}\n" SCENE,
                          "");
}

TEST(impulses_after_the_integration_need_dissipation)
{
    check_text_complaints("contact: {method: corrected-impulse}\n"
                          "solver: {integrator: newmark}\n" SCENE,
                          "f:2:22: 'solver.integrator' is newmark, with which contact.method: "
                          "corrected-impulse creates energy; give backward-euler, or "
                          "contact.method: impulse\n");
    check_text_complaints("contact: {method: iterated-impulse}\n" SCENE, "");
    check_text_complaints("contact: {method: impulse}\nsolver: {integrator: newmark}\n" SCENE, "");
}
