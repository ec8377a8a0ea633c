/* Decides which particles of a body are bonded, by the model of its material. */
#include "systems/bonds/bond_rules.h"

#include "base/memory.h"

enum { MAX_KINDS = 256 };

/* The horizon is often a whole multiple of the lattice spacing. A neighbor at exactly that distance
 * is bonded, whatever rounding did to the distance. */
static const double reach_tolerance = 1e-6;

/* Springs of a square or cubic lattice by their length in spacings: neighbors along an axis (1),
 * along face and space diagonals (1.41, 1.73), and the next but one along an axis (2). */
int bond_spring_of(double length)
{
    if (length < 1.2)
        return 0;
    if (length < 1.85)
        return 1;
    return length > 1.9 ? 2 : BOND_NONE;
}

static int mass_spring_kind(const struct bond_rule *rule, double length)
{
    const int spring = bond_spring_of(length / rule->spacing);
    return spring == BOND_NONE ? BOND_NONE : rule->kind[spring];
}

static int peridynamics_kind(const struct bond_rule *rule, double length)
{
    (void)length;
    return rule->kind[0];
}

void bond_rule_lengths(const struct peridynamics *material, struct bond_rule *rule)
{
    rule->reach = material->horizon * (1.0 + reach_tolerance);
    rule->whole = material->volumes == VOLUMES_REDUCED ? material->horizon - 0.5 : (double)INFINITY;
}

double bond_fraction(const struct bond_rule *rule, double length)
{
    return length > rule->whole ? 1.0 - (length - rule->whole) / rule->spacing : 1.0;
}

static enum status add_kind(struct bond_network *net, double stiffness, double damping, int *kind,
                            struct error *error)
{
    *kind = BOND_NONE;
    if (stiffness <= 0.0)
        return STATUS_OK;
    for (size_t k = BOND_BROKEN + 1; k < net->n_kinds; k++)
        if (net->kinds[k].stiffness == stiffness && net->kinds[k].damping == damping) {
            *kind = (int)k;
            return STATUS_OK;
        }
    if (net->n_kinds == MAX_KINDS)
        return error_set(error, STATUS_INVALID,
                         "this material would make more than %d kinds of bonds, springs of "
                         "different constant or damping; let bodies share materials",
                         MAX_KINDS - 1);
    *kind = (int)net->n_kinds;
    net->kinds[net->n_kinds++] = (struct bond_kind){.stiffness = stiffness, .damping = damping};
    net->damped |= damping > 0.0;
    return STATUS_OK;
}

static enum status mass_spring_rule(struct bond_network *net, const void *parameters,
                                    struct bond_rule *rule, struct error *error)
{
    const struct mass_spring *m = parameters;
    const double springs[3] = {m->stretch_stiffness, m->shear_stiffness, m->bend_stiffness};
    rule->kind_of = mass_spring_kind;
    rule->reach = SPRING_REACH;
    enum status status = STATUS_OK;
    for (int k = 0; k < 3 && !status; k++)
        status = add_kind(net, springs[k], m->damping, &rule->kind[k], error);
    return status;
}

static enum status peridynamics_rule(struct bond_network *net, const void *parameters,
                                     struct bond_rule *rule, struct error *error)
{
    const struct peridynamics *m = parameters;
    rule->kind_of = peridynamics_kind;
    bond_rule_lengths(m, rule);
    return add_kind(net, m->stiffness, m->damping, &rule->kind[0], error);
}

/* Models that have bonds. */
static const struct {
    const struct material_model *model;
    enum status (*make_rule)(struct bond_network *net, const void *parameters,
                             struct bond_rule *rule, struct error *error);
} bonded_models[] = {{&mass_spring_model, mass_spring_rule},
                     {&peridynamics_model, peridynamics_rule}};

static enum status rule_of_material(struct bond_network *net, const struct material *material,
                                    struct bond_rule *rule, struct error *error)
{
    *rule =
        (struct bond_rule){.whole = (double)INFINITY, .kind = {BOND_NONE, BOND_NONE, BOND_NONE}};
    for (size_t k = 0; k < sizeof bonded_models / sizeof bonded_models[0]; k++)
        if (bonded_models[k].model == material->model)
            return bonded_models[k].make_rule(net, material->parameters, rule, error);
    return STATUS_OK;
}

enum status bond_rules_create(struct bond_network *net, const struct scene *scene,
                              struct bond_rule **rules, struct error *error)
{
    if (array_create(rules, scene->n_materials, sizeof **rules, "bond rules", error) ||
        array_create(&net->kinds, MAX_KINDS, sizeof *net->kinds, "kinds of bonds", error))
        return STATUS_FAILED;
    net->n_kinds = BOND_BROKEN + 1;
    for (size_t m = 0; m < scene->n_materials; m++) {
        const struct material *material = &scene->material[m];
        enum status status = rule_of_material(net, material, &(*rules)[m], error);
        if (status)
            return error_prefix(error, "%s:%d:%d", material->origin.file, material->origin.line,
                                material->origin.column);
    }
    return STATUS_OK;
}

enum status bond_rules_check(const struct scene *scene, struct error *error)
{
    struct bond_network net = {0};
    struct bond_rule *rules = NULL;
    enum status status = bond_rules_create(&net, scene, &rules, error);
    free(rules);
    free(net.kinds);
    return status;
}

bool bond_rules_reduced(const struct bond_rule *rules, size_t n)
{
    for (size_t m = 0; m < n; m++)
        if (isfinite(rules[m].whole))
            return true;
    return false;
}
