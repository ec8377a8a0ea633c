#include "systems/bonds/bond_still.h"

#include "base/memory.h"
#include "config/contact_method.h"
#include "systems/bonds/bond_models.h"

/* ---- bodies ---- */

static bool all_fixed(const struct particles *p, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (p->state[i] != PARTICLE_FIXED)
            return false;
    return true;
}

/* Whether motions may move some of its particles and not others. */
static bool moves_in_parts(const struct scene *scene, size_t body)
{
    for (size_t m = 0; m < scene->n_prescribed; m++)
        if (scene->prescribed[m].body == body && scene->prescribed[m].region)
            return true;
    return false;
}

/* Whether bonds to other bodies may hang on it, of which one piece is made with its own. */
static bool may_be_tied(const struct scene *scene, size_t body)
{
    const struct material *material = scene_material_of(scene, body);
    if (material->model != &mass_spring_model || material_breaks(material))
        return false;
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (scene->body[b].ties == TIES_TOUCHING)
            return true;
    return false;
}

/* Whether two particles are as far apart as at rest. What was deformed, and then fixed, is not in
 * its shape. */
static bool keep_distance(const struct system_setting *setting, size_t i, size_t j)
{
    static const double nearly = 1e-6; /* radii; far above the rounding of positions */
    const struct particles *p = setting->particles;
    const double now = vec3_norm(vec3_sub(p->position[j], p->position[i]));
    const double rest = vec3_norm(vec3_sub(setting->rest[j], setting->rest[i]));
    return fabs(now - rest) <= nearly * p->radius[i];
}

/* The particle farthest from particle a, or from the line through a and b. */
static size_t farthest(const struct vec3 *rest, size_t begin, size_t end, size_t a, size_t b)
{
    const struct vec3 line = vec3_sub(rest[b], rest[a]);
    size_t found = begin;
    double most = -1.0;
    for (size_t i = begin; i < end; i++) {
        const struct vec3 way = vec3_sub(rest[i], rest[a]);
        const double far = a == b ? vec3_norm2(way) : vec3_norm2(vec3_cross(line, way));
        if (far > most) {
            most = far;
            found = i;
        }
    }
    return found;
}

/* Whether all particles are where a motion of the whole body takes them from rest: their distances
 * from three that are not on one line have not changed, nor that from the one before. */
static bool in_shape(const struct system_setting *setting, size_t begin, size_t end)
{
    const size_t a = begin, b = farthest(setting->rest, begin, end, a, a);
    const size_t c = farthest(setting->rest, begin, end, a, b);
    for (size_t i = begin; i < end; i++)
        if (!keep_distance(setting, a, i) || !keep_distance(setting, b, i) ||
            !keep_distance(setting, c, i) || !keep_distance(setting, i, i > begin ? i - 1 : i))
            return false;
    return true;
}

bool bond_body_is_still(const struct system_setting *setting, size_t begin, size_t end)
{
    const struct scene *scene = setting->scene;
    const uint32_t body = setting->particles->body[begin];
    /* that method makes forces between particles of one body, but not along bonds */
    return setting->moves && !contact_has(scene->contact.method, METHOD_PRESSURE) &&
           all_fixed(setting->particles, begin, end) && !moves_in_parts(scene, body) &&
           !may_be_tied(scene, body) && in_shape(setting, begin, end);
}

/* ---- numbers ---- */

bool bond_any_torn(const struct bond_network *net, const struct system_setting *setting,
                   size_t begin, size_t n)
{
    const uint64_t first = bond_number_of(net, net->start[begin]);
    for (size_t k = 0; k < setting->n_torn; k++)
        if (setting->torn[k] >= first && setting->torn[k] - first < n)
            return true;
    return false;
}

enum status bond_leave_out(struct bond_network *net, uint32_t body, size_t n_bodies, size_t at,
                           size_t n, struct error *error)
{
    if (!net->still && array_create(&net->still, n_bodies, sizeof *net->still, "bodies", error))
        return STATUS_FAILED;
    if (array_grow(&net->gap, net->n_gaps, net->n_gaps + 1, sizeof *net->gap, "bodies", error))
        return STATUS_FAILED;
    net->still[body] = true;
    net->gap[net->n_gaps++] = (struct bond_gap){at, n};
    return STATUS_OK;
}

uint64_t bond_number_of(const struct bond_network *net, size_t bond)
{
    uint64_t number = bond;
    for (size_t g = 0; g < net->n_gaps && net->gap[g].at <= bond; g++)
        number += net->gap[g].n;
    return number;
}

size_t bond_of_number(const struct bond_network *net, uint64_t number)
{
    size_t before = 0; /* left out */
    for (size_t g = 0; g < net->n_gaps && number >= net->gap[g].at + before; g++) {
        before += net->gap[g].n;
        if (number < net->gap[g].at + before)
            return net->n_bonds;
    }
    return number - before < net->n_bonds ? (size_t)(number - before) : net->n_bonds;
}

void bond_numbers_of_bodies(const struct bond_network *net, const uint32_t *body, size_t n_bodies,
                            uint64_t *first)
{
    size_t i = 0, gap = 0;
    uint64_t before = 0; /* left out */
    for (size_t b = 0; b < n_bodies; b++) {
        first[b] = net->start[i] + before;
        if (net->still && net->still[b])
            before += net->gap[gap++].n;
        while (i < net->system.n && body[i] == b)
            i++;
    }
    first[n_bodies] = net->n_bonds + before;
}
