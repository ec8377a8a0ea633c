/* A checked scene: everything a run needs to know that does not change while it runs. Filled from
 * YAML by config/config.h, which guarantees every range stated here. All in SI units. */
#ifndef CONFIG_SCENE_H
#define CONFIG_SCENE_H

#include "base/vec3.h"
#include "config/choices.h"
#include "config/material_model.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCENE_UNLIMITED UINT32_MAX

/* Where a value came from, for messages about the scene as a whole. */
struct origin {
    const char *file; /* owned by the scene */
    int line, column; /* from 1 */
};

enum cfl_motion { CFL_RULES(CHOICE_VALUE) };
enum contact_method { CONTACT_METHODS(CHOICE_VALUE) };
enum way_of_detecting { DETECTIONS(CHOICE_VALUE) };
enum order_of_merging { MERGE_ORDERS(CHOICE_VALUE) };
enum way_of_synchronizing { SYNCHRONIZATIONS(CHOICE_VALUE) };
enum way_of_averaging { AVERAGINGS(CHOICE_VALUE) };
enum way_of_friction { FRICTIONS(CHOICE_VALUE) };
enum bond_stiffness { BOND_STIFFNESSES(CHOICE_VALUE) };
enum way_of_pressure { PRESSURE_SOLVERS(CHOICE_VALUE) };
enum pressure_correction { PRESSURE_CORRECTIONS(CHOICE_VALUE) };
enum pressure_solids { PRESSURE_SOLIDS(CHOICE_VALUE) };
enum use_of_roots { ROOT_RULES(CHOICE_VALUE) };
enum time_integration { INTEGRATORS(CHOICE_VALUE) };
enum mass_from { MASSES_FROM(CHOICE_VALUE) };
enum self_contact { SELF_CONTACTS(CHOICE_VALUE) };
enum body_ties { BODY_TIES(CHOICE_VALUE) };
enum fluid_alone { FLUID_ALONE(CHOICE_VALUE) };
enum wall_side { WALL_SIDES(CHOICE_VALUE) };
enum wall_holds { WALL_HOLDS(CHOICE_VALUE) };
enum diffuse_alone { DIFFUSE_ALONE(CHOICE_VALUE) };
enum body_start { BODY_STARTS(CHOICE_VALUE) };
enum shape_kind { SHAPES(CHOICE_VALUE) };
enum way_of_sampling { SAMPLINGS(CHOICE_VALUE) };

struct time_settings {
    double end;             /* simulated time, s, > 0 */
    double max_step;        /* largest time step, s, > 0 */
    double courant;         /* largest displacement per step over the smallest radius, > 0; above 1
                               only with DETECTION_SWEPT or METHOD_POSITIONS; infinity: any, with
                               the latter */
    enum cfl_motion motion; /* absolute, or that of two particles relative to each other */
    double frame_interval;  /* s, > 0 */
};

struct contact_settings {
    enum contact_method method;
    enum way_of_detecting detection; /* contact/swept_pairs.h */
    enum order_of_merging order;
    enum way_of_synchronizing synchronization; /* contact/synchronize.h */
    enum use_of_roots roots;                   /* of MS 13: contact/split.h */
    uint32_t stages;               /* integration stages per step, >= 1 (Section 5.1: 2) */
    double alpha;                  /* energy restored when splitting, [0, 1], MS 9 */
    double beta;                   /* energy restored from synchronizing, [0, 1], MS 20 */
    uint32_t group_min, group_max; /* limit of a group's size is drawn from [min, max] >= 2 */
    double stiffness;              /* of the baselines: sph Pa, others N/m; > 0 */
    double friction;               /* Coulomb's coefficient of links that slip, >= 0; 0: none */
    double static_friction;        /* ... and of those that stick, >= friction */
    double correction; /* fraction of an overlap that position correction removes, (0, 1] */
};

/* Of contact.method: position-based (schemes/position_based.h). */
struct position_settings {
    uint32_t iterations;             /* of a step, > 0 */
    uint32_t stabilization;          /* iterations of contacts before them */
    double omega;                    /* factor of corrections, (0, 2] */
    enum way_of_averaging averaging; /* of a particle's corrections */
    enum way_of_friction friction;   /* of contacts */
    double mass_scaling;             /* k of UPP 21, 1/m */
    double sleep_speed;              /* of particles that stay where they are, m/s */
    enum bond_stiffness stiffness;   /* of bonds */
    bool tethered;                   /* whether fixed particles hold others by tethers ... */
    double slack;                    /* ... and with how much slack, >= 0 */
    double solid_weight;             /* s of UPP 27 */
};

/* Of the pressure of incompressible SPH, whoever solves for it: the system of these fluids, or
 * contact.method: pressure for everything. */
struct pressure_keys {
    enum way_of_pressure solver;
    enum pressure_correction correction; /* of the density */
    enum pressure_solids solids;         /* of contact.method: pressure */
    double density_tolerance;            /* compression that a step may leave, (0, 1) */
    double divergence_tolerance;         /* ... its rate, times the time in which a particle passes
                                            its own diameter, (0, 1) */
    uint32_t most_iterations;            /* of each of the two solves, > 0 */
};

