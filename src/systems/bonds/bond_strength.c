/* How firmly particles hold their bonds. */
#include "base/memory.h"
#include "particles/random.h"
#include "systems/bonds/bond_fracture.h"
#include "systems/bonds/bond_models.h"
#include "systems/bonds/bond_network_parts.h"

/* A bond that breaks before it is stretched is an error. The normal numbers drawn stay within 8.6
 * standard deviations, because the uniform numbers behind them are at least 2^-53; therefore every
 * spread below 3 / 8.6 is valid. */
static enum status no_critical_stretch(const struct material *material, size_t i,
                                       double critical_stretch, struct error *error)
{
    const struct peridynamics *parameters = material->parameters;
    const struct origin *at = &material->origin;
    return error_set(
        error, STATUS_INVALID,
        "%s:%d:%d: with the critical_stretch_spread of material '%s', %g, particle %zu draws "
        "a critical stretch of %g, which is not positive; at most 0.34 would be right",
        at->file, at->line, at->column, material->name, parameters->critical_stretch_spread, i,
        critical_stretch);
}

/* Draws s0 of particle i, around that of its body. */
static double draw_critical_stretch(const struct scene *scene, const struct peridynamics *material,
                                    double mean, size_t i)
{
    double spread = material->critical_stretch_spread / 3.0;
    return mean * (1.0 + spread * random_normal(scene->seed, 0, i, RANDOM_CRITICAL_STRETCH));
}

/* Fills in how firmly particles [begin, end), those of one body, hold their bonds. */
static enum status draw_body(struct bond_network *net, const struct scene *scene,
                             const struct body *body, const struct vec3 *rest, size_t begin,
                             size_t end, struct error *error)
{
    const struct material *m = &scene->material[body->material];
    const struct peridynamics *bonds = m->parameters;
    if (m->model == &mass_spring_model || !material_breaks(m)) {
        const struct mass_spring *springs = m->parameters;
        for (size_t i = begin; i < end; i++) {
            net->tears[i] = material_breaks(m);
            net->critical_stretch[i] = net->tears[i] ? springs->critical_stretch : (double)INFINITY;
            net->least_critical_stretch =
                fmin(net->least_critical_stretch, net->critical_stretch[i]);
        }
        return STATUS_OK;
    }
    const double spacing = 2.0 * body->radius;
    const int dimension = bond_fracture_dimension(end - begin, rest + begin, spacing);
    const double mean = bond_critical_stretch(bonds, spacing, dimension);
    net->most_strengthening = fmax(net->most_strengthening, bonds->strengthening);
    for (size_t i = begin; i < end; i++) {
        net->strengthening[i] = bonds->strengthening;
        net->critical_stretch[i] = draw_critical_stretch(scene, bonds, mean, i);
        if (!(net->critical_stretch[i] > 0.0))
            return no_critical_stretch(m, i, net->critical_stretch[i], error);
        net->least_critical_stretch = fmin(net->least_critical_stretch, net->critical_stretch[i]);
    }
    return STATUS_OK;
}

static bool has_breakable(const struct scene *scene)
{
    for (size_t m = 0; m < scene->n_materials; m++)
        if (material_breaks(&scene->material[m]))
            return true;
    return false;
}

enum status bond_strengths_draw(struct bond_network *net, const struct scene *scene,
                                const struct particles *p, const struct vec3 *rest,
                                struct error *error)
{
    size_t n = net->system.n;
    if (!has_breakable(scene))
        return STATUS_OK;
    net->least_critical_stretch = (double)INFINITY;
    if (array_create(&net->critical_stretch, n, sizeof *net->critical_stretch, "critical stretches",
                     error) ||
        array_create(&net->strengthening, n, sizeof *net->strengthening, "critical stretches",
                     error) ||
        array_create(&net->compression, n, sizeof *net->compression, "bond strains", error) ||
        array_create(&net->tears, n, sizeof *net->tears, "bond strains", error) ||
        array_create(&net->most_stretched, n, sizeof *net->most_stretched, "bond strains", error))
        return STATUS_FAILED;
    enum status status = STATUS_OK;
    for (size_t begin = 0, end; begin < n && !status; begin = end) {
        for (end = begin; end < n && p->body[end] == p->body[begin];)
            end++;
        status = draw_body(net, scene, &scene->body[p->body[begin]], rest, begin, end, error);
    }
    return status;
}
