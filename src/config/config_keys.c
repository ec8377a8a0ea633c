#include "config/choices.h"
#include "config/contact_method.h"
#include "config/key_rows.h"
#include "config/model_keys.h"

static struct choice model_choice(size_t k)
{
    const struct material_model *model = material_model_next(NULL);
    for (; model && k > 0; k--)
        model = material_model_next(model);
    return model ? (struct choice){model->name, model->help} : (struct choice){NULL, NULL};
}

static struct choice method_choice(size_t k)
{
    const char *word = contact_method_word(k);
    return (struct choice){word, word ? contact_traits[k].help : NULL};
}

/* clang-format off */
#define GROUP(p, h)       {.path = p, .type = KEY_GROUP, .help = h}
#define CENTER(p) \
    {.path = p, .type = KEY_VECTOR, .unit = "m", .range = ANY, .fallback = "[0, 0, 0]", \
     .help = "its center in the frame of the body or wall"}
#define LENGTH(p, h) \
    {.path = p, .type = KEY_NUMBER, .unit = "m", .range = ABOVE(0), .required = true, .help = h}

static const struct key config_keys[] = {
    {.path = "name", .type = KEY_NAME, .required = true,
     .help = "name of the run, for messages and files"},
    {.path = "seed", .type = KEY_SEED, .unit = "1", .fallback = "1",
     .help = "seed of all random numbers"},
    {.path = "nudge", .type = KEY_SEED, .unit = "1", .fallback = "0",
     .help = "displaces every free particle at random by up to 1e-12 radii; runs that differ in this "
             "number alone show how much of a result is chance (make chance). 0: no displacement"},
    {.path = "gravity", .type = KEY_VECTOR, .unit = "m/s^2", .range = ANY,
     .fallback = "[0, 0, -9.81]",
     .help = "acceleration of everything that is not fixed"},

    GROUP("time", "how long, and in which steps"),
    {.path = "time.end", .type = KEY_NUMBER, .unit = "s", .range = ABOVE(0), .required = true,
     .help = "simulated time"},
    {.path = "time.max_step", .type = KEY_NUMBER, .unit = "s", .range = ABOVE(0),
     .fallback = "5e-4",
     .help = "largest time step"},
    {.path = "time.courant", .type = KEY_NUMBER, .unit = "1", .range = ABOVE_TO(0, 100),
     .words = "never", .fallback = "1",
     .help = "largest displacement of a particle in a step, over the smallest radius (Section 5.1: 1); "
             "more than 1 needs contact.detection: swept or contact.method: position-based, and never, "
             "which limits nothing and is cheaper, position-based"},
    {.path = "time.motion", .type = KEY_CHOICE, .words = CHOICE_WORDS(CFL_RULES),
     .fallback = "relative",
     .help = "which displacement time.courant limits: absolute, that of every particle; relative, that of "
             "two particles that may collide, relative to each other"},
    {.path = "time.frame_interval", .type = KEY_NUMBER, .unit = "s", .range = ABOVE(0),
     .required = true,
     .help = "simulated time between frames: there is one at each of its multiples, and at the end"},

    GROUP("contact", "what happens when particles meet"),
    {.path = "contact.method", .type = KEY_CHOICE,
     .choice = method_choice,
     .fallback = "merging-and-splitting",
     .help = "what colliding particles do:"},
    {.path = "contact.detection", .type = KEY_CHOICE, .words = CHOICE_WORDS(DETECTIONS),
     .fallback = "discrete",
     .special = (const struct special_default[]){{"method", "sliding", "swept"}, {NULL, NULL, NULL}},
     .help = "which pairs a step merges: discrete, those in contact at its start; swept, also those that "
             "will touch within it (continuous collision detection), so that sliding contact never "
             "overlaps, whatever the step; for merging-and-splitting and sliding"},
    {.path = "contact.stages", .type = KEY_COUNT, .unit = "1", .range = FROM_TO(1, 64),
     .fallback = "2",
     .special = (const struct special_default[]){{"method", "sliding", "8"},
                                                 {"method", "implicit-penalty", "16"},
                                                 {"method", "barrier", "64"},
                                                 {NULL, NULL, NULL}},
     .help = "integration stages in a step, at most (Section 5.1); for barrier, iterations of Newton's "
             "method"},
    {.path = "contact.roots", .type = KEY_CHOICE, .words = CHOICE_WORDS(ROOT_RULES),
     .fallback = "taken",
     .help = "whether splitting takes the smaller real root of MS 13 where there is one: taken, as in the "
             "paper; ignored, MS 15 and 16 there too, unless the meta-particle's velocity differs from "
             "the particle's along the normal alone, where these have no direction; for "
             "merging-and-splitting (Section 3)"},
    {.path = "contact.alpha", .type = KEY_NUMBER, .unit = "1", .range = FROM_TO(0, 1),
     .fallback = "1",
     .help = "fraction of a merge's energy that splitting restores (MS 9)"},
    {.path = "contact.beta", .type = KEY_NUMBER, .unit = "1", .range = FROM_TO(0, 1),
     .fallback = "0",
     .help = "fraction of the energy lost to synchronizing that splitting restores (MS 20)"},
    {.path = "contact.group_min", .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(2),
     .fallback = "8",
     .help = "the limit of a meta-particle's size is drawn from group_min to group_max"},
    {.path = "contact.group_max", .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(2),
     .words = "unlimited", .fallback = "64",
     .help = "upper end of that range, at least group_min; unlimited: no limit"},
    {.path = "contact.order", .type = KEY_CHOICE, .words = CHOICE_WORDS(MERGE_ORDERS),
     .fallback = "index",
     .help = "order in which approaching pairs are merged (Section 3)"},
    {.path = "contact.synchronization", .type = KEY_CHOICE, .words = CHOICE_WORDS(SYNCHRONIZATIONS),
     .fallback = "sequential",
     .help = "how systems synchronize a meta-particle with members of several: own-members, each "
             "system moves its own members, and MS 17 averages; average, each moves the whole group, "
             "and MS 17 averages; sum, each moves the whole, and their impulses are added; "
             "sequential, each moves the whole and feels the impulses of those before it"},
    {.path = "contact.stiffness", .type = KEY_NUMBER, .unit = "N/m or Pa (sph)",
     .range = ABOVE(0), .fallback = "1e4",
     .help = "stiffness of the contact forces of the baselines"},
    {.path = "contact.correction", .type = KEY_NUMBER, .unit = "1", .range = ABOVE_TO(0, 1),
     .fallback = "1",
     .help = "fraction of each overlap that position correction removes in a step"},
    {.path = "contact.friction", .type = KEY_NUMBER, .unit = "1", .range = AT_LEAST(0),
     .fallback = "0",
     .help = "coefficient of Coulomb friction of contacts that slip, of bodies with each other and with "
             "walls; for contact.method: sliding and position-based"},
    {.path = "contact.static_friction", .type = KEY_NUMBER, .unit = "1", .range = AT_LEAST(0),
     .words = "kinetic", .fallback = "kinetic",
     .help = "coefficient of friction of contacts that stick, at least contact.friction; kinetic: the same "
             "as contact.friction"},

    GROUP("position", "contact.method: position-based"),
    {.path = "position.iterations", .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(1),
     .fallback = "4",
     .help = "iterations of a step; they are not repeated until they converge, so that bodies are the "
             "stiffer the more there are and the shorter the step is"},
    {.path = "position.stabilization", .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(0),
     .fallback = "0",
     .help = "iterations that move particles out of contacts before the step, without giving them the "
             "velocity of this move (UPP, Section 4.4)"},
    {.path = "position.omega", .type = KEY_NUMBER, .unit = "1", .range = ABOVE_TO(0, 2),
     .fallback = "1",
     .help = "factor of corrections after averaging (UPP 13); 1 to 2 in the paper"},
    {.path = "position.averaging", .type = KEY_CHOICE, .words = CHOICE_WORDS(AVERAGINGS),
     .fallback = "particle",
     .help = "how a particle's corrections become one: particle, their sum over their number, as in the "
             "paper (UPP 12), which does not keep momentum; mass-splitting, each constraint gets its part "
             "of the particle's mass, which keeps it and converges more slowly"},
    {.path = "position.friction", .type = KEY_CHOICE, .words = CHOICE_WORDS(FRICTIONS),
     .fallback = "position",
     .help = "how contact.friction acts: position, on what a contact slips within a step, as in the paper "
             "(UPP 24), with which bodies creep down any slope; kept, on what it slipped since it was made, so "
             "that they stand (with masses split, whatever averaging says); velocity, as position, but on "
             "velocities alone, as before the paper (Mueller et al. 2007), so that everything slides"},
    {.path = "position.mass_scaling", .type = KEY_NUMBER, .unit = "1/m", .range = AT_LEAST(0),
     .fallback = "0",
     .help = "k of UPP 21: in contacts, particles count as lighter by exp(-k h) at a height h above the lowest, so "
             "that stacks need fewer iterations; their weight does not reach the particles below, and "
             "momentum is not kept"},
    {.path = "position.sleep_speed", .type = KEY_NUMBER, .unit = "m/s", .range = AT_LEAST(0),
     .fallback = "0",
     .help = "particles that a step would move more slowly stay where they are (UPP, Section 4.5); their "
             "velocity is what it would have been"},
    {.path = "position.stiffness", .type = KEY_CHOICE, .words = CHOICE_WORDS(BOND_STIFFNESSES),
     .fallback = "rigid",
     .help = "what bonds are: rigid, distances that are kept as well as iterations can, as in the paper; "
             "material, distances that give way as the material's bonds do where iterations converge "
             "(Macklin et al. 2016)"},
    {.path = "position.tether", .type = KEY_NUMBER, .unit = "1", .range = AT_LEAST(0),
     .words = "never", .fallback = "never",
     .help = "holds each particle of a bonded body that cannot break to the fixed particle that is nearest along "
             "its bonds: how much farther than this way at rest, relative, they may be apart; never: nothing "
             "does"},
    {.path = "position.solid_weight", .type = KEY_NUMBER, .unit = "1", .range = ABOVE_TO(0, 1),
     .fallback = "1",
     .help = "what a particle of a solid counts in the density of fluids (s of UPP 27): 1 if solids are "
             "sampled as fluids are, less if their particles are closer"},

    GROUP("air", "air that presses on sheets and takes along diffuse particles that drift"),
    {.path = "air.density", .type = KEY_NUMBER, .unit = "kg/m^3", .range = AT_LEAST(0), .fallback = "0",
     .help = "its density; 0: there is none. It presses on sheets of a lattice, not on bodies whose particles are at vertices"},
    {.path = "air.wind", .type = KEY_VECTOR, .unit = "m/s", .range = ANY, .fallback = "[0, 0, 0]",
     .help = "its velocity, also for gas (materials.<name>.drag)"},
    {.path = "air.drag", .type = KEY_NUMBER, .unit = "1", .range = AT_LEAST(0), .fallback = "1",
     .help = "coefficient of the force against the velocity of a sheet's square relative to the wind"},
    {.path = "air.lift", .type = KEY_NUMBER, .unit = "1", .range = AT_LEAST(0), .fallback = "1",
     .help = "... and of that at right angles to it"},

    GROUP("pressure", "the pressure of incompressible SPH: fluids of the model dfsph, and with "
                      "contact.method: pressure everything"),
    {.path = "pressure.solver", .type = KEY_CHOICE, .words = CHOICE_WORDS(PRESSURE_SOLVERS),
     .fallback = "conjugate",
     .help = "how it is found: conjugate, by conjugate gradients that keep it at least 0; jacobi, by relaxed "
             "iterations of each particle, as in Bender and Koschier (2017)"},
    {.path = "pressure.correction", .type = KEY_CHOICE, .words = CHOICE_WORDS(PRESSURE_CORRECTIONS),
     .fallback = "displacement",
     .help = "what repairs the density: displacement, particles are moved and keep their velocities; "
             "velocity, their velocities change, too, as in Bender and Koschier (2017), which lets fluids boil, "
             "the more so the shorter steps are"},
    {.path = "pressure.density_tolerance", .type = KEY_NUMBER, .unit = "1", .range = BETWEEN(0, 1),
     .fallback = "2e-4",
     .help = "compression that a step may leave, over the density at rest, mean of the particles that are "
             "pushed"},
    {.path = "pressure.divergence_tolerance", .type = KEY_NUMBER, .unit = "1",
     .range = BETWEEN(0, 1), .fallback = "1e-3",
     .help = "rate of compression that a step may leave, likewise, times the time in which a particle passes "
             "its own diameter"},
    {.path = "pressure.most_iterations", .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(1),
     .fallback = "200",
     .help = "products of each of its two solves, at most; to end there is no error"},
    {.path = "pressure.solids", .type = KEY_CHOICE, .words = CHOICE_WORDS(PRESSURE_SOLIDS),
     .fallback = "incompressible",
     .help = "what solids are to contact.method: pressure: incompressible, their particles push each other as "
             "those of fluids do, so that no body can be compressed, whatever its Poisson's ratio (Kugelstadt "
             "et al. 2021); compressible, particles that are neighbors at rest do not"},

    GROUP("solver", "the integration of elastic bodies in time"),
    {.path = "solver.integrator", .type = KEY_CHOICE, .words = CHOICE_WORDS(INTEGRATORS),
     .fallback = "backward-euler",
     .help = "integrator of elastic bodies; newmark has beta 1/4 and gamma 1/2; verlet is explicit, and "
             "its steps are as short as the bonds demand"},
    {.path = "solver.tolerance", .type = KEY_NUMBER, .unit = "1", .range = BETWEEN(0, 1),
     .fallback = "1e-5",
     .help = "relative residual at which a solve is done"},
    {.path = "solver.max_iterations", .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(1),
     .fallback = "1000",
     .help = "a solve that needs more is an error"},

    GROUP("stop", "the run ends early, as a result, when one of these is exceeded"),
    {.path = "stop.energy_gain", .type = KEY_NUMBER, .unit = "1", .range = ABOVE(0),
     .words = "never", .fallback = "never",
     .help = "energy created from nothing, over the energy that the impact, gravity and inlets made "
             "available"},
    {.path = "stop.speed_ratio", .type = KEY_NUMBER, .unit = "1", .range = ABOVE(0),
     .words = "never", .fallback = "never",
     .help = "99.9th percentile of speed over what an elastic impact and gravity allow"},

    {.path = "materials", .type = KEY_NAMED,
     .help = "what bodies are made of, by name"},
    GROUP("materials.<name>", "one material"),
    {.path = MATERIAL_KEY("model"), .type = KEY_CHOICE, .choice = model_choice, .required = true,
     .help = "what its bodies are:"},

    {.path = "bodies", .type = KEY_NAMED, .required = true,
     .help = "what the scene consists of, by name"},
    GROUP("bodies.<name>", "one body"),
    {.path = "bodies.<name>.material", .type = KEY_NAME, .required = true,
     .help = "name of one of the materials"},
    LENGTH("bodies.<name>.radius", "radius of its particles, which stand 2 radius apart"),
    {.path = "bodies.<name>.density", .type = KEY_NUMBER, .unit = "kg/m^3", .range = ABOVE(0),
     .help = "density of the body; either this or particle_mass"},
    {.path = "bodies.<name>.mass_from", .type = KEY_CHOICE, .words = CHOICE_WORDS(MASSES_FROM),
     .fallback = "spacing",
     .help = "what density makes of a particle's mass: spacing, density x (2 radius)^3, so that the body weighs as much as its "
             "particles' cubes; volume, density x the exact volume of its shape over the number of its particles, of those at "
             "vertices the area of the surface x (2 radius)"},
    {.path = "bodies.<name>.particle_mass", .type = KEY_NUMBER, .unit = "kg", .range = ABOVE(0),
     .help = "mass of one particle; either this or density"},
    {.path = "bodies.<name>.position", .type = KEY_VECTOR, .unit = "m", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "where the body's origin starts"},
    {.path = "bodies.<name>.copies", .type = KEY_GROUP, .optional = true,
     .help = "makes many of the body, <name>-1, <name>-2 ...: a grid along the axes of the world, in which x counts "
             "first and z last"},
    {.path = "bodies.<name>.copies.counts", .type = KEY_COUNTS, .entries = 3, .unit = "1", .range = COUNT_FROM(1),
     .required = true, .help = "how many there are along x, y and z"},
    {.path = "bodies.<name>.copies.spacing", .type = KEY_VECTOR, .unit = "m", .range = ANY, .required = true,
     .help = "distance between the origins of neighbors along x, y and z; that of the first is at position"},
    {.path = "bodies.<name>.copies.shift", .type = KEY_NUMBER, .unit = "m", .range = AT_LEAST(0), .fallback = "0",
     .help = "largest random displacement of each, along each axis"},
    {.path = "bodies.<name>.copies.turn", .type = KEY_NUMBER, .unit = "degrees", .range = FROM_TO(0, 180), .fallback = "0",
     .help = "largest random angle by which each is turned about its origin, in addition to rotation, about an axis of any "
             "direction"},
    GROUP("bodies.<name>.rotation",
        "how the body is turned about its origin; give axis and degrees together"),
    {.path = "bodies.<name>.rotation.axis", .type = KEY_AXIS, .unit = "1", .range = ANY,
     .fallback = "[0, 0, 1]",
     .help = "direction of the axis, of any length but zero"},
    {.path = "bodies.<name>.rotation.degrees", .type = KEY_NUMBER, .unit = "degrees", .range = ANY,
     .fallback = "0",
     .help = "angle, counter-clockwise when the axis points at the viewer"},
    GROUP("bodies.<name>.lattice_rotation",
        "how the lattice is turned in the body; give axis and degrees together"),
    {.path = "bodies.<name>.lattice_rotation.axis", .type = KEY_AXIS, .unit = "1", .range = ANY,
     .fallback = "[0, 0, 1]",
     .help = "direction of the axis, of any length but zero"},
    {.path = "bodies.<name>.lattice_rotation.degrees", .type = KEY_NUMBER, .unit = "degrees",
     .range = ANY, .fallback = "0",
     .help = "angle, counter-clockwise when the axis points at the viewer"},
    {.path = "bodies.<name>.jitter", .type = KEY_NUMBER, .unit = "lattice spacings",
     .range = FROM_BELOW(0, 0.5), .fallback = "0",
     .help = "largest random displacement of a particle from its place in the lattice; with sampling, "
             "before relaxation begins"},
    {.path = "bodies.<name>.sampling", .type = KEY_GROUP, .optional = true,
     .help = "how a body gets its particles; without it they stand on a lattice, which fills a solid"},
    {.path = "bodies.<name>.sampling.method", .type = KEY_CHOICE, .words = CHOICE_WORDS(SAMPLINGS),
     .fallback = "relaxed",
     .help = "relaxed: the particles of a lattice are moved until they are evenly dense and none sticks "
             "out of the surface (Kugelstadt et al. 2021, Section 7); blue-noise: the same by explicit "
             "forces (after Jiang et al. 2015); vertices: one at each vertex of a mesh, which may be open, or of a "
             "geodesic sphere of about this spacing, a ball; for springs alone"},
    {.path = "bodies.<name>.sampling.start", .type = KEY_NUMBER, .unit = "spacings",
     .range = FROM_TO(0.5, 1), .fallback = "0.95",
     .help = "spacing of the lattice from which sampling starts; below 1 there are too many particles at "
             "first, which press each other against the surface"},
    {.path = "bodies.<name>.sampling.initial_strain", .type = KEY_NUMBER, .unit = "1", .range = ABOVE(-1),
     .fallback = "0",
     .help = "strain of a surface at the start, with method: vertices, as if it were larger"},
    {.path = "bodies.<name>.start", .type = KEY_CHOICE, .words = CHOICE_WORDS(BODY_STARTS),
     .fallback = "unstressed",
     .help = "where particles that are not fixed begin: unstressed, at their places in the shape; "
             "scattered, at random places in the box around the shape, which tests how a body recovers"},
    {.path = "bodies.<name>.self_contact", .type = KEY_CHOICE, .words = CHOICE_WORDS(SELF_CONTACTS),
     .fallback = "detected",
     .help = "whether particles of the body that no bond joins, in corotated solids those more than three "
             "spacings apart at rest, collide with each other: detected, as with those of other bodies; "
             "ignored, they pass through each other and limit no time step, which saves the search for "
             "contacts if the body never touches itself, or if it may pass through itself"},
    {.path = "bodies.<name>.ties", .type = KEY_CHOICE, .words = CHOICE_WORDS(BODY_TIES), .fallback = "none",
     .help = "what a mass-spring body has springs to beside its own: touching, the particles of other mass-spring "
             "bodies that are as near at the start as its own neighbors are, the same springs as between "
             "these; a rope is tied so to a cloth and to a load"},
    {.path = "bodies.<name>.velocity", .type = KEY_VECTOR, .unit = "m/s", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "velocity of the body's origin at the start"},
    {.path = "bodies.<name>.spin", .type = KEY_VECTOR, .unit = "1/s", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "angular velocity about the body's origin at the start"},
    GROUP("bodies.<name>.velocity_gradient",
        "velocity at the start that grows with the distance r from the body's origin: "
        "velocity + spin x r + (vx . r, vy . r, vz . r), r along the axes of the world"),
    {.path = "bodies.<name>.velocity_gradient.vx", .type = KEY_VECTOR, .unit = "1/s",
     .range = ANY, .fallback = "[0, 0, 0]",
     .help = "how the x component of velocity grows along x, y and z; [0, 0, 5] is a shear flow"},
    {.path = "bodies.<name>.velocity_gradient.vy", .type = KEY_VECTOR, .unit = "1/s",
     .range = ANY, .fallback = "[0, 0, 0]",
     .help = "how the y component of velocity grows along x, y and z"},
    {.path = "bodies.<name>.velocity_gradient.vz", .type = KEY_VECTOR, .unit = "1/s",
     .range = ANY, .fallback = "[0, 0, 0]",
     .help = "how the z component of velocity grows along x, y and z"},
    {.path = "bodies.<name>.shape", .type = KEY_SHAPE, .required = true,
     .help = "exactly one of the shapes below"},
    {.path = "bodies.<name>.fixed", .type = KEY_WORDS,
     .words = CHOICE_WORDS(FIXED_PARTS), .fallback = "none",
     .help = "particles that never move; words other than none and all are for sheets, such as "
             "[left, right]: left and right are the edges at the smallest and at the largest x of "
             "the body's frame, front and back those at the smallest and at the largest y, the rim "
             "is all four; what is fixed as a whole costs no time for its bonds"},
    {.path = "bodies.<name>.fixed_in", .type = KEY_SHAPE,
     .help = "a solid, but not a mesh, in the body's frame: particles whose lattice point is in it, or "
             "on its surface, never move either; a union of small balls holds a body at points"},
    {.path = "bodies.<name>.inlet", .type = KEY_GROUP, .optional = true,
     .help = "makes the body a fluid that keeps flowing in; the shape holds all the fluid that is still to "
             "come"},
    {.path = "bodies.<name>.inlet.point", .type = KEY_VECTOR, .unit = "m", .range = ANY,
     .required = true,
     .help = "the plane through this point, perpendicular to the velocity: particles upstream of "
             "it move with the velocity, touch nothing, and become free when they pass it"},

    {.path = "bodies.<name>.without_smoke", .type = KEY_CHOICE, .words = CHOICE_WORDS(FLUID_ALONE), .fallback = "stays",
     .help = "what becomes of particles of a fluid that have no diffuse particle within two of their spacings: stays; "
             "leaves, they are gone, as in an outlet, so that gas is simulated only where there is smoke"},

    {.path = "motions", .type = KEY_NAMED,
     .help = "motions that are prescribed to particles of elastic bodies, by name"},
    GROUP("motions.<name>",
        "one motion of particles that are held: they turn about an axis, and are displaced by velocity x t + "
        "amplitude x sin(2 pi frequency t), where t is the time by a clock that runs from start to stop"),
    {.path = "motions.<name>.body", .type = KEY_NAME, .required = true,
     .help = "name of one of the bodies"},
    {.path = "motions.<name>.region", .type = KEY_SHAPE,
     .help = "a solid, but not a mesh, in the body's frame: particles whose unstressed place is in it, or on its "
             "surface, are held and move; without it, all fixed particles of the body that no other motion's "
             "region holds"},
    {.path = "motions.<name>.velocity", .type = KEY_VECTOR, .unit = "m/s", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "constant velocity along a straight line"},
    {.path = "motions.<name>.amplitude", .type = KEY_VECTOR, .unit = "m", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "amplitude of an oscillation along a straight line"},
    {.path = "motions.<name>.frequency", .type = KEY_NUMBER, .unit = "1/s", .range = AT_LEAST(0),
     .fallback = "0",
     .help = "frequency of that oscillation"},
    GROUP("motions.<name>.turning", "about an axis that does not move; give axis and turns together"),
    {.path = "motions.<name>.turning.axis", .type = KEY_AXIS, .unit = "1", .range = ANY,
     .fallback = "[0, 0, 1]",
     .help = "direction of the axis, of any length but zero"},
    {.path = "motions.<name>.turning.center", .type = KEY_VECTOR, .unit = "m", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "a point of the axis, in the world"},
    {.path = "motions.<name>.turning.turns", .type = KEY_NUMBER, .unit = "1/s", .range = ANY,
     .fallback = "0",
     .help = "full turns in a second, counter-clockwise when the axis points at the viewer"},
    {.path = "motions.<name>.start", .type = KEY_NUMBER, .unit = "s", .range = AT_LEAST(0),
     .fallback = "0",
     .help = "time at which the clock starts"},
    {.path = "motions.<name>.stop", .type = KEY_NUMBER, .unit = "s", .range = ABOVE(0),
     .words = "never", .fallback = "never",
     .help = "time at which the clock stops; from then on the particles stay where they are"},
    {.path = "motions.<name>.ramp", .type = KEY_NUMBER, .unit = "s", .range = AT_LEAST(0),
     .fallback = "0",
     .help = "how long the clock takes to run at full rate after the start, and to slow down before the stop"},

    {.path = "outlets", .type = KEY_NAMED,
     .help = "where fluids leave the scene, by name; elastic bodies are not affected"},
    GROUP("outlets.<name>", "one region: fluid particles whose center gets into it are gone"),
    {.path = "outlets.<name>.shape", .type = KEY_SHAPE, .required = true,
     .help = "exactly one of the shapes below: a solid, but not a mesh"},
    {.path = "outlets.<name>.position", .type = KEY_VECTOR, .unit = "m", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "where the shape's origin is"},
    GROUP("outlets.<name>.rotation",
        "how the shape is turned about its origin; give axis and degrees together"),
    {.path = "outlets.<name>.rotation.axis", .type = KEY_AXIS, .unit = "1", .range = ANY,
     .fallback = "[0, 0, 1]",
     .help = "direction of the axis, of any length but zero"},
    {.path = "outlets.<name>.rotation.degrees", .type = KEY_NUMBER, .unit = "degrees",
     .range = ANY, .fallback = "0",
     .help = "angle, counter-clockwise when the axis points at the viewer"},

    {.path = "diffuse", .type = KEY_NAMED,
     .help = "sources of diffuse particles, such as smoke and spray, by name: they move with the fluid around "
             "them and only show how it moves; nothing feels them"},
    GROUP("diffuse.<name>", "one source: a region in which diffuse particles begin, at random places"),
    {.path = "diffuse.<name>.shape", .type = KEY_SHAPE, .required = true,
     .help = "exactly one of the shapes below: a solid, but not a mesh"},
    {.path = "diffuse.<name>.position", .type = KEY_VECTOR, .unit = "m", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "where the shape's origin is"},
    GROUP("diffuse.<name>.rotation",
        "how the shape is turned about its origin; give axis and degrees together"),
    {.path = "diffuse.<name>.rotation.axis", .type = KEY_AXIS, .unit = "1", .range = ANY,
     .fallback = "[0, 0, 1]",
     .help = "direction of the axis, of any length but zero"},
    {.path = "diffuse.<name>.rotation.degrees", .type = KEY_NUMBER, .unit = "degrees",
     .range = ANY, .fallback = "0",
     .help = "angle, counter-clockwise when the axis points at the viewer"},
    {.path = "diffuse.<name>.number", .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(0),
     .fallback = "0",
     .help = "how many there are at the start"},
    {.path = "diffuse.<name>.rate", .type = KEY_NUMBER, .unit = "1/s", .range = AT_LEAST(0),
     .fallback = "0",
     .help = "how many are added in a second, evenly in time"},
    {.path = "diffuse.<name>.start", .type = KEY_NUMBER, .unit = "s", .range = AT_LEAST(0),
     .fallback = "0",
     .help = "time from which on they are added"},
    {.path = "diffuse.<name>.stop", .type = KEY_NUMBER, .unit = "s", .range = ABOVE(0),
     .words = "never", .fallback = "never",
     .help = "time after which none is added"},
    {.path = "diffuse.<name>.velocity", .type = KEY_VECTOR, .unit = "m/s", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "velocity with which they begin, until fluid takes them along"},
    {.path = "diffuse.<name>.lifetime", .type = KEY_NUMBER, .unit = "s", .range = ABOVE(0),
     .words = "never", .fallback = "never",
     .help = "how long after its birth a particle is gone; never: it stays until it gets into an outlet"},
    {.path = "diffuse.<name>.alone", .type = KEY_CHOICE, .words = CHOICE_WORDS(DIFFUSE_ALONE),
     .fallback = "falls",
     .help = "what moves those with no fluid within two of its spacings: falls, gravity alone; drifts, they "
             "have the velocity of the air, air.wind"},

    {.path = "walls", .type = KEY_NAMED,
     .help = "what holds fluids, by name, and elastic bodies if asked to"},
    GROUP("walls.<name>", "one wall; a tank is a box that keeps fluids inside"),
    {.path = "walls.<name>.keep", .type = KEY_CHOICE, .words = CHOICE_WORDS(WALL_SIDES), .required = true,
     .help = "on which side of the shape's surface the scene is"},
    {.path = "walls.<name>.holds", .type = KEY_CHOICE, .words = CHOICE_WORDS(WALL_HOLDS),
     .fallback = "fluids",
     .help = "what stays on that side: fluids, or all, elastic bodies too, which stop at the wall and "
             "slide along it, with friction if contact.friction gives them some"},
    {.path = "walls.<name>.position", .type = KEY_VECTOR, .unit = "m", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "where the wall's origin is"},
    GROUP("walls.<name>.rotation",
        "how the wall is turned about its origin; give axis and degrees together"),
    {.path = "walls.<name>.rotation.axis", .type = KEY_AXIS, .unit = "1", .range = ANY,
     .fallback = "[0, 0, 1]",
     .help = "direction of the axis, of any length but zero"},
    {.path = "walls.<name>.rotation.degrees", .type = KEY_NUMBER, .unit = "degrees", .range = ANY,
     .fallback = "0",
     .help = "angle, counter-clockwise when the axis points at the viewer"},
    {.path = "walls.<name>.shape", .type = KEY_SHAPE, .required = true,
     .help = "exactly one of the shapes below, but not a sheet; a mesh is a whole wall, not a part of one"},

    GROUP("shape.ball", "a ball"),
    LENGTH("shape.ball.radius", "of the ball"),
    CENTER("shape.ball.center"),
    GROUP("shape.box", "a box along the axes"),
    {.path = "shape.box.size", .type = KEY_VECTOR, .unit = "m", .range = ABOVE(0),
     .required = true,
     .help = "lengths of the edges"},
    CENTER("shape.box.center"),
    GROUP("shape.cylinder", "a cylinder along z"),
    LENGTH("shape.cylinder.radius", "of the cylinder"),
    LENGTH("shape.cylinder.height", "along z"),
    CENTER("shape.cylinder.center"),
    GROUP("shape.torus", "a ring around z"),
    LENGTH("shape.torus.radius", "of the circle along the middle of the tube"),
    LENGTH("shape.torus.tube", "radius of the tube, at most that of the circle"),
    CENTER("shape.torus.center"),
    GROUP("shape.bowl", "a hollow ball, cut open at the top"),
    LENGTH("shape.bowl.radius", "of the outside"),
    LENGTH("shape.bowl.thickness", "of the wall, at most the radius"),
    LENGTH("shape.bowl.height", "of the cut above the lowest point, at most twice the radius"),
    CENTER("shape.bowl.center"),
    GROUP("shape.sheet",
        "one layer of particles in the plane z = 0 around the origin; it cannot be part of a shape"),
    {.path = "shape.sheet.cells", .type = KEY_COUNTS, .entries = 2, .unit = "1", .range = COUNT_FROM(2),
     .required = true,
     .help = "particles along x and along y"},
    {.path = "shape.sheet.initial_strain", .type = KEY_NUMBER, .unit = "1", .range = ABOVE(-1),
     .fallback = "0",
     .help = "strain in x and y at the start"},
    GROUP("shape.mesh", "the inside of a closed surface of triangles (OBJ, PLY, STL); with sampling.method: vertices the surface"),
    {.path = "shape.mesh.file", .type = KEY_TEXT, .required = true,
     .help = "the file with the triangles; in a file its path has letters, digits and . _ - + /"},
    {.path = "shape.mesh.relative_to", .type = KEY_CHOICE, .words = "config|working-directory",
     .fallback = "config",
     .help = "what the path is relative to: the folder of the file that names it, or the folder that the "
             "program runs in"},
    {.path = "shape.mesh.digest", .type = KEY_TEXT,
     .help = "of the file's contents; it is filled in if left out, and must match if given"},
    {.path = "shape.mesh.scale", .type = KEY_NUMBER, .unit = "m per unit of the file",
     .range = ABOVE(0), .fallback = "1",
     .help = "size: 0.001 for a file in millimeters"},
    {.path = "shape.mesh.fit", .type = KEY_NUMBER, .unit = "m", .range = ABOVE(0),
     .help = "instead of scale: how long the longest edge of the box around it becomes, along the axes of "
             "the file, whose units then do not matter; the effective configuration has the scale"},
    {.path = "shape.mesh.recenter", .type = KEY_CHOICE, .words = "none|box",
     .help = "what of it is at center: none, the origin of the file; box, the middle of the box around it; "
             "the effective configuration has the center of the origin"},
    {.path = "shape.mesh.center", .type = KEY_VECTOR, .unit = "m", .range = ANY,
     .fallback = "[0, 0, 0]",
     .help = "where the origin of the file, or with recenter the middle of the mesh, is in the frame of the "
             "body or wall"},
    {.path = "shape.union", .type = KEY_SHAPES, .range = COUNT_FROM(1),
     .help = "everything that is in at least one of the shapes"},
    {.path = "shape.difference", .type = KEY_SHAPES, .range = COUNT_FROM(2),
     .help = "the first shape without the others"},
    {.path = NULL},
};
/* clang-format on */

static bool is_model_row(const struct key *row)
{
    return row->choice == model_choice;
}

static const struct key *model_row(void)
{
    const struct key *row = config_keys;
    while (!is_model_row(row))
        row++;
    return row;
}

const struct key *key_next_of_all(const struct key *row)
{
    row = row ? row + 1 : config_keys;
    return row->path ? row : NULL;
}

const struct key *key_next(const struct key *row)
{
    if (!row)
        return key_next_of_all(NULL);
    bool of_a_model = model_key_is(row);
    if (of_a_model || is_model_row(row)) {
        const struct key *own = model_key_next(of_a_model ? row : NULL);
        if (own)
            return own;
        row = model_row();
    }
    return key_next_of_all(row);
}
