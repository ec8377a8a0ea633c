/* Choices: the words that a key of the configuration may be set to. Each list has a row per word:
 * the word, its value in the scene, and the name of what carries it out, which only the room that
 * does so knows. If no table of functions carries it out, the name is unused. The table of keys
 * takes the words from here (CHOICE_WORDS), the scene its enum (CHOICE_VALUE), and the code that
 * carries out a choice its table; so a new word is one line, and whatever that line names. */
#ifndef CONFIG_CHOICES_H
#define CONFIG_CHOICES_H

#include "base/words.h"

/* clang-format off */
/* Contact methods also name the scheme that carries them out (step/scheme_classes.h), which gives
 * their class its type (contact/methods.h). */
#define CONTACT_METHODS(X)                                                                                          \
    X("merging-and-splitting", CONTACT_MERGING_AND_SPLITTING, contact_merging_and_splitting, velocity_level)        \
    X("sliding",               CONTACT_SLIDING,               contact_sliding,               sliding_level)         \
    X("penalty",               CONTACT_PENALTY,               contact_penalty,               velocity_level)        \
    X("implicit-penalty",      CONTACT_IMPLICIT_PENALTY,      contact_implicit_penalty,      velocity_level)        \
    X("sph",                   CONTACT_SPH,                   contact_sph,                   velocity_level)        \
    X("impulse",               CONTACT_IMPULSE,               contact_impulse,               velocity_level)        \
    X("iterated-impulse",      CONTACT_ITERATED_IMPULSE,      contact_iterated_impulse,      velocity_level)        \
    X("corrected-penalty",     CONTACT_CORRECTED_PENALTY,     contact_corrected_penalty,     velocity_level)        \
    X("corrected-impulse",     CONTACT_CORRECTED_IMPULSE,     contact_corrected_impulse,     velocity_level)        \
    X("barrier",               CONTACT_BARRIER,               contact_barrier,               incremental_potential) \
    X("position-based",        CONTACT_POSITION_BASED,        contact_position_based,        position_based)        \
    X("pressure",              CONTACT_PRESSURE,              contact_pressure,              velocity_level)        \
    X("none",                  CONTACT_NONE,                  contact_none,                  velocity_level)

/* Which pairs a step merges: contact/swept_pairs.h. */
#define DETECTIONS(X)                           \
    X("discrete", DETECTION_DISCRETE, discrete) \
    X("swept",    DETECTION_SWEPT,    swept)

/* Which real roots of MS 13 splitting takes: contact/split.h. */
#define ROOT_RULES(X)                   \
    X("taken",   ROOTS_TAKEN,   taken)  \
    X("ignored", ROOTS_IGNORED, ignored)

/* How the corrections of several constraints of a particle become one: constraints/averaging.h. */
#define AVERAGINGS(X)                                              \
    X("particle",       AVERAGING_PARTICLE,       of_each_particle) \
    X("mass-splitting", AVERAGING_MASS_SPLITTING, of_each_mass)

/* What friction does to positions: schemes/position_based.c, constraints/contacts_kept.c. */
#define FRICTIONS(X)                                     \
    X("position", FRICTION_OF_STEP,     within_a_step)   \
    X("kept",     FRICTION_KEPT,        since_the_touch) \
    X("velocity", FRICTION_OF_VELOCITY, of_velocity)

/* What positions make of bonds: constraints/distances.h. */
#define BOND_STIFFNESSES(X)                \
    X("rigid",    BONDS_RIGID,    rigid)   \
    X("material", BONDS_COMPLIANT, compliant)

/* How the pressure of incompressible SPH is found, what repairs its density, and what solids are to
 * it. */
#define PRESSURE_SOLVERS(X)                          \
    X("conjugate", PRESSURE_BY_GRADIENTS, by_gradients) \
    X("jacobi",    PRESSURE_BY_JACOBI,    by_jacobi)
#define PRESSURE_CORRECTIONS(X)                               \
    X("displacement", CORRECTION_BY_DISPLACEMENT, by_moving)  \
    X("velocity",     CORRECTION_BY_VELOCITY,     by_pushing)
#define PRESSURE_SOLIDS(X)                                       \
    X("incompressible", SOLIDS_INCOMPRESSIBLE, with_all_pairs)   \
    X("compressible",   SOLIDS_COMPRESSIBLE,   with_other_pairs)

/* In which order pairs are merged: contact/merge_order.h. */
#define MERGE_ORDERS(X)                     \
    X("index",    ORDER_INDEX,    by_index) \
    X("shuffled", ORDER_SHUFFLED, shuffled)

/* How systems share a meta-particle: contact/synchronize.h. */
#define SYNCHRONIZATIONS(X)                                    \
    X("own-members", SYNCHRONIZATION_OWN_MEMBERS, own_members) \
    X("average",     SYNCHRONIZATION_AVERAGE,     average)     \
    X("sum",         SYNCHRONIZATION_SUM,         sum)         \
    X("sequential",  SYNCHRONIZATION_SEQUENTIAL,  sequential)

