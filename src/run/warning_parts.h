/* The warnings: a function each, in files by subject, called from the two lists in warnings.c. */
#ifndef RUN_WARNING_PARTS_H
#define RUN_WARNING_PARTS_H

#include "run/warnings.h"

struct listener {
    say_line *say;
    void *context;
    enum status *status; /* what kept advice from being judged: memory ran out; else STATUS_OK */
    struct error *error;
};

/* Says "KIND: sentence"; what is longer than 600 bytes is cut. */
void warn(const struct listener *to, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How many of n bodies a warning that names one does not name. */
const char *and_others(size_t n, char text[static 40]);

/* Warns, or says nothing. It may read the scene, the state and the measures of the last step, which
 * are the same in a run that was resumed. */
typedef void warning(const struct run *run, const struct listener *to);

/* before a run */
warning warn_of_rebound; /* backward Euler would dissipate that of elastic bodies that may hit each
                            other or a wall, and Verlet's energy swings; of the shortest impact */
warning warn_of_spin;    /* the integrator would take it from bodies; warn_spin.c */
warning warn_of_lasting_contact; /* with Newmark's method, in long steps; warn_integrator.c */
warning warn_of_contact_energy;  /* that contact will make; warn_made.c */
warning warn_of_holes;           /* between the particles of a sheet; warn_leaks.c */
warning warn_of_slow_swings, warn_of_softness; /* by steps of an implicit solve; warn_lag.c */

/* after it */
warning warn_of_instability, warn_of_dissipation, warn_of_linearization; /* warn_energy.c */
warning warn_of_sticking, warn_of_interlocking;                          /* warn_contact.c */
warning warn_of_overlap, warn_of_self_overlap, warn_of_unresolved_contacts;
warning warn_of_penetration, warn_of_particles_outside, warn_of_stretched_sheets; /* warn_leaks.c */
warning warn_of_unsolved_pressure, warn_of_compression; /* warn_fluids.c */
warning warn_of_velocities_at_rest;                     /* warn_velocities.c */
warning warn_of_beyond_radius_steps;                    /* warn_steps.c */

#endif
