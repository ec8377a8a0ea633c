/* Contact methods as the configuration knows them: as data, a row each. What a method does is a
 * class of the room `contact`, which CONTACT_METHODS (choices.h) names with its scheme. Code that
 * depends on what a method can be combined with asks for a trait, never for the method. */
#ifndef CONFIG_CONTACT_METHOD_H
#define CONFIG_CONTACT_METHOD_H

#include "config/scene.h"

/* What a method has, and what a scene may have beside it. */
enum contact_trait {
    METHOD_MEETS = 1 << 0,      /* bodies do not pass through each other */
    METHOD_SWEPT = 1 << 1,      /* contact.detection: swept; the pairs that it finds can share a
                                   velocity, but exert no force yet */
    METHOD_ROOTS = 1 << 2,      /* solves MS 13, whose real roots contact.roots is about */
    METHOD_FRICTION = 1 << 3,   /* contact.friction, contact.static_friction */
    METHOD_LINKS = 1 << 4,      /* contacts are links, for which every particle needs memory */
    METHOD_LASTS = 1 << 5,      /* with Newmark's method, contacts that last make no energy */
    METHOD_PUSHES = 1 << 6,     /* moves particles without forces, so that bonds gain energy */
    METHOD_FLUIDS = 1 << 7,     /* fluids can take part */
    METHOD_MOTIONS = 1 << 8,    /* fixed particles may move as `motions` says */
    METHOD_AFTER = 1 << 9,      /* changes velocities or positions after the integration */
    METHOD_GAPS = 1 << 10,      /* keeps particles from ever touching */
    METHOD_POSITIONS = 1 << 11, /* moves particles by constraints of positions: no force and no
                                   integrator plays a part, and contacts are found where the step
                                   leads */
    METHOD_PRESSURE = 1 << 12,  /* finds the pressure of fluids, and the same of solids */
    METHOD_BODIES = 1 << 13 /* rigid bodies can take part: it moves them as a whole, or only adds
                               forces */
};

struct contact_traits {
    const char *help;     /* what the method is, for the help on that key */
    unsigned has;         /* of enum contact_trait */
    unsigned integrators; /* which values of solver.integrator it goes with: 1 << value */
    const char
        *otherwise;       /* "creates energy": what it does with the others; NULL: there are none */
    unsigned excluded_by; /* models with one of these exclusions (enum model_exclusion) */
    const char *instead;  /* method to suggest to those that this one is not possible for */
};

/* The rows, by enum contact_method. They are alone in their file: a test program that defines
 * methods of its own is linked with its rows instead. */
extern const struct contact_traits contact_traits[];

/* Whether a method has the trait. */
static inline bool contact_has(enum contact_method method, enum contact_trait trait)
{
    return (contact_traits[method].has & (unsigned)trait) != 0;
}

/* The k-th word of contact.method; NULL behind the last. */
const char *contact_method_word(size_t k);

#endif