/* Which displacements limit a step, absolute or relative ones: step/cfl_rule.h. */
#define CFL_RULES(X)                      \
    X("absolute", CFL_ABSOLUTE, absolute) \
    X("relative", CFL_RELATIVE, relative)

/* How elastic bodies are integrated in time: systems/bonds. */
#define INTEGRATORS(X)                                             \
    X("backward-euler", INTEGRATOR_BACKWARD_EULER, backward_euler) \
    X("newmark",        INTEGRATOR_NEWMARK,        newmark)        \
    X("verlet",         INTEGRATOR_VERLET,         verlet)

/* Where the particles of a body begin. */
#define BODY_STARTS(X)                          \
    X("unstressed", START_UNSTRESSED, in_place) \
    X("scattered",  START_SCATTERED,  anywhere)

/* What the particles of a body weigh, if its density is given. */
#define MASSES_FROM(X)                          \
    X("spacing", MASS_FROM_SPACING, as_cubes)   \
    X("volume",  MASS_FROM_VOLUME,  as_the_body)

/* Whether particles of one body collide with each other. */
#define SELF_CONTACTS(X)                                    \
    X("detected", SELF_CONTACT_DETECTED, with_each_other)   \
    X("ignored",  SELF_CONTACT_IGNORED,  not_with_each_other)

/* What a body is bonded with beside itself: systems/bonds/bond_ties.h. */
#define BODY_TIES(X)                              \
    X("none",     TIES_NONE,     by_itself)       \
    X("touching", TIES_TOUCHING, to_what_it_touches)

/* What the particles of bodies do to a fluid: systems/sph/sph_solids.h. */
#define SOLIDS_IN_FLUIDS(X)                     \
    X("displace", SOLIDS_DISPLACE, take_room)   \
    X("ignored",  SOLIDS_IGNORED,  are_not_seen)

/* The pressure at points of walls: systems/sph/sph_walls.c. */
#define WALL_PRESSURES(X)                           \
    X("own",      WALL_PRESSURE_OWN,      of_point) \
    X("mirrored", WALL_PRESSURE_MIRRORED, of_fluid)

/* On which side of a wall fluids are. */
#define WALL_SIDES(X)                   \
    X("inside",  KEEP_INSIDE,  inside)  \
    X("outside", KEEP_OUTSIDE, outside)

/* What moves diffuse particles without fluid around: diffuse/diffuse.h. */
#define DIFFUSE_ALONE(X)                \
    X("falls",  DIFFUSE_FALLS,  freely) \
    X("drifts", DIFFUSE_DRIFTS, with_the_wind)

/* What becomes of a fluid's particles without diffuse ones around: diffuse/diffuse.h. */
#define FLUID_ALONE(X)                     \
    X("stays",  FLUID_STAYS,  in_the_scene) \
    X("leaves", FLUID_LEAVES, as_through_outlets)

/* What a wall holds on that side; each word includes the words before it. */
#define WALL_HOLDS(X)                 \
    X("fluids", HOLDS_FLUIDS, fluids) \
    X("all",    HOLDS_ALL,    all)

#define SHAPES(X)                                 \
    X("ball",       SHAPE_BALL,       ball)       \
    X("box",        SHAPE_BOX,        box)        \
    X("cylinder",   SHAPE_CYLINDER,   cylinder)   \
    X("torus",      SHAPE_TORUS,      torus)      \
    X("bowl",       SHAPE_BOWL,       bowl)       \
    X("sheet",      SHAPE_SHEET,      sheet)      \
    X("mesh",       SHAPE_MESH,       mesh)       \
    X("union",      SHAPE_UNION,      union)      \
    X("difference", SHAPE_DIFFERENCE, difference)

/* How a solid is filled with particles, or a surface has them: sample/sample.h. */
#define SAMPLINGS(X)                                 \
    X("lattice",    SAMPLING_LATTICE,    lattice)    \
    X("relaxed",    SAMPLING_RELAXED,    relaxed)    \
    X("blue-noise", SAMPLING_BLUE_NOISE, blue_noise) \
    X("vertices",   SAMPLING_VERTICES,   vertices)

/* Which particles of a body never move: the values are bits, in scene.h. */
#define FIXED_PARTS(X)                   \
    X("none",    FIXED_NONE,    nobody)  \
    X("all",     FIXED_ALL,     all)     \
    X("rim",     FIXED_RIM,     rim)     \
    X("corners", FIXED_CORNERS, corners) \
    X("left",    FIXED_LEFT,    left)    \
    X("right",   FIXED_RIGHT,   right)   \
    X("front",   FIXED_FRONT,   front)   \
    X("back",    FIXED_BACK,    back)
/* clang-format on */

/* The words of a list as the table of keys wants them, "a|b|c": a constant. */
#define CHOICE_WORDS(list) (&(list(CHOICE_WORD_))[1])
#define CHOICE_WORD_(word, ...) "|" word

/* The values of a list, for an enum. */
#define CHOICE_VALUE(word, value, ...) value,

/* The value of a word, which must be in the list. */
#define CHOICE_OF(list, word) ((unsigned)word_position(CHOICE_WORDS(list), word))

#endif
