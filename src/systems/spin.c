#include "systems/spin.h"

const struct energy_term spin_terms[SPIN_TERMS] = {
    [SPIN_WORK] = {.name = "turn_work",
                   .unit = "J",
                   .sentence =
                       "work of what keeps the spin of implicit bodies, which their own forces "
                       "would take",
                   .after = "linearization",
                   .sign = TERM_ENTERS},
    [SPIN_RETURNED] = {.name = "spin_returned",
                       .unit = "kg m2/s",
                       .sentence = "angular momentum kept in this way, summed over bodies",
                       .after = "angular_z"},
    [SPIN_LOST] = {.name = "spin_lost",
                   .unit = "kg m2/s",
                   .sentence = "angular momentum that forces inside implicit bodies took",
                   .after = "spin_returned"},
};

void spin_account(const struct rigid_pieces *pieces, double work, const struct vec3 *mean,
                  struct term_value *term, struct work_report *report)
{
    term[SPIN_WORK].value = work;
    for (size_t k = 0; k < pieces->n; k++) {
        const struct rigid_piece *piece = &pieces->piece[k];
        term[SPIN_RETURNED].value += piece->returned;
        term[SPIN_LOST].value += piece->lost;
        if (piece->hold == RIGID_FREE || piece->hold == RIGID_HELD)
            continue;
        struct vec3 on_support = vec3_scale(-1.0, piece->impulse);
        term[SPIN_WORK].value += vec3_dot(on_support, mean[piece->pivot]);
        report_on_support(report, on_support, mean[piece->pivot]);
    }
}
