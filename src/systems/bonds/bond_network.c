#include "systems/bonds/bond_network.h"

#include "base/memory.h"
#include "systems/bonds/bond_network_parts.h"
#include "systems/bonds/bond_verlet.h"

#include <stdlib.h>
#include <string.h>

static void bond_network_free(struct system *system)
{
    struct bond_network *net = (struct bond_network *)system;
    free(system->expected);
    free(net->start);
    free(net->neighbor);
    free(net->kind);
    free(net->rest_length);
    free(net->share);
    free(net->n_at);
    free(net->kinds);
    free(net->strength);
    free(net->compression);
    bond_chunks_free(&net->chunks);
    bond_evaluation_free(&net->evaluation);
    bond_verlet_free(net->verlet);
    free(net->block);
    free(net->diagonal);
    free(net->preconditioner);
    free(net->weight);
    free(net->right_side);
    free(net->acceleration);
    free(net->change);
    free(net->ahead);
    free(net->mass);
    free(net->inertia);
    free(net->body);
    free(net->component);
    free(net->component_sum);
    free(net->component_mass);
    cg_workspace_free(&net->work);
    free(net->past_member);
    bond_patches_free(&net->patches);
    free(net);
}

static const enum material_model models[] = {MATERIAL_MASS_SPRING, MATERIAL_PERIDYNAMICS,
                                             MATERIAL_LOOSE};

static enum status bond_network_create(struct system **system, const struct system_setting *setting,
                                       struct error *error);

/* What both classes have in common. */
#define BOND_NETWORK                                                                               \
    .name = "bond network", .n_models = sizeof models / sizeof models[0], .model = models,         \
    .create = bond_network_create, .finish = bond_network_finish,                                  \
    .wave_speeds = bond_network_wave_speeds, .potential_energy = bond_network_elastic_energy,      \
    .free = bond_network_free

const struct system_class bond_network_class = {
    BOND_NETWORK,
    .prepare = bond_network_prepare,
    .integrate = bond_network_integrate,
    .account = bond_network_account,
};

static const struct system_class explicit_class = {
    BOND_NETWORK,
    .limit = bond_verlet_limit,
    .prepare = bond_verlet_prepare,
    .integrate = bond_verlet_integrate,
    .account = bond_verlet_account,
};

static enum status choose_scheme(const struct solver_settings *settings, struct bond_network *net,
                                 struct error *error)
{
    double beta = settings->newmark_beta, gamma = settings->newmark_gamma;
    struct scheme *scheme = &net->scheme;
    net->system.class = &bond_network_class;
    if (strcmp(settings->integrator, "backward-euler") == 0)
        *scheme = (struct scheme){.gamma = 1.0, .kappa = 1.0, .eta = 0.0};
    else if (strcmp(settings->integrator, "newmark") == 0)
        *scheme = (struct scheme){gamma, beta / gamma, 0.5 - beta / gamma};
    else if (strcmp(settings->integrator, "verlet") == 0)
        net->system.class = &explicit_class;
    else
        return error_set(error, STATUS_INVALID, "there is no integrator \"%s\"",
                         settings->integrator);
    return STATUS_OK;
}

static enum status create_masses(struct bond_network *net, const struct particles *p,
                                 struct error *error)
{
    size_t n = net->system.n;
    if (array_create(&net->mass, n, sizeof *net->mass, "masses", error))
        return STATUS_FAILED;
    memcpy(net->mass, p->mass + net->system.first, n * sizeof *net->mass);
    return STATUS_OK;
}

static enum status create_step_arrays(struct bond_network *net, const struct scene *scene,
                                      const struct particles *p, struct error *error)
{
    size_t n = net->system.n;
    net->n_bodies = scene->n_bodies;
    if (array_create(&net->system.expected, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&net->block, net->n_bonds, sizeof *net->block, "bond matrix", error) ||
        array_create(&net->diagonal, n, sizeof *net->diagonal, "preconditioner", error) ||
        array_create(&net->preconditioner, n, sizeof *net->diagonal, "preconditioner", error) ||
        array_create(&net->weight, n, sizeof *net->weight, "unknowns", error) ||
        array_create(&net->right_side, n, sizeof(struct vec3), "right side", error) ||
        (net->scheme.eta != 0.0 &&
         array_create(&net->acceleration, n, sizeof(struct vec3), "accelerations", error)) ||
        array_create(&net->change, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&net->ahead, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&net->inertia, n, sizeof *net->inertia, "masses", error) ||
        array_create(&net->body, n, sizeof *net->body, "bodies", error) ||
        array_create(&net->component, net->n_bodies, sizeof *net->component, "bodies", error) ||
        array_create(&net->component_sum, net->n_bodies, sizeof(struct vec3), "bodies", error) ||
        array_create(&net->component_mass, net->n_bodies, sizeof(double), "bodies", error) ||
        array_create(&net->past_member, p->n, sizeof *net->past_member, "groups", error) ||
        bond_patches_create(&net->patches, n, net->start, net->neighbor, error) ||
        cg_workspace_create(&net->work, n, error))
        return STATUS_FAILED;
    memcpy(net->inertia, net->mass, n * sizeof *net->inertia);
    memcpy(net->body, p->body + net->system.first, n * sizeof *net->body);
    return STATUS_OK;
}

static enum status bond_network_create(struct system **system, const struct system_setting *setting,
                                       struct error *error)
{
    const struct scene *scene = setting->scene;
    struct bond_network *net;
    *system = NULL;
    if (array_create(&net, 1, sizeof *net, "bond network", error))
        return STATUS_FAILED;
    net->system = (struct system){.first = setting->first, .n = setting->n};
    net->tolerance = scene->solver.tolerance;
    net->max_iterations = scene->solver.max_iterations;
    net->corrects = strcmp(scene->solver.later_stages, "anew") != 0;
    enum status status = choose_scheme(&scene->solver, net, error);
    if (!status)
        status = bond_network_build(net, scene, setting->particles, setting->rest, error);
    if (!status)
        status = create_masses(net, setting->particles, error);
    if (!status)
        status = bond_evaluation_create(&net->evaluation, net->system.n, error);
    if (!status)
        status = net->system.class == &explicit_class
                     ? bond_verlet_create(net, error)
                     : create_step_arrays(net, scene, setting->particles, error);
    if (status) {
        bond_network_free(&net->system);
        return status;
    }
    net->system.bonded =
        (struct bonded){.start = net->start, .neighbor = net->neighbor, .whole = net->kind};
    *system = &net->system;
    return STATUS_OK;
}
