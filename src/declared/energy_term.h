/* Terms that an owner reports of each step, in addition to those of every scene. Each is a column
 * of the ledger, of frames and of metrics.csv. Terms that are energies enter the energy balance of
 * the step with their sign; the balance adds the columns from left to right (step/ledger.h). */
#ifndef DECLARED_ENERGY_TERM_H
#define DECLARED_ENERGY_TERM_H

/* How the values of several owners are combined in one column. */
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

enum { MOST_TERMS = 24 /* of a class */, MOST_LEDGER_TERMS = 64 /* of all */ };

struct term_value {
    double value;
    double weight; /* used for TERM_MEAN only */
};

#endif
