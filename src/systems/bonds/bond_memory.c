/* How much memory a body of the network takes, before it is made. */
#include "config/contact_method.h"
#include "particles/pairs.h"
#include "systems/bonds/bond_implicit.h"
#include "systems/bonds/bond_rules.h"
#include "systems/bonds/bond_still.h"

#include <stdlib.h>

/* The number of lattice points along each edge of the box around the unstressed particles. */
static void box_of(const struct system_setting *setting, double spacing, double size[3])
{
    const struct vec3 *rest = setting->rest + setting->first;
    struct vec3 low = rest[0], high = rest[0];
    for (size_t i = 1; i < setting->n; i++) {
        low = vec3(fmin(low.x, rest[i].x), fmin(low.y, rest[i].y), fmin(low.z, rest[i].z));
        high = vec3(fmax(high.x, rest[i].x), fmax(high.y, rest[i].y), fmax(high.z, rest[i].z));
    }
    struct vec3 edge = vec3_scale(1.0 / spacing, vec3_sub(high, low));
    size[0] = edge.x + 1.0;
    size[1] = edge.y + 1.0;
    size[2] = edge.z + 1.0;
}

/* The fraction of the box's particles that have a neighbor at this offset. */
static double have_neighbor(const double size[3], int x, int y, int z)
{
    return fmax(1.0 - abs(x) / size[0], 0.0) * fmax(1.0 - abs(y) / size[1], 0.0) *
           fmax(1.0 - abs(z) / size[2], 0.0);
}

/* Neighbors of a particle in a lattice that fills a box, each counted once. */
struct neighbors {
    double bonded;
    double met; /* those near enough that contact detection keeps them, if they are not bonded */
};

static struct neighbors neighbors_each(const struct bond_rule *rule, const double size[3])
{
    static const double met = 2.5; /* spacings, the widest skin of detection_search.c */
    const int reach = (int)fmax(rule->reach, met) + 1;
    struct neighbors n = {0.0, 0.0};
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++)
            for (int z = -reach; z <= reach; z++) {
                const double length = sqrt((double)(x * x + y * y + z * z));
                const bool bonded = rule->kind_of && length <= rule->reach &&
                                    rule->kind_of(rule, length) != BOND_NONE;
                if (length > 0.0 && (bonded || length < met))
                    *(bonded ? &n.bonded : &n.met) += 0.5 * have_neighbor(size, x, y, z);
            }
    return n;
}

static bool has_matrix(const struct scene *scene)
{
    return scene->solver.integrator != INTEGRATOR_VERLET;
}

/* A bond takes a neighbor, a kind, a rest length and a place in its tile; with reduced volumes a
 * fraction; and for implicit steps a block of the matrix. */
static double bytes_per_bond(const struct scene *scene, const struct bond_rule *rules)
{
    double bytes = sizeof(uint32_t) + sizeof(uint8_t) + sizeof(double) + sizeof(uint32_t);
    if (bond_rules_reduced(rules, scene->n_materials))
        bytes += sizeof(double);
    return has_matrix(scene) ? bytes + sizeof(struct bond_block) : bytes;
}

/* The bytes that a loose particle takes for its links, measured in a heap in which every other pair
 * of lattice neighbors touches. With friction a link has three rows. Swept detection links the
 * pairs that are about to touch as well. */
static double bytes_of_links(const struct scene *scene)
{
    static const double smooth = 1300.0, rough = 3300.0, swept = 2100.0;
    if (!contact_has(scene->contact.method, METHOD_LINKS))
        return 0.0;
    return (scene->contact.static_friction > 0.0 ? rough : smooth) +
           (scene->contact.detection == DETECTION_SWEPT ? swept : 0.0);
}

/* What a particle takes for bonds and neighbors. Detection sorts pairs twice. */
static double bytes_of_pairs(const struct scene *scene, const struct bond_rule *rules,
                             const struct bond_rule *rule, const double size[3])
{
    static const double per_pair = 3.0 * sizeof(struct pair);
    const struct neighbors n = neighbors_each(rule, size);
    const double links = rule->kind_of ? 0.0 : bytes_of_links(scene);
    return n.bonded * bytes_per_bond(scene, rules) + n.met * per_pair + links;
}

double bond_network_memory(const struct system_setting *setting)
{
    /* measured, as most of it is scratch memory: halos of tiles, vectors of the solver, and what
     * measures keep of sheets */
    static const double per_particle = 345.0, per_unknown = 410.0, per_particle_of_sheet = 200.0;
    const struct scene *scene = setting->scene;
    const struct body *body = &scene->body[setting->particles->body[setting->first]];
    struct bond_network net = {0};
    struct bond_rule *rules = NULL;
    double size[3], each = per_particle + (has_matrix(scene) ? per_unknown : 0.0);
    each += body->shape.kind == SHAPE_SHEET ? per_particle_of_sheet : 0.0;
    box_of(setting, 2.0 * body->radius, size);
    if (!bond_rules_create(&net, scene, &rules, NULL)) {
        struct bond_rule rule = rules[body->material];
        rule.spacing = 1.0;
        if (!bond_body_is_still(setting, setting->first, setting->first + setting->n))
            each += bytes_of_pairs(scene, rules, &rule, size);
    }
    free(rules);
    free(net.kinds);
    return (double)setting->n * each;
}
