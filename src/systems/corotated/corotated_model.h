/* The material of corotated solids: its parameters, as the configuration fills them in. */
#ifndef SYSTEMS_COROTATED_COROTATED_MODEL_H
#define SYSTEMS_COROTATED_COROTATED_MODEL_H

#include "config/scene.h"
#include "systems/corotated/rest.h"

struct corotated_material {
    double young;        /* Young's modulus, Pa, > 0 */
    double poisson;      /* Poisson's ratio, [0, 0.5) */
    double control;      /* alpha of zero-energy modes, >= 0 */
    uint32_t way;        /* of control, an enum corotated_way */
    uint32_t quadrature; /* volumes of particles, an enum rest_volume */
    uint32_t flat;       /* neighborhoods, an enum rest_flat */
    uint32_t neighbors;  /* how many of the nearest are neighbors, beside particles that have this
                            one among  their own nearest; SCENE_UNLIMITED or 0: all */
    uint32_t solver;     /* an enum corotated_solving */
    uint32_t turning;    /* of the solve for volume, an enum corotated_turning */
};

/* How the linear systems of a step are solved, in the order of the words of the key `solver`. */
enum corotated_solving {
    COROTATED_COUPLED,
    COROTATED_PREFACTORED,
    COROTATED_ASSEMBLED,
    COROTATED_WHOLE,
    COROTATED_NEWTON
};

/* How zero-energy modes are controlled, in the order of the words of the key `control`. */
enum corotated_way { COROTATED_IMPLICIT, COROTATED_EXPLICIT };

/* Which rotations the solve for volume has, in the order of the words of the key
 * `volume_rotations`. */
enum corotated_turning { COROTATED_RENEWED, COROTATED_KEPT };

extern const struct material_model corotated_model;

/* A list of corotated_model alone, ended by NULL. */
extern const struct material_model *const corotated_models[];

/* Lame's constants, Pa. */
static inline double corotated_mu(const struct corotated_material *m)
{
    return m->young / (2.0 * (1.0 + m->poisson));
}

static inline double corotated_lambda(const struct corotated_material *m)
{
    return m->young * m->poisson / ((1.0 + m->poisson) * (1.0 - 2.0 * m->poisson));
}

/* The rest shape of a body with this material; `position`: unstressed positions (n). */
static inline struct rest_setting corotated_rest(const struct corotated_material *m,
                                                 const struct body *body, size_t n,
                                                 const struct vec3 *position)
{
    return (struct rest_setting){.n = n,
                                 .position = position,
                                 .spacing = 2.0 * body->radius,
                                 .volume = (enum rest_volume)m->quadrature,
                                 .flat = (enum rest_flat)m->flat,
                                 .most = m->neighbors == SCENE_UNLIMITED ? REST_ALL_NEIGHBORS
                                                                         : m->neighbors};
}

#endif
