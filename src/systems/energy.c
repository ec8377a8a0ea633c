#include "systems/energy.h"

#include "systems/system.h"

const struct energy_term energy_pressure_work = {
    .name = "pressure_work",
    .unit = "J",
    .sentence = "work done against the pressure of fluids",
    .after = "numerical_dissipation",
    .sign = TERM_LEAVES,
};

const struct energy_term energy_density_error_max = {
    .name = "density_error_max",
    .unit = "1",
    .sentence = "largest rho/rho0 - 1 >= 0 of fluids, before",
    .after = "residual",
    .gather = TERM_MAX,
};

const struct energy_term energy_density_error_mean = {
    .name = "density_error_mean",
    .unit = "1",
    .sentence = "its mean over all particles of fluids",
    .after = "density_error_max",
    .gather = TERM_MEAN,
};

const struct energy_term energy_residual_work = {
    .name = "residual_work",
    .unit = "J",
    .sentence = "work of the linear solver's residual",
    .after = "linearization",
    .sign = TERM_ENTERS,
};

#define RESIDUAL_IMPULSE(column, behind)                                                           \
    {                                                                                              \
        .name = column, .unit = "kg m/s",                                                          \
        .sentence = "impulse of the linear solver's residual on free particles", .after = behind   \
    }

const struct energy_term energy_residual_impulse[3] = {
    RESIDUAL_IMPULSE("residual_impulse_x", "coupling_impulse_z"),
    RESIDUAL_IMPULSE("residual_impulse_y", "residual_impulse_x"),
    RESIDUAL_IMPULSE("residual_impulse_z", "residual_impulse_y"),
};

void energy_terms_find(struct energy_terms *terms)
{
    terms->n = 0;
    for (size_t c = 0; system_classes[c]; c++)
        for (size_t k = 0; k < system_classes[c]->n_energy; k++) {
            const struct energy_term *term = system_classes[c]->energy[k];
            if (terms->n < MOST_LEDGER_TERMS && energy_term_place(terms, term) == terms->n)
                terms->term[terms->n++] = term;
        }
}

size_t energy_term_place(const struct energy_terms *terms, const struct energy_term *term)
{
    size_t place = 0;
    while (place < terms->n && terms->term[place] != term)
        place++;
    return place;
}

enum status energy_check(const struct energy_terms *terms, const struct system_class *class,
                         struct error *error)
{
    if (class->n_energy > MOST_TERMS)
        return error_set(error, STATUS_INVALID, "system '%s' reports %zu terms; %d is the most",
                         class->name, class->n_energy, MOST_TERMS);
    for (size_t k = 0; k < class->n_energy; k++)
        if (energy_term_place(terms, class->energy[k]) == terms->n)
            return error_set(error, STATUS_INVALID,
                             "the term '%s' of system '%s' has no place among the %d of the ledger",
                             class->energy[k]->name, class->name, MOST_LEDGER_TERMS);
    return STATUS_OK;
}
