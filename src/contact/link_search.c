#include "contact/link_search.h"

#include "base/memory.h"
#include "shape/wall_touch.h"

#include <stdlib.h>

enum status link_search_create(struct link_search *search, const struct scene *scene,
                               size_t n_particles, struct error *error)
{
    *search = (struct link_search){.scene = scene};
    return array_create(&search->near, n_particles, sizeof *search->near, "walls", error);
}

void link_search_free(struct link_search *search)
{
    free(search->near);
    *search = (struct link_search){0};
}

static enum status add_pairs(const struct link_view *view, struct links *links, struct error *error)
{
    const struct vec3 *x = view->particles->position;
    if (links_reserve(links, view->touching->n, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < view->touching->n; k++) {
        struct pair pair = view->touching->pair[k];
        struct vec3 apart = vec3_sub(x[pair.j], x[pair.i]);
        double length = vec3_norm(apart);
        if (!(length > 0.0))
            return error_set(error, STATUS_FAILED,
                             "particles %u and %u are at the same place, so that their contact "
                             "has no direction",
                             pair.i, pair.j);
        links->link[links->n++] =
            (struct link){.i = pair.i, .j = pair.j, .normal = vec3_scale(1.0 / length, apart)};
    }
    return STATUS_OK;
}

/* Fluids are held by walls in their own way (systems/confine.h, sph_walls). Returns how many are
 * near. */
static size_t find_near(struct link_search *search, const struct link_view *view)
{
    const struct particles *p = view->particles;
    size_t count = 0;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        search->near[i] = p->state[i] == PARTICLE_FREE &&
                          !scene_body_flows(search->scene, p->body[i]) &&
                          walls_distance(view->walls, p->position[i]) < p->radius[i];
    for (size_t i = 0; i < p->n; i++)
        count += search->near[i];
    return count;
}

static void add_walls_at(const struct link_view *view, uint32_t i, struct links *links)
{
    struct wall_meeting met[MOST_WALL_TOUCHES];
    size_t n =
        walls_meet(view->walls, view->particles->position[i], view->particles->radius[i], met);
    for (size_t k = 0; k < n; k++)
        links->link[links->n++] =
            (struct link){.i = i, .j = LINK_WALL, .normal = vec3_scale(-1.0, met[k].normal)};
}

static enum status add_walls(struct link_search *search, const struct link_view *view,
                             struct links *links, struct error *error)
{
    size_t near = find_near(search, view);
    if (links_reserve(links, links->n + MOST_WALL_TOUCHES * near, error))
        return STATUS_FAILED;
    for (uint32_t i = 0; i < view->particles->n && near > 0; i++)
        if (search->near[i])
            add_walls_at(view, i, links);
    return STATUS_OK;
}

enum status link_search_find(struct link_search *search, const struct link_view *view,
                             struct links *links, struct error *error)
{
    links_clear(links);
    enum status status = add_pairs(view, links, error);
    if (!status && view->walls)
        status = add_walls(search, view, links, error);
    if (!status)
        links_connect(links, view->particles);
    return status;
}
