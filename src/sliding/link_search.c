#include "sliding/link_search.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "shape/wall_touch.h"

#include <stdlib.h>
#include <string.h>

/* An overlap, over the sum of two radii, that is more than rounding of positions. */
static const double NOTICEABLE = 1e-9;

enum status link_search_create(struct link_search *search, const struct scene *scene,
                               size_t n_particles, struct error *error)
{
    *search = (struct link_search){.scene = scene};
    if (array_create(&search->way, n_particles, sizeof *search->way, "walls", error) ||
        array_create(&search->near, n_particles, sizeof *search->near, "walls", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void link_search_free(struct link_search *search)
{
    free(search->way);
    free(search->near);
    pair_list_free(&search->pairs);
    pair_list_free(&search->later);
    swept_pairs_free(&search->swept);
    *search = (struct link_search){0};
}

static bool is_swept(const struct link_search *search)
{
    return search->scene->contact.detection == DETECTION_SWEPT;
}

/* ---- pairs ---- */

/* The remaining distance over dt; 0 for an overlap. */
static double offset_of(const struct link_view *view, double gap)
{
    return gap > 0.0 ? gap / view->dt : 0.0;
}

static enum status add_pairs(const struct link_search *search, const struct link_view *view,
                             struct links *links, struct error *error)
{
    const struct particles *p = view->particles;
    if (links_reserve(links, search->pairs.n, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < search->pairs.n; k++) {
        struct pair pair = search->pairs.pair[k];
        struct vec3 apart = vec3_sub(p->position[pair.j], p->position[pair.i]);
        double length = vec3_norm(apart), touch = p->radius[pair.i] + p->radius[pair.j];
        if (!(length > 0.0))
            return error_set(error, STATUS_FAILED,
                             "particles %u and %u are at the same place, so that their contact "
                             "has no direction",
                             pair.i, pair.j);
        links->link[links->n++] = (struct link){.i = pair.i,
                                                .j = pair.j,
                                                .normal = vec3_scale(1.0 / length, apart),
                                                .arm_i = length * p->radius[pair.i] / touch,
                                                .arm_j = length * p->radius[pair.j] / touch,
                                                .offset = offset_of(view, length - touch)};
    }
    return STATUS_OK;
}

static enum status keep_pairs(struct link_search *search, const struct pair_list *from,
                              struct error *error)
{
    struct pair_list *to = &search->pairs;
    if (array_reserve(&to->pair, &to->capacity, from->n, sizeof *to->pair, "contacts", error))
        return STATUS_FAILED;
    if (from->n > 0)
        memcpy(to->pair, from->pair, from->n * sizeof *to->pair);
    to->n = from->n;
    return STATUS_OK;
}

/* ---- walls ---- */

static bool flows(const struct link_search *search, const struct particles *p, size_t i)
{
    return scene_body_flows(search->scene, p->body[i]);
}

/* Fluids are held by walls in their own way (systems/confine.h, sph_walls). */
static bool is_held(const struct link_search *search, const struct particles *p, size_t i)
{
    return p->state[i] == PARTICLE_FREE && !flows(search, p, i);
}

/* How near a particle may come to a wall: a fluid's as near as the last resort lets it. */
static double nearest(const struct link_search *search, const struct particles *p, size_t i)
{
    return (flows(search, p, i) ? WALL_NEAREST : 1.0) * p->radius[i];
}

static const struct walls *walls_for(const struct link_search *search, const struct link_view *view,
                                     size_t i)
{
    return flows(search, view->particles, i) ? view->all_walls : view->walls;
}

static double way_of(const struct link_search *search, const struct link_view *view,
                     const struct vec3 *velocity, size_t i)
{
    if (!is_swept(search))
        return 0.0;
    return SWEPT_NEAR * view->particles->radius[i] + view->dt * vec3_norm(velocity[i]);
}

static void find_near(struct link_search *search, const struct link_view *view)
{
    const struct particles *p = view->particles;
    memset(search->near, 0, p->n * sizeof *search->near);
    if (!view->walls)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++) {
        search->way[i] = way_of(search, view, p->velocity, i);
        search->near[i] = is_held(search, p, i) && walls_distance(view->walls, p->position[i]) <
                                                       p->radius[i] + search->way[i];
    }
}

/* Marks a fluid's particle that comes nearer to a wall than it may by `more`, m, along this way. */
static size_t mark_pressed(struct link_search *search, const struct link_view *view,
                           const struct vec3 *velocity, uint32_t i, double ahead, double more)
{
    const struct particles *p = view->particles;
    if (search->near[i] || p->state[i] != PARTICLE_FREE || !flows(search, p, i))
        return 0;
    struct vec3 place = vec3_axpy(p->position[i], ahead, velocity[i]);
    if (walls_distance(view->all_walls, place) >= nearest(search, p, i) + more)
        return 0;
    search->way[i] = way_of(search, view, velocity, i);
    search->near[i] = 1;
    return 1;
}

/* A fluid's particle that something presses on a wall passes this on: no wall may stop it after
 * links were solved. Those that are near a wall now, or will be; returns how many were not marked
 * before. */
static size_t find_pressed(struct link_search *search, const struct link_view *view,
                           const struct vec3 *velocity, bool later)
{
    const struct particles *p = view->particles;
    size_t n = 0;
    for (size_t k = 0; k < search->pairs.n && view->all_walls; k++) {
        const uint32_t end[2] = {search->pairs.pair[k].i, search->pairs.pair[k].j};
        for (int side = 0; side < 2; side++) {
            double more = later ? -NOTICEABLE * p->radius[end[side]]
                                : way_of(search, view, velocity, end[side]);
            n += mark_pressed(search, view, velocity, end[side], later ? view->dt : 0.0, more);
        }
    }
    return n;
}

/* walls_meet moves the ball away from each wall before it looks for the next one. The particle is
 * not moved: its distance from the next plane differs by the component of the move along that
 * plane's normal. */
static void add_walls_at(const struct link_search *search, const struct link_view *view, uint32_t i,
                         struct links *links)
{
    struct wall_meeting met[MOST_WALL_TOUCHES];
    double radius = nearest(search, view->particles, i), reach = radius + search->way[i];
    size_t n = walls_meet(walls_for(search, view, i), view->particles->position[i], reach, met);
    struct vec3 moved = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < n; k++) {
        double distance = met[k].distance - vec3_dot(met[k].normal, moved);
        moved = vec3_axpy(moved, reach - met[k].distance, met[k].normal);
        links->link[links->n++] = (struct link){.i = i,
                                                .j = LINK_WALL,
                                                .normal = vec3_scale(-1.0, met[k].normal),
                                                .arm_i = distance,
                                                .offset = offset_of(view, distance - radius)};
    }
}

static enum status add_walls(const struct link_search *search, const struct link_view *view,
                             struct links *links, struct error *error)
{
    size_t near = 0;
    for (size_t i = 0; i < view->particles->n; i++)
        near += search->near[i];
    if (links_reserve(links, links->n + MOST_WALL_TOUCHES * near, error))
        return STATUS_FAILED;
    for (uint32_t i = 0; i < view->particles->n && near > 0; i++)
        if (search->near[i])
            add_walls_at(search, view, i, links);
    return STATUS_OK;
}

/* ---- all of them ---- */

enum status link_search_again(struct link_search *search, const struct link_view *view,
                              struct links *links, struct error *error)
{
    links_clear(links);
    enum status status = add_pairs(search, view, links, error);
    find_pressed(search, view, view->particles->velocity, false);
    if (!status && view->all_walls)
        status = add_walls(search, view, links, error);
    if (!status)
        links_connect(links, view->particles);
    return status;
}

enum status link_search_find(struct link_search *search, const struct link_view *view,
                             struct links *links, struct error *error)
{
    if (keep_pairs(search, view->meeting, error))
        return STATUS_FAILED;
    find_near(search, view);
    return link_search_again(search, view, links, error);
}

/* ---- contacts that begin after all ---- */

/* Two particles that are only nearly in touch (SWEPT_NEAR) need no link yet. */
static bool overlaps(const struct link_view *view, const struct vec3 *velocity, struct pair pair)
{
    const struct particles *p = view->particles;
    double touch = (1.0 - NOTICEABLE) * (p->radius[pair.i] + p->radius[pair.j]);
    struct vec3 x = vec3_sub(p->position[pair.j], p->position[pair.i]);
    struct vec3 w = vec3_scale(view->dt, vec3_sub(velocity[pair.j], velocity[pair.i]));
    return swept_least2(x, w) < touch * touch;
}

static bool comes_before(struct pair a, struct pair b)
{
    return a.i < b.i || (a.i == b.i && a.j < b.j);
}

/* search->later: the pairs that have links and those of swept->list that overlap; both lists are
 * ascending. */
static enum status join_pairs(struct link_search *search, const struct link_view *view,
                              const struct vec3 *velocity, struct error *error)
{
    const struct pair_list *old = &search->pairs, *found = &search->swept.list;
    struct pair_list *all = &search->later;
    size_t at = 0;
    all->n = 0;
    if (array_reserve(&all->pair, &all->capacity, old->n + found->n, sizeof *all->pair, "contacts",
                      error))
        return STATUS_FAILED;
    for (size_t k = 0; k < found->n; k++) {
        struct pair pair = found->pair[k];
        while (at < old->n && comes_before(old->pair[at], pair))
            all->pair[all->n++] = old->pair[at++];
        bool known = at < old->n && !comes_before(pair, old->pair[at]);
        if (!known && overlaps(view, velocity, pair))
            all->pair[all->n++] = pair;
    }
    while (at < old->n)
        all->pair[all->n++] = old->pair[at++];
    return STATUS_OK;
}

/* Marks further particles that end within their radius of a wall; returns how many. */
static size_t find_later_walls(struct link_search *search, const struct link_view *view,
                               const struct vec3 *velocity)
{
    const struct particles *p = view->particles;
    size_t n = 0;
    for (size_t i = 0; view->walls && i < p->n; i++) {
        if (search->near[i] || !is_held(search, p, i))
            continue;
        struct vec3 end = vec3_axpy(p->position[i], view->dt, velocity[i]);
        if (walls_distance(view->walls, end) >= (1.0 - NOTICEABLE) * p->radius[i])
            continue;
        search->way[i] = way_of(search, view, velocity, i);
        search->near[i] = 1;
        n++;
    }
    return n;
}

enum status link_search_meet(struct link_search *search, const struct link_view *view,
                             const struct vec3 *velocity, size_t *found, struct error *error)
{
    size_t before = search->pairs.n;
    *found = 0;
    if (!is_swept(search))
        return STATUS_OK;
    enum status status =
        swept_pairs_find(&search->swept, view->particles, view->bonded, velocity, view->dt, error);
    if (!status)
        status = join_pairs(search, view, velocity, error);
    if (!status)
        status = keep_pairs(search, &search->later, error);
    if (!status)
        *found = search->pairs.n - before + find_later_walls(search, view, velocity) +
                 find_pressed(search, view, velocity, true);
    return status;
}
