/* Terms that a class of systems reports of each step, in addition to those of every system (struct
 * work_report). A class declares its terms (struct system_class, `energy`), and each becomes a
 * column of the ledger, of frames and of metrics.csv. Terms that are energies enter the energy
 * balance of the step with their sign; the balance adds the columns from left to right
 * (step/ledger.h). */
#ifndef SYSTEMS_ENERGY_H
#define SYSTEMS_ENERGY_H

#include "base/error.h"

#include <stddef.h>

/* How the values of several systems are combined in one column. */
enum term_gather {
    TERM_SUM,
    TERM_MAX, /* at least 0 */
    TERM_MEAN /* sum of the values over sum of the weights; 0 without weight */
};

/* Whether a term adds to the kinetic and potential energy, is no energy, or takes from that energy.
 */
enum term_sign { TERM_ENTERS = -1, TERM_NO_ENERGY = 0, TERM_LEAVES = 1 };

struct energy_term {
    const char *name; /* of the column, unique */
    const char *unit;
    const char *sentence;
    const char *after; /* name of the column on its left */
    enum term_sign sign;
    enum term_gather gather;
};

enum { MOST_TERMS = 16 /* of a class */, MOST_LEDGER_TERMS = 64 /* of all */ };

/* Terms that several classes share: the first group belongs to fluids, the second to implicit
 * solids. */
extern const struct energy_term energy_pressure_work, energy_density_error_max,
    energy_density_error_mean;
extern const struct energy_term energy_residual_work, energy_residual_impulse[3];

struct term_value {
    double value;
    double weight; /* used for TERM_MEAN only */
};

/* The terms of all classes (system_classes), each of them once, in the order of the classes. */
struct energy_terms {
    size_t n;
    const struct energy_term *term[MOST_LEDGER_TERMS];
};
void energy_terms_find(struct energy_terms *terms);

/* The place of a term in the list; terms->n if it is not there. */
size_t energy_term_place(const struct energy_terms *terms, const struct energy_term *term);

struct system_class;

/* Whether all terms of a class have a place. STATUS_INVALID for too many of them, or one that no
 * class of the table declares. */
enum status energy_check(const struct energy_terms *terms, const struct system_class *class,
                         struct error *error);

#endif
