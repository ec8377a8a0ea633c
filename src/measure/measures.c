#include "measure/measures.h"

const struct column measure_columns[MEASURE_WIDTH] = {
#define MEASURE_COLUMN(name, unit, sentence) {#name, unit, sentence},
    MEASURE_COLUMNS(MEASURE_COLUMN)
#undef MEASURE_COLUMN
};
