/* The viscosity of all fluids of a scene whose pressure is found by contact.method: pressure:
 * inside each, between two, and of fluids with walls and solids (sph/viscous.h). */
#ifndef CONTACT_PRESSURE_VISCOSITY_H
#define CONTACT_PRESSURE_VISCOSITY_H

#include "contact/stages.h"
#include "sph/pressure.h"
#include "sph/viscous.h"

struct pressure_viscosity {
    bool acts;              /* a fluid has some; what follows is empty otherwise */
    bool sticks;            /* a fluid does, to walls and solids */
    struct viscosity *kind; /* by body */
    struct viscous viscous;
    struct wall_planes planes;
    struct vec3 *flow;    /* the velocities that it brakes, if fluids stick, m/s (n) */
    struct vec3 *impulse; /* on every particle in the step at hand, N s (n) */
    struct viscous_report report;
    size_t foreseen; /* products with the pressure's matrix, to find what it brakes */
};

/* After the points of walls are known; `pressure` must outlive it. Release with
 * pressure_viscosity_free, also after a failure. */
enum status pressure_viscosity_create(struct pressure_viscosity *viscosity,
                                      const struct method_setting *setting,
                                      const struct pressure *pressure, struct error *error);
void pressure_viscosity_free(struct pressure_viscosity *viscosity);

/* After pressure_join of all particles of the scene: changes the velocities of the problem that
 * makes them admissible. */
enum status pressure_viscosity_act(struct pressure_viscosity *viscosity, struct pressure *pressure,
                                   const struct pressure_problem *admissible,
                                   const struct stage *stage, struct error *error);

#endif
