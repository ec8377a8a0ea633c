/* What schemes share in which systems integrate their particles. */
#ifndef SCHEMES_BY_SYSTEMS_H
#define SCHEMES_BY_SYSTEMS_H

#include "contact/synchronize.h"
#include "schemes/scheme.h"

/* `limit` of such a scheme: every system can take the step. STATUS_FAILED if one can take none. */
enum status limit_by_systems(struct scheme *scheme, const struct step_view *view, double *dt,
                             struct error *error);

/* Prepares all systems for the step. */
enum status prepare_systems(const struct step_view *view, struct error *error);

/* Lets what has to turn do so (struct system_class, carry). */
void carry_systems(const struct step_view *view);

/* The head of `account`: adds what all systems report, and what was lost between them. The terms of
 * the scheme's declaration begin with COUPLING_TERMS. */
#define COUPLING_TERMS                                                                             \
    &coupling_term[0], &coupling_term[1], &coupling_term[2], &coupling_term[3], &coupling_term[4], \
        &coupling_term[5], &coupling_term[6]
enum { N_COUPLING_TERMS = 7 };
extern const struct energy_term coupling_term[N_COUPLING_TERMS];

void account_for_systems(const struct scheme *scheme, const struct step_view *view,
                         const struct synchronize_report *synchronized, struct step_work *work);

#endif
