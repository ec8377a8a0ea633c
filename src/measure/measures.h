/* What is measured on every time step beside the ledger (definitions: "What is measured" in
 * docs/measures.md). One table drives the struct, the frames, metrics.csv and the documentation. */
#ifndef MEASURE_MEASURES_H
#define MEASURE_MEASURES_H

#include "base/table.h"

#define MEASURE_COLUMNS(X)                                                                         \
    X(wrong_side, "1", "particles on the wrong side of a sheet now (odd number of crossings)")     \
    X(crossings, "1", "crossing events of this step")                                              \
    X(overlap_max, "1", "largest overlap 1 - d/(r1+r2) between different bodies")                  \
    X(overlap_mean, "1", "mean overlap over touching pairs of different bodies")                   \
    X(overlap_half, "1", "pairs of different bodies with an overlap above 1/2")                    \
    X(sag, "m", "lowest particle of the sheets below their rest height")

struct measure_row {
#define MEASURE_MEMBER(name, unit, sentence) double name;
    MEASURE_COLUMNS(MEASURE_MEMBER)
#undef MEASURE_MEMBER
};

enum { MEASURE_WIDTH = sizeof(struct measure_row) / sizeof(double) };
extern const struct column measure_columns[MEASURE_WIDTH];

#endif
