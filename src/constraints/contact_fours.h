/* Contacts between particles, four particles side by side: lane l adds up the contacts of one
 * particle, the k-th of each at once. A particle's contacts keep their order, so that the sums are
 * those of one particle after the other, to the bit, whatever the processor. Particles with about
 * as many pairs stand side by side. */
#ifndef CONSTRAINTS_CONTACT_FOURS_H
#define CONSTRAINTS_CONTACT_FOURS_H

#include "constraints/constraint.h"
#include "constraints/pair_rows.h"

/* A particle as its contacts see it, in 64 bytes. */
struct contact_end {
    double x, y, z, radius; /* m */
    double dx, dy, dz;      /* since the start of the step, m */
    double weight;          /* 1/kg, times the number of contacts where masses are split */
};

/* Zero at first; release with contact_fours_free. */
struct contact_fours {
    size_t n;                /* particles */
    struct contact_end *end; /* the last is nobody (n + 1) */
    uint32_t *owner;         /* whose lane it is; n: nobody's (4 n_fours) */
    size_t n_fours;
    size_t *start;   /* the entries of a four are [start, next start), a multiple of four (n_fours +
                        1) */
    uint32_t *other; /* n: nobody (start[n_fours]) */
    size_t capacity; /* of these */
};

/* What the contacts of one iteration take for all particles. */
struct contact_terms {
    bool rough; /* whether there is friction */
    double friction, static_friction;
    double omega;
    bool average;              /* sums are divided by the number of contacts, UPP 13 */
    const uint8_t *unfinished; /* of a particle: other contacts are to be added first (n) */
};

/* Lays out the rows of n particles; those that are left out (1 in `left_out`, n) have no pairs. */
enum status contact_fours_make(struct contact_fours *fours, size_t n, const struct pair_rows *rows,
                               const uint8_t *left_out, struct error *error);
void contact_fours_free(struct contact_fours *fours);

/* Takes places, and weights: those of the candidates, times `number` (n) unless it is NULL. */
void contact_fours_fill(struct contact_fours *fours, const struct candidates *candidates,
                        const double *radius, const double *number);

/* How many contacts act on each particle (n). */
void contact_fours_count(const struct contact_fours *fours, double *number);

/* Fills shift, rubbed and violation of the corrections by the contacts of each particle, divided by
 * their number unless the particle is unfinished; and `number` (n), unless it is NULL. */
void contact_fours_sum(const struct contact_fours *fours, const struct candidates *candidates,
                       const struct contact_terms *terms, double *number,
                       struct corrections *corrections);

#endif