/* Around sheets (air/air.h); its wind also around gas. */
struct air_settings {
    double density;    /* kg/m^3; 0: there is none */
    struct vec3 wind;  /* m/s */
    double drag, lift; /* coefficients, >= 0 */
};

struct solver_settings {
    enum time_integration integrator;
    double tolerance;        /* relative residual at which a solve is done, (0, 1) */
    uint32_t max_iterations; /* > 0 */
};

/* The run ends, as a result and not as an error, when one is exceeded; infinity: never. */
struct stop_settings {
    double energy_gain; /* (E(t) - E(0) - W) / energy available since the impact */
    double speed_ratio; /* 99.9th percentile of speed over the speed that physics allows */
};

struct material {
    const char *name; /* owned by the scene */
    const struct material_model *model;
    const void *parameters; /* as the model declares them; owned by the scene */
    struct origin origin;
};

/* Whether bodies of the material can break. */
static inline bool material_breaks(const struct material *material)
{
    return material->model->breaks && material->model->breaks(material->parameters);
}

/* A shape in its body's own frame. Children (union, difference) are owned by the scene. */
struct shape {
    enum shape_kind kind;
    struct vec3 center; /* m; all but sheet */
    double radius;      /* ball, cylinder, bowl (outer): m; torus: of the center circle */
    double tube;        /* torus: tube radius, m */
    double thickness;   /* bowl: wall, m */
    double height;      /* cylinder: along z, m; bowl: cut at this height above its lowest point */
    struct vec3 size;   /* box: edge lengths, m */
    uint32_t cells[2];  /* sheet: particles along x and y, >= 2 each, centered on the origin */
    double initial_strain; /* sheet: initial strain in x and y, > -1 */
    const char *file;      /* mesh: path, resolved against the config's folder */
    const char *digest;    /* mesh: of the file (config/mesh_digest.h); NULL: any will do */
    double scale;          /* mesh: m per unit of the file, > 0 */
    size_t n_children;     /* union: >= 1; difference: the first minus all others */
    struct shape *child;
    struct origin origin;
};

/* The particles of a body that are fixed, as bits. Edges and corners are those of sheets. */
enum fixed_part {
    FIXED_NONE = 0,
    FIXED_LEFT = 1,  /* least x */
    FIXED_RIGHT = 2, /* largest x */
    FIXED_FRONT = 4, /* least y */
    FIXED_BACK = 8,  /* largest y */
    FIXED_RIM = FIXED_LEFT | FIXED_RIGHT | FIXED_FRONT | FIXED_BACK,
    FIXED_CORNERS = 16,
    FIXED_ALL = 32
};

/* Where the jet of a fluid body begins: particles upstream of the plane through the inlet's point,
 * perpendicular to the body's velocity, move with that velocity until they pass it. */
struct inlet {
    bool given;
    struct vec3 point; /* m */
    struct origin origin;
};

/* How a solid is filled with particles, or a surface has them at its vertices. */
struct sampling_settings {
    bool given;
    enum way_of_sampling method;
    double start;          /* spacing of the lattice it starts from, in spacings, [0.5, 1]; neither
                              of a lattice nor of vertices */
    double initial_strain; /* at vertices: initial strain of the surface, > -1; else 0 */
    struct origin origin;  /* if given */
};

struct body {
    const char *name; /* owned by the scene */
    size_t copy;      /* number among the copies of one body, from 0; they follow each other */
    struct shape shape;
    size_t material;            /* index into the scene's materials */
    double radius;              /* of its particles, m, > 0; lattice spacing is 2 radius */
    double density;             /* kg/m^3; 0: particle_mass was given */
    enum mass_from mass_from;   /* what density makes of the particles' mass */
    double particle_mass;       /* kg, > 0; from density if that was given; with MASS_FROM_VOLUME
                                   only a frame knows it exactly (store/frame_scene.h) */
    struct vec3 position;       /* of the body's origin, m */
    double rotation[9];         /* body to world, row by row */
    double lattice_rotation[9]; /* lattice to body */
    double jitter;              /* random displacement, in spacings, [0, 0.5) */
    struct sampling_settings sampling;
    enum body_start start; /* where its particles begin, except fixed ones */
    enum self_contact self_contact;
    enum body_ties ties;         /* mass-spring bodies alone have any */
    struct vec3 velocity;        /* m/s */
    struct vec3 spin;            /* angular velocity about the body's origin, 1/s */
    double velocity_gradient[9]; /* times the offset from the body's origin, row by row, 1/s */
    unsigned fixed;              /* sum of enum fixed_part; other than all: sheets only */
    struct shape *fixed_in;      /* where particles are fixed, too; NULL: nowhere */
    struct inlet inlet;          /* of fluids that move and do not spin */
    enum fluid_alone without_smoke;
    struct origin origin;
};

