/* Contacts between particles, each pair once for both its ends and four pairs side by side. Threads
 * have ranges of particles: a thread goes through the pairs that have an end in its range, in
 * ascending order, and adds what they ask to ends in its range alone. So the contacts of a particle
 * are added in ascending order of their other ends, and the sums are those of one particle after
 * the other, to the bit, whatever the processor and the number of threads. */
#ifndef CONSTRAINTS_CONTACT_PAIRS_H
#define CONSTRAINTS_CONTACT_PAIRS_H

#include "constraints/constraint.h"

#include <stdint.h>

/* A particle as its contacts see it, in 64 bytes. */
struct contact_end {
    double x, y, z, radius; /* m */
    double dx, dy, dz;      /* since the start of the step, m */
    double weight;          /* 1/kg, times the number of contacts where masses are split */
};

/* What its contacts ask of it. */
struct contact_sum {
    double x, y, z, violation;            /* m */
    double rub_x, rub_y, rub_z, contacts; /* the part that is friction, m; how many they are */
};

/* One thread's particles, [begin, end). */
struct contact_range {
    size_t begin, end;
    size_t first, last; /* the pairs with their smaller end in it */
    struct pair *early; /* the pairs with only their larger end in it (n_early) */
    size_t n_early, capacity;
};

/* Zero at first; release with contact_pairs_free. */
struct contact_pairs {
    size_t n; /* particles */
    const struct pair_list *list;
    const struct field_point *field; /* by particle; NULL: no body has a field */
    struct contact_end *end;         /* (n) */
    struct contact_sum *sum;         /* zero between iterations (n) */
    void *memory[2];                 /* behind both */
    size_t n_ranges;
    struct contact_range *range;
};

/* What the contacts of one iteration take for all particles. */
struct contact_terms {
    bool rough; /* whether there is friction */
    double friction, static_friction;
    double omega;
    bool average;              /* sums are divided by the number of contacts, UPP 13 */
    const uint8_t *unfinished; /* of a particle: other contacts are to be added first (n) */
};

/* Takes the pairs of the step, which ascend by (i, j) and stay the caller's. */
enum status contact_pairs_make(struct contact_pairs *pairs, size_t n, const struct pair_list *list,
                               struct error *error);
void contact_pairs_free(struct contact_pairs *pairs);

/* Takes places, fields, and weights: those of the candidates, times `number` (n) unless it is NULL.
 */
void contact_pairs_fill(struct contact_pairs *pairs, const struct candidates *candidates,
                        const double *radius, const double *number);

/* How many contacts act on each particle (n). */
void contact_pairs_count(const struct contact_pairs *pairs, double *number);

/* Fills shift, rubbed and violation of the corrections by the contacts of each particle, divided by
 * their number unless the particle is unfinished; and `number` (n), unless it is NULL. Where both
 * ends of a pair have no weight, it is no number. */
void contact_pairs_sum(struct contact_pairs *pairs, const struct candidates *candidates,
                       const struct contact_terms *terms, double *number,
                       struct corrections *corrections);

#endif
