#include "systems/bonds/bond_surface.h"

#include "base/memory.h"
#include "constraints/volumes.h"
#include "shape/sides.h"
#include "systems/bonds/bond_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- springs ---- */

static int compare_springs(const void *a, const void *b)
{
    const struct surface_spring *p = a, *q = b;
    if (p->i != q->i)
        return p->i < q->i ? -1 : 1;
    if (p->j != q->j)
        return p->j < q->j ? -1 : 1;
    return p->spring - q->spring;
}

static struct surface_spring spring_between(uint32_t a, uint32_t b, int spring)
{
    return a < b ? (struct surface_spring){a, b, spring} : (struct surface_spring){b, a, spring};
}

enum status surface_springs_create(struct surface_spring **spring, size_t *n,
                                   const struct sheet *sheet, struct error *error)
{
    const size_t n_sides = 3 * sheet->n_triangles;
    struct side *side = NULL;
    enum status status =
        sides_create(&side, sheet->n_triangles, (const uint32_t(*)[3])sheet->triangle, error);
    *n = 0;
    if (!status) /* at most one along and one across each edge */
        status = array_create(spring, 2 * n_sides, sizeof **spring, "springs", error);
    struct surface_spring *all = status ? NULL : *spring;
    for (size_t k = 0, end; all && k < n_sides; k = end) {
        end = sides_end_of_edge(side, n_sides, k);
        all[(*n)++] = spring_between(side[k].low, side[k].high, SPRING_STRETCH);
        if (end - k == 2 && side[k].apex != side[k + 1].apex)
            all[(*n)++] = spring_between(side[k].apex, side[k + 1].apex, SPRING_BEND);
    }
    free(side);
    if (*n == 0)
        return status;
    qsort(all, *n, sizeof *all, compare_springs);
    size_t kept = 1;
    for (size_t k = 1; k < *n; k++)
        if (all[k].i != all[kept - 1].i || all[k].j != all[kept - 1].j)
            all[kept++] = all[k];
    *n = kept;
    return status;
}

enum status surface_find(const struct sheet **sheet, const struct system_setting *setting,
                         uint32_t body, struct error *error)
{
    for (size_t s = 0; s < setting->n_sheets; s++)
        if (setting->sheet[s].body == body) {
            *sheet = &setting->sheet[s];
            return STATUS_OK;
        }
    return error_set(error, STATUS_INVALID,
                     "body '%s' has its particles at vertices, and its triangles are not there; "
                     "sample it again",
                     setting->scene->body[body].name);
}

/* ---- volumes ---- */

static bool is_inflated(const struct material *material)
{
    return material->model == &mass_spring_model &&
           isfinite(((const struct mass_spring *)material->parameters)->inflation);
}

enum status surface_check_body(const struct body *body, const struct material *material,
                               const struct sheet *surface, struct error *error)
{
    const struct origin *at = &body->origin;
    bool closed = false;
    if (!surface || !is_inflated(material))
        return STATUS_OK;
    if (sides_closed(surface->n_triangles, (const uint32_t(*)[3])surface->triangle, &closed, error))
        return STATUS_FAILED;
    return closed ? STATUS_OK
                  : error_set(error, STATUS_INVALID,
                              "%s:%d:%d: the surface of body '%s' is open and has no volume, but "
                              "material '%s' has an inflation; close the mesh, or leave it out",
                              at->file, at->line, at->column, body->name, material->name);
}

/* Finds the volume within the surface of particles at `rest`, and which of them have it. */
static struct bond_inflated inflated(const struct sheet *sheet, const struct vec3 *rest,
                                     double inflation)
{
    struct bond_inflated b = {.sheet = sheet, .first = UINT32_MAX};
    size_t end = 0;
    const struct vec3 origin = rest[sheet->triangle[0][0]];
    for (size_t t = 0; t < sheet->n_triangles; t++) {
        struct vec3 corner[3];
        for (size_t k = 0; k < 3; k++) {
            const uint32_t i = sheet->triangle[t][k];
            b.first = i < b.first ? i : b.first;
            end = i >= end ? i + 1 : end;
            corner[k] = vec3_sub(rest[i], origin);
        }
        b.volume += vec3_dot(corner[0], vec3_cross(corner[1], corner[2])) / 6.0;
    }
    b.n = end - b.first;
    b.volume *= inflation;
    return b;
}

enum status bond_inflated_create(struct bond_network *net, const struct system_setting *setting,
                                 struct error *error)
{
    const struct scene *scene = setting->scene;
    if (array_create(&net->inflated, setting->n_sheets, sizeof *net->inflated, "volumes", error))
        return STATUS_FAILED;
    for (size_t s = 0; s < setting->n_sheets; s++) {
        const struct sheet *sheet = &setting->sheet[s];
        const struct material *material = scene_material_of(scene, sheet->body);
        if (!is_inflated(material) || !scene_body_at_vertices(scene, sheet->body))
            continue;
        const struct mass_spring *springs = material->parameters;
        net->inflated[net->n_inflated++] = inflated(sheet, setting->rest, springs->inflation);
    }
    return STATUS_OK;
}

/* The bond between two particles, i < j; n_bonds: there is none. */
static size_t bond_between(const struct bond_network *net, uint32_t i, uint32_t j)
{
    size_t low = net->start[i], high = net->start[i + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (net->neighbor[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < net->start[i + 1] && net->neighbor[low] == j ? low : net->n_bonds;
}

/* The bonds along the edges of a closed surface. */
static enum status find_edges(const struct bond_network *net, const struct sheet *sheet,
                              struct volume_body *body, size_t **edge, struct error *error)
{
    const size_t n = 3 * sheet->n_triangles;
    if (array_create(edge, n, sizeof **edge, "edges", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++) {
        const uint32_t from = sheet->triangle[k / 3][k % 3];
        const uint32_t to = sheet->triangle[k / 3][(k + 1) % 3];
        const size_t bond = from < to ? bond_between(net, from, to) : net->n_bonds;
        if (bond < net->n_bonds)
            (*edge)[body->n_edges++] = bond;
    }
    body->edge = *edge;
    return STATUS_OK;
}

enum status bond_inflated_constrain(const struct bond_network *net,
                                    const struct particles *particles, struct constraint_set *set,
                                    struct error *error)
{
    struct volume_body *body = NULL;
    size_t **edge = NULL;
    const size_t n = net->n_inflated;
    if (n == 0)
        return STATUS_OK;
    enum status status = array_create(&body, n, sizeof *body, "volumes", error);
    if (!status)
        status = array_create(&edge, n, sizeof *edge, "volumes", error);
    for (size_t k = 0; k < n && !status; k++) {
        const struct bond_inflated *own = &net->inflated[k];
        body[k] = (struct volume_body){.first = own->first,
                                       .n = own->n,
                                       .sheet = own->sheet,
                                       .volume = own->volume,
                                       .whole = net->kind};
        status = find_edges(net, own->sheet, &body[k], &edge[k], error);
    }
    if (!status)
        status = volumes_add(set, particles->n, n, body, error);
    for (size_t k = 0; edge && k < n; k++)
        free(edge[k]);
    free(edge);
    free(body);
    return status;
}
