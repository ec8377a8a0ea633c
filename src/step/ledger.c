#include "step/ledger.h"

const struct column ledger_columns[LEDGER_WIDTH] = {
#define LEDGER_COLUMN(name, unit, sentence) {#name, unit, sentence},
    LEDGER_COLUMNS(LEDGER_COLUMN)
#undef LEDGER_COLUMN
};
