#include "step/memory_need.h"

#include "base/machine.h"
#include "config/contact_method.h"
#include "diffuse/diffuse.h"
#include "systems/system.h"

/* Bytes of the program, and of every particle in the particle set, its motion and groups, in
 * measures, and while frames are read and written. They are measured, because most of them are
 * scratch memory that grows. */
static const double of_program = 25e6;
static const double per_particle = 217.0;
/* Additional bytes of every particle if groups may have members of several systems: velocities and
 * forces by system, and groups cut by systems. */
static const double per_particle_coupled = 115.0;

/* Additional bytes of every particle if constraints of positions move it: corrections, and rows of
 * contacts and distances. */
static const double per_particle_positions = 480.0;

/* Additional bytes of every particle if one pressure is found for all, beside what systems of
 * fluids have, which then do without most of it. */
static const double per_particle_pressure = 275.0;

/* Additional bytes of every particle in air. */
static const double per_particle_air = 32.0;

/* Bytes of the systems, body by body. */
static double of_systems(const struct scene *scene, const struct particles *p,
                         const struct vec3 *rest)
{
    double bytes = 0.0;
    struct system_setting setting = {.scene = scene, .particles = p, .rest = rest, .moves = true};
    for (size_t end; setting.first < p->n; setting.first = end) {
        uint32_t body = p->body[setting.first];
        for (end = setting.first; end < p->n && p->body[end] == body;)
            end++;
        setting.n = end - setting.first;
        const struct system_class *class = system_class_of(scene_material_of(scene, body));
        if (class->memory)
            bytes += class->memory(&setting);
    }
    return bytes;
}

/* Whether two bodies belong to one system. Each material may be a system of its own. */
static bool of_one_system(const struct scene *scene, uint32_t a, uint32_t b)
{
    const struct system_class *class = system_class_of(scene_material_of(scene, a));
    return system_class_of(scene_material_of(scene, b)) == class &&
           (!class->family.apart || scene->body[a].material == scene->body[b].material);
}

static bool has_several_systems(const struct scene *scene)
{
    for (uint32_t b = 1; b < scene->n_bodies; b++)
        if (!of_one_system(scene, 0, b))
            return true;
    return false;
}

double memory_need(const struct scene *scene, const struct particles *p, const struct vec3 *rest)
{
    double each = per_particle + (has_several_systems(scene) ? per_particle_coupled : 0.0);
    each += contact_has(scene->contact.method, METHOD_POSITIONS) ? per_particle_positions : 0.0;
    each += contact_has(scene->contact.method, METHOD_PRESSURE) ? per_particle_pressure : 0.0;
    each += scene->air.density > 0.0 ? per_particle_air : 0.0;
    return of_program + each * (double)p->n + of_systems(scene, p, rest) + diffuse_memory(scene);
}

enum status memory_check(const struct scene *scene, const struct particles *p,
                         const struct vec3 *rest, const char *path, struct error *error)
{
    double need = memory_need(scene, p, rest), available = memory_available() + process_memory();
    if (!(need > available))
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s: %zu particles and their bonds need about %.3g GB of memory, and %.3g GB "
                     "are available; larger particles, a shorter horizon, or a machine with more "
                     "memory would be right",
                     path, p->n, need / 1e9, available / 1e9);
}
