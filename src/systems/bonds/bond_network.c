#include "systems/bonds/bond_network.h"

#include "systems/bonds/bond_implicit.h"
#include "systems/bonds/bond_models.h"
#include "systems/bonds/bond_verlet.h"

static void confine(struct system *system, const struct particles *p, double dt, struct vec3 *mean,
                    struct vec3 *velocity, struct confine_report *report)
{
    bond_walls_confine(&((const struct bond_network *)system)->walls, p, dt, mean, velocity,
                       report);
}

static enum status bond_network_create(struct system **system, const struct system_setting *setting,
                                       struct error *error);

/* What both classes have in common. */
#define BOND_NETWORK                                                                               \
    .declares.name = "bond network", .family = {.model = bond_models},                             \
    .declares.n_energy = BOND_TERMS, .declares.energy = bond_terms, .create = bond_network_create, \
    .confine = confine, .wave_speeds = bond_network_wave_speeds, .spin_loss = bond_spin_loss,      \
    .memory = bond_network_memory, .potential_energy = bond_network_elastic_energy,                \
    .constrain = bond_network_constrain

const struct system_class bond_network_class = {
    BOND_NETWORK,
    .declares.n_state = BOND_STATES,
    .declares.state = bond_states,
    .prepare = bond_implicit_prepare,
    .integrate = bond_implicit_integrate,
    .impulses = bond_implicit_impulses,
    .linear = &bond_linear,
    .pieces = bond_implicit_pieces,
    .account = bond_implicit_account,
    .finish = bond_implicit_finish,
    .free = bond_implicit_free,
};

static const struct system_class explicit_class = {
    BOND_NETWORK,
    .declares.n_state = BOND_STATES - BOND_IMPLICIT_STATES,
    .declares.state = bond_states + BOND_IMPLICIT_STATES,
    .limit = bond_verlet_limit,
    .prepare = bond_verlet_prepare,
    .integrate = bond_verlet_integrate,
    .account = bond_verlet_account,
    .finish = bond_network_finish,
    .free = bond_verlet_free,
};

static enum status backward_euler(struct system **system, const struct system_setting *setting,
                                  struct error *error)
{
    const struct integrator weights = {.kappa = 1.0};
    return bond_implicit_create(system, &bond_network_class, &weights, setting, error);
}

static enum status newmark(struct system **system, const struct system_setting *setting,
                           struct error *error)
{
    const struct integrator weights = {.kappa = 0.5};
    return bond_implicit_create(system, &bond_network_class, &weights, setting, error);
}

static enum status verlet(struct system **system, const struct system_setting *setting,
                          struct error *error)
{
    return bond_verlet_create(system, &explicit_class, setting, error);
}

#define INTEGRATOR(word, value, function) [value] = function,

static enum status bond_network_create(struct system **system, const struct system_setting *setting,
                                       struct error *error)
{
    static enum status (*const create[])(struct system **, const struct system_setting *,
                                         struct error *) = {INTEGRATORS(INTEGRATOR)};
    return create[setting->scene->solver.integrator](system, setting, error);
}
