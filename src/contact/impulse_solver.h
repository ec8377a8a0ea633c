/* Impulses between all touching particles at once, iterated until they agree with each other, and
 * the correction of positions that is commonly put on top of impulses and of penalty forces. Both
 * are for struct velocity_level_contact. */
#ifndef CONTACT_IMPULSE_SOLVER_H
#define CONTACT_IMPULSE_SOLVER_H

#include "contact/near_pairs.h"
#include "contact/stages.h"

/* A pair that exchanges impulses. */
struct exchange {
    uint32_t i, j;
    struct vec3 normal;          /* from i to j, of length 1 */
    double inverse_i, inverse_j; /* masses, 1/kg */
    double wanted;               /* the least relative velocity after the step, m/s, >= 0 */
    double impulse;              /* kg m/s, >= 0 */
};

struct impulse_solver {
    double tolerance; /* of changes of relative velocities in a sweep, over the largest change so
                         far */
    size_t most;      /* sweeps */
    size_t n_exchanges, capacity;
    struct exchange *exchange; /* (n_exchanges) */
    struct near_pairs near;    /* pairs that may overlap at the end of the step */
    double *left; /* depth that the correction leaves to each near pair, m (near.list.n) */
    size_t left_capacity;
    struct vec3 *place; /* position of each particle at the end of the step, m (n) */
    size_t n;           /* particles */
};

/* contact->state; see struct contact_class. */
enum status impulse_solver_create(struct contact *contact, const struct method_setting *setting,
                                  struct error *error);
void impulse_solver_free(struct contact *contact);

/* Changes stage->motion->after and mean by impulses p along the normals n of all touching pairs,
 *
 *     0 <= p _|_ n . u' + e n . u >= 0,   e^2 = alpha,
 *
 * where u is the relative velocity before the step if the pair approaches (0 otherwise), and u' the
 * one after it. This is Newton's law of restitution for all pairs at once, solved by projected
 * Gauss-Seidel in index order. (Sequential impulses: Catto, "Iterative dynamics with temporal
 * coherence", GDC 2005; Moreau, "Unilateral contact and dry friction in finite freedom dynamics",
 * 1988.) STATUS_FAILED if solver.max_iterations sweeps are not enough. Adds its sweeps to
 * `iterations`. */
enum status exchange_impulses(struct contact *contact, const struct stage *stage,
                              size_t *iterations, struct error *error);

/* `supports` of the methods that exchange impulses: the work of fixed particles that move. */
void impulses_of_supports(const struct contact *contact, const struct particles *particles,
                          const struct motion *motion, struct supports_report *report);

/* Changes stage->motion->mean, but no velocity, so that particles overlap less at the end of the
 * step. Every overlapping pair is moved apart by the fraction contact.correction of its depth, the
 * lighter particle farther, pair by pair, until no pair is deeper than the part left to it or
 * MOST_CORRECTIONS sweeps are done. Adds its sweeps to `iterations`. */
enum status correct_positions(struct contact *contact, const struct stage *stage,
                              size_t *iterations, struct error *error);

#endif
