/* How much memory a body of the network takes, before it is made. */
#include "config/contact_method.h"
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

/* Bonds per particle, each counted once, of a lattice that fills a box of this size. */
static double bonds_each(const struct bond_rule *rule, const double size[3])
{
    int reach = (int)rule->reach + 1;
    double bonds = 0.0;
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++)
            for (int z = -reach; z <= reach; z++) {
                double length = sqrt((double)(x * x + y * y + z * z));
                if (length > 0.0 && length <= rule->reach &&
                    rule->kind_of(rule, length) != BOND_NONE)
                    bonds += 0.5 * have_neighbor(size, x, y, z);
            }
    return bonds;
}

/* A bond takes a neighbor, a kind, a rest length and a place in its tile; 6 bytes (measured) in the
 * halos of tiles and the spare room of arrays; with reduced volumes a fraction; and for implicit
 * steps a block of the matrix. */
static double bytes_per_bond(const struct scene *scene, const struct bond_rule *rules)
{
    double bytes = sizeof(uint32_t) + sizeof(uint8_t) + sizeof(double) + sizeof(uint32_t) + 6.0;
    if (bond_rules_reduced(rules, scene->n_materials))
        bytes += sizeof(double);
    bool has_matrix = scene->solver.integrator != INTEGRATOR_VERLET;
    return has_matrix ? bytes + sizeof(struct bond_block) : bytes;
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

double bond_network_memory(const struct system_setting *setting)
{
    /* measured, as most of it is scratch memory of the solver and of contact detection; particles
     * without bonds touch all of their neighbors */
    static const double per_particle = 900.0, per_loose_particle = 1250.0;
    const struct scene *scene = setting->scene;
    const struct body *body = &scene->body[setting->particles->body[setting->first]];
    struct bond_network net = {0};
    struct bond_rule *rules = NULL;
    double size[3], each = per_particle;
    box_of(setting, 2.0 * body->radius, size);
    if (!bond_rules_create(&net, scene, &rules, NULL)) {
        struct bond_rule rule = rules[body->material];
        rule.spacing = 1.0;
        if (rule.kind_of &&
            bond_body_is_still(setting, setting->first, setting->first + setting->n))
            each = per_particle;
        else
            each = rule.kind_of ? each + bonds_each(&rule, size) * bytes_per_bond(scene, rules)
                                : per_loose_particle + bytes_of_links(scene);
    }
    free(rules);
    free(net.kinds);
    return (double)setting->n * each;
}
