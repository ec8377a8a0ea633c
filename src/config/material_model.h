/* Material models as the configuration knows them: as data. A model brings its keys, the struct
 * that their values go to, and what the other rooms have to know about its bodies. The simulation
 * systems own the models; the configuration sees them through model_family_at alone. */
#ifndef CONFIG_MATERIAL_MODEL_H
#define CONFIG_MATERIAL_MODEL_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>

struct body;
struct material;
struct model_check;
struct model_key;
struct particles;
struct scene;
struct sheet;

/* What else in a scene the bodies of a model may be unable to be combined with. */
enum model_exclusion {
    EXCLUDES_OTHER_INTEGRATORS = 1 << 0, /* any solver.integrator but backward-euler */
    EXCLUDES_IMPLICIT_CONTACT =
        1 << 1,                  /* methods whose forces, particles->stiff, a solve has to find */
    EXCLUDES_WALLS = 1 << 2,     /* walls with holds: all, unless contacts are links or
                                    positions are corrected */
    EXCLUDES_POSITIONS = 1 << 3, /* methods that move particles by constraints of positions */
    EXCLUDES_SINGLE = 1 << 4,    /* methods that move particles of a body one by one */
    EXCLUDES_PRESSURE = 1 << 5   /* methods that find the pressure of fluids: it has its own */
};

struct fracture_report {
    double critical_stretch;
    double energy[3]; /* of planes across the x, y and z axis of the body, mean, J/m^2 */
    double asked;     /* the material's fracture energy, J/m^2; infinity: none was given */
};

struct material_model {
    const char *name; /* materials.<name>.model */
    const char *help; /* its part of the help on that key: "bonds within a horizon" */
    size_t size;      /* of its parameters, bytes */
    size_t n_keys;
    const struct model_key *key; /* model_keys.h (n_keys) */

    /* A fluid: it comes through inlets, leaves through outlets, is held by walls, and its particles
     * never collide with each other. */
    bool flows;

    /* A fluid whose particles have densities of their own, which should hardly rise above that at
     * rest. */
    bool nearly_incompressible;

    /* Its particles keep their places in the body, and never collide with each other. */
    bool rigid;

    /* Its bodies may have their particles at the vertices of a surface. */
    bool at_vertices;

    unsigned excludes; /* of enum model_exclusion */

    /* All materials of this model must have equal values, because its system has but one of each.
     */
    bool alike;

    /* Whether bodies can break. NULL: never. */
    bool (*breaks)(const void *parameters);

    /* Whether every body of the scene that ties itself to others touches some, in a way that leaves
     * no choice of bonds. Particles are at rest at `rest`. STATUS_INVALID with
     * "file:line:column: ...". NULL: bodies of this model tie themselves to none. */
    enum status (*check_ties)(const struct scene *scene, const struct particles *particles,
                              const struct vec3 *rest, struct error *error);

    /* At which strain a body of the material breaks, and what cracks across it cost. Its n
     * particles are at rest at `rest`. NULL if bodies never break; called only for those that can.
     */
    enum status (*fracture)(const struct body *body, const struct material *material, size_t n,
                            const struct vec3 *rest, struct fracture_report *report,
                            struct error *error);

    /* The pressure at a ratio of density to that at rest, Pa. NULL: pressure is not a function of
     * density. */
    double (*pressure)(const void *parameters, double ratio);

    /* Viscosities of a fluid for who solves for its pressure, m^2/s: inside, and between it and
     * walls and solids. NULL: its system has all of it. */
    void (*viscosity)(const void *parameters, double *inside, double *outside);

    /* Checks what keys must fulfil together, and reports every fault by model_complain. Called for
     * each body of the material. NULL: nothing to check. */
    void (*check)(struct model_check *check, const void *parameters);

    /* Whether the materials of a scene are no more than the system of the model can have.
     * STATUS_INVALID with "file:line:column: ...". NULL: there is no limit. */
    enum status (*check_materials)(const struct scene *scene, struct error *error);

    /* Whether the particles of a body, at rest at `rest` (n), can be what the model needs;
     * `surface`: the triangles of a body at vertices, else NULL. STATUS_INVALID with
     * "file:line:column: ...". NULL: any can. */
    enum status (*check_body)(const struct body *body, const struct material *material, size_t n,
                              const struct vec3 *rest, const struct sheet *surface,
                              struct error *error);
};

/* Models whose bodies are moved by systems of one class. */
struct model_family {
    const struct material_model *const *model; /* ended by NULL; NULL: none */
    bool
        apart; /* each material is a system of its own, of equal particles; otherwise all are one */
};

/* The k-th family, in the order in which their bodies and particles stand in a scene; NULL behind
 * the last. Defined in systems/system.c. */
const struct model_family *model_family_at(size_t k);

/* All models of all families: start with NULL; NULL at the end. */
const struct material_model *material_model_next(const struct material_model *model);

/* NULL if there is none of that name. */
const struct material_model *material_model_find(const char *name);

/* The index of a model's family, as in model_family_at. */
size_t material_model_family(const struct material_model *model);

/* A body whose material is checked; values that are not known are NAN. A parameter with a fault of
 * its own is NAN, or 0 if its type has no NAN. */
struct model_check {
    double radius;        /* of its particles, m */
    double particle_mass; /* kg */
    double end;           /* simulated time, s */
    double longest;    /* step, s, where contact.method moves particles by constraints, so that no
                          system limits it; NAN: elsewhere */
    bool positions;    /* contact.method does so */
    double gravity;    /* its magnitude, m/s^2 */
    bool vertices;     /* its particles are the vertices of a surface ... */
    bool all_vertices; /* ... as are those of all bodies of the material */
    bool links;        /* contact.method makes contacts links (config/contact_method.h) */
    const void *material; /* for model_complain alone */
    void *reading;
};

/* Complains about the value of one of the material's keys: what is wrong; what would be right. The
 * key must have a value, so its parameter is not NAN. */
void model_complain(struct model_check *check, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