/* A prescribed motion of particles of one body, which no force moves then. With a clock that runs
 * from start to stop, x = X + (R - 1) (X - center) + velocity clock + amplitude sin(2 pi frequency
 * clock), where R turns about the axis by 2 pi turns clock (shape/prescribed.h). */
struct prescribed {
    const char *name;      /* owned by the scene */
    size_t body;           /* index into the scene's bodies */
    struct shape *region;  /* the particles in it move, in the body's frame; NULL: all fixed ones
                              that are in no region */
    struct vec3 velocity;  /* m/s */
    struct vec3 amplitude; /* m */
    double frequency;      /* 1/s, >= 0 */
    struct vec3 axis;      /* of length 1 */
    struct vec3 center;    /* a point of the axis, in the world, m */
    double turns;          /* 1/s */
    double start, stop;    /* s, start < stop; infinity: never */
    double ramp; /* time in which the clock reaches its full rate after the start, and stops before
                    the stop, s; at most half of stop - start */
    struct origin origin;
};

/* A solid shape with its position and rotation in the world. */
struct placed_shape {
    struct shape shape;
    struct vec3 position; /* of the shape's origin, m */
    double rotation[9];   /* shape to world, row by row */
};

/* Where fluids leave: a particle whose center gets into the shape is gone. */
struct outlet {
    const char *name; /* owned by the scene */
    struct placed_shape region;
    struct origin origin;
};

/* Where diffuse particles come from (diffuse/diffuse.h): at random places in a shape. */
struct diffuse_source {
    const char *name; /* owned by the scene */
    struct placed_shape region;
    uint32_t number;          /* how many there are at the start */
    double rate;              /* how many it emits in a second, 1/s, >= 0 ... */
    double start, stop;       /* ... from when until when, s, start < stop; infinity: never */
    struct vec3 velocity;     /* at birth, m/s */
    double lifetime;          /* s, > 0; infinity: they stay */
    enum diffuse_alone alone; /* what moves those without fluid around */
    struct origin origin;
};

/* A boundary that holds fluids, and elastic bodies if asked to. */
struct wall {
    const char *name; /* owned by the scene */
    struct placed_shape region;
    enum wall_side keep;   /* on which side of the shape's surface the scene is */
    enum wall_holds holds; /* what stays there */
    struct origin origin;
};

struct scene {
    const char *name;
    uint64_t seed;
    uint64_t nudge;      /* draws displacements as small as rounding; 0: none */
    struct vec3 gravity; /* m/s^2 */
    struct time_settings time;
    struct contact_settings contact;
    struct position_settings position;
    struct pressure_keys pressure;
    struct air_settings air;
    struct solver_settings solver;
    struct stop_settings stop;
    size_t n_materials;
    struct material *material; /* by name in byte order, so that key order never matters */
    size_t n_bodies;
    struct body *body; /* in the order of the models' families and, where these are kept apart, of
                          materials; then by name in byte order */
    size_t n_prescribed;
    struct prescribed *prescribed; /* by name in byte order */
    size_t n_outlets;
    struct outlet *outlet; /* by name in byte order */
    size_t n_walls;
    struct wall *wall; /* by name in byte order */
    size_t n_diffuse;
    struct diffuse_source *diffuse; /* by name in byte order */
    void *strings;                  /* owns every name and path above */
};

/* Whether the body's particles are the vertices of a surface. */
static inline bool scene_body_at_vertices(const struct scene *scene, size_t body)
{
    return scene->body[body].sampling.method == SAMPLING_VERTICES;
}

/* Whether the body is one layer of particles, with triangles between them. */
static inline bool scene_body_is_layer(const struct scene *scene, size_t body)
{
    return scene->body[body].shape.kind == SHAPE_SHEET || scene_body_at_vertices(scene, body);
}

static inline const struct material *scene_material_of(const struct scene *scene, size_t body)
{
    return &scene->material[scene->body[body].material];
}

/* Whether an implicit solve finds the body's motion. */
static inline bool scene_body_is_implicit(const struct scene *scene, size_t body)
{
    const struct material_model *model = scene_material_of(scene, body)->model;
    return !model->flows && !model->rigid && scene->solver.integrator != INTEGRATOR_VERLET;
}

/* Whether particles of the body that no bond joins collide with each other. */
static inline bool scene_body_meets_itself(const struct scene *scene, size_t body)
{
    return scene->body[body].self_contact != SELF_CONTACT_IGNORED &&
           !scene_material_of(scene, body)->model->rigid;
}

/* Whether the body is a fluid. */
static inline bool scene_body_flows(const struct scene *scene, size_t body)
{
    return scene_material_of(scene, body)->model->flows;
}

/* Whether the particles of some fluid are gone where there is no smoke. */
static inline bool scene_some_fluid_leaves(const struct scene *scene)
{
    bool any = false;
    for (size_t b = 0; b < scene->n_bodies; b++)
        any |= scene->body[b].without_smoke == FLUID_LEAVES;
    return any;
}

void scene_free(struct scene *scene);

#endif
