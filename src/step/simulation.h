/* A simulation: particles, the systems that move them, and the contact method between them. */
#ifndef STEP_SIMULATION_H
#define STEP_SIMULATION_H

#include "air/air.h"
#include "base/box_tree.h"
#include "base/error.h"
#include "config/scene.h"
#include "contact/contact.h"
#include "contact/detection.h"
#include "contact/swept_pairs.h"
#include "diffuse/diffuse.h"
#include "inlets/inlets.h"
#include "particles/groups.h"
#include "particles/motion.h"
#include "particles/pairs.h"
#include "particles/particles.h"
#include "schemes/bounds.h"
#include "schemes/scheme.h"
#include "shape/walls.h"
#include "step/cfl_rule.h"
#include "step/guided.h"
#include "step/ledger.h"
#include "step/state.h"
#include "step/totals.h"
#include "step/waves.h"
#include "systems/system.h"

#include <stdbool.h>
#include <stdint.h>

struct energies {
    double kinetic, elastic, gravitational, contact_potential; /* J */
};

struct simulation {
    const struct scene *scene;
    struct particles particles;
    size_t n_systems;
    struct system **system;      /* in the order of their particles (n_systems) */
    size_t *first;               /* first particle of each, and the end of the last (n_systems +
                                    1) */
    const struct bonded *bonded; /* which particles never collide: the lists of all systems */
    uint32_t *above; /* see struct bonded; NULL: all bodies collide with themselves (n) */
    struct contact contact;
    struct scheme *scheme;
    struct walls *walls; /* of the scene; NULL: none */
    struct air air;      /* around sheets */
    struct inlets inlets;
    struct diffuse diffuse;
    struct guided guided; /* particles with a prescribed motion */
    struct waves waves;

    double time;   /* s */
    uint64_t step; /* steps done */
    struct totals totals;
    struct ledger_columns columns; /* of the rows that steps fill */
    struct energies energy;

    struct detector *detector;
    const struct cfl_rule *cfl_rule;
    struct body_motion *body_motion; /* scratch (n_bodies) */
    struct box_tree body_tree;       /* scratch (n_bodies) */
    struct pair_list touching;       /* pairs in contact at the current positions */
    struct swept_pairs meeting;      /* pairs that meet in the step, with contact.detection:
                                        swept */
    struct groups groups;            /* of the last stage of the last step */
    struct motion motion;            /* likewise */
    struct vec3 *velocity;           /* velocities after the move, m/s; then scratch (n). Of
                                        particles that are never merged, motion.after */
    struct wall_stops bounds;        /* scratch */

    struct timing timing; /* since the simulation was created */
};

/* What a run needs in addition to positions and velocities; all zero for a new one without bodies
 * at vertices. */
struct restart {
    double time;
    uint64_t step;
    const struct state *state; /* of the owners; NULL, or a field not there: as in a new run */
    size_t n_sheets;
    const struct sheet *sheet; /* see struct system_setting; they must outlive the simulation */
    bool begins; /* a run begins here, with what a frame of another one holds: what `state` lacks is
                    as in a new run, and not an error */
};

/* Takes over `particles` (also on failure). `rest` holds the unstressed positions. */
enum status simulation_create(struct simulation *simulation, const struct scene *scene,
                              struct particles *particles, const struct vec3 *rest,
                              const struct restart *restart, struct error *error);
void simulation_free(struct simulation *simulation);

/* One time step, not beyond the time `until`; fills the row. After a failure the state is that of a
 * step not finished and must not be used. */
enum status simulation_step(struct simulation *simulation, double until, struct ledger_row *row,
                            struct error *error);

/* Fills in the fields that owners declare (state.h), at the current positions. `state` was
 * just created, or filled by this simulation before. */
enum status simulation_take_state(struct simulation *simulation, struct state *state,
                                  struct error *error);

/* Of a list of numbers that count what bodies have (struct owned_state), the first number of each
 * body and the end of the last (n_bodies + 1); false if this simulation has no such list. */
bool simulation_numbers(struct simulation *simulation, const struct state_field *field,
                        uint64_t *first);

/* Grows whenever a bond breaks in any system. */
uint64_t simulation_changes(const struct simulation *simulation);

#endif
