/* The links of a step: pairs in touch, and solids in touch with walls that hold them. With
 * contact.detection: swept, there are speculative links as well, for contacts that begin within the
 * step; the remaining distance over dt is the link's offset. */
#ifndef SLIDING_LINK_SEARCH_H
#define SLIDING_LINK_SEARCH_H

#include "base/error.h"
#include "config/scene.h"
#include "contact/swept_pairs.h"
#include "particles/links.h"
#include "particles/pairs.h"
#include "particles/particles.h"
#include "shape/walls.h"

/* The state for which links are searched. */
struct link_view {
    double dt; /* s */
    const struct particles *particles;
    const struct pair_list *meeting; /* pairs at the present positions, ascending */
    const struct bonded *bonded;     /* particles that never collide; NULL: all may */
    const struct walls *walls;       /* walls that hold solids; NULL: none */
    const struct walls *all_walls;   /* those and walls that hold fluids alone; NULL: none */
};

/* Memory that is kept from step to step. */
struct link_search {
    const struct scene *scene;
    double *way;            /* how far beyond its radius a particle may come to a wall, m (n) */
    uint8_t *near;          /* whether a solid's particle, or a fluid's at a link, may reach a wall
                               (n) */
    struct pair_list pairs; /* pairs that have a link in this step, ascending */
    struct pair_list later; /* scratch */
    struct swept_pairs swept;
};

/* Release with link_search_free, also after a failure. The scene must outlive it. */
enum status link_search_create(struct link_search *search, const struct scene *scene,
                               size_t n_particles, struct error *error);
void link_search_free(struct link_search *search);

/* Replaces the contents of `links` by connected links (links_connect): those of the pairs of
 * view->meeting, and those of particles in touch with walls or, with contact.detection: swept, with
 * walls within the way that they go by their velocity: particles of solids, and those of fluids
 * that are at links with others, which may come to WALL_NEAREST of their radius. A wall is taken as
 * its tangent plane where it is nearest, which is exact for flat walls. STATUS_FAILED for two
 * particles at the same place, which have no direction, and for want of memory. */
enum status link_search_find(struct link_search *search, const struct link_view *view,
                             struct links *links, struct error *error);

/* After link_search_find, for the same view: finds the pairs, and the particles at walls, that have
 * no link yet and will overlap if particles move by `velocity`, m/s (n). `found` is their number;
 * it is 0 unless contact.detection is swept. */
enum status link_search_meet(struct link_search *search, const struct link_view *view,
                             const struct vec3 *velocity, size_t *found, struct error *error);

/* Replaces the contents of `links` by connected links: the earlier ones and those of the contacts
 * that link_search_meet found since. */
enum status link_search_again(struct link_search *search, const struct link_view *view,
                              struct links *links, struct error *error);

#endif
